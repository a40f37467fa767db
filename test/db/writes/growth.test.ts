// Examination. What large writes cost is proportional to their size. Counted as the rows that pass through the plans of all statements in the functions, with
// those that a filter or a join drops: a join of everything with everything shows there, whatever the machine is busy with.
import { describe, expect, test } from 'vitest';
import { replayEvents, selectSubjects } from '../../../src/db/audit.ts';
import { selectProjectUsages } from '../../../src/db/project-usages.ts';
import { joinClaims } from '../../../src/db/writes/claim-batch.ts';
import { type Cost, Explained, useExplained } from '../../support/explained.ts';
import { uuidOf } from '../../support/seed.ts';

const explained = useExplained();
const { costOf } = explained;
const openReader = () => Explained.open(explained.database, { random_page_cost: '1.1' });

const plain = { reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 };
const inventories = (total: number) => ['VCPU', 'MEMORY_MB'].map((resourceClass) => ({ resourceClass, total, ...plain }));
const traits = ['HW_CPU_X86_AVX2', 'STORAGE_DISK_SSD'];

/** Everything that is written in bulk, in this order, for clouds of two sizes. `size`: providers; five times as many consumers. */
function bulkWritesOf(size: number) {
  const of = (name: string) => uuidOf(`${name} of ${size}`);
  const hosts = Array.from({ length: size }, (_, index) => `host${index}`);
  const tree = (total: number, nameOf = (host: string) => `${host} of ${size}`) => ({
    root: of('host0'),
    dryRun: false,
    consumers: [],
    providers: hosts.map((host, index) => ({
      ...{ uuid: of(host), name: nameOf(host), parent: index === 0 ? null : nameOf(`host${index >> 2}`), expect: {} },
      ...{ inventories: inventories(total), traits: traits.slice(total % 2), aggregates: [of('zone'), of(`rack${index >> 4}`)] },
    })),
  });
  const consumers = (shift: number, expectation: object, prefix = 'server') =>
    Array.from({ length: 5 * size }, (_, index) => ({
      ...{ uuid: of(`${prefix}${index}`), expect: expectation, project: 'p', user: 'u', type: 'INSTANCE', keepType: false },
      allocations: [{ provider: of(`host${(index + shift) % size}`), resourceClass: 'VCPU', amount: 1 }],
    }));
  const onAllHosts = (expectation: object, classes: readonly string[]) => ({
    ...{ uuid: of('large'), expect: expectation, project: 'p', user: 'u', type: 'INSTANCE', keepType: false },
    allocations: hosts.flatMap((host) => classes.map((resourceClass) => ({ provider: of(host), resourceClass, amount: 1 }))),
  });
  const reshaped = (total: number) => hosts.map((host) => ({ provider: of(host), expect: {}, inventories: inventories(total) }));
  const imported = (prefix: string, generation: number) =>
    hosts.map((host, index) => ({
      ...{ uuid: of(prefix + host), name: `${prefix}${host} of ${size}`, generation, parent: index === 0 ? null : of(`${prefix}host0`) },
      ...{ inventories: inventories(generation), traits, aggregates: [of('zone')] },
    }));
  return {
    'a new tree': () => costOf('apply_provider_tree', tree(1000)),
    'a tree that is as it should be': () => costOf('apply_provider_tree', tree(1000)),
    'other inventories, traits and names in a tree': () =>
      costOf(
        'apply_provider_tree',
        tree(1001, (host) => `${host} of ${size}, renamed`),
      ),
    'a reshape with new consumers': () => costOf('reshape', { providers: reshaped(900), consumers: consumers(0, { isNew: true }) }),
    'a reshape that moves consumers': () => costOf('reshape', { providers: reshaped(800), consumers: consumers(1, { generation: 1 }) }),
    'claims together': () => costOf('replace_allocations', { consumers: consumers(0, { isNew: true }, 'other') }),
    takeovers: () => {
      const taken = consumers(0, {}, 'other').map((one) => ({ ...one, allocations: [] }));
      return costOf('move_allocations', {
        consumers: taken.flatMap((one, place) => [one, { ...one, uuid: of(`taker${place}`), takeFrom: one.uuid }]),
      });
    },
    'releases together': () =>
      costOf('release_allocations', { consumers: consumers(0, {}, 'taker').map((one) => ({ ...one, allocations: [] })) }),
    'a claim of one consumer on all hosts': () =>
      costOf('replace_allocations', { consumers: [onAllHosts({ isNew: true }, ['VCPU', 'MEMORY_MB'])] }),
    'its resize to half': () => costOf('replace_allocations', { consumers: [onAllHosts({ generation: 1 }, ['VCPU'])] }),
    'its release': () => costOf('release_allocations', { consumers: [onAllHosts({}, [])] }),
    'an import of providers': () => costOf('import_resource_providers', { providers: imported('far ', 7) }),
    'an import of providers that have changed': () => costOf('import_resource_providers', { providers: imported('far ', 9) }),
    'an import of consumers': () =>
      costOf('import_consumers', { consumers: consumers(0, {}, 'far').map((one) => ({ ...one, generation: 7 })) }),
  };
}

test('four times as many providers and consumers cost four times as much', async () => {
  const costs = new Map<string, Cost[]>();
  for (const size of [40, 160]) {
    for (const [name, write] of Object.entries(bulkWritesOf(size))) costs.set(name, [...(costs.get(name) ?? []), await write()]);
  }
  const growthOf = (part: keyof Cost) =>
    new Map([...costs].map(([name, [small, large]]) => [name, (large?.[part] ?? Number.NaN) / (small?.[part] ?? Number.NaN)]));
  expect([...growthOf('rows')].filter(([, growth]) => !(growth < 4.3))).toEqual([]);
  const statements = growthOf('statements');
  for (const name of ['a new tree', 'claims together', 'releases together']) expect([name, statements.get(name)]).toEqual([name, 1]);
});

test('an audit finds what it can correct by reading every row a few times, however many there are', async () => {
  for (const write of Object.values(bulkWritesOf(120))) await write();
  const { rows } = await costOf('mend_derived', { contested: [], dryRun: true });
  const [kept] = await explained.session.sql<{ rows: number }[]>`
    select sum(n)::int as rows from (
      select count(*) as n from allocations union all select count(*) from consumers union all select count(*) from inventories
      union all select count(*) from resource_providers union all select count(*) from event_subjects) _`;
  expect(rows / (kept?.rows ?? 0)).toBeLessThan(8);
});

test('an audit replays a few subjects by reading only their events, whatever the statistics of the tables', async () => {
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  const host = { uuid: uuidOf('replayed host'), name: 'replayed host', parent: null, expect: {}, inventories: inventories(10_000) };
  await costOf('apply_provider_tree', { root: host.uuid, dryRun: false, consumers: [], providers: [host] });
  const allocations = [{ provider: host.uuid, resourceClass: 'VCPU', amount: 1 }];
  const claims = Array.from({ length: 40 }, (_, nth) => ({
    call: { by },
    consumers: Array.from({ length: 100 }, (_, place) => ({
      ...{ uuid: uuidOf(`replayed ${nth} ${place}`), project: 'p', user: 'u', type: 'INSTANCE', allocations },
    })),
  }));
  const subjects = claims.flatMap(({ consumers }) => consumers.slice(0, 10).map(({ uuid }) => uuid));
  const reader = await openReader();
  try {
    for (const claim of claims) await costOf('claim_together', joinClaims([claim]));
    for (const known of ['nothing', 'everything']) {
      if (known === 'everything') await explained.session.sql`analyze`;
      reader.begin();
      expect(await replayEvents({ ...explained.database.db, sql: reader.sql }, subjects)).toEqual([]);
      const read = reader.rowsOf(/^event/);
      expect([known, read / subjects.length]).toEqual([known, 2]);
    }
  } finally {
    await reader.sql.end();
  }
});

test('an audit finds each subject by reading few entries, however many precede it', async () => {
  const reader = await openReader();
  try {
    const db = { ...explained.database.db, sql: reader.sql };
    const [kept] = await explained.session.sql<{ subjects: number }[]>`select count(distinct subject)::int as subjects from event_subjects`;
    reader.begin();
    const found: string[] = [];
    // So often that a plan for any values is kept.
    for (let page = await selectSubjects(db, null, 100); page.length > 0; page = await selectSubjects(db, found.at(-1) ?? null, 100)) {
      found.push(...page);
    }
    expect([found.length, new Set(found).size]).toEqual([kept?.subjects, kept?.subjects]);
    const read = reader.rowsOf(/^event/);
    expect(read / found.length).toBeLessThan(3);
  } finally {
    await reader.sql.end();
  }
});

test('usages of a project of 100,000 consumers are read from a few rows, whatever the statistics of the tables', async () => {
  const host = { uuid: uuidOf('large host'), name: 'large host', parent: null, expect: {}, inventories: inventories(1_000_000) };
  await costOf('apply_provider_tree', { root: host.uuid, dryRun: false, consumers: [], providers: [host] });
  await explained.session.sql`select ensure_consumer_names('{large}', '{one, two}', '{INSTANCE}')`;
  // In parts: a long transaction would hold up tests of other databases on this server.
  for (let part = 0; part < 20; part += 1) {
    await explained.database.own`
      with made as (
        insert into consumers (uuid, project_id, user_id, consumer_type_id)
        select gen_random_uuid(), p.id, (select min(id) from users) + n % 2, t.id
        from projects p cross join consumer_types t cross join generate_series(1, 5000) n where p.external_id = 'large' returning id
      )
      insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
      select made.id, i.resource_provider_id, i.resource_class_id, 1
      from made cross join inventories i join resource_providers p on p.id = i.resource_provider_id where p.uuid = ${host.uuid}`;
  }
  await costOf('mend_derived', { contested: [], dryRun: false });
  const reader = await openReader();
  try {
    for (const known of ['nothing', 'everything']) {
      if (known === 'everything') await explained.session.sql`analyze`;
      reader.begin();
      const [usage] = await selectProjectUsages({ ...explained.database.db, sql: reader.sql }, { project: 'large' }, false);
      expect(usage?.consumerCount).toBe(100_000);
      // Those of other tests' projects may be looked at, too, while there are so few.
      expect(reader.rowsOf(/usages|consumers|allocations/)).toBeLessThan(1000);
    }
  } finally {
    await reader.sql.end();
  }
});

describe('a claim reads only rows of its own providers, whatever the statistics of the tables when it is planned:', () => {
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  const hosts = Array.from({ length: 500 }, (_, index) => `alone ${index}`);
  const classes = ['VCPU', 'MEMORY_MB'];
  let made = 0;

  const newConsumers = (providers: readonly string[]) =>
    providers.map((host) => ({
      ...{ uuid: uuidOf(`alone ${++made}`), project: 'p', user: 'u', type: 'INSTANCE' },
      allocations: classes.map((resourceClass) => ({ provider: uuidOf(host), resourceClass, amount: 1 })),
    }));
  const together = (count: number) => () =>
    costOf('claim_together', joinClaims(newConsumers(hosts.slice(-count)).map((consumer) => ({ call: { by }, consumers: [consumer] }))));
  const alone = (count: number, checkFirst: boolean) => () => {
    const consumers = newConsumers(hosts.slice(-count)).map((consumer) => ({
      ...consumer,
      expect: { isNew: true as const },
      keepType: false,
    }));
    return costOf('replace_allocations', { consumers, ...(checkFirst && { checkFirst }) });
  };
  const release = () => costOf('release_allocations', { consumers: [{ uuid: uuidOf(`alone ${made}`), expect: {}, allocations: [] }] });
  const writes = {
    'one claim': together(1),
    '8 claims together': together(8),
    'one claim that is tried alone': alone(1, true),
    'a claim of 100 consumers': alone(100, false),
    'a claim of 100 consumers that is tried alone': alone(100, true),
    'a release': release,
  };

  const fill = (some: readonly string[]) =>
    costOf('apply_provider_tree', {
      ...{ root: uuidOf(some[0] ?? ''), dryRun: false, consumers: [] },
      providers: some.map((name, index) => ({
        ...{ uuid: uuidOf(name), name, parent: index === 0 ? null : (some[0] ?? ''), expect: {}, inventories: inventories(1000) },
      })),
    });
  /** What is known: plans are made in the first part and used in the second. */
  const states: Record<string, () => Promise<void>> = {
    'never analyzed': async () => {
      await fill(hosts);
      await explained.session.sql`discard plans`;
    },
    'planned while the tables were empty': async () => {
      await explained.session.sql`analyze`;
      await explained.session.sql`discard plans`;
      await fill(hosts.slice(0, 1));
      for (const write of Object.values({ ...writes, 'a release': async () => {} })) await write().catch(() => {});
      await fill(hosts);
    },
    'analyzed while there was one host': async () => {
      await fill(hosts.slice(0, 1));
      await explained.session.sql`analyze`;
      await fill(hosts);
      await explained.session.sql`discard plans`;
    },
    'analyzed since': async () => {
      await fill(hosts);
      await explained.session.sql`analyze`;
      await explained.session.sql`discard plans`;
    },
  };

  test.each(Object.keys(states).slice(0, -1))(
    '%s, nearly as many rows as when all is known',
    async (state) => {
      const costs: Map<string, number>[] = [];
      for (const name of [state, 'analyzed since']) {
        await explained.session.sql`truncate allocations, consumers, inventories, resource_providers cascade`;
        await states[name]?.();
        const own = new Map<string, number>();
        for (const [kind, write] of Object.entries(writes)) own.set(kind, (await write()).rows);
        costs.push(own);
      }
      const [unknown, known] = costs;
      const ratios = [...(known ?? [])].map(([kind, rows]) => [kind, (unknown?.get(kind) ?? Number.NaN) / rows] as const);
      expect(ratios.filter(([, ratio]) => !(ratio < 1.3))).toEqual([]);
    },
    60_000,
  );
});

test('one of 64 claims that must be left out adds a few statements, which read few rows', async () => {
  const hosts = Array.from({ length: 128 }, (_, index) => `beside ${index}`);
  const providers = hosts.map((name, index) => ({
    ...{ uuid: uuidOf(name), name, parent: index === 0 ? null : (hosts[0] ?? ''), expect: {}, inventories: inventories(1000) },
  }));
  await costOf('apply_provider_tree', { root: uuidOf(hosts[0] ?? ''), dryRun: false, consumers: [], providers });
  await explained.session.sql`analyze`;
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  let batch = 0;
  const costOfClaims = async (isLeftOut: (place: number) => boolean) => {
    batch += 1;
    const claims = hosts.slice(0, 64).map((_, place) => {
      const provider = uuidOf(hosts[(place * 7) % hosts.length] ?? '');
      const amounts = [isLeftOut(place) ? 1001 : 1, 1];
      const allocations = ['VCPU', 'MEMORY_MB'].map((resourceClass, index) => ({ provider, resourceClass, amount: amounts[index] ?? 1 }));
      const consumer = { uuid: uuidOf(`server ${batch} ${place}`), project: 'p', user: 'u', type: 'INSTANCE', allocations };
      return { call: { by }, consumers: [consumer] };
    });
    return costOf('claim_together', joinClaims(claims));
  };
  const all = await costOfClaims(() => false);
  const allButOne = await costOfClaims((place) => place === 31);
  expect(allButOne.tableRows - all.tableRows).toBeLessThan(20);
  expect(allButOne.statements - all.statements).toBeLessThan(13);
});

test('writes of consumers read only these, also when their tables were nearly empty while they were last analyzed', async () => {
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  const hosts = ['refilled a', 'refilled b'].map((name) => uuidOf(name));
  for (const uuid of hosts) {
    const provider = { uuid, name: uuid, parent: null, expect: {}, inventories: inventories(100_000) };
    await costOf('apply_provider_tree', { root: uuid, dryRun: false, consumers: [], providers: [provider] });
  }
  const server = (place: number, host: number, amount: number) => ({
    ...{ uuid: uuidOf(`refilled ${place}`), project: 'p', user: 'u', type: 'INSTANCE' },
    allocations: amount === 0 ? [] : [{ provider: hosts[host] ?? '', resourceClass: 'VCPU', amount }],
  });
  const together = (places: readonly number[], host: number, amount: number, isNew = false) =>
    costOf(
      'claim_together',
      joinClaims(
        places.map((place) => ({ call: { by }, consumers: [{ ...server(place, host, amount), ...(!isNew && { expects: -1 }) }] })),
      ),
    );
  const alone = (place: number, host: number, amount: number) => ({ ...server(place, host, amount), expect: {}, keepType: false });
  const all = Array.from({ length: 5000 }, (_, place) => place);
  const inParts = async (places: readonly number[], amount: number) => {
    for (let from = 0; from < places.length; from += 1000) await together(places.slice(from, from + 1000), 0, amount, amount > 0);
  };
  await inParts(all, 1);
  // The last one keeps the pages of the tables.
  await inParts(all.slice(0, -1), 0);
  await explained.session.sql`vacuum (analyze) consumers, allocations`;
  await inParts(all.slice(0, -1), 1);
  await explained.session.sql`discard plans`;

  const pair = [0, 1];
  const later = { ...alone(3, 0, 0), expiresIn: 3600 };
  const writes: Record<string, () => Promise<Cost>> = {
    'a claim': () => together([5000], 0, 1, true),
    'a resize': () => together([5000], 0, 2),
    'a release': () => together([5000], 0, 0),
    'resizes together': () => together(pair, 0, 2),
    'moves together': () => together(pair, 1, 2),
    'resizes of one call': () =>
      costOf('replace_allocations', {
        consumers: pair.map((place) => alone(place, 1, 3)),
        ...{ checkFirst: true, affinity: { key: 'g', members: [uuidOf('refilled 6')], policy: 'APART', perRoot: 9 } },
      }),
    'a takeover': () =>
      costOf('move_allocations', { consumers: [{ ...alone(9999, 0, 0), takeFrom: uuidOf('refilled 4') }, alone(4, 0, 0)] }),
    'other expiries': () => costOf('set_expiry', { consumers: [later, { ...later, uuid: uuidOf('refilled 2') }] }),
    'a release of what has expired': async () => {
      await explained.session
        .sql`update consumers set expires_at = now() where uuid = any(array[${uuidOf('refilled 2')}, ${uuidOf('refilled 3')}]::uuid[])`;
      return costOf('release_expired', { most: 10, skip: 0, until: null });
    },
    'a reshape': () =>
      costOf('reshape', {
        providers: hosts.map((provider) => ({ provider, expect: {}, inventories: inventories(90_000) })),
        consumers: pair.map((place) => alone(place, 0, 1)),
      }),
    'an import': () => costOf('import_consumers', { consumers: pair.map((place) => ({ ...alone(place, 1, 1), generation: 9 })) }),
    'releases together': () => together(pair, 0, 0),
    'releases of one call': () => costOf('release_allocations', { consumers: [7, 8].map((place) => alone(place, 0, 0)) }),
  };
  const read: [string, number][] = [];
  for (const [name, write] of Object.entries(writes)) {
    await write();
    read.push([name, explained.session.rowsOf(/^(consumers|allocations)$/) / 2]);
  }
  expect(read.filter(([name, rows]) => (rows === 0 && name !== 'a claim') || rows > 20)).toEqual([]);
});
