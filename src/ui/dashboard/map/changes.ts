// Changes of the cloud, written into the columns of the map.
import type { CloudColumns, SentClass } from './columns.ts';

/** Hosts that have changed: all of their values, by name. */
interface SentChange {
  readonly names: readonly (string | null)[];
  readonly flags: readonly (number | null)[];
  readonly classes: readonly SentClass[];
}

/**
 * Writes changes into the columns. False when they do not fit, because a host is new or has other classes: then the whole map is read again. What came
 * before the misfit may have been written.
 */
export function applyChange(columns: CloudColumns, { names, flags, classes }: SentChange): boolean {
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
