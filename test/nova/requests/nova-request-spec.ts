// A RequestSpec as Nova's services send it, built from the data of Nova's tests.
import type { Json } from '../../../src/nova/objects/forms/fields.ts';
import { type Data, wireOf } from '../../support/versioned-objects.ts';

export interface SpecData {
  /** Processors, MiB, root and ephemeral GiB, MiB of swap; omitted if the test has no flavor. */
  readonly sizes?: readonly [vcpus: number, memoryMb: number, rootGb: number, ephemeralGb: number, swapMb: number];
  readonly extraSpecs?: Readonly<Record<string, string>>;
  /** Properties of the image; omitted if the spec has none. */
  readonly image?: Readonly<Record<string, string | boolean | readonly string[]>>;
  readonly diskFormat?: string;
  readonly isBfv?: boolean;
  /** Groups requested outside the flavor. */
  readonly requested?: readonly RequestedGroup[];
  readonly sameSubtree?: readonly (readonly string[])[];
  readonly rootRequired?: readonly string[];
  /** Fields of the destination; undefined if unset. */
  readonly destination?: Data | null | undefined;
  readonly hints?: Readonly<Record<string, readonly string[]>>;
  readonly availabilityZone?: string | null;
  readonly project?: string;
  readonly pciRequests?: readonly {
    readonly id: string;
    readonly alias: string | null;
    readonly spec?: Readonly<Record<string, string>>;
  }[];
  /** Other fields. */
  readonly others?: Data;
}

export interface RequestedGroup {
  readonly requester: string | null;
  readonly resources?: Readonly<Record<string, number>>;
  readonly required?: readonly string[];
  readonly forbidden?: readonly string[];
  readonly tree?: string;
}

/** The JSON text of the object. */
export function requestSpecOf(data: SpecData): string {
  const { sizes = [1, 1024, 10, 5, 0], extraSpecs, image, diskFormat, isBfv, requested, destination, hints, pciRequests } = data;
  const [vcpus, memory_mb, root_gb, ephemeral_gb, swap] = sizes;
  const flavor = { vcpus, memory_mb, root_gb, ephemeral_gb, swap, ...(extraSpecs ? { extra_specs: extraSpecs } : {}) };
  return JSON.stringify(
    wireOf('RequestSpec', '1.15', {
      flavor: wireOf('Flavor', '1.2', flavor),
      ...given('image', (image || diskFormat) && imageOf(image ?? {}, diskFormat)),
      ...given('is_bfv', isBfv),
      ...given('requested_resources', requested?.map(groupOf)),
      ...given('requested_destination', destination && wireOf('Destination', '1.4', destination)),
      ...given('scheduler_hints', hints as Json | undefined),
      ...given('availability_zone', data.availabilityZone),
      ...given('project_id', data.project),
      ...given('pci_requests', pciRequests && wireOf('InstancePCIRequests', '1.1', { requests: pciRequests.map(pciRequestOf) })),
      request_level_params: wireOf('RequestLevelParams', '1.1', {
        ...given('same_subtree', data.sameSubtree),
        ...given('root_required', data.rootRequired),
      }),
      ...data.others,
    }),
  );
}

const given = (name: string, value: Json | undefined): Data => (value === undefined ? {} : { [name]: value });

const imageOf = (properties: Data, diskFormat: string | undefined) =>
  wireOf('ImageMeta', '1.8', { ...given('disk_format', diskFormat), properties: wireOf('ImageMetaProps', '1.43', properties) });

const groupOf = ({ requester, resources, required, forbidden, tree }: RequestedGroup) =>
  wireOf('RequestGroup', '1.3', {
    requester_id: requester,
    ...given('resources', resources),
    ...given('required_traits', required),
    ...given('forbidden_traits', forbidden),
    ...given('in_tree', tree),
  });

const pciRequestOf = ({ id, alias, spec }: NonNullable<SpecData['pciRequests']>[number]) =>
  wireOf('InstancePCIRequest', '1.4', { request_id: id, alias_name: alias, count: 1, spec: [spec ?? {}] });
