// What single events changed and touched, in pages, so that no answer is as large as a write may be. Knows the form in which
// events keep changes, not what they mean.
import { type SQL, sql } from 'drizzle-orm';
import type { ChangedNoun, ChangedSubject, EventSubject } from '../domain/event.ts';
import type { PageRequest } from '../domain/page.ts';
import type { Db } from './sql/client.ts';
import { whereAll } from './sql/keyset.ts';

/** An event, and the subject under which it is read; null for none. */
export interface EventView {
  readonly id: number;
  readonly subject: string | null;
}

/** The nouns in the order in which changes are listed. */
const nouns: readonly ChangedNoun[] = [
  ...(['providers', 'consumers', 'aggregates', 'traits', 'resourceClasses'] as const),
  ...(['services', 'devices', 'records'] as const),
];

type ChangeRow = ChangedSubject & { readonly view: number; readonly place: number };

/**
 * A page of what each event changed, subject by subject, and one more; of each event only what belongs to the subject under which it is
 * read. Rows of one view come in order; `view` is its index in the list.
 */
export async function selectChangesOfEvents(
  { orm }: Db,
  views: readonly EventView[],
  noun: EventSubject['noun'] | null,
  page: PageRequest,
): Promise<ChangeRow[]> {
  const behind = page.key === null ? [] : [sql`(place, key) > (${page.key[0]}::int, ${page.key[1]}::text)`];
  return orm.execute<ChangeRow & Record<string, unknown>>(sql`
    select view::int, place, noun, key, root, change -> 'before' as before, change -> 'after' as after
    from ${viewsOf(views)} cross join lateral (
      select * from (${changesOf(noun)}) changes ${whereAll(behind)} order by place, key limit ${page.size + 1}
    ) changed
    order by view, place, key`);
}

/** How many rows all pages of each event have. */
export async function countChangesOfEvents(
  { orm }: Db,
  views: readonly EventView[],
  noun: EventSubject['noun'] | null,
): Promise<{ view: number; count: number }[]> {
  return orm.execute<{ view: number; count: number }>(sql`
    select view::int, (select count(*) from (${changesOf(noun)}) changes)::int as count from ${viewsOf(views)}`);
}

function viewsOf(views: readonly EventView[]): SQL {
  const ids = sql.param(views.map(({ id }) => id));
  const subjects = sql.param(views.map(({ subject }) => subject));
  return sql`unnest(${ids}::bigint[], ${subjects}::text[]) with ordinality as asked(id, subject, view) join events e on e.id = asked.id`;
}

/** The changes of an event `e` that are about `subject`. Those of a consumer are found by key: the write may have touched a thousand others. */
function changesOf(noun: EventSubject['noun'] | null): SQL {
  const rows = (which: SQL, subjects: SQL, where: SQL[]) => sql`
    select n.place::int, n.noun, s.key collate "C" as key, e.provider_uuids[1]::text as root, s.value as change
    from unnest(${sql.param(nouns)}::text[]) with ordinality as n(noun, place) cross join lateral jsonb_each(${subjects}) s
    ${whereAll([sql`n.noun = any(${which})`, ...where])}`;
  const listed = (...names: ChangedNoun[]) => sql`${sql.param(names)}::text[]`;
  const all = sql`e.changes -> n.noun`;
  const own = sql`case when e.changes -> n.noun ? subject then jsonb_build_object(subject, e.changes -> n.noun -> subject) end`;
  switch (noun) {
    case null:
      return rows(sql`${sql.param(nouns)}::text[]`, all, []);
    case 'consumer':
      return rows(listed('consumers'), own, []);
    case 'project':
      return rows(listed('consumers'), all, [sql`subject in (s.value #>> '{before,project}', s.value #>> '{after,project}')`]);
    case 'resourceProvider':
      return sql`${rows(listed('providers'), own, [])} union all ${rows(listed('consumers'), all, [
        sql`jsonb_path_exists(s.value, '$.*.allocations[*].provider ? (@ == $subject)', jsonb_build_object('subject', subject))`,
      ])} union all ${rows(listed('devices'), all, [sql`e.provider_uuids[1]::text = subject`])} union all ${rows(listed('records'), all, [
        sql`s.key like '% ' || subject`,
      ])}`;
  }
}

/** A page of the uuids of what each event touched, and one more; the first of each starts behind `page.key`. */
export async function selectUuidsOfEvents(
  { orm }: Db,
  ids: readonly number[],
  noun: 'consumer' | 'resourceProvider',
  page: PageRequest,
): Promise<{ id: number; uuids: string[]; count: number }[]> {
  const column = noun === 'consumer' ? sql`e.consumer_uuids` : sql`e.provider_uuids`;
  const first = typeof page.key?.[0] === 'number' ? page.key[0] + 1 : 1;
  return orm.execute<{ id: number; uuids: string[]; count: number }>(sql`
    select e.id::float8 as id, (${column})[${first}::int:${first + page.size}::int] as uuids, cardinality(${column}) as count
    from events e where e.id = any(${sql.param(ids)}::bigint[])`);
}
