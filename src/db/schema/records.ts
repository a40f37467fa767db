// The table of what services keep about things of their own; the others are in schema.ts.
import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { updatedAt } from './columns.ts';

/** Data that another service keeps about something of its own, with a kind and name of its own; the uuid may be a provider's. */
export const records = pgTable(
  'records',
  {
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    uuid: uuid('uuid').notNull(),
    body: jsonb('body').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'records_pkey', columns: [table.kind, table.name] }),
    unique('records_uuid_key').on(table.kind, table.uuid),
    // Searches for hosts, for their devices or near members of a group, and writes of providers read these. Long bodies make each scan slow.
    index('records_failed_builds_idx').on(table.kind).where(sql`body ? 'failedBuilds'`),
    index('records_shared_storage_idx').on(table.uuid).where(sql`body ? 'hasSharedStorage'`),
    index('records_host_idx').on(table.kind, sql`(body ->> 'host')`).concurrently(),
    index('records_pools_idx').on(table.kind).where(sql`body ? 'pools'`).concurrently(),
  ],
);
