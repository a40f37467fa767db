// Clouds to crawl: a typical one, and one that is filled towards the limits of its lists. With the arguments that fields need there.
import { changeBridge, insertBridge, insertRead, keepDifferences } from '../../src/db/bridge.ts';
import type { Db } from '../../src/db/sql/client.ts';
import { renderNodeId } from '../../src/graphql/node-id.ts';
import { reportComputeNode } from '../../src/nova/compute-nodes/compute-nodes.ts';
import { importComputeNodes } from '../../src/nova/compute-nodes/old-records.ts';
import { reportService } from '../../src/nova/services/services.ts';
import { replaceNovaSettings } from '../../src/nova/settings/nova-settings.ts';
import { replaceQuotas } from '../../src/operations/allocations/quotas.ts';
import { takeUsageSample } from '../../src/operations/ledger/usage-samples.ts';
import { scopeOf } from './graphql.ts';
import { type Amounts, createSeed, uuidOf } from './seed.ts';
import { read, smallRequestSpec, wireOf } from './versioned-objects.ts';

export const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** How much there is of everything. */
export interface Size {
  /** Inventories, traits and aggregates of a host. */
  readonly inventories: number;
  readonly traits: number;
  readonly aggregates: number;
  /** Providers below the first host, each below the one before. */
  readonly depth: number;
  /** Classes that a consumer takes of a host, and hosts from which the first consumer takes. */
  readonly classes: number;
  readonly hosts: number;
  /** Cells and devices of a host. */
  readonly devices: number;
}

export const typical: Size = { inventories: 5, traits: 45, aggregates: 4, depth: 3, classes: 1, hosts: 1, devices: 15 };
/** An eighth of the limits of inventories, traits and aggregates; two hundredths of those of allocations. */
export const filled: Size = { inventories: 125, traits: 125, aggregates: 125, depth: 40, classes: 125, hosts: 8, devices: 60 };

const hosts = range(8).map((index) => `cn${index}`);
const cellOf = (host: string, index: number) => `${host}-${index}`;
const classOf = (index: number) => ['MEMORY_MB', 'VGPU', 'PCPU'][index] ?? `CUSTOM_C${index}`;
const consumers = range(40).map((index) => `vm${index}`);
/** Elements of the lists in inputs. */
export const many = 30;
export const names = (prefix: string) => range(many).map((index) => `${prefix} ${index}`);
const uuid = (name: string) => JSON.stringify(uuidOf(name));
/** JSON as a text in a document. */
const inText = (value: object) => JSON.stringify(JSON.stringify(value));

/** The report of a node with so many cells and devices. */
export const reportedNode = (name: string, count = many) => ({
  computeNodeRecord: {
    fields: { uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 120, memoryMb: 65_536, localGb: 10 },
  },
  numaCells: range(count).map((id) => ({ id, cores: 2, threads: 4, memoryMb: 1024 })),
  pciDevices: range(count).map((index) => ({
    device: {
      fields: {
        address: `0000:${(16 + index).toString(16)}:00.0`,
        vendorId: '8086',
        productId: `10${index + 10}`,
        devType: 'type-PCI',
        status: 'available',
      },
    },
    tags: [{ key: 'rack', value: `${index}` }],
  })),
});

export const novaSettings = {
  cells: [uuidOf('az')],
  pciPassthrough: { aliases: [{ name: 'card', vendorId: '8086', productId: '10fb', traits: ['CUSTOM_T1'] }] },
  deviceProfiles: [{ name: 'fpga', groups: [{ properties: [{ key: 'resources:FPGA', value: '1' }] }] }],
  prefilters: { hostAggregates: [{ aggregate: uuidOf('az'), metadata: [{ key: 'availability_zone', value: 'az1' }] }] },
  weightMultipliers: { ram: 2 },
};

/** Hosts with NUMA cells and a shared pool; instances on two providers and the pool; records of Nova. */
export async function fillCloud(db: Db, size: Size): Promise<void> {
  const seed = createSeed(db);
  const hostClasses = range(size.inventories).map(classOf);
  const amounts: Amounts = Object.fromEntries(range(size.classes).map((index) => [classOf(index), 1]));
  await seed.provider('nfs', { inventories: { DISK_GB: 100_000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['az', 'storage'] });
  for (const host of hosts) {
    await seed.provider(host, {
      inventories: Object.fromEntries(hostClasses.map((name) => [name, 65_536])),
      traits: ['COMPUTE_NODE', ...range(size.traits).map((index) => `CUSTOM_T${index}`)],
      aggregates: ['az', 'storage', ...range(size.aggregates - 2).map((index) => `aggregate ${index}`)],
    });
    for (const cell of range(3))
      await seed.provider(cellOf(host, cell), { parent: host, inventories: { VCPU: 64 }, traits: ['HW_NUMA_ROOT'] });
  }
  for (const level of range(size.depth)) {
    await seed.provider(`level ${level}`, { parent: level === 0 ? 'cn0' : `level ${level - 1}`, inventories: { CUSTOM_BANDWIDTH: 10 } });
  }
  for (const [index, consumer] of consumers.entries()) {
    const held = range(index === 0 ? size.hosts : 1).map((other) => hosts[(index + other) % hosts.length] ?? '');
    await seed.claim(
      consumer,
      { ...Object.fromEntries(held.map((host) => [host, amounts])), [cellOf(held[0] ?? '', index % 3)]: { VCPU: 1 }, nfs: { DISK_GB: 1 } },
      { project: `p${index % 3}`, user: `u${index % 4}` },
    );
  }
  await prepareMutations(seed);
  const scope = scopeOf(db);
  await importComputeNodes(
    scope,
    hosts.map((host) => ({
      fields: { uuid: uuidOf(host), hypervisorHostname: host, serviceHost: host, vcpus: 48, memoryMb: 65_536, localGb: 10 },
    })),
  );
  await reportComputeNode(scope, reportedNode('devices', size.devices));
  const ofHosts = Object.fromEntries(hosts.slice(0, size.hosts).map((host) => [host, amounts]));
  for (const index of range(20)) await seed.reservation(`reservation ${index}`, ofHosts, { project: `p${index % 3}` });
  // Explanations name it, whatever host they name.
  await seed.reservation('everywhere', Object.fromEntries(hosts.map((host) => [host, { MEMORY_MB: 1 }])));
  await seed.claim('reserved', { cn0: amounts }, { project: 'p1', reservation: 'reservation 1' });
  await takeUsageSample(db);
  await replaceNovaSettings(scope, { expect: { generation: 0 }, settings: novaSettings });
  const quotas = [{}, { user: 'u1' }, { aggregate: uuidOf('az') }].map((of) => ({ resourceClass: 'VCPU', ...of, amount: 1_000_000 }));
  for (const project of ['p0', 'p1']) await replaceQuotas(scope, { expect: unchecked, project, parentProject: 'above', quotas });
  for (const host of hosts) await reportService(scope, { fields: { host, binary: 'nova-compute', version: 66 } });
  await reportService(scope, { fields: { host: 'cn0', binary: 'nova-conductor', forcedDown: true } });
  // A bridge that was ended keeps nobody from writing.
  await insertBridge(db, 'http://placement.example');
  await changeBridge(db, ['following', 'ended']);
  await keepDifferences(db, [], [{ noun: 'trait', key: 'CUSTOM_ODD', reason: 'refused' }]);
  const times = { otherTime: 1, ownTime: 1, choiceFits: null, choiceRank: null };
  await insertRead(db, { route: '/traits', request: 'GET /traits', version: '1.39', difference: null, ...times });
}

const request = `{
  groups: [
    { resources: [{ resourceClass: "MEMORY_MB", amount: 1 }, { resourceClass: "DISK_GB", amount: 1 }] }
    { suffix: "_1", resources: [{ resourceClass: "VCPU", amount: 1 }], traits: [{ allOf: ["HW_NUMA_ROOT"] }], inTrees: [${hosts.map(uuid)}] }
    { suffix: "_2", resources: [{ resourceClass: "VCPU", amount: 1 }] }
  ]
  groupPolicy: ISOLATE
  rootAggregates: [{ anyOf: [${uuid('az')}] }]
}`;
/** With parts that are left out, and a trait that no host has. */
const flavorOf = (size: string) => `{ flavor: { fields: { ${size}, rootGb: 1, extraSpecs: [
  { key: "trait:CUSTOM_T1", value: "required" }, { key: "trait:CUSTOM_UNUSED", value: "required" }, { key: "quota:cpu_quota", value: "1" }
] } } }`;
/** Larger than all hosts. */
const flavor = flavorOf('vcpus: 1000, memoryMb: 512');
const portRequest = {
  request_groups: ['a', 'b'].map((id) => ({ id, resources: { CUSTOM_BANDWIDTH: 1 }, required: [] })),
  same_subtree: ['a', 'b'],
};
const requestSpec = wireOf('RequestSpec', '1.14', {
  ...read(smallRequestSpec).data,
  requested_destination: wireOf('Destination', '1.4', {
    ...{ host: 'cn1', node: 'cn1', aggregates: [uuidOf('az')], forbidden_aggregates: [uuidOf('storage of nodes')] },
  }),
  request_level_params: wireOf('RequestLevelParams', '1.1', { root_required: ['OWNER_NOVA'] }),
});
const plan = `requests: [{ consumers: [${uuid('stranger node 1')}], asks: { flavorToRequest: ${flavor} } }]`;
const started = new Date(Date.now() - 3_600_000).toISOString();
export const soon = new Date(Date.now() + 3_600_000).toISOString();
export const later = new Date(Date.now() + 7_200_000).toISOString();
const past = `from: "${started}", stepSeconds: 60`;

/** The required arguments of fields. */
export const given: Readonly<Record<string, string>> = {
  'Query.node': `id: "${renderNodeId('ResourceProvider', uuidOf('cn1'))}"`,
  'Query.nodes': `ids: ["${renderNodeId('ResourceProvider', uuidOf('cn1'))}", "${renderNodeId('Consumer', uuidOf('vm1'))}"]`,
  'Query.resourceProvider': 'name: "cn0"',
  'Query.resourceClass': 'name: "MEMORY_MB"',
  'Query.trait': 'name: "CUSTOM_T1"',
  'Query.aggregate': `uuid: ${uuid('az')}`,
  'Query.consumer': `uuid: ${uuid('vm0')}`,
  'Query.reservation': `uuid: ${uuid('reservation 1')}`,
  'Query.project': 'externalId: "p1"',
  'Query.usages': 'groupBy: [PROJECT, USER]',
  'Query.cloudMap': 'resourceClasses: ["VCPU", "MEMORY_MB"]',
  'Query.search': 'text: "cn"',
  'Query.asOf': `moment: "${soon}"`,
  'Query.claimHistory': past,
  'Query.usageHistory': `of: { cloud: true }, ${past}`,
  'Query.usageSamples': past,
  'Query.allocationCandidates': `input: ${request}`,
  'Query.fit': `input: ${request}, within: { project: "p1", user: "u1" }`,
  'Query.flavorToRequest': `input: ${flavor.replace('{', `{ ports: [{ port: ${uuid('port')}, resourceRequest: ${inText(portRequest)} }], `)}`,
  'Query.requestSpecToRequest': `input: { requestSpec: ${inText(requestSpec)} }`,
  'Query.drainPlan': `input: { computeNodes: [${uuid('node 0')}, ${uuid('cn0')}], ${plan} }`,
  'Query.rebalancePlan': `input: { computeNodes: [${names('node').map(uuid)}], goal: PACK, ${plan} }`,
  'Query.whatIf': `input: { asks: { flavorToRequest: ${flavorOf('vcpus: 1, memoryMb: 70000')} }, lost: [${uuid('cn0')}], added: [{ count: 2, like: ${uuid('cn1')} }] }`,
  'Query.computeNode': 'name: "devices"',
  'ResourceProvider.inventory': 'resourceClass: "MEMORY_MB"',
  'ResourceProvider.treeInventory': 'resourceClass: "MEMORY_MB"',
  'ResourceProvider.hasTrait': 'name: "CUSTOM_T1"',
  'Project.usageReport': `from: "${started}", until: "${soon}"`,
  'Usage.amount': 'resourceClass: "MEMORY_MB"',
  'ComputeNode.supportsPciRequests': 'requests: [{ count: 1, alternatives: [{ vendorId: "8086", productId: "154d" }] }]',
  'PastState.pastResourceProvider': `uuid: ${uuid('cn0')}`,
  'PastState.pastConsumer': `uuid: ${uuid('vm0')}`,
  'PastState.projectUsage': 'externalId: "p1"',
  'PastState.treeUsage': `resourceProvider: ${uuid('cn0')}`,
  'PastState.aggregateUsage': `aggregate: ${uuid('az')}`,
  'Subscription.cloudMapChanges': 'after: "", resourceClasses: ["VCPU", "MEMORY_MB"]',
};

export const unchecked = { unchecked: true };
export const someClasses = range(many).map(classOf);

/** What mutations find: providers whose inventories are in use or free, consumers on two providers, compute nodes with instances. */
async function prepareMutations(seed: ReturnType<typeof createSeed>): Promise<void> {
  const inventories = Object.fromEntries(someClasses.map((name) => [name, 1000]));
  const amounts = Object.fromEntries(someClasses.map((name) => [name, 2]));
  for (const name of ['replaced', 'reshaped', 'tree', 'roomy']) await seed.provider(name, { inventories });
  for (const name of ['replaced', 'reshaped', 'tree']) await seed.claim(`holder of ${name}`, { [name]: amounts });
  for (const name of [...names('patched'), ...names('spare')]) await seed.provider(name, { inventories: { VCPU: 100 } });
  for (const name of names('patched')) await seed.claim(`holder of ${name}`, { [name]: { VCPU: 2 } });
  for (const name of names('released')) await seed.claim(name, { roomy: { MEMORY_MB: 1 }, 'spare 0': { VCPU: 1 } });
  for (const name of names('node')) {
    const held = { VCPU: 1, MEMORY_MB: 1, DISK_GB: 1 };
    await seed.provider(name, {
      inventories: { VCPU: 64, MEMORY_MB: 64, DISK_GB: 64 },
      traits: ['COMPUTE_NODE'],
      aggregates: ['storage of nodes'],
    });
    await seed.claim(`guest of ${name}`, { [name]: held });
    await seed.claim(`stranger ${name}`, { 'node 0': { VCPU: 1 } });
  }
  await seed.provider('used pool', { inventories: { DISK_GB: 100 }, traits: ['MISC_SHARES_VIA_AGGREGATE'] });
  await seed.claim('holder of disk', { 'used pool': { DISK_GB: 2 } });
  await seed.traits('spare 7', ['CUSTOM_UNUSED']);
  await seed.reservation('kept', { 'spare 8': { VCPU: 1 } });
  await seed.reservation('of patched', Object.fromEntries(names('patched').map((name) => [name, { VCPU: 3 }])));
  await seed.write('create_resource_class', { name: 'CUSTOM_OLD' });
  await seed.write('create_trait', { name: 'CUSTOM_OLD' });
}
