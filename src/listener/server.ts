// The composition root: one listener with the GraphQL API, the Placement REST API, the web pages and the health checks, and what they share: request
// ids, size and time limits, the format of errors. Knows no noun of the product and no command line.

import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { openAuthentication } from '../auth/authenticate.ts';
import { CallerBudgets } from '../auth/budgets.ts';
import { globalRequestIdOf, requestIdHeader } from '../auth/callers/headers.ts';
import type { Authentication } from '../auth/callers/method.ts';
import { openPolicy } from '../auth/policy/open.ts';
import { type Db, replicaLags } from '../db/sql/client.ts';
import { type Audit, outcomeOfStatus } from '../domain/audit.ts';
import { limits } from '../domain/limits.ts';
import { retryOf } from '../domain/retry.ts';
import { serveGraphql } from '../graphql/http.ts';
import { contextOf, GraphqlScope } from '../graphql/request-scope.ts';
import { loadSchema } from '../graphql/resolvers/schema.ts';
import { schemaText } from '../graphql/schema-text.ts';
import { createGraphqlServer } from '../graphql/server.ts';
import { Connections } from '../graphql/streams/connections.ts';
import { serveStreams } from '../graphql/streams/serve.ts';
import { Subscriptions } from '../graphql/streams/subscriptions.ts';
import { readTrustedDocuments } from '../graphql/trusted-documents.ts';
import { type CallerRules, isLoopback } from '../http/callers.ts';
import { recognizeClients, TrustedProxies } from '../http/client.ts';
import { compress } from '../http/compression.ts';
import { outwaitConnections } from '../http/parting.ts';
import { expectProxyProtocol } from '../http/proxy-protocol.ts';
import { retryAfter, startingMessage, stoppingMessage } from '../http/refusal.ts';
import { admitRequests } from '../http/requests.ts';
import { cutOffUnread, endAtLongBodies, isOfCallerWhoLeft, type UnreadBounds } from '../http/unread.ts';
import { ListenerRequest } from '../http/upgrade.ts';
import { openAuditLog } from '../logs/audit-log.ts';
import { tellOperations } from '../logs/operation-log.ts';
import { measures } from '../measures/measures.ts';
import { ledgerGauges } from '../metrics/ledger.ts';
import { type Snapshot, snapshotOfProcess, watchProcess } from '../metrics/process.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { HeavyWork } from '../operations/request/heavy-work.ts';
import { renderUnknownPath } from '../rest/serving/malformed.ts';
import { mountOf, prefixes, routedUrl } from '../rest/serving/mounts.ts';
import { rest } from '../rest/serving/server.ts';
import type { Settings } from '../settings/settings.ts';
import { web } from '../web/web.ts';
import { boundConnectionsOfAddresses } from './address-connections.ts';
import { serveHealth } from './health.ts';
import { readJsonOnly } from './json-bodies.ts';
import { countBodies } from './large-bodies.ts';
import { answerMalformed, refuseCrowd, refuseTunnel } from './malformed-http.ts';

export interface ServerOptions {
  readonly settings: Settings;
  readonly db: Db;
  readonly log: Logger;
  /** Default: the methods of the settings. */
  readonly authentication?: Authentication;
  /** Default: the product's schema. */
  readonly schema?: GraphQLSchema;
  /** Why it cannot serve yet, without details that only operators should see; null as soon as it can. Default: it can at once. */
  readonly whyStarting?: () => string | null;
  /** What an operator should know of the other processes of the gateway; null when there is nothing. */
  readonly whyFewer?: () => string | null;
  /** What all processes of the gateway have measured; `own` is what this one has. Default: just that. */
  readonly measureAll?: (own: () => Snapshot) => Promise<readonly Snapshot[]>;
  /** Time limits for receiving a request, in milliseconds. Defaults: 10 s for the headers, 30 s for the whole request. */
  readonly deadlines?: { readonly headers: number; readonly request: number };
  /** Open connections of clients. Default: the published limit. */
  readonly connections?: number;
  /** Time limits for reading an answer. Default: the published ones. */
  readonly unread?: UnreadBounds;
  /** Milliseconds between two pings of a stream, after which its token is looked at again. Default: the published time. */
  readonly streamPing?: number;
  /** Milliseconds for which a subscriber may leave a message unread. Default: the published time. */
  readonly streamStall?: number;
  /** Milliseconds for which streams go on while nobody can say whether their tokens are still good. Default: the published time. */
  readonly streamDoubt?: number;
  /** Default: bounded by the published limits. */
  readonly heavyWork?: HeavyWork;
}

export interface RunningServer {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /** What was measured in this process so far. */
  readonly measure: () => Snapshot;
  /** Opens the audit log anew, after it was renamed. */
  readonly reopenAuditLog: () => void;
  /**
   * Stops listening for another process that took its place, and goes on answering on open connections, each of which is closed with its next answer; then
   * closes. Streams end at once; connections that send nothing for so many milliseconds are closed.
   */
  leave(partingTime: number): Promise<void>;
  /** Stops listening, completes requests in progress (for at most ten seconds), and closes everything: idle connections after so many milliseconds. */
  close(refusalTime?: number): Promise<void>;
}

/** Serves until closed. Rejects when it cannot listen on the address. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const {
    settings,
    db,
    log,
    schema = loadSchema(settings),
    whyStarting = () => null,
    whyFewer = () => null,
    measureAll = async (own: () => Snapshot) => [own()],
    heavyWork = new HeavyWork(),
  } = options;
  const rules = await openPolicy(settings, log);
  const { policy } = rules;
  const authentication = options.authentication ?? (await openAuthentication(settings, log));
  const audit = await openAuditLog(settings.auditLog, log);
  const budgets = new CallerBudgets(settings);
  const app = createListener(options, audit.of);
  const countBody = countBodies(app, heavyWork);
  readJsonOnly(app, countBody);
  cutOffUnread(app, options.unread ?? { pause: limits.answerPause, whole: limits.answerReadTime });
  const trustedDocuments = settings.trustedDocuments === null ? null : await readTrustedDocuments(settings.trustedDocuments);
  const tellOperation = tellOperations(log, settings);
  const graphql = createGraphqlServer({
    schema,
    executor: settings.executor,
    introspection: settings.introspection !== 'off',
    policy,
    trustedDocuments,
    log,
    heavyWork,
    tellOperation,
    drain: fastifyApolloDrainPlugin(app),
  });
  const connections = new Connections();
  const snapshot = () => snapshotOfProcess({ db, heavyWork, streams: () => connections.count });
  const shared = ledgerGauges(db, settings.databaseUrl === null);
  const metrics = { db, snapshots: () => measureAll(snapshot), shared };
  const metricsOnly = settings.metricsPort === null ? null : fastify({ forceCloseConnections: true });
  if (metricsOnly) admitRequests(metricsOnly, callerRules(settings));
  metricsOnly?.setErrorHandler<FastifyError>((error, request, reply) => answerError(log, error, request, reply));
  if (metricsOnly) serveMetrics(metricsOnly, { ...metrics, access: null });
  watchProcess();
  let draining = false;
  const whyRefused = () => (draining ? stoppingMessage : whyStarting() === null ? null : startingMessage);
  let isLeaving = false;
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isLeaving) reply.header('connection', 'close');
    done();
  });
  const leave = async (partingTime: number) => {
    isLeaving = true;
    connections.stop();
    await outwaitConnections(app.server, partingTime);
    await close();
  };
  const close = async (refusalTime = 0) => {
    draining = true;
    connections.stop();
    if (refusalTime > 0) await outwaitConnections(app.server, refusalTime);
    isLeaving = refusalTime > 0;
    // Otherwise a connection that gets its last response during draining would be kept alive, and keep the listener open.
    const hangUp = setInterval(() => app.server.closeIdleConnections(), 50);
    await graphql
      .stop()
      .finally(() => clearInterval(hangUp))
      .finally(() => metricsOnly?.close())
      .finally(() => authentication.close())
      .finally(rules.close)
      .finally(audit.close);
  };

  await graphql.start();
  try {
    const shared = { db, policy, audit: audit.of, budgets };
    const socket = await serveStreams(app, {
      ...{ schema, connections, corsOrigins: settings.corsAllowedOrigins, whyRefused, ...authentication },
      subscriptions: new Subscriptions({ schema, policy, trustedDocuments, heavyWork, log }),
      scopeOf: (request, identity, isFirst) => new GraphqlScope(isFirst ? shared : { ...shared, budgets: null }, identity, request),
      pingPause: options.streamPing ?? limits.streamPing,
      stall: options.streamStall ?? limits.streamStall,
      doubt: options.streamDoubt ?? limits.streamDoubt,
      log,
    });
    serveGraphql(app, {
      graphql,
      socket,
      context: contextOf(shared, authentication.authenticate),
      authentication,
      heavyWork,
      corsOrigins: settings.corsAllowedOrigins,
      whyRefused,
    });
    serveHealth(app, {
      db,
      whyIdle: () => (draining ? 'draining' : whyStarting()),
      warnings: () => ({
        policy: rules.fault(),
        audit: audit.fault(),
        identity: authentication.trouble(),
        workers: whyFewer(),
        replicas: whyNoReplica(replicaLags(db)),
      }),
    });
    const restOptions = {
      ...shared,
      authentication,
      corsOrigins: settings.corsAllowedOrigins,
      whyRefused,
      searchSettings: settings,
      tellOperation,
      heavyWork,
      countBody,
    };
    for (const place of prefixes) await app.register(rest, { ...restOptions, ...place });
    const isNoauth = settings.auth.includes('noauth');
    if (settings.introspection !== 'off') {
      await app.register(schemaText, { authentication, policy, isPublic: isNoauth || settings.introspection === 'public' });
    }
    if (settings.metrics) serveMetrics(app, { ...metrics, access: { authentication, policy } });
    await app.register(web, { settings, log, whyRefused });
    await app.listen({ host: settings.host, port: settings.port });
    await metricsOnly?.listen({ host: settings.host, port: settings.metricsPort ?? 0 });
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  const url = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
  return { url, reopenAuditLog: audit.reopen, measure: snapshot, leave, close };
}

function whyNoReplica(lags: readonly (number | null)[]): string | null {
  return lags.some((lag) => lag !== null) || lags.length === 0 ? null : 'none answers as one, or in time: the primary answers all reads';
}

function createListener(
  {
    settings,
    log,
    deadlines = { headers: limits.headerTime, request: limits.requestTime },
    connections = limits.connections,
  }: ServerOptions,
  audit: Audit | null,
): FastifyInstance {
  const refuse = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const outcome = outcomeOfStatus(error.statusCode ?? 500);
    if (outcome !== null)
      audit?.(request, null, globalRequestIdOf(request.headers))({ outcome, action: null, status: error.statusCode ?? 500 });
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
    // Requests on open connections while draining are refused by each API in its own form.
    return503OnClosing: false,
    rewriteUrl: routedUrl,
    frameworkErrors: (error, request, reply) => {
      recognize(request);
      answerRouterError(refuse, error, request, reply);
    },
    clientErrorHandler: answerMalformed(audit),
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...safeAnswer, [requestIdHeader]: request.id });
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => done(recognize(request) ?? undefined));
  admitRequests(app, callerRules(settings));
  app.addHook('onSend', endAtLongBodies(limits.requestSize));
  app.addHook('onSend', compress);
  app.addHook('onResponse', countAnswer);
  app.setErrorHandler<FastifyError>(refuse);
  // An unknown path can only be meant for the API that is served without a mount.
  app.setNotFoundHandler((request, reply) => {
    const { contentType, body } = renderUnknownPath(request);
    return reply.code(404).header('content-type', contentType).send(Buffer.from(body));
  });
  app.server.maxConnections = connections;
  boundConnectionsOfAddresses(app.server, {
    most: settings.addressConnections,
    isExempt: (address) => isLoopback(address) || proxies.has(address),
    refuse: refuseCrowd(audit),
  });
  app.server.on('connect', refuseTunnel);
  // Health checks of a container come from within.
  const peers = { isTrusted: (address: string) => proxies.has(address), isOwn: isLoopback };
  if (settings.proxyProtocol) expectProxyProtocol(app, { ...peers, patience: deadlines.headers });
  return app;
}

/** With tokens that cannot be guessed, callers from anywhere are admitted. */
function callerRules({ auth, allowedHosts, corsAllowedOrigins }: Settings): CallerRules | null {
  return auth.includes('noauth') ? { allowedHosts, corsOrigins: corsAllowedOrigins } : null;
}

/** For browsers: an answer is of the type that it says, and no page of another site embeds it. Scripts that CORS allows are not concerned. */
const safeAnswer = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };

function countAnswer({ routeOptions: { url = '' } }: FastifyRequest, { statusCode }: FastifyReply, done: () => void): void {
  const surface = mountOf(url) !== null ? 'rest' : url.startsWith('/graphql') ? 'graphql' : 'web';
  measures.answers.add(1, surface, String(statusCode));
  done();
}

/** Responds to requests that the router cannot parse. */
function answerRouterError(
  refuse: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (mountOf(request.url) === null) return refuse(error, request, reply);
  const { contentType, body } = renderUnknownPath(request);
  return reply.code(404).header(requestIdHeader, request.id).header('content-type', contentType).send(Buffer.from(body));
}

const codeOfStatus: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 413: 'PAYLOAD_TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' };

/** Renders every error in the form of GraphQL; errors that are not the caller's fault are logged, and returned without details. */
function answerError(log: Logger, error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error.statusCode ?? 500;
  if (status < 500) {
    const code = error.code?.startsWith('FST_') ? undefined : error.code;
    return answer(reply, status, request.id, code ?? codeOfStatus[status] ?? 'BAD_REQUEST', error.message);
  }
  if (status === 503 && error.code === 'UNAVAILABLE') return answerStopping(reply, request.id, error.message);
  if (!isOfCallerWhoLeft(error, request)) log.error({ requestId: request.id, err: error }, 'a request failed on a bug');
  return answer(reply, 500, request.id, 'INTERNAL_SERVER_ERROR', 'Internal error.');
}

function answerStopping(reply: FastifyReply, requestId: string, message: string): FastifyReply {
  reply.code(503).header('retry-after', retryAfter).header('connection', 'close');
  return reply.send({ errors: [{ message, extensions: { code: 'UNAVAILABLE', retry: retryOf('UNAVAILABLE'), requestId } }] });
}

function answer(reply: FastifyReply, status: number, requestId: string, code: string, message: string): FastifyReply {
  return reply
    .code(status)
    .header(requestIdHeader, requestId)
    .send({ errors: [{ message, extensions: { code, retry: retryOf(code), requestId } }] });
}
