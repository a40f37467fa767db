// Aggregate: by uuid, in lists, the providers in it, and what its trees have.
import { listAggregates } from '../../operations/providers/aggregates.ts';
import { renderNodeId } from '../node-id.ts';
import type { AggregateResolvers, QueryResolvers } from '../schema.generated.ts';
import { ofClasses } from './resource-classes.ts';

export const aggregateQueries: Pick<QueryResolvers, 'aggregate' | 'aggregates'> = {
  aggregate: (_, { uuid }, { loaders }) => loaders.aggregateByUuid.load(uuid),
  aggregates: (_, args, scope) => listAggregates(scope, args),
};

export const aggregateResolvers: AggregateResolvers = {
  id: ({ uuid }) => renderNodeId('Aggregate', uuid),
  resourceProviders: ({ id }, args, { loaders }) => loaders.providerPageByAggregate(args).load(id),
  capacity: async ({ id }, { resourceClasses }, { loaders }) => {
    const { own, shared } = await loaders.capacityByAggregate.load(id);
    return { own: ofClasses(own, resourceClasses), shared: ofClasses(shared, resourceClasses) };
  },
};
