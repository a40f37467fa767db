// The opaque cursor of a moment of the forest. It is self-contained: gateways keep no state for readers, and a cursor works in any gateway of the database.

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
