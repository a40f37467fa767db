// The processor time that processes have used, from /proc: only on Linux. On a busy machine it is more meaningful than any rate.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessorTime {
  /** Milliseconds of the process itself. */
  readonly own: number;
  /** Milliseconds of all its descendants, ended ones included: the embedded Postgres of a gateway. */
  readonly started: number;
}

/** Milliseconds in a tick of the kernel's clock. */
const tick = 10;

/** The processor time so far of a process and its descendants. */
export function processorTimeOf(pid: number): ProcessorTime {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  const startedBy = (parent: number): number =>
    processes.filter((each) => each.parent === parent).reduce((sum, { id, own, ended }) => sum + own + ended + startedBy(id), 0);
  return { own: processes.find(({ id }) => id === pid)?.own ?? 0, started: startedBy(pid) };
}

function statOf(id: number) {
  try {
    // What follows the name, which is in parentheses and may contain anything.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((place) => fields[place]);
    return { id, parent, own: (user + system) * tick, ended: (endedUser + endedSystem) * tick };
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}
