// Requests that Node's parser refuses before there is a request: answered in this API's form when their bytes begin with one of its paths.

import { renderError } from './error-bodies.ts';
import type { ErrorStatus } from './rest-error.ts';
import { RestError } from './rest-error.ts';

/** What Node tells of it: a code, and the bytes that it was reading. */
export interface ParserError {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

const told: Readonly<Record<string, readonly [ErrorStatus, string]>> = {
  HPE_INVALID_CONTENT_LENGTH: [400, 'content-length header must be an integer'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, ''],
};

/** Status and JSON body of the answer; null when the request was not for this API, or nobody can tell. */
export function answerToMalformed(
  { code = '', rawPacket }: ParserError,
  mount: string,
  requestId: string,
): { readonly status: number; readonly body: string } | null {
  const [method = '', path = ''] = (Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 1000) : '').split(' ', 2);
  if (!(path === mount || path.startsWith(`${mount}/`) || path.startsWith(`${mount}?`))) return null;
  const [status, message] = told[code] ?? [400, 'The request is not valid HTTP.'];
  const { body } = renderError(new RestError(status, message), {
    method,
    accept: undefined,
    contentType: undefined,
    version: null,
    requestId,
  });
  return { status, body };
}
