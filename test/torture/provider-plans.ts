// The operations on providers, their inventories, traits and aggregates, on classes and traits, and on whole trees, as clients of both surfaces send them.
import type { Dice } from '../support/dice.ts';
import { mutation, type Plan, type Planner, readingsInPayload, rest } from './allocation-plans.ts';
import { type Cloud, pick } from './cloud.ts';
import type { Intent, Reading } from './history.ts';

const shown = 'resourceProvider { uuid generation }';
const traits = ['HW_CPU_X86_AVX2', 'HW_NUMA_ROOT', 'COMPUTE_NODE', 'STORAGE_DISK_SSD'];
const some = <Value>(roll: Dice, values: readonly Value[]) => values.filter(() => roll(2) === 0);

/** The generation of a provider that a client requires, or none. */
function expectation(
  roll: Dice,
  cloud: Cloud,
  provider: string,
): { readonly input: object; readonly intent: Intent; readonly generation: number } {
  const known = cloud.generationOf(provider);
  const generation = known > 0 && roll(6) === 0 ? known - 1 : known;
  if (roll(2) === 0) return { input: { unchecked: true }, intent: {}, generation };
  return { input: { generation }, intent: required(provider, generation), generation };
}

const required = (uuid: string, generation: number): Intent => ({ expected: [{ subject: 'provider', uuid, generation }] });

/** Any provider whose parts may change. */
const changeable = (roll: Dice, cloud: Cloud) => pick(roll, [...cloud.changing, ...cloud.loose]);
/** Any provider, for changes that leave its capacity alone. */
const anyOf = (roll: Dice, cloud: Cloud) => pick(roll, [...cloud.steady, ...cloud.changing, ...cloud.loose]);

const inventoryAtRandom = (roll: Dice, resourceClass = pick(roll, ['VCPU', 'MEMORY_MB', 'DISK_GB'])) => ({
  resourceClass,
  total: 4 + roll(20),
  reserved: roll(3),
  allocationRatio: pick(roll, [1, 1.5, 2]),
});

const bodyOf = ({ total, reserved, allocationRatio }: ReturnType<typeof inventoryAtRandom>) => ({
  total,
  reserved,
  allocation_ratio: allocationRatio,
});

const generationIn =
  (provider: string) =>
  (body: Readonly<Record<string, unknown>>): Reading[] => {
    const generation = body.resource_provider_generation ?? body.generation;
    return typeof generation === 'number' ? [{ subject: 'provider', uuid: provider, generation }] : [];
  };

/** A PUT on a part of a provider with the generation that REST requires. */
function guardedPut(cloud: Cloud, provider: string, path: string, body: object, more: Partial<Plan> = {}): Plan {
  const generation = cloud.generationOf(provider);
  const route = `PUT /resource_providers/${provider}/${path}`;
  const plan = { ...required(provider, generation), ...more };
  return rest(route, { ...body, resource_provider_generation: generation }, plan, generationIn(provider));
}

export const providerPlans: Readonly<Record<string, Planner>> = {
  createResourceProvider: (roll, cloud) => {
    const uuid = pick(roll, cloud.loose);
    const parent = roll(2) === 0 && { parent: pick(roll, [...cloud.loose, ...cloud.steady]) };
    if (roll(2) === 0) return mutation('createResourceProvider', { uuid, name: `loose ${uuid}`, ifExists: 'RETURN' }, shown, {});
    return mutation('createResourceProvider', { uuid, name: `loose ${uuid}`, ...parent }, shown, { alwaysWrites: true });
  },
  updateResourceProvider: (roll, cloud) => {
    const provider = pick(roll, cloud.loose);
    const { input, intent } = expectation(roll, cloud, provider);
    const newParent = roll(3) === 0 ? { none: true } : { resourceProvider: pick(roll, roll(4) === 0 ? cloud.changing : cloud.loose) };
    const change = roll(4) === 0 ? { name: `renamed ${roll(1000)} ${provider}` } : { newParent };
    return mutation('updateResourceProvider', { resourceProvider: provider, expect: input, ...change }, shown, intent);
  },
  deleteResourceProvider: (roll, cloud) => {
    const provider = pick(roll, cloud.loose);
    const { input, intent } = expectation(roll, cloud, provider);
    cloud.replaceLoose(provider);
    return mutation('deleteResourceProvider', { resourceProvider: provider, expect: input }, '', { ...intent, alwaysWrites: true });
  },
  replaceInventories: (roll, cloud) => {
    const provider = changeable(roll, cloud);
    const { input, intent } = expectation(roll, cloud, provider);
    const inventories = [
      inventoryAtRandom(roll, 'VCPU'),
      ...some(roll, ['MEMORY_MB', 'DISK_GB']).map((name) => inventoryAtRandom(roll, name)),
    ];
    return mutation('replaceInventories', { resourceProvider: provider, expect: input, inventories }, shown, {
      ...intent,
      alwaysWrites: true,
    });
  },
  setInventory: (roll, cloud) => {
    const provider = changeable(roll, cloud);
    const { input, intent } = expectation(roll, cloud, provider);
    return mutation('setInventory', { resourceProvider: provider, expect: input, inventory: inventoryAtRandom(roll) }, shown, {
      ...intent,
      alwaysWrites: true,
    });
  },
  patchInventories: (roll, cloud) =>
    mutation(
      'patchInventories',
      {
        select: { filter: { uuids: some(roll, cloud.changing).concat(changeable(roll, cloud)) } },
        resourceClass: 'VCPU',
        patch: pick<object>(roll, [{ total: 6 + roll(12) }, { reserved: roll(4) }, { allocationRatio: pick(roll, [1, 1.5, 2]) }]),
        dryRun: roll(6) === 0,
      },
      '',
    ),
  patchTraits: (roll, cloud) =>
    mutation(
      'patchTraits',
      {
        select: { filter: { uuids: some(roll, cloud.changing).concat(changeable(roll, cloud)) } },
        ...{ add: traits.slice(1, 1 + roll(2)), remove: traits.slice(0, 1) },
        dryRun: roll(6) === 0,
      },
      '',
    ),
  deleteInventory: (roll, cloud) => {
    const provider = changeable(roll, cloud);
    const { input, intent } = expectation(roll, cloud, provider);
    const resourceClass = pick(roll, ['DISK_GB', 'MEMORY_MB']);
    return mutation('deleteInventory', { resourceProvider: provider, expect: input, resourceClass }, shown, {
      ...intent,
      alwaysWrites: true,
    });
  },
  createTrait: (roll) => mutation('createTrait', { name: `CUSTOM_TORTURE_${roll(6)}`, ifExists: 'RETURN' }, ''),
  deleteTrait: (roll) => mutation('deleteTrait', { name: `CUSTOM_TORTURE_${roll(6)}` }, '', { alwaysWrites: true }),
  createResourceClass: (roll) => mutation('createResourceClass', { name: `CUSTOM_TORTURE_${roll(6)}`, ifExists: 'RETURN' }, ''),
  deleteResourceClass: (roll) => mutation('deleteResourceClass', { name: `CUSTOM_TORTURE_${roll(6)}` }, '', { alwaysWrites: true }),
  replaceTraits: (roll, cloud) => {
    const provider = anyOf(roll, cloud);
    const { input, intent } = expectation(roll, cloud, provider);
    return mutation('replaceTraits', { resourceProvider: provider, expect: input, traits: some(roll, traits) }, shown, intent);
  },
  replaceAggregates: (roll, cloud) => {
    const provider = anyOf(roll, cloud);
    const { input, intent } = expectation(roll, cloud, provider);
    return mutation(
      'replaceAggregates',
      { resourceProvider: provider, expect: input, aggregates: some(roll, cloud.aggregates) },
      shown,
      intent,
    );
  },
  nameAggregate: (roll, cloud) =>
    mutation('nameAggregate', { aggregate: pick(roll, cloud.aggregates), name: roll(3) === 0 ? null : `rack ${roll(1000)}` }, ''),
  reshape: (roll, cloud) => {
    const provider = pick(roll, cloud.changing);
    const { input, intent } = expectation(roll, cloud, provider);
    const inventories = [inventoryAtRandom(roll, 'VCPU'), { resourceClass: 'MEMORY_MB', total: 64 }];
    return mutation(
      'reshape',
      { resourceProviders: { resourceProvider: provider, expect: input, inventories } },
      'resourceProviders { uuid generation }',
      {
        ...intent,
        alwaysWrites: true,
      },
    );
  },
  applyProviderTree: (roll, cloud) => {
    const root = pick(roll, cloud.changing);
    const part = (name: string) => ({
      name,
      ...(roll(2) === 0 && { inventories: [inventoryAtRandom(roll, 'VCPU')] }),
      ...(roll(2) === 0 && { traits: some(roll, traits) }),
    });
    const children = some(roll, ['a', 'b', 'c']).map((name) => ({ ...part(`${name} of ${root}`), parentName: `changing ${root}` }));
    const resourceProviders = [{ uuid: root, name: `changing ${root}`, expect: { unchecked: true } }, ...children];
    return mutation('applyProviderTree', { root, resourceProviders, dryRun: roll(6) === 0 }, '');
  },
  'POST /resource_providers': (roll, cloud) => {
    const uuid = pick(roll, cloud.loose);
    const body = { uuid, name: `loose ${uuid}`, ...(roll(2) === 0 && { parent_provider_uuid: pick(roll, cloud.steady) }) };
    return rest('POST /resource_providers', body, { alwaysWrites: true }, generationIn(uuid));
  },
  'PUT /resource_providers': (roll, cloud) => {
    const uuid = pick(roll, cloud.loose);
    const body = { name: `loose ${uuid}`, parent_provider_uuid: roll(3) === 0 ? null : pick(roll, [...cloud.loose, ...cloud.changing]) };
    return rest(`PUT /resource_providers/${uuid}`, body);
  },
  'DELETE /resource_providers': (roll, cloud) => {
    const uuid = pick(roll, cloud.loose);
    cloud.replaceLoose(uuid);
    return rest(`DELETE /resource_providers/${uuid}`, undefined, { alwaysWrites: true });
  },
  'POST inventories': (roll, cloud) => {
    const provider = changeable(roll, cloud);
    const inventory = inventoryAtRandom(roll);
    const body = { resource_class: inventory.resourceClass, ...bodyOf(inventory) };
    return rest(`POST /resource_providers/${provider}/inventories`, body, { alwaysWrites: true });
  },
  'PUT inventories': (roll, cloud) => {
    const provider = changeable(roll, cloud);
    const inventories = { VCPU: bodyOf(inventoryAtRandom(roll)), MEMORY_MB: { total: 64 } };
    return guardedPut(cloud, provider, 'inventories', { inventories }, { alwaysWrites: true });
  },
  'PUT inventory': (roll, cloud) =>
    guardedPut(cloud, changeable(roll, cloud), 'inventories/VCPU', bodyOf(inventoryAtRandom(roll)), { alwaysWrites: true }),
  'DELETE inventory': (roll, cloud) =>
    rest(`DELETE /resource_providers/${changeable(roll, cloud)}/inventories/DISK_GB`, undefined, { alwaysWrites: true }),
  'DELETE inventories': (roll, cloud) => rest(`DELETE /resource_providers/${pick(roll, cloud.loose)}/inventories`, undefined),
  'PUT traits': (roll, cloud) => guardedPut(cloud, anyOf(roll, cloud), 'traits', { traits: some(roll, traits) }),
  'DELETE traits': (roll, cloud) => rest(`DELETE /resource_providers/${anyOf(roll, cloud)}/traits`, undefined),
  'PUT aggregates': (roll, cloud) => guardedPut(cloud, anyOf(roll, cloud), 'aggregates', { aggregates: some(roll, cloud.aggregates) }),
  'PUT trait': (roll) => rest(`PUT /traits/CUSTOM_TORTURE_${roll(6)}`, undefined),
  'DELETE trait': (roll) => rest(`DELETE /traits/CUSTOM_TORTURE_${roll(6)}`, undefined, { alwaysWrites: true }),
  'POST class': (roll) => rest('POST /resource_classes', { name: `CUSTOM_TORTURE_${roll(6)}` }, { alwaysWrites: true }),
  'PUT class': (roll) => rest(`PUT /resource_classes/CUSTOM_TORTURE_${roll(6)}`, undefined),
  'DELETE class': (roll) => rest(`DELETE /resource_classes/CUSTOM_TORTURE_${roll(6)}`, undefined, { alwaysWrites: true }),
  'POST /reshaper': (roll, cloud) => {
    const provider = pick(roll, cloud.changing);
    const generation = cloud.generationOf(provider);
    const inventories = { VCPU: bodyOf(inventoryAtRandom(roll)), MEMORY_MB: { total: 64 } };
    const body = { inventories: { [provider]: { resource_provider_generation: generation, inventories } }, allocations: {} };
    return rest('POST /reshaper', body, { ...required(provider, generation), alwaysWrites: true });
  },
};

/** A provider, or all of them, on one of the surfaces. */
export function readProviders(roll: Dice, cloud: Cloud): Plan {
  const uuid = anyOf(roll, cloud);
  const read = { kind: 'read' as const, name: 'read provider' };
  const all = { kind: 'read' as const, name: 'list providers' };
  const graphql = (query: string): Pick<Plan, 'request'> => ({
    request: () => ({ route: 'graphql', body: { query }, readingsIn: readingsInPayload }),
  });
  return pick<() => Plan>(roll, [
    () => ({ ...rest(`GET /resource_providers/${uuid}`, undefined, {}, generationIn(uuid)), ...read }),
    () => ({
      ...rest(`GET /resource_providers/${uuid}/inventories`, undefined, {}, generationIn(uuid)),
      ...read,
      name: 'read inventories',
    }),
    () => ({ ...rest('GET /resource_providers', undefined, {}, listed), ...all }),
    () => ({
      ...rest('GET', undefined),
      ...read,
      ...graphql(`{ payload: resourceProvider(uuid: "${uuid}") { resourceProvider: root { uuid generation } } }`),
    }),
    () => ({
      ...rest('GET', undefined),
      ...all,
      ...graphql('{ payload: resourceProviders(first: 100) { resourceProviders: nodes { uuid generation } } }'),
    }),
  ])();
}

function listed({ resource_providers: rows }: Readonly<Record<string, unknown>>): Reading[] {
  return ((rows ?? []) as { uuid: string; generation: number }[]).map(({ uuid, generation }) => ({
    subject: 'provider',
    uuid,
    generation,
  }));
}
