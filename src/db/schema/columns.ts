// Columns that many tables have.
import { sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** A 64-bit transaction id: what the change feed compares with a snapshot. */
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });
export const id = () => bigint('id', { mode: 'number' });
export const createdAt = () => timestamp('created_at', { withTimezone: true }).notNull().defaultNow();
export const updatedAt = () => timestamp('updated_at', { withTimezone: true }).notNull().defaultNow();
export const changedXid = () => xid8('changed_xid').notNull().default(sql`pg_current_xact_id()`);

/** The minute of a sample. */
export const sampledAt = () => timestamp('at', { withTimezone: true }).primaryKey();
