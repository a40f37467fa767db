// A message with events. It can be divided: each part has a cursor of its own to continue from.

import type { LedgerEvent } from '../../domain/event.ts';
import { type FeedPosition, type LedgerMoment, renderFeedCursor } from '../../domain/event-feed.ts';
import type { Divisible } from './divisible.ts';

export interface EventBatch extends Divisible<EventBatch> {
  readonly cursor: string;
  readonly events: readonly LedgerEvent[];
  readonly omittedCount: number;
  readonly reset: boolean;
}

/** The range of the events of a message: everything in `delivered` was sent before, and all of them are in `moment`. */
export interface Span {
  readonly delivered: LedgerMoment;
  readonly moment: LedgerMoment;
}

/** The events of each read are in the order of ids. If a message is divided, all of its events must be, like those of a feed that is read anew. */
export function batchOf(
  position: FeedPosition,
  { delivered, moment }: Span,
  told: Pick<EventBatch, 'events' | 'omittedCount' | 'reset'>,
): EventBatch {
  return {
    ...told,
    cursor: renderFeedCursor(position),
    parts: told.events.length,
    divide(count) {
      const sorted = told.events.toSorted((a, b) => a.id - b.id);
      const [events, others] = [sorted.slice(0, count), sorted.slice(count)];
      const { snapshot, newestId, newestXid } = moment;
      const cut = { delivered, reading: { snapshot, newestId, newestXid, upTo: events.at(-1)?.id ?? 0 } };
      return [
        batchOf(cut, { delivered, moment }, { ...told, events }),
        batchOf(position, { delivered, moment }, { events: others, omittedCount: 0, reset: false }),
      ];
    },
  };
}
