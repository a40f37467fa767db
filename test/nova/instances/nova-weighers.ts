// The inputs and expectations of Nova's own unit tests of its weighers, as data: nova/tests/unit/scheduler/weights/ at commit 00a030403f67 of 2026-08-21, by
// the names of their files and tests. A test with several expectations of one weighing is one row.

import type { Multipliers } from '../../../src/nova/instances/weighers.ts';
import type { GroupPolicy } from '../../../src/nova/requests/server-groups.ts';

/** Hosts are numbered from 1 in the order in which the test gives them. */
export interface WeigherVector {
  /** The file without test_ and .py, and the test without test_. */
  readonly origin: string;
  /** The weigher that the test configures alone. */
  readonly weigher: keyof Multipliers;
  /** The values of each host that the weigher reads. */
  readonly hosts: readonly number[];
  readonly multiplier?: number;
  /** The metadata of host aggregates, the same for each host. */
  readonly metadata?: readonly Readonly<Record<string, string>>[];
  readonly policy?: GroupPolicy;
  /** Whether the weigher is in use although neither the group's policy nor the request concerns it. */
  readonly isOff?: true;
  /** The number of the host with the highest weight; null if all are equal. */
  readonly first?: number;
  readonly last?: number;
  /** The highest weight, and the lowest. */
  readonly highest?: number;
  readonly lowest?: number;
  /** The numbers of all hosts, from the highest weight. */
  readonly sorted?: readonly number[];
}

const ram = [512, 1024, 3072, 8192];
const cpu = [0, 2, 6, 16];
const disk = [5120, 10240, 30720, 81920];
const builds = [0, 1, 10, 100];
/** Members of the larger group on each host, and of the smaller one. */
const members = [1, 4, 0, 2];
const others = [0, 2, 0, 0];

const key = (name: string, value: string) => ({ [`${name}_weight_multiplier`]: value });

/** The tests of free amounts are alike. */
const ofFree = (
  weigher: 'ram' | 'cpu' | 'disk',
  hosts: readonly number[],
  negative: number,
  names: Readonly<Record<string, string>>,
): WeigherVector[] => [
  { origin: `weights_${weigher} ${names.usual}`, weigher, hosts, first: 4, highest: 1 },
  { origin: `weights_${weigher} ${names.none}`, weigher, hosts, multiplier: 0, highest: 0, lowest: 0 },
  { origin: `weights_${weigher} ${names.twice}`, weigher, hosts, multiplier: 2, first: 4, highest: 2 },
  {
    origin: `weights_${weigher} ${names.negative}`,
    weigher,
    hosts: [...hosts, negative],
    multiplier: 1,
    first: 4,
    highest: 1,
    last: 5,
    lowest: 0,
  },
  {
    origin: `weights_${weigher} host_with_agg`,
    weigher,
    hosts,
    multiplier: -1,
    metadata: [key(weigher, '1.5')],
    first: 4,
    highest: 1.5,
  },
];

export const weigherVectors: readonly WeigherVector[] = [
  ...ofFree('ram', ram, -512, {
    ...{
      usual: 'default_of_spreading_first',
      none: 'ram_filter_multiplier1',
      twice: 'ram_filter_multiplier2',
      negative: 'ram_filter_negative',
    },
  }),
  ...ofFree('cpu', cpu, -2, {
    ...{ usual: 'multiplier_default', none: 'multiplier_none', twice: 'multiplier_positive', negative: 'negative_host' },
  }),
  { origin: 'weights_cpu multiplier_negative', weigher: 'cpu', hosts: cpu, multiplier: -1, first: 1 },
  ...ofFree('disk', disk, -5120, {
    ...{
      usual: 'default_of_spreading_first',
      none: 'disk_filter_multiplier1',
      twice: 'disk_filter_multiplier2',
      negative: 'disk_filter_negative',
    },
  }),
  {
    origin: 'weights_compute build_failure_weigher_disabled',
    weigher: 'buildFailure',
    hosts: builds,
    multiplier: 0,
    highest: 0,
    lowest: 0,
  },
  {
    origin: 'weights_compute build_failure_weigher_scaled',
    weigher: 'buildFailure',
    hosts: builds,
    multiplier: 1000,
    sorted: [0, -10, -100, -1000],
  },
  {
    origin: 'weights_compute host_with_agg',
    weigher: 'buildFailure',
    hosts: builds,
    multiplier: 0,
    metadata: [key('build_failure', '1000')],
    sorted: [0, -10, -100, -1000],
  },
  { origin: 'weights_pci multiplier_no_pci_empty_hosts', weigher: 'pci', hosts: [4, 0], first: 2, highest: 1 },
  { origin: 'weights_pci multiplier_no_pci_non_empty_hosts', weigher: 'pci', hosts: [6, 4], first: 2, highest: 1 },
  { origin: 'weights_pci multiplier_with_pci', weigher: 'pci', hosts: [5, 10, 4], first: 3, highest: 1 },
  { origin: 'weights_pci multiplier_with_many_pci', weigher: 'pci', hosts: [500, 2000], highest: 0, lowest: 0 },
  { origin: 'weights_pci multiplier_none', weigher: 'pci', hosts: [5, 10, 4], multiplier: 0, highest: 0, lowest: 0 },
  {
    origin: 'weights_pci host_with_agg',
    weigher: 'pci',
    hosts: [6, 4],
    multiplier: 0,
    metadata: [key('pci', '1.5')],
    first: 2,
    highest: 1.5,
  },
  {
    ...{ origin: 'weights_affinity soft_affinity_weight_multiplier_by_default', weigher: 'softAffinity', policy: 'SOFT_AFFINITY' },
    ...{ hosts: members, first: 2, highest: 1 },
  },
  {
    ...{ origin: 'weights_affinity soft_affinity_weight_multiplier_zero_value', weigher: 'softAffinity', policy: 'SOFT_AFFINITY' },
    ...{ hosts: members, multiplier: 0, highest: 0, lowest: 0 },
  },
  {
    ...{ origin: 'weights_affinity soft_affinity_weight_multiplier_positive_value', weigher: 'softAffinity', policy: 'SOFT_AFFINITY' },
    ...{ hosts: members, multiplier: 2, first: 2, highest: 2 },
  },
  {
    ...{ origin: 'weights_affinity SoftAffinity host_with_agg', weigher: 'softAffinity', policy: 'SOFT_AFFINITY' },
    ...{ hosts: members, multiplier: 0, metadata: [key('soft_affinity', '1.5')], first: 2, highest: 1.5 },
  },
  {
    ...{ origin: 'weights_affinity running_twice', weigher: 'softAffinity', policy: 'SOFT_AFFINITY' },
    ...{ hosts: others, first: 2, highest: 1 },
  },
  {
    ...{
      origin: 'weights_affinity soft_anti_affinity_weight_multiplier_by_default',
      weigher: 'softAntiAffinity',
      policy: 'SOFT_ANTI_AFFINITY',
    },
    ...{ hosts: members, first: 3, highest: 1 },
  },
  {
    ...{
      origin: 'weights_affinity soft_anti_affinity_weight_multiplier_zero_value',
      weigher: 'softAntiAffinity',
      policy: 'SOFT_ANTI_AFFINITY',
    },
    ...{ hosts: members, multiplier: 0, highest: 0, lowest: 0 },
  },
  {
    ...{
      origin: 'weights_affinity soft_anti_affinity_weight_multiplier_positive_value',
      weigher: 'softAntiAffinity',
      policy: 'SOFT_ANTI_AFFINITY',
    },
    ...{ hosts: members, multiplier: 2, first: 3, highest: 2 },
  },
  {
    ...{ origin: 'weights_affinity SoftAntiAffinity host_with_agg', weigher: 'softAntiAffinity', policy: 'SOFT_ANTI_AFFINITY' },
    ...{ hosts: members, multiplier: 0, metadata: [key('soft_anti_affinity', '1.5')], first: 3, highest: 1.5 },
  },
  // Hosts: 1 in the cell, 0 outside.
  {
    ...{ origin: 'cross_cell get_weighed_hosts_no_requested_destination_or_cell', weigher: 'crossCellMove', isOff: true },
    ...{ hosts: [1, 0], highest: 0, lowest: 0 },
  },
  {
    ...{ origin: 'cross_cell get_weighed_hosts_allow_cross_cell_move_false', weigher: 'crossCellMove', isOff: true },
    ...{ hosts: [1, 0], highest: 0, lowest: 0 },
  },
  {
    ...{ origin: 'cross_cell get_weighed_hosts_allow_cross_cell_move_true_positive', weigher: 'crossCellMove' },
    ...{ hosts: [1, 0], first: 1, sorted: [1_000_000, 0] },
  },
  {
    ...{ origin: 'cross_cell get_weighed_hosts_allow_cross_cell_move_true_negative', weigher: 'crossCellMove' },
    ...{ hosts: [1, 0], multiplier: -1000, first: 2, sorted: [0, -1000] },
  },
];

/** The tests of one host's multiplier: the setting, one aggregate, and several aggregates, of which the least counts. */
export interface MultiplierVector {
  readonly origin: string;
  readonly weigher: keyof Multipliers;
  readonly key: string;
  /** Values in the metadata of one aggregate each, and the resulting multiplier. */
  readonly cases: readonly (readonly [values: readonly string[], counts: number | undefined])[];
}

const twoAndLess = [
  [[], undefined],
  [['2'], 2],
  [['2', '1.5'], 1.5],
] as const;

export const multiplierVectors: readonly MultiplierVector[] = [
  { origin: 'weights_ram ram_weigher_multiplier', weigher: 'ram', key: 'ram', cases: twoAndLess },
  { origin: 'weights_cpu cpu_weigher_multiplier', weigher: 'cpu', key: 'cpu', cases: twoAndLess },
  { origin: 'weights_disk disk_weigher_multiplier', weigher: 'disk', key: 'disk', cases: twoAndLess },
  { origin: 'weights_pci pci_weigher_multiplier', weigher: 'pci', key: 'pci', cases: twoAndLess },
  { origin: 'weights_affinity soft_affinity_weight_multiplier', weigher: 'softAffinity', key: 'soft_affinity', cases: twoAndLess },
  {
    origin: 'weights_affinity soft_anti_affinity_weight_multiplier',
    weigher: 'softAntiAffinity',
    key: 'soft_anti_affinity',
    cases: twoAndLess,
  },
  {
    ...{ origin: 'weights_compute build_failure_weight_multiplier', weigher: 'buildFailure', key: 'build_failure' },
    cases: [
      [[], undefined],
      [['1000.0'], 1000],
      [['500', '1000'], 500],
    ],
  },
  {
    origin: 'cross_cell multiplier',
    weigher: 'crossCellMove',
    key: 'cross_cell_move',
    cases: [
      [[], undefined],
      [['-1.0'], -1],
    ],
  },
];

/** Tests that are not run here, by file, with the reason. */
export const weighersLeftOut: Readonly<Record<string, readonly [tests: number, reason: string]>> = {
  weights_hosts: [2, 'how Nova loads its weighers'],
  weights_hypervisor_version: [5, 'no weight here: versions are facts of a record that no search reads'],
  weights_image_props: [6, 'no weight here, and off by default: what images other instances have is not known'],
  weights_ioopsweight: [5, 'no weight here: a host’s workload is known to its compute service alone'],
  weights_metrics: [12, 'no weight here, and off by default: metrics of hosts are not kept'],
  weights_num_instances: [3, 'no weight here, and off by default'],
};
