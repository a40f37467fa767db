// Functions of networks, which ports take: Neutron requests nothing for them from Placement, so a host counts them as SRIOV_NET_VF, and the choice of a host
// records there what it takes until the next report. As a client sends it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { clearSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { uuidOf } from '../../support/seed.ts';
import { type Data, smallRequestSpec, wireOf } from '../../support/versioned-objects.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];

const functionAt = (place: number, rest: object = {}) => ({
  ...{ address: `0000:81:00.${place}`, parentAddress: '0000:81:00.0', vendorId: '8086', productId: '10ed', devType: 'type-VF', ...rest },
});

async function report(host: string, devices: readonly object[], tags: readonly object[] = [{ key: 'physical_network', value: 'net1' }]) {
  const fields = { serviceHost: host, hypervisorHostname: host, uuid: uuidOf(host), vcpus: 16, memoryMb: 16384, localGb: 100 };
  const pciDevices = devices.map((device) => ({ device: { fields: device }, tags }));
  expect((await write('reportComputeNode', { computeNodeRecord: { fields }, pciDevices })).userErrors).toEqual([]);
}

/** The request of an instance with a port on a network. */
const portOn = (physical_network: string) => {
  const request = wireOf('InstancePCIRequest', '1.4', {
    ...{ request_id: uuidOf('port'), count: 1, alias_name: null, is_new: false, spec: [{ physical_network }] },
  });
  const { 'nova_object.data': own } = smallRequestSpec;
  const whole = { ...(own as object), pci_requests: wireOf('InstancePCIRequests', '1.1', { requests: [request] }) };
  return { requestSpecToRequest: { requestSpec: JSON.stringify(wireOf('RequestSpec', '1.15', whole)) } };
};
/** The same with a function that the flavor names itself. */
const besideNamed = (requestFrom: ReturnType<typeof portOn>) => {
  const spec = JSON.parse(requestFrom.requestSpecToRequest.requestSpec);
  spec['nova_object.data'].flavor['nova_object.data'].extra_specs = { 'resources:SRIOV_NET_VF': '1' };
  return { requestSpecToRequest: { requestSpec: JSON.stringify(spec) } };
};
const byAlias = {
  flavorToRequest: {
    flavor: { fields: { vcpus: 1, memoryMb: 512, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'vf:1' }] } },
    pciPassthrough: { aliases: [{ name: 'vf', vendorId: '8086', productId: '10ed', deviceType: 'type-VF' }] },
  },
};
const inputOf = (instances: readonly string[], requestFrom: object, rest: object = {}) => ({
  ...{ instances: instances.map((name) => ({ instance: uuidOf(name), project: 'p1', user: 'u1' })), alternates: 0, requestFrom, ...rest },
});

async function select(...input: Parameters<typeof inputOf>) {
  const fields = 'destinations { selected { candidate { root { name } } } alternates { candidate { claimToken root { name } } } }';
  const { destinations, userErrors } = await write('selectDestinations', inputOf(...input), fields);
  expect(userErrors).toEqual([]);
  return destinations as {
    readonly selected: { readonly candidate: { readonly root: { readonly name: string } } };
    readonly alternates: readonly { readonly candidate: { readonly claimToken: string; readonly root: { readonly name: string } } }[];
  }[];
}
const functionsHeld = async (name: string) =>
  Object.values(await heldBy(database.db, name)).map((amounts) => (amounts as Record<string, number>).SRIOV_NET_VF ?? 0);
const noRoom = { code: 'NO_CANDIDATES', message: expect.stringContaining('able to serve the PCI devices') };

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  await report('one', [functionAt(1)]);
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => gateway.close());

describe.each([
  ['a port', portOn('net1')],
  ['an alias', byAlias],
])('the only function of a host, requested by %s', (_, requestFrom) => {
  test.each([
    ['by weights', {}],
    ['in an order', { orderBy: { field: 'CREATED_AT' } }],
  ])('is taken by one of several calls until the host reports its use, chosen %s', async (_name, choice) => {
    await select(['first'], requestFrom, choice);
    expect(await functionsHeld('first')).toEqual([1]);
    for (const name of ['second', 'third'])
      expect(await refusal('selectDestinations', inputOf([name], requestFrom, choice))).toMatchObject(noRoom);
    await report('one', [functionAt(1, { status: 'allocated', instance: uuidOf('first') })]);
    expect(await refusal('selectDestinations', inputOf(['second'], requestFrom, choice))).toMatchObject(noRoom);
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('first'), expect: { unchecked: true } }] });
    expect(await refusal('selectDestinations', inputOf(['second'], requestFrom, choice))).toMatchObject(noRoom);
    await report('one', [functionAt(1)]);
    await select(['second'], requestFrom, choice);
  });

  test('is taken by one of many simultaneous calls', async () => {
    const outcomes = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => write('selectDestinations', inputOf([name], requestFrom), 'destinations { instance { uuid } }')),
    );
    const served = outcomes.flatMap(({ destinations }) => (destinations ?? []) as { readonly instance: { readonly uuid: string } }[]);
    expect(served).toHaveLength(1);
    for (const { userErrors } of outcomes) for (const error of userErrors) expect(error).toMatchObject({ code: 'NO_CANDIDATES' });
  });
});

describe('an instance with a function', () => {
  const record = { fields: { uuid: uuidOf('vm'), project: 'p1', user: 'u1', flavor: { fields: { vcpus: 1, memoryMb: 512 } } } };
  const { flavor } = smallRequestSpec['nova_object.data'] as { readonly flavor: Data };
  const own = { instanceRecord: { fields: { ...record.fields, flavor: { object: JSON.stringify(flavor) } } } };

  test('keeps it when it is claimed, audited and repaired by its flavor alone, which does not show it', async () => {
    await select(['vm'], portOn('net1'));
    const claimed = await write('claimInstance', { computeNode: uuidOf('one'), hostedInstance: own }, 'changed');
    expect(claimed).toEqual({ changed: false, userErrors: [] });
    const audited = { computeNode: uuidOf('one'), host: 'one', repair: true };
    const states = 'auditedInstances { state repaired }';
    expect(await write('auditComputeNode', { ...audited, instances: own }, states)).toMatchObject({
      auditedInstances: [{ state: 'RIGHT' }],
    });
    const grown = { instanceRecord: { fields: { ...record.fields, flavor: { fields: { vcpus: 2, memoryMb: 512 } } } } };
    expect(await write('auditComputeNode', { ...audited, instances: grown }, states)).toMatchObject({
      auditedInstances: [{ state: 'WRONG', repaired: true }],
    });
    expect(await heldBy(database.db, 'vm')).toEqual({ one: { VCPU: 2, MEMORY_MB: 512, SRIOV_NET_VF: 1 } });
  });

  const asObject = (functions: readonly string[], task_state: string | null = null) => {
    const devices = functions.map((address) => wireOf('PciDevice', '1.7', { address, dev_type: 'type-VF', status: 'allocated' }));
    const pci_devices = wireOf('PciDeviceList', '1.3', { objects: devices });
    const owner = { uuid: uuidOf('vm'), project_id: 'p1', user_id: 'u1' };
    return { instanceRecord: { object: JSON.stringify(wireOf('Instance', '2.8', { ...owner, flavor, pci_devices, task_state })) } };
  };
  test.each<[string, object, string, number]>([
    ['it has no ports', { ...own, ports: [] }, 'WRONG', 0],
    ['it has no devices', asObject([]), 'WRONG', 0],
    ['it has a port', { ...own, ports: [{ port: uuidOf('port') }] }, 'RIGHT', 1],
    ['it has a function', asObject(['0000:81:00.1']), 'RIGHT', 1],
    ['it has no devices while it is being built', asObject([], 'spawning'), 'RIGHT', 1],
  ])('holds after an audit what that says of its ports and devices: %s', async (_, instances, state, functions) => {
    await select(['vm'], portOn('net1'));
    const audit = { computeNode: uuidOf('one'), host: 'one', repair: true, instances };
    expect(await write('auditComputeNode', audit, 'auditedInstances { state }')).toMatchObject({ auditedInstances: [{ state }] });
    expect(await functionsHeld('vm')).toEqual([functions]);
  });

  test('and another that its flavor names needs a host with two', async () => {
    expect(await refusal('selectDestinations', inputOf(['vm'], besideNamed(portOn('net1'))))).toMatchObject({ code: 'NO_CANDIDATES' });
    await report('one', [functionAt(1), functionAt(2)]);
    await select(['vm'], besideNamed(portOn('net1')));
    expect(await functionsHeld('vm')).toEqual([2]);
    await clearSoundLedger(database.db);
    await report('one', [functionAt(1)]);
  });

  test('takes one of its alternate, too, which another call then cannot get', async () => {
    await report('two', [functionAt(1)]);
    const [destination] = await select(['vm'], portOn('net1'), { alternates: 1 });
    const [alternate] = destination?.alternates ?? [];
    const tokens = [{ claimToken: alternate?.candidate.claimToken }];
    const claimed = await write('claimAlternate', { instance: uuidOf('vm'), expect: { generation: 1 }, selections: tokens }, 'place');
    expect(claimed).toEqual({ place: 0, userErrors: [] });
    expect(await functionsHeld('vm')).toEqual([1]);
    const [other] = await select(['other'], portOn('net1'));
    expect(other?.selected.candidate.root.name).toBe(destination?.selected.candidate.root.name);
    expect(await refusal('selectDestinations', inputOf(['third'], portOn('net1')))).toMatchObject(noRoom);
  });

  test('finds functions without a network, which no inventory counts, beside those of a network', async () => {
    await report('plain', [functionAt(1), functionAt(2)], []);
    const found = await select(['a', 'b', 'c', 'd'], byAlias);
    expect(found.map(({ selected }) => selected.candidate.root.name).toSorted()).toEqual(['one', 'plain', 'plain', 'two']);
  });
});
