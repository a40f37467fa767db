// What every mutation field has in common: one input, a key under which it may be sent again, the event that it wrote, refusals that end
// in the payload, and a payload whatever fails once the write is done. The one catch of this surface.
import type { GraphQLResolveInfo } from 'graphql';
import { OutcomeUnknown, type Problem, Refusal } from '../../domain/errors.ts';
import { type KeyedInput, MutationCall } from '../../operations/request/mutation-call.ts';
import type { RequestScope } from '../../operations/request/scope.ts';
import { hasFirstAnswer } from '../../operations/request/write.ts';
import { noteDone } from '../done-fields.ts';

/** What every payload has. */
interface PayloadParts {
  readonly userErrors: readonly Problem[];
  readonly truncated: boolean;
  readonly replayed: boolean;
  /** Of what was written, in its order; the events are read when they are asked for (payloadResolvers). */
  readonly eventIds: readonly number[];
}

/**
 * A mutation field: runs an operation, which may tell of refusals of a part; when it refuses the whole, answers `refused` with the reasons.
 * Anything else that is thrown is a bug or an outage. Before the write it is the answer; after it, it only stands for what could not be read.
 */
export function mutation<Input extends KeyedInput, Answer extends object, Nothing extends object>(
  refused: Nothing,
  run: (input: Input, scope: RequestScope) => Promise<Answer>,
): (
  parent: unknown,
  args: { readonly input: Input },
  scope: RequestScope,
  info: GraphQLResolveInfo,
) => Promise<(Answer | Nothing) & PayloadParts> {
  return async (_parent, { input }, scope, { fieldName, path }) => {
    const before = scope.commits;
    try {
      scope.mutation = new MutationCall(fieldName, input, scope.identity);
      // The key is not part of an operation's input.
      const { idempotencyKey: _, ...rest } = input;
      const answer = await runOrRepeat(() => run(rest as Input, scope), scope);
      return { ...partsOf(scope), userErrors: [], truncated: false, ...answer };
    } catch (error) {
      if (error instanceof Refusal) return { ...partsOf(scope), ...refused, userErrors: error.problems, truncated: error.truncated };
      if (scope.commits > before) return { ...partsOf(scope), ...withoutAnswer(refused, error), userErrors: [], truncated: false };
      if (error instanceof OutcomeUnknown && typeof input.idempotencyKey === 'string')
        throw new OutcomeUnknown(error.cause, { hasKey: true });
      throw error;
    } finally {
      scope.mutation = null;
      if (scope.commits > before) noteDone(scope, path.key);
    }
  };
}

/**
 * Runs a mutation that may have been sent twice at once. One that searched when the other was just done can be refused for what the other took:
 * it asks again, and gets the answer of the other.
 */
async function runOrRepeat<Answer>(run: () => Promise<Answer>, scope: RequestScope): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal && (await hasFirstAnswer(scope))) return run();
    throw error;
  }
}

/** What is certain after a commit, whatever could be read of its answer. */
const certain: Readonly<Record<string, unknown>> = { changed: true, applied: true };

/** A payload of a write that was done but could not be described: each field fails with the error when it is asked for. */
function withoutAnswer<Nothing extends object>(refused: Nothing, error: unknown): Nothing {
  // An executor takes an Error in the place of a value for one that was thrown.
  return Object.fromEntries(Object.keys(refused).map((field) => [field, certain[field] ?? error])) as Nothing;
}

/** A read after the write: when it fails, only its field fails. */
export async function readOfAnswer<Value>(read: Value | Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    return error as Value;
  }
}

/** What is known of the call when it ends. */
function partsOf({ mutation }: RequestScope): Pick<PayloadParts, 'replayed' | 'eventIds'> {
  return { replayed: mutation?.replayed ?? false, eventIds: mutation?.eventIds ?? [] };
}

/** Resolvers of `event` and `events`, for every payload that has them. */
export const payloadResolvers = {
  event: ({ eventIds: [first] }: PayloadParts, _: unknown, { loaders }: RequestScope) =>
    first === undefined ? null : loaders.eventById.load(first),
  events: ({ eventIds }: PayloadParts, _: unknown, { loaders }: RequestScope) =>
    Promise.all(eventIds.map((id) => loaders.eventById.load(id))),
} as const;
