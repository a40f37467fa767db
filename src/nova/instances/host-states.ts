// The numbers by which Nova's scheduler weighs hosts, read from their trees in memory. Free amounts are total minus reserved and used, as in Nova's records of
// compute nodes; only processors count with overcommit.
import type { Forest, ForestProvider, ProviderState, Tree } from '../../domain/candidates/forest.ts';
import type { Inventory } from '../../domain/provider.ts';
import type { HostState } from './weighers.ts';

const pciClasses = ['PCI_DEVICE', 'SRIOV_NET_VF'];
const managedPciTrait = 'COMPUTE_MANAGED_PCI_DEVICE';
const mibPerGib = 1024;

interface Known {
  readonly states: readonly ProviderState[];
  readonly host: HostState;
  readonly hasDisk: boolean;
}

/** A cache: the numbers of a host are kept until its providers change, because hosts hardly change between two searches. */
const known = new WeakMap<Tree, Known>();

/** Reads hosts of a forest. The free disk of pools is read once, at this call. */
export function hostStatesIn(forest: Forest): (tree: Tree) => HostState {
  const diskOfPools = freeDiskOfPools(forest);
  const managedId = forest.traits.idOf(managedPciTrait) ?? -1;
  return (tree) => {
    const last = known.get(tree);
    const { host, hasDisk } = last && isCurrent(last, tree) ? last : remember(tree, managedId);
    if (hasDisk || diskOfPools.size === 0) return host;
    const freeDiskMb = Math.max(0, ...tree.aggregates.ids.map((id) => diskOfPools.get(id) ?? 0));
    return { ...host, freeDiskMb };
  };
}

function remember(tree: Tree, managedId: number): Known {
  const entry = readHost(tree, managedId);
  known.set(tree, entry);
  return entry;
}

function isCurrent({ states }: Known, { members }: Tree): boolean {
  if (states.length !== members.length) return false;
  for (let place = 0; place < states.length; place++) if (states[place] !== members[place]?.state) return false;
  return true;
}

function readHost({ root, members }: Tree, managedId: number): Known {
  let [freeRamMb, vcpus, vcpusTaken, freeDiskMb, freePciDevices, ratio, hasDisk] = [0, 0, 0, 0, 0, 1, false];
  for (const { state, traits } of members) {
    const isManaged = traits.has(managedId);
    for (const inventory of state.inventories) {
      const { className, total, reserved, used, allocationRatio } = inventory;
      if (className === 'MEMORY_MB') freeRamMb += freeOf(inventory);
      else if (className === 'VCPU' || className === 'PCPU') {
        vcpus += total;
        vcpusTaken += reserved + used;
        if (className === 'VCPU') ratio = allocationRatio;
      } else if (className === 'DISK_GB') {
        freeDiskMb += freeOf(inventory) * mibPerGib;
        hasDisk = true;
      } else if (isManaged || pciClasses.includes(className)) freePciDevices += Math.max(0, freeOf(inventory));
    }
  }
  const { uuid } = root.state.provider;
  return {
    states: members.map(({ state }) => state),
    host: { uuid, freeRamMb, freeVcpus: vcpus * ratio - vcpusTaken, freeDiskMb, freePciDevices },
    hasDisk,
  };
}

const freeOf = ({ total, reserved, used }: Inventory) => total - reserved - used;

/** By the id of an aggregate, the free disk of the largest pool that serves the hosts in it, in MiB. */
function freeDiskOfPools(forest: Forest): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const pool of forest.sharing) {
    const disk = diskOf(pool);
    if (!disk) continue;
    for (const id of pool.aggregates.ids) found.set(id, Math.max(found.get(id) ?? 0, freeOf(disk) * mibPerGib));
  }
  return found;
}

function diskOf({ state }: ForestProvider): Inventory | undefined {
  return state.inventories.find(({ className }) => className === 'DISK_GB');
}
