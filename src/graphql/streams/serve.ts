// The addresses of subscriptions: WebSockets at GET /graphql, server-sent events at POST /graphql/stream.
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from 'graphql-ws';
import { limits } from '../../domain/limits.ts';
import { isForeignOrigin } from '../../http/callers.ts';
import { corsHook } from '../../http/cors.ts';
import { httpRefusal, refuseWhile } from '../../http/refusal.ts';
import { type CallerParts, recognizeCallers } from '../callers.ts';
import { createStreamHandler } from './server-sent-events.ts';
import { createSocketHandler, type StreamOptions } from './sockets.ts';

export interface StreamRoutes extends StreamOptions, CallerParts {
  readonly corsOrigins: readonly string[];
  /** Lets routes read bodies. */
  readonly readJson: (routes: FastifyInstance) => void;
  /** The message while new requests are refused; null otherwise. */
  readonly whyRefused: () => string | null;
}

const streamUrl = '/graphql/stream';
const socketUrls: ReadonlySet<string> = new Set(['/graphql', '/graphql/']);

/** Serves the streams, and returns the handler of a WebSocket. Call it before other routes are made. */
export async function serveStreams(
  app: FastifyInstance,
  { corsOrigins, readJson, whyRefused, ...options }: StreamRoutes,
): Promise<(socket: WebSocket, request: FastifyRequest) => void> {
  await app.register(websocket, {
    options: {
      maxPayload: limits.socketMessageSize,
      // Each part of a message can keep all that was received with it.
      maxFragments: 8,
      maxBufferedChunks: 1024,
      handleProtocols: (offered) => handleProtocols(offered),
    },
    errorHandler: (error, socket, { id: requestId }) => {
      const { code } = error as NodeJS.ErrnoException;
      // Whoever can connect can send malformed frames.
      if (code?.startsWith('WS_ERR_')) options.log.debug({ requestId, code }, 'a socket is closed: its client breaks the protocol');
      else options.log.error({ requestId, err: error }, 'a stream failed on a bug');
      socket.terminate();
    },
  });
  app.addHook('onRequest', async (request) => {
    if (request.ws) checkUpgrade(request, corsOrigins);
  });
  // Nothing else would read from a connection that was refused before it was recognized as a WebSocket.
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.headers.upgrade?.toLowerCase() === 'websocket') raw.socket.destroySoon();
  });
  const cors = corsHook(corsOrigins);
  app.register((routes, _options, done) => {
    readJson(routes);
    routes.post(streamUrl, { onRequest: [cors, refuseWhile(whyRefused), recognizeCallers(options)] }, createStreamHandler(options));
    done();
  });
  app.options(streamUrl, { onRequest: cors }, async (_request, reply) => reply.code(204).header('allow', 'POST, OPTIONS').send());
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: streamUrl,
    onRequest: cors,
    handler: async (_request, reply) => {
      reply.header('allow', 'POST, OPTIONS');
      throw httpRefusal(405, 'METHOD_NOT_ALLOWED', 'Send a subscription with POST.');
    },
  });
  return createSocketHandler(options);
}

/** Refuses WebSockets of pages of other origins, and those that are not for subscriptions. */
function checkUpgrade({ headers, target }: FastifyRequest, corsOrigins: readonly string[]): void {
  if (!socketUrls.has(target.path)) throw httpRefusal(404, 'NOT_FOUND', 'There is no WebSocket at this address; use /graphql.');
  // If it were opened and then closed, a client that does not answer would hold it for half a minute.
  const offered = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim());
  if (!offered?.includes(GRAPHQL_TRANSPORT_WS_PROTOCOL))
    throw httpRefusal(400, 'BAD_REQUEST', `The WebSocket must have the protocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL}.`);
  if (isForeignOrigin(headers, corsOrigins)) {
    throw httpRefusal(403, 'FORBIDDEN', 'A page of another origin may open a WebSocket only if PLACEMENT_CORS_ALLOWED_ORIGIN names it.');
  }
}
