// The running server: starts it, restarts it when it dies, and stops it. Stops a server left behind by a killed gateway. Knows processes and the
// server's settings; does not connect to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeOwner } from './account.ts';
import { type Binaries, programEnvironment } from './binaries.ts';
import { ensureSocketDirectory, type Home, type Report, socketPort } from './home.ts';
import { commandLineOf } from './processes.ts';

export interface Server {
  readonly socketDirectory: string;
  /** Called once, when the server died and could not be restarted. */
  onExit(listener: (reason: Error) => void): void;
  /** Stops the server: ends sessions and leaves a clean cluster. Resolves when it is gone; may be called again. */
  stop(): Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  /** Resolves with the reason when the process is gone. */
  readonly gone: Promise<string>;
}

const settings = {
  listen_addresses: '',
  port: socketPort,
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '256MB',
  // The first change of a page after each checkpoint writes the full page: rare checkpoints suit a ledger whose writes are spread over its tables.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  // Compiling costs more than it saves for statements of a millisecond.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // Only starts, stops and crashes of the server: refused statements would fill the disk, and their text contains data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

const withoutDurability = { fsync: 'off', full_page_writes: 'off' };

// Pauses between attempts to start: sessions of a killed server need a moment to notice, and only then is their memory free.
const pauses = [100, 300, 1000, 3000];
const maxCrashesPerMinute = 5;
const second = 1000;

/** Starts the server of a cluster and keeps it running. Throws with the server's own message when it does not start. */
export async function startServer(home: Home, binaries: Binaries, durable: boolean, report: Report): Promise<Server> {
  const socketDirectory = ensureSocketDirectory(home);
  await endOrphan(home, report);

  let stopRequested = false;
  let stopped: Promise<void> | undefined;
  let failure: Error | undefined;
  const listeners: ((reason: Error) => void)[] = [];
  const crashes: number[] = [];

  const startPatiently = async (): Promise<Running> => {
    for (const pause of pauses) {
      try {
        return await launch(home, binaries, socketDirectory, durable, report);
      } catch (error) {
        if (stopRequested) throw error;
        await sleep(pause);
      }
    }
    return launch(home, binaries, socketDirectory, durable, report);
  };

  let current = startPatiently();
  let latest = await current;
  void supervise();

  // A normal exit of this process must not leave a server behind.
  const abandon = () => void latest.child.kill('SIGINT');
  process.once('exit', abandon);

  async function supervise(): Promise<void> {
    for (;;) {
      const reason = await latest.gone;
      if (stopRequested) return;
      report(`the database server has died (${reason}); restarting it`);
      crashes.push(performance.now());
      try {
        if (crashes.filter((time) => time > performance.now() - 60 * second).length > maxCrashesPerMinute) {
          throw new Error(`the database server died more than ${maxCrashesPerMinute} times in a minute, last: ${reason}`);
        }
        current = startPatiently();
        latest = await current;
      } catch (error) {
        failure = error as Error;
        if (!stopRequested) for (const listener of listeners) listener(failure);
        return;
      }
    }
  }

  async function stopNow(): Promise<void> {
    stopRequested = true;
    // Wait for a restart in progress: a server killed halfway would leave its child processes behind.
    const running = await current.catch(() => latest);
    running.child.kill('SIGINT');
    await reportWhenSlow(running.gone, report, 'waiting for the database server to stop ...');
    process.off('exit', abandon);
    rmSync(socketDirectory, { recursive: true, force: true });
  }

  return {
    socketDirectory,
    onExit: (listener) => {
      if (failure) listener(failure);
      else listeners.push(listener);
    },
    stop: () => {
      stopped ??= stopNow();
      return stopped;
    },
  };
}

async function launch(home: Home, binaries: Binaries, socketDirectory: string, durable: boolean, report: Report): Promise<Running> {
  clearStaleLocks(home, socketDirectory);
  const options = { ...settings, ...(durable ? {} : withoutDurability), unix_socket_directories: quoted(socketDirectory) };
  const args = ['-D', home.cluster, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const log = openSync(home.log, 'a');
  changeOwner(home.account, home.log);
  const logStart = statSync(home.log).size;
  // Detached: Ctrl-C in a terminal reaches the whole process group, and the gateway must drain its requests before the server stops.
  const child = spawn(join(binaries.directory, 'postgres'), args, {
    ...home.account,
    cwd: '/',
    env: programEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);

  let reason: string | undefined;
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
  }).then((why) => {
    reason = why;
    return why;
  });

  const ready = async () => {
    for (;;) {
      const noted = postmasterFile(home);
      if (noted.pid === child.pid && noted.ready) return;
      if (reason !== undefined) {
        const words = readFileSync(home.log).subarray(logStart).toString().trim();
        throw new Error(`the database server did not start (${reason}):\n${words}`);
      }
      await sleep(10);
    }
  };
  await reportWhenSlow(ready(), report, 'waiting for the database server to recover ...');
  return { child, gone };
}

// Quotes a directory for a comma-separated list of Postgres.
function quoted(directory: string): string {
  return `"${directory.replaceAll('"', '""')}"`;
}

// The server's own pid file: its pid is in the first line, its state in the eighth.
function postmasterFile(home: Home): { pid: number | undefined; ready: boolean } {
  try {
    const lines = readFileSync(join(home.cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return { pid: undefined, ready: false };
  }
}

/** Whether a live process is the server of this cluster. */
function isServerOf(home: Home, pid: number): boolean {
  const words = `${commandLineOf(pid)} `;
  return basename(words.split(' -D ')[0] ?? '') === 'postgres' && words.includes(` -D ${home.cluster} `);
}

// Its settings and binaries may be older than ours, and its gateway is dead, so it is stopped rather than taken over.
async function endOrphan(home: Home, report: Report): Promise<void> {
  const { pid } = postmasterFile(home);
  if (pid === undefined || !isServerOf(home, pid)) return;
  process.kill(pid, 'SIGINT');
  const ended = async () => {
    while (isServerOf(home, pid)) await sleep(10);
  };
  await reportWhenSlow(ended(), report, `waiting for the database server of an earlier gateway (process ${pid}) to stop ...`);
}

// We hold the gateway's lock and no server of this cluster is alive, so these files name a dead process, or an unrelated one that reused the pid. As
// long as that one lives, in a container forever, Postgres would refuse to start. Sessions that outlive a killed server are found by their shared
// memory, not by these files.
function clearStaleLocks(home: Home, socketDirectory: string): void {
  for (const name of readdirSync(socketDirectory)) rmSync(join(socketDirectory, name), { force: true });
  rmSync(join(home.cluster, 'postmaster.pid'), { force: true });
}

async function reportWhenSlow<T>(work: Promise<T>, report: Report, line: string): Promise<T> {
  const timer = setTimeout(report, 2 * second, line);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
