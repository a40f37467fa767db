// The past: objects as of a moment, and usage over time.
import { capacityOf } from '../../domain/inventory.ts';
import { findPastConsumer, findPastProvider, findPastUsage, listUsageHistory, openPast } from '../../operations/ledger/history.ts';
import { listUsageSamples } from '../../operations/ledger/usage-samples.ts';
import type { Resolvers } from '../schema.generated.ts';

export const historyResolvers = {
  Query: {
    asOf: (_, { moment }, scope) => openPast(scope, moment),
    usageHistory: (_, args, scope) => listUsageHistory(scope, args),
    usageSamples: (_, args, scope) => listUsageSamples(scope, args),
  },
  PastState: {
    pastResourceProvider: (past, { uuid }, scope) => findPastProvider(scope, past, uuid),
    pastConsumer: (past, { uuid }, scope) => findPastConsumer(scope, past, uuid),
    projectUsage: (past, { externalId }, scope) => findPastUsage(scope, past, { noun: 'project', key: externalId }),
    cloudUsage: (past, _, scope) => findPastUsage(scope, past, { noun: 'cloud' }),
  },
  PastResourceProvider: {
    resourceProvider: ({ resourceProviderUuid }, _, { loaders }) => loaders.providerByUuid.load(resourceProviderUuid),
  },
  PastInventory: { capacity: (inventory) => capacityOf(inventory) },
  PastConsumer: {
    consumer: ({ consumerUuid }, _, { loaders }) => loaders.consumerByUuid.load(consumerUuid),
    project: ({ project }) => ({ externalId: project }),
    user: ({ user }) => ({ externalId: user }),
  },
  PastAllocation: {
    resourceProviderUuid: ({ provider }) => provider,
    resourceClassName: ({ resourceClass }) => resourceClass,
  },
  UsageSample: { consumerCount: ({ consumers }) => consumers },
  PastUsage: { providerCount: ({ providers }) => providers },
} satisfies Resolvers;
