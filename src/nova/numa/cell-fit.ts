// Whether a cell of a guest fits in a cell of a host beside its current usage: its memory in pages of one size, and its processors, pinned to dedicated ones
// as its policy for threads demands. The rules are those of Nova's hosts. Pure.
import type { HostCell, HostPages } from '../objects/host-cells.ts';
import type { GuestCell } from './numa-cells.ts';

/** The overcommit ratios of a host's shared processors and memory. */
export interface Ratios {
  readonly cpu: number;
  readonly ram: number;
}

/** What a cell of a guest would take from a cell of a host. */
export interface CellFit {
  /** Dedicated processors, including those of the emulator. */
  readonly pinned: readonly number[];
  /** The page size in KiB; null if the host does not count pages. */
  readonly pageKb: number | null;
}

const kibPerMib = 1024;

/** `ratios`: null if overcommit is not limited. `emulators`: the number of dedicated processors for the emulator. */
export function fitCell(host: HostCell, guest: GuestCell, ratios: Ratios | null, emulators: number): CellFit | null {
  const pageKb = pageFor(host, guest);
  if (pageKb === undefined) return null;
  const isPinned = guest.policy === 'dedicated' || guest.policy === 'mixed';
  const isShared = guest.policy !== 'dedicated';
  if (isPinned && guest.dedicated + emulators > host.dedicated.size) return null;
  if (isShared && guest.shared > host.shared.size) return null;
  const pinned = isPinned ? pin(host, guest, emulators) : [];
  if (!pinned) return null;
  if (isShared && ratios) {
    if (host.sharedUsed + guest.shared > host.shared.size * ratios.cpu) return null;
    if (host.memoryUsedMb + guest.memoryMb > host.memoryMb * ratios.ram) return null;
  }
  return { pinned, pageKb };
}

/** The cell of the host after the guest's cell was placed. */
export function takeCell(host: HostCell, guest: GuestCell, { pinned, pageKb }: CellFit): HostCell {
  const alone = guest.threads === 'isolate' ? host.cores.filter((core) => core.some((thread) => pinned.includes(thread))).flat() : pinned;
  return {
    ...host,
    pinned: new Set([...host.pinned, ...alone]),
    sharedUsed: host.sharedUsed + guest.shared,
    memoryUsedMb: host.memoryUsedMb + guest.memoryMb,
    pages: host.pages.map((pages) =>
      pages.sizeKb === pageKb ? { ...pages, used: pages.used + (guest.memoryMb * kibPerMib) / pages.sizeKb } : pages,
    ),
  };
}

/** The page size for the guest's memory; null if the host does not count pages, undefined if there is no room. */
function pageFor(host: HostCell, guest: GuestCell): number | null | undefined {
  const isPinned = guest.policy === 'dedicated' || guest.policy === 'mixed';
  const pages = host.pages.toSorted((a, b) => b.sizeKb - a.sizeKb);
  if (guest.pageSize !== null) return pagesOf(pages, guest.pageSize).find((each) => hasRoom(each, guest, true))?.sizeKb;
  const smallest = pages.at(-1);
  // Memory may be overcommitted only without an explicit page size and without pinned processors, and a single guest must fit in the total.
  if (smallest) return hasRoom(smallest, guest, isPinned) ? smallest.sizeKb : undefined;
  return guest.memoryMb <= host.memoryMb - (isPinned ? host.memoryUsedMb : 0) ? null : undefined;
}

/** The pages that may serve, largest first. */
function pagesOf(pages: readonly HostPages[], size: NonNullable<GuestCell['pageSize']>): readonly HostPages[] {
  if (size === 'small') return pages.slice(-1);
  if (size === 'large') return pages.slice(0, -1);
  return size === 'any' ? pages : pages.filter(({ sizeKb }) => sizeKb === size);
}

function hasRoom({ sizeKb, total, used, reserved }: HostPages, { memoryMb }: GuestCell, isFree: boolean): boolean {
  const memoryKb = memoryMb * kibPerMib;
  return memoryKb % sizeKb === 0 && memoryKb <= (isFree ? total - used - reserved : total) * sizeKb;
}

type Cores = readonly (readonly number[])[];

/** Processors for the guest, then for its emulator; null if its policy cannot be met. */
function pin(host: HostCell, guest: GuestCell, emulators: number): readonly number[] | null {
  // As in Nova, a cell of a mixed guest without dedicated processors fits nowhere.
  if (guest.dedicated === 0) return null;
  const free = host.cores.map((core) => core.filter((thread) => host.dedicated.has(thread) && !host.pinned.has(thread)));
  if (guest.dedicated + emulators > [...host.dedicated].filter((each) => !host.pinned.has(each)).length) return null;
  const threadsOfCore = Math.max(1, ...host.cores.map(({ length }) => length));
  const withThreads = (threads: number) => free.filter(({ length }) => length >= threads);
  if (guest.threads === 'isolate') {
    // As in Nova, a host with sibling threads can isolate them only if it does not distinguish dedicated from shared processors.
    if (threadsOfCore > 1 && !isSame(host.dedicated, host.shared)) return null;
    const own = pinTo(withThreads(threadsOfCore), 1, guest.dedicated);
    return own && withEmulators(withThreads(1), own, emulators, true);
  }
  // Cores with most free threads first, so that threads of a guest are siblings while its cores are used evenly.
  for (let threads = Math.max(0, ...free.map(({ length }) => length)); threads > (guest.threads === 'require' ? 1 : 0); threads--) {
    const own = pinTo(withThreads(threads), threads, guest.dedicated);
    const all = own && withEmulators(withThreads(1), own, emulators, false);
    if (all) return all;
  }
  if (guest.threads === 'require') return null;
  const alone = free.flat().map((thread) => [thread]);
  const own = pinTo(alone, 1, guest.dedicated);
  return own && withEmulators(alone, own, emulators, false);
}

function pinTo(cores: Cores, threads: number, count: number): readonly number[] | null {
  return threads * cores.length < count ? null : cores.flatMap((core) => core.slice(0, threads)).slice(0, count);
}

/** Adds processors for emulators, which need pinned processors in the same cell. `isAlone`: not on the cores of these. */
function withEmulators(cores: Cores, own: readonly number[], emulators: number, isAlone: boolean): readonly number[] | null {
  if (emulators === 0) return own;
  const isFree = (core: readonly number[], thread: number) => !(isAlone ? core.some((each) => own.includes(each)) : own.includes(thread));
  const left = cores.flatMap((core) => core.filter((thread) => isFree(core, thread))).slice(0, emulators);
  return left.length > 0 ? [...own, ...left] : null;
}

function isSame(some: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  return some.size === others.size && [...some].every((each) => others.has(each));
}
