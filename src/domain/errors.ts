// The refusals: everything the service understands and answers with no. One class, one closed table of codes with their details.
// The order of the table is the order of precedence: when two apply, the first is told.
// Each surface owns one total record over the codes; nothing here knows a status code or a GraphQL type.

/** What each refusal carries. Uuids are canonical; amounts are in units of the resource class. */
export interface RefusalDetails {
  /** An argument is malformed or out of range. */
  INVALID_INPUT: Record<never, never>;
  /** The idempotency key was used before, with other input. */
  IDEMPOTENCY_KEY_REUSED: { key: string };
  /** Something named in the request does not exist. */
  NOT_FOUND: { noun: Noun; key: string };
  /** The name or uuid is taken. `existing` is the uuid or name of what has it. */
  DUPLICATE: { noun: Noun; key: string; existing: string };
  /** A standard name can be neither created nor deleted. */
  STANDARD_NAME: { noun: Noun; key: string };
  /** The consumer is not as expected. Null stands for "does not exist". */
  CONSUMER_CONFLICT: { consumer: string; expected: number | null; actual: number | null };
  /** The provider changed since it was read. */
  PROVIDER_CONFLICT: { provider: string; expected: number; actual: number };
  /** The new parent is the provider itself or one of its descendants. */
  PARENT_LOOP: { provider: string; parent: string };
  /** The provider still has children. */
  HAS_CHILDREN: { provider: string; children: string[]; count: number };
  /** Something still uses it: consumers hold it, or providers have it. `by` lists at most ten uuids. */
  IN_USE: { noun: Noun; key: string; provider?: string; by: string[]; count: number };
  /** The provider has no inventory of the class. */
  NO_INVENTORY: { consumer: string; provider: string; resourceClass: string };
  /** One amount breaks min_unit, max_unit or step_size. */
  UNIT_VIOLATION: {
    consumer: string;
    provider: string;
    resourceClass: string;
    requested: number;
    minUnit: number;
    maxUnit: number;
    stepSize: number;
  };
  /** The amounts of this request and what others hold exceed the capacity. `available` is what this request could have, never negative. */
  CAPACITY_EXCEEDED: { consumer: string; provider: string; resourceClass: string; requested: number; available: number };
}

/** What a refusal can be about. */
export type Noun =
  | 'resourceProvider'
  | 'parent'
  | 'resourceClass'
  | 'inventory'
  | 'trait'
  | 'aggregate'
  | 'consumer';

export type RefusalCode = keyof RefusalDetails;

/** One reason for a no: `path` leads to the offending value of the input. */
export type Problem = {
  [Code in RefusalCode]: { readonly code: Code; readonly message: string; readonly path: readonly string[]; readonly details: RefusalDetails[Code] };
}[RefusalCode];

/** The one exception that operations throw on purpose. Carries at least one problem. */
export class Refusal extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join('; '));
    this.name = 'Refusal';
    this.problems = problems;
  }
}

/** A refusal of one malformed argument. */
export function invalidInput(path: readonly (string | number)[], message: string): Refusal {
  return new Refusal([invalidProblem(path, message)]);
}

/** One malformed argument, for checks that collect several. */
export function invalidProblem(path: readonly (string | number)[], message: string): Problem {
  return { code: 'INVALID_INPUT', message, path: path.map(String), details: {} };
}

/** The write may or may not have happened: the connection ended before the answer. Never resent blindly. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection to the database ended before the outcome of the write was known.', { cause });
    this.name = 'OutcomeUnknown';
  }
}

/** The database cannot be reached or is shutting down; nothing was written. */
export class Unavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available at the moment.', { cause });
    this.name = 'Unavailable';
  }
}
