// How many more times a request fits, as a lower bound (found greedily) and an upper bound (from sums). Where the two meet the count is
// exact, without reasoning about special cases. Pure, bounded by steps.
//
// Sharing providers (pools) are treated separately: trees compete for them, while everything else belongs to one tree only.
import { limits } from '../limits.ts';
import type { Aggregate, Provider } from '../provider.ts';
import type { QuotaUse } from '../quota.ts';
import { type Allowance, allowanceAnywhere, allowanceInZones, type PlacedFit, tightest } from './allowance.ts';
import { anchorsOf, inOrder } from './anchors.ts';
import { amountOf, fitsOn, freeOf, type TreeFit, TreeFits } from './fit-trees.ts';
import type { Forest, ForestProvider, Tree } from './forest.ts';
import { compileQuery, mayAnchor, type Query } from './groups.ts';
import { PoolsLeft } from './pools-left.ts';
import type { CandidateRequest } from './request.ts';
import { Steps } from './steps.ts';

/** How many more such requests fit beside current usage, as if claimed one after another. */
export interface Fit {
  /** Over all trees; a pool that several trees share is counted once. */
  readonly total: number;
  /** Whether `total` is the maximum; otherwise it is a lower bound. */
  readonly exact: boolean;
  /** True if the budget ran out: then only the trees examined are counted. */
  readonly truncated: boolean;
  /** How many fit under each root alone. The sum exceeds `total` where trees share pools. */
  readonly byRoot: Ranking<RootFit>;
  /** How many fit under the roots of each aggregate alone (roots that are members themselves). */
  readonly byAggregate: Ranking<AggregateFit>;
  /** What quotas allow; null if none does. */
  readonly allowance: Allowance | null;
}

export interface RootFit {
  readonly root: Provider;
  readonly count: number;
}

export interface AggregateFit {
  readonly aggregate: Aggregate;
  readonly count: number;
}

/** Where a row stands in a ranking: its count, and the id of what it counts for. */
export type RankingPlace = readonly [count: number, id: number];

/** Rows with a count above 0, highest count first, ties in the order of ids. A page is found without sorting the rows after it. */
export class Ranking<Row> {
  private readonly counts: readonly number[];
  private readonly idAt: (index: number) => number;
  private readonly rowAt: (index: number) => Row;

  /** All parameters are in the order of ids. */
  constructor(counts: readonly number[], idAt: (index: number) => number, rowAt: (index: number) => Row) {
    this.counts = counts;
    this.idAt = idAt;
    this.rowAt = rowAt;
  }

  get length(): number {
    return this.counts.length;
  }

  /** Only the rows that satisfy a predicate. */
  where(holds: (row: Row) => boolean): Ranking<Row> {
    const kept = [...this.counts.keys()].filter((index) => holds(this.rowAt(index)));
    const at = (index: number) => kept[index] as number;
    return new Ranking(
      kept.map((index) => this.counts[index] as number),
      (index) => this.idAt(at(index)),
      (index) => this.rowAt(at(index)),
    );
  }

  /** Only the rows with ids below the given one. */
  before(id: number): Ranking<Row> {
    const end = this.counts.findIndex((_, index) => this.idAt(index) >= id);
    return end < 0 ? this : new Ranking(this.counts.slice(0, end), this.idAt, this.rowAt);
  }

  /** The ids from the given one on, each with its count. */
  countsFrom(id: number): (readonly [id: number, count: number])[] {
    const end = this.before(id).length;
    return this.counts.slice(end).map((count, index) => [this.idAt(end + index), count]);
  }

  /** At most `size` rows after a place, or from the first row if the place is null. */
  behind(place: RankingPlace | null, size: number): { readonly place: RankingPlace; readonly row: Row }[] {
    const indexes = [...this.counts.keys()].filter((index) => {
      const count = this.counts[index] as number;
      return place === null || count < place[0] || (count === place[0] && this.idAt(index) > place[1]);
    });
    const found: { place: RankingPlace; row: Row }[] = [];
    for (const index of inOrder(indexes, [(each) => -(this.counts[each] as number)])) {
      if (found.length === size) break;
      found.push({ place: [this.counts[index] as number, this.idAt(index)], row: this.rowAt(index) });
    }
    return found;
  }
}

/** Larger than the budget of a search, because every tree must be examined. */
const fitBudget = limits.fitSteps;
const treeCost = 5;
const aggregateCost = 2;
/** Larger counts are reported as this, a lower bound. */
const mostTold = Number.MAX_SAFE_INTEGER;

/** The quota that decides how many more can be claimed; null if room does. */
export function decidingQuota({ total, exact, allowance }: Fit): QuotaUse | null {
  return allowance === null || (exact && total < allowance.count) ? null : allowance.quota;
}

/**
 * Counts how many more such requests fit, regardless of the request's limits and order, and how many of them these quotas allow. Pauses, during which the forest
 * must not change.
 */
export function* countFitInParts(
  forest: Forest,
  request: CandidateRequest,
  quotas: readonly QuotaUse[] = [],
  budget: number = fitBudget,
): Generator<void, Fit> {
  const query = compileQuery(forest, request);
  const steps = new Steps(budget);
  const fits = new TreeFits(query, steps);
  const all = new Sum(query);
  const byAggregate = new Map<number, Sum>();
  const trees: Tree[] = [];
  const counts: number[] = [];
  const placed: PlacedFit[] = [];
  const hasZones = quotas.some(({ aggregate }) => aggregate);
  for (const tree of anchorsOf(forest, query, [], steps)) {
    if (tree) steps.spend(treeCost);
    if (!tree || steps.takesPause()) yield;
    if (!tree || !mayAnchor(query, tree)) continue;
    const fit = atMost(fits.under(tree), timesAllowed(query, tree));
    if (steps.areSpent) break;
    if (fit.most === 0) continue;
    all.add(fit);
    if (hasZones) placed.push({ tree, fit });
    for (const id of tree.root.aggregates.ids) {
      steps.spend(aggregateCost);
      let sum = byAggregate.get(id);
      if (!sum) {
        sum = new Sum(query);
        byAggregate.set(id, sum);
      }
      sum.add(fit);
    }
    if (fit.least === 0) continue;
    trees.push(tree);
    counts.push(Math.min(fit.least, mostTold));
  }
  yield;
  const total = all.least();
  const inZones = yield* allowanceInZones(forest, query, quotas, placed, total);
  return {
    total: Math.min(total, mostTold),
    exact: !steps.areSpent && total === all.most() && total <= mostTold,
    truncated: steps.areSpent,
    byRoot: rankRoots(trees, counts),
    byAggregate: rankAggregates(forest, byAggregate),
    allowance: tightest([allowanceAnywhere(quotas, request), inZones]),
  };
}

/** How many requests the rules allow under a root. */
function timesAllowed({ rootRules }: Query, { root }: Tree): number {
  const { uuid } = root.state.provider;
  return rootRules.reduce((least, { times }) => Math.min(least, times?.get(uuid) ?? least), Number.POSITIVE_INFINITY);
}

function atMost(fit: TreeFit, allowed: number): TreeFit {
  if (fit.most <= allowed) return fit;
  let left = allowed;
  const batches = fit.batches.map(({ times, fromPools }) => {
    const own = Math.min(times, left);
    left -= own;
    return { times: own, fromPools };
  });
  return { ...fit, least: Math.min(fit.least, allowed), most: allowed, batches };
}

function rankRoots(trees: readonly Tree[], counts: readonly number[]): Ranking<RootFit> {
  const rootOf = (index: number) => (trees[index] as Tree).root.state.provider;
  return new Ranking(
    counts,
    (index) => rootOf(index).id,
    (index) => ({ root: rootOf(index), count: counts[index] as number }),
  );
}

function rankAggregates(forest: Forest, sums: ReadonlyMap<number, Sum>): Ranking<AggregateFit> {
  const rows = [...sums]
    .flatMap(([id, sum]) => {
      const aggregate = forest.aggregates.get(id)?.aggregate;
      const count = Math.min(sum.least(), mostTold);
      return aggregate && count > 0 ? [{ aggregate, count }] : [];
    })
    .sort((a, b) => a.aggregate.id - b.aggregate.id);
  return new Ranking(
    rows.map(({ count }) => count),
    (index) => (rows[index] as AggregateFit).aggregate.id,
    (index) => rows[index] as AggregateFit,
  );
}

/** How many requests fit under several trees together. */
class Sum {
  private readonly query: Query;
  /** Sums over the trees that use no pools. */
  private leastAlone = 0;
  private mostAlone = 0;
  private readonly pooled: TreeFit[] = [];

  constructor(query: Query) {
    this.query = query;
  }

  add(fit: TreeFit): void {
    if (fit.pools.length > 0) this.pooled.push(fit);
    else {
      this.leastAlone += fit.least;
      this.mostAlone += fit.most;
    }
  }

  /** The lower bound: each tree in turn takes what the previous ones left of the pools. */
  least(): number {
    const left = new PoolsLeft();
    let total = this.leastAlone;
    for (const fit of this.pooled) {
      for (const batch of fit.batches) {
        const possible = left.mostOf(batch);
        left.take(batch, possible);
        total += possible;
      }
    }
    return total;
  }

  /** The upper bound. */
  most(): number {
    return this.clusters().reduce((total, cluster) => total + this.mostOf(cluster), this.mostAlone);
  }

  /** Groups the trees that compete for pools, directly or through other trees. */
  private clusters(): TreeFit[][] {
    const clusterOf = new Map<ForestProvider, TreeFit[]>();
    const clusters = new Set<TreeFit[]>();
    for (const fit of this.pooled) {
      const touched = new Set(fit.pools.map((pool) => clusterOf.get(pool)).filter((cluster) => cluster !== undefined));
      const known = [...touched].sort((a, b) => b.length - a.length);
      const [cluster = [], ...others] = known;
      clusters.add(cluster);
      cluster.push(fit);
      for (const other of others) {
        clusters.delete(other);
        for (const moved of other) {
          cluster.push(moved);
          for (const pool of moved.pools) clusterOf.set(pool, cluster);
        }
      }
      for (const pool of fit.pools) clusterOf.set(pool, cluster);
    }
    return [...clusters];
  }

  private mostOf(cluster: readonly TreeFit[]): number {
    const pools = [...new Set(cluster.flatMap((fit) => fit.pools))];
    let most = cluster.reduce((sum, fit) => sum + fit.most, 0);
    for (const [run, slot] of this.query.runs.entries()) {
      const times = this.query.slots.filter((other) => other.run === run).length;
      const own = cluster.reduce((sum, fit) => sum + Math.min(fit.ownSlots[run] as number, fit.most * times), 0);
      const serving = new Set(cluster.flatMap((fit) => fit.poolsOfRun[run] as readonly ForestProvider[]));
      const shared = [...serving].reduce((sum, pool) => sum + fitsOn(slot.takes, (classId) => freeOf(pool, classId)), 0);
      most = Math.min(most, Math.floor((own + shared) / times));
    }
    for (const classId of this.query.contested) {
      const amount = amountOf(this.query, classId);
      const own = cluster.reduce((sum, fit) => sum + Math.min(fit.ownFree.get(classId) ?? 0, fit.most * amount), 0);
      const shared = pools.reduce((sum, pool) => sum + freeOf(pool, classId), 0);
      most = Math.min(most, Math.floor((own + shared) / amount));
    }
    return most;
  }
}
