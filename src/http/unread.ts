// Cuts off clients that do not read their answers: an answer stays in memory until it is read. Polls all connections now and then, so that requests
// cost nothing. Also ends connections whose long bodies nobody needs to read.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface UnreadBounds {
  /** Milliseconds without any progress. */
  readonly pause: number;
  /** Milliseconds until everything is read. */
  readonly whole: number;
}

/** Closes connections whose answers stay unread for longer. */
export function cutOffUnread(app: FastifyInstance, { pause, whole }: UnreadBounds): void {
  /** The open connections, with when unread bytes were first seen, as performance.now(); null if there are none. */
  const connections = new Map<Socket, number | null>();
  app.server.on('connection', (socket) => {
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
  });
  const look = () => {
    const now = performance.now();
    for (const [socket, since] of connections) {
      if (socket.writableLength === 0) {
        if (since === null) continue;
        connections.set(socket, null);
        // Node has set its own timeout for idle connections, unless the next request is already in progress.
        if (socket.timeout === pause) socket.setTimeout(0);
      } else if (since === null) {
        connections.set(socket, now);
        // Node notices every byte that the other side reads, and closes the connection if there is none for this long.
        socket.setTimeout(pause);
      } else if (now - since > whole) socket.destroy();
    }
  };
  const timer = setInterval(look, Math.min(1000, pause / 4)).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** A hook for each answer: ends connections whose unread body is too long or of unknown length. Shorter bodies are read and dropped. */
export function endAtLongBodies(most: number) {
  return async ({ raw, headers }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY;
    if (length > most && !raw.complete) reply.header('connection', 'close');
  };
}

/** Calls `leave` when the client has read the answer or has disconnected: at once if it has disconnected already, because no event would say so. */
export function whenAnswered({ raw }: FastifyReply, leave: () => void): void {
  if (raw.destroyed) leave();
  else raw.once('close', leave);
}

/** Whether an answer failed only because its caller disconnected: that is not our fault, and nobody would read an error message. */
export function isOfCallerWhoLeft(
  error: Error & { readonly code?: string },
  { raw }: { readonly raw: { readonly socket: { readonly destroyed: boolean } } },
): boolean {
  return error.code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed;
}
