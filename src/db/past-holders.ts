// The consumers that had allocations on some providers at a past moment.
import { type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import { changesOfTaken, countWithin, type MemberSet, mentionsFor, takenSince, uuids } from './past-events.ts';
import type { Db } from './sql/client.ts';
import { pageOf, textKey } from './sql/keyset.ts';

/** The consumers that had allocations on any of some providers at a moment, by uuid: a page and one more. */
export async function selectHoldersAt(
  { orm }: Db,
  providers: readonly string[],
  moment: string,
  limit: number,
  page: PageRequest,
): Promise<{ readonly eventCount: number | null; readonly rows: readonly Sorted<{ readonly uuid: string }>[] }> {
  const selection = { columns: sql`h.uuid`, from: sql`holder h`, where: [], order: orderOfHolders };
  const [row] = await orm.execute<{ eventCount: number | null; rows: Sorted<{ uuid: string }>[] }>(sql`
    with recursive ${holdersAt(providers, moment, limit)}
    select ${countWithin(moment, limit, mentionsFor(limit))} as "eventCount", (select coalesce(jsonb_agg(found), '[]') from (${pageOf(selection, page)}) found) as rows`);
  return row ?? { eventCount: 0, rows: [] };
}

/** The number of these consumers. */
export async function countHoldersAt(
  { orm }: Db,
  providers: readonly string[],
  moment: string,
  limit: number,
): Promise<{ readonly eventCount: number | null; readonly count: number }> {
  const [row] = await orm.execute<{ eventCount: number | null; count: number }>(sql`
    with recursive ${holdersAt(providers, moment, limit)}
    select ${countWithin(moment, limit, mentionsFor(limit))} as "eventCount", (select count(*)::float8 from holder) as count`);
  return row ?? { eventCount: 0, count: 0 };
}

export const orderOfHolders = [textKey(sql`h.uuid`, false, { unique: true })];

/** Holders now, unless an event since has changed what they hold: then what they held before the first that did. */
function holdersAt(providers: readonly string[], moment: string, limit: number): SQL {
  return sql`${takenSince(setOf(providers), moment, limit)},
    firsts as materialized (
      select distinct on (c.uuid) c.uuid, change #> '{before,allocations}' as held
      from taken t ${changesOfTaken} cross join lateral jsonb_each(e.changes -> 'consumers') c(uuid, change)
      where change #> '{before,allocations}' is not null or change #> '{after,allocations}' is not null
      order by c.uuid, t.id
    ),
    holder as materialized (
      select f.uuid from firsts f where exists (
        select from jsonb_array_elements(f.held) a where (a ->> 'provider')::uuid = any(${uuids(providers)}))
      union
      select c.uuid::text from resource_providers p join allocations a on a.resource_provider_id = p.id join consumers c on c.id = a.consumer_id
      where p.uuid = any(${uuids(providers)}) and not exists (select from firsts f where f.uuid = c.uuid::text)
    )`;
}

const setOf = (providers: readonly string[]): MemberSet => ({
  noun: 'members',
  spans: providers.map((provider) => ({ provider, first: 0, last: 0 })),
});
