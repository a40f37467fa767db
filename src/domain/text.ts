// Which texts can be stored and which names are valid; not which names exist. A fault is worded to follow the name of the field:
// "name must not be empty".
import { limits } from './limits.ts';

/** The maximum length of the name of a trait, resource class, consumer type, project or user, in code points. */
export const maxNameLength = limits.vocabularyLength;

/** Bounds in code points, which is also what Postgres counts. */
export interface TextBounds {
  /** Default 1. */
  readonly minLength?: number;
  readonly maxLength: number;
}

const vocabulary = /^[A-Z0-9_]+$/;
const customVocabulary = /^CUSTOM_[A-Z0-9_]+$/;
const loneSurrogate = /\p{Surrogate}/u;

/** Why a text cannot be stored, or null. Postgres refuses NUL characters and cannot encode lone surrogates. */
export function findTextFault(text: string, { minLength = 1, maxLength }: TextBounds): string | null {
  if (text.includes('\0')) return 'must not contain a NUL character';
  if (loneSurrogate.test(text)) return 'must not contain half a surrogate pair';
  const length = countCodePoints(text);
  if (length < minLength) return length === 0 ? 'must not be empty' : `must have at least ${minLength} characters, has ${length}`;
  if (length > maxLength) return `must have at most ${maxLength} characters, has ${length}`;
  return null;
}

/** Why this cannot be the name of a trait, standard or custom, or null. */
export function traitNameFault(name: string): string | null {
  return vocabularyFault(name);
}

/** Why this cannot be the name of a resource class, standard or custom, or null. */
export function resourceClassNameFault(name: string): string | null {
  return vocabularyFault(name);
}

/** Why this cannot be a consumer type, or null. Since 1.38 every consumer has one; clients choose them freely. */
export function consumerTypeFault(name: string): string | null {
  return vocabularyFault(name);
}

/** Why a caller may not create a trait or resource class of this name, or null: custom names start with CUSTOM_. */
export function customNameFault(name: string): string | null {
  const fault = findTextFault(name, { maxLength: maxNameLength });
  if (fault !== null) return fault;
  return customVocabulary.test(name) ? null : 'must be CUSTOM_ followed by characters of A-Z, 0-9 and _';
}

function vocabularyFault(name: string): string | null {
  const fault = findTextFault(name, { maxLength: maxNameLength });
  if (fault !== null) return fault;
  return vocabulary.test(name) ? null : 'must consist of A-Z, 0-9 and _';
}

/** For a text without lone surrogates. Iterating over code points would take ten times as long, and the text may be large. */
function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1;
  return count;
}
