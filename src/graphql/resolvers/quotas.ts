// The quotas of projects.
import { leftOf } from '../../domain/quota.ts';
import { findQuotas, replaceQuotas } from '../../operations/allocations/quotas.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const quotaResolvers = {
  Query: { quotaSettings: (_, { project }, scope) => findQuotas(scope, project) },
  Mutation: {
    replaceQuotas: mutation({ quotaSettings: null }, async (input, scope) => ({ quotaSettings: await replaceQuotas(scope, input) })),
  },
  QuotaSettings: { parentProjectExternalId: ({ parent }) => parent },
  Quota: {
    resourceClassName: ({ resourceClass }) => resourceClass,
    userExternalId: ({ user }) => user,
    aggregateUuid: ({ aggregate }) => aggregate ?? null,
    aggregateName: async ({ aggregate }, _, { loaders }) =>
      aggregate ? ((await loaders.aggregateByUuid.load(aggregate))?.name ?? aggregate) : null,
  },
  QuotaUse: {
    quota: (quota) => quota,
    projectExternalId: ({ project }) => project,
    available: (use) => (use.amount === null ? null : leftOf(use)),
  },
} satisfies Resolvers;
