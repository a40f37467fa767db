// The gateways and the database of a run: real processes, started as users start them, each gateway behind a wire of its own to the database. Knows how to
// end, stop and restart them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/launcher.ts';
import { type FailingWire, layFailingWire } from '../support/failing-wire.ts';
import { program } from '../support/program.ts';
import type { Address } from './ledger-rows.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const jumpingClock = new URL('jumping-clock.mjs', import.meta.url).href;

/** A database server that survives its own death, on a directory of its own. */
export interface Database {
  readonly address: Address;
  /** The process of the server, undefined while there is none. */
  readonly pid: () => number | undefined;
  /** Where its files are; null if this user may not mount. */
  readonly disk: SmallDisk | null;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<Database> {
  const directory = mkdtempSync(join(tmpdir(), 'placement-torture-'));
  const disk = mountSmallDisk(directory, 1024);
  const dataDirectory = join(directory, 'data');
  const server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDirectory });
  return {
    address: server.target,
    pid: () => {
      try {
        return Number(readFileSync(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
      } catch {
        return undefined;
      }
    },
    disk,
    stop: async () => {
      await server.stop();
      disk?.remove();
      rmSync(directory, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Runs the program, as users do. */
function run(args: readonly string[], databaseUrl: string): ChildProcess {
  return spawn(process.execPath, ['--import', jumpingClock, program, ...args], {
    env: {
      ...{ PATH: process.env.PATH, HOME: tmpdir(), DATABASE_URL: databaseUrl },
      ...{ PLACEMENT_PORT: '0', PLACEMENT_LOG_LEVEL: 'warn', PLACEMENT_REST_QUOTAS: 'on' },
    },
  });
}

const urlOf = (target: FailingWire['target']) => ('url' in target ? target.url : '');

/** Runs a command to its end. */
export async function runCommand(command: string, wire: FailingWire): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = run([command], urlOf(wire.target));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (said += String(bytes)));
  const [code] = await once(child, 'close');
  return { code, said };
}

export class Gateway {
  readonly wire: FailingWire;
  /** The bugs that it logged, and what it wrote when it ended by itself. */
  readonly bugs: string[] = [];
  /** Where it listens; null while it does not run. */
  url: string | null = null;
  #child: ChildProcess | undefined;
  #isMeantToEnd = false;

  private constructor(wire: FailingWire) {
    this.wire = wire;
  }

  static async lay({ socketDirectory, port, user, database }: Address): Promise<Gateway> {
    return new Gateway(await layFailingWire({ socketDirectory, port, user, database }));
  }

  /** Starts it, again and again while the database is away. */
  async start(): Promise<void> {
    for (let attempt = 1; this.url === null; attempt += 1) {
      const child = run(['serve'], urlOf(this.wire.target));
      this.#child = child;
      this.#isMeantToEnd = false;
      const ended = once(child, 'close').then(() => null);
      this.url = await Promise.race([this.#addressOf(child), ended]);
      if (this.url !== null) {
        void ended.then(() => this.#hasEnded(child));
        return;
      }
      if (attempt === 20) throw new Error(`the gateway does not start: ${this.bugs.join('\n')}`);
      await sleep(500);
    }
  }

  #addressOf(child: ChildProcess): Promise<string> {
    child.stderr?.on('data', (bytes) => {
      for (const line of String(bytes).split('\n')) if (/"level":"(error|fatal)"/.test(line)) this.bugs.push(line.slice(0, 600));
    });
    let said = '';
    return new Promise((resolve) => {
      child.stdout?.on('data', (bytes) => {
        said += String(bytes);
        const [printed] = /http:\S+(?=\/graphql)/.exec(said) ?? [];
        if (printed) resolve(printed);
      });
    });
  }

  #hasEnded(child: ChildProcess): void {
    this.url = null;
    if (!this.#isMeantToEnd) this.bugs.push(`ended by itself with ${child.exitCode ?? child.signalCode}`);
  }

  /** Ends it with a signal and waits until it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    this.#isMeantToEnd = true;
    const ended = once(child, 'close');
    child.kill(signal);
    const deadline = setTimeout(() => child.kill('SIGKILL'), 40_000);
    await ended;
    clearTimeout(deadline);
    this.url = null;
  }

  /** Sends a signal that does not end it: SIGSTOP, SIGCONT, or SIGUSR2 for its clock. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async close(): Promise<void> {
    this.signal('SIGCONT');
    await this.end('SIGKILL');
    await this.wire.close();
  }
}
