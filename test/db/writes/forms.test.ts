// The forms of requests and of stored answers, when gateways of several releases use one database.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { dumpTables } from '../../support/ledger.ts';
import { claim, createWriter, mutationOf } from '../../support/mutations.ts';
import { nextRelease } from '../../support/next-release.ts';
import { createSeed } from '../../support/seed.ts';

let database: TestDatabase;
let gateway: Gateway;
beforeEach(async () => {
  database = await createTestDatabase();
  gateway = await startGateway(database, 'jit');
  await createSeed(database.db).provider('host', { inventories: { VCPU: 8 } });
});
afterEach(async () => {
  await gateway.close();
  await database.drop();
});

describe('a write that the database serves only in a newer form', () => {
  const renamed = (text: string) => text.replaceAll("'create_trait'", "'create_trait.2'");

  test('is refused by an older gateway, which says what to do, and writes nothing', async () => {
    await migrate(database.target, { release: nextRelease({ change: renamed }) });
    const before = await dumpTables(database.db);
    const input = { name: 'CUSTOM_A', idempotencyKey: 'k' };
    const { data, errors } = await gateway.ask(mutationOf('createTrait', 'trait { name }'), { input });
    expect({ data, errors }).toMatchObject({
      data: { payload: null },
      errors: [{ message: expect.stringContaining('use a newer gateway'), extensions: { code: 'UNAVAILABLE', retry: 'LATER' } }],
    });
    expect(await dumpTables(database.db)).toEqual(before);
    const { write } = createWriter(gateway, database);
    expect(await write('createResourceClass', { name: 'CUSTOM_A' }, 'resourceClass { name }')).toMatchObject({ userErrors: [] });
  });

  test('is refused over REST in the same words', async () => {
    await migrate(database.target, { release: nextRelease({ change: renamed }) });
    const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };
    const answered = await fetch(`${gateway.url}/placement/traits/CUSTOM_A`, { method: 'PUT', headers });
    expect([answered.status, await answered.text()]).toEqual([503, expect.stringContaining('use a newer gateway')]);
  });

  test('is done for both gateways, if the newer functions serve the older form, too', async () => {
    const both = (text: string) => text.replaceAll("'create_trait'", "'create_trait', 'create_trait.2'");
    await migrate(database.target, { release: nextRelease({ change: both }) });
    const { write } = createWriter(gateway, database);
    expect(await write('createTrait', { name: 'CUSTOM_A' }, 'trait { name }')).toMatchObject({ trait: { name: 'CUSTOM_A' } });
  });
});

describe('an answer under a key in an unknown form', () => {
  const request = { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }] };
  test.each([
    ['of a claim that shares calls', 'replaceAllocations', { consumers: [claim('one', 'host', 1)] }],
    ['of any other write', 'createTrait', { name: 'CUSTOM_A' }],
    ['of a write that first searches', 'claim', { consumers: [{ ...claim('one', 'host', 1), hold: undefined }], request }],
  ])('%s says that the write was done, and is not null', async (_words, mutation, body) => {
    const input = { ...body, idempotencyKey: 'k' };
    const { write } = createWriter(gateway, database);
    expect(await write(mutation, input, 'event { id }')).toMatchObject({ userErrors: [], event: { id: expect.any(String) } });
    expect(await write(mutation, input, 'event { id } replayed')).toMatchObject({ userErrors: [], replayed: true });
    await database.own`update idempotency_keys set answer = answer || '{"form": 3}'`;
    const { status, data, errors } = await gateway.ask(mutationOf(mutation, 'event { id }'), { input });
    expect({ status, data, errors }).toMatchObject({
      status: 200,
      data: { payload: null },
      errors: [{ extensions: { code: 'ANSWER_INCOMPLETE', written: true, retry: 'AFTER_READ' } }],
    });
    await database.own`update idempotency_keys set answer = answer - 'form'`;
    expect((await gateway.ask(mutationOf(mutation, 'event { id }'), { input })).errors?.[0]?.extensions.code).toBe('ANSWER_INCOMPLETE');
  });
});
