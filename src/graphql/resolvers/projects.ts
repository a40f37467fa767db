// Projects and users.
import { listConsumersOfProject } from '../../operations/allocations/consumers.ts';
import { findProject, listProjects } from '../../operations/allocations/projects.ts';
import { listUsagesOfProject } from '../../operations/allocations/usages.ts';
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
    consumers: ({ externalId }, args, scope) => listConsumersOfProject(scope, externalId, args),
  },
  User: {
    id: ({ externalId }) => renderNodeId('User', externalId),
  },
  ProjectConnection: connectionResolvers,
} satisfies Resolvers;
