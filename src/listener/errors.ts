// Errors of the listener, in the form of GraphQL: of requests that no surface answers, and of bugs. REST renders its own errors.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { requestIdHeader } from '../auth/callers/headers.ts';
import { retryOf } from '../domain/retry.ts';
import { retryAfter } from '../http/refusal.ts';
import { isOfCallerWhoLeft } from '../http/unread.ts';

const codeOfStatus: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 413: 'PAYLOAD_TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' };

/** Renders every error. Errors that are not the caller's fault are logged, and returned without details. */
export function answerError(
  log: Logger,
  error: FastifyError & { readonly details?: object },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = error.statusCode ?? 500;
  if (status < 500) {
    const code = error.code?.startsWith('FST_') ? undefined : error.code;
    return answer(reply, status, request.id, code ?? codeOfStatus[status] ?? 'BAD_REQUEST', error.message, error.details);
  }
  if (status === 503 && error.code === 'UNAVAILABLE') {
    reply.header('retry-after', retryAfter);
    return answer(reply, 503, request.id, 'UNAVAILABLE', error.message);
  }
  if (!isOfCallerWhoLeft(error, request)) log.error({ requestId: request.id, err: error }, 'a request failed on a bug');
  return answer(reply, 500, request.id, 'INTERNAL_SERVER_ERROR', 'Internal error.');
}

function answer(reply: FastifyReply, status: number, requestId: string, code: string, message: string, details = {}): FastifyReply {
  return reply
    .code(status)
    .header(requestIdHeader, requestId)
    .send({ errors: [{ message, extensions: { code, retry: retryOf(code), ...details, requestId } }] });
}
