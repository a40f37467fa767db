// What all mutation fields have in common: one input, an idempotency key, the event, refusals in the payload, and a payload after every
// completed write, whatever fails afterwards. The only catch of this surface.
import { type GraphQLOutputType, type GraphQLResolveInfo, getNullableType, isListType, isNonNullType, isObjectType } from 'graphql';
import { OutcomeUnknown, type Problem, Refusal } from '../../domain/errors.ts';
import { measures } from '../../measures/measures.ts';
import { isDatabaseFault } from '../../operations/request/faults.ts';
import { type KeyedInput, MutationCall } from '../../operations/request/mutation-call.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { hasFirstAnswer } from '../../operations/scope/write.ts';
import { type NodeKind, renderNodeId } from '../node-id.ts';
import { recordWritten } from '../written-fields.ts';

/** The common part of all payloads. */
interface PayloadParts {
  readonly userErrors: readonly Problem[];
  readonly truncated: boolean;
  readonly replayed: boolean;
  /** Whether anything was written. */
  readonly changed: boolean;
  /** Ids of the events, in the order of the writes; the events are read only if selected (payloadResolvers). */
  readonly eventIds: readonly number[];
}

/**
 * A mutation field: runs an operation, which may report refusals of parts; if it refuses as a whole, the payload is `refused` with the reasons.
 * Any other exception is a bug or an outage. Before the write it is the answer; afterwards it only replaces what could not be read.
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
  return async (_parent, { input }, scope, { fieldName, path, returnType }) => {
    const before = scope.commits;
    // Several writes under one key may be incomplete while there is no stored answer: repeating the call completes them and returns the whole answer.
    const isAnswered = () => scope.commits > before && !scope.mutation?.key;
    try {
      scope.mutation = new MutationCall(fieldName, input, scope.identity);
      // The key is not part of an operation's input.
      const { idempotencyKey: _, ...rest } = input;
      const answer = await runOrRepeat(() => run(rest as Input, scope), scope);
      return { ...partsOf(scope), userErrors: [], truncated: false, ...answer };
    } catch (error) {
      if (error instanceof Refusal) noteRefusal(scope, error.problems[0]?.code ?? 'INVALID_INPUT');
      if (error instanceof Refusal && !scope.mutation?.isAudited) auditRefusal(scope, fieldName, error);
      if (error instanceof Refusal) return { ...partsOf(scope), ...refused, userErrors: error.problems, truncated: error.truncated };
      if (isAnswered()) {
        const parts = { ...partsOf(scope), userErrors: [], truncated: false };
        return { ...parts, ...withoutAnswer(refused, error, returnType, parts) };
      }
      const isUnknown = error instanceof OutcomeUnknown || (scope.commits > before && isDatabaseFault(error));
      if (isUnknown && typeof input.idempotencyKey === 'string') throw new OutcomeUnknown(error, { hasKey: true });
      throw error;
    } finally {
      if (isAnswered()) recordWritten(scope, path.key);
      scope.mutation = null;
    }
  };
}

function noteRefusal({ activity }: RequestScope, code: string): void {
  measures.refusals.add(1, 'graphql', code);
  activity?.noteRefusal(code);
}

/** Audits a mutation that was refused before any write. */
function auditRefusal({ audit }: RequestScope, fieldName: string, { problems: [problem] }: Refusal): void {
  audit?.({ outcome: 'refused', action: null, ...(problem && { code: problem.code }), fields: [fieldName] });
}

/**
 * Runs a mutation that may have been sent twice at the same time. The second call can be refused because the first took what it had found:
 * it then tries again, and gets the answer of the first.
 */
async function runOrRepeat<Answer>(run: () => Promise<Answer>, scope: RequestScope): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal && (await hasFirstAnswer(scope))) return run();
    throw error;
  }
}

/** The payload of a completed write that could not be read. Each nullable field fails with the error if selected, so that the payload itself never fails. */
function withoutAnswer<Nothing extends object>(
  refused: Nothing,
  error: unknown,
  payload: GraphQLOutputType,
  { changed }: PayloadParts,
): Nothing {
  const fields = isObjectType(payload) ? payload.getFields() : {};
  const left = Object.entries(refused).map(([name, nothing]) => {
    const type = fields[name]?.type;
    // Executors treat an Error value as if it were thrown.
    // Known even if the answer cannot be read.
    if (name === 'created') return [name, changed];
    if (name === 'applied') return [name, true];
    if (!type || !isNonNullType(type)) return [name, error];
    const list = getNullableType(type);
    return [name, isListType(list) && !isNonNullType(list.ofType) ? [error] : nothing];
  });
  return Object.fromEntries(left) as Nothing;
}

/** A read after the write: if it fails, only its field fails. */
export async function readAfterWrite<Value>(read: Value | Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    return error as Value;
  }
}

/** The outcome of the call. */
function partsOf({ mutation }: RequestScope): Pick<PayloadParts, 'replayed' | 'changed' | 'eventIds'> {
  const eventIds = mutation?.eventIds ?? [];
  return { replayed: mutation?.replayed ?? false, changed: eventIds.length > 0, eventIds };
}

/** The resolvers of `event` and `events` for every payload type with these fields. */
export const payloadResolvers = {
  event: ({ eventIds: [first] }: PayloadParts, _: unknown, { loaders }: RequestScope) =>
    first === undefined ? null : loaders.eventById.load(first),
  events: async ({ eventIds }: PayloadParts, _: unknown, { loaders }: RequestScope) => {
    const events = await Promise.all(eventIds.map((id) => loaders.eventById.load(id)));
    return events.filter((event) => event !== null);
  },
} as const;

/** What a deletion returns if it is refused. */
export const nothingDeleted = { deletedId: null };

/** What a deletion of the object with this key returns. */
export const deleted = (kind: NodeKind, key: string) => ({ deletedId: renderNodeId(kind, key) });
