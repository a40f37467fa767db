// The settings of the cloud: how they are kept, and that calls which omit an argument use them.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/sql/client.ts';
import { auditComputeNode } from '../../../src/nova/audits/compute-node-audits.ts';
import { prepareSearch } from '../../../src/nova/instances/destination-search.ts';
import { selectDestinations } from '../../../src/nova/instances/destinations.ts';
import { claimInstance } from '../../../src/nova/instances/instances.ts';
import { drainPlan } from '../../../src/nova/plans/drain-plan.ts';
import { whatIf } from '../../../src/nova/plans/what-if.ts';
import { translateFlavor, translateRequestSpec } from '../../../src/nova/requests/translations.ts';
import { type NovaSettings, readCloud, replaceNovaSettings } from '../../../src/nova/settings/nova-settings.ts';
import { MutationCall } from '../../../src/operations/request/mutation-call.ts';
import { useDatabase } from '../../support/database.ts';
import { heldBy } from '../../support/held.ts';
import { countEvents, expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';
import { requestSpecOf } from '../requests/nova-request-spec.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
const unchecked = { unchecked: true } as const;
const set = (settings: NovaSettings, expectation: object = unchecked) => replaceNovaSettings(scope(), { expect: expectation, settings });

beforeAll(async () => {
  await plantTrees(
    database.db,
    `
    cn1      VCPU 8, MEMORY_MB 8192, DISK_GB 100   COMPUTE_NODE   @east
      card1  GOLD 2
    cn2      VCPU 8, MEMORY_MB 8192, DISK_GB 100   COMPUTE_NODE   @west
      card2  SILVER 2
    `,
  );
});
afterEach(async () => {
  await set({});
  await expectSoundLedger(database.db);
});

const alias = (resourceClass: string) => ({ inPlacement: true, aliases: [{ name: 'card', resourceClass }] });
const flavorWith = (extraSpecs: Readonly<Record<string, string>> = {}) => ({
  fields: { vcpus: 1, memoryMb: 512, rootGb: 1, extraSpecs: Object.entries(extraSpecs).map(([key, value]) => ({ key, value })) },
});
const withCard = flavorWith({ 'pci_passthrough:alias': 'card:1' });
const classesOf = (groups: readonly { readonly resources?: readonly { readonly resourceClass: string }[] | null | undefined }[]) =>
  groups.flatMap(({ resources }) => (resources ?? []).map(({ resourceClass }) => resourceClass)).slice(3);
const codesOf = (warnings: readonly { readonly code: string; readonly subject: string | null }[]) =>
  warnings.filter(({ code }) => code !== 'OWNERS_NOT_CHECKED').map(({ code, subject }) => `${code} ${subject}`);
const zones = [
  { aggregate: uuidOf('east'), metadata: [{ key: 'availability_zone', value: 'az-east' }] },
  { aggregate: uuidOf('west'), metadata: [{ key: 'filter_tenant_id', value: 'p2' }] },
];

describe('the settings', () => {
  test('are replaced as a whole, and each replacement is counted and has an event', async () => {
    const { generation } = await set({ cells: [uuidOf('east')], weightMultipliers: { ram: 2 } });
    expect(await set({ cells: [uuidOf('west')] }, { generation })).toMatchObject({ generation: generation + 1, weightMultipliers: null });
    expect((await readCloud(scope())).settings).toMatchObject({
      generation: generation + 1,
      cells: [uuidOf('west')],
      weightMultipliers: null,
    });
    expect(await newestEvent(database.db)).toMatchObject({ kind: 'REPLACE_SETTINGS', user: 'admin' });
  });

  test('are not written when they are the same', async () => {
    const first = await set({ cells: [uuidOf('east')] });
    const events = await countEvents(database.db);
    expect(await set({ cells: [uuidOf('east')] }, { generation: first.generation })).toEqual(first);
    expect(await countEvents(database.db)).toBe(events);
  });

  test('are not replaced by a caller that has read older ones', async () => {
    const { generation } = await set({ cells: [uuidOf('east')] });
    expect(await refusalOf(database.db, () => set({}, { generation: generation - 1 }))).toEqual([
      { code: 'SETTINGS_CONFLICT', path: ['expect'], details: { expected: generation - 1, actual: generation } },
    ]);
  });

  test('are replaced although an import has taken their uuid for others', async () => {
    await set({ cells: [] });
    const { sql, writes } = database.db;
    const [known] = await sql<{ kind: string; uuid: string; body: object }[]>`select kind, uuid, body from records`;
    await writes`delete from records`;
    await writes`insert into records (kind, name, uuid, body) values (${known?.kind ?? ''}, 'crafted', ${known?.uuid ?? ''}, '{}')`;
    expect(await set({ cells: null })).toMatchObject({ generation: 1 });
    expect(await set({ cells: [] })).toMatchObject({ generation: 2 });
    const kept = await sql<{ key: string }[]>`select kind || ' ' || uuid as key from records where name <> 'crafted'`;
    expect(Object.keys((await newestEvent(database.db)).changes.records ?? {})).toEqual(kept.map(({ key }) => key));
    await writes`delete from records where name = 'crafted'`;
  });

  test('of several first replacements at once are those of one', async () => {
    await database.db.writes`delete from records where kind = 'nova_settings'`;
    await database.db.writes`delete from events where kind = 'REPLACE_SETTINGS'`;
    const tries = await Promise.allSettled(['a', 'b', 'c', 'd'].map((cell) => set({ cells: [uuidOf(cell)] }, { generation: 0 })));
    const [won, ...others] = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(others).toEqual([]);
    expect((await readCloud(scope())).settings).toEqual(won);
  });

  test('are those of any gateway at once, and cost no statement of their own', async () => {
    const other = openDatabase(database.target);
    try {
      await translateFlavor(scopeOf(other), { flavor: withCard });
      await set({ pciPassthrough: alias('CUSTOM_GOLD') });
      expect(classesOf((await translateFlavor(scopeOf(other), { flavor: withCard })).request.groups)).toEqual(['CUSTOM_GOLD']);
    } finally {
      await other.close();
    }
    for (const settings of [{}, { pciPassthrough: alias('CUSTOM_GOLD') }]) {
      await set(settings);
      await translateFlavor(scope(), { flavor: withCard });
      database.statements.length = 0;
      await translateFlavor(scope(), { flavor: withCard });
      expect(database.statements).toHaveLength(1);
    }
  });

  test.each<[what: string, settings: NovaSettings, path: readonly (string | number)[]]>([
    ['an alias without a device', { pciPassthrough: { aliases: [{ name: 'card' }] } }, ['pciPassthrough', 'aliases', '0']],
    ['a device profile given twice', { deviceProfiles: ['a', 'a'].map((name) => ({ name, groups: [] })) }, ['deviceProfiles', '1', 'name']],
    [
      'a device profile with an empty group',
      { deviceProfiles: [{ name: 'a', groups: [{ properties: [] }] }] },
      ['deviceProfiles', '0', 'groups', '0', 'properties'],
    ],
    [
      'metadata with a key given twice',
      { prefilters: { hostAggregates: [{ aggregate: uuidOf('east'), metadata: ['1', '2'].map((value) => ({ key: 'a', value })) }] } },
      ['prefilters', 'hostAggregates', '0', 'metadata', '1', 'key'],
    ],
    ['too many cells', { cells: Array.from({ length: 1001 }, (_, index) => uuidOf(`cell ${index}`)) }, ['cells']],
  ])('are checked as those of a call: %s', async (_what, settings, path) => {
    expect(await refusalOf(database.db, () => set(settings))).toMatchObject([{ code: 'INVALID_INPUT', path: ['settings', ...path] }]);
  });
});

describe('a flavor', () => {
  test('takes the meaning of its aliases from the settings, unless the call gives some', async () => {
    expect(codesOf((await translateFlavor(scope(), { flavor: withCard })).warnings)).toEqual([
      'EXTRA_SPEC_NOT_CHECKED pci_passthrough:alias',
    ]);
    await set({ pciPassthrough: alias('CUSTOM_GOLD') });
    const { request, warnings } = await translateFlavor(scope(), { flavor: withCard });
    expect([classesOf(request.groups), codesOf(warnings)]).toEqual([['CUSTOM_GOLD'], []]);
    const given = await translateFlavor(scope(), { flavor: withCard, pciPassthrough: alias('CUSTOM_SILVER') });
    expect(classesOf(given.request.groups)).toEqual(['CUSTOM_SILVER']);
    const unknown = flavorWith({ 'pci_passthrough:alias': 'disk:1' });
    expect(await refusalOf(database.db, () => translateFlavor(scope(), { flavor: unknown }))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['flavor'] },
    ]);
  });

  test('takes its device profile from the settings, unless the call gives one', async () => {
    const groupsOf = (resourceClass: string) => [{ properties: [{ key: `resources:${resourceClass}`, value: '1' }] }];
    await set({ deviceProfiles: [{ name: 'fpga', groups: groupsOf('FPGA') }] });
    const flavor = flavorWith({ 'accel:device_profile': 'fpga' });
    const { request, warnings } = await translateFlavor(scope(), { flavor });
    expect([classesOf(request.groups), codesOf(warnings)]).toEqual([['FPGA'], []]);
    const given = await translateFlavor(scope(), { flavor, deviceProfile: groupsOf('VGPU') });
    expect(classesOf(given.request.groups)).toEqual(['VGPU']);
    const other = await translateFlavor(scope(), { flavor: flavorWith({ 'accel:device_profile': 'other' }) });
    expect(codesOf(other.warnings)).toEqual(['EXTRA_SPEC_NOT_CHECKED accel:device_profile']);
  });

  test('is filtered as the settings say, by the zone and the project of the call, unless it gives pre-filters', async () => {
    await set({ prefilters: { projectAggregates: true, hostAggregates: zones } });
    const filtered = async (call: object) => {
      const { request, warnings } = await translateFlavor(scope(), { flavor: flavorWith(), ...call });
      return { aggregates: request.groups[0]?.aggregates ?? [], warnings: codesOf(warnings) };
    };
    const [east, west] = ['east', 'west'].map((name) => ({ anyOf: [uuidOf(name)] }));
    expect(await filtered({ availabilityZone: 'az-east', project: 'p2' })).toEqual({ aggregates: [west, east], warnings: [] });
    expect(await filtered({ project: 'p1' })).toEqual({ aggregates: [], warnings: [] });
    expect(await filtered({})).toEqual({ aggregates: [], warnings: ['POLICY_WITHOUT_EFFECT project'] });
    expect(await filtered({ availabilityZone: 'az-east', prefilters: { hostAggregates: [] } })).toMatchObject({ aggregates: [] });
  });

  test('of a caller that is limited to its project is translated without the settings', async () => {
    await set({ pciPassthrough: alias('CUSTOM_GOLD') });
    const limited = scope();
    limited.ownProject = 'p1';
    expect(codesOf((await translateFlavor(limited, { flavor: withCard })).warnings)).toEqual([
      'EXTRA_SPEC_NOT_CHECKED pci_passthrough:alias',
    ]);
  });
});

test('a RequestSpec is filtered as the settings say, for its own zone and project, and its devices are groups if cards are providers', async () => {
  const requestSpec = requestSpecOf({
    availabilityZone: 'az-east',
    project: 'p2',
    pciRequests: [{ id: uuidOf('request'), alias: 'card', spec: { resource_class: 'CUSTOM_GOLD' } }],
  });
  expect(classesOf((await translateRequestSpec(scope(), { requestSpec })).request.groups)).toEqual([]);
  await set({ pciPassthrough: alias('CUSTOM_SILVER'), prefilters: { projectAggregates: true, hostAggregates: zones } });
  const { request } = await translateRequestSpec(scope(), { requestSpec });
  expect(classesOf(request.groups)).toEqual(['CUSTOM_GOLD']);
  expect(request.groups[0]?.aggregates).toEqual([{ anyOf: [uuidOf('west')] }, { anyOf: [uuidOf('east')] }]);
});

test('a search for destinations takes cells and the project from the settings and the instances, unless the call gives them', async () => {
  await set({ cells: [uuidOf('east')], prefilters: { projectAggregates: true, hostAggregates: zones } });
  const search = (rest: object = {}, isRepeated = false) => {
    const instances = [{ instance: uuidOf('vm'), project: 'p2', user: 'u1' }];
    return prepareSearch(scope(), { instances, requestFrom: { flavorToRequest: { flavor: flavorWith() } }, ...rest }, { isRepeated });
  };
  const { cells, request } = await search();
  expect([cells, request.groups[0]?.aggregates]).toEqual([[uuidOf('east')], [{ anyOf: [uuidOf('west')] }]]);
  expect((await search({ cells: [uuidOf('west')] })).cells).toEqual([uuidOf('west')]);
  const ofTwo = ['p1', 'p2'].map((project) => ({ instance: uuidOf(project), project, user: 'u1' }));
  expect(await refusalOf(database.db, () => search({ instances: ofTwo }))).toMatchObject([{ code: 'INVALID_INPUT', path: ['instances'] }]);
  const repeated = await search({}, true);
  expect([repeated.cells, repeated.request.groups[0]?.aggregates]).toEqual([[], undefined]);
});

describe('what an instance holds', () => {
  const hosted = (name: string, flavor = withCard) => ({
    instanceRecord: { fields: { uuid: uuidOf(name), project: 'p1', user: 'u1', flavor } },
  });
  const sizes = { VCPU: 1, MEMORY_MB: 512, DISK_GB: 1 };

  test('includes the devices that the settings know, in claims and audits', async () => {
    await set({ pciPassthrough: alias('CUSTOM_GOLD') });
    await claimInstance(scope(), { hostedInstance: hosted('vm'), computeNode: uuidOf('cn1') });
    expect(await heldBy(database.db, 'vm')).toEqual({ cn1: sizes, card1: { CUSTOM_GOLD: 1 } });
    const audit = { computeNode: uuidOf('cn1'), host: 'cn1', instances: [hosted('vm')] };
    expect((await auditComputeNode(scope(), audit)).instances).toMatchObject([{ state: 'RIGHT' }]);
    await set({});
    expect((await auditComputeNode(scope(), audit)).instances).toMatchObject([{ state: 'WRONG' }]);
    await set({ pciPassthrough: { aliases: [{ name: 'other', vendorId: '8086', productId: '10fb' }] } });
    expect((await auditComputeNode(scope(), audit)).instances).toMatchObject([{ state: 'WRONG' }]);
  });

  test('costs an audit a statement for the settings only if a flavor names devices', async () => {
    const count = async (flavor: typeof withCard) => {
      database.statements.length = 0;
      await auditComputeNode(scope(), { computeNode: uuidOf('cn2'), host: 'cn2', instances: [hosted('none', flavor)] });
      return database.statements.length;
    };
    await readCloud(scope());
    expect((await count(withCard)) - (await count(flavorWith()))).toBe(1);
  });

  test('is repaired by a repeated audit with the settings of the first call', async () => {
    await set({ pciPassthrough: alias('CUSTOM_SILVER') });
    const input = { computeNode: uuidOf('cn2'), host: 'cn2', instances: [hosted('vm2')], repair: true };
    const audit = async () => {
      const gateway = scope();
      gateway.mutation = new MutationCall('auditComputeNode', { ...input, idempotencyKey: 'k' }, gateway.identity);
      await auditComputeNode(gateway, input);
      return heldBy(database.db, 'vm2');
    };
    const first = await audit();
    expect(first).toEqual({ cn2: sizes, card2: { CUSTOM_SILVER: 1 } });
    // As if the first call had ended before it wrote.
    await createSeed(database.db).write('release_allocations', { consumers: [{ uuid: uuidOf('vm2'), expect: {}, allocations: [] }] });
    await database.db.writes`delete from idempotency_keys where operation <> 'auditComputeNode found'`;
    await set({});
    expect(await audit()).toEqual(first);
  });
});

test('plans and suppositions use the settings', async () => {
  await set({ pciPassthrough: alias('CUSTOM_SILVER') });
  const asks = { flavorToRequest: { flavor: withCard } };
  expect((await whatIf(scope(), { asks, lost: [uuidOf('cn2')] })).after.total).toBe(0);
  const seed = createSeed(database.db);
  await seed.claim('guest', { cn1: { VCPU: 1, MEMORY_MB: 512, DISK_GB: 1 } });
  const { moves } = await drainPlan(scope(), { computeNodes: [uuidOf('cn1')], requests: [{ consumers: [uuidOf('guest')], asks }] });
  expect(moves.map(({ selection }) => selection.candidate.allocations.map(({ resourceProvider }) => resourceProvider.name))).toEqual([
    expect.arrayContaining(['card2']),
  ]);
});

test('hosts are weighed and have cells as the settings say, unless the call gives other multipliers', async () => {
  await createSeed(database.db).claim('large', { cn1: { VCPU: 4, MEMORY_MB: 4096, DISK_GB: 50 } });
  let count = 0;
  const select = async (rest: object = {}) => {
    const instances = [{ instance: uuidOf(`placed ${count++}`), project: 'p1', user: 'u1' }];
    const requestFrom = { flavorToRequest: { flavor: flavorWith() } };
    const { destinations, warnings } = await selectDestinations(scope(), { instances, requestFrom, alternates: 0, ...rest });
    return [...destinations.map(({ selected }) => selected.candidate.root.name), ...codesOf(warnings)];
  };
  expect(await select()).toEqual(['cn2', 'CELL_UNKNOWN null']);
  await set({ cells: [uuidOf('east'), uuidOf('west')], weightMultipliers: { ram: -1, cpu: -1, disk: -1 } });
  expect(await select()).toEqual(['cn1']);
  expect(await select({ weightMultipliers: {} })).toEqual(['cn2']);
});
