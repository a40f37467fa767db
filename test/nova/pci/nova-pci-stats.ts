// Facts of nova/tests/unit/pci/test_stats.py as data: the devices of a host, the requests, and the devices that serve them. `origin` is the name of the test
// there, without test_; `takes` are the products that are taken (or their cards, with `byCard`), null if the request cannot be served.
import type { PciNumaPolicy } from '../../../src/nova/pci/pci-stats.ts';

export interface StatsVector {
  readonly origin: string;
  /** `vendor:product@cell type`, for a function `<slot>` of its card, then tags: see readDevice in pci-stats.test.ts. */
  readonly devices: readonly string[];
  readonly asks: readonly {
    readonly count?: number;
    readonly like: Readonly<Record<string, string>>;
    readonly policy?: PciNumaPolicy;
    readonly cards?: readonly string[];
  }[];
  readonly cells?: readonly number[];
  readonly sockets?: Readonly<Record<number, number | null>>;
  readonly takes: readonly string[] | null;
  readonly byCard?: true;
}

const four = ['v1:p1@0 PCI 00.1', 'v2:p2@1 PCI 00.2', 'v1:p1@0 PCI 00.3', 'v3:p3@- PCI 00.4'];
const near = [...four, 'v4:pr0@0 PCI 01.0', 'v4:pr1@1 PCI 02.0', 'v4:pr_none@- PCI 03.0'];
const v = (vendor_id: string, policy?: PciNumaPolicy, count = 1) => ({ count, like: { vendor_id }, ...(policy ? { policy } : {}) });
const both = [v('v1'), v('v2')];
const tooMany = [v('v1'), v('v2', undefined, 3)];

const tagged = [
  ...[0, 1, 2, 3].map((n) => `1137:0071@0 PCI 0a.${n} physical_network=physnet1`),
  ...[0, 1, 2].map((n) => `1137:0072@0 PCI 0b.${n}`),
  '15b3:101e@0 VF 0c.1 remote_managed=true',
  '15b3:101c@0 VF 0d.1',
  '15b3:101c@0 VF 0e.1',
  '15b4:102e@0 VF 0f.1 live_migratable=true',
  '15b5:102f@0 VF 10.1 live_migratable=false',
];

const mapped = ['dead:beef@0 VF 81.1', 'dead:beef@0 VF 81.2', 'dead:beef@0 PF 82.0', 'dead:beef@0 PF 83.0', 'dead:beef@0 PCI 84.0'];
const beef = (type: string, cards?: readonly string[], count = 1) => ({
  count,
  like: { vendor_id: 'dead', product_id: 'beef', dev_type: `type-${type}` },
  ...(cards ? { cards } : {}),
});
const twoPools = ['dead:beef@0 VF 91.1', 'dead:beef@0 VF 91.2', 'dead:beef@0 VF 92.1', 'dead:beef@0 VF 92.2'];

const cardsWith = (pf: string, product: string) => [
  ...[0, 1].flatMap((card) => [`8086:${pf}@0 PF a${card}.0`, ...[1, 2, 3, 4].map((n) => `8086:${product}@0 VF a${card}.${n}`)]),
  ...[0, 1].flatMap((card) => [1, 2, 3, 4].map((n) => `8086:${product}@0 vdpa a${card}.${n + 4}`)),
  ...[0, 1].flatMap((card) => [
    `15b3:a2d6@0 PF b${card}.0 remote_managed=false`,
    ...[1, 2, 3, 4].map((n) => `15b3:101e@0 VF b${card}.${n} remote_managed=true`),
  ]),
];
const sriov = cardsWith('1528', '1515');
const product = (product_id: string, count = 1, more: Readonly<Record<string, string>> = {}) => ({ count, like: { product_id, ...more } });
const pf = (count: number) => product('1528', count, { dev_type: 'type-PF' });

export const statsVectors: readonly StatsVector[] = [
  { origin: 'apply_requests', devices: four, asks: both, takes: ['p1', 'p2'] },
  { origin: 'apply_requests_failed', devices: four, asks: tooMany, takes: null },
  { origin: 'support_requests', devices: four, asks: both, takes: ['p1', 'p2'] },
  { origin: 'support_requests_failed', devices: four, asks: tooMany, takes: null },
  { origin: 'support_requests_numa', devices: four, asks: both, cells: [0, 1], takes: ['p1', 'p2'] },
  { origin: 'support_requests_numa_failed', devices: four, asks: both, cells: [0], takes: null },
  { origin: 'support_requests_no_numa_info', devices: four, asks: [v('v3')], cells: [0], takes: ['p3'] },
  { origin: 'support_requests_no_numa_info', devices: four, asks: [v('v3', 'LEGACY')], cells: [0], takes: ['p3'] },
  {
    origin: 'support_requests_numa_pci_numa_policy_preferred',
    ...{ devices: four, asks: [v('v1', 'PREFERRED'), v('v2', 'PREFERRED')], cells: [0], takes: ['p1', 'p2'] },
  },
  {
    origin: 'support_requests_no_numa_info_pci_numa_policy_required',
    ...{ devices: four, asks: [v('v3', 'REQUIRED')], cells: [0], takes: null },
  },
  {
    origin: 'filter_pools_for_socket_affinity_no_socket',
    ...{ devices: four, asks: [v('v1', 'SOCKET')], cells: [1], sockets: { 0: null, 1: null }, takes: null },
  },
  {
    origin: 'filter_pools_for_socket_affinity',
    ...{ devices: four, asks: [v('v2', 'SOCKET')], cells: [1], sockets: { 1: 1 }, takes: ['p2'] },
  },
  {
    origin: 'filter_pools_for_socket_affinity',
    ...{ devices: four, asks: [v('v1', 'SOCKET')], cells: [1], sockets: { 1: 1 }, takes: null },
  },
  { origin: 'consume_requests', devices: four, asks: both, takes: ['p1', 'p2'] },
  { origin: 'consume_requests_empty', devices: four, asks: [], takes: [] },
  { origin: 'consume_requests_failed', devices: four, asks: tooMany, takes: null },
  { origin: 'consume_requests_numa', devices: four, asks: both, cells: [0, 1], takes: ['p1', 'p2'] },
  { origin: 'consume_requests_numa_failed', devices: four, asks: both, cells: [0], takes: null },
  { origin: 'consume_requests_no_numa_info', devices: four, asks: [v('v3')], cells: [0], takes: ['p3'] },
  { origin: 'consume_requests_numa_policy_required', devices: near, asks: [v('v4', 'REQUIRED')], cells: [0], takes: ['pr0'] },
  { origin: 'consume_requests_numa_policy_required_fail', devices: near, asks: [v('v4', 'REQUIRED')], cells: [999], takes: null },
  { origin: 'consume_requests_numa_policy_legacy', devices: near, asks: [v('v4', 'LEGACY')], cells: [0], takes: ['pr0'] },
  { origin: 'consume_requests_numa_policy_legacy_fallback', devices: near, asks: [v('v4', 'LEGACY')], cells: [999], takes: ['pr_none'] },
  {
    origin: 'consume_requests_numa_policy_legacy_multiple',
    ...{ devices: near, asks: [v('v4', 'PREFERRED', 2)], cells: [0], takes: ['pr0', 'pr_none'] },
  },
  { origin: 'consume_requests_numa_policy_legacy_fail', devices: near, asks: [v('v2', 'LEGACY')], cells: [0], takes: null },
  { origin: 'consume_requests_numa_policy_preferred', devices: near, asks: [v('v4', 'PREFERRED')], cells: [0], takes: ['pr0'] },
  {
    origin: 'consume_requests_numa_policy_preferred_fallback_a',
    ...{ devices: near, asks: [v('v4', 'PREFERRED')], cells: [999], takes: ['pr_none'] },
  },
  { origin: 'consume_requests_numa_policy_preferred_fallback_b', devices: near, asks: [v('v2', 'PREFERRED')], cells: [0], takes: ['p2'] },
  {
    origin: 'consume_requests_numa_policy_preferred_multiple_a',
    ...{ devices: near, asks: [v('v4', 'PREFERRED', 2)], cells: [0], takes: ['pr0', 'pr_none'] },
  },
  {
    origin: 'consume_requests_numa_policy_preferred_multiple_b',
    ...{ devices: near, asks: [v('v4', 'PREFERRED', 3)], cells: [0], takes: ['pr0', 'pr_none', 'pr1'] },
  },
  {
    origin: 'tags: consume_requests',
    devices: tagged,
    asks: [
      { like: { physical_network: 'physnet1' } },
      { like: { vendor_id: '1137', product_id: '0072' } },
      { like: { vendor_id: '15b3', product_id: '101e', remote_managed: 'True' } },
      { like: { vendor_id: '15b3', product_id: '101c', remote_managed: 'False' } },
      { like: { vendor_id: '15b3', product_id: '101c', remote_managed: 'False' } },
      { like: { vendor_id: '15b4', product_id: '102e', live_migratable: 'true' } },
      { like: { vendor_id: '15b5', product_id: '102f', live_migratable: 'false' } },
    ],
    takes: ['0071', '0072', '101e', '101c', '101c', '102e', '102f'],
  },
  {
    origin: 'filter_pools_for_spec_ignores_rc_and_traits_in_spec',
    devices: mapped,
    asks: [{ like: { vendor_id: 'dead', product_id: 'beef', resource_class: 'foo', traits: 'blue' } }],
    takes: ['beef'],
  },
  {
    origin: 'support_request_unrestricted',
    devices: mapped,
    asks: [beef('VF'), beef('PF'), beef('PCI')],
    takes: ['81', '82', '84'],
    byCard: true,
  },
  { origin: 'support_request_restricted_by_provider_mapping', devices: mapped, asks: [beef('PF', ['83'])], takes: ['83'], byCard: true },
  { origin: 'support_request_restricted_by_provider_mapping_does_not_fit', devices: mapped, asks: [beef('PF', ['85'])], takes: null },
  {
    origin: 'support_request_neutron_port_based_request_ignore_mapping',
    devices: mapped,
    asks: [beef('PF', [])],
    takes: ['82'],
    byCard: true,
  },
  { origin: 'support_request_req_with_count_2', devices: mapped, asks: [beef('PF', ['82', '83'], 2)], takes: ['82', '83'], byCard: true },
  {
    origin: 'support_requests_multiple_reqs',
    ...{ devices: mapped, asks: [beef('VF', ['81']), beef('PF', ['83'])], takes: ['81', '83'], byCard: true },
  },
  { origin: 'apply_gets_requested_uuids_from_pci_req', devices: mapped, asks: [beef('PF', ['83'])], takes: ['83'], byCard: true },
  {
    origin: 'apply_asymmetric_allocation',
    ...{ devices: twoPools, asks: [beef('VF', ['91', '92', '92'], 3)], takes: ['91', '92', '92'], byCard: true },
  },
  {
    origin: 'consume_asymmetric_allocation',
    ...{ devices: twoPools, asks: [beef('VF', ['91', '92', '92'], 3)], takes: ['91', '92', '92'], byCard: true },
  },
  { origin: 'consume_restricted_by_allocation', devices: mapped, asks: [beef('PF', ['83'])], takes: ['83'], byCard: true },
  {
    origin: 'consume_split_pool_rejected',
    ...{ devices: ['dead:beef@0 VF 91.1 part=1', 'dead:beef@0 VF 91.2 part=2'], asks: [beef('VF', ['91'])], takes: null },
  },
  {
    origin: 'apply_split_pool_rejected',
    ...{ devices: ['dead:beef@0 VF 91.1 part=1', 'dead:beef@0 VF 91.2 part=2'], asks: [beef('VF', ['91'])], takes: null },
  },
  { origin: 'consume_VDPA_requests', devices: sriov, asks: [{ count: 8, like: { dev_type: 'vdpa' } }], takes: Array(8).fill('1515') },
  { origin: 'consume_VF_requests', devices: sriov, asks: [product('1515', 2)], takes: ['1515', '1515'] },
  { origin: 'consume_PF_requests', devices: sriov, asks: [pf(2)], takes: ['1528', '1528'] },
  { origin: 'consume_PF_requests', devices: sriov, asks: [pf(2), product('1515')], takes: null },
  { origin: 'consume_VF_and_PF_requests', devices: sriov, asks: [product('1515', 2), pf(1)], takes: ['1515', '1515', '1528'] },
  { origin: 'consume_VF_and_PF_requests_failed', devices: sriov, asks: [product('1515', 5), pf(1)], takes: null },
  { origin: 'consume_VF_and_PF_same_product_id_failed', devices: cardsWith('1515', '1515'), asks: [product('1515', 9)], takes: null },
  {
    origin: 'consume_PF_not_remote_managed',
    ...{ devices: sriov, asks: [product('1528', 2, { dev_type: 'type-PF', remote_managed: 'false' })], takes: ['1528', '1528'] },
  },
  {
    origin: 'consume_VF_requests_remote_managed',
    ...{ devices: sriov, asks: [{ count: 2, like: { remote_managed: 'true' } }], takes: ['101e', '101e'] },
  },
  {
    origin: 'consume_VF_requests_remote_managed_filtered',
    ...{ devices: sriov, asks: [product('101e', 1, { remote_managed: 'false' }), product('101e')], takes: null },
  },
  { origin: 'consume_VF_requests_remote_managed_filtered', devices: sriov, asks: [product('101e')], takes: null },
  {
    origin: 'consume_VF_requests_remote_managed_mix',
    devices: sriov,
    asks: [product('101e', 1, { remote_managed: 'true' }), product('1515', 1, { remote_managed: 'false' })],
    takes: ['101e', '1515'],
  },
];

/** How devices form pools: the number of devices in each pool. */
export const poolingVectors: readonly {
  readonly origin: string;
  readonly devices: readonly string[];
  readonly counts: readonly number[];
}[] = [
  { origin: 'add_device', devices: four, counts: [1, 1, 1, 1] },
  { origin: 'object_create', devices: four, counts: [1, 1, 1, 1] },
  { origin: 'remove_device', devices: four.filter((device) => !device.startsWith('v2')), counts: [1, 1, 1] },
  { origin: 'tags: add_devices', devices: tagged, counts: Array(12).fill(1) },
  {
    origin: 'tags: remove_device',
    devices: tagged.filter((device) => !device.includes('0a.3') && !device.includes('0b.2')),
    counts: Array(10).fill(1),
  },
  {
    origin: 'update_device_splits_the_pool',
    devices: ['1137:0071@0 VF 0a.1', '1137:0071@0 VF 0a.2', '1137:0071@0 PF 0b.0'],
    counts: [1, 2],
  },
  { origin: 'only_vfs_from_the_same_parent_are_pooled', devices: twoPools, counts: [2, 2] },
  {
    origin: 'device_spec_rc_and_traits_ignored_during_pooling',
    devices: ['dead:beef@0 VF 81.1 resource_class=foo traits=gold', 'dead:beef@0 VF 81.2 resource_class=baar traits=silver'],
    counts: [2],
  },
];

/** Tests of Nova that are not run here, by reason. */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  'statistics are computed anew from the devices whenever they are read: none are kept that could be compared or run out of step': [
    'remove_device_exception',
    'pci_stats_equivalent',
    'pci_stats_not_equivalent',
    'find_pool_ignores_metadata',
  ],
  'the device specification of nova.conf is matched by the compute service, which reports its tags': [
    'device_spec_parsing',
    'tags: add_device_no_devspec',
    'tags: remove_device_no_devspec',
  ],
  'the card of a pool in Placement is found by its name, so there is nothing to fill in': [
    'populate_pools_metadata_from_assigned_devices',
    'populate_pools_metadata_from_assigned_devices_device_without_rp',
    'populate_pools_metadata_from_assigned_devices_multiple_rp',
    'assert_one_pool_per_rp_uuid',
  ],
};
