// Compresses responses for callers that accept it, on other threads, so that the event loop stays free. Guessing secrets from lengths (BREACH) is
// impossible: there are no cookies, so no page can make a browser send requests as its user.
import { pipeline, Readable, type Transform } from 'node:stream';
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip, type ZlibOptions } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'br' | 'gzip';
type Payload = string | Buffer | Readable | null | undefined;
type Done = (error: Error | null, payload?: unknown) => void;

/** Smaller answers fit into one packet uncompressed. */
const minCompressedBytes = 1024;
const compressible = /^(application\/(json|graphql-response\+json|javascript)|text\/|image\/svg\+xml)/;

// The lowest level that shrinks JSON to a sixth: higher ones cost up to three times the processor time for a hundredth of the size.
const brotliOptions: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const gzipOptions: ZlibOptions = { level: 1 };

/** A hook of the listener for every response. */
export function compress(request: FastifyRequest, reply: FastifyReply, payload: Payload, done: Done): void {
  const encoding = payload && isWorth(reply, payload) ? negotiateEncoding(request, reply) : null;
  const finish = (error: Error | null, result?: unknown) => {
    if (error === null) reply.removeHeader('content-length').header('content-encoding', encoding);
    done(error, result);
  };
  if (!payload || encoding === null) done(null, payload);
  else if (payload instanceof Readable) finish(null, compressStream(payload, encoding));
  else if (encoding === 'br') brotliCompress(payload, brotliOptions, finish);
  else gzip(payload, gzipOptions, finish);
}

function negotiateEncoding(request: FastifyRequest, reply: FastifyReply): Encoding | null {
  vary(reply, 'accept-encoding');
  return reply.hasHeader('content-encoding') ? null : encodingFor(request.headers['accept-encoding']);
}

function compressStream(payload: Readable, encoding: Encoding): Transform {
  const compressor = encoding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
  // An error in either stream destroys the other, where the framework handles it.
  return pipeline(payload, compressor, () => {});
}

function isWorth(reply: FastifyReply, payload: string | Buffer | Readable): boolean {
  const knownLength = reply.getHeader('content-length');
  const length = payload instanceof Readable ? Number(knownLength ?? Number.POSITIVE_INFINITY) : payload.length;
  return length > minCompressedBytes && compressible.test(String(reply.getHeader('content-type') ?? ''));
}

/** Adds a header to `vary`. */
export function vary(reply: FastifyReply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${others}, ${header}`);
}

/** The best encoding that a caller accepts; null if none. */
function encodingFor(accepted: string | string[] | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const qualities = new Map(String(accepted).toLowerCase().split(',').map(qualityOf));
  const takes = (name: string) => qualities.get(name) ?? qualities.get('*') ?? 0;
  const [br, gzip] = [takes('br'), takes('gzip')];
  if (br === 0 && gzip === 0) return null;
  return br >= gzip ? 'br' : 'gzip';
}

function qualityOf(part: string): [name: string, quality: number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, quality === undefined ? 1 : Number(quality) || 0];
}
