// Writes of providers, their traits and aggregates, on a real database: effects, refusals, generations and events.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createResourceProvider,
  deleteResourceProvider,
  nameAggregate,
  replaceAggregates,
  replaceTraits,
  updateResourceProvider,
} from '../../../src/operations/providers/provider-writes.ts';
import { useDatabase } from '../../support/database.ts';
import { countEvents, expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db, 'req-providers');
const seed = () => createSeed(database.db);
const unchecked = { unchecked: true } as const;
const nowhere = uuidOf('nowhere');

beforeAll(async () => {
  await seed().provider('top');
  await seed().provider('above');
  await seed().provider('loop');
  await seed().provider('loop child', { parent: 'loop' });
  await seed().provider('loop grandchild', { parent: 'loop child' });
  await seed().provider('traited', { traits: ['HW_NUMA_ROOT', 'CUSTOM_OLD'] });
  await seed().provider('new trait', { traits: ['CUSTOM_NEW'] });
  await seed().provider('member', { aggregates: ['rack1', 'zone1'] });
});
afterEach(() => expectSoundLedger(database.db));

async function generationOf(name: string): Promise<number> {
  const [row] = await database.db.sql<{ generation: number }[]>`
    select generation::int as generation from resource_providers where name = ${name}`;
  return row?.generation ?? -1;
}

/** The parents of all providers: `child <- parent (root)`. */
async function forest(...names: string[]): Promise<string[]> {
  const rows = await database.db.sql<{ line: string }[]>`
    select p.name || ' < ' || coalesce(parent.name, '-') || ' < ' || root.name as line
    from resource_providers p left join resource_providers parent on parent.id = p.parent_provider_id
    join resource_providers root on root.id = p.root_provider_id where p.name = any(${names}) order by p.name`;
  return rows.map(({ line }) => line);
}

describe('creating a provider', () => {
  test('starts at generation 0, is its own root, and leaves one event with its author', async () => {
    const { resourceProvider: provider } = await createResourceProvider(scope(), { uuid: uuidOf('new'), name: 'new' });
    expect(provider).toMatchObject({ uuid: uuidOf('new'), name: 'new', generation: 0, parentId: null, rootId: provider.id });
    expect(await newestEvent(database.db)).toEqual({
      kind: 'CREATE_RESOURCE_PROVIDER',
      user: 'admin',
      project: 'admin',
      requestId: 'req-providers',
      changes: {
        providers: {
          [uuidOf('new')]: {
            before: null,
            after: { name: 'new', generation: 0, parent: null, inventories: {}, traits: [], aggregates: [] },
          },
        },
      },
    });
  });

  test('gets a random uuid if none is given', async () => {
    const { resourceProvider: provider } = await createResourceProvider(scope(), { name: 'drawn' });
    expect(provider.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("gets the root of its parent's tree, and does not change the parent's generation", async () => {
    await seed().provider('middle', { parent: 'top' });
    await createResourceProvider(scope(), { name: 'bottom', parent: uuidOf('middle') });
    expect(await forest('bottom')).toEqual(['bottom < middle < top']);
    expect(await generationOf('middle')).toBe(0);
  });

  test('refuses an unknown parent', async () => {
    expect(await refusalOf(database.db, () => createResourceProvider(scope(), { name: 'orphan', parent: nowhere }))).toEqual([
      { code: 'NOT_FOUND', path: ['parent'], details: { noun: 'parent', key: nowhere } },
    ]);
  });

  test('refuses to be its own parent', async () => {
    const [problem] = await refusalOf(database.db, () => createResourceProvider(scope(), { uuid: nowhere, name: 'self', parent: nowhere }));
    expect(problem).toMatchObject({ code: 'INVALID_INPUT', path: ['parent'] });
  });

  test('refuses a name or uuid in use, and names the provider that has it', async () => {
    await seed().provider('taken');
    const existing = uuidOf('taken');
    expect(await refusalOf(database.db, () => createResourceProvider(scope(), { name: 'taken' }))).toEqual([
      { code: 'DUPLICATE', path: ['name'], details: { noun: 'resourceProvider', key: 'taken', field: 'name', existing } },
    ]);
    expect(await refusalOf(database.db, () => createResourceProvider(scope(), { name: 'other', uuid: existing }))).toEqual([
      { code: 'DUPLICATE', path: ['uuid'], details: { noun: 'resourceProvider', key: existing, field: 'uuid', existing } },
    ]);
  });

  test.each(['', 'x'.repeat(201), 'a\0b', 'half \ud800'])('refuses the name %j before the database sees it', async (name) => {
    const [problem] = await refusalOf(database.db, () => createResourceProvider(scope(), { name }));
    expect(problem).toMatchObject({ code: 'INVALID_INPUT', path: ['name'] });
  });
});

describe('creating a provider unless it exists', () => {
  test('creates it once and then writes nothing', async () => {
    const wanted = { uuid: uuidOf('ensured'), name: 'ensured', parent: uuidOf('above'), ifExists: 'RETURN' } as const;
    const first = await createResourceProvider(scope(), wanted);
    const events = await countEvents(database.db);
    const second = await createResourceProvider(scope(), wanted);
    expect([first.created, second.created]).toEqual([true, false]);
    expect(second.resourceProvider).toEqual(first.resourceProvider);
    expect(await countEvents(database.db)).toBe(events);
  });

  test('needs a uuid to recognize it', async () => {
    expect(await refusalOf(database.db, () => createResourceProvider(scope(), { name: 'unknown', ifExists: 'RETURN' }))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['uuid'] },
    ]);
  });

  test('refuses one that exists with another name or parent', async () => {
    await seed().provider('ensured elsewhere');
    const uuid = uuidOf('ensured elsewhere');
    const details = { noun: 'resourceProvider', key: uuid, field: 'uuid', existing: uuid };
    for (const other of [{ name: 'renamed' }, { name: 'ensured elsewhere', parent: uuidOf('above') }]) {
      expect(await refusalOf(database.db, () => createResourceProvider(scope(), { uuid, ifExists: 'RETURN', ...other }))).toEqual([
        { code: 'DUPLICATE', path: ['uuid'], details },
      ]);
    }
  });
});

describe('renaming and moving a provider', () => {
  test('a rename raises the generation, and its event has the old and the new name', async () => {
    await seed().provider('old name');
    const provider = await updateResourceProvider(scope(), {
      resourceProvider: uuidOf('old name'),
      expect: { generation: 0 },
      name: 'new name',
    });
    expect(provider).toMatchObject({ name: 'new name', generation: 1 });
    expect((await newestEvent(database.db)).changes.providers).toEqual({
      [uuidOf('old name')]: {
        before: { name: 'old name', generation: 0 },
        after: { name: 'new name', generation: 1 },
      },
    });
  });

  test('moving a subtree changes the root of every member, and only the generation of the one that moved', async () => {
    for (const [name, parent] of [['r1'], ['r2'], ['a', 'r1'], ['b', 'a'], ['c', 'b']] as const) {
      await seed().provider(name, parent === undefined ? {} : { parent });
    }
    await updateResourceProvider(scope(), {
      resourceProvider: uuidOf('a'),
      expect: unchecked,
      newParent: { resourceProvider: uuidOf('r2') },
    });
    expect(await forest('a', 'b', 'c')).toEqual(['a < r2 < r2', 'b < a < r2', 'c < b < r2']);
    await updateResourceProvider(scope(), { resourceProvider: uuidOf('b'), expect: unchecked, newParent: { none: true } });
    expect(await forest('a', 'b', 'c')).toEqual(['a < r2 < r2', 'b < - < b', 'c < b < b']);
    expect(await Promise.all(['r1', 'r2', 'a', 'b', 'c'].map(generationOf))).toEqual([0, 0, 1, 1, 0]);
  });

  test.each(['loop', 'loop child', 'loop grandchild'])('a loop of parents (LP 1779635) is refused: under %j', async (parent) => {
    const provider = uuidOf('loop');
    const move = { resourceProvider: provider, expect: unchecked, newParent: { resourceProvider: uuidOf(parent) } };
    expect(await refusalOf(database.db, () => updateResourceProvider(scope(), move))).toEqual([
      { code: 'PARENT_LOOP', path: ['newParent'], details: { provider, parent: uuidOf(parent) } },
    ]);
  });

  test('an update that changes nothing writes nothing', async () => {
    await seed().provider('still', { parent: 'top' });
    const events = await countEvents(database.db);
    const same = { resourceProvider: uuidOf('still'), expect: unchecked, name: 'still', newParent: { resourceProvider: uuidOf('top') } };
    expect((await updateResourceProvider(scope(), same)).generation).toBe(0);
    expect(await countEvents(database.db)).toBe(events);
  });

  test('a provider with allocations may move, and its consumers keep them', async () => {
    await seed().provider('busy', { inventories: { VCPU: 4 } });
    await seed().claim('busy holder', { busy: { VCPU: 2 } });
    const moved = await updateResourceProvider(scope(), {
      resourceProvider: uuidOf('busy'),
      expect: unchecked,
      newParent: { resourceProvider: uuidOf('top') },
    });
    expect(moved.generation).toBe(3);
  });

  test('refuses unknown providers and parents, invalid names, and old generations', async () => {
    await seed().provider('target');
    const provider = uuidOf('target');
    const refused = (input: object) =>
      refusalOf(database.db, () => updateResourceProvider(scope(), { resourceProvider: provider, expect: unchecked, ...input }));
    expect(await refused({ resourceProvider: nowhere, name: 'x' })).toEqual([
      { code: 'NOT_FOUND', path: ['resourceProvider'], details: { noun: 'resourceProvider', key: nowhere } },
    ]);
    expect(await refused({ newParent: { resourceProvider: nowhere } })).toEqual([
      { code: 'NOT_FOUND', path: ['newParent'], details: { noun: 'parent', key: nowhere } },
    ]);
    expect(await refused({ name: 'top' })).toEqual([
      { code: 'DUPLICATE', path: ['name'], details: { noun: 'resourceProvider', key: 'top', field: 'name', existing: uuidOf('top') } },
    ]);
    expect(await refused({ expect: { generation: 7 }, name: 'x' })).toEqual([
      { code: 'PROVIDER_CONFLICT', path: ['expect'], details: { provider, expected: 7, actual: 0 } },
    ]);
    expect(await refused({ expect: {}, name: 'x' })).toMatchObject([{ code: 'INVALID_INPUT', path: ['expect'] }]);
    expect(await refused({ expect: { generation: 0, unchecked: true }, name: 'x' })).toMatchObject([{ path: ['expect'] }]);
    expect(await refused({ expect: { unchecked: false }, name: 'x' })).toMatchObject([{ path: ['expect', 'unchecked'] }]);
    expect(await refused({ newParent: { none: false } })).toMatchObject([{ code: 'INVALID_INPUT', path: ['newParent', 'none'] }]);
    expect(await refused({ newParent: {} })).toMatchObject([{ code: 'INVALID_INPUT', path: ['newParent'] }]);
  });
});

describe('deleting a provider', () => {
  test('deletes its inventories, traits and memberships, and writes an event with its last state', async () => {
    await seed().provider('doomed', { inventories: { VCPU: 4 }, traits: ['HW_NUMA_ROOT'], aggregates: ['rack'] });
    expect(await deleteResourceProvider(scope(), { resourceProvider: uuidOf('doomed'), expect: { generation: 3 } })).toBe(uuidOf('doomed'));
    const { kind, changes } = await newestEvent(database.db);
    expect(kind).toBe('DELETE_RESOURCE_PROVIDER');
    expect(changes.providers?.[uuidOf('doomed')]).toEqual({
      before: {
        name: 'doomed',
        generation: 3,
        parent: null,
        inventories: { VCPU: { total: 4, reserved: 0, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 1 } },
        traits: ['HW_NUMA_ROOT'],
        aggregates: [uuidOf('rack')],
      },
      after: null,
    });
  });

  test('needs its children deleted first, then its allocations (nova LP 2115905: the answer lists the consumers)', async () => {
    await seed().provider('host', { inventories: { VCPU: 4 } });
    await seed().provider('child of host', { parent: 'host' });
    await seed().claim('guest', { host: { VCPU: 1 } });
    const provider = uuidOf('host');
    const remove = (name: string) => deleteResourceProvider(scope(), { resourceProvider: uuidOf(name), expect: unchecked });
    expect(await refusalOf(database.db, () => remove('host'))).toEqual([
      { code: 'HAS_CHILDREN', path: ['resourceProvider'], details: { provider, children: [uuidOf('child of host')], count: 1 } },
    ]);
    await remove('child of host');
    expect(await refusalOf(database.db, () => remove('host'))).toEqual([
      {
        code: 'IN_USE',
        path: ['resourceProvider'],
        details: { noun: 'resourceProvider', key: provider, provider, by: [uuidOf('guest')], count: 1 },
      },
    ]);
    await seed().write('release_allocations', { consumers: [{ uuid: uuidOf('guest'), expect: {}, allocations: [] }] });
    await remove('host');
    expect(await forest('host')).toEqual([]);
  });

  test('is refused to a former owner with an old generation (nova LP 1853009)', async () => {
    await seed().provider('rebalanced', { traits: ['HW_NUMA_ROOT'] });
    const provider = uuidOf('rebalanced');
    expect(
      await refusalOf(database.db, () => deleteResourceProvider(scope(), { resourceProvider: provider, expect: { generation: 0 } })),
    ).toEqual([{ code: 'PROVIDER_CONFLICT', path: ['expect'], details: { provider, expected: 0, actual: 1 } }]);
  });

  test('refuses an unknown provider', async () => {
    expect(await refusalOf(database.db, () => deleteResourceProvider(scope(), { resourceProvider: nowhere, expect: unchecked }))).toEqual([
      { code: 'NOT_FOUND', path: ['resourceProvider'], details: { noun: 'resourceProvider', key: nowhere } },
    ]);
  });
});

describe('the traits of a provider', () => {
  test('become the given set; setting the same again raises no generation and writes no event', async () => {
    const provider = uuidOf('traited');
    const traits = ['CUSTOM_NEW', 'HW_NUMA_ROOT', 'CUSTOM_NEW'];
    expect((await replaceTraits(scope(), { resourceProvider: provider, expect: { generation: 1 }, traits })).generation).toBe(2);
    expect((await newestEvent(database.db)).changes.providers).toEqual({
      [provider]: {
        before: { generation: 1, traits: ['CUSTOM_OLD', 'HW_NUMA_ROOT'] },
        after: { generation: 2, traits: ['CUSTOM_NEW', 'HW_NUMA_ROOT'] },
      },
    });
    const events = await countEvents(database.db);
    expect((await replaceTraits(scope(), { resourceProvider: provider, expect: { generation: 2 }, traits })).generation).toBe(2);
    expect(await countEvents(database.db)).toBe(events);
    expect((await replaceTraits(scope(), { resourceProvider: provider, expect: unchecked, traits: [] })).generation).toBe(3);
  });

  test('refuses unknown traits with their paths, unknown providers, old generations and invalid names', async () => {
    const provider = uuidOf('traited');
    const refused = (input: object) =>
      refusalOf(database.db, () => replaceTraits(scope(), { resourceProvider: provider, expect: unchecked, traits: [], ...input }));
    expect(await refused({ traits: ['HW_NUMA_ROOT', 'CUSTOM_MISSING'] })).toEqual([
      { code: 'NOT_FOUND', path: ['traits', '1'], details: { noun: 'trait', key: 'CUSTOM_MISSING' } },
    ]);
    expect(await refused({ resourceProvider: nowhere })).toMatchObject([{ code: 'NOT_FOUND', path: ['resourceProvider'] }]);
    expect(await refused({ expect: { generation: 0 } })).toMatchObject([{ code: 'PROVIDER_CONFLICT', path: ['expect'] }]);
    expect(await refused({ traits: ['hw_numa_root'] })).toMatchObject([{ code: 'INVALID_INPUT', path: ['traits', '0'] }]);
  });
});

describe('the aggregates of a provider', () => {
  test('become the given set, and raise the generation even if nothing changes', async () => {
    const provider = uuidOf('member');
    const aggregates = [uuidOf('zone1'), uuidOf('rack2')];
    expect((await replaceAggregates(scope(), { resourceProvider: provider, expect: { generation: 1 }, aggregates })).generation).toBe(2);
    const { changes } = await newestEvent(database.db);
    expect(changes.providers?.[provider]?.after).toEqual({ generation: 2, aggregates: aggregates.toSorted() });
    expect((await replaceAggregates(scope(), { resourceProvider: provider, expect: { generation: 2 }, aggregates })).generation).toBe(3);
    expect((await newestEvent(database.db)).changes.providers).toEqual({
      [provider]: { before: { generation: 2 }, after: { generation: 3 } },
    });
  });

  test('a refused set creates no aggregates', async () => {
    const provider = uuidOf('member');
    const aggregates = [uuidOf('never seen')];
    const refused = (input: object) =>
      refusalOf(database.db, () => replaceAggregates(scope(), { resourceProvider: provider, expect: unchecked, aggregates, ...input }));
    expect(await refused({ resourceProvider: nowhere })).toMatchObject([{ code: 'NOT_FOUND', path: ['resourceProvider'] }]);
    expect(await refused({ expect: { generation: 0 } })).toMatchObject([{ code: 'PROVIDER_CONFLICT', path: ['expect'] }]);
  });

  test('an aggregate has at most one name, and no two share one', async () => {
    expect(await nameAggregate(scope(), { aggregate: uuidOf('rack1'), name: 'Rack 1' })).toMatchObject({ name: 'Rack 1' });
    expect((await newestEvent(database.db)).changes.aggregates).toEqual({
      [uuidOf('rack1')]: { before: { name: null }, after: { name: 'Rack 1' } },
    });
    expect(await refusalOf(database.db, () => nameAggregate(scope(), { aggregate: uuidOf('rack2'), name: 'Rack 1' }))).toEqual([
      { code: 'DUPLICATE', path: ['name'], details: { noun: 'aggregate', field: 'name', key: 'Rack 1', existing: uuidOf('rack1') } },
    ]);
    expect(await nameAggregate(scope(), { aggregate: uuidOf('rack1'), name: null })).toMatchObject({ name: null });
    expect(await nameAggregate(scope(), { aggregate: uuidOf('rack2'), name: 'Rack 1' })).toMatchObject({ name: 'Rack 1' });
  });
});
