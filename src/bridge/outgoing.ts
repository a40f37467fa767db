// Brings objects in another Placement into the state that they have here, through its REST API. An object that is refused because of another one is retried after the rest.
import type { Db } from '../db/sql/client.ts';
import { listConsumersWith, listProvidersWith } from './ledger.ts';
import { makeConsumers, moveTogether } from './outgoing-consumers.ts';
import { deleteNames, isCustomName, makeNames } from './outgoing-names.ts';
import { deleteProviders, freeNames, makeProviders } from './outgoing-providers.ts';
import { beginWork, type Difference, type Noun, type Work, want } from './outgoing-work.ts';
import type { PlacementClient } from './placement/client.ts';

export type { Difference } from './outgoing-work.ts';

/** Objects of the ledger that may have changed. Names of classes and traits, uuids of providers and consumers. */
export interface Objects {
  readonly resourceClasses: ReadonlySet<string>;
  readonly traits: ReadonlySet<string>;
  readonly providers: ReadonlySet<string>;
  readonly consumers: ReadonlySet<string>;
}

/** Ends attempts that never come to rest, because others write there, too. */
const maxRounds = 50;

/**
 * Makes each object in the other Placement as it is here. Returns what was refused there, with its reason. Rejects when the other side cannot be reached or
 * refuses the token: then nothing is known, and the caller tries everything again.
 */
export async function makeThere(db: Db, placement: PlacementClient, objects: Objects): Promise<readonly Difference[]> {
  const work = beginWork(db, placement);
  // A class that was renamed is another one there: all that has it has changed.
  const classes = [...objects.resourceClasses].filter(isCustomName);
  want(work, 'resourceClass', classes);
  want(work, 'trait', [...objects.traits].filter(isCustomName));
  want(work, 'provider', objects.providers);
  want(work, 'provider', await listProvidersWith(db, classes));
  want(work, 'consumer', objects.consumers);
  want(work, 'consumer', await listConsumersWith(db, classes));

  for (let round = 1; round <= maxRounds && isPending(work); round++) {
    const before = work.steps;
    await makeAll(work);
    if (work.steps > before) continue;
    await freeNames(work);
    await moveTogether(work);
    if (work.steps === before) break;
  }
  return Object.entries(work.pending).flatMap(([noun, refused]) =>
    [...refused].map(([key, reason]) => ({ noun: noun as Noun, key, reason })),
  );
}

const isPending = ({ pending }: Work) => Object.values(pending).some(({ size }) => size > 0);

async function makeAll(work: Work): Promise<void> {
  await makeNames(work);
  if (work.pending.consumer.size > 0) {
    await makeProviders(work, { keepsRoom: true });
    await makeConsumers(work);
  }
  await makeProviders(work, { keepsRoom: false });
  await deleteProviders(work);
  await deleteNames(work);
}
