// The version of a database, and whether a release can work with it. Does not change anything.
import type { Sql } from '../sql/client.ts';
import { sqlState } from '../writes/apply-write.ts';
import type { Release } from './release.ts';

const undefinedTable = '42P01';

export interface DatabaseVersion {
  readonly version: number;
  readonly digest: string;
  readonly oldestServed: number;
  /** The schema of the functions in use. */
  readonly functions: string;
  /** Tags of the migrations applied. */
  readonly migrations: readonly string[];
}

/** The version of the database; null before its first migration, 0 until that is complete. */
export async function readDatabaseVersion(sql: Sql): Promise<DatabaseVersion | null> {
  try {
    const [row] = await sql<DatabaseVersion[]>`
      select version, digest, oldest_served as "oldestServed", functions, array(select tag from schema_migrations order by tag) as migrations
      from schema_versions order by version desc limit 1`;
    return row ?? null;
  } catch (error) {
    if (sqlState(error) === undefinedTable) return null;
    throw error;
  }
}

/**
 * How a database relates to a release: `behind` must be migrated, `current` and `newer` can be used as they are, `too new` and `foreign` cannot be used
 * at all. Two builds of one version differ only between releases; then the one that starts later brings its functions.
 */
export function standingOf(
  database: Pick<DatabaseVersion, 'version' | 'digest' | 'oldestServed' | 'migrations'> | null,
  release: Pick<Release, 'version' | 'digest' | 'migrations'>,
): 'behind' | 'current' | 'newer' | 'too new' | 'foreign' {
  if (database === null) return 'behind';
  if (database.version > release.version) return database.oldestServed > release.version ? 'too new' : 'newer';
  if (database.version === release.version && database.digest === release.digest) return 'current';
  const known = new Set(release.migrations.map(({ tag }) => tag));
  return database.migrations.every((tag) => known.has(tag)) ? 'behind' : 'foreign';
}

/** Why gateways of this release cannot work with a database that is too new or foreign, and what to do. */
export function refusalOf(
  standing: 'too new' | 'foreign',
  database: DatabaseVersion,
  release: Pick<Release, 'version' | 'migrations'>,
): string {
  if (standing === 'too new') {
    const served = `it is at version ${database.version}, which serves releases from version ${database.oldestServed}, and this is ${release.version}`;
    return `the database is too new for this release: ${served}: run the release that migrated it`;
  }
  const unknown = database.migrations.filter((tag) => release.migrations.every((known) => known.tag !== tag));
  return `the database was migrated by a build that this one does not know (${unknown.join(', ')}): use another database`;
}

/** Why a gateway of this release cannot serve from the database; null when it can. */
export async function reasonNotToServe(sql: Sql, release: Release): Promise<string | null> {
  const database = await readDatabaseVersion(sql);
  const standing = standingOf(database, release);
  if (standing === 'behind' || database === null) return 'the database is not migrated to this release';
  return standing === 'current' || standing === 'newer' ? null : refusalOf(standing, database, release);
}
