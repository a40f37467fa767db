// GET /schema.graphql: the contract as its file says it, for generators of clients and for people. It describes the product and nothing of
// the cloud, so it needs no token; where introspection is off it is not served.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';

export const schemaText: FastifyPluginAsync = async (app) => {
  const text = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  app.get('/schema.graphql', (request, reply) => {
    reply.headers({ etag: tag, 'cache-control': 'no-cache' });
    const known = request.headers['if-none-match']?.split(',').map((given) => given.trim().replace(/^W\//, ''));
    if (known?.some((given) => given === tag || given === '*')) return reply.code(304).send();
    return reply.type('text/plain; charset=utf-8').send(text);
  });
};
