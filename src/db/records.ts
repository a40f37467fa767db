// Reads roots with the records that another service keeps about them, and records without a provider, as one list. Written only by apply_report and
// import_records. Does not know what a record means.

import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type {
  CountedFact,
  CountedRoot,
  NamedRoot,
  RecordedFact,
  RecordedFilter,
  RecordedKey,
  RecordedList,
  RecordedNames,
  RecordedRoot,
  RecordedSortKey,
  RecordedValue,
} from '../domain/recorded-root.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { conditionsOf } from './sql/filter-groups.ts';
import { type KeysetOrder, pageOf, textKey, whereAll } from './sql/keyset.ts';

function entries({ kind, trait, standalone }: RecordedList, { uuid, name, uuids }: RecordedKey = {}): SQL {
  const only = (table: SQL): SQL[] => [
    ...(uuid === undefined ? [] : [sql`${table}.uuid = ${uuid}::uuid`]),
    ...(uuids === undefined ? [] : [sql`${table}.uuid = any(${sql.param(uuids)}::uuid[])`]),
    ...(name === undefined ? [] : [sql`${table}.name = ${name}::text`]),
  ];
  return sql`
    select p.id, r.uuid, coalesce(p.name, r.name) as name, r.body, case when p.id is not null then r.updated_at end as "reportedAt"
    from records r left join resource_providers p on p.uuid = r.uuid and p.parent_provider_id is null
    ${whereAll([sql`r.kind = ${kind}`, sql`(p.id is not null or r.body ? ${standalone}::text)`, ...only(sql`r`)])}
    union all
    select p.id, p.uuid, p.name, null::jsonb, null::timestamptz
    from traits t
    join resource_provider_traits has on has.trait_id = t.id
    join resource_providers p on p.id = has.resource_provider_id and p.parent_provider_id is null
    ${whereAll([
      sql`t.name = ${trait}`,
      sql`not exists (select from records r where r.kind = ${kind} and r.uuid = p.uuid)`,
      ...only(sql`p`),
    ])}`;
}

/** The keyset order behind a sort. Records and roots have no common order of creation, so ties are broken by uuid. */
export function orderOfRecordedRoots(sort: readonly RecordedSortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) =>
    by === 'NAME' ? textKey(sql`entry.name`, descending) : textKey(sql`(entry.body ->> ${by.fact}::text)`, descending, { nullable: true }),
  );
  return [...keys, textKey(sql`entry.uuid::text`, false, { unique: true })];
}

function conditionsOnEntry({ uuids, names, nameContains, nameStartsWith, facts, reportedAfter, reportedBefore }: RecordedFilter): SQL[] {
  return [
    ...(uuids ? [sql`entry.uuid = any(${sql.param(uuids)}::uuid[])`] : []),
    ...(names ? [sql`entry.name = any(${sql.param(names)}::text[])`] : []),
    ...(nameContains ? [containsText(sql`entry.name`, nameContains)] : []),
    ...(nameStartsWith ? [startsWithText(sql`entry.name`, nameStartsWith)] : []),
    ...(facts ?? []).map(({ fact, values }) => sql`entry.body ->> ${fact}::text = any(${sql.param(values)}::text[])`),
    ...(reportedAfter ? [sql`entry."reportedAt" > ${reportedAfter}::timestamptz`] : []),
    ...(reportedBefore ? [sql`entry."reportedAt" < ${reportedBefore}::timestamptz`] : []),
  ];
}

/** The entries with a key. */
export function selectRecordedRoots(db: Db, list: RecordedList, key: RecordedKey): Promise<RecordedRoot[]> {
  return selectWhole(db, list, sql`select found.*, 0 as place, '[]'::json as "sortKey" from (${entries(list, key)}) found`);
}

/** The entries with a name, or with a value of a fact, as names alone. */
export async function selectNamedRoots(db: Db, list: RecordedList, { names, fact, values }: RecordedNames): Promise<NamedRoot[]> {
  const value = sql`coalesce(entry.body ->> ${fact}::text, entry.name)`;
  return db.orm.execute<NamedRoot & Record<string, unknown>>(sql`
    select entry.uuid, entry.name, ${value} as value from (${entries(list)}) entry
    where entry.name = any(${sql.param(names)}::text[]) or lower(${value}) = any(${sql.param(values)}::text[])`);
}

/** The records of a kind that have a text as a fact. */
export async function selectRecordedValues(db: Db, { kind }: RecordedList, fact: RecordedFact): Promise<RecordedValue[]> {
  const path = `{${fact.join(',')}}`;
  // A parameter would not match the condition of an index. A body that is long is unpacked each time it is named.
  const key = sql.raw(`'${fact[0]}'`);
  return db.orm.execute<RecordedValue & Record<string, unknown>>(sql`
    select found.uuid, found.value
    from (select r.uuid, r.body #>> ${path}::text[] as value from records r where r.kind = ${kind} and r.body ? ${key} offset 0) found
    where found.value is not null`);
}

/** The records of a kind that have a counted fact. */
export async function selectCountedRoots(db: Db, { kind }: RecordedList, fact: CountedFact): Promise<CountedRoot[]> {
  // A parameter would not match the condition of the index.
  const key = sql.raw(`'${fact}'`);
  return db.orm.execute<CountedRoot & Record<string, unknown>>(sql`
    select r.uuid, (r.body ->> ${key})::float8 as count from records r where r.kind = ${kind} and r.body ? ${key}`);
}

/** Sets of roots whose records of a kind have the same text as a fact: all of them, or those with one of these roots. */
export async function selectUnitedRoots(
  db: Db,
  { kind, fact }: { readonly kind: string; readonly fact: string },
  roots: readonly string[] | null,
): Promise<string[][]> {
  // A parameter would not match the index.
  const key = sql.raw(`'${fact}'`);
  const rows = await db.orm.execute<{ roots: string[] }>(sql`
    select array_agg(r.uuid) as roots from records r
    ${whereAll([
      sql`r.kind = ${kind}`,
      ...(roots
        ? [
            sql`(r.body ->> ${key}) in (select own.body ->> ${key} from records own where own.kind = ${kind} and own.uuid = any(${sql.param(roots)}::uuid[]))`,
          ]
        : []),
    ])}
    group by r.body ->> ${key} having count(r.body ->> ${key}) > 1`);
  return rows.map((row) => row.roots);
}

/** A page of the entries that meet the conditions. */
export function selectRecordedRootPage(
  db: Db,
  list: RecordedList,
  wanted: RecordedFilter,
  sort: readonly RecordedSortKey[],
  page: PageRequest,
): Promise<Sorted<RecordedRoot>[]> {
  const selection = {
    columns: sql`entry.*`,
    from: sql`(${entries(list)}) entry`,
    where: conditionsOf(wanted, conditionsOnEntry),
    order: orderOfRecordedRoots(sort),
  };
  return selectWhole(db, list, sql`select row_number() over () as place, page.* from (${pageOf(selection, page)}) page`);
}

/** Entries with their inventories and their number of consumers. */
async function selectWhole(db: Db, list: RecordedList, found: SQL): Promise<Sorted<RecordedRoot>[]> {
  return db.orm.execute<Sorted<RecordedRoot> & Record<string, unknown>>(sql`
    with entry as (${found})
    select entry.uuid, entry.name, entry.body, entry."reportedAt", entry.id is not null as "isProvider",
      (select coalesce(jsonb_object_agg(rc.name, jsonb_build_object(
          'total', i.total, 'reserved', i.reserved, 'used', i.used, 'allocationRatio', i.allocation_ratio)), '{}')
        from inventories i join resource_classes rc on rc.id = i.resource_class_id where i.resource_provider_id = entry.id) as inventories,
      (select count(distinct c.id)::float8
        from resource_providers p
        join allocations a on a.resource_provider_id = p.id
        join consumers c on c.id = a.consumer_id
        left join consumer_types ct on ct.id = c.consumer_type_id
        -- Clients of REST before 1.38 cannot say of which type a consumer is.
        where (ct.name = ${list.consumerType} or ct.name is null) and p.root_provider_id = entry.id) as holders,
      entry."sortKey"
    from entry order by entry.place`);
}

/** The number of entries that meet the conditions. */
export async function countRecordedRoots(db: Db, list: RecordedList, wanted: RecordedFilter): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from (${entries(list)}) entry ${whereAll(conditionsOf(wanted, conditionsOnEntry))}`,
  );
  return row?.count ?? 0;
}
