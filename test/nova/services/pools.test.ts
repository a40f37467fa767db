// The generic-resource-pools document, end to end: a storage share or network segment is reported once, hosts in its aggregates use it, and
// nothing is counted twice. Each of the five bugs in the allocations document has a test here.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { claimInstance } from '../../../src/nova/instances/instances.ts';
import { type PoolReport, reportPool } from '../../../src/nova/services/pools.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { dumpTables, expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await database.drop();
});

/** The share in the document: 100,000 GB, 1,000 of them reserved, in steps of ten from 50 to 10,000. */
const share: PoolReport = {
  uuid: uuidOf('share'),
  name: 'share',
  inventories: [{ resourceClass: 'DISK_GB', total: 100_000, reserved: 1000, minUnit: 50, maxUnit: 10_000, stepSize: 10 }],
  aggregates: [uuidOf('rack1')],
};
const report = (change: Partial<PoolReport> = {}) => reportPool(scopeOf(database.db), { ...share, ...change });

/** A host in an aggregate, with its disks on a pool. */
async function addHost(name: string, { rack = 'rack1', localGb = 0 } = {}) {
  const fields = { uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 16, memoryMb: 32_768, localGb };
  await reportComputeNode(scopeOf(database.db), { computeNodeRecord: { fields }, hasSharedStorage: localGb === 0 });
  await seed.aggregates(name, [rack]);
}

const boot = (instance: string, host: string, sharedStorage: string | null, { rootGb = 50, bootedFromVolume = false } = {}) =>
  claimInstance(scopeOf(database.db), {
    computeNode: uuidOf(host),
    hostedInstance: {
      instanceRecord: {
        fields: {
          uuid: uuidOf(instance),
          project: 'p1',
          user: 'u1',
          flavor: { fields: { vcpus: 2, memoryMb: 1024, rootGb, ephemeralGb: 10, swapMb: 1 } },
        },
      },
      pool: sharedStorage && uuidOf(sharedStorage),
      bootedFromVolume,
    },
  });

type Disk = { resourceClass: { name: string }; total: number; capacity: number; used: number };
const diskOf = (rows: readonly Disk[]) => rows.filter(({ resourceClass }) => resourceClass.name === 'DISK_GB');
const cloudDisk = async () => {
  const { totals } = await query<{ totals: { own: Disk[] } }>(
    database.db,
    '{ totals { own { resourceClass { name } total capacity used } } }',
  );
  return diskOf(totals.own).map(({ total, capacity: most, used }) => ({ total, capacity: most, used }));
};
const hostDisk = async (name: string) => {
  const { computeNode } = await query<{ computeNode: object }>(
    database.db,
    `query ($name: String) { computeNode(name: $name) {
      localGb localGbUsed
      resourceProvider { sharedPools(resourceClasses: "DISK_GB") { resourceProvider { name } inventory { capacity used } usedHere } }
    } }`,
    { name },
  );
  return computeNode;
};
const pool = (name: string, capacity: number, used: number, usedHere: number) => ({
  resourceProvider: { name },
  inventory: { capacity, used },
  usedHere,
});

describe('a pool reports itself', () => {
  test('in one mutation: provider, trait of sharing, trait of the owner, aggregates and inventory', async () => {
    const { reportPool: payload } = await query<{ reportPool: object }>(
      database.db,
      `mutation ($input: ReportPoolInput!) { reportPool(input: $input) {
        changed userErrors { code } warnings { code }
        resourceProvider { name traitNames aggregates { uuid } inventories { resourceClass { name } total reserved minUnit maxUnit stepSize capacity } }
      } }`,
      { input: share },
    );
    expect(payload).toEqual({
      changed: true,
      userErrors: [],
      warnings: [],
      resourceProvider: {
        name: 'share',
        traitNames: ['MISC_SHARES_VIA_AGGREGATE', 'OWNER_NOVA'],
        aggregates: [{ uuid: uuidOf('rack1') }],
        inventories: [
          {
            resourceClass: { name: 'DISK_GB' },
            total: 100_000,
            reserved: 1000,
            minUnit: 50,
            maxUnit: 10_000,
            stepSize: 10,
            capacity: 99_000,
          },
        ],
      },
    });
  });

  test('the same again costs one statement and writes nothing, by uuid and by name', async () => {
    await report();
    const before = await dumpTables(database.db);
    database.statements.length = 0;
    expect(await report()).toEqual({ pool: uuidOf('share'), changed: false, warnings: [] });
    expect(await report({ uuid: null })).toEqual({ pool: uuidOf('share'), changed: false, warnings: [] });
    expect(database.statements).toHaveLength(2);
    expect(await dumpTables(database.db)).toEqual(before);
  });

  test('growing is a change; shrinking below usage is possible, with a warning', async () => {
    await report();
    await addHost('cn1');
    await boot('vm', 'cn1', 'share', { rootGb: 89 });
    const grown = [{ resourceClass: 'DISK_GB', total: 200_000 }];
    expect(await report({ inventories: grown })).toMatchObject({ changed: true, warnings: [] });
    expect(await report({ inventories: [{ resourceClass: 'DISK_GB', total: 60 }] })).toMatchObject({
      changed: true,
      warnings: [{ provider: uuidOf('share'), resourceClass: 'DISK_GB', used: 100, capacity: 60 }],
    });
  });

  test('addresses of a segment are a pool like any other, and may name their owner', async () => {
    const segment = {
      name: 'segment',
      inventories: [{ resourceClass: 'IPV4_ADDRESS', total: 254, reserved: 4 }],
      aggregates: [uuidOf('rack1')],
    };
    const { pool: uuid } = await reportPool(scopeOf(database.db), { ...segment, owner: 'OWNER_CYBORG' });
    await addHost('cn1');
    const { candidates } = await findCandidates(scopeOf(database.db), {
      groups: [
        {
          resources: [
            { resourceClass: 'VCPU', amount: 1 },
            { resourceClass: 'IPV4_ADDRESS', amount: 1 },
          ],
        },
      ],
    });
    expect(candidates.map(({ allocations }) => allocations.map(({ resourceProvider }) => resourceProvider.name).toSorted())).toEqual([
      ['cn1', 'segment'],
    ]);
    expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('faults of a report have their paths, and a host is not a pool', async () => {
    await addHost('cn1');
    const refused = (change: Partial<PoolReport>) => refusalOf(database.db, () => report(change));
    expect(await refused({ uuid: null, name: 'cn1' })).toMatchObject([
      { code: 'DUPLICATE', path: ['name'], details: { existing: uuidOf('cn1') } },
    ]);
    expect(await refused({ name: '' })).toMatchObject([{ code: 'INVALID_INPUT', path: ['name'] }]);
    expect(await refused({ owner: 'ME' })).toMatchObject([{ code: 'INVALID_INPUT', path: ['owner'] }]);
    expect(await refused({ inventories: [{ resourceClass: 'DISK_GB', total: 0 }] })).toMatchObject([
      { path: ['inventories', '0', 'total'] },
    ]);
  });
});

describe('the disk of hosts, pools and cloud is right', () => {
  test('bug 1387812: the summary of the cloud counts a Ceph pool once, however many hosts use it', async () => {
    await report();
    for (const host of ['cn1', 'cn2', 'cn3']) await addHost(host);
    await addHost('cn4', { rack: 'rack2', localGb: 500 });
    expect(await cloudDisk()).toEqual([{ total: 100_500, capacity: 99_500, used: 0 }]);
  });

  test('bug 1493760: a host on a pool has no disk of its own, and uses none; usage of the pool counts on the pool', async () => {
    await report();
    await addHost('cn1');
    await addHost('cn2');
    await boot('vm1', 'cn1', 'share', { rootGb: 89 });
    await boot('vm2', 'cn2', 'share', { rootGb: 59 });
    const disk = async (name: string, usedHere: number) => {
      const [shown] = [await hostDisk(name)];
      expect(shown).toMatchObject({ resourceProvider: { sharedPools: [pool('share', 99_000, 170, usedHere)] } });
    };
    await disk('cn1', 100);
    await disk('cn2', 70);
    for (const name of ['cn1', 'cn2']) {
      await reportComputeNode(scopeOf(database.db), {
        computeNodeRecord: { fields: { serviceHost: name, hypervisorHostname: name, vcpus: 16, memoryMb: 32_768, localGb: 4000 } },
        hasSharedStorage: true,
      });
      expect(await hostDisk(name)).toMatchObject({ localGb: 0, localGbUsed: 0 });
    }
  });

  test('bug 1414432: the usage of a pool by instances on several hosts is summed once', async () => {
    await report();
    await addHost('cn1');
    await addHost('cn2');
    await boot('vm1', 'cn1', 'share', { rootGb: 89 });
    await boot('vm2', 'cn2', 'share', { rootGb: 89 });
    expect(await cloudDisk()).toEqual([{ total: 100_000, capacity: 99_000, used: 200 }]);
  });

  test('bug 1315988: a host with its own disk has the usage of its instances there, without root disks on volumes', async () => {
    await addHost('cn1', { localGb: 500 });
    await boot('vm1', 'cn1', null, { rootGb: 40 });
    await boot('vm2', 'cn1', null, { rootGb: 40, bootedFromVolume: true });
    expect(await hostDisk('cn1')).toEqual({ localGb: 500, localGbUsed: 62, resourceProvider: { sharedPools: [] } });
  });

  test('bug 1347039: a host with several datastores has the room of all of them', async () => {
    await report({ inventories: [{ resourceClass: 'DISK_GB', total: 1000 }] });
    await report({ uuid: null, name: 'datastore2', inventories: [{ resourceClass: 'DISK_GB', total: 3000 }] });
    await addHost('cn1');
    await boot('vm', 'cn1', 'share', { rootGb: 89 });
    expect(await hostDisk('cn1')).toMatchObject({
      resourceProvider: { sharedPools: [pool('datastore2', 3000, 0, 0), pool('share', 1000, 100, 100)] },
    });
    expect(await cloudDisk()).toEqual([{ total: 4000, capacity: 4000, used: 100 }]);
  });
});
