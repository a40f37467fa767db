// Writes changes of the cloud into the columns of the map.
import { type CloudColumns, columnsOf, type SentClass, type SentHosts } from './map-columns.ts';

/** Changed hosts by name, with all of their values. */
interface SentChange extends Pick<SentHosts, 'aggregateUuids' | 'aggregateNames'> {
  readonly names: readonly (string | null)[];
  readonly flags: readonly (number | null)[];
  readonly classes: readonly SentClass[];
  readonly goneNames: readonly (string | null)[];
  readonly reshaped: Omit<SentHosts, 'flags'>;
}

/**
 * The columns with the changes: the same object with new numbers, unless hosts came, went or are described anew. Null if the changes do not fit; then the whole
 * map must be read again.
 */
export function applyChange(columns: CloudColumns, change: SentChange): CloudColumns | null {
  const { goneNames, reshaped, aggregateUuids } = change;
  const isReshaped = goneNames.some((name) => columns.placeOf.has(name ?? '')) || reshaped.names.length + aggregateUuids.length > 0;
  const current = isReshaped ? reshapedBy(columns, change) : columns;
  return writeAmounts(current, change) ? current : null;
}

function writeAmounts(columns: CloudColumns, { names, flags, classes }: SentChange): boolean {
  if (classes.length !== columns.classes.size) return false;
  for (const [row, name] of names.entries()) {
    const place = columns.placeOf.get(name ?? '');
    if (place === undefined) return false;
    columns.flags[place] = flags[row] ?? 0;
    for (const { resourceClass, ...sent } of classes) {
      const known = columns.classes.get(resourceClass.name);
      if (!known) return false;
      known.total[place] = sent.total[row] ?? Number.NaN;
      known.reserved[place] = sent.reserved[row] ?? Number.NaN;
      known.capacity[place] = sent.capacity[row] ?? Number.NaN;
      known.used[place] = sent.used[row] ?? Number.NaN;
    }
  }
  return true;
}

/** New columns without the hosts that are gone, and with those that are described. */
function reshapedBy(columns: CloudColumns, { goneNames, reshaped, aggregateUuids, aggregateNames }: SentChange): CloudColumns {
  const away = new Set([...goneNames, ...reshaped.names]);
  const kept = columns.names.flatMap((name, place) => (away.has(name) ? [] : [place]));
  const aggregates = new Map(columns.aggregates.map(({ uuid, name }) => [uuid, name]));
  for (const [place, uuid] of reshaped.aggregateUuids.entries()) aggregates.set(uuid ?? '', reshaped.aggregateNames[place] ?? null);
  for (const [place, uuid] of aggregateUuids.entries()) {
    if (aggregates.has(uuid ?? '')) aggregates.set(uuid ?? '', aggregateNames[place] ?? null);
  }
  const uuids = [...aggregates.keys()];
  const traitNames = [...new Set([...columns.traitNames, ...reshaped.traitNames.map((name) => name ?? '')])];
  const sets = {
    aggregates: joined(columns.aggregateSets, placed(reshaped.aggregateSets, reshaped.aggregateUuids, uuids)),
    traits: joined(columns.traitSets, placed(reshaped.traitSets, reshaped.traitNames, traitNames)),
  };
  const numbers = (known: ArrayLike<number>, others: readonly (number | null)[]) => [
    ...kept.map((place) => known[place] ?? null),
    ...others,
  ];
  const none = reshaped.names.map(() => null);
  return columnsOf({
    hostCount: kept.length + reshaped.names.length,
    names: [...kept.map((place) => columns.names[place] ?? null), ...reshaped.names],
    flags: numbers(columns.flags, none),
    memberCounts: numbers(columns.memberCounts, reshaped.memberCounts),
    aggregateUuids: uuids,
    aggregateNames: [...aggregates.values()],
    aggregateSets: sets.aggregates.sets,
    aggregateSet: numbers(
      columns.aggregateSet,
      reshaped.aggregateSet.map((place) => sets.aggregates.places[place ?? 0] ?? 0),
    ),
    traitNames,
    traitSets: sets.traits.sets,
    traitSet: numbers(
      columns.traitSet,
      reshaped.traitSet.map((place) => sets.traits.places[place ?? 0] ?? 0),
    ),
    classes: [...columns.classes].map(([name, { total, reserved, capacity, used }]) => ({
      resourceClass: { name },
      total: numbers(total, none),
      reserved: numbers(reserved, none),
      capacity: numbers(capacity, none),
      used: numbers(used, none),
    })),
  });
}

/** Translates sets of places in one list into sets of places in a longer list. */
function placed(sets: readonly (readonly number[])[], names: readonly (string | null)[], all: readonly string[]): number[][] {
  const places = new Map(all.map((name, place) => [name, place]));
  return sets.map((set) => set.map((place) => places.get(names[place] ?? '') ?? 0));
}

/** Appends sets to the known ones, each once. Returns all sets and the places of the appended ones. */
function joined(known: readonly (readonly number[])[], others: readonly number[][]) {
  const keyOf = (set: readonly number[]) => [...set].sort((a, b) => a - b).join();
  const sets = [...known];
  const placeOf = new Map(known.map((set, place) => [keyOf(set), place]));
  const places = others.map((set) => {
    const place = placeOf.get(keyOf(set)) ?? sets.push(set) - 1;
    placeOf.set(keyOf(set), place);
    return place;
  });
  return { sets, places };
}
