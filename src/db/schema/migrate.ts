// Migrates a database to this release: tables (drizzle/) and write functions (../writes/functions and ../writes/steps) in one transaction, while gateways
// of the previous release continue to work. Never lowers a newer database. The rules for changes are in CONTRIBUTING.md.
import { connect, connectionOptions, type DatabaseTarget, isPooled, reach, type Sql } from '../sql/client.ts';
import { quoted, schemaOf, searchPath } from '../sql/session-settings.ts';
import { sqlState } from '../writes/apply-write.ts';
import { type DatabaseVersion, readDatabaseVersion, refusalOf, standingOf } from './database-version.ts';
import { prepareTables } from './prepare-tables.ts';
import { type Migration, type Release, readRelease } from './release.ts';
import { refuseOtherDatabase, refuseWithoutRights } from './roles.ts';
import { adviceOn, refusedByPooler, refuseUnfitServer } from './server-checks.ts';
import { Waiting } from './waiting.ts';

export interface MigrateOptions {
  /** Called with a line about each step, and about what it waits for. */
  readonly report?: (line: string) => void;
  /** Called with a line about each setting of the server that is unwise. */
  readonly warn?: (line: string) => void;
  /** Where to connect for the migration itself, if its role is another. Default: the target. */
  readonly owner?: DatabaseTarget;
  /** Whether to wait for somebody else to migrate when the role lacks the rights. */
  readonly waitForOwner?: boolean;
  /** Milliseconds that it may wait for others. Default: for ever. */
  readonly patience?: number;
  /** Default: this release, from its files. */
  readonly release?: Release;
}

/**
 * While a migration waits to alter a table that a dump or a long report uses, nobody can begin to use that table. So the migration waits briefly, less than a
 * write waits for a lock, and tries again after a pause in which the others continue.
 */
const lockTime = 500;
const migrationLock = 8_778_001;

// Raised by the statement itself when another gateway was faster, and by Postgres when two gateways create the first objects at once.
const overtaken = ['RP002', '42P06', '42P07', '23505'];
const locked = ['55P03', '40P01'];
const forbidden = '42501';
const outOfTime = '57014';

/** Migrates the database; safe to call from many gateways at once. Throws an error that says what to do when it cannot. */
export async function migrate(target: DatabaseTarget, options: MigrateOptions = {}): Promise<void> {
  const { owner = target, report = () => {}, release = readRelease() } = options;
  const sql = connectTo(target);
  const owning = owner === target ? sql : connectTo(owner);
  const beside = isPooled(target) ? connectTo(target) : null;
  try {
    await reach(sql, target);
    if (beside) await reach(beside, target);
    if (owning !== sql) {
      await reach(owning, owner);
      await refuseOtherDatabase(sql, owning);
    }
    await refuseUnfitServer(sql, beside);
    await beside?.end({ timeout: 5 });
    for (const line of await adviceOn(sql)) options.warn?.(line);
    await migrateSchema(owning, schemaOf(target), release, options, report);
    await refuseWithoutRights(sql, schemaOf(target));
    await prepareTables(sql);
  } catch (error) {
    throw refusedByPooler(error) ?? error;
  } finally {
    await Promise.all([sql, owning, beside].map((client) => client?.end({ timeout: 5 })));
  }
}

function connectTo(target: DatabaseTarget): Sql {
  return connect(target, {
    ...connectionOptions(target, { application_name: 'placement-gateway migrate', statement_timeout: 0, lock_timeout: lockTime }),
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
  });
}

async function migrateSchema(
  owning: Sql,
  schema: string,
  release: Release,
  { waitForOwner = false, patience = Number.POSITIVE_INFINITY }: MigrateOptions,
  report: (line: string) => void,
): Promise<void> {
  const waiting = new Waiting(patience, report);
  for (;;) {
    await refuseWithoutRights(owning, schema);
    const database = await readDatabaseVersion(owning);
    const standing = standingOf(database, release);
    if (standing === 'current') return;
    if (standing === 'newer') {
      report(`the database is newer than this release (version ${database?.version}, ${release.version} here): used as it is`);
      return;
    }
    if (database && standing !== 'behind') throw new Error(refusalOf(standing, database, release));
    try {
      const step = await takeStep(owning, schema, database, release, waiting);
      if (step === 'done') report(`the database is migrated to version ${release.version}`);
      if (step === 'of another') await waiting.pause('another gateway creates an index');
    } catch (error) {
      const state = sqlState(error) ?? '';
      if (locked.includes(state)) await waiting.pause(`the tables are in use by ${await describeUser(owning)}`);
      else if (state === forbidden && waitForOwner) await waiting.pause(`the database is not migrated yet: ${missingRights(error)}`);
      else if (state === forbidden) throw new Error(missingRights(error), { cause: error });
      else if (overtaken.includes(state)) await waiting.pause('another gateway migrates the database');
      else throw error;
    }
  }
}

function missingRights(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `this role may not migrate (${reason}): run \`placement-gateway migrate\` with DATABASE_MIGRATION_URL of the role that owns the schema`;
}

/** The oldest transaction, for a line of the log. */
async function describeUser(sql: Sql): Promise<string> {
  const [user] = await sql<{ text: string }[]>`
    select format('process %s (%s), whose transaction began at %s', pid, coalesce(nullif(application_name, ''), usename), xact_start::timestamptz(0)) as text
    from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    order by xact_start limit 1`;
  return user?.text ?? 'others';
}

const isConcurrent = ({ statements }: Migration) => /\bindex concurrently\b/i.test(statements);

/** Migrates up to the next index that is created concurrently, or creates that, or completes the migration. */
async function takeStep(
  owning: Sql,
  schema: string,
  database: DatabaseVersion | null,
  release: Release,
  waiting: Waiting,
): Promise<'on the way' | 'of another' | 'done'> {
  const applied = new Set(database?.migrations);
  const pending = release.migrations.filter(({ tag }) => !applied.has(tag));
  const concurrent = pending.findIndex(isConcurrent);
  const [next] = pending;
  if (next && concurrent === 0) return createIndex(owning, schema, next, waiting);
  const steps = concurrent < 0 ? pending : pending.slice(0, concurrent);
  await owning
    .unsafe([...changeTables(schema, database, steps), ...(concurrent < 0 ? complete(schema, database, release) : [])].join('\n'))
    .simple();
  return concurrent < 0 ? 'done' : 'on the way';
}

/** Such a statement waits for all older transactions, stops no writes meanwhile, and cannot be part of a transaction. */
async function createIndex(
  owning: Sql,
  schema: string,
  { tag, statements }: Migration,
  waiting: Waiting,
): Promise<'on the way' | 'of another'> {
  const key = owning`${migrationLock}::int, hashtext(${schema})`;
  const [lock] = await owning<{ taken: boolean }[]>`select pg_try_advisory_lock(${key}) as taken`;
  if (!lock?.taken) return 'of another';
  const reason = `an index is created (${tag}), after all older transactions`;
  waiting.say(reason);
  try {
    const time = Number.isFinite(waiting.left) ? Math.max(1000, Math.ceil(waiting.left)) : 0;
    await owning`select set_config('lock_timeout', '0', false), set_config('statement_timeout', ${`${time}`}, false)`;
    for (const statement of statements.split('--> statement-breakpoint')) await owning.unsafe(statement);
    await owning`insert into schema_migrations (tag) values (${tag}) on conflict do nothing`;
    return 'on the way';
  } catch (error) {
    throw sqlState(error) === outOfTime ? waiting.inVain(reason) : error;
  } finally {
    await owning`
      select set_config('lock_timeout', ${`${lockTime}`}, false), set_config('statement_timeout', '0', false), pg_advisory_unlock(${key})`;
  }
}

/** The statements of one message, which Postgres executes in one transaction: first the tables. */
function changeTables(schema: string, database: DatabaseVersion | null, steps: readonly Migration[]): string[] {
  return [
    `select pg_advisory_xact_lock(${migrationLock}, hashtext(${literal(schema)}));`,
    `set local search_path = ${searchPath(schema)};`,
    database ? unlessOvertaken(database) : createBookkeeping(schema),
    ...steps.map(({ tag, statements }) => `${statements};\ninsert into schema_migrations (tag) values (${literal(tag)});`),
  ];
}

/** Then the functions, and the version of both. */
function complete(schema: string, database: DatabaseVersion | null, release: Release): string[] {
  const functions = `${schema}_functions_${release.functions.digest.slice(0, 8)}`;
  return [
    // Functions call each other, and SQL functions are checked on creation: without the check their order does not matter.
    'set local check_function_bodies = off;',
    createFunctions(schema, functions, release),
    dropFunctions(schema, [functions, database?.functions ?? functions]),
    `insert into schema_versions (version, digest, oldest_served, functions) values
      (${release.version}, ${literal(release.digest)}, ${release.oldestServed}, ${literal(functions)})
      on conflict (version) do update set
      digest = excluded.digest, oldest_served = excluded.oldest_served, functions = excluded.functions, applied_at = excluded.applied_at;
    delete from schema_versions where version = 0;`,
  ];
}

/** Roles that get rights on all tables by default may only read the version. */
function createBookkeeping(schema: string): string {
  return `
    create schema if not exists ${quoted(schema)};
    create table schema_migrations (tag text primary key, applied_at timestamptz not null default now());
    create table schema_versions (
      version integer primary key, digest text not null, oldest_served integer not null, functions text not null,
      applied_at timestamptz not null default now());
    do $revoke$ declare other regrole; begin
      for other in
        select distinct grantee::regrole from pg_class, aclexplode(relacl) where oid = 'schema_versions'::regclass and grantee not in (0, relowner)
      loop
        execute format('revoke insert, update, delete on schema_migrations, schema_versions from %s', other);
      end loop;
    end $revoke$;
    insert into schema_versions (version, digest, oldest_served, functions) values (0, '', 0, '');`;
}

/** Under the lock: whether the database is still the one for which the statements were written. */
function unlessOvertaken({ version, digest, migrations }: DatabaseVersion): string {
  return `
    do $guard$ begin
      if (select (v.version, v.digest, (select count(*) from schema_migrations)) is distinct from (${version}, ${literal(digest)}, ${migrations.length}::bigint)
          from schema_versions v order by v.version desc limit 1) then
        raise sqlstate 'RP002' using message = 'another gateway has migrated the database meanwhile';
      end if;
    end $guard$;`;
}

/**
 * Each set of functions has a schema of its own, so that the functions with which a write began complete it, while the new ones do all writes that
 * begin after the migration, those of older gateways included. The search path of the functions that gateways call chooses the set.
 */
function createFunctions(schema: string, functions: string, { functions: { statements }, entries }: Release): string {
  return `
    create schema if not exists ${quoted(functions)};
    set local search_path = ${searchPath(functions, schema)};
    ${statements}
    set local search_path = ${searchPath(schema)};
    ${entries.map((entry) => entry.statements).join('\n')}
    ${entries
      .filter(({ calls }) => calls)
      .map(({ signature }) => `alter function ${signature} set search_path = ${searchPath(functions, schema)};`)
      .join('\n')}`;
}

/** Drops older sets. The last one may be in use by writes in progress. */
function dropFunctions(schema: string, kept: readonly string[]): string {
  return `
    do $drop$ declare old record; begin
      for old in
        select nspname from pg_namespace
        where nspname ~ ${literal(`^${schema}_functions_[0-9a-f]{8}$`)} and nspname not in (${kept.map(literal).join(', ')})
      loop
        execute format('drop schema %I cascade', old.nspname);
      end loop;
    end $drop$;`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
