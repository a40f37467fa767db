// Examination. Migrations beside those who read for hours: a dump, which holds every table from its first moment to its last, and a report in one
// transaction. Nobody is ended for a migration, and nobody waits long because of one. The dump is what pg_dump does, by hand: the embedded Postgres has no
// pg_dump, and that of a distribution refuses newer servers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReservedSql } from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDatabaseVersion } from '../../../src/db/schema/database-version.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { readRelease } from '../../../src/db/schema/release.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { nextRelease } from '../../support/next-release.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const release = readRelease();
/** Longer than a migration waits for a table, with room for a slow machine; shorter than anybody waits for a lock. */
const longestWait = 2000;

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
let lines: string[];
let readers: ReservedSql[];
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  lines = [];
  readers = [];
  await seed.provider('cn1', { inventories: { VCPU: 100_000 } });
  await seed.claim('before', { cn1: { VCPU: 1 } });
});
afterEach(async () => {
  await endReaders();
  await database.drop();
});

async function endReaders(): Promise<void> {
  for (const reader of readers.splice(0)) {
    await reader`commit`;
    reader.release();
  }
}

const migrateTo = (next: ReturnType<typeof nextRelease>) =>
  migrate(database.target, { release: next, report: (line) => void lines.push(line) });
const versionNow = async () => (await readDatabaseVersion(database.db.sql))?.version;

async function openReader(): Promise<ReservedSql> {
  const reader = await database.own.reserve();
  readers.push(reader);
  await reader`begin isolation level repeatable read read only`;
  return reader;
}

const tablesOf = async (reader: ReservedSql) =>
  (
    await reader<{ name: string }[]>`
      select oid::regclass::text as name from pg_class where relnamespace = 'placement'::regnamespace and relkind in ('r', 'p') order by oid`
  ).map(({ name }) => name);

/** Begins a dump as pg_dump does: one snapshot, and a lock on every table, chunks included. Returns how the tables are copied. */
async function beginDump(): Promise<() => Promise<Record<string, number>>> {
  const reader = await openReader();
  const tables = await tablesOf(reader);
  expect(tables.length).toBeGreaterThan(20);
  await reader.unsafe(`lock table ${tables.join(', ')} in access share mode`);
  return async () => {
    const counts: Record<string, number> = {};
    for (const table of tables) counts[table] = (await reader.unsafe(`select * from only ${table}`)).length;
    return counts;
  };
}

/** Begins a report: all tables are read, and the transaction stays open. */
async function beginReport(): Promise<() => Promise<number>> {
  const reader = await openReader();
  for (const table of await tablesOf(reader)) await reader.unsafe(`select count(*) from ${table}`);
  return async () => (await reader`select from allocations`).length;
}

/** Every kind of write and of read, one after the other, for as long. Returns how often each was done and the longest time of each. */
async function goOn(milliseconds: number) {
  const { db } = database;
  const host = uuidOf('cn1');
  const kinds: Record<string, (turn: number) => Promise<unknown>> = {
    claim: (turn) => seed.claim(`consumer ${turn}`, { cn1: { VCPU: 1 } }),
    'parts of a provider': (turn) =>
      seed.write('replace_traits', { provider: host, expect: {}, traits: turn % 2 ? ['HW_CPU_X86_AVX2'] : [] }),
    'a tree': (turn) => seed.write('create_resource_provider', { uuid: uuidOf(`new ${turn}`), name: `new ${turn}` }),
    names: (turn) => seed.write('create_trait', { name: `CUSTOM_T${turn}` }),
    'a list': () => query(db, '{ resourceProviders(first: 5) { nodes { name inventories { used } traitNames aggregates { uuid } } } }'),
    'a search': () =>
      query(db, '{ allocationCandidates(input: { groups: { resources: [{ resourceClass: "VCPU", amount: 1 }] } }) { truncated } }'),
  };
  const longest: Record<string, number> = {};
  const until = performance.now() + milliseconds;
  let turn = 0;
  for (; performance.now() < until; turn++) {
    for (const [kind, work] of Object.entries(kinds)) {
      const begun = performance.now();
      await work(turn);
      longest[kind] = Math.max(longest[kind] ?? 0, performance.now() - begun);
    }
    await sleep(5);
  }
  return { turns: turn, longest };
}

async function expectGoneOnDuring(milliseconds: number): Promise<number> {
  const { turns, longest } = await goOn(milliseconds);
  for (const [kind, time] of Object.entries(longest)) expect({ kind, isQuick: time < longestWait }).toEqual({ kind, isQuick: true });
  return turns;
}

const isInUse = /^waiting as long as it takes: the tables are in use by process \d+ \(postgres.js\), whose transaction began at /;

test('while the migration in which the keys of allocations go waits for a claim, it keeps off no reads', async () => {
  await database.own`
    alter table allocations add constraint allocations_consumer_fkey foreign key (consumer_id) references consumers,
      add constraint allocations_inventory_fkey foreign key (resource_provider_id, resource_class_id) references inventories`;
  const [ofReservations] = release.migrations.filter(({ tag }) => tag.endsWith('_reservations'));
  const statements = (ofReservations?.statements ?? '')
    .split('--> statement-breakpoint')
    .filter((statement) => /^(ALTER|LOCK) TABLE "(consumers|inventories|allocations)"/m.test(statement))
    .join('\n')
    .replace('"reservation_id"', '"more_id"')
    .replace('"promised"', '"more"');
  const writer = await database.own.reserve();
  await writer`begin`;
  await writer`update consumers set generation = generation + 1`;
  const migrated = migrateTo(nextRelease({ statements }));
  // A read that takes allocations first would otherwise wait for consumers, and the migration for that read.
  await expect
    .poll(() => database.own`select mode from pg_locks where not granted and relation = 'consumers'::regclass`)
    .toEqual([{ mode: 'ExclusiveLock' }]);
  await writer`commit`;
  writer.release();
  await migrated;
  expect(await database.own`select from pg_constraint where conrelid = 'allocations'::regclass and contype = 'f'`).toHaveLength(0);
  await seed.claim('after', { cn1: { VCPU: 1 } });
});

describe('beside a dump and a report that never end', () => {
  test('a release that brings functions and new tables is ready at once', async () => {
    const dump = await beginDump();
    const report = await beginReport();
    await migrateTo(nextRelease({ statements: 'create table more (id bigint, provider bigint references resource_providers)' }));
    expect(await versionNow()).toBe(release.version + 1);
    await expectGoneOnDuring(300);
    expect([await report(), (await dump()).allocations]).toEqual([1, 1]);
    await expectSoundLedger(database.db);
  });

  test('one that alters tables waits in short steps that block nothing, and finishes when they have ended', async () => {
    const dump = await beginDump();
    const report = await beginReport();
    const before = await dump();
    const migrated = migrateTo(nextRelease());
    const turns = await expectGoneOnDuring(6000);
    expect(turns).toBeGreaterThan(10);
    expect(lines).toEqual([expect.stringMatching(isInUse)]);
    expect(await versionNow()).toBe(release.version);
    // They were not disturbed, and still see what was there when they began.
    expect([await report(), await dump()]).toEqual([1, before]);

    await endReaders();
    await migrated;
    expect(await versionNow()).toBe(release.version + 1);
    expect(await database.own`select note from resource_providers where name = 'cn1'`).toEqual([{ note: 'none' }]);
    await seed.claim('after', { cn1: { VCPU: 1 } });
    await expectSoundLedger(database.db);
  });

  test('a dump that starts while a migration retries gets its locks between the attempts', async () => {
    await beginReport();
    const migrated = migrateTo(nextRelease());
    await expect.poll(() => lines.length).toBe(1);
    const times: number[] = [];
    for (let count = 0; count < 3; count++) {
      const begun = performance.now();
      const dump = await beginDump();
      times.push(performance.now() - begun);
      expect((await dump()).allocations).toBe(1);
      await sleep(300);
    }
    expect(Math.max(...times)).toBeLessThan(longestWait);
    await endReaders();
    await migrated;
    expect(await versionNow()).toBe(release.version + 1);
  });

  test('an index that is created concurrently is complete once they have ended, and nobody waits for it', async () => {
    const index = [
      'DROP INDEX CONCURRENTLY IF EXISTS "users_created_idx";',
      'CREATE INDEX CONCURRENTLY "users_created_idx" ON "users" USING btree ("created_at");',
    ].join('--> statement-breakpoint\n');
    const next = nextRelease({ statements: 'create table more (id bigint)' });
    await beginDump();
    await beginReport();
    const migrated = migrateTo({ ...next, migrations: [...next.migrations, { tag: '9999_later_index', statements: index }] });
    await expectGoneOnDuring(3000);
    expect(await versionNow()).toBe(release.version);
    await endReaders();
    await migrated;
    expect(await versionNow()).toBe(next.version);
    expect(await database.own`select indisvalid from pg_index where indexrelid = 'users_created_idx'::regclass`).toEqual([
      { indisvalid: true },
    ]);
  });
});
