// GraphQL over HTTP: accepted methods and bodies, and the conversion between the listener's requests and Apollo's.
// GET and HEAD only read. Knows no fields and no permissions.
import { Readable } from 'node:stream';
import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { outcomeOfStatus } from '../domain/audit.ts';
import { limits } from '../domain/limits.ts';
import { preferredType } from '../http/accept.ts';
import { corsHook } from '../http/cors.ts';
import { httpRefusal, refuseWhile, retryAfter } from '../http/refusal.ts';
import { whenAnswered } from '../http/unread.ts';
import type { HeavyWork } from '../operations/request/heavy-work.ts';
import { type CallerParts, recognizeCallers } from './callers.ts';
import type { OperationScope } from './operation-scope.ts';
import { hashFault } from './stored-queries.ts';

export interface GraphqlRoutes extends CallerParts {
  readonly graphql: ApolloServer<OperationScope>;
  readonly scopeOf: (request: FastifyRequest) => OperationScope;
  readonly heavyWork: HeavyWork;
  /** Origins whose scripts may call; none switches CORS off. */
  readonly corsOrigins: readonly string[];
  /** Lets routes read bodies. */
  readonly readJson: (routes: FastifyInstance) => void;
  /** Serves a WebSocket, which uses the same address. */
  readonly socket: (socket: WebSocket, request: FastifyRequest) => void;
  /** The message while new requests are refused; null otherwise. */
  readonly whyRefused: () => string | null;
}

const urls = ['/graphql', '/graphql/'];
const methods = 'GET, HEAD, POST, OPTIONS';

/** Serves the API at /graphql, with or without a trailing slash. */
export function serveGraphql(
  app: FastifyInstance,
  { graphql, scopeOf, authentication, budgets, heavyWork, corsOrigins, readJson, socket, whyRefused }: GraphqlRoutes,
): void {
  const cors = corsHook(corsOrigins);
  const recognize = recognizeCallers({ authentication, budgets });
  const onRequest = [cors, refuseWhile(whyRefused), recognize, refuseForeignEncoding, refuseOtherTypes];
  const run = async (request: FastifyRequest, reply: FastifyReply) => {
    const scope = scopeOf(request);
    const {
      headers,
      body,
      status = 200,
    } = await graphql.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        body: request.body,
        method: request.method === 'HEAD' ? 'GET' : request.method,
        headers: headersOf(request),
        search: request.target.search,
      },
      context: async () => scope,
    });
    if (scope.audit) auditUnread(scope, status);
    for (const [name, value] of headers) reply.header(name, value);
    if (status === 401) reply.header('www-authenticate', authentication.challengesTo(request.headers));
    if (status === 503) reply.header('retry-after', retryAfter);
    // Caches do not distinguish requests by token.
    if (request.method !== 'POST') reply.header('cache-control', 'no-store');
    reply.code(status);
    if (scope.rendered.pieces) return sendPieces(reply, scope.rendered.pieces, heavyWork);
    if (body.kind !== 'complete') throw new Error('an incremental answer, which no operation of ours has');
    // Apollo writes `errors` first.
    return body.string.startsWith('{"errors":') ? withRequestId(body.string, request.id) : body.string;
  };
  app.register((routes, _options, done) => {
    readJson(routes);
    for (const url of urls) routes.post(url, { onRequest, preHandler: [refuseBatch, refuseBadHash] }, run);
    done();
  });
  for (const url of urls) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest,
      preHandler: refuseBadHash,
      handler: run,
      wsHandler: socket,
    });
    app.options(url, { onRequest: cors }, async (_request, reply) => reply.code(204).header('allow', methods).send());
    app.route({ method: ['PUT', 'PATCH', 'DELETE'], url, onRequest: [cors, refuseMethod], handler: () => {} });
  }
}

/** Audits a body or a query string without an operation. */
function auditUnread({ audit, audited }: OperationScope, status: number): void {
  const outcome = audited.isOperation ? null : outcomeOfStatus(status);
  if (outcome !== null) audit?.({ outcome, action: null, status });
}

/** Sends a large answer, which counts as held until the client has read it or disconnected. */
function sendPieces(reply: FastifyReply, pieces: readonly Uint8Array[], heavyWork: HeavyWork): Readable {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  whenAnswered(reply, heavyWork.hold(length));
  reply.header('content-length', length);
  return Readable.from(pieces, { objectMode: false });
}

function headersOf({ headers }: FastifyRequest): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && value !== '') map.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // Negotiated here, so that Apollo cannot refuse it after a write.
  const type = preferredType(headers.accept, answerTypes);
  if (type !== null) map.set('accept', type);
  return map;
}

/** 415 for compressed bodies and other character sets. */
async function refuseForeignEncoding({ headers }: FastifyRequest): Promise<void> {
  const { 'content-type': type, 'content-encoding': encoding } = headers;
  // Apollo parses it in quadratic time.
  if (type !== undefined && type.length > limits.contentTypeLength)
    throw httpRefusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'The Content-Type is too long.');
  if (encoding !== undefined && encoding !== 'identity')
    throw httpRefusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Compressed request bodies are not supported.');
  const charset = type === 'application/json' ? undefined : /charset\s*=\s*"?([^\s;"]*)/i.exec(type ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw httpRefusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be in UTF-8.');
  }
}

/** The media types of answers; the first is the default. */
const answerTypes = ['application/json', 'application/graphql-response+json'] as const;

/** 406 for callers that accept neither, before anything runs: Apollo checks only after a mutation has run. */
async function refuseOtherTypes({ headers }: FastifyRequest): Promise<void> {
  if (preferredType(headers.accept, answerTypes) === null) {
    throw httpRefusal(406, 'NOT_ACCEPTABLE', `Answers are ${answerTypes.join(' or ')}: accept one of them.`);
  }
}

async function refuseBatch({ body }: FastifyRequest): Promise<void> {
  if (Array.isArray(body)) throw httpRefusal(400, 'BATCH_DISABLED', 'One operation is answered at a time: send an object, not a list.');
}

async function refuseBadHash({ body, query }: FastifyRequest): Promise<void> {
  const fault = hashFault((body ?? askedWithGet(query as Record<string, unknown>)) as object);
  if (fault !== null) throw httpRefusal(400, 'BAD_REQUEST', fault);
}

function askedWithGet({ query, extensions }: Record<string, unknown>): object {
  try {
    return { query, extensions: JSON.parse(String(extensions)) as unknown };
  } catch {
    // Apollo reports what is wrong with it.
    return {};
  }
}

async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<never> {
  reply.header('allow', methods);
  throw httpRefusal(405, 'METHOD_NOT_ALLOWED', 'Send operations with POST, queries also with GET. The explorer is at /explorer.');
}

/** The answer with the request id in each of its errors. */
function withRequestId(body: string, requestId: string): string {
  const answered = JSON.parse(body) as { errors: { extensions?: Record<string, unknown> }[] };
  for (const error of answered.errors) error.extensions = { ...error.extensions, requestId };
  return JSON.stringify(answered);
}
