// How many consumers have allocations on each provider, or on it and its descendants. They are counted over all allocations,
// so that claims need not maintain them.
import { type SQL, sql } from 'drizzle-orm';
import type { CountedConsumers } from '../domain/provider.ts';
import type { Db } from './sql/client.ts';

/** Restricts allocations `a` to those of consumers of a type. */
const ofType = (type: string | null): SQL =>
  type === null
    ? sql``
    : sql`join consumers c on c.id = a.consumer_id and c.consumer_type_id = (select t.id from consumer_types t where t.name = ${type}::text)`;

/** Rows (id, consumers) of the providers that have any. */
export function consumersByProvider({ scope, consumerType }: CountedConsumers): SQL {
  const pairs = sql`select distinct a.resource_provider_id as id, a.consumer_id from allocations a ${ofType(consumerType)}`;
  if (scope === 'PROVIDER') return sql`select id, count(*)::bigint as consumers from (${pairs}) pair group by id`;
  return sql`
    with recursive line (id, above) as (
      select p.id, p.id from resource_providers p
      union all
      select line.id, p.parent_provider_id from line join resource_providers p on p.id = line.above where p.parent_provider_id is not null
    )
    select id, count(*)::bigint as consumers from (
      select distinct line.above as id, pair.consumer_id from (${pairs}) pair join line on line.id = pair.id) pair group by id`;
}

export interface ConsumerCounts {
  readonly ids: readonly number[];
  /** In the order of the ids. */
  readonly consumers: readonly number[];
}

/** The counts of all providers with consumers. */
export async function selectConsumerCounts({ orm }: Db, counted: CountedConsumers): Promise<ConsumerCounts> {
  const [row] = await orm.execute<{ ids: number[] | null; consumers: number[] | null }>(sql`
    select json_agg(id) as ids, json_agg(consumers) as consumers from (${consumersByProvider(counted)}) counted`);
  return { ids: row?.ids ?? [], consumers: row?.consumers ?? [] };
}

/** The counts of some providers; those without consumers are missing. Looks up the allocations of each (offset 0), instead of reading all of them. */
export async function selectConsumerCountsOf(
  { orm }: Db,
  { scope, consumerType }: CountedConsumers,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly consumers: number }[]> {
  const below = sql`union all select line.top, p.id from line join resource_providers p on p.parent_provider_id = line.id`;
  return orm.execute<{ id: number; consumers: number }>(sql`
    with recursive line (top, id) as (
      select top, top from unnest(${sql.param(ids)}::bigint[]) as top ${scope === 'TREE' ? below : sql``}
    )
    select line.top::float8 as id, count(distinct held.consumer_id)::float8 as consumers from line cross join lateral (
      select a.consumer_id from allocations a ${ofType(consumerType)} where a.resource_provider_id = line.id offset 0
    ) held group by line.top`);
}
