// Loaders of providers and what belongs to them: inventories, traits, aggregates, trees, totals, pools. One statement for each batch. Only pages
// under many parents take arguments.

import { selectAggregateCounts, selectAggregatesByUuids, selectAggregatesOfProviders } from '../../db/aggregates.ts';
import { selectConsumerCountsOf } from '../../db/consumer-counts.ts';
import { selectDevicesOfRoots } from '../../db/devices.ts';
import { selectInventoriesOfProviders } from '../../db/inventories.ts';
import {
  selectAncestors,
  selectBelow,
  selectChildren,
  selectProvidersByIds,
  selectProvidersByNames,
  selectProvidersByUuids,
} from '../../db/providers.ts';
import { selectRecordedRoots } from '../../db/records.ts';
import { selectResourceClassesByIds, selectResourceClassesByNames } from '../../db/resource-classes.ts';
import { selectPoolsOfTrees } from '../../db/sharing.ts';
import type { Db } from '../../db/sql/client.ts';
import { selectCapacityOfAggregates, selectSubtreeTotals, selectTotalsOfClasses } from '../../db/totals.ts';
import { selectTraitHolders, selectTraitNamesOfProviders, selectTraitsByNames, selectTraitsOfProviders } from '../../db/traits.ts';
import { invalidInput, type Refusal } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Aggregate, Capacity, CountedConsumers, Inventory, Provider, SharedPool, Trait } from '../../domain/provider.ts';
import type { RecordedList } from '../../domain/recorded-root.ts';
import { forestOf } from '../forest/forest.ts';
import { KnownProviders } from '../forest/known-providers.ts';
import { groupBy, knownFirst, Loader, loadersByArguments, loadMany, loadOne } from '../request/keyed-loaders.ts';
import { inventoryPagesOfClasses } from './inventory-pages.ts';
import { providerPagesOf } from './provider-pages.ts';

/** Loaders of one request. Keys are internal ids unless the name says otherwise. */
export function createProviderLoaders(db: Db) {
  const known = new KnownProviders();
  /** Providers become known from the forest in memory when there are many. */
  const rememberMany = async (ids: readonly number[]) => {
    const forest = ids.length < manyProviders ? null : await forestOf(db).currentIfLoaded();
    if (!forest) return;
    known.remember(
      forest,
      ids.flatMap((id) => forest.findById(id) ?? []),
    );
  };
  return {
    known,
    rememberMany,
    ...createTreeLoaders(db, known),
    ...createNameLoaders(db),
    ...createPartLoaders(db, known, rememberMany),
    /** Whether a provider has a trait itself; false for a trait that does not exist. */
    hasTrait: createTraitLoader(db),
    subtreeTotalsByProvider: loadMany(
      (ids: readonly number[]) => selectSubtreeTotals(db, ids),
      ({ providerId }) => providerId,
    ),
    totalByClass: loadOne(
      (ids: readonly number[]) => selectTotalsOfClasses(db, ids),
      ({ classId }) => classId,
    ),
    /** How many consumers have allocations on a provider; null for none. */
    consumersByProvider: loadersByArguments((counted: CountedConsumers) =>
      loadOne(
        (ids: readonly number[]) => selectConsumerCountsOf(db, counted, ids),
        ({ id }) => id,
      ),
    ),
    countsByAggregate: loadOne(
      (ids: readonly number[]) => selectAggregateCounts(db, ids),
      ({ aggregateId }) => aggregateId,
    ),
    capacityByAggregate: new Loader(async (ids: readonly number[]) => {
      const capacities = await selectCapacityOfAggregates(db, ids);
      return ids.map((id): Capacity => capacities.get(id) ?? { own: [], shared: [] });
    }),
    /** Reported devices by the canonical uuid of the root, ordered by address. */
    devicesByRoot: loadMany(
      (uuids: readonly string[]) => selectDevicesOfRoots(db, uuids),
      ({ root }) => root,
    ),
    /** The records that another service keeps about roots, by canonical uuid. */
    recordedRootByUuid: loadersByArguments((list: RecordedList) =>
      loadOne(
        (uuids: readonly string[]) => selectRecordedRoots(db, list, { uuids }),
        ({ uuid }) => uuid,
      ),
    ),
    /** The pools that serve a tree, by the id of its root. */
    sharedPoolsByRoot: new Loader(async (roots: readonly number[]) => {
      const rows = groupBy(await selectPoolsOfTrees(db, roots), ({ served }) => served);
      return roots.map((root): readonly SharedPool[] => rows.get(root) ?? []);
    }),
    servedRootsByProvider: providerPagesOf(db, 'pool', known),
    providerPageByTrait: providerPagesOf(db, 'trait', known),
    providerPageByAggregate: providerPagesOf(db, 'aggregate', known),
    inventoryPageByClass: inventoryPagesOfClasses(db),
  };
}

/** Parts of this many providers or more are taken from the forest in memory: one small statement instead of one for each kind of part. */
const manyProviders = 100;

/** Loaders of what providers have and belong to. */
function createPartLoaders(db: Db, known: KnownProviders, rememberMany: (ids: readonly number[]) => Promise<void>) {
  /** The parts of providers that are known, or become known because there are many; the others are read. */
  const loader = <Part>(find: (id: number) => Part | undefined, read: (ids: readonly number[]) => Promise<readonly Part[]>) => {
    const findOrRead = async (ids: readonly number[]) => {
      await rememberMany(ids);
      const found = new Map(ids.map((id) => [id, find(id)]));
      const unknown = ids.filter((id) => found.get(id) === undefined);
      const others = unknown.length > 0 ? await read(unknown) : [];
      for (const [place, id] of unknown.entries()) found.set(id, others[place]);
      return ids.map((id) => found.get(id) as Part);
    };
    return knownFirst(find, new Loader(findOrRead));
  };
  return {
    inventoriesByProvider: loader<readonly Inventory[]>(
      (id) => known.inventoriesOf(id),
      async (ids) => {
        const rows = groupBy(await selectInventoriesOfProviders(db, ids), ({ providerId }) => providerId);
        return ids.map((id) => rows.get(id) ?? []);
      },
    ),
    traitsByProvider: loader<readonly Trait[]>(
      (id) => known.traitsOf(id),
      async (ids) => {
        const rows = new Map((await selectTraitsOfProviders(db, ids)).map((row) => [row.providerId, row]));
        return ids.map((id) => {
          const found = rows.get(id);
          return found ? found.names.map((name, index) => ({ id: found.ids[index] ?? 0, name })) : [];
        });
      },
    ),
    traitNamesByProvider: loader<readonly string[]>(
      (id) => known.traitsOf(id)?.map(({ name }) => name),
      async (ids) => {
        const rows = new Map((await selectTraitNamesOfProviders(db, ids)).map(({ providerId, names }) => [providerId, names]));
        return ids.map((id) => rows.get(id) ?? []);
      },
    ),
    aggregatesByProvider: loader<readonly Aggregate[]>(
      (id) => known.aggregatesOf(id),
      async (ids) => {
        const rows = groupBy(await selectAggregatesOfProviders(db, ids), ({ providerId }) => providerId);
        return ids.map((id) => rows.get(id) ?? []);
      },
    ),
  };
}

/** Loaders of providers by key and by position in their tree. */
function createTreeLoaders(db: Db, known: KnownProviders) {
  return {
    providerById: knownFirst<number, Provider | null>(
      (id) => known.find(id),
      loadOne(
        (ids: readonly number[]) => selectProvidersByIds(db, ids),
        ({ id }) => id,
      ),
    ),
    /** Canonical uuids. */
    providerByUuid: loadOne(
      (uuids: readonly string[]) => selectProvidersByUuids(db, uuids),
      ({ uuid }) => uuid,
    ),
    providerByName: loadOne(
      (names: readonly string[]) => selectProvidersByNames(db, names),
      ({ name }) => name,
    ),
    childrenByProvider: new Loader<number, readonly Provider[]>(async (ids) => {
      const childrenOf = groupBy(await selectChildren(db, ids), ({ parentId }) => parentId as number);
      return ids.map((id) => {
        const children = childrenOf.get(id) ?? [];
        return children.length > maxDescendants ? tooManyDescendants('children') : children;
      });
    }),
    /** From the root down to the parent. */
    ancestorsByProvider: loadMany(
      (ids: readonly number[]) => selectAncestors(db, ids),
      ({ of }) => of,
    ),
    /** Depth first, siblings by name; `maxDepth` levels, all when null. */
    descendantsByProvider: loadersByArguments(
      (maxDepth: number | null) =>
        new Loader<number, readonly Provider[]>(async (ids) => {
          const childrenOf = groupBy(await selectBelow(db, ids, maxDepth), ({ parentId }) => parentId as number);
          return ids.map((id) => descendantsOf(id, childrenOf, maxDepth ?? Number.POSITIVE_INFINITY));
        }),
    ),
  };
}

/** Loaders of classes, traits and aggregates by their public keys. */
function createNameLoaders(db: Db) {
  return {
    resourceClassById: loadOne(
      (ids: readonly number[]) => selectResourceClassesByIds(db, ids),
      ({ id }) => id,
    ),
    resourceClassByName: loadOne(
      (names: readonly string[]) => selectResourceClassesByNames(db, names),
      ({ name }) => name,
    ),
    traitByName: loadOne(
      (names: readonly string[]) => selectTraitsByNames(db, names),
      ({ name }) => name,
    ),
    /** Canonical uuids. */
    aggregateByUuid: loadOne(
      (uuids: readonly string[]) => selectAggregatesByUuids(db, uuids),
      ({ uuid }) => uuid,
    ),
  };
}

/** Whether one provider has one trait. */
interface TraitKey {
  readonly providerId: number;
  readonly name: string;
}

function createTraitLoader(db: Db) {
  const keyOf = ({ providerId, name }: TraitKey) => `${providerId} ${name}`;
  return new Loader(
    async (questions: readonly TraitKey[]) => {
      const ids = [...new Set(questions.map(({ providerId }) => providerId))];
      const names = [...new Set(questions.map(({ name }) => name))];
      const had = new Set((await selectTraitHolders(db, ids, names)).map(keyOf));
      return questions.map((question) => had.has(keyOf(question)));
    },
    { cacheKeyFn: keyOf },
  );
}

const maxDescendants = limits.descendants;

function tooManyDescendants(field: 'children' | 'descendants'): Refusal {
  return invalidInput([field], `There are more than ${maxDescendants} ${field}: page with resourceProviders(filter: {inTrees}) instead.`);
}

function descendantsOf(top: number, childrenOf: ReadonlyMap<number, readonly Provider[]>, maxDepth: number): readonly Provider[] | Refusal {
  const found: Provider[] = [];
  const waiting = [{ id: top, depth: 0, provider: null as Provider | null }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, depth, provider } = next;
    if (provider !== null) found.push(provider);
    if (found.length > maxDescendants) {
      return tooManyDescendants('descendants');
    }
    if (depth === maxDepth) continue;
    // The first child is to be popped first, so it is pushed last.
    for (const child of (childrenOf.get(id) ?? []).toReversed()) waiting.push({ id: child.id, depth: depth + 1, provider: child });
  }
  return found;
}
