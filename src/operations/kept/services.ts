// Which version of a program runs on which host. Features that need all of them at a version ask for the lowest.
import { selectMinimumVersion } from '../../db/services.ts';
import { maxAmount } from '../../domain/inventory.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../request/scope.ts';
import { write } from '../request/write.ts';

/** A program on a host; `version` counts up from 0, null stands for "no longer there". */
export interface ServiceReport {
  readonly host: string;
  readonly program: string;
  readonly version: number | null;
}

/** Keeps what a service says of itself; the same again is one statement and writes nothing. Returns whether it was news. Refuses INVALID_INPUT. */
export async function reportServiceVersion(scope: RequestScope, { host, program, version }: ServiceReport): Promise<boolean> {
  const check = new InputCheck();
  check.text(['host'], host, maxNameLength);
  check.text(['program'], program, maxNameLength);
  if (version !== null && !(Number.isInteger(version) && version >= 0 && version <= maxAmount)) {
    check.add(['version'], `version must be a whole number from 0 to ${maxAmount}`);
  }
  check.done();
  const { changed } = await write(scope, 'report_service', { host, program, version }, () => []);
  return changed;
}

/** The lowest version of a program anywhere; null when it runs nowhere. */
export async function findMinimumVersion({ db }: RequestScope, program: string): Promise<number | null> {
  return selectMinimumVersion(db, program);
}
