// Compares this ledger with another Placement, a second gateway of ours.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Comparison } from '../../src/bridge/comparison.ts';
import { importer } from '../../src/bridge/imports.ts';
import { readBack } from '../../src/bridge/read-back.ts';
import { insertBridge, selectBridge } from '../../src/db/bridge.ts';
import { usePairOfPlacements } from '../support/pair-of-placements.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const pair = usePairOfPlacements();
let there: ReturnType<typeof createSeed>;

beforeEach(async () => {
  there = createSeed(pair.there.db);
  for (const host of ['h1', 'h2']) await there.provider(host, { inventories: { VCPU: 8, MEMORY_MB: 100 } });
  await there.claim('c1', { h1: { VCPU: 1 } });
  await there.claim('c2', { h1: { VCPU: 1 }, h2: { MEMORY_MB: 10 } });
  await there.claim('c3', { h2: { VCPU: 2 } });
  const { db } = pair.here;
  const objects = [
    ...['h1', 'h2'].map((name) => ({ noun: 'provider', key: uuidOf(name) }) as const),
    ...['c1', 'c2', 'c3'].map((name) => ({ noun: 'consumer', key: uuidOf(name) }) as const),
  ];
  expect((await readBack({ db, placement: pair.placement, by: importer(`req-${randomUUID()}`) }, objects)).refused).toEqual([]);
  await insertBridge(db, pair.url);
});

afterEach(() => void vi.restoreAllMocks());

/** The consumers that a comparison asks for, and the objects that it finds to differ. */
async function compare({ isUrgent, cursor = null }: { readonly isUrgent: boolean; readonly cursor?: string | null }) {
  const { db, own } = pair.here;
  await own`delete from bridge_notes`;
  await own`update bridge set compared_at = ${isUrgent ? null : '2026-01-01'}`;
  const comparison = new Comparison(db, () => {});
  const state = { epoch: 1, mode: 'following', comparedAt: isUrgent ? null : '2026-01-01', cursor } as const;
  pair.requests.length = 0;
  // The pauses between the steps of a slow one are so many times their length.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const before = (await selectBridge(db))?.comparedAt;
  while ((await selectBridge(db))?.comparedAt === before) await comparison.next(pair.placement, state);
  const asked = pair.requests.flatMap((request) => /^GET \/allocations\/(.+)/.exec(request)?.[1] ?? []);
  const noted = await own`select distinct key from bridge_notes`;
  return { asked: new Set(asked), noted: new Set(noted.map(({ key }) => key)) };
}

const uuids = (...names: readonly string[]) => new Set(names.map(uuidOf));
const everyone = uuids('c1', 'c2', 'c3');

test('the comparison that a switch waits for asks for no consumer whose generation and holdings are equal', async () => {
  expect(await compare({ isUrgent: true })).toEqual({ asked: new Set(), noted: new Set() });
});

test('the slow one asks for each of them, and so does the first one after this ledger has led', async () => {
  expect(await compare({ isUrgent: true, cursor: 'some' })).toEqual({ asked: everyone, noted: new Set() });
  expect(await compare({ isUrgent: false })).toEqual({ asked: everyone, noted: new Set() });
});

test('consumers that are stored there in another spelling are noted as they are stored, beside the one with the uuid itself', async () => {
  const uuid = uuidOf('c1');
  const [odd, none] = [uuid.toUpperCase(), 'a'.repeat(36)];
  const { get } = pair.placement;
  pair.placement.get = async (path, schema, version) => {
    const answer = await get(path, schema, version);
    if (path !== `/resource_providers/${uuidOf('h1')}/allocations`) return answer;
    const { allocations } = answer as { readonly allocations: Readonly<Record<string, object>> };
    return schema.parse({ allocations: { [odd]: { resources: { VCPU: 3 } }, [none]: { resources: { VCPU: 1 } }, ...allocations } });
  };
  expect(await compare({ isUrgent: true })).toEqual({ asked: new Set(), noted: new Set([odd, none]) });
});

test('consumers that have changed, are new, are gone or hold something elsewhere are found in a hurry, too', async () => {
  const { writes } = pair.there.db;
  // Of a consumer on two providers only one part differs.
  await writes`update allocations set used = 11 where used = 10`;
  await writes`update consumers set generation = generation + 1 where uuid = ${uuidOf('c1')}`;
  await there.claim('c4', { h2: { VCPU: 1 } });
  await there.write('release_allocations', { consumers: [{ uuid: uuidOf('c3'), expect: { unchecked: true } }] });
  const { noted } = await compare({ isUrgent: true });
  expect([...everyone, uuidOf('c4')].filter((uuid) => !noted.has(uuid))).toEqual([]);
});
