// The position of a reader in the feed, and its opaque cursor. Ids are not in commit order, so a cursor records which transactions had
// finished when the ledger was read. It is self-contained: gateways keep no state for readers, and a cursor works in any gateway, even
// after a restart of a gateway or of the database.
import { explainCursor, readCursorOf, renderCursorOf } from './cursor.ts';
import { invalidInput } from './errors.ts';
import { limits } from './limits.ts';

/** A snapshot of the ledger. */
export interface LedgerMoment {
  /** The finished transactions, as the text of a pg_snapshot. */
  readonly snapshot: string;
  /** The highest event id of the snapshot, 0 for none: events with a higher id are not in it, whatever their transaction. */
  readonly newestId: number;
  /** The transaction of that event. If it has changed, the database holds another history (for example after a restore). */
  readonly newestXid: string;
}

export interface FeedPosition {
  /** Everything in this snapshot has been delivered. */
  readonly delivered: LedgerMoment;
  /** The later snapshot that is being delivered in the order of ids, and the last id delivered; null between snapshots. */
  readonly reading: (LedgerMoment & { readonly upTo: number }) | null;
}

/** The beginning: a reader that starts here gets every event that is still kept. */
export const beginning: FeedPosition = { delivered: { snapshot: '1:1:', newestId: 0, newestXid: '0' }, reading: null };

export function renderFeedCursor({ delivered, reading }: FeedPosition): string {
  const parts = [delivered, ...(reading ? [reading] : [])].flatMap(({ snapshot, newestId, newestXid }) => [snapshot, newestId, newestXid]);
  return renderCursorOf('eventFeed', [...parts, ...(reading ? [reading.upTo] : [])]);
}

/** Refuses INVALID_INPUT for text that is not a cursor of the feed. */
export function parseFeedCursor(cursor: string): FeedPosition {
  const rest = readCursorOf('eventFeed', cursor, limits.cursorLength);
  const refused = () =>
    invalidInput(
      ['after'],
      `${explainCursor('after', 'eventFeed', cursor, limits.cursorLength)}: take it from pageInfo.endCursor or an edge of eventFeed, or from a message of the subscription events`,
    );
  if (rest === null) throw refused();
  const delivered = momentOf(rest.slice(0, 3));
  const reading = momentOf(rest.slice(3, 6));
  const [upTo] = rest.slice(6);
  if (delivered && rest.length === 3) return { delivered, reading: null };
  if (delivered && reading && rest.length === 7 && isId(upTo)) return { delivered, reading: { ...reading, upTo } };
  throw refused();
}

/** Whether a later moment of the same history includes everything in an earlier one, judging by the ends of both. */
export function includesMoment(later: LedgerMoment, earlier: LedgerMoment): boolean {
  return later.newestId >= earlier.newestId && endOf(later) >= endOf(earlier);
}

function endOf({ snapshot }: LedgerMoment): bigint {
  return BigInt(snapshot.split(':')[1] ?? '0');
}

function momentOf([snapshot, newestId, newestXid]: readonly unknown[]): LedgerMoment | null {
  if (typeof snapshot !== 'string' || !isSnapshot(snapshot) || !isId(newestId)) return null;
  if (typeof newestXid !== 'string' || !/^\d{1,18}$/.test(newestXid)) return null;
  return { snapshot, newestId, newestXid };
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** `xmin:xmax:` and the ascending list of transactions in progress: the text that Postgres accepts as a pg_snapshot. */
export function isSnapshot(text: string): boolean {
  const [, low = '', high = '', open = ''] = /^(\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?)$/.exec(text) ?? [];
  if (low === '') return false;
  const [xmin, xmax, xip] = [BigInt(low), BigInt(high), open === '' ? [] : open.split(',').map(BigInt)];
  const isInside = xip.every((xid) => xid >= xmin && xid < xmax);
  return xmin > 0n && xmin <= xmax && isInside && xip.every((xid, index) => index === 0 || xid > (xip[index - 1] ?? xid));
}
