// The past: objects as of a moment, and usage over time.
import { capacityOf } from '../../domain/inventory.ts';
import {
  findPastConsumer,
  findPastProvider,
  findPastUsage,
  listClaimHistory,
  listPastHolders,
  listUsageHistory,
  openPast,
} from '../../operations/ledger/history.ts';
import { listUsageSamples } from '../../operations/ledger/usage-samples.ts';
import { connectionResolvers } from '../connections.ts';
import type { Resolvers } from '../schema.generated.ts';

export const historyResolvers = {
  Query: {
    asOf: (_, { moment }, scope) => openPast(scope, moment),
    usageHistory: (_, args, scope) => listUsageHistory(scope, args),
    claimHistory: (_, args, scope) => listClaimHistory(scope, args),
    usageSamples: (_, args, scope) => listUsageSamples(scope, args),
  },
  PastState: {
    pastResourceProvider: (past, key, scope) => findPastProvider(scope, past, key),
    pastConsumer: (past, { uuid }, scope) => findPastConsumer(scope, past, uuid),
    projectUsage: (past, { externalId }, scope) => findPastUsage(scope, past, { noun: 'project', key: externalId }),
    treeUsage: (past, { resourceProvider }, scope) => findPastUsage(scope, past, { noun: 'tree', key: resourceProvider }),
    aggregateUsage: (past, { aggregate }, scope) => findPastUsage(scope, past, { noun: 'aggregate', key: aggregate }),
    cloudUsage: (past, _, scope) => findPastUsage(scope, past, { noun: 'cloud' }),
  },
  PastResourceProvider: {
    resourceProvider: ({ resourceProviderUuid }, _, { loaders }) => loaders.providerByUuid.load(resourceProviderUuid),
    holders: (provider, args, scope) => listPastHolders(scope, provider, args),
  },
  PastInventory: { capacity: (inventory) => capacityOf(inventory) },
  PastConsumer: {
    consumer: ({ consumerUuid }, _, { loaders }) => loaders.consumerByUuid.load(consumerUuid),
    project: ({ project }) => ({ externalId: project }),
    user: ({ user }) => ({ externalId: user }),
  },
  PastConsumerConnection: connectionResolvers,
  PastAllocation: {
    resourceProviderUuid: ({ provider }) => provider,
    resourceClassName: ({ resourceClass }) => resourceClass,
  },
  ClaimPeriod: {
    claimedCount: ({ claimed }) => claimed,
    changedCount: ({ changed }) => changed,
    releasedCount: ({ released }) => released,
    refusedCount: ({ refused }, { codes }) => {
      const wanted = codes ? new Set<string>(codes) : null;
      return [...refused].reduce((sum, [code, count]) => sum + (wanted?.has(code) === false ? 0 : count), 0);
    },
  },
  UsageSample: { consumerCount: ({ consumers }) => consumers },
  PastUsage: { providerCount: ({ providers }) => providers },
} satisfies Resolvers;
