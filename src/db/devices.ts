// Reads the devices of roots, one by one, as reported. Written only by apply_report; of what a device is, this knows its kind,
// its status, and that it may be part of another.
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

/** In lower case; null for any. */
export interface DeviceKind {
  readonly vendorId: string | null;
  readonly productId: string | null;
}

/**
 * The free devices of these kinds on all roots; of devices of a root that differ in their address only, the first `most`. Whatever is part of a device
 * that is taken is not free, and neither is a device of which a part is taken.
 */
export async function selectFreeDevices({ sql }: Db, kinds: readonly DeviceKind[], most: number): Promise<DeviceRow[]> {
  const taken = ['claimed', 'allocated'];
  const [vendors, products] = [kinds.map(({ vendorId }) => vendorId), kinds.map(({ productId }) => productId)];
  return sql<DeviceRow[]>`
    select p.uuid as root, free.body || jsonb_build_object('address', free.address) as device
    from (
      select d.*, row_number() over (partition by d.resource_provider_id, d.body order by d.address) as place
      from devices d
      where d.body ->> 'status' = 'available'
        and exists (
          select from unnest(${vendors}::text[], ${products}::text[]) as kind (vendor, product)
          where (kind.vendor is null or kind.vendor = lower(d.body ->> 'vendorId'))
            and (kind.product is null or kind.product = lower(d.body ->> 'productId')))
        and not exists (
          select from devices whole where whole.resource_provider_id = d.resource_provider_id
            and whole.address = d.body ->> 'parentAddress' and whole.body ->> 'status' = any(${taken}::text[]))
        and not exists (
          select from devices part where part.resource_provider_id = d.resource_provider_id
            and part.body ->> 'parentAddress' = d.address and part.body ->> 'status' = any(${taken}::text[]))
    ) free
    join resource_providers p on p.id = free.resource_provider_id
    where free.place <= ${most}
    order by p.id, free.address`;
}
