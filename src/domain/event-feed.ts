// How far a reader of the feed has come, and the opaque cursor that says so. Ids are not in the order of commits, so a cursor records which
// transactions were finished when the ledger was read. It holds everything that is needed to go on: gateways keep nothing for a reader, and
// a cursor works in any gateway, also after a restart of a gateway or of the database.
import { invalidInput } from './errors.ts';

/** The ledger at one moment. */
export interface LedgerMoment {
  /** Which transactions were finished: text of a pg_snapshot. */
  readonly snapshot: string;
  /** The newest event there was, 0 for none: one with a higher id was not there, whatever its transaction. */
  readonly newestId: number;
  /** The transaction of that event: when it is another one by now, this is another history. */
  readonly newestXid: string;
}

export interface FeedPosition {
  /** Everything up to this moment has been told. */
  readonly told: LedgerMoment;
  /** The later moment that is being told, in the order of ids, and the last id that was told; null when none is. */
  readonly reading: (LedgerMoment & { readonly upTo: number }) | null;
}

/** The beginning: a reader that starts here gets everything that is kept. */
export const beginning: FeedPosition = { told: { snapshot: '1:1:', newestId: 0, newestXid: '0' }, reading: null };

const version = 1;
const longestCursor = 20_000;

export function renderFeedCursor({ told, reading }: FeedPosition): string {
  const parts = [told, ...(reading ? [reading] : [])].flatMap(({ snapshot, newestId, newestXid }) => [snapshot, newestId, newestXid]);
  return Buffer.from(JSON.stringify([version, 'changes', ...parts, ...(reading ? [reading.upTo] : [])])).toString('base64url');
}

/** Refuses INVALID_INPUT for text that is not a cursor of the feed. */
export function parseFeedCursor(cursor: string): FeedPosition {
  const refused = invalidInput(['after'], 'after is not a cursor of changes: take it from pageInfo.endCursor or an edge of changes');
  if (cursor.length > longestCursor || !/^[\w-]+$/.test(cursor)) throw refused;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw refused;
  }
  if (!Array.isArray(parts) || parts[0] !== version || parts[1] !== 'changes') throw refused;
  const [, , ...rest] = parts as readonly unknown[];
  const told = momentOf(rest.slice(0, 3));
  const reading = momentOf(rest.slice(3, 6));
  const [upTo] = rest.slice(6);
  if (told && rest.length === 3) return { told, reading: null };
  if (told && reading && rest.length === 7 && isId(upTo)) return { told, reading: { ...reading, upTo } };
  throw refused;
}

function momentOf([snapshot, newestId, newestXid]: readonly unknown[]): LedgerMoment | null {
  if (typeof snapshot !== 'string' || !isSnapshot(snapshot) || !isId(newestId)) return null;
  if (typeof newestXid !== 'string' || !/^\d{1,18}$/.test(newestXid)) return null;
  return { snapshot, newestId, newestXid };
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** `xmin:xmax:` and the transactions between them that were open, in order: what Postgres reads as a pg_snapshot. */
function isSnapshot(text: string): boolean {
  const [, low = '', high = '', open = ''] = /^(\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?)$/.exec(text) ?? [];
  if (low === '') return false;
  const [xmin, xmax, xip] = [BigInt(low), BigInt(high), open === '' ? [] : open.split(',').map(BigInt)];
  const isInside = xip.every((xid) => xid >= xmin && xid < xmax);
  return xmin > 0n && xmin <= xmax && isInside && xip.every((xid, index) => index === 0 || xid > (xip[index - 1] ?? xid));
}
