// Patches of traits, on a real database: of one provider and of many, with refusals, dry runs and retries.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { patchTraits, type TraitsPatch } from '../../../src/operations/providers/trait-patches.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { sampled } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
const [ssd, avx, numa] = ['STORAGE_DISK_SSD', 'HW_CPU_X86_AVX', 'HW_NUMA_ROOT'];

beforeEach(async () => {
  database = await createTestDatabase();
  const seed = createSeed(database.db);
  await seed.provider('cn1', { traits: [ssd, numa] });
  await seed.provider('cn2', { aggregates: ['zone'] });
  await seed.provider('cn3', { traits: [avx], aggregates: ['zone'] });
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

const patch = (input: TraitsPatch) => patchTraits(scopeOf(database.db), input);
const refused = (input: TraitsPatch) => refusalOf(database.db, () => patch(input));
const many = (...given: readonly (readonly [name: string, generation: number])[]) => ({
  many: given.map(([name, generation]) => ({ resourceProvider: uuidOf(name), expect: { generation } })),
});

async function stored(): Promise<string[]> {
  const rows = await database.db.sql<{ row: string }[]>`
    select p.name || ' ' || p.generation || ' ' || array_to_string(array(
      select t.name from resource_provider_traits pt join traits t on t.id = pt.trait_id where pt.resource_provider_id = p.id order by t.name collate "C"), ' ') as row
    from resource_providers p order by p.id`;
  return rows.map(({ row }) => row);
}

test('no provider gets more traits than allowed', async () => {
  const all = Array.from({ length: limits.providerTraits }, (_, index) => `CUSTOM_${index}`);
  // One by one they would take most of the time of this file.
  await database.own`insert into traits (name) select unnest(${all}::text[])`;
  const seed = createSeed(database.db);
  await seed.provider('full');
  await seed.write('replace_traits', { provider: uuidOf('full'), expect: {}, traits: all });
  expect(await refused({ select: many(['full', 1], ['cn1', 1]), add: [avx] })).toMatchObject([{ code: 'INVALID_INPUT', path: ['add'] }]);
  expect((await patch({ select: many(['full', 1]), add: [avx], remove: ['CUSTOM_0'] })).changes).toHaveLength(1);
});

test('many providers get one trait and lose another in one write, and keep the rest; those that would not change are skipped', async () => {
  const answer = await patch({ select: many(['cn3', 2], ['cn1', 1], ['cn2', 1]), add: [avx], remove: [numa] });
  expect(answer).toEqual({
    ...{ matchedCount: 3, applied: true, replayed: false },
    changes: [
      { provider: uuidOf('cn1'), traitNamesAdded: [avx], traitNamesRemoved: [numa] },
      { provider: uuidOf('cn2'), traitNamesAdded: [avx], traitNamesRemoved: [] },
    ],
  });
  expect(await stored()).toEqual([`cn1 2 ${avx} ${ssd}`, `cn2 2 ${avx}`, `cn3 2 ${avx}`]);
  expect(await newestEvent(database.db)).toMatchObject({
    kind: 'PATCH_TRAITS',
    changes: {
      providers: {
        [uuidOf('cn1')]: { before: { generation: 1, traits: [numa, ssd] }, after: { generation: 2, traits: [avx, ssd] } },
        [uuidOf('cn2')]: { before: { generation: 1, traits: [] }, after: { generation: 2, traits: [avx] } },
      },
    },
  });
});

test.each([false, true])(
  'of many, all that are not as expected are named with their place, and nothing is written (dry run: %s)',
  async (dryRun) => {
    expect(await refused({ select: many(['cn1', 7], ['cn2', 1], ['nobody', 1], ['cn3', 1]), add: [avx], dryRun })).toEqual([
      { code: 'PROVIDER_CONFLICT', path: ['select', 'many', '0', 'expect'], details: expect.objectContaining({ provider: uuidOf('cn1') }) },
      { code: 'NOT_FOUND', path: ['select', 'many', '2', 'resourceProvider'], details: expect.objectContaining({ key: uuidOf('nobody') }) },
      { code: 'PROVIDER_CONFLICT', path: ['select', 'many', '3', 'expect'], details: expect.objectContaining({ provider: uuidOf('cn3') }) },
    ]);
  },
);

test('a provider that does not match expectations is refused with its path, and so are unknown traits', async () => {
  const one = { one: { resourceProvider: uuidOf('cn1'), expect: { generation: 3 } } };
  expect(await refused({ select: one, add: [avx] })).toMatchObject([{ code: 'PROVIDER_CONFLICT', path: ['select', 'one', 'expect'] }]);
  for (const place of ['add', 'remove'] as const) {
    const refusal = await refused({ select: { all: true }, [place]: [ssd, 'CUSTOM_NEVER'] });
    expect(refusal).toMatchObject([{ code: 'NOT_FOUND', path: [place, '1'], details: { noun: 'trait', key: 'CUSTOM_NEVER' } }]);
  }
});

test.each<[string, TraitsPatch, RegExp]>([
  ['no provider', { select: many(), add: [avx] }, /1 to 10000 elements/],
  ['one provider twice', { select: many(['cn1', 1], ['cn1', 1]), add: [avx] }, /stands at 0 already/],
  ['no trait', { select: many(['cn1', 1]) }, /a trait to add or to remove/],
  ['a trait to set and to take', { select: many(['cn1', 1]), add: [avx], remove: [avx] }, /both/],
])('%s is refused', async (_, input, message) => {
  await expect(patch(input)).rejects.toThrow(message);
});

test('all that match a filter change; a dry run reports them first, and waits for no lock of a provider', async () => {
  const change = { select: { filter: { aggregates: [{ allOf: [uuidOf('zone')] }] } }, add: [numa] };
  const before = await stored();
  const tried = await database.own.begin(async (sql) => {
    await sql`select from resource_providers for update`;
    return patch({ ...change, dryRun: true });
  });
  expect(await stored()).toEqual(before);
  expect(tried).toMatchObject({ applied: false, matchedCount: 2 });
  expect(await patch(change)).toEqual({ ...tried, applied: true });
  expect(await stored()).toEqual([before[0], `cn2 2 ${numa}`, `cn3 3 ${avx} ${numa}`]);
});

test('an unexpected number of matches is refused, and nothing is written', async () => {
  const before = await stored();
  const change = { select: { filter: { isRoot: true } }, add: [numa] };
  for (const dryRun of [true, false]) {
    const conflict = { code: 'SELECTION_CONFLICT', path: ['expectedCount'], expectedCount: 4, matchedCount: 3 };
    await expect(patch({ ...change, expectedCount: 4, dryRun })).rejects.toMatchObject({ problems: [conflict] });
  }
  expect(await refused({ ...change, expectedCount: -1 })).toMatchObject([{ code: 'INVALID_INPUT', path: ['expectedCount'] }]);
  expect(await stored()).toEqual(before);
  expect(await patch({ ...change, expectedCount: 3 })).toMatchObject({ applied: true, matchedCount: 3 });
});

test('each provider has its previous traits and the added ones, without the removed ones', async () => {
  const names = fc.uniqueArray(fc.constantFrom(ssd, avx, numa, 'COMPUTE_NODE'), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(names, fc.nat(4), async (some, count) => {
      const [add, remove] = [some.slice(0, count), some.slice(count)];
      const before = await stored();
      await patch({ select: { all: true }, add, remove });
      const wanted = before.map((row) => {
        const had = row.split(' ').slice(2).filter(Boolean);
        return [...new Set([...had, ...add])].filter((name) => !remove.includes(name)).toSorted();
      });
      expect((await stored()).map((row) => row.split(' ').slice(2).filter(Boolean))).toEqual(wanted);
    }),
    { numRuns: sampled(20) },
  );
});
