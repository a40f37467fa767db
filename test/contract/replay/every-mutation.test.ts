// Examination. Every mutation, sent again with its key: it gets exactly its first answer, immediately or whatever happened since, and writes nothing. The rows
// are beside this file, by noun; a mutation of the contract without a row fails here.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSchema } from '../../../src/graphql/resolvers/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { countEvents, dumpTables, expectSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed } from '../../support/seed.ts';
import { rows } from './every-row.ts';
import type { Cloud } from './row.ts';

let database: TestDatabase;
let gateway: Gateway;
let cloud: Cloud;
let send: ReturnType<typeof createWriter>['write'];

beforeEach(async () => {
  database = await createTestDatabase();
  gateway = await startGateway(database, 'jit');
  send = createWriter(gateway, database).write;
  const write: Cloud['write'] = async (...mutation) => {
    const payload = await send(...mutation);
    expect({ mutation, userErrors: payload.userErrors }).toEqual({ mutation, userErrors: [] });
    return payload;
  };
  cloud = { seed: createSeed(database.db), write };
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await gateway.close();
  await database.drop();
});

test('every mutation of the contract has a row', () => {
  const mutations = Object.keys(loadSchema().getMutationType()?.getFields() ?? {});
  expect([...new Set(rows.map(({ mutation }) => mutation))].toSorted()).toEqual(mutations.toSorted());
});

describe.each(rows)('$mutation', ({ mutation, sentence, before, input, fields, answer, event, meanwhile, other, userErrors = [] }) => {
  test(sentence, async () => {
    await before?.(cloud);
    const asked = `${fields} replayed event { id kind }`;
    const keyed = { ...input, idempotencyKey: 'the one key' };
    const started = await countEvents(database.db);
    const answers = await Promise.all(Array.from({ length: 2 }, () => send(mutation, keyed, asked)));
    const first = answers.find(({ replayed }) => !replayed);
    for (const one of answers) if (one !== first) expect(one).toEqual({ ...first, replayed: true });
    expect(first).toEqual({
      ...answer,
      replayed: false,
      event: event === null ? null : { id: expect.any(String), kind: event },
      userErrors,
    });
    if (event === null) expect(await countEvents(database.db)).toBe(started);

    await meanwhile(cloud);
    const then = await dumpTables(database.db);
    expect(await send(mutation, keyed, asked)).toEqual({ ...first, replayed: true });
    expect((await send(mutation, { ...keyed, ...other }, asked)).userErrors).toMatchObject([
      {
        __typename: 'IdempotencyKeyReused',
        code: 'IDEMPOTENCY_KEY_REUSED',
        path: ['idempotencyKey'],
        key: 'the one key',
        retry: 'NEVER',
      },
    ]);
    expect(await dumpTables(database.db)).toEqual(then);

    // Without the key it is another call: changes made in between are visible.
    expect(await send(mutation, input, asked)).not.toEqual(first);
  });
});
