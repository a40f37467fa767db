// How much each caller may ask of a gateway through all surfaces together: objects in a minute, and requests in progress. By role, because a scheduler must
// never wait for a person's script. Knows callers and numbers, no surface and no clock but the one that it is given.
import type { Identity } from '../domain/identity.ts';
import type { BoundsByRole, BudgetSettings } from '../settings/budgets.ts';

/** What is left of a caller's budget. */
export interface Budget {
  /** Objects in a minute. */
  readonly limit: number;
  /** Objects; below zero after an answer that was larger than estimated. */
  readonly remaining: number;
  /** Seconds until the budget is whole again. */
  readonly restoredIn: number;
}

/** A caller has asked for too much. Nothing was done. */
export class OverBudget extends Error {
  /** Seconds after which the same request can be served, or at least read. */
  readonly retryAfter: number;
  /** Null when it is about requests in progress. */
  readonly budget: Budget | null;
  /** Milliseconds for which to hold the refusal back. */
  readonly hold: number;

  constructor(message: string, retryAfter: number, budget: Budget | null, hold: number) {
    super(message);
    this.name = 'OverBudget';
    this.retryAfter = retryAfter;
    this.budget = budget;
    this.hold = hold;
  }
}

/** A request of a caller that has bounds. */
export interface Visit {
  /** Takes the estimated cost from the budget. Throws OverBudget if the budget is too low; a full budget is always enough. */
  spend(cost: number): void;
  /** Takes what an answer has cost beyond that, even below zero. */
  charge(cost: number): void;
  budget(): Budget | null;
  /** Ends the request, when its answer was read. If it was refused before its cost was known, takes the cost of refused requests. */
  leave(): void;
}

const minute = 60_000;
/** Objects: the possible error of sums of fractions. */
const rounding = 1e-6;
/** The number of refusals of a caller in a second that are sent at once. Further ones are held, so that a caller that retries without waiting costs little. */
const promptRefusals = 10;
const second = 1000;
/** The number of accounts that are remembered. Those whose budget is whole again are forgotten first. */
const maxAccounts = 20_000;

/** What the requests of a caller under one bound share: a budget, or only the number of those in progress, and then the cost is null. */
interface Account {
  readonly cost: number | null;
  level: number;
  /** When the level was computed, in milliseconds. */
  at: number;
  inProgress: number;
  /** The number of refusals since `refusedSince`, a moment within the last second. */
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

  /**
   * Begins a request, before it is read. Null for callers without bounds. Throws OverBudget if the caller has too many requests in progress or has overdrawn
   * its budget. `refusedCost`: what the request costs if it is refused before its cost is known.
   */
  enter(caller: Identity, refusedCost: number): Visit | null {
    const { callerCost, callerRequests } = this.#settings;
    const cost = boundFor(callerCost, caller);
    const requests = boundFor(callerRequests, caller);
    if (cost === null && requests === null) return null;
    // A caller may use tokens of different roles in turns: each bound has an account of its own.
    const present = this.#accountOf(caller, null, requests);
    if (requests !== null && present.inProgress >= requests) {
      const message = `This caller has ${present.inProgress} requests in progress, and at most ${requests} are served at once. Nothing was done: send the request again once others are answered.`;
      throw new OverBudget(message, 1, null, this.#holdOf(present));
    }
    const account = this.#accountOf(caller, cost, null);
    this.#refuseDebtor(account);
    const accounts = [present, account];
    for (const one of accounts) one.inProgress += 1;
    let isCounted = false;
    let isOver = false;
    const charge = (wanted: number) => {
      isCounted = true;
      this.#refill(account);
      account.level -= wanted;
    };
    return {
      spend: (wanted) => {
        isCounted = true;
        this.#spend(account, wanted);
      },
      charge,
      budget: () => this.#budgetOf(account),
      leave: () => {
        if (isOver) return;
        isOver = true;
        if (!isCounted) charge(refusedCost);
        for (const one of accounts) one.inProgress -= 1;
      },
    };
  }

  #accountOf({ method, user, project, domain, scope }: Identity, cost: number | null, requests: number | null): Account {
    const key = JSON.stringify([method, user, project, domain, scope, cost, requests]);
    const known = this.#accounts.get(key);
    if (known) return known;
    if (this.#accounts.size >= maxAccounts) this.#forget();
    const account = { cost, level: cost ?? 0, at: this.#now(), inProgress: 0, refusals: 0, refusedSince: 0 };
    this.#accounts.set(key, account);
    return account;
  }

  /** Even refusing an invalid request takes work. */
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
      const message = `This costs ${wanted} objects, but only ${Math.max(0, Math.floor(account.level))} of the ${cost} that this caller may ask for in a minute are left. Nothing was done: send the request again in ${wait} s.`;
      throw new OverBudget(message, wait, this.#budgetOf(account), this.#holdOf(account));
    }
    account.level -= wanted;
  }

  /** How many milliseconds to hold a refusal. */
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

  /** Makes room among accounts without a request: forgets all whose budget is whole again, or else the oldest account. */
  #forget(): void {
    let first: string | null = null;
    for (const [key, account] of this.#accounts) {
      if (account.inProgress > 0) continue;
      first ??= key;
      this.#refill(account);
      if (account.cost === null || account.level >= account.cost) this.#accounts.delete(key);
    }
    if (this.#accounts.size >= maxAccounts && first !== null) this.#accounts.delete(first);
  }
}

function boundFor(bounds: BoundsByRole, { roles }: Identity): number | null {
  for (const [role, bound] of bounds) if (role === '*' || roles.includes(role)) return bound;
  return null;
}
