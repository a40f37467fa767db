// The hosts of the cloud as columns, in the order of their names as people count: node9 before node10. The map and the table of hosts show them. The numbers
// are one mutable copy, because a change of a thousand hosts must cost only a thousand steps.

/** A column of one class over all hosts. NaN where the tree has no inventory of it. */
export interface ClassColumns {
  readonly total: Float64Array;
  readonly reserved: Float64Array;
  readonly capacity: Float64Array;
  readonly used: Float64Array;
}

export interface CloudColumns {
  readonly hostCount: number;
  readonly names: readonly string[];
  /** Sums of `disabledFlag` and `overFlag`. */
  readonly flags: Uint8Array;
  readonly memberCounts: Uint32Array;
  readonly aggregates: readonly MapAggregate[];
  readonly aggregateSets: readonly (readonly number[])[];
  readonly aggregateSet: Uint32Array;
  readonly traitNames: readonly string[];
  readonly traitSets: readonly (readonly number[])[];
  readonly traitSet: Uint32Array;
  readonly classes: ReadonlyMap<string, ClassColumns>;
  /** The place of each host by its name. */
  readonly placeOf: ReadonlyMap<string, number>;
}

export interface MapAggregate {
  readonly uuid: string;
  /** Null if it has none. */
  readonly name: string | null;
}

export const disabledFlag = 1;
export const overFlag = 2;

type Numbers = readonly (number | null)[];
type Texts = readonly (string | null)[];

/** The columns of one class, as the gateway sends them. */
export interface SentClass {
  readonly resourceClass: { readonly name: string };
  readonly total: Numbers;
  readonly reserved: Numbers;
  readonly capacity: Numbers;
  readonly used: Numbers;
}

/** Hosts as the gateway sends them: each column has one value for each host. */
export interface SentHosts {
  readonly names: Texts;
  readonly memberCounts: Numbers;
  readonly flags: Numbers;
  readonly aggregateUuids: Texts;
  readonly aggregateNames: Texts;
  readonly aggregateSets: readonly (readonly number[])[];
  readonly aggregateSet: Numbers;
  readonly traitNames: Texts;
  readonly traitSets: readonly (readonly number[])[];
  readonly traitSet: Numbers;
}

/** `CloudMap` of the contract, in the order of creation. */
export interface SentMap extends SentHosts {
  readonly hostCount: number;
  readonly classes: readonly SentClass[];
}

export function columnsOf(sent: SentMap): CloudColumns {
  const sentNames = sent.names.map((name) => name ?? '');
  const keys = sentNames.map(sortKey);
  const order = sentNames.map((_, place) => place).sort((a, b) => compare(keys[a] ?? '', keys[b] ?? '') || a - b);
  const names = order.map((place) => sentNames[place] ?? '');
  const numbers = (column: Numbers) => order.map((place) => column[place] ?? 0);
  return {
    hostCount: sent.hostCount,
    names,
    flags: Uint8Array.from(numbers(sent.flags)),
    memberCounts: Uint32Array.from(numbers(sent.memberCounts)),
    aggregates: sent.aggregateUuids.map((uuid, place) => ({ uuid: uuid ?? '', name: sent.aggregateNames[place] ?? null })),
    aggregateSets: sent.aggregateSets,
    aggregateSet: Uint32Array.from(numbers(sent.aggregateSet)),
    traitNames: sent.traitNames.map((name) => name ?? ''),
    traitSets: sent.traitSets,
    traitSet: Uint32Array.from(numbers(sent.traitSet)),
    classes: new Map(
      sent.classes.map((one) => {
        const column = (values: Numbers) => Float64Array.from(order, (place) => values[place] ?? Number.NaN);
        const { total, reserved, capacity, used } = one;
        return [
          one.resourceClass.name,
          { total: column(total), reserved: column(reserved), capacity: column(capacity), used: column(used) },
        ] as const;
      }),
    ),
    placeOf: new Map(names.map((name, place) => [name, place])),
  };
}

/** Pads numbers, so that they are ordered by value. */
function sortKey(name: string): string {
  return name.replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sums of one class over some hosts. */
export interface HostTotals {
  readonly resourceClass: { readonly name: string };
  readonly hosts: number;
  /** How many of them have the class. */
  readonly having: number;
  readonly total: number;
  readonly reserved: number;
  readonly used: number;
  readonly capacity: number;
  readonly over: number;
  readonly disabled: number;
}

export function totalsOf(columns: CloudColumns, resourceClass: string, hosts: Iterable<number>): HostTotals {
  const numbers = columns.classes.get(resourceClass);
  let [count, having, total, reserved, used, capacity, over, disabled] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const host of hosts) {
    count += 1;
    const flags = columns.flags[host] ?? 0;
    if (flags & overFlag) over += 1;
    if (flags & disabledFlag) disabled += 1;
    if (!numbers || Number.isNaN(numbers.capacity[host])) continue;
    having += 1;
    total += numbers.total[host] ?? 0;
    reserved += numbers.reserved[host] ?? 0;
    used += numbers.used[host] ?? 0;
    capacity += numbers.capacity[host] ?? 0;
  }
  return { resourceClass: { name: resourceClass }, hosts: count, having, total, reserved, used, capacity, over, disabled };
}
