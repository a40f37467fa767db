// What every mutation field has in common: one input, and refusals that end in the payload. The one catch of this surface.

import type { Problem } from '../../domain/errors.ts';
import { OutcomeUnknown, Refusal } from '../../domain/errors.ts';
import type { RequestScope } from '../../operations/request/scope.ts';

/** A mutation field: runs an operation, which may tell of refusals of a part; when it refuses the whole, answers `refused` with the reasons. Anything else is a bug or an outage, and passes. */
export function mutation<Input, Answer extends object, Nothing extends object>(
  refused: Nothing,
  run: (input: Input, scope: RequestScope) => Promise<Answer>,
): (
  parent: unknown,
  args: { readonly input: Input },
  scope: RequestScope,
) => Promise<(Answer | Nothing) & { userErrors: readonly Problem[] }> {
  return async (_parent, { input }, scope) => {
    try {
      return { userErrors: [], ...(await run(input, scope)) };
    } catch (error) {
      if (error instanceof Refusal) return { ...refused, userErrors: error.problems };
      if (error instanceof OutcomeUnknown && hasKey(input)) throw new OutcomeUnknown(error.cause, { hasKey: true });
      throw error;
    }
  };
}

function hasKey(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'idempotencyKey' in input && typeof input.idempotencyKey === 'string';
}
