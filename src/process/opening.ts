// Opens what commands work on: the configured database or the embedded one, migrated, with its pools. The end of the process closes everything.
import type { Logger } from 'pino';
import { type MigrateOptions, migrate } from '../db/schema/migrate.ts';
import { addressOf } from '../db/sql/address.ts';
import { type DatabaseOptions, type DatabaseTarget, type Db, openDatabase } from '../db/sql/client.ts';
import { startEmbeddedPostgres } from '../postgres/launcher.ts';
import type { Settings } from '../settings/settings.ts';
import { closeAtEnd, end, exitCodes, isEnding } from './ending.ts';

/** The context of every command. */
export interface Started {
  readonly settings: Settings;
  readonly log: Logger;
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
}

/** The configured database, migrated, with its pools. A command whose statements may take any time passes openForWholeTables as `open`. */
export async function openMigrated(started: Started, open = openDatabase): Promise<Db> {
  const target = await findDatabase(started);
  await migrateFor(started, target);
  return openPools(started.settings, target, {}, open);
}

export async function migrateFor(
  { settings, log }: Started,
  target: DatabaseTarget,
  options: Pick<MigrateOptions, 'waitForOwner'> = {},
): Promise<void> {
  const { databaseMigrationUrl: url, databaseSchema: schema } = settings;
  const owner = url === null ? target : { url, schema };
  await migrate(target, { ...options, owner, report: (line) => log.info(line), warn: (line) => log.warn(line) });
}

export function openPools(
  { readConnections, writeConnections }: Pick<Settings, 'readConnections' | 'writeConnections'>,
  target: DatabaseTarget,
  replicas: Pick<DatabaseOptions, 'replicas' | 'replicaLag'> = {},
  open = openDatabase,
): Db {
  const db = open(target, { readConnections, writeConnections, ...replicas });
  closeAtEnd(db.close);
  return db;
}

/** The replicas of the configured database. */
export function replicasIn(settings: Settings, log: Logger): Pick<DatabaseOptions, 'replicas' | 'replicaLag'> {
  const { databaseReplicaUrls: urls, databasePasswordFile: passwordFile, databaseSchema: schema, replicaLag } = settings;
  if (urls.some((url) => addressOf(url).isExposed)) warnExposed(log, 'DATABASE_REPLICA_URLS');
  return { replicas: urls.map((url) => ({ url, schema, ...(passwordFile !== null && { passwordFile }) })), replicaLag };
}

function warnExposed(log: Logger, variable: string): void {
  log.warn(`connections to the database are not encrypted: add sslmode=verify-full to ${variable}`);
}

export async function findDatabase({ settings, log }: Started): Promise<DatabaseTarget> {
  const { databaseUrl: url, databasePasswordFile: passwordFile, databaseSchema: schema, synchronousCommit } = settings;
  const ofSessions = { schema, settings: { synchronous_commit: synchronousCommit } };
  if (url === null) return { ...(await startDatabase(settings, log)), ...ofSessions };
  if (addressOf(url).isExposed) warnExposed(log, 'DATABASE_URL');
  return { url, ...ofSessions, ...(passwordFile !== null && { passwordFile }) };
}

async function startDatabase({ dataDirectory }: Settings, log: Logger): Promise<DatabaseTarget> {
  const database = await startEmbeddedPostgres({ dataDirectory, report: (line) => log.info(line) });
  closeAtEnd(database.stop);
  database.onExit(() => {
    if (isEnding()) return;
    log.fatal('the embedded database has ended');
    void end(exitCodes.failed);
  });
  return database.target;
}
