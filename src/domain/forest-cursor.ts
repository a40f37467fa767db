// The opaque cursor of a moment of the forest. It is self-contained: gateways keep no state for readers, and a cursor works in any gateway of the database.
import { invalidInput } from './errors.ts';
import { isSnapshot } from './event-feed.ts';
import { limits } from './limits.ts';

/** A moment of the forest. */
export interface ForestMoment {
  /** The finished transactions, as the text of a pg_snapshot. */
  readonly snapshot: string;
  /** The server and its history. */
  readonly history: string;
}

const version = 1;

export function renderForestCursor({ snapshot, history }: ForestMoment): string {
  return Buffer.from(JSON.stringify([version, 'map', snapshot, history])).toString('base64url');
}

/** Refuses INVALID_INPUT for text that is not such a cursor. */
export function parseForestCursor(cursor: string): ForestMoment {
  const refused = invalidInput(['after'], 'after is not a cursor of a map: take it from cloudMap or from a message of cloudMapChanges');
  if (cursor.length > limits.cursorLength || !/^[\w-]+$/.test(cursor)) throw refused;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw refused;
  }
  if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== version || parts[1] !== 'map') throw refused;
  const [, , snapshot, history] = parts as readonly unknown[];
  if (typeof snapshot !== 'string' || !isSnapshot(snapshot) || typeof history !== 'string') throw refused;
  return { snapshot, history };
}
