// Examination. Interrupted writes: by an injected error, a killed backend, a timeout. Acknowledged writes are there,
// failed ones left nothing, and the process continues.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect, connectionOptions, type Db, openDatabase, writeSettings } from '../../../src/db/sql/client.ts';
import type { WriteOperation } from '../../../src/db/writes/operations.ts';
import { OutcomeUnknown, Unavailable } from '../../../src/domain/errors.ts';
import { type AnyAnswer, writeAny } from '../../support/any-write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { dumpTables, expectSoundLedger } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(() => database.drop());

const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-failure' };
const plain = { reserved: 0, minUnit: 1, maxUnit: 100, stepSize: 1, allocationRatio: 1 };
const vgpu = (total: number) => [{ resourceClass: 'VGPU', total, ...plain }];

const write = writeAny;

const wanted = (name: string, held: Readonly<Record<string, number>>, rest: object = {}) => ({
  uuid: uuidOf(name),
  expect: {},
  project: 'p1',
  user: 'u1',
  type: 'INSTANCE',
  keepType: false,
  allocations: Object.entries(held).map(([provider, amount]) => ({ provider: uuidOf(provider), resourceClass: 'VGPU', amount })),
  ...rest,
});

const expectations = { a: { expect: { generation: 1 } }, b: { expect: { generation: 1 } } };

/** Whole-tree writes that succeed on the tree of `seedTree`, each with many steps. */
const bigWrites: readonly [WriteOperation, Record<string, unknown>][] = [
  [
    'move_allocations',
    { consumers: [wanted('successor', {}, { takeFrom: uuidOf('a'), expect: { isNew: true } }), wanted('a', {}, expectations.a)] },
  ],
  [
    'reshape',
    {
      providers: [
        { provider: uuidOf('root'), expect: {}, inventories: [] },
        { provider: uuidOf('gpu0'), expect: {}, inventories: vgpu(4) },
        { provider: uuidOf('gpu1'), expect: {}, inventories: vgpu(4) },
      ],
      consumers: [wanted('a', { gpu0: 2 }, expectations.a), wanted('b', { gpu1: 2 }, expectations.b)],
    },
  ],
  [
    'apply_provider_tree',
    {
      root: uuidOf('root'),
      dryRun: false,
      consumers: [wanted('a', { gpu0: 2 }, expectations.a), wanted('b', { gpu2: 2 }, expectations.b)],
      providers: [
        { uuid: uuidOf('root'), name: 'root', parent: null, expect: {}, inventories: [], traits: ['CUSTOM_NEW'] },
        { uuid: uuidOf('gpu0'), name: 'gpu0', parent: 'root', expect: {}, inventories: vgpu(4), aggregates: [uuidOf('rack')] },
        { uuid: uuidOf('gpu2'), name: 'gpu2', parent: 'gpu0', expect: {}, inventories: vgpu(4) },
      ],
    },
  ],
];

/** Lets the write fail at the given row that it touches of a table; at none of them for 0. */
async function injectFailure(table: string, row: number): Promise<void> {
  await database.db.sql`alter sequence failpoint restart`;
  await database.db.sql.unsafe(
    `create or replace trigger failing before insert or update or delete on ${table} for each row execute function fail_at(${row})`,
  );
}

/** How many rows of a table a write touches. Found by doing it and undoing it. */
async function countTouched(table: string, operation: WriteOperation, request: Record<string, unknown>): Promise<number> {
  await injectFailure(table, 0);
  const whole = { kind: operation.toUpperCase(), by, ...request };
  const undone = database.own.begin(async (sql) => {
    await sql`select apply_write(${operation}, ${sql.json(whole as never)})`;
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  const [row] = await database.db.sql<{ next: number }[]>`select nextval('failpoint')::int as next`;
  return (row?.next ?? 1) - 1;
}

async function seedTree(): Promise<void> {
  await seed.provider('root', { inventories: { VGPU: 8 } });
  for (const name of ['gpu0', 'gpu1']) await seed.provider(name, { parent: 'root' });
  for (const name of ['a', 'b']) await seed.claim(name, { root: { VGPU: 2 } });
}

describe.each(bigWrites)('%s is all or nothing', (operation, request) => {
  const tables = [
    'allocations',
    'consumers',
    'inventories',
    'resource_providers',
    'resource_provider_aggregates',
    'events',
    'event_subjects',
  ];

  test('whatever row of whatever table it fails on', async () => {
    await seedTree();
    const before = await dumpTables(database.db);
    await database.db.sql`create sequence failpoint`;
    await database.db.sql.unsafe(`
      create function fail_at() returns trigger language plpgsql as $$
      begin
        if nextval('failpoint') = tg_argv[0]::int then
          raise exception using errcode = 'XX999', message = 'injected';
        end if;
        return coalesce(new, old);
      end $$`);
    let failures = 0;
    for (const table of tables) {
      const touched = await countTouched(table, operation, request);
      for (let row = 1; row <= touched; row++) {
        await injectFailure(table, row);
        await expect(write(database.db, operation, request)).rejects.toThrow('injected');
        expect(await dumpTables(database.db)).toEqual(before);
        failures += 1;
      }
      await database.db.sql.unsafe(`drop trigger failing on ${table}`);
    }
    expect(failures).toBeGreaterThan(5);
  });

  test('if its last allocation is refused', async () => {
    await seedTree();
    const before = await dumpTables(database.db);
    const consumers = [...(request.consumers as object[]), wanted('too much', { gpu0: 50 })];
    const { refusal } = await write(database.db, operation, { ...request, consumers });
    expect(['CAPACITY_EXCEEDED', 'NO_INVENTORY']).toContain(refusal?.code);
    expect(await dumpTables(database.db)).toEqual(before);
  });

  test('and done once nothing fails', async () => {
    await seedTree();
    const { eventId } = await write(database.db, operation, request);
    await expectSoundLedger(database.db, [eventId ?? 0]);
  });
});

describe('backends killed in a storm of writes', () => {
  test('no call hangs, no write is done in part, all acknowledged ones are kept, and the next writes succeed', async () => {
    for (const name of ['cn1', 'cn2']) await seed.provider(name, { inventories: { VGPU: 100_000 } });
    const outcomes: unknown[] = [];
    let killed = 0;
    const pids: number[] = [];
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let round = 0; killed < 40; round++) {
        const consumers = [wanted(`c${writer}-${round}`, { cn1: 1, cn2: 1 }), wanted(`d${writer}-${round}`, { cn2: 2 })];
        outcomes.push(await write(database.db, 'replace_allocations', { consumers }).catch((error: unknown) => error));
      }
    });
    while (killed < 40) {
      const dead = await database.db.sql<{ pid: number }[]>`
        select pid, pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'active' and query like '%apply_write%' and pid <> pg_backend_pid() limit 3`;
      killed += dead.length;
      pids.push(...dead.map(({ pid }) => pid));
    }
    await Promise.all(writers);
    // The last ones may die only now, idle: a statement on every connection finds those that the pool has not noticed.
    await expect.poll(() => database.db.sql`select from pg_stat_activity where pid = any(${pids})`).toHaveLength(0);
    await Promise.all(Array.from({ length: 16 }, () => database.db.writes`select 1`.catch(() => {})));
    const acknowledged = outcomes.flatMap((outcome) => (outcome instanceof Error ? [] : ((outcome as AnyAnswer).eventId ?? [])));
    const failed = outcomes.filter((outcome) => outcome instanceof Error);
    expect(failed.length).toBeGreaterThan(0);
    for (const error of failed) expect(error instanceof OutcomeUnknown || error instanceof Unavailable ? 'typed' : error).toBe('typed');
    const next = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        write(database.db, 'replace_allocations', { consumers: [wanted(`next${index}`, { cn1: 1 })] }),
      ),
    );
    await expectSoundLedger(database.db, [...acknowledged, ...next.flatMap(({ eventId }) => eventId ?? [])]);
    const halves = await database.db.sql`
      select from events where kind = 'REPLACE_ALLOCATIONS' and request_id = 'req-failure'
      and cardinality(consumer_uuids) <> 2 and not consumer_uuids && ${Array.from({ length: 8 }, (_, index) => uuidOf(`next${index}`))}::uuid[]`;
    expect(halves.length).toBe(0);
  });
});

describe('a write that takes too long is Unavailable, and nothing of it is kept', () => {
  test.each(['lock_timeout', 'statement_timeout'])('%s', async (setting) => {
    await seed.provider('cn1', { inventories: { VGPU: 4 } });
    await seed.names({ projects: ['p1'], users: ['u1'], types: ['INSTANCE'] });
    const before = await dumpTables(database.db);
    const impatient: Db = {
      ...database.db,
      writes: connect(database.target, { ...connectionOptions(database.target, { ...writeSettings, [setting]: 50 }), max: 1 }),
    };
    await database.own.begin(async (sql) => {
      await sql`select from resource_providers where name = 'cn1' for update`;
      const claim = write(impatient, 'replace_allocations', { consumers: [wanted('c', { cn1: 1 })] });
      await expect(claim).rejects.toBeInstanceOf(Unavailable);
    });
    await impatient.writes.end();
    expect(await dumpTables(database.db)).toEqual(before);
  });

  test('an unreachable server is Unavailable', async () => {
    const nowhere = openDatabase({ socketDirectory: '/nowhere', port: 1, user: 'nobody', database: 'none' });
    await expect(write(nowhere, 'create_trait', { name: 'CUSTOM_A' })).rejects.toBeInstanceOf(Unavailable);
    await nowhere.close();
  });
});
