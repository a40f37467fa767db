// Allocations by the names of seeds, for tests that move them. Read from the rows, not from the product's sums.
import type { Db } from '../../src/db/sql/client.ts';
import { type Amounts, uuidOf } from './seed.ts';

/** The allocations of a consumer by provider and class: `{ cn1: { VCPU: 2 } }`; empty if it does not exist. */
export async function heldBy({ sql }: Db, consumer: string): Promise<Record<string, Amounts>> {
  const rows = await sql<{ provider: string; amounts: Amounts }[]>`
    select p.name as provider, jsonb_object_agg(rc.name, a.used) as amounts
    from allocations a
    join consumers c on c.id = a.consumer_id
    join resource_providers p on p.id = a.resource_provider_id
    join resource_classes rc on rc.id = a.resource_class_id
    where c.uuid = ${uuidOf(consumer)}
    group by p.name
    order by p.name`;
  return Object.fromEntries(rows.map(({ provider, amounts }) => [provider, amounts]));
}

/** The allocated amounts of one class by provider, without providers that have none. */
export async function heldOf({ sql }: Db, resourceClass: string): Promise<Record<string, number>> {
  const rows = await sql<{ provider: string; held: number }[]>`
    select p.name as provider, sum(a.used)::int as held
    from allocations a
    join resource_providers p on p.id = a.resource_provider_id
    join resource_classes rc on rc.id = a.resource_class_id
    where rc.name = ${resourceClass}
    group by p.name
    order by p.name`;
  return Object.fromEntries(rows.map(({ provider, held }) => [provider, held]));
}
