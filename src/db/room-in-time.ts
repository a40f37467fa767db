// Reads where room depends on time: what reservations keep, and what consumers hold that expire. The rule is in writes/steps/loads_in_time.sql.
import type { Period } from '../domain/reservation.ts';
import type { Db } from './sql/client.ts';

/** What an inventory holds at most at a moment of a period. */
export interface PeakLoad {
  readonly providerId: number;
  readonly classId: number;
  readonly load: number;
}

/**
 * The peaks of all inventories where they may differ from what is used now. `without`: as if this reservation (uuid) were not there. Where no reservation runs in the
 * period, the load is greatest at its beginning, and only what expires before that is gone by then. So what lasts is not read there: it may be the whole cloud.
 */
export function selectPeakLoads({ sql }: Db, { from, until }: Period, without: string | null): Promise<PeakLoad[]> {
  return sql<PeakLoad[]>`
    with inventory as materialized (
      select distinct a.resource_provider_id as provider, a.resource_class_id as class
      from reservations r join reservation_amounts a on a.reservation_id = r.id
      where r.starts_at < greatest(${until}::timestamptz, now() + interval '1 microsecond') and r.ends_at > ${from}::timestamptz or r.uuid = ${without}::uuid
    ), point as (
      select provider, class, ${from}::timestamptz as moment from inventory
      union
      select a.resource_provider_id, a.resource_class_id, r.starts_at from reservation_amounts a join reservations r on r.id = a.reservation_id
      where r.starts_at > ${from}::timestamptz and r.starts_at < ${until}::timestamptz
    ), points as (
      select array_agg(provider) as providers, array_agg(class) as classes, array_agg(moment) as moments from point
    ), expired as (
      select a.resource_provider_id as provider, a.resource_class_id as class, sum(a.used) as used
      from consumers c join allocations a on a.consumer_id = c.id
      where c.expires_at <= ${from}::timestamptz and ${from}::timestamptz > now()
      group by 1, 2
    )
    select p.providers[l.place]::float8 as "providerId", p.classes[l.place] as "classId", max(l.load)::float8 as load
    from points p cross join lateral loads_in_time(
      p.providers, p.classes, p.moments, (select r.id from reservations r where r.uuid = ${without}::uuid)) l
    group by 1, 2
    union all
    select i.resource_provider_id::float8, i.resource_class_id, (i.used - e.used)::float8
    from expired e join inventories i on i.resource_provider_id = e.provider and i.resource_class_id = e.class
    where (e.provider, e.class) not in (select provider, class from inventory)`;
}

/** What is left to claim of what a reservation (uuid) keeps. */
export function selectUnclaimed({ sql }: Db, reservation: string): Promise<{ providerId: number; classId: number; left: number }[]> {
  return sql<{ providerId: number; classId: number; left: number }[]>`
    select a.resource_provider_id::float8 as "providerId", a.resource_class_id as "classId", (a.amount - coalesce((
      select sum(held.used) from consumers c join allocations held on held.consumer_id = c.id
        and held.resource_provider_id = a.resource_provider_id and held.resource_class_id = a.resource_class_id
      where c.reservation_id = r.id), 0))::float8 as left
    from reservations r join reservation_amounts a on a.reservation_id = r.id where r.uuid = ${reservation}::uuid`;
}

/** The time of the database in milliseconds, if there are reservations; null if not. */
export async function selectTimeOfReservations({ sql }: Db): Promise<number | null> {
  const [row] = await sql<{ time: number }[]>`
    select date_part('epoch', now()) * 1000 as time where exists (select from reservations)`;
  return row?.time ?? null;
}
