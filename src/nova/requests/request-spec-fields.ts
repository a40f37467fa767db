// The fields of a RequestSpec and its scheduler hints, and what becomes of each of them: docs/request-specs.md is made of it.

/**
 * REQUESTED: part of the request to Placement. CHOSEN: counts when a host is chosen; a request alone is made without it, with a warning. UNCHECKED: always left
 * out, with a warning. UNREAD: says nothing of hosts, or Nova's scheduler does not read it either.
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
    effect: 'The host and node to go to, aggregates, and the cell to stay in or to prefer.',
    refusedWhen: 'there is no such host',
  },
  { name: 'force_hosts', treatment: 'CHOSEN', effect: 'One of these. A request alone has the first.', refusedWhen: 'none of them exists' },
  { name: 'force_nodes', treatment: 'CHOSEN', effect: 'One of these. A request alone has the first.', refusedWhen: 'none of them exists' },
  { name: 'ignore_hosts', treatment: 'CHOSEN', effect: 'None of these.' },
  { name: 'retry', treatment: 'CHOSEN', effect: 'None of the hosts where the instance was tried before.' },
  { name: 'instance_group', treatment: 'CHOSEN', effect: 'The policy of the server group.' },
  { name: 'instance_uuid', treatment: 'CHOSEN', effect: 'The consumer.' },
  { name: 'user_id', treatment: 'CHOSEN', effect: 'The owner of what is claimed.' },
  { name: 'num_instances', treatment: 'CHOSEN', effect: 'With more than one, the instances must be named.', refusedWhen: 'they are not' },
  { name: 'scheduler_hints', treatment: 'CHOSEN', effect: 'See below.', refusedWhen: 'a hint below is malformed' },
  {
    ...{ name: 'numa_topology', treatment: 'CHOSEN' },
    effect: 'The cells of the guest, as its flavor and image say, of which Nova makes them: see extra-specs.md.',
  },
  {
    ...{ name: 'network_metadata', treatment: 'CHOSEN' },
    effect: 'Networks that the cells of the guest must be near, where cells of the host are: see extra-specs.md.',
  },
  {
    ...{ name: 'requested_networks', treatment: 'UNCHECKED' },
    effect: 'Segments and cards that manage ports are known to Neutron: say what they require by aggregates and `rootTraits`.',
  },
  { name: 'limits', treatment: 'UNREAD', effect: 'What an earlier search found: Nova’s scheduler replaces it.' },
  { name: 'security_groups', treatment: 'UNREAD', effect: 'For the ports of the instance.' },
  { name: 'id', treatment: 'UNREAD', effect: 'That of its record.' },
];

/** Of `scheduler_hints`. Any other hint is UNCHECKED. */
export const schedulerHints: readonly SpecField[] = [
  { name: 'same_host', treatment: 'CHOSEN', effect: 'On a host of one of these instances.' },
  { name: 'different_host', treatment: 'CHOSEN', effect: 'On no host of these instances.' },
  {
    ...{ name: 'build_near_host_ip', treatment: 'CHOSEN' },
    effect: 'On a host whose reported address is in the network of this one, which `cidr` says (/24 without it).',
    refusedWhen: 'it is no address or network',
  },
  { name: 'group', treatment: 'CHOSEN', effect: 'Nova makes an `instance_group` of it, which counts.' },
  {
    ...{ name: '_nova_check_type', treatment: 'CHOSEN' },
    effect: 'A rebuild chooses no host: claimInstance checks the image against what the instance holds.',
    refusedWhen: 'it is rebuild',
  },
  {
    ...{ name: 'query', treatment: 'UNCHECKED' },
    effect: 'A condition on numbers of hosts (JsonFilter), which Nova’s developers advise against.',
  },
];
