// Distinguishes failures of the database from bugs, for the APIs.
import { connectionFault } from '../../db/writes/apply-write.ts';
import { OutcomeUnknown, Unavailable } from '../../domain/errors.ts';

/** True when an operation failed because the database is unavailable or overloaded, not because of a bug: a retry may succeed. */
export function isDatabaseFault(error: unknown): boolean {
  return error instanceof Unavailable || error instanceof OutcomeUnknown || connectionFault(error) !== undefined;
}
