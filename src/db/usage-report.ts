// What the consumers of projects held over a period: the current amounts for the whole period, less what each event since its beginning changed. Events are read in
// pieces, so that neither a statement nor an answer grows with the ledger. All pieces see the snapshot of the first statement, so together they are exact.
// An event counts from its own time, whatever else is read: so the reports of projects, and of successive periods, add up.
import { type SQL, sql } from 'drizzle-orm';
import type { HeldAmounts } from '../domain/usage-report.ts';
import { subjectOfProject } from './events.ts';
import { mentionsFor, since, sinceHalving } from './past-events.ts';
import type { Db } from './sql/client.ts';
import { whereAll } from './sql/keyset.ts';
import { usageRows } from './usage-rows.ts';

export interface ReportedPeriod {
  /** RFC 3339. */
  readonly from: string;
  /** A future moment means now. */
  readonly until: string;
  /** External ids; null for all. */
  readonly projects: readonly string[] | null;
}

/** Units times microseconds, as text. */
export interface HeldRow extends HeldAmounts {
  readonly amount: string;
}

/** How far the events have been read. */
export interface ReportPosition {
  /** The end of the period, in the past. */
  readonly until: string;
  readonly snapshot: string;
  /** The last event that was read, and the last one of the snapshot. */
  readonly read: number;
  readonly last: number;
}

export interface ReportPart {
  readonly position: ReportPosition;
  readonly eventCount: number;
  readonly rows: readonly HeldRow[];
}

/** Microseconds between two moments. */
const between = (from: SQL, until: SQL) => sql`(extract(epoch from (${until} - ${from})) * 1000000)`;

/** What is held now, as if it had been held for the whole period. */
export async function beginUsageReport({ orm }: Db, { from, until, projects }: ReportedPeriod): Promise<ReportPart> {
  const [row] = await orm.execute<ReportPosition & { rows: HeldRow[] } & Record<string, unknown>>(sql`
    with recursive ${sinceHalving(from)},
    period as (select ${from}::timestamptz as start, least(${until}::timestamptz, clock_timestamp()) as until),
    held as (
      select p.external_id as project, t.name as "consumerType", rc.name as "resourceClassName",
        (sum(u.amount) * ${between(sql`period.start`, sql`period.until`)})::numeric(60)::text as amount
      from ${sql.raw(usageRows)} u cross join period join projects p on p.id = u.project_id join resource_classes rc on rc.id = u.resource_class_id
      left join consumer_types t on t.id = u.consumer_type_id
      ${whereAll(projects === null ? [] : [sql`p.external_id = any(${sql.param(projects)}::text[])`])}
      group by p.external_id, t.name, rc.name, period.start, period.until having sum(u.amount) <> 0
    )
    select to_json(period.until) #>> '{}' as until, pg_current_snapshot()::text as snapshot, (bound.low - 1)::float8 as read,
      (select coalesce(max(e.id), 0)::float8 from events e) as last, (select coalesce(jsonb_agg(held), '[]') from held) as rows
    from period cross join ${since}`);
  if (!row) throw new Error('the beginning of a report has no row');
  const { rows, ...position } = row;
  return { position, eventCount: 0, rows };
}

/** What the next events changed, at most `size`: to be taken off. Null when all have been read. */
export async function continueUsageReport(
  { orm }: Db,
  { from, projects }: ReportedPeriod,
  position: ReportPosition,
  size: number,
): Promise<ReportPart | null> {
  const { until, snapshot, read, last } = position;
  const [row] = await orm.execute<{ read: number | null } & Pick<ReportPart, 'eventCount' | 'rows'>>(sql`
    with next as materialized (${nextEvents(projects, read, last, size)}),
    taken as materialized (
      select e.changes, ${between(sql`${from}::timestamptz`, sql`least(e.at, ${until}::timestamptz)`)}::bigint as weight
      from next cross join lateral (select e.at, e.xid, e.changes from events e where e.id = next.id offset 0) e
      where e.at > ${from}::timestamptz and pg_visible_in_snapshot(e.xid, ${snapshot}::pg_snapshot)
    ),
    sides as (
      select t.weight, side.sign, side.state
      from taken t cross join lateral jsonb_path_query(t.changes, '$.consumers.*') change
      cross join lateral (values (1, change -> 'after'), (-1, change -> 'before')) side(sign, state)
      ${whereAll([sql`side.state <> 'null'`, ...(projects === null ? [] : [sql`side.state ->> 'project' = any(${sql.param(projects)}::text[])`])])}
    ),
    held as (
      select s.state ->> 'project' as project, s.state ->> 'type' as "consumerType", held ->> 'resourceClass' as "resourceClassName",
        sum(s.sign * (held ->> 'amount')::numeric * s.weight)::text as amount
      from sides s cross join lateral jsonb_array_elements(s.state -> 'allocations') held group by 1, 2, 3
    )
    select (select max(next.id)::float8 from next) as read, (select count(*)::int from taken) as "eventCount",
      (select coalesce(jsonb_agg(held), '[]') from held) as rows`);
  if (!row || row.read === null) return null;
  return { position: { ...position, read: row.read }, eventCount: row.eventCount, rows: row.rows };
}

/** The number of events that would be read after a position: more than `most` also if so many projects are mentioned so often that it is not counted. */
export async function countReportedEvents(
  { orm }: Db,
  { projects }: ReportedPeriod,
  { read, last }: ReportPosition,
  most: number,
): Promise<number> {
  const fence = mentionsFor(most);
  const mentioned =
    projects === null
      ? nextEvents(null, read, last, most + 1)
      : sql`
        select s.event_id as id from unnest(${sql.param(projects.map(subjectOfProject))}::uuid[]) wanted(subject) cross join lateral (
          select s.event_id from event_subjects s where s.subject = wanted.subject and s.event_id > ${read} and s.event_id <= ${last} limit ${most + 1}
        ) s limit ${fence + 1}`;
  const [row] = await orm.execute<{ count: number }>(
    sql`select case when count(*) > ${fence} then ${most + 1}::int else count(distinct id)::int end as count from (${mentioned}) mentioned`,
  );
  return row?.count ?? 0;
}

/** The ids of the next events, whether or not the snapshot has them. */
function nextEvents(projects: readonly string[] | null, read: number, last: number, size: number): SQL {
  if (projects === null) return sql`select e.id from events e where e.id > ${read} and e.id <= ${last} order by e.id limit ${size}`;
  return sql`
    select distinct s.event_id as id from unnest(${sql.param(projects.map(subjectOfProject))}::uuid[]) wanted(subject) cross join lateral (
      select s.event_id from event_subjects s where s.subject = wanted.subject and s.event_id > ${read} and s.event_id <= ${last} order by s.event_id limit ${size}
    ) s order by 1 limit ${size}`;
}
