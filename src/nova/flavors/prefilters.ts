// The optional pre-filters of Nova's scheduler: what an image needs of hosts, and which host aggregates a project, a zone or required traits admit. The
// pre-filters that are always on are part of the translation of a flavor.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { standardTraits } from '../../domain/standard-traits.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { type Property, readProperties } from '../terms/properties.ts';
import type { RequestDraft } from './request-draft.ts';

export interface Prefilters {
  /** Whether hosts must support the format of the image. */
  readonly imageType?: Optional<boolean>;
  /** Whether hosts must support the devices and the architecture that the image names. */
  readonly imageMetadata?: Optional<boolean>;
  readonly availabilityZone?: Optional<string>;
  /** Whether hosts must be in an aggregate of the project, if it has any. */
  readonly projectAggregates?: Optional<boolean>;
  /** Whether the project must have one. */
  readonly projectAggregateRequired?: Optional<boolean>;
  /** External id. */
  readonly project?: Optional<string>;
  /** Whether hosts in an aggregate reserved for traits serve only requests that require all of them. */
  readonly isolatedAggregates?: Optional<boolean>;
  /** Nova's host aggregates. */
  readonly hostAggregates?: Optional<readonly HostAggregate[]>;
  /** Whether they are those of the cloud: then a call need not give the project. */
  readonly isOfCloud?: true;
}

export interface HostAggregate {
  readonly aggregate: string;
  readonly metadata: readonly Property[];
}

/** The known facts about an image. */
export interface PrefilteredImage {
  readonly properties: Readonly<Record<string, string>>;
  /** Such as raw. */
  readonly diskFormat: Optional<string>;
  readonly isVolume: boolean;
}

const traitPrefixes: Readonly<Record<string, string>> = {
  hw_cdrom_bus: 'COMPUTE_STORAGE_BUS',
  hw_disk_bus: 'COMPUTE_STORAGE_BUS',
  hw_video_model: 'COMPUTE_GRAPHICS_MODEL',
  hw_vif_model: 'COMPUTE_NET_VIF_MODEL',
  hw_architecture: 'HW_ARCH',
  hw_emulation_architecture: 'COMPUTE_ARCH',
  // Nova uses COMPUTE_VIOMMU here, for which no traits exist, and then drops all requirements of the image.
  hw_viommu_model: 'COMPUTE_VIOMMU_MODEL',
};

/** Other spellings that Nova accepts. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amd64: 'x86_64',
    ...Object.fromEntries(['i386', 'i486', 'i586', 'x86_32', 'x86_32p'].map((name) => [name, 'i686'])),
    virtuale1000: 'e1000',
    virtuale1000e: 'e1000e',
    virtualpcnet32: 'pcnet',
    virtualsriovethernetcard: 'sriov',
    virtualvmxnet: 'vmxnet',
    virtualvmxnet3: 'vmxnet3',
  }),
);

const known: ReadonlySet<string> = new Set(standardTraits);

/** Adds the requirements of these pre-filters. Refuses INVALID_INPUT below `path`, also for a project without an aggregate that must have one. */
export function addPrefilters(draft: RequestDraft, prefilters: Prefilters, image: PrefilteredImage, path: Path): void {
  const check = new InputCheck();
  for (const field of ['availabilityZone', 'project'] as const) check.text([...path, field], prefilters[field] || null, maxNameLength);
  check.done();
  if (prefilters.imageType && image.diskFormat && !image.isVolume) addImageType(draft, image.diskFormat);
  if (prefilters.imageMetadata) addImageMetadata(draft, image.properties);
  addHostAggregates(draft, prefilters, path);
}

function addImageType(draft: RequestDraft, diskFormat: string): void {
  const trait = `COMPUTE_IMAGE_TYPE_${diskFormat.toUpperCase()}`;
  if (known.has(trait)) draft.rootRequired.add(trait);
  else
    draft.warn(
      'IMAGE_PROPERTY_LEFT_OUT',
      'disk_format',
      `disk_format ${diskFormat} of the image was left out: trait ${trait} does not exist`,
    );
}

function addImageMetadata(draft: RequestDraft, properties: Readonly<Record<string, string>>): void {
  for (const [property, prefix] of Object.entries(traitPrefixes)) {
    const value = Object.hasOwn(properties, property) ? properties[property]?.toLowerCase() : undefined;
    if (value === undefined) continue;
    const trait = `${prefix}_${(spellings.get(value) ?? value).replaceAll('-', '_').toUpperCase()}`;
    if (known.has(trait)) draft.rootRequired.add(trait);
    else draft.warn('IMAGE_PROPERTY_LEFT_OUT', property, `${property} of the image was left out: trait ${trait} does not exist`);
  }
}

function addHostAggregates(draft: RequestDraft, prefilters: Prefilters, path: Path): void {
  const { project, projectAggregates, projectAggregateRequired, availabilityZone, isolatedAggregates, isOfCloud } = prefilters;
  const aggregates = readHostAggregates(prefilters.hostAggregates ?? [], [...path, 'hostAggregates']);
  const { aggregates: clauses } = draft.group('');
  const admitting = (admits: (key: string, value: string) => boolean) =>
    aggregates.flatMap(({ uuid, metadata }) => (Object.entries(metadata).some(([key, value]) => admits(key, value)) ? uuid : []));
  if (projectAggregates && !project && isOfCloud) {
    draft.warn('POLICY_WITHOUT_EFFECT', 'project', 'the project is not given, so hosts of any project are accepted');
  } else if (projectAggregates) {
    if (!project) throw invalidInput([...path, 'project'], 'must be given with projectAggregates');
    const own = admitting((key, value) => key.startsWith('filter_tenant_id') && value === project);
    if (own.length > 0) clauses.push({ anyOf: own });
    else if (projectAggregateRequired) throw invalidInput([...path, 'hostAggregates'], `none is for the project ${project}`);
  }
  if (availabilityZone) {
    const zone = admitting((key, value) => key === 'availability_zone' && value === availabilityZone);
    if (zone.length > 0) clauses.push({ anyOf: zone });
    else
      draft.warn(
        'POLICY_WITHOUT_EFFECT',
        'availabilityZone',
        `no host aggregate is the zone ${availabilityZone}, so hosts of any zone are accepted`,
      );
  }
  if (isolatedAggregates) {
    const required = draft.requiredTraits;
    const isolated = admitting(
      (key, value) => key.startsWith('trait:') && value === 'required' && !required.has(key.slice('trait:'.length)),
    );
    if (isolated.length > 0) clauses.push({ noneOf: isolated });
  }
}

/** Host aggregates with their metadata by key. Refuses INVALID_INPUT below `path`. */
export function readHostAggregates(given: readonly HostAggregate[], path: Path) {
  const check = new InputCheck();
  check.size(path, given, 0, limits.hostAggregates);
  return given.map(({ aggregate, metadata }, index) => ({
    uuid: aggregate,
    metadata: readProperties(metadata, [...path, index, 'metadata']),
  }));
}
