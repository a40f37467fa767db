// Pages of the providers with a trait, in an aggregate or served by a pool, batched over traits, aggregates or pools. Orders that depend on trees are
// answered from the forest, as in tree-pages.ts.
import { countProvidersOf, orderOfProviders, type ProvidersOf, selectProviderPagesOf } from '../../db/provider-pages.ts';
import type { Db } from '../../db/sql/client.ts';
import type { Forest, ForestProvider } from '../../domain/candidates/forest.ts';
import type { Optional } from '../../domain/input.ts';
import type { PageArguments } from '../../domain/page.ts';
import { type Provider, sharingTrait } from '../../domain/provider.ts';
import { forestOf } from '../forest/forest.ts';
import type { KnownProviders } from '../forest/known-providers.ts';
import { findProviders } from '../forest/matching-providers.ts';
import { loadersByArguments } from '../request/keyed-loaders.ts';
import { type ListBelow, loadPages } from '../request/list-page.ts';
import { type ProviderFilterInput, resolveFilterIn, resolveProviderFilter } from './provider-filter.ts';
import { type NamedProviderOrder, type ProviderOrderInput, parseProviderOrder } from './provider-order.ts';
import { sortedByTree } from './tree-order.ts';

export interface ProviderPageArguments extends PageArguments {
  readonly filter?: Optional<ProviderFilterInput>;
  /** By name when omitted. */
  readonly orderBy?: Optional<readonly ProviderOrderInput[]>;
}

const names: Record<ProvidersOf, string> = {
  trait: 'trait.resourceProviders',
  aggregate: 'aggregate.resourceProviders',
  pool: 'servesRoots',
};

/** Loaders of the same page of providers for many parents. They refuse what listProviders refuses. */
export function providerPagesOf(db: Db, list: ProvidersOf, known: KnownProviders) {
  return loadersByArguments(({ filter, orderBy, ...args }: ProviderPageArguments) => {
    const order = parseProviderOrder(orderBy);
    const read = order.ofTrees ? fromForest(db, list, filter, order, known) : fromTables(db, list, filter, order);
    // The contents of cursors do not depend on the ids of classes.
    return loadPages({ ...read, name: order.nameOf(names[list]), order: orderOfProviders(order.sortBy(new Map())) }, args);
  });
}

type Read = Pick<ListBelow<number, Provider>, 'select' | 'count'>;

function fromTables(db: Db, list: ProvidersOf, filter: Optional<ProviderFilterInput>, order: NamedProviderOrder): Read {
  const resolve = once(() => resolveProviderFilter(db, filter, order.classes));
  return {
    select: async (parents, page) => {
      const { conditions, classIds } = await resolve();
      return selectProviderPagesOf(db, list, parents, conditions, order.sortBy(classIds), page);
    },
    count: async (parents) => countProvidersOf(db, list, parents, (await resolve()).conditions),
  };
}

function fromForest(
  db: Db,
  list: ProvidersOf,
  filter: Optional<ProviderFilterInput>,
  order: NamedProviderOrder,
  known: KnownProviders,
): Read {
  const resolve = once(async () => {
    const forest = await forestOf(db).current();
    const { conditions, classIds } = await resolveFilterIn(db, forest, filter, order.classes);
    return { forest, sort: order.sortBy(classIds), matching: await findProviders(db, forest, conditions) };
  });
  return {
    select: async (parents, page) => {
      const { forest, sort, matching } = await resolve();
      const pages = parents.map(async (parent) => {
        const ranked = await sortedByTree(db, matching.filter(isIn[list](forest, parent)), sort, page);
        known.remember(
          forest,
          ranked.map(({ provider }) => provider),
        );
        return ranked.map(({ provider, sortKey }) => ({ ...provider.state.provider, sortKey, parent }));
      });
      return (await Promise.all(pages)).flat();
    },
    count: async (parents) => {
      const { forest, matching } = await resolve();
      return parents.map((parent) => ({ parent, count: matching.filter(isIn[list](forest, parent)).length }));
    },
  };
}

/** Whether a provider is in the list of a parent. */
const isIn: Record<ProvidersOf, (forest: Forest, parent: number) => (provider: ForestProvider) => boolean> = {
  trait: (_, id) => (provider) => provider.traits.has(id),
  aggregate: (_, id) => (provider) => provider.aggregates.has(id),
  pool: (forest, id) => {
    const pool = forest.findById(id);
    const sharing = forest.traits.idOf(sharingTrait);
    if (!pool || sharing === undefined || !pool.traits.has(sharing)) return () => false;
    return ({ parent, tree }) =>
      parent === null &&
      tree !== pool.tree &&
      tree.members.some(({ aggregates }) => pool.aggregates.ids.some((shared) => aggregates.has(shared)));
  },
};

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
