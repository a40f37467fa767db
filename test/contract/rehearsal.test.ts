// Arguments below a mutation field are checked before anything is written, by both executors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../src/listener/server.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { useDatabase } from '../support/database.ts';
import { executors, type Gateway, hitsUntilCompiled, startGateway } from '../support/gateway.ts';
import { dumpTables } from '../support/ledger.ts';
import { claim } from '../support/mutations.ts';
import { createSeed } from '../support/seed.ts';

const database = useDatabase();
let gateways: Gateway[];

beforeAll(async () => {
  for (const name of ['cn1', 'cn2']) await createSeed(database.db).provider(name, { inventories: { VCPU: 100 } });
  gateways = await Promise.all(executors.map((executor) => startGateway(database, executor)));
});
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

const cursor = Buffer.from('[1,"nothing",1,2]').toString('base64url');

const wrong = [
  ['descendants(maxDepth: 0) { name }', 'maxDepth'],
  ['inventories(resourceClasses: $many) { total }', 'resourceClasses'],
  ['heldHere(first: 1, filter: { projects: $many }) { nodes { amount } }', 'filter'],
  [`heldHere(after: "${cursor}") { nodes { amount } }`, 'after'],
  [`events(after: "${cursor}") { nodes { kind } }`, 'after'],
  ['traits { resourceProviders(after: "no cursor") { nodes { name } } }', 'after'],
  ['computeNode { object(version: "2.0") }', 'version'],
  ['computeNode { object(version: "") }', 'version'],
] as const;

test('a caller that accepts none of our content types is refused before anything is written', async () => {
  const { settings } = readSettings({ PLACEMENT_PORT: '0' });
  const { log } = createLogger({ level: 'error', write: () => {} });
  const server = await startServer({ settings, db: database.db, log });
  const before = await dumpTables(database.db);
  const create = (accept: string) =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-token': 'admin', accept },
      body: JSON.stringify({ query: 'mutation { createTrait(input: { name: "CUSTOM_UNREAD" }) { created } }' }),
    });
  try {
    for (const accept of ['text/html', 'application/json;q=0', 'multipart/mixed', 'application/xml, text/*']) {
      const answer = await create(accept);
      expect([answer.status, await answer.json()]).toMatchObject([406, { errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] }]);
    }
    expect(await dumpTables(database.db)).toEqual(before);
    for (const accept of ['application/json; charset=utf-8', 'application/graphql-response+json', '*/*']) {
      expect((await create(accept)).status).toBe(200);
    }
  } finally {
    await server.close();
  }
});

describe.each(executors.map((name, index) => [name, index] as const))('with %s', (_, index) => {
  const gateway = () => gateways[index] as Gateway;

  test.each(wrong)('%s writes nothing', async (nested, argument) => {
    const before = await dumpTables(database.db);
    const declared = nested.includes('$many') ? ', $many: [String!]' : '';
    for (let hit = 0; hit <= hitsUntilCompiled; hit += 1) {
      const { status, data, errors } = await gateway().ask(
        `mutation ($input: ReplaceAllocationsInput!${declared}) {
          a: createTrait(input: { name: "CUSTOM_A" }) { created }
          b: replaceAllocations(input: $input) { resourceProviders { ${nested} } userErrors { code } }
        }`,
        { input: { consumers: [claim('server', 'cn1', 1)] }, ...(declared && { many: Array(1001).fill('X') }) },
      );
      expect([status, data]).toEqual([400, undefined]);
      expect(errors).toMatchObject([
        { extensions: { code: 'BAD_USER_INPUT', retry: 'NEVER', problems: [{ path: expect.arrayContaining([argument]) }] } },
      ]);
    }
    expect(await dumpTables(database.db)).toEqual(before);
  });

  const unusable = [
    ['a name that cannot be stored', { name: '\u0000' }],
    ['a key that cannot be stored', { name: 'CUSTOM_X', idempotencyKey: '\u0000' }],
    ['a key that is too long', { name: 'CUSTOM_X', idempotencyKey: 'k'.repeat(300) }],
    ['null as its input', null],
  ] as const;

  test.each(unusable)('%s does not hide the refusal of an argument below it', async (_name, input) => {
    const { status, data, errors } = await gateway().ask(
      `mutation ($input: DeleteTraitInput = { name: "CUSTOM_X" }) {
        deleteTrait(input: $input) { event { changes(first: 1, after: "x") { totalCount } } userErrors { code } }
      }`,
      { input },
    );
    expect([status, data]).toEqual([400, undefined]);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', path: ['after'] } }]);
  });

  test('a key that cannot be stored is reported in the payload if the arguments below are valid', async () => {
    const { status, data, errors } = await gateway().ask(
      `mutation ($input: DeleteTraitInput!) {
        deleteTrait(input: $input) { event { changes(first: 1) { totalCount } } userErrors { code path } }
      }`,
      { input: { name: 'CUSTOM_X', idempotencyKey: '\u0000' } },
    );
    expect([status, errors]).toEqual([200, undefined]);
    expect(data).toEqual({ deleteTrait: { event: null, userErrors: [{ code: 'INVALID_INPUT', path: ['idempotencyKey'] }] } });
  });

  test('valid arguments are written', async () => {
    const { data, errors } = await gateway().ask(
      `mutation ($input: ReplaceAllocationsInput!, $depth: Int) {
        replaceAllocations(input: $input) {
          resourceProviders {
            name descendants(maxDepth: $depth) { name } heldHere(first: 5) { totalCount } computeNode { object(version: "1.2") }
          }
          userErrors { code }
        }
      }`,
      { input: { consumers: [claim(`server ${index}`, 'cn1', 1)] }, depth: 1 },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      replaceAllocations: {
        resourceProviders: [{ name: 'cn1', descendants: [], heldHere: { totalCount: index + 1 }, computeNode: null }],
        userErrors: [],
      },
    });
  });

  test('a call with a key gets its first answer again, even if a class that its arguments name was deleted', async () => {
    const name = `CUSTOM_GONE_${index}`;
    await gateway().data('mutation ($name: String!) { createResourceClass(input: { name: $name }) { created } }', { name });
    const place = () =>
      gateway().ask<{ replaceAllocations: object }>(
        `mutation ($input: ReplaceAllocationsInput!, $name: String!) {
          replaceAllocations(input: $input) { replayed consumers { uuid } resourceProviders { inventory(resourceClass: $name) { total } } }
        }`,
        { input: { consumers: [claim(`kept ${index}`, 'cn2', 1)], idempotencyKey: name }, name },
      );
    const first = await place();
    expect(first.data?.replaceAllocations).toMatchObject({ replayed: false, resourceProviders: [{ inventory: null }] });
    await gateway().data('mutation ($name: String!) { deleteResourceClass(input: { name: $name }) { event { id } } }', { name });
    const before = await dumpTables(database.db);
    expect((await place()).data?.replaceAllocations).toEqual({ ...first.data?.replaceAllocations, replayed: true });
    expect(await dumpTables(database.db)).toEqual(before);
  });
});
