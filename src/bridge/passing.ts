// Passes requests on to the other Placement as they are, and its answers back: method, path, headers, body, status. Connections are kept.
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions as SecureRequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { MadeConsumer } from '../db/writes/contract.ts';
import { limits } from '../domain/limits.ts';

export interface PassedRequest {
  readonly method: string;
  /** Below the mount, with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | null;
  /** The body, parsed; undefined if there is none or it is malformed. */
  readonly content: () => Promise<unknown>;
  /** What a request with this content has made of a consumer when it is answered with 204; null unless the request says that. */
  readonly made: (content: unknown) => MadeConsumer | null;
  /** Calls back if the caller leaves before it has its answer. */
  readonly whenLeft: (callback: () => void) => void;
}

/** The other Placement did not answer. */
export class NotPassed extends Error {
  /** Whether the request may have been carried out there. */
  readonly mayBeDone: boolean;

  constructor(cause: unknown, mayBeDone: boolean) {
    const outcome = mayBeDone ? 'it may have been carried out: read before it is sent again' : 'nothing was done';
    super(`The Placement behind this gateway did not answer, and ${outcome}.`, { cause });
    this.name = 'NotPassed';
    this.mayBeDone = mayBeDone;
  }
}

/** Headers of one connection, which are not passed on. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'content-length', 'expect'],
]);

/** Connections that are idle for longer are not used again: the other side might close them at the same moment. */
const idleTime = 1000;

/** Headers in the order and spelling in which they came, for an answer. */
export function passedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = new Set(`${headers.connection ?? ''}`.split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofConnection.has(name) || named.has(name) ? [] : [[name, value]],
    ),
  );
}

export class Passage {
  readonly #base: URL;
  readonly #agent: HttpAgent;
  readonly #send: typeof httpRequest;
  readonly #timeout: number;

  /** `timeout`: milliseconds without a byte of an answer. */
  constructor(url: string, timeout: number) {
    this.#base = new URL(url);
    this.#timeout = timeout;
    const options = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64, timeout: idleTime };
    const isSecure = this.#base.protocol === 'https:';
    this.#agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
    this.#send = isSecure ? httpsRequest : httpRequest;
  }

  /** Rejects with NotPassed. */
  send({ method, path, headers, body, whenLeft }: PassedRequest): Promise<IncomingMessage> {
    const hostname = this.#base.hostname.replace(/^\[|\]$/g, '');
    const options: SecureRequestOptions = {
      method,
      hostname,
      port: this.#base.port,
      path: this.#base.pathname.replace(/\/$/, '') + path,
      agent: this.#agent,
      // Node would take it from the header of the caller. An address has none.
      servername: isIP(hostname) ? '' : hostname,
      headers: { ...passedHeaders(headers), ...(body !== null && { 'content-length': body.length }) },
      timeout: this.#timeout,
    };
    return new Promise((answer, fail) => {
      let isSent = false;
      const outgoing = this.#send(options, answer);
      const refuse = (error: Error) => {
        clearTimeout(waiting);
        fail(new NotPassed(error, isSent && method !== 'GET'));
      };
      const give = (reason: string) => () => {
        const error = new Error(reason);
        outgoing.destroy(error);
        // One that waits for a connection says nothing before it gets one.
        refuse(error);
      };
      const waiting = setTimeout(give('no connection in time'), limits.passWait);
      whenLeft(() => {
        if (!isSent || method === 'GET') give('the caller has left')();
      });
      outgoing.once('socket', (socket) => {
        const begin = () => {
          clearTimeout(waiting);
          isSent = true;
        };
        if (socket.connecting) socket.once('connect', begin);
        else begin();
      });
      outgoing.once('timeout', give('no answer in time'));
      outgoing.on('error', refuse);
      outgoing.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
