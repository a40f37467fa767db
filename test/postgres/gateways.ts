// Stage hands of the tests of the launcher: data directories, packages to run from, gateways as processes of their own.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { connect, connectionOptions } from '../../src/db/sql/client.ts';
import { installedNative } from '../../src/postgres/binaries.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/postgres/launcher.ts';
import { commandLineOf } from '../../src/postgres/processes.ts';
import type { Orders } from './gateway-process.ts';

export const runsAsRoot = process.getuid?.() === 0;

/** A user without rights: `nobody` when the tests run as root, else the user they run as (undefined: no change of user). */
export const plainUser = runsAsRoot ? 65534 : undefined;

const directories: string[] = [];
const servers: EmbeddedPostgres[] = [];
const processes: ChildProcess[] = [];

/** Ends and removes what a test of the file has made, after it: the servers of failed tests, too. */
export function useGateways(): void {
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    for (const child of processes.splice(0)) await killHard(child);
    for (const directory of directories.splice(0)) {
      endServerIn(directory);
      rmSync(directory, { recursive: true, force: true });
    }
  });
}

function endServerIn(directory: string): void {
  const pid = postmasterPid(directory);
  if (pid !== undefined && commandLineOf(pid).includes(directory)) process.kill(pid, 'SIGKILL');
}

/** An empty directory that everybody may enter (unless another mode is given), removed after the test. */
export function freshDirectory(mode = 0o755): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'placement-postgres-')));
  chmodSync(directory, mode);
  directories.push(directory);
  return directory;
}

/** A copy of the platform package as npm unpacks it, without the links that its install script would make. Returns its `native`. */
export function packageAsPublished(parent: string = freshDirectory()): string {
  const installed = installedNative();
  if (installed === undefined) throw new Error('no platform package is installed');
  const native = join(parent, 'native');
  cpSync(installed, native, { recursive: true, filter: (file) => !lstatSync(file).isSymbolicLink() });
  cpSync(join(installed, '..', 'package.json'), join(parent, 'package.json'));
  return native;
}

/** Starts the embedded Postgres in this process; stopped after the test. */
export async function start(dataDirectory: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDirectory, durability: 'none', ...options });
  servers.push(server);
  return server;
}

export interface Gateway {
  readonly child: ChildProcess;
  readonly target: EmbeddedPostgres['target'];
}

/** Starts a process of its own that will start the embedded Postgres; does not wait for it. */
export function forkGateway(options: EmbeddedPostgresOptions, uid?: number): ChildProcess {
  const orders: Orders = { options: { durability: 'none', ...options }, uid };
  const script = fileURLToPath(new URL('gateway-process.ts', import.meta.url));
  const child = fork(script, [JSON.stringify(orders)], { execArgv: ['--import', 'tsx'] });
  processes.push(child);
  return child;
}

/** Starts the embedded Postgres in a process of its own, as another user if one is given. Throws what it throws. */
export async function startGateway(options: EmbeddedPostgresOptions, uid?: number): Promise<Gateway> {
  const child = forkGateway(options, uid);
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [{ failure: 'it died' }])]);
  if (message.target === undefined) throw new Error(message.failure);
  return { child, target: message.target };
}

/** Stops a gateway in good order. */
export async function stopGateway(gateway: Gateway): Promise<void> {
  const exit = once(gateway.child, 'exit');
  gateway.child.send('stop');
  await exit;
}

/** `kill -9`; resolves when the process is gone. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** The pid of the server of a data directory, as the server itself notes it; undefined when there is none. */
export function postmasterPid(dataDirectory: string): number | undefined {
  try {
    return Number(readFileSync(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** Runs one statement on a connection of its own and returns its rows. */
export async function query(target: EmbeddedPostgres['target'], statement: string): Promise<Record<string, unknown>[]> {
  const sql = connect(target, { ...connectionOptions(target, {}), max: 1 });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end();
  }
}

/** Puts something into the database to find again. */
export async function leaveMark(target: EmbeddedPostgres['target']): Promise<void> {
  await query(target, 'create table public.mark as select 42 as value');
}

export async function readMark(target: EmbeddedPostgres['target']): Promise<unknown> {
  return (await query(target, 'select value from public.mark'))[0]?.value;
}
