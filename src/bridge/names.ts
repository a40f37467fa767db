// Compares the names of resource classes and traits with those of the other Placement.
import type { Db } from '../db/sql/client.ts';
import { listOwnNames } from './ledger.ts';
import type { PlacementClient } from './placement/client.ts';
import { listResourceClasses, listTraits } from './placement/upstream.ts';

export interface Names {
  readonly resourceClasses: readonly string[];
  readonly traits: readonly string[];
}

/** The names that exist on one side only. Standard names that exist only here do not count: versions of Placement differ in them. */
export async function compareNames(db: Db, placement: PlacementClient): Promise<{ readonly onlyThere: Names; readonly onlyHere: Names }> {
  const own = await listOwnNames(db);
  const [resourceClasses, traits] = await Promise.all([listResourceClasses(placement), listTraits(placement)]);
  const missing = (here: ReadonlySet<string>, there: readonly string[]) => there.filter((name) => !here.has(name));
  const gone = (here: ReadonlySet<string>, there: readonly string[]) => {
    const names = new Set(there);
    return [...here].filter((name) => name.startsWith('CUSTOM_') && !names.has(name));
  };
  return {
    onlyThere: { resourceClasses: missing(own.resourceClasses, resourceClasses), traits: missing(own.traits, traits) },
    onlyHere: { resourceClasses: gone(own.resourceClasses, resourceClasses), traits: gone(own.traits, traits) },
  };
}
