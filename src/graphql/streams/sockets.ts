// Subscriptions over WebSockets, by the protocol graphql-transport-ws. Knows no field and no rule.
import { setImmediate } from 'node:timers/promises';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { makeServer } from 'graphql-ws';
import type { Logger } from 'pino';
import { OverBudget, type Visit } from '../../auth/budgets.ts';
import { globalRequestIdOf } from '../../auth/callers/headers.ts';
import { type Audit, outcomeOfStatus } from '../../domain/audit.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import { limits } from '../../domain/limits.ts';
import { networkOf } from '../../domain/network.ts';
import type { CallerParts } from '../callers.ts';
import { requestError } from '../errors.ts';
import type { OperationScope } from '../operation-scope.ts';
import type { Connections } from './connections.ts';
import { StreamCaller } from './stream-caller.ts';
import type { OpenSubscription, Subscriptions } from './subscriptions.ts';

export interface StreamOptions extends CallerParts {
  readonly schema: GraphQLSchema;
  readonly subscriptions: Subscriptions;
  readonly connections: Connections;
  /** The audit log; null when there is none. */
  readonly audit: Audit | null;
  readonly scopeOf: (request: FastifyRequest, identity: Identity | null, visit: Visit | null) => OperationScope;
  /** Milliseconds between two pings. */
  readonly pingPause: number;
  /** How many milliseconds a client may leave a message unread. */
  readonly stall: number;
  /** How many milliseconds a caller keeps its rights while its token cannot be checked. */
  readonly doubt: number;
  readonly log: Logger;
}

/** The reasons for closing a socket; codes from 4400 on belong to the protocol. */
const closings = {
  bug: [1011, 'Internal error.'],
  stopping: [1012, 'The gateway stops: connect again, and continue from the last cursor.'],
  later: [1013, 'Try again later.'],
  invalid: [4400, `The message is not one of a client, or its id has more than ${limits.subscriptionIdLength} characters.`],
  unauthenticated: [4401, 'A valid token is required: send it as X-Auth-Token in connection_init.'],
  sameId: [4409, 'The subscription that had this id has not ended yet: give each an id of its own.'],
  tooMany: [4429, 'Too many connections.'],
} as const;
/** The statuses with which HTTP would refuse a socket for these reasons. */
const statusesOfRefusals = { stopping: 503, later: 503, unauthenticated: 401, tooMany: 429 } as const;
/** How many milliseconds a client has to answer the closing of its socket. */
const farewell = 1000;

function end(socket: WebSocket, [code, reason]: readonly [code: number, reason: string]): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), farewell).unref();
}

/** One socket, until it is closed. */
class OpenSocket {
  /** Null until `connection_init`. */
  caller: StreamCaller | null = null;
  isClosed = false;
  readonly request: FastifyRequest;
  /** By id; null while a subscription is being opened. One that the client has completed counts until it has ended. */
  readonly subscriptions = new Map<string, OpenSubscription | null>();
  readonly #socket: WebSocket;
  readonly #options: StreamOptions;
  /** Gives back its place among the connections. */
  #exit: () => void = () => {};
  /** When the message was sent that the client has not yet read, as performance.now(). */
  #sendingSince: number | null = null;
  #unansweredPings = 0;

  constructor(socket: WebSocket, request: FastifyRequest, options: StreamOptions) {
    this.request = request;
    this.#socket = socket;
    this.#options = options;
    socket.on('pong', () => {
      this.#unansweredPings = 0;
    });
  }

  /** Takes a place among sockets that have sent no token, or refuses the socket. */
  enterUnknown(): boolean {
    const source = networkOf(this.request.ip);
    const exit = this.#options.connections.enterUnknown({ source, makeRoom: () => this.refuse('tooMany') });
    if (exit === null) this.refuse('stopping');
    else this.#exit = exit;
    return exit !== null;
  }

  /** It has sent a token, so that it need not make room for sockets without one. The number of validations has bounds of its own. */
  leaveUnknown(): void {
    this.#exit();
    this.#exit = () => {};
  }

  /** Its caller is known, and has a place. */
  becomeKnown(caller: StreamCaller, exit: () => void): void {
    this.#exit = exit;
    this.caller = caller;
  }

  /** Closes a socket that has carried nothing yet. */
  refuse(why: keyof typeof statusesOfRefusals, identity: Identity | null = null): void {
    const status = statusesOfRefusals[why];
    const outcome = outcomeOfStatus(status);
    const record = this.#options.audit?.(this.request, identity, globalRequestIdOf(this.request.headers));
    if (outcome !== null) record?.({ outcome, action: null, status });
    this.close(why);
  }

  close(why: keyof typeof closings): void {
    end(this.#socket, closings[why]);
  }

  /**
   * Resolves when the message has been sent. Until everything has been sent, no more messages are taken: the answers to what a client sends without reading
   * would have no bound.
   */
  send(text: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState !== this.#socket.OPEN) return resolve();
      this.#sendingSince ??= performance.now();
      // If sending fails, the socket closes, and that is handled there.
      this.#socket.send(text, () => {
        if (this.#socket.bufferedAmount === 0) this.#takeMore();
        resolve();
      });
      if (this.#socket.bufferedAmount > 0) this.#socket.pause();
    });
  }

  /** Everything has been sent. */
  #takeMore(): void {
    this.#sendingSince = null;
    if (!this.#socket.isPaused) return;
    // Its answers to pings have not been read meanwhile, but it has read what was kept for it.
    this.#unansweredPings = 0;
    this.#socket.resume();
  }

  /** Closes the socket if its client is gone, does not read, or may not read any more. */
  async check(): Promise<void> {
    const { log, stall } = this.#options;
    const { id: requestId } = this.request;
    // Timers come before sockets: answers that arrived while the event loop was held are read first.
    await setImmediate();
    if (this.#sendingSince === null) {
      if (this.#unansweredPings === 2) {
        // The client would not read a message that says so.
        log.info({ requestId }, 'a socket is closed: its client does not answer');
        this.#socket.terminate();
        return;
      }
      this.#unansweredPings += 1;
      this.#socket.ping();
    } else if (performance.now() - this.#sendingSince > stall) {
      // A ping would reach the client only after everything that it has not read, so its silence means nothing.
      log.info({ requestId }, 'a socket is closed: its client does not read');
      this.close('later');
      return;
    }
    await this.#checkCaller();
  }

  /** Closes the socket if its caller is no longer known, and ends what it may no longer read. */
  async #checkCaller(): Promise<void> {
    if (!this.caller) return;
    try {
      await this.caller.lookOn();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.close('later');
      return;
    }
    const { identity } = this.caller;
    if (identity === null) this.close('unauthenticated');
    else for (const one of this.subscriptions.values()) one?.endUnlessAllowed(identity);
  }

  /** Ends everything that it has. */
  leave(): void {
    this.isClosed = true;
    this.#exit();
    for (const one of this.subscriptions.values()) void one?.answers.return?.();
  }
}

/** Sends answers as they were rendered for all subscribers that share them, past the library, which would render each one again. */
class Forwarded implements AsyncIterableIterator<never, undefined> {
  readonly #answers: OpenSubscription['answers'];
  readonly #id: string;
  readonly #socket: OpenSocket;

  constructor(answers: OpenSubscription['answers'], id: string, socket: OpenSocket) {
    this.#answers = answers;
    this.#id = id;
    this.#socket = socket;
  }

  async next(): Promise<IteratorResult<never, undefined>> {
    const opening = `{"id":${JSON.stringify(this.#id)},"type":"next","payload":`;
    for await (const answer of this.#answers) await this.#socket.send(`${opening}${answer}}`);
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<never, undefined>> {
    await this.#answers.return?.();
    return { done: true, value: undefined };
  }

  throw(): Promise<IteratorResult<never, undefined>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** The handler for WebSockets. */
export function createSocketHandler(options: StreamOptions) {
  const { connections, log, pingPause } = options;
  const reportBug = (error: unknown) => log.error({ err: error }, 'a stream failed on a bug');
  const server = createProtocolServer(options);
  return (socket: WebSocket, request: FastifyRequest): void => {
    const state = new OpenSocket(socket, request, options);
    if (!state.enterUnknown()) return;
    const forget = connections.keep({ check: () => state.check().catch(reportBug), stop: () => state.close('stopping') }, pingPause);
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (text) => state.send(text),
        // The library's reason has the id, and may be too long for a frame.
        close: (code = 1000, reason = '') => end(socket, code === closings.sameId[0] ? closings.sameId : [code, reason]),
        // The library would repeat the payload.
        onPing: () => state.send('{"type":"pong"}'),
        onMessage: (take) => {
          socket.on('message', (message: Buffer) => {
            if (socket.readyState !== socket.OPEN) return;
            take(String(message)).catch((error: unknown) => {
              if (isOfGateway(error)) return state.close('invalid');
              reportBug(error);
              state.close('bug');
            });
          });
        },
      },
      state,
    );
    socket.once('close', (code: number, reason: Buffer) => {
      forget();
      state.leave();
      closed(code, String(reason)).catch(reportBug);
    });
  };
}

/** Whether the library says that a client has sent a message that only gateways send. */
function isOfGateway(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Unexpected message of type ');
}

/** The protocol, for all sockets. */
function createProtocolServer({ schema, subscriptions, connections, authentication, budgets, scopeOf, doubt }: StreamOptions) {
  /** Refuses a subscription beyond those of a socket. It is not held back as other refusals are, because their number has no bound. */
  const refuseFurther = (identity: Identity | null): GraphQLError => {
    try {
      if (identity) budgets.enter(identity, limits.refusedRequestCost)?.leave();
      return tooManySubscriptions();
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      return requestError('RATE_LIMITED', error.message, { retryAfter: error.retryAfter });
    }
  };
  return makeServer<Record<string, unknown>, OpenSocket>({
    connectionInitWaitTimeout: limits.socketInitTime,
    async onConnect({ connectionParams = {}, extra: socket }) {
      const { headers, method, target, ip } = socket.request;
      const identify = async () =>
        authentication.authenticate({ headers: { ...headers, ...tokensIn(connectionParams) }, method, target, ip });
      socket.leaveUnknown();
      try {
        const identity = await identify();
        // A closed socket would never give its place back.
        if (socket.isClosed) return false;
        const exit = identity && connections.enterAs(identity);
        if (exit) socket.becomeKnown(new StreamCaller(identify, identity, doubt), exit);
        else socket.refuse(identity ? 'tooMany' : 'unauthenticated', identity);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        socket.refuse('later');
      }
      return socket.caller !== null;
    },
    async onSubscribe({ extra: socket }, id, payload) {
      const { request, caller, subscriptions: present } = socket;
      if (id.length > limits.subscriptionIdLength) {
        socket.close('invalid');
        return [requestError('BAD_REQUEST', closings.invalid[1])];
      }
      // The client has completed the earlier one, but it has not ended yet. The library knows only one for each id, and would lose sight of the other.
      if (present.has(id)) {
        socket.close('sameId');
        return [requestError('BAD_REQUEST', closings.sameId[1])];
      }
      if (present.size >= limits.socketSubscriptions) return [refuseFurther(caller?.identity ?? null)];
      present.set(id, null);
      try {
        await caller?.look();
        if (!caller?.identity) socket.close('unauthenticated');
        const opened = await subscriptions.open(
          payload,
          (visit) => scopeOf(request, caller?.identity ?? null, visit),
          () => (caller?.identity ? budgets.enter(caller.identity, limits.refusedRequestCost) : null),
        );
        if (!('answers' in opened)) return opened.errors;
        present.set(id, opened);
        const { document, operationName } = opened;
        return { schema, document, operationName, contextValue: new Forwarded(opened.answers, id, socket) };
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return [requestError('UNAVAILABLE', error.message)];
      } finally {
        if (present.get(id) === null) present.delete(id);
      }
    },
    subscribe: ({ contextValue }) => contextValue as Forwarded,
    onComplete({ extra: socket }, id) {
      socket.subscriptions.delete(id);
    },
  });
}

/** The headers with which HTTP carries tokens. */
function tokensIn(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      ['x-auth-token', 'authorization'].includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
}

function tooManySubscriptions(): GraphQLError {
  return requestError('BAD_REQUEST', `A WebSocket has at most ${limits.socketSubscriptions} subscriptions: end one, or open another.`);
}
