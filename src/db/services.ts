// Reads the versions of programs on hosts, as last reported. Written only by report_service.
import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { Service, ServiceFilter, ServiceSortKey } from '../domain/service.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { integerKey, type KeysetOrder, momentKey, pageOf, textKey, totalOrder, whereAll } from './sql/keyset.ts';

/** The lowest version of a program on any host; null if it runs nowhere. */
export async function selectMinimumVersion({ sql }: Db, program: string): Promise<number | null> {
  const [row] = await sql<{ version: number | null }[]>`select min(version) as version from services where program = ${program}`;
  return row?.version ?? null;
}

/** The services with these keys, if they exist, unordered. */
export async function selectServicesByKeys(
  { sql }: Db,
  keys: readonly { readonly host: string; readonly program: string }[],
): Promise<Service[]> {
  const [hosts, programs] = [keys.map(({ host }) => host), keys.map(({ program }) => program)];
  return sql<Service[]>`
    select s.id::float8 as id, s.host, s.program, s.version, s.updated_at as "updatedAt"
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
  const { hosts, hostContains, hostStartsWith, programs, versionBelow, updatedAfter, updatedBefore } = wanted;
  return [
    ...(hosts ? [sql`s.host = any(${sql.param(hosts)}::text[])`] : []),
    ...(hostContains ? [containsText(sql`s.host`, hostContains)] : []),
    ...(hostStartsWith ? [startsWithText(sql`s.host`, hostStartsWith)] : []),
    ...(programs ? [sql`s.program = any(${sql.param(programs)}::text[])`] : []),
    ...(versionBelow === undefined ? [] : [sql`s.version < ${versionBelow}::int`]),
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
  const columns = sql`s.id::float8 as id, s.host, s.program, s.version, s.updated_at as "updatedAt"`;
  const selection = { columns, from: sql`services s`, where: conditionsOnService(wanted), order: orderOfServices(sort) };
  return db.orm.execute<Sorted<Service> & Record<string, unknown>>(pageOf(selection, page));
}

/** The number of services that meet the conditions. */
export async function countServices(db: Db, wanted: ServiceFilter): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from services s ${whereAll(conditionsOnService(wanted))}`,
  );
  return row?.count ?? 0;
}
