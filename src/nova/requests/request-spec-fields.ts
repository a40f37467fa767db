// The fields of a RequestSpec and its scheduler hints, and the treatment of each. docs/request-specs.md is generated from this file.

/**
 * REQUESTED: part of the request to Placement. CHOSEN: counts when a host is chosen; a request alone leaves it out, with a warning. UNCHECKED: always left out,
 * with a warning. UNREAD: does not concern hosts, or is not read by Nova's scheduler either.
 */
export type FieldTreatment = 'REQUESTED' | 'CHOSEN' | 'UNCHECKED' | 'UNREAD';

export interface SpecField {
  readonly name: string;
  readonly treatment: FieldTreatment;
  readonly effect: string;
  readonly refusedWhen?: string;
}

export const requestSpecFields: readonly SpecField[] = [
  {
    name: 'flavor',
    treatment: 'REQUESTED',
    effect: 'Its sizes and extra specs (extra-specs.md).',
    refusedWhen: 'missing or contradictory',
  },
  { name: 'image', treatment: 'REQUESTED', effect: 'Its traits, properties and disk format.', refusedWhen: 'it contradicts the flavor' },
  { name: 'is_bfv', treatment: 'REQUESTED', effect: 'No root disk on the host.' },
  {
    ...{ name: 'pci_requests', treatment: 'REQUESTED' },
    effect:
      'With PCI in Placement, a group for each device; otherwise PCI_DEVICE for whole devices, and the devices themselves when a host is chosen.',
  },
  {
    name: 'requested_resources',
    treatment: 'REQUESTED',
    effect: 'A group for each entry: ports, device profiles.',
    refusedWhen: 'malformed',
  },
  { name: 'request_level_params', treatment: 'REQUESTED', effect: 'Traits of the root, and groups in one subtree.' },
  { name: 'availability_zone', treatment: 'REQUESTED', effect: 'With the pre-filter of zones: aggregates of the host.' },
  {
    name: 'project_id',
    treatment: 'REQUESTED',
    effect: 'The owner of what is claimed; with the pre-filter of projects, aggregates of the host.',
  },
  {
    ...{ name: 'requested_destination', treatment: 'REQUESTED' },
    effect: 'The required host and node, aggregates, and the cell to stay in or to prefer.',
    refusedWhen: 'the host does not exist',
  },
  {
    name: 'force_hosts',
    treatment: 'CHOSEN',
    effect: 'One of these hosts. A request alone uses the first.',
    refusedWhen: 'none of them exists',
  },
  {
    name: 'force_nodes',
    treatment: 'CHOSEN',
    effect: 'One of these nodes. A request alone uses the first.',
    refusedWhen: 'none of them exists',
  },
  { name: 'ignore_hosts', treatment: 'CHOSEN', effect: 'None of these hosts.' },
  { name: 'retry', treatment: 'CHOSEN', effect: 'None of the hosts where the instance was tried before.' },
  { name: 'instance_group', treatment: 'CHOSEN', effect: 'The policy of the server group.' },
  { name: 'instance_uuid', treatment: 'CHOSEN', effect: 'The consumer.' },
  { name: 'user_id', treatment: 'CHOSEN', effect: 'The owner of what is claimed.' },
  { name: 'num_instances', treatment: 'CHOSEN', effect: 'If above one, the instances must be named.', refusedWhen: 'they are not named' },
  { name: 'scheduler_hints', treatment: 'CHOSEN', effect: 'See below.', refusedWhen: 'a hint below is malformed' },
  {
    ...{ name: 'numa_topology', treatment: 'CHOSEN' },
    effect: 'The cells of the guest, derived from its flavor and image as Nova does: see extra-specs.md.',
  },
  {
    ...{ name: 'network_metadata', treatment: 'CHOSEN' },
    effect: 'Networks that must be near the cells of the guest, if they are near any cell of the host: see extra-specs.md.',
  },
  {
    ...{ name: 'requested_networks', treatment: 'UNCHECKED' },
    effect: 'Only Neutron knows segments and cards that manage ports: give their requirements as aggregates and `rootTraits`.',
  },
  { name: 'limits', treatment: 'UNREAD', effect: 'Limits found by an earlier search: Nova’s scheduler replaces them.' },
  { name: 'security_groups', treatment: 'UNREAD', effect: 'They concern the ports of the instance.' },
  { name: 'id', treatment: 'UNREAD', effect: 'The id of its record.' },
];

/** The hints in `scheduler_hints`. Any other hint is UNCHECKED. */
export const schedulerHints: readonly SpecField[] = [
  { name: 'same_host', treatment: 'CHOSEN', effect: 'On a host of one of these instances.' },
  { name: 'different_host', treatment: 'CHOSEN', effect: 'On no host of these instances.' },
  {
    ...{ name: 'build_near_host_ip', treatment: 'CHOSEN' },
    effect: 'On a host whose reported address is in the network of this address; `cidr` gives the length of the prefix (/24 by default).',
    refusedWhen: 'the address or the prefix is malformed',
  },
  { name: 'group', treatment: 'CHOSEN', effect: 'Nova turns it into an `instance_group`, which counts.' },
  {
    ...{ name: '_nova_check_type', treatment: 'CHOSEN' },
    effect: 'A rebuild chooses no host: claimInstance checks the image against what the instance holds.',
    refusedWhen: 'it is rebuild',
  },
  {
    ...{ name: 'query', treatment: 'UNCHECKED' },
    effect: 'A condition on the numbers of a host (JsonFilter), which Nova’s developers advise against.',
  },
];
