// CORS: the origins whose scripts may call, and the headers for browsers. Off unless origins are allowed.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { vary } from './compression.ts';
import { positionHeader } from './ledger-position.ts';

const methods = 'GET, POST, PUT, DELETE';
const requestHeaders: ReadonlySet<string> = new Set([
  'accept',
  'apollo-require-preflight',
  'authorization',
  'content-type',
  'openstack-api-version',
  positionHeader,
  'x-apollo-operation-name',
  'x-auth-token',
  'x-graphql-cost',
  'x-openstack-request-id',
]);
const exposedHeaders = `location, openstack-api-version, ${positionHeader}, retry-after, x-openstack-request-id`;
const preflightMaxAge = '3600';

/** A hook that sets the CORS headers, and answers preflights. */
export function corsHook(origins: readonly string[]) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> =>
    answerCors(request, reply, origins) ? reply.code(204).send() : undefined;
}

/** Sets the CORS headers, unless no origin is allowed. True for a preflight, which needs no other response. */
export function answerCors(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
  if (origins.length === 0) return false;
  const { origin } = request.headers;
  const isAllowed = origin !== undefined && origins.includes(origin);
  const isPreflight = request.method === 'OPTIONS';
  vary(reply, 'origin');
  if (isAllowed) {
    reply.header('access-control-allow-origin', origin);
    if (isPreflight) allowPreflight(request, reply);
    else reply.header('access-control-expose-headers', exposedHeaders);
  }
  return isPreflight;
}

function allowPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  const asked = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  reply.header('access-control-allow-methods', methods).header('access-control-max-age', preflightMaxAge);
  if (asked.length > 0 && asked.every((name) => requestHeaders.has(name))) reply.header('access-control-allow-headers', asked.join(','));
}
