// Consumers, their allocations and their owners: the types shared by every layer above the database.
import type { Groups } from './input.ts';
import type { ResourceAmount, ResourceClass } from './provider.ts';

/** A consumer. `id` is internal. Project and user are external ids. */
export interface Consumer {
  readonly id: number;
  readonly uuid: string;
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it is released unless its holder extends it; null if it lasts. */
  readonly expiresAt: string | null;
  /** Uuid of the reservation that it claims from; null for none. Absent in answers of older releases. */
  readonly reservation?: string | null;
}

/** A consumer holds `amount` units of a class on a provider. */
export interface Allocation {
  readonly consumerId: number;
  readonly providerId: number;
  readonly classId: number;
  readonly className: string;
  readonly amount: number;
}

/** The allocations requested for a consumer on one provider, given by uuid; amounts in units of their classes. */
export interface AllocationInput {
  readonly resourceProvider: string;
  readonly resources: readonly { readonly resourceClass: string; readonly amount: number }[];
}

export interface AllocationFilter extends Groups<AllocationFilter> {
  readonly resourceClasses?: readonly string[];
  readonly projects?: readonly string[];
  readonly consumerTypes?: readonly string[];
}

/** Conditions on a consumer; all that are given must hold. */
export interface ConsumerFilter extends Groups<ConsumerFilter> {
  readonly uuids?: readonly string[];
  readonly projects?: readonly string[];
  readonly users?: readonly string[];
  readonly consumerTypes?: readonly string[];
  readonly untyped?: boolean;
  /** Has an allocation on one of these providers. */
  readonly resourceProviders?: readonly string[];
  /** Has an allocation in the tree of one of these providers. */
  readonly inTrees?: readonly string[];
  /** Has an allocation in the tree of a provider with one of these names. */
  readonly inTreesNamed?: readonly string[];
  /** Has allocations in several trees, not counting sharing providers. */
  readonly onSeveralRoots?: boolean;
  /** Has an allocation on a provider that is in one of these aggregates, or whose root is. */
  readonly aggregates?: readonly string[];
  /** Has an allocation of every one of these classes. */
  readonly resourceClasses?: readonly string[];
  /** Holds at least these amounts, summed over all providers. */
  readonly holds?: readonly ResourceAmount[];
  /** RFC 3339 in UTC, all exclusive. */
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
}

/** The keys to group usages by: the consumer, its owner or type, or where the allocations are. */
export type UsageKey = 'PROJECT' | 'USER' | 'CONSUMER_TYPE' | 'CONSUMER' | 'RESOURCE_PROVIDER' | 'ROOT' | 'AGGREGATE';

/** The usage of one group. Keys that were not requested are null. */
export interface Usage {
  readonly project: string | null;
  readonly user: string | null;
  readonly consumerType: string | null;
  readonly consumerUuid: string | null;
  /** Internal ids. */
  readonly providerId: number | null;
  readonly rootId: number | null;
  readonly aggregateUuid: string | null;
  readonly consumerCount: number;
  readonly resources: readonly { readonly resourceClass: ResourceClass; readonly amount: number }[];
}
