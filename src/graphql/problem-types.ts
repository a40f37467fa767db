// Maps each problem code to its type in the contract, and each noun to its name there. Complete over the codes: a new code does not compile without its type.
import type { Noun, ProblemOf, RefusalCode } from '../domain/errors.ts';
import type { ShrunkInventory } from '../domain/inventory.ts';
import type { RequestWarning } from '../nova/terms/request-warnings.ts';

export const typeOfCode = {
  INVALID_INPUT: 'InvalidInput',
  IDEMPOTENCY_KEY_REUSED: 'IdempotencyKeyReused',
  FORBIDDEN: 'Forbidden',
  NOT_FOUND: 'NotFound',
  DUPLICATE: 'Duplicate',
  STANDARD_NAME: 'StandardName',
  CONSUMER_CONFLICT: 'ConsumerConflict',
  PROVIDER_CONFLICT: 'ProviderConflict',
  SELECTION_CONFLICT: 'SelectionConflict',
  SETTINGS_CONFLICT: 'SettingsConflict',
  RESERVATION_CONFLICT: 'ReservationConflict',
  PARENT_LOOP: 'ParentLoop',
  HAS_CHILDREN: 'HasChildren',
  IN_USE: 'InUse',
  NO_INVENTORY: 'NoInventory',
  UNIT_VIOLATION: 'UnitViolation',
  CAPACITY_EXCEEDED: 'CapacityExceeded',
  AFFINITY_VIOLATION: 'AffinityViolation',
  QUOTA_EXCEEDED: 'QuotaExceeded',
  NO_CANDIDATES: 'NoCandidates',
} as const satisfies Record<RefusalCode, string>;

/** The contract's types of problems. */
export type ProblemType = (typeof typeOfCode)[RefusalCode];

type CodeOf<Name extends ProblemType> = { [Code in RefusalCode]: (typeof typeOfCode)[Code] extends Name ? Code : never }[RefusalCode];

/** The parent that resolvers of such a type get: the problem with its code, whose fields are those of the type. */
export type ProblemShown<Type extends { readonly __typename?: ProblemType }> = ProblemOf<CodeOf<NonNullable<Type['__typename']>>>;

/** The parent that resolvers of a warning get. */
export type WarningShown = ShrunkInventory | RequestWarning;

/** What a refusal is about, in the words of the contract. */
export const shownNoun = {
  resourceProvider: 'RESOURCE_PROVIDER',
  parent: 'PARENT',
  resourceClass: 'RESOURCE_CLASS',
  inventory: 'INVENTORY',
  trait: 'TRAIT',
  aggregate: 'AGGREGATE',
  consumer: 'CONSUMER',
  reservation: 'RESERVATION',
  service: 'SERVICE',
  project: 'PROJECT',
} as const satisfies Record<Noun, string>;
