// A gateway as a user starts it: the built program in a separate process, with a temporary database.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseTarget } from '../../src/db/sql/client.ts';
import { createGivenDatabase } from './database.ts';

export interface BenchGateway {
  readonly url: string;
  /** The gateway's own database, for filling it and for calling its functions directly. */
  readonly database: DatabaseTarget;
  readonly writeConnections: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

const here = fileURLToPath(new URL('../..', import.meta.url));

/** The command of `npm start` in a checkout: the launcher, or, in versions without one, Node with its options and the program. */
function programOf(checkout: string): readonly [string, ...string[]] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [command = '', ...args] = scripts.start.split(' ');
  return [command, ...args];
}

export interface BenchGatewayOptions {
  /** An upstream Placement whose data are imported first. */
  readonly importFrom?: string;
  /** Another checkout of this project whose build is started instead. */
  readonly checkout?: string;
}

/** Starts the built gateway (run `npm run build` first) and waits until it listens. */
export async function startGateway({ importFrom, checkout: home = here }: BenchGatewayOptions = {}): Promise<BenchGateway> {
  const [command, ...program] = programOf(home);
  const directory = mkdtempSync(join(tmpdir(), 'placement-bench-'));
  const given = await createGivenDatabase();
  const writeConnections = Number(process.env.PLACEMENT_WRITE_CONNECTIONS ?? 12);
  const env = {
    ...process.env,
    PLACEMENT_DATA_DIR: directory,
    PLACEMENT_WRITE_CONNECTIONS: String(writeConnections),
    ...(given && { DATABASE_URL: given.target.url }),
  };
  if (importFrom) {
    const args = [...program, 'import', importFrom, '--token', 'admin', '--log-level', 'warn'];
    execFileSync(command, args, { cwd: home, env, stdio: ['ignore', 'inherit', 'inherit'] });
  }
  const child = spawn(command, [...program, 'serve', '--port', '0', '--log-level', 'warn'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((found, lost) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const match = /serves (http:\S+)\/graphql/.exec(text);
      if (match?.[1]) found(match[1]);
    });
    child.on('exit', (code) => lost(new Error(`the gateway ended with ${code}`)));
  });
  const stop = async () => {
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await ended;
    await given?.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  const embedded = { socketDirectory: resolve(directory, 'socket'), port: 5432, user: 'placement', database: 'placement' };
  const database = given?.target ?? embedded;
  return { url, database, writeConnections, process: child, stop };
}
