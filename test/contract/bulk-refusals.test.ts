// Refused bulk writes report every refused consumer, up to a hundred, and write nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { dumpTables } from '../support/ledger.ts';
import { claim, createWriter, type Payload, unchecked } from '../support/mutations.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('full', { inventories: { VCPU: 1 } });
  await seed.provider('roomy', { inventories: { VCPU: 1000 } });
  gateway = await startGateway(database, 'jit');
  ({ write } = createWriter(gateway, database));
});
afterAll(() => gateway.close());

const names = (count: number) => Array.from({ length: count }, (_, index) => `consumer ${index}`);
const inventories = (total: number) => [{ resourceClass: 'VCPU', total }];

/** Each bulk mutation: its input for given consumers, and their paths in it. */
const bulks: readonly [mutation: string, place: string, input: (consumers: readonly object[]) => object][] = [
  ['replaceAllocations', 'consumers', (consumers) => ({ consumers })],
  [
    'reshape',
    'consumers',
    (consumers) => ({
      resourceProviders: [{ resourceProvider: uuidOf('roomy'), expect: unchecked, inventories: inventories(1000) }],
      consumers,
    }),
  ],
  [
    'applyProviderTree',
    'consumers',
    (consumers) => ({
      root: uuidOf('roomy'),
      resourceProviders: [{ uuid: uuidOf('roomy'), name: 'roomy', expect: unchecked, inventories: inventories(1000) }],
      consumers,
    }),
  ],
];

describe.each(bulks)('%s', (mutation, place, inputOf) => {
  /** The refusal, which must not write anything. */
  const refusalOf = async (consumers: readonly object[]): Promise<Payload> => {
    const before = await dumpTables(database.db);
    const refused = await write(mutation, inputOf(consumers), 'truncated event { id }');
    expect(await dumpTables(database.db)).toEqual(before);
    expect(refused.event).toBeNull();
    return refused;
  };
  const placesOf = ({ userErrors }: Payload) => userErrors.map(({ path }) => (path as string[]).slice(0, 2));

  test('reports every consumer that does not fit', async () => {
    const refused = await refusalOf([claim('fits', 'roomy', 1), ...names(3).map((name) => claim(name, 'full', 1))]);
    expect(refused.truncated).toBe(false);
    expect(refused.userErrors.map(({ code, retry }) => [code, retry])).toEqual(Array(3).fill(['CAPACITY_EXCEEDED', 'LATER']));
    expect(placesOf(refused)).toEqual([1, 2, 3].map((index) => [place, String(index)]));
  });

  test('reports the first hundred consumers that are not as expected, and that there are more', async () => {
    const refused = await refusalOf(names(120).map((name) => ({ ...claim(name, 'roomy', 1), expect: { generation: 9 } })));
    expect(refused.truncated).toBe(true);
    expect(refused.userErrors.every(({ code, retry }) => code === 'CONSUMER_CONFLICT' && retry === 'AFTER_READ')).toBe(true);
    expect(placesOf(refused)).toEqual(Array.from({ length: 100 }, (_, index) => [place, String(index)]));
  });
});

test('releaseAllocations reports the first hundred consumers that are not as expected', async () => {
  const consumers = names(120).map((name) => ({ consumer: uuidOf(name), expect: { generation: 9 } }));
  const refused = await write('releaseAllocations', { consumers }, 'truncated');
  expect([refused.truncated, refused.userErrors.length]).toEqual([true, 100]);
});
