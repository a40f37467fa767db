// Writes while the disk of the database is full, or nearly so: they are refused before they are sent. A write that fails for lack of space writes to the log of Postgres
// all the same, and a Postgres without space for its log stops, and with it all reads.
import { statfs } from 'node:fs/promises';
import { DiskFull } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { type Db, mainHandleOf } from '../sql/client.ts';

/** Milliseconds for which no write is sent after one has found the disk full. */
const pause = 1000;
/** Milliseconds between two looks at the volumes. */
const lookPause = 5000;

/** In bytes. */
export interface VolumeSpace {
  /** A directory on the volume. */
  readonly directory: string;
  readonly free: number;
  readonly size: number;
}

const disks = new WeakMap<Db, Disk>();

/** The disk of a database. */
export function diskOf(db: Db): Disk {
  const main = mainHandleOf(db);
  let disk = disks.get(main);
  if (!disk) {
    disk = new Disk();
    disks.set(main, disk);
  }
  return disk;
}

class Disk {
  /** Called with a line when writes begin to be refused, and when they no longer are. */
  report: (line: string) => void = () => {};
  /** As last seen. */
  spaces: readonly VolumeSpace[] = [];
  #sentNextAt = Number.NEGATIVE_INFINITY;
  #reported: string | null = null;

  /** Why writes are refused; null if they are not. */
  get fault(): string | null {
    const short = this.spaces.find(({ free }) => free < limits.diskReserve);
    if (short) return `less than ${limits.diskReserve / 2 ** 20} MiB are free on the disk of the database (${short.directory})`;
    return performance.now() < this.#sentNextAt ? 'the disk of the database is full' : null;
  }

  /** Throws DiskFull while writes are refused. */
  expectSpace(): void {
    const { fault } = this;
    if (fault !== null) throw new DiskFull(undefined, `Nothing was written: ${fault}.`);
  }

  /** Notes how a write ended: without an error, or with one. */
  note(error?: unknown): void {
    if (error instanceof DiskFull) {
      this.#sentNextAt = performance.now() + pause;
      this.#tell('the disk of the database is full');
    } else if (error === undefined && this.#reported !== null) this.#tell(this.fault);
  }

  /** Looks at the volumes of these directories of this machine, now and from time to time. Returns what ends it. */
  async watch(directories: readonly string[], look: typeof lookAt = lookAt): Promise<() => void> {
    const refresh = async () => {
      this.spaces = (await Promise.all(directories.map(look))).filter((space) => space !== null);
      if (this.fault !== null || this.#reported !== null) this.#tell(this.fault);
    };
    await refresh();
    for (const directory of directories) {
      if (!this.spaces.some((space) => space.directory === directory))
        this.report(`the free space of ${directory} is unknown: it cannot be found`);
    }
    const timer = setInterval(() => void refresh(), lookPause).unref();
    return () => clearInterval(timer);
  }

  #tell(fault: string | null): void {
    if (fault === this.#reported) return;
    this.#reported = fault;
    this.report(fault === null ? 'the disk of the database has space again: writes are done' : `${fault}: writes are refused`);
  }
}

/** Null if the directory is not there. */
async function lookAt(directory: string): Promise<VolumeSpace | null> {
  const found = await statfs(directory).catch(() => null);
  return found && { directory, free: found.bavail * found.bsize, size: found.blocks * found.bsize };
}
