// What may be asked about the ledger: events under conditions, newest or oldest first.
import { selectEvents } from '../../db/events.ts';
import type { EventSubject } from '../../domain/event.ts';
import { renderPage } from '../../domain/page.ts';
import type { EventPage } from '../request/parents.ts';
import type { RequestScope } from '../request/scope.ts';
import { type EventArguments, neverCounted, parseEventFilter, parseEventPage } from './event-arguments.ts';

/** Events that meet all conditions, newest first unless said otherwise. Refuses INVALID_INPUT. */
export async function listEvents({ db }: RequestScope, args: EventArguments): Promise<EventPage> {
  const { page, list, descending } = parseEventPage(args);
  return renderPage(page, await selectEvents(db, parseEventFilter(args.filter), page, descending), list, ({ id }) => [id], neverCounted);
}

/** A page of what was written about one subject; the same for many is one statement. Refuses INVALID_INPUT. */
export function listEventsOfSubject({ loaders }: RequestScope, { noun, key }: EventSubject, args: EventArguments): Promise<EventPage> {
  return loaders.eventPageBySubject({ noun, args }).load(key);
}
