// How a server stops: it refuses requests, ends streams, completes what is in progress, and closes.
import type { FastifyInstance } from 'fastify';
import { outwaitConnections } from '../http/parting.ts';
import { startingMessage, stoppingMessage } from '../http/refusal.ts';

interface StoppingOptions {
  /** Streams end at once. */
  readonly streams: { stop(): void };
  /** Why the gateway cannot serve yet; null as soon as it can. */
  readonly whyStarting: () => string | null;
  /** Completes requests in progress, and closes everything. */
  readonly closeAll: () => Promise<void>;
}

export class Stopping {
  #isDraining = false;
  #isLeaving = false;
  readonly #app: FastifyInstance;
  readonly #options: StoppingOptions;

  constructor(app: FastifyInstance, options: StoppingOptions) {
    this.#app = app;
    this.#options = options;
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.#isLeaving) reply.header('connection', 'close');
      done();
    });
  }

  /** The message of the refusal while new requests are refused; null while they are not. */
  readonly whyRefused = (): string | null => {
    if (this.#isDraining) return stoppingMessage;
    return this.#options.whyStarting() === null ? null : startingMessage;
  };

  /** The same for health checks, in the words of operators. */
  readonly whyIdle = (): string | null => (this.#isDraining ? 'draining' : this.#options.whyStarting());

  /** Lets open connections end, with an answer each, for so many milliseconds; then closes. */
  readonly leave = async (partingTime: number): Promise<void> => {
    this.#isLeaving = true;
    this.#options.streams.stop();
    await outwaitConnections(this.#app.server, partingTime);
    await this.close();
  };

  /** Refuses requests on open connections for so many milliseconds, and closes. */
  readonly close = async (refusalTime = 0): Promise<void> => {
    this.#isDraining = true;
    this.#options.streams.stop();
    if (refusalTime > 0) await outwaitConnections(this.#app.server, refusalTime);
    this.#isLeaving = refusalTime > 0;
    // Otherwise a connection that gets its last response meanwhile would be kept alive, and keep the listener open.
    const hangUp = setInterval(() => this.#app.server.closeIdleConnections(), 50);
    await this.#options.closeAll().finally(() => clearInterval(hangUp));
  };
}
