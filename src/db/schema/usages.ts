// The tables of sums and counts; the tables that they sum are in schema.ts.
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { sampledAt } from './columns.ts';

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
