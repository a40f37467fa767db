// Consumers, by uuid and in lists.
import { listConsumers } from '../../operations/allocations/consumers.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';

export const consumerResolvers = {
  Query: {
    consumer: (_, { uuid }, { loaders }) => loaders.consumerByUuid.load(uuid),
    consumers: (_, args, scope) => listConsumers(scope, args),
  },
  Consumer: {
    id: ({ uuid }) => renderNodeId('Consumer', uuid),
    consumerType: ({ type }) => type,
    project: ({ project }) => ({ externalId: project }),
    user: ({ user }) => ({ externalId: user }),
    allocations: ({ id }, _, { loaders }) => loaders.allocationsByConsumer.load(id),
    roots: ({ id }, _, { loaders }) => loaders.rootsByConsumer.load(id),
  },
  ConsumerConnection: connectionResolvers,
} satisfies Resolvers;
