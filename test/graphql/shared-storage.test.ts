// Shared storage in every total: five mistakes of existing clouds, then the rules of `totals`.
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { query } from '../support/graphql.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const ask = (text: string, variables?: Record<string, unknown>) => query(database.db, text, variables);
const shares = ['MISC_SHARES_VIA_AGGREGATE'];

/** Three hosts in a rack share one pool of disk; host3 also has disk of its own, and a second pool. */
beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('host1', { inventories: { VCPU: 8 }, aggregates: ['rack'], traits: ['CUSTOM_EVEN'] });
  await seed.provider('host2', { inventories: { VCPU: 8 }, aggregates: ['rack'] });
  await seed.provider('host3', { inventories: { VCPU: 8, DISK_GB: 100 }, aggregates: ['rack', 'other'] });
  await seed.provider('pool', { inventories: { DISK_GB: { total: 1000, reserved: 100 } }, traits: shares, aggregates: ['rack'] });
  await seed.provider('pool2', { inventories: { DISK_GB: 2000 }, traits: shares, aggregates: ['other'] });
  await seed.provider('far', { inventories: { DISK_GB: 7 }, traits: shares, aggregates: ['nobody'] });
  await seed.claim('vm1', { host1: { VCPU: 1 }, pool: { DISK_GB: 50 } });
  await seed.claim('vm2', { host2: { VCPU: 2 }, pool: { DISK_GB: 70 } });
  await seed.claim('vm3', { host3: { VCPU: 3, DISK_GB: 5 } });
});

const totals = 'resourceClass { name } providerCount total reserved capacity used free freeUsable';
const disk = { resourceClass: { name: 'DISK_GB' } };

describe('five mistakes that are not made', () => {
  test('the total of the cloud counts a shared pool once, however many hosts it serves', async () => {
    const sums = { providerCount: 4, total: 3107, reserved: 100, capacity: 3007, used: 125, free: 2882, freeUsable: 2882 };
    expect(await ask(`{ totals(resourceClasses: ["DISK_GB"]) { own { ${totals} } shared { used } } }`)).toEqual({
      totals: { own: [{ ...disk, ...sums }], shared: [] },
    });
  });

  test("a host's own usage leaves out the disk of the pool", async () => {
    const answer = await ask(`{ resourceProvider(name: "host1") {
      inventories { resourceClass { name } used } treeInventories { resourceClass { name } used }
    } }`);
    const vcpu = [{ resourceClass: { name: 'VCPU' }, used: 1 }];
    expect(answer).toEqual({ resourceProvider: { inventories: vcpu, treeInventories: vcpu } });
  });

  test("the cloud's usage counts that of the pool once, not for each host that it serves", async () => {
    const answer = await ask('{ resourceClass(name: "DISK_GB") { cloudTotal { used } } totals { own { resourceClass { name } used } } }');
    expect(answer).toEqual({
      resourceClass: { cloudTotal: { used: 125 } },
      totals: {
        own: [
          { resourceClass: { name: 'VCPU' }, used: 6 },
          { ...disk, used: 125 },
        ],
      },
    });
  });

  test('usage is right immediately after a claim: on the host, in the pool, and for the share of the host in the pool', async () => {
    const text = `{ host: resourceProvider(name: "host2") {
      inventory(resourceClass: "VCPU") { used free } sharedPools { usedHere inventory { used free } }
    } }`;
    const before = { inventory: { used: 2, free: 6 }, sharedPools: [{ usedHere: 70, inventory: { used: 120, free: 780 } }] };
    expect(await ask(text)).toEqual({ host: before });
    const seed = createSeed(database.db);
    await seed.claim('vm4', { host2: { VCPU: 4 }, pool: { DISK_GB: 11 } });
    const after = { inventory: { used: 6, free: 2 }, sharedPools: [{ usedHere: 81, inventory: { used: 131, free: 769 } }] };
    expect(await ask(text)).toEqual({ host: after });
    await seed.write('release_allocations', {
      consumers: [{ uuid: uuidOf('vm4'), expect: {}, project: null, user: null, type: null, keepType: true, allocations: [] }],
    });
    expect(await ask(text)).toEqual({ host: before });
  });

  test('all pools of a host are shown, not only one', async () => {
    const answer = await ask(`{ resourceProvider(name: "host3") {
      inventory(resourceClass: "DISK_GB") { used capacity } sharedPools { usedHere resourceProvider { name } inventory { capacity } }
    } }`);
    expect(answer).toEqual({
      resourceProvider: {
        inventory: { used: 5, capacity: 100 },
        sharedPools: [
          { usedHere: 0, resourceProvider: { name: 'pool' }, inventory: { capacity: 900 } },
          { usedHere: 0, resourceProvider: { name: 'pool2' }, inventory: { capacity: 2000 } },
        ],
      },
    });
  });
});

describe('capacity', () => {
  const capacityOf = async (filter: object) => {
    const data = await query<{ totals: unknown }>(
      database.db,
      'query ($filter: ResourceProviderFilterInput) { totals(filter: $filter) { own { resourceClass { name } capacity } shared { providerCount capacity } } }',
      { filter },
    );
    return data.totals;
  };
  const vcpu = (capacity: number) => ({ resourceClass: { name: 'VCPU' }, capacity });

  test('of one host shows the pools that serve it separately', async () => {
    expect(await capacityOf({ traits: { allOf: ['CUSTOM_EVEN'] } })).toEqual({
      own: [vcpu(8)],
      shared: [{ providerCount: 1, capacity: 900 }],
    });
  });

  test('of several hosts has each pool once', async () => {
    expect(await capacityOf({ names: ['host1', 'host2', 'host3'] })).toEqual({
      own: [vcpu(24), { ...disk, capacity: 100 }],
      shared: [{ providerCount: 2, capacity: 2900 }],
    });
  });

  test('of a set that contains a pool does not show that pool separately', async () => {
    expect(await capacityOf({ names: ['host1', 'pool'] })).toEqual({ own: [vcpu(8), { ...disk, capacity: 900 }], shared: [] });
  });

  test('reaches a pool through any member of a tree, in the set or not', async () => {
    const seed = createSeed(database.db);
    await seed.provider('top', { inventories: { VCPU: 2 } });
    await seed.provider('below', { parent: 'top', aggregates: ['nobody'] });
    expect(await capacityOf({ names: ['top'] })).toEqual({ own: [vcpu(2)], shared: [{ providerCount: 1, capacity: 7 }] });
    await seed.write('delete_resource_provider', { provider: uuidOf('below'), expect: {} });
    await seed.write('delete_resource_provider', { provider: uuidOf('top'), expect: {} });
  });

  test('of nothing is nothing', async () => {
    expect(await capacityOf({ uuids: [] })).toEqual({ own: [], shared: [] });
  });

  test('is one statement for own and shared, so both are from one moment', async () => {
    database.statements.length = 0;
    await capacityOf({ names: ['host1'] });
    expect(database.statements.length).toBe(1);
  });

  test('of the sums does not hide free amounts behind a provider over capacity', async () => {
    const seed = createSeed(database.db);
    await seed.inventories('host3', { VCPU: 1, DISK_GB: 100 });
    const answer = await ask('{ totals(resourceClasses: ["VCPU"]) { own { capacity used free freeUsable utilization } } }');
    expect(answer).toEqual({ totals: { own: [{ capacity: 17, used: 6, free: 11, freeUsable: 13, utilization: 6 / 17 }] } });
    await seed.inventories('host3', { VCPU: 8, DISK_GB: 100 });
  });
});

describe('the capacity of an aggregate', () => {
  test('is that of the whole trees whose root is in it, with pools separate', async () => {
    const seed = createSeed(database.db);
    await seed.provider('host1_gpu', { parent: 'host1', inventories: { VGPU: 2 } });
    await seed.provider('stray', { inventories: { VCPU: 100 } });
    await seed.provider('stray_cell', { parent: 'stray', inventories: { VCPU: 100 }, aggregates: ['rack'] });
    const answer = await ask(
      'query ($uuid: UUID!) { aggregate(uuid: $uuid) { totals { own { resourceClass { name } capacity } shared { capacity } } } }',
      {
        uuid: uuidOf('rack'),
      },
    );
    expect(answer).toEqual({
      aggregate: {
        totals: {
          own: [
            { resourceClass: { name: 'VCPU' }, capacity: 24 },
            { ...disk, capacity: 100 },
            { resourceClass: { name: 'VGPU' }, capacity: 2 },
          ],
          shared: [{ capacity: 2900 }],
        },
      },
    });
  });
});
