// The allocations of instances, according to the document "resource-providers-allocations": claimed by the sizes of a flavor, released, and
// compared with a host's actual instances. As a client sends it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy, heldOf } from '../../support/held.ts';
import { clearSoundLedger, countEvents } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];
let seed: ReturnType<typeof createSeed>;

/** The flavor of the document: root 10, ephemeral 5 and swap of 1 MB are 16 GB of disk. */
const flavor = { vcpus: 2, memoryMb: 1024, rootGb: 10, ephemeralGb: 5, swapMb: 1 };
const whole = { VCPU: 2, MEMORY_MB: 1024, DISK_GB: 16 };
const vm = (
  name: string,
  { flavor: size = flavor, pciDeviceCount, ...rest }: { flavor?: object; pciDeviceCount?: number; [fact: string]: unknown } = {},
) => ({
  instanceRecord: { fields: { uuid: uuidOf(name), project: 'p1', user: 'u1', flavor: { fields: size }, pciDeviceCount } },
  ...rest,
});
const on = (host: string, hostedInstance: object) => ({ computeNode: uuidOf(host), hostedInstance });
const held = (consumer: string) => heldBy(database.db, consumer);

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  await plantTrees(
    database.db,
    `
    cn1    VCPU 8, MEMORY_MB 8192, DISK_GB 100, PCI_DEVICE 4    COMPUTE_NODE
      gpu  VGPU 2
    cn2    VCPU 8, MEMORY_MB 8192, DISK_GB 100                  COMPUTE_NODE
      nic  CUSTOM_PCI_8086_1563 2
    nfs    DISK_GB 1000                                         SHARING       @storage
    `,
  );
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => gateway.close());

describe('an instance is claimed', () => {
  test('in one write, with the sizes of its flavor, as a consumer with its own uuid', async () => {
    const fields = 'changed instance { uuid consumerType generation project { externalId } user { externalId } allocations { amount } }';
    expect(await write('claimInstance', on('cn1', vm('vm')), fields)).toEqual({
      changed: true,
      instance: {
        ...{ uuid: uuidOf('vm'), consumerType: 'INSTANCE', generation: 1, project: { externalId: 'p1' }, user: { externalId: 'u1' } },
        allocations: [{ amount: 2 }, { amount: 1024 }, { amount: 16 }],
      },
      userErrors: [],
    });
    expect(await held('vm')).toEqual({ cn1: whole });
  });

  test.each([
    ['local disk', {}, { cn1: whole }],
    ['a root disk on a volume', { bootedFromVolume: true }, { cn1: { ...whole, DISK_GB: 6 } }],
    ['disks on a shared pool', { pool: uuidOf('nfs') }, { cn1: { VCPU: 2, MEMORY_MB: 1024 }, nfs: { DISK_GB: 16 } }],
    [
      'a root disk on a volume: the other disks are local, wherever the disks of other instances are',
      { pool: uuidOf('nfs'), bootedFromVolume: true },
      { cn1: { ...whole, DISK_GB: 6 } },
    ],
    ['PCI devices', { pciDeviceCount: 2 }, { cn1: { ...whole, PCI_DEVICE: 2 } }],
    ['no disk at all', { flavor: { vcpus: 1, memoryMb: 512 } }, { cn1: { VCPU: 1, MEMORY_MB: 512 } }],
  ])('with %s', async (_, rest, expected) => {
    expect((await write('claimInstance', on('cn1', vm('vm', rest)))).userErrors).toEqual([]);
    expect(await held('vm')).toEqual(expected);
  });

  test('as the versioned object that Nova sends', async () => {
    const wire = (name: string, version: string, data: object) => ({
      ...{ 'nova_object.name': name, 'nova_object.namespace': 'nova', 'nova_object.version': version, 'nova_object.data': data },
    });
    const size = { vcpus: 2, memory_mb: 1024, root_gb: 10, ephemeral_gb: 5, swap: 1, flavorid: '3', name: 'm1', extra_specs: {} };
    const device = (status: string, dev_type: string) => wire('PciDevice', '1.7', { address: '0000:84:00.0', status, dev_type });
    // Allocated ones count, but not functions.
    const objects = [device('allocated', 'type-PCI'), device('claimed', 'type-PCI'), device('allocated', 'type-VF')];
    const object = JSON.stringify(
      wire('Instance', '2.8', {
        ...{ uuid: uuidOf('vm'), project_id: 'p1', user_id: 'u1', flavor: wire('Flavor', '1.2', size) },
        pci_devices: wire('PciDeviceList', '1.3', { objects }),
      }),
    );
    expect((await write('claimInstance', on('cn1', { instanceRecord: { object } }))).userErrors).toEqual([]);
    expect(await held('vm')).toEqual({ cn1: { ...whole, PCI_DEVICE: 1 } });
  });

  test.each([
    ['a provider of the node, if cards are in Placement', 'cn2', true, { cn2: whole, nic: { CUSTOM_PCI_8086_1563: 2 } }],
    ['the node itself, if they are not', 'cn1', false, { cn1: { ...whole, PCI_DEVICE: 2 } }],
  ])('with the PCI devices that its flavor names by alias: from %s', async (_, host, inPlacement, expected) => {
    const size = { ...flavor, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'nic:2' }] };
    const aliases = [{ name: 'nic', vendorId: '8086', productId: '1563', deviceType: 'type-PCI' }];
    const instance = vm('vm', { flavor: size, pciDeviceCount: 2, pciPassthrough: { inPlacement, aliases } });
    expect((await write('claimInstance', on(host, instance))).userErrors).toEqual([]);
    expect(await held('vm')).toEqual(expected);
    const audited = 'auditedInstances { state }';
    const input = { computeNode: uuidOf(host), host, instances: [instance], repair: true };
    expect(await write('auditComputeNode', input, audited)).toMatchObject({ auditedInstances: [{ state: 'RIGHT' }] });
  });

  test('and is refused at the path of an invalid alias', async () => {
    const size = { ...flavor, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'nic:2' }] };
    const instance = vm('vm', { flavor: size, pciPassthrough: { aliases: [{ name: 'nic' }] } });
    expect(await refusal('claimInstance', on('cn1', instance))).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['hostedInstance', 'pciPassthrough', 'aliases', '0'],
    });
  });

  test('and the same again changes nothing', async () => {
    await write('claimInstance', on('cn1', vm('vm')));
    const events = await countEvents(database.db);
    const again = await write('claimInstance', on('cn1', vm('vm')), 'changed instance { generation }');
    expect(again).toEqual({ changed: false, instance: { generation: 1 }, userErrors: [] });
    expect(await countEvents(database.db)).toBe(events);
  });
});

describe('a claim is refused and leaves nothing behind', () => {
  test('if one part does not fit: an instance is never allocated in part', async () => {
    const large = vm('vm', { flavor: { ...flavor, rootGb: 90, ephemeralGb: 50 } });
    expect(await refusal('claimInstance', on('cn1', large))).toMatchObject({
      ...{
        code: 'CAPACITY_EXCEEDED',
        path: ['hostedInstance', 'instanceRecord', 'fields', 'flavor'],
        resourceClassName: 'DISK_GB',
        requested: 141,
        available: 100,
      },
    });
  });

  test('if the instance holds something elsewhere', async () => {
    await write('claimInstance', on('cn2', vm('vm')));
    expect(await refusal('claimInstance', on('cn1', vm('vm')))).toMatchObject({
      code: 'CONSUMER_CONFLICT',
      path: ['hostedInstance', 'instanceRecord', 'fields', 'uuid'],
    });
  });

  test('if the flavor requests more than its sizes, and the node cannot serve it', async () => {
    const vgpu = vm('vm', { flavor: { ...flavor, extraSpecs: [{ key: 'resources:VGPU', value: '1' }] } });
    expect(await refusal('claimInstance', on('cn2', vgpu))).toMatchObject({
      ...{ code: 'NO_CANDIDATES', path: ['hostedInstance', 'instanceRecord', 'fields', 'flavor'] },
      message: expect.stringContaining('of 1 tree, none has an inventory of VGPU'),
    });
  });

  test.each([
    ['a node that does not exist', on('nowhere', vm('vm')), 'NOT_FOUND', ['computeNode']],
    [
      'a negative size',
      on('cn1', vm('vm', { flavor: { ...flavor, vcpus: -1 } })),
      'INVALID_INPUT',
      ['hostedInstance', 'instanceRecord', 'fields', 'flavor', 'fields', 'vcpus'],
    ],
    [
      'a negative number of devices',
      on('cn1', vm('vm', { pciDeviceCount: -1 })),
      'INVALID_INPUT',
      ['hostedInstance', 'instanceRecord', 'fields', 'pciDeviceCount'],
    ],
  ])('for %s', async (_, input, code, path) => {
    expect(await refusal('claimInstance', input)).toMatchObject({ code, path });
  });
});

test('an instance is released, and releasing it twice is not an error', async () => {
  await write('claimInstance', on('cn1', vm('vm', { pool: uuidOf('nfs') })));
  const release = { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] };
  const fields = 'releasedConsumerUuids';
  expect(await write('releaseAllocations', release, fields)).toEqual({ releasedConsumerUuids: [uuidOf('vm')], userErrors: [] });
  expect(await held('vm')).toEqual({});
  expect(await write('releaseAllocations', release, fields)).toEqual({ releasedConsumerUuids: [], userErrors: [] });
});

describe('an audit of a compute node', () => {
  const fields = `auditedAllocations { consumerUuid verdict reason removed consumer { uuid } }
    auditedInstances { instanceUuid state repaired expectedAmounts { resourceClass amount } instance { uuid } }`;
  const audit = (rest: object) => write('auditComputeNode', { computeNode: uuidOf('cn1'), host: 'cn1', instances: [], ...rest }, fields);
  const names = ['tracked', 'moving', 'unknown', 'deleted', 'hidden', 'unplaced', 'busy', 'untracked', 'elsewhere'];
  const known = [
    { instance: uuidOf('tracked'), host: 'cn1' },
    { instance: uuidOf('deleted'), host: 'cn1', deleted: true },
    { instance: uuidOf('hidden'), host: 'cn1', deleted: true, hidden: true },
    { instance: uuidOf('unplaced') },
    { instance: uuidOf('busy'), host: 'cn1', taskState: 'rebuilding' },
    { instance: uuidOf('untracked'), host: 'cn1' },
    { instance: uuidOf('elsewhere'), host: 'cn2' },
  ];

  test('classifies each allocation by what is known about its consumer, and by default writes nothing', async () => {
    for (const name of names) await seed.claim(name, { cn1: { MEMORY_MB: 64 } });
    const events = await countEvents(database.db);
    const tracked = vm('tracked', { flavor: { vcpus: 0, memoryMb: 64 } });
    const { auditedAllocations: allocations, auditedInstances: instances } = await audit({
      known,
      migrations: [uuidOf('moving')],
      instances: [tracked],
    });
    const classified = (allocations as { consumerUuid: string; verdict: string; reason: string; removed: boolean }[]).map(
      ({ consumerUuid, verdict, reason, removed }) => [names.find((name) => uuidOf(name) === consumerUuid), reason, verdict, removed],
    );
    expect(classified).toEqual([
      ['tracked', 'TRACKED', 'RIGHT', false],
      ['moving', 'MIGRATING', 'RIGHT', false],
      ['unknown', 'UNKNOWN', 'SUSPECT', false],
      ['deleted', 'DELETED', 'STALE', false],
      ['hidden', 'HIDDEN', 'RIGHT', false],
      ['unplaced', 'NOT_PLACED', 'RIGHT', false],
      ['busy', 'HERE_IN_TRANSITION', 'RIGHT', false],
      ['untracked', 'HERE_UNTRACKED', 'SUSPECT', false],
      ['elsewhere', 'ELSEWHERE', 'SUSPECT', false],
    ]);
    expect(instances).toMatchObject([{ instanceUuid: uuidOf('tracked'), state: 'RIGHT', repaired: false }]);
    expect(await countEvents(database.db)).toBe(events);
  });

  test('removes stale consumers and nothing else, with all their allocations anywhere', async () => {
    for (const name of names) await seed.claim(name, { cn1: { MEMORY_MB: 64 }, nfs: { DISK_GB: 1 } });
    const { auditedAllocations: allocations, userErrors } = await audit({ known, migrations: [uuidOf('moving')], removeStale: true });
    expect(userErrors).toEqual([]);
    const removed = (allocations as { consumerUuid: string; removed: boolean; consumer: object | null }[]).filter((row) => row.removed);
    expect(removed).toMatchObject([{ consumerUuid: uuidOf('deleted'), verdict: 'STALE', consumer: null }]);
    expect(await held('deleted')).toEqual({});
    expect(await heldOf(database.db, 'MEMORY_MB')).toEqual({ cn1: 64 * (names.length - 1) });
  });

  test('includes devices below the node', async () => {
    await seed.claim('deleted', { gpu: { VGPU: 1 } });
    await audit({ known, removeStale: true });
    expect(await heldOf(database.db, 'VGPU')).toEqual({});
  });

  test('finds instances with missing or wrong allocations, and repairs them on request', async () => {
    await write('claimInstance', on('cn1', vm('right')));
    await seed.claim('wrong', { cn1: { VCPU: 1 } });
    await write('claimInstance', on('cn2', vm('abroad')));
    const instances = ['right', 'missing', 'wrong', 'abroad'].map((name) =>
      vm(name, name === 'wrong' ? { flavor: { vcpus: 2, memoryMb: 512 } } : {}),
    );
    const events = await countEvents(database.db);
    expect((await audit({ instances })).auditedInstances).toMatchObject([
      { state: 'RIGHT', repaired: false },
      { state: 'MISSING', repaired: false, instance: null },
      { state: 'WRONG', repaired: false },
      { state: 'WRONG', repaired: false },
    ]);
    expect(await countEvents(database.db)).toBe(events);
    const { auditedInstances: repaired, userErrors } = await audit({ instances, repair: true });
    expect(userErrors).toEqual([]);
    expect((repaired as { repaired: boolean }[]).map((row) => row.repaired)).toEqual([false, true, true, true]);
    expect([await held('missing'), await held('wrong'), await held('abroad')]).toEqual([
      { cn1: whole },
      { cn1: { VCPU: 2, MEMORY_MB: 512 } },
      { cn1: whole },
    ]);
    expect((await audit({ instances })).auditedInstances).toMatchObject(instances.map(() => ({ state: 'RIGHT' })));
  });

  test('never releases the destination of a moving instance', async () => {
    await write('claimInstance', on('cn2', vm('vm')));
    const record = { instance: uuidOf('vm'), host: 'cn1', taskState: 'migrating' };
    const { auditedInstances: instances } = await audit({ instances: [vm('vm')], known: [record], repair: true });
    expect(instances).toMatchObject([{ state: 'MOVING', repaired: false }]);
    expect(await held('vm')).toEqual({ cn2: whole });
    await write('startMigration', {
      migrationRecord: { fields: { uuid: uuidOf('move'), instance: uuidOf('vm') } },
      expect: { generation: 1 },
    });
    expect((await audit({ instances: [vm('vm')], known: [record], repair: true })).auditedInstances).toMatchObject([{ state: 'MOVING' }]);
    expect(await held('vm')).toEqual({});
  });

  test('counts amounts from devices and pools', async () => {
    const extraSpecs = [{ key: 'resources:VGPU', value: '1' }];
    const special = vm('special', { flavor: { vcpus: 2, memoryMb: 512, rootGb: 4, extraSpecs } });
    await seed.claim('special', { cn1: { VCPU: 2, MEMORY_MB: 512 }, gpu: { VGPU: 1 }, nfs: { DISK_GB: 4 } });
    expect((await audit({ instances: [special], repair: true })).auditedInstances).toMatchObject([{ state: 'RIGHT', repaired: false }]);
  });

  test('repairs the other instances if one does not fit', async () => {
    const large = vm('large', { flavor: { ...flavor, rootGb: 500 } });
    const { auditedInstances: instances, userErrors } = await audit({ instances: [large, vm('vm')], repair: true });
    expect(instances).toMatchObject([{ repaired: false }, { repaired: true }]);
    expect(userErrors).toMatchObject([{ code: 'CAPACITY_EXCEEDED', path: ['instances', '0', 'instanceRecord', 'fields', 'flavor'] }]);
    expect(await held('vm')).toEqual({ cn1: whole });
  });

  test.each([
    ['a node that does not exist', { computeNode: uuidOf('nowhere') }, 'NOT_FOUND', ['computeNode']],
    [
      'an instance given twice',
      { instances: [vm('vm'), vm('vm')] },
      'INVALID_INPUT',
      ['instances', '1', 'instanceRecord', 'fields', 'uuid'],
    ],
    [
      'an invalid size',
      { instances: [vm('vm', { flavor: { ...flavor, vcpus: -1 } })] },
      'INVALID_INPUT',
      ['instances', '0', 'instanceRecord', 'fields', 'flavor', 'fields', 'vcpus'],
    ],
  ])('is refused for %s', async (_, rest, code, path) => {
    const input = { computeNode: uuidOf('cn1'), host: 'cn1', instances: [], removeStale: true, repair: true, ...rest };
    expect(await refusal('auditComputeNode', input)).toMatchObject({ code, path });
  });
});
