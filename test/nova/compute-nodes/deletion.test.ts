// Deleting a node with allocations: after evacuations, and after its host has come back as another node.
import { describe, expect, test } from 'vitest';
import { renderNodeId } from '../../../src/graphql/node-id.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { deleteComputeNode, type HandOver } from '../../../src/nova/compute-nodes/deletion.ts';
import { startMigration } from '../../../src/nova/instances/migrations.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { type FlatReport, reportOf } from '../../support/reports.ts';
import { uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
const report = (name: string, change: Partial<FlatReport> = {}) =>
  reportComputeNode(
    scope(),
    reportOf({ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 8192, localGb: 0, ...change }),
  );
/** Providers by name, because children of a node have uuids of their own. */
const hold = async (consumer: string, held: Readonly<Record<string, Readonly<Record<string, number>>>>) => {
  const providers = await database.db.sql<{ name: string; uuid: string }[]>`select name, uuid from resource_providers`;
  const uuidByName = new Map(providers.map(({ name, uuid }) => [name, uuid]));
  const allocations = Object.entries(held).map(([name, amounts]) => ({
    resourceProvider: uuidByName.get(name) ?? name,
    resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));
  const owner = { project: 'p', user: 'u', consumerType: 'INSTANCE' };
  await replaceAllocations(scope(), {
    consumers: [{ consumer: uuidOf(consumer), expect: { unchecked: true }, hold: { allocations }, ...owner }],
  });
};
const remove = (name: string, handOver?: HandOver) =>
  deleteComputeNode(scope(), { computeNode: uuidOf(name), ...(handOver && { handOver }) });
const refused = (name: string, handOver?: HandOver) => refusalOf(database.db, () => remove(name, handOver));
const isThere = async (name: string) => (await readTree(scope(), uuidOf(name))).length > 0;
/** The allocations of a consumer, as `provider CLASS amount`. */
const held = async (consumer: string) => {
  const rows = await database.db.sql<{ held: string }[]>`
    select p.name || ' ' || rc.name || ' ' || a.used as held from allocations a
    join consumers c on c.id = a.consumer_id and c.uuid = ${uuidOf(consumer)}
    join resource_providers p on p.id = a.resource_provider_id
    join resource_classes rc on rc.id = a.resource_class_id order by 1`;
  return rows.map((row) => row.held);
};

describe('a node whose instances were evacuated', () => {
  test('is deleted with their allocations there; those elsewhere stay', async () => {
    await report('dead', { vgpus: [{ address: '0000:84:00.0', total: 2 }] });
    await report('other');
    await plantTrees(database.db, 'nfs DISK_GB 100 SHARING @disks');
    const card = { dead_pci_0000_84_00_0: { VGPU: 1 } };
    await hold('evacuated', { dead: { VCPU: 2, MEMORY_MB: 512 }, ...card, other: { VCPU: 2, MEMORY_MB: 512 }, nfs: { DISK_GB: 10 } });
    expect(await refused('dead')).toMatchObject([{ code: 'IN_USE', path: ['computeNode'] }]);
    const mutation = `mutation ($input: DeleteComputeNodeInput!) {
      deleteComputeNode(input: $input) { deletedId event { kind consumerUuids { nodes } } userErrors { code } } }`;
    expect(await query(database.db, mutation, { input: { computeNode: uuidOf('dead'), handOver: { evacuated: true } } })).toEqual({
      deleteComputeNode: {
        deletedId: renderNodeId('ComputeNode', uuidOf('dead')),
        event: { kind: 'DELETE_RESOURCE_PROVIDER', consumerUuids: { nodes: [uuidOf('evacuated')] } },
        userErrors: [],
      },
    });
    expect(await held('evacuated')).toEqual(['nfs DISK_GB 10', 'other MEMORY_MB 512', 'other VCPU 2']);
    expect(await isThere('dead')).toBe(false);
    await expectSoundLedger(database.db);
  });

  test('stays unchanged while a consumer holds nothing elsewhere, or only part of a pool', async () => {
    await report('half');
    await hold('gone', { half: { VCPU: 1 }, other: { VCPU: 1 } });
    await hold('left', { half: { VCPU: 1 }, nfs: { DISK_GB: 1 } });
    expect(await refused('half', { evacuated: true })).toMatchObject([
      { code: 'IN_USE', path: ['computeNode'], details: { by: [uuidOf('left')] } },
    ]);
    expect([await held('gone'), await isThere('half')]).toEqual([['half VCPU 1', 'other VCPU 1'], true]);
  });

  test('stays while it is the source of a move: the migration must be confirmed or reverted first', async () => {
    await report('source');
    await hold('moving', { source: { VCPU: 1 } });
    const fields = { uuid: uuidOf('migration'), instance: uuidOf('moving') };
    await startMigration(scope(), { migrationRecord: { fields }, expect: { generation: 1 } });
    await hold('moving', { other: { VCPU: 1 } });
    expect(await refused('source', { evacuated: true })).toMatchObject([{ code: 'IN_USE', details: { by: [uuidOf('migration')] } }]);
  });
});

describe('a host that came back as another node', () => {
  const vgpus = [{ address: '0000:84:00.0', total: 2 }];

  test('takes over the allocations of the former node, place by place', async () => {
    await report('cmp1', { vgpus });
    await hold('vm', { cmp1: { VCPU: 2 }, cmp1_pci_0000_84_00_0: { VGPU: 1 }, nfs: { DISK_GB: 5 } });
    await report('cmp1.new', { vgpus });
    await hold('doubled', { cmp1: { VCPU: 3 }, 'cmp1.new': { VCPU: 1 } });
    await remove('cmp1', { computeNode: uuidOf('cmp1.new') });
    expect(await held('vm')).toEqual(['cmp1.new VCPU 2', 'cmp1.new_pci_0000_84_00_0 VGPU 1', 'nfs DISK_GB 5']);
    expect([await held('doubled'), await isThere('cmp1')]).toEqual([['cmp1.new VCPU 4'], false]);
    expect(await report('cmp1.new', { vgpus })).toMatchObject({ changed: false });
    await expectSoundLedger(database.db);
  });

  test('must first report the providers in use, with enough room; until then nothing moves', async () => {
    await report('cmp2', { vgpus, vcpus: 16 });
    await hold('wide', { cmp2: { VCPU: 9 } });
    await hold('drawn', { cmp2_pci_0000_84_00_0: { VGPU: 1 } });
    await report('cmp2.new', { vcpus: 1 });
    const to = { computeNode: uuidOf('cmp2.new') };
    const path = ['handOver', 'computeNode'];
    expect(await refused('cmp2', to)).toMatchObject([{ code: 'INVALID_INPUT', path }]);
    await report('cmp2.new', { vgpus, vcpus: 1 });
    expect(await refused('cmp2', to)).toMatchObject([{ code: expect.stringMatching(/UNIT_VIOLATION|CAPACITY_EXCEEDED/), path }]);
    expect(await refused('cmp2', { computeNode: uuidOf('cmp2') })).toMatchObject([{ code: 'INVALID_INPUT', path }]);
    expect(await refused('cmp2', { computeNode: uuidOf('nobody') })).toMatchObject([{ code: 'NOT_FOUND', path }]);
    expect([await held('wide'), await held('drawn')]).toEqual([['cmp2 VCPU 9'], ['cmp2_pci_0000_84_00_0 VGPU 1']]);
  });

  test('takes over the current allocations, despite concurrent claims and releases', async () => {
    await report('busy', { vcpus: 64 });
    await report('busy.new', { vcpus: 64 });
    for (let n = 0; n < 8; n++) await hold(`busy ${n}`, { busy: { VCPU: 1 } });
    const resize = (n: number) =>
      replaceAllocations(scope(), {
        consumers: [
          {
            ...{ consumer: uuidOf(`busy ${n}`), expect: { unchecked: true as const } },
            hold: { allocations: [{ resourceProvider: uuidOf('busy'), resources: [{ resourceClass: 'VCPU', amount: 2 }] }] },
          },
        ],
      }).then(
        () => true,
        () => false,
      );
    const [, ...resized] = await Promise.all([
      remove('busy', { computeNode: uuidOf('busy.new') }).catch(() => false),
      ...Array.from({ length: 8 }, (_, n) => resize(n)),
    ]);
    // Too many changed: the call is repeated, as a client does after CONSUMER_CONFLICT.
    if (await isThere('busy')) await remove('busy', { computeNode: uuidOf('busy.new') });
    for (const [n, isResized] of resized.entries()) expect(await held(`busy ${n}`)).toEqual([`busy.new VCPU ${isResized ? 2 : 1}`]);
    await expectSoundLedger(database.db);
  });
});
