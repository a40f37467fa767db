// Searches for the same request several times in sequence. Each turn counts what the previous ones took as used, and a group may require the next turn to
// choose the same root, or another. With weights, all roots that can serve are compared; without, the first in the order of the request is taken.
import { inventoryWithUse, type MembershipClause } from '../provider.ts';
import { type Affinity, joinedBy, ruleOf, unitedWith } from './affinity.ts';
import type { Forest, ForestProvider, ProviderState, Tree } from './forest.ts';
import { compileQuery, Membership } from './groups.ts';
import { RankedCandidates, type Weigh } from './ranked.ts';
import type { CandidateRequest, RootRule } from './request.ts';
import { type Candidate, defaultBudget, searchCandidates, searchInParts } from './search.ts';
import { Steps, stepsAtOnce } from './steps.ts';
import type { UsedAmount } from './supposed-use.ts';

/** The minimum budget of each search, in steps, whatever their number. */
const minBudget = 50_000;

/** The number of roots compared between two pauses, over all turns. */
const rootsAtOnce = 30_000;
/** The cost of a turn beside its search, in steps. */
const turnCost = 1000;
const rootsWeighedAtOnce = 1000;

/** How roots are chosen, in addition to the conditions of the request. */
export interface TurnConditions {
  readonly affinity?: Affinity | null;
  /** Replaces the order of the request. */
  readonly weigh?: Weigh | null;
  readonly seed?: number;
  /** Amounts that also count as used, so that they are left to other requests. */
  readonly reserved?: Iterable<UsedAmount>;
  /**
   * One more rule for a turn, which depends on the candidates so far and their turns; null for none. Where it leaves no root, others go on. It does not bind
   * alternates.
   */
  readonly outside?: ((turn: number, candidates: readonly Candidate[], turns: readonly number[]) => RootRule | null) | null;
}

/** The candidates chosen, and a way to find others. */
export interface Turns {
  /** In the order of the turns; fewer than requested if room ran out. */
  readonly candidates: readonly Candidate[];
  /** The turn of each of them. */
  readonly turns: readonly number[];
  /** The request of one more turn, with the rules that would then apply. */
  readonly next: CandidateRequest;
  /** Candidates on other roots in these aggregates, at most one each, in order of preference, while everything chosen still counts as used. */
  readonly others: (rootAggregates: readonly MembershipClause[], limit: number) => readonly Candidate[];
}

/**
 * Finds the first candidate of each of `count` identical requests, as if each were claimed before the next is searched. Calls `then` while everything chosen
 * still counts as used, and returns its result. Restores the forest whenever it pauses; the forest must not change during a pause.
 */
export function* searchInTurn<Result>(
  forest: Forest,
  request: CandidateRequest,
  count: number,
  then: (turns: Turns) => Generator<void, Result>,
  { affinity: before = null, weigh, seed = 1, reserved = [], outside }: TurnConditions = {},
): Generator<void, Result> {
  const taken = new Taken(forest);
  const budget = Math.max(minBudget, Math.floor(defaultBudget / count));
  const ranked = weigh ? yield* RankedCandidates.rank(forest, request, weigh, seed) : null;
  /** The work done since the last pause; at 1, a pause is due. */
  let done = 0;
  let affinity = before;
  let rootRules = request.rootRules ?? [];
  const chosen = new Map<string, number>();
  const rulesOf = (group: Affinity | null) => [
    ...(group ? [ruleOf(group)].filter((rule) => rule !== null) : []),
    ...spentOf(rootRules, chosen),
  ];
  const candidates: Candidate[] = [];
  const turns: number[] = [];
  let special: RootRule | null = null;
  /** Rules that left no root. */
  const vain = new Set<RootRule>();
  const rules = () => [...rulesOf(affinity), ...(special ? [special] : [])];
  const presentIn = (group: Affinity | null) => group?.present ?? new Map<string, number>();
  const present = () => presentIn(affinity);
  const rulesNow = () => [...rootRules, ...rules()];
  const requestNow = (): CandidateRequest => ({ ...request, rootRules: rulesNow() });
  // Only the rules change from turn to turn.
  const query = compileQuery(forest, request);
  try {
    taken.take(reserved);
    if (ranked && ranked.size > rootsWeighedAtOnce) {
      yield* taken.aside();
      ranked.weighAll(present());
      yield* taken.aside();
    }
    for (let turn = 0; turn < count; turn++) {
      special = outside?.(turn, candidates, turns) ?? null;
      if (special && vain.has(special)) continue;
      const order = request.order.map((key) => (key.by === 'RANDOM' ? { ...key, seed: key.seed + turn } : key));
      let candidate: Candidate | null | undefined;
      if (ranked) {
        candidate = ranked.best(rules(), present());
        done += (ranked.size + 1) / rootsAtOnce;
      } else {
        const steps = new Steps(budget);
        const search = searchInParts(forest, { ...request, limit: 1, order }, steps, undefined, { ...query, rootRules: rulesNow() });
        candidate = (yield* taken.asideIn(search)).candidates[0];
        done += (turnCost + steps.spent) / stepsAtOnce;
      }
      if (!candidate) {
        if (!special) break;
        vain.add(special);
        continue;
      }
      candidates.push(candidate);
      turns.push(turn);
      rootRules = rootRules.map((rule) => rule.after?.(candidate.root, candidate.mappings) ?? rule);
      taken.take(candidate.allocations);
      const { uuid } = candidate.root.state.provider;
      ranked?.noteTaken(candidate, rootRules, affinity ? unitedWith(affinity, uuid) : []);
      chosen.set(uuid, (chosen.get(uuid) ?? 0) + 1);
      if (affinity) affinity = joinedBy(affinity, uuid);
      if (done < 1) continue;
      done = 0;
      yield* taken.aside();
    }
    special = null;
    const roots = new Set(candidates.map(({ root }) => root.tree));
    // Instead of its candidate, a single member of a group may have any that it could have had. Others must stay together, or apart.
    const group = count === 1 ? before : affinity;
    const others: Turns['others'] = (rootAggregates, limit) => {
      const places = Membership.of(rootAggregates, (uuid) => forest.aggregates.idOf(uuid));
      const isElsewhere = (tree: Tree) => !roots.has(tree) && places.allows(tree.root.aggregates);
      if (ranked) return ranked.inOrder(rulesOf(group), presentIn(group), isElsewhere, limit);
      const there = [...(request.rootAggregates ?? []), ...rootAggregates];
      const rulesThen = [...rootRules, ...rulesOf(group)];
      const wanted = { ...request, rootRules: rulesThen, rootAggregates: there, limit: roots.size + limit, perRootLimit: 1 };
      return searchCandidates(forest, wanted)
        .candidates.filter(({ root }) => !roots.has(root.tree))
        .slice(0, limit);
    };
    return yield* taken.asideIn(then({ candidates, turns, next: requestNow(), others }));
  } finally {
    taken.restore();
  }
}

/** Rules that exclude the roots chosen as often as they can serve. */
function spentOf(rules: readonly RootRule[], chosen: ReadonlyMap<string, number>): RootRule[] {
  return rules.flatMap(({ words, times }) => {
    const spent = times ? [...chosen].flatMap(([root, count]) => (count >= (times.get(root) ?? Number.POSITIVE_INFINITY) ? root : [])) : [];
    return spent.length > 0 ? [{ words, except: new Set(spent) }] : [];
  });
}

/** Supposed usage, on top of the real usage. */
class Taken {
  private readonly forest: Forest;
  private readonly before = new Map<ForestProvider, ProviderState>();
  private readonly supposed = new Map<ForestProvider, ProviderState>();

  constructor(forest: Forest) {
    this.forest = forest;
  }

  /** Counts amounts as used, and saves the real states of their providers. Consecutive amounts of one provider are taken at once, which is cheaper. */
  take(amounts: Iterable<UsedAmount>): void {
    let own: UsedAmount[] = [];
    for (const amount of amounts) {
      if (own[0] && own[0].provider !== amount.provider) {
        this.takeFrom(own[0].provider, own);
        own = [];
      }
      own.push(amount);
    }
    if (own[0]) this.takeFrom(own[0].provider, own);
  }

  private takeFrom(provider: ForestProvider, amounts: readonly UsedAmount[]): void {
    const { state } = provider;
    if (!this.before.has(provider)) this.before.set(provider, state);
    const inventories = state.inventories.map((inventory) => {
      let { used } = inventory;
      for (const { classId, amount } of amounts) if (classId === inventory.classId) used += amount;
      return inventoryWithUse(inventory, used);
    });
    const supposed = { provider: state.provider, inventories, traitIds: state.traitIds, aggregateIds: state.aggregateIds };
    this.supposed.set(provider, supposed);
    this.forest.suppose(provider, supposed);
  }

  restore(): void {
    for (const [provider, state] of this.before) this.forest.suppose(provider, state);
  }

  /** A pause. The real states are restored for it, because others read the forest meanwhile. */
  *aside(): Generator<void, void> {
    this.restore();
    yield;
    for (const [provider, state] of this.supposed) this.forest.suppose(provider, state);
  }

  /** Runs work; each of its pauses is an `aside`. */
  *asideIn<Result>(work: Generator<void, Result>): Generator<void, Result> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      yield* this.aside();
    }
  }
}
