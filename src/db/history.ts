// Reconstructs the past from the current state and the `before` values of the events since a moment. So the cost depends on how much of
// the subject was written since then, not on the size of the cloud.
//
// What counts as written after a moment is decided in the order of ids: an event that follows one that began after the moment was not
// committed at that moment either. The ids of each subject are in the order of commits, so a reconstructed state did exist.
import { type SQL, sql } from 'drizzle-orm';
import type { HistorySubject, StateBefore, UsageCount } from '../domain/history.ts';
import { halving, subjectOfProject } from './events.ts';
import type { Db } from './sql/client.ts';
import { whereAll } from './sql/keyset.ts';
import { usageRows } from './usage-rows.ts';

/** How far back the past is known, by the clock of the database, which is that of the events. */
export interface KnownPast {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The oldest remaining event if older ones were deleted; null if none were. `at` is null when no event is left. */
  readonly oldest: { readonly at: string | null } | null;
}

export async function selectKnownPast({ sql }: Db): Promise<KnownPast> {
  const [row] = await sql<{ now: number; pruned: boolean; at: string | null }[]>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now, f.pruned_event_id > 0 as pruned,
           (select at from events order by id limit 1) as at
    from change_feed f`;
  return { now: row?.now ?? 0, oldest: row?.pruned ? { at: row.at } : null };
}

/** Current amounts of one class (`since` null), or their change between two moments. */
export interface UsageRow extends UsageCount {
  readonly resourceClassName: string | null;
  readonly consumers: number;
  /** The number of moments before the change. */
  readonly since: number | null;
}

export interface UsageRows {
  /** The number of events read; if more than allowed, `rows` are meaningless. */
  readonly eventCount: number;
  readonly rows: readonly UsageRow[];
}

/** Current usage and capacity, and their changes since the earliest of some moments, given in order. Reads at most `limit` events. */
export async function selectUsageSince(
  { orm }: Db,
  subject: HistorySubject,
  moments: readonly string[],
  limit: number,
): Promise<UsageRows> {
  const { now, changed } = amountsOf(subject);
  const rows = await orm.execute<{ eventCount: number; rows: UsageRow[] }>(sql`
    with recursive ${takenSince(subject, moments[0] ?? '', limit)},
    asked as materialized (select ${sql.param(moments)}::text[]::timestamptz[] as moments),
    changed as (${changed}),
    bucketed as (
      select width_bucket(c.eff - interval '1 microsecond', asked.moments) as since, c.*
      from changed c cross join asked where (select count(*) from taken) <= ${limit}
    ),
    summed as (
      select null::int as since, n.* from (${now}) n
      union all
      select since, class, sum(used), sum(total), sum(reserved), sum(capacity), sum(providers), sum(consumers)
      from bucketed group by since, class
    )
    select (select count(*)::int from taken) as "eventCount", coalesce(jsonb_agg(jsonb_build_object('since', since, 'resourceClassName', class,
      'used', used, 'total', total, 'reserved', reserved, 'capacity', capacity, 'providers', providers, 'consumers', consumers)), '[]') as rows
    from summed`);
  return rows[0] ?? { eventCount: 0, rows: [] };
}

/** The current state of a provider or consumer, and the parts that were different at a moment. */
export async function selectStateBefore(
  { orm }: Db,
  subject: HistorySubject & { readonly noun: 'resourceProvider' | 'consumer' },
  moment: string,
  limit: number,
): Promise<StateBefore & { readonly eventCount: number }> {
  const isProvider = subject.noun === 'resourceProvider';
  const current = isProvider
    ? sql`(select provider_state(p.id) from resource_providers p where p.uuid = ${subject.key}::uuid)`
    : sql`(select state from jsonb_each(consumer_states(array(select c.id from consumers c where c.uuid = ${subject.key}::uuid))) s(uuid, state))`;
  const [row] = await orm.execute<{
    eventCount: number;
    current: StateBefore['current'];
    existed: boolean | null;
    parts: StateBefore['parts'];
  }>(sql`
    with recursive ${takenSince(subject, moment, limit)},
    changed as materialized (
      select t.id, change -> 'before' as before, change -> 'after' as after
      from taken t ${changesOfTaken}
      cross join lateral (select e.changes #> array[${isProvider ? 'providers' : 'consumers'}, ${subject.key}::text] as change) own
      where change is not null and (select count(*) from taken) <= ${limit}
    ),
    parts as (
      select distinct on (part) part, before -> part as before
      from changed cross join lateral jsonb_object_keys(coalesce(nullif(before, 'null'), '{}') || coalesce(nullif(after, 'null'), '{}')) part
      order by part, id
    )
    select (select count(*)::int from taken) as "eventCount", ${current} as current,
      (select before <> 'null' from changed order by id limit 1) as existed,
      (select coalesce(jsonb_object_agg(part, before), '{}') from parts) as parts`);
  return row ?? { eventCount: 0, current: null, existed: null, parts: {} };
}

/** The events of a subject that were written after a moment, one more than `limit` at most. `eff`: no moment before it had the event. */
function takenSince(subject: HistorySubject, moment: string, limit: number): SQL {
  const key = subjectKeyOf(subject);
  // Each step is fenced by its limit: without it, a subject with a million events would be read whole.
  const ids =
    key === null
      ? sql`select e.id from events e where e.id >= bound.low order by e.id limit ${limit + 1}`
      : sql`select s.event_id as id from event_subjects s where s.subject = ${key}::uuid and s.event_id >= bound.low order by s.event_id limit ${limit + 1}`;
  return sql`${halving(sql`since_halving`, sql`${moment}::timestamptz - interval '1 minute'`)},
    taken as materialized (
      select id, eff from (
        select named.id, max(e.at) over (order by named.id) as eff
        from (select max(low) as low from since_halving) bound cross join lateral (${ids}) named
        cross join lateral (select e.at from events e where e.id = named.id offset 0) e
      ) told where eff > ${moment}::timestamptz
    )`;
}

function subjectKeyOf(subject: HistorySubject): string | null {
  return subject.noun === 'cloud' ? null : subject.noun === 'project' ? subjectOfProject(subject.key) : subject.key;
}

/** Fenced: Postgres expects many events, and would read all of them. */
const changesOfTaken = sql`cross join lateral (select e.changes from events e where e.id = t.id offset 0) e`;

const none = sql`0::numeric`;

/** Amounts of a subject: as they are now, and as `changed` by events, by class; consumers stand in rows without one. */
function amountsOf(subject: HistorySubject): { readonly now: SQL; readonly changed: SQL } {
  const sides = sql`cross join lateral (values (1, change -> 'after'), (-1, change -> 'before')) side(sign, state)`;
  const consumers = sql`from taken t ${changesOfTaken} cross join lateral jsonb_each(e.changes -> 'consumers') c(uuid, change) ${sides}`;
  const held = (where: SQL[]) => sql`
    select t.eff, held ->> 'resourceClass' as class, sign * (held ->> 'amount')::numeric as used,
      ${none} as total, ${none} as reserved, ${none} as capacity, ${none} as providers, ${none} as consumers
    ${consumers} cross join lateral jsonb_array_elements(state -> 'allocations') held ${whereAll(where)}`;
  const holders = (where: SQL[]) => sql`
    select t.eff, null, ${none}, ${none}, ${none}, ${none}, ${none}, sign::numeric ${consumers} ${whereAll([sql`state <> 'null'`, ...where])}`;
  const inventories = (where: SQL[]) => sql`
    select t.eff, class, ${none}, sign * (i ->> 'total')::numeric, sign * (i ->> 'reserved')::numeric,
      sign * greatest(-9007199254740991, least(9007199254740991,
        trunc(((i ->> 'total')::bigint - (i ->> 'reserved')::bigint)::double precision * (i ->> 'allocationRatio')::double precision)))::numeric,
      sign::numeric, ${none}
    from taken t ${changesOfTaken} cross join lateral jsonb_each(e.changes -> 'providers') p(uuid, change) ${sides}
    cross join lateral jsonb_each(state -> 'inventories') of(class, i) ${whereAll(where)}`;
  const nowHeld = (where: SQL[]) => sql`
    select rc.name as class, sum(a.used) as used, ${none} as total, ${none} as reserved, ${none} as capacity, ${none} as providers, ${none} as consumers
    from allocations a join consumers c on c.id = a.consumer_id join resource_classes rc on rc.id = a.resource_class_id
    ${whereAll(where)} group by rc.name`;
  const nowThere = (where: SQL[]) => sql`
    select rc.name as class, sum(i.used) as used, sum(i.total) as total, sum(i.reserved) as reserved, sum(i.capacity) as capacity,
      count(*)::numeric as providers, ${none} as consumers
    from inventories i join resource_classes rc on rc.id = i.resource_class_id ${whereAll(where)} group by rc.name`;
  switch (subject.noun) {
    case 'cloud':
      return {
        now: sql`${nowThere([])} union all select null, 0, 0, 0, 0, 0, count(*) from consumers`,
        changed: sql`${held([])} union all ${holders([])} union all ${inventories([])}`,
      };
    case 'resourceProvider':
      return {
        now: nowThere([sql`i.resource_provider_id = (select p.id from resource_providers p where p.uuid = ${subject.key}::uuid)`]),
        changed: sql`${held([sql`held ->> 'provider' = ${subject.key}`])} union all ${inventories([sql`p.uuid = ${subject.key}`])}`,
      };
    case 'consumer':
      return { now: nowHeld([sql`c.uuid = ${subject.key}::uuid`]), changed: held([sql`c.uuid = ${subject.key}`]) };
    case 'project': {
      const project = sql`(select p.id from projects p where p.external_id = ${subject.key})`;
      return {
        now: sql`
          select rc.name as class, coalesce(sum(c.amount) filter (where rc.id is not null), 0) as used, ${none} as total, ${none} as reserved,
            ${none} as capacity, ${none} as providers, coalesce(sum(c.amount) filter (where rc.id is null), 0) as consumers
          from ${sql.raw(usageRows)} c left join resource_classes rc on rc.id = c.resource_class_id
          where c.project_id = ${project} group by rc.name having sum(c.amount) <> 0`,
        changed: sql`${held([sql`state ->> 'project' = ${subject.key}`])} union all ${holders([sql`state ->> 'project' = ${subject.key}`])}`,
      };
    }
  }
}
