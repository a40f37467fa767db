// The common part of the phases of an import from another Placement.

import {
  type BatchOutcome,
  forgetResourceClass,
  forgetTrait,
  type Importer,
  importResourceClasses,
  importTraits,
} from '../../bridge/imports.ts';
import { compareNames } from '../../bridge/names.ts';
import type { PlacementClient } from '../../bridge/placement/client.ts';
import type { LostProvider } from '../../bridge/placement/upstream.ts';
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
  const { onlyThere } = await compareNames(db, placement);
  await importResourceClasses(db, onlyThere.resourceClasses, by);
  await importTraits(db, onlyThere.traits, by);
  return onlyThere.resourceClasses.length + onlyThere.traits.length;
}

/** Deletes the custom classes and traits that exist only here. Returns how many were deleted, and how many were not because they are in use. */
export async function forgetNames(run: Run): Promise<{ readonly written: number; readonly missed: number }> {
  const { db, placement, by } = run;
  const { onlyHere: gone } = await compareNames(db, placement);
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

export function reportRefused({ report }: Run, noun: string, { refused }: BatchOutcome<{ uuid: string }>): void {
  for (const { item, refusal } of refused) {
    report(`${noun} ${item.uuid} was not imported: ${refusal.code} ${JSON.stringify(refusal.details)}`);
  }
}
