// What stands behind those GraphQL types that are no rows: pages, people that are only an external id, and problems.
import type { Allocation, Consumer, Usage } from '../../domain/allocation.ts';
import type { ProblemOf } from '../../domain/errors.ts';
import type { LedgerEvent } from '../../domain/event.ts';
import type { Page } from '../../domain/page.ts';
import type { Aggregate, Inventory, Provider, Trait } from '../../domain/provider.ts';

/** A project: Keystone knows the rest. */
export interface ProjectParent {
  readonly externalId: string;
}

/** A user: Keystone knows the rest. */
export interface UserParent {
  readonly externalId: string;
}

export type ProviderPage = Page<Provider>;
export type InventoryPage = Page<Inventory>;
export type TraitPage = Page<Trait>;
export type AggregatePage = Page<Aggregate>;
export type ConsumerPage = Page<Consumer>;
export type AllocationPage = Page<Allocation>;
export type ProjectPage = Page<ProjectParent>;
export type UsagePage = Page<Usage>;
export type EventPage = Page<LedgerEvent>;

// Problems by their code, for the types of userErrors.
export type InvalidInputProblem = ProblemOf<'INVALID_INPUT'>;
export type IdempotencyKeyReusedProblem = ProblemOf<'IDEMPOTENCY_KEY_REUSED'>;
export type NotFoundProblem = ProblemOf<'NOT_FOUND'>;
export type DuplicateProblem = ProblemOf<'DUPLICATE'>;
export type StandardNameProblem = ProblemOf<'STANDARD_NAME'>;
export type ConsumerConflictProblem = ProblemOf<'CONSUMER_CONFLICT'>;
export type ProviderConflictProblem = ProblemOf<'PROVIDER_CONFLICT'>;
export type ParentLoopProblem = ProblemOf<'PARENT_LOOP'>;
export type HasChildrenProblem = ProblemOf<'HAS_CHILDREN'>;
export type InUseProblem = ProblemOf<'IN_USE'>;
export type NoInventoryProblem = ProblemOf<'NO_INVENTORY'>;
export type UnitViolationProblem = ProblemOf<'UNIT_VIOLATION'>;
export type CapacityExceededProblem = ProblemOf<'CAPACITY_EXCEEDED'>;
export type NoCandidatesProblem = ProblemOf<'NO_CANDIDATES'>;
