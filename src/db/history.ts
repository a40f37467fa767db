// Reconstructs the past from the current state and the `before` values of the events since a moment. So the cost depends on how much of
// the subject was written since then, not on the size of the cloud.
import { type SQL, sql } from 'drizzle-orm';
import { kindsOfClaims } from '../domain/event.ts';
import type { HistorySubject, KnownPast, StateBefore, UsageCount } from '../domain/history.ts';
import type { MemberSpan, MemberSubject } from '../domain/past-members.ts';
import {
  changesOfTaken,
  countWithin,
  fenceOf,
  inRanges,
  type KeyedSubject,
  knownSince,
  type MemberSet,
  mentionsOf,
  momentOf,
  rangesSince,
  sinceHalving,
  takenSince,
  uuids,
} from './past-events.ts';
import type { Db } from './sql/client.ts';
import { whereAll } from './sql/keyset.ts';
import { usageRows } from './usage-rows.ts';

export async function selectKnownPast({ orm }: Db): Promise<KnownPast> {
  const [row] = await orm.execute<KnownPast & Record<string, unknown>>(sql`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now, ${knownSince} as since, f.pruned_event_id > 0 as "isPruned" from change_feed f`);
  if (!row) throw new Error('the row of change_feed is missing');
  return row;
}

/**
 * Whether such a subject exists or existed, as far as the ledger knows; projects and aggregates are never deleted. A deleted subject is known by the last event
 * of its uuid, which shows whether it was a consumer or a provider.
 */
export async function selectIsKnown({ sql }: Db, subject: HistorySubject | MemberSubject): Promise<boolean> {
  if (subject.noun === 'cloud') return true;
  const { noun, key } = subject;
  const uuid = noun === 'project' ? null : key;
  const [row] = await sql<{ known: boolean }[]>`
    select case ${noun}
      when 'project' then exists (select from projects p where p.external_id = ${key})
      when 'aggregate' then exists (select from placement_aggregates a where a.uuid = ${uuid}::uuid)
      when 'consumer' then exists (select from consumers c where c.uuid = ${uuid}::uuid) or ${uuid}::uuid = any(last.consumer_uuids)
      else exists (select from resource_providers p where p.uuid = ${uuid}::uuid) or ${uuid}::uuid = any(last.provider_uuids)
    end as known
    from (select) one left join (
      select e.consumer_uuids, e.provider_uuids from event_subjects s join events e on e.id = s.event_id
      where s.subject = ${uuid}::uuid order by s.event_id desc limit 1
    ) last on true`;
  return row?.known === true;
}

/** Current amounts of one class (`since` null), or their change between two moments. */
export interface UsageRow extends UsageCount {
  readonly resourceClassName: string | null;
  readonly consumers: number;
  /** The number of moments before the change. */
  readonly since: number | null;
}

export interface UsageRows {
  /** The number of events read; if more than allowed, or null, `rows` are meaningless. */
  readonly eventCount: number | null;
  readonly rows: readonly UsageRow[];
}

/**
 * Current usage and capacity, and their changes since the earliest of some moments, given in order. Reads at most `limit` events. For members everything is
 * a change: the beginning and the end of a span, and each event within it.
 */
export async function selectUsageSince(
  { orm }: Db,
  subject: HistorySubject | MemberSet,
  moments: readonly string[],
  limit: number,
): Promise<UsageRows> {
  const first = moments[0] ?? '';
  const { now, changed } = subject.noun === 'members' ? amountsOfMembers : amountsOf(subject);
  const sums = sql`sum(used) as used, sum(total) as total, sum(reserved) as reserved, sum(capacity) as capacity, sum(providers) as providers, sum(consumers) as consumers`;
  const rows = await orm.execute<{ eventCount: number | null; rows: UsageRow[] }>(sql`
    with recursive asked as materialized (select ${sql.param(moments)}::text[]::timestamptz[] as moments),
    ${subject.noun === 'members' ? spansGiven(subject.spans) : sql``}
    ${subject.noun === 'cloud' ? readInRanges(first, limit) : readOneByOne(subject, first, limit)},
    summed as (
      ${
        subject.noun === 'members'
          ? sql`select since, class, ${sums} from (${changesOfMembers(now, changed)}) of_members group by since, class`
          : sql`select null::int as since, n.* from (${now}) n union all select since, class, ${sums} from (${changed}) changed group by since, class`
      }
    )
    select ${countWithin(first, limit, fenceOf(subject, limit), subject.noun === 'cloud' ? inRanges : undefined)} as "eventCount", coalesce(jsonb_agg(jsonb_build_object('since', since, 'resourceClassName', class,
      'used', used, 'total', total, 'reserved', reserved, 'capacity', capacity, 'providers', providers, 'consumers', consumers)), '[]') as rows
    from summed`);
  return rows[0] ?? { eventCount: 0, rows: [] };
}

/** The current states of providers or consumers, and the parts that were different at a moment: those that are there or were changed since, in no order. */
export async function selectStatesBefore(
  { orm }: Db,
  noun: 'resourceProvider' | 'consumer',
  keys: readonly string[],
  moment: string,
  limit: number,
): Promise<{ readonly eventCount: number | null; readonly states: readonly (StateBefore & { readonly key: string })[] }> {
  const [list, present] =
    noun === 'resourceProvider'
      ? [
          'providers',
          sql`coalesce((select jsonb_object_agg(p.uuid, provider_state(p.id)) from resource_providers p where p.uuid = any(${uuids(keys)})), '{}')`,
        ]
      : ['consumers', sql`consumer_states(array(select c.id from consumers c where c.uuid = any(${uuids(keys)})))`];
  const [row] = await orm.execute<{ eventCount: number | null; states: (StateBefore & { key: string })[] }>(sql`
    with recursive ${sinceHalving(moment)},
    mentioned as materialized (${mentionsOf(keys, limit + 1, limit)}),
    taken as materialized (
      select key, id from (
        select m.key, m.id, max(e.at) over (partition by m.key order by m.id) as eff from mentioned m cross join lateral ${momentOf(sql`m.id`)}
      ) told where eff > ${moment}::timestamptz
    ),
    changed as materialized (
      select t.key::text, t.id, change -> 'before' as before, change -> 'after' as after
      from taken t ${changesOfTaken} cross join lateral (select e.changes #> array[${list}::text, t.key::text] as change) own
      where change is not null and (select count(*) from mentioned) <= ${limit}
    ),
    firsts as (select distinct on (key) key, before <> 'null' as existed from changed order by key, id),
    parts as (
      select distinct on (key, part) key, part, before -> part as before
      from changed cross join lateral jsonb_object_keys(coalesce(nullif(before, 'null'), '{}') || coalesce(nullif(after, 'null'), '{}')) part
      order by key, part, id
    )
    select ${countWithin(moment, limit, limit)} as "eventCount", (
      select coalesce(jsonb_agg(jsonb_build_object('key', key, 'current', p.state, 'existed', f.existed,
        'parts', (select coalesce(jsonb_object_agg(parts.part, parts.before), '{}') from parts where parts.key = coalesce(f.key, p.key)))), '[]')
      from jsonb_each(${present}) p(key, state) full join firsts f using (key)) as states`);
  return row ?? { eventCount: 0, states: [] };
}

const none = sql`0::bigint`;

/** The events of a subject, and the number of moments before each. */
const readOneByOne = (subject: KeyedSubject | MemberSet, moment: string, limit: number) => sql`${takenSince(subject, moment, limit)},
  dated as materialized (
    select t.id, width_bucket(t.eff - interval '1 microsecond', asked.moments) as since
    from taken t cross join asked where (select count(*) from mentioned) <= ${fenceOf(subject, limit)}
  ),
  read as not materialized (
    select d.since, e.kind, e.changes from dated d cross join lateral (select e.kind, e.changes from events e where e.id = d.id offset 0) e
  )`;
/** The same where every event is taken. */
const readInRanges = (moment: string, limit: number) => sql`${rangesSince(moment, limit)}
  read as not materialized (
    select r.since, e.kind, e.changes from ranges r
    cross join lateral (select e.kind, e.changes from events e where e.id between r.first and r.last offset 0) e
  )`;

/** What is read of the consumers that an event changed, in terms of JSON paths; `$key` is the subject whose past is queried. Joins would take several times as long. */
interface HeldBy {
  /** The changes of consumers. */
  readonly changes?: string;
  /** Filters of their states, and of the allocations of these. */
  readonly states?: string;
  readonly allocations?: string;
  readonly key?: string;
  /** Whether a state counts as a consumer. By default none is counted. */
  readonly isCounted?: (state: SQL) => SQL;
  /** Keeps providers apart, in a column of their own. */
  readonly byProvider?: boolean;
}

/**
 * Amounts as changed by events. Both sides of each change are read in one go, side by side in rows, and summed for each pair of classes before the sides come
 * apart: for a whole cloud that takes four fifths of the processor time that reading each side by itself takes.
 */
const held = ({ changes = '$.consumers.*', states = '', allocations = '', key = '', isCounted, byProvider = false }: HeldBy) => {
  const variables = sql`(select jsonb_build_object('key', ${key}::text))`;
  const on = (side: string) => sql`jsonb_path_query(change, ${`$.${side}${states}.allocations[*]${allocations}`}::jsonpath, ${variables})`;
  const counted = isCounted
    ? sql`(${isCounted(sql`change -> 'after'`)})::int - (${isCounted(sql`change -> 'before'`)})::int`
    : sql`null::int`;
  const providerOf = (side: SQL) => (byProvider ? sql`${side} ->> 'provider'` : sql`null`);
  return sql`
    select since, of_side.class, of_side.used, ${none} as total, ${none} as reserved, ${none} as capacity, ${none} as providers, of_side.consumers
      ${byProvider ? sql`, of_side.provider` : sql``}
    from (
      select since, before ->> 'resourceClass' as class_before, ${providerOf(sql`before`)} as provider_before,
        after ->> 'resourceClass' as class_after, ${providerOf(sql`after`)} as provider_after,
        sum((before ->> 'amount')::bigint) as used_before, sum((after ->> 'amount')::bigint) as used_after, sum(counted * one) as counted
      from (
        select since, ${on('before')} as before, ${on('after')} as after, ${counted} as counted, generate_series(1, 1) as one
        from (select r.since, jsonb_path_query(r.changes, ${changes}::jsonpath, ${variables}) as change from read r) changed
      ) side_by_side group by since, class_before, provider_before, class_after, provider_after
    ) sides cross join lateral (values
      (class_before, -used_before, 0::numeric, provider_before), (class_after, used_after, 0, provider_after), (null, 0, counted, null)
    ) of_side(class, used, consumers, provider)
    where of_side.class is not null or of_side.consumers <> 0`;
};
const inventories = (where: readonly SQL[], beside = sql``) => sql`
  select r.since, class, ${none}, sign * (i ->> 'total')::bigint, sign * (i ->> 'reserved')::bigint,
    sign * greatest(-9007199254740991, least(9007199254740991,
      trunc(((i ->> 'total')::bigint - (i ->> 'reserved')::bigint)::double precision * (i ->> 'allocationRatio')::double precision)))::bigint,
    sign::bigint, ${none} ${beside}
  from read r cross join lateral jsonb_each(r.changes -> 'providers') p(uuid, change)
  cross join lateral (values (1, change -> 'after'), (-1, change -> 'before')) side(sign, state)
  cross join lateral jsonb_each(state -> 'inventories') of(class, i) ${whereAll([sql`r.kind <> all(${sql.param(kindsOfClaims)}::text[])`, ...where])}`;
const nowHeld = (where: readonly SQL[]) => sql`
  select rc.name as class, sum(a.used) as used, ${none} as total, ${none} as reserved, ${none} as capacity, ${none} as providers, ${none} as consumers
  from allocations a join consumers c on c.id = a.consumer_id join resource_classes rc on rc.id = a.resource_class_id
  ${whereAll(where)} group by rc.name`;
const nowThere = (where: readonly SQL[]) => sql`
  select rc.name as class, sum(i.used) as used, sum(i.total) as total, sum(i.reserved) as reserved, sum(i.capacity) as capacity,
    count(*)::numeric as providers, ${none} as consumers
  from inventories i join resource_classes rc on rc.id = i.resource_class_id ${whereAll(where)} group by rc.name`;

/** Amounts of the providers of a set. */
const amountsOfMembers = {
  now: sql`
    select rc.name as class, i.used, i.total::bigint as total, i.reserved::bigint as reserved, i.capacity,
      1::bigint as providers, ${none} as consumers, p.uuid::text as provider
    from (select distinct provider::uuid as uuid from span) member join resource_providers p on p.uuid = member.uuid
    join inventories i on i.resource_provider_id = p.id join resource_classes rc on rc.id = i.resource_class_id`,
  changed: sql`${held({ byProvider: true })} union all ${inventories([], sql`, p.uuid as provider`)}`,
};

const spansGiven = (spans: readonly MemberSpan[]) => sql`
  span as materialized (
    select * from unnest(${sql.param(spans.map(({ provider }) => provider))}::text[], ${sql.param(spans.map(({ first }) => first))}::int[],
      ${sql.param(spans.map(({ last }) => last))}::int[]) given(provider, first, last)
  ),`;

/**
 * The amounts that members add and take, from the newest moment to the oldest. After the last moment of a span (`last + 1`) the current amounts of its provider
 * are added, without later changes. Changes within the span are undone one by one. At its first moment the rest is taken away.
 */
const changesOfMembers = (now: SQL, changed: SQL) => sql`
  select step.since, c.class, step.sign * c.used as used, step.sign * c.total as total, step.sign * c.reserved as reserved, step.sign * c.capacity as capacity,
    step.sign * c.providers as providers, ${none} as consumers
  from (${changed}) c join span on span.provider = c.provider and c.since > span.first
  cross join lateral (values (least(c.since, span.last + 1), 1), (span.first, -1)) step(since, sign)
  union all
  select step.since, n.class, step.sign * n.used, step.sign * n.total, step.sign * n.reserved, step.sign * n.capacity, step.sign * n.providers, ${none}
  from (${now}) n join span on span.provider = n.provider
  cross join lateral (values (span.last + 1, -1), (span.first, 1)) step(since, sign)`;

/** Amounts of a subject by class: as they are now, and as `changed` by events. Rows without a class count consumers. */
function amountsOf(subject: HistorySubject): { readonly now: SQL; readonly changed: SQL } {
  switch (subject.noun) {
    case 'cloud':
      return {
        now: sql`${nowThere([])} union all select null, 0, 0, 0, 0, 0, count(*) from consumers`,
        changed: sql`${held({ isCounted: (state) => sql`${state} <> 'null'` })} union all ${inventories([])}`,
      };
    case 'resourceProvider':
      return {
        now: nowThere([sql`i.resource_provider_id = (select p.id from resource_providers p where p.uuid = ${subject.key}::uuid)`]),
        changed: sql`${held({ allocations: ' ? (@.provider == $key)', key: subject.key })} union all ${inventories([sql`p.uuid = ${subject.key}`])}`,
      };
    case 'consumer':
      return {
        now: nowHeld([sql`c.uuid = ${subject.key}::uuid`]),
        changed: held({ changes: '$.consumers.keyvalue() ? (@.key == $key).value', key: subject.key }),
      };
    case 'project': {
      const project = sql`(select p.id from projects p where p.external_id = ${subject.key})`;
      return {
        now: sql`
          select rc.name as class, coalesce(sum(c.amount) filter (where rc.id is not null), 0) as used, ${none} as total, ${none} as reserved,
            ${none} as capacity, ${none} as providers, coalesce(sum(c.amount) filter (where rc.id is null), 0) as consumers
          from ${sql.raw(usageRows)} c left join resource_classes rc on rc.id = c.resource_class_id
          where c.project_id = ${project} group by rc.name having sum(c.amount) <> 0`,
        changed: held({
          states: ' ? (@.project == $key)',
          key: subject.key,
          isCounted: (state) => sql`coalesce(${state} ->> 'project' = ${subject.key}, false)`,
        }),
      };
    }
  }
}
