// Where the embedded database lives: the data directory with the cluster's files, the lock, the server's log and the socket.
//
//   .placement-data/
//     gateway.lock.N    the gateway that uses it (lock.ts)
//     cluster/          the files of Postgres
//     socket/           the unix socket, reachable by its owner (and root) only
//     binaries-V/       a copy of the Postgres binaries, if the installed ones cannot be run where they are
//     server.log        the log of the server
//     moved-to -> …     only if the account of the server cannot reach root's data directory: everything above is there instead
//
// Knows paths and permissions; does not look into the cluster.

import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Account, canEnter, changeOwner, serverAccount } from './account.ts';

export interface Home {
  /** The directory that contains the rest, absolute and without symbolic links. */
  readonly directory: string;
  readonly cluster: string;
  readonly log: string;
  /** The account that owns the files and runs the server. */
  readonly account: Account;
}

export type Report = (line: string) => void;

const placesForRoot = '/var/lib/placement-gateway';

/** Prepares the data directory. Throws when we, or the account of the server, cannot use it. */
export function openHome(dataDirectory: string, report: Report): Home {
  const requested = ensureDirectory(dataDirectory);
  const home = homeAt(movedHome(requested) ?? requested);
  const hasCluster = existsSync(home.cluster);
  // A directory with other contents keeps its owner.
  if (hasCluster || readdirSync(home.directory).length === 0) changeOwner(home.account, home.directory);
  if (!home.account || canEnter(home.account, home.directory)) return home;

  if (hasCluster) throw inaccessibleError(home.directory);
  const moved = moveHome(requested, home.account);
  report(`${requested} cannot be accessed by the account that runs the database (uid ${home.account.uid}); its files are in ${moved}`);
  return homeAt(moved);
}

function homeAt(directory: string): Home {
  const cluster = join(directory, 'cluster');
  return { directory, cluster, log: join(directory, 'server.log'), account: serverAccount(cluster) };
}

function ensureDirectory(path: string): string {
  try {
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (cause) {
    throw new Error(`cannot write to the data directory ${path}: set PLACEMENT_DATA_DIR to a directory of this user`, { cause });
  }
}

function movedHome(requested: string): string | undefined {
  const link = join(requested, 'moved-to');
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    return realpathSync(link);
  } catch (cause) {
    throw new Error(`the files of ${requested} are where ${link} points, which cannot be read: restore them, or delete the link`, {
      cause,
    });
  }
}

// The link, not a name derived from the path, says where the files are: deleting the data directory means starting afresh. The link is never
// replaced, so when two gateways get here at once, one fails, and they cannot use different places.
function moveHome(requested: string, account: Account): string {
  try {
    mkdirSync(placesForRoot, { recursive: true });
    chmodSync(placesForRoot, 0o755);
    const place = mkdtempSync(join(placesForRoot, 'data-'));
    changeOwner(account, place);
    symlinkSync(place, join(requested, 'moved-to'));
    return realpathSync(place);
  } catch (cause) {
    throw inaccessibleError(requested, cause);
  }
}

function inaccessibleError(directory: string, cause?: unknown): Error {
  const advice = 'set PLACEMENT_DATA_DIR to a directory whose parents it can enter';
  return new Error(`the account that runs the database cannot reach ${directory}: ${advice}`, { cause });
}

export const socketPort = 5432;

// The kernel stores the path of a socket in 104 (macOS) or 108 (Linux) bytes, including the final zero.
const maxSocketPathLength = 103;

/**
 * The directory for the socket, created for the account only: in the home, or, when that path is too long for a socket, a directory with a hashed
 * name in the temporary directory. Throws if another user owns that name.
 */
export function ensureSocketDirectory(home: Home): string {
  const hash = createHash('sha256').update(home.directory).digest('hex').slice(0, 16);
  const name = `placement-gateway-${hash}`;
  const directory = [join(home.directory, 'socket'), join(tmpdir(), name), join('/tmp', name)].find(fitsSocket);
  if (directory === undefined) throw new Error(`the path ${home.directory} is too long for a unix socket`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const owner = home.account?.uid ?? process.getuid?.();
  const found = lstatSync(directory);
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.())) {
    throw new Error(`${directory}, needed for the database's socket, belongs to another user (uid ${found.uid})`);
  }
  chmodSync(directory, 0o700);
  changeOwner(home.account, directory);
  return directory;
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${socketPort}`)) <= maxSocketPathLength;
}
