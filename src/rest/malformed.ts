// Requests that never reach a route, because Node's parser or the framework's router cannot parse them: answered in this API's form when they name
// one of its paths.
import { renderError } from './error-bodies.ts';
import { type ErrorStatus, RestError } from './rest-error.ts';

/** Node's error: a code, and the bytes that it was parsing. */
export interface ParserError {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

const knownFaults: Readonly<Record<string, readonly [ErrorStatus, string]>> = {
  HPE_INVALID_CONTENT_LENGTH: [400, 'content-length header must be an integer'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, ''],
};

const unknownRequest = { accept: undefined, contentType: undefined, version: null };

/** Status and JSON body of the response; null when the request was not for this API, or that cannot be determined. */
export function answerToMalformed(
  { code = '', rawPacket }: ParserError,
  mount: string,
  requestId: string,
): { readonly status: number; readonly body: string } | null {
  const [method = '', url = ''] = (Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 1000) : '').split(' ', 2);
  if (!isBelow(url, mount)) return null;
  const [status, message] = knownFaults[code] ?? [400, 'The request is not valid HTTP.'];
  const { body } = renderError(new RestError(status, message), { ...unknownRequest, method, requestId });
  return { status, body };
}

/** The JSON body of the 404 for a path that cannot be decoded; null when it is not below this API. */
export function answerToUnroutable(
  { method, url, id }: { readonly method: string; readonly url: string; readonly id: string },
  mount: string,
): string | null {
  if (!isBelow(url, mount)) return null;
  return renderError(new RestError(404, ''), { ...unknownRequest, method, requestId: id }).body;
}

function isBelow(url: string, mount: string): boolean {
  return url === mount || url.startsWith(`${mount}/`) || url.startsWith(`${mount}?`);
}
