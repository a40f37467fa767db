// Lists events of the ledger by condition, newest or oldest first.
import { selectEvents, selectGivers } from '../../db/events.ts';
import type { EventSubject, LedgerEvent } from '../../domain/event.ts';
import { type PageArguments, withRows } from '../../domain/page.ts';
import { type EventArguments, eventOrder, parseEventFilter, refuseCount, underFilter } from '../loaders/event-arguments.ts';
import { listPage } from '../request/list-page.ts';
import type { EventChangePage, EventPage, UuidPage } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';

/** Events that meet all conditions, newest first by default. Refuses INVALID_INPUT. */
export async function listEvents({ db, ownProject }: RequestScope, { filter, direction, ...args }: EventArguments): Promise<EventPage> {
  const { descending, ...list } = eventOrder(direction, ownProject);
  const wanted = parseEventFilter(filter);
  return listPage(args, {
    ...list,
    select: async (page) => underFilter(wanted, await selectEvents(db, wanted, descending, page, ownProject)),
    count: refuseCount,
  });
}

/** A page of the events of one subject, batched over subjects. Refuses INVALID_INPUT. */
export function listEventsOfSubject({ loaders }: RequestScope, { noun, key }: EventSubject, args: EventArguments): Promise<EventPage> {
  return loaders.eventPageBySubject({ noun, args }).load(key);
}

/** A page of the changes of an event: all of them, or those that the filter of its list selects. Batched over events. Refuses INVALID_INPUT. */
export async function listChangesOfEvent(
  { loaders, ownProject }: RequestScope,
  { id, about, named }: Pick<LedgerEvent, 'id' | 'about' | 'named'>,
  args: PageArguments,
): Promise<EventChangePage> {
  const subject: EventSubject | null = about ?? (ownProject === null ? null : { noun: 'project', key: ownProject });
  const page = await loaders
    .changePageByEvent({ ...args, noun: subject?.noun ?? null, named: named ?? null })
    .load({ id, subject: subject?.key ?? null });
  return withRows(
    page,
    page.rows.map(({ change }) => change),
  );
}

/** A page of the uuids of the subjects of an event, batched over events. Refuses INVALID_INPUT. */
export async function listUuidsOfEvent(
  { loaders }: RequestScope,
  id: number,
  noun: 'consumer' | 'resourceProvider',
  args: PageArguments,
): Promise<UuidPage> {
  const page = await loaders.uuidPageByEvent({ ...args, noun }).load(id);
  return withRows(
    page,
    page.rows.map(({ uuid }) => uuid),
  );
}

/** For consumers that took over what others held: the others of a type, as far as the ledger still knows them. One statement. */
export async function findGivers(
  { db }: RequestScope,
  takers: readonly string[],
  type: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await selectGivers(db, takers, type);
  return new Map(rows.flatMap(({ taker, givers }) => (givers.length > 0 ? [[taker, givers]] : [])));
}
