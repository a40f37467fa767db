// Patches of inventories, on a real database: at one provider and at many, with refusals, dry runs and retries.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InventoriesPatch, patchInventories } from '../../../src/operations/providers/inventory-patches.ts';
import { MutationCall } from '../../../src/operations/request/mutation-call.ts';
import { writeAny } from '../../support/any-write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { sampled } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
const defaults = { reserved: 0, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 1 };

beforeEach(async () => {
  database = await createTestDatabase();
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: { total: 8, allocationRatio: 4 }, DISK_GB: 100 }, aggregates: ['zone'] });
  await seed.provider('cn2', { inventories: { VCPU: { total: 8, reserved: 6, allocationRatio: 2 } }, aggregates: ['zone'] });
  await seed.provider('cn3', { inventories: { VCPU: 8 } });
  await seed.provider('empty', { aggregates: ['zone'] });
  await seed.claim('c', { cn1: { VCPU: 20 } });
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

type Given = Partial<InventoriesPatch> & { readonly idempotencyKey?: string };
const patch = ({ idempotencyKey, ...rest }: Given) => {
  const scope = scopeOf(database.db);
  const input = { select: { all: true }, resourceClass: 'VCPU', patch: {}, ...rest };
  if (idempotencyKey) scope.mutation = new MutationCall('patchInventories', { ...input, idempotencyKey }, scope.identity);
  return patchInventories(scope, input);
};
const refused = (rest: Given) => refusalOf(database.db, () => patch(rest));
const at = (name: string, expect: object = { unchecked: true }) => ({ one: { resourceProvider: uuidOf(name), expect } });
const zone = { filter: { aggregates: [{ allOf: [uuidOf('zone')] }] } };

async function stored(): Promise<string[]> {
  const rows = await database.db.sql<{ row: string }[]>`
    select p.name || ' ' || p.generation || ' ' || i.total || '-' || i.reserved || ' x' || i.allocation_ratio as row
    from inventories i join resource_providers p on p.id = i.resource_provider_id where i.resource_class_id = 0 order by p.id`;
  return rows.map(({ row }) => row);
}

test('omitted values stay, and so do other classes', async () => {
  const answer = await patch({ select: at('cn1', { generation: 3 }), patch: { reserved: 1 } });
  expect(answer).toMatchObject({ matchedCount: 1, applied: true, replayed: false, warnings: [] });
  expect(answer.patched).toEqual([
    {
      provider: uuidOf('cn1'),
      used: 20,
      before: { ...defaults, total: 8, allocationRatio: 4, capacity: 32 },
      after: { ...defaults, total: 8, reserved: 1, allocationRatio: 4, capacity: 28 },
    },
  ]);
  expect(await stored()).toEqual(['cn1 4 8-1 x4', 'cn2 2 8-6 x2', 'cn3 1 8-0 x1']);
  const vcpu = { ...defaults, total: 8, allocationRatio: 4 };
  const disk = { ...defaults, total: 100 };
  expect(await newestEvent(database.db)).toMatchObject({
    kind: 'PATCH_INVENTORIES',
    changes: {
      providers: {
        [uuidOf('cn1')]: {
          before: { generation: 3, inventories: { VCPU: vcpu, DISK_GB: disk } },
          after: { generation: 4, inventories: { VCPU: { ...vcpu, reserved: 1 }, DISK_GB: disk } },
        },
      },
    },
  });
});

const many = (...given: readonly (readonly [name: string, generation: number])[]) => ({
  many: given.map(([name, generation]) => ({ resourceProvider: uuidOf(name), expect: { generation } })),
});

test('many providers that match expectations change in one write', async () => {
  const answer = await patch({ select: many(['cn3', 1], ['cn1', 3]), patch: { reserved: 2 } });
  expect(answer).toMatchObject({ matchedCount: 2, applied: true });
  expect(answer.patched.map(({ provider }) => provider)).toEqual([uuidOf('cn1'), uuidOf('cn3')]);
  expect(await stored()).toEqual(['cn1 4 8-2 x4', 'cn2 2 8-6 x2', 'cn3 2 8-2 x1']);
});

test.each([false, true])(
  'of many, all that are not as expected are named with their place, and nothing is written (dry run: %s)',
  async (dryRun) => {
    const select = many(['cn1', 2], ['cn2', 2], ['empty', 1], ['cn3', 7], ['nobody', 1]);
    expect(await refused({ select, patch: { reserved: 2 }, dryRun })).toEqual([
      {
        code: 'PROVIDER_CONFLICT',
        path: ['select', 'many', '0', 'expect'],
        details: expect.objectContaining({ provider: uuidOf('cn1'), actual: 3 }),
      },
      {
        code: 'NO_INVENTORY',
        path: ['select', 'many', '2', 'resourceProvider'],
        details: expect.objectContaining({ provider: uuidOf('empty') }),
      },
      { code: 'PROVIDER_CONFLICT', path: ['select', 'many', '3', 'expect'], details: expect.objectContaining({ provider: uuidOf('cn3') }) },
      { code: 'NOT_FOUND', path: ['select', 'many', '4', 'resourceProvider'], details: expect.objectContaining({ key: uuidOf('nobody') }) },
    ]);
  },
);

test.each([
  ['no provider', many(), /1 to 10000 elements/],
  ['one twice', many(['cn1', 3], ['cn1', 3]), /stands at 0 already/],
])('of many, %s is refused', async (_, select, message) => {
  await expect(patch({ select, patch: { reserved: 2 } })).rejects.toThrow(message);
});

test('all that match and have the class change in one write; those that would not change are skipped', async () => {
  const answer = await patch({ select: zone, patch: { allocationRatio: 2 } });
  expect(answer.matchedCount).toBe(2);
  expect(answer.patched.map(({ provider }) => provider)).toEqual([uuidOf('cn1')]);
  expect(answer.warnings).toEqual([{ provider: uuidOf('cn1'), resourceClass: 'VCPU', used: 20, capacity: 16 }]);
  expect(await stored()).toEqual(['cn1 4 8-0 x2', 'cn2 2 8-6 x2', 'cn3 1 8-0 x1']);
  const again = await patch({ select: zone, patch: { allocationRatio: 2 } });
  expect(again).toMatchObject({ matchedCount: 2, patched: [], applied: true, eventId: null });
});

test('a dry run reports what would change, and changes nothing', async () => {
  const before = await stored();
  const answer = await patch({ select: { all: true }, patch: { total: 10 }, dryRun: true });
  expect(answer).toMatchObject({ matchedCount: 3, applied: false, eventId: null, warnings: [] });
  expect(answer.patched.map(({ after }) => after.capacity)).toEqual([40, 8, 10]);
  expect(await stored()).toEqual(before);
});

test('a dry run reports what the write then does, and waits for no lock of a provider', async () => {
  const change = { select: { all: true }, patch: { total: 9, minUnit: 2, maxUnit: 7, stepSize: 3, allocationRatio: 1.7 } };
  const tried = await database.own.begin(async (sql) => {
    await sql`select from resource_providers for update`;
    return patch({ ...change, dryRun: true });
  });
  const { patched, warnings } = await patch(change);
  expect(tried).toMatchObject({ patched, warnings });
  expect(patched.map(({ after }) => after.capacity)).toEqual([15, 5, 15]);
});

test('an unexpected number of matches is refused, even in a dry run, and nothing is written', async () => {
  const before = await stored();
  const change = { select: { all: true }, patch: { total: 10 }, expectedCount: 2 };
  for (const dryRun of [true, false]) {
    const conflict = { code: 'SELECTION_CONFLICT', path: ['expectedCount'], expectedCount: 2, matchedCount: 3, retry: 'AFTER_READ' };
    await expect(patch({ ...change, dryRun })).rejects.toMatchObject({ problems: [conflict] });
  }
  expect(await stored()).toEqual(before);
  expect(await patch({ ...change, expectedCount: 3 })).toMatchObject({ applied: true, matchedCount: 3 });
});

test('matches are counted under lock: a provider deleted after it was found does not count', async () => {
  const request = {
    providers: ['cn1', 'cn3', 'gone'].map(uuidOf),
    resourceClass: 'VCPU',
    patch: { total: 10 },
    expectedCount: 3,
    dryRun: false,
  };
  expect(await writeAny(database.db, 'patch_inventories', request)).toMatchObject({
    refusal: { code: 'SELECTION_CONFLICT', details: { expectedCount: 3, matchedCount: 2 } },
  });
});

test('thousands of providers are changed in one write', async () => {
  const count = sampled(10_000);
  await database.own`
    with new as (
      insert into resource_providers (id, uuid, name, generation, root_provider_id) overriding system value
      select id, gen_random_uuid(), 'many' || id, 0, id from generate_series(10001, ${10_000 + count}::int) id returning id)
    insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
    select id, 2, 4, 0, 1, 4, 1, 1 from new`;
  const change = { select: { filter: { nameStartsWith: 'many' } }, resourceClass: 'DISK_GB', patch: { allocationRatio: 2 } };
  expect((await patch({ ...change, dryRun: true })).patched).toHaveLength(count);
  expect((await patch(change)).patched).toHaveLength(count);
  expect((await newestEvent(database.db)).changes).toMatchObject({ consumers: {} });
  // The check of the ledger would read the event of each.
  await database.own`truncate allocations, project_usages, consumers, inventories, resource_providers, events, event_subjects cascade`;
});

test('if one record would be invalid, nothing is written, and each such record is reported', async () => {
  const before = await stored();
  const problems = await refused({ patch: { total: 5 } });
  expect(problems).toMatchObject([{ code: 'INVALID_INPUT', path: ['patch'] }]);
  expect(await refused({ patch: { allocationRatio: -1 } })).toHaveLength(3);
  expect(await stored()).toEqual(before);
});

test('the same call with the same key has no second effect', async () => {
  const call = { select: zone, patch: { allocationRatio: 8 }, idempotencyKey: 'k' };
  const first = await patch(call);
  const again = await patch(call);
  expect(again).toEqual({ ...first, replayed: true });
  expect(await refused({ ...call, patch: { allocationRatio: 9 } })).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
  expect(await stored()).toEqual(['cn1 4 8-0 x8', 'cn2 3 8-6 x8', 'cn3 1 8-0 x1']);
});

test.each<[string, Partial<InventoriesPatch>, object]>([
  ['nothing to change', { patch: {} }, { code: 'INVALID_INPUT', path: ['patch'] }],
  ['a total of nothing', { patch: { total: 0 } }, { code: 'INVALID_INPUT', path: ['patch', 'total'] }],
  ['a fraction', { patch: { minUnit: 1.5 } }, { code: 'INVALID_INPUT', path: ['patch', 'minUnit'] }],
  [
    'an endless ratio',
    { patch: { allocationRatio: Number.POSITIVE_INFINITY } },
    { code: 'INVALID_INPUT', path: ['patch', 'allocationRatio'] },
  ],
  ['a class that is not', { resourceClass: 'CUSTOM_NONE', patch: { total: 1 } }, { code: 'NOT_FOUND', path: ['resourceClass'] }],
  [
    'a trait that is not',
    { select: { filter: { traits: [{ allOf: ['NONE'] }] } }, patch: { total: 1 } },
    { code: 'NOT_FOUND', path: ['select', 'filter', 'traits', '0', 'allOf', '0'] },
  ],
])('refused: %s', async (_words, rest, problem) => {
  expect(await refused(rest)).toMatchObject([problem]);
});

test('a single provider must exist, match expectations, and have the class', async () => {
  const total = { patch: { total: 9 } };
  expect(await refused({ select: at('cn1', { generation: 1 }), ...total })).toMatchObject([
    { code: 'PROVIDER_CONFLICT', details: { actual: 3 }, path: ['select', 'one', 'expect'] },
  ]);
  expect(await refused({ select: at('nowhere'), ...total })).toMatchObject([
    { code: 'NOT_FOUND', path: ['select', 'one', 'resourceProvider'] },
  ]);
  expect(await refused({ select: at('empty'), ...total })).toMatchObject([{ code: 'NOT_FOUND', path: ['resourceClass'] }]);
});
