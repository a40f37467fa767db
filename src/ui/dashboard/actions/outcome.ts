// The outcome of a write: refused with reasons, or done, with an undo if there is one.
import type { RefusalFragment } from './actions.generated.ts';

export interface Outcome {
  readonly refusals: readonly RefusalFragment[];
  readonly done: Done | null;
}

interface Done {
  readonly said: string;
  /** Whom an undo has left as they are, and why. */
  readonly left?: readonly string[];
  /** Null if the earlier state cannot be restored. */
  readonly undo: Undo | null;
}

export interface Undo {
  /** The write that it undoes, for somebody who does other things meanwhile: "ratio of VCPU to 6 on 24 hosts". */
  readonly what: string;
  readonly run: () => Promise<Outcome>;
}

/** The message with names instead of the gateway's uuids, because people know providers by their names. */
export function refusalWords(refusal: RefusalFragment): string {
  const provider = 'resourceProvider' in refusal ? refusal.resourceProvider : null;
  return provider ? refusal.message.replaceAll(provider.uuid, provider.name) : refusal.message;
}

/** A payload is null if the caller may not do this; the errors of the answer have already said so. */
export function outcomeOf(refusals: readonly RefusalFragment[] | undefined, done: Done): Outcome {
  if (refusals === undefined) return { refusals: [], done: null };
  return refusals.length > 0 ? { refusals, done: null } : { refusals: [], done };
}

/** A key that makes a write happen once, however often it is sent. Works on pages without TLS, too. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
