// Queries the operating system about processes: whether they are alive, since when, and their command line. Pids are reused, so a pid alone never
// identifies a process. Does not know locks or Postgres.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The start time of a live process, in an opaque form for comparison; undefined if there is no such process (a zombie counts as none). */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  const stat = readProc(pid, 'stat');
  // The second field is the program's name in parentheses and may contain anything; the state and the rest follow the last parenthesis.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : rest[18];
}

/** The command line of a live process, joined by spaces; empty if there is no such process. */
export function commandLineOf(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command') ?? '';
  return readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function ps(pid: number, column: string): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}
