// The devices of many roots: free ones of some kinds, and those in use.
import { type DeviceKind, type DeviceRow, selectFreeDevices, selectHeldDevices } from '../../db/devices.ts';
import type { KeptDevice } from '../../domain/reported-tree.ts';
import type { RequestScope } from '../scope/scope.ts';

/** The devices of these roots (uuids) that instances use. One statement. */
export async function listHeldDevices({ db }: RequestScope, roots: readonly string[]): Promise<readonly DeviceRow[]> {
  return selectHeldDevices(db, roots);
}

/** Free devices of these kinds, by the uuid of their root: at most `most` that are equal. One statement. */
export async function listFreeDevices(
  { db }: RequestScope,
  kinds: readonly DeviceKind[],
  most: number,
): Promise<ReadonlyMap<string, readonly KeptDevice[]>> {
  const byRoot = new Map<string, KeptDevice[]>();
  for (const { root, device } of await selectFreeDevices(db, kinds, most)) {
    const known = byRoot.get(root);
    if (known) known.push(device);
    else byRoot.set(root, [device]);
  }
  return byRoot;
}
