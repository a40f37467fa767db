// The devices of all roots, of the kinds that are asked for.
import { type DeviceKind, selectFreeDevices } from '../../db/devices.ts';
import type { KeptDevice } from '../../domain/reported-tree.ts';
import type { RequestScope } from '../request/scope.ts';

/** By the uuid of their root, free devices of these kinds: of equal ones at most `most`. One statement. */
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
