// Reads reservations, what they keep and what is claimed of it. Writes are in writes/.
import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { Reservation, ReservationFilter, ReservedAmount } from '../domain/reservation.ts';
import type { Db } from './sql/client.ts';
import { type KeysetOrder, momentKey, pageOf, textKey, whereAll } from './sql/keyset.ts';

const columns = `r.id::float8 as id, r.uuid, p.external_id as project, r.generation::float8 as generation, r.starts_at as "startsAt", r.ends_at as "endsAt",
  r.starts_at <= now() as "hasBegun", r.created_at as "createdAt", r.updated_at as "updatedAt"`;
const tables = 'reservations r join projects p on p.id = r.project_id';

/** By their beginning, then by uuid: cursors hold the keys, and ids tell how many reservations other projects have. */
export function orderOfReservations(descending: boolean): KeysetOrder {
  return [momentKey(sql`r.starts_at`, descending), textKey(sql`r.uuid::text`, descending, { unique: true })];
}

/** The conditions of a filter, and that of `own`, the only project whose reservations are seen; null for all. An empty list matches nothing. */
function conditionsOn({ projects, resourceProviders, during }: ReservationFilter, own: string | null): SQL[] {
  return [
    ...(own === null ? [] : [sql`p.external_id = ${own}`]),
    ...(projects ? [sql`p.external_id = any(${sql.param(projects)}::text[])`] : []),
    ...(resourceProviders
      ? [
          sql`r.id in (
            select a.reservation_id from reservation_amounts a join resource_providers place on place.id = a.resource_provider_id
            where place.uuid = any(${sql.param(resourceProviders)}::uuid[]))`,
        ]
      : []),
    ...(during ? [sql`r.starts_at < ${during.until}::timestamptz and r.ends_at > greatest(${during.from}::timestamptz, now())`] : []),
  ];
}

/** The reservations of a page and one more. */
export function selectReservationPage(
  { orm }: Db,
  filter: ReservationFilter,
  descending: boolean,
  page: PageRequest,
  own: string | null,
): Promise<Sorted<Reservation>[]> {
  const order = orderOfReservations(descending);
  const selection = { columns: sql.raw(columns), from: sql.raw(tables), where: conditionsOn(filter, own), order };
  return orm.execute<Sorted<Reservation> & Record<string, unknown>>(pageOf(selection, page));
}

/** How many reservations match. */
export async function countReservations({ orm }: Db, filter: ReservationFilter, own: string | null): Promise<number> {
  const [row] = await orm.execute<{ count: number }>(sql`
    select count(*)::float8 as count from ${sql.raw(tables)} ${whereAll(conditionsOn(filter, own))}`);
  return row?.count ?? 0;
}

/** Reservations by uuid, in no order; those of a project if one is given. */
export function selectReservationsByUuids({ sql }: Db, uuids: readonly string[], own: string | null): Promise<Reservation[]> {
  return sql<Reservation[]>`
    select ${sql.unsafe(columns)} from ${sql.unsafe(tables)}
    where r.uuid = any(${uuids}::uuid[]) ${own === null ? sql`` : sql`and p.external_id = ${own}`}`;
}

/** Trees, by the uuids of their roots, and names of classes. */
export interface KeptIn {
  readonly roots: readonly string[];
  readonly resourceClasses: readonly string[];
}

/** The first reservations to begin of which something of these is left to claim, by the places of the questions. */
export function selectReservationsIn(
  { sql }: Db,
  asked: readonly KeptIn[],
  own: string | null,
  most: number,
): Promise<(Reservation & { place: number })[]> {
  return sql<(Reservation & { place: number })[]>`
    select asked.place::int - 1 as place, found.*
    from jsonb_array_elements(${JSON.stringify(asked)}::text::jsonb) with ordinality as asked(key, place)
    cross join lateral (
      select ${sql.unsafe(columns)} from ${sql.unsafe(tables)}
      where r.id in (
        select a.reservation_id from jsonb_array_elements_text(asked.key -> 'roots') root_uuid
        join resource_providers root on root.uuid = root_uuid::uuid
        join resource_providers member on member.root_provider_id = root.id
        join reservation_amounts a on a.resource_provider_id = member.id and a.amount > (
          select coalesce(sum(held.used), 0) from consumers c join allocations held on held.consumer_id = c.id
          where c.reservation_id = a.reservation_id and held.resource_provider_id = member.id and held.resource_class_id = a.resource_class_id)
        join resource_classes rc on rc.id = a.resource_class_id and asked.key -> 'resourceClasses' ? rc.name)
      ${own === null ? sql`` : sql`and p.external_id = ${own}`}
      order by r.starts_at, r.uuid limit ${most}
    ) found`;
}

/** What reservations (internal ids) keep, by provider name and class, with what their consumers hold of it. */
export function selectReservedAmounts({ sql }: Db, ids: readonly number[]): Promise<(ReservedAmount & { reservationId: number })[]> {
  return sql<(ReservedAmount & { reservationId: number })[]>`
    with claimed as (
      select c.reservation_id, held.resource_provider_id, held.resource_class_id, sum(held.used) as amount
      from consumers c join allocations held on held.consumer_id = c.id
      where c.reservation_id = any(${ids}::bigint[])
      group by c.reservation_id, held.resource_provider_id, held.resource_class_id
    )
    select a.reservation_id::float8 as "reservationId", p.uuid as provider, rc.name as "resourceClass", a.amount::float8 as amount,
      coalesce(claimed.amount, 0)::float8 as claimed
    from reservation_amounts a join resource_providers p on p.id = a.resource_provider_id
    join resource_classes rc on rc.id = a.resource_class_id
    left join claimed using (reservation_id, resource_provider_id, resource_class_id)
    where a.reservation_id = any(${ids}::bigint[])
    order by a.reservation_id, p.name, a.resource_class_id`;
}

/** How many consumers claim from reservations (internal ids); those without any are omitted. */
export function selectClaimingCounts({ sql }: Db, ids: readonly number[]): Promise<{ reservationId: number; count: number }[]> {
  return sql<{ reservationId: number; count: number }[]>`
    select c.reservation_id::float8 as "reservationId", count(*)::float8 as count
    from consumers c where c.reservation_id = any(${ids}::bigint[]) group by c.reservation_id`;
}

/** Whether reservations have ended that are not removed yet. */
export async function hasEndedReservations({ sql }: Db): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select exists (select from reservations where ends_at <= now()) as found`;
  return row?.found ?? false;
}
