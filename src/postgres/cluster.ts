// The cluster: the files of Postgres on disk. Creates it completely or not at all, and refuses one of another major version. Never runs a server in
// addition to that of server.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Account, changeOwner, changeOwnerOfTree } from './account.ts';
import { type Binaries, programEnvironment } from './binaries.ts';
import type { Home, Report } from './home.ts';

/** The superuser and our only database in a new cluster. */
export const clusterUser = 'placement';
export const clusterDatabase = 'placement';

const draftPrefix = 'cluster-new-';

/**
 * Ensures that the home has a cluster that these binaries can run, owned by the home's account. A new cluster gets its name only when it is complete
 * and on disk, so an interrupted initialization leaves no broken one. Throws when the cluster belongs to another major version.
 */
export async function ensureCluster(home: Home, binaries: Binaries, durable: boolean, report: Report): Promise<void> {
  for (const name of readdirSync(home.directory)) {
    // An initialization may still be writing although the gateway that started it is dead: hence the retries.
    if (name.startsWith(draftPrefix)) rmSync(join(home.directory, name), { recursive: true, force: true, maxRetries: 20 });
  }
  const major = majorOf(home.cluster);
  if (major === undefined) return createCluster(home, binaries, durable, report);
  if (major !== binaries.major) {
    throw new Error(
      `the cluster in ${home.cluster} was made by Postgres ${major}, and this is Postgres ${binaries.major}: dump it with Postgres ` +
        `${major} (pg_dumpall) and restore it into a new PLACEMENT_DATA_DIR, or set DATABASE_URL to a server of version ${major}`,
    );
  }
  if (home.account && lstatSync(home.cluster).uid !== home.account.uid) changeOwnerOfTree(home.account, home.cluster);
}

function majorOf(cluster: string): number | undefined {
  try {
    return Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function createCluster(home: Home, binaries: Binaries, durable: boolean, report: Report): Promise<void> {
  report(`creating the database cluster in ${home.cluster} ...`);
  const draft = join(home.directory, `${draftPrefix}${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  changeOwner(home.account, draft);
  // The same collation and case rules on every machine; before Postgres 17 only the C library has them.
  const locale = binaries.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8'];
  const identity = [`--username=${clusterUser}`, '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8'];
  const speed = durable ? [] : ['--no-sync'];
  await run(home.account, join(binaries.directory, 'initdb'), ['-D', draft, ...identity, ...locale, ...speed]);
  const single = ['--single', '-D', draft, ...(durable ? [] : ['-F']), 'postgres'];
  await run(home.account, join(binaries.directory, 'postgres'), single, `create database ${clusterDatabase}\n`);
  renameSync(draft, home.cluster);
  syncDirectory(dirname(home.cluster));
}

async function run(account: Account, program: string, args: string[], input = ''): Promise<void> {
  const child = spawn(program, args, { ...account, cwd: '/', env: programEnvironment, stdio: 'pipe' });
  child.stdin.end(input);
  const [output, errors, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${program} failed (${signal ?? `exit ${code}`}):\n${`${output}${errors}`.trim()}`);
}

// A rename is durable only when its directory is synced: otherwise a power cut could bring back the draft's name, with all the data.
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
