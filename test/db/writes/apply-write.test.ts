// The single entry point of writes: how it translates database errors, and what it retries.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectionFault } from '../../../src/db/writes/apply-write.ts';
import type { WriteOperation } from '../../../src/db/writes/operations.ts';
import { OutcomeUnknown, Unavailable } from '../../../src/domain/errors.ts';
import { writeAny } from '../../support/any-write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countEvents, dumpTables } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const write = (operation: WriteOperation, request: object) => writeAny(database.db, operation, request);

/** Lets the first `failures` inserts of a trait end with an error of the given state. */
async function injectFailures(state: string, failures: number): Promise<void> {
  await database.db.sql`create sequence failpoint`;
  await database.db.sql.unsafe(`
    create function fail_first() returns trigger language plpgsql as $$
    begin
      if nextval('failpoint') <= ${failures} then
        raise exception using errcode = '${state}', message = 'injected';
      end if;
      return new;
    end $$;
    create trigger failing before insert on traits for each row execute function fail_first()`);
}

describe.each(['40001', '40P01'])('a serialization failure or deadlock, %s', (state) => {
  test('is retried, and the write has one effect', async () => {
    await injectFailures(state, 24);
    expect(await write('create_trait', { name: 'CUSTOM_A' })).toMatchObject({ created: true });
    expect(await countEvents(database.db)).toBe(1);
  });

  test('is not retried for ever: then the write is Unavailable', async () => {
    await injectFailures(state, 25);
    const before = await dumpTables(database.db);
    await expect(write('create_trait', { name: 'CUSTOM_A' })).rejects.toBeInstanceOf(Unavailable);
    expect(await dumpTables(database.db)).toEqual(before);
  });
});

test('any other error is passed on, and the write is not retried', async () => {
  await injectFailures('XX999', 1);
  await expect(write('create_trait', { name: 'CUSTOM_A' })).rejects.toMatchObject({ code: 'XX999' });
  expect(await write('create_trait', { name: 'CUSTOM_A' })).toMatchObject({ created: true });
});

test('an operation, or a form of it, that the database does not serve has its own SQLSTATE', async () => {
  for (const operation of ['unheard_of', 'create_trait.2'])
    await expect(database.db.writes`select apply_write(${operation}, '{}')`).rejects.toMatchObject({
      code: 'RV001',
      message: `apply_write does not serve ${operation}`,
    });
});

test('of many writers that take one name, by creating or renaming, one gets it and the others learn that it is in use', async () => {
  const seed = createSeed(database.db);
  for (let index = 0; index < 6; index++) await seed.provider(`old ${index}`);
  for (const wanted of ['round 1', 'round 2', 'round 3']) {
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, index) =>
        write('create_resource_provider', { uuid: uuidOf(`${wanted} ${index}`), name: wanted, parent: null }),
      ),
      ...Array.from({ length: 6 }, (_, index) =>
        write('update_resource_provider', { provider: uuidOf(`old ${index}`), expect: {}, name: wanted }),
      ),
    ]);
    const refusals = answers.flatMap(({ refusal }) => refusal ?? []);
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 11 }, () => 'DUPLICATE'));
    expect(refusals.map(({ details }) => details)).toEqual(
      refusals.map(() => expect.objectContaining({ noun: 'resourceProvider', key: wanted })),
    );
  }
});

test('a tree whose root is taken while it is being written is refused as a duplicate', async () => {
  const { own } = database;
  const other = await own.reserve();
  await other`begin`;
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-other' };
  const root = { kind: 'CREATE_RESOURCE_PROVIDER', by, uuid: uuidOf('another'), name: 'top', parent: null };
  await other`select apply_write('create_resource_provider', ${other.json(root)})`;
  const wanted = ['top', 'below'].map((name) => ({ uuid: uuidOf(name), name, parent: name === 'top' ? null : 'top', expect: {} }));
  const answer = write('apply_provider_tree', { root: uuidOf('top'), providers: wanted, consumers: [], dryRun: false });
  await expect
    .poll(async () => (await own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length)
    .toBe(1);
  await other`commit`;
  other.release();
  expect(await answer).toMatchObject({ refusal: { code: 'DUPLICATE', details: { noun: 'resourceProvider', key: 'top' } } });
});

test('the error of a connection says what is known of a write', () => {
  const faultOf = (code: string) => connectionFault(Object.assign(new Error(code), { code }));
  for (const code of ['ECONNREFUSED', 'ENOENT', 'CONNECT_TIMEOUT', '57P03', '53300', '57014', '55P03', '3D000', '55000']) {
    expect(faultOf(code)).toBeInstanceOf(Unavailable);
  }
  for (const code of ['57P01', '57P02', 'CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE', '08006'])
    expect(faultOf(code)).toBeInstanceOf(OutcomeUnknown);
  expect(faultOf('23505')).toBeUndefined();
  expect(connectionFault(new Error('wrapped', { cause: Object.assign(new Error(), { code: '57P01' }) }))).toBeInstanceOf(OutcomeUnknown);
});
