// The database of this release: the migrations of its tables, its write functions, and the version of both together. Reads files only.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { withOperations } from '../writes/operations.ts';
import { providersInSql } from './provider-columns.ts';

export interface Migration {
  readonly tag: string;
  readonly statements: string;
}

export interface Release {
  /** Rises with each change of a migration or function. */
  readonly version: number;
  /** The lowest version whose gateways may use a database of this version. */
  readonly oldestServed: number;
  /** Of all files. */
  readonly digest: string;
  readonly migrations: readonly Migration[];
  /** The statements that create all functions, and a digest of them alone. */
  readonly functions: { readonly statements: string; readonly digest: string };
  readonly entries: readonly Entry[];
}

/** A function that statements of gateways call themselves. All others are called by functions only. */
export interface Entry {
  readonly signature: string;
  readonly statements: string;
  /** Whether it calls others. */
  readonly calls: boolean;
}

const root = new URL('../../../', import.meta.url);
const versionFile = new URL('drizzle/version.json', root);

/**
 * Gateways of an older release still call these after a newer one has migrated the database: their arguments and results only gain fields, and their
 * signatures stay. check:migrations compares them with those of the last release.
 */
const entries = [
  { name: 'apply_write', parameters: '(text, jsonb)', calls: true },
  { name: 'ensure_consumer_names', parameters: '(text[], text[], text[])', calls: false },
  { name: 'await_providers', parameters: '(uuid[])', calls: false },
  { name: 'note_objects', parameters: '(uuid, text[], text[])', calls: false },
  { name: 'change_bridge', parameters: '(text, text, interval, bigint, text)', calls: false },
  { name: 'become_carrier', parameters: '(uuid, interval)', calls: false },
  { name: 'provider_state', parameters: '(bigint)', calls: true },
  { name: 'consumer_states', parameters: '(bigint[])', calls: true },
  { name: 'loads_in_time', parameters: '(bigint[], int[], timestamptz[], bigint)', calls: false },
  { name: 'mendable_promises', parameters: '()', calls: true },
  { name: 'changed_classes', parameters: '(jsonb)', calls: false },
  { name: 'class_subject', parameters: '(text)', calls: false },
  { name: 'tree_states', parameters: '(bigint)', calls: true },
  // With the rights of the role that owns the tables.
  { name: 'create_event_chunk', parameters: '()', calls: true },
  { name: 'begin_event_chunk', parameters: '(interval, timestamptz)', calls: true },
  { name: 'drop_event_chunk', parameters: '(timestamptz)', calls: true },
  { name: 'keep_project_usages', parameters: '(int)', calls: true },
  { name: 'count_refused_claims', parameters: '(jsonb)', calls: false },
  // For operators who change rows of providers by hand.
  { name: 'mark_changed', parameters: '(bigint[])', calls: false },
];

/** Reads the files of this release. */
export function readRelease(): Release {
  const { version, oldestServed } = readVersion();
  const migrations = readMigrations();
  const files = readFunctions();
  const functions = [...files.values()].join('\n');
  return {
    version,
    oldestServed,
    digest: digestOf(JSON.stringify([migrations, functions, oldestServed])),
    migrations,
    functions: { statements: functions, digest: digestOf(functions) },
    entries: entries.map(({ name, parameters, calls }) => {
      const statements = files.get(name);
      if (statements === undefined) throw new Error(`there is no function ${name} in src/db/writes`);
      return { signature: `${name}${parameters}`, statements, calls };
    }),
  };
}

/** What drizzle/version.json says; `digest` is that of the files for which its version was given. */
export function readVersion(): { readonly version: number; readonly oldestServed: number; readonly digest: string } {
  return JSON.parse(readFileSync(versionFile, 'utf8')) as ReturnType<typeof readVersion>;
}

function readMigrations(): Migration[] {
  const { entries } = JSON.parse(readFileSync(new URL('drizzle/meta/_journal.json', root), 'utf8')) as { entries: { tag: string }[] };
  return entries.map(({ tag }) => ({ tag, statements: readFileSync(new URL(`drizzle/${tag}.sql`, root), 'utf8') }));
}

function readFunctions(): Map<string, string> {
  const folders = ['functions', 'steps'].map((name) => new URL(`src/db/writes/${name}/`, root));
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => new URL(file, folder)));
  return new Map(
    files
      .filter(({ pathname }) => pathname.endsWith('.sql'))
      .map((file) => [basename(file.pathname, '.sql'), withOperations(readFileSync(file, 'utf8'), providersInSql)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
