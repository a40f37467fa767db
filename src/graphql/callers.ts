// The caller of a request, known by its headers before its body is read: large requests are read only from callers with a valid token, small ones from anyone,
// because some fields are public. From then on the request counts for its caller, whatever its body turns out to be.
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallerBudgets, OverBudget, type Visit } from '../auth/budgets.ts';
import { type Authentication, IdentityUnavailable } from '../auth/callers/method.ts';
import { Overloaded } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import { limits } from '../domain/limits.ts';
import { httpRefusal } from '../http/refusal.ts';
import { whenAnswered } from '../http/unread.ts';

interface Caller {
  /** Null without a valid token. */
  readonly identity: Identity | null;
  /** Null without bounds, and for a request that its caller's budget refuses. */
  visit: Visit | null;
}

const callers = new WeakMap<FastifyRequest, Caller>();
const unknown: Readonly<Caller> = { identity: null, visit: null };

export function callerOf(request: FastifyRequest): Readonly<Caller> {
  return callers.get(request) ?? unknown;
}

export interface CallerParts {
  readonly authentication: Pick<Authentication, 'authenticate' | 'challengesTo'>;
  readonly budgets: CallerBudgets;
}

/** A hook that finds out who calls, and refuses large bodies of strangers and requests of callers that have asked for too much. */
export function recognizeCallers({ authentication, budgets }: CallerParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // A WebSocket sends its token later.
    if (request.ws) return;
    const identity = await Promise.resolve(authentication.authenticate(request)).catch(refuseForNow);
    if (identity === null) return refuseLarge(request, reply, authentication);
    const caller: Caller = { identity, visit: null };
    callers.set(request, caller);
    try {
      caller.visit = budgets.enter(identity, limits.refusedRequestCost);
    } catch (error) {
      await refuseBeyondBudget(error, reply);
    }
    if (caller.visit) whenAnswered(reply, caller.visit.leave);
  };
}

function refuseForNow(error: unknown): never {
  if (error instanceof IdentityUnavailable || error instanceof Overloaded) throw httpRefusal(503, 'UNAVAILABLE', error.message);
  throw error;
}

function refuseLarge({ headers, url }: FastifyRequest, reply: FastifyReply, { challengesTo }: CallerParts['authentication']): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (encoding === undefined && Math.max(Number(length ?? 0), url.length) <= limits.anonymousRequestSize) return;
  reply.header('www-authenticate', challengesTo(headers));
  throw httpRefusal(
    401,
    'UNAUTHENTICATED',
    `A valid token is required for a request of more than ${limits.anonymousRequestSize} bytes or of unknown length: send it as Authorization: Bearer, or in X-Auth-Token.`,
  );
}

async function refuseBeyondBudget(error: unknown, reply: FastifyReply): Promise<never> {
  if (!(error instanceof OverBudget)) throw error;
  await pause(error.hold);
  const { message, retryAfter, budget } = error;
  reply.header('retry-after', retryAfter);
  throw httpRefusal(429, 'RATE_LIMITED', message, { retryAfter, ...(budget && { budget }) });
}
