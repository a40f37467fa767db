// A disk in memory that can be filled up and freed. Only who may mount has one.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  /** Leaves not a byte free. */
  fill(): void;
  free(): void;
  remove(): void;
}

/** Makes a directory the root of a disk of its own; null where that is not allowed. */
export function mountSmallDisk(directory: string, megabytes: number): SmallDisk | null {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', directory], { stdio: 'ignore' });
  if (status !== 0) return null;
  const ballast = join(directory, 'ballast');
  const free = () => rmSync(ballast, { force: true });
  return {
    fill: () => {
      const file = openSync(ballast, 'a');
      for (const size of [1 << 20, 4096]) {
        const block = Buffer.alloc(size);
        try {
          while (writeSync(file, block) === size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
      closeSync(file);
    },
    free,
    remove: () => {
      free();
      spawnSync('umount', ['-l', directory], { stdio: 'ignore' });
    },
  };
}
