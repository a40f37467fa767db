// Reads the versions of programs on hosts, as last reported. Written only by report_service.
import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { ProgramVersions, RootsOfProgram, Service, ServiceFilter, ServiceSortKey } from '../domain/service.ts';
import { kindsWithTraits } from './events.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { conditionsOf } from './sql/filter-groups.ts';
import { integerKey, type KeysetOrder, momentKey, pageOf, textKey, totalOrder, whereAll } from './sql/keyset.ts';

/** A program that is forced down, or has never reported its version, does not count. */
const ofTellers = (sql: Db['sql'], program: string) => sql`s.program = ${program} and s.version > 0 and not s.forced_down`;

/** The lowest version of a program on any host, of those that have reported it and are not forced down; null for none. */
export async function selectMinimumVersion({ sql }: Db, program: string): Promise<number | null> {
  const [row] = await sql<{ version: number | null }[]>`select min(s.version) as version from services s where ${ofTellers(sql, program)}`;
  return row?.version ?? null;
}

/** The versions of a program, the roots about which nothing is known, its settings, and the snapshot that they are from, as the text of a pg_snapshot. */
export async function selectProgramVersions(
  { sql }: Db,
  { program, kind, trait, owner, from, settings }: RootsOfProgram,
): Promise<ProgramVersions & { readonly snapshot: string }> {
  const sample = sql`jsonb_build_object('count', count(*), 'names', coalesce((array_agg(name order by name collate "C"))[:3], '{}'))`;
  const [row] = await sql<(ProgramVersions & { readonly snapshot: string })[]>`
    with lowest as materialized (select min(s.version) as version from services s where ${ofTellers(sql, program)}),
    root as materialized (
      select p.id, p.name, s.host is not null as is_known, coalesce(s.forced_down, false) as is_down
      from traits t
      join resource_provider_traits has on has.trait_id = t.id
      join resource_providers p on p.id = has.resource_provider_id and p.parent_provider_id is null
      left join records r on r.kind = ${kind} and r.uuid = p.uuid
      left join services s on s.program = ${program} and s.host = coalesce(r.body ->> 'host', p.name)
      where t.name = ${trait} and coalesce((select version from lowest), 0) >= ${from}
    )
    select (select version from lowest) as minimum, pg_current_snapshot()::text as snapshot,
      (select r.body from records r where r.kind = ${settings} and r.name = ${settings}) as settings,
      (select ${sample} from root where not is_known) as unknown,
      (select ${sample} from root where not is_down and not exists (
        select from resource_provider_traits has join traits t on t.id = has.trait_id
        where has.resource_provider_id = root.id and t.name = ${owner})) as unowned`;
  if (!row) throw new Error('a select without from gave no row');
  return row;
}

/**
 * The snapshot up to which, since an earlier one, nothing changed of services and settings, nor the existence, name, traits or service host of any root; null if
 * something did. Reads the events between the two.
 */
export async function selectUnchangedSince({ sql }: Db, snapshot: string): Promise<string | null> {
  const names = (key: string, ...fields: string[]) => sql`exists (
    select from jsonb_each(e.changes -> ${key}) _ (subject, change)
    where change -> 'before' ?| ${fields}::text[] or change -> 'after' ?| ${fields}::text[])`;
  // Allocations and inventories change all the time, and nothing of this with them. The redundant bounds tell the planner that the ranges are small;
  // for `exists` it would scan all events (feed/forest.ts).
  const [row] = await sql<{ unchanged: string | null }[]>`
    with since as materialized (
      select pg_snapshot_xmin(snapshot) as xmin, pg_snapshot_xmax(snapshot) as xmax, array(select pg_snapshot_xip(snapshot)) as open,
        pg_snapshot_xmax(pg_current_snapshot()) as current_xmax
      from (select ${snapshot}::pg_snapshot as snapshot) _
    )
    select case when (
      select count(*) from since join events e on e.xid >= since.xmax and e.xid < since.current_xmax
        or e.xid = any(since.open) and e.xid >= since.xmin and e.xid < since.xmax
      where e.kind = any(${kindsWithTraits}::text[]) and (e.changes ? 'services' or ${names('records', 'host', 'generation')} or ${names('providers', 'name', 'traits')})
    ) = 0 then pg_current_snapshot()::text end as unchanged`;
  return row?.unchanged ?? null;
}

const columnsOfService = `s.id::float8 as id, s.host, s.program, s.version, s.disabled, s.disabled_reason as "disabledReason",
    s.forced_down as "forcedDown", s.updated_at as "updatedAt"`;

/** The services with these keys, if they exist, unordered. */
export async function selectServicesByKeys(
  { sql }: Db,
  keys: readonly { readonly host: string; readonly program: string }[],
): Promise<Service[]> {
  const [hosts, programs] = [keys.map(({ host }) => host), keys.map(({ program }) => program)];
  return sql<Service[]>`
    select ${sql.unsafe(columnsOfService)}
    from unnest(${hosts}::text[], ${programs}::text[]) as wanted (host, program)
    join services s on s.host = wanted.host and s.program = wanted.program`;
}

/** The keyset order behind a sort. */
export function orderOfServices(sort: readonly ServiceSortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) => {
    if (by === 'HOST') return textKey(sql`s.host`, descending);
    return by === 'VERSION' ? integerKey(sql`s.version`, descending) : momentKey(sql`s.updated_at`, descending);
  });
  return totalOrder(keys, sql`s.id`);
}

function conditionsOnService(wanted: ServiceFilter): SQL[] {
  const { hosts, hostContains, hostStartsWith, programs, versionBelow, disabled, forcedDown, updatedAfter, updatedBefore } = wanted;
  return [
    ...(hosts ? [sql`s.host = any(${sql.param(hosts)}::text[])`] : []),
    ...(hostContains ? [containsText(sql`s.host`, hostContains)] : []),
    ...(hostStartsWith ? [startsWithText(sql`s.host`, hostStartsWith)] : []),
    ...(programs ? [sql`s.program = any(${sql.param(programs)}::text[])`] : []),
    ...(versionBelow === undefined ? [] : [sql`s.version < ${versionBelow}::int`]),
    ...(disabled === undefined ? [] : [sql`s.disabled = ${disabled}::boolean`]),
    ...(forcedDown === undefined ? [] : [sql`s.forced_down = ${forcedDown}::boolean`]),
    ...(updatedAfter ? [sql`s.updated_at > ${updatedAfter}::timestamptz`] : []),
    ...(updatedBefore ? [sql`s.updated_at < ${updatedBefore}::timestamptz`] : []),
  ];
}

/** A page of the services that meet the conditions, and one more. */
export async function selectServicePage(
  db: Db,
  wanted: ServiceFilter,
  sort: readonly ServiceSortKey[],
  page: PageRequest,
): Promise<Sorted<Service>[]> {
  const selection = {
    columns: sql.raw(columnsOfService),
    from: sql`services s`,
    where: conditionsOf(wanted, conditionsOnService),
    order: orderOfServices(sort),
  };
  return db.orm.execute<Sorted<Service> & Record<string, unknown>>(pageOf(selection, page));
}

/** The number of services that meet the conditions. */
export async function countServices(db: Db, wanted: ServiceFilter): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from services s ${whereAll(conditionsOf(wanted, conditionsOnService))}`,
  );
  return row?.count ?? 0;
}
