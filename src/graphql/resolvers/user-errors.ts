// UserError and Warning: the type of a problem by its code, and the objects that both refer to. All other fields are those of the problem itself.
import type { Noun } from '../../domain/errors.ts';
import type { ShrunkInventory } from '../../domain/inventory.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import type { NodeKind } from '../node-id.ts';
import { findNode } from '../node-rows.ts';
import { shownNoun, typeOfCode, type WarningShown } from '../problem-types.ts';
import type { Resolvers } from '../schema.generated.ts';
import { messageWithPlace } from '../subjects.ts';

const resourceProvider = ({ provider }: { readonly provider: string }, _args: unknown, { loaders }: RequestScope) =>
  loaders.providerByUuid.load(provider);

const noun = (problem: { readonly noun: Noun }) => shownNoun[problem.noun];
const consumerUuid = ({ consumer }: { readonly consumer: string }) => consumer;
const resourceClassName = ({ resourceClass }: { readonly resourceClass: string }) => resourceClass;

/** The type of object whose key `existing` is. */
const kindOfDuplicate: Readonly<Partial<Record<Noun, NodeKind>>> = {
  aggregate: 'Aggregate',
  trait: 'Trait',
  resourceClass: 'ResourceClass',
};

const isOfInventory = (warning: WarningShown): warning is ShrunkInventory => 'provider' in warning;

export const userErrorResolvers = {
  UserError: { __resolveType: ({ code }) => typeOfCode[code] },
  InvalidInput: { message: messageWithPlace },
  NotFound: { noun },
  Duplicate: {
    noun,
    existing: ({ noun, existing }, _args, scope) => {
      if (existing === null) return null;
      return findNode(scope, { kind: kindOfDuplicate[noun] ?? 'ResourceProvider', key: existing });
    },
  },
  ConsumerConflict: { consumerUuid },
  ReservationConflict: { reservationUuid: ({ reservation }) => reservation },
  ProviderConflict: { resourceProvider },
  ParentLoop: { resourceProviderUuid: ({ provider }) => provider, parentUuid: ({ parent }) => parent },
  HasChildren: {
    children: async ({ children: uuids }, _args, { loaders }) => {
      const children = await Promise.all(uuids.map((uuid) => loaders.providerByUuid.load(uuid)));
      return children.filter((child) => child !== null);
    },
    childCount: ({ count }) => count,
  },
  InUse: {
    noun,
    by: async ({ noun, by, isReserved }, _args, scope) => {
      if (isReserved) return [];
      const kind = noun === 'trait' || noun === 'resourceClass' ? 'ResourceProvider' : 'Consumer';
      const users = await Promise.all(by.map((key) => findNode(scope, { kind, key })));
      return users.filter((user) => user !== null);
    },
    byCount: ({ count }) => count,
    reservationUuids: ({ by, isReserved }) => (isReserved ? by : []),
  },
  NoInventory: { consumerUuid, resourceProvider, resourceClassName },
  UnitViolation: { consumerUuid, resourceProvider, resourceClassName },
  CapacityExceeded: { consumerUuid, resourceProvider, resourceClassName },
  AffinityViolation: { consumerUuid, resourceProvider },
  QuotaExceeded: {
    consumerUuid,
    projectExternalId: ({ project }) => project,
    quota: (problem) => problem,
  },
  NoCandidates: { consumerUuid },
  Warning: {
    code: (warning) => {
      if (!isOfInventory(warning)) return warning.code;
      return warning.used > warning.capacity ? 'SHRUNK_BELOW_USE' : 'SHRUNK_BELOW_PROMISED';
    },
    subject: (warning) => (isOfInventory(warning) ? `${warning.provider}/${warning.resourceClass}` : warning.subject),
    message: (warning) => {
      if (!isOfInventory(warning)) return warning.message;
      const { provider, resourceClass, used, capacity, promised } = warning;
      const needed = [
        ...(used > capacity ? [`${used} are in use`] : []),
        ...(promised ? [`${promised.load} are in use or reserved at once`] : []),
      ];
      return `Inventory of ${resourceClass} on provider ${provider} has a capacity of ${capacity}, but ${needed.join(', and ')}.`;
    },
    reservationUuids: (warning) => (isOfInventory(warning) ? (warning.promised?.reservations ?? []) : []),
    inventory: async (warning, _args, { loaders }) => {
      if (!isOfInventory(warning)) return null;
      const { provider, resourceClass } = warning;
      const row = await loaders.providerByUuid.load(provider);
      const inventory = row && (await loaders.inventoriesByProvider.load(row.id)).find(({ className }) => className === resourceClass);
      return inventory ?? null;
    },
  },
} satisfies Resolvers;
