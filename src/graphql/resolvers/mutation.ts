// What every mutation field has in common: one input, refusals that end in the payload, and a payload whatever fails once the write is done.
// The one catch of this surface.
import type { GraphQLResolveInfo } from 'graphql';
import type { Problem } from '../../domain/errors.ts';
import { OutcomeUnknown, Refusal } from '../../domain/errors.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { noteDone } from '../done-fields.ts';

/**
 * A mutation field: runs an operation, which may tell of refusals of a part; when it refuses the whole, answers `refused` with the reasons.
 * Anything else that is thrown is a bug or an outage. Before the write it is the answer; after it, it only stands for what could not be read.
 */
export function mutation<Input, Answer extends object, Nothing extends object>(
  refused: Nothing,
  run: (input: Input, scope: RequestScope) => Promise<Answer>,
): (
  parent: unknown,
  args: { readonly input: Input },
  scope: RequestScope,
  info: GraphQLResolveInfo,
) => Promise<(Answer | Nothing) & { userErrors: readonly Problem[] }> {
  return async (_parent, { input }, scope, { path }) => {
    const before = scope.commits;
    try {
      return { userErrors: [], ...(await run(input, scope)) };
    } catch (error) {
      if (error instanceof Refusal) return { ...refused, userErrors: error.problems };
      if (scope.commits > before) return { ...withoutAnswer(refused, error), userErrors: [] };
      if (error instanceof OutcomeUnknown && hasKey(input)) throw new OutcomeUnknown(error.cause, { hasKey: true });
      throw error;
    } finally {
      if (scope.commits > before) noteDone(scope, path.key);
    }
  };
}

/** What is certain after a commit, whatever could be read of its answer. */
const certain: Readonly<Record<string, unknown>> = { changed: true, applied: true };

/** A payload of a write that was done but could not be described: each field fails with the error when it is asked for. */
function withoutAnswer<Nothing extends object>(refused: Nothing, error: unknown): Nothing {
  // An executor takes an Error in the place of a value for one that was thrown.
  return Object.fromEntries(Object.keys(refused).map((field) => [field, certain[field] ?? error])) as Nothing;
}

/** Something that is read of what was written: when it cannot be, its field alone fails. */
export async function readOfAnswer<Value>(read: Value | Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    return error as Value;
  }
}

function hasKey(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'idempotencyKey' in input && typeof input.idempotencyKey === 'string';
}
