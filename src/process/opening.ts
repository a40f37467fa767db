// Opens what commands work on: the configured database or the embedded one, migrated, with its pools. The end of the process closes everything.
import type { Logger } from 'pino';
import { reasonNotToServe } from '../db/schema/database-version.ts';
import { type MigrateOptions, migrate } from '../db/schema/migrate.ts';
import { readRelease } from '../db/schema/release.ts';
import { addressOf } from '../db/sql/address.ts';
import { type DatabaseOptions, type DatabaseTarget, type Db, openDatabase } from '../db/sql/client.ts';
import { startEmbeddedPostgres } from '../postgres/launcher.ts';
import { type Settings, SettingsError } from '../settings/settings.ts';
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

/** The configured database with its pools, for commands that leave it at its version. */
export async function openServed(started: Started): Promise<{ readonly target: DatabaseTarget; readonly db: Db }> {
  const target = await findDatabase(started);
  const db = openPools(started.settings, target);
  const reason = await reasonNotToServe(db.sql, readRelease());
  if (reason !== null) throw new Error(`${reason}: run migrate`);
  return { target, db };
}

/** Milliseconds that a command waits for others before it can migrate. */
export const usualPatience = 600_000;

export async function migrateFor(
  { settings, log }: Started,
  target: DatabaseTarget,
  options: Pick<MigrateOptions, 'waitForOwner' | 'patience'> = {},
): Promise<void> {
  const { databaseUrl, databaseMigrationUrl: url, databaseSchema: schema } = settings;
  const owner = url === null || databaseUrl === null ? target : { url, schema };
  await migrate(target, { patience: usualPatience, ...options, owner, report: (line) => log.info(line), warn: (line) => log.warn(line) });
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

/** The database that the commands use. */
export async function findDatabase({ settings, log }: Started): Promise<DatabaseTarget> {
  const {
    databaseUrl: url,
    databaseMigrationUrl,
    databasePasswordFile: passwordFile,
    databaseSchema: schema,
    databaseVolumes: volumes,
    synchronousCommit,
  } = settings;
  const ofSessions = { schema, settings: { synchronous_commit: synchronousCommit } };
  if (url === null && databaseMigrationUrl !== null) {
    throw new SettingsError(['DATABASE_MIGRATION_URL without DATABASE_URL is for migrate only: an embedded database needs neither']);
  }
  if (url === null) return { ...(await startDatabase(settings, log)), ...ofSessions };
  if (addressOf(url).isExposed) warnExposed(log, 'DATABASE_URL');
  return { url, volumes, ...ofSessions, ...(passwordFile !== null && { passwordFile }) };
}

/** The database to migrate: the address of the owner is enough. */
export async function findDatabaseToMigrate(started: Started): Promise<DatabaseTarget> {
  const { databaseUrl, databaseMigrationUrl: url, databaseSchema: schema } = started.settings;
  if (databaseUrl !== null || url === null) return findDatabase(started);
  if (addressOf(url).isExposed) warnExposed(started.log, 'DATABASE_MIGRATION_URL');
  return { url, schema };
}

async function startDatabase({ dataDirectory }: Settings, log: Logger): Promise<DatabaseTarget> {
  const database = await startEmbeddedPostgres({ dataDirectory, report: (line) => log.info(line) });
  closeAtEnd(database.stop);
  database.onExit(() => {
    if (isEnding()) return;
    log.fatal('the embedded database has ended');
    void end(exitCodes.failed);
  });
  return { ...database.target, volumes: [database.directory] };
}
