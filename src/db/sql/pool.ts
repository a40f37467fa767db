// A pool of sessions: which statement goes to which of them, how long it may wait, and which session is given up because the server does not answer on it.
// Knows no statement but its own question about sessions, and no rule.
//
// A connection whose other side has vanished looks like one on which the server is busy. So the pool asks the server, over a new connection, which of the
// silent sessions it works for; the others are dark. If the server does not answer that either, it is gone as a whole.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { measures } from '../../measures/measures.ts';
import { built, copyOf, type DriverQuery, isServerError, redirected, type Sql } from './driver.ts';
import { Lanes } from './lanes.ts';
import { addressesOf, notSent, Session, type SessionEvents, Statement } from './session.ts';
import { type Address, ConnectionFault } from './wire.ts';

/** In milliseconds. */
export interface Deadlines {
  /** Until a new connection can be used. */
  readonly connect: number;
  /** Until a statement gets a connection. */
  readonly wait: number;
  /** Until a statement is answered. Longer than the server's own limit, so that usually the server gives up first and its answer is certain. */
  readonly answer: number;
  /** Of silence on a connection, until the pool asks the server whether it works for it. */
  readonly silence: number;
}

export interface PoolOptions {
  /** What it is for. */
  readonly name: 'reads' | 'writes' | 'replicas';
  /** The greatest number of sessions. */
  readonly max: number;
  /** The greatest number of statements of heavy work at once. */
  readonly heavyAtOnce: number;
  readonly deadlines: Deadlines;
  /** Connections were found dark. */
  readonly onDark?: () => void;
  /** A session ended. */
  readonly onEnd?: () => void;
  /** The pool for statements that fail here, and for all of them while `isWanted`. */
  readonly otherwise?: { readonly pool: Pool; readonly isWanted: () => boolean };
}

export interface PoolState {
  readonly open: number;
  readonly used: number;
  readonly waiting: number;
}

/** Milliseconds that an unused session is kept, and that any session is. */
const longestUnused = 60_000;
const longestLife = 30 * 60_000;

export class Pool {
  /** Builds and runs statements, as that of the driver does. */
  readonly sql: Sql;
  /** The same for heavy work. Its statements may wait as long as for an answer. */
  readonly heavySql: Sql;
  /** The same for questions about this server itself, which are never sent elsewhere. */
  readonly ownSql: Sql;
  private readonly driver: Sql;
  private readonly options: PoolOptions;
  private readonly addresses: readonly Address[];
  /** The place of the address that was last connected to. */
  private present = 0;
  private readonly sessions = new Set<Session>();
  private readonly free: Session[] = [];
  private opening = 0;
  private readonly waiting: Lanes;
  private readonly watch: NodeJS.Timeout;
  private isAsking = false;
  private isEnding = false;
  /** `performance.now()` when a statement was last answered. */
  private answeredAt = Number.NEGATIVE_INFINITY;

  /** `driver` is never connected: it builds the statements, and has parsed the options. */
  constructor(driver: Sql, options: PoolOptions) {
    this.driver = driver;
    this.options = options;
    this.addresses = addressesOf(driver.options);
    this.waiting = new Lanes(options.heavyAtOnce);
    this.sql = this.redirected(driver, false);
    this.heavySql = this.redirected(driver, true);
    this.ownSql = this.redirected(driver, false, {});
    const { wait, answer, silence } = options.deadlines;
    this.watch = setInterval(() => this.look(), Math.min(250, wait / 4, answer / 4, silence / 4)).unref();
  }

  /** Resolves when the server answers, now or a moment ago; rejects when it does not within the time. Does not wait for sessions that are in use. */
  async probe(within: number): Promise<void> {
    if (performance.now() - this.answeredAt < within) return;
    const session = this.free.shift();
    if (!session) return (await this.openAside(within)).leave();
    const late = setTimeout(within).then(() => {
      throw new ConnectionFault('ETIMEDOUT', `no answer within ${within} ms`);
    });
    try {
      await Promise.race([this.ask(session), late]);
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  /** Sessions that are open, those of them that are in use, and statements that wait for one. */
  get state(): PoolState {
    return { open: this.sessions.size, used: this.sessions.size - this.free.length, waiting: this.waiting.size };
  }

  /** Gives up all unused sessions. */
  dropFree(): void {
    for (const session of this.free.splice(0)) {
      this.sessions.delete(session);
      session.leave();
    }
  }

  async end({ timeout = Number.POSITIVE_INFINITY }: { readonly timeout?: number } = {}): Promise<void> {
    this.isEnding = true;
    const until = performance.now() + timeout * 1000;
    const isBusy = () => this.free.length < this.sessions.size || this.opening > 0 || this.waiting.size > 0;
    while (isBusy() && performance.now() < until) await setTimeout(5);
    clearInterval(this.watch);
    this.dropFree();
    const fault = new ConnectionFault('CONNECTION_DESTROYED', 'the pool was closed');
    for (const statement of this.waiting.takeOlder(Number.POSITIVE_INFINITY)) statement.fail(fault);
    for (const session of this.sessions) session.destroy(fault);
    await this.driver.end({ timeout: 0 });
  }

  /** The driver's client, whose statements come here instead of to its own connections. */
  private redirected(driver: Sql, isHeavy: boolean, { otherwise }: Pick<PoolOptions, 'otherwise'> = this.options): Sql {
    const accept = (query: DriverQuery) => {
      const takeElsewhere = (again: DriverQuery) => otherwise?.pool.take(new Statement(again, isHeavy));
      if (otherwise?.isWanted()) return takeElsewhere(query);
      // A statement that is wrong itself fails there, too.
      if (otherwise) query.reject = elsewhere(query, takeElsewhere);
      this.take(new Statement(query, isHeavy));
    };
    return redirected(driver, accept, (how) => this.end(how));
  }

  private take(statement: Statement): void {
    if (this.isEnding) statement.fail(new ConnectionFault('CONNECTION_ENDED', 'the pool is closed'));
    else {
      this.waiting.push(statement);
      this.runWaiting();
    }
  }

  /** Runs waiting statements on the free sessions, and opens others for the rest. */
  private runWaiting(): void {
    while (this.free.length > 0) {
      const statement = this.waiting.next();
      if (!statement) return;
      this.free.pop()?.run(statement);
    }
    this.openForWaiting();
  }

  private openForWaiting(): void {
    if (this.opening >= this.waiting.ready || this.sessions.size + this.opening >= this.options.max) return;
    void this.openOne();
  }

  /** Opens a session and lets it serve those that wait; never rejects. */
  private async openOne(): Promise<void> {
    this.opening++;
    const begun = performance.now();
    let failure: unknown;
    try {
      const events = {
        onFree: (session: Session) => this.serve(session),
        onOver: (statement: Statement) => this.over(statement),
        onEnd: (session: Session) => this.forget(session),
      };
      const session = await this.open(events, this.options.deadlines.connect);
      this.sessions.add(session);
      this.serve(session);
    } catch (error) {
      failure = error;
    }
    this.opening--;
    if (failure === undefined) return;
    // Other sessions may still serve the waiting statements; meanwhile `look` tries again from time to time.
    if (this.sessions.size > 0) return;
    // Statements that arrived since then get another attempt.
    for (const statement of this.waiting.takeOlder(begun)) statement.fail(notSent(failure));
    this.openForWaiting();
  }

  /** A session at the present address, or at the next one that accepts it. */
  private async open(events: SessionEvents, within: number): Promise<Session> {
    const count = this.addresses.length;
    let failure: unknown;
    for (let turn = 0; turn < count; turn++) {
      const place = (this.present + turn) % count;
      const session = new Session(this.driver.options, this.addresses[place] as Address, within / count, events);
      try {
        await session.open();
        if (session.isOver) throw new ConnectionFault('CONNECTION_CLOSED', 'the server closed the connection');
        this.present = place;
        return session;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** A session beside the pool: not for its statements. */
  private openAside(within = this.options.deadlines.connect): Promise<Session> {
    return this.open({}, within);
  }

  private serve(session: Session): void {
    this.answeredAt = performance.now();
    if (!this.sessions.has(session)) return;
    const next = this.waiting.next();
    if (next) session.run(next);
    else if (this.isEnding || performance.now() - session.openedAt > longestLife) this.part(session);
    else this.free.push(session);
  }

  private over(statement: Statement): void {
    this.waiting.ended(statement);
    const { name } = this.options;
    const { since, startedAt, rows, hasFailed } = statement;
    statement.query.notes?.noteStatement({ pool: name, since, startedAt, rows, hasFailed });
    measures.statementWaits.observe((startedAt - since) / 1000, name);
    measures.statements.observe((performance.now() - startedAt) / 1000, name);
    if (rows > 0) measures.rows.add(rows, name);
    if (hasFailed) measures.statementFailures.add(1, name);
  }

  private part(session: Session): void {
    this.sessions.delete(session);
    session.leave();
  }

  private forget(session: Session): void {
    this.sessions.delete(session);
    this.options.onEnd?.();
    const place = this.free.indexOf(session);
    if (place !== -1) this.free.splice(place, 1);
    this.runWaiting();
  }

  private ask(session: Session): Promise<unknown> {
    const query = built(this.driver.unsafe('select 1'));
    query.handler = () => session.run(new Statement(query));
    return Promise.resolve(query);
  }

  /** Enforces the deadlines. */
  private look(): void {
    const { wait, answer, silence } = this.options.deadlines;
    const now = performance.now();
    for (const statement of this.waiting.takeOlder(now - wait, now - answer)) {
      statement.fail(notSent(new ConnectionFault('CONNECT_TIMEOUT', 'all connections are in use')));
    }
    this.openForWaiting();
    for (const session of [...this.free]) {
      if (now - session.freeSince <= longestUnused) continue;
      this.free.splice(this.free.indexOf(session), 1);
      this.part(session);
    }
    const silent: Session[] = [];
    for (const session of this.sessions) {
      if (!session.statement) continue;
      if (now - session.statement.startedAt > answer) session.destroy(new ConnectionFault('ETIMEDOUT', 'no answer in time'));
      else if (now - session.heardAt > silence) silent.push(session);
    }
    if (silent.length > 0 && !this.isAsking) {
      this.isAsking = true;
      void this.giveUpDark(silent).finally(() => {
        this.isAsking = false;
      });
    }
  }

  /** Gives up those of the silent sessions that the server is not working for; never rejects. */
  private async giveUpDark(silent: readonly Session[]): Promise<void> {
    const { connect, silence } = this.options.deadlines;
    const before = silent.map((session) => ({ session, statement: session.statement, heardAt: session.heardAt }));
    const working = await this.askWhoIsServed(silent);
    if (working === 'any') return;
    if (working !== 'unreachable') {
      // The answer may be in transit, or here but unread.
      await setTimeout(Math.min(300, silence / 4));
      await setImmediate();
    }
    const now = performance.now();
    const dark = before.filter(({ session, statement, heardAt }) => {
      if (session.statement !== statement || session.heardAt !== heardAt) return false;
      return working === 'unreachable' ? now - heardAt > silence + connect : !working.has(session.processId);
    });
    for (const { session } of dark) session.destroy(new ConnectionFault('ETIMEDOUT', 'the connection is dark'));
    if (dark.length > 0) this.options.onDark?.();
  }

  /** The processes among those of the sessions that are not idle; `any` when the server does not say. */
  private async askWhoIsServed(silent: readonly Session[]): Promise<ReadonlySet<number | null> | 'any' | 'unreachable'> {
    const ids = silent.flatMap(({ processId }) => processId ?? []);
    let session: Session | undefined;
    const { silence } = this.options.deadlines;
    try {
      session = await this.openAside();
      const late = setTimeout(Math.max(silence, 1000), undefined, { ref: false }).then(() => null);
      // A process that is waiting for us in the middle of a statement counts as active.
      const question = session.sql<{ self: number; working: number[] }[]>`
        select pg_backend_pid() as self, array(
          select pid from pg_stat_activity
          where pid = any(${ids}::int[]) and state is distinct from 'idle' and wait_event_type is distinct from 'Client') as working`;
      const answer = await Promise.race([question, late]);
      if (answer === null) return 'unreachable';
      const [row] = answer;
      // A pooler gives its connections numbers of its own.
      return row && row.self === session.processId ? new Set(row.working) : 'any';
    } catch (error) {
      return isServerError(error) ? 'any' : 'unreachable';
    } finally {
      session?.leave();
    }
  }
}

/** Rejects a statement only when it fails elsewhere, too. */
function elsewhere(query: DriverQuery, take: (again: DriverQuery) => void): DriverQuery['reject'] {
  const { resolve, reject } = query;
  return () => {
    const again = copyOf(query);
    again.handler = take;
    again.then(resolve, reject);
  };
}
