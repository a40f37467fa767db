// Which hosts can serve requests for PCI devices that Placement does not know of: Nova's PciPassthroughFilter. Reads only free devices that are asked for.
import type { RootRule } from '../../domain/candidates/request.ts';
import { limits } from '../../domain/limits.ts';
import { listFreeDevices } from '../../operations/providers/devices.ts';
import { mapInTurn } from '../../operations/request/event-loop-share.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { type PciDevice, poolsOf } from './pci-pools.ts';
import { type DeviceRequest, devicePools, timesServed } from './pci-stats.ts';

/** As in Nova's filter, which does not know yet which cells of the host the instance would use. */
const anyCells = { guest: [], sockets: new Map() };

/** The rule that hosts can serve all of these, and for how many of `instances` one after another; none when nothing is asked for. One statement. */
export async function hostsWithDevices(scope: RequestScope, requests: readonly DeviceRequest[], instances: number): Promise<RootRule[]> {
  if (requests.length === 0) return [];
  const kinds = requests.flatMap(({ alternatives }) =>
    alternatives.map(({ vendor_id: vendor, product_id: product }) => ({
      vendorId: vendor?.toLowerCase() ?? null,
      productId: product?.toLowerCase() ?? null,
    })),
  );
  const wanted = requests.reduce((sum, { count }) => sum + count, 0) * instances;
  const byRoot = await listFreeDevices(scope, kinds, Math.min(wanted, limits.pciDevices));
  const served = await mapInTurn([...byRoot], ([root, devices]): [string, number][] => {
    const pools = devicePools(
      poolsOf(
        devices.map((device) => device as typeof device & PciDevice),
        { byCard: true },
      ),
      () => null,
    );
    const times = timesServed(pools, requests, anyCells, instances);
    return times > 0 ? [[root, times]] : [];
  });
  const times = new Map(served.flat());
  return [{ words: 'able to serve the PCI devices', only: new Set(times.keys()), times }];
}
