// Examination. The order of locks, observed: each operation is stopped by a transaction that holds one thing, and what it holds meanwhile is found by trying
// to lock everything else. Whoever waits for a thing must hold only things that come before it in one order; then nobody waits in a circle.
import { readFileSync } from 'node:fs';
import type { ReservedSql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlState } from '../../../src/db/writes/apply-write.ts';
import { operations, type WriteOperation } from '../../../src/db/writes/operations.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { everyOperation } from '../../support/random-writes.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { by, consumer, held, requests, seedReservations } from './lock-requests.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const seed = createSeed(database.db);
  // An order of ids that is neither that of names nor that of uuids.
  const inventories = { CUSTOM_B: 100, CUSTOM_A: 100, VCPU: 100 };
  for (const name of ['p2', 'p0', 'p1'])
    await seed.provider(name, { inventories, traits: ['CUSTOM_Y', 'CUSTOM_X'], aggregates: ['zone', 'rack'] });
  await seed.provider('child', { parent: 'p0', inventories: { CUSTOM_A: 100 } });
  for (const name of ['c1', 'c0']) await seed.claim(name, { p1: { CUSTOM_A: 1 }, p0: { CUSTOM_B: 1 } }, { project: 'p', user: 'u' });
  await seedReservations(seed);
  await database.own`update consumers set expires_at = now(), reservation_id = (select id from reservations where uuid = ${uuidOf('r0')})`;
  await database.own`update reservations set ends_at = now() where uuid = ${uuidOf('ended')}`;
  for (const what of ['create_trait', 'create_resource_class'] as const) await seed.write(what, { name: 'CUSTOM_UNUSED' });
  // A tree whose root has the highest id, with a record that a program keeps.
  await seed.provider('leaf', { inventories: { CUSTOM_A: 100 } });
  await seed.provider('top', { inventories: { CUSTOM_A: 100 } });
  await seed.write('update_resource_provider', { provider: uuidOf('leaf'), expect: {}, parent: uuidOf('top') });
  await seed.write('report_service', { host: 'kept', program: 'nova-compute', version: 70, minimumOf: 'nova-compute' });
  const body = { host: 'kept', program: 'nova-compute' };
  await seed.write('import_records', { records: [{ kind: 'node', name: 'top', uuid: uuidOf('top'), body }] });
  for (const name of ['n0', 'n1']) {
    await seed.write('import_records', { records: [{ kind: 'node', name, uuid: uuidOf(name), body: {} }] });
  }
  const quotas = [null, uuidOf('zone'), uuidOf('rack')].map((aggregate) => ({ resourceClass: null, aggregate, amount: 1000 }));
  const defaults = { kind: 'default_quotas', name: 'default_quotas', uuid: uuidOf('defaults'), body: { parent: null, quotas } };
  await seed.write('replace_quotas', { record: defaults, expect: {} });
  for (const [name, parent] of Object.entries({ above: null, p: 'above' })) {
    const record = { kind: 'project_quotas', name, uuid: uuidOf(`quotas of ${name}`), body: { parent, quotas } };
    await seed.write('replace_quotas', { record, expect: {} });
  }
});
afterAll(() => database.drop());

/** The kinds of things that are locked, in the order in which every write locks them: as stated at the entry point of all writes. */
const order = [
  ...readFileSync(new URL('../../../src/db/writes/functions/apply_write.sql', import.meta.url), 'utf8').matchAll(
    /^-- {3}\d+\. ([a-z ]+)/gm,
  ),
].map(([, kind = '']) => kind.trim());

/** Something that can be locked, by a statement that waits for whoever has it. */
interface Thing {
  readonly kind: string;
  readonly key: string;
  /** Its place among those of its kind. */
  readonly place: number;
  readonly hold: string;
}

/** All that can be locked in the database of this test: its rows, and the keys that the requests add. */
async function listThings(): Promise<Thing[]> {
  const rows = async (kind: string, table: string, strength: string, name = 'name', id = 'id', where = 'true') =>
    (
      await database.own.unsafe<{ id: string; name: string }[]>(
        `select ${id} as id, ${name}::text as name from ${table} where ${where} order by 1`,
      )
    ).map((row, place): Thing => ({ kind, key: row.name, place, hold: `select from ${table} where ${id} = '${row.id}' for ${strength}` }));
  const keys = (kind: string, values: readonly string[], statement: (value: string) => string) =>
    values.map((value, place): Thing => ({ kind, key: value, place, hold: statement(value) }));
  const newConsumerRow = (uuid: string) => `insert into consumers (uuid, project_id, user_id) values ('${uuid}', 1, 1)`;
  return [
    ...keys('bridge', ['bridge'], () => `select pg_advisory_xact_lock(8778008, hashtext('bridge'::regclass::oid::text))`),
    ...keys('forest', ['forest'], () => 'select pg_advisory_xact_lock(8778002)'),
    ...keys('group', ['quotas'], () => `select pg_advisory_xact_lock(8778009, hashtext('records'::regclass::oid::text))`),
    ...keys(
      'group',
      ['names of classes'],
      () => `select pg_advisory_xact_lock(8778009, hashtext('resource_classes'::regclass::oid::text))`,
    ),
    ...keys('group', ['g'], (key) => `select pg_advisory_xact_lock(hashtextextended('affinity ${key}', 0))`),
    ...keys('usage sums', ['sums'], () => `select pg_advisory_xact_lock(8778007, hashtext('project_usages'::regclass::oid::text))`),
    ...(await rows('program', 'services', 'update', 'host', 'host')),
    ...keys('idempotency key', ['k'], (key) => `insert into idempotency_keys values ('me', 'op', '${key}', 'h', '{}')`),
    ...(await rows('class', 'resource_classes', 'update', 'name', 'id', `name like 'CUSTOM%'`)),
    ...(await rows('trait', 'traits', 'update', 'name', 'id', `name like 'CUSTOM%'`)),
    ...(await rows('aggregate', 'placement_aggregates', 'update', 'uuid')),
    ...(await rows('consumer', 'consumers', 'no key update', 'uuid', 'uuid')),
    // Only writes that hold the forest take more than this: the key share lock of a child on its parent waits for them alone.
    ...(await rows('provider', 'resource_providers', 'no key update')),
    ...(await rows('reservation', 'reservations', 'update', 'uuid')),
    ...(await rows('quota', 'quota_uses', 'no key update', 'id')),
    ...(await rows('record', 'records', 'update', 'name', 'uuid')),
    ...keys('change feed', ['feed'], () => 'select from change_feed for update'),
    ...keys('class name', ['CUSTOM_NEW'], (name) => `insert into resource_classes (name) values ('${name}')`),
    ...keys('trait name', ['CUSTOM_NEW'], (name) => `insert into traits (name) values ('${name}')`),
    ...keys('aggregate key', [uuidOf('new')], (uuid) => `insert into placement_aggregates (uuid) values ('${uuid}')`),
    ...keys('aggregate name', ['taken'], (name) => `insert into placement_aggregates (uuid, name) values (gen_random_uuid(), '${name}')`),
    ...keys('new consumer', ['new', 'added', 'other'].map(uuidOf).toSorted(), newConsumerRow),
    ...keys(
      'provider name',
      ['added', 'renamed'],
      (name) => `insert into resource_providers (uuid, name, root_provider_id) values (gen_random_uuid(), '${name}', 1)`,
    ),
    ...keys(
      'record name',
      ['added', 'new'],
      (name) => `insert into records (kind, name, uuid, body) values ('node', '${name}', gen_random_uuid(), '{}')`,
    ),
    ...keys(
      'program',
      ['h', 'new', 'added'],
      (host) => `insert into services (host, program, version) values ('${host}', 'nova-compute', 1)`,
    ),
  ];
}

interface Sessions {
  readonly holder: ReservedSql;
  readonly writer: ReservedSql;
  readonly prober: ReservedSql;
  /** Whether the writer waits for the holder. */
  readonly waits: () => Promise<boolean>;
}

async function withSessions<Result>(work: (sessions: Sessions) => Promise<Result>): Promise<Result> {
  const { own } = database;
  const [holder, writer, prober] = await Promise.all([own.reserve(), own.reserve(), own.reserve()]);
  try {
    const [blocker, blocked] = [await pidOf(holder), await pidOf(writer)];
    const waits = async () => {
      const [row] = await prober<{ waits: boolean }[]>`select ${blocker}::int = any(pg_blocking_pids(${blocked}::int)) as waits`;
      return row?.waits ?? false;
    };
    return await work({ holder, writer, prober, waits });
  } finally {
    for (const session of [holder, writer, prober]) {
      await session`rollback`;
      session.release();
    }
  }
}

const pidOf = async (session: ReservedSql) => (await session<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;

/** While somebody else holds `wanted`: the later things that a write holds that waits for it; null if it does not wait for it. */
async function heldTooEarly(
  { holder, writer, prober, waits }: Sessions,
  things: readonly Thing[],
  wanted: Thing,
  call: readonly [operation: WriteOperation, request: object],
): Promise<Thing[] | null> {
  const [operation, request] = call;
  await Promise.all([holder.unsafe(`begin; ${wanted.hold}`), writer`begin`]);
  let ended = false;
  const whole = {
    kind: operations[operation].event,
    by,
    idempotency: { principal: 'me', operation: 'op', key: 'k', hash: 'h' },
    ...request,
  };
  const write = writer`select apply_write(${operation}, ${writer.json(whole as never)}) as answer`
    .catch((error: unknown) => error)
    .finally(() => {
      ended = true;
    });
  let isWaiting = false;
  while (!ended && !isWaiting) isWaiting = await waits();
  const found: Thing[] = [];
  if (isWaiting) {
    for (const thing of things) {
      if (thing === wanted || comesBefore(thing, wanted)) continue;
      // On a busy machine a lock takes longer than the usual look: it is looked at again.
      if (!(await isFree(prober, thing, '2ms')) && !(await isFree(prober, thing, '1s'))) found.push(thing);
    }
  }
  await holder`rollback`;
  const answer = await write;
  await writer`rollback`;
  // A write that is refused would stop nowhere.
  expect(answer).not.toMatchObject([{ answer: { refusal: expect.anything() } }]);
  expect(answer).not.toBeInstanceOf(Error);
  return isWaiting ? found : null;
}

async function isFree(prober: ReservedSql, { hold }: Thing, within: string): Promise<boolean> {
  try {
    await prober.unsafe(`begin; set local lock_timeout = '${within}'; ${hold}; rollback`);
    return true;
  } catch (error) {
    await prober`rollback`;
    if (sqlState(error) !== '55P03') throw error;
    return false;
  }
}

/** Whatever an operation locks before something that comes earlier in the order; and how many things it waited for. */
async function inversionsOf(
  operation: WriteOperation,
  more: object = {},
): Promise<{ readonly wrong: readonly string[]; readonly stops: number }> {
  const things = await listThings();
  const wrong: string[] = [];
  let stops = 0;
  await withSessions(async (sessions) => {
    for (const request of requests[operation]) {
      for (const wanted of things) {
        const found = await heldTooEarly(sessions, things, wanted, [operation, { ...request, ...more }]);
        if (found === null) continue;
        stops += 1;
        wrong.push(...found.map(({ kind, key }) => `${kind} ${key} is locked before ${wanted.kind} ${wanted.key}`));
      }
    }
  });
  return { wrong, stops };
}

describe('every write locks in one order', () => {
  test.each(everyOperation)('%s', async (operation) => {
    const { wrong, stops } = await inversionsOf(operation);
    expect(wrong).toEqual([]);
    // The key, at least, which is all for those that only add rows.
    expect(stops).toBeGreaterThan(['keep_answer', 'import_services'].includes(operation) ? 0 : 1);
  });

  const owned = { not: { uuid: uuidOf('nowhere') } };
  test.each(['create_resource_provider', 'update_resource_provider', 'apply_provider_tree', 'report_service'] as const)(
    '%s of a caller who may write to some trees only locks nothing but providers out of order',
    async (operation) => {
      const { wrong } = await inversionsOf(operation, { owned });
      expect(wrong.filter((inversion) => !/ is locked before provider \w+$/.test(inversion))).toEqual([]);
    },
  );

  test('and one that does not is detected', async () => {
    await database.own.unsafe(`create or replace function lock_names(classes text[], traits text[]) returns void language sql as $$
      select from traits t where t.name = any(lock_names.traits) for key share;
      select from resource_classes rc where rc.name = any(classes) for key share;
    $$`);
    expect((await inversionsOf('import_resource_providers')).wrong).toContain('trait CUSTOM_UNUSED is locked before class CUSTOM_UNUSED');
  });
});

test('a write that has created a consumer never waits for one that exists: it starts over', async () => {
  const [first, second] = ['n2', 'n3'].map(uuidOf).toSorted();
  await withSessions(async ({ holder, writer, waits }) => {
    await holder`begin`;
    await holder`insert into consumers (uuid, project_id, user_id) values (${second ?? ''}, 1, 1)`;
    const request = { kind: 'RESHAPE', by, consumers: [second, first].map((uuid) => ({ ...consumer('n2', held), uuid })), providers: [] };
    const write = writer`select apply_write('reshape', ${writer.json(request as never)})`.catch((error: unknown) => error);
    while (!(await waits()));
    await holder`commit`;
    expect(sqlState(await write)).toBe('40001');
  });
  await database.db.sql`delete from consumers where uuid = ${second ?? ''}`;
});

function comesBefore(thing: Thing, wanted: Thing): boolean {
  const [one, other] = [order.indexOf(thing.kind), order.indexOf(wanted.kind)];
  if (one !== other) return one < other;
  // Who takes several names holds the forest.
  return thing.kind === 'provider name' || thing.place < wanted.place;
}
