// Reads the devices of roots, one by one, as reported. Written only by apply_report; nothing here knows what a device is.
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
