// Requests that never reach a route, because Node's parser or the framework's router cannot parse them. They are answered in this API's form if they name
// one of its paths.
import { METHODS } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { limits } from '../../domain/limits.ts';
import { renderError } from '../error-bodies.ts';
import { type Microversion, negotiateVersion } from '../microversions.ts';
import { type ErrorStatus, RestError } from '../rest-error.ts';
import { methodNotAllowed } from './admission.ts';
import { mountOf } from './mounts.ts';
import { findPath } from './routes.ts';

/** Node's error: a code, and the bytes that it was parsing. */
export interface ParserError {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

export const headersTooLarge = `The headers are too large: including the method and the URL, at most ${limits.headersSize} bytes are allowed.`;

const knownFaults: Readonly<Record<string, readonly [ErrorStatus, string]>> = {
  HPE_INVALID_CONTENT_LENGTH: [400, 'content-length header must be an integer'],
  HPE_INVALID_URL: [400, 'The URL contains characters that must be percent-encoded.'],
  HPE_HEADER_OVERFLOW: [431, headersTooLarge],
  ERR_HTTP_REQUEST_TIMEOUT: [408, ''],
};

const unknownRequest = { accept: undefined, contentType: undefined, version: null };

/** Status and JSON body of the response; null if the request was not for this API, or this cannot be determined. */
export function answerToMalformed(
  { code = '', rawPacket }: ParserError,
  requestId: string,
): { readonly status: number; readonly body: string; readonly allow?: string | undefined } | null {
  const [method = '', url = ''] = (Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 1000) : '').split(' ', 2);
  const mount = mountOf(url);
  if (mount === null) return null;
  const error = code === 'HPE_INVALID_METHOD' && !METHODS.includes(method) ? unknownMethod(url, mount) : faultOf(code);
  const { body } = renderError(error, { ...unknownRequest, method, requestId });
  return { status: error.status, body, allow: error.allow };
}

function faultOf(code: string): RestError {
  return new RestError(...(knownFaults[code] ?? [400, 'The request is not valid HTTP.']));
}

/** Node's parser refuses unknown methods. To upstream, any name is a method for which no path has a handler, and `get` is not GET. */
function unknownMethod(url: string, mount: string): RestError {
  const found = findPath(url.slice(mount.length).split('?', 1)[0] ?? '');
  return found ? methodNotAllowed(found.routes) : new RestError(404, '');
}

/** The 404 for a path without a route, or one that cannot be decoded. */
export function renderUnknownPath({
  method,
  headers,
  id,
}: Pick<FastifyRequest, 'method' | 'headers' | 'id'>): ReturnType<typeof renderError> {
  const { accept, 'content-type': contentType } = headers;
  return renderError(new RestError(404, ''), { method, accept, contentType, version: versionIn(headers), requestId: id });
}

function versionIn(headers: FastifyRequest['headers']): Microversion | null {
  try {
    return negotiateVersion(headers['openstack-api-version']);
  } catch {
    return null;
  }
}
