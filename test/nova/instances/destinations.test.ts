// A scheduler that finds hosts by Placement, after the documents "resource-providers-scheduler" and "request traits in nova": a
// flavor becomes a request, pre-filters restrict it, the result is claimed. As a client sends it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { byFlavor } from '../../support/destinations.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy, heldOf } from '../../support/held.ts';
import { clearSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];

const small = { fields: { vcpus: 2, memoryMb: 1024, rootGb: 10 } };
const vm = (name: string) => ({ instance: uuidOf(name), project: 'p1', user: 'u1' });
const withSpecs = ({ fields }: { fields: object }, specs: Readonly<Record<string, string>>) => ({
  fields: { ...fields, extraSpecs: Object.entries(specs).map(([key, value]) => ({ key, value })) },
});
interface Host {
  readonly computeNode: { readonly id: string; readonly uuid: string; readonly hypervisorHostname: string } | null;
  readonly candidate: { readonly root: { readonly uuid: string } };
}
const held = (consumer: string) => heldBy(database.db, consumer);

/** The hosts of instances, by name. */
async function select(input: object): Promise<{ hosts: string[]; warnings: object[]; userErrors: readonly Record<string, unknown>[] }> {
  const fields = 'warnings { code message subject } destinations { selected { computeNode { hypervisorHostname } } }';
  const { destinations, warnings, userErrors } = await write('selectDestinations', byFlavor({ alternates: 0, ...input }), fields);
  const hosts = (destinations as { selected: { computeNode: { hypervisorHostname: string } } }[]).map(
    ({ selected }) => selected.computeNode.hypervisorHostname,
  );
  return { hosts, warnings: warnings as object[], userErrors };
}

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  await plantTrees(
    database.db,
    `
    off     VCPU 64, MEMORY_MB 65536, DISK_GB 640   COMPUTE_NODE COMPUTE_STATUS_DISABLED
    cn1     VCPU 4, MEMORY_MB 8192, DISK_GB 100     COMPUTE_NODE                          @east
    cn2     VCPU 4, MEMORY_MB 8192, DISK_GB 100     COMPUTE_NODE HW_CPU_X86_AVX2          @west
    cn3     VCPU 4, MEMORY_MB 8192, DISK_GB 100     COMPUTE_NODE HW_CPU_X86_AVX2          @west
      gpu1  VGPU 1
      gpu2  VGPU 1
    iron    GOLD 1                                  COMPUTE_NODE
    `,
  );
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => gateway.close());

describe('a destination', () => {
  test('has room for the flavor, is claimed, and is not disabled', async () => {
    expect(await select({ instances: [vm('vm')], flavor: small })).toMatchObject({ hosts: ['cn1'], userErrors: [] });
    expect(await held('vm')).toEqual({ cn1: { VCPU: 2, MEMORY_MB: 1024, DISK_GB: 10 } });
  });

  test.each([
    ['a required trait', withSpecs(small, { 'trait:HW_CPU_X86_AVX2': 'required' }), {}, 'cn2'],
    ['a forbidden trait', withSpecs(small, { 'trait:HW_CPU_X86_AVX2': 'forbidden' }), { aggregates: { noneOf: uuidOf('nowhere') } }, 'cn1'],
    ['a trait of the image', small, { imageTraits: ['HW_CPU_X86_AVX2'] }, 'cn2'],
    [
      'a property of the image that requires a trait',
      small,
      { imageProperties: [{ key: 'trait:HW_CPU_X86_AVX2', value: 'required' }] },
      'cn2',
    ],
    ['a zone', small, { aggregates: { anyOf: uuidOf('west') } }, 'cn2'],
    ['a resource beside the sizes', withSpecs(small, { 'resources:VGPU': '1' }), {}, 'cn3'],
    ['least free memory', small, { orderBy: [{ field: 'FREE', resourceClass: 'MEMORY_MB' }] }, 'cn1'],
    [
      'bare metal, whose sizes do not count',
      withSpecs(small, { 'resources:VCPU': '0', 'resources:MEMORY_MB': '0', 'resources:DISK_GB': '0', 'resources:CUSTOM_GOLD': '1' }),
      {},
      'iron',
    ],
    ['a volume for its root disk', { fields: { ...small.fields, rootGb: 1000 } }, { bootedFromVolume: true }, 'cn1'],
  ])('is chosen by %s', async (_, flavor, rest, host) => {
    expect(await select({ instances: [vm('vm')], flavor, ...rest })).toMatchObject({ hosts: [host], userErrors: [] });
  });

  test('serves numbered groups from different devices if they must be isolated', async () => {
    const flavor = withSpecs(small, { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'isolate' });
    expect((await select({ instances: [vm('vm')], flavor })).hosts).toEqual(['cn3']);
    expect(await heldOf(database.db, 'VGPU')).toEqual({ gpu1: 1, gpu2: 1 });
  });

  test('serves groups of ports and device profiles, too', async () => {
    const otherGroups = [{ suffix: '_port1', resources: [{ resourceClass: 'VGPU', amount: 1 }] }];
    expect((await select({ instances: [vm('vm')], flavor: small, otherGroups })).hosts).toEqual(['cn3']);
    expect(await heldOf(database.db, 'VGPU')).toEqual({ gpu1: 1 });
  });
});

describe('several instances at once', () => {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'];

  test('do not use the same room twice, and are returned in the given order', async () => {
    expect((await select({ instances: six.map(vm), flavor: small })).hosts.toSorted()).toEqual(['cn1', 'cn1', 'cn2', 'cn2', 'cn3', 'cn3']);
    expect(await heldOf(database.db, 'VCPU')).toEqual({ cn1: 4, cn2: 4, cn3: 4 });
  });

  test('get nothing if one of them gets nothing', async () => {
    expect(await refusal('selectDestinations', byFlavor({ instances: [...six, 'g'].map(vm), flavor: small }))).toMatchObject({
      code: 'NO_CANDIDATES',
      path: ['instances', '6'],
      retry: 'LATER',
    });
  });

  test('with BEST_EFFORT get what is available, and the others get the reasons', async () => {
    const { hosts, userErrors } = await select({ instances: [...six, 'g'].map(vm), flavor: small, mode: 'BEST_EFFORT' });
    expect(hosts).toHaveLength(6);
    expect(userErrors).toMatchObject([{ code: 'NO_CANDIDATES', path: ['instances', '6'] }]);
  });

  test('from many schedulers never get more than the capacity, and none is refused while there is room', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => select({ instances: [vm(`vm${index}`)], flavor: small })));
    expect(outcomes.flatMap(({ hosts }) => hosts).toSorted()).toEqual(['cn1', 'cn1', 'cn2', 'cn2', 'cn3', 'cn3']);
    expect(await heldOf(database.db, 'VCPU')).toEqual({ cn1: 4, cn2: 4, cn3: 4 });
  });
});

test('no valid host: the answer names the condition that left none', async () => {
  const input = byFlavor({ instances: [vm('vm')], flavor: { fields: { ...small.fields, memoryMb: 9000 } }, alternates: 0 });
  const { payload } = await gateway.data<{ payload: { userErrors: { message: string; explanation: { steps: object[] } }[] } }>(
    `mutation ($input: SelectDestinationsInput!) { payload: selectDestinations(input: $input) {
      userErrors { message ... on NoCandidates { explanation { steps { filter rootsBefore rootsAfter } } } } } }`,
    { input },
  );
  const [error] = payload.userErrors;
  expect(error?.message).toContain('MEMORY_MB');
  expect(error?.explanation.steps).toContainEqual({ filter: expect.stringContaining('9,000 MEMORY_MB'), rootsBefore: 3, rootsAfter: 0 });
});

test('the compute nodes of all instances and alternates are read with one statement', async () => {
  const host = '{ computeNode { id uuid hypervisorHostname vcpusUsed } candidate { root { uuid } } }';
  const statementsOf = async (instances: readonly string[]) => {
    database.statements.length = 0;
    const fields = `destinations { selected ${host} alternates ${host} }`;
    const { destinations } = await write(
      'selectDestinations',
      byFlavor({ instances: instances.map(vm), flavor: small, alternates: 2 }),
      fields,
    );
    return { destinations: destinations as { selected: Host; alternates: Host[] }[], statements: database.statements.length };
  };
  const one = await statementsOf(['vm']);
  expect(one.destinations[0]?.selected.computeNode).toMatchObject({ hypervisorHostname: 'cn1', vcpusUsed: 2 });
  const all = [one.destinations[0]?.selected, ...(one.destinations[0]?.alternates ?? [])];
  expect(all.map((found) => found?.computeNode?.uuid)).toEqual(all.map((found) => found?.candidate.root.uuid));
  const id = all[2]?.computeNode?.id;
  const { node } = await gateway.data('query ($id: ID!) { node(id: $id) { ... on ComputeNode { hypervisorHostname } } }', { id });
  expect(node).toEqual({ hypervisorHostname: all[2]?.computeNode?.hypervisorHostname });
  await clearSoundLedger(database.db);
  expect((await statementsOf(['v1', 'v2', 'v3'])).statements).toBe(one.statements);
});

test('a host that is not marked as a compute node is not one', async () => {
  await plantTrees(database.db, 'bare  GOLD 8');
  const flavor = withSpecs({ fields: { vcpus: 0, memoryMb: 0 } }, { 'resources:CUSTOM_GOLD': '5' });
  const { destinations } = await write(
    'selectDestinations',
    byFlavor({ instances: [vm('vm')], flavor }),
    'destinations { selected { computeNode { uuid } candidate { root { name } } } }',
  );
  expect(destinations).toEqual([{ selected: { computeNode: null, candidate: { root: { name: 'bare' } } } }]);
});

describe('a part that is not in the request', () => {
  const cellUnknown = expect.objectContaining({ code: 'CELL_UNKNOWN' });

  test('causes a warning: unknown extra specs, and owners while some compute service does not report them', async () => {
    const { hosts, warnings } = await select({ instances: [vm('vm')], flavor: withSpecs(small, { 'resources:CUSTOM_': '1' }) });
    expect(hosts).toEqual(['cn1']);
    expect(warnings).toEqual([
      { code: 'EXTRA_SPEC_LEFT_OUT', message: expect.stringContaining('resources:CUSTOM_'), subject: 'resources:CUSTOM_' },
      { code: 'OWNERS_NOT_CHECKED', message: expect.stringContaining('no compute has reported its version'), subject: null },
      cellUnknown,
    ]);
  });

  test('becomes a condition as soon as every compute service reports owners: hosts without an owner are excluded', async () => {
    await plantTrees(database.db, 'owned  VCPU 8, MEMORY_MB 8192, DISK_GB 100  COMPUTE_NODE OWNER_NOVA');
    for (const host of ['off', 'cn1', 'cn2', 'cn3', 'iron', 'owned']) {
      await write('reportService', { service: { fields: { host, binary: 'nova-compute', version: 73 } } });
    }
    const { hosts, warnings } = await select({ instances: [vm('vm')], flavor: small });
    expect({ hosts, warnings }).toMatchObject({
      hosts: ['owned'],
      warnings: [{ message: expect.stringContaining('5 compute nodes') }, cellUnknown],
    });
    await write('reportService', { service: { fields: { host: 'old', binary: 'nova-compute', version: 60 } } });
    expect(await select({ instances: [vm('other')], flavor: small, orderBy: { field: 'CREATED_AT' } })).toMatchObject({
      hosts: ['cn1'],
      warnings: [{ message: expect.stringContaining('the oldest has ') }, cellUnknown],
    });
  });
});

describe('an invalid request is refused and changes nothing', () => {
  test.each([
    ['an instance with allocations', { instances: [vm('busy')] }, 'CONSUMER_CONFLICT', ['instances', '0']],
    ['an instance given twice', { instances: [vm('vm'), vm('vm')] }, 'INVALID_INPUT', ['instances', '1', 'instance']],
    ['no instance', { instances: [] }, 'INVALID_INPUT', ['instances']],
    [
      'a flavor without sizes',
      { flavor: { fields: { vcpus: 1, memoryMb: -1 } } },
      'INVALID_INPUT',
      ['requestFrom', 'flavorToRequest', 'flavor', 'fields', 'memoryMb'],
    ],
    ['an unknown trait', { flavor: withSpecs(small, { 'trait:CUSTOM_NONE': 'required' }) }, 'NOT_FOUND', ['requestFrom']],
    ['too many alternates', { alternates: 21 }, 'INVALID_INPUT', ['alternates']],
    ['an order without its class', { orderBy: { field: 'FREE' } }, 'INVALID_INPUT', ['orderBy', '0', 'resourceClass']],
    ['a zone both required and forbidden', { aggregates: { allOf: uuidOf('a'), noneOf: uuidOf('a') } }, 'INVALID_INPUT', ['aggregates']],
  ])('for %s', async (_, rest, code, path) => {
    await createSeed(database.db).claim('busy', { cn1: { VCPU: 1 } });
    expect(await refusal('selectDestinations', byFlavor({ instances: [vm('vm')], flavor: small, ...rest }))).toMatchObject({ code, path });
  });
});
