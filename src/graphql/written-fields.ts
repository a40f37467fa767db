// Records which mutation fields of an operation have written: an error below them is not a reason to write again. Does not know what they wrote.
type ResponseKey = string | number;

// Keyed by the context that all resolvers of an operation share.
const writtenFields = new WeakMap<object, Set<ResponseKey>>();

/** Records that the mutation field with this response key has committed a write. */
export function recordWritten(context: object, key: ResponseKey): void {
  const written = writtenFields.get(context);
  if (written) written.add(key);
  else writtenFields.set(context, new Set([key]));
}

/** Whether the mutation field with this response key has committed a write. */
export function isAfterCommit(context: unknown, key: ResponseKey | undefined): boolean {
  if (typeof context !== 'object' || context === null || key === undefined) return false;
  return writtenFields.get(context)?.has(key) ?? false;
}
