// Lists of events. The changes of an event are in event-changes.ts, the feed is in feed/events.ts.
// Ids serve as the order of age: they are nearly chronological.
// Lists are not prepared on the server, so that Postgres plans each with its actual values (see keyset.ts).
import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { type EventKind, type EventSubject, eventKinds, kindsOfClaims, type LedgerEvent, type NamedSubjects } from '../domain/event.ts';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { Db } from './sql/client.ts';
import { behind, directionsOf, integerKey, type KeysetOrder, placeIn, whereAll } from './sql/keyset.ts';

/** Newest first, or oldest first. Cursors in the list of a project name the event instead of its id, because ids reveal how much others write. */
export function orderOfEvents(descending: boolean, project: string | null, id: SQL = sql`e.id`): KeysetOrder {
  const byId = integerKey(id, descending, { unique: true });
  if (project === null) return [byId];
  return [{ ...byId, holds: 'text', shown: nameOfEvent(project), bound: (name) => idOfNamedEvent(project, String(name)) }];
}

const microseconds = sql`(extract(epoch from e.at) * 1000000)::bigint`;

/**
 * What identifies an event `e` among those of a project. One transaction can write several for the same consumer, such as a host that gets a pool and gives way to
 * it: all but the first of them are numbered.
 */
function nameOfEvent(project: string): SQL {
  return sql`concat_ws(' ', e.request_id, ${microseconds}, (
    select min(c.key collate "C") from jsonb_each(e.changes -> 'consumers') c
    where ${project} in (c.value #>> '{before,project}', c.value #>> '{after,project}')), (
    select nullif(count(*), 0) from events o
    where o.xid = e.xid and o.request_id = e.request_id and o.id < e.id and ${ofProject(project, sql`o.id`)}))`;
}

/** The id of such an event of the project; 0, which is before all events, if it was deleted. */
function idOfNamedEvent(project: string, name: string): SQL {
  const [requestId = '', at = ''] = name.split(' ');
  return sql`coalesce((select e.id from events e where e.request_id = ${requestId} and ${microseconds}::text = ${at}
    and ${ofProject(project)} and ${nameOfEvent(project)} = ${name} limit 1), 0)`;
}

/** Whether an event concerns a project. */
function ofProject(project: string, id = sql`e.id`): SQL {
  return sql`exists (select from event_subjects own where own.event_id = ${id} and own.subject = ${subjectOfProject(project)}::uuid)`;
}

/** Conditions on an event: a value of every list that is given must match. An empty list matches nothing. */
export interface EventFilter extends NamedSubjects {
  /** External ids of the users who made the requests. */
  readonly users?: readonly string[];
  readonly kinds?: readonly EventKind[];
  /** Request ids or global request ids. */
  readonly requestIds?: readonly string[];
  /** At or after this moment. */
  readonly since?: Date;
  /** Before this moment. */
  readonly until?: Date;
}

export const eventColumns = sql`
  e.id::float8 as id, e.at, e.kind, e.user_external_id as "user", e.project_external_id as project, e.roles,
  e.authentication_method as method, e.request_id as "requestId", e.global_request_id as "globalRequestId"`;

/** The same in a list. */
const listedColumns = (project: string | null) => sql`${eventColumns}, ${placeIn(orderOfEvents(true, project))} as "sortKey"`;

/**
 * The events of a page and one more, in the order of the list, or reversed when paging backward. One list of the filter drives the query:
 * for each of its values the next matches are found by index, so that the cost depends on the page and the selectivity of the other
 * conditions, not on the length of the ledger. With a project, only events that concern it.
 */
export async function selectEvents(
  { orm }: Db,
  filter: EventFilter,
  descending: boolean,
  page: PageRequest,
  project: string | null = null,
): Promise<Sorted<LedgerEvent>[]> {
  const { leads, others } = leadOf(project === null ? filter : { ...filter, projects: [project] });
  const orderOf = (id: SQL) => orderOfEvents(descending, project, id);
  const bounds = (id: SQL) => [...behind(orderOf(id), page), ...betweenMoments(id, filter)];
  const next = (id: SQL) => sql`order by ${directionsOf(orderOf(id), page.backward)} limit ${page.size + 1}`;
  const where = conditionsOn(others);
  const matches = leads.map(({ values, source, id, match }) =>
    values === null
      ? sql`(select ${id} as id from ${source} ${whereAll([...bounds(id), ...where])} ${next(id)})`
      : sql`select match.id from (select distinct unnest(${values})) wanted(value) cross join lateral (
          select ${id} as id from ${source} ${where.length > 0 ? sql`join events e on e.id = ${id}` : sql``}
          ${whereAll([sql`${match} = wanted.value`, ...bounds(id), ...where])} ${next(id)}
        ) match`,
  );
  return orm.execute<Sorted<LedgerEvent> & Record<string, unknown>>(sql`
    ${halvings(filter)}
    select ${listedColumns(project)} from (select distinct id from (${sql.join(matches, sql` union all `)}) matches ${next(sql`id`)}) page
    join events e on e.id = page.id order by ${directionsOf(orderOf(sql`e.id`), page.backward)}`);
}

/** The same page of events, and one more, for each subject of one noun; those of one in the order of selectEvents. */
export async function selectEventsBySubjects(
  { orm }: Db,
  noun: EventSubject['noun'],
  keys: readonly string[],
  filter: EventFilter,
  descending: boolean,
  page: PageRequest,
  project: string | null,
): Promise<(Sorted<LedgerEvent> & { parent: string })[]> {
  const subjects = noun === 'project' ? keys.map(subjectOfProject) : keys;
  const where = [...conditionsOn(filter), ...(project === null ? [] : [concerns(project, noun)])];
  const id = sql`s.event_id`;
  const order = orderOfEvents(descending, project, id);
  const bounds = [...behind(order, page), ...betweenMoments(id, filter)];
  return orm.execute<Sorted<LedgerEvent> & { parent: string } & Record<string, unknown>>(sql`
    ${halvings(filter)}
    select wanted.key as parent, ${listedColumns(project)}
    from unnest(${sql.param(keys)}::text[], ${sql.param(subjects)}::uuid[]) wanted(key, subject)
    cross join lateral (
      select s.event_id from event_subjects s ${where.length > 0 ? sql`join events e on e.id = s.event_id` : sql``}
      ${whereAll([sql`s.subject = wanted.subject`, ...bounds, ...where])} order by ${directionsOf(order, page.backward)} limit ${page.size + 1}
    ) match
    join events e on e.id = match.event_id
    order by wanted.key, ${directionsOf(orderOfEvents(descending, null), page.backward)}`);
}

/** Whether an event `e` of a subject concerns a project: of a consumer, what happened to it while it belonged to the project. */
function concerns(project: string, noun: EventSubject['noun']): SQL {
  if (noun !== 'consumer') return ofProject(project);
  const partOf = (side: string) => sql`e.changes #>> array['consumers', wanted.key, ${side}, 'project']`;
  return sql`${project} in (${partOf('before')}, ${partOf('after')})`;
}

/** Events by id, in no order; those that concern a project if one is given. */
export async function selectEventsByIds({ orm }: Db, ids: readonly number[], project: string | null): Promise<LedgerEvent[]> {
  return orm.execute<LedgerEvent & Record<string, unknown>>(sql`
    select ${eventColumns} from events e
    ${whereAll([sql`e.id = any(${sql.param(ids)}::bigint[])`, ...(project === null ? [] : [ofProject(project)])])}`);
}

/** Some values, and the index by which the events of one are found. */
interface Lead {
  readonly values: SQL | null;
  readonly source: SQL;
  readonly id: SQL;
  readonly match: SQL;
}

const textArray = (list: readonly string[]): SQL => sql`${sql.param(list)}::text[]`;
const uuidArray = (list: readonly string[]): SQL => sql`${sql.param(list)}::uuid[]`;

/** The list whose values have the fewest events, and the conditions that it leaves. */
function leadOf(filter: EventFilter): { readonly leads: readonly Lead[]; readonly others: EventFilter } {
  const { requestIds, consumers, resourceProviders, trees, aggregates, projects, resourceClasses, users, kinds, traits, ...rest } = filter;
  const subjects = (values: SQL): Lead[] => [{ values, source: sql`event_subjects s`, id: sql`s.event_id`, match: sql`s.subject` }];
  const column = (list: readonly string[], match: SQL): Lead => ({ values: textArray(list), source: sql`events l`, id: sql`l.id`, match });
  const all = { ...filter };
  if (requestIds) {
    const leads = [column(requestIds, sql`l.request_id`), column(requestIds, sql`l.global_request_id`)];
    return { leads, others: omit(all, 'requestIds') };
  }
  if (consumers) return { leads: subjects(uuidArray(consumers)), others: omit(all, 'consumers') };
  if (resourceProviders) return { leads: subjects(uuidArray(resourceProviders)), others: omit(all, 'resourceProviders') };
  if (trees) return { leads: subjects(membersOf(trees)), others: omit(all, 'trees') };
  if (aggregates) return { leads: subjects(treesIn(aggregates)), others: omit(all, 'aggregates') };
  if (projects) return { leads: subjects(uuidArray(projects.map(subjectOfProject))), others: omit(all, 'projects') };
  if (resourceClasses && !resourceClasses.some((name) => ordinaryClasses.has(name))) {
    return { leads: subjects(uuidArray(resourceClasses.map((name) => subjectOf('class', name)))), others: omit(all, 'resourceClasses') };
  }
  if (users) return { leads: [column(users, sql`l.user_external_id`)], others: omit(all, 'users') };
  if (kinds) return { leads: [column(kinds, sql`l.kind`)], others: omit(all, 'kinds') };
  if (traits) return { leads: [column(kindsWithTraits, sql`l.kind`)], others: all };
  return {
    leads: [{ values: null, source: sql`events e`, id: sql`e.id`, match: sql`` }],
    others: { ...rest, ...(resourceClasses && { resourceClasses }) },
  };
}

function omit(filter: EventFilter, name: keyof EventFilter): EventFilter {
  return Object.fromEntries(Object.entries(filter).filter(([key]) => key !== name));
}

/** The conditions of a filter on an event `e`. */
export function conditionsOn(filter: EventFilter): SQL[] {
  const { resourceProviders, trees, aggregates, consumers, projects, users, resourceClasses, traits, kinds, requestIds, since, until } =
    filter;
  const touches = (subjects: SQL) => sql`exists (select from event_subjects o where o.event_id = e.id and o.subject = any(${subjects}))`;
  return [
    ...(consumers ? [touches(uuidArray(consumers))] : []),
    ...(resourceProviders ? [touches(uuidArray(resourceProviders))] : []),
    ...(trees ? [touches(membersOf(trees))] : []),
    ...(aggregates ? [touchesAggregate(aggregates)] : []),
    ...(projects ? [touches(uuidArray(projects.map(subjectOfProject)))] : []),
    ...(users ? [sql`e.user_external_id = any(${textArray(users)})`] : []),
    ...(kinds ? [sql`e.kind = any(${textArray(kinds)})`] : []),
    // Most events are of other kinds: their changes need not be read.
    ...(traits ? [sql`e.kind = any(${textArray(kindsWithTraits)})`, sql`${changedTraits} && ${textArray(traits)}`] : []),
    ...(requestIds ? [sql`(e.request_id = any(${textArray(requestIds)}) or e.global_request_id = any(${textArray(requestIds)}))`] : []),
    ...(resourceClasses ? [sql`changed_classes(e.changes) && ${textArray(resourceClasses)}`] : []),
    ...(since ? [sql`e.at >= ${since.toISOString()}::timestamptz`] : []),
    ...(until ? [sql`e.at < ${until.toISOString()}::timestamptz`] : []),
  ];
}

function membersOf(trees: readonly string[]): SQL {
  return sql`array(
    select p.uuid from resource_providers root join resource_providers p on p.root_provider_id = root.root_provider_id
    where root.uuid = any(${uuidArray(trees)}))`;
}

/** The providers of all trees in some aggregates: perhaps a whole zone. */
function treesIn(aggregates: readonly string[]): SQL {
  return sql`array(
    select p.uuid from resource_providers p where p.root_provider_id in (
      select m.root_provider_id from resource_providers m join resource_provider_aggregates pa on pa.resource_provider_id = m.id
      join placement_aggregates a on a.id = pa.aggregate_id where a.uuid = any(${uuidArray(aggregates)})))`;
}

/** Of an event `e`: looks from its few providers at their aggregates, not the other way round. */
function touchesAggregate(aggregates: readonly string[]): SQL {
  return sql`exists (
    select from unnest(e.provider_uuids) touched(uuid) join resource_providers p on p.uuid = touched.uuid
    join resource_providers m on m.root_provider_id = p.root_provider_id join resource_provider_aggregates pa on pa.resource_provider_id = m.id
    join placement_aggregates a on a.id = pa.aggregate_id where a.uuid = any(${uuidArray(aggregates)}))`;
}

/** The range of ids of the events of a period, found by bisection: there is no index by time. */
function betweenMoments(id: SQL, { since, until }: EventFilter): SQL[] {
  return [
    ...(since ? [sql`${id} >= (select max(low) from since_halving)`] : []),
    ...(until ? [sql`${id} <= (select min(high) from until_halving)`] : []),
  ];
}

function halvings({ since, until }: EventFilter): SQL {
  const steps = [
    ...(since ? [halving(sql`since_halving`, sql`${since.toISOString()}::timestamptz - interval '1 minute'`)] : []),
    ...(until ? [halving(sql`until_halving`, sql`${until.toISOString()}::timestamptz + interval '1 minute'`)] : []),
  ];
  return steps.length === 0 ? sql`` : sql`with recursive ${sql.join(steps, sql`, `)}`;
}

/**
 * A step that bisects the range of ids around a moment. An event gets its id at most the duration of a statement after its `at`. So with a
 * moment that is earlier than the one of interest by more than that, no event since then is below the highest `low`; with a later one, none
 * before then is above the lowest `high`.
 */
export function halving(name: SQL, moment: SQL): SQL {
  return sql`${name}(low, high) as (
    select coalesce(min(id), 0), coalesce(max(id), 0) from events
    union all
    select case when probe.is_older then middle.id else low end, case when probe.is_older then high else middle.id end
    from ${name}
    cross join lateral (select (low + high) / 2 as id) middle
    cross join lateral (select e.at < ${moment} as is_older from events e where e.id >= middle.id order by e.id limit 1) probe
    where high - low > 1
  )`;
}

/** Whether a record is that of a reservation, by its key in the changes of an event. */
export const isReservation = (key: SQL): SQL => sql`${key} like 'reservation %'`;

/** The names of the traits that providers got or lost, given their changes by uuid: each is in a list before or after, not in both. */
export const traitsChangedIn = (providers: SQL): SQL => sql`array(
  select held.name from jsonb_each(${providers}) p cross join lateral (
    select name from (
      select jsonb_array_elements_text(p.value #> '{before,traits}') union all select jsonb_array_elements_text(p.value #> '{after,traits}')
    ) listed(name) group by name having count(*) = 1
  ) held)`;

/** Those of an event `e`. */
export const changedTraits = traitsChangedIn(sql`e.changes -> 'providers'`);

const withoutTraits: ReadonlySet<EventKind> = new Set<EventKind>([
  ...kindsOfClaims,
  'IMPORT_CONSUMER',
  'REPLACE_INVENTORIES',
  'PATCH_INVENTORIES',
]);
export const kindsWithTraits = eventKinds.filter((kind) => !withoutTraits.has(kind));

/** Classes that nearly every host has: the ledger does not index events by them (writes/steps/class_subject.sql). */
const ordinaryClasses: ReadonlySet<string> = new Set(['VCPU', 'MEMORY_MB', 'DISK_GB']);

/** The subject under which the ledger indexes a project. */
export function subjectOfProject(externalId: string): string {
  return subjectOf('project', externalId);
}

/** Subjects without a uuid are identified by the md5 of their kind and name (writes/steps/append_event.sql). */
function subjectOf(kind: 'project' | 'class', name: string): string {
  return createHash('md5').update(`${kind}:${name}`).digest('hex');
}

/** Kinds that may change a consumer, but not what it holds. */
const keepingAllocations: EventKind[] = ['SET_EXPIRY', 'REPLACE_RESERVATION', 'RENAME_RESOURCE_CLASS'];

/**
 * For each consumer, the consumers of a type that its last event changed, too: those that it has its allocations from. Valid for consumers whose allocations
 * are unchanged since that event; when they expire, and how their classes are called, does not matter. Consumers without an event are missing.
 */
export async function selectGivers(
  { sql: run }: Db,
  takers: readonly string[],
  type: string,
): Promise<{ taker: string; givers: string[] }[]> {
  return run<{ taker: string; givers: string[] }[]>`
    select wanted.uuid as taker, (
      select coalesce(array_agg(c.key), '{}') from jsonb_each(last.consumers) c
      where c.key <> wanted.uuid::text and c.value #>> '{before,type}' = ${type}
    ) as givers
    from unnest(${takers as string[]}::uuid[]) as wanted (uuid)
    cross join lateral (
      select e.changes -> 'consumers' as consumers from event_subjects s join events e on e.id = s.event_id
      where s.subject = wanted.uuid and e.kind <> all(${keepingAllocations}::text[]) order by s.event_id desc limit 1
    ) last
    where last.consumers -> wanted.uuid::text -> 'before' = 'null'`;
}
