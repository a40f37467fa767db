// Providers through GraphQL, and the number of statements: the same for a thousand providers as for one.
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { execute, query } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const ask = (text: string, variables?: Record<string, unknown>) => query(database.db, text, variables);

/** host1 and host2 with cells, a disk pool for the rack, an address pool for one cell, and a lone provider. */
beforeAll(async () => {
  const seed = createSeed(database.db);
  for (const host of ['host1', 'host2']) {
    await seed.provider(host, {
      inventories: { MEMORY_MB: { total: 1000, reserved: 100 }, VCPU: { total: 4, allocationRatio: 2 } },
      traits: ['COMPUTE_NODE', 'CUSTOM_FAST'],
      aggregates: ['rack'],
    });
    await seed.provider(`${host}_cell1`, { parent: host, inventories: { VGPU: 2 }, ...(host === 'host1' && { aggregates: ['segment'] }) });
    await seed.provider(`${host}_cell0`, { parent: host, inventories: { VGPU: 3 } });
    await seed.provider(`${host}_gpu`, { parent: `${host}_cell0`, inventories: { CUSTOM_FAN: 1 } });
  }
  const shares = ['MISC_SHARES_VIA_AGGREGATE'];
  await seed.provider('pool', { inventories: { DISK_GB: 500 }, traits: shares, aggregates: ['rack'] });
  await seed.provider('addresses', { inventories: { IPV4_ADDRESS: 50 }, traits: shares, aggregates: ['segment'] });
  await seed.provider('lone', { inventories: { DISK_GB: 10 } });
  await seed.claim('vm1', { host1: { VCPU: 2, MEMORY_MB: 10 }, host1_cell0: { VGPU: 1 }, pool: { DISK_GB: 30 } });
  await seed.claim('vm2', { host2: { VCPU: 1 }, pool: { DISK_GB: 70 } });
  await seed.claim('vm3', { pool: { DISK_GB: 5 } });
});

const provider = async (name: string, fields: string) => {
  const data = await query<{ resourceProvider: unknown }>(
    database.db,
    `query ($name: String!) { resourceProvider(name: $name) { ${fields} } }`,
    { name },
  );
  return data.resourceProvider;
};

describe('a provider', () => {
  test('has its place in its tree', async () => {
    const answer = await provider(
      'host1_gpu',
      `depth parent { name parent { name parent { name } } } root { name } ancestors { name } children { name }`,
    );
    expect(answer).toEqual({
      depth: 2,
      parent: { name: 'host1_cell0', parent: { name: 'host1', parent: null } },
      root: { name: 'host1' },
      ancestors: [{ name: 'host1' }, { name: 'host1_cell0' }],
      children: [],
    });
  });

  test('that is a root is its own root', async () => {
    expect(await provider('host1', 'depth parent { name } root { name } ancestors { name } children { name }')).toEqual({
      depth: 0,
      parent: null,
      root: { name: 'host1' },
      ancestors: [],
      children: [{ name: 'host1_cell0' }, { name: 'host1_cell1' }],
    });
  });

  test('has descendants depth first, to a depth', async () => {
    expect(await provider('host1', 'all: descendants { name } one: descendants(maxDepth: 1) { name }')).toEqual({
      all: [{ name: 'host1_cell0' }, { name: 'host1_gpu' }, { name: 'host1_cell1' }],
      one: [{ name: 'host1_cell0' }, { name: 'host1_cell1' }],
    });
  });

  test('has inventories by class, with derived values', async () => {
    const answer = await provider(
      'host1',
      `inventories { resourceClass { name } total reserved capacity used free utilization overCapacity resourceProvider { name } }
       some: inventories(resourceClasses: ["MEMORY_MB", "VGPU"]) { resourceClass { name } }
       vcpu: inventory(resourceClass: "VCPU") { used } none: inventory(resourceClass: "VGPU") { used }`,
    );
    const host = { resourceProvider: { name: 'host1' }, overCapacity: false };
    expect(answer).toEqual({
      inventories: [
        { ...host, resourceClass: { name: 'VCPU' }, total: 4, reserved: 0, capacity: 8, used: 2, free: 6, utilization: 0.25 },
        {
          ...host,
          resourceClass: { name: 'MEMORY_MB' },
          total: 1000,
          reserved: 100,
          capacity: 900,
          used: 10,
          free: 890,
          utilization: 10 / 900,
        },
      ],
      some: [{ resourceClass: { name: 'MEMORY_MB' } }],
      vcpu: { used: 2 },
      none: null,
    });
  });

  test('has traits and aggregates of its own', async () => {
    const fields = `traits { name isStandard } traitNames aggregates { uuid name } isSharing
      fast: hasTrait(name: "CUSTOM_FAST") other: hasTrait(name: "HW_CPU_X86_AVX2")`;
    expect(await provider('host1', fields)).toEqual({
      traits: [
        { name: 'COMPUTE_NODE', isStandard: true },
        { name: 'CUSTOM_FAST', isStandard: false },
      ],
      traitNames: ['COMPUTE_NODE', 'CUSTOM_FAST'],
      aggregates: [{ uuid: uuidOf('rack'), name: uuidOf('rack') }],
      isSharing: false,
      fast: true,
      other: false,
    });
    expect(await provider('host1_gpu', fields)).toMatchObject({ traits: [], traitNames: [], aggregates: [], fast: false });
    expect(await provider('pool', 'isSharing')).toEqual({ isSharing: true });
  });

  test('sums its subtree without the pools that serve it', async () => {
    expect(await provider('host1', 'treeInventories { resourceClass { name } providerCount capacity used freeUsable }')).toEqual({
      treeInventories: [
        { resourceClass: { name: 'VCPU' }, providerCount: 1, capacity: 8, used: 2, freeUsable: 6 },
        { resourceClass: { name: 'MEMORY_MB' }, providerCount: 1, capacity: 900, used: 10, freeUsable: 890 },
        { resourceClass: { name: 'VGPU' }, providerCount: 2, capacity: 5, used: 1, freeUsable: 4 },
        { resourceClass: { name: 'CUSTOM_FAN' }, providerCount: 1, capacity: 1, used: 0, freeUsable: 1 },
      ],
    });
    expect(await provider('host1_gpu', 'treeInventories(resourceClasses: ["VGPU"]) { used }')).toEqual({ treeInventories: [] });
  });

  test('anywhere in a tree names the pools that serve the tree', async () => {
    const fields = 'sharedPools { resourceProvider { name } inventory { resourceClass { name } used } usedHere }';
    const disk = { resourceProvider: { name: 'pool' }, inventory: { resourceClass: { name: 'DISK_GB' }, used: 105 } };
    const addresses = {
      resourceProvider: { name: 'addresses' },
      inventory: { resourceClass: { name: 'IPV4_ADDRESS' }, used: 0 },
      usedHere: 0,
    };
    expect(await provider('host1', fields)).toEqual({ sharedPools: [addresses, { ...disk, usedHere: 30 }] });
    expect(await provider('host1_gpu', fields)).toEqual({ sharedPools: [addresses, { ...disk, usedHere: 30 }] });
    expect(await provider('host2', fields)).toEqual({ sharedPools: [{ ...disk, usedHere: 70 }] });
    expect(await provider('lone', fields)).toEqual({ sharedPools: [] });
    expect(await provider('pool', fields)).toEqual({ sharedPools: [] });
    expect(await provider('host1', 'sharedPools(resourceClasses: ["DISK_GB"]) { usedHere }')).toEqual({ sharedPools: [{ usedHere: 30 }] });
  });

  test('that shares names the roots that it serves, in pages', async () => {
    const fields = 'servesRoots(first: 1) { nodes { name } totalCount pageInfo { hasNextPage endCursor } }';
    const first = (await provider('pool', fields)) as { servesRoots: { pageInfo: { endCursor: string } } };
    expect(first).toMatchObject({ servesRoots: { nodes: [{ name: 'host1' }], totalCount: 2, pageInfo: { hasNextPage: true } } });
    const { endCursor } = first.servesRoots.pageInfo;
    expect(await provider('pool', `servesRoots(first: 1, after: "${endCursor}") { nodes { name } pageInfo { hasNextPage } }`)).toEqual({
      servesRoots: { nodes: [{ name: 'host2' }], pageInfo: { hasNextPage: false } },
    });
    expect(await provider('addresses', 'servesRoots { nodes { name } }')).toEqual({ servesRoots: { nodes: [{ name: 'host1' }] } });
    expect(await provider('host1', 'servesRoots { nodes { name } totalCount }')).toEqual({ servesRoots: { nodes: [], totalCount: 0 } });
  });

  test('shows its times with microseconds', async () => {
    await database.db.writes`update resource_providers set created_at = '2026-01-02T03:04:05.123456+02:00' where name = 'lone'`;
    expect(await provider('lone', 'createdAt')).toEqual({ createdAt: '2026-01-02T01:04:05.123456Z' });
  });
});

describe('refusals', () => {
  test('a filter with an unknown trait is refused with its path', async () => {
    const { errors } = await execute(database.db, '{ resourceProviders(filter: { traits: { allOf: "CUSTOM_NONE" } }) { totalCount } }');
    expect(errors?.[0]?.originalError).toMatchObject({ problems: [{ code: 'NOT_FOUND', path: ['filter', 'traits', '0', 'allOf', '0'] }] });
  });

  test('names that cannot be stored are refused everywhere', async () => {
    for (const text of [
      '{ resourceProvider(name: "\\u0000") { name } }',
      '{ trait(name: "\\u0000") { name } }',
      '{ resourceClass(name: "\\u0000") { name } }',
      '{ traits(filter: { nameStartsWith: "\\u0000" }) { totalCount } }',
      '{ resourceProviders(first: 1) { nodes { hasTrait(name: "\\u0000") } } }',
    ]) {
      await expect(ask(text)).rejects.toThrow('must not contain a NUL character');
    }
  });

  test('zero levels of descendants are refused', async () => {
    await expect(provider('host1', 'descendants(maxDepth: 0) { name }')).rejects.toThrow('maxDepth must be at least 1');
  });

  test('more than 10,000 descendants or children are refused with advice, others are not', async () => {
    await database.db.writes`
      with wide as (
        insert into resource_providers (id, uuid, name, root_provider_id) overriding system value
        values (1000000, gen_random_uuid(), 'wide', 1000000) returning id
      ) insert into resource_providers (uuid, name, parent_provider_id, root_provider_id)
      select gen_random_uuid(), 'leaf' || n, wide.id, wide.id from wide, generate_series(1, 10001) n`;
    for (const field of ['descendants', 'children'])
      await expect(provider('wide', `${field} { name }`)).rejects.toThrow('resourceProviders(filter: {inTrees})');
    const { data, errors } = await execute(
      database.db,
      '{ wide: resourceProvider(name: "wide") { descendants { name } } host: resourceProvider(name: "host1") { descendants { name } } }',
    );
    expect([errors?.length, data?.wide]).toEqual([1, null]);
    expect(data?.host).toMatchObject({ descendants: [{}, {}, {}] });
    await database.db.writes`delete from resource_providers where name like 'leaf%'`;
    await database.db.writes`delete from resource_providers where name = 'wide'`;
  });
});

describe('traits, aggregates and classes', () => {
  test('a trait lists its providers', async () => {
    const answer = await ask(
      '{ trait(name: "CUSTOM_FAST") { resourceProviders(first: 1) { nodes { name } totalCount } } none: trait(name: "X") { name } }',
    );
    expect(answer).toEqual({ trait: { resourceProviders: { nodes: [{ name: 'host1' }], totalCount: 2 } }, none: null });
  });

  test('traits are found by name, beginning and usage', async () => {
    const answer = await ask(`{
      used: traits(filter: { inUse: true }) { nodes { name } totalCount }
      custom: traits(filter: { nameStartsWith: "custom_" }) { nodes { name } }
      wild: traits(filter: { nameStartsWith: "%" }) { totalCount }
      some: traits(filter: { names: ["CUSTOM_FAST", "CUSTOM_NONE"] }) { nodes { name } }
      none: traits(filter: { names: [] }) { totalCount }
    }`);
    expect(answer).toEqual({
      used: { nodes: [{ name: 'COMPUTE_NODE' }, { name: 'CUSTOM_FAST' }, { name: 'MISC_SHARES_VIA_AGGREGATE' }], totalCount: 3 },
      custom: { nodes: [{ name: 'CUSTOM_FAST' }] },
      wild: { totalCount: 0 },
      some: { nodes: [{ name: 'CUSTOM_FAST' }] },
      none: { totalCount: 0 },
    });
  });

  test('aggregates come in the order in which they were named', async () => {
    const answer = await ask(
      `query ($rack: UUID!, $none: UUID!) {
        aggregates { nodes { uuid resourceProviders { nodes { name } } } totalCount }
        aggregate(uuid: $rack) { uuid }
        none: aggregate(uuid: $none) { uuid }
        some: aggregates(filter: { uuids: [$none] }) { totalCount }
      }`,
      { rack: uuidOf('rack').toUpperCase(), none: uuidOf('none') },
    );
    expect(answer).toEqual({
      aggregates: {
        nodes: [
          { uuid: uuidOf('rack'), resourceProviders: { nodes: [{ name: 'host1' }, { name: 'host2' }, { name: 'pool' }] } },
          { uuid: uuidOf('segment'), resourceProviders: { nodes: [{ name: 'addresses' }, { name: 'host1_cell1' }] } },
        ],
        totalCount: 2,
      },
      aggregate: { uuid: uuidOf('rack') },
      none: null,
      some: { totalCount: 0 },
    });
  });

  test('aggregates count the trees whose root is a member, and the consumers on them and on other members', async () => {
    expect(await ask('{ aggregates { nodes { uuid rootCount consumerCount } } }')).toEqual({
      aggregates: {
        nodes: [
          { uuid: uuidOf('rack'), rootCount: 2, consumerCount: 3 },
          // A cell and an address pool, neither of which is a host.
          { uuid: uuidOf('segment'), rootCount: 0, consumerCount: 0 },
        ],
      },
    });
  });

  test('a class lists its inventories in several orders, of some providers', async () => {
    const answer = await ask(`{ resourceClass(name: "DISK_GB") {
      unit isStandard cloudTotal { providerCount used }
      cloudInventories { nodes { resourceProvider { name } } totalCount }
      used: cloudInventories(orderBy: { field: USED, direction: DESC }) { nodes { used } }
      shared: cloudInventories(filter: { isSharing: true }) { nodes { used } totalCount }
    } }`);
    expect(answer).toEqual({
      resourceClass: {
        unit: 'GiB',
        isStandard: true,
        cloudTotal: { providerCount: 2, used: 105 },
        cloudInventories: { nodes: [{ resourceProvider: { name: 'lone' } }, { resourceProvider: { name: 'pool' } }], totalCount: 2 },
        used: { nodes: [{ used: 105 }, { used: 0 }] },
        shared: { nodes: [{ used: 105 }], totalCount: 1 },
      },
    });
  });

  test('standard classes are listed first', async () => {
    const answer = await query<Record<string, { nodes: { name: string; cloudTotal: object | null }[]; totalCount: number }>>(
      database.db,
      `{ all: resourceClasses { nodes { name cloudTotal { used } } totalCount }
        custom: resourceClasses(filter: { isStandard: false }) { nodes { name } }
        standard: resourceClasses(filter: { isStandard: true }) { nodes { name } }
        last: resourceClasses(first: 1, orderBy: { field: CREATED_AT, direction: DESC }) { nodes { name } }
        some: resourceClasses(filter: { nameStartsWith: "custom_", nameContains: "fan", names: ["CUSTOM_FAN", "VCPU"] }) { nodes { name } } }`,
    );
    const namesOf = (list: string) => (answer[list]?.nodes ?? []).map(({ name }) => name);
    expect(namesOf('custom')).toEqual(['CUSTOM_FAN']);
    expect([namesOf('some'), namesOf('last')]).toEqual([['CUSTOM_FAN'], ['CUSTOM_FAN']]);
    expect(namesOf('all')).toEqual([...namesOf('standard'), 'CUSTOM_FAN']);
    expect(answer.all?.totalCount).toBe(namesOf('all').length);
    expect(answer.all?.nodes.find(({ name }) => name === 'PGPU')?.cloudTotal).toBeNull();
  });
});
