// Checks every request before anything else reads it: it must be readable in only one way, and its caller must come from an allowed place.
import type { FastifyInstance } from 'fastify';
import { type CallerRules, refuseForeignCallers, refuseRepeatedHeaders } from './callers.ts';
import { httpRefusal } from './refusal.ts';
import { type RequestTarget, readTarget } from './target.ts';

declare module 'fastify' {
  interface FastifyRequest {
    readonly target: RequestTarget;
  }
}

/** For browsers: an answer is of the type that it says, and no page of another site embeds it. This does not affect scripts that CORS allows. */
export const safeHeaders = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };

const unclear =
  'The target of the request could be read in several ways: send a path without a host, empty parts, . and .., #, ; and \\, none of which may be percent-encoded either.';

/** Gives each request its target, and refuses unclear targets. `rules` is null if tokens cannot be guessed: then callers may come from anywhere. */
export function admitRequests(app: FastifyInstance, rules: CallerRules | null): void {
  app.decorateRequest('target', {
    getter() {
      return readTarget(this.raw.url ?? '');
    },
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.target.isClear) throw httpRefusal(400, 'BAD_REQUEST', unclear);
    refuseRepeatedHeaders(request);
    if (rules) refuseForeignCallers(request, rules);
    done();
  });
}
