// Reads the devices of roots, one by one, as reported. Written only by apply_report. Of a device it knows the kind, the status,
// and that it may be part of another.
import type { KeptDevice } from '../domain/reported-tree.ts';
import type { Db } from './sql/client.ts';

/** A device and the uuid of its root. */
export interface DeviceRow {
  readonly root: string;
  readonly device: KeptDevice;
}

/** The devices of each root, by address. */
export async function selectDevicesOfRoots({ sql }: Db, roots: readonly string[]): Promise<DeviceRow[]> {
  return sql<DeviceRow[]>`
    select p.uuid as root, d.body || jsonb_build_object('address', d.address) as device
    from resource_providers p join devices d on d.resource_provider_id = p.id
    where p.uuid = any(${roots as string[]}::uuid[])
    order by p.id, d.address`;
}

/** The devices of these roots that some instance uses. */
export async function selectHeldDevices({ sql }: Db, roots: readonly string[]): Promise<DeviceRow[]> {
  return sql<DeviceRow[]>`
    select p.uuid as root, d.body || jsonb_build_object('address', d.address) as device
    from resource_providers p join devices d on d.resource_provider_id = p.id
    where p.uuid = any(${roots as string[]}::uuid[]) and d.body ->> 'instance' is not null
    order by p.id, d.address`;
}

/** In lower case; null for any. */
export interface DeviceKind {
  readonly vendorId: string | null;
  readonly productId: string | null;
}

/**
 * The free devices of these kinds on all roots; of the devices of a root that differ in their address only, at most `most`. A part of a taken device
 * is not free, and neither is a device with a taken part.
 */
export async function selectFreeDevices({ sql }: Db, kinds: readonly DeviceKind[], most: number): Promise<DeviceRow[]> {
  const taken = ['claimed', 'allocated'];
  const [vendors, products] = [kinds.map(({ vendorId }) => vendorId), kinds.map(({ productId }) => productId)];
  const kind = sql`unnest(${vendors}::text[], ${products}::text[]) as kind (vendor, product)`;
  // The first is found by an index.
  const isOfKind = kinds.every(({ vendorId, productId }) => vendorId !== null && productId !== null)
    ? sql`(lower(d.body ->> 'vendorId'), lower(d.body ->> 'productId')) in (select kind.vendor, kind.product from ${kind})`
    : sql`exists (select from ${kind}
        where (kind.vendor is null or kind.vendor = lower(d.body ->> 'vendorId'))
          and (kind.product is null or kind.product = lower(d.body ->> 'productId')))`;
  // Few devices have parts, and equal devices are parts of the same one: each whole is looked up only where there can be one, and only once.
  return sql<DeviceRow[]>`
    with alike as materialized (
      select d.resource_provider_id, (array_agg(d.address))[:${most}::int] as addresses
      from devices d
      where d.body ->> 'status' = 'available' and ${isOfKind}
        and not (d.body ->> 'devType' = 'type-PF' and exists (
          select from devices part where part.resource_provider_id = d.resource_provider_id
            and part.body ->> 'parentAddress' = d.address and part.body ->> 'status' = any(${taken}::text[])))
      group by d.resource_provider_id, jsonb_hash_extended(d.body, 0)
    )
    select p.uuid as root, d.body || jsonb_build_object('address', d.address) as device
    from alike
    cross join unnest(alike.addresses) as free (address)
    join devices d on d.resource_provider_id = alike.resource_provider_id and d.address = free.address
    join resource_providers p on p.id = d.resource_provider_id
    where d.body -> 'parentAddress' is null or not exists (
      select from devices whole where whole.resource_provider_id = d.resource_provider_id
        and whole.address = d.body ->> 'parentAddress' and whole.body ->> 'status' = any(${taken}::text[]))
    order by p.id, d.address`;
}
