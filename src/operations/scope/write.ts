// Runs one write for an operation: with the actor and the idempotency key, and with refusals that point to the input.
import { selectFirstAnswer } from '../../db/first-answers.ts';
import { type Actor, type Call, isRefused, type Refused, type Written } from '../../db/writes/contract.ts';
import type { AnswerOf, RequestOf, WriteOperation } from '../../db/writes/operations.ts';
import { submitWrite } from '../../db/writes/submit-write.ts';
import type { AuditedAction } from '../../domain/audit.ts';
import { type Problem, problemOf, Refusal, type RefusalReason, refusalOf } from '../../domain/errors.ts';
import type { Loaders } from './loaders.ts';
import type { RequestScope } from './scope.ts';

export type { Written } from '../../db/writes/contract.ts';

/** The path of the input that a refusal concerns; empty for the whole input. */
export type Locate = (reason: RefusalReason) => readonly (string | number)[];

/**
 * Runs a write function and returns its answer. Throws its refusals, with a message and the path that `locate` finds. Within a mutation that has a
 * key, a repeated call returns the first answer; `besides` is stored with it, for operations whose own answer needs more data.
 */
export async function write<Name extends WriteOperation>(
  scope: RequestScope,
  operation: Name,
  request: RequestOf<Name>,
  locate: Locate,
  besides?: unknown,
): Promise<AnswerOf<Name>> {
  const { mutation } = scope;
  const idempotency = mutation?.key ? { ...mutation.key, ...(besides === undefined ? {} : { besides }) } : undefined;
  try {
    const answer = await submitAudited(scope, operation, request, idempotency);
    if (isRefused(answer)) throw refusedBy(answer, locate);
    return recordAnswer(scope, besides === undefined || answer.replayed ? answer : { ...answer, besides });
  } catch (error) {
    scope.forgetReads();
    throw error;
  }
}

async function submitAudited<Name extends WriteOperation>(
  scope: RequestScope,
  operation: Name,
  request: RequestOf<Name>,
  idempotency: Call['idempotency'],
): Promise<AnswerOf<Name> | Refused> {
  const record = (outcome: Omit<AuditedAction, 'action'>) => {
    const { mutation } = scope;
    if (mutation) mutation.isAudited = true;
    scope.audit?.({ action: operation, ...outcome, ...(mutation && { fields: [mutation.operation] }) });
  };
  try {
    const owned = scope.owned() ?? undefined;
    const answer = await submitWrite(scope.db, operation, request, { by: actorOf(scope), idempotency, owned });
    record(outcomeOf(answer));
    return answer;
  } catch (error) {
    record({ outcome: 'failed' });
    throw error;
  }
}

function outcomeOf(answer: Written | Refused): Omit<AuditedAction, 'action'> {
  if (isRefused(answer)) {
    const { code } = answer.refusal;
    return { outcome: code === 'FORBIDDEN' ? 'forbidden' : 'refused', code };
  }
  const { eventId, replayed } = answer;
  return typeof eventId === 'number' && !replayed ? { outcome: 'written', eventId } : { outcome: 'unchanged' };
}

function refusedBy({ refusal: { others = [], truncated = false, ...first } }: Refused, locate: Locate): Refusal {
  const problems = [first, ...others].map((reason) => problemOf(reason, reason.code === keyReused ? ['idempotencyKey'] : locate(reason)));
  return new Refusal(problems, { truncated });
}

const keyReused = 'IDEMPOTENCY_KEY_REUSED';

/**
 * The first answer to this mutation, for operations that search before they write; null without a key, or when there is no answer yet. Refuses
 * IDEMPOTENCY_KEY_REUSED.
 */
export async function findFirstAnswer<Name extends WriteOperation>(scope: RequestScope, _operation: Name): Promise<AnswerOf<Name> | null> {
  const { mutation } = scope;
  if (!mutation?.key) return null;
  const { key, hash } = mutation.key;
  const first = await selectFirstAnswer<AnswerOf<Name>>(scope.db, mutation.key);
  if (first === null) return null;
  // The write functions decide whether the caller still owns what the answer is about.
  if (scope.owned() !== null) return write(scope, 'keep_answer', { answer: first.answer }, () => []) as Promise<AnswerOf<Name>>;
  if (first.hash !== hash) throw refusalOf({ code: keyReused, details: { key } }, ['idempotencyKey']);
  return recordAnswer(scope, first.answer);
}

/** Whether this mutation has a key with a stored answer. */
export async function hasFirstAnswer({ db, mutation }: Pick<RequestScope, 'db' | 'mutation'>): Promise<boolean> {
  return mutation?.key ? (await selectFirstAnswer(db, mutation.key)) !== null : false;
}

/**
 * Stores the answer of a mutation that has a key but nothing to write: the current rows, and what a replay will need. Returns the answer that was
 * stored first; null without a key.
 */
export async function keepAnswer(scope: RequestScope, rows: Written, besides: unknown): Promise<Written | null> {
  if (!scope.mutation?.key) return null;
  return write(scope, 'keep_answer', { answer: { eventId: null, ...rows } }, () => [], besides);
}

/**
 * Runs one of several writes of a mutation. With a key, the outcome is the same whenever the same mutation is sent, even if it is a refusal: refusals are
 * stored, so that a write is not done after the mutation was answered without it.
 */
export async function writePart<Answer extends Written>(scope: RequestScope, name: string, run: () => Promise<Answer>): Promise<Answer> {
  const answer = await runPart(scope, name, async () => {
    try {
      return await run();
    } catch (error) {
      const kept = error instanceof Refusal ? await keepAnswer(scope, {}, { refused: error.problems }) : null;
      if (kept) return kept as Answer;
      throw error;
    }
  });
  const { refused } = (answer.besides ?? {}) as { readonly refused?: readonly Problem[] };
  if (refused) throw new Refusal(refused);
  return answer;
}

/** What a mutation found before its writes, which depend on it: with a key, what it found first. Refusals are not stored. */
export function findOnce<Found>(scope: RequestScope, find: () => Promise<Found>): Promise<Found> {
  return runPart(scope, 'found', async () => {
    const first = await findFirstAnswer(scope, 'keep_answer');
    if (first) return first.besides as Found;
    const found = await find();
    const kept = await keepAnswer(scope, {}, found);
    return kept ? (kept.besides as Found) : found;
  });
}

function runPart<Result>({ mutation }: RequestScope, name: string, run: () => Promise<Result>): Promise<Result> {
  return mutation ? mutation.runPart(name, run) : run();
}

function recordAnswer<Answer extends Written>(scope: RequestScope, answer: Answer): Answer {
  scope.mutation?.note(answer);
  scope.noteCommit((loaders) => {
    primeRows(loaders, answer);
    const { known } = (answer.besides ?? {}) as { readonly known?: Written };
    if (known) primeRows(loaders, known);
  });
  return answer;
}

/** Fields of the answer, at any depth, show the state that this write left, even when another write follows at once. */
function primeRows(loaders: Loaders, answer: Written): void {
  const {
    providers = [],
    consumers = [],
    absent = [],
    classIds = {},
    inventories = {},
    traits,
    aggregates,
    trait,
    resourceClass,
    aggregate,
    root,
    above = [],
  } = answer;
  for (const provider of [...providers, ...(root ? [root] : []), ...above]) {
    loaders.providerById.prime(provider.id, provider);
    loaders.providerByUuid.prime(provider.uuid, provider);
  }
  const held = consumers.filter((consumer) => consumer !== null);
  loaders.primeConsumers(held);
  for (const uuid of absent) loaders.consumerByUuid.prime(uuid, null);
  const byUuid = new Map(providers.map((provider) => [provider.uuid, provider]));
  for (const { id, allocations } of held) {
    const rows = allocations.flatMap(({ provider: uuid, resourceClass: className, amount }) => {
      const provider = byUuid.get(uuid);
      const classId = classIds[className];
      return provider && classId !== undefined
        ? [{ name: provider.name, consumerId: id, providerId: provider.id, classId, className, amount }]
        : [];
    });
    if (rows.length < allocations.length) continue;
    rows.sort((a, b) => (a.name !== b.name ? (a.name < b.name ? -1 : 1) : a.classId - b.classId));
    loaders.allocationsByConsumer.prime(id, rows);
  }
  for (const [id, rows] of Object.entries(inventories)) loaders.inventoriesByProvider.prime(Number(id), rows);
  const [only] = providers;
  if (only && traits) {
    loaders.traitsByProvider.prime(only.id, traits);
    loaders.traitNamesByProvider.prime(
      only.id,
      traits.map(({ name }) => name),
    );
  }
  if (only && aggregates) loaders.aggregatesByProvider.prime(only.id, aggregates);
  if (trait) loaders.traitByName.prime(trait.name, trait);
  if (resourceClass) loaders.resourceClassByName.prime(resourceClass.name, resourceClass);
  if (aggregate) loaders.aggregateByUuid.prime(aggregate.uuid, aggregate);
}

function actorOf({ identity, requestId, globalRequestId }: RequestScope): Actor {
  const { user = null, project = null, roles = [], method = null } = identity ?? {};
  return { user, project, roles, method, requestId, globalRequestId };
}
