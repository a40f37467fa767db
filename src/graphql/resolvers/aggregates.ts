// Aggregate: by uuid, in lists, its members, and the totals of its trees.

import { expectClasses, loadedIfExpected } from '../../operations/names/known-names.ts';
import { listAggregates } from '../../operations/providers/aggregates.ts';
import { nameAggregate, replaceAggregates } from '../../operations/providers/provider-writes.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';
import { ofClasses } from './resource-classes.ts';

export const aggregateResolvers = {
  Query: {
    aggregate: (_, { uuid }, { loaders }) => loaders.aggregateByUuid.load(uuid),
    aggregates: (_, args, scope) => listAggregates(scope, args),
  },
  Mutation: {
    replaceAggregates: mutation({ resourceProvider: null, warnings: [] }, async (input, scope) => ({
      resourceProvider: await replaceAggregates(scope, input),
      warnings: [],
    })),
    nameAggregate: mutation({ aggregate: null }, async (input, scope) => ({ aggregate: await nameAggregate(scope, input) })),
  },
  Aggregate: {
    id: ({ uuid }) => renderNodeId('Aggregate', uuid),
    name: ({ uuid, name }) => name ?? uuid,
    isNamed: ({ name }) => name !== null,
    resourceProviders: ({ id }, args, { loaders }) => loaders.providerPageByAggregate(args).load(id),
    rootCount: async ({ id }, _, { loaders }) => (await loaders.countsByAggregate.load(id))?.roots ?? 0,
    consumerCount: async ({ id }, _, { loaders }) => (await loaders.countsByAggregate.load(id))?.consumers ?? 0,
    totals: async ({ id }, { resourceClasses }, scope) => {
      const expected = expectClasses(scope, resourceClasses, ['resourceClasses']);
      const { own, shared } = await loadedIfExpected(expected, () => scope.loaders.capacityByAggregate.load(id));
      return { own: ofClasses(own, resourceClasses), shared: ofClasses(shared, resourceClasses) };
    },
  },
  AggregateConnection: connectionResolvers,
} satisfies Resolvers;
