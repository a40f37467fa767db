// Reads where room depends on time: what reservations keep, and what consumers hold that expire. The rule is in writes/steps/loads_in_time.sql.
import type { Period } from '../domain/reservation.ts';
import type { Db } from './sql/client.ts';

/** What an inventory holds at most at a moment of a period. */
export interface PeakLoad {
  readonly providerId: number;
  readonly classId: number;
  readonly load: number;
}

/** The peaks of all inventories whose load changes with time; `without`: as if this reservation (uuid) were not there. */
export function selectPeakLoads({ sql }: Db, { from, until }: Period, without: string | null): Promise<PeakLoad[]> {
  return sql<PeakLoad[]>`
    with inventory as (
      select a.resource_provider_id as provider, a.resource_class_id as class from reservation_amounts a
      union
      select a.resource_provider_id, a.resource_class_id from consumers c join allocations a on a.consumer_id = c.id where c.expires_at is not null
    ), point as (
      select provider, class, ${from}::timestamptz as moment from inventory
      union
      select a.resource_provider_id, a.resource_class_id, r.starts_at from reservation_amounts a join reservations r on r.id = a.reservation_id
      where r.starts_at > ${from}::timestamptz and r.starts_at < ${until}::timestamptz
    ), points as (
      select array_agg(provider) as providers, array_agg(class) as classes, array_agg(moment) as moments from point
    )
    select p.providers[l.place]::float8 as "providerId", p.classes[l.place] as "classId", max(l.load)::float8 as load
    from points p cross join lateral loads_in_time(
      p.providers, p.classes, p.moments, (select r.id from reservations r where r.uuid = ${without}::uuid)) l
    group by 1, 2`;
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
