// Allows only one gateway for each data directory. Knows lock files and processes, but not Postgres.
//
// The files gateway.lock.1, gateway.lock.2, ... are a chain: the newest one says who holds the lock, and a lock whose holder is gone is succeeded by
// the next number. Creating a number is atomic and the newest is never deleted, so two gateways that find the same dead holder cannot both succeed
// it. Replacing a single file would have no such atomic step.
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTimeOf } from './processes.ts';

export interface Lock {
  /** Releases the lock. */
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly startTime: string;
}

const prefix = 'gateway.lock.';

/** Takes the lock of a directory. Throws an error that names the holder if that is a live process; dead holders do not count. */
export function takeLock(directory: string): Lock {
  const fileOf = (number: number) => join(directory, `${prefix}${number}`);
  const draft = join(directory, `gateway.${process.pid}.tmp`);
  const write = (holder: Holder | undefined) => writeFileSync(draft, `${JSON.stringify(holder ?? {})}\n`);
  write({ pid: process.pid, startTime: startTimeOf(process.pid) ?? '' });
  try {
    for (;;) {
      const newest = newestNumber(directory);
      const holder = newest > 0 ? liveHolder(fileOf(newest)) : undefined;
      if (holder) {
        throw new Error(
          `the data directory ${directory} is in use by another placement-gateway, process ${holder.pid}: stop it first, ` +
            'or set PLACEMENT_DATA_DIR to another directory',
        );
      }
      const mine = newest + 1;
      if (!linkIfAbsent(draft, fileOf(mine))) continue;
      if (newestNumber(directory) !== mine) {
        // Others took and released the lock in the meantime: our number had been used and deleted.
        rmSync(fileOf(mine), { force: true });
        continue;
      }
      for (const number of numbers(directory)) if (number < mine) rmSync(fileOf(number), { force: true });
      return {
        release: () => {
          write(undefined);
          renameSync(draft, fileOf(mine));
        },
      };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function numbers(directory: string): number[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isSafeInteger);
}

function newestNumber(directory: string): number {
  return Math.max(0, ...numbers(directory));
}

function liveHolder(file: string): Holder | undefined {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>;
    return pid !== undefined && startTime !== undefined && startTimeOf(pid) === startTime ? { pid, startTime } : undefined;
  } catch {
    // Truncated by a power cut, or superseded in the meantime: linking the next number will show.
    return undefined;
  }
}

function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
