// The tables of reservations; what is claimed from one are the consumers that name it (schema.ts).

import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, updatedAt } from './columns.ts';

/** Amounts that are kept for a project from one moment to another. Its row goes once it has ended and nothing is claimed from it any more. */
export const reservations = pgTable(
  'reservations',
  {
    id: id().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull(),
    projectId: bigint('project_id', { mode: 'number' }).notNull(),
    generation: bigint('generation', { mode: 'number' }).notNull().default(1),
    startsAt: timestamp('starts_at', { withTimezone: true }).notNull(),
    endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'reservations_pkey', columns: [table.id] }),
    unique('reservations_uuid_key').on(table.uuid),
    index('reservations_project_idx').on(table.projectId, table.id),
    index('reservations_ends_idx').on(table.endsAt),
    check('reservations_period', sql`starts_at < ends_at`),
  ],
);

/** The amount of a class that a reservation keeps on a provider. Whoever deletes an inventory looks for them first. */
export const reservationAmounts = pgTable(
  'reservation_amounts',
  {
    reservationId: bigint('reservation_id', { mode: 'number' }).notNull(),
    resourceProviderId: bigint('resource_provider_id', { mode: 'number' }).notNull(),
    resourceClassId: integer('resource_class_id').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ name: 'reservation_amounts_pkey', columns: [table.reservationId, table.resourceProviderId, table.resourceClassId] }),
    index('reservation_amounts_inventory_idx').on(table.resourceProviderId, table.resourceClassId),
    check('reservation_amounts_amount', sql`amount >= 1`),
  ],
);
