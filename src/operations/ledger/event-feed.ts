// The ledger as a feed: a reader that follows its cursors gets every write exactly once, and the writes of one subject in the order of its generations,
// regardless of which transactions were open meanwhile. What comes next is decided in db/feed/events.ts.
import { selectEventsBehind, selectLedgerMoment } from '../../db/feed/events.ts';
import { primaryOf } from '../../db/sql/client.ts';
import { HistoryRefusal, invalidInput } from '../../domain/errors.ts';
import { beginning, type FeedPosition, parseFeedCursor, renderFeedCursor } from '../../domain/event-feed.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { parsePage } from '../../domain/page.ts';
import { type EventFilterInput, parseEventFilter, refuseCount, underFilter } from '../loaders/event-arguments.ts';
import type { EventPage } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';

export interface EventFeedArguments {
  readonly first?: Optional<number>;
  readonly after?: Optional<string>;
  readonly from?: Optional<'OLDEST' | 'NOW'>;
  readonly filter?: Optional<EventFilterInput>;
}

/**
 * The events after a cursor, or from the oldest one on, or (NOW) none, only the cursor to continue from. `endCursor` is never null; when
 * there is no next page, everything up to now has been delivered. Refuses INVALID_INPUT and CURSOR_EXPIRED.
 */
export async function listEventFeed(scope: RequestScope, { first, after, from, filter }: EventFeedArguments): Promise<EventPage> {
  // A replica may not have the event of a cursor yet, and would take it for a deleted one.
  const db = primaryOf(scope.db);
  const { size } = parsePage({ first }, 'eventFeed', []);
  const conditions = parseEventFilter(filter);
  if (typeof after === 'string' && from) throw invalidInput(['from'], 'from and after cannot be used together');
  const position = typeof after === 'string' ? parseFeedCursor(after) : beginning;
  if (from === 'NOW') return pageOf([], { delivered: await selectLedgerMoment(db), reading: null }, [], false);
  const look = filter ? limits.eventsLookedAt : size;
  const page = await selectEventsBehind(db, position, conditions, { size, look });
  if (!page.continues) {
    throw new HistoryRefusal(
      'CURSOR_EXPIRED',
      'Events behind this cursor are not kept any more, or the database was restored. Ask eventFeed(from: NOW) for a new cursor, read the state anew, and go on from that cursor.',
    );
  }
  if (!page.ready) return pageOf([], position, [], false);
  const { moment, lookedUpTo, more } = page;
  const events = underFilter(conditions, page.events.slice(0, size));
  const at = (upTo: number): FeedPosition => ({ delivered: position.delivered, reading: { ...moment, upTo } });
  const cursors = events.map(({ id }) => renderFeedCursor(at(id)));
  const before = position.reading?.upTo ?? 0;
  if (page.events.length > size) return pageOf(events, at(events.at(-1)?.id ?? before), cursors, true);
  if (more) return pageOf(events, at(lookedUpTo ?? before), cursors, true);
  // An earlier page began this moment; finish it before a later one begins.
  return pageOf(events, { delivered: moment, reading: null }, cursors, position.reading !== null);
}

function pageOf(rows: EventPage['rows'], end: FeedPosition, cursors: readonly string[], hasNextPage: boolean): EventPage {
  return { rows, cursors, endCursor: renderFeedCursor(end), hasNextPage, hasPreviousPage: false, countAll: refuseCount };
}
