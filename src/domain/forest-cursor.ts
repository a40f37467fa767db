// The opaque cursor of a moment of the forest. It is self-contained: gateways keep no state for readers, and a cursor works in any gateway of the database.
import { explainCursor, readCursorOf, renderCursorOf } from './cursor.ts';
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

export function renderForestCursor({ snapshot, history }: ForestMoment): string {
  return renderCursorOf('cloudMap', [snapshot, history]);
}

/** Refuses INVALID_INPUT for text that is not such a cursor. */
export function parseForestCursor(cursor: string): ForestMoment {
  const refused = invalidInput(
    ['after'],
    `${explainCursor('after', 'cloudMap', cursor, limits.cursorLength)}: take it from cloudMap or from a message of cloudMapChanges`,
  );
  const parts = readCursorOf('cloudMap', cursor, limits.cursorLength);
  if (parts?.length !== 2) throw refused;
  const [snapshot, history] = parts;
  if (typeof snapshot !== 'string' || !isSnapshot(snapshot) || typeof history !== 'string') throw refused;
  return { snapshot, history };
}
