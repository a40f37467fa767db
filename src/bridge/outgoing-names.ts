// Makes custom resource classes and traits in the other Placement as they are here. Standard names are those of its version.
import { listOwnNames } from './ledger.ts';
import { attempt, remove, type Work, write } from './outgoing-work.ts';
import { hasName } from './placement/upstream.ts';

const collections = { resourceClass: 'resource_classes', trait: 'traits' } as const;

export const isCustomName = (name: string) => name.startsWith('CUSTOM_');

/** Creates those that are only here. */
export function makeNames(work: Work): Promise<void> {
  return eachName(work, true, async (collection, name) => {
    if (!(await hasName(work.placement, collection, name))) await write(work, 'PUT', `/${collection}/${name}`);
  });
}

/** Deletes those that are only there. */
export function deleteNames(work: Work): Promise<void> {
  return eachName(work, false, async (collection, name) => {
    if (await hasName(work.placement, collection, name)) await remove(work, `/${collection}/${name}`);
  });
}

/** One after the other: of resource classes that are created at the same time, OpenStack Placement 8.0.0 loses some and answers 204. */
async function eachName(work: Work, isHere: boolean, make: (collection: string, name: string) => Promise<void>): Promise<void> {
  const { db, pending } = work;
  if (pending.resourceClass.size + pending.trait.size === 0) return;
  const own = await listOwnNames(db);
  for (const [noun, here] of [['resourceClass', own.resourceClasses] as const, ['trait', own.traits] as const]) {
    const names = [...pending[noun].keys()].filter((name) => here.has(name) === isHere);
    for (const name of names) await attempt(work, noun, name, () => make(collections[noun], name));
  }
}
