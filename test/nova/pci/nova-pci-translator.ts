// The inputs and expectations of Nova's own unit tests of PCI devices in Placement, as data: nova/tests/unit/compute/test_pci_placement_translator.py at
// commit 00a030403f67 of 2026-08-21, by the names of the tests there. A test with several cases has a row for each.
import type { PciDevice } from '../../../src/nova/pci/pci-pools.ts';

/** A list in the tags of a device, and its traits. */
export const traitVectors: readonly (readonly [list: string | null, traits: readonly string[]])[] = [
  [null, []],
  ['', []],
  ['a', ['CUSTOM_A']],
  ['a,b', ['CUSTOM_A', 'CUSTOM_B']],
  ['HW_GPU_API_VULKAN', ['HW_GPU_API_VULKAN']],
  ['CUSTOM_FOO', ['CUSTOM_FOO']],
  ['custom_bar', ['CUSTOM_BAR']],
  ['custom-bar', ['CUSTOM_CUSTOM_BAR']],
  ['CUSTOM_a', ['CUSTOM_A']],
  ['a@!#$b123X', ['CUSTOM_A_B123X']],
  ['a!@b,a###b', ['CUSTOM_A_B']],
];

/** The vendor and the product of a device, the class that its tags name, and its class. */
export const classVectors: readonly (readonly [vendor: string, product: string, named: string | null, resourceClass: string])[] = [
  ['1234', '5678', null, 'CUSTOM_PCI_1234_5678'],
  ['1234', '5678', '', 'CUSTOM_PCI_1234_5678'],
  ['1234', '5678', 'PGPU', 'PGPU'],
  ['1234', '5678', 'pgpu', 'PGPU'],
  ['1234', '5678', 'foobar', 'CUSTOM_FOOBAR'],
  ['1234', '5678', 'custom_foo', 'CUSTOM_FOO'],
  ['1234', '5678', 'CUSTOM_foo', 'CUSTOM_FOO'],
  ['1234', '5678', 'custom_FOO', 'CUSTOM_FOO'],
  ['1234', '5678', 'CUSTOM_FOO', 'CUSTOM_FOO'],
  ['1234', '5678', 'custom-foo', 'CUSTOM_CUSTOM_FOO'],
  ['1234', '5678', 'a###b', 'CUSTOM_A_B'],
  ['123a', '567b', '', 'CUSTOM_PCI_123A_567B'],
];

const base = { vendorId: 'dead', productId: 'beef', status: 'available' as const };
const card = (address: string, tags: NonNullable<PciDevice['tags']> = {}): PciDevice => ({ ...base, address, devType: 'type-PF', tags });
const standard = (address: string, tags: NonNullable<PciDevice['tags']> = {}): PciDevice => ({
  ...base,
  address,
  devType: 'type-PCI',
  tags,
});
const part = (address: string, parentAddress: string, tags: NonNullable<PciDevice['tags']> = {}): PciDevice => ({
  ...base,
  address,
  parentAddress,
  devType: 'type-VF',
  tags,
});

/** Devices, the last of which cannot be combined with the others. */
export const refusedVectors: readonly { readonly origin: string; readonly devices: readonly PciDevice[] }[] = [
  { origin: 'dependent_device_pf_then_vf', devices: [card('0000:81:00.0'), part('0000:81:00.1', '0000:81:00.0')] },
  {
    origin: 'dependent_device_vf_then_pf',
    devices: [part('0000:81:00.1', '0000:81:00.0'), part('0000:81:00.2', '0000:81:00.0'), card('0000:81:00.0')],
  },
  {
    origin: 'mixed_rc_for_sibling_vfs: a trait less',
    devices: ['foo,bar,baz', 'foo,baz,bar', 'foo,bar'].map((traits, at) =>
      part(`0000:81:00.${at}`, '0000:71:00.0', { resource_class: 'a', traits }),
    ),
  },
  {
    origin: 'mixed_rc_for_sibling_vfs: a trait more',
    devices: ['foo,bar,baz', 'foo,baz,bar', 'foo,bar,baz,extra'].map((traits, at) =>
      part(`0000:81:00.${at}`, '0000:71:00.0', { resource_class: 'a', traits }),
    ),
  },
  { origin: 'otu_decorates_with_trait: a function', devices: [part('0000:75:00.0', '0000:75:00.0', { one_time_use: 'true' })] },
  { origin: 'otu_decorates_with_trait: a function, and false', devices: [part('0000:74:00.0', '0000:76:00.0', { one_time_use: 'false' })] },
];

/** Devices, and their cards: which have the trait of one use, and which are spent. */
export const cardVectors: readonly {
  readonly origin: string;
  readonly devices: readonly PciDevice[];
  readonly cards: readonly (readonly [address: string, total: number, isOneTimeUse: boolean, isSpent: boolean])[];
}[] = [
  {
    origin: 'mixed_rc_for_sibling_vfs: the order of traits',
    devices: ['foo,bar,baz', 'foo,baz,bar'].map((traits, at) => part(`0000:81:00.${at}`, '0000:71:00.0', { resource_class: 'a', traits })),
    cards: [['0000:71:00.0', 2, false, false]],
  },
  {
    origin: 'translator_maps_pci_device_to_rp',
    devices: [part('0000:81:00.1', '0000:71:00.0'), card('0000:72:00.0')],
    cards: [
      ['0000:71:00.0', 1, false, false],
      ['0000:72:00.0', 1, false, false],
    ],
  },
  {
    origin: 'otu_decorates_with_trait',
    devices: [
      standard('0000:71:00.0', { one_time_use: 'true' }),
      card('0000:72:00.0', { one_time_use: 'true' }),
      card('0000:73:00.0'),
      card('0000:74:00.0', { one_time_use: 'false' }),
    ],
    cards: [
      ['0000:71:00.0', 1, true, false],
      ['0000:72:00.0', 1, true, false],
      ['0000:73:00.0', 1, false, false],
      ['0000:74:00.0', 1, false, false],
    ],
  },
  {
    origin: 'otu_reservation_workflow: before a use',
    devices: [standard('0000:71:00.0', { one_time_use: 'true' }), card('0000:72:00.0', { one_time_use: 'true' })],
    cards: [
      ['0000:71:00.0', 1, true, false],
      ['0000:72:00.0', 1, true, false],
    ],
  },
  {
    origin: 'otu_reservation_workflow: during a use',
    devices: [
      standard('0000:71:00.0', { one_time_use: 'true' }),
      { ...card('0000:72:00.0', { one_time_use: 'true' }), instance: '11111111-1111-4111-8111-111111111111' },
    ],
    cards: [
      ['0000:71:00.0', 1, true, false],
      ['0000:72:00.0', 1, true, true],
    ],
  },
];

const held = (device: PciDevice): PciDevice => ({ ...device, status: 'allocated' });

/** The children of a node, some of them cards, with their usage; the devices reported then, and the children after the report. */
export const treeVectors: readonly {
  readonly origin: string;
  readonly before: readonly (readonly [child: string, used: number | null])[];
  readonly devices: readonly PciDevice[];
  /** The cards with their totals, and other children. */
  readonly after: readonly (readonly [child: string, total: number | null])[];
}[] = [
  { origin: 'remove_managed_rps_empty_view', before: [['no-pci', null]], devices: [], after: [['no-pci', null]] },
  {
    origin: 'remove_managed_rps_new_rp_in_view',
    before: [['no-pci', null]],
    devices: [card('0000:72:00.0')],
    // Nova's test checks only what is removed.
    after: [
      ['no-pci', null],
      ['fake-node_0000:72:00.0', 1],
    ],
  },
  {
    origin: 'remove_managed_rps_no_rp_change',
    before: [
      ['no-pci', null],
      ['fake-node_0000:72:00.0', 0],
    ],
    devices: [card('0000:72:00.0')],
    after: [
      ['no-pci', null],
      ['fake-node_0000:72:00.0', 1],
    ],
  },
  {
    origin: 'remove_managed_rps_rp_removed_from_view',
    before: [
      ['no-pci', null],
      ['fake-node_0000:72:00.0', 0],
    ],
    devices: [],
    after: [['no-pci', null]],
  },
  { origin: 'adjust_for_removals_no_allocation_no_adjustment', before: [['fake-node_0000:72:00.0', 0]], devices: [], after: [] },
  {
    origin: 'adjust_for_removals_allocated_configured_no_adjustment',
    before: [['fake-node_0000:72:00.0', 1]],
    devices: [held(card('0000:72:00.0'))],
    after: [['fake-node_0000:72:00.0', 1]],
  },
  {
    origin: 'adjust_for_removals_allocated_removed',
    before: [['fake-node_0000:72:00.0', 2]],
    devices: [held(part('0000:72:00.1', '0000:72:00.0'))],
    after: [['fake-node_0000:72:00.0', 2]],
  },
  {
    origin: 'adjust_for_removals_allocated_removed_no_inventory',
    before: [['fake-node_0000:72:00.0', 1]],
    devices: [],
    after: [['fake-node_0000:72:00.0', 1]],
  },
];

/** The allocations of consumers, and the usage of each provider. */
export const usageVectors: readonly {
  readonly origin: string;
  readonly allocations: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;
  readonly used: Readonly<Record<string, Readonly<Record<string, number>>>>;
}[] = [
  { origin: 'get_usage_per_rc_and_rp_no_allocations', allocations: {}, used: {} },
  { origin: 'get_usage_per_rc_and_rp_empty_consumer', allocations: { consumer1: {} }, used: {} },
  {
    origin: 'get_usage_per_rc_and_rp',
    allocations: {
      consumer1: { rp1: { RC1: 1, RC2: 3 }, rp2: { RC2: 5, RC3: 1 } },
      consumer2: { rp2: { RC2: 1, RC3: 3 }, rp3: { RC1: 1 } },
      consumer3: { rp1: { RC2: 3 } },
    },
    used: { rp1: { RC1: 1, RC2: 6 }, rp2: { RC2: 6, RC3: 4 }, rp3: { RC1: 1 } },
  },
];

/** A device for one use and its reservation: for each report, whether an instance has it, and what is reserved afterwards. */
export const oneTimeUse = {
  origin: 'otu_reservation_workflow',
  devices: [standard('0000:71:00.0', { one_time_use: 'true' }), card('0000:72:00.0', { one_time_use: 'true' })],
  /** The second device is the one that is used. */
  steps: [
    { isUsed: false, reserved: [0, 0] },
    { isUsed: true, reserved: [0, 1] },
    { isUsed: false, reserved: [0, 1] },
  ],
} as const;

/** Tests that are not run here, with the reason. */
export const translatorLeftOut: Readonly<Record<string, string>> = {
  translator_skips_devices_without_matching_spec: 'device specs are settings of a compute service: its reports have their tags',
  update_provider_tree_for_pci_update_pools: 'how Nova calls its own statistics; here pools are read from the devices',
};
