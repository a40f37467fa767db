// Reads a RequestSpec, the object in which Nova's services pass on the request of an instance, as a flavor with the facts of its request. Finds no hosts; what
// the spec says about hosts is returned separately.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { maxAmount } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestFacts } from '../flavors/flavor-request.ts';
import { type Flavor, flavorFromObject } from '../flavors/flavors.ts';
import { type PciRequest, readPciPolicy } from '../flavors/pci-requests.ts';
import type { Prefilters } from '../flavors/prefilters.ts';
import type { AggregateClause, RequestGroup } from '../flavors/request-draft.ts';
import type { NovaObject, ObjectValues } from '../objects/codec.ts';
import { type Json, readRecord } from '../objects/forms/fields.ts';
import { type CellNetworks, networksOf } from '../objects/host-cells.ts';
import type { DeviceRequest } from '../pci/pci-stats.ts';
import { isYes } from '../terms/properties.ts';
import type { RequestWarning } from '../terms/request-warnings.ts';
import type { NamedHosts } from './host-choice.ts';
import { readHints, type SchedulerHints } from './scheduler-hints.ts';
import { groupFromObject, type ServerGroup } from './server-groups.ts';

/** Further input of a caller: the settings of Nova's scheduler. */
export interface RequestSpecSettings {
  readonly pciInPlacement?: Optional<boolean>;
  /** The zone and the project of the spec apply unless they are given here. */
  readonly prefilters?: Optional<Prefilters>;
}

export interface ReadRequestSpec {
  readonly flavor: Flavor;
  readonly facts: RequestFacts;
  /** The suffixes of groups for PCI devices that are already in the spec. */
  readonly pciGroups: readonly string[];
  /** PCI devices for ports, which are not in Placement. */
  readonly portDevices: readonly DeviceRequest[];
  /** The networks that should be near the cells of the guest. */
  readonly networks: CellNetworks;
  readonly target: Target | null;
  /** The parts that concern the choice of a host among the candidates. */
  readonly choice: SpecChoice;
  /** Warnings about conditions on hosts that are neither in the request nor in the choice. */
  readonly warnings: readonly RequestWarning[];
}

/** What a spec says about hosts, and about the instance itself. */
export interface SpecChoice {
  readonly instance: string | null;
  readonly project: string | null;
  readonly user: string | null;
  readonly count: number;
  readonly hosts: readonly NamedHosts[];
  readonly group: ServerGroup | null;
  readonly hints: SchedulerHints;
  /** The path of the hints. */
  readonly hintsPath: Path;
  /** The cell to stay in: required with `isBound`, otherwise preferred. */
  readonly cell: { readonly uuid: string; readonly isBound: boolean } | null;
}

/** A host or node that the instance must go to. */
export interface Target {
  readonly host: string | null;
  readonly node: string | null;
  /** The path of the field that names it. */
  readonly path: Path;
}

type Fields = ObjectValues<'RequestSpec'>;

/** Reads a spec. Refuses INVALID_INPUT below `path`, which is that of the object. */
export function readRequestSpec(spec: NovaObject<'RequestSpec'>, settings: RequestSpecSettings, path: Path): ReadRequestSpec {
  const { fields } = spec;
  const here = [...path, 'nova_object.data'];
  if (!fields.flavor) throw invalidInput([...here, 'flavor'], 'is missing');
  const image = fields.image?.fields;
  const level = fields.request_level_params?.fields;
  const pciRequests = readPciRequests(fields);
  const otherGroups = readGroups(fields, [...here, 'requested_resources']);
  const pciGroups = otherGroups.flatMap(({ suffix }) => (pciRequests.some(({ id }) => suffix?.startsWith(`${id}-`)) ? (suffix ?? []) : []));
  return {
    flavor: flavorFromObject(fields.flavor, [...here, 'flavor']),
    facts: {
      imageTraits: image?.properties?.fields.traits_required,
      imageProperties: propertiesOf(image?.properties?.others ?? {}),
      imageDiskFormat: image?.disk_format,
      bootedFromVolume: fields.is_bfv,
      otherGroups,
      // Nova makes the groups when the instance is created; a stored spec has only the requests.
      pciRequests,
      pciPassthrough: { inPlacement: settings.pciInPlacement || pciGroups.length > 0, aliases: [] },
      sameSubtree: level?.same_subtree,
      rootRequired: level?.root_required,
      rootForbidden: level?.root_forbidden,
      aggregates: aggregatesOf(fields, [...here, 'requested_destination', 'nova_object.data']),
      prefilters: {
        ...settings.prefilters,
        availabilityZone: settings.prefilters?.availabilityZone ?? fields.availability_zone,
        project: settings.prefilters?.project ?? fields.project_id,
      },
    },
    pciGroups,
    portDevices: readPortDevices(fields),
    networks: networksOf(fields.network_metadata?.fields ?? {}),
    target: targetOf(fields, here),
    choice: choiceOf(fields, here),
    warnings: warningsOf(spec, alwaysUnchecked),
  };
}

/** The values as strings, like image properties from other sources. */
function propertiesOf(properties: Readonly<Record<string, Json>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => {
      if (value === null) return [];
      return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
    }),
  );
}

function readPciRequests({ pci_requests }: Fields): PciRequest[] {
  return (pci_requests?.fields.requests ?? []).flatMap(({ fields: { request_id, count, spec, alias_name, numa_policy } }): PciRequest[] => {
    // Requests of ports have no alias: Neutron requests what they need from Placement.
    if (!request_id || !alias_name) return [];
    const specs = (spec ?? []).map(({ vendor_id, product_id, dev_type, resource_class, traits, live_migratable }) => ({
      vendorId: vendor_id,
      productId: product_id,
      deviceType: dev_type,
      resourceClass: resource_class,
      traits: traits?.split(','),
      liveMigratable: live_migratable ? isYes(live_migratable) : null,
    }));
    const numaPolicy = readPciPolicy(numa_policy);
    return [{ id: request_id, count: count ?? 1, specs, ...(numaPolicy && { numaPolicy }) }];
  });
}

function readPortDevices({ pci_requests }: Fields): DeviceRequest[] {
  return (pci_requests?.fields.requests ?? []).flatMap(({ fields: { count, spec, alias_name, numa_policy } }): DeviceRequest[] => {
    if (alias_name) return [];
    const alternatives = (spec ?? []).map((properties) =>
      Object.fromEntries(Object.entries(properties).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    );
    return [{ count: count ?? 1, alternatives, numaPolicy: readPciPolicy(numa_policy) ?? 'LEGACY' }];
  });
}

function readGroups({ requested_resources }: Fields, path: Path): RequestGroup[] {
  const check = new InputCheck();
  const groups = requested_resources ?? [];
  check.size(path, groups, 0, limits.searchGroups);
  return groups.map(({ fields }, index) => {
    const here = [...path, index, 'nova_object.data'];
    const resources = Object.entries(fields.resources ?? {}).map(([resourceClass, amount]) => {
      if (amount < 0 || amount > maxAmount) throw invalidInput([...here, 'resources', resourceClass], `must be from 0 to ${maxAmount}`);
      return { resourceClass, amount };
    });
    const traits = {
      ...(fields.required_traits?.length ? { allOf: fields.required_traits } : {}),
      ...(fields.forbidden_traits?.length ? { noneOf: fields.forbidden_traits } : {}),
    };
    const aggregates = clausesOf(fields.aggregates, fields.forbidden_aggregates, here);
    return {
      suffix: fields.requester_id,
      resources: resources.filter(({ amount }) => amount > 0),
      ...(Object.keys(traits).length > 0 ? { traits: [traits] } : {}),
      ...(aggregates.length > 0 ? { aggregates } : {}),
      ...(fields.in_tree ? { inTrees: [fields.in_tree] } : {}),
    };
  });
}

/** In a destination, each entry is a list separated by commas; one of its aggregates must match. */
function aggregatesOf({ requested_destination }: Fields, path: Path): AggregateClause[] {
  const { aggregates, forbidden_aggregates } = requested_destination?.fields ?? {};
  const alternatives = aggregates?.map((list) => list.split(','));
  return clausesOf(alternatives, forbidden_aggregates, path);
}

function clausesOf(
  required: Optional<readonly (readonly string[])[]>,
  forbidden: Optional<readonly string[]>,
  path: Path,
): AggregateClause[] {
  const read = (uuids: readonly string[], place: Path) =>
    uuids.map((text) => {
      const uuid = parseUuid(text);
      if (uuid === null) throw invalidInput(place, `must be uuids of aggregates, has ${text.slice(0, 100)}`);
      return uuid;
    });
  return [
    ...(required ?? []).map((alternatives, index) => ({ anyOf: read(alternatives, [...path, 'aggregates', index]) })),
    ...(forbidden?.length ? [{ noneOf: read(forbidden, [...path, 'forbidden_aggregates']) }] : []),
  ];
}

/** A destination takes precedence over the forced hosts and nodes of the instance's creation, separately for host and node. */
function targetOf({ requested_destination, force_hosts, force_nodes }: Fields, path: Path): Target | null {
  const { host, node } = requested_destination?.fields ?? {};
  const target = { host: host || force_hosts?.[0] || null, node: node || force_nodes?.[0] || null };
  const field = host || node ? 'requested_destination' : force_hosts?.[0] ? 'force_hosts' : 'force_nodes';
  return target.host || target.node ? { ...target, path: [...path, field] } : null;
}

function choiceOf(fields: Fields, path: Path): SpecChoice {
  const { instance_uuid, project_id, user_id, num_instances, instance_group, requested_destination } = fields;
  const { allow_cross_cell_move, cell } = requested_destination?.fields ?? {};
  const place = [...path, 'requested_destination', 'nova_object.data', 'cell'];
  return {
    instance: instance_uuid ?? null,
    project: project_id ?? null,
    user: user_id ?? null,
    count: num_instances ?? 1,
    hosts: namedHostsOf(fields, path),
    group: instance_group ? groupFromObject(instance_group, [...path, 'instance_group']) : null,
    hints: readHints(fields.scheduler_hints, [...path, 'scheduler_hints']),
    hintsPath: [...path, 'scheduler_hints'],
    cell: cell ? { uuid: cellUuidOf(cell, place), isBound: !allow_cross_cell_move } : null,
  };
}

/** As in Nova, the destination, the forced hosts and the forced nodes must all match; of several forced ones, any. */
function namedHostsOf({ requested_destination, force_hosts, force_nodes, ignore_hosts, retry }: Fields, path: Path): NamedHosts[] {
  const { host, node } = requested_destination?.fields ?? {};
  const tried = (retry?.fields.hosts?.fields.objects ?? []).map(({ fields: of }) => ({ host: of.host, node: of.hypervisor_hostname }));
  const lists: NamedHosts[] = [
    { kind: 'only', names: host || node ? [{ host, node }] : [], path: [...path, 'requested_destination'] },
    { kind: 'only', names: (force_hosts ?? []).map((name) => ({ host: name })), path: [...path, 'force_hosts'] },
    { kind: 'only', names: (force_nodes ?? []).map((name) => ({ node: name })), path: [...path, 'force_nodes'] },
    { kind: 'except', names: (ignore_hosts ?? []).map((name) => ({ host: name })), path: [...path, 'ignore_hosts'] },
    { kind: 'tried', names: tried.filter((name) => name.host || name.node), path: [...path, 'retry'] },
  ];
  return lists.filter(({ names }) => names.length > 0);
}

/** The uuid of a cell. Nova sends the whole mapping of the cell. */
function cellUuidOf(cell: Json, path: Path): string {
  const { uuid } = readRecord(readRecord(cell, path)['nova_object.data'], [...path, 'nova_object.data']);
  const parsed = typeof uuid === 'string' ? parseUuid(uuid) : null;
  if (parsed === null) throw invalidInput([...path, 'nova_object.data', 'uuid'], 'must be a uuid');
  return parsed;
}

/** By field: what Nova checks after it has found candidates. */
const alwaysUnchecked: Readonly<Record<string, string>> = {
  network_metadata: 'networks that must be near cells of a host (NUMATopologyFilter)',
  requested_networks: 'segments and cards that manage ports, which only Neutron knows',
};
const uncheckedInRequests: Readonly<Record<string, string>> = {
  numa_topology: 'cells that a host must fit (NUMATopologyFilter)',
  ignore_hosts: 'hosts that Nova excludes from the result',
  retry: 'hosts that were tried before',
  instance_group: 'a server group, whose policy Nova checks on each host',
  scheduler_hints: 'hints, which Nova’s filters check on each host',
};

/** Warnings about conditions that a request alone, without a choice of hosts, cannot express. */
export function warningsOfRequest(spec: NovaObject<'RequestSpec'>): RequestWarning[] {
  return warningsOf(spec, uncheckedInRequests);
}

function warningsOf({ fields, others }: NovaObject<'RequestSpec'>, unchecked: Readonly<Record<string, string>>): RequestWarning[] {
  const all: Readonly<Record<string, unknown>> = { ...others, ...fields };
  return Object.entries(unchecked).flatMap(([subject, words]): RequestWarning[] => {
    return saysNothing(all[subject])
      ? []
      : [{ code: 'REQUEST_SPEC_NOT_CHECKED', subject, message: `${subject} is not in the request: ${words}` }];
  });
}

/** Whether a value contains nothing but defaults: Nova writes whole objects even if they are empty. Objects may be decoded or not. */
function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value !== 'object') return false;
  const { fields, 'nova_object.data': data } = value as { readonly fields?: object; readonly 'nova_object.data'?: object };
  return Object.values(fields ?? data ?? value).every(saysNothing);
}
