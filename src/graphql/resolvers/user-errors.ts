// How a problem is shown: its type by its code, its details as fields, and the objects it is about. One total record over the codes.
import { Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { ShrunkInventory } from '../../domain/inventory.ts';
import { findNode } from '../../operations/request/nodes.ts';
import type { Resolvers } from '../schema.generated.ts';

const typeOfCode = {
  INVALID_INPUT: 'InvalidInput',
  IDEMPOTENCY_KEY_REUSED: 'IdempotencyKeyReused',
  NOT_FOUND: 'NotFound',
  DUPLICATE: 'Duplicate',
  STANDARD_NAME: 'StandardName',
  CONSUMER_CONFLICT: 'ConsumerConflict',
  PROVIDER_CONFLICT: 'ProviderConflict',
  PARENT_LOOP: 'ParentLoop',
  HAS_CHILDREN: 'HasChildren',
  IN_USE: 'InUse',
  NO_INVENTORY: 'NoInventory',
  UNIT_VIOLATION: 'UnitViolation',
  CAPACITY_EXCEEDED: 'CapacityExceeded',
  NO_CANDIDATES: 'NoCandidates',
} as const satisfies Record<RefusalCode, string>;

const retryableCodes: ReadonlySet<RefusalCode> = new Set(['CONSUMER_CONFLICT', 'PROVIDER_CONFLICT', 'CAPACITY_EXCEEDED', 'NO_CANDIDATES']);
const retryable = ({ code }: { readonly code: RefusalCode }): boolean => retryableCodes.has(code);

type ErrorResolvers = Pick<Resolvers, 'UserError' | 'Warning' | 'ShrunkBelowUse' | (typeof typeOfCode)[RefusalCode]>;

export const userErrorResolvers: ErrorResolvers = {
  UserError: { __resolveType: ({ code }) => typeOfCode[code] },
  InvalidInput: { retryable },
  IdempotencyKeyReused: { retryable, key: ({ details }) => details.key },
  NotFound: { retryable, noun: ({ details }) => details.noun, key: ({ details }) => details.key },
  Duplicate: {
    retryable,
    noun: ({ details }) => details.noun,
    key: ({ details }) => details.key,
    existing: ({ details: { noun, existing } }, _args, scope) => {
      if (existing === null) return null;
      return findNode(scope, { kind: noun === 'aggregate' ? 'Aggregate' : 'ResourceProvider', key: existing });
    },
  },
  StandardName: { retryable, key: ({ details }) => details.key },
  ConsumerConflict: {
    retryable,
    consumer: ({ details }) => details.consumer,
    expected: ({ details }) => details.expected,
    actual: ({ details }) => details.actual,
  },
  ProviderConflict: {
    retryable,
    resourceProvider: ({ details }, _args, { loaders }) => loaders.providerByUuid.load(details.provider),
    expected: ({ details }) => details.expected,
    actual: ({ details }) => details.actual,
  },
  ParentLoop: { retryable, provider: ({ details }) => details.provider, parent: ({ details }) => details.parent },
  HasChildren: {
    retryable,
    children: async ({ details }, _args, { loaders }) => {
      const children = await Promise.all(details.children.map((uuid) => loaders.providerByUuid.load(uuid)));
      return children.filter((child) => child !== null);
    },
    childCount: ({ details }) => details.count,
  },
  InUse: {
    retryable,
    noun: ({ details }) => details.noun,
    key: ({ details }) => details.key,
    by: async ({ details: { noun, by } }, _args, scope) => {
      const kind = noun === 'trait' || noun === 'resourceClass' ? 'ResourceProvider' : 'Consumer';
      const users = await Promise.all(by.map((key) => findNode(scope, { kind, key })));
      return users.filter((user) => user !== null);
    },
    byCount: ({ details }) => details.count,
  },
  NoInventory: {
    retryable,
    consumer: ({ details }) => details.consumer,
    resourceProvider: ({ details }, _args, { loaders }) => loaders.providerByUuid.load(details.provider),
    resourceClass: ({ details }) => details.resourceClass,
  },
  UnitViolation: {
    retryable,
    consumer: ({ details }) => details.consumer,
    resourceProvider: ({ details }, _args, { loaders }) => loaders.providerByUuid.load(details.provider),
    resourceClass: ({ details }) => details.resourceClass,
    requested: ({ details }) => details.requested,
    minUnit: ({ details }) => details.minUnit,
    maxUnit: ({ details }) => details.maxUnit,
    stepSize: ({ details }) => details.stepSize,
  },
  CapacityExceeded: {
    retryable,
    consumer: ({ details }) => details.consumer,
    resourceProvider: ({ details }, _args, { loaders }) => loaders.providerByUuid.load(details.provider),
    resourceClass: ({ details }) => details.resourceClass,
    requested: ({ details }) => details.requested,
    available: ({ details }) => details.available,
  },
  NoCandidates: {
    retryable,
    consumer: ({ details }) => details.consumer,
    explanation: ({ details }) => details.explanation,
  },
  Warning: { __resolveType: () => 'ShrunkBelowUse' },
  ShrunkBelowUse: {
    code: () => 'SHRUNK_BELOW_USE',
    message: ({ provider, resourceClass, used, capacity }: ShrunkInventory) =>
      `Inventory of ${resourceClass} on provider ${provider} has capacity ${capacity}, and ${used} of it are used.`,
    inventory: async ({ provider, resourceClass }, _args, { loaders }) => {
      const row = await loaders.providerByUuid.load(provider);
      const inventory = row && (await loaders.inventoriesByProvider.load(row.id)).find(({ className }) => className === resourceClass);
      if (!inventory) {
        const message = `The inventory of ${resourceClass} was written, but deleted by somebody else before it was read.`;
        throw new Refusal([{ code: 'NOT_FOUND', message, path: [], details: { noun: 'inventory', key: resourceClass } }]);
      }
      return inventory;
    },
  },
};
