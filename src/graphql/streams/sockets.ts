// Subscriptions over WebSockets, by the protocol graphql-transport-ws. Knows no field and no rule.
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { makeServer } from 'graphql-ws';
import type { Logger } from 'pino';
import type { Authenticate } from '../../auth/callers/method.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import { limits } from '../../domain/limits.ts';
import { requestError } from '../errors.ts';
import type { OperationScope } from '../operation-scope.ts';
import type { Connections } from './connections.ts';
import { StreamCaller } from './stream-caller.ts';
import type { OpenSubscription, Subscriptions } from './subscriptions.ts';

export interface StreamOptions {
  readonly schema: GraphQLSchema;
  readonly subscriptions: Subscriptions;
  readonly connections: Connections;
  readonly authenticate: Authenticate;
  /** The scope of one answer; the first of a subscription counts as a request of its caller. Throws OverBudget. */
  readonly scopeOf: (request: FastifyRequest, identity: Identity | null, isFirst: boolean) => OperationScope;
  /** Milliseconds between two pings. */
  readonly pingPause: number;
  /** Milliseconds for which a client may leave a message unread. */
  readonly stall: number;
  /** Milliseconds for which a caller counts of whom nobody can say whether its token is still good. */
  readonly doubt: number;
  readonly log: Logger;
}

/** Reasons for which sockets are closed; those from 4400 on are of the protocol. */
const closings = {
  bug: [1011, 'Internal error.'],
  stopping: [1012, 'The gateway stops: connect again, and continue from the last cursor.'],
  later: [1013, 'Try again later.'],
  unauthenticated: [4401, 'A valid token is required: send it as X-Auth-Token in connection_init.'],
  sameId: [4409, 'The subscription that had this id has not ended yet: give each an id of its own.'],
  tooMany: [4429, 'Too many connections.'],
} as const;
/** Milliseconds for which a client is waited for that was told that its socket closes. */
const farewell = 1000;

function end(socket: WebSocket, [code, reason]: readonly [code: number, reason: string]): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), farewell).unref();
}

interface SocketState {
  readonly request: FastifyRequest;
  /** Null until `connection_init` has told. */
  caller: StreamCaller | null;
  /** By their ids; null while one is opened. One that the client has completed counts until it has ended. */
  readonly subscriptions: Map<string, OpenSubscription | null>;
  /** Callbacks to run when the socket closes. */
  readonly leave: (() => void)[];
  isClosed: boolean;
  /** Its caller is known: it gives up its place among the others. */
  becomeKnown(): void;
  close(why: keyof typeof closings): void;
  /** Resolves when the message has left. */
  send(text: string): Promise<void>;
}

/** Sends answers as they are rendered for all who get the same, and shows none of them to the library, which would render each of them again. */
class Forwarded implements AsyncIterableIterator<never, undefined> {
  readonly #answers: OpenSubscription['answers'];
  readonly #id: string;
  readonly #send: SocketState['send'];

  constructor(answers: OpenSubscription['answers'], id: string, send: SocketState['send']) {
    this.#answers = answers;
    this.#id = id;
    this.#send = send;
  }

  async next(): Promise<IteratorResult<never, undefined>> {
    const opening = `{"id":${JSON.stringify(this.#id)},"type":"next","payload":`;
    for await (const answer of this.#answers) await this.#send(`${opening}${answer}}`);
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

/** The handler of a route that is asked for a WebSocket. */
export function createSocketHandler({
  schema,
  subscriptions,
  connections,
  authenticate,
  scopeOf,
  pingPause,
  stall,
  doubt,
  log,
}: StreamOptions) {
  const reportBug = (error: unknown) => log.error({ err: error }, 'a stream failed on a bug');
  const server = makeServer<Record<string, unknown>, SocketState>({
    connectionInitWaitTimeout: limits.socketInitTime,
    async onConnect({ connectionParams = {}, extra }) {
      const { request, close, leave } = extra;
      const asked = {
        headers: { ...request.headers, ...tokensIn(connectionParams) },
        method: 'POST',
        target: { path: '/graphql' },
        ip: request.ip,
      };
      try {
        const caller = await StreamCaller.identify(async () => authenticate(asked), doubt);
        const { identity } = caller;
        // Nobody would give its place back.
        if (extra.isClosed) return false;
        const exit = identity && connections.enterAs(identity);
        if (exit) {
          leave.push(exit);
          extra.becomeKnown();
          extra.caller = caller;
        } else close(identity ? 'tooMany' : 'unauthenticated');
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        close('later');
      }
      return extra.caller !== null;
    },
    async onSubscribe({ extra }, id, payload) {
      const { request, caller, send, close, subscriptions: present } = extra;
      // The client has completed it, but it has not ended yet. The library knows only one of an id, and would lose sight of the other.
      if (present.has(id)) {
        close('sameId');
        return [requestError('BAD_REQUEST', closings.sameId[1])];
      }
      if (present.size >= limits.socketSubscriptions) return [tooManySubscriptions()];
      present.set(id, null);
      try {
        await caller?.look();
        if (!caller?.identity) close('unauthenticated');
        const opened = await subscriptions.open(payload, (isFirst = false) => scopeOf(request, caller?.identity ?? null, isFirst));
        if (!('answers' in opened)) return opened.errors;
        present.set(id, opened);
        const { document, operationName } = opened;
        return { schema, document, operationName, contextValue: new Forwarded(opened.answers, id, send) };
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        return [requestError('UNAVAILABLE', error.message)];
      } finally {
        if (present.get(id) === null) present.delete(id);
      }
    },
    subscribe: ({ contextValue }) => contextValue as Forwarded,
    onComplete({ extra }, id) {
      extra.subscriptions.delete(id);
    },
  });

  return (socket: WebSocket, request: FastifyRequest): void => {
    const close = (why: keyof typeof closings) => end(socket, closings[why]);
    const exit = connections.enterUnknown({ address: request.ip, makeRoom: () => close('tooMany') });
    if (!exit) {
      close('stopping');
      return;
    }
    /** When the message was sent that the client has not taken yet, as performance.now(). */
    let sendingSince: number | null = null;
    const send = (text: string) =>
      new Promise<void>((resolve) => {
        if (socket.readyState !== socket.OPEN) return resolve();
        sendingSince ??= performance.now();
        // Of a socket that fails, its end tells.
        socket.send(text, () => {
          if (socket.bufferedAmount === 0) sendingSince = null;
          resolve();
        });
      });
    const state: SocketState = {
      ...{ request, caller: null, subscriptions: new Map(), leave: [exit], isClosed: false, becomeKnown: exit, close, send },
    };
    let unanswered = 0;
    socket.on('pong', () => {
      unanswered = 0;
    });
    const check = async () => {
      if (sendingSince === null) {
        if (unanswered === 2) {
          // It would not take a message that says so.
          log.info({ requestId: request.id }, 'a socket is closed: its client does not answer');
          socket.terminate();
          return;
        }
        unanswered += 1;
        socket.ping();
      } else if (performance.now() - sendingSince > stall) {
        // A ping would come to it only behind what it has not read, so its silence says nothing.
        log.info({ requestId: request.id }, 'a socket is closed: its client does not read');
        close('later');
        return;
      }
      await checkCaller(state);
    };
    const forget = connections.keep({ check: () => check().catch(reportBug), stop: () => close('stopping') }, pingPause);
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send,
        close: (code = 1000, reason = '') => end(socket, [code, reason]),
        onMessage: (take) => {
          socket.on('message', (message: Buffer) => {
            take(String(message)).catch((error: unknown) => {
              reportBug(error);
              close('bug');
            });
          });
        },
      },
      state,
    );
    socket.once('close', (code: number, reason: Buffer) => {
      state.isClosed = true;
      forget();
      for (const leave of state.leave) leave();
      for (const one of state.subscriptions.values()) void one?.answers.return?.();
      closed(code, String(reason)).catch(reportBug);
    });
  };
}

/** Closes the socket when its caller is not known any more, and ends what it may not read any more. */
async function checkCaller({ caller, subscriptions, close }: SocketState): Promise<void> {
  if (!caller) return;
  try {
    await caller.lookOn();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    close('later');
    return;
  }
  const { identity } = caller;
  if (identity === null) close('unauthenticated');
  else for (const one of subscriptions.values()) one?.endUnlessAllowed(identity);
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
