// Checks request headers that describe the body, and sets response headers: versions, caching, location.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredType } from '../http/accept.ts';
import { vary } from '../http/compression.ts';
import type { Answer } from './call.ts';
import { has, type Microversion } from './microversions.ts';
import { RestError } from './rest-error.ts';

const json = 'application/json';

/** Throws 400 for a body without a type. */
export function checkBodyHasType({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) > 0 && !headers['content-type']) {
    throw new RestError(400, 'content-type header required when content-length > 0');
  }
}

/** Throws 415 unless the body is uncompressed JSON in UTF-8. */
export function checkBodyIsJson({ headers: { 'content-type': given = '', 'content-encoding': encoding } }: FastifyRequest): void {
  const [type = ''] = given.split(';', 1);
  const charset = /charset\s*=\s*"?([^\s;"]*)/i.exec(given)?.[1] ?? 'utf-8';
  if (type.trim().toLowerCase() === json && /^utf-?8$/i.test(charset) && (encoding ?? 'identity') === 'identity') return;
  const shown = encoding ?? (type.trim().toLowerCase() === json ? given : type.trim() || 'None');
  throw new RestError(415, `The media type ${shown} is not supported, use ${json}`);
}

/** Throws 406 for a caller that does not accept JSON. */
export function checkTakesJson({ headers }: FastifyRequest): void {
  if (preferredType(headers.accept, [json]) === null) throw new RestError(406, `Only ${json} is provided`);
}

/** Sets the headers that state the version of the response. */
export function setVersionHeaders(reply: FastifyReply, version: Microversion): void {
  reply.header('openstack-api-version', `placement 1.${version}`);
  vary(reply, 'openstack-api-version');
}

/** Sets the headers of a response, except those of its version. */
export function setAnswerHeaders(
  reply: FastifyReply,
  request: FastifyRequest,
  { location, lastModified }: Answer,
  mount: string,
  version: Microversion,
): void {
  if (location !== undefined) {
    const { host } = request.headers;
    reply.header('location', `${host ? `${request.protocol}://${host}` : ''}${mount}${location}`);
  }
  if (lastModified !== undefined && has(version, 'cacheHeaders')) {
    const moment = lastModified === 'now' ? new Date() : new Date(lastModified);
    reply.header('cache-control', 'no-cache').header('last-modified', moment.toUTCString());
  }
}
