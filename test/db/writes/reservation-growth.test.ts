// Examination. Reservations, and claims from them and beside them, cost in proportion to their providers, also if there were no reservations when they were planned.
// Counted as in growth.test.ts.
import { expect, test } from 'vitest';
import { joinClaims } from '../../../src/db/writes/claim-batch.ts';
import { useExplained } from '../../support/explained.ts';
import { uuidOf } from '../../support/seed.ts';

const explained = useExplained();
const { costOf } = explained;
const inventoriesOf = (total: number) => [
  { resourceClass: 'VCPU', total, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 },
];

test('a reservation of four times as many providers beside others costs four times as much, and so do claims from it and beside it, refusals, and less capacity', async () => {
  const costs = new Map<string, number[]>();
  // The statistics are from a time when there were none.
  await explained.session.sql`analyze`;
  for (const size of [40, 160]) {
    const hosts = Array.from({ length: size }, (_, index) => uuidOf(`reserved ${index} of ${size}`));
    const generation = { generation: 1, inventories: inventoriesOf(1000), traits: [], aggregates: [] };
    await costOf('import_resource_providers', { providers: hosts.map((uuid) => ({ ...generation, uuid, name: uuid, parent: null })) });
    const reserve = (name: string, amount = 1, refusal?: string) => {
      const [startsAt, endsAt] = [0, 86_400_000].map((after) => new Date(Date.now() + after).toISOString()) as [string, string];
      const amounts = hosts.map((provider) => ({ provider, resourceClass: 'VCPU', amount }));
      const reservation = { uuid: uuidOf(`${name} of ${size}`), project: 'p', startsAt, endsAt, amounts };
      return costOf('replace_reservation', { reservation, expect: { isNew: true }, most: 1000 }, refusal);
    };
    for (const name of ['first', 'second']) await reserve(name);
    const consumerOn = (some: readonly string[], name: string, amount: number, reservation?: string) => ({
      ...{ uuid: uuidOf(`${name} of ${size}`), expect: {}, project: 'p', user: 'u', type: 'INSTANCE', keepType: false },
      allocations: amount === 0 ? [] : some.map((provider) => ({ provider, resourceClass: 'VCPU', amount })),
      ...(reservation && { reservation: uuidOf(`${reservation} of ${size}`) }),
    });
    const claim = (...asked: [name: string, amount: number, reservation?: string]) =>
      costOf('replace_allocations', { consumers: [consumerOn(hosts, ...asked)] });
    const claims = (amount: number, reservation?: string, refusal?: string) =>
      costOf('replace_allocations', { consumers: hosts.map((host) => consumerOn([host], `on ${host}`, amount, reservation)) }, refusal);
    const writes = {
      'a third reservation': () => reserve('third'),
      'a claim beside them': () => claim('beside', 2),
      'its resize': () => claim('beside', 3),
      'a claim from the first': () => claim('from', 1, 'first'),
      'its release': () => claim('from', 0),
      'claims from the first': () => claims(1, 'first'),
      'one more claim': () => costOf('replace_allocations', { consumers: [consumerOn(hosts.slice(0, 1), 'one more', 1, 'second')] }),
      'their releases': () => claims(0),
      'a refused reservation': () => reserve('too large', 1000, 'CAPACITY_EXCEEDED'),
      'refused claims beside them': () => claims(1000, undefined, 'CAPACITY_EXCEEDED'),
      'refused claims from the first': () => claims(2, 'first', 'CAPACITY_EXCEEDED'),
      'less capacity': () =>
        costOf('reshape', {
          providers: hosts.map((provider) => ({ provider, expect: {}, inventories: inventoriesOf(2) })),
          consumers: [],
        }),
    };
    for (const [name, write] of Object.entries(writes)) costs.set(name, [...(costs.get(name) ?? []), (await write()).rows]);
  }
  const growth = [...costs].map(([name, [small = 0, large = 0]]) => [name, large / small] as const);
  // What others claim elsewhere costs one claim nothing.
  expect(growth.filter(([name, times]) => !(times < (name === 'one more claim' ? 1.1 : 4.3)))).toEqual([]);
});

// Numbers that are compared with each of a list pass through no plan. They are counted by an operator that stands in for the one of Postgres.
test('a claim of many amounts, half of them from a reservation, compares none with each of the others', async () => {
  const { sql } = explained.session;
  const [entry] = await sql<{ signature: string; path: string }[]>`
    select oid::regprocedure as signature, substr(proconfig[1], length('search_path=') + 1) as path from pg_proc where oid = 'apply_write'::regproc`;
  await sql.unsafe(`
    create schema counting;
    create sequence counting.comparisons;
    create function counting.differs(one int, other int) returns boolean language plpgsql as
      $$ begin return nextval('counting.comparisons') > 0 and one operator(pg_catalog.<>) other; end $$;
    create operator counting.<> (function = counting.differs, leftarg = int, rightarg = int);
    alter function ${entry?.signature} set search_path = counting, pg_catalog, ${entry?.path}`);
  const comparisonsOf = async (write: () => Promise<unknown>) => {
    await sql`select setval('counting.comparisons', 1)`;
    await write();
    const [last] = await sql<{ count: number }[]>`select last_value::int - 1 as count from counting.comparisons`;
    return last?.count ?? Number.NaN;
  };
  const hosts = Array.from({ length: 100 }, (_, index) => uuidOf(`compared ${index}`));
  const generation = { generation: 1, inventories: inventoriesOf(1), traits: [], aggregates: [] };
  await costOf('import_resource_providers', { providers: hosts.map((uuid) => ({ ...generation, uuid, name: uuid, parent: null })) });
  const amountsOn = (some: readonly string[]) => some.map((provider) => ({ provider, resourceClass: 'VCPU', amount: 1 }));
  const [reserved, others] = [amountsOn(hosts.slice(0, 50)), amountsOn(hosts.slice(50))];
  const uuid = uuidOf('compared');
  const [startsAt, endsAt] = [0, 86_400_000].map((after) => new Date(Date.now() + after).toISOString()) as [string, string];
  await costOf('replace_reservation', {
    reservation: { uuid, project: 'p', startsAt, endsAt, amounts: reserved },
    ...{ expect: { isNew: true }, most: 1000 },
  });
  const server = { project: 'p', user: 'u', type: 'INSTANCE' };
  const both = [
    { uuid: uuidOf('compared, from it'), allocations: reserved, reservation: uuid },
    { uuid: uuidOf('compared, beside it'), allocations: others },
  ];
  const consumers = both.map((one) => ({ ...server, ...one, expect: {}, keepType: false }));
  expect(await comparisonsOf(() => costOf('replace_allocations', { consumers }))).toBeLessThan(hosts.length);
  // The operator counts: places are compared with those of the few that are left out.
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  const claims = [1, 1000].map((amount) => ({
    call: { by },
    consumers: [
      { ...server, uuid: uuidOf(`compared ${amount}`), allocations: [{ provider: hosts[99] ?? '', resourceClass: 'VCPU', amount }] },
    ],
  }));
  await costOf('release_allocations', { consumers: consumers.map((one) => ({ ...one, allocations: [] })) });
  expect(await comparisonsOf(() => costOf('claim_together', joinClaims(claims)))).toBeGreaterThan(0);
});
