// How many more times the quotas of a project let a request be claimed, each time for a new consumer.
import { leftOf, type QuotaUse } from '../quota.ts';
import type { Batch, TreeFit } from './fit-trees.ts';
import type { Forest, ForestProvider, Tree } from './forest.ts';
import type { Query, Take } from './groups.ts';
import { PoolsLeft } from './pools-left.ts';
import type { CandidateRequest } from './request.ts';
import { Steps } from './steps.ts';

/** What a quota allows. */
export interface Allowance {
  readonly count: number;
  readonly quota: QuotaUse;
}

/** How often the request fits under a tree. */
export interface PlacedFit {
  readonly tree: Tree;
  readonly fit: TreeFit;
}

/** The cost, in steps, of a quota that counts something in a tree. */
const zoneCost = 20;

/** The smallest allowance; the first of several. */
export function tightest(allowances: readonly (Allowance | null)[]): Allowance | null {
  return allowances.reduce((least, one) => (one && (!least || one.count < least.count) ? one : least), null);
}

/** What the quotas for no aggregate allow. */
export function allowanceAnywhere(quotas: readonly QuotaUse[], { groups }: CandidateRequest): Allowance | null {
  const asked = groups.flatMap(({ resources }) => resources);
  return tightest(
    quotas.map((quota) => {
      const { aggregate, resourceClass } = quota;
      const need = resourceClass === null ? 1 : asked.reduce((sum, one) => sum + (one.resourceClass === resourceClass ? one.amount : 0), 0);
      return aggregate || need === 0 ? null : { count: Math.floor(leftOf(quota) / need), quota };
    }),
  );
}

/**
 * What the quotas for aggregates allow: all trees in turn take what fits there, as claims of one consumer after another do, and one that a quota keeps out leaves
 * its share to the others. Null if they keep out nothing that fits (`total`), unless everything goes to one of their aggregates. Pauses like a search.
 */
export function* allowanceInZones(
  forest: Forest,
  { slots }: Query,
  quotas: readonly QuotaUse[],
  fits: readonly PlacedFit[],
  total: number,
): Generator<void, Allowance | null> {
  const asked = slots.flatMap(({ takes }) => takes);
  const zones = zoneQuotas(forest, quotas, asked);
  const pools = new PoolsLeft();
  const steps = new Steps(Number.MAX_SAFE_INTEGER);
  let batches = 0;
  let count = 0;
  let full: QuotaUse | null = null;
  for (const { tree, fit } of fits) {
    for (const batch of fit.pools.length > 0 ? fit.batches : [{ times: fit.least, fromPools: [] }]) {
      const roots = [tree.root, ...batch.fromPools.map(({ provider }) => provider.tree.root)];
      const near = zones.filter(({ aggregateId }) => roots.some(({ aggregates }) => aggregates.has(aggregateId)));
      const needs = near.map((zone) => ({ zone, need: needIn(zone, asked, tree.root, batch) })).filter(({ need }) => need > 0);
      steps.spend(zones.length + zoneCost * near.length);
      if (steps.takesPause()) yield;
      let times = pools.mostOf(batch);
      for (const { zone, need } of needs) {
        if (need * times <= zone.left) continue;
        times = Math.floor(zone.left / need);
        full ??= zone.quota;
      }
      for (const { zone, need } of needs) {
        zone.left -= times * need;
        zone.leastNeed = Math.min(zone.leastNeed, need);
        zone.batches++;
      }
      pools.take(batch, times);
      count += times;
      batches++;
    }
  }
  const ofAll = zones.filter((zone) => zone.batches === batches && batches > 0);
  return tightest([
    full && count < total ? { count, quota: full } : null,
    ...ofAll.map(({ quota, leastNeed }) => ({ count: Math.floor(leftOf(quota) / leastNeed), quota })),
  ]);
}

interface ZoneQuota {
  readonly quota: QuotaUse;
  readonly aggregateId: number;
  /** Null for the number of consumers. */
  readonly classId: number | null;
  left: number;
  /** In how many batches a request takes something of it, and the least that one takes there. */
  batches: number;
  leastNeed: number;
}

/** The quotas for aggregates that count something of the request. */
function zoneQuotas(forest: Forest, quotas: readonly QuotaUse[], asked: readonly Take[]): ZoneQuota[] {
  return quotas.flatMap((quota) => {
    const { aggregate, resourceClass } = quota;
    const aggregateId = aggregate ? forest.aggregates.idOf(aggregate) : undefined;
    const classId = resourceClass === null ? null : forest.classes.idOf(resourceClass);
    if (aggregateId === undefined || classId === undefined) return [];
    if (classId !== null && !asked.some((take) => take.classId === classId)) return [];
    return [{ quota, aggregateId, classId, left: leftOf(quota), batches: 0, leastNeed: Number.POSITIVE_INFINITY }];
  });
}

/** How much of a quota one request of a batch uses. What is held on a provider counts in the aggregates of its root. */
function needIn({ aggregateId, classId }: ZoneQuota, asked: readonly Take[], root: ForestProvider, { fromPools }: Batch): number {
  const isThere = (provider: ForestProvider) => provider.tree.root.aggregates.has(aggregateId);
  const amountIn = (takes: readonly Take[]) =>
    takes.reduce((sum, take) => sum + (classId === null || take.classId === classId ? take.amount : 0), 0);
  const own = isThere(root) ? amountIn(asked) - amountIn(fromPools.flatMap(({ takes }) => takes)) : 0;
  const need = own + amountIn(fromPools.flatMap(({ provider, takes }) => (isThere(provider) ? takes : [])));
  return classId === null ? Math.min(need, 1) : need;
}
