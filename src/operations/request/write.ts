// One write, seen from an operation: who writes, the call, and what a refusal means for the input.
import { createHash } from 'node:crypto';
import { type Actor, applyWrite, type WriteOperation } from '../../db/writes/apply-write.ts';
import { applyClaim, isClaim } from '../../db/writes/claims.ts';
import type { Consumer } from '../../domain/allocation.ts';
import { type RefusalReason, refusalOf } from '../../domain/errors.ts';
import type { Provider } from '../../domain/provider.ts';
import type { Loaders } from './loaders.ts';
import type { RequestScope } from './scope.ts';

/** Where in the input the reason for a refusal stands; an empty path for the whole. */
export type Locate = (reason: RefusalReason) => readonly (string | number)[];

/** Runs a write function and returns its answer. A refusal of it is thrown, with words and the path that `locate` finds. */
export async function write<Answer extends object>(
  scope: RequestScope,
  operation: WriteOperation,
  request: Record<string, unknown>,
  locate: Locate,
): Promise<Answer> {
  try {
    // Last, so that no request says who writes; not by a spread, after which each object would have a hidden class of its own.
    const whole = Object.assign({}, request, { kind: operation.toUpperCase(), by: actorOf(scope) });
    const answer =
      operation === 'replace_allocations' && isClaim(whole)
        ? await applyClaim<Answer & Written>(scope.db, whole)
        : await applyWrite<Answer & Written>(scope.db, operation, whole);
    if ('refusal' in answer) throw refusalOf(answer.refusal, locate(answer.refusal));
    scope.forgetReads((loaders) => primeRows(loaders, answer));
    return answer;
  } catch (error) {
    scope.forgetReads();
    throw error;
  }
}

/** The rows that an answer may hold, as they were at its commit. */
interface Written {
  readonly providers?: readonly Provider[];
  readonly consumers?: readonly (Consumer | null)[];
}

/** What is asked of the answer next, at whatever depth, shows the generations of this write, however fast the next writer is. */
function primeRows({ providerById, providerByUuid, primeConsumers }: Loaders, { providers = [], consumers = [] }: Written): void {
  for (const provider of providers) {
    providerById.prime(provider.id, provider);
    providerByUuid.prime(provider.uuid, provider);
  }
  primeConsumers(consumers.filter((consumer) => consumer !== null));
}

function actorOf({ identity, requestId }: RequestScope): Actor {
  return { user: identity?.user ?? null, project: identity?.project ?? null, roles: identity?.roles ?? [], requestId };
}

/** The idempotency of an allocation write: a key is the caller's own, and stands for exactly this input. */
export function idempotencyOf(scope: RequestScope, key: string | null | undefined, input: object) {
  if (key === null || key === undefined) return {};
  const principal = JSON.stringify([scope.identity?.user, scope.identity?.project]);
  return { idempotency: { principal, key, hash: createHash('sha256').update(JSON.stringify(input)).digest('hex') } };
}
