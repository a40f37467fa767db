// Refusals: the errors that the service raises on purpose. One class, and one closed table of codes with their details.
// The order of the table is the order of precedence: if two apply, the first is reported.
// Each API maps every code to its own form; nothing here knows a status code or a GraphQL type.
import type { Explanation } from './explanation.ts';
import type { Path } from './input.ts';
import { type QuotaSubject, wordsOfQuota } from './quota.ts';
import { type Retry, retries } from './retry.ts';

/** What each refusal carries. Uuids are canonical; amounts are in units of the resource class. */
export interface RefusalDetails {
  /** An argument is malformed or out of range. */
  INVALID_INPUT: { message: string };
  /** The idempotency key was already used with different input. */
  IDEMPOTENCY_KEY_REUSED: { key: string };
  /** The caller may write only to some trees, and this is another one. Carries no facts about it. */
  FORBIDDEN: Record<never, never>;
  /** Something named in the request does not exist. */
  NOT_FOUND: { noun: Noun; key: string };
  /** The name or uuid (`field`) is taken. `existing` is the key of its owner, the uuid or the name; null if unknown. */
  DUPLICATE: { noun: Noun; field: 'name' | 'uuid'; key: string; existing: string | null };
  /** A standard name can be neither created nor deleted. */
  STANDARD_NAME: { noun: Noun; key: string };
  /** The consumer's generation is not the expected one. Null stands for "does not exist". */
  CONSUMER_CONFLICT: { consumer: string; expected: number | null; actual: number | null };
  /** The provider's generation is not the expected one: it changed since it was read. */
  PROVIDER_CONFLICT: { provider: string; expected: number; actual: number };
  /** A selection of providers does not match as many as the caller expected. */
  SELECTION_CONFLICT: { expectedCount: number; matchedCount: number };
  /** The settings were replaced since they were read. */
  SETTINGS_CONFLICT: { expected: number; actual: number };
  /** The reservation's generation is not the expected one. Null stands for "does not exist". */
  RESERVATION_CONFLICT: { reservation: string; expected: number | null; actual: number | null };
  /** The new parent is the provider itself or one of its descendants. */
  PARENT_LOOP: { provider: string; parent: string };
  /** The provider still has children. */
  HAS_CHILDREN: { provider: string; children: string[]; count: number };
  /** Still in use by consumers or providers. `by` lists at most ten uuids, of reservations with `isReserved`; `classes` lists all that cannot be removed, if several. */
  IN_USE: { noun: Noun; key: string; provider?: string; by: string[]; count: number; classes?: string[]; isReserved?: true };
  /** The provider has no inventory of the class. */
  NO_INVENTORY: { consumer: string; provider: string; resourceClass: string };
  /** An amount violates min_unit, max_unit or step_size. */
  UNIT_VIOLATION: {
    consumer: string;
    provider: string;
    resourceClass: string;
    requested: number;
    minUnit: number;
    maxUnit: number;
    stepSize: number;
  };
  /** The requested amount exceeds what is left of the capacity. `available` is the most this request could have, never negative. */
  CAPACITY_EXCEEDED: { consumer: string; provider: string; resourceClass: string; requested: number; available: number };
  /** Other members of its group are on this root (APART), or on other roots (TOGETHER). `provider` is the root. */
  AFFINITY_VIOLATION: { consumer: string; provider: string; policy: 'TOGETHER' | 'APART' };
  /** A quota of a project leaves less than the write would add. `project` is whose quota it is: the consumer's own, or the one above. */
  QUOTA_EXCEEDED: { consumer: string; project: string; amount: number; used: number; requested: number } & QuotaSubject;
  /** No provider can currently serve the request of this consumer. */
  NO_CANDIDATES: { consumer: string; explanation: Explanation };
}

/** What a refusal can be about. */
export type Noun =
  | 'resourceProvider'
  | 'parent'
  | 'resourceClass'
  | 'inventory'
  | 'trait'
  | 'aggregate'
  | 'consumer'
  | 'reservation'
  | 'service'
  | 'project';

export type RefusalCode = keyof RefusalDetails;

/** A code with its details, as a write function returns it. */
export type RefusalReason = { [Code in RefusalCode]: { readonly code: Code; readonly details: RefusalDetails[Code] } }[RefusalCode];

/** One reason for a refusal, as a message and as data. `path` leads to the offending value of the input. */
export type ProblemOf<Code extends RefusalCode> = {
  [Each in Code]: RefusalDetails[Each] & {
    readonly code: Each;
    readonly message: string;
    readonly path: readonly string[];
    readonly retry: Retry;
  };
}[Code];
export type Problem = ProblemOf<RefusalCode>;

/** The only exception that operations throw on purpose. Carries at least one problem. */
export class Refusal extends Error {
  readonly problems: readonly Problem[];

  /** Whether there are more problems than are listed. */
  readonly truncated: boolean;

  constructor(problems: readonly Problem[], { truncated = false }: { readonly truncated?: boolean } = {}) {
    super(problems.map(({ message }) => message).join('; '));
    this.name = 'Refusal';
    this.problems = problems;
    this.truncated = truncated;
  }

  /** The same refusal with its paths translated to the caller's input. */
  relabelled(place: Place): Refusal {
    const problems = this.problems.map((problem) => relabelled(problem, place));
    return new Refusal(problems, { truncated: this.truncated });
  }
}

/** Locates a problem in the input. */
export type Place = (problem: Problem) => Path;

/** A problem with its path translated to other input. */
export function relabelled(problem: Problem, place: Place): Problem {
  // The idempotency key is the caller's own argument at every level.
  if (problem.code === 'IDEMPOTENCY_KEY_REUSED') return problem;
  return { ...problem, path: place(problem).map(String) };
}

/** Runs another operation and translates the paths of its refusals to the input of this one. */
export async function relabel<Result>(run: () => Promise<Result>, place: Place): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Refusal ? error.relabelled(place) : error;
  }
}

/** A refusal with one problem at `path`. */
export function refusalOf(reason: RefusalReason, path: Path, message = messageOf(reason)): Refusal {
  return new Refusal([problemOf(reason, path, message)]);
}

/** One problem, for checks that collect several. */
export function problemOf(reason: RefusalReason, path: Path, message = messageOf(reason)): Problem {
  const { code, details } = reason;
  return { ...details, code, message, path: path.map(String), retry: retryAfter(reason) } as Problem;
}

/** Conditions that do not depend on usage; each is checked before the first condition that does. */
const fixedConditions: ReadonlySet<Explanation['steps'][number]['kind']> = new Set([
  'ROOT_TRAITS',
  'ROOT_FORBIDDEN_TRAIT',
  'ROOT_AGGREGATES',
  'ROOT_FORBIDDEN_AGGREGATE',
  'TREE',
  'INVENTORY',
  'UNITS',
]);

/** If no root is left before the first condition on usage, the same search will find none later either. */
function retryAfter({ code, details }: RefusalReason): Retry {
  if (code !== 'NO_CANDIDATES' || details.explanation.truncated) return retries[code];
  const { steps } = details.explanation;
  return steps.at(-1)?.rootsAfter === 0 && steps.every(({ kind }) => fixedConditions.has(kind)) ? 'NEVER' : retries[code];
}

/** A refusal of one malformed argument. */
export function invalidInput(path: Path, message: string): Refusal {
  return new Refusal([invalidProblem(path, message)]);
}

/** One malformed argument, for checks that collect several. */
export function invalidProblem(path: Path, message: string): Problem {
  return problemOf({ code: 'INVALID_INPUT', details: { message } }, path);
}

const words: { [Code in RefusalCode]: (details: RefusalDetails[Code]) => string } = {
  INVALID_INPUT: ({ message }) => message,
  IDEMPOTENCY_KEY_REUSED: ({ key }) => `The idempotency key ${key} was used with other input. Use a new key for a new write.`,
  FORBIDDEN: () => 'This caller may write only to its own trees, and to allocations from them.',
  NOT_FOUND: ({ noun, key }) =>
    noun === 'consumer'
      ? `Consumer ${key} has no allocations.`
      : `There is no ${called(noun)} ${key}${noun === 'reservation' ? ': it was never made, was released or has ended' : ''}.`,
  DUPLICATE: ({ noun, key }) => `There is already a ${called(noun)} ${key}.`,
  STANDARD_NAME: ({ noun, key }) => `${key} is a standard ${called(noun)}: it can be neither created nor deleted.`,
  CONSUMER_CONFLICT: ({ consumer, expected, actual }) =>
    actual === null
      ? `Consumer ${consumer} does not exist, but generation ${expected} was expected. Read it again.`
      : `Consumer ${consumer} has generation ${actual}, but ${expected === null ? 'it was expected to be new' : `${expected} was expected`}. Read it again.`,
  PROVIDER_CONFLICT: ({ provider, expected, actual }) =>
    `Provider ${provider} has generation ${actual}, but ${expected} was expected. Read it again.`,
  SELECTION_CONFLICT: ({ expectedCount, matchedCount }) =>
    `The selection matches ${matchedCount}, but ${expectedCount} were expected. Check what matches now, with dryRun.`,
  SETTINGS_CONFLICT: ({ expected, actual }) => `The settings have generation ${actual}, but ${expected} was expected. Read them again.`,
  RESERVATION_CONFLICT: ({ reservation, expected, actual }) =>
    actual === null
      ? `Reservation ${reservation} does not exist, but generation ${expected} was expected. Read it again.`
      : `Reservation ${reservation} has generation ${actual}, but ${expected === null ? 'it was expected to be new' : `${expected} was expected`}. Read it again.`,
  PARENT_LOOP: ({ provider, parent }) => `Provider ${parent} is ${provider} itself or is below it, so it cannot be its parent.`,
  HAS_CHILDREN: ({ provider, count }) => `Provider ${provider} has ${count} children. Delete or move them first.`,
  IN_USE: ({ noun, key, provider, count, isReserved }) => {
    const users = isReserved
      ? `is kept by ${count === 1 ? 'a reservation. Change or release it' : `${count} reservations. Change or release them`} first`
      : null;
    if (noun === 'inventory') return `Inventory of ${key} on provider ${provider} ${users ?? `is used by ${count} consumers`}.`;
    if (noun === 'resourceProvider') return `Provider ${key} ${users ?? `has allocations of ${count} consumers`}.`;
    return noun === 'reservation'
      ? `${count} consumers claim from reservation ${key}. Release them first.`
      : `${key} is on ${count} providers.`;
  },
  NO_INVENTORY: ({ provider, resourceClass }) => `Provider ${provider} has no inventory of ${resourceClass}.`,
  UNIT_VIOLATION: ({ provider, resourceClass, requested, minUnit, maxUnit, stepSize }) =>
    `${requested} of ${resourceClass} cannot be allocated from provider ${provider}: amounts are multiples of ${stepSize} from ${minUnit} to ${maxUnit}.`,
  CAPACITY_EXCEEDED: ({ provider, resourceClass, requested, available }) =>
    `Provider ${provider} has ${available} of ${resourceClass} available, ${requested} were requested.`,
  AFFINITY_VIOLATION: ({ consumer, provider, policy }) =>
    policy === 'APART'
      ? `Consumer ${consumer} may not be on ${provider}: others of its group are there.`
      : `Consumer ${consumer} may not be on ${provider}: others of its group are elsewhere.`,
  QUOTA_EXCEEDED: ({ project, amount, used, requested, ...subject }) =>
    `Project ${project} may have ${amount} of ${wordsOfQuota(subject)}: it has ${used}, and the write would add ${requested}. Release some, or have the quota raised.`,
  NO_CANDIDATES: ({ explanation }) => explanation.summary,
};

function called(noun: Noun): string {
  return noun === 'resourceProvider' ? 'provider' : noun === 'resourceClass' ? 'resource class' : noun;
}

/** The message for a reason: what is wrong and, where that helps, what to do. */
function messageOf({ code, details }: RefusalReason): string {
  return (words[code] as (details: unknown) => string)(details);
}

/** The database failed before the answer to the whole write, which may have happened, or a part of it. Not to be retried blindly without an idempotency key. */
export class OutcomeUnknown extends Error {
  readonly retry: Retry;

  constructor(cause: unknown, { hasKey }: { readonly hasKey: boolean } = { hasKey: false }) {
    const advice = hasKey ? 'Send it again with the same idempotencyKey.' : 'Read what it was to change before sending it again.';
    super(`The database failed before the outcome of the write was known. ${advice}`, { cause });
    this.name = 'OutcomeUnknown';
    this.retry = hasKey ? 'LATER' : retries.OUTCOME_UNKNOWN;
  }
}

/** The database cannot be reached, is shutting down or is too busy; nothing was written. */
export class Unavailable extends Error {
  constructor(cause: unknown, message = 'The database is not available at the moment.') {
    super(message, { cause });
    this.name = 'Unavailable';
  }
}

/** The gateway is of a release that the database no longer serves; nothing was written. */
export class Outdated extends Unavailable {
  constructor(cause: unknown) {
    super(
      cause,
      'The database was migrated by a newer release and no longer serves this gateway. Nothing was written: use a newer gateway.',
    );
    this.name = 'Outdated';
  }
}

/** This ledger follows another Placement, which decides; nothing was written. */
export class Following extends Unavailable {
  constructor(cause: unknown) {
    super(cause, 'This gateway follows another Placement. Nothing was written: send writes to the REST API, which passes them on.');
    this.name = 'Following';
  }
}

/** The answer stored under an idempotency key is in a form that only newer releases know. The write itself was done, by another gateway. */
export class UnreadableAnswer extends Error {
  constructor() {
    super(
      'The write was done by a gateway of a newer release, and this one cannot read its answer. Send it again to a newer gateway, or read what it changed.',
    );
    this.name = 'UnreadableAnswer';
  }
}

/** The gateway is busy, or other writes hold the locks; nothing was written. Not a fault: limits exist for this. */
export class Overloaded extends Unavailable {
  constructor(message: string) {
    super(undefined, message);
    this.name = 'Overloaded';
  }
}

/** The database has no room for the write; nothing was written. */
export class DiskFull extends Unavailable {
  constructor(cause: unknown, message = 'Nothing was written: the disk of the database is full.') {
    super(cause, message);
    this.name = 'DiskFull';
  }
}

/** A query about the past cannot be answered, because the events it needs are gone or too many. The message says what to do. */
export class HistoryRefusal extends Error {
  readonly code: 'CURSOR_EXPIRED' | 'HISTORY_GONE' | 'HISTORY_TOO_LONG';

  constructor(code: HistoryRefusal['code'], message: string) {
    super(message);
    this.name = 'HistoryRefusal';
    this.code = code;
  }
}
