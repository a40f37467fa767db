// Loaders of events and of what they changed: one statement for each batch, whatever the number of events.
import DataLoader from 'dataloader';
import { countChangesOfEvents, type EventView, selectChangesOfEvents, selectUuidsOfEvents } from '../../db/event-changes.ts';
import { selectEventsByIds, selectEventsBySubjects } from '../../db/events.ts';
import type { Db } from '../../db/sql/client.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { EventSubject } from '../../domain/event.ts';
import { describeChange } from '../../domain/event-changes.ts';
import { type PageArguments, type PageRequest, parsePage, renderPage } from '../../domain/page.ts';
import { groupBy, loadersByArguments, loadOne } from '../request/keyed-loaders.ts';
import type { EventChangePage, EventPage, UuidPage } from '../request/parents.ts';
import { type EventArguments, neverCounted, parseEventFilter, parseEventPage } from './event-arguments.ts';

type Noun = EventSubject['noun'];

export function createEventLoaders(db: Db) {
  return {
    eventById: loadOne(
      (ids: readonly number[]) => selectEventsByIds(db, ids),
      ({ id }) => id,
    ),
    /** By the key of the subject. */
    eventPageBySubject: loadersByArguments((args: { readonly noun: Noun; readonly args: EventArguments }) => eventPages(db, args)),
    /** What events changed that is of a subject, or (null) all of it. */
    changePageByEvent: loadersByArguments((args: PageArguments & { readonly noun: Noun | null }) => changePages(db, args)),
    /** By id. */
    uuidPageByEvent: loadersByArguments((args: PageArguments & { readonly noun: 'consumer' | 'resourceProvider' }) => uuidPages(db, args)),
  };
}

function eventPages(db: Db, { noun, args }: { readonly noun: Noun; readonly args: EventArguments }) {
  const { page, list, descending } = parseEventPage(args);
  const filter = parseEventFilter(args.filter);
  return new DataLoader(async (keys: readonly string[]) => {
    const found = groupBy(await selectEventsBySubjects(db, noun, keys, filter, page, descending), ({ subject }) => subject);
    return keys.map((key): EventPage => {
      const rows = (found.get(key) ?? []).map(({ subject: _, ...event }) => ({ ...event, about: { noun, key } }));
      return renderPage(page, rows, list, ({ id }) => [id], neverCounted);
    });
  });
}

const keyOfView = ({ id, subject }: EventView) => `${id} ${subject ?? ''}`;

function changePages(db: Db, { noun, ...args }: PageArguments & { readonly noun: Noun | null }) {
  const list = 'changes of an event';
  const page = parsePage(args, list);
  checkKey(page, ['number', 'string']);
  const counts = new DataLoader(
    async (views: readonly EventView[]) => (await countChangesOfEvents(db, views, noun)).map(({ count }) => count),
    { cacheKeyFn: keyOfView },
  );
  return new DataLoader(
    async (views: readonly EventView[]) => {
      const found = groupBy(await selectChangesOfEvents(db, views, noun, page), ({ view }) => view);
      return views.map((view, index): EventChangePage => {
        const about = noun === null || view.subject === null ? null : { noun, key: view.subject };
        const rows = found.get(index + 1) ?? [];
        const changes = renderPage(
          page,
          rows,
          list,
          ({ place, key }) => [place, key],
          () => counts.load(view),
        );
        return { ...changes, rows: changes.rows.map((row) => describeChange(row, about)) };
      });
    },
    { cacheKeyFn: keyOfView },
  );
}

function uuidPages(db: Db, { noun, ...args }: PageArguments & { readonly noun: 'consumer' | 'resourceProvider' }) {
  const list = `${noun} uuids of an event`;
  const page = parsePage(args, list);
  checkKey(page, ['number']);
  const before = typeof page.key?.[0] === 'number' ? page.key[0] : 0;
  return new DataLoader(async (ids: readonly number[]) => {
    const found = new Map((await selectUuidsOfEvents(db, ids, noun, page)).map((row) => [row.id, row]));
    return ids.map((id): UuidPage => {
      const { uuids = [], count = 0 } = found.get(id) ?? {};
      const places = new Map(uuids.map((uuid, index) => [uuid, before + index + 1]));
      return renderPage(
        page,
        uuids,
        list,
        (uuid) => [places.get(uuid) ?? 0],
        async () => count,
      );
    });
  });
}

function checkKey({ key }: PageRequest, types: readonly string[]): void {
  if (key === null) return;
  const fits = key.length === types.length && key.every((value, index) => typeof value === types[index]);
  if (!fits || !Number.isSafeInteger(key[0])) throw invalidInput(['after'], 'after is not a cursor of this list');
}
