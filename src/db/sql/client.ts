// The connections to Postgres: one pool for reads, one for writes, one for each replica, and the settings of each.
// Knows no table and no rule. Never hands out a transaction: every write is one statement (see apply-write.ts).

import { readFileSync } from 'node:fs';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import { limits } from '../../domain/limits.ts';
import { addressOf } from './address.ts';
import { arraysByType } from './array-types.ts';
import { type ConnectionOptions, noting, type Sql, type StatementNotes, unconnected } from './driver.ts';
import { type Deadlines, Pool, type PoolOptions, type PoolState } from './pool.ts';
import { Replicas } from './replicas.ts';
import { addressesOf, driverOverWires, openingOf, poolerMark, wireOf } from './session.ts';
import { schemaOf, searchPath, sessionSettings } from './session-settings.ts';
import type { Address } from './wire.ts';

export type { Sql } from './driver.ts';

/** The address of a database, a URL or the unix socket of the embedded Postgres, and the place of our tables in it. */
export type DatabaseTarget = (
  | { readonly url: string /** Holds the password; read for each connection. */; readonly passwordFile?: string }
  | { readonly socketDirectory: string; readonly port: number; readonly user: string; readonly database: string }
) & {
  /** The schema of the tables. */
  readonly schema?: string;
  /** Settings of its sessions that win over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Directories of this machine on the volumes of its files, as far as they are known. */
  readonly volumes?: readonly string[];
};

export interface DatabaseOptions {
  /** Connections for reads. Default 6. */
  readonly readConnections?: number;
  /** Connections for writes. Default 12; each kind of write has its share (writes/permits.ts). */
  readonly writeConnections?: number;
  /** Streaming replicas that answer reads, one server each. */
  readonly replicas?: readonly DatabaseTarget[];
  /** Seconds by which a replica may be behind when it answers a caller that says what it has written. Default 10. */
  readonly replicaLag?: number;
  /** How long a statement waits for a lock, in milliseconds. Default `limits.lockTime`. */
  readonly lockTime?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** Called with the text of each statement sent; tests count statements with it. */
  readonly onStatement?: (statement: string) => void;
  /** Those of `limits` by default. */
  readonly deadlines?: Partial<Deadlines>;
}

/** A handle on the database. The first argument of every function in src/db. */
export interface Db {
  /** Drizzle over the read pool: the builder for plain statements. Unprepared unless `.prepare(name)` is used. */
  readonly orm: PostgresJsDatabase;
  /** Tagged templates over the read pool, prepared by the server. Timestamps arrive as text. */
  readonly sql: Sql;
  /** The write pool: only apply-write.ts and the commands use it. */
  readonly writes: Sql;
  /** Rejects when the server does not answer that pool within so many milliseconds. Does not wait for connections that are in use. */
  probe(which: 'reads' | 'writes', within: number): Promise<void>;
  readonly pools: () => { readonly reads: PoolState; readonly writes: PoolState; readonly replicas?: PoolState };
  close(): Promise<void>;
}

/** By the client of a pool, the one for heavy work. */
const heavyClients = new WeakMap<Sql, Sql>();
/** The variants of handles for heavy work, made when they are first asked for, and the handles of these variants. */
const heavyVariants = new WeakMap<Db, Db>();
const handlesOfVariants = new WeakMap<Db, Db>();
/** By the handles of replicas. */
const primaries = new WeakMap<Db, Db>();

/** The same database for one request, which counts its statements. */
class NotedDb implements Db {
  readonly plain: Db;
  readonly notes: StatementNotes;
  #orm: PostgresJsDatabase | undefined;
  #sql: Sql | undefined;
  #writes: Sql | undefined;

  constructor(plain: Db, notes: StatementNotes) {
    this.plain = plain;
    this.notes = notes;
  }

  get orm(): PostgresJsDatabase {
    this.#orm ??= drizzle(this.sql);
    return this.#orm;
  }

  get sql(): Sql {
    this.#sql ??= noting(this.plain.sql, this.notes);
    return this.#sql;
  }

  get writes(): Sql {
    this.#writes ??= noting(this.plain.writes, this.notes);
    return this.#writes;
  }

  get pools(): Db['pools'] {
    return this.plain.pools;
  }

  probe(...given: Parameters<Db['probe']>): Promise<void> {
    return this.plain.probe(...given);
  }

  close(): Promise<void> {
    return this.plain.close();
  }
}

/** The handle for a request; `notes` counts its statements. */
export function notedBy(db: Db, notes: StatementNotes): Db {
  return new NotedDb(withoutNotes(db), notes);
}

/** Counts a statement that another process sent for the request of this handle. */
export function noteStatement(db: Db, statement: Parameters<StatementNotes['noteStatement']>[0]): void {
  if (db instanceof NotedDb) db.notes.noteStatement(statement);
}

/** The handle for a statement that several requests share: each of them counts it. */
export function notedByAll(db: Db, sharing: readonly Db[]): Db {
  const all = sharing.flatMap((one) => (one instanceof NotedDb ? [one.notes] : []));
  return notedBy(db, { noteStatement: (statement) => all.forEach((notes) => void notes.noteStatement(statement)) });
}

/** The handle without a request. */
export function withoutNotes(db: Db): Db {
  return db instanceof NotedDb ? db.plain : db;
}

/** A statement of Drizzle that was built for the plain handle, sent through that of a request. */
export function statementFor<Statement extends object>(db: Db, statement: Statement): Statement {
  return db instanceof NotedDb ? (Object.create(statement, { client: { value: db.sql } }) as Statement) : statement;
}

/** Another handle of the database for the same request. */
function withNotesOf(db: Db, other: Db): Db {
  return db instanceof NotedDb ? notedBy(other, db.notes) : other;
}

/** The same database for heavy work: few of its reads run at once, and others go first. */
export function forHeavyWork(db: Db): Db {
  const plain = withoutNotes(db);
  const sql = heavyClients.get(plain.sql);
  if (!sql) return db;
  let heavy = heavyVariants.get(plain);
  if (!heavy) {
    heavy = { ...plain, orm: drizzle(sql), sql };
    heavyVariants.set(plain, heavy);
    handlesOfVariants.set(heavy, plain);
  }
  return withNotesOf(db, heavy);
}

/** The handle itself, or the one that it is a variant of. State of a database is kept once, under this handle. */
export function mainHandleOf(db: Db): Db {
  const plain = withoutNotes(db);
  const handle = handlesOfVariants.get(plain) ?? plain;
  return primaries.get(handle) ?? handle;
}

const replicasOf = new WeakMap<Db, Replicas<Db>>();

/**
 * The database for the reads of one request that decide nothing: a replica that has everything answered so far, or the primary. `position` is the one that
 * the caller got with its last write: then a replica that has replayed so far is enough.
 */
export async function readerOf(db: Db, position: string | undefined): Promise<Db> {
  const chosen = await replicasOf.get(mainHandleOf(db))?.choose(position);
  return chosen ? withNotesOf(db, chosen) : db;
}

/** The primary, for reads that decide something or whose answer is kept. */
export function primaryOf(db: Db): Db {
  const plain = withoutNotes(db);
  const handle = handlesOfVariants.get(plain);
  const primary = primaries.get(handle ?? plain);
  return primary ? withNotesOf(db, handle ? forHeavyWork(primary) : primary) : db;
}

/** A position after everything that was answered before, for callers to send with their reads; null without replicas. Never rejects. */
export async function positionOf(db: Db): Promise<string | null> {
  return (await replicasOf.get(mainHandleOf(db))?.position()) ?? null;
}

/** For each replica the seconds by which its answers may be behind; null while it is left out. */
export function replicaLags(db: Db): readonly (number | null)[] {
  return replicasOf.get(mainHandleOf(db))?.lags ?? [];
}

const second = 1000;

const usualDeadlines: Deadlines = {
  connect: limits.connectTime,
  wait: limits.connectionWaitTime,
  answer: limits.answerTime,
  silence: limits.silenceTime,
};

/** Session settings for reads: the tables fit in memory, so a random page costs hardly more than a sequential one. */
const readSettings = { random_page_cost: '1.1' };

/**
 * Session settings for writes. Statements are planned once per connection, which doubles their rate. All of them find few rows by key, regardless of
 * the size of the cloud, so plans made while tables were small, or seemed to be, must not scan them, whether directly or to keep rows for a loop.
 */
export const writeSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
};

/** Options common to all our connections; `settings` become run-time parameters of the session. */
export function connectionOptions(target: DatabaseTarget, settings: Record<string, string | number>): ConnectionOptions {
  const named = 'url' in target ? addressOf(target.url).settings : {};
  return {
    ...('url' in target
      ? urlOptions(target)
      : { host: target.socketDirectory, port: target.port, username: target.user, database: target.database, ssl: false as const }),
    connect_timeout: limits.connectTime / second,
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    // A restarted server is back within a second; with the driver's own back-off callers would wait for ten.
    backoff: (retries: number) => Math.min(0.5, 0.02 * 2 ** retries),
    onnotice: () => {},
    fetch_types: false,
    types: arraysByType,
    connection: asTexts({
      ...sessionSettings,
      search_path: searchPath(schemaOf(target)),
      ...settings,
      ...named,
      ...target.settings,
      ...(isPooled(target) && { [poolerMark]: 'session' }),
    }),
  };
}

/** The driver leaves out values that are zero or false. */
function asTexts(settings: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
}

/** A client of the driver: for transactions, which no pool offers. It tries the addresses of the target in turn, one for each connection. */
export function connect(target: DatabaseTarget, options: ConnectionOptions): Sql {
  const parsed = parse(target, options).options;
  const addresses = addressesOf(parsed);
  let turn = 0;
  const next = () => addresses[turn++ % addresses.length] as Address;
  const sql = driverOverWires(parsed, () => wireOf(parsed, next(), limits.connectTime, {}));
  openings.set(sql, openingOf(parsed));
  return sql;
}

/** The statements with which sessions of clients begin. */
const openings = new WeakMap<Sql, string>();

/** Lets a client that `connect` made try one address after the other until one accepts the session. */
export async function reach(sql: Sql, target: DatabaseTarget): Promise<void> {
  const servers = addressesOf(parse(target, {}).options).length;
  for (let tried = 1; ; tried++) {
    try {
      await sql.unsafe(openings.get(sql) ?? 'select 1');
      return;
    } catch (error) {
      if (tried >= servers) throw error;
    }
  }
}

/** An unconnected driver: for the `url` when given, else for the socket of the options. */
function parse(target: DatabaseTarget, options: ConnectionOptions): Sql {
  return unconnected('url' in target ? addressOf(target.url).url : null, options);
}

/** Whether the address says that there is a pooler in session mode. */
export function isPooled(target: DatabaseTarget): boolean {
  return 'url' in target && addressOf(target.url).isPooled;
}

function urlOptions({ url, passwordFile }: Extract<DatabaseTarget, { url: string }>): ConnectionOptions {
  const { ssl, targetSessionAttributes: wanted } = addressOf(url);
  return {
    ssl,
    ...(wanted !== null && { target_session_attrs: wanted as NonNullable<ConnectionOptions['target_session_attrs']> }),
    ...(passwordFile !== undefined && { password: () => readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '') }),
  };
}

/** Opens both pools for work that goes through whole tables: statements have no deadline. */
export function openForWholeTables(target: DatabaseTarget, options: DatabaseOptions = {}): Db {
  const settings = { ...target.settings, statement_timeout: '0' };
  return openDatabase({ ...target, settings }, { ...options, deadlines: { ...options.deadlines, answer: Number.POSITIVE_INFINITY } });
}

/** Opens both pools; they connect on first use. */
export function openDatabase(target: DatabaseTarget, options: DatabaseOptions = {}): Db {
  const applicationName = options.applicationName ?? 'placement-gateway';
  const debug = options.onStatement ? { debug: (_connection: number, query: string) => options.onStatement?.(query) } : {};
  const lockTime = options.lockTime ?? limits.lockTime;
  const deadlines = { ...usualDeadlines, ...options.deadlines };
  // A dark connection is seldom the only one, and a new one costs little.
  const onDark = () => {
    reads.dropFree();
    writes.dropFree();
  };
  const pool = (
    server: DatabaseTarget,
    { name, max = 6, ...more }: Pick<PoolOptions, 'name' | 'onEnd' | 'otherwise'> & { max: number | undefined },
    own: Record<string, string>,
  ) => {
    const session = { application_name: applicationName, lock_timeout: lockTime, ...own };
    const driver = parse(server, { ...connectionOptions(server, session), max, ...debug });
    return new Pool(driver, { name, max, heavyAtOnce: limits.heavyStatements, deadlines, onDark, ...more });
  };
  const reads = pool(target, { name: 'reads', max: options.readConnections }, readSettings);
  const writes = pool(target, { name: 'writes', max: options.writeConnections ?? 12 }, writeSettings);
  const open: OpenPools = { reads, writes, replicas: [], chooser: null };
  const replicas = (options.replicas ?? []).map((server) => {
    const own: Pool = pool(
      server,
      {
        name: 'replicas',
        max: options.readConnections,
        otherwise: { pool: reads, isWanted: () => open.chooser?.isForgotten(handle) ?? true },
        onEnd: () => open.chooser?.forget(handle),
      },
      readSettings,
    );
    const handle = handleOver(own, open);
    open.replicas.push(own);
    return { sql: own.ownSql, handle };
  });
  const main = handleOver(reads, open);
  for (const { handle } of replicas) primaries.set(handle, main);
  if (replicas.length > 0) {
    open.chooser = new Replicas({ primary: main.sql, replicas, lag: (options.replicaLag ?? 10) * second });
    replicasOf.set(main, open.chooser);
  }
  return main;
}

/** The pools of a database, and what chooses among its replicas; null without any. */
interface OpenPools {
  readonly reads: Pool;
  readonly writes: Pool;
  readonly replicas: Pool[];
  chooser: Replicas<Db> | null;
}

/** The handle that reads through a pool. drizzle() replaces the date parsers of its client: through `sql`, too, timestamps arrive as Postgres writes them. */
function handleOver({ sql, heavySql }: Pool, open: OpenPools): Db {
  const { reads, writes, replicas } = open;
  heavyClients.set(sql, heavySql);
  return {
    orm: drizzle(sql),
    sql,
    writes: writes.sql,
    pools: () => ({
      reads: reads.state,
      writes: writes.state,
      ...(replicas.length > 0 && { replicas: sumOf(replicas.map(({ state }) => state)) }),
    }),
    probe: (which, within) => open[which].probe(within),
    close: async () => {
      open.chooser?.close();
      await Promise.all([...replicas, reads, writes].map((pool) => pool.end({ timeout: 5 })));
    },
  };
}

function sumOf(states: readonly PoolState[]): PoolState {
  const sum = (of: (state: PoolState) => number) => states.reduce((total, state) => total + of(state), 0);
  return { open: sum(({ open }) => open), used: sum(({ used }) => used), waiting: sum(({ waiting }) => waiting) };
}
