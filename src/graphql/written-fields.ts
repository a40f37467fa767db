// Records which mutation fields of an operation have written: an error below them is not a reason to write again. Does not know what they wrote.
import type { GraphQLError } from 'graphql';

type ResponseKey = string | number;

// Keyed by the context that all resolvers of an operation share.
const writtenFields = new WeakMap<object, Set<ResponseKey>>();

/** Records that the mutation field with this response key has committed a write. */
export function recordWritten(context: object, key: ResponseKey): void {
  const written = writtenFields.get(context);
  if (written) written.add(key);
  else writtenFields.set(context, new Set([key]));
}

/** True for an error below a mutation field that has committed a write. */
export function isAfterCommit(context: unknown, { path }: GraphQLError): boolean {
  if (typeof context !== 'object' || context === null || path?.[0] === undefined) return false;
  return writtenFields.get(context)?.has(path[0]) ?? false;
}
