// Generated from live.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The kind of a write. Open: values may be added. */
export type EventKind =
  /** The allocations of consumers were created, changed or removed: a claim, a resize, a release. */
  | 'REPLACE_ALLOCATIONS'
  /** The allocations of one consumer were moved to another, as when a server migrates. */
  | 'MOVE_ALLOCATIONS'
  /** All allocations of consumers were released. */
  | 'RELEASE_ALLOCATIONS'
  /** A provider was created. */
  | 'CREATE_RESOURCE_PROVIDER'
  /** A provider was renamed or moved. */
  | 'UPDATE_RESOURCE_PROVIDER'
  /** A provider was deleted. */
  | 'DELETE_RESOURCE_PROVIDER'
  /** One or all inventories of a provider were set or deleted. */
  | 'REPLACE_INVENTORIES'
  /** Inventories of one class were changed in part, on one provider or many. */
  | 'PATCH_INVENTORIES'
  /** The traits of a provider were set. */
  | 'REPLACE_TRAITS'
  /** Traits were added to one provider or many, or removed from them. */
  | 'PATCH_TRAITS'
  /** The aggregates of a provider were set. */
  | 'REPLACE_AGGREGATES'
  /** An aggregate was named, renamed, or its name removed. */
  | 'NAME_AGGREGATE'
  /** A custom trait was created. */
  | 'CREATE_TRAIT'
  /** A custom trait was deleted. */
  | 'DELETE_TRAIT'
  /** A custom resource class was created. */
  | 'CREATE_RESOURCE_CLASS'
  /** A custom resource class was renamed, through the REST API before 1.7. */
  | 'RENAME_RESOURCE_CLASS'
  /** A custom resource class was deleted. */
  | 'DELETE_RESOURCE_CLASS'
  /** Inventories and their allocations were moved between providers. */
  | 'RESHAPE'
  /** A whole tree was set to a desired state. */
  | 'APPLY_PROVIDER_TREE'
  /** A host reported its tree, its devices and facts about itself. */
  | 'APPLY_REPORT'
  /** The version of a service on a host was reported, or the service was removed. */
  | 'REPORT_SERVICE'
  /** Records of another service were imported. */
  | 'IMPORT_RECORDS'
  /** A provider was imported from another Placement. */
  | 'IMPORT_RESOURCE_PROVIDER'
  /** A consumer was imported from another Placement. */
  | 'IMPORT_CONSUMER'
  /** Written by a newer version of the gateway, and unknown to this one. */
  | 'OTHER';

/** Conditions on an event; all that are given must hold. One value of each list must match; an empty list matches nothing. The `changes` of the events are those of the subjects that it names. */
export type EventFilterInput = {
  /** Has one of these kinds; at most 100. */
  readonly kinds?: ReadonlyArray<EventKind> | null | undefined;
  /** Affected one of these providers, including deleted ones; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly resourceProviders?: ReadonlyArray<string> | null | undefined;
  /** Affected a provider that is now in the tree of one of these; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly inTrees?: ReadonlyArray<string> | null | undefined;
  /** Affected a provider of a tree of which any provider is now in one of these aggregates; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly aggregates?: ReadonlyArray<string> | null | undefined;
  /** Affected one of these consumers, including deleted ones; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly consumers?: ReadonlyArray<string> | null | undefined;
  /** Affected a consumer of one of these projects; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly projects?: ReadonlyArray<string> | null | undefined;
  /** Requested by one of these users; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly users?: ReadonlyArray<string> | null | undefined;
  /** Written by one of these requests, given by request id or by global request id; at most 100. */
  readonly requestIds?: ReadonlyArray<string> | null | undefined;
  /** Changed inventories of one of these classes, or a consumer that holds or held some; at most 100. Deleted classes can be given. Rule: `placement:graphql:ledger:read`. */
  readonly resourceClasses?: ReadonlyArray<string> | null | undefined;
  /** A provider got or lost one of these traits, such as COMPUTE_STATUS_DISABLED; at most 100. Deleted traits can be given. Rule: `placement:graphql:ledger:read`. */
  readonly traits?: ReadonlyArray<string> | null | undefined;
  /** At or after this moment. */
  readonly since?: string | null | undefined;
  /** Before this moment. */
  readonly until?: string | null | undefined;
};

export type MapChangesSubscriptionVariables = Exact<{
  after: string;
  classes: ReadonlyArray<string> | string;
}>;


export type MapChangesSubscription = { readonly cloudMapChanges: { readonly cursor: string, readonly reset: boolean, readonly goneNames: readonly (string | null)[], readonly aggregateUuids: readonly (string | null)[], readonly aggregateNames: readonly (string | null)[], readonly names: readonly (string | null)[], readonly flags: readonly (number | null)[], readonly reshaped: { readonly names: readonly (string | null)[], readonly memberCounts: readonly (number | null)[], readonly aggregateUuids: readonly (string | null)[], readonly aggregateNames: readonly (string | null)[], readonly aggregateSets: readonly (readonly number[])[], readonly aggregateSet: readonly (number | null)[], readonly traitNames: readonly (string | null)[], readonly traitSets: readonly (readonly number[])[], readonly traitSet: readonly (number | null)[] }, readonly classes: ReadonlyArray<{ readonly total: readonly (number | null)[], readonly reserved: readonly (number | null)[], readonly capacity: readonly (number | null)[], readonly used: readonly (number | null)[], readonly resourceClass: { readonly name: string } }> } };

export type WritesSubscriptionVariables = Exact<{
  filter?: EventFilterInput | null | undefined;
}>;


export type WritesSubscription = { readonly events: { readonly omittedCount: number, readonly reset: boolean, readonly events: ReadonlyArray<{ readonly at: string }> } };

export type NewsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  filter?: EventFilterInput | null | undefined;
}>;


export type NewsSubscription = { readonly events: { readonly cursor: string, readonly omittedCount: number, readonly reset: boolean } };

export type OwnNewsSubscriptionVariables = Exact<{
  filter?: EventFilterInput | null | undefined;
}>;


export type OwnNewsSubscription = { readonly events: { readonly omittedCount: number, readonly reset: boolean } };

export const MapChanges = documentOf<MapChangesSubscription, MapChangesSubscriptionVariables>(
  'MapChanges',
  "subscription MapChanges($after:String!$classes:[String!]!){cloudMapChanges(after:$after resourceClasses:$classes){cursor reset goneNames aggregateUuids aggregateNames reshaped{names memberCounts aggregateUuids aggregateNames aggregateSets aggregateSet traitNames traitSets traitSet}names flags classes{resourceClass{name}total reserved capacity used}}}",
);

export const Writes = documentOf<WritesSubscription, WritesSubscriptionVariables>(
  'Writes',
  "subscription Writes($filter:EventFilterInput){events(filter:$filter atMost:1){omittedCount reset events{at}}}",
);

export const News = documentOf<NewsSubscription, NewsSubscriptionVariables>(
  'News',
  "subscription News($after:String$filter:EventFilterInput){events(after:$after filter:$filter atMost:0){cursor omittedCount reset}}",
);

export const OwnNews = documentOf<OwnNewsSubscription, OwnNewsSubscriptionVariables>(
  'OwnNews',
  "subscription OwnNews($filter:EventFilterInput){events(filter:$filter atMost:0){omittedCount reset}}",
);
