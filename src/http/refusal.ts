// An error for requests that no API has processed yet; each API renders it in its own form.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Seconds until an unavailable database may be back: a restart takes about that long. */
export const retryAfter = '1';

/** `code` is machine-readable, in the form of GraphQL's error codes; `details` are what else programs may want to know. */
export function httpRefusal(statusCode: number, code: string, message: string, details: object = {}): Error {
  return Object.assign(new Error(message), { statusCode, code, details });
}

/** A hook that refuses requests while there is a reason to. */
export function refuseWhile(whyRefused: () => string | null) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const reason = whyRefused();
    if (reason === null) return;
    // The next request belongs to another gateway.
    reply.header('connection', 'close');
    throw httpRefusal(503, 'UNAVAILABLE', reason);
  };
}

/** The answers to requests that arrive before the gateway can serve, and during shutdown. They are not processed at all. */
export const startingMessage = 'This gateway is starting. Nothing was done: send the request again, on a new connection.';
export const stoppingMessage = 'This gateway is stopping. Nothing was done: send the request again, on a new connection.';
