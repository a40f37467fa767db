// Bounds how much of the gateway one address may hold, so that no client can take all of it, whatever it sends: connections, or behind a trusted proxy, which
// has all the connections, requests in progress.
import type { Server, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../domain/network.ts';
import { addressOfConnection } from '../http/proxy-protocol.ts';
import { httpRefusal, retryAfter } from '../http/refusal.ts';
import { whenAnswered } from '../http/unread.ts';

interface AddressBound {
  /** How many a source may have; null for no bound. */
  readonly most: number | null;
  /** Whether an address may have any number, because it speaks for many clients. */
  readonly isExempt: (address: string) => boolean;
}

/** Counts for each source. */
class Shares {
  readonly #bound: AddressBound;
  readonly #counts = new Map<string, number>();

  constructor(bound: AddressBound) {
    this.#bound = bound;
  }

  /** Counts one more, until the returned function is called; null if the source has reached the bound. */
  take(address: string): (() => void) | null {
    const { most, isExempt } = this.#bound;
    if (most === null || isExempt(address)) return () => {};
    const source = networkOf(address);
    const count = this.#counts.get(source) ?? 0;
    if (count >= most) return null;
    this.#counts.set(source, count + 1);
    return () => {
      const left = (this.#counts.get(source) ?? 0) - 1;
      if (left > 0) this.#counts.set(source, left);
      else this.#counts.delete(source);
    };
  }
}

/** Refuses connections of sources that have reached the bound; `refuse` answers one, and closes it. */
export function boundConnectionsOfAddresses(server: Server, bound: AddressBound, refuse: (socket: Socket) => void): void {
  const shares = new Shares(bound);
  server.on('connection', (socket: Socket) => {
    const giveBack = shares.take(addressOfConnection(socket));
    if (giveBack) socket.once('close', giveBack);
    else refuse(socket);
  });
}

/** Refuses requests of clients that have reached the bound behind a proxy. Streams have bounds of their own. */
export function boundRequestsBehindProxies(app: FastifyInstance, bound: AddressBound): void {
  const shares = new Shares(bound);
  app.addHook('onRequest', (request, reply, done) => {
    const { ip, raw, headers } = request;
    if (ip === addressOfConnection(raw.socket) || headers.upgrade?.toLowerCase() === 'websocket') return done();
    const giveBack = shares.take(ip);
    if (!giveBack) {
      reply.header('retry-after', retryAfter);
      throw httpRefusal(
        429,
        'RATE_LIMITED',
        'Your address has too many requests in progress at this gateway: send more once others are answered.',
      );
    }
    whenAnswered(reply, giveBack);
    done();
  });
}
