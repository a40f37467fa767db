// The ledger, newest first: reads. Ids stand for age: they are nearly in the order of time.
// Lists are not prepared on the server, so that Postgres plans each with its actual values (see keyset.ts).
import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { LedgerEvent } from '../domain/event.ts';
import type { PageRequest } from '../domain/page.ts';
import type { Db } from './sql/client.ts';
import { type KeysetOrder, whereAll } from './sql/keyset.ts';

/** Newest first. */
export const eventOrder: KeysetOrder = {
  value: sql`id`,
  descending: true,
  nullable: false,
  tie: null,
  key: 'integer',
  bound: (id) => sql`${id}::bigint`,
};

/** Conditions on an event: one of each list that is given, and all lists. An empty list matches nothing. */
export interface EventFilter {
  readonly providers?: readonly string[];
  readonly consumers?: readonly string[];
  /** External ids. */
  readonly projects?: readonly string[];
  readonly kinds?: readonly string[];
  /** Not older than this. */
  readonly since?: Date;
}

const columns = sql`
  e.id::float8 as id, e.at, e.kind, e.user_external_id as "user", e.project_external_id as project, e.roles, e.request_id as "requestId",
  e.consumer_uuids as consumers, e.provider_uuids as providers, e.changes`;

/**
 * The events of a page and one more, newest first. One list leads: for each of its values the newest matches are found by index, so that
 * the cost depends on the page and on how rare the other conditions are, not on the length of the ledger.
 */
export async function selectEvents({ orm }: Db, filter: EventFilter, page: PageRequest): Promise<LedgerEvent[]> {
  const { kinds, since } = filter;
  // The list whose values have the fewest events leads.
  const subjects = [filter.consumers, filter.providers, filter.projects?.map(subjectOfProject)].filter((list) => list !== undefined);
  const [leading, ...others] = subjects;
  const where = [
    ...others.map(
      (list) => sql`exists (select from event_subjects o where o.event_id = e.id and o.subject = any(${sql.param(list)}::uuid[]))`,
    ),
    ...(kinds && leading ? [sql`e.kind = any(${sql.param(kinds)}::text[])`] : []),
    ...(since ? [sql`e.at >= ${since.toISOString()}::timestamptz`] : []),
  ];
  const between = (id: SQL): SQL[] => [
    ...(page.key === null ? [] : [sql`${id} < ${page.key[0]}::bigint`]),
    ...(since ? [sql`${id} >= (select max(low) from halving)`] : []),
  ];
  const newest = (id: SQL) => sql`order by ${id} desc limit ${page.size + 1}`;
  const matches = leading
    ? sql`select distinct match.id from unnest(${sql.param(leading)}::uuid[]) wanted(subject) cross join lateral (
        select s.event_id as id from event_subjects s ${where.length > 0 ? sql`join events e on e.id = s.event_id` : sql``}
        ${whereAll([sql`s.subject = wanted.subject`, ...between(sql`s.event_id`), ...where])} ${newest(sql`s.event_id`)}
      ) match`
    : kinds
      ? sql`select match.id from (select distinct unnest(${sql.param(kinds)}::text[])) wanted(kind) cross join lateral (
          select e.id from events e ${whereAll([sql`e.kind = wanted.kind`, ...between(sql`e.id`), ...where])} ${newest(sql`e.id`)}
        ) match`
      : sql`select e.id from events e ${whereAll([...between(sql`e.id`), ...where])}`;
  return orm.execute<LedgerEvent & Record<string, unknown>>(sql`
    ${since ? sql`with recursive ${halving(since)}` : sql``}
    select ${columns} from (${matches} ${newest(sql`id`)}) page join events e on e.id = page.id order by e.id desc`);
}

/**
 * A step whose highest `low` is an id that no event since a moment stands below, found by halving the range of ids: there is no index by
 * time. An event takes its id at most a statement's time after its `at`, so one that is older than `since` by more than that took its id
 * before any event of interest did.
 */
function halving(since: Date): SQL {
  return sql`halving(low, high) as (
    select coalesce(min(id), 0), coalesce(max(id), 0) from events
    union all
    select case when probe.is_older then middle.id else low end, case when probe.is_older then high else middle.id end
    from halving
    cross join lateral (select (low + high) / 2 as id) middle
    cross join lateral (
      select e.at < ${since.toISOString()}::timestamptz - interval '1 minute' as is_older from events e where e.id >= middle.id order by e.id limit 1
    ) probe
    where high - low > 1
  )`;
}

/** The same page of events, and one more, for each subject (the uuid of a provider or consumer); those of one newest first. */
export async function selectEventsBySubjects(
  { orm }: Db,
  subjects: readonly string[],
  page: PageRequest,
): Promise<(LedgerEvent & { subject: string })[]> {
  const behind = page.key === null ? [] : [sql`s.event_id < ${page.key[0]}::bigint`];
  return orm.execute<LedgerEvent & { subject: string } & Record<string, unknown>>(sql`
    select wanted.subject, ${columns}
    from unnest(${sql.param(subjects)}::uuid[]) wanted(subject)
    cross join lateral (
      select s.event_id from event_subjects s ${whereAll([sql`s.subject = wanted.subject`, ...behind])} order by s.event_id desc limit ${page.size + 1}
    ) match
    join events e on e.id = match.event_id
    order by wanted.subject, e.id desc`);
}

/** Events by id, in no order. */
export async function selectEventsByIds({ sql }: Db, ids: readonly number[]): Promise<LedgerEvent[]> {
  return sql<LedgerEvent[]>`
    select e.id::float8 as id, e.at, e.kind, e.user_external_id as "user", e.project_external_id as project, e.roles,
           e.request_id as "requestId", e.consumer_uuids as consumers, e.provider_uuids as providers, e.changes
    from events e where e.id = any(${ids}::bigint[])`;
}

/** Under which subject the ledger files a project, which has no uuid (writes/steps/record_event.sql). */
function subjectOfProject(externalId: string): string {
  return createHash('md5').update(`project:${externalId}`).digest('hex');
}
