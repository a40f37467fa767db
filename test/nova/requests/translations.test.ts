// Requests of flavors and RequestSpecs that depend on stored data: owners, and the compute nodes of destinations.
import { beforeAll, describe, expect, test } from 'vitest';
import { listComputeNodes, reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { type RequestSpecToRequestInput, translateFlavor, translateRequestSpec } from '../../../src/nova/requests/translations.ts';
import { reportService } from '../../../src/nova/services/services.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { useDatabase } from '../../support/database.ts';
import { refusalOf, scopeOf } from '../../support/ledger.ts';
import { uuidOf } from '../../support/seed.ts';
import { wireOf } from '../../support/versioned-objects.ts';
import { requestSpecOf, type SpecData } from './nova-request-spec.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
const sizes = [1, 1024, 15, 0, 0] as const;
const group = [
  { resourceClass: 'VCPU', amount: 1 },
  { resourceClass: 'MEMORY_MB', amount: 1024 },
  { resourceClass: 'DISK_GB', amount: 15 },
];

/** The node test of the host test, and two nodes of the host rack. */
beforeAll(async () => {
  const nodes = { 'test-node': 'test', 'rack-1': 'rack', 'rack-2': 'rack' };
  for (const [hypervisorHostname, serviceHost] of Object.entries(nodes)) {
    const fields = { uuid: uuidOf(hypervisorHostname), serviceHost, hypervisorHostname, vcpus: 16, memoryMb: 32_768, localGb: 500 };
    await reportComputeNode(scope(), { computeNodeRecord: { fields } });
  }
});

const translate = (data: SpecData, settings: Partial<RequestSpecToRequestInput> = {}) =>
  translateRequestSpec(scope(), { requestSpec: requestSpecOf({ sizes, ...data }), ...settings });

describe('a destination', () => {
  test.each<[origin: string, SpecData]>([
    ['process_use_force_nodes', { others: { force_nodes: ['test-node'] } }],
    ['process_use_force_hosts', { others: { force_hosts: ['test'] } }],
    ['process_use_requested_destination', { destination: { host: 'test', node: 'test-node' } }],
    ['a destination takes precedence over forced hosts', { destination: { host: 'test' }, others: { force_hosts: ['rack'] } }],
  ])('%s', async (_origin, data) => {
    const { request } = await translate(data);
    expect(request.groups).toEqual([{ resources: group, inTrees: [uuidOf('test-node')] }]);
    const { candidates } = await findCandidates(scope(), request);
    expect(candidates.map(({ root }) => root.name)).toEqual(['test-node']);
  });

  test('process_use_force_hosts_multinodes_found', async () => {
    const { request, warnings } = await translate({ others: { force_hosts: ['rack'] } });
    expect(request.groups).toEqual([{ resources: group }]);
    expect(warnings).toMatchObject([{ code: 'REQUEST_SPEC_NOT_CHECKED', subject: 'force_hosts' }, { code: 'OWNERS_NOT_CHECKED' }]);
  });

  test('of a host with several nodes is one of them if the node is named too', async () => {
    const { request } = await translate({ destination: { host: 'rack', node: 'rack-2' } });
    expect(request.groups[0]?.inTrees).toEqual([uuidOf('rack-2')]);
  });

  test('also applies to the fallback of pinned processors', async () => {
    const { fallback } = await translate({ extraSpecs: { 'hw:cpu_policy': 'dedicated' }, destination: { host: 'test' } });
    expect(fallback?.groups).toEqual([{ resources: group, inTrees: [uuidOf('test-node')] }]);
  });

  test('that is not a compute node is refused', async () => {
    const problems = await refusalOf(database.db, () => translate({ destination: { host: 'test', node: 'rack-1' } }));
    expect(problems).toMatchObject([{ code: 'INVALID_INPUT', path: ['requestSpec', 'nova_object.data', 'requested_destination'] }]);
  });
});

describe('a request spec', () => {
  test('warns of fields that limit hosts after the search', async () => {
    const retry = wireOf('SchedulerRetries', '1.1', { num_attempts: 1 });
    const { warnings } = await translate({
      hints: { same_host: ['a'] },
      others: {
        ignore_hosts: ['test'],
        retry,
        numa_topology: null,
        instance_group: null,
        limits: wireOf('SchedulerLimits', '1.0', { vcpu: null }),
      },
    });
    expect(warnings.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      'REQUEST_SPEC_NOT_CHECKED ignore_hosts',
      'REQUEST_SPEC_NOT_CHECKED retry',
      'REQUEST_SPEC_NOT_CHECKED scheduler_hints',
      'OWNERS_NOT_CHECKED null',
    ]);
  });

  test('makes groups of its PCI requests with PCI in Placement, once', async () => {
    const id = uuidOf('request');
    const pciRequests = [{ id, alias: 'gpu', spec: { vendor_id: '10de', product_id: '1db6', traits: 'fast' } }];
    const made = {
      suffix: `${id}-0`,
      resources: [{ resourceClass: 'CUSTOM_PCI_10DE_1DB6', amount: 1 }],
      traits: [{ allOf: ['CUSTOM_FAST'] }],
    };
    const of = async (data: SpecData, pciInPlacement: boolean) =>
      (await translate({ pciRequests, ...data }, { pciInPlacement })).request.groups;
    expect(await of({}, true)).toEqual([{ resources: group }, made]);
    const requested = [{ requester: `${id}-0`, resources: { CUSTOM_PCI_10DE_1DB6: 1 }, required: ['CUSTOM_FAST'] }];
    expect(await of({ requested }, true)).toEqual([{ resources: group }, made]);
    expect(await of({}, false)).toEqual([{ resources: group }]);
  });

  test('binds a requested group to its tree', async () => {
    const requested = [{ requester: 'port', resources: { CUSTOM_BANDWIDTH: 1 }, tree: uuidOf('nic') }];
    const bound = { suffix: 'port', resources: [{ resourceClass: 'CUSTOM_BANDWIDTH', amount: 1 }], inTrees: [uuidOf('nic')] };
    expect((await translate({ requested })).request.groups).toEqual([{ resources: group }, bound]);
  });

  test.each<[string, SpecData, string[]]>([
    ['a contradictory flavor', { extraSpecs: { 'hw:cpu_policy': 'mixed' } }, ['flavor']],
    [
      'a malformed uuid of an aggregate',
      { destination: { aggregates: ['foo,bar'] } },
      ['requested_destination', 'nova_object.data', 'aggregates', '0'],
    ],
    [
      'a group without a requester',
      { requested: [{ requester: null, resources: { VGPU: 1 } }] },
      ['requested_resources', '0', 'nova_object.data', 'requester_id'],
    ],
    [
      'a negative amount',
      { requested: [{ requester: 'a', resources: { VGPU: -1 } }] },
      ['requested_resources', '0', 'nova_object.data', 'resources', 'VGPU'],
    ],
    ['an invalid trait of the image', { image: { traits_required: ['no'] } }, ['image']],
  ])('is refused for %s', async (_what, data, path) => {
    const problems = await refusalOf(database.db, () => translate(data));
    expect(problems).toMatchObject([{ code: 'INVALID_INPUT', path: ['requestSpec', 'nova_object.data', ...path] }]);
  });

  test('without a flavor is refused', async () => {
    const requestSpec = JSON.stringify(wireOf('RequestSpec', '1.15', {}));
    const problems = await refusalOf(database.db, () => translateRequestSpec(scope(), { requestSpec }));
    expect(problems).toMatchObject([{ path: ['requestSpec', 'nova_object.data', 'flavor'] }]);
  });
});

test('owners are required once every compute service reports them, also for PCI groups but not for ports', async () => {
  const flavor = { fields: { vcpus: 1, memoryMb: 1024, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'gpu:1' }] } };
  const port = { port: uuidOf('port'), resourceRequest: '{"resources": {"NET_BW_EGR_KILOBIT_PER_SEC": 1}}' };
  const pci = { inPlacement: true, aliases: [{ name: 'gpu', vendorId: '10de', productId: '1db6' }] };
  const owners = async () => {
    const { request } = await translateFlavor(scope(), { flavor, ports: [port], pciPassthrough: pci });
    return request.groups.flatMap(({ suffix, traits }) =>
      traits?.some(({ anyOf }) => anyOf?.includes('OWNER_NOVA')) ? (suffix ?? '') : [],
    );
  };
  expect(await owners()).toEqual([]);
  const hosts = (await listComputeNodes(scope(), {})).rows.map(({ facts }) => facts?.host ?? '');
  for (const host of hosts) await reportService(scope(), { fields: { host, binary: 'nova-compute', version: 73 } });
  expect(await owners()).toEqual(['', 'pci_0-0']);
});
