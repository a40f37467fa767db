// The reasons for which this project answers otherwise than Nova 26.2.2, by kind of vector. docs/founding-documents.md lists them with their counts. Reasons that
// begin with "newer" are changes of later releases of Nova, which these vectors cannot judge.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../src/nova/objects/forms/fields.ts';
import type { ExtraSpecAnswer, FlavorAnswer, GivenExtraSpec, GivenFlavor } from './flavor-answers.ts';
import type {
  CellsAnswer,
  DevicesAnswer,
  GivenCells,
  GivenDevices,
  GivenHint,
  GivenHost,
  GivenHosts,
  HintAnswer,
  HostsAnswer,
} from './host-answers.ts';
import type { GivenObject, ObjectAnswer } from './object-answers.ts';
import { type Difference, isRefused, whenever } from './vectors.ts';

/** A reason for parameters of the queries. */
function inQueries(because: string, change: (query: string, given: GivenFlavor) => string): Difference<GivenFlavor, FlavorAnswer> {
  return {
    because,
    without: (own, given) =>
      isRefused(own)
        ? null
        : {
            ...own,
            request: change(own.request, given),
            ...(own.fallback === undefined ? {} : { fallback: change(own.fallback, given) }),
          },
  };
}

/** The query without the words of a list that match; a list without words is left out, except for resources. */
function withoutWords(query: string, pattern: RegExp): string {
  return query
    .split('&')
    .flatMap((parameter) => {
      const [name = '', value = ''] = parameter.split('=');
      const words = value.split(',').filter((word) => !pattern.test(word));
      return words.length > 0 || name.startsWith('resources') ? `${name}=${words.join()}` : [];
    })
    .join('&');
}

const refusedAs = (nova: object, name: string) => isRefused(nova) && nova.refused === name;
const refusedWith = (own: object, start: string) => isRefused(own) && own.refused.startsWith(start);

const ofImage = /^(COMPUTE_(STORAGE_BUS|GRAPHICS_MODEL|NET_VIF_MODEL|ARCH|VIOMMU_MODEL)|HW_ARCH)_/;
const processorKey = /^(resources|trait)(?!([1-9]\d*)?:).*:(VCPU|PCPU|HW_CPU_HYPERTHREADING)$/;

export const flavorDifferences: readonly Difference<GivenFlavor, FlavorAnswer>[] = [
  whenever('an empty property of an image counts as not given; Nova refuses the image', ({ facts }, nova) => {
    return Object.values(facts.imageProperties ?? {}).includes('') && refusedAs(nova, 'InvalidRequest');
  }),
  whenever('several PCI aliases of one name need no type; Nova fails if none has one', (_, nova) => refusedAs(nova, 'PciInvalidAlias')),
  whenever('a negative number of PCI devices is refused', (_, __, own) => refusedWith(own, 'pci_passthrough:alias must be')),
  inQueries('newer: a TPM requires its model, and the keeper of its secrets', (query) =>
    withoutWords(query, /^COMPUTE_SECURITY_TPM_(TIS|CRB|SECRET_SECURITY_\w+)$/),
  ),
  inQueries('newer: encrypted memory requires the trait of its model', (query) => withoutWords(query, /^HW_CPU_X86_AMD_SEV$/)),
  inQueries('groups of a flavor without a policy may share providers; Nova’s request is refused by Placement', (query) =>
    query.replace(/^group_policy=none&/, ''),
  ),
  inQueries('whole PCI devices are counted as PCI_DEVICE', (query) => withoutWords(query, /^PCI_DEVICE:\d+$/)),
  inQueries('if a trait for the image does not exist, only that one is left out; Nova leaves out all', (query, { facts }) =>
    facts.prefilters?.imageMetadata ? withoutWords(query, ofImage) : query,
  ),
  {
    because: 'processors and hyperthreading count in groups of any suffix; Nova looks only at numbers',
    without: (own, { flavor }, nova) => {
      if (!Object.keys(flavor.extraSpecs).some((key) => processorKey.test(key))) return null;
      if (isRefused(own) || isRefused(nova)) return nova;
      const { guest: _, ...rest } = own;
      return { ...rest, ...(nova.guest && { guest: nova.guest }) };
    },
  },
];

export const extraSpecDifferences: readonly Difference<GivenExtraSpec, ExtraSpecAnswer>[] = [
  whenever('newer: Nova no longer knows the name', ({ key }) => /^(os:(vram|monitors|resolution)|hw:max_cpu_\w+)$/.test(key)),
  whenever('a name in a namespace of others causes a warning', ({ key }) => /^(other|powervm):/.test(key)),
  whenever(
    'a negative amount is left out when the flavor is read; Nova drops it later',
    ({ key, value }) => key.startsWith('resources') && value.startsWith('-'),
  ),
];

/** Whether several requests may take a card and functions of it. */
const mayTakeBoth = ({ devices = [], requests = [] }: Pick<GivenCells, 'devices' | 'requests'>) =>
  requests.length > 1 && devices.some(({ address }) => devices.some(({ parentAddress }) => parentAddress === address));

const bothTaken = 'a card is gone with its first function, and functions with their card; Nova’s scheduler still counts them';

export const deviceDifferences: readonly Difference<GivenDevices, DevicesAnswer>[] = [whenever(bothTaken, mayTakeBoth)];

const isPinned = ({ guest }: GivenCells) => guest.cells.some(({ policy }) => policy === 'dedicated' || policy === 'mixed');
const isUnlike = ({ guest: { cells } }: GivenCells) => cells.some((cell) => !isDeepStrictEqual(cell, cells[0]));

export const cellDifferences: readonly Difference<GivenCells, CellsAnswer>[] = [
  whenever('Nova’s scheduler accepts a host that then fails to count what the guest takes', (_, nova) => isRefused(nova)),
  whenever(bothTaken, mayTakeBoth),
  whenever('newer: memory beside dedicated processors is counted in pages', (given) => {
    return isPinned(given) && given.guest.cells[0]?.pageSize === null && given.host.some(({ mempages }) => mempages.length > 0);
  }),
  whenever('Nova mistakes cells that are not alike for each other, and misses ways', isUnlike),
];

export const objectDifferences: readonly Difference<GivenObject, ObjectAnswer>[] = [
  whenever('a dropped field is not named as changed; Nova still names it in nested objects, where receivers ignore it', (_, nova, own) =>
    isDeepStrictEqual(isRefused(nova) ? nova : { object: withoutDropped(nova.object) }, own),
  ),
];

function withoutDropped(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutDropped);
  if (typeof json !== 'object' || json === null) return json;
  const { 'nova_object.changes': changes, ...rest } = json as Readonly<Record<string, Json>>;
  const data = rest['nova_object.data'];
  const left = (changes as readonly string[] | undefined)?.filter((name) => Object.hasOwn(data as object, name)) ?? [];
  const fields = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutDropped(value)]));
  return { ...fields, ...(left.length > 0 ? { 'nova_object.changes': left } : {}) };
}

/** A reason for one number of some hosts, and thereby for the weights of all. */
function inHosts(
  because: string,
  field: 'freeVcpus' | 'freeDiskMb',
  applies: (host: GivenHost) => boolean,
): Difference<GivenHosts, HostsAnswer> {
  return {
    because,
    without: (own, { hosts }, nova) => {
      if (isRefused(own) || isRefused(nova) || !hosts.some(applies)) return null;
      const asNova = (number: number) => nova.hosts[number] as HostsAnswer['hosts'][number];
      return {
        hosts: own.hosts.map((host, number) => ({
          ...host,
          ...(applies(hosts[number] as GivenHost) ? { [field]: asNova(number)[field] } : {}),
          weight: asNova(number).weight,
        })),
      };
    },
  };
}

export const hostDifferences: readonly Difference<GivenHosts, HostsAnswer>[] = [
  inHosts('without shared processors there is no overcommit; Nova multiplies dedicated ones', 'freeVcpus', ({ vcpus }) => vcpus === 0),
  inHosts('free disk is that of Placement, without disk_available_least', 'freeDiskMb', (host) => host.diskAvailableLeast !== undefined),
  inHosts('swap is rounded up to whole GiB, as in Placement; Nova’s records round it down', 'freeDiskMb', ({ instances }) =>
    instances.some(({ swapMb }) => swapMb % 1024 > 0),
  ),
];

export const hintDifferences: readonly Difference<GivenHint, HintAnswer>[] = [
  whenever('a malformed address or prefix is refused; Nova reads 10.0.0.1 with 24 as 10.0.0.124', (_, __, own) => isRefused(own)),
];
