// PCI devices of a compute node, and the pools of equivalent devices that they form. Pools are computed from the devices on every read, so they are
// never stale. Does not know where devices are stored, or which instance gets one.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import type { NovaObject } from '../objects/codec.ts';
import { text } from '../objects/forms/fields.ts';
import { poolFromDict, type StoredPool } from './stored-pools.ts';

export const pciDeviceTypes = ['type-PCI', 'type-PF', 'type-VF', 'vdpa'] as const;
export type PciDeviceType = (typeof pciDeviceTypes)[number];

export const pciDeviceStatuses = ['available', 'claimed', 'allocated', 'removed', 'deleted', 'unclaimable', 'unavailable'] as const;
export type PciDeviceStatus = (typeof pciDeviceStatuses)[number];

/** A device as reported by its host. */
export interface PciDevice {
  /** Such as 0000:84:00.1. */
  readonly address: string;
  readonly vendorId: string;
  readonly productId: string;
  readonly devType: PciDeviceType;
  readonly status: PciDeviceStatus;
  readonly numaNode?: Optional<number>;
  /** For a virtual function: the address of its physical function. */
  readonly parentAddress?: Optional<string>;
  /** For a virtual function: the network interface of its physical function. */
  readonly parentInterface?: Optional<string>;
  readonly remoteManaged?: Optional<boolean>;
  /** Uuid of the instance that uses it. */
  readonly instance?: Optional<string>;
  /** Tags from the operator's device specification. */
  readonly tags?: Optional<Readonly<Record<string, string>>>;
  /** Whether only its pool is known: then its address stands for none, and its tags do not include those of its provider. */
  readonly isCounted?: true;
}

/** Devices that are interchangeable for requests. Their type is one of the tags. */
export interface PciPool extends StoredPool {
  readonly devices: readonly PciDevice[];
}

export interface PoolOptions {
  /**
   * Whether to separate devices also by their card and by what manages them, as schedulers do: the virtual functions of a physical function are one pool, and
   * every other device is a pool of its own.
   */
  readonly byCard?: boolean;
}

/** Tags of a device specification that describe the provider of the device; they do not separate pools. */
const providerTags = ['resource_class', 'traits'];

/**
 * The free devices, grouped into pools by vendor, product, NUMA node, type and tags; those with the fewest tags first, because a request that accepts
 * any device should not take a special one. A physical function is not free if one of its virtual functions is taken, and neither are the virtual
 * functions of one that is taken.
 */
export function poolsOf(devices: readonly PciDevice[], { byCard = false }: PoolOptions = {}): PciPool[] {
  const pools = new Map<string, { readonly identity: PoolIdentity; readonly members: PciDevice[] }>();
  for (const device of freeDevices(devices)) {
    const identity = identityOf(device, byCard);
    const name = JSON.stringify(identity);
    const pool = pools.get(name);
    if (pool) pool.members.push(device);
    else pools.set(name, { identity, members: [device] });
  }
  return [...pools]
    .toSorted(([a, { identity: some }], [b, { identity: others }]) => some.length - others.length || compareText(a, b))
    .map(([, { identity, members }]) => ({
      ...poolFromDict({ ...Object.fromEntries(identity), count: members.length }),
      devices: members,
    }));
}

/** Pools of which only the number of devices is known, with a device for each, up to `most` in a pool. */
export function countedPools(pools: readonly StoredPool[], most: number): PciPool[] {
  return pools.map((pool, place) => {
    const { vendorId, productId, numaNode, tags, count } = pool;
    const given = Object.entries(tags).filter((tag): tag is [string, string] => tag[1] !== null && tag[0] !== 'dev_type');
    const device: Omit<PciDevice, 'address'> = {
      ...{ vendorId, productId, numaNode, tags: Object.fromEntries(given), parentAddress: tags.address ?? null },
      devType: pciDeviceTypes.find((type) => type === tags.dev_type) ?? 'type-PCI',
      status: 'available',
      isCounted: true,
    };
    const devices = Array.from({ length: Math.min(Math.max(count, 0), most) }, (_, index) => ({ ...device, address: `${place} ${index}` }));
    return { ...pool, devices };
  });
}

/** A device from its versioned object. Refuses INVALID_INPUT below `path` for required fields that are unset, and for unknown types and statuses. */
export function readPciDevice({ fields }: NovaObject<'PciDevice'>, path: Path = []): PciDevice {
  const at = (field: string) => [...path, 'nova_object.data', field];
  const { parent_ifname: parentInterface, remote_managed: remoteManaged } = fields.extra_info ?? {};
  return {
    address: text.read(fields.address, at('address')),
    vendorId: text.read(fields.vendor_id, at('vendor_id')),
    productId: text.read(fields.product_id, at('product_id')),
    devType: oneOf(pciDeviceTypes, fields.dev_type, at('dev_type')),
    status: oneOf(pciDeviceStatuses, fields.status, at('status')),
    numaNode: fields.numa_node ?? null,
    parentAddress: fields.parent_addr ?? fields.extra_info?.phys_function ?? null,
    parentInterface: parentInterface ?? null,
    remoteManaged: remoteManaged?.toLowerCase() === 'true',
    instance: fields.instance_uuid ?? null,
    tags: {},
  };
}

/** The fields of a device that hold any text. */
export type PciTextField = 'address' | 'vendorId' | 'productId' | 'parentAddress' | 'parentInterface';

/** The path of a field in a device's object, where `readPciDevice` reads it. */
export function wirePathOf({ fields }: NovaObject<'PciDevice'>, field: PciTextField): readonly string[] {
  if (field === 'parentInterface') return ['extra_info', 'parent_ifname'];
  if (field === 'parentAddress') return fields.parent_addr ? ['parent_addr'] : ['extra_info', 'phys_function'];
  return [{ address: 'address', vendorId: 'vendor_id', productId: 'product_id' }[field]];
}

function oneOf<const Word extends string>(words: readonly Word[], value: string | undefined, path: Path): Word {
  const word = words.find((each) => each === value);
  if (word === undefined) throw invalidInput(path, `must be one of ${words.join(', ')}`);
  return word;
}

/** The available devices, except those whose card or one of whose functions is taken. */
export function freeDevices(devices: readonly PciDevice[]): PciDevice[] {
  const taken = devices.filter(({ status }) => status === 'claimed' || status === 'allocated');
  const takenAddresses = new Set(taken.map(({ address }) => address));
  const parentsOfTaken = new Set(taken.map(({ parentAddress }) => parentAddress));
  return devices.filter(
    ({ status, address, parentAddress }) =>
      status === 'available' && !parentsOfTaken.has(address) && !(parentAddress && takenAddresses.has(parentAddress)),
  );
}

type PoolIdentity = readonly (readonly [key: string, value: string | number | null])[];

function identityOf(device: PciDevice, byCard: boolean): PoolIdentity {
  const { vendorId, productId, numaNode, devType, tags, address, parentAddress, parentInterface } = device;
  const said = Object.entries(tags ?? {}).filter(([tag]) => !providerTags.includes(tag));
  // Tags come first, so that none can override a field of the device itself. A map counts a tag that is such a field once.
  const identity = new Map<string, string | number | null>([
    ...said.toSorted(([a], [b]) => compareText(a, b)),
    ['vendor_id', vendorId],
    ['product_id', productId],
    ['numa_node', numaNode ?? null],
    ['dev_type', devType],
    ...(byCard ? ([['address', parentAddress ?? address], ...interfaceOf(parentInterface), ...managerOf(device)] as const) : []),
  ]);
  return [...identity];
}

function interfaceOf(name: Optional<string>): PoolIdentity {
  return name ? [['parent_ifname', name]] : [];
}

/** The tag for remote management. Whole devices have it only if it is given, because they have no network that could be managed remotely. */
function managerOf({ devType, remoteManaged, tags }: PciDevice): PoolIdentity {
  const said = remoteManaged === true ? 'true' : (tags?.remote_managed ?? (devType === 'type-PCI' ? null : 'false'));
  return said === null ? [] : [['remote_managed', said]];
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
