// Examination. Whatever an argument contains, the answer is valid: no internal error, no internals in messages, and refused calls write nothing.
import { getNamedType, isScalarType } from 'graphql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { useDatabase } from '../support/database.ts';
import { type ExecutorName, executors, type Gateway, type GatewayAnswer, hitsUntilCompiled, startGateway } from '../support/gateway.ts';
import {
  type Contract,
  type HostileValue,
  hostileValues,
  isNoValueOf,
  isUnstorable,
  type Place,
  placesOf,
  someHostileValues,
  worstHostileValues,
} from '../support/hostile.ts';
import { inParallel } from '../support/in-parallel.ts';
import { dumpTables, expectSoundLedger } from '../support/ledger.ts';
import { createSeed, uuidOf } from '../support/seed.ts';
import { smallRequestSpec } from '../support/versioned-objects.ts';

const database = useDatabase();
const gateways = new Map<ExecutorName, Gateway>();
let bugs: string[] = [];
/** The number of refused requests. */
const refused = new Set<string>();

beforeAll(async () => {
  const seed = createSeed(database.db);
  const inventories = { VCPU: 2 ** 31 - 1, CUSTOM_LICENSE: 10 };
  await seed.provider('cn1', { inventories, traits: ['CUSTOM_A'], aggregates: ['rack1'] });
  await seed.provider('numa0', { parent: 'cn1', inventories });
  await seed.provider('target', { inventories });
  await seed.provider('tree');
  await seed.claim('moving', { target: { VCPU: 1 } });
  await seed.claim('server', { cn1: { VCPU: 1 }, numa0: { VCPU: 1 } });
  for (const executor of executors) gateways.set(executor, await startGateway(database, executor, (line) => bugs.push(line)));
});
afterAll(() => Promise.all([...gateways.values()].map((gateway) => gateway.close())));
beforeEach(() => {
  bugs = [];
});

let made = 0;
const fresh = (prefix: string) => () => `${prefix}_${++made}`;
const freshUuid = () => uuidOf(fresh('fresh')());
const of = (type: string, examples: object) =>
  Object.fromEntries(Object.entries(examples).map(([field, one]) => [`${type}.${field}`, one]));

const contract: Contract = {
  schema: loadSchema(),
  reach: {
    ResourceProvider: (inner) => `resourceProvider(name: "cn1") { ${inner} }`,
    ResourceClass: (inner) => `resourceClass(name: "VCPU") { ${inner} }`,
    Trait: (inner) => `trait(name: "CUSTOM_A") { ${inner} }`,
    Aggregate: (inner) => `aggregate(uuid: "${uuidOf('rack1')}") { ${inner} }`,
    Consumer: (inner) => `consumer(uuid: "${uuidOf('server')}") { ${inner} }`,
    Project: (inner) => `project(externalId: "p1") { ${inner} }`,
    Usage: (inner) => `usages(groupBy: PROJECT) { nodes { ${inner} } }`,
    Fit: (inner) => `fit(input: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }) { ${inner} }`,
  },
  examples: {
    ...{ first: 5, after: null, last: 5, before: null, id: '', ids: [], maxDepth: 2, isStandard: true, inUse: true, text: 'cn' },
    'Query.resourceProviders(before) last': true,
    ...{ uuid: uuidOf('cn1'), resourceProvider: uuidOf('cn1'), consumer: uuidOf('server'), aggregate: uuidOf('rack1'), externalId: 'p1' },
    ...{ name: 'cn1', names: ['cn1'], nameContains: 'cn', nameStartsWith: 'CUSTOM', resourceClass: 'VCPU', resourceClasses: ['VCPU'] },
    ...{ uuids: [uuidOf('cn1')], inTrees: [uuidOf('cn1')], resourceProviders: [uuidOf('cn1')] },
    ...{ isStandard: true, externalIds: ['p1'], externalIdContains: 'p', externalIdStartsWith: 'p' },
    ...{ isRoot: true, isSharing: false, overCapacity: false, untyped: false, onSeveralRoots: false, hasConsumers: true },
    ...{ createdAfter: '2020-01-01T00:00:00Z', updatedAfter: '2020-01-01T00:00:00Z', 'ConsumerFilterInput.aggregates': [uuidOf('rack1')] },
    ...{ is: 1, isNot: 2, above: 0, atLeast: 0, below: 9, atMost: 9, expectedCount: 1, all: true, inTreesNamed: ['cn1'] },
    ...{ reportedAfter: '2020-01-01T00:00:00Z', reportedBefore: '2020-01-01T00:00:00Z', 'UsageHistorySubjectInput.tree': uuidOf('cn1') },
    ...{ 'EventFilterInput.traits': ['CUSTOM_A'], 'Fit.byAggregate(aggregates)': [uuidOf('rack1')] },
    ...{ hosts: ['cn1'], hostContains: 'cn', hostStartsWith: 'cn', binaries: ['nova-compute'], versionBelow: 70 },
    ...{ projects: ['p1'], users: ['u1'], consumerTypes: ['INSTANCE'], kinds: ['RESHAPE'] },
    ...{ since: '2020-01-01T00:00:00Z', updatedBefore: '2020-01-01T00:00:00Z', createdBefore: '2020-01-01T00:00:00Z', amount: 1 },
    ...of('TraitConditionInput', { allOf: ['CUSTOM_A'], anyOf: ['CUSTOM_A'], noneOf: ['COMPUTE_NODE'] }),
    ...of('AggregateConditionInput', { allOf: [uuidOf('rack1')], anyOf: [uuidOf('rack1')], noneOf: [] }),
    ...{ 'ResourceProviderOrderInput.field': 'FREE' },
    // Searches and claims.
    ...{ 'RequestGroupInput.suffix': '_a', 'SameSubtreeInput.suffixes': ['_a'] },
    ...{ 'CandidateOrderInput.field': 'FREE', 'CandidateOrderInput.resourceClass': null, weight: 1 },
    ...{ seed: null, tolerance: 1, limit: 2, perRootLimit: 1 },
    ...{ 'ClaimConsumerInput.consumer': freshUuid, 'ClaimConsumerInput.takeFrom': null, alternates: 1, claimToken: 'c1.W10' },
    // Writes.
    ...{
      'ExpectationInput.unchecked': true,
      'ConsumerExpectationInput.isNew': true,
      'NewParentInput.none': true,
    },
    ...{ generation: 1, unchecked: true, isNew: true, none: true, parent: uuidOf('cn1'), dryRun: false },
    ...{ total: 10, reserved: 0, minUnit: 1, maxUnit: 10, stepSize: 1, allocationRatio: 1.5 },
    ...{ 'DesiredProviderInput.aggregates': [uuidOf('rack1')], 'ReplaceAggregatesInput.aggregates': [uuidOf('rack1')] },
    ...{ project: 'p1', user: 'u1', consumerType: 'INSTANCE', idempotencyKey: fresh('key') },
    ...{ 'CreateResourceProviderInput.uuid': freshUuid, 'CreateResourceProviderInput.name': fresh('new') },
    ifExists: 'REFUSE',
    ...{ 'UpdateResourceProviderInput.newParent': { none: true } },
    ...{
      'EventFilterInput.resourceProviders': [uuidOf('cn1')],
      ...of('EventFilterInput', { consumers: [uuidOf('server')], aggregates: [uuidOf('rack1')] }),
      ...{ requestIds: ['req-1'], until: '2040-01-01T00:00:00Z', everything: true, 'Query.eventFeed(from)': 'OLDEST' },
      ...{ from: '2020-01-01T00:00:00Z', moment: '2020-01-01T00:00:00Z', stepSeconds: 10_000_000 },
      'Query.usageHistory(of)': { cloud: true },
      'ReplaceTraitsInput.traits': ['CUSTOM_A'],
      'PatchTraitsInput.add': ['CUSTOM_A'],
      'PatchTraitsInput.remove': ['CUSTOM_B'],
      'NameAggregateInput.name': 'Rack 1',
    },
    ...{ 'CreateTraitInput.name': 'CUSTOM_NEW', 'DeleteTraitInput.name': 'CUSTOM_A' },
    ...{ 'CreateResourceClassInput.name': 'CUSTOM_NEW', 'DeleteResourceClassInput.name': 'CUSTOM_LICENSE' },
    ...{
      'ReplaceInventoriesInput.resourceProvider': uuidOf('target'),
      'SetInventoryInput.resourceProvider': uuidOf('target'),
      'DeleteInventoryInput.resourceClass': 'PCPU',
    },
    ...{
      'ConsumerAllocationsInput.consumer': freshUuid,
      'AllocationSourceInput.allocations': [{ resourceProvider: uuidOf('cn1'), resources: [{ resourceClass: 'VCPU', amount: 1 }] }],
      takeFrom: freshUuid,
    },
    ...{ 'ReleaseConsumerInput.consumer': freshUuid },
    ...{ 'ReshapeProviderInput.resourceProvider': uuidOf('target') },
    // Reports of nodes, pools and services.
    object: '{}',
    ...of('ComputeNodeFieldsInput', { uuid: uuidOf('node'), serviceHost: 'node', hypervisorHostname: 'node', hypervisorType: 'QEMU' }),
    ...of('ComputeNodeFieldsInput', { hypervisorVersion: 8_002_000, hostIp: '192.0.2.1', cpuInfo: '{}', vcpus: 8 }),
    ...of('ComputeNodeFieldsInput', { memoryMb: 1024, localGb: 100 }),
    ...of('ReportComputeNodeInput', { dedicatedCpus: 1, reservedCpus: 1, reservedMemoryMb: 64, reservedDiskMb: 1 }),
    ...of('ReportComputeNodeInput', { hasSharedStorage: false, traits: ['CUSTOM_A'], pciInPlacement: true, failedBuildCount: 1 }),
    ...{ disabled: true, disabledReason: 'moved', forcedDown: true },
    ...of('NodeRatiosInput', { cpu: 4, ram: 1.5, disk: 1 }),
    ...of('NumaCellInput', { id: 0, cores: 4, threads: 8, memoryMb: 512, socket: 0 }),
    ...of('MemoryEncryptionInput', { total: 1 }),
    ...of('ReportComputeNodeInput', { otherInventories: [{ resourceClass: 'CUSTOM_GOLD', total: 1 }] }),
    ...{ count: 1, manifest: [{ name: 'PciDevicePool', version: '1.1' }] },
    ...of('PciDeviceKindInput', { vendorId: '8086', productId: '10fb', deviceType: 'type-PCI' }),
    ...{ numaCells: [], 'ReportComputeNodeInput.numaCells': [{ id: 0, cores: 4, threads: 8, memoryMb: 512 }] },
    ...of('VgpuInput', { address: '0000:84:00.0', total: 4, resourceClass: 'VGPU', traits: ['CUSTOM_A'], numaNode: 0 }),
    ...of('VgpuConsumerInput', { consumer: uuidOf('vm'), amount: 1 }),
    ...of('PciDeviceFieldsInput', { address: '0000:85:00.0', vendorId: '8086', productId: '10fb', devType: 'type-PCI', numaNode: 0 }),
    ...of('PciDeviceFieldsInput', { status: 'available', parentAddress: null, parentInterface: 'eth0' }),
    ...of('PciDeviceFieldsInput', { remoteManaged: false, instance: null }),
    ...of('ReportedPciDeviceInput', { tags: [{ key: 'physical_network', value: 'a' }] }),
    ...of('OldComputeNodeFieldsInput', { uuid: null, serviceHost: 'old', hypervisorHostname: fresh('old'), hypervisorType: 'QEMU' }),
    ...of('OldComputeNodeFieldsInput', { hostIp: '192.0.2.1', cpuInfo: '{}', pciStats: '[]' }),
    ...of('OldComputeNodeFieldsInput', { hypervisorVersion: 1, vcpus: 8, memoryMb: 1024, localGb: 10, vcpusUsed: 1, memoryMbUsed: 1 }),
    ...of('OldComputeNodeFieldsInput', { localGbUsed: 1, runningVms: 1, cpuAllocationRatio: 0 }),
    ...of('OldComputeNodeFieldsInput', { ramAllocationRatio: 0, diskAllocationRatio: 0 }),
    ...of('ServiceFieldsInput', { host: 'node', binary: 'nova-compute', version: 73 }),
    ...of('DeleteServiceInput', { host: 'node', binary: 'nova-compute' }),
    ...of('ReportPoolInput', { uuid: uuidOf('share'), name: 'share', aggregates: [uuidOf('rack1')] }),
    ...of('ReportPoolInput', { traits: ['CUSTOM_A'], owner: 'OWNER_NOVA' }),
    // Flavors, instances and where they go.
    ...of('FlavorFieldsInput', { name: 'small', vcpus: 1, memoryMb: 0, rootGb: 0, ephemeralGb: 0, swapMb: 0 }),
    ...of('PropertyInput', { key: 'hw:cpu_policy', value: 'shared' }),
    ...{ imageTraits: ['CUSTOM_A'], bootedFromVolume: false, 'ClaimInput.alternatesIn': [uuidOf('rack1')] },
    ...{ imageDiskFormat: 'raw', pciInPlacement: false, requestSpec: () => JSON.stringify(smallRequestSpec) },
    ...of('PortInput', { port: freshUuid, resourceRequest: '{"resources":{"CUSTOM_LICENSE":1},"required":[]}', remoteManaged: false }),
    ...of('PciRequestsInput', { inPlacement: false }),
    ...of('PciAliasInput', { name: 'card', vendorId: '8086', productId: '10fb', deviceType: 'type-PCI', resourceClass: null, traits: [] }),
    ...of('PciAliasInput', { liveMigratable: false }),
    ...of('PrefiltersInput', { imageType: false, imageMetadata: false, availabilityZone: 'az1', projectAggregates: false }),
    ...of('PrefiltersInput', { projectAggregateRequired: false, isolatedAggregates: false }),
    ...of('FlavorToRequestInput', { availabilityZone: 'az1' }),
    ...of('NovaSettingsInput', { cells: [uuidOf('rack1')] }),
    ...of('ExpiryInput', { at: '2099-01-02T03:04:05Z', afterSeconds: 3600, never: true }),
    ...{ 'QuotaInput.amount': 1_000_000, 'QuotaInput.aggregate': uuidOf('rack1'), 'ReplaceQuotasInput.parentProject': 'above' },
    ...{ 'ConsumerAllocationsInput.reservation': null, 'ClaimConsumerInput.reservation': null, reservation: freshUuid },
    ...{ 'DestinationSeekerInput.reservation': null, 'ClaimAlternateInput.reservation': null, 'ClaimInstanceInput.reservation': null },
    ...{ 'ReservationExpectationInput.isNew': true, 'ReservationSourceInput.hosts': [uuidOf('tree')] },
    ...of('ReplaceReservationInput', { startsAt: '2098-01-01T00:00:00Z', endsAt: '2099-01-01T00:00:00Z' }),
    ...of('DeviceProfileInput', { name: fresh('profile') }),
    ...of('PrefilterSettingsInput', { imageType: false, imageMetadata: false, projectAggregates: false }),
    ...of('PrefilterSettingsInput', { projectAggregateRequired: false, isolatedAggregates: false }),
    ...of('InstanceFieldsInput', { uuid: freshUuid, pciDeviceCount: 0 }),
    ...of('HostedInstanceInput', { pool: null }),
    ...{ computeNode: uuidOf('cn1'), 'HandOverInput.evacuated': true },
    ...of('KnownInstanceInput', { instance: freshUuid, host: 'cn1', taskState: 'spawning', deleted: false, hidden: false }),
    ...of('AuditComputeNodeInput', { host: 'cn1', migrations: [uuidOf('moving')], removeStale: false, repair: false }),
    ...of('KnownMigrationInput', { migration: freshUuid, instance: freshUuid }),
    ...of('MigrationFieldsInput', { uuid: freshUuid, instance: freshUuid }),
    ...of('StartMigrationInput', { selection: { claimToken: 'c1.W10' } }),
    ...of('DestinationSeekerInput', { instance: freshUuid, migration: null, evacuates: false }),
    ...of('SelectDestinationsInput', {
      cells: [uuidOf('rack1')],
      allowSource: false,
      requiredCells: [uuidOf('rack1')],
      excludedCells: [],
      preferredCells: [uuidOf('rack1')],
    }),
    ...of('HostNameInput', { host: 'cn1', node: 'cn1' }),
    ...of('ServerGroupFieldsInput', { uuid: uuidOf('group'), members: [freshUuid], maxServersPerHost: 2 }),
    ...of('WeightMultipliersInput', { ram: 1.5, cpu: 1, disk: 1, pci: -1, buildFailure: 1 }),
    ...of('WeightMultipliersInput', { softAffinity: 1, softAntiAffinity: 1, crossCellMove: 1 }),
    ...of('SelectionInput', { claimToken: 'c1.W10', object: '{}' }),
    ...of('ClaimAlternateInput', { instance: freshUuid, selections: [{ claimToken: 'c1.W10' }] }),
    ...of('AuditedMoveInput', { migration: freshUuid, side: 'OUTGOING' }),
    // Plans.
    ...of('DrainPlanInput', { computeNodes: [uuidOf('cn1')], excludedComputeNodes: [uuidOf('target')] }),
    ...of('RebalancePlanInput', { computeNodes: [uuidOf('cn1')], minGain: 0.1 }),
    ...{ stayingConsumers: [uuidOf('server')], sameAggregates: [uuidOf('rack1')], resourceClasses: ['VCPU'], maxMoves: 10 },
    ...of('ConsumersRequestInput', { consumers: [freshUuid] }),
    ...of('AddedHostsInput', { count: 2, like: uuidOf('cn1'), traits: ['CUSTOM_A'], aggregates: [uuidOf('rack1')] }),
    ...of('WhatIfInput', { lost: [uuidOf('target')] }),
    ...of('ChangedProviderInput', { resourceProvider: uuidOf('cn1'), removedResourceClasses: [], addedTraits: [], removedTraits: [] }),
    ...{
      root: uuidOf('tree'),
      'ApplyProviderTreeInput.removed': [],
      'DesiredProviderInput.uuid': uuidOf('tree'),
      'DesiredProviderInput.name': 'tree',
      'DesiredProviderInput.parentName': null,
      'DesiredProviderInput.traits': ['CUSTOM_A'],
    },
  },
};

/** These keys are only compared, so any text is accepted and finds nothing. */
const onlyCompared = /^Query\.node/;

interface Payload {
  readonly userErrors?: readonly { readonly code: string; readonly message: string; readonly path: readonly string[] }[];
}

const insides =
  /\b(relation|constraint|syntax error at|sqlstate|pg_\w+|drizzle|failed query|node_modules|apply_write|invalid input syntax|ECONN\w+)\b|\.ts:\d|\bat \w+ \(/i;

function userErrorsOf({ data }: GatewayAnswer<Record<string, Payload | null>>) {
  return Object.values(data ?? {}).flatMap((payload) => payload?.userErrors ?? []);
}

/** The fault of an answer, in one line; null if there is none. */
function faultOf(place: Place, json: string, answer: GatewayAnswer<Record<string, Payload | null>>, isLiteral: boolean): string | null {
  const { status, text, errors = [] } = answer;
  const codes = errors.map(({ extensions }) => extensions?.code);
  const userErrors = userErrorsOf(answer);
  const isRefused = errors.length > 0 || userErrors.length > 0;
  if (isRefused) refused.add(answer.requestId);
  if (status >= 500) return `status ${status}`;
  if (codes.some((code) => code === undefined || code === 'INTERNAL_SERVER_ERROR')) return `a bug: ${text.slice(0, 200)}`;
  if (errors.length > 20) return `${errors.length} errors`;
  if (insides.test(text)) return `insides: ${insides.exec(text)?.[0]} in ${text.slice(0, 200)}`;
  if (text.length > 20_000) return `an answer of ${text.length} characters`;
  if (!isRefused && isNoValueOf(place.type, json, place.hasDefault)) return 'accepted, though it is not a value of the type';
  const label = `${place.field} ${place.path.join('.')}`;
  if (!isRefused && isUnstorable(json) && !onlyCompared.test(label)) return 'accepted, though it cannot be stored';
  if (userErrors.some(({ code, path }) => code === 'INVALID_INPUT' && path.length === 0)) return `a refusal without a path: ${text}`;
  if (!isLiteral && errors.some(({ extensions }) => extensions.code === 'BAD_USER_INPUT') && !errors.some(namesPlace))
    return `an error without a place: ${text.slice(0, 300)}`;
  return null;
}

function namesPlace({ message, extensions }: NonNullable<GatewayAnswer<unknown>['errors']>[number]): boolean {
  const { problems, path } = extensions;
  return (
    (problems?.every((problem) => problem.path.length > 0 || /\bone of uuid and name\b/.test(message)) ?? false) ||
    path !== undefined ||
    /^(Variable "\$v"|Argument "\w+")/.test(message)
  );
}

/** The ways in which a place is attacked. */
interface Force {
  /** In a variable. */
  readonly values: readonly HostileValue[];
  /** As a literal, too, and with the other executor. */
  readonly everyWay: readonly HostileValue[];
}

async function attack(place: Place, { values, everyWay }: Force): Promise<string[]> {
  const faults: string[] = [];
  const send = async (executor: ExecutorName, { name, json }: HostileValue, document: string, variables: string) => {
    const gateway = gateways.get(executor) as Gateway;
    const answer = await gateway.ask<Record<string, Payload | null>>(document, variables);
    const fault = faultOf(place, json, answer, variables === '{}');
    if (fault) faults.push(`${place.path.join('.')} = ${name}${variables === '{}' ? ' (literal)' : ''}, ${executor}: ${fault}`);
    return !answer.errors?.some(({ extensions }) => /^GRAPHQL_(PARSE|VALIDATION)_FAILED$/.test(extensions.code));
  };
  const sendVariable = (executor: ExecutorName) => (value: HostileValue) =>
    send(executor, value, place.document, `{"v":${place.argumentWith(value.json)}}`);
  await inParallel(values, 6, sendVariable('jit'));
  await inParallel(everyWay, 6, sendVariable('graphql-js'));
  await inParallel(everyWay, 6, async (value) => {
    const document = place.documentWith(value.json);
    // What validation refuses is never compiled.
    for (let hit = 0, isValid = true; isValid && hit < hitsUntilCompiled; hit += 1) isValid = await send('jit', value, document, '{}');
  });
  return faults;
}

const placesByField = new Map<string, Place[]>();
for (const type of ['Query', ...Object.keys(contract.reach), 'Mutation']) {
  for (const place of placesOf(contract, type)) placesByField.set(place.field, [...(placesByField.get(place.field) ?? []), place]);
}
const seenKeys = new Set<string>();
/** Scalars by their names, enums and inputs by what they are, with what is required and listed. */
const seenKinds = new Set<string>();

/**
 * All values where a kind of type is new in the contract. Elsewhere what the type accepts, because each field uses it differently, and the worst of what the type
 * refuses, because it refuses the same everywhere. Only the worst where the same input was attacked in another field. Every way where the kind is new, and the
 * worst in every way where the type is new in this field.
 */
function forceFor(place: Place, seenInField: Set<string>): Force {
  if (seenKeys.has(place.key)) return { values: worstHostileValues, everyWay: [] };
  const [type, named] = [String(place.type), getNamedType(place.type)];
  const kind = type.replace(named.name, isScalarType(named) ? named.name : named.constructor.name);
  const isNew = !seenKinds.has(kind);
  const isNewInField = !seenInField.has(type);
  seenKeys.add(place.key);
  seenInField.add(type);
  seenKinds.add(kind);
  if (isNew) return { values: hostileValues, everyWay: someHostileValues };
  const isWorthwhile = (value: HostileValue) =>
    worstHostileValues.includes(value) || !isNoValueOf(place.type, value.json, place.hasDefault);
  return { values: hostileValues.filter(isWorthwhile), everyWay: isNewInField ? worstHostileValues : [] };
}

test.each([...placesByField])(
  'nothing hostile gets through %s',
  async (_field, places) => {
    const faults: string[] = [];
    const seenInField = new Set<string>();
    for (const place of places) faults.push(...(await attack(place, forceFor(place, seenInField))));
    expect(faults).toEqual([]);
    expect(bugs).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  },
  400_000,
);

test.each([
  ...['Rechner \u05d0\u05d1\u200f', 'e\u0301 is not \u00e9', '🦆👩‍👩‍👧', 'a\u200bb', '\u202e'],
  ...['%_\\%', "'; --", '$name', '<script>', 'line\nbreak\ttab'],
])('the name %j is returned as it was sent, and finds its provider', async (name) => {
  const gateway = gateways.get('jit') as Gateway;
  const created = await gateway.data(
    'mutation ($name: String!) { createResourceProvider(input: { name: $name }) { resourceProvider { name } } }',
    {
      name,
    },
  );
  expect(created).toEqual({ createResourceProvider: { resourceProvider: { name } } });
  const found = await gateway.data(
    `query ($name: String!) { resourceProvider(name: $name) { name }
      resourceProviders(filter: { nameContains: $name, names: [$name] }) { nodes { name } } }`,
    { name },
  );
  expect(found).toEqual({ resourceProvider: { name }, resourceProviders: { nodes: [{ name }] } });
});

test('a megabyte in a document is not echoed', async () => {
  const gateway = gateways.get('jit') as Gateway;
  const { status, text } = await gateway.ask(`{ resourceProvider(uuid: "${'x'.repeat(1 << 20)}") { name } }`);
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(5000);
});

test('a page with last costs the same as one with first', async () => {
  const gateway = gateways.get('jit') as Gateway;
  for (const end of ['first', 'last']) {
    const { status, errors } = await gateway.ask(
      `{ resourceProviders(${end}: 1000) { nodes { heldHere(first: 1000) { nodes { amount } } } } }`,
    );
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'COST_LIMIT_EXCEEDED']);
  }
});

test('more classes than any provider has are refused', async () => {
  const gateway = gateways.get('jit') as Gateway;
  const query = 'query ($classes: [String!]) { resourceProviders { nodes { inventories(resourceClasses: $classes) { total } } } }';
  expect((await gateway.ask(query, { classes: Array(100).fill('VCPU') })).errors).toBeUndefined();
  expect((await gateway.ask(query, { classes: Array(101).fill('VCPU') })).errors?.[0]?.extensions).toMatchObject({
    ...{ code: 'BAD_USER_INPUT', problems: [{ code: 'INVALID_INPUT', path: ['resourceClasses'] }] },
  });
});

test('sums are capped at 53 bits', async () => {
  const gateway = gateways.get('jit') as Gateway;
  for (const provider of ['cn1', 'numa0']) {
    const inventory = { resourceClass: 'VGPU', total: 2 ** 31 - 1, allocationRatio: 3.4e38 };
    await gateway.data('mutation ($input: SetInventoryInput!) { setInventory(input: $input) { userErrors { message } } }', {
      input: { resourceProvider: uuidOf(provider), expect: { unchecked: true }, inventory },
    });
  }
  const sums = '{ capacity free freeUsable utilization }';
  const { resourceClass } = await gateway.data(`{ resourceClass(name: "VGPU") { cloudTotal ${sums} } totals { own ${sums} } }`);
  expect(resourceClass).toEqual({
    cloudTotal: { capacity: Number.MAX_SAFE_INTEGER, free: Number.MAX_SAFE_INTEGER, freeUsable: Number.MAX_SAFE_INTEGER, utilization: 0 },
  });
});

test('no refused request has written anything, and the ledger is consistent', async () => {
  const { events } = await dumpTables(database.db);
  expect(refused.size).toBeGreaterThan(5000);
  expect(events?.length).toBeGreaterThan(100);
  const writers = await database.db.sql<{ id: string }[]>`select request_id as id from events`;
  expect(writers.filter(({ id }) => refused.has(id))).toEqual([]);
  await expectSoundLedger(database.db);
});
