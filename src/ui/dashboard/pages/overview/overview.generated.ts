// Generated from overview.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

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

export type ClassTotalFragment = { readonly providerCount: number, readonly total: number, readonly reserved: number, readonly capacity: number, readonly used: number, readonly freeUsable: number, readonly resourceClass: { readonly name: string, readonly unit: string | null } };

export type EventLineFragment = { readonly id: string, readonly at: string, readonly kind: EventKind, readonly requestId: string, readonly requestedBy: { readonly externalId: string } | null, readonly requestedFor: { readonly externalId: string } | null };

export type OverviewQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewQuery = { readonly totals: { readonly own: ReadonlyArray<ClassTotalFragment>, readonly shared: ReadonlyArray<ClassTotalFragment> }, readonly events: { readonly nodes: ReadonlyArray<EventLineFragment> } };

export type LeftoversQueryVariables = Exact<{
  hourAgo: string;
  from: string;
  stepSeconds: number;
}>;


export type LeftoversQuery = { readonly usageSamples: ReadonlyArray<{ readonly at: string, readonly followsGap: boolean, readonly ownUsages: ReadonlyArray<{ readonly resourceClassName: string, readonly used: number, readonly capacity: number }> }>, readonly consumers: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly uuid: string, readonly consumerType: string | null, readonly updatedAt: string, readonly project: { readonly externalId: string }, readonly roots: ReadonlyArray<{ readonly name: string }> }> } };

export const Overview = documentOf<OverviewQuery, OverviewQueryVariables>(
  'Overview',
  "query Overview{totals(filter:{isSharing:false}){own{...ClassTotal}shared{...ClassTotal}}events(first:8){nodes{...EventLine}}}fragment ClassTotal on ResourceTotal{resourceClass{name unit}providerCount total reserved capacity used freeUsable}fragment EventLine on Event{id at kind requestId requestedBy{externalId}requestedFor{externalId}}",
);

export const Leftovers = documentOf<LeftoversQuery, LeftoversQueryVariables>(
  'Leftovers',
  "query Leftovers($hourAgo:DateTime!$from:DateTime!$stepSeconds:Int!){usageSamples(from:$from stepSeconds:$stepSeconds){at followsGap ownUsages{resourceClassName used capacity}}consumers(first:8 filter:{onSeveralRoots:true updatedBefore:$hourAgo}){totalCount nodes{uuid consumerType updatedAt project{externalId}roots{name}}}}",
);
