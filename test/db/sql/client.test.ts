// Every connection to Postgres: its settings, the faults that it survives, and the values that it transports.
import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { arraysByType } from '../../../src/db/sql/array-types.ts';
import { type Db, forHeavyWork, mainHandleOf, openDatabase, openForWholeTables } from '../../../src/db/sql/client.ts';
import { admissionOf } from '../../../src/db/writes/admission.ts';
import { forestOf } from '../../../src/operations/forest/forest.ts';
import { layCutWire } from '../../support/cut-wire.ts';
import { socketOf, useDatabase } from '../../support/database.ts';
import { layFailingWire } from '../../support/failing-wire.ts';
import { readSourceFiles } from '../../support/source-files.ts';

const database = useDatabase();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('a connection that breaks while it is opened', () => {
  test.each([0, 1, 2, 3])('after %d messages of the server ends nothing but its own statements', async (messages) => {
    const uncaught: unknown[] = [];
    const note = (reason: unknown) => uncaught.push(reason);
    process.on('unhandledRejection', note);
    const wire = await layCutWire(socketOf(database.target));
    const db = openDatabase(wire.target);
    closers.push(
      () => db.close(),
      wire.close,
      async () => process.off('unhandledRejection', note),
    );

    wire.cutAfter(messages);
    const [outcome] = await Promise.allSettled([db.sql`select 1 as one`]);
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ code: expect.stringMatching(/^(NOT_SENT|CONNECTION_CLOSED)$/) });
    wire.cutAfter(null);
    await expect.poll(() => db.sql`select 1 as one`.catch(() => null)).toEqual([{ one: 1 }]);
    expect(uncaught).toEqual([]);
  });
});

test("no statement is compiled, whatever the database's settings: compiling takes longer than any of ours runs", async () => {
  const [{ name } = { name: '' }] = await database.own<{ name: string }[]>`select current_database() as name`;
  await database.own.unsafe(`alter database ${name} set jit = on`);
  const db = openDatabase(database.target);
  closers.push(() => db.close());
  for (const pool of [db.sql, db.writes]) expect(await pool`show jit`).toEqual([{ jit: 'off' }]);
});

test('only statements on whole tables have no time limit', async () => {
  const usual = openDatabase(database.target);
  const patient = openForWholeTables(database.target);
  closers.push(usual.close, patient.close);
  const timeoutOf = async (db: Db) => (await Promise.all([db.sql, db.writes].map((pool) => pool`show statement_timeout`))).flat();
  expect(await timeoutOf(usual)).toEqual([{ statement_timeout: '30s' }, { statement_timeout: '30s' }]);
  expect(await timeoutOf(patient)).toEqual([{ statement_timeout: '0' }, { statement_timeout: '0' }]);
});

test('a statement whose gateway has gone ends within seconds', async () => {
  const wire = await layFailingWire(socketOf(database.target));
  const db = openDatabase(wire.target);
  const lost = db.writes`select pg_sleep(60), 'an orphan'`.catch((error: unknown) => error);
  const orphans = () => database.own`select from pg_stat_activity where query like '%an orphan%' and pid <> pg_backend_pid()`;
  await expect.poll(orphans).toHaveLength(1);
  await wire.close();
  expect(await lost).toMatchObject({ code: 'CONNECTION_CLOSED' });
  await expect.poll(orphans).toHaveLength(0);
  await db.close();
});

describe('the address of a database', () => {
  test('may name several servers, of which one is available', async () => {
    const wires = await Promise.all([0, 1].map(() => layFailingWire(socketOf(database.target))));
    const [gone, there] = wires.map(({ target }) => new URL('url' in target ? target.url : '')) as [URL, URL];
    await wires[0]?.close();
    const url = `postgres://${there.username}@127.0.0.1:${gone.port},127.0.0.1:${there.port}${there.pathname}`;
    await migrate({ url });
    const db = openDatabase({ url });
    closers.push(
      () => db.close(),
      () => wires[1]?.close() ?? Promise.resolve(),
    );
    for (const pool of [db.sql, db.writes]) expect(await pool`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('may require a kind of server: another one is not used, and ends nothing', async () => {
    const wire = await layFailingWire(socketOf(database.target));
    const address = 'url' in wire.target ? wire.target.url : '';
    const [wanted, other] = ['read-write', 'standby'].map((kind) => ({ url: `${address}?target_session_attrs=${kind}` }));
    const [db, refused] = [openDatabase(wanted as { url: string }), openDatabase(other as { url: string })];
    closers.push(
      () => db.close(),
      () => refused.close(),
      () => wire.close(),
    );
    await expect(refused.sql`select 1`).rejects.toMatchObject({
      code: 'NOT_SENT',
      message: expect.stringContaining('target_session_attrs'),
    });
    await expect(migrate(other as { url: string })).rejects.toThrow('target_session_attrs');
    expect(await db.sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

describe('lists', () => {
  test('of every type arrive as they were sent', async () => {
    const noTexts: string[] = [];
    const names = ['plain', 'with "quotes"', 'a,b', '{}', 'back\\slash', 'NULL', '', 'line\nbreak', 'ü'];
    const [row] = await database.own`
      select ${names}::text[] as names, ${noTexts}::text[] as nothing, ${[1, -2]}::int[] as ints, ${[1, 2 ** 40]}::bigint[] as bigints,
        ${[1.5]}::float8[] as floats, ${[null, 'x']}::text[] as gaps,
        ${['10000000-0000-4000-8000-000000000001']}::uuid[] as uuids`;
    expect(row).toEqual({
      names,
      nothing: [],
      ints: [1, -2],
      bigints: ['1', String(2 ** 40)],
      floats: [1.5],
      gaps: [null, 'x'],
      uuids: ['10000000-0000-4000-8000-000000000001'],
    });
  });

  test('of other types occur in no statement of ours', async () => {
    // The first cast says as what a value is sent; those behind it are the server's.
    const written = readSourceFiles().flatMap(({ path, text }) =>
      /^src\/.*\.ts$/.test(path) ? [...text.matchAll(/(?<!\])::(\w+\[\])/g)] : [],
    );
    const sent = written.map(([, type = '']) => type);
    const kept = await database.own<{ type: string }[]>`
      select distinct a.atttypid::regtype::text as type from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      where c.relnamespace = 'placement'::regnamespace and a.attnum > 0 and t.typcategory = 'A'`;
    const known = await database.own<
      { type: string }[]
    >`select unnest(${Object.keys(arraysByType).map(Number)}::int[])::regtype::text as type`;
    const aliases: Record<string, string> = { 'int[]': 'integer[]', 'float8[]': 'double precision[]' };
    const used = new Set([...sent.map((type) => aliases[type] ?? type), ...kept.map(({ type }) => type)]);
    expect(known.map(({ type }) => type)).toEqual(expect.arrayContaining([...used]));
  });
});

describe('reads of heavy work', () => {
  test('are one at a time, and others do not wait for them', async () => {
    const db = openDatabase(database.target, { readConnections: 3 });
    closers.push(() => db.close());
    const heavy = forHeavyWork(db);
    const answered: string[] = [];
    const others = `select count(*)::int as count from pg_stat_activity where state = 'active' and query like '%of heavy work%' and pid <> pg_backend_pid()`;
    const counts = Array.from({ length: 5 }, async () => {
      const [row] = await heavy.sql.unsafe<{ count: number }[]>(`select pg_sleep(0.05), (${others}) as count -- of heavy work`);
      answered.push('heavy');
      return row?.count;
    });
    const light = Array.from({ length: 6 }, async () => {
      await db.sql`select 1`;
      answered.push('light');
    });
    await Promise.all(light);
    expect(await Promise.all(counts)).toEqual([0, 0, 0, 0, 0]);
    expect(answered.slice(-4)).toEqual(Array.from({ length: 4 }, () => 'heavy'));
  });

  test('use a handle of the same database', async () => {
    const db = openDatabase(database.target);
    closers.push(() => db.close());
    const heavy = forHeavyWork(db);
    expect([heavy.writes, mainHandleOf(heavy), mainHandleOf(db), forHeavyWork(heavy)]).toEqual([db.writes, db, db, heavy]);
    expect(forestOf(heavy)).toBe(forestOf(db));
    expect(admissionOf(heavy)).toBe(admissionOf(db));
  });
});

test('a long answer is read in several turns of the event loop', async () => {
  const db = openDatabase(database.target, { readConnections: 1 });
  closers.push(() => db.close());
  await db.sql`select 1`;
  let turns = 0;
  let reading = true;
  const count = () => {
    turns++;
    if (reading) setImmediate(count);
  };
  const answer = db.sql<{ text: string }[]>`select repeat('x', 1000) as text from generate_series(1, 8000)`;
  setImmediate(count);
  expect(await answer).toHaveLength(8000);
  reading = false;
  // 64 KiB at once.
  expect(turns).toBeGreaterThan(100);
});
