// Hosts whose disk is on a pool: whenever a pool begins to serve them, they stop offering disk at the same moment, and their disk allocations move to the pool.
import { describe, expect, test } from 'vitest';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { reportPool } from '../../../src/nova/services/pools.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { expectSoundLedger, scopeOf } from '../../support/ledger.ts';
import { type FlatReport, reportOf } from '../../support/reports.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
const seed = () => createSeed(database.db);
const report = (name: string, change: Partial<FlatReport> = {}) =>
  reportComputeNode(
    scope(),
    reportOf({
      ...{
        uuid: uuidOf(name),
        serviceHost: name,
        hypervisorHostname: name,
        vcpus: 8,
        memoryMb: 8192,
        localGb: 1000,
        hasSharedStorage: true,
      },
      ...change,
    }),
  );
const pool = (name: string, total = 1000, aggregate = name) =>
  reportPool(scope(), {
    ...{ uuid: uuidOf(`pool of ${name}`), name: `pool of ${name}`, aggregates: [uuidOf(`rack of ${aggregate}`)] },
    inventories: [{ resourceClass: 'DISK_GB', total }],
  });
const join = (name: string, rack = name) => seed().aggregates(name, [`rack of ${rack}`]);
/** The disk of a host and of its pools as `name total used`, and the totals that clients read. */
const disks = async (name: string) => {
  const rows = await database.db.sql<{ disk: string }[]>`
    select p.name || ' ' || i.total || ' ' || i.used as disk from inventories i
    join resource_providers p on p.id = i.resource_provider_id and (p.name = ${name} or p.name like ${`pool of ${name}%`})
    join resource_classes rc on rc.id = i.resource_class_id and rc.name = 'DISK_GB' order by p.name`;
  return rows.map(({ disk }) => disk);
};
const totals = async (name: string) => {
  const asked = await query<{ totals: { own: object[]; shared: object[] } }>(
    database.db,
    `query ($name: String!) { totals(filter: { names: [$name] }, resourceClasses: ["DISK_GB"]) {
      own { total capacity used } shared { total capacity used } } }`,
    { name },
  );
  return asked.totals;
};
const fits = async (name: string, amount: number) => {
  const groups = [{ resources: [{ resourceClass: 'DISK_GB', amount }] }];
  const { candidates } = await findCandidates(scope(), {
    groups,
    rootTraits: [],
    rootAggregates: [{ anyOf: [uuidOf(`rack of ${name}`)] }],
  });
  return candidates.length > 0;
};
/** The number of statements that wait for a lock. */
const waiting = async () => {
  const [row] = await database.db.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return row?.count ?? 0;
};

describe('a host gives way to a pool', () => {
  const ways: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    'that is reported': async (name) => {
      await join(name);
      await pool(name);
    },
    'that gets its inventory last': async (name) => {
      await join(name);
      await seed().provider(`pool of ${name}`);
      await seed().traits(`pool of ${name}`, ['MISC_SHARES_VIA_AGGREGATE']);
      await seed().aggregates(`pool of ${name}`, [`rack of ${name}`]);
      await seed().inventories(`pool of ${name}`, { DISK_GB: 1000 });
    },
    'that gets its trait last': async (name) => {
      await join(name);
      await seed().provider(`pool of ${name}`);
      await seed().inventories(`pool of ${name}`, { DISK_GB: 1000 });
      await seed().aggregates(`pool of ${name}`, [`rack of ${name}`]);
      await seed().traits(`pool of ${name}`, ['MISC_SHARES_VIA_AGGREGATE']);
    },
    'that joins its aggregate': async (name) => {
      await join(name);
      await seed().provider(`pool of ${name}`);
      await seed().inventories(`pool of ${name}`, { DISK_GB: 1000 });
      await seed().traits(`pool of ${name}`, ['MISC_SHARES_VIA_AGGREGATE']);
      await seed().aggregates(`pool of ${name}`, [`rack of ${name}`]);
    },
    'whose aggregate it joins': async (name) => {
      await pool(name);
      await join(name);
    },
  };

  test.each(Object.keys(ways))('%s', async (way) => {
    const name = way.replaceAll(' ', '_');
    await report(name);
    await seed().claim(`vm of ${name}`, { [name]: { VCPU: 2, DISK_GB: 300 } });
    expect(await totals(name)).toEqual({ own: [{ total: 1000, capacity: 1000, used: 300 }], shared: [] });
    await ways[way]?.(name);
    expect(await disks(name)).toEqual([`pool of ${name} 1000 300`]);
    expect(await totals(name)).toEqual({ own: [], shared: [{ total: 1000, capacity: 1000, used: 300 }] });
    expect([await fits(name, 700), await fits(name, 701)]).toEqual([true, false]);
    const kinds = await database.db.sql<{ kind: string }[]>`select kind from events order by id desc limit 1`;
    expect(kinds.map(({ kind }) => kind)).toEqual(['RESHAPE']);
    expect(await report(name)).toMatchObject({ changed: false });
    await expectSoundLedger(database.db);
  });

  test('if it is given disk of its own again', async () => {
    await report('again');
    await join('again');
    await pool('again');
    await seed().inventories('again', { VCPU: 8, MEMORY_MB: 8192, DISK_GB: 1000 });
    expect(await disks('again')).toEqual(['pool of again 1000 0']);
  });

  test('together with what is reserved of its disk, which is an event of the project that it is kept for', async () => {
    await report('kept');
    await join('kept');
    await seed().reservation('course', { kept: { DISK_GB: 300 } }, { project: 'courses' });
    await pool('kept');
    expect(await disks('kept')).toEqual(['pool of kept 1000 0']);
    const { project } = await query<{ project: object }>(
      database.db,
      '{ project(externalId: "courses") { events(first: 1) { nodes { kind changes { nodes { ... on RecordChange { recordUuid facts { name after } } } } } } } }',
    );
    const facts = [
      { name: `amounts.${uuidOf('kept')}.DISK_GB`, after: null },
      { name: `amounts.${uuidOf('pool of kept')}.DISK_GB`, after: '300' },
      { name: 'generation', after: '2' },
    ];
    const changes = { nodes: [{ recordUuid: uuidOf('course'), facts: facts.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }] };
    expect(project).toEqual({ events: { nodes: [{ kind: 'RESHAPE', changes }] } });
    await expectSoundLedger(database.db);
  });

  test('if an imported record says that its disk is on a pool', async () => {
    await seed().provider('old', { inventories: { DISK_GB: 1000 } });
    await seed().claim('vm of old', { old: { DISK_GB: 300 } });
    await join('old');
    await pool('old');
    expect(await disks('old')).toEqual(['old 1000 300', 'pool of old 1000 0']);
    const record = { kind: 'compute_node', name: 'old', uuid: uuidOf('old'), body: { host: 'old', hasSharedStorage: true } };
    await seed().write('import_records', { records: [record] });
    expect(await disks('old')).toEqual(['pool of old 1000 300']);
  });

  test('that has no room for its allocations: the pool is then over capacity', async () => {
    await report('full');
    await seed().claim('vm of full', { full: { DISK_GB: 300 } });
    await join('full');
    await pool('full', 299);
    expect([await disks('full'), await fits('full', 1)]).toEqual([['pool of full 299 300'], false]);
    await pool('full', 1000);
    expect([await disks('full'), await fits('full', 700), await fits('full', 701)]).toEqual([['pool of full 1000 300'], true, false]);
    await expectSoundLedger(database.db);
  });

  test('whose units do not allow its allocations', async () => {
    await report('unit');
    await seed().claim('vm of unit', { unit: { DISK_GB: 7 } });
    await join('unit');
    await reportPool(scope(), {
      ...{ uuid: uuidOf('pool of unit'), name: 'pool of unit', aggregates: [uuidOf('rack of unit')] },
      inventories: [{ resourceClass: 'DISK_GB', total: 1000, minUnit: 50, stepSize: 10 }],
    });
    expect(await disks('unit')).toEqual(['pool of unit 1000 7']);
  });

  test('which is one of two: each disk, largest first, goes to the one with most room', async () => {
    await report('split');
    for (const amount of [300, 200, 100]) await seed().claim(`vm ${amount} of split`, { split: { DISK_GB: amount, VCPU: 1 } });
    for (const number of [1, 2]) {
      await seed().provider(`pool of split ${number}`, { inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'] });
      await seed().aggregates(`pool of split ${number}`, ['shelf']);
    }
    await seed().aggregates('split', ['shelf']);
    expect(await disks('split')).toEqual(['pool of split 1 1000 300', 'pool of split 2 1000 300']);
    await expectSoundLedger(database.db);
  });

  test('only after concurrent writes of its consumers are done; until then the pool does not serve it', async () => {
    await report('late');
    await seed().claim('vm of late', { late: { DISK_GB: 300 } });
    await seed().claim('other vm of late', { late: { DISK_GB: 100 } });
    await join('late');
    let served: Promise<unknown> = Promise.resolve();
    await database.db.sql.begin(async (sql) => {
      await sql`select from consumers where uuid = ${uuidOf('vm of late')} for update`;
      served = pool('late');
      while ((await waiting()) === 0);
      expect(await disks('late')).toEqual(['late 1000 400']);
    });
    await served;
    expect(await disks('late')).toEqual(['pool of late 1000 400']);
    await expectSoundLedger(database.db);
  });

  test('concurrently with other hosts that report and join', async () => {
    const names = ['row-a', 'row-b', 'row-c'];
    for (const name of names) await report(name);
    await Promise.all([
      ...names.map((name) => join(name, 'row')),
      pool('row'),
      ...names.flatMap((name) => [1001, 1002].map((localGb) => report(name, { localGb }))),
    ]);
    for (const name of names) expect(await disks(name)).toEqual([]);
    expect(await disks('row')).toEqual(['pool of row 1000 0']);
  });
});

test('a host with disk of its own keeps it, whether it reports or was created over REST', async () => {
  await report('own', { localGb: 50, hasSharedStorage: false });
  await seed().provider('plain');
  await seed().inventories('plain', { DISK_GB: 60 });
  await join('own', 'mixed');
  await join('plain', 'mixed');
  await pool('mixed');
  expect([await disks('own'), await disks('plain')]).toEqual([['own 50 0'], ['plain 60 0']]);
});
