// Allocations by the names of seeds, for tests that move them. Read from the rows, not from the product's sums.
import type { Db } from '../../src/db/sql/client.ts';
import { type Amounts, uuidOf } from './seed.ts';

type Held = Record<string, Amounts>;

/** The allocations of a consumer by provider and class: `{ cn1: { VCPU: 2 } }`; empty if it does not exist. */
export async function heldBy(db: Db, consumer: string): Promise<Held> {
  const [held = {}] = await heldByEach(db, [consumer]);
  return held;
}

/** The same for several consumers, read at one moment. */
export async function heldByEach({ sql }: Db, consumers: readonly string[]): Promise<Held[]> {
  const rows = await sql<{ consumer: string; provider: string; amounts: Amounts }[]>`
    select c.uuid as consumer, p.name as provider, jsonb_object_agg(rc.name, a.used) as amounts
    from allocations a
    join consumers c on c.id = a.consumer_id
    join resource_providers p on p.id = a.resource_provider_id
    join resource_classes rc on rc.id = a.resource_class_id
    where c.uuid = any(${consumers.map(uuidOf)}::uuid[])
    group by c.uuid, p.name
    order by p.name`;
  return consumers.map((name) =>
    Object.fromEntries(rows.filter(({ consumer }) => consumer === uuidOf(name)).map(({ provider, amounts }) => [provider, amounts])),
  );
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
