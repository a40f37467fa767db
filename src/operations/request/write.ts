// One write, seen from an operation: who writes, the call, and what a refusal means for the input.
import { createHash } from 'node:crypto';
import {
  type Actor,
  type AnswerOf,
  type Call,
  isRefused,
  type RequestOf,
  type WriteOperation,
  type Written,
} from '../../db/writes/contract.ts';
import { submitWrite } from '../../db/writes/submit-write.ts';
import { type RefusalReason, refusalOf } from '../../domain/errors.ts';
import type { Loaders } from './loaders.ts';
import type { RequestScope } from './scope.ts';

/** Where in the input the reason for a refusal stands; an empty path for the whole. */
export type Locate = (reason: RefusalReason) => readonly (string | number)[];

/** Runs a write function and returns its answer. A refusal of it is thrown, with words and the path that `locate` finds. */
export async function write<Name extends WriteOperation>(
  scope: RequestScope,
  operation: Name,
  request: RequestOf<Name>,
  locate: Locate,
  idempotency?: Call['idempotency'],
): Promise<AnswerOf<Name>> {
  try {
    const answer = await submitWrite(scope.db, operation, request, { by: actorOf(scope), idempotency });
    if (isRefused(answer)) throw refusalOf(answer.refusal, locate(answer.refusal));
    scope.noteCommit((loaders) => primeRows(loaders, answer));
    return answer;
  } catch (error) {
    scope.forgetReads();
    throw error;
  }
}

/** What is asked of the answer next, at whatever depth, shows the generations of this write, however fast the next writer is. */
function primeRows({ providerById, providerByUuid, primeConsumers }: Loaders, { providers = [], consumers = [] }: Written): void {
  for (const provider of providers) {
    providerById.prime(provider.id, provider);
    providerByUuid.prime(provider.uuid, provider);
  }
  primeConsumers(consumers.filter((consumer) => consumer !== null));
}

function actorOf({ identity, requestId, globalRequestId }: RequestScope): Actor {
  return { user: identity?.user ?? null, project: identity?.project ?? null, roles: identity?.roles ?? [], requestId, globalRequestId };
}

/** The idempotency of an allocation write: a key is the caller's own, and stands for exactly this input. */
export function idempotencyOf(scope: RequestScope, key: string | null | undefined, input: object): Call['idempotency'] {
  if (key === null || key === undefined) return undefined;
  const principal = JSON.stringify([scope.identity?.user, scope.identity?.project]);
  return { principal, key, hash: createHash('sha256').update(JSON.stringify(input)).digest('hex') };
}
