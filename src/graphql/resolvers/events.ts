// The ledger: events and their changes.

import { eventKinds, type LedgerEvent } from '../../domain/event.ts';
import type { AuthenticationMethod } from '../../domain/identity.ts';
import { listEventFeed } from '../../operations/ledger/event-feed.ts';
import { listChangesOfEvent, listEvents, listEventsOfSubject, listUuidsOfEvent } from '../../operations/ledger/events.ts';
import type { EventBatch } from '../../operations/live/event-batch.ts';
import { followEvents } from '../../operations/live/event-stream.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';

const { nodes, edges, pageInfo } = connectionResolvers;
export const methodNames = { noauth: 'NOAUTH', static: 'STATIC', keystone: 'KEYSTONE' } as const satisfies Record<
  AuthenticationMethod,
  string
>;
const knownKinds: ReadonlySet<string> = new Set(eventKinds);

const resourceProvider = ({ resourceProviderUuid }: { readonly resourceProviderUuid: string }, _: unknown, { loaders }: RequestScope) =>
  loaders.providerByUuid.load(resourceProviderUuid);

export const eventResolvers = {
  Query: {
    events: (_, args, scope) => listEvents(scope, args),
    eventFeed: (_, args, scope) => listEventFeed(scope, args),
  },
  Subscription: { events: { subscribe: (_, args, scope) => followEvents(scope, args), resolve: (batch: EventBatch) => batch } },
  Event: {
    id: ({ id }) => renderNodeId('Event', String(id)),
    kind: ({ kind }) => (knownKinds.has(kind) ? kind : 'OTHER'),
    authenticationMethod: ({ method }) => (method === null ? null : methodNames[method]),
    requestedBy: ({ user }) => (user === null ? null : { externalId: user }),
    requestedFor: ({ project }) => (project === null ? null : { externalId: project }),
    consumerUuids: ({ id }, args, scope) => listUuidsOfEvent(scope, id, 'consumer', args),
    resourceProviderUuids: ({ id }, args, scope) => listUuidsOfEvent(scope, id, 'resourceProvider', args),
    changes: (event: LedgerEvent, { everything, ...args }, scope) => listChangesOfEvent(scope, everything ? { id: event.id } : event, args),
  },
  EventChange: { __resolveType: ({ type }) => type },
  ResourceProviderChange: { resourceProvider },
  ConsumerChange: { consumer: ({ consumerUuid }, _, { loaders }) => loaders.consumerByUuid.load(consumerUuid) },
  DeviceChange: { resourceProvider },
  AllocationChange: { resourceProvider },
  EventConnection: { nodes, edges, pageInfo },
  EventChangeConnection: connectionResolvers,
  UuidConnection: connectionResolvers,
  Consumer: {
    events: ({ uuid }, args, scope) => listEventsOfSubject(scope, { noun: 'consumer', key: uuid }, args),
  },
  ResourceProvider: {
    events: ({ uuid }, args, scope) => listEventsOfSubject(scope, { noun: 'resourceProvider', key: uuid }, args),
  },
  Project: {
    events: ({ externalId }, args, scope) => listEventsOfSubject(scope, { noun: 'project', key: externalId }, args),
  },
} satisfies Resolvers;
