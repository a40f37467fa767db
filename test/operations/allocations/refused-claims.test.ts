// Refused claims over time: counted by code, whoever refuses them, added to the database by each gateway, and read by claimHistory.
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/sql/client.ts';
import { moveAllocations, releaseAllocations, replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { keepRefusedClaims } from '../../../src/operations/allocations/refused-claims.ts';
import { claim } from '../../../src/operations/candidates/claims.ts';
import { deleteExpired } from '../../../src/operations/ledger/housekeeping.ts';
import { useDatabase } from '../../support/database.ts';
import { query, scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const fresh = { expect: { isNew: true }, project: 'p', user: 'u' };
const oneVcpu = [{ resourceProvider: uuidOf('cn1'), resources: [{ resourceClass: 'VCPU', amount: 1 }] }];
const vcpus = (amount: number) => ({ groups: [{ resources: [{ resourceClass: 'VCPU', amount }] }] });
const refused = (run: Promise<unknown>) => expect(run).rejects.toMatchObject({ name: 'Refusal' });

/** A claim of one VCPU of a host that has none left. */
const overfull = (db = database.db) =>
  refused(replaceAllocations(scopeOf(db), { consumers: [{ ...fresh, consumer: uuidOf('late'), hold: { allocations: oneVcpu } }] }));

async function stored(): Promise<Record<string, number>> {
  await keepRefusedClaims(database.db);
  const rows = await database.db.sql<{ code: string; count: number }[]>`
    select code, sum(count)::int as count from refused_claims group by code order by code`;
  return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
}

beforeEach(async () => {
  await database.own`truncate resource_providers, consumers, inventories, allocations, refused_claims cascade`;
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 4 } });
  await seed.claim('vm', { cn1: { VCPU: 4 } });
});

describe('what counts as a refused claim', () => {
  test('is a refused write of allocations, once, under its first code', async () => {
    await overfull();
    const held = { consumer: uuidOf('vm'), expect: { isNew: true }, hold: { allocations: oneVcpu } };
    const wanted = ['a', 'b'].map((name) => ({ ...fresh, consumer: uuidOf(name), hold: { allocations: oneVcpu } }));
    await refused(replaceAllocations(scopeOf(database.db), { consumers: [held] }));
    await refused(replaceAllocations(scopeOf(database.db), { consumers: wanted }));
    const move = { from: uuidOf('none'), expectFrom: { unchecked: true }, to: uuidOf('other'), expectTo: { isNew: true } };
    await refused(moveAllocations(scopeOf(database.db), move));
    expect(await stored()).toEqual({ CAPACITY_EXCEEDED: 2, CONSUMER_CONFLICT: 1, NOT_FOUND: 1 });
  });

  test('is a claim without a host, and with BEST_EFFORT each consumer without one', async () => {
    const scope = () => scopeOf(database.db);
    const consumers = ['a', 'b', 'c'].map((name) => ({ ...fresh, consumer: uuidOf(name) }));
    await refused(claim(scope(), { consumers, request: vcpus(1) }));
    await releaseAllocations(scope(), { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
    const { claims, problems } = await claim(scope(), { consumers, request: vcpus(3), mode: 'BEST_EFFORT' });
    expect([claims.length, problems.length]).toEqual([1, 2]);
    expect(await stored()).toEqual({ NO_CANDIDATES: 3 });
  });

  test('is neither a refused release nor a successful claim', async () => {
    await refused(releaseAllocations(scopeOf(database.db), { consumers: [{ consumer: uuidOf('vm'), expect: { generation: 9 } }] }));
    await releaseAllocations(scopeOf(database.db), { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
    await claim(scopeOf(database.db), { consumers: [{ ...fresh, consumer: uuidOf('a') }], request: vcpus(1) });
    expect(await stored()).toEqual({});
  });
});

describe('the numbers', () => {
  test('of several gateways are added up, none twice', async () => {
    const others = [openDatabase(database.target), openDatabase(database.target)];
    try {
      const gateways = [database.db, ...others];
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(gateways.map((db) => overfull(db)));
        await Promise.all(gateways.map((db) => keepRefusedClaims(db)));
      }
      expect(await stored()).toEqual({ CAPACITY_EXCEEDED: 9 });
    } finally {
      await Promise.all(others.map((db) => db.close()));
    }
  });

  test('that could not be added are added next time', async () => {
    await overfull();
    await database.own`alter table refused_claims rename to elsewhere`;
    await expect(keepRefusedClaims(database.db)).rejects.toThrow();
    await database.own`alter table elsewhere rename to refused_claims`;
    await overfull();
    expect(await stored()).toEqual({ CAPACITY_EXCEEDED: 2 });
  });

  test('are kept as long as events are', async () => {
    await database.own`insert into refused_claims values (now() - interval '29 days', 'NO_CANDIDATES', 1), (now() - interval '31 days', 'NO_CANDIDATES', 5)`;
    await deleteExpired(database.db, { eventRetentionDays: null });
    expect(await stored()).toEqual({ NO_CANDIDATES: 6 });
    expect(await deleteExpired(database.db, { eventRetentionDays: 30 })).toMatchObject({ refusedClaims: 1 });
    expect(await stored()).toEqual({ NO_CANDIDATES: 1 });
  });
});

test('appear in claimHistory in the step in which their minute begins, for all codes or some', async () => {
  const from = new Date(Date.now() - 90 * 60_000);
  await database.own`update events set at = ${from}`;
  await database.own`
    insert into refused_claims select ${from}::timestamptz + make_interval(mins => minutes), code, count
    from (values (-1, 'NO_CANDIDATES', 100), (0, 'NO_CANDIDATES', 1), (29, 'NO_CANDIDATES', 2), (29, 'CAPACITY_EXCEEDED', 4), (30, 'NO_CANDIDATES', 8)) _ (minutes, code, count)`;
  const { claimHistory } = await query<{ claimHistory: { periods: object[] } }>(
    database.db,
    `query ($from: DateTime!) { claimHistory(from: $from, stepSeconds: 1800) { periods {
      refusedCount withoutHost: refusedCount(codes: [NO_CANDIDATES]) others: refusedCount(codes: [CAPACITY_EXCEEDED, NO_INVENTORY]) none: refusedCount(codes: []) } } }`,
    { from: from.toISOString() },
  );
  expect(claimHistory.periods.slice(0, 3)).toEqual([
    { refusedCount: 7, withoutHost: 3, others: 4, none: 0 },
    { refusedCount: 8, withoutHost: 8, others: 0, none: 0 },
    { refusedCount: 0, withoutHost: 0, others: 0, none: 0 },
  ]);
});
