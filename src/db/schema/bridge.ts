// The tables of the bridge to another Placement. They hold no truth of the ledger: who leads, what may differ between both sides, and who works on it.
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, doublePrecision, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { id } from './columns.ts';

/** One row, from the first start of a gateway in front of another Placement on. */
export const bridge = pgTable(
  'bridge',
  {
    id: integer('id').notNull().default(1),
    /** Of the other Placement. */
    url: text('url').notNull(),
    /**
     * following: the other Placement decides, and this ledger follows. leading: the other way round. toLeading, toFollowing: writes wait for the switch. passing: requests
     * are only passed on. ended: the other Placement is left behind. The row stays, so that no gateway begins to follow again.
     */
    mode: text('mode').notNull(),
    /** Raised with each change of the mode. */
    epoch: bigint('epoch', { mode: 'number' }).notNull().default(1),
    /** When a switch is given up; null unless writes wait for one. */
    until: timestamp('until', { withTimezone: true }),
    /** The process that carries changes from one side to the other; it loses that when `carrier_until` has passed. */
    carrier: uuid('carrier'),
    /** Raised with each other carrier. */
    carrierEpoch: bigint('carrier_epoch', { mode: 'number' }).notNull().default(0),
    carrierUntil: timestamp('carrier_until', { withTimezone: true }),
    /** The position in the feed of events up to which the other Placement has all changes; null before this ledger has led. */
    cursor: text('cursor'),
    /** When everything was last compared. */
    comparedAt: timestamp('compared_at', { withTimezone: true }),
  },
  (table) => [
    primaryKey({ name: 'bridge_pkey', columns: [table.id] }),
    check('bridge_id', sql`id = 1`),
    check('bridge_mode', sql`mode in ('following', 'toLeading', 'leading', 'toFollowing', 'passing', 'ended')`),
  ],
);

/** Objects that a request to the other Placement may change, or has changed, and that were not read back since. */
export const bridgeNotes = pgTable(
  'bridge_notes',
  {
    id: id().generatedAlwaysAsIdentity(),
    noun: text('noun').notNull(),
    /** A uuid or a name. */
    key: text('key').notNull(),
    /** The process that passes on the request; null when it has the answer. */
    gateway: uuid('gateway'),
    notedAt: timestamp('noted_at', { withTimezone: true }).notNull().defaultNow(),
    /** When the object can be read; null while the request is under way. */
    dueAt: timestamp('due_at', { withTimezone: true }),
    /** Of a consumer: what the request has made of it, if the request alone says that (`MadeConsumer`). */
    made: jsonb('made'),
  },
  (table) => [primaryKey({ name: 'bridge_notes_pkey', columns: [table.id] })],
);

/** The last reads that were put to both sides. */
export const bridgeReads = pgTable(
  'bridge_reads',
  {
    id: id().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
    route: text('route').notNull(),
    /** The path with its query, and the microversion. */
    request: text('request').notNull(),
    version: text('version').notNull(),
    /** What only one side says; null if both say the same. */
    difference: text('difference'),
    /** In milliseconds. */
    otherTime: doublePrecision('other_time').notNull(),
    ownTime: doublePrecision('own_time').notNull(),
    /** Of a search: whether the other side offers the first candidate of this one; null for other reads, or if it is not known. */
    choiceFits: boolean('choice_fits'),
    /** Of a search: the share of the other side's candidates that would be fuller than the first one of this side. */
    choiceRank: doublePrecision('choice_rank'),
  },
  (table) => [primaryKey({ name: 'bridge_reads_pkey', columns: [table.id] })],
);

/** The processes that serve, and the last epoch of the bridge that each has seen. */
export const bridgeGateways = pgTable(
  'bridge_gateways',
  {
    gateway: uuid('gateway').notNull(),
    epoch: bigint('epoch', { mode: 'number' }).notNull(),
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ name: 'bridge_gateways_pkey', columns: [table.gateway] })],
);

/** Objects that differ although they were carried over, because the side that follows refused them. */
export const bridgeDifferences = pgTable(
  'bridge_differences',
  {
    noun: text('noun').notNull(),
    key: text('key').notNull(),
    reason: text('reason').notNull(),
    foundAt: timestamp('found_at', { withTimezone: true }).notNull().defaultNow(),
    triedAt: timestamp('tried_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ name: 'bridge_differences_pkey', columns: [table.noun, table.key] })],
);
