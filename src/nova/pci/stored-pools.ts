// Pools of PCI devices in the forms that Nova reads and has stored: a versioned object, a flat dict, a list of dicts. Knows only the forms; pci-pools.ts makes
// pools of devices.
import type { Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { InputCheck } from '../../operations/request/input.ts';
import { decodeText, makeObject, type NovaObject, parseJson } from '../objects/codec.ts';
import { integer, nullable, readRecord, text } from '../objects/forms/fields.ts';

/** A pool without its devices. */
export interface StoredPool {
  readonly productId: string;
  readonly vendorId: string;
  /** Null if the devices have no NUMA node, or it is unknown. */
  readonly numaNode: number | null;
  /** All other common properties of the devices, including `dev_type`. */
  readonly tags: Readonly<Record<string, string | null>>;
  /** The number of free devices. */
  readonly count: number;
}

/** Reads JSON in any of the stored forms: a versioned list, a dict, a list of dicts. Refuses INVALID_INPUT below `path`. */
export function readStoredPools(json: string, path: Path = []): StoredPool[] {
  const stored = parseJson(json, path);
  if (stored === null) return [];
  if (Array.isArray(stored)) return stored.map((dict, index) => poolFromDict(dict, [...path, index]));
  if (!Object.hasOwn(readRecord(stored, path), 'nova_object.namespace')) return [poolFromDict(stored, path)];
  return poolsInObject(decodeText('PciDevicePoolList', json, path), path);
}

/** The pools in a versioned list. Refuses INVALID_INPUT below `path` for required fields that are unset. */
export function poolsInObject({ fields }: NovaObject<'PciDevicePoolList'>, path: Path = []): StoredPool[] {
  return (fields.objects ?? []).map(({ fields: own }, index) => {
    const { tags, ...rest } = own;
    return { ...readOwn(rest, [...path, 'nova_object.data', 'objects', index, 'nova_object.data']), tags: tags ?? {} };
  });
}

/** Adds the problems of pools that are to be kept. */
export function checkPools(check: InputCheck, path: Path, pools: readonly StoredPool[]): void {
  check.size(path, pools, 0, limits.pciDevices);
  if (pools.some(({ count }) => count < 0)) check.add(path, 'must not have negative counts');
  const free = pools.reduce((sum, { count }) => sum + count, 0);
  if (free > limits.pciDevices) check.add(path, `must have at most ${limits.pciDevices} devices in all`);
  for (const { vendorId, productId, tags } of pools)
    for (const text of [vendorId, productId, ...Object.entries(tags).flat()]) if (text) check.text(path, text, limits.pciTagLength);
}

/** The pool as a versioned object. */
export function poolToObject({ productId, vendorId, numaNode, tags, count }: StoredPool): NovaObject<'PciDevicePool'> {
  return makeObject('PciDevicePool', { product_id: productId, vendor_id: vendorId, numa_node: numaNode, tags, count });
}

/** Reads the flat form: every key that is not a field of the pool is a tag. Refuses INVALID_INPUT below `path`. */
export function poolFromDict(dict: unknown, path: Path = []): StoredPool {
  const { product_id, vendor_id, numa_node, count, ...rest } = readRecord(dict, path);
  const tags = Object.entries(rest).map(([tag, value]) => [tag, readTag(value, [...path, tag])]);
  return { ...readOwn({ product_id, vendor_id, numa_node, count }, path), tags: Object.fromEntries(tags) };
}

/** The flat form: tags at the top level, beside vendor, product, NUMA node and count. */
export function poolToDict({ productId, vendorId, numaNode, tags, count }: StoredPool): Record<string, string | number | null> {
  return { ...tags, product_id: productId, vendor_id: vendorId, numa_node: numaNode, count };
}

interface OwnKeys {
  readonly product_id?: unknown;
  readonly vendor_id?: unknown;
  readonly numa_node?: unknown;
  readonly count?: unknown;
}

function readOwn({ product_id, vendor_id, numa_node, count }: OwnKeys, path: Path): Omit<StoredPool, 'tags'> {
  return {
    productId: text.read(product_id, [...path, 'product_id']),
    vendorId: text.read(vendor_id, [...path, 'vendor_id']),
    numaNode: nullable(integer).read(numa_node ?? null, [...path, 'numa_node']),
    count: integer.read(count, [...path, 'count']),
  };
}

/** Dicts may be written by hand, so a value may be a number or boolean. */
function readTag(value: unknown, path: Path): string | null {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : nullable(text).read(value, path);
}
