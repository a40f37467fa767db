// The only file that imports the driver, postgres.js. The driver builds statements, encodes values and decodes answers. Pools, sessions and connections are
// ours (pool.ts, session.ts, wire.ts), because one connection that breaks must not harm another, and every statement needs a deadline. That takes parts of
// the driver that it does not document. All of them are here, each with its reason. Knows no pool and no connection.
import type { EventEmitter } from 'node:events';
import postgres, { type Options, type PostgresError, type PostgresType, type Sql } from 'postgres';
import type { NotedStatement } from '../../measures/activity.ts';

export type { Sql } from 'postgres';

/**
 * The version of the driver in whose source these parts were read. Before this number changes, read them again: class Query (query.js), the functions Postgres,
 * Sql and parseOptions (index.js), and every use of `socket` and `query` in connection.js.
 */
export const readInVersion = '3.4.9';

export type ConnectionOptions = Options<Record<string, PostgresType>>;
export type ParsedOptions = Sql['options'];

/**
 * A statement as the driver builds it: a promise that hands itself to `handler` when it is first awaited, and that `resolve` or `reject` settles. A pool sets
 * the handler to receive the statement, and replaces `resolve` and `reject` to see what becomes of it.
 */
export interface DriverQuery {
  /** Ours: who is told when it is over. */
  notes?: StatementNotes | undefined;
  handler: (query: DriverQuery) => unknown;
  resolve: (rows: unknown) => void;
  reject: (error: unknown) => void;
}

/** Counts the statements of a request. */
export interface StatementNotes {
  noteStatement(statement: NotedStatement): void;
}

/** The arguments of the constructor of a statement, which it keeps as properties; `isRaw` is set later. */
interface Built extends DriverQuery {
  readonly constructor: new (...from: readonly unknown[]) => DriverQuery & Promise<unknown>;
  readonly strings: unknown;
  readonly args: unknown;
  readonly canceller: unknown;
  readonly options: unknown;
  readonly isRaw?: unknown;
}

/** What the driver uses of a socket that it is given, beside its events. (It pauses and resumes one only for COPY, which we do not use.) */
export interface DriverSocket extends EventEmitter {
  readonly readyState: 'open' | 'closed';
  write(bytes: Uint8Array): boolean;
  end(bytes?: Uint8Array): void;
  destroy(cause?: Error): void;
}

/** Distinguishes statements from fragments and identifiers, which the same tag builds. */
function isDriverQuery(value: unknown): value is DriverQuery {
  return typeof value === 'object' && value !== null && 'handler' in value && 'reject' in value;
}

/** The same statement, not sent yet: one that failed is sent elsewhere, and a statement can be awaited and settled only once. */
export function copyOf(query: DriverQuery): DriverQuery & Promise<unknown> {
  const { constructor: Query, strings, args, handler, canceller, options, isRaw, notes } = query as Built;
  return Object.assign(new Query(strings, args, handler, canceller, options), { isRaw, notes });
}

/** A driver that is never connected: it parses options and builds statements. */
export function unconnected(url: string | null, options: ConnectionOptions): Sql {
  return url === null ? postgres(options) : postgres(url, options);
}

/**
 * A driver whose connections are the given sockets, for options that another driver has parsed: `shared` marks them as parsed, and a driver takes those as they
 * are. Hosts, encryption, time limits and what the server must be are left to the socket: the driver would try other hosts by itself, and its own time limits
 * keep state that spoils the next connection.
 */
export function driverOver(parsed: ParsedOptions, socket: () => DriverSocket, more: object = {}): Sql {
  const asGiven = { socket, shared: { retries: 0, typeArrayMap: {} }, no_subscribe: true };
  const not = { host: ['server'], port: [0], ssl: false, connect_timeout: 0, keep_alive: null, target_session_attrs: undefined };
  return postgres(Object.assign({}, parsed, asGiven, not, more));
}

/** What a driver does with its statements: sends them over a connection of its own. A session calls it for statements that another driver has built. */
export function handlerOf(driver: Sql): DriverQuery['handler'] {
  return built(driver.unsafe('')).handler;
}

/** A statement of a driver, not sent yet. */
export function built(query: unknown): DriverQuery {
  if (!isDriverQuery(query)) throw new Error(`postgres.js builds its statements in another way than in ${readInVersion}`);
  return query;
}

/** A client that builds statements as the driver does, and gives them to `accept`. All else is the driver's, such as `json` and `array`. */
export function redirected(driver: Sql, accept: DriverQuery['handler'], end: (how?: { readonly timeout?: number }) => Promise<void>): Sql {
  // A statement asks its handler for `debug`, to know whether to remember where it was built.
  const handler = Object.assign(accept, { debug: driver.options.debug });
  const redirect = <Query>(query: Query): Query => {
    if (isDriverQuery(query)) query.handler = handler;
    return query;
  };
  const tagged = (...given: Parameters<Sql>) => redirect(driver(...given));
  const unsafe = (...given: Parameters<Sql['unsafe']>) => redirect(driver.unsafe(...given));
  return Object.assign(Object.defineProperties(tagged, Object.getOwnPropertyDescriptors(driver)) as Sql, { unsafe, end });
}

/** The same client, whose statements are noted. Inherits the rest, since one is made for each request. */
export function noting(sql: Sql, notes: StatementNotes): Sql {
  const noted = <Query>(query: Query): Query => {
    if (isDriverQuery(query)) query.notes = notes;
    return query;
  };
  const tagged = (...given: Parameters<Sql>) => noted(sql(...given));
  const unsafe = (...given: Parameters<Sql['unsafe']>) => noted(sql.unsafe(...given));
  return Object.setPrototypeOf(Object.assign(tagged, { unsafe }), sql) as Sql;
}

/** Whether the server has answered with this error. Any other leaves in doubt what the driver expects next. */
export function isServerError(error: unknown): error is PostgresError {
  return error instanceof postgres.PostgresError;
}
