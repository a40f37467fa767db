// NUMA cells as providers: their names, and their inventories. What guests use of a cell is reserved, as far as the host reports it: the host alone decides
// which cells a guest gets, so no allocation says it. Pure.
import { type HostCell, readHostCells } from '../objects/host-cells.ts';
import type { GivenInventories, GivenInventory } from '../trees/provider-tree.ts';
import type { NumaCell } from './compute-node-report.ts';
import { fullInventory, type Used } from './device-inventories.ts';

/** The end of the name of a cell. */
export function suffixOfCell(id: number): string {
  return `_numa_${id}`;
}

/** The number of a cell, from the name of its provider; null if it is none. */
export function numberOfCell(name: string): number | null {
  const number = /_numa_(\d+)$/.exec(name)?.[1];
  return number === undefined ? null : Number(number);
}

/** What the guests of a cell use, by class. */
type CellUsage = (inventories: GivenInventories) => Readonly<Record<string, number>>;

export const noUsage: CellUsage = () => ({ NUMA_CORE: 0, NUMA_THREAD: 0, NUMA_MEMORY_MB: 0 });

/** What guests use of each cell, by number, as the host last reported it; null if it has never reported any. */
export type UsageOfCells = ReadonlyMap<number, CellUsage> | null;

/** `topology`: the numa_topology of the node's object; `before`: that of its last report. */
export function usageIn(topology: unknown, before: unknown): UsageOfCells {
  const cells = typeof topology === 'string' ? readHostCells(topology) : null;
  if (!cells) return before ? new Map() : null;
  return new Map(cells.map((cell) => [cell.id, (inventories) => usageOf(cell, inventories)]));
}

/** Processors of guests are hardware threads. Their cores are as many as so many threads fill. */
function usageOf({ pinned, sharedUsed, memoryUsedMb }: HostCell, { NUMA_CORE, NUMA_THREAD }: GivenInventories): Record<string, number> {
  const threads = pinned.size + Math.ceil(sharedUsed);
  const perCore = NUMA_CORE && NUMA_THREAD ? NUMA_THREAD.total / NUMA_CORE.total : 1;
  return { NUMA_CORE: Math.ceil(threads / perCore), NUMA_THREAD: threads, NUMA_MEMORY_MB: Math.ceil(memoryUsedMb) };
}

export function inventoriesOfCell({ cores, threads, memoryMb }: NumaCell): GivenInventories {
  const amounts = Object.entries({ NUMA_CORE: cores, NUMA_THREAD: threads, NUMA_MEMORY_MB: memoryMb }).filter(([, total]) => total > 0);
  return Object.fromEntries(amounts.map(([name, total]) => [name, fullInventory(total)]));
}

/** The inventories of a cell with what its guests use reserved; what consumers hold of it is not counted twice. */
export function withUsage(inventories: GivenInventories, usage: CellUsage | undefined, held: Used): GivenInventories {
  const inUse = usage?.(inventories) ?? {};
  return Object.fromEntries(
    Object.entries(inventories).map(([name, inventory]): [string, GivenInventory] => {
      const reserved = Math.max(0, (inUse[name] ?? 0) - (held[name] ?? 0));
      return [name, name in inUse ? { ...inventory, reserved: Math.min(reserved, inventory.total) } : inventory];
    }),
  );
}
