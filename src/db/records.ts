// Roots about which another service keeps records, and records without a provider, as one list. Written by apply_report and
// import_records alone; nothing here knows what a record means.

import type { PageRequest } from '../domain/page.ts';
import type { RecordedKey, RecordedList, RecordedRoot } from '../domain/recorded-root.ts';
import type { Db } from './sql/client.ts';

function entries({ sql }: Db, { kind, trait, standalone }: RecordedList, { uuid, name, uuids }: RecordedKey) {
  const only = (table: string) => sql`
    ${uuid === undefined ? sql`` : sql`and ${sql(table)}.uuid = ${uuid}::uuid`}
    ${uuids === undefined ? sql`` : sql`and ${sql(table)}.uuid = any(${uuids as string[]}::uuid[])`}
    ${name === undefined ? sql`` : sql`and ${sql(table)}.name = ${name}`}`;
  return sql`
    select p.id, r.uuid, coalesce(p.name, r.name) as name, r.body
    from records r left join resource_providers p on p.uuid = r.uuid and p.parent_provider_id is null
    where r.kind = ${kind} and (p.id is not null or r.body ? ${standalone}) ${only('r')}
    union all
    select p.id, p.uuid, p.name, null::jsonb
    from traits t
    join resource_provider_traits has on has.trait_id = t.id
    join resource_providers p on p.id = has.resource_provider_id and p.parent_provider_id is null
    where t.name = ${trait} and not exists (select from records r where r.kind = ${kind} and r.uuid = p.uuid) ${only('p')}`;
}

/** Entries of the list by name: those of a key, or a page of all; forward only. */
export async function selectRecordedRoots(db: Db, list: RecordedList, key: RecordedKey, page: PageRequest): Promise<RecordedRoot[]> {
  const [after = null] = page.key ?? [];
  return db.sql<RecordedRoot[]>`
    with entry as (
      select * from (${entries(db, list, key)}) _
      ${after === null ? db.sql`` : db.sql`where name > ${after}::text`}
      order by name limit ${page.size + 1}
    )
    select entry.uuid, entry.name, entry.body, entry.id is not null as "isProvider",
      (select coalesce(jsonb_object_agg(rc.name, jsonb_build_object(
          'total', i.total, 'reserved', i.reserved, 'used', i.used, 'allocationRatio', i.allocation_ratio)), '{}')
        from inventories i join resource_classes rc on rc.id = i.resource_class_id where i.resource_provider_id = entry.id) as inventories,
      (select count(distinct c.id)::float8
        from resource_providers p
        join allocations a on a.resource_provider_id = p.id
        join consumers c on c.id = a.consumer_id
        join consumer_types ct on ct.id = c.consumer_type_id and ct.name = ${list.consumerType}
        where p.root_provider_id = entry.id) as holders
    from entry order by entry.name`;
}

/** How many entries the list has. */
export async function countRecordedRoots(db: Db, list: RecordedList): Promise<number> {
  const [row] = await db.sql<{ count: number }[]>`select count(*)::float8 as count from (${entries(db, list, {})}) _`;
  return row?.count ?? 0;
}
