// The tables, as Drizzle sees them: names as in OpenStack Placement where it has them, every constraint named. Only ../writes/functions write rows.
//
// Omitted on purpose: foreign keys to projects, users and consumer types, which are never deleted: each claim would lock their rows. Allocations have none, either (see
// there). No index has a column that a claim updates, so its updates stay within their pages.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { changedXid, createdAt, id, updatedAt, xid8 } from './columns.ts';

/** Something countable. Standard classes have the ids of os-resource-classes; custom ones start at 10000. */
export const resourceClasses = pgTable(
  'resource_classes',
  {
    id: integer('id').generatedByDefaultAsIdentity({ startWith: 10000 }),
    name: text('name').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    changedXid: changedXid(),
  },
  (table) => [
    primaryKey({ name: 'resource_classes_pkey', columns: [table.id] }),
    unique('resource_classes_name_key').on(table.name),
    index('resource_classes_changed_idx').on(table.changedXid),
  ],
);

/** Boolean capabilities of a provider. */
export const traits = pgTable(
  'traits',
  {
    id: id().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    changedXid: changedXid(),
  },
  (table) => [
    primaryKey({ name: 'traits_pkey', columns: [table.id] }),
    unique('traits_name_key').on(table.name),
    index('traits_changed_idx').on(table.changedXid),
  ],
);

/** A uuid that groups providers. The name is ours: Placement has no names for them. */
export const placementAggregates = pgTable(
  'placement_aggregates',
  {
    id: id().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull(),
    name: text('name'),
    createdAt: createdAt(),
    changedXid: changedXid(),
  },
  (table) => [
    primaryKey({ name: 'placement_aggregates_pkey', columns: [table.id] }),
    unique('placement_aggregates_uuid_key').on(table.uuid),
    unique('placement_aggregates_name_key').on(table.name),
    index('placement_aggregates_changed_idx').on(table.changedXid),
  ],
);

/** Something that has resources. A root references itself with root_provider_id and has no parent. Its columns are the fields of a Provider. */
export const resourceProviders = pgTable(
  'resource_providers',
  {
    id: id().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull(),
    name: text('name').notNull(),
    generation: bigint('generation', { mode: 'number' }).notNull().default(0),
    parentId: bigint('parent_provider_id', { mode: 'number' }),
    rootId: bigint('root_provider_id', { mode: 'number' }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'resource_providers_pkey', columns: [table.id] }),
    unique('resource_providers_uuid_key').on(table.uuid),
    unique('resource_providers_name_key').on(table.name),
    foreignKey({ name: 'resource_providers_parent_fkey', columns: [table.parentId], foreignColumns: [table.id] }),
    foreignKey({ name: 'resource_providers_root_fkey', columns: [table.rootId], foreignColumns: [table.id] }),
    index('resource_providers_parent_idx').on(table.parentId).where(sql`parent_provider_id is not null`),
    index('resource_providers_root_idx').on(table.rootId),
    index('resource_providers_created_idx').on(table.createdAt, table.id),
  ],
);

// The change feed: the providers that a top-level transaction changed in any way, including deleted ones. A separate, append-only table: an indexed
// column of resource_providers would keep the updates of claims from staying within their pages.
export const providerChanges = pgTable(
  'provider_changes',
  {
    xid: xid8('xid').notNull(),
    resourceProviderId: bigint('resource_provider_id', { mode: 'number' }).notNull(),
    /** Whether only the usage of its inventories, its generation and updated_at changed: then the rest is not read again. */
    useOnly: boolean('use_only').notNull().default(false),
  },
  (table) => [primaryKey({ name: 'provider_changes_pkey', columns: [table.xid, table.resourceProviderId] })],
);

/** A single row about the whole database, for readers of the change feed and of project_usages. */
export const changeFeed = pgTable(
  'change_feed',
  {
    id: integer('id').notNull().default(1),
    /** The highest transaction whose changes were pruned. A reader with an older position starts over. */
    prunedXid: xid8('pruned_xid').notNull(),
    /** The last transaction that deleted a trait or a class. */
    namesDeletedXid: xid8('names_deleted_xid').notNull().default('0'),
    /** The highest id of the events that were deleted after their retention. A reader that has not reached it cannot continue without a gap. */
    prunedEventId: bigint('pruned_event_id', { mode: 'number' }).notNull().default(0),
    /** When events were last deleted. */
    prunedAt: timestamp('pruned_at', { withTimezone: true }),
  },
  (table) => [primaryKey({ name: 'change_feed_pkey', columns: [table.id] }), check('change_feed_one_row', sql`id = 1`)],
);

/** The amount of a class that a provider has, and its usage. `used` is maintained by the write functions only. */
export const inventories = pgTable(
  'inventories',
  {
    resourceProviderId: bigint('resource_provider_id', { mode: 'number' }).notNull(),
    resourceClassId: integer('resource_class_id').notNull(),
    total: integer('total').notNull(),
    reserved: integer('reserved').notNull(),
    minUnit: integer('min_unit').notNull(),
    maxUnit: integer('max_unit').notNull(),
    stepSize: integer('step_size').notNull(),
    allocationRatio: doublePrecision('allocation_ratio').notNull(),
    /** The capacity rule of domain/inventory.ts in SQL: truncated, within ±(2^53 - 1). */
    capacity: bigint('capacity', { mode: 'number' })
      .notNull()
      .generatedAlwaysAs(
        sql`greatest(-9007199254740991, least(9007199254740991, trunc((total - reserved)::double precision * allocation_ratio)))::bigint`,
      ),
    used: bigint('used', { mode: 'number' }).notNull().default(0),
    /** What reservations keep beside what is used: the most that they hold at once from now on, without what is claimed from them (count_promises). */
    promised: bigint('promised', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'inventories_pkey', columns: [table.resourceProviderId, table.resourceClassId] }),
    foreignKey({ name: 'inventories_provider_fkey', columns: [table.resourceProviderId], foreignColumns: [resourceProviders.id] }),
    foreignKey({ name: 'inventories_class_fkey', columns: [table.resourceClassId], foreignColumns: [resourceClasses.id] }),
    // With the provider, since a statement that names both may use it. Checks are parsed for each update: ranges are checked by write_inventories.
    index('inventories_class_provider_idx').on(table.resourceClassId, table.resourceProviderId),
    check('inventories_used', sql`used >= 0`),
  ],
);

export const resourceProviderTraits = pgTable(
  'resource_provider_traits',
  {
    traitId: bigint('trait_id', { mode: 'number' }).notNull(),
    resourceProviderId: bigint('resource_provider_id', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ name: 'resource_provider_traits_pkey', columns: [table.resourceProviderId, table.traitId] }),
    foreignKey({ name: 'resource_provider_traits_trait_fkey', columns: [table.traitId], foreignColumns: [traits.id] }),
    foreignKey({
      name: 'resource_provider_traits_provider_fkey',
      columns: [table.resourceProviderId],
      foreignColumns: [resourceProviders.id],
    }),
    index('resource_provider_traits_trait_idx').on(table.traitId, table.resourceProviderId),
  ],
);

export const resourceProviderAggregates = pgTable(
  'resource_provider_aggregates',
  {
    aggregateId: bigint('aggregate_id', { mode: 'number' }).notNull(),
    resourceProviderId: bigint('resource_provider_id', { mode: 'number' }).notNull(),
    spelling: text('spelling'), // Of the uuid, as last written for REST; null if canonical.
  },
  (table) => [
    primaryKey({ name: 'resource_provider_aggregates_pkey', columns: [table.resourceProviderId, table.aggregateId] }),
    foreignKey({
      name: 'resource_provider_aggregates_aggregate_fkey',
      columns: [table.aggregateId],
      foreignColumns: [placementAggregates.id],
    }),
    foreignKey({
      name: 'resource_provider_aggregates_provider_fkey',
      columns: [table.resourceProviderId],
      foreignColumns: [resourceProviders.id],
    }),
    index('resource_provider_aggregates_aggregate_idx').on(table.aggregateId, table.resourceProviderId),
  ],
);

export const projects = pgTable(
  'projects',
  { id: id().generatedAlwaysAsIdentity(), externalId: text('external_id').notNull(), createdAt: createdAt() },
  (table) => [primaryKey({ name: 'projects_pkey', columns: [table.id] }), unique('projects_external_id_key').on(table.externalId)],
);

export const users = pgTable(
  'users',
  { id: id().generatedAlwaysAsIdentity(), externalId: text('external_id').notNull(), createdAt: createdAt() },
  (table) => [primaryKey({ name: 'users_pkey', columns: [table.id] }), unique('users_external_id_key').on(table.externalId)],
);

export const consumerTypes = pgTable(
  'consumer_types',
  { id: id().generatedAlwaysAsIdentity(), name: text('name').notNull(), createdAt: createdAt() },
  (table) => [primaryKey({ name: 'consumer_types_pkey', columns: [table.id] }), unique('consumer_types_name_key').on(table.name)],
);

/** Something with allocations; it exists only while it has some. */
export const consumers = pgTable(
  'consumers',
  {
    id: id().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull(),
    projectId: bigint('project_id', { mode: 'number' }).notNull(),
    userId: bigint('user_id', { mode: 'number' }).notNull(),
    /** Null for consumers written before consumer types existed. */
    consumerTypeId: bigint('consumer_type_id', { mode: 'number' }),
    generation: bigint('generation', { mode: 'number' }).notNull().default(1),
    /** When it is released unless its holder extends it; null if it lasts. */
    expiresAt: timestamp('expires_at', { withTimezone: true }),
    /** The reservation that it claims from; null for none. */
    reservationId: bigint('reservation_id', { mode: 'number' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'consumers_pkey', columns: [table.id] }),
    unique('consumers_uuid_key').on(table.uuid),
    index('consumers_project_idx').on(table.projectId, table.id),
    index('consumers_user_idx').on(table.userId, table.id),
    index('consumers_expires_idx').on(table.expiresAt).where(sql`expires_at is not null`),
    index('consumers_reservation_idx').on(table.reservationId, table.id).where(sql`reservation_id is not null`),
  ],
);

/**
 * A consumer uses `used` units of a class on a provider. No foreign keys: they would look up each row again in `consumers` and `inventories`, which the same write has
 * locked. That costs 9 % of the instructions of a call with three claims, and 11 % with eight. The audit finds rows without either (findWrongAllocations).
 */
export const allocations = pgTable(
  'allocations',
  {
    consumerId: bigint('consumer_id', { mode: 'number' }).notNull(),
    resourceProviderId: bigint('resource_provider_id', { mode: 'number' }).notNull(),
    resourceClassId: integer('resource_class_id').notNull(),
    used: integer('used').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: 'allocations_pkey', columns: [table.consumerId, table.resourceProviderId, table.resourceClassId] }),
    index('allocations_inventory_idx').on(table.resourceProviderId, table.resourceClassId),
    check('allocations_used', sql`used >= 1`),
  ],
);

/** The ledger: one row for each successful write, appended in the same statement. Ids are not in commit order. In chunks (see eventChunks). */
export const events = pgTable(
  'events',
  {
    id: id().generatedAlwaysAsIdentity(),
    xid: xid8('xid').notNull().default(sql`pg_current_xact_id()`),
    at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
    kind: text('kind').notNull(),
    userExternalId: text('user_external_id'),
    projectExternalId: text('project_external_id'),
    roles: text('roles').array().notNull(),
    /** How the caller was identified; null in events of commands. */
    authenticationMethod: text('authentication_method'),
    requestId: text('request_id').notNull(),
    /** The request id sent by the caller, the same for everything that one user request caused in other services. */
    globalRequestId: text('global_request_id'),
    consumerUuids: uuid('consumer_uuids').array().notNull(),
    providerUuids: uuid('provider_uuids').array().notNull(),
    /** `{ providers: { <uuid>: { before, after } }, consumers: { … }, … }`: only the parts that changed. */
    changes: jsonb('changes').notNull(),
  },
  (table) => [
    primaryKey({ name: 'events_pkey', columns: [table.id] }),
    index('events_kind_idx').on(table.kind, table.id),
    index('events_user_idx').on(table.userExternalId, table.id),
    index('events_request_idx').using('hash', table.requestId),
    index('events_global_request_idx').on(table.globalRequestId, table.id).where(sql`global_request_id is not null`),
    index('events_xid_idx').on(table.xid, table.id),
  ],
);

/**
 * The events of a provider, a consumer, a project, or a class that is not on nearly every host, newest first. Subjects without a uuid are identified
 * by the md5 of their kind and name (writes/steps/append_event.sql).
 */
export const eventSubjects = pgTable(
  'event_subjects',
  { subject: uuid('subject').notNull(), eventId: bigint('event_id', { mode: 'number' }).notNull() },
  (table) => [primaryKey({ name: 'event_subjects_pkey', columns: [table.subject, table.eventId] })],
);

// The partitions of events and their subjects, which Drizzle cannot express: chunk n has the ids from n times 10^10, in `events_n` and `event_subjects_n`.
// Housekeeping begins the next by moving the sequence of the ids into it, and drops old ones whole.
export const eventChunks = pgTable(
  'event_chunks',
  {
    number: integer('number').notNull(),
    /** Statements that began before this moment do not know the partitions yet. */
    createdAt: createdAt(),
    /** Since when events get ids of this chunk; null for the one that is still ahead. No event of an older chunk is younger. */
    begunAt: timestamp('begun_at', { withTimezone: true }),
  },
  (table) => [primaryKey({ name: 'event_chunks_pkey', columns: [table.number] })],
);

/** Programs on hosts: their versions, and whether an operator has disabled them. Ids are in the order of first reports. */
export const services = pgTable(
  'services',
  {
    host: text('host').notNull(),
    program: text('program').notNull(),
    version: integer('version').notNull(),
    disabled: boolean('disabled').notNull().default(false),
    disabledReason: text('disabled_reason'),
    forcedDown: boolean('forced_down').notNull().default(false),
    updatedAt: updatedAt(),
    id: id().generatedAlwaysAsIdentity(),
  },
  (table) => [primaryKey({ name: 'services_pkey', columns: [table.host, table.program] })],
);

/** Devices of a root provider, one by one, as last reported: all but their address is in the body. They are deleted with it. */
export const devices = pgTable(
  'devices',
  {
    resourceProviderId: bigint('resource_provider_id', { mode: 'number' }).notNull(),
    address: text('address').notNull(),
    body: jsonb('body').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'devices_pkey', columns: [table.resourceProviderId, table.address] }),
    // For searches for hosts with free devices of a kind.
    index('devices_free_idx')
      .on(sql`lower(body ->> 'vendorId')`, sql`lower(body ->> 'productId')`)
      .where(sql`body ->> 'status' = 'available'`),
    foreignKey({
      name: 'devices_provider_fkey',
      columns: [table.resourceProviderId],
      foreignColumns: [resourceProviders.id],
    }).onDelete('cascade'),
  ],
);

/** The first answer of a write with an idempotency key. Not partitioned, because a key that contains the time would not be unique. It holds the keys of a day. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    principal: text('principal').notNull(),
    operation: text('operation').notNull(),
    key: text('key').notNull(),
    inputHash: text('input_hash').notNull(),
    answer: jsonb('answer'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [table.principal, table.operation, table.key] }),
    index('idempotency_keys_created_idx').on(table.createdAt),
  ],
);

export { bridge, bridgeDifferences, bridgeGateways, bridgeNotes, bridgeReads } from './bridge.ts';
export { records } from './records.ts';
export { reservationAmounts, reservations } from './reservations.ts';
export { projectParents, projectUsages, quotaUses, refusedClaims, usageSamples } from './usages.ts';
