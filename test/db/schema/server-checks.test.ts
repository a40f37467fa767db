// Servers as gateways find them: with settings that nobody wants, and behind poolers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { runAudit } from '../../../src/commands/audit.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { openDatabase } from '../../../src/db/sql/client.ts';
import { sessionSettings } from '../../../src/db/sql/session-settings.ts';
import { forestOf } from '../../../src/operations/forest/forest.ts';
import { socketOf, useDatabase } from '../../support/database.ts';
import { nextRelease } from '../../support/next-release.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
/** One whose settings nobody changes. */
const usual = useDatabase();

describe('a database with hostile settings', () => {
  const hostile: Record<string, string> = {
    DateStyle: 'SQL, DMY',
    IntervalStyle: 'sql_standard',
    TimeZone: 'Asia/Kathmandu',
    array_nulls: 'off',
    bytea_output: 'escape',
    default_transaction_isolation: 'serializable',
    default_transaction_read_only: 'on',
    extra_float_digits: '-10',
    standard_conforming_strings: 'off',
    synchronous_commit: 'off',
    transform_null_equals: 'on',
    jit: 'on',
    jit_above_cost: '0',
    cpu_operator_cost: '1000',
    enable_bitmapscan: 'off',
    enable_hashagg: 'off',
    enable_indexscan: 'off',
    enable_indexonlyscan: 'off',
    enable_nestloop: 'off',
    from_collapse_limit: '1',
    join_collapse_limit: '1',
    plan_cache_mode: 'force_custom_plan',
    random_page_cost: '1000000',
    work_mem: '64kB',
    idle_in_transaction_session_timeout: '1',
    idle_session_timeout: '1',
    lock_timeout: '1',
    statement_timeout: '1',
    search_path: 'nowhere',
  };

  test('is migrated, read and written like any other', async () => {
    const { database: name } = socketOf(database.target);
    for (const [setting, value] of Object.entries(hostile)) {
      await database.own.unsafe(`alter database ${name} set ${setting} = ${setting === 'search_path' ? value : `'${value}'`}`);
    }
    await migrate(database.target, { release: nextRelease() });
    const db = openDatabase(database.target);
    try {
      const set = await db.writes<{ name: string; setting: string }[]>`
        select name, setting from pg_settings where source not in ('client', 'default', 'configuration file', 'command line', 'override')`;
      expect(set.map(({ name: setting }) => setting)).toEqual(['jit_above_cost']);
      const seed = createSeed(db);
      await seed.provider('cn1', {
        inventories: { VCPU: { total: 8, allocationRatio: 1.1 }, CUSTOM_GOLD: 2 },
        traits: ['CUSTOM_T'],
        aggregates: ['rack'],
      });
      await seed.provider('child', { parent: 'cn1' });
      for (let index = 0; index < 8; index++) await seed.claim(`vm${index}`, { cn1: { VCPU: 1 } });
      await expect(seed.claim('one too many', { cn1: { VCPU: 1 } })).rejects.toThrow('CAPACITY_EXCEEDED');
      expect((await forestOf(db).current()).findByUuid(uuidOf('cn1'))?.state.provider.name).toBe('cn1');
      const [row] =
        await db.sql`select allocation_ratio as ratio, i.created_at::text as at from inventories i join resource_classes c on c.id = i.resource_class_id
        where c.name = 'VCPU'`;
      expect(row).toEqual({ ratio: 1.1, at: expect.stringMatching(/^\d{4}-\d\d-\d\d .*\+00$/) });
      expect(await runAudit(db, () => {})).toMatchObject({ differences: 0 });
    } finally {
      await db.close();
    }
  });

  test('has no setting that our sessions do not override', () => {
    expect(Object.keys(sessionSettings)).toEqual(
      expect.arrayContaining(Object.keys(hostile).filter((name) => !['jit_above_cost', 'search_path'].includes(name))),
    );
  });
});

test('risky settings of a server that a session cannot override are logged', async () => {
  const lines: string[] = [];
  await migrate(database.target, { release: nextRelease(), warn: (line) => lines.push(line) });
  expect(lines).toContain('fsync is off in Postgres: a crash of the machine can destroy the database');
});

describe('PgBouncer', () => {
  const program = '/usr/sbin/pgbouncer';
  const isInstalled = spawnSync(program, ['--version']).status === 0;
  const directory = mkdtempSync(join(tmpdir(), 'placement-pooler-'));
  let running: ChildProcess | undefined;
  afterEach(async () => {
    if (!running) return;
    const gone = once(running, 'exit');
    running.kill('SIGKILL');
    await gone;
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  async function startPooler(port: number, options: string, { target } = database): Promise<string> {
    const { socketDirectory, port: serverPort, database: name } = socketOf(target);
    const { uid, gid } = statSync(join(socketDirectory, `.s.PGSQL.${serverPort}`));
    const file = join(directory, `${port}.ini`);
    const place = `host=${socketDirectory} port=${serverPort} user=placement`;
    writeFileSync(
      file,
      `[databases]\n* = ${place}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\n${options}\n`,
    );
    chmodSync(directory, 0o755);
    running = spawn(program, [file], { uid, gid, stdio: 'ignore' });
    await expect.poll(() => isListening(port)).toBe(true);
    return `postgres://placement@127.0.0.1:${port}/${name}`;
  }

  const isListening = (port: number) =>
    new Promise((resolve) => {
      const socket = dial(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });

  const ignored = `ignore_startup_parameters = ${['search_path', ...Object.keys(sessionSettings)].map((name) => name.toLowerCase()).join(',')}`;

  const notTested = () => process.stderr.write('\nNOT TESTED: PgBouncer is not installed (apt-get install pgbouncer)\n');

  test('in session mode serves a gateway that knows of it, whose sessions have their settings all the same', async () => {
    if (!isInstalled) return void notTested();
    const url = `${await startPooler(20_000 + (process.pid % 20_000), 'pool_mode = session', usual)}?pooler=session`;
    await migrate({ url });
    const db = openDatabase({ url });
    try {
      await createSeed(db).provider('pooled', { inventories: { VCPU: 8 } });
      expect((await forestOf(db).current()).findByUuid(uuidOf('pooled'))?.inventoryOf(0)?.total).toBe(8);
      const shown = await Promise.all(
        [db.sql, db.writes, db.sql, db.writes].map((sql) => sql`select current_setting('jit') as jit, pg_sleep(0.1)`),
      );
      expect(shown.map(([row]) => row?.jit)).toEqual(['off', 'off', 'off', 'off']);
    } finally {
      await db.close();
    }
  });

  test('in transaction mode is refused even if the settings say session mode', async () => {
    if (!isInstalled) return void notTested();
    const url = `${await startPooler(20_000 + (process.pid % 20_000), 'pool_mode = transaction', usual)}?pooler=session`;
    await expect(migrate({ url })).rejects.toThrow(/there is a pooler, such as PgBouncer/);
  });

  test.each([
    ['in transaction mode', 'pool_mode = transaction'],
    ['in transaction mode, told to drop settings', `pool_mode = transaction\n${ignored}`],
    ['in session mode, told to drop settings', `pool_mode = session\n${ignored}`],
  ])('%s is refused with a message that says what to do', async (_mode, options) => {
    if (!isInstalled) return void notTested();
    const url = await startPooler(20_000 + (process.pid % 20_000), options);
    await expect(migrate({ url })).rejects.toThrow(/there is a pooler, such as PgBouncer, .*: connect to Postgres itself/);
  });
});
