// Consumers, what they hold, and who they belong to, as every room above the database sees them. Shapes only.
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
}

/** A consumer holds `amount` units of a class on a provider. */
export interface Allocation {
  readonly consumerId: number;
  readonly providerId: number;
  readonly classId: number;
  readonly className: string;
  readonly amount: number;
}

/** What a consumer shall hold on one provider: provider by uuid, amounts in units of their classes. */
export interface AllocationInput {
  readonly resourceProvider: string;
  readonly resources: readonly { readonly resourceClass: string; readonly amount: number }[];
}

export interface AllocationFilter {
  readonly resourceClasses?: readonly string[];
  readonly projects?: readonly string[];
  readonly consumerTypes?: readonly string[];
}

/** Conditions on a consumer; all that are given must hold. */
export interface ConsumerFilter {
  readonly uuids?: readonly string[];
  readonly projects?: readonly string[];
  readonly users?: readonly string[];
  readonly consumerTypes?: readonly string[];
  readonly untyped?: boolean;
  /** Holds something on one of these providers. */
  readonly resourceProviders?: readonly string[];
  /** Holds something in the trees of these providers. */
  readonly inTrees?: readonly string[];
  /** Holds something in several trees, sharing providers not counted. */
  readonly onSeveralRoots?: boolean;
  /** Holds something on a provider in one of these aggregates, or below a root in one. */
  readonly aggregates?: readonly string[];
  /** Holds something of every one. */
  readonly resourceClasses?: readonly string[];
  /** Holds at least so much of each class, over all providers. */
  readonly holds?: readonly ResourceAmount[];
  /** RFC 3339 in UTC, all exclusive. */
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
  readonly and?: readonly ConsumerFilter[];
  readonly or?: readonly ConsumerFilter[];
  readonly not?: ConsumerFilter;
}

/** What usages are told apart by: consumers, what they belong to, or where they hold it. */
export type UsageKey = 'PROJECT' | 'USER' | 'CONSUMER_TYPE' | 'CONSUMER' | 'RESOURCE_PROVIDER' | 'ROOT' | 'AGGREGATE';

/** What a group of consumers holds. Keys that were not asked for are null. */
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
