// The data for membership of a tree or an aggregate at past moments: all providers that may have belonged to it since the first of them, as they are now, and
// the changes of their places since. Read from events of the kinds that place providers, so that the cost does not depend on how much is claimed.
import { type SQL, sql } from 'drizzle-orm';
import { type EventKind, eventKinds, kindsOfClaims } from '../domain/event.ts';
import type { MemberSubject, Membership, MembershipChange } from '../domain/past-members.ts';
import { sharingTrait } from '../domain/provider.ts';
import { changesOfTaken, countWithin, since, sinceHalving, takenOf } from './past-events.ts';
import type { Db } from './sql/client.ts';

/** Kinds that leave providers where they are: most events are of these. */
const leavingPlaces: ReadonlySet<EventKind> = new Set<EventKind>([
  ...kindsOfClaims,
  'IMPORT_CONSUMER',
  'REPLACE_INVENTORIES',
  'PATCH_INVENTORIES',
  'REPORT_SERVICE',
  'REPLACE_SETTINGS',
  'REPLACE_QUOTAS',
]);
const placingKinds = eventKinds.filter((kind) => !leavingPlaces.has(kind));

export interface MemberRows {
  /** The number of events read; if more than allowed, or null, the rest is meaningless. */
  readonly eventCount: number | null;
  readonly current: readonly (Membership & { readonly provider: string })[];
  /** Newest first. */
  readonly changes: readonly MembershipChange[];
}

/** Reads at most `limit` events since the first of the moments, which are given in order. */
export async function selectMembersSince(
  { orm }: Db,
  { noun, key }: MemberSubject,
  moments: readonly string[],
  limit: number,
): Promise<MemberRows> {
  const first = moments[0] ?? '';
  const isMember = (aggregates: SQL) => (noun === 'aggregate' ? sql`coalesce(${aggregates} ? ${key}::text, false)` : sql`false`);
  const seeds =
    noun === 'tree'
      ? sql`select ${key}::text`
      : sql`
        select p.uuid::text from placement_aggregates a join resource_provider_aggregates m on m.aggregate_id = a.id
        join resource_providers p on p.id = m.resource_provider_id where a.uuid = ${key}::uuid
        union select s.uuid from shifts s where s."wasIn"`;
  const isInNow = noun === 'tree' ? sql`false` : isAmong(sql`m.uuid = ${key}::uuid`);
  // The parts that are missing in a change did not change; a deleted provider had all of them.
  const [row] = await orm.execute<MemberRows & Record<string, unknown>>(sql`
    with recursive ${sinceHalving(first)},
    ${placingSince(first, limit)},
    asked as materialized (select ${sql.param(moments)}::text[]::timestamptz[] as moments),
    shifts as materialized (
      select t.id, c.uuid, width_bucket(t.eff - interval '1 microsecond', asked.moments) as since,
        c.before <> 'null' as existed, c.before, c.before ->> 'parent' as "parentBefore", ${isMember(sql`c.before -> 'aggregates'`)} as "wasIn"
      from taken t cross join asked ${changesOfTaken}
      cross join lateral (select p.key as uuid, p.value -> 'before' as before, p.value -> 'after' as after from jsonb_each(e.changes -> 'providers') p) c
      where (select count(*) from mentioned) <= ${limit} and (c.before = 'null' or c.after = 'null' or c.before ?| ${placeParts} or c.after ?| ${placeParts})
    ),
    losses as materialized (select uuid, "parentBefore" from shifts where "parentBefore" is not null),
    reach (uuid) as (
      select * from (${seeds}) seed
      union
      select next.uuid from reach cross join lateral (
        select child.uuid::text from resource_providers p join resource_providers child on child.parent_provider_id = p.id where p.uuid = reach.uuid::uuid
        union all
        select losses.uuid from losses where losses."parentBefore" = reach.uuid
      ) next
    )
    select ${countWithin(first, limit, limit)} as "eventCount",
      (select coalesce(jsonb_agg(jsonb_build_object('provider', p.uuid, 'parent', parent.uuid, 'isIn', ${isInNow}, 'isSharing', exists (
          select from resource_provider_traits has join traits t on t.id = has.trait_id where has.resource_provider_id = p.id and t.name = ${sharingTrait}))), '[]')
        from reach join resource_providers p on p.uuid = reach.uuid::uuid left join resource_providers parent on parent.id = p.parent_provider_id) as current,
      (select coalesce(jsonb_agg(jsonb_build_object('provider', s.uuid, 'since', s.since, 'existed', s.existed, 'before',
          case when s.before ? 'parent' then jsonb_build_object('parent', s."parentBefore") else '{}' end
          || case when s.before ? 'aggregates' then jsonb_build_object('isIn', s."wasIn") else '{}' end
          || case when s.before ? 'traits' then jsonb_build_object('isSharing', s.before -> 'traits' ? ${sharingTrait}) else '{}' end) order by s.id desc), '[]')
        from shifts s join reach using (uuid)) as changes`);
  return row ?? { eventCount: 0, current: [], changes: [] };
}

/** Events of the kinds that place providers, after a moment. */
const placingSince = (moment: string, limit: number) => sql`
  mentioned as materialized (
    select of_kind.id from ${since} cross join unnest(${sql.param(placingKinds)}::text[]) wanted(kind)
    cross join lateral (select e.id from events e where e.kind = wanted.kind and e.id >= bound.low order by e.id limit ${limit + 1}) of_kind
    limit ${limit + 1}
  ),
  ${takenOf(sql`mentioned`, moment)}`;

/** The uuids of the providers that had a name at a moment: more than one if it changed hands in that moment. */
export async function selectNamedSince(
  { orm }: Db,
  name: string,
  moment: string,
  limit: number,
): Promise<{ readonly eventCount: number | null; readonly uuids: readonly string[] }> {
  const [row] = await orm.execute<{ eventCount: number | null; uuids: string[] }>(sql`
    with recursive ${sinceHalving(moment)}, ${placingSince(moment, limit)},
    firsts as materialized (
      select distinct on (c.uuid) c.uuid, change #>> '{before,name}' as name
      from taken t ${changesOfTaken} cross join lateral jsonb_each(e.changes -> 'providers') c(uuid, change)
      where change -> 'before' = 'null' or change #> '{before,name}' is not null order by c.uuid, t.id
    )
    select ${countWithin(moment, limit, limit)} as "eventCount", array(
      select f.uuid from firsts f where f.name = ${name}
      union
      select p.uuid::text from resource_providers p where p.name = ${name} and not exists (select from firsts f where f.uuid = p.uuid::text)) as uuids`);
  return row ?? { eventCount: 0, uuids: [] };
}

const placeParts = sql`array['parent', 'aggregates', 'traits']`;

const isAmong = (condition: SQL) => sql`exists (
  select from resource_provider_aggregates own join placement_aggregates m on m.id = own.aggregate_id where own.resource_provider_id = p.id and ${condition})`;
