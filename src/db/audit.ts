// Checks the invariants of the database. Each check is one statement, and so one snapshot, so that it can run during writes.
// commands/audit.ts reports the findings.
import type { Db } from './sql/client.ts';

/** The violations of one invariant: their number, and descriptions of some. */
export interface Finding {
  readonly count: number;
  readonly examples: readonly string[];
}

const maxExamples = 20;

/** Inventories whose `used` is not the sum of their allocations. */
export async function findWrongUse({ sql }: Db): Promise<Finding> {
  return findingOf(
    await sql<Found[]>`
      select count(*) over ()::float8 as count,
             format('%s of provider %s: used says %s, allocations say %s', rc.name, p.uuid, i.used, coalesce(held.amount, 0)) as example
      from inventories i
      left join (
        select resource_provider_id, resource_class_id, sum(used) as amount from allocations group by resource_provider_id, resource_class_id
      ) held using (resource_provider_id, resource_class_id)
      join resource_providers p on p.id = i.resource_provider_id
      join resource_classes rc on rc.id = i.resource_class_id
      where i.used <> coalesce(held.amount, 0)
      order by p.id, rc.id limit ${maxExamples}`,
  );
}

/** Inventories whose `promised` is not what their reservations keep. Where one has ended and is about to be removed, what it kept still counts. */
export async function findWrongPromises({ sql }: Db): Promise<Finding> {
  return findingOf(
    await sql<Found[]>`
      select count(*) over ()::float8 as count, format('%s of provider %s: promised says %s, reservations say %s', rc.name, p.uuid, i.promised, m.due) as example
      from mendable_promises() m
      join inventories i on i.resource_provider_id = m.id and i.resource_class_id = m.class
      join resource_providers p on p.id = m.id join resource_classes rc on rc.id = m.class
      order by p.id, rc.id limit ${maxExamples}`,
  );
}

/** Usages of projects, by user, type and class, that are not the sum of what their consumers hold; none while the sums are not complete. */
export async function findWrongUsages({ sql }: Db): Promise<Finding> {
  return findingOf(
    await sql<Found[]>`
      with held as (
        select c.project_id, c.user_id, c.consumer_type_id, a.resource_class_id, a.used as held, 0 as kept
        from consumers c join allocations a on a.consumer_id = c.id
        union all
        select project_id, user_id, consumer_type_id, null, 1, 0 from consumers
        union all
        select project_id, user_id, consumer_type_id, resource_class_id, 0, amount from project_usages
      ), wrong as (
        select project_id, user_id, consumer_type_id, resource_class_id, sum(held) as held, sum(kept) as kept
        from held group by 1, 2, 3, 4 having sum(held) <> sum(kept)
      )
      select count(*) over ()::float8 as count, format('%s of project %s, user %s, type %s: the sums say %s, allocations say %s',
        coalesce(rc.name, 'consumers'), p.external_id, u.external_id, coalesce(t.name, 'none'), wrong.kept, wrong.held) as example
      from wrong left join projects p on p.id = wrong.project_id left join users u on u.id = wrong.user_id
      left join consumer_types t on t.id = wrong.consumer_type_id left join resource_classes rc on rc.id = wrong.resource_class_id
      order by wrong.project_id, wrong.user_id, wrong.consumer_type_id, rc.id limit ${maxExamples}`,
  );
}

/** Quotas whose use is not the sum of what the consumers of their projects, and of those below, hold, and projects whose quotas are not counted. */
export async function findWrongQuotas({ sql }: Db): Promise<Finding> {
  return findingOf(
    await sql<Found[]>`
      with whose as (
        select distinct project_id as id, project_id as member from quota_uses
        union all select parent_id, project_id from project_parents
      ), in_zones as materialized (
        select a.consumer_id, a.resource_class_id as class, m.aggregate_id as zone, a.used
        from resource_provider_aggregates m
        join resource_providers p on p.root_provider_id = m.resource_provider_id
        join allocations a on a.resource_provider_id = p.id
        where m.aggregate_id in (select q.aggregate_id from quota_uses q)
      ), placed as materialized (
        select consumer_id, class, zone, sum(used) as amount from in_zones group by 1, 2, 3
        union all select distinct consumer_id, -1, zone, 1 from in_zones
      ), held as (
        select whose.id, c.user_id, c.consumer_type_id, count.class, null::bigint as zone, count.amount
        from whose join consumers c on c.project_id = whose.member
        cross join lateral (
          select a.resource_class_id as class, a.used as amount from allocations a where a.consumer_id = c.id union all select -1, 1
        ) count
        union all
        select whose.id, c.user_id, c.consumer_type_id, placed.class, placed.zone, placed.amount
        from placed join consumers c on c.id = placed.consumer_id join whose on whose.member = c.project_id
      ), wrong as (
        select q.id, q.used, coalesce(sum(h.amount), 0) as held
        from quota_uses q left join held h on h.id = q.project_id and h.class = q.resource_class_id
          and h.zone is not distinct from q.aggregate_id and (q.user_id is null or h.user_id = q.user_id) and (q.consumer_type_id is null or h.consumer_type_id = q.consumer_type_id)
        group by q.id, q.used having q.used <> coalesce(sum(h.amount), 0)
      ), found as (
        select q.id, format('quota of %s of project %s%s: used says %s, allocations say %s',
          coalesce(rc.name, 'consumers'), p.external_id, ' in aggregate ' || g.uuid, wrong.used, wrong.held) as example
        from wrong join quota_uses q using (id) left join projects p on p.id = q.project_id
        left join resource_classes rc on rc.id = q.resource_class_id left join placement_aggregates g on g.id = q.aggregate_id
        union all
        select distinct null::bigint, format('quotas of project %s are not counted: set them again with replaceQuotas', p.external_id)
        from projects p
        -- Two joins, because one with "or" compares each project with each record.
        join (
          select p.id, r.body from projects p join records r on r.kind = 'project_quotas' and r.name = p.external_id
          union all select p.id, r.body from projects p cross join records r where r.kind = 'default_quotas'
        ) r using (id)
        cross join lateral jsonb_to_recordset(r.body -> 'quotas') as s("user" text, "consumerType" text, "resourceClass" text, aggregate uuid)
        left join users u on u.external_id = s."user"
        left join consumer_types t on t.name = s."consumerType"
        left join resource_classes rc on rc.name = s."resourceClass"
        left join placement_aggregates g on g.uuid = s.aggregate
        where (s."user" is null) = (u.id is null) and (s."consumerType" is null) = (t.id is null) and (s."resourceClass" is null) = (rc.id is null)
          and (s.aggregate is null) = (g.id is null)
          and not exists (select from quota_uses q where q.project_id = p.id and q.user_id is not distinct from u.id
            and q.consumer_type_id is not distinct from t.id and q.resource_class_id = coalesce(rc.id, -1)
            and q.aggregate_id is not distinct from g.id)
      )
      select count(*) over ()::float8 as count, example from found order by id limit ${maxExamples}`,
  );
}

/** Consumers without allocations, project or user. */
export async function findLostConsumers({ sql }: Db): Promise<Finding> {
  return findingOf(
    await sql<Found[]>`
      select count(*) over ()::float8 as count, format('consumer %s %s', c.uuid, fault.text) as example
      from consumers c
      cross join lateral (
        select 'holds nothing' as text where not exists (select from allocations a where a.consumer_id = c.id)
        union all select 'belongs to no project' where not exists (select from projects p where p.id = c.project_id)
        union all select 'was made by no user' where not exists (select from users u where u.id = c.user_id)
      ) fault
      order by c.id limit ${maxExamples}`,
  );
}

/** Allocations of 0 or less, of no consumer, or of an inventory that does not exist. */
export async function findWrongAllocations({ sql }: Db): Promise<Finding> {
  return findingOf(
    await sql<Found[]>`
      select count(*) over ()::float8 as count, format('%s holds %s on %s%s', coalesce('consumer ' || c.uuid, 'a consumer that does not exist'), a.used,
               coalesce('provider ' || p.uuid, 'a provider that does not exist'),
               case when i.total is null then format(', which has no %s', coalesce(rc.name, 'class ' || a.resource_class_id)) end) as example
      from allocations a
      left join consumers c on c.id = a.consumer_id
      left join resource_providers p on p.id = a.resource_provider_id
      left join inventories i on i.resource_provider_id = a.resource_provider_id and i.resource_class_id = a.resource_class_id
      left join resource_classes rc on rc.id = a.resource_class_id
      where a.used < 1 or c.id is null or i.total is null
      order by a.consumer_id limit ${maxExamples}`,
  );
}

/**
 * Reservations of no project, amounts of no reservation or of an inventory that does not exist, and consumers that claim from a reservation that does not exist or is of
 * another project, or that outlive theirs.
 */
export async function findWrongReservations({ sql }: Db): Promise<Finding> {
  return findingOf(
    await sql<Found[]>`
      with faults as (
        select format('reservation %s belongs to no project', r.uuid) as text
        from reservations r where not exists (select from projects p where p.id = r.project_id)
        union all
        select format('%s keeps %s of %s on %s', coalesce('reservation ' || r.uuid, 'a reservation that does not exist'), a.amount,
                 coalesce(rc.name, 'class ' || a.resource_class_id),
                 case when p.id is null then 'a provider that does not exist'
                      when i.total is null then format('provider %s, which has none', p.uuid)
                      else format('provider %s', p.uuid) end)
        from reservation_amounts a
        left join reservations r on r.id = a.reservation_id
        left join resource_providers p on p.id = a.resource_provider_id
        left join inventories i on i.resource_provider_id = a.resource_provider_id and i.resource_class_id = a.resource_class_id
        left join resource_classes rc on rc.id = a.resource_class_id
        where r.id is null or i.total is null
        union all
        select format('consumer %s %s', c.uuid, case when r.id is null then 'claims from a reservation that does not exist'
                 when r.project_id <> c.project_id then format('claims from reservation %s, which is of another project', r.uuid)
                 else format('outlives reservation %s', r.uuid) end)
        from consumers c left join reservations r on r.id = c.reservation_id
        where c.reservation_id is not null and (r.id is null or r.project_id <> c.project_id or c.expires_at is null or c.expires_at > r.ends_at)
      )
      select count(*) over ()::float8 as count, text as example from faults order by text limit ${maxExamples}`,
  );
}

/** Providers whose root is not the top of their parents, or whose parents form a loop. */
export async function findWrongRoots({ sql }: Db): Promise<Finding> {
  return findingOf(
    await sql<Found[]>`
      with recursive below(id, top) as (
        select p.id, p.id from resource_providers p where p.parent_provider_id is null
        union all
        select child.id, below.top from resource_providers child join below on child.parent_provider_id = below.id
      )
      select count(*) over ()::float8 as count,
             format('provider %s %s', p.uuid, case when below.id is null then 'stands in a loop of parents' else 'has another root than its parents' end)
               as example
      from resource_providers p left join below on below.id = p.id
      where below.top is distinct from p.root_provider_id
      order by p.id limit ${maxExamples}`,
  );
}

interface Found {
  readonly count: number;
  readonly example: string;
}

function findingOf(rows: readonly Found[]): Finding {
  return { count: rows[0]?.count ?? 0, examples: rows.map(({ example }) => example) };
}

/** How many providers and consumers no longer have an event, so that they cannot be verified. */
export async function countWithoutEvents({ sql }: Db): Promise<number> {
  // Fenced by limits: a join would go through all subjects of all events, of which there are many more.
  const [row] = await sql<{ count: number }[]>`
    select count(*)::float8 as count from (select uuid from resource_providers union all select uuid from consumers) known
    where (select true from event_subjects s where s.subject = known.uuid limit 1) is null`;
  return row?.count ?? 0;
}

/** A position before all subjects, and one after all events of a subject. */
const beforeAll = { subject: '00000000-0000-0000-0000-000000000000', event: '-1' };
const afterItsEvents = '9223372036854775807';

/** The next subjects of events after `last`, in order, including deleted ones. */
export async function selectSubjects({ sql }: Db, last: string | null, count: number): Promise<string[]> {
  // Jumps from subject to subject: a busy provider has a million entries. It begins with a comparison that an index answers even in a
  // plan for any values: a choice of conditions would scan all subjects before the last one.
  const from = last === null ? beforeAll : { subject: last, event: afterItsEvents };
  const rows = await sql<{ subject: string }[]>`
    with recursive subjects(subject, place) as (
      (select subject, 1 from event_subjects where (subject, event_id) > (${from.subject}::uuid, ${from.event}::bigint) order by subject, event_id limit 1)
      union all
      select following.subject, subjects.place + 1
      from subjects cross join lateral (select s.subject from event_subjects s where s.subject > subjects.subject order by s.subject limit 1) following
      where subjects.place < ${count}
    )
    select subject from subjects order by subject`;
  return rows.map(({ subject }) => subject);
}

/** A part of a subject that differs from its events; or, for `unverified`, a subject whose events are incomplete. */
export interface Discrepancy {
  readonly problem: 'chain' | 'replay' | 'unverified';
  readonly noun: 'provider' | 'consumer';
  readonly subject: string;
  readonly part: string | null;
  /** For a broken chain: the event whose `before` is not what the event before it left. */
  readonly eventId: number | null;
  /** JSON. */
  readonly expected: string | null;
  readonly found: string | null;
}

/**
 * Replays the events of subjects and compares: each event must start from the state that the previous one left, and the last must leave
 * the current state. A subject is locked while it is written, so the ids of its events are in the order of their commits.
 */
export async function replayEvents({ sql }: Db, subjects: readonly string[]): Promise<Discrepancy[]> {
  return sql<Discrepancy[]>`
    with wanted as (
      -- Projects are subjects, too, but have nothing to replay.
      select unnest(${subjects}::uuid[]) as subject except select md5('project:' || p.external_id)::uuid from projects p
    ),
    history as materialized (
      select noun, subject, event_id, change -> 'before' as before, change -> 'after' as after
      from wanted
      -- One subject and one event after another, fenced by offsets: whatever is known of the tables, all events are never gone through.
      cross join lateral (select s.event_id from event_subjects s where s.subject = wanted.subject offset 0) s
      cross join lateral (
        select e.changes -> 'providers' -> subject::text as provider, e.changes -> 'consumers' -> subject::text as consumer
        from events e where e.id = s.event_id offset 0
      ) e
      cross join lateral (values ('provider', e.provider), ('consumer', e.consumer)) as named(noun, change)
      where change is not null
    ),
    parts as (
      select noun, subject, event_id, part, before -> part as before, after -> part as after,
             lag(after -> part) over earlier as left_before, row_number() over earlier = 1 as is_first,
             lead(event_id) over earlier is null as is_last
      from history
      cross join lateral jsonb_object_keys(coalesce(nullif(before, 'null'), '{}') || coalesce(nullif(after, 'null'), '{}')) part
      window earlier as (partition by noun, subject, part order by event_id)
    ),
    there as (
      select 'provider' as noun, p.uuid as subject, part, value
      from resource_providers p cross join lateral jsonb_each(provider_state(p.id)) as state(part, value)
      where p.uuid = any(${subjects}::uuid[])
      union all
      select 'consumer', known.uuid::uuid, part, value
      from jsonb_each(consumer_states(array(select c.id from consumers c where c.uuid = any(${subjects}::uuid[])))) as known(uuid, consumer)
      cross join lateral jsonb_each(consumer - '{id,uuid,createdAt,updatedAt}'::text[]) as state(part, value)
    ),
    compared as (
      select noun, subject, part, p.part is null as is_unverified, p.after as expected, there.value as found
      from (select * from parts where is_last) p full join there using (noun, subject, part)
    )
    select 'chain' as problem, noun, subject, part, event_id::float8 as "eventId", left_before::text as expected, before::text as found
    from parts where not is_first and nullif(before, 'null') is distinct from nullif(left_before, 'null')
    union all
    select 'replay', noun, subject, part, null, expected::text, found::text
    from compared where not is_unverified and nullif(expected, 'null') is distinct from nullif(found, 'null')
    union all
    select distinct 'unverified', noun, subject, null, null::float8, null, null from compared where is_unverified`;
}
