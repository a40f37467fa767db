// NUMA cells as instances need them.
import type { CellNetworks } from '../objects/host-cells.ts';

export type CpuPolicy = 'dedicated' | 'shared' | 'mixed';
export type ThreadPolicy = 'prefer' | 'isolate' | 'require';

/** In KiB; small is the smallest size of a cell, large any other. */
export type PageSize = number | 'small' | 'large' | 'any';

/** A cell of a guest: its numbers of processors, its memory, and how they must be placed. */
export interface GuestCell {
  readonly shared: number;
  readonly dedicated: number;
  readonly memoryMb: number;
  readonly pageSize: PageSize | null;
  readonly policy: CpuPolicy | null;
  readonly threads: ThreadPolicy | null;
}

export interface GuestTopology {
  readonly cells: readonly GuestCell[];
  /** Whether the emulator has a dedicated processor of its own, near the first cell. */
  readonly isolatesEmulator: boolean;
  /** The networks to which it is connected. */
  readonly networks: CellNetworks;
}
