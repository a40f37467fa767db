// How much each caller may ask of a gateway, of all surfaces together: objects in a minute, and requests in progress. By role, because a scheduler must never
// wait for what a person's script does. Knows callers and numbers, no surface and no clock but the one it is given.
import type { Identity } from '../domain/identity.ts';
import type { BoundsByRole, BudgetSettings } from '../settings/budgets.ts';

/** What is left to a caller. */
export interface Budget {
  /** Objects in a minute. */
  readonly limit: number;
  /** Objects; below zero after an answer that was larger than foreseen. */
  readonly remaining: number;
  /** Seconds until all of it is there again. */
  readonly restoredIn: number;
}

/** A caller has asked for too much. Nothing was done. */
export class OverBudget extends Error {
  /** Seconds after which the same request can be served, or at least be read. */
  readonly retryAfter: number;
  /** Null when it is about requests in progress. */
  readonly budget: Budget | null;
  /** Milliseconds until it should be told. */
  readonly hold: number;

  constructor(message: string, retryAfter: number, budget: Budget | null, hold: number) {
    super(message);
    this.name = 'OverBudget';
    this.retryAfter = retryAfter;
    this.budget = budget;
    this.hold = hold;
  }
}

/** A request of a caller who has bounds. */
export interface Visit {
  /** Takes the cost of what is asked for from the budget. Throws OverBudget when there is not enough; a full budget is always enough. */
  spend(cost: number): void;
  /** Takes what an answer has cost beyond that, even if it is not there. */
  charge(cost: number): void;
  budget(): Budget | null;
  /** The request is over. */
  leave(): void;
}

const minute = 60_000;
/** Objects: what sums of fractions can be wrong by. */
const rounding = 1e-6;
/** Refusals of a caller in a second that are told at once. Further ones are held: who asks again without waiting would be served with refusals alone. */
const promptRefusals = 10;
const second = 1000;
/** Callers that are remembered. Those whose budget is whole again are forgotten first. */
const maxCallers = 10_000;

interface Account {
  readonly cost: number | null;
  level: number;
  /** When the level was right, in milliseconds. */
  at: number;
  inProgress: number;
  /** Refusals since a moment within the last second. */
  refusals: number;
  refusedSince: number;
}

export class CallerBudgets {
  readonly #settings: BudgetSettings;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();

  constructor(settings: BudgetSettings, now: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Begins a request. Null for callers without bounds. Throws OverBudget when too many of the caller's are in progress, or it has used more than its budget. */
  enter(caller: Identity): Visit | null {
    const { callerCost, callerRequests } = this.#settings;
    const cost = boundFor(callerCost, caller);
    const requests = boundFor(callerRequests, caller);
    if (cost === null && requests === null) return null;
    const account = this.#accountOf(caller, cost);
    if (requests !== null && account.inProgress >= requests) {
      const message = `This caller has ${account.inProgress} requests in progress, at most ${requests} are served at once. Nothing was done: send the request again once others are answered.`;
      throw new OverBudget(message, 1, null, this.#holdOf(account));
    }
    this.#refuseDebtor(account);
    account.inProgress += 1;
    let isOver = false;
    return {
      spend: (wanted) => this.#spend(account, wanted),
      charge: (wanted) => {
        this.#refill(account);
        account.level -= wanted;
      },
      budget: () => this.#budgetOf(account),
      leave: () => {
        if (!isOver) account.inProgress -= 1;
        isOver = true;
      },
    };
  }

  #accountOf({ method, user, project, domain, scope }: Identity, cost: number | null): Account {
    const key = JSON.stringify([method, user, project, domain, scope]);
    const known = this.#accounts.get(key);
    // A caller whose role was changed begins anew.
    if (known && known.cost === cost) return known;
    if (this.#accounts.size >= maxCallers) this.#forget();
    const account = { cost, level: cost ?? 0, at: this.#now(), inProgress: known?.inProgress ?? 0, refusals: 0, refusedSince: 0 };
    this.#accounts.set(key, account);
    return account;
  }

  /** Before its request is read: even a refusal of what is no valid request takes work. */
  #refuseDebtor(account: Account): void {
    const { cost } = account;
    if (cost === null) return;
    this.#refill(account);
    if (account.level >= -rounding) return;
    const wait = Math.ceil((-account.level / cost) * (minute / 1000));
    const message = `This caller has used up the ${cost} objects that it may ask for in a minute. Nothing was done: send the request again in ${wait} s.`;
    throw new OverBudget(message, wait, this.#budgetOf(account), this.#holdOf(account));
  }

  #spend(account: Account, wanted: number): void {
    const { cost } = account;
    if (cost === null) return;
    this.#refill(account);
    const needed = Math.min(wanted, cost);
    if (account.level < needed - rounding) {
      const wait = Math.ceil(((needed - account.level) / cost) * (minute / 1000));
      const message = `This costs ${wanted} objects, and of the ${cost} that this caller may ask for in a minute ${Math.max(0, Math.floor(account.level))} are left. Nothing was done: send the request again in ${wait} s.`;
      throw new OverBudget(message, wait, this.#budgetOf(account), this.#holdOf(account));
    }
    account.level -= wanted;
  }

  /** For how long a refusal is held. */
  #holdOf(account: Account): number {
    const now = this.#now();
    if (now - account.refusedSince >= second) {
      account.refusedSince = now;
      account.refusals = 0;
    }
    account.refusals += 1;
    return account.refusals > promptRefusals ? second : 0;
  }

  #refill(account: Account): void {
    const now = this.#now();
    const { cost } = account;
    if (cost !== null) account.level = Math.min(cost, account.level + ((now - account.at) / minute) * cost);
    account.at = now;
  }

  #budgetOf(account: Account): Budget | null {
    const { cost } = account;
    if (cost === null) return null;
    this.#refill(account);
    return {
      limit: cost,
      remaining: Math.floor(account.level),
      restoredIn: Math.ceil(((cost - account.level) / cost) * (minute / 1000)),
    };
  }

  /** Makes room: of those without a request those whose budget is whole again; if there are none, the one that was first seen longest ago. */
  #forget(): void {
    let first: string | null = null;
    for (const [key, account] of this.#accounts) {
      if (account.inProgress > 0) continue;
      first ??= key;
      this.#refill(account);
      if (account.cost === null || account.level >= account.cost) this.#accounts.delete(key);
    }
    if (this.#accounts.size >= maxCallers && first !== null) this.#accounts.delete(first);
  }
}

function boundFor(bounds: BoundsByRole, { roles }: Identity): number | null {
  for (const [role, bound] of bounds) if (role === '*' || roles.includes(role)) return bound;
  return null;
}
