// Migrations as they happen in a cloud that does not stop: many gateways at once, older ones beside newer ones, tables in use.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readDatabaseVersion, reasonNotToServe } from '../../../src/db/schema/database-version.ts';
import { type MigrateOptions, migrate } from '../../../src/db/schema/migrate.ts';
import { readRelease } from '../../../src/db/schema/release.ts';
import { openDatabase } from '../../../src/db/sql/client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { nextRelease } from '../../support/next-release.ts';
import { createSeed } from '../../support/seed.ts';

const release = readRelease();

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
let lines: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  lines = [];
});
afterEach(() => database.drop());

const migrateTo = (options: MigrateOptions) => migrate(database.target, { ...options, report: (line) => lines.push(line) });
const schemas = async () =>
  (await database.own<{ name: string }[]>`select nspname as name from pg_namespace where nspname ~ '^placement' order by 1`).map(
    ({ name }) => name,
  );
const claim = (name: string, provider = 'cn1') => seed.claim(name, { [provider]: { VCPU: 1 } });
const usedOf = async (name: string) =>
  (
    await database.own<{ used: string }[]>`
    select used from inventories i join resource_providers p on p.id = i.resource_provider_id where p.name = ${name}`
  )[0]?.used;

test('one of many gateways that start at once migrates an empty database, and the others find it done', async () => {
  const target = { ...database.target, schema: 'elsewhere' };
  await Promise.all(Array.from({ length: 6 }, () => migrate(target, { report: (line) => lines.push(line) })));
  expect(lines.filter((line) => line.includes('is migrated'))).toHaveLength(1);
  const db = openDatabase(target);
  expect(await reasonNotToServe(db.sql, release)).toBeNull();
  await createSeed(db).provider('cn1');
  await db.close();
});

describe('a newer release', () => {
  test('brings its tables and functions, which also serve gateways of this one', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 10 } });
    await migrateTo({ release: nextRelease() });
    await claim('one');
    expect(await usedOf('cn1')).toBe('1');
    expect(await database.own`select note from resource_providers`).toEqual([{ note: 'none' }]);
    const [{ steps } = { steps: '' }] = await database.own<{ steps: string }[]>`
      select count(*)::text as steps from pg_proc where proname ~ '_1_later$'`;
    expect(Number(steps)).toBeGreaterThan(50);
  });

  test('is not downgraded by a gateway of this one that starts again and uses what it finds', async () => {
    await migrateTo({ release: nextRelease() });
    const before = await readDatabaseVersion(database.db.sql);
    lines = [];
    await migrateTo({});
    expect(lines).toEqual([
      `the database is newer than this release (version ${release.version + 1}, ${release.version} here): used as it is`,
    ]);
    expect(await readDatabaseVersion(database.db.sql)).toEqual(before);
    expect(await reasonNotToServe(database.db.sql, release)).toBeNull();
  });

  test('that no longer serves this one is recognized', async () => {
    const next = nextRelease({ versions: 2, oldestServed: release.version + 1 });
    await migrateTo({ release: next });
    await expect(migrateTo({})).rejects.toThrow(
      `the database is too new for this release: it is at version ${next.version}, which serves releases from version ${release.version + 1}`,
    );
    expect(await reasonNotToServe(database.db.sql, release)).toContain('too new for this release');
  });

  test('keeps the functions for a write in progress that started with them', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 10 } });
    const holder = await database.own.reserve();
    await holder`begin`;
    await holder`select from resource_providers for no key update`;
    // Over a connection that waits as long as it must.
    const waiting = createSeed({ ...database.db, writes: database.own }).claim('one', { cn1: { VCPU: 1 } });
    await expect
      .poll(
        async () =>
          (await database.own`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length,
      )
      .toBeGreaterThan(0);
    await migrateTo({ release: nextRelease({ statements: 'create table more (id bigint)' }) });
    await holder`commit`;
    holder.release();
    await waiting;
    await claim('two');
    expect(await usedOf('cn1')).toBe('2');
  });

  test('removes the functions of all releases but the previous one', async () => {
    const first = await schemas();
    for (const versions of [1, 2, 3]) await migrateTo({ release: nextRelease({ versions }) });
    expect(first).toHaveLength(2);
    expect(await schemas()).toEqual(['placement', 'placement_functions_22222222', 'placement_functions_33333333']);
  });
});

test('a database of a build that is not older than this one stays unchanged', async () => {
  await database.own`insert into schema_migrations (tag) values ('0099_of_another_branch')`;
  await database.own`update schema_versions set digest = 'another'`;
  await expect(migrateTo({})).rejects.toThrow('a build that this one does not know (0099_of_another_branch)');
});

test('an index is created once, while others write, whichever gateway starts', async () => {
  const index = [
    'DROP INDEX CONCURRENTLY IF EXISTS "users_created_idx";',
    'CREATE INDEX CONCURRENTLY "users_created_idx" ON "users" USING btree ("created_at");',
  ].join('--> statement-breakpoint\n');
  const next = nextRelease();
  const migrations = [...next.migrations, { tag: '9999_later_index', statements: index }];
  const writer = await database.own.reserve();
  await writer`begin`;
  await writer`delete from users`;
  const migrated = Promise.all([1, 2, 3].map(() => migrateTo({ release: { ...next, migrations } })));
  await sleep(1500);
  await writer`commit`;
  writer.release();
  await migrated;
  expect(await readDatabaseVersion(database.db.sql)).toMatchObject({
    version: next.version,
    migrations: expect.arrayContaining(['9999_later', '9999_later_index']),
  });
  expect(await database.own`select indisvalid from pg_index where indexrelid = 'users_created_idx'::regclass`).toEqual([
    { indisvalid: true },
  ]);
});

describe('a migration that has to wait', () => {
  const holdTable = async () => {
    const holder = await database.own.reserve();
    await holder`begin`;
    await holder`select from resource_providers`;
    return async () => {
      await holder`commit`;
      holder.release();
    };
  };

  /** Longer than a busy machine needs for a migration. The clock of the gateways is put forward instead. */
  const hour = 3_600_000;
  const said = (line: RegExp) => expect.poll(() => lines).toContainEqual(expect.stringMatching(line));
  const putClockForward = () => {
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + hour);
  };
  afterEach(() => void vi.restoreAllMocks());

  test('says for what and for how long, and gives up at its time limit', async () => {
    const release = await holdTable();
    const before = await readDatabaseVersion(database.db.sql);
    const refused = expect(migrateTo({ release: nextRelease(), patience: hour })).rejects.toThrow(
      /^gave up after 3600 seconds: the tables are in use by process \d+ /,
    );
    await said(/^waiting for at most 3600 seconds: the tables are in use by process \d+ .* began at /);
    putClockForward();
    await refused;
    vi.restoreAllMocks();
    expect(lines).toHaveLength(1);
    await release();
    expect(await readDatabaseVersion(database.db.sql)).toEqual(before);
  });

  test('continues when the tables are free before its time limit', async () => {
    const release = await holdTable();
    const migrated = migrateTo({ release: nextRelease(), patience: hour });
    await said(/^waiting for at most 3600 seconds: /);
    await release();
    await migrated;
    expect(lines.at(-1)).toMatch(/ is migrated /);
  });

  test('gives up an index, too, whether it or another gateway creates it', async () => {
    const index = [
      'DROP INDEX CONCURRENTLY IF EXISTS "users_created_idx";',
      'CREATE INDEX CONCURRENTLY "users_created_idx" ON "users" USING btree ("created_at");',
    ].join('--> statement-breakpoint\n');
    const next = nextRelease({ statements: 'create table more (id bigint)' });
    const release = { ...next, migrations: [...next.migrations, { tag: '9999_later_index', statements: index }] };
    const writer = await database.own.reserve();
    await writer`begin`;
    await writer`delete from users`;
    await expect(migrateTo({ release, patience: 1000 })).rejects.toThrow(
      /^gave up after 1 seconds: an index is created \(9999_later_index\)/,
    );
    const creating = migrateTo({ release, patience: hour });
    await said(/^waiting for at most 3600 seconds: an index is created /);
    const refused = expect(migrateTo({ release, patience: hour })).rejects.toThrow(
      /^gave up after 3600 seconds: another gateway creates an index$/,
    );
    await said(/^waiting for at most 3600 seconds: another gateway creates an index$/);
    putClockForward();
    await refused;
    vi.restoreAllMocks();
    await writer`commit`;
    writer.release();
    await creating;
    expect(await database.own`select indisvalid from pg_index where indexrelid = 'users_created_idx'::regclass`).toEqual([
      { indisvalid: true },
    ]);
  });
});

test('a migration that fails changes nothing', async () => {
  const before = await readDatabaseVersion(database.db.sql);
  await expect(migrateTo({ release: nextRelease({ statements: 'create table more (); select 1 / 0' }) })).rejects.toThrow(
    'division by zero',
  );
  expect(await readDatabaseVersion(database.db.sql)).toEqual(before);
  expect(await database.own`select to_regclass('more') as more`).toEqual([{ more: null }]);
});
