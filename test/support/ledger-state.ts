// Reads the tables in the form of the model's state (ledger-model.ts): providers and consumers by name, amounts of VCPU.
import type { Db } from '../../src/db/sql/client.ts';
import { uuidOf } from './seed.ts';

/**
 * Providers whose names begin with the prefix `run`, without the prefix, and their consumers, by the names from which their uuids
 * are derived together with `run`.
 */
export async function readLedgerState({ sql }: Db, run: string, consumers: readonly string[]): Promise<object> {
  const providers = await sql<{ name: string; state: object }[]>`
    select substr(p.name, ${run.length + 1}) as name, jsonb_build_object('generation', p.generation,
      'parent', substr(parent.name, ${run.length + 1}), 'used', i.used, 'capacity', i.capacity) as state
    from resource_providers p left join resource_providers parent on parent.id = p.parent_provider_id
    left join inventories i on i.resource_provider_id = p.id where starts_with(p.name, ${run})`;
  const held = await sql<{ uuid: string; state: object }[]>`
    select c.uuid, jsonb_build_object('generation', c.generation, 'held', jsonb_object_agg(substr(p.name, ${run.length + 1}), a.used)) as state
    from consumers c join allocations a on a.consumer_id = c.id join resource_providers p on p.id = a.resource_provider_id
    where starts_with(p.name, ${run}) group by c.id`;
  const names = new Map(consumers.map((name) => [uuidOf(run + name), name]));
  return {
    providers: Object.fromEntries(providers.map(({ name, state }) => [name, state])),
    consumers: Object.fromEntries(held.map(({ uuid, state }) => [names.get(uuid), state])),
  };
}
