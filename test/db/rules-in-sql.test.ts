// The rules of inventories and claims stand twice, in domain/ and in the write functions: here they are held equal, for random records,
// random claims, and random histories against a model in memory that uses the rules of domain/ and nothing of the database.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyWrite, type WriteOperation } from '../../src/db/apply-write.ts';
import type { RefusalReason } from '../../src/domain/errors.ts';
import { capacityOf, checkNewUse, type InventoryRecord, inventoryFaults, maxAllocationRatio, maxAmount, unitFault } from '../../src/domain/inventory.ts';
import { createTestDatabase, useDatabase } from '../support/database.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { createSeed, uuidOf } from '../support/seed.ts';
import { createModel, type Operation } from './ledger-model.ts';

const database = useDatabase();
const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-rules' };

const anyWhole = (minimum: number) => fc.oneof(fc.integer({ min: minimum, max: 20 }), fc.integer({ min: minimum, max: maxAmount }));
const anyRatio = fc.oneof(
  fc.constantFrom(0, -0, 1, 1.5, 0.1, 16, 1e-320, 5e-324, -5e-324, 2 ** 53, maxAllocationRatio, -maxAllocationRatio),
  fc.double({ noNaN: true, min: -maxAllocationRatio, max: maxAllocationRatio }),
  fc.double({ noNaN: true, min: 0, max: 20 }),
);
const anyRecord: fc.Arbitrary<InventoryRecord> = fc.record({
  total: anyWhole(1),
  reserved: anyWhole(0),
  minUnit: anyWhole(1),
  maxUnit: anyWhole(1),
  stepSize: anyWhole(1),
  allocationRatio: anyRatio,
});

test('the capacity of every record is what domain/inventory.ts says, at the ends of the range too', async () => {
  await createSeed(database.db).provider('capacities');
  const classes = await database.db.sql<{ name: string }[]>`select name from resource_classes order by id`;
  const ends = [
    { total: maxAmount, reserved: 0, allocationRatio: maxAllocationRatio },
    { total: 1, reserved: maxAmount, allocationRatio: maxAllocationRatio },
    { total: 1, reserved: 2, allocationRatio: 0.4 },
    { total: 1, reserved: 0, allocationRatio: 9007199254740993 },
  ].map((record) => ({ minUnit: 1, maxUnit: 1, stepSize: 1, ...record }));
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { minLength: classes.length, maxLength: classes.length }), async (records) => {
      const inventories = records.map((record, index) => ({ ...record, resourceClass: classes[index]?.name }));
      await createSeed(database.db).write('replace_inventories', { provider: uuidOf('capacities'), expect: {}, inventories });
      const rows = await database.db.sql<{ capacity: string; ratio: number }[]>`
        select capacity, allocation_ratio as ratio from inventories order by resource_class_id`;
      expect(rows.map(({ capacity }) => Number(capacity))).toEqual(records.map(capacityOf));
      expect(rows.map(({ ratio }) => ratio)).toEqual(records.map(({ allocationRatio }) => allocationRatio + 0));
    }),
    { numRuns: 60, examples: [[classes.map((_, index) => ends[index % ends.length] as InventoryRecord)]] },
  );
});

/** What `domain/` says to a request of several consumers on one inventory: the code, with the numbers that depend on the rule. */
function judge(record: InventoryRecord, used: number, released: number, amounts: readonly number[]) {
  const broken = amounts.find((amount) => unitFault(record, amount) !== null);
  if (broken !== undefined) return { code: 'UNIT_VIOLATION', requested: broken };
  const requested = amounts.reduce((sum, amount) => sum + amount, 0);
  const exceeded = checkNewUse({ capacity: capacityOf(record), usedBefore: used, usedAfterRelease: used - released, requested });
  return exceeded ? { code: 'CAPACITY_EXCEEDED', ...exceeded } : null;
}

test('a claim of several consumers is accepted, or refused with the same code and numbers, as domain/inventory.ts says', async () => {
  const seed = createSeed(database.db);
  const anyClaim = fc.record({
    // Few units and a small capacity, so that about half of the claims fit.
    record: fc.record({
      total: fc.integer({ min: 1, max: 30 }),
      reserved: fc.integer({ min: 0, max: 4 }),
      minUnit: fc.integer({ min: 1, max: 3 }),
      maxUnit: fc.integer({ min: 4, max: 12 }),
      stepSize: fc.constantFrom(1, 1, 1, 2, 3),
      allocationRatio: fc.constantFrom(1, 1, 0.5, 1.7, 2, 16),
    }),
    others: fc.integer({ min: 0, max: 12 }),
    held: fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 3, maxLength: 3 }),
    wanted: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 3, maxLength: 3 }),
  });
  let round = 0;
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyClaim, async ({ record, others, held, wanted }) => {
      if (inventoryFaults(record).length > 0) return;
      const provider = `claims ${round++}`;
      // Everything is held before the record takes effect, so that a provider may be over capacity.
      await seed.provider(provider, { inventories: { VCPU: 1000 } });
      const claimOf = (amounts: readonly number[]) =>
        amounts.map((amount, index) => ({
          uuid: uuidOf(`${provider} ${index}`),
          expect: {},
          project: 'p1',
          user: 'u1',
          type: 'INSTANCE',
          keepType: false,
          allocations: amount === 0 ? [] : [{ provider: uuidOf(provider), resourceClass: 'VCPU', amount }],
        }));
      await seed.write('replace_allocations', { consumers: claimOf([...held, others]) });
      await seed.inventories(provider, { VCPU: record });
      const answer = await applyWrite<{ refusal?: RefusalReason }>(database.db, 'replace_allocations', {
        kind: 'REPLACE_ALLOCATIONS',
        by,
        consumers: claimOf(wanted),
      });
      const released = held.reduce((sum, amount) => sum + amount, 0);
      const verdict = judge(record, released + others, released, wanted.filter((amount) => amount > 0));
      outcomes.add(verdict?.code ?? 'accepted');
      if (verdict === null) expect(answer.refusal).toBeUndefined();
      else expect(answer.refusal).toMatchObject({ code: verdict.code, details: { ...verdict, code: undefined } });
    }),
    { numRuns: 120 },
  );
  expect([...outcomes].toSorted()).toEqual(['CAPACITY_EXCEEDED', 'UNIT_VIOLATION', 'accepted']);
});
