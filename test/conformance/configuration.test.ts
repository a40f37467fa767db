// The settings for candidates that operators of Placement know.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest } from '../support/rest.ts';
import { plantTrees } from '../support/tree.ts';

const database = useDatabase();
const plain = useRest(database);
const random = useRest(database, { PLACEMENT_RANDOMIZE_CANDIDATES: 'on', PLACEMENT_MAX_CANDIDATES: '5' });
const hosts = Array.from({ length: 8 }, (_, number) => `cn${number}  VCPU 8`);

beforeAll(() => plantTrees(database.db, hosts.join('\n')));

async function find(rest: typeof plain, query: string): Promise<string[]> {
  const { json } = await rest.succeed(`GET /allocation_candidates?${query}`, { version: '1.39' });
  return (json as { allocation_requests: { allocations: object }[] }).allocation_requests.flatMap(({ allocations }) =>
    Object.keys(allocations),
  );
}

test('by default all are answered, in the same order each time', async () => {
  const all = await find(plain, 'resources=VCPU:1');
  expect(all).toHaveLength(8);
  expect(await find(plain, 'resources=VCPU:1')).toEqual(all);
  expect(await find(plain, 'resources=VCPU:1&limit=6')).toEqual(all.slice(0, 6));
});

test('PLACEMENT_MAX_CANDIDATES is the most in an answer, whatever the limit', async () => {
  expect(await find(random, 'resources=VCPU:1')).toHaveLength(5);
  expect(await find(random, 'resources=VCPU:1&limit=7')).toHaveLength(5);
  expect(await find(random, 'resources=VCPU:1&limit=2')).toHaveLength(2);
});

test('PLACEMENT_RANDOMIZE_CANDIDATES gives every host its turn', async () => {
  const first = new Set<string>();
  for (let turn = 0; turn < 60; turn++) for (const host of await find(random, 'resources=VCPU:1&limit=1')) first.add(host);
  expect(first.size).toBeGreaterThan(4);
});
