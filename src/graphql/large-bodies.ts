// Decides whose bodies are read: large ones only from callers whose token is valid, which is checked first; small ones from anyone: some fields are public.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Authentication, IdentityUnavailable } from '../auth/callers/method.ts';
import { Overloaded } from '../domain/errors.ts';
import { limits } from '../domain/limits.ts';
import { httpRefusal } from '../http/refusal.ts';

/** A hook that refuses large bodies without a valid token before they are read. */
export function refuseLargeOfStrangers({ authenticate, challengesTo }: Pick<Authentication, 'authenticate' | 'challengesTo'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && Number(length ?? 0) <= limits.anonymousRequestSize) return;
    const identity = await Promise.resolve(authenticate(request)).catch(refuseForNow);
    if (identity !== null) return;
    reply.header('www-authenticate', challengesTo(request.headers));
    throw httpRefusal(
      401,
      'UNAUTHENTICATED',
      `A valid token is required for a body of more than ${limits.anonymousRequestSize} bytes or of unknown length: send it as Authorization: Bearer, or in X-Auth-Token.`,
    );
  };
}

function refuseForNow(error: unknown): never {
  if (error instanceof IdentityUnavailable || error instanceof Overloaded) throw httpRefusal(503, 'UNAVAILABLE', error.message);
  throw error;
}
