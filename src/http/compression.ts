// Answers made smaller for callers who take them so, on threads of their own: the process goes on meanwhile. There is nothing here that
// guessing at lengths could find out (BREACH): no cookie is ever sent, so no page can make a browser ask in another's name.
import { pipeline, Readable, type Transform } from 'node:stream';
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip, type ZlibOptions } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'br' | 'gzip';
type Payload = string | Buffer | Readable | null | undefined;
type Done = (error: Error | null, payload?: unknown) => void;

/** Bytes that fit into a packet as they are. */
const worthCompressing = 1024;
const compressible = /^(application\/(json|graphql-response\+json|javascript)|text\/|image\/svg\+xml)/;

// The least that still makes JSON a sixth: more effort costs up to three times the processor for a hundredth of the size.
const brotliOptions: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const gzipOptions: ZlibOptions = { level: 1 };

/** A hook of the listener for every answer. */
export function compress(request: FastifyRequest, reply: FastifyReply, payload: Payload, done: Done): void {
  const encoding = payload && isWorth(reply, payload) ? agreeOn(request, reply) : null;
  const finish = (error: Error | null, result?: unknown) => {
    if (error === null) reply.removeHeader('content-length').header('content-encoding', encoding);
    done(error, result);
  };
  if (!payload || encoding === null) done(null, payload);
  else if (payload instanceof Readable) finish(null, through(payload, encoding));
  else if (encoding === 'br') brotliCompress(payload, brotliOptions, finish);
  else gzip(payload, gzipOptions, finish);
}

function agreeOn(request: FastifyRequest, reply: FastifyReply): Encoding | null {
  vary(reply, 'accept-encoding');
  return reply.hasHeader('content-encoding') ? null : encodingFor(request.headers['accept-encoding']);
}

function through(payload: Readable, encoding: Encoding): Transform {
  const compressor = encoding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
  // What breaks the one breaks the other: the framework sees it there.
  return pipeline(payload, compressor, () => {});
}

function isWorth(reply: FastifyReply, payload: string | Buffer | Readable): boolean {
  const told = reply.getHeader('content-length');
  const length = payload instanceof Readable ? Number(told ?? Number.POSITIVE_INFINITY) : payload.length;
  return length > worthCompressing && compressible.test(String(reply.getHeader('content-type') ?? ''));
}

/** Adds to what an answer depends on. */
export function vary(reply: FastifyReply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${others}, ${header}`);
}

/** The smaller of what a caller takes; null for neither. */
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
