// The ledger, as GraphQL shows it.
import { listChanges, listEvents, listEventsOfSubject } from '../../operations/ledger/events.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';

const { nodes, edges, pageInfo } = connectionResolvers;

export const eventResolvers = {
  Query: {
    events: (_, args, scope) => listEvents(scope, args),
  },
  Event: {
    id: ({ id }) => renderNodeId('Event', String(id)),
    user: ({ user }) => (user === null ? null : { externalId: user }),
    project: ({ project }) => (project === null ? null : { externalId: project }),
    resourceProviders: ({ providers }, _, { loaders }) => Promise.all(providers.map((uuid) => loaders.providerByUuid.load(uuid))),
    changes: (event) => listChanges(event),
  },
  EventConnection: { nodes, edges, pageInfo },
  ResourceProvider: {
    events: ({ uuid }, args, scope) => listEventsOfSubject(scope, uuid, args),
  },
} satisfies Resolvers;
