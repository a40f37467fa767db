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
  const server = new SupervisedServer(socketDirectory, report, () => launch(home, binaries, socketDirectory, durable, report));
  await server.start();
  return server;
}

/** A server that is started again when it dies, until it dies too often. */
class SupervisedServer implements Server {
  readonly socketDirectory: string;
  readonly #report: Report;
  readonly #launch: () => Promise<Running>;
  /** The start in progress, or the last one. */
  #starting: Promise<Running> | undefined;
  #latest: Running | undefined;
  #stopRequested = false;
  #stopped: Promise<void> | undefined;
  #failure: Error | undefined;
  readonly #listeners: ((reason: Error) => void)[] = [];
  readonly #crashes: number[] = [];
  /** A normal exit of this process must not leave a server behind. */
  readonly #abandon = () => void this.#latest?.child.kill('SIGINT');

  constructor(socketDirectory: string, report: Report, launch: () => Promise<Running>) {
    this.socketDirectory = socketDirectory;
    this.#report = report;
    this.#launch = launch;
  }

  async start(): Promise<void> {
    const running = await this.#startPatiently();
    process.once('exit', this.#abandon);
    void this.#supervise(running);
  }

  onExit(listener: (reason: Error) => void): void {
    if (this.#failure) listener(this.#failure);
    else this.#listeners.push(listener);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopNow();
    return this.#stopped;
  }

  async #startPatiently(): Promise<Running> {
    this.#starting = this.#launchPatiently();
    this.#latest = await this.#starting;
    return this.#latest;
  }

  async #launchPatiently(): Promise<Running> {
    for (const pause of pauses) {
      try {
        return await this.#launch();
      } catch (error) {
        if (this.#stopRequested) throw error;
        await sleep(pause);
      }
    }
    return this.#launch();
  }

  async #supervise(first: Running): Promise<void> {
    for (let running = first; ; ) {
      const reason = await running.gone;
      if (this.#stopRequested) return;
      this.#report(`the database server has died (${reason}); restarting it`);
      this.#crashes.push(performance.now());
      try {
        if (this.#crashes.filter((time) => time > performance.now() - 60 * second).length > maxCrashesPerMinute) {
          throw new Error(`the database server died more than ${maxCrashesPerMinute} times in a minute, last: ${reason}`);
        }
        running = await this.#startPatiently();
      } catch (error) {
        this.#failure = error as Error;
        if (!this.#stopRequested) for (const listener of this.#listeners) listener(this.#failure);
        return;
      }
    }
  }

  async #stopNow(): Promise<void> {
    this.#stopRequested = true;
    // Wait for a restart in progress: a server killed halfway would leave its child processes behind.
    const running = (await this.#starting?.catch(() => null)) ?? this.#latest;
    running?.child.kill('SIGINT');
    if (running) await reportWhenSlow(running.gone, this.#report, 'waiting for the database server to stop ...');
    process.off('exit', this.#abandon);
    rmSync(this.socketDirectory, { recursive: true, force: true });
  }
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
