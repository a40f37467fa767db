// The port before any surface: time and size limits, who may connect and call, request ids, bodies, and the headers and errors that all answers share.
import { randomUUID } from 'node:crypto';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { globalRequestIdOf, requestIdHeader } from '../auth/callers/headers.ts';
import { type Audit, outcomeOfStatus } from '../domain/audit.ts';
import { limits } from '../domain/limits.ts';
import { callerOf } from '../graphql/callers.ts';
import { type CallerRules, isLoopback } from '../http/callers.ts';
import { recognizeClients, TrustedProxies } from '../http/client.ts';
import { compress } from '../http/compression.ts';
import { expectProxyProtocol } from '../http/proxy-protocol.ts';
import { admitRequests, safeHeaders } from '../http/requests.ts';
import { cutOffUnread, endAtLongBodies, type UnreadBounds } from '../http/unread.ts';
import { ListenerRequest } from '../http/upgrade.ts';
import { measures } from '../measures/measures.ts';
import type { HeavyWork } from '../operations/request/heavy-work.ts';
import { renderUnknownPath } from '../rest/serving/malformed.ts';
import { mountOf, routedUrl } from '../rest/serving/mounts.ts';
import type { Settings } from '../settings/settings.ts';
import { boundConnectionsOfAddresses, boundRequestsBehindProxies } from './address-connections.ts';
import { answerError } from './errors.ts';
import { leaveBodies, readJsonOnly } from './json-bodies.ts';
import { type CountBody, countBodies } from './large-bodies.ts';
import { answerMalformed, refuseCrowd, refuseTunnel } from './malformed-http.ts';

export interface ListenerOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** Time limits for receiving a request, in milliseconds. Defaults: 10 s for the headers, 30 s for the whole request. */
  readonly deadlines?: { readonly headers: number; readonly request: number };
  /** Open connections of clients. Default: the published limit. */
  readonly connections?: number;
  /** Time limits for reading an answer. Default: the published ones. */
  readonly unread?: UnreadBounds;
}

interface Listener {
  readonly app: FastifyInstance;
  readonly countBody: CountBody;
  /** Lets the routes of one part of the listener read bodies. */
  readonly readJson: (routes: FastifyInstance) => void;
}

const usualDeadlines = { headers: limits.headerTime, request: limits.requestTime };
const usualUnread = { pause: limits.answerPause, whole: limits.answerReadTime };

type Refuse = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

export function createListener(options: ListenerOptions, heavyWork: HeavyWork, audit: Audit | null): Listener {
  const { settings, log, deadlines = usualDeadlines, connections = limits.connections, unread = usualUnread } = options;
  const refuse: Refuse = (error, request, reply) => {
    const status = error.statusCode ?? 500;
    const outcome = outcomeOfStatus(status);
    if (outcome !== null)
      audit?.(request, callerOf(request).identity, globalRequestIdOf(request.headers))({ outcome, action: null, status });
    return answerError(log, error, request, reply);
  };
  const proxies = new TrustedProxies(settings.trustedProxies);
  const recognize = recognizeClients(proxies);
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Each operation is logged elsewhere, in one line; a child logger for each request is not worth its cost.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: () => `req-${randomUUID()}`,
    bodyLimit: limits.requestSize,
    requestTimeout: deadlines.request,
    http: {
      maxHeaderSize: limits.headersSize,
      headersTimeout: deadlines.headers,
      connectionsCheckingInterval: Math.min(5000, deadlines.headers),
      IncomingMessage: ListenerRequest,
    },
    forceCloseConnections: 'idle',
    // While the gateway stops, each API refuses requests on open connections in its own form.
    return503OnClosing: false,
    rewriteUrl: routedUrl,
    frameworkErrors: (error, request, reply) => {
      recognize(request);
      answerRouterError(refuse, error, request, reply);
    },
    clientErrorHandler: answerMalformed(audit),
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(safeHeaders).header(requestIdHeader, request.id);
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => done(recognize(request) ?? undefined));
  const share = {
    most: settings.addressConnections,
    isExempt: (address: string) => isLoopback(address) || proxies.has(address),
  };
  boundRequestsBehindProxies(app, share);
  admitRequests(app, callerRules(settings));
  app.addHook('onSend', endAtLongBodies(limits.requestSize));
  app.addHook('onSend', compress);
  app.addHook('onResponse', countAnswer);
  app.setErrorHandler<FastifyError>(refuse);
  // An unknown path can only be meant for the API that is served without a mount.
  app.setNotFoundHandler(answerUnknownPath);
  app.server.maxConnections = connections;
  boundConnectionsOfAddresses(app.server, share, refuseCrowd(audit));
  app.server.on('connect', refuseTunnel);
  // Health checks of a container come from within.
  const peers = { isTrusted: (address: string) => proxies.has(address), isOwn: isLoopback };
  if (settings.proxyProtocol) expectProxyProtocol(app, { ...peers, patience: deadlines.headers });
  const countBody = countBodies(app, heavyWork);
  leaveBodies(app);
  cutOffUnread(app, unread);
  return { app, countBody, readJson: (routes) => readJsonOnly(routes, countBody) };
}

/** Which hosts and origins may call. With tokens that cannot be guessed, callers from anywhere are admitted. */
export function callerRules({ auth, allowedHosts, corsAllowedOrigins }: Settings): CallerRules | null {
  return auth.includes('noauth') ? { allowedHosts, corsOrigins: corsAllowedOrigins } : null;
}

function countAnswer({ routeOptions: { url = '' } }: FastifyRequest, { statusCode }: FastifyReply, done: () => void): void {
  const surface = mountOf(url) !== null ? 'rest' : url.startsWith('/graphql') ? 'graphql' : 'web';
  measures.answers.add(1, surface, String(statusCode));
  done();
}

function answerUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { contentType, body } = renderUnknownPath(request);
  return reply.code(404).header(requestIdHeader, request.id).header('content-type', contentType).send(Buffer.from(body));
}

/** Responds to requests that the router cannot parse. */
function answerRouterError(refuse: Refuse, error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return mountOf(request.url) === null ? refuse(error, request, reply) : answerUnknownPath(request, reply);
}
