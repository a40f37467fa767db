// GET /schema.graphql: the text of the contract, for code generators and people. It contains no data of the cloud. Callers that may read the schema through
// the API may read it, and everyone if the settings make it public.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type Authentication, IdentityUnavailable } from '../auth/callers/method.ts';
import { type Policy, targetOf } from '../auth/policy/policy.ts';
import { httpRefusal } from '../http/refusal.ts';

export interface SchemaTextOptions {
  readonly authentication: Authentication;
  readonly policy: Policy;
  /** Whether anyone may read it. */
  readonly isPublic: boolean;
}

const rule = 'placement:graphql:schema:read';

export const schemaText: FastifyPluginAsync<SchemaTextOptions> = async (app, { authentication, policy, isPublic }) => {
  const text = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const requireRight = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isPublic) return;
    const caller = await identify(authentication, request);
    if (caller === null) {
      reply.header('www-authenticate', authentication.challengesTo(request.headers));
      throw httpRefusal(401, 'UNAUTHENTICATED', 'A valid token is required: send it as Authorization: Bearer, or in X-Auth-Token.');
    }
    if (!policy.allows(rule, caller, targetOf(caller))) throw httpRefusal(403, 'FORBIDDEN', `The rule ${rule} does not allow this.`);
  };
  app.get('/schema.graphql', { onRequest: requireRight }, (request, reply) => {
    reply.headers({ etag: tag, 'cache-control': 'no-cache' });
    const known = request.headers['if-none-match']?.split(',').map((given) => given.trim().replace(/^W\//, ''));
    if (known?.some((given) => given === tag || given === '*')) return reply.code(304).send();
    return reply.type('text/plain; charset=utf-8').send(text);
  });
};

async function identify({ authenticate }: Authentication, request: FastifyRequest) {
  try {
    return await authenticate(request);
  } catch (error) {
    throw error instanceof IdentityUnavailable ? httpRefusal(503, 'UNAVAILABLE', error.message) : error;
  }
}
