// The time when the content of a response last changed.
import type { Answer } from './call.ts';

/** The latest of the times, in milliseconds; now if there are none. */
export function latest(parts: readonly { readonly updatedAt: number }[]): NonNullable<Answer['lastModified']> {
  return parts.length === 0 ? 'now' : parts.reduce((last, { updatedAt }) => Math.max(last, updatedAt), 0);
}
