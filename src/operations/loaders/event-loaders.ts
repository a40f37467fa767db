// Loaders of events and their changes: one statement for each batch, regardless of the number of events.
import {
  changeOrder,
  countChangesOfEvents,
  type EventView,
  type Meant,
  selectChangesOfEvents,
  selectUuidsOfEvents,
  uuidOrder,
} from '../../db/event-changes.ts';
import { selectEventsByIds, selectEventsBySubjects } from '../../db/events.ts';
import type { Db } from '../../db/sql/client.ts';
import type { EventSubject, LedgerEvent } from '../../domain/event.ts';
import { describeChange, type EventChange } from '../../domain/event-changes.ts';
import type { PageArguments } from '../../domain/page.ts';
import { mapInTurn } from '../request/event-loop-share.ts';
import { loadersByArguments, loadOne } from '../request/keyed-loaders.ts';
import { type ListBelow, loadPages } from '../request/list-page.ts';
import { type EventArguments, eventOrder, parseEventFilter, refuseCount, underFilter } from './event-arguments.ts';

type Noun = EventSubject['noun'];

/** Changes that are described at once, in a few milliseconds. */
const changesAtOnce = 1000;

/** With a project, only events that concern it are found, and of their changes only its own. */
export function createEventLoaders(db: Db, project: string | null) {
  return {
    eventById: loadOne(
      (ids: readonly number[]) => selectEventsByIds(db, ids, project),
      ({ id }) => id,
    ),
    /** By the key of the subject. */
    eventPageBySubject: loadersByArguments((args: { readonly noun: Noun; readonly args: EventArguments }) => eventPages(db, project, args)),
    /** The changes of events that concern a subject, or (null) any, and what a filter names, or (null) anything. */
    changePageByEvent: loadersByArguments((args: PageArguments & Meant) => changePages(db, project, args)),
    /** By id. */
    uuidPageByEvent: loadersByArguments((args: PageArguments & { readonly noun: 'consumer' | 'resourceProvider' }) => uuidPages(db, args)),
  };
}

function eventPages(
  db: Db,
  project: string | null,
  { noun, args: { filter, direction, ...args } }: { readonly noun: Noun; readonly args: EventArguments },
) {
  const { descending, ...order } = eventOrder(direction, project);
  const wanted = parseEventFilter(filter);
  const list: ListBelow<string, LedgerEvent> = {
    ...order,
    select: async (keys, page) => {
      const rows = await selectEventsBySubjects(db, noun, keys, wanted, descending, page, project);
      return underFilter(
        wanted,
        rows.map((event) => ({ ...event, about: { noun, key: event.parent } })),
      );
    },
    count: refuseCount,
  };
  return loadPages(list, args);
}

const keyOfView = ({ id, subject }: EventView) => `${id} ${subject ?? ''}`;

function changePages(db: Db, project: string | null, { noun, named, ...args }: PageArguments & Meant) {
  const meant = { noun, named };
  const isOnProviders = named?.resourceProviders && Object.keys(named).length === 1;
  const namedProviders = isOnProviders ? new Set(named.resourceProviders) : null;
  const list: ListBelow<EventView, { readonly change: EventChange }> = {
    name: 'changes of an event',
    order: changeOrder,
    select: async (views, page) => {
      const rows = await selectChangesOfEvents(db, views, meant, page, project);
      const describe = ({ view, sortKey, ...row }: (typeof rows)[number]) => {
        const parent = views[view - 1] as EventView;
        const providers = noun === 'resourceProvider' && parent.subject !== null ? new Set([parent.subject]) : namedProviders;
        return { change: describeChange(row, providers), parent, sortKey };
      };
      return rows.length > changesAtOnce ? mapInTurn(rows, describe) : rows.map(describe);
    },
    count: async (views) => {
      const rows = await countChangesOfEvents(db, views, meant, project);
      return rows.map(({ view, count }) => ({ parent: views[view - 1] as EventView, count }));
    },
  };
  return loadPages(list, args, keyOfView);
}

function uuidPages(db: Db, { noun, ...args }: PageArguments & { readonly noun: 'consumer' | 'resourceProvider' }) {
  // The counts come with the rows.
  const counts = new Map<number, number>();
  const list: ListBelow<number, { readonly uuid: string }> = {
    name: `${noun} uuids of an event`,
    order: uuidOrder,
    select: async (ids, page) => {
      const rows = await selectUuidsOfEvents(db, ids, noun, page);
      for (const { parent, count } of rows) counts.set(parent, count);
      return rows.flatMap(({ uuid, ...row }) => (uuid === null ? [] : [{ ...row, uuid }]));
    },
    count: async (ids) => ids.map((parent) => ({ parent, count: counts.get(parent) ?? 0 })),
  };
  return loadPages(list, args);
}
