// The invariants of the database after any history, asserted only from the rows and events, so that they can be checked after any
// test of writes. Knows the tables; deliberately uses the product's sums and pointers only to check them.

import { expect } from 'vitest';
import { findWrongQuotas } from '../../src/db/audit.ts';
import { type DatabaseTarget, type Db, openDatabase } from '../../src/db/sql/client.ts';
import { Refusal } from '../../src/domain/errors.ts';
import type { Changes, SubjectChange } from '../../src/domain/event.ts';
import { plainIdentity } from '../../src/domain/identity.ts';
import { releaseAllocations } from '../../src/operations/allocations/allocation-writes.ts';
import { Scope } from '../../src/operations/scope/scope.ts';
import { canonical, type State } from '../torture/history.ts';
import { readTables } from '../torture/ledger-rows.ts';

/** The scope of a request of the administrator. */
export function scopeOf(db: Db, requestId = 'req-test'): Scope {
  return new Scope({ db, identity: plainIdentity('noauth', 'admin', 'admin', ['admin']), requestId });
}

/**
 * Fails if the ledger is inconsistent: consumers without allocations, `used` that is not the sum of the allocations,
 * roots that are not the top of their chain of parents, cycles, or events that do not lead to the state of the tables.
 * `acknowledged`: event ids that callers received; all must exist and be different.
 */
export async function expectSoundLedger(db: Db, acknowledged: readonly number[] = []): Promise<void> {
  expect(await faultsOfRows(db)).toEqual([]);
  expect(await replayFaults(db)).toEqual([]);
  expect((await findWrongQuotas(db)).examples).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  const there = await db.sql<{ id: number }[]>`select id::int as id from events where id = any(${[...acknowledged]}::bigint[])`;
  expect(there.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([...acknowledged].sort((a, b) => a - b));
}

/** Checks the ledger after a test, and releases all consumers. */
export async function clearSoundLedger(db: Db): Promise<void> {
  await expectSoundLedger(db);
  const consumers = await db.sql<{ consumer: string }[]>`select uuid as consumer from consumers`;
  if (consumers.length === 0) return;
  await releaseAllocations(scopeOf(db), { consumers: consumers.map(({ consumer }) => ({ consumer, expect: { unchecked: true } })) });
}

/** The number of events. */
export async function countEvents(db: Db): Promise<number> {
  const [row] = await db.sql<{ count: number }[]>`select count(*)::int as count from events`;
  return row?.count ?? 0;
}

/** These are committed before the write that needs them, so that no write waits for another to name its project. They stay when that write is refused. */
export const committedAhead: readonly string[] = ['projects', 'users', 'consumer_types'];

/** Every row of every table, in a stable order: a refused write must not change it. */
export async function dumpTables(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = any(current_schemas(false)) and table_type = 'BASE TABLE' order by 1`;
  const dump: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !committedAhead.includes(table.name))) {
    const rows = await db.sql<{ row: string }[]>`select t::text as row from ${db.sql(name)} t order by 1`;
    dump[name] = rows.map(({ row }) => row);
  }
  return dump;
}

/** The refusal of a write, without its message. Fails if the write is not refused, or changes anything. */
export async function refusalOf(
  db: Db,
  write: () => Promise<unknown>,
): Promise<{ code: string; path: readonly string[]; details: object }[]> {
  const before = await dumpTables(db);
  const outcome = await write().catch((error: unknown) => error);
  if (!(outcome instanceof Refusal)) throw new Error(`not refused: ${JSON.stringify(outcome)}`, { cause: outcome });
  expect(await dumpTables(db)).toEqual(before);
  return outcome.problems.map(({ code, path, message: _message, retry: _retry, ...details }) => ({ code, path, details }));
}

/** The newest event, as `events` returns it. */
export async function newestEvent(db: Db): Promise<{ kind: string; user: string; project: string; requestId: string; changes: Changes }> {
  const [event] = await db.sql<{ kind: string; user: string; project: string; requestId: string; changes: Changes }[]>`
    select kind, user_external_id as "user", project_external_id as project, request_id as "requestId", changes
    from events order by id desc limit 1`;
  if (!event) throw new Error('no event exists');
  return event;
}

/**
 * Runs work with a separate handle with many write connections, and returns the number of deadlocks that the server counted meanwhile.
 * Sessions report their counts when they end, so it closes them and waits.
 */
export async function countDeadlocks(target: DatabaseTarget, work: (db: Db) => Promise<unknown>): Promise<number> {
  const observer = openDatabase(target, { readConnections: 1 });
  try {
    const before = await deadlocksSoFar(observer);
    // Long timeouts: on a busy machine the writes of a storm wait long for each other, and for their connections.
    const deadlines = { connect: 30_000, wait: 60_000 };
    const db = openDatabase(target, { writeConnections: 16, lockTime: 20_000, applicationName: 'storm', deadlines });
    try {
      await work(db);
    } finally {
      await db.close();
    }
    return (await deadlocksSoFar(observer)) - before;
  } finally {
    await observer.close();
  }
}

async function deadlocksSoFar({ sql }: Db): Promise<number> {
  for (;;) {
    const [open] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'storm'`;
    if (open?.count === 0) break;
  }
  const [row] = await sql<{ count: number }[]>`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`;
  return row?.count ?? 0;
}

/** Faults that must not occur in any snapshot. */
export async function faultsOfRows(db: Db): Promise<string[]> {
  const rows = await db.sql<{ fault: string }[]>`
    with recursive trees as (
      select p.id, p.id as root from resource_providers p where p.parent_provider_id is null
      union all
      select child.id, trees.root from resource_providers child join trees on child.parent_provider_id = trees.id
    )
    select 'consumer without allocations: ' || c.uuid as fault
    from consumers c where not exists (select from allocations a where a.consumer_id = c.id)
    union all
    select 'consumer without project, user or type: ' || c.uuid from consumers c
    where not exists (select from projects p where p.id = c.project_id) or not exists (select from users u where u.id = c.user_id)
       or c.consumer_type_id is not null and not exists (select from consumer_types t where t.id = c.consumer_type_id)
    union all
    select 'allocation without consumer or inventory: ' || a::text from allocations a
    where not exists (select from consumers c where c.id = a.consumer_id)
       or not exists (select from inventories i where (i.resource_provider_id, i.resource_class_id) = (a.resource_provider_id, a.resource_class_id))
    union all
    select 'used is not the sum of the allocations: ' || i::text from inventories i
    where i.used <> (select coalesce(sum(a.used), 0) from allocations a
      where (a.resource_provider_id, a.resource_class_id) = (i.resource_provider_id, i.resource_class_id))
    union all
    select 'usage of a project is not what its consumers hold: ' || wrong::text from (
      select project_id, user_id, consumer_type_id, resource_class_id, sum(held) as held, sum(kept) as kept from (
        select project_id, user_id, consumer_type_id, null::int as resource_class_id, 1 as held, 0 as kept from consumers
        union all
        select c.project_id, c.user_id, c.consumer_type_id, a.resource_class_id, a.used, 0 from allocations a join consumers c on c.id = a.consumer_id
        union all
        select project_id, user_id, consumer_type_id, resource_class_id, 0, amount from project_usages
      ) rows group by 1, 2, 3, 4 having sum(held) <> sum(kept)
    ) wrong    union all
    select 'in a loop of parents: ' || p.name from resource_providers p where not exists (select from trees where trees.id = p.id)
    union all
    select 'root is not the top of its parents: ' || p.name from resource_providers p join trees using (id) where p.root_provider_id <> trees.root
    union all
    select distinct 'event that cannot be found: ' || e.id from events e cross join unnest(e.consumer_uuids || e.provider_uuids) named
    where not exists (select from event_subjects s where s.subject = named and s.event_id = e.id)`;
  return rows.map(({ fault }) => fault);
}

/** Replays all events in order: each must start from the state that its subject's previous event left, and the last must match the tables. */
async function replayFaults(db: Db): Promise<string[]> {
  const faults: string[] = [];
  const replayed = { providers: new Map<string, State>(), consumers: new Map<string, State>() };
  const events = await db.sql<{ id: number; changes: Changes }[]>`select id::int as id, changes from events order by id`;
  for (const { id, changes } of events) {
    for (const noun of ['providers', 'consumers'] as const) {
      for (const [uuid, change] of Object.entries(changes[noun] ?? {})) {
        const known = replayed[noun].get(uuid) ?? null;
        if (!beginsAt(known, change)) faults.push(`event ${id} does not begin where ${uuid} was: ${JSON.stringify([known, change])}`);
        if (change.after === null) replayed[noun].delete(uuid);
        else {
          const { expiresAt = null, reservation = null, ...state } = { ...known, ...change.after };
          const passing = { ...(expiresAt !== null && { expiresAt }), ...(reservation !== null && { reservation }) };
          replayed[noun].set(uuid, { ...state, ...passing });
        }
      }
    }
  }
  const tables = await readTables(db.sql);
  for (const noun of ['providers', 'consumers'] as const) {
    for (const uuid of new Set([...replayed[noun].keys(), ...tables[noun].keys()])) {
      const [events, rows] = [replayed[noun].get(uuid), tables[noun].get(uuid)].map(canonical);
      if (events !== rows) faults.push(`${noun} ${uuid}: the events say ${events}, the tables say ${rows}`);
    }
  }
  return faults;
}

function beginsAt(known: State | null, { before }: SubjectChange): boolean {
  if (known === null || before === null) return known === before;
  return Object.entries(before).every(([part, value]) => canonical(known[part]) === canonical(value));
}
