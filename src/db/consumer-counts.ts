// How many consumers have allocations on each provider, or on it and its descendants. They are counted over all allocations,
// so that claims need not maintain them.
import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../domain/provider.ts';
import type { Db } from './sql/client.ts';

/** Rows (id, consumers) of the providers that have any. */
export function consumersByProvider(scope: Scope): SQL {
  const pairs = sql`select distinct a.resource_provider_id as id, a.consumer_id from allocations a`;
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
export async function selectConsumerCounts({ orm }: Db, scope: Scope): Promise<ConsumerCounts> {
  const [row] = await orm.execute<{ ids: number[] | null; consumers: number[] | null }>(sql`
    select json_agg(id) as ids, json_agg(consumers) as consumers from (${consumersByProvider(scope)}) counted`);
  return { ids: row?.ids ?? [], consumers: row?.consumers ?? [] };
}
