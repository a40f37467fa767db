// The documents on a page of docs, and whether answers contain what the page shows. The page abbreviates tokens (`c1.W1si…`); the answers supply them.
import type { Json } from '../../src/nova/objects/forms/fields.ts';

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The GraphQL documents and answers of a page, in its order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(graphql|json)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }));
}

const isShortened = (text: string) => text.endsWith('…');

/** Whether an answer contains what the page shows: the shown keys of objects, and whole lists. Learns the tokens that it meets. */
export function holds(said: Json, actual: Json | undefined, tokens: Map<string, string>): boolean {
  if (typeof said === 'string' && isShortened(said)) {
    if (typeof actual !== 'string') return false;
    tokens.set(said, actual);
    return true;
  }
  if (Array.isArray(said)) {
    return Array.isArray(actual) && actual.length === said.length && said.every((element, index) => holds(element, actual[index], tokens));
  }
  if (typeof said !== 'object' || said === null) return said === actual;
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false;
  const fields = actual as { readonly [key: string]: Json };
  return Object.entries(said).every(([key, value]) => holds(value, fields[key], tokens));
}

/** Every value of an answer, at any depth. */
export function* within(value: Json): Generator<Json> {
  yield value;
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* within(inner);
}
