// Searches for the same request several times in sequence: what one takes is no longer free for the next, and where one goes the next may have to follow, or
// to stay away. With weights all roots that can serve are compared; without, the first in the order of the request is taken.
import type { MembershipClause } from '../provider.ts';
import { type Affinity, joinedBy, ruleOf } from './affinity.ts';
import { type Forest, type ForestProvider, inventoryWithUse, type ProviderState } from './forest.ts';
import { compileQuery, Membership } from './groups.ts';
import { RankedCandidates, type Weigh } from './ranked.ts';
import type { CandidateRequest, RootRule } from './request.ts';
import { type Candidate, defaultBudget, searchCandidates, searchInParts } from './search.ts';
import { Steps, stepsAtOnce } from './steps.ts';
import type { UsedAmount } from './supposed-use.ts';

/** The minimum budget of each search, in steps, however many there are. */
const minBudget = 50_000;

/** Between two pauses: roots that are compared, in all turns together. */
const rootsAtOnce = 30_000;
/** What a turn costs beside its search, in steps. */
const turnCost = 1000;
const rootsWeighedAtOnce = 1000;

/** What decides about roots beside the request. */
export interface TurnConditions {
  readonly affinity?: Affinity | null;
  /** Instead of the order of the request. */
  readonly weigh?: Weigh | null;
  readonly seed?: number;
  /** What counts as used besides, so that it is left to others. */
  readonly reserved?: Iterable<UsedAmount>;
}

/** What was chosen, and what there is besides. */
export interface Turns {
  /** In the order of the turns; fewer than asked for when room ran out. */
  readonly candidates: readonly Candidate[];
  /** The request of a further turn, with the rules that then hold. */
  readonly next: CandidateRequest;
  /** Candidates on other roots in these aggregates, at most one each, in order of preference, while everything chosen still counts as used. */
  readonly others: (rootAggregates: readonly MembershipClause[], limit: number) => readonly Candidate[];
}

/**
 * The first candidate of each of `count` identical requests, as if each were claimed before the next is searched. Calls `then` while everything chosen
 * still counts as used, and returns its result. Pauses now and then, and leaves the forest as it was whenever it does: it must not change meanwhile.
 */
export function* searchInTurn<Result>(
  forest: Forest,
  request: CandidateRequest,
  count: number,
  then: (turns: Turns) => Generator<void, Result>,
  { affinity: before = null, weigh, seed = 1, reserved = [] }: TurnConditions = {},
): Generator<void, Result> {
  const taken = new Taken(forest);
  const budget = Math.max(minBudget, Math.floor(defaultBudget / count));
  const ranked = weigh ? yield* RankedCandidates.rank(forest, request, weigh, seed) : null;
  /** The work since the last pause, as a part of what is done between two. */
  let done = 0;
  let affinity = before;
  let rootRules = request.rootRules ?? [];
  const chosen = new Map<string, number>();
  const rules = () => [...(affinity ? [ruleOf(affinity)].filter((rule) => rule !== null) : []), ...spentOf(rootRules, chosen)];
  const present = () => affinity?.present ?? new Map<string, number>();
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
    const candidates: Candidate[] = [];
    for (let turn = 0; turn < count; turn++) {
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
      if (!candidate) break;
      candidates.push(candidate);
      rootRules = rootRules.map((rule) => rule.after?.(candidate.root, candidate.mappings) ?? rule);
      taken.take(candidate.allocations);
      ranked?.noteTaken(candidate, rootRules);
      const { uuid } = candidate.root.state.provider;
      chosen.set(uuid, (chosen.get(uuid) ?? 0) + 1);
      if (affinity) affinity = joinedBy(affinity, uuid);
      if (done < 1) continue;
      done = 0;
      yield* taken.aside();
    }
    const roots = new Set(candidates.map(({ root }) => root.tree));
    const others: Turns['others'] = (rootAggregates, limit) => {
      const places = Membership.of(rootAggregates, (uuid) => forest.aggregates.idOf(uuid));
      if (ranked) return ranked.inOrder(rules(), present(), (tree) => !roots.has(tree) && places.allows(tree.root.aggregates), limit);
      const there = [...(request.rootAggregates ?? []), ...rootAggregates];
      const wanted = { ...requestNow(), rootAggregates: there, limit: roots.size + limit, perRootLimit: 1 };
      return searchCandidates(forest, wanted)
        .candidates.filter(({ root }) => !roots.has(root.tree))
        .slice(0, limit);
    };
    return yield* taken.asideIn(then({ candidates, next: requestNow(), others }));
  } finally {
    taken.restore();
  }
}

/** The rules without the roots that have been chosen as often as they can serve. */
function spentOf(rules: readonly RootRule[], chosen: ReadonlyMap<string, number>): RootRule[] {
  return rules.flatMap(({ words, times }) => {
    const spent = times ? [...chosen].flatMap(([root, count]) => (count >= (times.get(root) ?? Number.POSITIVE_INFINITY) ? root : [])) : [];
    return spent.length > 0 ? [{ words, except: new Set(spent) }] : [];
  });
}

/** What is supposed to be used, on top of what is. */
class Taken {
  private readonly forest: Forest;
  private readonly before = new Map<ForestProvider, ProviderState>();
  private readonly supposed = new Map<ForestProvider, ProviderState>();

  constructor(forest: Forest) {
    this.forest = forest;
  }

  /** Counts amounts as used, and saves the previous states of their providers. Those of one provider in sequence cost hardly more than one. */
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

  /** A pause, during which nothing counts as taken: others look at the forest meanwhile. */
  *aside(): Generator<void, void> {
    this.restore();
    yield;
    for (const [provider, state] of this.supposed) this.forest.suppose(provider, state);
  }

  /** Work whose pauses are such. */
  *asideIn<Result>(work: Generator<void, Result>): Generator<void, Result> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      yield* this.aside();
    }
  }
}
