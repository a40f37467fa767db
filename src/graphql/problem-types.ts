// Which type of the contract shows which problem: total over the codes, so that a new one does not compile before it is shown.
import type { ProblemOf, RefusalCode } from '../domain/errors.ts';

export const typeOfCode = {
  INVALID_INPUT: 'InvalidInput',
  IDEMPOTENCY_KEY_REUSED: 'IdempotencyKeyReused',
  NOT_FOUND: 'NotFound',
  DUPLICATE: 'Duplicate',
  STANDARD_NAME: 'StandardName',
  CONSUMER_CONFLICT: 'ConsumerConflict',
  PROVIDER_CONFLICT: 'ProviderConflict',
  PARENT_LOOP: 'ParentLoop',
  HAS_CHILDREN: 'HasChildren',
  IN_USE: 'InUse',
  NO_INVENTORY: 'NoInventory',
  UNIT_VIOLATION: 'UnitViolation',
  CAPACITY_EXCEEDED: 'CapacityExceeded',
  NO_CANDIDATES: 'NoCandidates',
} as const satisfies Record<RefusalCode, string>;

/** The types that show problems. */
export type ProblemType = (typeof typeOfCode)[RefusalCode];

type CodeOf<Name extends ProblemType> = { [Code in RefusalCode]: (typeof typeOfCode)[Code] extends Name ? Code : never }[RefusalCode];

/** What stands behind a type of the contract that shows a problem: the problem of its code, whose fields are those of the type. */
export type ProblemShown<Type extends { readonly __typename?: ProblemType }> = ProblemOf<CodeOf<NonNullable<Type['__typename']>>>;
