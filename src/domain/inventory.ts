// The rules of one inventory: its capacity, which records are valid, and whether an amount fits.
// Knows nothing of providers or consumers. The write functions in SQL implement the same rules; a property test keeps the two equal.
import { limits } from './limits.ts';

/** One inventory as given by a caller, with every field present. */
export interface InventoryRecord {
  /** Physical amount, 1 to 2^31-1. */
  readonly total: number;
  /** Withheld before the ratio is applied, 0 to 2^31-1. */
  readonly reserved: number;
  /** Smallest amount of one allocation. */
  readonly minUnit: number;
  /** Largest amount of one allocation. */
  readonly maxUnit: number;
  /** Every amount is a multiple of it. */
  readonly stepSize: number;
  /** The overcommit ratio: how many times each unreserved unit may be allocated. */
  readonly allocationRatio: number;
}

/** An inventory with its class and every field. */
export type CompleteInventory = InventoryRecord & { readonly resourceClass: string };

/** A fault of one field; the message is worded to follow the field's name. */
export interface InventoryFault {
  readonly field: keyof InventoryRecord;
  readonly message: string;
}

/** An inventory whose capacity is now below its usage, or below what is promised of it. `provider` is a uuid; amounts are in units of the class. */
export interface ShrunkInventory {
  readonly provider: string;
  readonly resourceClass: string;
  readonly used: number;
  readonly capacity: number;
  /** What is used and kept by reservations at the worst moment, and the first of those (uuids) that no longer have their room; absent if all have. */
  readonly promised?: { readonly load: number; readonly reservations: readonly string[] };
}

/** Shrunk inventories in an answer: those below their usage, and those whose reservations lack room, each once. Older releases store no `unkept`. */
export function shrunkInventories({ warnings, unkept = [] }: WithShrunk): readonly ShrunkInventory[] {
  const keyOf = ({ provider, resourceClass }: ShrunkInventory) => `${provider} ${resourceClass}`;
  const found = new Set(unkept.map(keyOf));
  return [...warnings.filter((warning) => !found.has(keyOf(warning))), ...unkept];
}

export interface WithShrunk {
  readonly warnings: readonly ShrunkInventory[];
  readonly unkept?: readonly ShrunkInventory[];
}

/** Largest value of every whole number of an inventory. */
export const maxAmount = limits.amount;

/** Largest allocation ratio, as in Placement's schema. Beyond it a product could leave the range of a double, which Postgres refuses. */
export const maxAllocationRatio = limits.allocationRatio;

const smallest: Readonly<Record<Exclude<keyof InventoryRecord, 'allocationRatio'>, number>> = {
  total: 1,
  reserved: 0,
  minUnit: 1,
  maxUnit: 1,
  stepSize: 1,
};

/**
 * The largest usage that is not over capacity: (total - reserved) * ratio, truncated towards zero as in Placement.
 * Saturates at ±(2^53-1), so that it is exact in JSON; never -0.
 */
export function capacityOf({ total, reserved, allocationRatio }: Pick<InventoryRecord, 'total' | 'reserved' | 'allocationRatio'>): number {
  const product = Math.trunc((total - reserved) * allocationRatio);
  return Math.min(Math.max(product, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) + 0;
}

/**
 * All faults of a record; empty if it is valid. Since 1.26 only a capacity below 0 is refused, so that `reserved` may equal `total`.
 * As in Placement, `minUnit` is not compared with `maxUnit`, nor `maxUnit` with `total`.
 */
export function inventoryFaults(record: InventoryRecord): InventoryFault[] {
  const faults: InventoryFault[] = [];
  for (const [field, minimum] of Object.entries(smallest) as [keyof typeof smallest, number][]) {
    const value = record[field];
    if (!Number.isInteger(value) || value < minimum || value > maxAmount) {
      faults.push({ field, message: `must be a whole number from ${minimum} to ${maxAmount}` });
    }
  }
  // Negated so that NaN is refused too. Placement sets no lower bound: a negative ratio is judged by the resulting capacity alone.
  if (!(Math.abs(record.allocationRatio) <= maxAllocationRatio)) {
    faults.push({ field: 'allocationRatio', message: `must be a number from -${maxAllocationRatio} to ${maxAllocationRatio}` });
  }
  if (faults.length === 0 && capacityOf(record) < 0) {
    faults.push({ field: 'reserved', message: 'must leave a capacity of at least 0: trunc((total - reserved) * allocationRatio)' });
  }
  return faults;
}

/** The limits of one allocation. */
export type Units = Pick<InventoryRecord, 'minUnit' | 'maxUnit' | 'stepSize'>;

/** The first limit that an allocation of this amount violates, or null. Step size applies to every amount, not only above `minUnit`. */
export function unitFault({ minUnit, maxUnit, stepSize }: Units, amount: number): keyof Units | null {
  if (amount < minUnit) return 'minUnit';
  if (amount > maxUnit) return 'maxUnit';
  if (amount % stepSize !== 0) return 'stepSize';
  return null;
}

/** The capacity of an inventory, its usage, and what reservations keep beside it (0 when absent), in units of its class. */
export interface Stock {
  readonly capacity: number;
  readonly used: number;
  readonly promised?: number | undefined;
}

/** The free amount that nobody has reserved; negative while the inventory is over capacity, or has shrunk below what is reserved. */
export function roomIn({ capacity, used, promised = 0 }: Stock): number {
  return capacity - used - promised;
}

/** The capacity rule: whether this additional amount can be allocated without a reservation. While there is no room, not even 0 fits. */
export function hasRoom({ capacity, used, promised = 0 }: Stock, amount: number): boolean {
  return used + promised + amount <= capacity;
}

/** Whether more is used than there is, whatever is reserved. */
export function isOver({ capacity, used }: Stock): boolean {
  return used > capacity;
}

/** Whether one new allocation of this amount could be made. */
export function fits(inventory: Stock & Units, amount: number): boolean {
  return hasRoom(inventory, amount) && unitFault(inventory, amount) === null;
}

/** The fields of an inventory that change. */
export type InventoryPatch = { readonly [Field in keyof InventoryRecord]?: number };
