// The embedded Postgres: a real server on a data directory, used without DATABASE_URL. Orchestrates the steps, each of which is a file in this
// directory. Makes no connection and knows no table.
import { resolve } from 'node:path';
import { findBinaries, installedNative } from './binaries.ts';
import { clusterDatabase, clusterUser, ensureCluster } from './cluster.ts';
import { openHome, socketPort } from './home.ts';
import { takeLock } from './lock.ts';
import { startServer } from './server.ts';

export interface EmbeddedPostgresOptions {
  /** Created when absent. One gateway at a time. */
  readonly dataDirectory: string;
  /** `safe` (default) survives a power cut; `none` is for disposable data, such as a test's. */
  readonly durability?: 'safe' | 'none';
  /** A `native` directory laid out as in the platform packages. Default: the installed package's. */
  readonly native?: string;
  /** Called with a log line about anything that takes long or fails. */
  readonly report?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** How to connect: a unix socket that only the owner of the data directory (and root) can open, no password. */
  readonly target: { readonly socketDirectory: string; readonly port: number; readonly user: string; readonly database: string };
  /** Where its files are. */
  readonly directory: string;
  /** Called once, when the server died and could not be restarted. Normally it is restarted automatically. */
  onExit(listener: (reason: Error) => void): void;
  /** Ends all sessions, stops the server and releases the lock. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres on a data directory, and creates the cluster and its database the first time. The database may have no tables yet. Refuses if
 * another live gateway uses the directory, if the cluster belongs to another major version of Postgres, or if there is no Postgres to run; every
 * message says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const report = options.report ?? (() => {});
  const durable = options.durability !== 'none';
  const home = openHome(resolve(options.dataDirectory), report);
  const lock = takeLock(home.directory);
  try {
    const binaries = await findBinaries(home, options.native ?? installedNative(), report);
    await ensureCluster(home, binaries, durable, report);
    const server = await startServer(home, binaries, durable, report);
    let stopping: Promise<void> | undefined;
    return {
      target: { socketDirectory: server.socketDirectory, port: socketPort, user: clusterUser, database: clusterDatabase },
      directory: home.directory,
      onExit: (listener) => server.onExit(listener),
      stop: () => {
        stopping ??= server.stop().then(lock.release);
        return stopping;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
