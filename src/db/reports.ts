// Reads, in one statement, what a host's report is compared with: its current tree, and other data of its last report. Written only by apply_report
// and import_records.

import { sharingTrait } from '../domain/provider.ts';
import type { ProviderState, ReportedTree, TreeReporter } from '../domain/reported-tree.ts';
import type { Db } from './sql/client.ts';

/** The tree of a reporter: with its uuid, else that of the record with its name, else the one with its name. */
export async function selectReportedTree(
  { sql }: Db,
  { uuid, name, recordKind, consumerType, program, host }: TreeReporter,
): Promise<ReportedTree> {
  const [row] = await sql<ReportedTree[]>`
    with known as materialized (
      select r.uuid, r.name, r.body, jsonb_hash_extended(r.body, 0)::text as version, r.updated_at < now() - interval '10 minutes' as is_stale
      from records r where r.kind = ${recordKind} and (r.uuid = ${uuid}::uuid or r.name = ${name})
    ), top as materialized (
      ${
        uuid === null
          ? sql`
      select id from (
        select p.id, 1 as place from known join resource_providers p on p.uuid = known.uuid and p.parent_provider_id is null
        union all
        select p.id, 2 from resource_providers p where p.name = ${name} and p.parent_provider_id is null
      ) _ order by place limit 1`
          : sql`select p.id from resource_providers p where p.uuid = ${uuid}::uuid and p.parent_provider_id is null`
      }
    ), member as materialized (
      select p.id from top join resource_providers p on p.root_provider_id = top.id
    )
    select
      coalesce((select tree_states(top.id) from top), '[]') as providers,
      (select coalesce(jsonb_agg(d.body || jsonb_build_object('address', d.address) order by d.address), '[]')
        from top join devices d on d.resource_provider_id = top.id) as devices,
      (select coalesce(jsonb_agg(jsonb_build_object(
            'uuid', known.uuid, 'name', known.name, 'body', known.body, 'isStale', known.is_stale, 'version', known.version)
          order by known.uuid = ${uuid}::uuid desc nulls last), '[]') from known) as records,
      array(
        select distinct rc.name from traits t
        join resource_provider_traits sharing on sharing.trait_id = t.id
        join resource_provider_aggregates own on own.resource_provider_id = sharing.resource_provider_id
        join inventories i on i.resource_provider_id = sharing.resource_provider_id
        join resource_classes rc on rc.id = i.resource_class_id
        where t.name = ${sharingTrait} and not sharing.resource_provider_id in (select member.id from member) and own.aggregate_id in (
          select theirs.aggregate_id from member join resource_provider_aggregates theirs on theirs.resource_provider_id = member.id)
      ) as "sharedClasses",
      (select coalesce(jsonb_object_agg(p.uuid, kept.classes), '{}')
        from member join resource_providers p on p.id = member.id
        cross join lateral (
          select jsonb_agg(distinct rc.name) as classes
          from (select * from reservation_amounts a where a.resource_provider_id = member.id offset 0) a
          join resource_classes rc on rc.id = a.resource_class_id
        ) kept
        where kept.classes is not null) as reserved,
      (select count(distinct c.id)::float8 from member
        join allocations a on a.resource_provider_id = member.id
        join consumers c on c.id = a.consumer_id
        left join consumer_types ct on ct.id = c.consumer_type_id
        -- Clients of REST before 1.38 cannot say of which type a consumer is.
        where ct.name = ${consumerType} or ct.name is null) as holders,
      (select jsonb_build_object('disabled', s.disabled, 'forcedDown', s.forced_down)
        from services s where s.program = ${program} and s.host = ${host}) as service`;
  if (!row) throw new Error('a select without from gave no row');
  return row;
}

/** The tree of a root, parents before their children; empty if there is no such root. */
export async function selectTree({ sql }: Db, root: string): Promise<readonly ProviderState[]> {
  const [row] = await sql<{ providers: readonly ProviderState[] }[]>`
    select tree_states(p.id) as providers from resource_providers p where p.uuid = ${root}::uuid`;
  return row?.providers ?? [];
}
