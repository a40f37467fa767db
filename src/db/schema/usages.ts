// The tables of sums and counts; the tables that they sum are in schema.ts.
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp, unique } from 'drizzle-orm/pg-core';
import { id, sampledAt } from './columns.ts';

/**
 * What the consumers of a project hold is the sum of its rows, by user, type and class; rows without a class count the consumers. Every write appends its
 * changes, so that no two writes wait for each other, and keep_project_usages replaces many rows by their sum.
 */
export const projectUsages = pgTable(
  'project_usages',
  {
    projectId: bigint('project_id', { mode: 'number' }).notNull(),
    userId: bigint('user_id', { mode: 'number' }).notNull(),
    consumerTypeId: bigint('consumer_type_id', { mode: 'number' }),
    resourceClassId: integer('resource_class_id'),
    /** Negative for released amounts. */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    /** Whether this is a sum of earlier rows. */
    isSum: boolean('is_sum').notNull().default(false),
  },
  (table) => [index('project_usages_owner_idx').on(table.isSum, table.projectId, table.userId)],
);

/** A quota that applies to a project, and what is used of it: kept by the functions that write allocations, counted anew when quotas are replaced (count_quotas). */
export const quotaUses = pgTable(
  'quota_uses',
  {
    id: id().generatedAlwaysAsIdentity(),
    projectId: bigint('project_id', { mode: 'number' }).notNull(),
    /** Null, like those below, where the quota does not depend on it. */
    userId: bigint('user_id', { mode: 'number' }),
    consumerTypeId: bigint('consumer_type_id', { mode: 'number' }),
    /** -1 for the number of consumers. */
    resourceClassId: integer('resource_class_id').notNull(),
    /** The aggregate in which consumers hold what counts; null for whatever they hold. */
    aggregateId: bigint('aggregate_id', { mode: 'number' }),
    isDefault: boolean('is_default').notNull(),
    /** Null without a bound. */
    most: bigint('most', { mode: 'number' }),
    used: bigint('used', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ name: 'quota_uses_pkey', columns: [table.id] }),
    unique('quota_uses_zone_key')
      .on(table.projectId, table.resourceClassId, table.consumerTypeId, table.userId, table.aggregateId)
      .nullsNotDistinct(),
    // The first of it says whether there are quotas, and whether one is for an aggregate.
    index('quota_uses_aggregate_idx').on(table.aggregateId),
  ],
);

/** The project above another, whose quotas bound both together. */
export const projectParents = pgTable(
  'project_parents',
  { projectId: bigint('project_id', { mode: 'number' }).notNull(), parentId: bigint('parent_id', { mode: 'number' }).notNull() },
  (table) => [
    primaryKey({ name: 'project_parents_pkey', columns: [table.projectId] }),
    index('project_parents_parent_idx').on(table.parentId),
  ],
);

/** How many claims were refused in a minute, by code. */
export const refusedClaims = pgTable(
  'refused_claims',
  {
    at: timestamp('at', { withTimezone: true }).notNull(),
    code: text('code').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ name: 'refused_claims_pkey', columns: [table.at, table.code] })],
);

/** The cloud at a minute: rows of `[isShared, resourceClassName, providers, total, reserved, capacity, used]`. */
export const usageSamples = pgTable('usage_samples', { at: sampledAt(), totals: jsonb('totals').notNull() });
