// Generated from events.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** How the gateway identifies the caller. Open: values may be added. */
export type AuthenticationMethod =
  /** By what the caller says, without proof: only for trials. */
  | 'NOAUTH'
  /** By a token of the gateway's own file. */
  | 'STATIC'
  /** By a token of Keystone. */
  | 'KEYSTONE';

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

/** What happened to a subject. Closed: no values are added. */
export type ChangeAction =
  /** It was created. */
  | 'CREATED'
  /** It was changed. */
  | 'CHANGED'
  /** It was deleted. */
  | 'DELETED';

export type EventLineFragment = { readonly id: string, readonly at: string, readonly kind: EventKind, readonly requestId: string, readonly requestedBy: { readonly externalId: string } | null, readonly requestedFor: { readonly externalId: string } | null };

type ChangeShown_ResourceProviderChange_Fragment = { readonly __typename: 'ResourceProviderChange', readonly resourceProviderUuid: string, readonly traitNamesAdded: ReadonlyArray<string>, readonly traitNamesRemoved: ReadonlyArray<string>, readonly aggregateUuidsAdded: ReadonlyArray<string>, readonly aggregateUuidsRemoved: ReadonlyArray<string>, readonly action: ChangeAction, readonly resourceProvider: { readonly uuid: string, readonly name: string } | null, readonly name: { readonly before: string | null, readonly after: string | null } | null, readonly generation: { readonly before: number | null, readonly after: number | null } | null, readonly parent: { readonly before: string | null, readonly after: string | null } | null, readonly inventories: ReadonlyArray<{ readonly resourceClassName: string, readonly before: RecordShownFragment | null, readonly after: RecordShownFragment | null }> };

type ChangeShown_ConsumerChange_Fragment = { readonly __typename: 'ConsumerChange', readonly consumerUuid: string, readonly action: ChangeAction, readonly generation: { readonly before: number | null, readonly after: number | null } | null, readonly project: { readonly before: string | null, readonly after: string | null } | null, readonly user: { readonly before: string | null, readonly after: string | null } | null, readonly consumerType: { readonly before: string | null, readonly after: string | null } | null, readonly allocations: ReadonlyArray<{ readonly resourceProviderUuid: string, readonly resourceClassName: string, readonly before: number | null, readonly after: number | null, readonly resourceProvider: { readonly uuid: string, readonly name: string } | null }> };

type ChangeShown_AggregateChange_Fragment = { readonly __typename: 'AggregateChange', readonly aggregateUuid: string, readonly action: ChangeAction, readonly name: { readonly before: string | null, readonly after: string | null } | null };

type ChangeShown_TraitChange_Fragment = { readonly __typename: 'TraitChange', readonly traitName: string, readonly action: ChangeAction };

type ChangeShown_ResourceClassChange_Fragment = { readonly __typename: 'ResourceClassChange', readonly resourceClassName: string, readonly action: ChangeAction };

type ChangeShown_ServiceChange_Fragment = { readonly __typename: 'ServiceChange', readonly host: string, readonly binary: string, readonly action: ChangeAction, readonly version: { readonly before: number | null, readonly after: number | null } | null, readonly facts: ReadonlyArray<FactShownFragment> };

type ChangeShown_DeviceChange_Fragment = { readonly __typename: 'DeviceChange', readonly resourceProviderUuid: string, readonly address: string, readonly action: ChangeAction, readonly facts: ReadonlyArray<FactShownFragment> };

type ChangeShown_RecordChange_Fragment = { readonly __typename: 'RecordChange', readonly recordKind: string, readonly recordUuid: string, readonly action: ChangeAction, readonly facts: ReadonlyArray<FactShownFragment> };

export type ChangeShownFragment =
  | ChangeShown_ResourceProviderChange_Fragment
  | ChangeShown_ConsumerChange_Fragment
  | ChangeShown_AggregateChange_Fragment
  | ChangeShown_TraitChange_Fragment
  | ChangeShown_ResourceClassChange_Fragment
  | ChangeShown_ServiceChange_Fragment
  | ChangeShown_DeviceChange_Fragment
  | ChangeShown_RecordChange_Fragment
;

export type RecordShownFragment = { readonly total: number, readonly reserved: number, readonly minUnit: number, readonly maxUnit: number, readonly stepSize: number, readonly allocationRatio: number };

export type FactShownFragment = { readonly name: string, readonly before: string | null, readonly after: string | null };

export type OwnEventLineFragment = { readonly at: string, readonly kind: EventKind, readonly requestId: string };

export type EventsQueryVariables = Exact<{
  filter: EventFilterInput;
  after?: string | null | undefined;
}>;


export type EventsQuery = { readonly events: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<EventLineFragment> } };

export type EventChangesQueryVariables = Exact<{
  id: string;
}>;


export type EventChangesQuery = { readonly node:
    | { readonly roles: ReadonlyArray<string>, readonly globalRequestId: string | null, readonly authenticationMethod: AuthenticationMethod | null, readonly changes: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<
          | ChangeShown_ResourceProviderChange_Fragment
          | ChangeShown_ConsumerChange_Fragment
          | ChangeShown_AggregateChange_Fragment
          | ChangeShown_TraitChange_Fragment
          | ChangeShown_ResourceClassChange_Fragment
          | ChangeShown_ServiceChange_Fragment
          | ChangeShown_DeviceChange_Fragment
          | ChangeShown_RecordChange_Fragment
        > } }
    | Record<PropertyKey, never>
   | null };

export type OwnEventsQueryVariables = Exact<{
  filter: EventFilterInput;
  after?: string | null | undefined;
}>;


export type OwnEventsQuery = { readonly events: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<OwnEventLineFragment> } };

export type OwnConsumerEventsQueryVariables = Exact<{
  uuid: string;
  after?: string | null | undefined;
}>;


export type OwnConsumerEventsQuery = { readonly consumer: { readonly events: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<OwnEventLineFragment> } } | null };

export const Events = documentOf<EventsQuery, EventsQueryVariables>(
  'Events',
  "query Events($filter:EventFilterInput!$after:String){events(first:100 after:$after filter:$filter){pageInfo{hasNextPage endCursor}nodes{...EventLine}}}fragment EventLine on Event{id at kind requestId requestedBy{externalId}requestedFor{externalId}}",
);

export const EventChanges = documentOf<EventChangesQuery, EventChangesQueryVariables>(
  'EventChanges',
  "query EventChanges($id:ID!){node(id:$id){...on Event{roles globalRequestId authenticationMethod changes(first:50){totalCount pageInfo{hasNextPage}nodes{...ChangeShown}}}}}fragment ChangeShown on EventChange{__typename action ...on ResourceProviderChange{resourceProviderUuid resourceProvider{uuid name}name{before after}generation{before after}parent{before after}inventories{resourceClassName before{...RecordShown}after{...RecordShown}}traitNamesAdded traitNamesRemoved aggregateUuidsAdded aggregateUuidsRemoved}...on ConsumerChange{consumerUuid generation{before after}project{before after}user{before after}consumerType{before after}allocations{resourceProviderUuid resourceProvider{uuid name}resourceClassName before after}}...on AggregateChange{aggregateUuid name{before after}}...on TraitChange{traitName}...on ResourceClassChange{resourceClassName}...on ServiceChange{host binary version{before after}facts{...FactShown}}...on DeviceChange{resourceProviderUuid address facts{...FactShown}}...on RecordChange{recordKind recordUuid facts{...FactShown}}}fragment RecordShown on InventoryRecord{total reserved minUnit maxUnit stepSize allocationRatio}fragment FactShown on FactChange{name before after}",
);

export const OwnEvents = documentOf<OwnEventsQuery, OwnEventsQueryVariables>(
  'OwnEvents',
  "query OwnEvents($filter:EventFilterInput!$after:String){events(first:100 after:$after filter:$filter){pageInfo{hasNextPage endCursor}nodes{...OwnEventLine}}}fragment OwnEventLine on Event{at kind requestId}",
);

export const OwnConsumerEvents = documentOf<OwnConsumerEventsQuery, OwnConsumerEventsQueryVariables>(
  'OwnConsumerEvents',
  "query OwnConsumerEvents($uuid:UUID!$after:String){consumer(uuid:$uuid){events(first:100 after:$after){pageInfo{hasNextPage endCursor}nodes{...OwnEventLine}}}}fragment OwnEventLine on Event{at kind requestId}",
);
