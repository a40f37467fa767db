// The parts of the database that gateways of a release rely on, and whether the next release keeps them.
import type { Release } from '../src/db/schema/release.ts';
import { migrationFaults, placeFaults } from './migration-rules.ts';

/** releases/<version>/database.json */
export interface ReleasedDatabase {
  readonly version: number;
  /** The tags of its migrations. */
  readonly migrations: readonly string[];
  /** Functions that gateways call, with their signature and result. */
  readonly entries: readonly string[];
}

export function databaseOf({ version, migrations, entries }: Release): ReleasedDatabase {
  return { version, migrations: migrations.map(({ tag }) => tag), entries: entries.map(headOf) };
}

/** The head of the definition as written: the names and defaults of its parameters, and its result. */
function headOf({ statements }: Release['entries'][number]): string {
  return /create or replace function ([^$]*?)\s+language\b/.exec(statements)?.[1]?.replace(/\s+/g, ' ') ?? statements;
}

/** Complaints; `released` is null before the first release. */
export function upgradeFaults(release: Release, released: ReleasedDatabase | null): string[] {
  const everywhere = release.migrations.flatMap(({ tag, statements }) =>
    placeFaults(statements).map((fault) => `drizzle/${tag}.sql: ${fault}`),
  );
  if (released === null) return everywhere;
  const own = databaseOf(release);
  const old = new Set(released.migrations);
  return [
    ...everywhere,
    ...released.migrations.filter((tag) => !own.migrations.includes(tag)).map((tag) => `drizzle/${tag}.sql was released and is gone`),
    ...release.migrations
      .filter(({ tag }) => !old.has(tag))
      .flatMap(({ tag, statements }) => migrationFaults(statements).map((fault) => `drizzle/${tag}.sql: ${fault}`)),
    ...released.entries
      .filter((entry) => !own.entries.includes(entry))
      .map(
        (entry) => `gateways of the last release call ${entry}: keep its signature, and put new data into its jsonb or another function`,
      ),
    ...(release.oldestServed > released.version
      ? [
          `drizzle/version.json: oldestServed must be at most ${released.version}, or gateways of the last release could not run beside this one`,
        ]
      : []),
  ];
}
