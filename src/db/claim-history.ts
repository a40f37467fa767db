// How many consumers were claimed, changed and released over time, counted from the events of these kinds; and how many claims were refused, as gateways
// have counted them.
import { sql } from 'drizzle-orm';
import { type EventKind, kindsOfClaims } from '../domain/event.ts';
import { halving } from './events.ts';
import { changesOfTaken, countWithin, momentOf, sinceHalving } from './past-events.ts';
import type { Db } from './sql/client.ts';

const kinds: readonly EventKind[] = [
  ...kindsOfClaims.filter((kind) => kind !== 'SET_EXPIRY'),
  'RESHAPE',
  'APPLY_PROVIDER_TREE',
  'DELETE_RESOURCE_PROVIDER',
];

export interface ClaimCounts {
  /** The number of the step, from 0. */
  readonly step: number;
  readonly claimed: number;
  readonly changed: number;
  readonly released: number;
}

export interface RefusedCount {
  readonly step: number;
  readonly code: string;
  readonly count: number;
}

interface CountedSteps {
  readonly eventCount: number | null;
  readonly counts: readonly ClaimCounts[];
  readonly refused: readonly RefusedCount[];
}

/** The counts of the steps that have any; if `eventCount` exceeds `limit` or is null, they are meaningless. `starts`: of the steps, and the end of the last. */
export async function selectClaimCounts({ orm }: Db, starts: readonly string[], limit: number): Promise<CountedSteps> {
  const [first, end] = [starts[0] ?? '', starts.at(-1) ?? ''];
  const [row] = await orm.execute<CountedSteps & Record<string, unknown>>(sql`
    with recursive ${sinceHalving(first)}, ${halving(sql`until_halving`, sql`${end}::timestamptz + interval '1 minute'`)},
    bound as materialized (select (select max(low) from since_halving) as low, (select min(high) from until_halving) as high),
    mentioned as materialized (
      select found.id, found.at from bound cross join unnest(${sql.param(kinds)}::text[]) wanted(kind) cross join lateral (
        select named.id, told.at from (
          select e.id from events e where e.kind = wanted.kind and e.id between bound.low and bound.high order by e.id limit ${limit + 1}
        ) named cross join lateral ${momentOf(sql`named.id`, sql`told`)}
      ) found where found.at < ${end}::timestamptz limit ${limit + 1}
    ),
    taken as materialized (select m.id, m.at from mentioned m where m.at >= ${first}::timestamptz),
    asked as materialized (select ${sql.param(starts)}::text[]::timestamptz[] as starts),
    changed as (
      select width_bucket(t.at, asked.starts) - 1 as step, jsonb_path_query(e.changes, '$.consumers.*') as change
      from taken t cross join asked ${changesOfTaken} where (select count(*) from mentioned) <= ${limit}
    ),
    sides as (select step, change -> 'before' = 'null' as is_new, change -> 'after' = 'null' as is_gone from changed),
    counted as (
      select step, count(*) filter (where is_new) as claimed, count(*) filter (where not is_new and not is_gone) as changed,
        count(*) filter (where is_gone) as released
      from sides group by step
    ),
    refused as (
      select width_bucket(r.at, asked.starts) - 1 as step, r.code, sum(r.count)::float8 as count from refused_claims r cross join asked
      where r.at >= ${first}::timestamptz and r.at < ${end}::timestamptz group by 1, 2
    )
    select ${countWithin(first, limit, limit)} as "eventCount", (select coalesce(jsonb_agg(counted order by step), '[]') from counted) as counts,
      (select coalesce(jsonb_agg(refused), '[]') from refused) as refused`);
  return row ?? { eventCount: 0, counts: [], refused: [] };
}

/** Adds numbers of refused claims, by code, to those of this minute. */
export async function addRefusedClaims({ writes }: Db, counts: Readonly<Record<string, number>>): Promise<void> {
  await writes`select count_refused_claims(${writes.json(counts)})`;
}
