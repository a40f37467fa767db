// Tells failures of the database from bugs, for the surfaces.
import { connectionFault } from '../../db/writes/apply-write.ts';
import { OutcomeUnknown, Unavailable } from '../../domain/errors.ts';

/** True when an operation failed because the database is away or has no time, not because of a bug: it is worth trying again later. */
export function isDatabaseFault(error: unknown): boolean {
  return error instanceof Unavailable || error instanceof OutcomeUnknown || connectionFault(error) !== undefined;
}
