// Makes the contents of one gateway in another Placement over its REST API: a second gateway of ours.
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Difference, makeThere, type Objects } from '../../src/bridge/outgoing.ts';
import { openPlacement, type PlacementClient } from '../../src/bridge/placement/client.ts';
import { contentsOf, usePairOfPlacements, writesOf } from '../support/pair-of-placements.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const pair = usePairOfPlacements();

type Names = { readonly [Noun in keyof Objects]?: readonly string[] };

/** Makes objects there, of which providers and consumers are named as in seeds. */
const follow = (
  { resourceClasses = [], traits = [], providers = [], consumers = [] }: Names,
  placement = pair.placement,
): Promise<readonly Difference[]> =>
  makeThere(pair.here.db, placement, {
    resourceClasses: new Set(resourceClasses),
    traits: new Set(traits),
    providers: new Set(providers.map(uuidOf)),
    consumers: new Set(consumers.map(uuidOf)),
  });

/** Makes objects there, which must succeed, and compares both sides. */
async function followWholly(names: Names, placement = pair.placement): Promise<void> {
  expect(await follow(names, placement)).toEqual([]);
  expect(await contentsOf(pair.there)).toEqual(await contentsOf(pair.here));
}

/** Two hosts, one with a NUMA node, and a pool; a server on both kinds of them. */
const smallCloud = {
  providers: ['cn1', 'cn1-numa', 'cn2', 'pool'],
  consumers: ['s1', 's2'],
  resourceClasses: ['CUSTOM_GOLD'],
  traits: ['CUSTOM_FAST'],
};
async function seedSmallCloud(): Promise<ReturnType<typeof createSeed>> {
  const seed = createSeed(pair.here.db);
  await seed.provider('cn1', {
    inventories: { VCPU: 8, CUSTOM_GOLD: { total: 10, allocationRatio: 1.5, reserved: 2 } },
    aggregates: ['rack', 'zone'],
  });
  await seed.provider('cn1-numa', {
    parent: 'cn1',
    inventories: { MEMORY_MB: { total: 100, minUnit: 2, stepSize: 2, maxUnit: 50 } },
    traits: ['HW_NUMA_ROOT', 'CUSTOM_FAST'],
  });
  await seed.provider('cn2', { inventories: { VCPU: 8, CUSTOM_GOLD: 10 }, aggregates: ['rack'] });
  await seed.provider('pool', { inventories: { DISK_GB: 100 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack'] });
  await seed.claim('s1', { cn1: { VCPU: 8, CUSTOM_GOLD: 1 }, 'cn1-numa': { MEMORY_MB: 50 }, pool: { DISK_GB: 10 } });
  await seed.claim('s2', { cn2: { VCPU: 8 }, pool: { DISK_GB: 20 } }, { project: 'p2', user: 'u2', type: 'MIGRATION' });
  return seed;
}

/** Replaces what consumers hold, all at once. */
const reclaim = (
  seed: ReturnType<typeof createSeed>,
  held: Readonly<Record<string, readonly [provider: string, resourceClass: string, amount: number][]>>,
) =>
  seed.write('move_allocations', {
    consumers: Object.entries(held).map(([consumer, allocations]) => ({
      ...{ uuid: uuidOf(consumer), expect: {}, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: true },
      allocations: allocations.map(([provider, resourceClass, amount]) => ({ provider: uuidOf(provider), resourceClass, amount })),
    })),
  });

describe('a cloud of two hosts and a pool', () => {
  let seed: Awaited<ReturnType<typeof seedSmallCloud>>;

  beforeEach(async () => {
    seed = await seedSmallCloud();
    await followWholly(smallCloud);
    pair.requests.length = 0;
  });

  test('is made there whole, and when it is followed again nothing is written', async () => {
    await followWholly(smallCloud);
    expect(writesOf(pair.requests)).toEqual([]);
  });

  test('costs one request for a consumer that is equal, two for one that changed, and two for one that is gone', async () => {
    await follow({ consumers: ['s1'] });
    expect(pair.requests).toEqual([`GET /allocations/${uuidOf('s1')}`]);

    pair.requests.length = 0;
    await reclaim(seed, { s1: [['cn1', 'VCPU', 4]], s2: [] });
    await followWholly({ consumers: ['s1', 's2'] });
    const each = [uuidOf('s1'), uuidOf('s2')];
    expect(pair.requests.toSorted()).toEqual(
      [...each.map((uuid) => `GET /allocations/${uuid}`), ...each.map((uuid) => `PUT /allocations/${uuid}`)].toSorted(),
    );
  });

  test('is not released if somebody has changed it there since it was read', async () => {
    await reclaim(seed, { s2: [] });
    pair.beforeWrite = async () => {
      pair.beforeWrite = async () => {};
      await pair.there.db.writes`update consumers set generation = generation + 1`;
    };
    pair.requests.length = 0;
    await followWholly({ consumers: ['s2'] });
    expect(writesOf(pair.requests)).toHaveLength(2);
  });

  test('is written only in the part of a provider that changed', async () => {
    await seed.traits('cn2', ['CUSTOM_FAST']);
    await followWholly({ providers: ['cn2'] });
    expect(writesOf(pair.requests)).toEqual([`PUT /resource_providers/${uuidOf('cn2')}/traits`]);
    expect(pair.requests).toHaveLength(5);
  });

  test('is followed when consumers take the places of each other on full providers', async () => {
    await reclaim(seed, { s1: [['cn2', 'VCPU', 8]], s2: [['cn1', 'VCPU', 8]] });
    await followWholly({ consumers: ['s1', 's2'] });
    expect(writesOf(pair.requests)).toContain('POST /allocations');
  });

  test('is followed when consumers change places beside one that breaks a rule, which alone is listed', async () => {
    await seed.claim('s3', { cn2: { CUSTOM_GOLD: 5 } });
    await seed.inventories('cn2', { VCPU: 8, CUSTOM_GOLD: 1 });
    await reclaim(seed, { s1: [['cn2', 'VCPU', 8]], s2: [['cn1', 'VCPU', 8]] });
    await follow({ providers: ['cn2'] });
    const differences = await follow({ consumers: ['s1', 's2', 's3'] });
    expect(differences).toEqual([{ noun: 'consumer', key: uuidOf('s3'), reason: expect.stringContaining('exceed the capacity') }]);
    const { consumers } = await contentsOf(pair.there);
    expect(consumers.get(uuidOf('s1'))?.allocations).toEqual([{ provider: uuidOf('cn2'), resourceClass: 'VCPU', amount: 8 }]);
  });

  test('is followed when a consumer moves to an inventory that took the room of another class', async () => {
    await seed.inventories('cn2', { VCPU: 8, CUSTOM_GOLD: 10, PCPU: 8 });
    await reclaim(seed, { s2: [['cn2', 'PCPU', 8]] });
    await seed.inventories('cn2', { PCPU: 8 });
    await followWholly({ providers: ['cn2'], consumers: ['s2'] });
  });

  test('is followed when consumers release units that a host no longer offers', async () => {
    await reclaim(seed, { s1: [['cn1', 'VCPU', 3]] });
    await seed.inventories('cn1', { VCPU: { total: 4, maxUnit: 3, stepSize: 3 } });
    await followWholly({ providers: ['cn1'], consumers: ['s1'] });
  });

  test('is followed when a class is renamed, of which only the names are known to have changed', async () => {
    await seed.write('rename_resource_class', { from: 'CUSTOM_GOLD', name: 'CUSTOM_SILVER' });
    await followWholly({ resourceClasses: ['CUSTOM_GOLD', 'CUSTOM_SILVER'] });
  });

  test('is followed when two classes exchange their names', async () => {
    await seed.inventories('cn2', { VCPU: 8, CUSTOM_GOLD: 10, CUSTOM_SILVER: 5 });
    await followWholly({ providers: ['cn2'] });
    for (const [from, name] of [
      ['CUSTOM_GOLD', 'CUSTOM_OTHER'],
      ['CUSTOM_SILVER', 'CUSTOM_GOLD'],
      ['CUSTOM_OTHER', 'CUSTOM_SILVER'],
    ]) {
      await seed.write('rename_resource_class', { from, name });
    }
    await followWholly({ resourceClasses: ['CUSTOM_GOLD', 'CUSTOM_SILVER', 'CUSTOM_OTHER'] });
  });

  test('is followed when providers exchange their names, and a tree turns upside down', async () => {
    const update = (provider: string, change: object) =>
      seed.write('update_resource_provider', { provider: uuidOf(provider), expect: {}, ...change });
    await update('cn1', { name: 'between' });
    await update('cn2', { name: 'cn1' });
    await update('cn1', { name: 'cn2' });
    await update('cn1-numa', { parent: null });
    await update('cn1', { parent: uuidOf('cn1-numa') });
    await followWholly({ providers: ['cn1', 'cn2', 'cn1-numa'] });
  });

  test('is followed when another provider has the name of a deleted one', async () => {
    await reclaim(seed, { s2: [] });
    await seed.write('delete_resource_provider', { provider: uuidOf('cn2'), expect: {} });
    await seed.write('create_resource_provider', { uuid: uuidOf('cn2 again'), name: 'cn2', parent: uuidOf('cn1') });
    await followWholly({ providers: ['cn2', 'cn2 again'], consumers: ['s2'] });
  });

  test('is followed when it is deleted', async () => {
    await reclaim(seed, { s1: [], s2: [] });
    for (const provider of ['cn1-numa', 'cn1', 'cn2', 'pool'])
      await seed.write('delete_resource_provider', { provider: uuidOf(provider), expect: {} });
    await seed.write('delete_trait', { name: 'CUSTOM_FAST' });
    await seed.write('delete_resource_class', { name: 'CUSTOM_GOLD' });
    await followWholly(smallCloud);
    expect((await contentsOf(pair.there)).providers.size).toBe(0);
    // Children before parents: none is refused.
    expect(pair.requests.filter((request) => request.startsWith('DELETE /resource_providers'))).toHaveLength(4);
  });

  test('gets the project, user and type of a consumer, and loses a type', async () => {
    const [s1, s2] = ['s1', 's2'].map((name) => ({ uuid: uuidOf(name), expect: {}, keepType: false, user: 'u3', project: 'p3' }));
    await seed.write('replace_allocations', {
      consumers: [{ ...s1, type: 'OTHER', allocations: [{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 8 }] }],
    });
    await seed.write('replace_allocations', {
      consumers: [{ ...s2, type: null, allocations: [{ provider: uuidOf('cn2'), resourceClass: 'VCPU', amount: 8 }] }],
    });
    await seed.claim('s3', { pool: { DISK_GB: 1 } }, { type: null });
    await followWholly({ consumers: ['s1', 's2', 's3'] });
  });

  test('is followed although another client writes the same objects there in between', async () => {
    const other = createSeed(pair.there.db);
    await seed.claim('s3', { pool: { DISK_GB: 3 } });
    await seed.traits('cn2', ['CUSTOM_FAST']);
    const allocations = [{ provider: uuidOf('pool'), resourceClass: 'DISK_GB', amount: 1 }];
    const theirs = { uuid: uuidOf('s3'), expect: {}, project: 'x', user: 'x', type: 'X', keepType: false, allocations };
    const twice = (write: () => Promise<unknown>) => {
      let left = 2;
      return async () => left-- > 0 && write();
    };
    pair.beforeWrite = twice(() => other.write('replace_allocations', { consumers: [theirs] }));
    expect(await follow({ consumers: ['s3'] })).toEqual([]);
    pair.beforeWrite = twice(() => other.inventories('cn2', { VCPU: 9, CUSTOM_GOLD: 10 }));
    await followWholly({ providers: ['cn2'] });
  });

  test('lists what the other side refuses, with its reason, and makes the rest', async () => {
    await createSeed(pair.there.db).claim('stranger', { cn2: { CUSTOM_GOLD: 10 }, pool: { DISK_GB: 60 } });
    await seed.inventories('cn2', { VCPU: { total: 8, reserved: 0, allocationRatio: 2 } });
    await seed.traits('cn2', ['CUSTOM_FAST']);
    await follow({ providers: ['cn2'] });
    expect((await contentsOf(pair.there)).providers.get(uuidOf('cn2'))?.traits).toEqual(['CUSTOM_FAST']);
    await seed.claim('s3', { pool: { DISK_GB: 50 } });
    await seed.claim('s4', { pool: { DISK_GB: 10 } });
    const differences = await follow({ providers: ['cn2'], consumers: ['s3', 's4'] });
    expect(differences).toEqual([
      { noun: 'provider', key: uuidOf('cn2'), reason: expect.stringContaining('in use') },
      { noun: 'consumer', key: uuidOf('s3'), reason: expect.stringContaining('exceed the capacity') },
    ]);
    expect((await contentsOf(pair.there)).consumers.has(uuidOf('s4'))).toBe(true);
  });

  test('writes to a consumer that the other side has left behind without allocations, whose generation only a refusal shows', async () => {
    await seed.claim('s4', { cn2: { CUSTOM_GOLD: 1 } });
    const generations: unknown[] = [];
    const forgetful: PlacementClient = {
      ...pair.placement,
      async send(method, path, body, ...rest) {
        const sent = body as { consumer_generation?: number | null };
        generations.push(sent.consumer_generation);
        if (sent.consumer_generation === 3) return pair.placement.send(method, path, { ...sent, consumer_generation: null }, ...rest);
        const detail = `consumer generation conflict - expected 3 but got None`;
        return { status: 409, body: { errors: [{ code: 'placement.concurrent_update', detail }] } };
      },
    };
    expect(await follow({ consumers: ['s4'] }, forgetful)).toEqual([]);
    expect(generations).toEqual([null, 3]);
  });

  test('is not lost when the other side refuses the token or ends: writes under way end first, and it is followed when it is back', async () => {
    const stranger = await openPlacement({ url: pair.url, token: async () => 'other', concurrency: 8 });
    await seed.traits('cn1', ['CUSTOM_FAST']);
    await seed.traits('cn2', ['CUSTOM_FAST']);
    const changed = { providers: ['cn1', 'cn2'] };
    await expect(follow(changed, stranger)).rejects.toThrow('does not let the token do everything (403)');

    const writes = { begun: 0, ended: 0 };
    const interrupted: PlacementClient = {
      ...pair.placement,
      async send(...call) {
        writes.begun += 1;
        if (writes.begun === 1) throw new Error('it cannot be reached');
        await setTimeout(100);
        writes.ended += 1;
        return pair.placement.send(...call);
      },
    };
    await expect(follow(changed, interrupted)).rejects.toThrow('it cannot be reached');
    expect(writes).toEqual({ begun: 2, ended: 1 });
    await followWholly(changed);
  });
});

test('names are made one after the other, because OpenStack Placement loses resource classes that are created at the same time', async () => {
  const classes = ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C'];
  await createSeed(pair.here.db).provider('cn1', { inventories: Object.fromEntries(classes.map((name) => [name, 1])) });
  await followWholly({ resourceClasses: classes });
  expect(pair.mostWrites).toBe(1);
});

test('a write that is sent again, because its answer was lost, counts as done', async () => {
  await seedSmallCloud();
  const twice: PlacementClient = {
    ...pair.placement,
    send: (...call) => pair.placement.send(...call).then(() => pair.placement.send(...call)),
  };
  expect(await follow({ providers: ['pool'] }, twice)).toEqual([]);
  await followWholly(smallCloud, twice);
});

test('what a consumer or a provider needs is made, too, although only the consumer is known to have changed', async () => {
  await seedSmallCloud();
  expect(await follow({ consumers: ['s1'] })).toEqual([]);
  const [ours, theirs] = [await contentsOf(pair.here), await contentsOf(pair.there)];
  expect(theirs.consumers.get(uuidOf('s1'))).toEqual(ours.consumers.get(uuidOf('s1')));
  expect([...theirs.providers.values()].map(({ name }) => name).toSorted()).toEqual(['cn1', 'cn1-numa', 'pool']);
  expect(theirs.names).toEqual(ours.names);
});
