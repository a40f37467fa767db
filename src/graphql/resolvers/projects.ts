// Projects and users.
import { unitHours } from '../../domain/usage-report.ts';
import { listConsumersOfProject } from '../../operations/allocations/consumers.ts';
import { findProject, listProjects } from '../../operations/allocations/projects.ts';
import { listUsagesOfProject, reportUsageOfProject } from '../../operations/allocations/usages.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';

export const projectResolvers = {
  Query: {
    project: (_, { externalId }, scope) => findProject(scope, externalId),
    projects: (_, args, scope) => listProjects(scope, args),
  },
  Project: {
    id: ({ externalId }) => renderNodeId('Project', externalId),
    usages: ({ externalId }, args, scope) => listUsagesOfProject(scope, externalId, args),
    usageReport: ({ externalId }, args, scope) => reportUsageOfProject(scope, externalId, args),
    quotaUses: ({ externalId }, _, { loaders }) => loaders.quotaUsesByProject.load(externalId),
    consumers: ({ externalId }, args, scope) => listConsumersOfProject(scope, externalId, args),
  },
  UsageReportRow: { amountHours: ({ amount }) => unitHours(amount) },
  User: {
    id: ({ externalId }) => renderNodeId('User', externalId),
  },
  ProjectConnection: connectionResolvers,
} satisfies Resolvers;
