// Which hosts the table shows and in which order: read from the address, and computed from the columns of the map without a query.
import { type CloudColumns, disabledFlag, overFlag } from '../../data/map-columns.ts';

export interface HostFilter {
  /** A part of the name, ignoring case. */
  readonly text: string;
  readonly traits: readonly string[];
  readonly withoutTraits: readonly string[];
  /** Names or uuids of aggregates; the host is in all of them. */
  readonly aggregates: readonly string[];
  /** Classes that the tree has an inventory of. */
  readonly has: readonly string[];
  readonly isOver: boolean;
  readonly isDisabled: boolean;
}

type HostSortField = 'use' | 'free' | 'used' | 'capacity';

/** By name, or by a number of one class. */
export type HostSort = { readonly isDescending: boolean } & (
  | { readonly resourceClass: null }
  | { readonly resourceClass: string; readonly field: HostSortField }
);

const sortFields: readonly HostSortField[] = ['use', 'free', 'used', 'capacity'];
/** In place of a class: the one with the largest number. Names of classes have no small letters. */
const anyClass = 'any';
const usualClasses: readonly string[] = ['VCPU', 'MEMORY_MB', 'DISK_GB'];

const listIn = (parameters: URLSearchParams, key: string) =>
  parameters
    .getAll(key)
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');

export function filterIn(parameters: URLSearchParams): HostFilter {
  const traits = listIn(parameters, 'trait');
  return {
    text: parameters.get('q') ?? '',
    traits: traits.filter((name) => !name.startsWith('-')),
    withoutTraits: traits.filter((name) => name.startsWith('-')).map((name) => name.slice(1)),
    // A name may contain a comma.
    aggregates: parameters.getAll('in').filter((name) => name !== ''),
    has: listIn(parameters, 'has'),
    isOver: parameters.get('over') === '1',
    isDisabled: parameters.get('disabled') === '1',
  };
}

/** `-VCPU.use` means the fullest first; the default is by name, and for hosts over capacity the worst first: `-any.use`. */
export function sortIn(parameters: URLSearchParams): HostSort {
  const text = parameters.get('sort') ?? (parameters.get('over') === '1' ? `-${anyClass}.use` : '');
  const isDescending = text.startsWith('-');
  const [, resourceClass, field] = /^-?([^.]+)\.(\w+)$/.exec(text) ?? [];
  const known = sortFields.find((one) => one === field);
  return resourceClass !== undefined && known ? { resourceClass, field: known, isDescending } : { resourceClass: null, isDescending };
}

export function printSort(sort: HostSort): string {
  const sign = sort.isDescending ? '-' : '';
  return `${sign}${sort.resourceClass === null ? 'name' : `${sort.resourceClass}.${sort.field}`}`;
}

/** Whether the hosts that are furthest over capacity come first, in whatever class. */
export const isWorstFirst = ({ resourceClass, isDescending }: HostSort): boolean => resourceClass === anyClass && isDescending;

/** The classes that have a column. */
export function classesIn(parameters: URLSearchParams): readonly string[] {
  const chosen = listIn(parameters, 'cols');
  return chosen.length > 0 ? chosen : usualClasses;
}

/** The matching hosts in order; hosts without the class come last in both directions. */
export function hostsFor(columns: CloudColumns, filter: HostFilter, sort: HostSort): number[] {
  const passes = testFor(columns, filter);
  const found: number[] = [];
  for (let host = 0; host < columns.hostCount; host++) if (passes(host)) found.push(host);
  const direction = sort.isDescending ? -1 : 1;
  // Hosts are already in the order of their names.
  if (sort.resourceClass === null) return sort.isDescending ? found.toReversed() : found;
  const rank = rankFor(columns, sort.resourceClass, sort.field);
  return found.sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a - b;
    return direction * (left - right) || a - b;
  });
}

function testFor(columns: CloudColumns, filter: HostFilter): (host: number) => boolean {
  const text = filter.text.toLowerCase();
  const traits = setsWith(columns.traitNames, columns.traitSets, filter.traits);
  const forbidden = filter.withoutTraits.map((name) => setsWith(columns.traitNames, columns.traitSets, [name]));
  const aggregateSets = filter.aggregates.map((wanted) =>
    columns.aggregateSets.map((set) =>
      set.some((place) => columns.aggregates[place]?.name === wanted || columns.aggregates[place]?.uuid === wanted),
    ),
  );
  const has = filter.has.map((name) => columns.classes.get(name)?.capacity);
  const flags = (filter.isOver ? overFlag : 0) | (filter.isDisabled ? disabledFlag : 0);
  return (host) =>
    ((columns.flags[host] ?? 0) & flags) === flags &&
    (text === '' || (columns.names[host] ?? '').toLowerCase().includes(text)) &&
    traits[columns.traitSet[host] ?? 0] !== false &&
    forbidden.every((sets) => sets[columns.traitSet[host] ?? 0] !== true) &&
    aggregateSets.every((sets) => sets[columns.aggregateSet[host] ?? 0] === true) &&
    has.every((capacity) => capacity !== undefined && !Number.isNaN(capacity[host]));
}

/** For each set, whether it has all of these names. Computed for sets, because there are few sets and many hosts. */
function setsWith(names: readonly string[], sets: readonly (readonly number[])[], wanted: readonly string[]): boolean[] {
  const places = wanted.map((name) => names.indexOf(name));
  return sets.map((set) => places.every((place) => set.includes(place)));
}

function rankFor(columns: CloudColumns, resourceClass: string, field: HostSortField): (host: number) => number {
  if (resourceClass === anyClass) {
    const ranks = [...columns.classes.keys()].map((name) => rankFor(columns, name, field));
    return (host) => ranks.map((rank) => rank(host)).reduce((most, one) => (most >= one || Number.isNaN(one) ? most : one), Number.NaN);
  }
  const numbers = columns.classes.get(resourceClass);
  const of = (column: 'capacity' | 'used', host: number) => numbers?.[column][host] ?? Number.NaN;
  // Without a capacity, anything in use is over it by far; nothing of nothing has no rank.
  if (field === 'use') return (host) => of('used', host) / Math.max(0, of('capacity', host));
  if (field === 'free') return (host) => of('capacity', host) - of('used', host);
  return (host) => of(field, host);
}
