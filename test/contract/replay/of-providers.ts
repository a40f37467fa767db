// Rows for providers, their inventories, traits and aggregates, and for traits, classes and aggregates themselves.
import { expect } from 'vitest';
import { renderNodeId } from '../../../src/graphql/node-id.ts';
import { uuidOf } from '../../support/seed.ts';
import { at, type Row, release, remove, rename, stock, take } from './row.ts';

const inventory = (resourceClass: string, total: number) => ({ resourceClass, total });
const shrunk = 'warnings { code message inventory { total used resourceProvider { name } } }';
const inventories = 'inventories { resourceClass { name } total used capacity }';
const records = 'before { total reserved } after { total reserved capacity }';

/** The warning for a provider that has less VCPU than is used. */
const warningOf = (provider: string, total: number, used: number) => ({
  code: 'SHRUNK_BELOW_USE',
  message: `Inventory of VCPU on provider ${uuidOf(provider)} has a capacity of ${total}, but ${used} are in use.`,
  inventory: { total, used, resourceProvider: { name: provider } },
});

export const rowsOfProviders: readonly Row[] = [
  {
    mutation: 'createResourceProvider',
    sentence: 'a new provider, which is renamed and deleted',
    input: { uuid: uuidOf('cn1'), name: 'cn1' },
    fields: 'resourceProvider { uuid name generation }',
    answer: { resourceProvider: { uuid: uuidOf('cn1'), name: 'cn1', generation: 0 } },
    event: 'CREATE_RESOURCE_PROVIDER',
    meanwhile: async (cloud) => {
      await rename(cloud, 'cn1');
      await remove(cloud, 'cn1');
    },
    other: { name: 'cn2' },
  },
  {
    mutation: 'createResourceProvider',
    sentence: 'a new provider below another, both of which are deleted',
    before: ({ seed }) => seed.provider('rack'),
    input: { uuid: uuidOf('cn1'), name: 'cn1', parent: uuidOf('rack') },
    fields: 'created resourceProvider { uuid name generation parent { name generation } root { name generation } }',
    answer: {
      created: true,
      resourceProvider: {
        ...{ uuid: uuidOf('cn1'), name: 'cn1', generation: 0 },
        ...{ parent: { name: 'rack', generation: 0 }, root: { name: 'rack', generation: 0 } },
      },
    },
    event: 'CREATE_RESOURCE_PROVIDER',
    meanwhile: async (cloud) => {
      await remove(cloud, 'cn1');
      await remove(cloud, 'rack');
    },
    other: { parent: null },
  },
  {
    mutation: 'createResourceProvider',
    sentence: 'a provider that is there already, and is deleted',
    before: ({ seed }) => seed.provider('cn1', { inventories: { VCPU: 4 } }),
    input: { uuid: uuidOf('cn1'), name: 'cn1', ifExists: 'RETURN' },
    fields: 'created resourceProvider { uuid name generation }',
    answer: { created: false, resourceProvider: { uuid: uuidOf('cn1'), name: 'cn1', generation: 1 } },
    event: null,
    meanwhile: (cloud) => remove(cloud, 'cn1'),
    other: { name: 'cn2' },
  },
  {
    mutation: 'updateResourceProvider',
    sentence: 'a provider gets another name and parent, then others again',
    before: async ({ seed }) => {
      await seed.provider('rack');
      await seed.provider('cn1');
    },
    input: { ...at('cn1'), name: 'compute 1', newParent: { resourceProvider: uuidOf('rack') } },
    fields: 'resourceProvider { name generation parent { name } root { name } }',
    answer: { resourceProvider: { name: 'compute 1', generation: 1, parent: { name: 'rack' }, root: { name: 'rack' } } },
    event: 'UPDATE_RESOURCE_PROVIDER',
    meanwhile: async (cloud) => {
      await cloud.write('updateResourceProvider', { ...at('cn1'), name: 'cn1', newParent: { none: true } });
      await remove(cloud, 'rack');
    },
    other: { name: 'compute 2' },
  },
  {
    mutation: 'deleteResourceProvider',
    sentence: 'a provider goes, and another comes under its uuid, which stays',
    before: ({ seed }) => seed.provider('cn1'),
    input: at('cn1'),
    fields: 'deletedId',
    answer: { deletedId: renderNodeId('ResourceProvider', uuidOf('cn1')) },
    event: 'DELETE_RESOURCE_PROVIDER',
    meanwhile: ({ seed }) => seed.provider('cn1'),
    other: { expect: { generation: 0 } },
  },
  {
    mutation: 'replaceInventories',
    sentence: 'an inventory is now smaller than its use, and then gone with its provider',
    before: async (cloud) => {
      await cloud.seed.provider('cn1', { inventories: { VCPU: 4, DISK_GB: 10 } });
      await take(cloud, 'cn1', 3);
    },
    input: { ...at('cn1'), inventories: [inventory('VCPU', 2), inventory('MEMORY_MB', 512)] },
    fields: `resourceProvider { name generation ${inventories} } ${shrunk}`,
    answer: {
      resourceProvider: {
        ...{ name: 'cn1', generation: 3 },
        inventories: [
          { resourceClass: { name: 'VCPU' }, total: 2, used: 3, capacity: 2 },
          { resourceClass: { name: 'MEMORY_MB' }, total: 512, used: 0, capacity: 512 },
        ],
      },
      warnings: [warningOf('cn1', 2, 3)],
    },
    event: 'REPLACE_INVENTORIES',
    meanwhile: async (cloud) => {
      await release(cloud, 'somebody else on cn1');
      await remove(cloud, 'cn1');
    },
    other: { inventories: [inventory('VCPU', 3)] },
  },
  {
    mutation: 'setInventory',
    sentence: 'an inventory is set, then set to something else',
    before: ({ seed }) => seed.provider('cn1', { inventories: { DISK_GB: 10 } }),
    input: { ...at('cn1'), inventory: inventory('VCPU', 7) },
    fields: `resourceProvider { generation inventory(resourceClass: "VCPU") { updatedAt } ${inventories} } changed ${shrunk}`,
    answer: {
      changed: true,
      resourceProvider: {
        ...{ generation: 2, inventory: { updatedAt: expect.any(String) } },
        inventories: [
          { resourceClass: { name: 'VCPU' }, total: 7, used: 0, capacity: 7 },
          { resourceClass: { name: 'DISK_GB' }, total: 10, used: 0, capacity: 10 },
        ],
      },
      warnings: [],
    },
    event: 'REPLACE_INVENTORIES',
    meanwhile: (cloud) => stock(cloud, 'cn1', { VCPU: 8 }),
    other: { inventory: inventory('VCPU', 8) },
  },
  {
    mutation: 'deleteInventory',
    sentence: 'an inventory goes and comes back',
    before: ({ seed }) => seed.provider('cn1', { inventories: { VCPU: 4, DISK_GB: 10 } }),
    input: { ...at('cn1'), resourceClass: 'VCPU' },
    fields: `resourceProvider { generation ${inventories} }`,
    answer: {
      resourceProvider: { generation: 2, inventories: [{ resourceClass: { name: 'DISK_GB' }, total: 10, used: 0, capacity: 10 }] },
    },
    event: 'REPLACE_INVENTORIES',
    meanwhile: (cloud) => stock(cloud, 'cn1', { VCPU: 4, DISK_GB: 20 }),
    other: { resourceClass: 'DISK_GB' },
  },
  {
    mutation: 'patchInventories',
    sentence: 'two of three inventories change, one below its use; then their providers go, and new ones match',
    before: async (cloud) => {
      for (const [name, total] of [
        ['cn1', 4],
        ['cn2', 8],
        ['cn3', 2],
      ] as const) {
        await cloud.seed.provider(name, { inventories: { VCPU: total } });
      }
      await take(cloud, 'cn1', 3);
    },
    input: { select: { filter: { nameStartsWith: 'cn' } }, resourceClass: 'VCPU', patch: { total: 2 } },
    fields: `matchedCount applied changes { resourceProviderUuid inventories { used ${records} } resourceProvider { name generation } } ${shrunk}`,
    answer: {
      ...{ matchedCount: 3, applied: true },
      changes: [
        {
          ...{ resourceProviderUuid: uuidOf('cn1'), resourceProvider: { name: 'cn1', generation: 3 } },
          inventories: [{ used: 3, before: { total: 4, reserved: 0 }, after: { total: 2, reserved: 0, capacity: 2 } }],
        },
        {
          ...{ resourceProviderUuid: uuidOf('cn2'), resourceProvider: { name: 'cn2', generation: 2 } },
          inventories: [{ used: 0, before: { total: 8, reserved: 0 }, after: { total: 2, reserved: 0, capacity: 2 } }],
        },
      ],
      warnings: [warningOf('cn1', 2, 3)],
    },
    event: 'PATCH_INVENTORIES',
    meanwhile: async (cloud) => {
      await release(cloud, 'somebody else on cn1');
      await remove(cloud, 'cn1');
      await rename(cloud, 'cn2');
      await cloud.seed.provider('cn4', { inventories: { VCPU: 16 } });
    },
    other: { patch: { total: 3 } },
  },
  {
    mutation: 'patchInventories',
    sentence: 'the inventories of two providers change in the states that were read, which are no longer theirs, and one provider goes',
    before: async ({ seed }) => {
      for (const name of ['cn1', 'cn2']) await seed.provider(name, { inventories: { VCPU: 4 } });
    },
    input: {
      select: { many: ['cn1', 'cn2'].map((name) => ({ ...at(name), expect: { generation: 1 } })) },
      ...{ resourceClass: 'VCPU', patch: { reserved: 1 } },
    },
    fields: `matchedCount applied changes { inventories { ${records} } resourceProvider { name generation } } ${shrunk}`,
    answer: {
      ...{ matchedCount: 2, applied: true, warnings: [] },
      changes: ['cn1', 'cn2'].map((name) => ({
        inventories: [{ before: { total: 4, reserved: 0 }, after: { total: 4, reserved: 1, capacity: 3 } }],
        resourceProvider: { name, generation: 2 },
      })),
    },
    event: 'PATCH_INVENTORIES',
    meanwhile: async (cloud) => {
      await stock(cloud, 'cn1', { VCPU: 8 });
      await remove(cloud, 'cn2');
    },
    other: { select: { many: [{ ...at('cn1'), expect: { generation: 1 } }] } },
  },
  {
    mutation: 'patchInventories',
    sentence: 'what is so already, and is so no longer',
    before: ({ seed }) => seed.provider('cn1', { inventories: { VCPU: 4 } }),
    input: { select: { one: at('cn1') }, resourceClass: 'VCPU', patch: { total: 4 } },
    fields: `matchedCount applied changes { inventories { ${records} } } ${shrunk}`,
    answer: { matchedCount: 1, applied: true, changes: [], warnings: [] },
    event: null,
    meanwhile: (cloud) => stock(cloud, 'cn1', { VCPU: 5 }),
    other: { select: { one: { ...at('cn1'), expect: { generation: 1 } } } },
  },
  {
    mutation: 'patchTraits',
    sentence: 'a trait is set on two of three providers and another taken from one, then one has it no longer and one is gone',
    before: async ({ seed }) => {
      await seed.provider('cn1', { traits: ['HW_NUMA_ROOT', 'STORAGE_DISK_SSD'] });
      await seed.provider('cn2');
      await seed.provider('cn3', { traits: ['HW_CPU_X86_AVX'] });
    },
    input: {
      select: { many: ['cn3', 'cn2', 'cn1'].map(at) },
      ...{ add: ['HW_CPU_X86_AVX'], remove: ['HW_NUMA_ROOT'] },
    },
    fields: 'matchedCount applied changes { resourceProviderUuid traitNamesAdded traitNamesRemoved resourceProvider { name generation } }',
    answer: {
      ...{ matchedCount: 3, applied: true },
      changes: [
        {
          ...{ resourceProviderUuid: uuidOf('cn1'), traitNamesAdded: ['HW_CPU_X86_AVX'], traitNamesRemoved: ['HW_NUMA_ROOT'] },
          resourceProvider: { name: 'cn1', generation: 2 },
        },
        {
          ...{ resourceProviderUuid: uuidOf('cn2'), traitNamesAdded: ['HW_CPU_X86_AVX'], traitNamesRemoved: [] },
          resourceProvider: { name: 'cn2', generation: 1 },
        },
      ],
    },
    event: 'PATCH_TRAITS',
    meanwhile: async (cloud) => {
      await cloud.write('replaceTraits', { ...at('cn1'), traits: [] });
      await remove(cloud, 'cn2');
    },
    other: { remove: [] },
  },
  {
    mutation: 'replaceTraits',
    sentence: 'a provider has traits, then none, then it is gone',
    before: ({ seed }) => seed.provider('cn1', { traits: ['HW_NUMA_ROOT'] }),
    input: { ...at('cn1'), traits: ['STORAGE_DISK_SSD', 'HW_CPU_X86_AVX'] },
    fields: 'resourceProvider { name generation traitNames traits { name isStandard } }',
    answer: {
      resourceProvider: {
        ...{ name: 'cn1', generation: 2, traitNames: ['HW_CPU_X86_AVX', 'STORAGE_DISK_SSD'] },
        traits: [
          { name: 'HW_CPU_X86_AVX', isStandard: true },
          { name: 'STORAGE_DISK_SSD', isStandard: true },
        ],
      },
    },
    event: 'REPLACE_TRAITS',
    meanwhile: async (cloud) => {
      await cloud.write('replaceTraits', { ...at('cn1'), traits: [] });
      await remove(cloud, 'cn1');
    },
    other: { traits: [] },
  },
  {
    mutation: 'replaceAggregates',
    sentence: 'a provider joins an aggregate, which gets a name, and leaves it',
    before: ({ seed }) => seed.provider('cn1'),
    input: { ...at('cn1'), aggregates: [uuidOf('rack')] },
    fields: 'resourceProvider { generation aggregates { uuid name isNamed } }',
    answer: { resourceProvider: { generation: 1, aggregates: [{ uuid: uuidOf('rack'), name: uuidOf('rack'), isNamed: false }] } },
    event: 'REPLACE_AGGREGATES',
    meanwhile: async (cloud) => {
      await cloud.write('nameAggregate', { aggregate: uuidOf('rack'), name: 'rack 1' });
      await cloud.write('replaceAggregates', { ...at('cn1'), aggregates: [] });
    },
    other: { aggregates: [] },
  },
];

export const rowsOfNames: readonly Row[] = [
  {
    mutation: 'createTrait',
    sentence: 'a new trait, which is deleted',
    input: { name: 'CUSTOM_ONE' },
    fields: 'created trait { id name isStandard }',
    answer: { created: true, trait: { id: expect.any(String), name: 'CUSTOM_ONE', isStandard: false } },
    event: 'CREATE_TRAIT',
    meanwhile: ({ write }) => write('deleteTrait', { name: 'CUSTOM_ONE' }),
    other: { name: 'CUSTOM_TWO' },
  },
  {
    mutation: 'createTrait',
    sentence: 'a trait that is there already, and is deleted',
    before: ({ write }) => write('createTrait', { name: 'CUSTOM_ONE' }),
    input: { name: 'CUSTOM_ONE', ifExists: 'RETURN' },
    fields: 'created trait { name }',
    answer: { created: false, trait: { name: 'CUSTOM_ONE' } },
    event: null,
    meanwhile: ({ write }) => write('deleteTrait', { name: 'CUSTOM_ONE' }),
    other: { name: 'CUSTOM_TWO' },
  },
  {
    mutation: 'deleteTrait',
    sentence: 'a trait goes and comes back, and then stays',
    before: ({ write }) => write('createTrait', { name: 'CUSTOM_ONE' }),
    input: { name: 'CUSTOM_ONE' },
    fields: 'deletedId',
    answer: { deletedId: renderNodeId('Trait', 'CUSTOM_ONE') },
    event: 'DELETE_TRAIT',
    meanwhile: ({ write }) => write('createTrait', { name: 'CUSTOM_ONE' }),
    other: { name: 'CUSTOM_TWO' },
  },
  {
    mutation: 'createResourceClass',
    sentence: 'a new class, which is deleted',
    input: { name: 'CUSTOM_ONE' },
    fields: 'created resourceClass { id name isStandard unit }',
    answer: { created: true, resourceClass: { id: expect.any(String), name: 'CUSTOM_ONE', isStandard: false, unit: null } },
    event: 'CREATE_RESOURCE_CLASS',
    meanwhile: ({ write }) => write('deleteResourceClass', { name: 'CUSTOM_ONE' }),
    other: { name: 'CUSTOM_TWO' },
  },
  {
    mutation: 'createResourceClass',
    sentence: 'a class that is there already, and is deleted',
    before: ({ write }) => write('createResourceClass', { name: 'CUSTOM_ONE' }),
    input: { name: 'CUSTOM_ONE', ifExists: 'RETURN' },
    fields: 'created resourceClass { name }',
    answer: { created: false, resourceClass: { name: 'CUSTOM_ONE' } },
    event: null,
    meanwhile: ({ write }) => write('deleteResourceClass', { name: 'CUSTOM_ONE' }),
    other: { name: 'CUSTOM_TWO' },
  },
  {
    mutation: 'deleteResourceClass',
    sentence: 'a class goes and comes back, and then stays',
    before: ({ write }) => write('createResourceClass', { name: 'CUSTOM_ONE' }),
    input: { name: 'CUSTOM_ONE' },
    fields: 'deletedId',
    answer: { deletedId: renderNodeId('ResourceClass', 'CUSTOM_ONE') },
    event: 'DELETE_RESOURCE_CLASS',
    meanwhile: ({ write }) => write('createResourceClass', { name: 'CUSTOM_ONE' }),
    other: { name: 'CUSTOM_TWO' },
  },
  {
    mutation: 'nameAggregate',
    sentence: 'an aggregate gets a name, then another',
    before: ({ seed }) => seed.provider('cn1', { aggregates: ['rack'] }),
    input: { aggregate: uuidOf('rack'), name: 'rack 1' },
    fields: 'aggregate { uuid name isNamed }',
    answer: { aggregate: { uuid: uuidOf('rack'), name: 'rack 1', isNamed: true } },
    event: 'NAME_AGGREGATE',
    meanwhile: ({ write }) => write('nameAggregate', { aggregate: uuidOf('rack'), name: 'rack 2' }),
    other: { name: 'rack 3' },
  },
];
