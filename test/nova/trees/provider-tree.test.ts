// The ProviderTree of the weekly updates: trees are edited locally without statements and flushed in one write; the slower of two writers
// learns what the other changed.

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderState } from '../../../src/domain/reported-tree.ts';
import { ProviderTree } from '../../../src/nova/trees/provider-tree.ts';
import { flushTree, isEdited } from '../../../src/nova/trees/tree-flush.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { dumpTables, expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const state = (name: string, parent: string | null = null, rest: Partial<ProviderState> = {}): ProviderState => ({
  uuid: uuidOf(name),
  name,
  generation: 1,
  parent: parent === null ? null : uuidOf(parent),
  inventories: {},
  used: {},
  traits: [],
  aggregates: [],
  ...rest,
});
const vcpu = (total: number) => ({ total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 4 });

describe('a local tree', () => {
  const cloud = () =>
    ProviderTree.from([
      state('cn1', null, { inventories: { VCPU: vcpu(16) }, traits: ['COMPUTE_NODE'], aggregates: [uuidOf('rack')] }),
      state('numa0', 'cn1'),
      state('numa1', 'cn1'),
      state('gpu', 'numa1'),
      state('share', null, { inventories: { DISK_GB: vcpu(100) }, traits: ['MISC_SHARES_VIA_AGGREGATE'] }),
    ]);
  const names = (tree: ProviderTree, uuids: readonly string[]) => uuids.map((uuid) => tree.data(uuid).name);

  test('is populated parents first; a missing parent and a repeated name are refused', () => {
    expect(names(cloud(), cloud().uuids())).toEqual(['cn1', 'numa0', 'numa1', 'gpu', 'share']);
    expect(() => ProviderTree.from([state('numa0', 'cn1')])).toThrow(uuidOf('cn1'));
    expect(() => ProviderTree.from([state('cn1'), { ...state('cn1'), uuid: uuidOf('other') }])).toThrow('cn1 exists already');
  });

  test('finds providers by name and by uuid, and refuses unknown ones', () => {
    const tree = cloud();
    expect(tree.exists('gpu') && tree.exists(uuidOf('gpu'))).toBe(true);
    expect(tree.exists('gone')).toBe(false);
    expect(() => tree.data('gone')).toThrow('there is no provider gone here');
    expect(names(tree, tree.uuidsInTree('gpu'))).toEqual(['cn1', 'numa0', 'numa1', 'gpu']);
    expect(names(tree, tree.uuidsInSubtree('numa1'))).toEqual(['numa1', 'gpu']);
  });

  test('returns copies, which do not affect it', () => {
    const tree = cloud();
    const { traits, inventories } = tree.data('cn1');
    Object.assign(traits, ['CUSTOM_X']);
    Object.assign(inventories.VCPU ?? {}, { total: 1 });
    expect(tree.data('cn1')).toMatchObject({ traits: ['COMPUTE_NODE'], inventories: { VCPU: { total: 16 } } });
  });

  test('accepts roots and children with new names and uuids', () => {
    const tree = cloud();
    tree.newRoot('cn2', uuidOf('cn2'));
    tree.newChild('cn2 gpu', uuidOf('cn2'), uuidOf('cn2 gpu'));
    expect(names(tree, tree.uuidsInTree('cn2'))).toEqual(['cn2', 'cn2 gpu']);
    expect(() => tree.newChild('gpu', 'cn2', randomUUID())).toThrow('gpu exists already');
    expect(() => tree.newChild('another', 'cn2', uuidOf('gpu'))).toThrow(uuidOf('gpu'));
    expect(() => tree.newChild('another', 'gone', randomUUID())).toThrow('gone');
  });

  test('removes a provider with everything below it', () => {
    const tree = cloud();
    tree.remove('numa1');
    expect(names(tree, tree.uuids())).toEqual(['cn1', 'numa0', 'share']);
    expect(tree.removedFrom(uuidOf('cn1'))).toEqual([uuidOf('gpu'), uuidOf('numa1')]);
  });

  test('keeps children if their parent is renamed, and refuses taken names and loops', () => {
    const tree = cloud();
    expect(tree.rename('numa1', 'cell1')).toBe(true);
    expect(tree.rename('cell1', 'cell1')).toBe(false);
    expect(names(tree, tree.uuidsInSubtree('cell1'))).toEqual(['cell1', 'gpu']);
    expect(() => tree.rename('cell1', 'numa0')).toThrow('numa0 exists already');
    expect(() => tree.move('cell1', 'gpu')).toThrow('below');
    expect([tree.move('gpu', 'numa0'), tree.move('gpu', 'numa0')]).toEqual([true, false]);
  });

  test('reports whether an inventory changes: omitted fields are not a difference, new values are', () => {
    const tree = cloud();
    expect(tree.hasInventoryChanged('cn1', { VCPU: { total: 16 } })).toBe(false);
    expect(tree.hasInventoryChanged('cn1', { VCPU: { total: 16, reserved: 0, allocationRatio: 4 } })).toBe(false);
    expect(tree.hasInventoryChanged('cn1', { VCPU: { total: 16, reserved: 1 } })).toBe(true);
    expect(tree.hasInventoryChanged('cn1', { VCPU: { total: 16 }, PCPU: { total: 1 } })).toBe(true);
    expect(tree.hasInventoryChanged('cn1', {})).toBe(true);
    expect([tree.updateInventory('cn1', { VCPU: { total: 8 } }), tree.updateInventory('cn1', { VCPU: { total: 8 } })]).toEqual([
      true,
      false,
    ]);
    expect([tree.hasInventory('cn1'), tree.hasInventory('gpu')]).toEqual([true, false]);
    // A field that a record omits has its default.
    expect(tree.hasInventoryChanged('cn1', { VCPU: { total: 8, reserved: 0 } })).toBe(false);
  });

  test('adds, removes and replaces traits and aggregates, and reports whether anything changed', () => {
    const tree = cloud();
    expect([tree.addTraits('cn1', 'CUSTOM_X'), tree.addTraits('cn1', 'CUSTOM_X', 'COMPUTE_NODE')]).toEqual([true, false]);
    expect([tree.removeTraits('cn1', 'CUSTOM_X'), tree.removeTraits('cn1', 'CUSTOM_X')]).toEqual([true, false]);
    expect([tree.updateTraits('cn1', ['COMPUTE_NODE']), tree.haveTraitsChanged('cn1', [])]).toEqual([false, true]);
    expect([tree.hasTraits('cn1', ['COMPUTE_NODE']), tree.hasTraits('cn1', ['COMPUTE_NODE', 'CUSTOM_X'])]).toEqual([true, false]);
    const [rack, zone] = [uuidOf('rack'), uuidOf('zone')];
    expect([tree.addAggregates('cn1', zone), tree.addAggregates('cn1', rack, zone)]).toEqual([true, false]);
    expect([tree.isInAggregates('cn1', [rack, zone]), tree.haveAggregatesChanged('cn1', [zone, rack])]).toEqual([true, false]);
    expect([tree.removeAggregates('cn1', rack), tree.updateAggregates('cn1', [zone])]).toEqual([true, false]);
    expect(tree.hasSharingProvider('DISK_GB')).toBe(true);
    expect(tree.hasSharingProvider('VCPU')).toBe(false);
  });
});

describe('flushed', () => {
  let database: TestDatabase;
  let seed: ReturnType<typeof createSeed>;
  const root = uuidOf('cn1');
  beforeEach(async () => {
    database = await createTestDatabase();
    seed = createSeed(database.db);
    await seed.provider('cn1', { inventories: { VCPU: 16 }, traits: ['COMPUTE_NODE'] });
    await seed.provider('numa0', { parent: 'cn1' });
    await seed.provider('gpu', { parent: 'numa0', inventories: { VGPU: 4 } });
  });
  afterEach(async () => {
    await expectSoundLedger(database.db);
    await database.drop();
  });
  const scope = () => scopeOf(database.db);
  const begin = async () => {
    const read = await readTree(scope(), root);
    return { read, tree: ProviderTree.from(read) };
  };
  const lines = async () => {
    const tree = ProviderTree.from(await readTree(scope(), root));
    return tree.uuids().map((uuid) => {
      const { name, parent, generation, inventories, traits } = tree.data(uuid);
      return `${name} < ${parent ? tree.data(parent).name : '-'} @${generation} ${Object.keys(inventories)} ${traits}`;
    });
  };

  test('all edits become one event, and what was not edited keeps its generation', async () => {
    const { read, tree } = await begin();
    const before = await lines();
    tree.rename('numa0', 'cell0');
    tree.newChild('nic', 'cell0', uuidOf('nic'));
    tree.updateInventory('nic', { SRIOV_NET_VF: { total: 8 } });
    tree.addTraits('nic', 'CUSTOM_PHYSNET_A');
    tree.updateInventory('gpu', {});
    expect(await flushTree(scope(), tree, root, read)).toMatchObject({ applied: { applied: true, warnings: [] } });
    expect(before[0]).toBe('cn1 < - @2 VCPU COMPUTE_NODE');
    expect(await lines()).toEqual([
      'cn1 < - @2 VCPU COMPUTE_NODE',
      'cell0 < cn1 @1  ',
      'gpu < cell0 @2  ',
      'nic < cell0 @1 SRIOV_NET_VF CUSTOM_PHYSNET_A',
    ]);
  });

  test('a removed provider is deleted with everything below it; providers that other writes added meanwhile stay', async () => {
    const { read, tree } = await begin();
    tree.remove('numa0');
    await seed.provider('agent', { parent: 'cn1', inventories: { NET_BW_EGR_KILOBIT_PER_SEC: 1000 } });
    await flushTree(scope(), tree, root, read);
    expect(await lines()).toEqual(['cn1 < - @2 VCPU COMPUTE_NODE', 'agent < cn1 @1 NET_BW_EGR_KILOBIT_PER_SEC ']);
  });

  test('an unedited tree writes nothing, and neither does a dry run', async () => {
    const { read, tree } = await begin();
    tree.updateTraits('cn1', ['COMPUTE_NODE']);
    expect(isEdited(tree, root)).toBe(false);
    tree.addTraits('gpu', 'CUSTOM_FAST');
    expect(isEdited(tree, root)).toBe(true);
    const before = await dumpTables(database.db);
    const flushed = await flushTree(scope(), tree, root, read, { dryRun: true });
    expect(flushed).toMatchObject({
      applied: {
        applied: false,
        changes: [{ resourceProviderUuid: uuidOf('gpu'), traitNamesAdded: ['CUSTOM_FAST'] }, { traitName: 'CUSTOM_FAST' }],
      },
    });
    expect(await dumpTables(database.db)).toEqual(before);
  });

  test('a conflict writes nothing and reports the concurrent changes; repeated with the current tree, the flush succeeds', async () => {
    const { read, tree } = await begin();
    tree.addTraits('gpu', 'CUSTOM_FAST');
    await seed.traits('gpu', ['CUSTOM_SLOW']);
    await seed.inventories('cn1', { VCPU: 32 });
    await seed.provider('agent', { parent: 'cn1' });
    const before = await dumpTables(database.db);
    const flushed = await flushTree(scope(), tree, root, read);
    expect(await dumpTables(database.db)).toEqual(before);
    if (!('conflict' in flushed)) throw new Error('there was no conflict');
    expect(flushed.conflict.problems).toMatchObject([{ code: 'PROVIDER_CONFLICT', provider: uuidOf('gpu') }]);
    expect(flushed.changes).toMatchObject([
      { name: 'cn1', part: 'inventories', before: { VCPU: { total: 16 } }, after: { VCPU: { total: 32 } } },
      { name: 'gpu', part: 'traits', before: [], after: ['CUSTOM_SLOW'] },
      { name: 'agent', part: 'provider', before: null, after: { name: 'agent' } },
    ]);
    const again = ProviderTree.from(flushed.now);
    again.addTraits('gpu', 'CUSTOM_FAST');
    await flushTree(scope(), again, root, flushed.now);
    expect((await readTree(scope(), root)).find(({ name }) => name === 'gpu')?.traits).toEqual(['CUSTOM_FAST', 'CUSTOM_SLOW']);
  });

  test('a provider deleted meanwhile is also a conflict', async () => {
    const { read, tree } = await begin();
    tree.addTraits('gpu', 'CUSTOM_FAST');
    await seed.write('delete_resource_provider', { provider: uuidOf('gpu'), expect: {} });
    const flushed = await flushTree(scope(), tree, root, read);
    expect(flushed).toMatchObject({ changes: [{ name: 'gpu', part: 'provider', after: null }] });
  });

  test('a claim on an unedited provider is not a conflict', async () => {
    const { read, tree } = await begin();
    tree.addTraits('gpu', 'CUSTOM_FAST');
    await seed.claim('vm', { cn1: { VCPU: 2 } });
    expect(await flushTree(scope(), tree, root, read)).toHaveProperty('applied');
  });

  test('a refusal for another reason is reported, and leaves nothing behind', async () => {
    await seed.claim('vm', { gpu: { VGPU: 1 } });
    const { read, tree } = await begin();
    tree.remove('gpu');
    expect(await refusalOf(database.db, () => flushTree(scope(), tree, root, read))).toMatchObject([{ code: 'IN_USE' }]);
  });

  test('GPUs of the root move to children together with their allocations', async () => {
    await seed.inventories('cn1', { VCPU: 16, VGPU: 4 });
    await seed.claim('vm', { cn1: { VCPU: 2, VGPU: 1 } });
    const { read, tree } = await begin();
    tree.updateInventory('cn1', { VCPU: { total: 16 } });
    tree.newChild('pgpu', 'cn1', uuidOf('pgpu'));
    tree.updateInventory('pgpu', { VGPU: { total: 4 } });
    const amount = (provider: string, resourceClass: string, count: number) => ({
      resourceProvider: uuidOf(provider),
      resources: [{ resourceClass, amount: count }],
    });
    const allocations = [amount('cn1', 'VCPU', 2), amount('pgpu', 'VGPU', 1)];
    const holder = { consumer: uuidOf('vm'), expect: { generation: 1 }, project: 'p1', user: 'u1', consumerType: 'INSTANCE' };
    await flushTree(scope(), tree, root, read, { allocations: [{ ...holder, hold: { allocations } }] });
    const used = Object.fromEntries((await readTree(scope(), root)).map((each) => [each.name, each.used]));
    expect(used).toMatchObject({ cn1: { VCPU: 2 }, pgpu: { VGPU: 1 } });
  });
});
