// Examination. The rules of inventories and claims exist twice, in domain/ and in the write functions. These tests keep them equal, with random records,
// random claims, and random histories against a model in memory that uses only the rules of domain/.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinClaims } from '../../../src/db/writes/claim-batch.ts';
import type { TogetherAnswer } from '../../../src/db/writes/contract.ts';
import {
  capacityOf,
  type InventoryRecord,
  inventoryFaults,
  maxAllocationRatio,
  maxAmount,
  unitFault,
} from '../../../src/domain/inventory.ts';
import { writeAny } from '../../support/any-write.ts';
import { useDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createModel } from '../../support/ledger-model.ts';
import { readLedgerState } from '../../support/ledger-state.ts';
import { tried } from '../../support/profile.ts';
import { anyStep, consumerNames, firstOperations, operationOf, requestOf } from '../../support/random-steps.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { checkNewUse } from '../../support/write-rule.ts';

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

test('the capacity of every record equals that of domain/inventory.ts, even at the ends of the range', async () => {
  await createSeed(database.db).provider('capacities');
  const classes = await database.db.sql<{ name: string }[]>`select name from resource_classes order by id`;
  const ends = [
    { total: maxAmount, reserved: 0, allocationRatio: maxAllocationRatio },
    { total: 1, reserved: maxAmount, allocationRatio: maxAllocationRatio },
    { total: 1, reserved: 2, allocationRatio: 0.4 },
    { total: 1, reserved: 0, allocationRatio: 2 ** 53 },
  ].map((record) => ({ minUnit: 1, maxUnit: 1, stepSize: 1, ...record }));
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { minLength: classes.length, maxLength: classes.length }), async (records) => {
      const inventories = records.map((record, index) => ({ ...record, resourceClass: classes[index]?.name }));
      await createSeed(database.db).write('replace_inventories', { provider: uuidOf('capacities'), expect: {}, inventories });
      const rows = await database.own<{ capacity: string; asked: string; ratio: number }[]>`
        select capacity, capacity_of(total, reserved, allocation_ratio) as asked, allocation_ratio as ratio from inventories order by resource_class_id`;
      expect(rows.map(({ capacity }) => Number(capacity))).toEqual(records.map(capacityOf));
      expect(rows.map(({ asked }) => asked)).toEqual(rows.map(({ capacity }) => capacity));
      expect(rows.map(({ ratio }) => ratio)).toEqual(records.map(({ allocationRatio }) => allocationRatio + 0));
    }),
    { numRuns: 60, examples: [[classes.map((_, index) => ends[index % ends.length] as InventoryRecord)]] },
  );
});

const ten: InventoryRecord = { total: 10, reserved: 0, minUnit: 1, maxUnit: 12, stepSize: 1, allocationRatio: 1 };

/** What `domain/` answers to a request of several consumers on one inventory: the code, with the numbers that depend on the rule. */
function judge(record: InventoryRecord, used: number, released: number, amounts: readonly number[]) {
  const broken = amounts.find((amount) => unitFault(record, amount) !== null);
  if (broken !== undefined) return { code: 'UNIT_VIOLATION', details: { requested: broken } };
  const requested = amounts.reduce((sum, amount) => sum + amount, 0);
  const exceeded = checkNewUse({ capacity: capacityOf(record), usedBefore: used, usedAfterRelease: used - released, requested });
  return exceeded ? { code: 'CAPACITY_EXCEEDED', details: exceeded } : null;
}

test('a claim of several consumers is accepted, or refused with the same code and numbers, like in domain/inventory.ts', async () => {
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
  const examples = [
    [{ record: ten, others: 4, held: [1, 0, 0], wanted: [3, 3, 0] }],
    [{ record: ten, others: 4, held: [1, 0, 0], wanted: [4, 3, 0] }],
    [{ record: { ...ten, stepSize: 2 }, others: 0, held: [0, 0, 0], wanted: [2, 3, 0] }],
  ] satisfies [unknown][];
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
      const answer = await writeAny(database.db, 'replace_allocations', { consumers: claimOf(wanted) });
      const released = held.reduce((sum, amount) => sum + amount, 0);
      const verdict = judge(
        record,
        released + others,
        released,
        wanted.filter((amount) => amount > 0),
      );
      outcomes.add(verdict?.code ?? 'accepted');
      if (verdict === null) expect(answer.refusal).toBeUndefined();
      else expect(answer.refusal).toMatchObject(verdict);
    }),
    { numRuns: 120, examples },
  );
  expect([...outcomes].toSorted()).toEqual(['CAPACITY_EXCEEDED', 'UNIT_VIOLATION', 'accepted']);
});

test('claims of new consumers share a call exactly if domain/inventory.ts accepts each of them', async () => {
  const seed = createSeed(database.db);
  const anyClaims = fc.record({
    record: fc.record({
      total: fc.integer({ min: 1, max: 30 }),
      reserved: fc.integer({ min: 0, max: 4 }),
      minUnit: fc.integer({ min: 1, max: 2 }),
      maxUnit: fc.integer({ min: 6, max: 12 }),
      stepSize: fc.constantFrom(1, 1, 1, 2),
      allocationRatio: fc.constantFrom(1, 1, 0.5, 1.7, 2, 16),
    }),
    others: fc.integer({ min: 0, max: 12 }),
    wanted: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
  });
  const examples = [
    [{ record: ten, others: 4, wanted: [3, 3] }],
    [{ record: ten, others: 4, wanted: [4, 3] }],
    [{ record: { ...ten, stepSize: 2 }, others: 0, wanted: [2, 3] }],
  ] satisfies [unknown][];
  let round = 0;
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyClaims, async ({ record, others, wanted }) => {
      if (inventoryFaults(record).length > 0) return;
      const provider = `together ${round++}`;
      await seed.provider(provider, { inventories: { VCPU: 1000 } });
      if (others > 0) await seed.claim(`others of ${provider}`, { [provider]: { VCPU: others } });
      await seed.inventories(provider, { VCPU: record });
      const claims = wanted.map((amount, index) => ({
        call: { by },
        consumers: [
          {
            uuid: uuidOf(`${provider} ${index}`),
            project: 'p1',
            user: 'u1',
            type: null,
            allocations: [{ provider: uuidOf(provider), resourceClass: 'VCPU', amount }],
          },
        ],
      }));
      const answer = await writeAny(database.db, 'claim_together', joinClaims(claims));
      const verdict = judge(record, others, 0, wanted);
      outcomes.add(verdict?.code ?? 'accepted');
      const refused = 'refusal' in answer || (answer as TogetherAnswer).apart.length > 0;
      expect({ record, others, wanted, refused }).toEqual({ record, others, wanted, refused: verdict !== null });
    }),
    { numRuns: 120, examples },
  );
  expect([...outcomes].toSorted()).toEqual(['CAPACITY_EXCEEDED', 'UNIT_VIOLATION', 'accepted']);
});

const writesInHistory = tried(40, 100);

test(
  'a random history gets the answers of a model in memory and leaves its state; its events lead to the same',
  async () => {
    let runs = 0;
    const answers = new Set<string | null>();
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: writesInHistory, maxLength: writesInHistory }), async (steps) => {
        const run = `run ${runs++}: `;
        const model = createModel();
        const next = [
          ...firstOperations.map((operation) => () => operation),
          ...steps.map((step) => () => operationOf(step, model.state())),
        ];
        for (const make of next) {
          const operation = make();
          const [name, request] = requestOf(operation, run);
          const answer = await writeAny(database.db, name, request);
          const expected = model.apply(operation);
          answers.add(expected);
          expect({ operation, answer: answer.refusal?.code ?? null }).toEqual({ operation, answer: expected });
        }
        expect(await readLedgerState(database.db, run, consumerNames)).toEqual(model.state());
        await expectSoundLedger(database.db);
      }),
      { numRuns: tried(30, 200), endOnFailure: true },
    );
    // The histories are useful only if they meet most of the eleven answers; which of the rare ones is left to chance.
    expect(answers.size).toBeGreaterThanOrEqual(8);
  },
  tried(60_000, 1_200_000),
);
