// Generated from consumers.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** An amount of one resource class. Classes must be unique within a list. */
export type ResourceAmountInput = {
  /** Name of the class, such as VCPU. */
  readonly resourceClass: string;
  /** The amount, in units of the class: at least 1. The maxUnit of the inventory bounds it from above. */
  readonly amount: number;
};

/** Conditions on a consumer; all that are given must hold. `and`, `or` and `not` nest further filters: at most 50 in total, 4 levels deep. */
export type ConsumerFilterInput = {
  /** One of these uuids; at most 1,000. */
  readonly uuids?: ReadonlyArray<string> | null | undefined;
  /** Belongs to one of these projects; at most 1,000. */
  readonly projects?: ReadonlyArray<string> | null | undefined;
  /** Created by one of these users; at most 1,000. */
  readonly users?: ReadonlyArray<string> | null | undefined;
  /** Has one of these types. For consumers without a type use `untyped`. */
  readonly consumerTypes?: ReadonlyArray<string> | null | undefined;
  /** Has no type (true) or has one (false). */
  readonly untyped?: boolean | null | undefined;
  /** Has an allocation on one of these providers; at most 1,000. Rule: `placement:graphql:resource_providers:read`. */
  readonly resourceProviders?: ReadonlyArray<string> | null | undefined;
  /** Has an allocation in the tree of one of these providers; at most 1,000. Rule: `placement:graphql:resource_providers:read`. */
  readonly inTrees?: ReadonlyArray<string> | null | undefined;
  /** Has an allocation in the tree of a provider with one of these names, such as a host with its NUMA cells; at most 1,000. Rule: `placement:graphql:resource_providers:read`. */
  readonly inTreesNamed?: ReadonlyArray<string> | null | undefined;
  /** Has allocations in several trees, not counting sharing providers (true): a move in progress, or a leftover of one. Rule: `placement:graphql:resource_providers:read`. */
  readonly onSeveralRoots?: boolean | null | undefined;
  /** Has an allocation on a provider in one of these aggregates, or whose root is; at most 1,000. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregates?: ReadonlyArray<string> | null | undefined;
  /** Has an allocation of every one of these classes; at most 100. */
  readonly resourceClasses?: ReadonlyArray<string> | null | undefined;
  /** Holds at least these amounts, summed over all providers; at most 100. */
  readonly holds?: ReadonlyArray<ResourceAmountInput> | null | undefined;
  /** Created after this moment. */
  readonly createdAfter?: string | null | undefined;
  /** Created before this moment. */
  readonly createdBefore?: string | null | undefined;
  /** Last written after this moment. */
  readonly updatedAfter?: string | null | undefined;
  /** Last written before this moment. */
  readonly updatedBefore?: string | null | undefined;
  /** All of these must hold. */
  readonly and?: ReadonlyArray<ConsumerFilterInput> | null | undefined;
  /** At least one of these must hold; an empty list matches nothing. */
  readonly or?: ReadonlyArray<ConsumerFilterInput> | null | undefined;
  /** This must not hold. */
  readonly not?: ConsumerFilterInput | null | undefined;
};

export type ConsumerRowFragment = { readonly uuid: string, readonly generation: number, readonly consumerType: string | null, readonly updatedAt: string, readonly project: { readonly externalId: string }, readonly user: { readonly externalId: string }, readonly allocations: ReadonlyArray<{ readonly amount: number, readonly resourceClass: { readonly name: string }, readonly resourceProvider: { readonly uuid: string, readonly name: string } }> };

export type OwnConsumerRowFragment = { readonly uuid: string, readonly consumerType: string | null, readonly updatedAt: string, readonly project: { readonly externalId: string }, readonly user: { readonly externalId: string }, readonly allocations: ReadonlyArray<{ readonly amount: number, readonly resourceClass: { readonly name: string } }> };

export type ConsumersQueryVariables = Exact<{
  filter: ConsumerFilterInput;
  after?: string | null | undefined;
}>;


export type ConsumersQuery = { readonly consumers: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<ConsumerRowFragment> } };

export type ConsumerQueryVariables = Exact<{
  uuid: string;
}>;


export type ConsumerQuery = { readonly consumer: (
    { readonly createdAt: string, readonly roots: ReadonlyArray<{ readonly uuid: string, readonly name: string }> }
    & ConsumerRowFragment
  ) | null };

export type OwnConsumersQueryVariables = Exact<{
  filter: ConsumerFilterInput;
  after?: string | null | undefined;
}>;


export type OwnConsumersQuery = { readonly consumers: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<OwnConsumerRowFragment> } };

export type OwnConsumerQueryVariables = Exact<{
  uuid: string;
}>;


export type OwnConsumerQuery = { readonly consumer: (
    { readonly generation: number, readonly createdAt: string }
    & OwnConsumerRowFragment
  ) | null };

export const Consumers = documentOf<ConsumersQuery, ConsumersQueryVariables>(
  'Consumers',
  "query Consumers($filter:ConsumerFilterInput!$after:String){consumers(first:100 after:$after filter:$filter orderBy:[{field:UPDATED_AT direction:DESC}]){totalCount pageInfo{hasNextPage endCursor}nodes{...ConsumerRow}}}fragment ConsumerRow on Consumer{uuid generation consumerType updatedAt project{externalId}user{externalId}allocations{amount resourceClass{name}resourceProvider{uuid name}}}",
);

export const Consumer = documentOf<ConsumerQuery, ConsumerQueryVariables>(
  'Consumer',
  "query Consumer($uuid:UUID!){consumer(uuid:$uuid){...ConsumerRow createdAt roots{uuid name}}}fragment ConsumerRow on Consumer{uuid generation consumerType updatedAt project{externalId}user{externalId}allocations{amount resourceClass{name}resourceProvider{uuid name}}}",
);

export const OwnConsumers = documentOf<OwnConsumersQuery, OwnConsumersQueryVariables>(
  'OwnConsumers',
  "query OwnConsumers($filter:ConsumerFilterInput!$after:String){consumers(first:100 after:$after filter:$filter orderBy:[{field:UPDATED_AT direction:DESC}]){totalCount pageInfo{hasNextPage endCursor}nodes{...OwnConsumerRow}}}fragment OwnConsumerRow on Consumer{uuid consumerType updatedAt project{externalId}user{externalId}allocations{amount resourceClass{name}}}",
);

export const OwnConsumer = documentOf<OwnConsumerQuery, OwnConsumerQueryVariables>(
  'OwnConsumer',
  "query OwnConsumer($uuid:UUID!){consumer(uuid:$uuid){...OwnConsumerRow generation createdAt}}fragment OwnConsumerRow on Consumer{uuid consumerType updatedAt project{externalId}user{externalId}allocations{amount resourceClass{name}}}",
);
