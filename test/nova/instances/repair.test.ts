// Repair: an audit and a claim can restore everything that a scheduler can place: dedicated processors, devices, disks on volumes and pools, and both sides of
// a move. As a client sends it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { clearSoundLedger, countEvents } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let seed: ReturnType<typeof createSeed>;

const specs = (extraSpecs: Record<string, string>) => Object.entries(extraSpecs).map(([key, value]) => ({ key, value }));
const small = { vcpus: 2, memoryMb: 512, rootGb: 10 };
const vm = (name: string, flavor: object, rest: object = {}) => ({
  instanceRecord: { fields: { uuid: uuidOf(name), project: 'p1', user: 'u1', flavor: { fields: flavor } } },
  ...rest,
});
const held = (consumer: string) => heldBy(database.db, consumer);
const fields = `auditedInstances { instanceUuid state repaired } auditedMoves { migrationUuid instanceUuid side state repaired consumer { consumerType } }
  auditedAllocations { reason }`;
const audit = (host: string, rest: object) =>
  write('auditComputeNode', { computeNode: uuidOf(host), host, instances: [], repair: true, ...rest }, fields);

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
  ({ write } = createWriter(gateway, database));
  await plantTrees(
    database.db,
    `
    pinned    VCPU 8, PCPU 8, MEMORY_MB 8192, DISK_GB 100     COMPUTE_NODE OWNER_NOVA
    shared    VCPU 8, MEMORY_MB 8192, DISK_GB 100             COMPUTE_NODE OWNER_NOVA COMPUTE_STATUS_DISABLED
      gpu0    VGPU 2                                          OWNER_NOVA
      gpu1    VGPU 2                                          OWNER_NOVA GOLD
    onpool    VCPU 8, MEMORY_MB 8192                          COMPUTE_NODE OWNER_NOVA           @storage
    nfs       DISK_GB 1000                                    SHARING OWNER_NOVA                @storage
    `,
  );
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => gateway.close());

test('repairs are reported even if the untracked usage was written meanwhile and could not be released', async () => {
  await seed.claim('rest', { pinned: { PCPU: 1 } }, { type: 'UNTRACKED' });
  const bump = `update consumers set generation = generation + 1 where uuid = '${uuidOf('rest')}'; return null;`;
  await database.db.sql.unsafe(`create function meanwhile() returns trigger language plpgsql as $$ begin ${bump} end $$`);
  await database.db.sql`create trigger meanwhile after insert on allocations execute function meanwhile()`;
  const answer = await audit('pinned', { instances: [vm('vm', small)] });
  await database.db.sql`drop trigger meanwhile on allocations`;
  await database.db.sql`update consumers set generation = generation - 1 where uuid = ${uuidOf('rest')}`;
  expect(answer.auditedInstances).toEqual([{ instanceUuid: uuidOf('vm'), state: 'MISSING', repaired: true }]);
  expect(answer.userErrors).toMatchObject([{ code: 'CONSUMER_CONFLICT', path: [] }]);
  expect([await held('vm'), await held('rest')]).toEqual([{ pinned: { VCPU: 2, MEMORY_MB: 512, DISK_GB: 10 } }, { pinned: { PCPU: 1 } }]);
});

describe('an instance that lost its allocations gets them back', () => {
  test.each([
    [
      'dedicated processors',
      'pinned',
      vm('vm', { ...small, extraSpecs: specs({ 'hw:cpu_policy': 'dedicated' }) }),
      { pinned: { PCPU: 2, MEMORY_MB: 512, DISK_GB: 10 } },
    ],
    [
      'dedicated processors on a host that does not report them: the fallback of the scheduler',
      'shared',
      vm('vm', { ...small, extraSpecs: specs({ 'hw:cpu_policy': 'dedicated' }) }),
      { shared: { VCPU: 2, MEMORY_MB: 512, DISK_GB: 10 } },
    ],
    [
      'a device with a trait, on a host that takes no new instances',
      'shared',
      vm('vm', { ...small, extraSpecs: specs({ 'resources1:VGPU': '1', 'trait1:CUSTOM_GOLD': 'required' }) }),
      { shared: { VCPU: 2, MEMORY_MB: 512, DISK_GB: 10 }, gpu1: { VGPU: 1 } },
    ],
    [
      'sizes overridden by extra specs',
      'shared',
      vm('vm', { ...small, extraSpecs: specs({ 'resources:VCPU': '4', 'resources:DISK_GB': '0' }) }),
      { shared: { VCPU: 4, MEMORY_MB: 512 } },
    ],
    [
      'a device, with its disks on the pool',
      'onpool',
      vm('vm', small, { pool: uuidOf('nfs') }),
      { onpool: { VCPU: 2, MEMORY_MB: 512 }, nfs: { DISK_GB: 10 } },
    ],
    [
      'disks on a pool that the caller did not name',
      'onpool',
      vm('vm', small),
      { onpool: { VCPU: 2, MEMORY_MB: 512 }, nfs: { DISK_GB: 10 } },
    ],
    [
      'swap on the pool of an instance booted from a volume, because the host has no disk',
      'onpool',
      vm('vm', { ...small, swapMb: 1024 }, { bootedFromVolume: true }),
      { onpool: { VCPU: 2, MEMORY_MB: 512 }, nfs: { DISK_GB: 1 } },
    ],
    [
      'swap on the named pool',
      'onpool',
      vm('vm', { ...small, swapMb: 1024 }, { bootedFromVolume: true, pool: uuidOf('nfs') }),
      { onpool: { VCPU: 2, MEMORY_MB: 512 }, nfs: { DISK_GB: 1 } },
    ],
  ])('%s', async (_what, host, instance, expected) => {
    expect(await audit(host, { instances: [instance] })).toMatchObject({
      auditedInstances: [{ state: 'MISSING', repaired: true }],
      userErrors: [],
    });
    expect(await held('vm')).toEqual(expected);
    expect((await audit(host, { instances: [instance] })).auditedInstances).toMatchObject([{ state: 'RIGHT', repaired: false }]);
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
    expect((await write('claimInstance', { hostedInstance: instance, computeNode: uuidOf(host) })).userErrors).toEqual([]);
    expect(await held('vm')).toEqual(expected);
    const events = await countEvents(database.db);
    expect(await write('claimInstance', { hostedInstance: instance, computeNode: uuidOf(host) }, 'changed')).toMatchObject({
      changed: false,
    });
    expect(await countEvents(database.db)).toBe(events);
  });

  test('and wrong allocations are corrected in place: on its own device, even if the instance fills it', async () => {
    await seed.claim('other', { gpu1: { VGPU: 1 } });
    await seed.claim('vm', { shared: { VCPU: 1, MEMORY_MB: 512, DISK_GB: 10 }, gpu1: { VGPU: 1 } });
    const instance = vm('vm', { ...small, extraSpecs: specs({ 'resources:VGPU': '1' }) });
    expect((await audit('shared', { instances: [instance] })).auditedInstances).toMatchObject([{ state: 'WRONG', repaired: true }]);
    expect(await held('vm')).toEqual({ shared: { VCPU: 2, MEMORY_MB: 512, DISK_GB: 10 }, gpu1: { VGPU: 1 } });
  });

  test('on the card that its host reports as its own, among several equal ones', async () => {
    const cards = ['0000:84:00.0', '0000:85:00.0', '0000:86:00.0'];
    const pciDevices = cards.map((address, place) => ({
      device: {
        fields: { address, vendorId: '10de', productId: '1eb8', ...(place === 1 ? { instance: uuidOf('vm'), status: 'allocated' } : {}) },
      },
    }));
    const node = { uuid: uuidOf('cards'), serviceHost: 'cards', hypervisorHostname: 'cards', vcpus: 8, memoryMb: 8192, localGb: 100 };
    const reported = await write('reportComputeNode', { computeNodeRecord: { fields: node }, pciDevices, pciInPlacement: true });
    expect(reported.userErrors).toEqual([]);
    const pci = { inPlacement: true, aliases: [{ name: 'gpu', vendorId: '10de', productId: '1eb8' }] };
    const flavor = { ...small, extraSpecs: specs({ 'pci_passthrough:alias': 'gpu:1' }) };
    await audit('cards', { instances: [vm('vm', flavor, { pciPassthrough: pci })] });
    expect(Object.keys(await held('vm'))).toEqual(['cards', 'cards_0000:85:00.0']);
  });

  test('with the requests of Neutron for its ports', async () => {
    await plantTrees(
      database.db,
      `
      bandwidth   VCPU 8, MEMORY_MB 8192, DISK_GB 100     COMPUTE_NODE OWNER_NOVA
        agent                                             OWNER_NEUTRON
          br-ex   NET_BW_IGR_KILOBIT_PER_SEC 10000        OWNER_NEUTRON
      `,
    );
    const resourceRequest = JSON.stringify({ resources: { NET_BW_IGR_KILOBIT_PER_SEC: 1000 }, required: [] });
    const ports = [{ port: uuidOf('port'), resourceRequest }];
    await audit('bandwidth', { instances: [vm('vm', small, { ports })] });
    expect((await held('vm'))['br-ex']).toEqual({ NET_BW_IGR_KILOBIT_PER_SEC: 1000 });
  });

  test('or the refusal says why not', async () => {
    const instance = vm('vm', { ...small, extraSpecs: specs({ 'resources:PCPU': '2', 'resources:VCPU': '0' }) });
    const { auditedInstances, userErrors } = await audit('shared', { instances: [instance] });
    expect(auditedInstances).toMatchObject([{ state: 'MISSING', repaired: false }]);
    expect(userErrors).toMatchObject([
      {
        code: 'NO_CANDIDATES',
        path: ['instances', '0', 'instanceRecord', 'fields', 'flavor'],
        message: expect.stringMatching(/shared cannot serve the instance\..*PCPU/),
      },
    ]);
  });
});

describe('a move that lost its allocations gets them back', () => {
  const old = { ...small, extraSpecs: specs({ 'resources:VGPU': '1' }) };
  const outgoing = { migration: uuidOf('move'), side: 'OUTGOING', hostedInstance: vm('vm', old) };
  const incoming = { migration: uuidOf('move'), side: 'INCOMING', hostedInstance: vm('vm', { ...small, vcpus: 4 }) };

  test('the source with the old flavor, as the migration; the destination with the new one, as the instance', async () => {
    expect((await audit('shared', { moves: [outgoing] })).auditedMoves).toEqual([
      {
        ...{ migrationUuid: uuidOf('move'), instanceUuid: uuidOf('vm'), side: 'OUTGOING', state: 'MISSING', repaired: true },
        consumer: { consumerType: 'MIGRATION' },
      },
    ]);
    expect((await audit('pinned', { moves: [incoming] })).auditedMoves).toMatchObject([
      { side: 'INCOMING', state: 'MISSING', repaired: true, consumer: { consumerType: 'INSTANCE' } },
    ]);
    expect(await held('move')).toEqual({ shared: { VCPU: 2, MEMORY_MB: 512, DISK_GB: 10 }, gpu0: { VGPU: 1 } });
    expect(await held('vm')).toEqual({ pinned: { VCPU: 4, MEMORY_MB: 512, DISK_GB: 10 } });
    const again = await audit('shared', { moves: [outgoing] });
    expect(again.auditedMoves).toMatchObject([{ state: 'RIGHT', repaired: false }]);
    expect(again.auditedAllocations).toEqual([{ reason: 'MIGRATING' }]);
    const parties = { migrationRecord: { fields: { uuid: uuidOf('move'), instance: uuidOf('vm') } } };
    expect((await write('endMigration', { ...parties, outcome: 'CONFIRMED' })).userErrors).toEqual([]);
  });

  test('but a source that the instance still holds is neither doubled nor mistaken for its destination', async () => {
    await seed.claim('vm', { shared: { VCPU: 2, MEMORY_MB: 512, DISK_GB: 10 }, gpu0: { VGPU: 1 } });
    expect((await audit('shared', { moves: [outgoing] })).auditedMoves).toMatchObject([{ state: 'MOVING', repaired: false }]);
    expect((await audit('pinned', { moves: [incoming] })).auditedMoves).toMatchObject([{ state: 'MOVING', repaired: false }]);
    expect([await held('move'), await held('vm')]).toEqual([{}, { shared: { VCPU: 2, MEMORY_MB: 512, DISK_GB: 10 }, gpu0: { VGPU: 1 } }]);
  });

  test('the flavors of both sides are read from the object of the instance', async () => {
    const wire = (name: string, version: string, data: object) => ({
      ...{ 'nova_object.name': name, 'nova_object.namespace': 'nova', 'nova_object.version': version, 'nova_object.data': data },
    });
    const size = (vcpus: number) => wire('Flavor', '1.2', { vcpus, memory_mb: 512, root_gb: 1, ephemeral_gb: 0, swap: 0, extra_specs: {} });
    const object = JSON.stringify(
      wire('Instance', '2.8', {
        ...{ uuid: uuidOf('vm'), project_id: 'p1', user_id: 'u1' },
        ...{ flavor: size(1), old_flavor: size(2), new_flavor: size(3) },
      }),
    );
    const move = { migration: uuidOf('move'), hostedInstance: { instanceRecord: { object } } };
    await audit('shared', { moves: [{ ...move, side: 'OUTGOING' }] });
    await audit('pinned', { moves: [{ ...move, side: 'INCOMING' }] });
    expect([await held('move'), await held('vm')]).toMatchObject([{ shared: { VCPU: 2 } }, { pinned: { VCPU: 3 } }]);
  });
});

test('a compute node counts instances created over REST without a type, but not consumers of other types', async () => {
  await seed.claim('typed', { pinned: { VCPU: 1 } });
  const consumers = ['rest', 'move'].map((name) => ({
    ...{ consumer: uuidOf(name), expect: { isNew: true }, project: 'p1', user: 'u1' },
    ...(name === 'move' ? { consumerType: 'MIGRATION' } : {}),
    hold: { allocations: [{ resourceProvider: uuidOf('pinned'), resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
  }));
  expect((await write('replaceAllocations', { consumers })).userErrors).toEqual([]);
  const query = 'query ($uuid: UUID!) { computeNode(uuid: $uuid) { runningVms } }';
  expect(await gateway.data(query, { uuid: uuidOf('pinned') })).toEqual({ computeNode: { runningVms: 2 } });
});
