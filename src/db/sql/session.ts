// One session with the server: one connection and one driver that knows only it. Both end together, so that nothing the driver kept of a connection that
// broke can reach another one. Knows how the driver takes its statements; decides nothing about when one is sent or given up.
import postgres, { type Sql } from 'postgres';
import type { NotedStatement } from '../../measures/activity.ts';
import { type Address, ConnectionFault, Wire, type WireOptions } from './wire.ts';

/** A statement as the driver builds it: a promise that is settled from outside, and handed to a connection when it is awaited. */
export interface DriverQuery {
  /** Who is told when it is over. */
  notes?: StatementNotes | undefined;
  handler: (query: DriverQuery) => unknown;
  resolve: (rows: unknown) => void;
  reject: (error: unknown) => void;
}

/** Whoever counts the statements of a request. */
export interface StatementNotes {
  noteStatement(statement: NotedStatement): void;
}

/** What the driver builds a statement from. */
interface Built extends DriverQuery {
  readonly constructor: new (...from: readonly unknown[]) => DriverQuery & Promise<unknown>;
  readonly strings: unknown;
  readonly args: unknown;
  readonly canceller: unknown;
  readonly options: unknown;
  readonly isRaw?: unknown;
}

/** The same statement, not sent yet. */
export function copyOf(query: DriverQuery): DriverQuery & Promise<unknown> {
  const { constructor: Query, strings, args, handler, canceller, options, isRaw, notes } = query as Built;
  return Object.assign(new Query(strings, args, handler, canceller, options), { isRaw, notes });
}

export function isDriverQuery(value: unknown): value is DriverQuery {
  return typeof value === 'object' && value !== null && 'handler' in value && 'reject' in value;
}

/** A statement on its way. */
export class Statement {
  readonly since = performance.now();
  /** How many rows it answered. */
  rows = 0;
  hasFailed = false;
  /** When it was handed to a session. */
  startedAt = 0;
  isSettled = false;
  readonly query: DriverQuery;
  /** Whether it belongs to heavy work. */
  readonly isHeavy: boolean;
  private readonly reject: DriverQuery['reject'];

  constructor(query: DriverQuery, isHeavy = false) {
    const { resolve, reject } = query;
    this.query = query;
    this.isHeavy = isHeavy;
    this.reject = reject;
    query.resolve = (rows) => {
      this.isSettled = true;
      if (Array.isArray(rows)) this.rows = rows.length;
      resolve(rows);
    };
  }

  fail(error: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.hasFailed = true;
    this.reject(error);
  }
}

export type ParsedOptions = Sql['options'];

/** The name under which the settings of a session say that a pooler would drop them; it is never sent. */
export const poolerMark = 'pooler';

/** The statement with which a session begins: one that asks nothing, or, behind a pooler, one with the settings that others send before. */
export function openingOf({ connection }: ParsedOptions): string {
  const { [poolerMark]: mark, application_name: _, ...settings } = connection as Record<string, string>;
  if (mark === undefined) return 'select 1';
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return `select ${Object.entries(settings).map(([name, value]) => `set_config(${literal(name)}, ${literal(String(value))}, false)`)}`;
}

function withoutSettings({ connection }: ParsedOptions): object {
  return poolerMark in connection ? { connection: { application_name: connection.application_name } } : {};
}

/** A driver whose connections are wires: they do what it would do about hosts, encryption and time. For options that a driver has parsed. */
export function driverOver(parsed: ParsedOptions, socket: () => Wire, more: object = {}): Sql {
  const asGiven = { socket, shared: { retries: 0, typeArrayMap: {} }, no_subscribe: true };
  const not = { host: ['server'], port: [0], ssl: false, connect_timeout: 0, keep_alive: null, target_session_attrs: undefined };
  // `shared` is the mark of parsed options: the driver takes them as they are.
  return postgres(Object.assign({}, parsed, asGiven, not, withoutSettings(parsed), more));
}

/** A connection to an address, as the options of a driver ask for it. */
export function wireOf(parsed: ParsedOptions, address: Address, connectTime: number, events: Pick<WireOptions, 'onReady' | 'onEnd'>): Wire {
  const { ssl, target_session_attrs: wanted } = parsed;
  return new Wire({ address, encryption: ssl, connectTime, objection: (parameters) => objectionTo(parameters, wanted), ...events });
}

/** What libpq asks the server, Postgres tells since version 14; a pooler may not tell, and then nothing is asked. */
function objectionTo(parameters: ReadonlyMap<string, string>, wanted: ParsedOptions['target_session_attrs']): string | null {
  const isStandby = parameters.get('in_hot_standby') === 'on';
  const isReadOnly = isStandby || parameters.get('default_transaction_read_only') === 'on';
  const isWanted = {
    'read-write': !isReadOnly,
    'read-only': isReadOnly,
    primary: !isStandby,
    standby: isStandby,
    'prefer-standby': true,
  };
  return wanted && !isWanted[wanted] ? `the server is not what target_session_attrs=${wanted} asks for` : null;
}

export function addressesOf({ path, host, port }: ParsedOptions): Address[] {
  if (path) return [{ path }];
  return host.map((name, place) => ({ host: name, port: port[place] ?? 5432 }));
}

/** Who wants to know what becomes of a session. */
export interface SessionEvents {
  readonly onFree?: (session: Session) => void;
  /** A statement is over: answered, failed or lost. */
  readonly onOver?: (statement: Statement) => void;
  readonly onEnd?: (session: Session, cause: Error) => void;
}

const readOnly = '25006';

export class Session {
  readonly openedAt = performance.now();
  /** When it last became free. */
  freeSince = performance.now();
  statement: Statement | null = null;
  isOver = false;
  /** For statements of its own; those of a pool are run. */
  readonly sql: Sql;
  private readonly events: SessionEvents;
  private readonly connectTime: number;
  private readonly opening: string;
  private readonly handle: DriverQuery['handler'];
  private wire: Wire | undefined;

  constructor(parsed: ParsedOptions, address: Address, connectTime: number, events: SessionEvents) {
    this.events = events;
    this.connectTime = connectTime;
    this.opening = openingOf(parsed);
    const { debug } = parsed;
    this.sql = driverOver(parsed, () => this.connect(parsed, address), {
      ...{ max: 1, idle_timeout: null, max_lifetime: null },
      debug: typeof debug === 'function' ? (...said: Parameters<typeof debug>) => this.statement && debug(...said) : debug,
    });
    const inert: unknown = this.sql.unsafe('');
    if (!isDriverQuery(inert)) throw new Error('the driver builds its statements in another way');
    this.handle = inert.handler;
  }

  /** Resolves when the server has answered a first statement. */
  async open(): Promise<void> {
    const late = setTimeout(
      () => this.destroy(new ConnectionFault('CONNECT_TIMEOUT', 'the server did not answer in time')),
      this.connectTime,
    );
    try {
      await this.sql.unsafe(this.opening);
    } catch (error) {
      this.destroy();
      throw error;
    } finally {
      clearTimeout(late);
    }
    this.freeSince = performance.now();
  }

  get processId(): number | null {
    return this.wire?.processId ?? null;
  }

  /** When something last happened on the connection. */
  get heardAt(): number {
    return Math.max(this.wire?.heardAt ?? 0, this.statement?.startedAt ?? 0);
  }

  run(statement: Statement): void {
    this.statement = statement;
    statement.startedAt = performance.now();
    statement.query.reject = (error) => this.failed(statement, error);
    this.handle(statement.query);
  }

  /** Ends the session in peace; it has no statement. */
  leave(): void {
    this.wire?.end();
  }

  destroy(cause?: Error): void {
    this.wire?.destroy(cause);
  }

  /** An error that is not the server's answer leaves the driver in doubt about what comes next. */
  private failed(statement: Statement, error: unknown): void {
    const isAnswer = error instanceof postgres.PostgresError;
    // What was sent may have been done: the end of the session will tell so.
    if (isAnswer || !this.wire?.hasSent) statement.fail(error instanceof ConnectionFault ? notSent(error) : error);
    if (!isAnswer) this.destroy(new ConnectionFault('CONNECTION_CLOSED', 'the answer of the server could not be read', error));
    // Whoever is to be written to is elsewhere by now.
    else if (error.code === readOnly) this.destroy(new ConnectionFault('CONNECTION_CLOSED', 'the server only reads', error));
  }

  private connect(parsed: ParsedOptions, address: Address): Wire {
    if (this.wire) throw new ConnectionFault('CONNECTION_CLOSED', 'the connection is over');
    const events = { onReady: () => this.ready(), onEnd: (cause: Error) => this.ended(cause) };
    this.wire = wireOf(parsed, address, this.connectTime, events);
    return this.wire;
  }

  private ready(): void {
    // After some errors the driver sends the statement once more.
    if (!this.statement?.isSettled) return;
    this.over();
    this.freeSince = performance.now();
    this.events.onFree?.(this);
  }

  private ended(cause: Error): void {
    this.isOver = true;
    this.statement?.fail(
      this.wire?.hasSent ? new ConnectionFault('CONNECTION_CLOSED', `the connection ended: ${cause.message}`, cause) : notSent(cause),
    );
    this.over();
    this.events.onEnd?.(this, cause);
  }

  private over(): void {
    const { statement } = this;
    this.statement = null;
    if (statement) this.events.onOver?.(statement);
  }
}

/** The error of a statement of which the server has heard nothing. */
export function notSent(cause: unknown): ConnectionFault {
  return new ConnectionFault('NOT_SENT', `no connection to the database: ${messageOf(cause)}`, cause);
}

function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
