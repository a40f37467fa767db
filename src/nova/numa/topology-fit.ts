// The cells of a host in which a guest can be placed: each of its cells in a different one, in the order in which Nova tries them. Pure.
import type { HostCell } from '../objects/host-cells.ts';
import { type CellFit, fitCell, type Ratios, takeCell } from './cell-fit.ts';
import { areNear } from './cell-networks.ts';
import type { GuestCell, GuestTopology } from './numa-cells.ts';

/** A cell of the host for each cell of the guest, in the guest's order, and what is taken from it. */
export type TopologyFit = readonly { readonly cell: HostCell; readonly guest: GuestCell; readonly fit: CellFit }[];

/** The number of ways that are tried, enough for all pairs of 32 cells. */
const maxWays = 1024;

/** The ways to place a guest; those in the emptiest cells come first. */
export function* waysToFit(
  host: readonly HostCell[],
  { cells, isolatesEmulator, networks }: GuestTopology,
  ratios: Ratios | null,
): Generator<TopologyFit> {
  if (cells.length > host.length) return;
  const ordered = inOrder(host, cells);
  // Computed once for equal cells: the cells of a guest are nearly always equal.
  const known = new Map<string, TopologyFit>();
  const fits = cells.map((guest, place) => {
    const emulators = isolatesEmulator && place === 0 ? 1 : 0;
    const key = JSON.stringify([guest, emulators]);
    const own =
      known.get(key) ??
      ordered.flatMap((cell) => {
        const fit = fitCell(cell, guest, ratios, emulators);
        return fit ? [{ cell, guest, fit }] : [];
      });
    known.set(key, own);
    return own;
  });
  let tried = 0;
  const place = function* (at: number, taken: TopologyFit): Generator<TopologyFit> {
    const chosen = taken.map(({ cell }) => cell);
    if (at === fits.length && areNear(host, chosen, networks)) yield taken;
    for (const each of fits[at] ?? []) {
      if (++tried > maxWays) return;
      if (!chosen.includes(each.cell)) yield* place(at + 1, [...taken, each]);
    }
  };
  yield* place(0, []);
}

/** The cells of a host after a guest was placed in this way. */
export function takeWay(host: readonly HostCell[], way: TopologyFit): readonly HostCell[] {
  return host.map((cell) => {
    const taken = way.find((each) => each.cell === cell);
    return taken ? takeCell(cell, taken.guest, taken.fit) : cell;
  });
}

/** The host's own order if the guest needs all cells; otherwise those with most free processors first, then those with most free memory. */
function inOrder(host: readonly HostCell[], [first, ...others]: readonly GuestCell[]): readonly HostCell[] {
  if (host.length === others.length + 1) return host;
  const isShared = first?.policy === null || first?.policy === 'shared';
  const usedOf = (cell: HostCell) => (isShared ? cell.sharedUsed : cell.pinned.size - cell.dedicated.size);
  const freeMemory = ({ memoryMb, memoryUsedMb }: HostCell) => memoryMb - memoryUsedMb;
  return host.toSorted((a, b) => usedOf(a) - usedOf(b) || freeMemory(b) - freeMemory(a));
}
