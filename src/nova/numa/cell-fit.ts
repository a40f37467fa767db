// Whether a cell of a guest fits into a cell of a host, beside what is used there: its memory in pages of a size, and its processors, which are pinned to
// dedicated ones in the way that its policy of threads demands. The rules are those of Nova's hosts. Pure.
import type { GuestCell, HostCell, HostPages } from './numa-cells.ts';

/** How far shared processors and memory of a host may be promised beyond what there is. */
export interface Ratios {
  readonly cpu: number;
  readonly ram: number;
}

/** What a cell of a guest would take. */
export interface CellFit {
  /** Dedicated processors, those of the emulator too. */
  readonly pinned: readonly number[];
  /** In KiB; null when the host counts no pages. */
  readonly pageKb: number | null;
}

const kibPerMib = 1024;

/** `ratios`: null when nothing limits what may be promised. `emulators`: dedicated processors for the emulator. */
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

/** What is left of a cell of a host. */
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

/** The size of pages for its memory; null when the host counts none, undefined when there is no room. */
function pageFor(host: HostCell, guest: GuestCell): number | null | undefined {
  const isPinned = guest.policy === 'dedicated' || guest.policy === 'mixed';
  const pages = host.pages.toSorted((a, b) => b.sizeKb - a.sizeKb);
  if (guest.pageSize !== null) return pagesOf(pages, guest.pageSize).find((each) => hasRoom(each, guest, true))?.sizeKb;
  const smallest = pages.at(-1);
  // Only memory in pages that are not asked for may be promised twice, and not to one guest, nor beside pinned processors.
  if (smallest) return hasRoom(smallest, guest, isPinned) ? smallest.sizeKb : undefined;
  return guest.memoryMb <= host.memoryMb - (isPinned ? host.memoryUsedMb : 0) ? null : undefined;
}

/** Those that may serve, largest first. */
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

/** Processors for the guest and then for its emulator; null when its policy cannot be met. */
function pin(host: HostCell, guest: GuestCell, emulators: number): readonly number[] | null {
  const free = host.cores.map((core) => core.filter((thread) => host.dedicated.has(thread) && !host.pinned.has(thread)));
  if (guest.dedicated + emulators > [...host.dedicated].filter((each) => !host.pinned.has(each)).length) return null;
  const threadsOfCore = Math.max(1, ...host.cores.map(({ length }) => length));
  const withThreads = (threads: number) => free.filter(({ length }) => length >= threads);
  if (guest.threads === 'isolate') {
    // Threads that must stay idle can be known only where shared processors do not run on them.
    if (threadsOfCore > 1 && !isSame(host.dedicated, host.shared)) return null;
    const own = pinTo(withThreads(threadsOfCore), 1, guest.dedicated);
    return own?.length ? withEmulators(withThreads(1), own, emulators, true) : null;
  }
  // Cores with most free threads first, so that threads of a guest are siblings while its cores are used evenly.
  for (let threads = Math.max(0, ...free.map(({ length }) => length)); threads > (guest.threads === 'require' ? 1 : 0); threads--) {
    const own = pinTo(withThreads(threads), threads, guest.dedicated);
    const all = own && withEmulators(withThreads(1), own, emulators, false);
    if (all?.length) return all;
  }
  if (guest.threads === 'require') return null;
  const alone = free.flat().map((thread) => [thread]);
  const own = pinTo(alone, 1, guest.dedicated);
  return own && withEmulators(alone, own, emulators, false);
}

function pinTo(cores: Cores, threads: number, count: number): readonly number[] | null {
  return threads * cores.length < count ? null : cores.flatMap((core) => core.slice(0, threads)).slice(0, count);
}

/** Emulators run beside pinned processors only: `isAlone`: not on their cores. */
function withEmulators(cores: Cores, own: readonly number[], emulators: number, isAlone: boolean): readonly number[] | null {
  if (emulators === 0) return own;
  if (own.length === 0) return null;
  const isFree = (core: readonly number[], thread: number) => !(isAlone ? core.some((each) => own.includes(each)) : own.includes(thread));
  const left = cores.flatMap((core) => core.filter((thread) => isFree(core, thread))).slice(0, emulators);
  return left.length > 0 ? [...own, ...left] : null;
}

function isSame(some: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  return some.size === others.size && [...some].every((each) => others.has(each));
}
