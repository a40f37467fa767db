// Whose bodies are read, and how: those of the routes that ask for them, as JSON in UTF-8. REST has a reader of its own, with its own errors.
import { isUtf8 } from 'node:buffer';
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify';
import { httpRefusal } from '../http/refusal.ts';
import { parseInParts, smallBody, UnwieldyJson } from '../operations/request/large-json.ts';
import type { CountBody } from './large-bodies.ts';

/** Lets requests be answered without their bodies, whatever their path and method. A part of the listener that reads bodies registers a reader for its routes. */
export function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/** Other media types are answered 415 before the body is read. */
export function readJsonOnly(app: FastifyInstance, countBody: CountBody): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const busy = countBody(request, body);
    if (busy) return done(httpRefusal(503, 'UNAVAILABLE', busy.message));
    // Decoding would silently replace invalid UTF-8, and so corrupt the caller's data.
    if (!isUtf8(body)) return done(httpRefusal(400, 'BAD_REQUEST', 'The body is not valid UTF-8.'));
    const text = body.toString();
    if (body.length > smallBody) {
      // Lists are refused whatever they contain.
      if (text.startsWith('[')) return done(null, []);
      return parseInParts(text, (json) => parseNow(parse, request, json)).catch(rejectLarge);
    }
    void parse(request, text, (error, value) => done(error && isJson(text) ? refusedKey() : error, value));
  });
}

function parseNow(parse: FastifyBodyParser<string>, request: FastifyRequest, json: string): unknown {
  let answer: { readonly error: Error | null; readonly value?: unknown } = { error: null };
  void parse(request, json, (error, value) => {
    answer = { error, value };
  });
  if (answer.error) throw isJson(json) ? refusedKey() : answer.error;
  return answer.value;
}

function rejectLarge(error: unknown): never {
  if (error instanceof UnwieldyJson) throw httpRefusal(400, 'TOO_COMPLEX', error.message);
  if (error instanceof SyntaxError && !('statusCode' in error))
    throw httpRefusal(400, 'BAD_REQUEST', `The body is not JSON: ${error.message}.`);
  throw error;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refusedKey(): Error {
  return httpRefusal(
    400,
    'BAD_REQUEST',
    'The body contains the key __proto__, or constructor with prototype in it: nothing here has such keys.',
  );
}
