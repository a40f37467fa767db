// GET /schema.graphql: the text of the contract, for code generators and people. It contains no data of the cloud, so it needs no token;
// it is not served if introspection is off.
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
