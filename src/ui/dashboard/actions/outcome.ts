// What became of a write: refused with reasons, or done, with the way back where there is one.
import type { RefusalFragment } from './actions.generated.ts';

export interface Outcome {
  readonly refusals: readonly RefusalFragment[];
  readonly done: Done | null;
}

interface Done {
  readonly said: string;
  /** One write that restores what was before; null where there is none. */
  readonly undo: (() => Promise<Outcome>) | null;
}

/** The gateway names providers by their uuids; people know them by their names. */
export function refusalWords(refusal: RefusalFragment): string {
  const provider = 'resourceProvider' in refusal ? refusal.resourceProvider : null;
  return provider ? refusal.message.replaceAll(provider.uuid, provider.name) : refusal.message;
}

/** A payload is null when the caller may not do this; then the errors of the answer have said so already. */
export function outcomeOf(refusals: readonly RefusalFragment[] | undefined, done: Done): Outcome {
  if (refusals === undefined) return { refusals: [], done: null };
  return refusals.length > 0 ? { refusals, done: null } : { refusals: [], done };
}

/** A key that makes a write happen once, however often it is sent. Works also where the page is not served over TLS. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
