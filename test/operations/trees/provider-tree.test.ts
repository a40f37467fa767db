// Applying a desired tree, on a real database: what is created, changed, moved and deleted, dry runs, and refusals.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyProviderTree, type DesiredProvider, type DesiredTree } from '../../../src/operations/trees/provider-tree.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countEvents, dumpTables, expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
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

const root = uuidOf('host');
const apply = (providers: readonly DesiredProvider[], rest: Partial<DesiredTree> = {}) =>
  applyProviderTree(scopeOf(database.db), { root, resourceProviders: providers, ...rest });
const refused = (...input: Parameters<typeof apply>) => refusalOf(database.db, () => apply(...input));
const host: DesiredProvider = {
  name: 'host',
  inventories: [{ resourceClass: 'VCPU', total: 16 }],
  traits: ['COMPUTE_NODE'],
  aggregates: [uuidOf('rack')],
};
const numa = (index: number, rest: Partial<DesiredProvider> = {}): DesiredProvider => ({
  uuid: uuidOf(`numa${index}`),
  name: `numa${index}`,
  parentName: 'host',
  inventories: [{ resourceClass: 'CUSTOM_CORE', total: 8 }],
  ...rest,
});

const tree = async (): Promise<string[]> => {
  const rows = await database.db.sql<{ line: string }[]>`
    select p.name || ' < ' || coalesce(parent.name, '-') || ' @' || p.generation as line
    from resource_providers p left join resource_providers parent on parent.id = p.parent_provider_id order by p.name`;
  return rows.map(({ line }) => line);
};

test('a tree is created with its new names; applying it again changes nothing and writes no event', async () => {
  const desired = [numa(1, { parentName: 'numa0', traits: ['CUSTOM_FAST'] }), host, numa(0)];
  const first = await apply(desired);
  expect(first).toMatchObject({ applied: true, root: { name: 'host' }, warnings: [] });
  expect(await tree()).toEqual(['host < - @1', 'numa0 < host @1', 'numa1 < numa0 @1']);
  const events = await countEvents(database.db);
  expect(await apply(desired)).toMatchObject({ applied: true, changes: [], eventId: null });
  expect(await countEvents(database.db)).toBe(events);
});

test('classes and traits that a tree introduces are in its event', async () => {
  await apply([host, numa(0, { traits: ['CUSTOM_FAST', 'HW_NUMA_ROOT'] })]);
  const { changes } = await newestEvent(database.db);
  expect(changes.resourceClasses).toEqual({ CUSTOM_CORE: { before: null, after: {} } });
  expect(changes.traits).toEqual({ CUSTOM_FAST: { before: null, after: {} } });
});

test('a dry run reports the difference and writes nothing; applied, it is the same', async () => {
  await apply([host, numa(0), numa(1)]);
  const desired = [
    { ...host, traits: [], aggregates: [] },
    numa(0, { name: 'cell0', inventories: [{ resourceClass: 'CUSTOM_CORE', total: 4 }] }),
    numa(2, { parentName: 'cell0' }),
  ];
  const before = await dumpTables(database.db);
  const dry = await apply(desired, { dryRun: true });
  expect(await dumpTables(database.db)).toEqual(before);
  expect(dry).toMatchObject({ applied: false, eventId: null, root: { name: 'host' } });
  expect(dry.changes).toMatchObject([
    { resourceProviderUuid: root, action: 'CHANGED', traitNamesRemoved: [expect.any(String)], aggregateUuidsRemoved: [expect.any(String)] },
    {
      resourceProviderUuid: uuidOf('numa0'),
      name: { before: 'numa0', after: 'cell0' },
      inventories: [{ resourceClassName: 'CUSTOM_CORE' }],
    },
    { action: 'CREATED', name: { before: null, after: 'numa2' }, inventories: [{ resourceClassName: 'CUSTOM_CORE', before: null }] },
    { action: 'DELETED', name: { before: 'numa1', after: null } },
  ]);
  const done = await apply(desired);
  expect(done.changes).toEqual(dry.changes);
  expect(await tree()).toEqual(['cell0 < host @2', 'host < - @2', 'numa2 < cell0 @1']);
});

test('members change places and lose what is no longer listed; what is omitted stays unchanged', async () => {
  await apply([host, numa(0), numa(1, { parentName: 'numa0', traits: ['HW_NUMA_ROOT'] })]);
  const { uuid, name } = numa(0);
  await apply([{ name: 'host' }, numa(1, { inventories: [] }), { ...(uuid ? { uuid } : {}), name, parentName: 'numa1' }]);
  expect(await tree()).toEqual(['host < - @1', 'numa0 < numa1 @2', 'numa1 < host @2']);
  const traits = await database.db.sql`select from resource_provider_traits`;
  expect(traits.length).toBe(2);
});

test('with `removed`, only those are deleted: what others added below a host stays, although the list does not name it', async () => {
  await apply([host, numa(0), numa(1), numa(2, { name: 'fpga', parentName: 'numa1' })]);
  const { changes } = await apply([{ name: 'host', traits: ['COMPUTE_NODE', 'CUSTOM_NEW'] }], { removed: [uuidOf('numa0')] });
  expect(changes).toMatchObject([{ traitNamesAdded: ['CUSTOM_NEW'] }, { action: 'DELETED', name: { before: 'numa0' } }, {}]);
  expect(await tree()).toEqual(['fpga < numa1 @1', 'host < - @2', 'numa1 < host @1']);
  expect(await refused([{ name: 'host' }], { removed: [uuidOf('numa1')] })).toMatchObject([
    { code: 'HAS_CHILDREN', path: ['removed', '0'] },
  ]);
});

test('inventories move together with the allocations on them', async () => {
  await apply([host]);
  await seed.claim('vm', { host: { VCPU: 4 } });
  const hold = { allocations: [{ resourceProvider: uuidOf('numa0'), resources: [{ resourceClass: 'VCPU', amount: 4 }] }] };
  const moved = [{ ...host, inventories: [] }, numa(0, { inventories: [{ resourceClass: 'VCPU', total: 4 }] })];
  expect(await refused(moved)).toMatchObject([{ code: 'IN_USE', details: { noun: 'inventory', provider: root } }]);
  const answer = await apply(moved, { consumers: [{ consumer: uuidOf('vm'), expect: { generation: 1 }, hold }] });
  const amount = { resourceClassName: 'VCPU' };
  expect(answer.changes.at(-1)).toMatchObject({
    type: 'ConsumerChange',
    consumerUuid: uuidOf('vm'),
    allocations: expect.arrayContaining([
      { ...amount, resourceProviderUuid: root, before: 4, after: null },
      { ...amount, resourceProviderUuid: uuidOf('numa0'), before: null, after: 4 },
    ]),
  });
});

test('a shrunk inventory is reported as a warning', async () => {
  await apply([host]);
  await seed.claim('vm', { host: { VCPU: 4 } });
  const { warnings } = await apply([{ ...host, inventories: [{ resourceClass: 'VCPU', total: 2 }] }]);
  expect(warnings).toEqual([{ provider: root, resourceClass: 'VCPU', used: 4, capacity: 2 }]);
});

describe('a tree is refused as a whole, with the path in the list, when', () => {
  beforeEach(async () => {
    await apply([host, numa(0)]);
    await seed.provider('elsewhere');
  });

  test('a member that would be removed is in use', async () => {
    await seed.claim('vm', { numa0: { CUSTOM_CORE: 1 } });
    expect(await refused([host])).toMatchObject([{ code: 'IN_USE', details: { key: uuidOf('numa0'), by: [uuidOf('vm')], count: 1 } }]);
  });

  test('several members of one depth are in use: the first by name is reported', async () => {
    const members = [5, 3, 4].map((index) => numa(index));
    await apply([host, numa(0), ...members]);
    for (const index of [4, 3, 5]) await seed.claim(`vm${index}`, { [`numa${index}`]: { CUSTOM_CORE: 1 } });
    expect(await refused([host, numa(0)])).toMatchObject([{ code: 'IN_USE', details: { key: uuidOf('numa3') } }]);
  });

  test('a member changed since it was read, or is gone although a generation of it was read', async () => {
    const provider = uuidOf('numa0');
    expect(await refused([host, numa(0, { expect: { generation: 7 } })])).toEqual([
      { code: 'PROVIDER_CONFLICT', path: ['resourceProviders', '1', 'expect'], details: { provider, expected: 7, actual: 1 } },
    ]);
    expect(await refused([host, numa(0), numa(3, { expect: { generation: 2 } })])).toEqual([
      { code: 'NOT_FOUND', path: ['resourceProviders', '2'], details: { noun: 'resourceProvider', key: uuidOf('numa3') } },
    ]);
  });

  test('a name or a uuid belongs to a provider of another tree', async () => {
    const existing = uuidOf('elsewhere');
    expect(await refused([host, numa(0), { name: 'elsewhere', parentName: 'host' }])).toMatchObject([
      { code: 'DUPLICATE', path: ['resourceProviders', '2', 'name'], details: { key: 'elsewhere', existing } },
    ]);
    expect(await refused([host, numa(0), { uuid: existing, name: 'mine', parentName: 'host' }])).toMatchObject([
      { code: 'DUPLICATE', details: { key: existing, existing } },
    ]);
  });

  test('a name still belongs to a member that the list renames', async () => {
    expect(await refused([host, { name: 'numa0', parentName: 'host' }, numa(0, { name: 'renamed' })])).toMatchObject([
      { code: 'DUPLICATE', path: ['resourceProviders', '1', 'name'], details: { key: 'numa0', existing: uuidOf('numa0') } },
    ]);
  });

  test('the root is below another provider', async () => {
    const below = [{ name: 'numa0', uuid: uuidOf('numa0') }];
    expect(await refused(below, { root: uuidOf('numa0') })).toMatchObject([{ code: 'INVALID_INPUT' }]);
  });

  test('a standard class or trait does not exist', async () => {
    expect(await refused([{ ...host, inventories: [{ resourceClass: 'NOT_CUSTOM', total: 1 }] }, numa(0)])).toEqual([
      {
        code: 'NOT_FOUND',
        path: ['resourceProviders', '0', 'inventories', '0', 'resourceClass'],
        details: { noun: 'resourceClass', key: 'NOT_CUSTOM' },
      },
    ]);
    expect(await refused([host, numa(0, { traits: ['HW_NUMA_ROOT', 'HW_NONE'] })])).toEqual([
      { code: 'NOT_FOUND', path: ['resourceProviders', '1', 'traits', '1'], details: { noun: 'trait', key: 'HW_NONE' } },
    ]);
  });

  test.each<[string, string, readonly DesiredProvider[]]>([
    ['it is empty', 'resourceProviders', []],
    ['there is no root', 'resourceProviders', [numa(0, { parentName: 'numa1' }), numa(1, { parentName: 'numa0' })]],
    ['there are two roots', 'resourceProviders', [host, { name: 'another' }]],
    ['a parent is not in it', 'resourceProviders.1.parentName', [host, numa(0, { parentName: 'nobody' })]],
    ['parents form a loop', 'resourceProviders.1.parentName', [host, numa(0, { parentName: 'numa1' }), numa(1, { parentName: 'numa0' })]],
    ['a name stands twice', 'resourceProviders.1.name', [host, { name: 'host', parentName: 'host' }]],
    ['a uuid stands twice', 'resourceProviders.2.uuid', [host, numa(0), numa(0, { name: 'other' })]],
    ['the root has another uuid', 'resourceProviders.0.uuid', [{ ...host, uuid: uuidOf('other') }]],
    ['the root has a parent', 'resourceProviders.1.parentName', [host, numa(0, { uuid: root })]],
    ['a name is empty', 'resourceProviders.1.name', [host, numa(0, { name: '' })]],
  ])('%s', async (_, path, providers) => {
    const [problem] = await refused(providers);
    expect(problem).toMatchObject({ code: 'INVALID_INPUT' });
    expect(problem?.path.join('.')).toBe(path);
  });
});
