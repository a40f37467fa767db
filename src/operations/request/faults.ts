// What went wrong below, as far as a surface must tell it apart from a bug.
import { connectionFault } from '../../db/writes/apply-write.ts';
import { OutcomeUnknown, Unavailable } from '../../domain/errors.ts';

/** True when an operation failed because the database is away or has no time, not because of a bug: worth asking again later. */
export function isDatabaseFault(error: unknown): boolean {
  return error instanceof Unavailable || error instanceof OutcomeUnknown || connectionFault(error) !== undefined;
}
