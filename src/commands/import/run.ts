// The common part of the phases of an import from another Placement.

import {
  type BatchOutcome,
  forgetResourceClass,
  forgetTrait,
  type Importer,
  importResourceClasses,
  importTraits,
} from '../../bridge/imports.ts';
import { listOwnNames } from '../../bridge/ledger.ts';
import type { PlacementClient } from '../../bridge/placement/client.ts';
import { type LostProvider, listResourceClasses, listTraits } from '../../bridge/placement/upstream.ts';
import type { Db } from '../../db/sql/client.ts';
import type { Progress } from '../phases/progress.ts';

export interface Run {
  readonly db: Db;
  readonly placement: PlacementClient;
  /** Called with lines of progress. */
  readonly report: (line: string) => void;
  readonly progress: Progress;
  readonly by: Importer;
}

/** The numbers of a run, of which the first two are those of the other side. */
export interface RunCounts {
  readonly providers: number;
  readonly consumers: number;
  readonly written: number;
  /** What the other side has and this ledger does not yet have, as far as it was seen. */
  readonly behind: number;
  readonly lost: readonly LostProvider[];
}

/** Imports missing classes and traits: custom ones, and standard ones of a later version. Returns the number of new ones. */
export async function takeNames({ db, placement, by }: Run): Promise<number> {
  const own = await listOwnNames(db);
  const classes = (await listResourceClasses(placement)).filter((name) => !own.resourceClasses.has(name));
  const traits = (await listTraits(placement)).filter((name) => !own.traits.has(name));
  await importResourceClasses(db, classes, by);
  await importTraits(db, traits, by);
  return classes.length + traits.length;
}

interface Names {
  readonly resourceClasses: readonly string[];
  readonly traits: readonly string[];
}

/** The custom classes and traits that exist only here: the other side has deleted them, or renamed them if they are classes. */
export async function findGoneNames({ db, placement }: Run): Promise<Names> {
  const own = await listOwnNames(db);
  const gone = (here: Set<string>, there: readonly string[]) => {
    const names = new Set(there);
    return [...here].filter((name) => name.startsWith('CUSTOM_') && !names.has(name));
  };
  return {
    resourceClasses: gone(own.resourceClasses, await listResourceClasses(placement)),
    traits: gone(own.traits, await listTraits(placement)),
  };
}

/** Deletes the custom classes and traits that exist only here. Returns how many were deleted, and how many were not because they are in use. */
export async function forgetNames(run: Run): Promise<{ readonly written: number; readonly missed: number }> {
  const { db, by } = run;
  const gone = await findGoneNames(run);
  const answers = [
    ...(await forgetEach(gone.resourceClasses, (name) => forgetResourceClass(db, name, by))),
    ...(await forgetEach(gone.traits, (name) => forgetTrait(db, name, by))),
  ];
  const written = answers.filter((isDone) => isDone).length;
  return { written, missed: answers.length - written };
}

async function forgetEach(names: readonly string[], forget: (name: string) => Promise<boolean>): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const name of names) answers.push(await forget(name));
  return answers;
}

export const refusedItems = <Item>({ refused }: BatchOutcome<Item>): Item[] => refused.map(({ item }) => item);

export function reportRefused({ report }: Run, noun: string, { refused }: BatchOutcome<{ uuid: string }>): void {
  for (const { item, refusal } of refused) {
    report(`${noun} ${item.uuid} was not imported: ${refusal.code} ${JSON.stringify(refusal.details)}`);
  }
}
