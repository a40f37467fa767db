// One session with the server: a connection, and a driver that knows only this connection. Both end together, so that the state that a driver keeps of a broken
// connection cannot reach another one. Does not decide when a statement is sent or given up.
import { type DriverQuery, driverOver, handlerOf, isServerError, type ParsedOptions, type Sql } from './driver.ts';
import { type Address, ConnectionFault, Wire, type WireOptions } from './wire.ts';

/** A statement that waits or runs. */
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

/** Marks the settings of a session that a pooler would drop; it is never sent. */
export const poolerMark = 'pooler';

/** The statement with which a session begins: an empty question or, behind a pooler, the settings that other sessions send while they connect. */
export function openingOf({ connection }: ParsedOptions): string {
  const { [poolerMark]: mark, application_name: _, ...settings } = connection as Record<string, string>;
  if (mark === undefined) return 'select 1';
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return `select ${Object.entries(settings).map(([name, value]) => `set_config(${literal(name)}, ${literal(String(value))}, false)`)}`;
}

function withoutSettings({ connection }: ParsedOptions): object {
  return poolerMark in connection ? { connection: { application_name: connection.application_name } } : {};
}

/** A driver whose connections are wires, with the settings of its sessions. */
export function driverOverWires(parsed: ParsedOptions, wire: () => Wire, more: object = {}): Sql {
  return driverOver(parsed, wire, { ...withoutSettings(parsed), ...more });
}

/** A connection to an address, as the options of a driver ask for it. */
export function wireOf(parsed: ParsedOptions, address: Address, connectTime: number, events: Pick<WireOptions, 'onReady' | 'onEnd'>): Wire {
  const { ssl, target_session_attrs: wanted } = parsed;
  return new Wire({ address, encryption: ssl, connectTime, objection: (parameters) => objectionTo(parameters, wanted), ...events });
}

/** Postgres reports since version 14 what libpq would query. A pooler may not report it; then there is no objection. */
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

/** Notified of what becomes of a session. */
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
  /** For statements beside the pool; those of the pool go through `run`. */
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
    this.sql = driverOverWires(parsed, () => this.connect(parsed, address), {
      ...{ max: 1, idle_timeout: null, max_lifetime: null },
      debug: typeof debug === 'function' ? (...said: Parameters<typeof debug>) => this.statement && debug(...said) : debug,
    });
    this.handle = handlerOf(this.sql);
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

  /** Ends the session in an orderly way; it must have no statement. */
  leave(): void {
    this.wire?.end();
  }

  destroy(cause?: Error): void {
    this.wire?.destroy(cause);
  }

  /** An error that is not the server's answer leaves the driver in doubt about what comes next. */
  private failed(statement: Statement, error: unknown): void {
    const isAnswer = isServerError(error);
    // If something was sent, it may have been executed: `ended` then reports that.
    if (isAnswer || !this.wire?.hasSent) statement.fail(error instanceof ConnectionFault ? notSent(error) : error);
    if (!isAnswer) this.destroy(new ConnectionFault('CONNECTION_CLOSED', 'the answer of the server could not be read', error));
    // The primary is elsewhere by now.
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

/** The error of a statement that never reached the server. */
export function notSent(cause: unknown): ConnectionFault {
  return new ConnectionFault('NOT_SENT', `no connection to the database: ${messageOf(cause)}`, cause);
}

function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
