// Pages of the changes and subjects of single events, because a write may be larger than any answer should be. Knows the form in which
// events store changes, not their meaning.
import { type SQL, sql } from 'drizzle-orm';
import type { ChangedNoun, ChangedSubject, EventSubject, NamedSubjects } from '../domain/event.ts';
import type { PageRequest, Sorted } from '../domain/page.ts';
import { isReservation, traitsChangedIn } from './events.ts';
import type { Db } from './sql/client.ts';
import { behind, directionsOf, integerKey, type KeysetOrder, placeIn, textKey, whereAll } from './sql/keyset.ts';

/** An event, and the subject whose list it is read in; null for none. */
export interface EventView {
  readonly id: number;
  readonly subject: string | null;
}

/** The nouns in the order in which changes are listed. */
const nouns: readonly ChangedNoun[] = [
  ...(['providers', 'consumers', 'aggregates', 'traits', 'resourceClasses'] as const),
  ...(['services', 'devices', 'records'] as const),
];

type ChangeRow = Sorted<ChangedSubject> & { readonly view: number };

/** Selects changes of an event: those of the subject whose list it is read in, and of what the filter of that list names. */
export interface Meant {
  readonly noun: EventSubject['noun'] | null;
  readonly named: NamedSubjects | null;
}

/** By noun, then by key. */
export const changeOrder: KeysetOrder = [integerKey(sql`place`, false), textKey(sql`key`, false, { unique: true })];

/**
 * A page of the changes of each event, one for each subject, and one more; restricted to the selected ones.
 * The rows of a view are in order; `view` is its index in the list. With a project, only changes of its consumers, without
 * their states while they belonged to another project.
 */
export async function selectChangesOfEvents(
  { orm }: Db,
  views: readonly EventView[],
  meant: Meant,
  page: PageRequest,
  project: string | null,
): Promise<ChangeRow[]> {
  const state = (side: string) => {
    const whole = sql`change -> ${side}`;
    return project === null ? whole : sql`case when ${whole} ->> 'project' = ${project} then ${whole} else 'null' end`;
  };
  return orm.execute<ChangeRow & Record<string, unknown>>(sql`
    select view::int, ${placeIn(changeOrder)} as "sortKey", noun, key, root, ${state('before')} as before, ${state('after')} as after
    from ${viewsOf(views)} cross join lateral (
      select * from (${changesOf(meant)}) changes ${whereAll([...namedIn(meant.named), ...changesOfProject(project), ...behind(changeOrder, page)])}
      order by ${directionsOf(changeOrder, page.backward)} limit ${page.size + 1}
    ) changed
    order by view, ${directionsOf(changeOrder, page.backward)}`);
}

/** How many rows all pages of each event have. */
export async function countChangesOfEvents(
  { orm }: Db,
  views: readonly EventView[],
  meant: Meant,
  project: string | null,
): Promise<{ view: number; count: number }[]> {
  return orm.execute<{ view: number; count: number }>(sql`
    select view::int, (select count(*) from (${changesOf(meant)}) changes ${whereAll([...namedIn(meant.named), ...changesOfProject(project)])})::int as count from ${viewsOf(views)}`);
}

/** Conditions on a change: of a consumer that belongs to the project or did. */
function changesOfProject(project: string | null): SQL[] {
  if (project === null) return [];
  return [sql`noun = 'consumers'`, sql`${project} in (change #>> '{before,project}', change #>> '{after,project}')`];
}

function viewsOf(views: readonly EventView[]): SQL {
  const ids = sql.param(views.map(({ id }) => id));
  const subjects = sql.param(views.map(({ subject }) => subject));
  return sql`unnest(${ids}::bigint[], ${subjects}::text[]) with ordinality as asked(id, subject, view) join events e on e.id = asked.id`;
}

/** The condition on a change that it concerns a subject that is named. */
function namedIn(named: NamedSubjects | null): SQL[] {
  if (named === null) return [];
  const texts = (list: readonly string[]) => sql`${sql.param(list)}::text[]`;
  const uuids = (list: readonly string[]) => sql`${sql.param(list)}::uuid[]`;
  const ofConsumer = (condition: SQL) => sql`noun = 'consumers' and ${condition}`;
  const touching = (isMeant: (provider: SQL) => SQL) => sql`case noun
    when 'providers' then ${isMeant(sql`key`)}
    when 'consumers' then exists (
      select from jsonb_path_query(change, '$.*.allocations[*].provider') held(provider) where ${isMeant(sql`held.provider #>> '{}'`)})
    when 'devices' then ${isMeant(sql`root`)}
    when 'records' then ${isMeant(sql`split_part(key, ' ', 2)`)} or ${ofReservationOn(
      sql`key`,
      sql`change`,
      (amounts) => sql`exists (
      select from jsonb_object_keys(${amounts}) kept(provider) where ${isMeant(sql`kept.provider`)})`,
    )}
    else false end`;
  // From its tree to others, as conditions on events do.
  const inTree = (provider: SQL, condition: SQL) => sql`exists (
    select from resource_providers p join resource_providers m on m.root_provider_id = p.root_provider_id
    where p.uuid = (${provider})::uuid and ${condition})`;
  const isIn = (list: readonly string[]) => sql`exists (
    select from resource_provider_aggregates pa join placement_aggregates a on a.id = pa.aggregate_id
    where pa.resource_provider_id = m.id and a.uuid = any(${uuids(list)}))`;
  const conditions: Readonly<Record<keyof NamedSubjects, (list: readonly string[]) => SQL>> = {
    consumers: (list) => ofConsumer(sql`key = any(${texts(list)})`),
    projects: (list) => sql`${hasOwner(sql`key`)} and array[change #>> '{before,project}', change #>> '{after,project}'] && ${texts(list)}`,
    resourceProviders: (list) => touching((provider) => sql`${provider} = any(${texts(list)})`),
    trees: (list) => touching((provider) => inTree(provider, sql`m.uuid = any(${uuids(list)})`)),
    aggregates: (list) => touching((provider) => inTree(provider, isIn(list))),
    resourceClasses: (list) => sql`changed_classes(jsonb_build_object(noun, jsonb_build_object(key, change))) && ${texts(list)}`,
    traits: (list) => sql`case noun
      when 'providers' then ${traitsChangedIn(sql`jsonb_build_object(key, change)`)} && ${texts(list)}
      when 'traits' then key = any(${texts(list)})
      else false end`,
  };
  const given = Object.entries(named) as [keyof NamedSubjects, readonly string[]][];
  const holding = given.map(([noun, list]) => conditions[noun](list));
  return [sql`(${sql.join(holding, sql` or `)})`];
}

/** Whether a change is of something that belongs to a project. */
const hasOwner = (key: SQL) => sql`(noun = 'consumers' or noun = 'records' and ${isReservation(key)})`;

/** Whether a change of a record is that of a reservation which keeps something of certain providers. Where it does not say what is kept, that has not changed, and the event is about nothing else. */
function ofReservationOn(key: SQL, change: SQL, isAmong: (amounts: SQL) => SQL): SQL {
  const amounts = sql`coalesce(${change} #> '{before,amounts}', '{}') || coalesce(${change} #> '{after,amounts}', '{}')`;
  return sql`${isReservation(key)} and (${isAmong(amounts)}
    or ${change} #> '{before,amounts}' is null and ${change} #> '{after,amounts}' is null)`;
}

/** The changes of an event `e` that concern `subject`. Those of a consumer are looked up by key: the write may have changed a thousand others. */
function changesOf({ noun, named }: Meant): SQL {
  const rows = (which: SQL, subjects: SQL, where: SQL[]) => sql`
    select n.place::int, n.noun, s.key collate "C" as key, e.provider_uuids[1]::text as root, s.value as change
    from unnest(${sql.param(nouns)}::text[]) with ordinality as n(noun, place) cross join lateral jsonb_each(${subjects}) s
    ${whereAll([sql`n.noun = any(${which})`, ...where])}`;
  const listed = (...names: ChangedNoun[]) => sql`${sql.param(names)}::text[]`;
  const all = sql`e.changes -> n.noun`;
  const own = sql`case when e.changes -> n.noun ? subject then jsonb_build_object(subject, e.changes -> n.noun -> subject) end`;
  const those = (keys: readonly string[]) => sql`(
    select coalesce(jsonb_object_agg(k, e.changes -> n.noun -> k), '{}') from unnest(${sql.param(keys)}::text[]) k where e.changes -> n.noun ? k)`;
  switch (noun) {
    case null:
      return named?.consumers && Object.keys(named).length === 1
        ? rows(listed('consumers'), those(named.consumers), [])
        : rows(sql`${sql.param(nouns)}::text[]`, all, []);
    case 'consumer':
      return rows(listed('consumers'), own, []);
    case 'project':
      return rows(listed('consumers', 'records'), all, [
        hasOwner(sql`s.key`),
        sql`subject in (s.value #>> '{before,project}', s.value #>> '{after,project}')`,
      ]);
    case 'resourceProvider':
      return sql`${rows(listed('providers'), own, [])} union all ${rows(listed('consumers'), all, [
        sql`jsonb_path_exists(s.value, '$.*.allocations[*].provider ? (@ == $subject)', jsonb_build_object('subject', subject))`,
      ])} union all ${rows(listed('devices'), all, [sql`e.provider_uuids[1]::text = subject`])} union all ${rows(listed('records'), all, [
        sql`(s.key like '% ' || subject or ${ofReservationOn(sql`s.key`, sql`s.value`, (amounts) => sql`(${amounts}) ? subject`)})`,
      ])}`;
  }
}

/** As stored in the event. */
export const uuidOrder: KeysetOrder = [integerKey(sql`place`, false, { unique: true })];

/** A row for each uuid of a page, or one without a uuid if there is none; each with the total number. */
interface TouchedRow extends Sorted<{ readonly uuid: string | null }> {
  readonly parent: number;
  readonly count: number;
}

/** A page of the uuids of what each event touched, and one more. */
export async function selectUuidsOfEvents(
  { orm }: Db,
  ids: readonly number[],
  noun: 'consumer' | 'resourceProvider',
  page: PageRequest,
): Promise<TouchedRow[]> {
  const uuids = noun === 'consumer' ? sql`e.consumer_uuids` : sql`e.provider_uuids`;
  return orm.execute<TouchedRow & Record<string, unknown>>(sql`
    select e.id::float8 as parent, cardinality(${uuids}) as count, touched.uuid, ${placeIn(uuidOrder)} as "sortKey"
    from events e left join lateral (
      select * from unnest(${uuids}) with ordinality all_touched(uuid, place) ${whereAll(behind(uuidOrder, page))}
      order by ${directionsOf(uuidOrder, page.backward)} limit ${page.size + 1}
    ) touched on true
    where e.id = any(${sql.param(ids)}::bigint[]) order by e.id, ${directionsOf(uuidOrder, page.backward)}`);
}
