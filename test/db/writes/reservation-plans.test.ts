// Examination. Writes beside and of reservations read only their own rows, whatever was known when they were planned. Counted as in growth.test.ts.
import { expect, test } from 'vitest';
import { joinClaims } from '../../../src/db/writes/claim-batch.ts';
import { type Cost, useExplained } from '../../support/explained.ts';
import { uuidOf } from '../../support/seed.ts';

const explained = useExplained();
const { costOf } = explained;
const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
const hosts = Array.from({ length: 400 }, (_, index) => uuidOf(`planned ${index}`));
const inventories = ['VCPU', 'DISK_GB'].map((resourceClass) => ({
  ...{ resourceClass, total: 100_000, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 },
}));
const server = { project: 'p', user: 'u', type: 'INSTANCE' };
const after = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const amountsOn = (some: readonly string[], amount: number) =>
  amount === 0 ? [] : some.map((provider) => ({ provider, resourceClass: 'VCPU', amount }));

function importHosts(some: readonly string[]) {
  const generation = { generation: 1, inventories, traits: [], aggregates: [] };
  return costOf('import_resource_providers', { providers: some.map((uuid) => ({ ...generation, uuid, name: uuid, parent: null })) });
}

const others = Array.from({ length: 2000 }, (_, index) => uuidOf(`planned server ${index}`));
/** What others hold; 0 releases it. */
async function holdOthers(some: readonly string[], amount: number): Promise<void> {
  for (let from = 0; from < some.length; from += 500) {
    const consumers = some.slice(from, from + 500).map((uuid, index) => ({
      ...{ ...server, uuid, allocations: amountsOn([hosts[index % 100] ?? ''], amount), ...(amount === 0 && { expects: -1 }) },
    }));
    await costOf('claim_together', joinClaims(consumers.map((consumer) => ({ call: { by }, consumers: [consumer] }))));
  }
}

/** What others have reserved. */
async function reserveOthers(): Promise<void> {
  await explained.session.sql`
    with made as (
      insert into reservations (uuid, project_id, starts_at, ends_at)
      select gen_random_uuid(), (select min(id) from projects), now(), now() + interval '3 days' from generate_series(1, 2000) returning id
    )
    insert into reservation_amounts (reservation_id, resource_provider_id, resource_class_id, amount)
    select id, (array(select id from resource_providers order by name))[100 + id % 100], (select id from resource_classes where name = 'VCPU'), 1 from made`;
}

/** In this order, with four hosts that nobody else uses. */
function writesOn(name: string, [one = '', two = '', whole = '', pool = '']: readonly string[]): Record<string, () => Promise<Cost>> {
  const pair = [one, two];
  const [own, ofHost] = [uuidOf(`${name} reserved`), uuidOf(`${name} reserved whole`)];
  const reserve = (
    uuid: string,
    kept: { amounts: ReturnType<typeof amountsOn> } | { hosts: readonly string[] },
    hours: number,
    refusal?: string,
  ) => {
    const reservation = { uuid, project: 'p', startsAt: after(0), endsAt: after(hours), ...kept };
    return costOf('replace_reservation', { reservation, expect: {}, most: 1000 }, refusal);
  };
  const consumer = (of: string, amount: number, rest: object = {}) => ({
    ...{ ...server, uuid: uuidOf(`${name} ${of}`), expect: {}, keepType: false, allocations: amountsOn(pair, amount), ...rest },
  });
  const from = { reservation: own };
  const withoutClass = (provider: string) =>
    costOf('replace_inventories', { provider, expect: {}, inventories: inventories.slice(1) }, 'IN_USE');
  return {
    'a reservation': () => reserve(own, { amounts: amountsOn(pair, 5) }, 24),
    'a reservation of a host': () => reserve(ofHost, { hosts: [whole] }, 24),
    'claims from it': () => costOf('replace_allocations', { consumers: ['a', 'b'].map((of) => consumer(of, 1, from)) }),
    'claims beside it': () => costOf('replace_allocations', { consumers: ['c', 'd'].map((of) => consumer(of, 1)) }),
    'a refused change': () => reserve(own, { amounts: amountsOn(pair, 200_000) }, 24, 'CAPACITY_EXCEEDED'),
    'a refused claim from it': () => costOf('replace_allocations', { consumers: [consumer('f', 10, from)] }, 'CAPACITY_EXCEEDED'),
    'its change': () => reserve(own, { amounts: amountsOn(pair, 6) }, 48),
    'another expiry': () => costOf('set_expiry', { consumers: [consumer('a', 0, { expiresIn: 7200 })] }),
    'a resize': () => costOf('replace_allocations', { consumers: [consumer('a', 2, from)] }),
    'a takeover': () => costOf('move_allocations', { consumers: [consumer('e', 0, { takeFrom: uuidOf(`${name} a`) }), consumer('a', 0)] }),
    'an import': () => costOf('import_consumers', { consumers: [{ ...consumer('b', 8, from), generation: 9 }] }),
    'a deletion of a host in use': () => costOf('delete_resource_provider', { provider: one, expect: {} }, 'IN_USE'),
    'a deletion of a reserved host': () => costOf('delete_resource_provider', { provider: whole, expect: {} }, 'IN_USE'),
    'a deletion of an inventory in use': () => withoutClass(one),
    'a deletion of a reserved inventory': () => withoutClass(whole),
    'releases of claims': () => costOf('release_allocations', { consumers: ['b', 'c', 'd', 'e'].map((of) => consumer(of, 0)) }),
    'a loss of what it keeps': () => costOf('drop_reserved_amounts', { provider: one, resourceClass: null }),
    'a pool that gets its disks': async () => {
      const record = { kind: 'compute_node', name, uuid: whole, body: { host: name, hasSharedStorage: true } };
      await costOf('import_records', { records: [record] });
      for (const provider of [whole, pool]) await costOf('replace_aggregates', { provider, expect: {}, aggregates: [uuidOf(name)] });
      return costOf('replace_traits', { provider: pool, expect: {}, traits: ['MISC_SHARES_VIA_AGGREGATE'] });
    },
    'its release': () => costOf('release_reservation', { reservation: own, expect: {} }),
    'the end of a reservation': () => costOf('end_reservations', { most: 1, until: after(25) }),
  };
}

/** Each brings the database to a state in which the planner's statistics are out of date. */
const states: Record<string, () => Promise<void>> = {
  'planned while the tables were empty': async () => {
    await importHosts(hosts.slice(0, 4));
    for (const write of Object.values(writesOn('first', hosts.slice(0, 4)))) await write();
    await importHosts(hosts.slice(4));
    await holdOthers(others, 1);
    await reserveOthers();
  },
  'nearly empty while they were last analyzed': async () => {
    await importHosts(hosts);
    await holdOthers(others, 1);
    await reserveOthers();
    // The last one keeps the pages of the tables.
    await holdOthers(others.slice(0, -1), 0);
    await explained.session.sql`delete from reservations where id < (select max(id) from reservations)`;
    await explained.session
      .sql`delete from reservation_amounts where reservation_id < (select max(reservation_id) from reservation_amounts)`;
    await explained.session.sql`vacuum (analyze) consumers, allocations, reservations, reservation_amounts`;
    await holdOthers(others.slice(0, -1), 1);
    await reserveOthers();
    await explained.session.sql`discard plans`;
  },
};

test.each(Object.keys(states))('%s, writes beside and of reservations read only their own rows', async (state) => {
  await explained.session.sql`truncate allocations, consumers, inventories, resource_providers, reservations, reservation_amounts cascade`;
  await explained.session.sql`analyze`;
  await explained.session.sql`discard plans`;
  await states[state]?.();
  const read: [string, number][] = [];
  for (const [name, write] of Object.entries(writesOn('last', hosts.slice(-4)))) {
    await write();
    read.push([
      name,
      explained.session.rowsOf(/^(reservations|reservation_amounts|consumers|allocations|resource_providers|inventories)$/),
    ]);
  }
  // A pool looks for its hosts among all providers.
  expect(read.filter(([name, rows]) => rows === 0 || rows > (name === 'a pool that gets its disks' ? 1500 : 200))).toEqual([]);
});
