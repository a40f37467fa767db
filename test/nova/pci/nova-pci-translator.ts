// What Nova's own unit tests of PCI devices in Placement give and expect, as data: nova/tests/unit/compute/test_pci_placement_translator.py at commit
// 00a030403f67 of 2026-08-21, by the names of the tests there. A test with several cases is a row for each.
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

/** Devices of which the last cannot be there beside the others. */
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

/** Devices, and the cards that they become: which have the trait of one use, and which are used up. */
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

/** Tests that are not played, with the reason. */
export const translatorLeftOut: Readonly<Record<string, string>> = {
  translator_skips_devices_without_matching_spec: 'device specs are settings of a compute service: its reports have their tags',
  update_provider_tree_for_pci_update_pools: 'how Nova calls its own statistics; here pools are read from the devices',
  get_usage_per_rc_and_rp_no_allocations: 'sums of allocations, which the ledger keeps itself',
  get_usage_per_rc_and_rp_empty_consumer: 'the same',
  get_usage_per_rc_and_rp: 'the same',
  remove_managed_rps_empty_view: 'played as reports: pci-cards.test.ts',
  remove_managed_rps_new_rp_in_view: 'the same',
  remove_managed_rps_no_rp_change: 'the same',
  remove_managed_rps_rp_removed_from_view: 'the same',
  adjust_for_removals_no_allocation_no_adjustment: 'played as reports of devices that are held: pci-cards.test.ts',
  adjust_for_removals_allocated_configured_no_adjustment: 'the same',
  adjust_for_removals_allocated_removed: 'the same',
  adjust_for_removals_allocated_removed_no_inventory: 'the same',
};
