// Generated from schema.graphql by `npm run generate`. Do not edit.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Provider, SharedPool as SharedPoolRow, Inventory as InventoryRow, ResourceTotal as ResourceTotalRow, Capacity as CapacityRow, ResourceClass as ResourceClassRow, Trait as TraitRow, Aggregate as AggregateRow } from '../domain/provider.ts';
import type { Consumer as ConsumerRow, Allocation as AllocationRow, Usage as UsageRow } from '../domain/allocation.ts';
import type { ProjectParent, UserParent, ProviderPage, InventoryPage, TraitPage, AggregatePage, ConsumerPage, AllocationPage, ProjectPage, UsagePage, EventPage, EventChangePage, UuidPage, ServicePage, RootFitPage, AggregateFitPage, ResourceClassPage } from '../operations/request/parents.ts';
import type { LedgerEvent } from '../domain/event.ts';
import type { PastState as PastStateRow, PastProvider, PastInventory as PastInventoryRow, ClaimPeriod as ClaimPeriodRow, PastConsumer as PastConsumerRow, PastConsumerPage } from '../operations/ledger/history.ts';
import type { HeldAllocation, EventChange as EventChangeRow, ResourceProviderChange as ResourceProviderChangeRow, ConsumerChange as ConsumerChangeRow, AllocationChange as AllocationChangeRow, AggregateChange as AggregateChangeRow, DeviceChange as DeviceChangeRow } from '../domain/event-changes.ts';
import type { UsageSample as UsageSampleRow, UsageAt } from '../domain/history.ts';
import type { Service as ServiceRow } from '../domain/service.ts';
import type { ShrunkInventory } from '../domain/inventory.ts';
import type { RequestWarning as RequestWarningRow } from '../nova/terms/request-warnings.ts';
import type { FoundCandidates, FoundCandidate, FoundAllocation, FoundMapping } from '../operations/candidates/candidates.ts';
import type { Explanation as ExplanationRow, ExplanationStep as ExplanationStepRow, NearestMiss as NearestMissRow } from '../domain/explanation.ts';
import type { Fit as FitRow } from '../domain/candidates/fit.ts';
import type { ClaimedConsumer } from '../operations/candidates/claim-writes.ts';
import type { Selection as SelectionRow } from '../nova/instances/selections.ts';
import type { AuditedAllocation as AuditedAllocationRow, AuditedInstance as AuditedInstanceRow } from '../nova/audits/compute-node-audits.ts';
import type { AuditedMove as AuditedMoveRow } from '../nova/audits/audited-moves.ts';
import type { PlannedMove as PlannedMoveRow } from '../nova/plans/moves.ts';
import type { StuckConsumer as StuckConsumerRow } from '../nova/plans/drain-plan.ts';
import type { WhatIf as WhatIfRow } from '../nova/plans/what-if.ts';
import type { CloudMap as CloudMapRow, CloudMapClass as CloudMapClassRow } from '../operations/forest/cloud-map.ts';
import type { CloudMapChange as CloudMapChangeRow } from '../operations/live/map-message.ts';
import type { EventBatch as EventBatchRow } from '../operations/live/event-batch.ts';
import type { ComputeNode as ComputeNodeRow, ComputeNodePage } from '../nova/compute-nodes/compute-nodes.ts';
import type { ReportedPool } from '../nova/services/pools.ts';
import type { StoredPool } from '../nova/pci/stored-pools.ts';
import type { ProblemShown } from './problem-types.ts';
import type { RequestScope } from '../operations/scope/scope.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A uuid (RFC 4122). Input: any case, with or without dashes. Output: lower case with dashes. */
  UUID: { input: string; output: string; }
  /** A timestamp (RFC 3339). Input: with an offset. Output: in UTC. */
  DateTime: { input: string; output: Date | string; }
  /** A whole number of at most 53 bits, as a JSON number: generations, capacities, usages and sums, any of which may outgrow Int. Never rounded: other numbers are refused. */
  SafeInt: { input: number; output: number; }
  /** Only `true`, for conditions that cannot be negated. Any other value is refused. */
  True: { input: true; output: true; }
  /** A list of whole numbers, or of null where there is none, as one JSON array: one for each row of a table, such as each host of a map. Only in answers. */
  IntColumn: { input: readonly (number | null)[]; output: readonly (number | null)[]; }
  /** A list of texts, or of null where there is none, as one JSON array. Only in answers. */
  TextColumn: { input: readonly (string | null)[]; output: readonly (string | null)[]; }
  /** A list of lists of whole numbers, as one JSON array. Only in answers. */
  IntListColumn: { input: readonly (readonly number[])[]; output: readonly (readonly number[])[]; }
};

/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type Query = {
  readonly __typename?: 'Query';
  /** Fetches an object by its global id; null when it does not exist. Rule: `placement:graphql:nodes:read`. */
  readonly node?: Maybe<Node>;
  /** Fetches objects by their global ids, in the same order; null for those that do not exist. At most 1,000. Rule: `placement:graphql:nodes:read`. */
  readonly nodes: ReadonlyArray<Maybe<Node>>;
  /** One provider. Give exactly one argument. Rule: `placement:graphql:resource_providers:read`. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Providers of all trees. Rule: `placement:graphql:resource_providers:read`. */
  readonly resourceProviders: ResourceProviderConnection;
  /** Totals of the whole cloud, or of the providers that match. Rule: `placement:graphql:inventories:read`. */
  readonly totals: Totals;
  /** One class. Rule: `placement:graphql:resource_classes:read`. */
  readonly resourceClass?: Maybe<ResourceClass>;
  /** Classes, both standard and custom. Rule: `placement:graphql:resource_classes:read`. */
  readonly resourceClasses: ResourceClassConnection;
  /** One trait. Rule: `placement:graphql:traits:read`. */
  readonly trait?: Maybe<Trait>;
  /** Traits, both standard and custom. Rule: `placement:graphql:traits:read`. */
  readonly traits: TraitConnection;
  /** One aggregate. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregate?: Maybe<Aggregate>;
  /** All aggregates. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregates: AggregateConnection;
  /** One consumer; null when it has no allocations. Rule: `placement:graphql:consumers:read`. */
  readonly consumer?: Maybe<Consumer>;
  /** Consumers, by the order of creation unless `orderBy` is given. Rule: `placement:graphql:consumers:read`. */
  readonly consumers: ConsumerConnection;
  /** One project; null when no write has named it yet. Rule: `placement:graphql:consumers:read`. */
  readonly project?: Maybe<Project>;
  /** All projects that writes have named: those that have consumers, had some, or tried to get some. Rule: `placement:graphql:projects:read`. */
  readonly projects: ProjectConnection;
  /** Usage by consumers, a row for each combination of the keys; a single row without keys. All rows of a page are from one moment. Rule: `placement:graphql:usages:read`. */
  readonly usages: UsageConnection;
  /**
   * All hosts at once, as columns: for pictures and tables of the whole cloud. Served from memory, as one snapshot with everything committed before.
   * `cloudMapChanges` reports what changes afterwards, from its cursor on. Rule: `placement:graphql:resource_providers:read`.
   */
  readonly cloudMap: CloudMap;
  /**
   * Objects with a text in their name, or with the text as their uuid: for search boxes. Names that begin with the text come first, shorter ones before longer
   * ones. Consumers have no names, and are found by their uuid. Objects that the caller may not read are not found, and `search` does not reveal that they exist. Rule: `placement:graphql:nodes:read`.
   */
  readonly search: SearchResult;
  /** The ledger: every write that changed something, newest first. Rule: `placement:graphql:events:read`. */
  readonly events: EventConnection;
  /**
   * The ledger as a feed. A reader that reads to the end (`hasNextPage` is false) and later continues from `endCursor`, which is never null, gets
   * every write exactly once, and the writes of each provider and consumer in the order of its generations, whatever is written meanwhile. The
   * order is otherwise unspecified. A cursor is valid in every gateway and after a restart. A cursor whose next events have been deleted, or
   * that predates the restore of a backup, is refused with CURSOR_EXPIRED: start again with `from: NOW`, then read the state. On a
   * standby, open transactions delay events that began after them. Rule: `placement:graphql:ledger:read`.
   */
  readonly eventFeed: EventConnection;
  /**
   * The state at a past moment, reconstructed from the current state and the events since: the cost grows with the number of these events that
   * concern the subject. Accurate to the duration of a write. A moment before the oldest event that is kept, or before the database existed, is refused with
   * HISTORY_GONE; HISTORY_TOO_LONG means that more than 100,000 events would have to be read: choose a later moment, or a provider, a consumer or a
   * project instead of the whole cloud. A future moment means now. Rule: `placement:graphql:ledger:read`.
   */
  readonly asOf: PastState;
  /**
   * Usage and capacity at regular intervals. Costs one scan of the events of the subject since the first sample. Refused like `asOf`, for more than 1,000
   * samples, and with NOT_FOUND for a subject that the ledger does not know. Samples from before the database existed are left out. For a whole cloud with many
   * writes, `usageSamples` covers the last months, too. Readers of a project may ask about their own project. Rule: `placement:graphql:events:read`.
   */
  readonly usageHistory: UsageHistory;
  /**
   * How many consumers were claimed, changed and released in each step, counted from the events. Refused like `usageHistory`. Refusals are not in the ledger,
   * because they write nothing: the metric `placement_refusals_total` counts them by code, NO_CANDIDATES and CAPACITY_EXCEEDED among them. Rule: `placement:graphql:ledger:read`.
   */
  readonly claimHistory: ClaimHistory;
  /**
   * Usage and capacity of the whole cloud as sampled once a minute: the first sample of each step, oldest first. Costs the same whatever was written.
   * All samples are kept for 7 days, and one for each quarter of an hour as long as the setting PLACEMENT_USAGE_SAMPLE_DAYS says, 90 days by
   * default. Samples that no gateway took, because none ran or reached the database, are missing, and `followsGap` says so. At most 1,000. Rule: `placement:graphql:ledger:read`.
   */
  readonly usageSamples: ReadonlyArray<CloudUsageSample>;
  /** Searches for ways to serve a request now, including nested and sharing providers. Sees every write committed before, also through other gateways. Rule: `placement:graphql:candidates:read`. */
  readonly allocationCandidates: AllocationCandidates;
  /**
   * Counts how many more such requests fit, regardless of the limits and order of the request. Readers of a project learn only whether one fits: to them, an
   * unknown class or trait is one that no host has. Rule: `placement:graphql:fit:read`.
   */
  readonly fit: Fit;
  /** This gateway. `serviceInfo { version }` needs no token. */
  readonly serviceInfo: ServiceInfo;
  /** The caller and its permissions; null without a valid token. */
  readonly viewer?: Maybe<Viewer>;
  /** Converts a flavor and its image to a request for allocationCandidates, as Nova's scheduler does with the pre-filters that are always on; docs/extra-specs.md lists every extra spec. Does not check whether names exist: the search does. Refusals: INVALID_INPUT for a contradiction. Preview: it may change. Rule: `placement:graphql:flavors:read`. */
  readonly flavorToRequest: FlavorRequest;
  /** Converts a RequestSpec, the form in which Nova's services pass on what an instance asks for, to a request for allocationCandidates: flavor, image, ports, PCI devices, destination and request-level parameters; docs/request-specs.md lists every field. Does not check whether names exist: the search does. Refusals: INVALID_INPUT for a contradiction, and for a destination that is not a compute node. Preview: it may change. Rule: `placement:graphql:candidates:read`. */
  readonly requestSpecToRequest: FlavorRequest;
  /** Plans how to empty compute nodes: where everything that is held in their trees would go, in which order, and what cannot move and why. Writes and reserves nothing: make the moves one by one, with startMigration and confirmMigration. Refusals: INVALID_INPUT, NOT_FOUND. Preview: it may change. Rule: `placement:graphql:plans:read`. */
  readonly drainPlan: DrainPlan;
  /** Plans a few moves among compute nodes that balance their loads, or empty some of them, with the gain of each. Writes and reserves nothing. Refusals: INVALID_INPUT, NOT_FOUND. Preview: it may change. Rule: `placement:graphql:plans:read`. */
  readonly rebalancePlan: RebalancePlan;
  /** Counts how many more of something would fit, and where, if hosts were added, lost or changed. Free PCI devices limit the count; an added host that is like another has the devices of that one. Writes nothing. Refusals: INVALID_INPUT, NOT_FOUND. Preview: it may change. Rule: `placement:graphql:candidates:read`. */
  readonly whatIf: WhatIf;
  /** One compute node, in the form that Nova kept before inventories. Give exactly one argument. Preview: it may change. Rule: `placement:graphql:compute_nodes:read`. */
  readonly computeNode?: Maybe<ComputeNode>;
  /** Compute nodes, including those known only from imported records. Preview: it may change. Rule: `placement:graphql:compute_nodes:read`. */
  readonly computeNodes: ComputeNodeConnection;
  /** The services that have reported, by host unless `orderBy` is given. Preview: it may change. Rule: `placement:graphql:services:read`. */
  readonly services: ServiceConnection;
  /** The lowest version of any nova-compute service, except services that are forced down or have not reported a version (0); null for none. Preview: it may change. Rule: `placement:graphql:services:read`. */
  readonly minimumComputeVersion?: Maybe<Scalars['Int']['output']>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryResourceProviderArgs = {
  uuid?: InputMaybe<Scalars['UUID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryResourceProvidersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceProviderFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ResourceProviderOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryTotalsArgs = {
  filter?: InputMaybe<ResourceProviderFilterInput>;
  scope?: Scope;
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryResourceClassArgs = {
  name: Scalars['String']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryResourceClassesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceClassFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<NameOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryTraitArgs = {
  name: Scalars['String']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryTraitsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TraitFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<NameOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryAggregateArgs = {
  uuid: Scalars['UUID']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryAggregatesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AggregateFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<AggregateOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryConsumerArgs = {
  uuid: Scalars['UUID']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryConsumersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ConsumerFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ConsumerOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryProjectArgs = {
  externalId: Scalars['String']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryProjectsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ProjectFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ProjectOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryUsagesArgs = {
  filter?: InputMaybe<ConsumerFilterInput>;
  groupBy?: ReadonlyArray<UsageKey>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<UsageOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryCloudMapArgs = {
  resourceClasses: ReadonlyArray<Scalars['String']['input']>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QuerySearchArgs = {
  text: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryEventsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<EventOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryEventFeedArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<FeedStart>;
  filter?: InputMaybe<EventFilterInput>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryAsOfArgs = {
  moment: Scalars['DateTime']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryUsageHistoryArgs = {
  of: UsageHistorySubjectInput;
  from: Scalars['DateTime']['input'];
  until?: InputMaybe<Scalars['DateTime']['input']>;
  stepSeconds: Scalars['Int']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryClaimHistoryArgs = {
  from: Scalars['DateTime']['input'];
  until?: InputMaybe<Scalars['DateTime']['input']>;
  stepSeconds: Scalars['Int']['input'];
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryUsageSamplesArgs = {
  from: Scalars['DateTime']['input'];
  until?: InputMaybe<Scalars['DateTime']['input']>;
  stepSeconds: Scalars['Int']['input'];
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryAllocationCandidatesArgs = {
  input: CandidatesInput;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryFitArgs = {
  input: CandidatesInput;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryFlavorToRequestArgs = {
  input: FlavorToRequestInput;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryRequestSpecToRequestArgs = {
  input: RequestSpecToRequestInput;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryDrainPlanArgs = {
  input: DrainPlanInput;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryRebalancePlanArgs = {
  input: RebalancePlanInput;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryWhatIfArgs = {
  input: WhatIfInput;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryComputeNodeArgs = {
  uuid?: InputMaybe<Scalars['UUID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryComputeNodesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ComputeNodeFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ComputeNodeOrderInput>>;
};


/** All reads. A list is one snapshot; separate fields may be read at different moments. A lookup without a match returns null. */
export type QueryServicesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ServiceFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ServiceOrderInput>>;
};

/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Creates a provider. Refusals: NOT_FOUND (parent), DUPLICATE. Rule: `placement:resource_providers:create`. */
  readonly createResourceProvider?: Maybe<CreateResourceProviderPayload>;
  /** Renames or moves a provider. Refusals: NOT_FOUND, DUPLICATE, PROVIDER_CONFLICT, PARENT_LOOP. Rule: `placement:resource_providers:update`. */
  readonly updateResourceProvider?: Maybe<ResourceProviderPayload>;
  /** Deletes a provider. Refusals: NOT_FOUND, PROVIDER_CONFLICT, HAS_CHILDREN, IN_USE. Rule: `placement:resource_providers:delete`. */
  readonly deleteResourceProvider?: Maybe<DeleteResourceProviderPayload>;
  /** Replaces all inventories of a provider. Shrinking below usage is allowed, with a warning. Refusals: NOT_FOUND, PROVIDER_CONFLICT, IN_USE. Rule: `placement:resource_providers:inventories:update`. */
  readonly replaceInventories?: Maybe<ResourceProviderPayload>;
  /** Creates or replaces one inventory. Unlike replaceInventories, it leaves those of other classes alone; unlike patchInventories, it does not need the inventory to exist. Refusals: NOT_FOUND, PROVIDER_CONFLICT. Rule: `placement:resource_providers:inventories:update`. */
  readonly setInventory?: Maybe<SetInventoryPayload>;
  /** Changes some fields of inventories, on one provider, on some, or on all that match a filter and have the class, all or nothing. Unchanged ones are not written. Shrinking below usage is allowed, with a warning. Refusals: INVALID_INPUT (for each record that would be invalid), NOT_FOUND, PROVIDER_CONFLICT and NO_INVENTORY (for each of many), SELECTION_CONFLICT, IDEMPOTENCY_KEY_REUSED. Rule: `placement:resource_providers:inventories:update`. */
  readonly patchInventories?: Maybe<PatchInventoriesPayload>;
  /** Deletes one inventory. Unlike replaceInventories, it leaves those of other classes alone. Refusals: NOT_FOUND, PROVIDER_CONFLICT, IN_USE. Rule: `placement:resource_providers:inventories:delete`. */
  readonly deleteInventory?: Maybe<ResourceProviderPayload>;
  /** Creates a custom class. Refusals: INVALID_INPUT, STANDARD_NAME, DUPLICATE. Rule: `placement:resource_classes:create`. */
  readonly createResourceClass?: Maybe<CreateResourceClassPayload>;
  /** Deletes a custom class. Refusals: NOT_FOUND, STANDARD_NAME, IN_USE. Rule: `placement:resource_classes:delete`. */
  readonly deleteResourceClass?: Maybe<DeleteResourceClassPayload>;
  /** Replaces all traits of a provider. Refusals: NOT_FOUND, PROVIDER_CONFLICT. Rule: `placement:resource_providers:traits:update`. */
  readonly replaceTraits?: Maybe<ResourceProviderPayload>;
  /** Adds traits to providers or removes them: for one, for some, or for all that match a filter, all or nothing. Their other traits stay, and providers that need no change are not written. Refusals: INVALID_INPUT, NOT_FOUND, PROVIDER_CONFLICT (for each of many), SELECTION_CONFLICT, IDEMPOTENCY_KEY_REUSED. Rule: `placement:resource_providers:traits:update`. */
  readonly patchTraits?: Maybe<PatchTraitsPayload>;
  /** Creates a custom trait. Refusals: INVALID_INPUT, STANDARD_NAME, DUPLICATE. Rule: `placement:traits:update`. */
  readonly createTrait?: Maybe<CreateTraitPayload>;
  /** Deletes a custom trait. Refusals: NOT_FOUND, STANDARD_NAME, IN_USE. Rule: `placement:traits:delete`. */
  readonly deleteTrait?: Maybe<DeleteTraitPayload>;
  /** Replaces all aggregates of a provider. Refusals: NOT_FOUND, PROVIDER_CONFLICT. Rule: `placement:resource_providers:aggregates:update`. */
  readonly replaceAggregates?: Maybe<ResourceProviderPayload>;
  /** Gives an aggregate a human-readable name. Refusals: DUPLICATE. Rule: `placement:graphql:aggregates:name`. */
  readonly nameAggregate?: Maybe<NameAggregatePayload>;
  /** Sets, changes or releases the allocations of consumers, or moves them from one to another without a gap (`takeFrom`). Capacity is never exceeded; on inventories already over capacity, allocations may be kept, reduced or moved. A claim never fails merely because a provider's generation changed. Refusals: NOT_FOUND, CONSUMER_CONFLICT, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED. Rule: `placement:allocations:manage`. */
  readonly replaceAllocations?: Maybe<ReplaceAllocationsPayload>;
  /** Releases all allocations of consumers, whatever their state if that is `unchecked`. Needs only the right to delete allocations, where replaceAllocations needs that to manage them. Refusals: CONSUMER_CONFLICT. Rule: `placement:allocations:delete`. */
  readonly releaseAllocations?: Maybe<ReleaseAllocationsPayload>;
  /** Finds a candidate for each consumer and allocates it, trying the next one when a concurrent write took it. Refusals: NO_CANDIDATES, NOT_FOUND, CONSUMER_CONFLICT; CAPACITY_EXCEEDED after losing such races repeatedly. Rule: `placement:graphql:claims:create`. */
  readonly claim?: Maybe<ClaimPayload>;
  /** Moves inventories with live allocations between existing providers of any trees. Everything else stays, unlike with applyProviderTree, which sets the whole of one tree. Refusals: NOT_FOUND, CONSUMER_CONFLICT, PROVIDER_CONFLICT, IN_USE, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED. Rule: `placement:reshaper:reshape`. */
  readonly reshape?: Maybe<ReshapePayload>;
  /** Sets a whole tree to a desired state, or reports what that would change. Refusals: those of all its parts. Rule: `placement:graphql:provider_trees:apply`. */
  readonly applyProviderTree?: Maybe<ApplyProviderTreePayload>;
  /** Schedules instances: finds and claims a host for each and returns alternates. Considers only enabled hosts and, once every compute reports owners, resources owned by Nova. PCI devices unknown to Placement (aliases without PCI in Placement, devices of ports in a RequestSpec) are searched for among the free devices that hosts report, as near to the NUMA cells of the guest as requested; hosts that cannot provide them are left out. These devices are not reserved. With PCI in Placement, cards that are not near enough are left out, too. So are hosts whose NUMA cells, as last reported, have no room for those of the guest (extra-specs.md). When no host has a flavor's dedicated processors (PCPU), they are requested as VCPU of hosts that report no PCPU. Spreads instances unless `weightMultipliers` or `orderBy` say otherwise. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT, NO_CANDIDATES, AFFINITY_VIOLATION after losing races repeatedly. Preview: it may change. Rule: `placement:graphql:claims:create`. */
  readonly selectDestinations?: Maybe<SelectDestinationsPayload>;
  /** Replaces the allocations of an instance by the first alternate that fits. Refusals: INVALID_INPUT, CONSUMER_CONFLICT, and the refusal of each alternate. Preview: it may change. Rule: `placement:graphql:claims:create`. */
  readonly claimAlternate?: Maybe<ClaimAlternatePayload>;
  /** Allocates the resources of an instance's flavor on the compute node where it runs. It is not an error if the instance already holds them, so this also checks a rebuild, which chooses no host. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT (it holds other allocations), NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED, NO_CANDIDATES (its flavor asks for more than sizes, and no provider of the node has that; or its image requires traits that its providers do not have). Preview: it may change. Rule: `placement:allocations:update`. */
  readonly claimInstance?: Maybe<ClaimInstancePayload>;
  /** Starts a move: atomically transfers the allocations on the source to the migration. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT, and those of a claim of the destination. Preview: it may change. Rule: `placement:allocations:manage`. */
  readonly startMigration?: Maybe<MigrationPayload>;
  /** Finishes a successful move and releases the source. Refusals: INVALID_INPUT, NOT_FOUND (the instance has no allocations), CONSUMER_CONFLICT. Preview: it may change. Rule: `placement:allocations:manage`. */
  readonly confirmMigration?: Maybe<MigrationPayload>;
  /** Reverts a move and releases the destination. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT, UNIT_VIOLATION. Preview: it may change. Rule: `placement:allocations:manage`. */
  readonly revertMigration?: Maybe<MigrationPayload>;
  /** Compares the allocations on a compute node with the instances that its host really has; removes and repairs only on request. The removal and each repair is a write of its own. An audit that is repeated with its key, concurrently or after an interruption (OUTCOME_UNKNOWN), continues from the first findings and reports all of them; without a key it reports only what is left. Refusals: INVALID_INPUT, NOT_FOUND. Preview: it may change. Rule: `placement:graphql:compute_nodes:audit`. */
  readonly auditComputeNode?: Maybe<AuditComputeNodePayload>;
  /** Updates the tree of a compute node to what the node reports, in one transaction; an unchanged report writes nothing. Refusals: INVALID_INPUT, DUPLICATE, IN_USE, PROVIDER_CONFLICT. Preview: it may change. Rule: `placement:graphql:compute_nodes:report`. */
  readonly reportComputeNode?: Maybe<ReportComputeNodePayload>;
  /** Deletes a compute node for good, in one transaction: its tree, devices and record, and its service if that has no other node. Its remaining allocations can be handed over in the same transaction. Refusals: NOT_FOUND; IN_USE while it has allocations that are not handed over; with `handOver` also CONSUMER_CONFLICT, and INVALID_INPUT, NO_INVENTORY, UNIT_VIOLATION or CAPACITY_EXCEEDED for what another node cannot take. Preview: it may change. Rule: `placement:graphql:compute_nodes:report`. */
  readonly deleteComputeNode?: Maybe<DeleteComputeNodePayload>;
  /** Imports compute nodes in the form that Nova kept before inventories. The first report of such a node keeps its ratios, and gives what it used, beyond what the host reserves, to consumers of type UNTRACKED, so that nothing is sold twice; auditComputeNode with `repair` passes it on to the instances of the node and releases the rest. Refusals: INVALID_INPUT. Preview: it may change. Rule: `placement:graphql:compute_nodes:report`. */
  readonly importComputeNodes?: Maybe<ImportComputeNodesPayload>;
  /** Records what is known of a service; an unchanged report writes nothing. The compute nodes of a nova-compute service that is disabled or forced down have the trait COMPUTE_STATUS_DISABLED, so nothing new is placed there: the report sets and removes it. Refusals: INVALID_INPUT. Preview: it may change. Rule: `placement:graphql:services:report`. */
  readonly reportService?: Maybe<ReportServicePayload>;
  /** Deletes the record of a service. Refusals: INVALID_INPUT, NOT_FOUND. Preview: it may change. Rule: `placement:graphql:services:report`. */
  readonly deleteService?: Maybe<DeleteServicePayload>;
  /** Moves disk allocations from hosts to a storage pool, in one transaction. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT, PROVIDER_CONFLICT, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED. Preview: it may change. Rule: `placement:graphql:pools:report`. */
  readonly adoptSharedStorage?: Maybe<AdoptSharedStoragePayload>;
  /** Creates or updates a pool to what is reported, in one transaction; an unchanged report writes nothing. Shrinking below usage is allowed, with a warning. Refusals: INVALID_INPUT, DUPLICATE, IN_USE, PROVIDER_CONFLICT. Preview: it may change. Rule: `placement:graphql:pools:report`. */
  readonly reportPool?: Maybe<ReportPoolPayload>;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationCreateResourceProviderArgs = {
  input: CreateResourceProviderInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationUpdateResourceProviderArgs = {
  input: UpdateResourceProviderInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationDeleteResourceProviderArgs = {
  input: DeleteResourceProviderInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReplaceInventoriesArgs = {
  input: ReplaceInventoriesInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationSetInventoryArgs = {
  input: SetInventoryInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationPatchInventoriesArgs = {
  input: PatchInventoriesInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationDeleteInventoryArgs = {
  input: DeleteInventoryInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationCreateResourceClassArgs = {
  input: CreateResourceClassInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationDeleteResourceClassArgs = {
  input: DeleteResourceClassInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReplaceTraitsArgs = {
  input: ReplaceTraitsInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationPatchTraitsArgs = {
  input: PatchTraitsInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationCreateTraitArgs = {
  input: CreateTraitInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationDeleteTraitArgs = {
  input: DeleteTraitInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReplaceAggregatesArgs = {
  input: ReplaceAggregatesInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationNameAggregateArgs = {
  input: NameAggregateInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReplaceAllocationsArgs = {
  input: ReplaceAllocationsInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReleaseAllocationsArgs = {
  input: ReleaseAllocationsInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationClaimArgs = {
  input: ClaimInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReshapeArgs = {
  input: ReshapeInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationApplyProviderTreeArgs = {
  input: ApplyProviderTreeInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationSelectDestinationsArgs = {
  input: SelectDestinationsInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationClaimAlternateArgs = {
  input: ClaimAlternateInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationClaimInstanceArgs = {
  input: ClaimInstanceInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationStartMigrationArgs = {
  input: StartMigrationInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationConfirmMigrationArgs = {
  input: ConfirmMigrationInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationRevertMigrationArgs = {
  input: RevertMigrationInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationAuditComputeNodeArgs = {
  input: AuditComputeNodeInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReportComputeNodeArgs = {
  input: ReportComputeNodeInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationDeleteComputeNodeArgs = {
  input: DeleteComputeNodeInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationImportComputeNodesArgs = {
  input: ImportComputeNodesInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReportServiceArgs = {
  input: ReportServiceInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationDeleteServiceArgs = {
  input: DeleteServiceInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationAdoptSharedStorageArgs = {
  input: AdoptSharedStorageInput;
};


/**
 * All writes. Each field is a transaction of its own: two fields of one document are two transactions. A refused write leaves nothing behind but the names of
 * projects, users and consumer types. When the answer is lost, the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey, send the same call again;
 * without one, read first. When the write succeeded and only a part of its payload could not be read, that part is null, with an error of the code
 * ANSWER_INCOMPLETE. A dry run keeps no key. Generations in a payload are those that this write produced.
 */
export type MutationReportPoolArgs = {
  input: ReportPoolInput;
};

/**
 * Changes as they happen: over WebSocket at GET /graphql (graphql-transport-ws; the token as X-Auth-Token or Authorization in `connection_init`), or as
 * server-sent events at POST /graphql/stream (docs/clients.md). A message comes at most twice a second, and within 30 seconds even if nothing has changed.
 * Every message has a cursor from which any gateway of the database continues.
 */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * The ledger as it is written: every event once, those of each provider and consumer in the order of their generations. The first message comes at once, with
   * the cursor to continue from. After a lost connection, reconnect with the last cursor. Readers of a project get the events of its consumers, and no cursors. Rule: `placement:graphql:events:read`.
   */
  readonly events: EventBatch;
  /**
   * The hosts of `cloudMap` that have changed, with their current values, and those that were added or removed. Continues from the cursor of the map or of a
   * message. After a message with `reset` the subscription ends: query `cloudMap` again, and continue from its cursor. Many changes come in several messages;
   * only the last of them has a new cursor. Rule: `placement:graphql:resource_providers:read`.
   */
  readonly cloudMapChanges: CloudMapChange;
};


/**
 * Changes as they happen: over WebSocket at GET /graphql (graphql-transport-ws; the token as X-Auth-Token or Authorization in `connection_init`), or as
 * server-sent events at POST /graphql/stream (docs/clients.md). A message comes at most twice a second, and within 30 seconds even if nothing has changed.
 * Every message has a cursor from which any gateway of the database continues.
 */
export type SubscriptionEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilterInput>;
  atMost?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * Changes as they happen: over WebSocket at GET /graphql (graphql-transport-ws; the token as X-Auth-Token or Authorization in `connection_init`), or as
 * server-sent events at POST /graphql/stream (docs/clients.md). A message comes at most twice a second, and within 30 seconds even if nothing has changed.
 * Every message has a cursor from which any gateway of the database continues.
 */
export type SubscriptionCloudMapChangesArgs = {
  after: Scalars['String']['input'];
  resourceClasses: ReadonlyArray<Scalars['String']['input']>;
};

/** An object with a global id. Fetch it again with `node(id)`. */
export type Node = {
  /** Opaque global id. Do not parse it: its format may change. */
  readonly id: Scalars['ID']['output'];
};

/** Position of a page in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** Whether there are elements after this page. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether there are elements before this page. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first element, for `before` in the lists that have that argument; null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
  /** Cursor of the last element, for `after`; null on an empty page, but never in `eventFeed`. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
};

/** Sort direction. Only sent by callers: values may be added. */
export type OrderDirection =
  /** Smallest, oldest or alphabetically first element first. */
  | 'ASC'
  /** Largest, newest or alphabetically last element first. */
  | 'DESC';

/** What a `create…` does if the object exists. Only sent by callers: values may be added. */
export type IfExists =
  /** It is refused with DUPLICATE. */
  | 'REFUSE'
  /** The existing object is returned as it is, nothing is written, and `created` is false. */
  | 'RETURN';

/** An amount of one resource class. */
export type ResourceAmount = {
  readonly __typename?: 'ResourceAmount';
  /** The resource class. */
  readonly resourceClass: ResourceClass;
  /** The amount, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** An amount of one resource class. Classes must be unique within a list. */
export type ResourceAmountInput = {
  /** Name of the class, such as VCPU. */
  readonly resourceClass: Scalars['String']['input'];
  /** The amount, in units of the class: at least 1. The maxUnit of the inventory bounds it from above. */
  readonly amount: Scalars['SafeInt']['input'];
};

/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProvider = Node & {
  readonly __typename?: 'ResourceProvider';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The public key of the provider. */
  readonly uuid: Scalars['UUID']['output'];
  /** Its name, unique, at most 200 characters. */
  readonly name: Scalars['String']['output'];
  /**
   * Changes whenever the provider changes: its name, parent, inventories, usage, traits or aggregates. The size of the step means nothing. Pass it back in
   * `expect`. It restarts at 0 when the provider is deleted and created again with the same uuid, as in Placement.
   */
  readonly generation: Scalars['SafeInt']['output'];
  /** When the provider was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the provider or anything that belongs to it was last written. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** The parent; null for a root. */
  readonly parent?: Maybe<ResourceProvider>;
  /** The root of its tree; the provider itself when it has no parent. */
  readonly root: ResourceProvider;
  /** Distance from the root: 0 for a root. */
  readonly depth: Scalars['Int']['output'];
  /** From the root down to the parent; empty for a root. */
  readonly ancestors: ReadonlyArray<ResourceProvider>;
  /** The providers directly below, by name. Refused for more than 10,000: page with resourceProviders(filter: {inTrees}) instead. */
  readonly children: ReadonlyArray<ResourceProvider>;
  /** All its descendants, depth first, siblings by name. Refused for more than 10,000: page with resourceProviders(filter: {inTrees}) instead. */
  readonly descendants: ReadonlyArray<ResourceProvider>;
  /** Its inventories, in the order of class ids. At most one for each class. */
  readonly inventories: ReadonlyArray<Inventory>;
  /** Its inventory of one class; null when it has none. Convenient for table columns: `vcpu: inventory(resourceClass: "VCPU") { used capacity }`. */
  readonly inventory?: Maybe<Inventory>;
  /** Its own traits, by name. Traits are not inherited within a tree. */
  readonly traits: ReadonlyArray<Trait>;
  /** The names of its traits, sorted: far cheaper than `traits` for hosts with a hundred of them. */
  readonly traitNames: ReadonlyArray<Scalars['String']['output']>;
  /** Whether the provider itself has the trait. */
  readonly hasTrait: Scalars['Boolean']['output'];
  /** The aggregates that the provider itself is in, by uuid. */
  readonly aggregates: ReadonlyArray<Aggregate>;
  /** What consumers hold here. Rule: `placement:graphql:resource_providers:allocations:read`. */
  readonly heldHere: AllocationConnection;
  /** The total of one class over the provider and its descendants, such as the VCPU of a host with NUMA cells; null when none of them has it. Sharing providers outside the tree are not included. */
  readonly treeInventory?: Maybe<ResourceTotal>;
  /** Totals over the provider and its descendants, a row for each class. Sharing providers outside the tree are not included. */
  readonly treeInventories: ReadonlyArray<ResourceTotal>;
  /** Whether it shares its inventories with every tree that has a member in one of its aggregates: it has the trait MISC_SHARES_VIA_AGGREGATE. */
  readonly isSharing: Scalars['Boolean']['output'];
  /** The inventories of sharing providers outside this tree that serve it, by provider name and class. The same for every member of the tree. */
  readonly sharedPools: ReadonlyArray<SharedPool>;
  /** The Nova compute node that this tree belongs to; null when it is not a Nova host. Rule: `placement:graphql:compute_nodes:read`. */
  readonly computeNode?: Maybe<ComputeNode>;
  /** For a sharing provider: the roots of the trees that it serves, except its own. */
  readonly servesRoots: ResourceProviderConnection;
  /** The events that affected it. Their `changes` are those of this provider and of allocations on it. Rule: `placement:graphql:ledger:read`. */
  readonly events: EventConnection;
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderDescendantsArgs = {
  maxDepth?: InputMaybe<Scalars['Int']['input']>;
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderInventoriesArgs = {
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderInventoryArgs = {
  resourceClass: Scalars['String']['input'];
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderHasTraitArgs = {
  name: Scalars['String']['input'];
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderHeldHereArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AllocationFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<AllocationOrderInput>>;
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderTreeInventoryArgs = {
  resourceClass: Scalars['String']['input'];
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderTreeInventoriesArgs = {
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderSharedPoolsArgs = {
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderServesRootsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceProviderFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ResourceProviderOrderInput>>;
};


/** Something that provides resources: a compute host, a NUMA cell, a GPU, shared storage, a pool of addresses. Providers form trees; a tree is usually one host. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderEventsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<EventOrderInput>>;
};

/** One inventory of a sharing provider, as seen from a tree that it serves. Rule: `placement:graphql:inventories:read`. */
export type SharedPool = {
  readonly __typename?: 'SharedPool';
  /** The sharing provider. */
  readonly resourceProvider: ResourceProvider;
  /** The shared inventory. Its usage is that of all trees together. */
  readonly inventory: Inventory;
  /** The part of the usage by consumers that also have allocations in this tree, in units of the class. */
  readonly usedHere: Scalars['SafeInt']['output'];
};

/** A page of providers. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderConnection = {
  readonly __typename?: 'ResourceProviderConnection';
  /** The providers of the page. */
  readonly nodes: ReadonlyArray<ResourceProvider>;
  /** The providers of the page with their cursors. */
  readonly edges: ReadonlyArray<ResourceProviderEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A provider and its place in the list. Rule: `placement:graphql:resource_providers:read`. */
export type ResourceProviderEdge = {
  readonly __typename?: 'ResourceProviderEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The provider. */
  readonly node: ResourceProvider;
};

/** What conditions and amounts apply to. Only sent by callers: values may be added. */
export type Scope =
  /** The provider itself. */
  | 'PROVIDER'
  /** The provider and its descendants as one: for a root its whole tree. Sharing providers outside the tree are not included. */
  | 'TREE';

/** Conditions on a provider; all that are given must hold. `and`, `or` and `not` nest further filters: at most 50 in total, 4 levels deep. */
export type ResourceProviderFilterInput = {
  /** What `traits`, `aggregates`, `resourceClasses`, `fits`, `utilizations`, `allocationRatios`, `overCapacity`, `hasConsumers`, `consumerCount`, `updatedAfter` and `updatedBefore` apply to; all others apply to the provider itself. Defaults to PROVIDER, and within `and`, `or` and `not` to the scope of the enclosing filter. */
  readonly scope?: InputMaybe<Scope>;
  /** One of these uuids; at most 1,000. */
  readonly uuids?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** One of these names; at most 1,000. */
  readonly names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Name contains this text, ignoring case. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Name begins with this text, ignoring case. No wildcards. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Is a root (true) or has a parent (false). */
  readonly isRoot?: InputMaybe<Scalars['Boolean']['input']>;
  /** Is a sharing provider (true) or not (false). */
  readonly isSharing?: InputMaybe<Scalars['Boolean']['input']>;
  /** Is in the same tree as one of these providers; at most 1,000. */
  readonly inTrees?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Has or lacks these traits; every clause must hold. */
  readonly traits?: InputMaybe<ReadonlyArray<TraitConditionInput>>;
  /** Is or is not in these aggregates; every clause must hold. */
  readonly aggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** Has an inventory of every one of these classes. Rule: `placement:graphql:inventories:read`. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has room for all these amounts now, within minUnit, maxUnit and stepSize. An amount is never split: with TREE, different amounts may fit on different providers of the tree, but each on a single one. For shared resources and relations between amounts use allocationCandidates instead. Rule: `placement:graphql:inventories:read`. */
  readonly fits?: InputMaybe<ReadonlyArray<ResourceAmountInput>>;
  /** Has a utilization of a class in this range: usage divided by capacity, with TREE of the provider and its descendants together. Every condition must hold; none holds without a capacity. At most 100. Rule: `placement:graphql:inventories:read`. */
  readonly utilizations?: InputMaybe<ReadonlyArray<ClassRangeInput>>;
  /** Has an inventory of a class with an allocation ratio in this range, with TREE anywhere in scope; every condition must hold. At most 100. Rule: `placement:graphql:inventories:read`. */
  readonly allocationRatios?: InputMaybe<ReadonlyArray<ClassRangeInput>>;
  /** Has an inventory over capacity (true) or none (false). Rule: `placement:graphql:inventories:read`. */
  readonly overCapacity?: InputMaybe<Scalars['Boolean']['input']>;
  /** Has allocations (true) or none (false). Rule: `placement:graphql:resource_providers:allocations:read`. */
  readonly hasConsumers?: InputMaybe<Scalars['Boolean']['input']>;
  /** Has allocations of this many consumers. Each request counts them: with hundreds of thousands of allocations, that takes about a second. Rule: `placement:graphql:resource_providers:allocations:read`. */
  readonly consumerCount?: InputMaybe<CountRangeInput>;
  /** Created after this moment. */
  readonly createdAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created before this moment. */
  readonly createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last written after this moment: its name, parent, inventories, usage, traits or aggregates. */
  readonly updatedAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last written before this moment. */
  readonly updatedBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** All of these must hold, each with its own scope. */
  readonly and?: InputMaybe<ReadonlyArray<ResourceProviderFilterInput>>;
  /** At least one of these must hold; an empty list matches nothing. */
  readonly or?: InputMaybe<ReadonlyArray<ResourceProviderFilterInput>>;
  /** This must not hold. */
  readonly not?: InputMaybe<ResourceProviderFilterInput>;
};

/** A range for a number of a class. Give at least one bound; all that are given must hold. */
export type ClassRangeInput = {
  /** Name of a class that exists. */
  readonly resourceClass: Scalars['String']['input'];
  /** Is exactly this. */
  readonly is?: InputMaybe<Scalars['Float']['input']>;
  /** Is anything else. */
  readonly isNot?: InputMaybe<Scalars['Float']['input']>;
  /** Is greater. */
  readonly above?: InputMaybe<Scalars['Float']['input']>;
  /** Is this or greater. */
  readonly atLeast?: InputMaybe<Scalars['Float']['input']>;
  /** Is less. */
  readonly below?: InputMaybe<Scalars['Float']['input']>;
  /** Is this or less. */
  readonly atMost?: InputMaybe<Scalars['Float']['input']>;
};

/** A range for a count. Give at least one bound; all that are given must hold. */
export type CountRangeInput = {
  /** Is exactly this. */
  readonly is?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Is anything else. */
  readonly isNot?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Is greater. */
  readonly above?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Is this or greater. */
  readonly atLeast?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Is less. */
  readonly below?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Is this or less. */
  readonly atMost?: InputMaybe<Scalars['SafeInt']['input']>;
};

/** A clause about traits: all conditions given in it must hold. A request for candidates refuses one that names nothing. */
export type TraitConditionInput = {
  /** Has every one. */
  readonly allOf?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has at least one. */
  readonly anyOf?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has none. */
  readonly noneOf?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** A clause about aggregates: all conditions given in it must hold. An unknown aggregate is not an error: it has no members. A request for candidates refuses one that names nothing. */
export type AggregateConditionInput = {
  /** Is in every one. */
  readonly allOf?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Is in at least one. */
  readonly anyOf?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Is in none. */
  readonly noneOf?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
};

/** Fields that providers are ordered by. Ties are broken by the order of creation. Only sent by callers: values may be added. */
export type ResourceProviderOrderField =
  /** By name. */
  | 'NAME'
  /** By the moment of creation. */
  | 'CREATED_AT'
  /** By capacity minus usage of a class. Rule: `placement:graphql:inventories:read`. */
  | 'FREE'
  /** By usage of a class. Rule: `placement:graphql:inventories:read`. */
  | 'USED'
  /** By usage divided by capacity of a class. Rule: `placement:graphql:inventories:read`. */
  | 'UTILIZATION'
  /** By the number of consumers with allocations; not together with FREE, USED or UTILIZATION of trees. Counting costs as much as for the filter `consumerCount`. Rule: `placement:graphql:resource_providers:allocations:read`. */
  | 'CONSUMERS';

/** A sort key of providers. */
export type ResourceProviderOrderInput = {
  /** The sort field. */
  readonly field: ResourceProviderOrderField;
  /** The class of FREE, USED and UTILIZATION; required for them, refused for other fields. Providers without it (for UTILIZATION also without capacity) come last in both directions. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Whether FREE, USED, UTILIZATION and CONSUMERS are of the provider itself, or of it and its descendants together. */
  readonly scope?: Scope;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** The state that a write expects of a provider, or a release of a consumer. Give exactly one. A conflict reports the current generation. */
export type ExpectationInput =
  /** The generation that was read. */
  { readonly generation: Scalars['SafeInt']['input']; readonly unchecked?: never; }
  |  /** Any generation. For a consumer, any state, including no allocations. */
  { readonly generation?: never; readonly unchecked: Scalars['True']['input']; };

/** A new provider. */
export type CreateResourceProviderInput = {
  /** Its uuid; generated when omitted. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** Its name: 1 to 200 characters, unique. */
  readonly name: Scalars['String']['input'];
  /** Uuid of its parent; when omitted, it is a root. */
  readonly parent?: InputMaybe<Scalars['UUID']['input']>;
  /** What to do if a provider already has this uuid, name and parent. RETURN needs the uuid. A provider that has only some of them is a DUPLICATE. */
  readonly ifExists?: IfExists;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The new or existing provider, or why there is none. */
export type CreateResourceProviderPayload = {
  readonly __typename?: 'CreateResourceProviderPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Whether this call created it. */
  readonly created: Scalars['Boolean']['output'];
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A new parent of a provider. Give exactly one. */
export type NewParentInput =
  /** Uuid of the new parent. */
  { readonly resourceProvider: Scalars['UUID']['input']; readonly none?: never; }
  |  /** Makes it a root. */
  { readonly resourceProvider?: never; readonly none: Scalars['True']['input']; };

/** Changes to a provider. Omitted fields keep their values. */
export type UpdateResourceProviderInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** A new name: 1 to 200 characters, unique. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A new parent. Descendants move along. */
  readonly newParent?: InputMaybe<NewParentInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A provider after a write of its name, parent, inventories, traits or aggregates, or why it did not change. */
export type ResourceProviderPayload = {
  readonly __typename?: 'ResourceProviderPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Inventories whose capacity is now below their usage; empty after a write of anything else. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A provider to delete, with its inventories, traits and aggregate memberships. Refused while it has children or allocations. */
export type DeleteResourceProviderInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The deleted provider, or why it still exists. */
export type DeleteResourceProviderPayload = {
  readonly __typename?: 'DeleteResourceProviderPayload';
  /** The uuid of the deleted provider; null when refused. */
  readonly deletedResourceProviderUuid?: Maybe<Scalars['UUID']['output']>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What a provider has of one class, and how much of it is used. Rule: `placement:graphql:inventories:read`. */
export type Inventory = Node & {
  readonly __typename?: 'Inventory';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The provider; null when it was deleted during the query. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The resource class. */
  readonly resourceClass: ResourceClass;
  /** The physical amount, in units of the class: at least 1. */
  readonly total: Scalars['SafeInt']['output'];
  /** The part withheld from allocation before the ratio is applied, in units of the class. */
  readonly reserved: Scalars['SafeInt']['output'];
  /** The smallest amount of one allocation. */
  readonly minUnit: Scalars['SafeInt']['output'];
  /** The largest amount of one allocation. */
  readonly maxUnit: Scalars['SafeInt']['output'];
  /** An allocation must be a multiple of it. */
  readonly stepSize: Scalars['SafeInt']['output'];
  /** Overcommit ratio: 4.0 offers each physical unit four times. */
  readonly allocationRatio: Scalars['Float']['output'];
  /** trunc((total - reserved) * allocationRatio), in units of the class, at most 2^53 - 1. */
  readonly capacity: Scalars['SafeInt']['output'];
  /** Usage by consumers now, in units of the class. */
  readonly used: Scalars['SafeInt']['output'];
  /** capacity - used; negative while over capacity. */
  readonly free: Scalars['SafeInt']['output'];
  /** used / capacity; null when the capacity is 0. */
  readonly utilization?: Maybe<Scalars['Float']['output']>;
  /** Whether usage exceeds capacity, because the inventory was shrunk. Nothing new fits until usage drops. */
  readonly overCapacity: Scalars['Boolean']['output'];
  /** When it was last set. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** A page of inventories. Rule: `placement:graphql:inventories:read`. */
export type InventoryConnection = {
  readonly __typename?: 'InventoryConnection';
  /** The inventories of the page. */
  readonly nodes: ReadonlyArray<Inventory>;
  /** The inventories of the page with their cursors. */
  readonly edges: ReadonlyArray<InventoryEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** An inventory and its place in the list. Rule: `placement:graphql:inventories:read`. */
export type InventoryEdge = {
  readonly __typename?: 'InventoryEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The inventory. */
  readonly node: Inventory;
};

/** Fields that inventories are ordered by. Ties are broken by the order of creation of the providers. Only sent by callers: values may be added. */
export type InventoryOrderField =
  /** By the name of the provider. */
  | 'PROVIDER_NAME'
  /** By capacity minus usage. */
  | 'FREE'
  /** By usage. */
  | 'USED'
  /** By usage divided by capacity; inventories without capacity come last. */
  | 'UTILIZATION';

/** A sort key of inventories. */
export type InventoryOrderInput = {
  /** The sort field. */
  readonly field: InventoryOrderField;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** Totals of one class over a set of providers, each counted once. All values of a row are from one moment. Rule: `placement:graphql:inventories:read`. */
export type ResourceTotal = {
  readonly __typename?: 'ResourceTotal';
  /** The resource class. */
  readonly resourceClass: ResourceClass;
  /** Number of providers of the set that have it. */
  readonly providerCount: Scalars['SafeInt']['output'];
  /** Sum of the physical amounts. */
  readonly total: Scalars['SafeInt']['output'];
  /** Sum of the reserved amounts. */
  readonly reserved: Scalars['SafeInt']['output'];
  /** Sum of the capacities. */
  readonly capacity: Scalars['SafeInt']['output'];
  /** Sum of the usages. */
  readonly used: Scalars['SafeInt']['output'];
  /** capacity - used of the sums. Providers over capacity offset room elsewhere: see freeUsable. */
  readonly free: Scalars['SafeInt']['output'];
  /** Sum of what is free on each provider, counting those over capacity as 0. */
  readonly freeUsable: Scalars['SafeInt']['output'];
  /** used / capacity of the sums; null when the capacity is 0. */
  readonly utilization?: Maybe<Scalars['Float']['output']>;
};

/** What a set of providers has, and what sharing providers outside it offer it. The two are never added: a sharing provider serves many trees. Rule: `placement:graphql:inventories:read`. */
export type Totals = {
  readonly __typename?: 'Totals';
  /** Totals of the providers of the set, a row for each class. */
  readonly own: ReadonlyArray<ResourceTotal>;
  /** Totals of the sharing providers outside the set that serve at least one tree with a member in it, a row for each class. */
  readonly shared: ReadonlyArray<ResourceTotal>;
};

/** A complete inventory. Omitted fields get their defaults, not their old values. */
export type InventoryInput = {
  /** Name of the class. */
  readonly resourceClass: Scalars['String']['input'];
  /** The physical amount: 1 to 2147483647. To offer nothing, leave the inventory out. */
  readonly total: Scalars['SafeInt']['input'];
  /** The part withheld from allocation: 0 to 2147483647. The capacity must not become negative. */
  readonly reserved?: Scalars['SafeInt']['input'];
  /** Smallest amount of one allocation: 1 to 2147483647. */
  readonly minUnit?: Scalars['SafeInt']['input'];
  /** Largest amount of one allocation: 1 to 2147483647. */
  readonly maxUnit?: Scalars['SafeInt']['input'];
  /** Allocations must be a multiple of it: 1 to 2147483647. */
  readonly stepSize?: Scalars['SafeInt']['input'];
  /** Overcommit ratio: finite, at most 3.40282e38. */
  readonly allocationRatio?: Scalars['Float']['input'];
};

/** The whole set of inventories of a provider. */
export type ReplaceInventoriesInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** All its inventories. Those of other classes are deleted; IN_USE if they have allocations. */
  readonly inventories: ReadonlyArray<InventoryInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** One inventory to create or replace. */
export type SetInventoryInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** The inventory. */
  readonly inventory: InventoryInput;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The inventory, or why it did not change. */
export type SetInventoryPayload = {
  readonly __typename?: 'SetInventoryPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The inventory; null when refused. */
  readonly inventory?: Maybe<Inventory>;
  /** A warning when its capacity is now below its usage. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** One provider and the expected state. */
export type ExpectedResourceProviderInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
};

/** The providers to change. Give exactly one. */
export type PatchSelectionInput =
  /** This provider. For inventories, it must have the class. */
  { readonly one: ExpectedResourceProviderInput; readonly many?: never; readonly filter?: never; readonly all?: never; }
  |  /** These providers: 1 to 10,000, each once. For inventories, all must have the class. The refusal names those in another state than expected, and nothing is written. */
  { readonly one?: never; readonly many: ReadonlyArray<ExpectedResourceProviderInput>; readonly filter?: never; readonly all?: never; }
  |  /**
   * All providers that match, at most 10,000, without checking generations. For inventories, only those that have the class. Nothing in it may be
   * empty: a filter or clause without a condition, an empty list and an empty text are refused with INVALID_INPUT. A variable without a value beside other
   * conditions leaves out its own, so that more providers match than intended: protect against that with `expectedCount`.
   */
  { readonly one?: never; readonly many?: never; readonly filter: ResourceProviderFilterInput; readonly all?: never; }
  |  /** All existing providers, at most 10,000, without checking generations. For inventories, only those that have the class. */
  { readonly one?: never; readonly many?: never; readonly filter?: never; readonly all: Scalars['True']['input']; };

/** Changes to an inventory; at least one field. Omitted fields keep their values. */
export type InventoryPatchInput = {
  /** The physical amount: 1 to 2147483647, in units of the class. */
  readonly total?: InputMaybe<Scalars['SafeInt']['input']>;
  /** The part withheld from allocation: 0 to 2147483647, in units of the class. The capacity must not become negative. */
  readonly reserved?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Smallest amount of one allocation: 1 to 2147483647. */
  readonly minUnit?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Largest amount of one allocation: 1 to 2147483647. */
  readonly maxUnit?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Allocations must be a multiple of it: 1 to 2147483647. */
  readonly stepSize?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Overcommit ratio: finite, at most 3.40282e38. */
  readonly allocationRatio?: InputMaybe<Scalars['Float']['input']>;
};

/** Changes to some fields of the inventories of a class. */
export type PatchInventoriesInput = {
  /** Which inventories to change. */
  readonly select: PatchSelectionInput;
  /** Name of the class. */
  readonly resourceClass: Scalars['String']['input'];
  /** The changes. */
  readonly patch: InventoryPatchInput;
  /** Number of selected providers that must have the class when they are written, such as `matchedCount` of a dry run; SELECTION_CONFLICT if the number differs. Any when omitted. */
  readonly expectedCount?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Only report what would change: the write is executed and rolled back. */
  readonly dryRun?: Scalars['Boolean']['input'];
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The fields of an inventory. */
export type InventoryRecord = {
  readonly __typename?: 'InventoryRecord';
  /** The physical amount, in units of the class. */
  readonly total: Scalars['SafeInt']['output'];
  /** The part withheld from allocation before the ratio is applied, in units of the class. */
  readonly reserved: Scalars['SafeInt']['output'];
  /** The smallest amount of one allocation. */
  readonly minUnit: Scalars['SafeInt']['output'];
  /** The largest amount of one allocation. */
  readonly maxUnit: Scalars['SafeInt']['output'];
  /** An allocation must be a multiple of it. */
  readonly stepSize: Scalars['SafeInt']['output'];
  /** Overcommit ratio: 4.0 offers each physical unit four times. */
  readonly allocationRatio: Scalars['Float']['output'];
  /** trunc((total - reserved) * allocationRatio), in units of the class, at most 2^53 - 1. */
  readonly capacity: Scalars['SafeInt']['output'];
};

/** An inventory that changed, or would change. */
export type InventoryChange = {
  readonly __typename?: 'InventoryChange';
  /** Name of the resource class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** The inventory before; null when there was none. */
  readonly before?: Maybe<InventoryRecord>;
  /** The inventory after, or as it would be; null when there is none. */
  readonly after?: Maybe<InventoryRecord>;
  /** Usage by consumers at the moment of the change, in units of the class. Only `patchInventories` reports it: elsewhere null. */
  readonly used?: Maybe<Scalars['SafeInt']['output']>;
};

/** What changed, or why nothing did. */
export type PatchInventoriesPayload = {
  readonly __typename?: 'PatchInventoriesPayload';
  /** Number of selected providers that have the class. */
  readonly matchedCount: Scalars['SafeInt']['output'];
  /** The changes made, or that would be made, in the order of creation of the providers, without unchanged inventories. At most 10,000. */
  readonly changes?: Maybe<ReadonlyArray<ResourceProviderChange>>;
  /** Whether the changes were made: false for a dry run and when refused. */
  readonly applied: Scalars['Boolean']['output'];
  /** Inventories whose capacity is now, or would be, below their usage. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** One inventory to delete. Refused while it has allocations. */
export type DeleteInventoryInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** Name of the class. */
  readonly resourceClass: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A kind of resource that can be counted and consumed: VCPU, MEMORY_MB, CUSTOM_LICENSE. Rule: `placement:graphql:resource_classes:read`. */
export type ResourceClass = Node & {
  readonly __typename?: 'ResourceClass';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** Its name, unique. Custom ones begin with CUSTOM_. */
  readonly name: Scalars['String']['output'];
  /** Whether it is a standard class, which can be neither created nor deleted. */
  readonly isStandard: Scalars['Boolean']['output'];
  /** The unit of amounts, such as MiB; null for classes that count whole things. */
  readonly unit?: Maybe<Scalars['String']['output']>;
  /** All inventories of the class. Rule: `placement:graphql:inventories:read`. */
  readonly cloudInventories: InventoryConnection;
  /** The total over the whole cloud; null when no provider has an inventory of it. Rule: `placement:graphql:inventories:read`. */
  readonly cloudTotal?: Maybe<ResourceTotal>;
};


/** A kind of resource that can be counted and consumed: VCPU, MEMORY_MB, CUSTOM_LICENSE. Rule: `placement:graphql:resource_classes:read`. */
export type ResourceClassCloudInventoriesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceProviderFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<InventoryOrderInput>>;
};

/** Conditions on a class; all that are given must hold. */
export type ResourceClassFilterInput = {
  /** One of these names; at most 1,000. */
  readonly names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Name contains this text, ignoring case. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Name begins with this text, ignoring case. No wildcards. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Is a standard class (true) or a custom one (false). */
  readonly isStandard?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A page of classes. Rule: `placement:graphql:resource_classes:read`. */
export type ResourceClassConnection = {
  readonly __typename?: 'ResourceClassConnection';
  /** The classes of the page. */
  readonly nodes: ReadonlyArray<ResourceClass>;
  /** The classes of the page with their cursors. */
  readonly edges: ReadonlyArray<ResourceClassEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A class and its place in the list. Rule: `placement:graphql:resource_classes:read`. */
export type ResourceClassEdge = {
  readonly __typename?: 'ResourceClassEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The class. */
  readonly node: ResourceClass;
};

/** A custom class. */
export type CreateResourceClassInput = {
  /** CUSTOM_ and upper-case letters, digits and underscores: at most 255 characters. */
  readonly name: Scalars['String']['input'];
  /** What to do if it already exists. */
  readonly ifExists?: IfExists;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The new or existing class, or why there is none. */
export type CreateResourceClassPayload = {
  readonly __typename?: 'CreateResourceClassPayload';
  /** The class; null when refused. */
  readonly resourceClass?: Maybe<ResourceClass>;
  /** Whether this call created it. */
  readonly created: Scalars['Boolean']['output'];
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A custom class to delete. Refused while a provider has an inventory of it. */
export type DeleteResourceClassInput = {
  /** Its name. */
  readonly name: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The deleted class, or why it still exists. */
export type DeleteResourceClassPayload = {
  readonly __typename?: 'DeleteResourceClassPayload';
  /** The name of the deleted class; null when refused. */
  readonly deletedResourceClassName?: Maybe<Scalars['String']['output']>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A qualitative property of a provider. Traits are required or forbidden, never consumed. Rule: `placement:graphql:traits:read`. */
export type Trait = Node & {
  readonly __typename?: 'Trait';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** Its name, unique. Custom ones begin with CUSTOM_. */
  readonly name: Scalars['String']['output'];
  /** Whether it is a standard trait, which can be neither created nor deleted. */
  readonly isStandard: Scalars['Boolean']['output'];
  /** The providers that have it. */
  readonly resourceProviders: ResourceProviderConnection;
};


/** A qualitative property of a provider. Traits are required or forbidden, never consumed. Rule: `placement:graphql:traits:read`. */
export type TraitResourceProvidersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceProviderFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ResourceProviderOrderInput>>;
};

/** Conditions on a trait; all that are given must hold. */
export type TraitFilterInput = {
  /** One of these names; at most 1,000. */
  readonly names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Name contains this text, ignoring case. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Name begins with this text, ignoring case. No wildcards. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Is a standard trait (true) or a custom one (false). */
  readonly isStandard?: InputMaybe<Scalars['Boolean']['input']>;
  /** Some provider has it (true) or none has it (false). */
  readonly inUse?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Fields that classes and traits are ordered by. Only sent by callers: values may be added. */
export type NameOrderField =
  /** By name. */
  | 'NAME'
  /** By the order of creation; standard ones come first. */
  | 'CREATED_AT';

/** A sort key of classes and traits. */
export type NameOrderInput = {
  /** The sort field. */
  readonly field: NameOrderField;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** A page of traits. Rule: `placement:graphql:traits:read`. */
export type TraitConnection = {
  readonly __typename?: 'TraitConnection';
  /** The traits of the page. */
  readonly nodes: ReadonlyArray<Trait>;
  /** The traits of the page with their cursors. */
  readonly edges: ReadonlyArray<TraitEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A trait and its place in the list. Rule: `placement:graphql:traits:read`. */
export type TraitEdge = {
  readonly __typename?: 'TraitEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The trait. */
  readonly node: Trait;
};

/** The whole set of traits of a provider. */
export type ReplaceTraitsInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** Names of all its traits; at most 1,000. Each must exist. */
  readonly traits: ReadonlyArray<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** Traits to add and to remove; at least one. */
export type PatchTraitsInput = {
  /** Which providers to change. */
  readonly select: PatchSelectionInput;
  /** Names of traits to add; at most 1,000. Each must exist. */
  readonly add?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of traits to remove; at most 1,000, none of them also in `add`. Each must exist. */
  readonly remove?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Number of providers that must be selected when they are written, such as `matchedCount` of a dry run; SELECTION_CONFLICT if the number differs. Any when omitted. */
  readonly expectedCount?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Only report what would change: the write is executed and rolled back. */
  readonly dryRun?: Scalars['Boolean']['input'];
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What changed, or why nothing did. */
export type PatchTraitsPayload = {
  readonly __typename?: 'PatchTraitsPayload';
  /** Number of selected providers. */
  readonly matchedCount: Scalars['SafeInt']['output'];
  /** The changes made, or that would be made, in the order of creation of the providers, without unchanged ones. At most 10,000. */
  readonly changes?: Maybe<ReadonlyArray<ResourceProviderChange>>;
  /** Whether the changes were made: false for a dry run and when refused. */
  readonly applied: Scalars['Boolean']['output'];
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A custom trait. */
export type CreateTraitInput = {
  /** CUSTOM_ and upper-case letters, digits and underscores: at most 255 characters. */
  readonly name: Scalars['String']['input'];
  /** What to do if it already exists. */
  readonly ifExists?: IfExists;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The new or existing trait, or why there is none. */
export type CreateTraitPayload = {
  readonly __typename?: 'CreateTraitPayload';
  /** The trait; null when refused. */
  readonly trait?: Maybe<Trait>;
  /** Whether this call created it. */
  readonly created: Scalars['Boolean']['output'];
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A custom trait to delete. Refused while a provider has it. */
export type DeleteTraitInput = {
  /** Its name. */
  readonly name: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The deleted trait, or why it still exists. */
export type DeleteTraitPayload = {
  readonly __typename?: 'DeleteTraitPayload';
  /** The name of the deleted trait; null when refused. */
  readonly deletedTraitName?: Maybe<Scalars['String']['output']>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A group of providers under a uuid: a rack, a zone, the hosts of a shared pool. It is created when a provider, or a name, first refers to it. Rule: `placement:graphql:aggregates:read`. */
export type Aggregate = Node & {
  readonly __typename?: 'Aggregate';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The public key of the aggregate. */
  readonly uuid: Scalars['UUID']['output'];
  /** Its human-readable name, or its uuid while it has none. Unique. Not part of Placement. */
  readonly name: Scalars['String']['output'];
  /** Whether it has a name. */
  readonly isNamed: Scalars['Boolean']['output'];
  /** The providers that are in it themselves. */
  readonly resourceProviders: ResourceProviderConnection;
  /** Number of trees whose root is a member, usually hosts. Sharing providers, such as a storage pool, are not counted, as in `totals`. */
  readonly rootCount: Scalars['SafeInt']['output'];
  /** Number of consumers with allocations in those trees, or on other providers that are members. Rule: `placement:graphql:resource_providers:allocations:read`. */
  readonly consumerCount: Scalars['SafeInt']['output'];
  /** Totals of the whole trees whose root is a member, without sharing providers; the pools that serve them are under `shared`. Rule: `placement:graphql:inventories:read`. */
  readonly totals: Totals;
};


/** A group of providers under a uuid: a rack, a zone, the hosts of a shared pool. It is created when a provider, or a name, first refers to it. Rule: `placement:graphql:aggregates:read`. */
export type AggregateResourceProvidersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceProviderFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ResourceProviderOrderInput>>;
};


/** A group of providers under a uuid: a rack, a zone, the hosts of a shared pool. It is created when a provider, or a name, first refers to it. Rule: `placement:graphql:aggregates:read`. */
export type AggregateTotalsArgs = {
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** Conditions on an aggregate; all that are given must hold. Aggregates without a name match no condition on names. */
export type AggregateFilterInput = {
  /** One of these uuids; at most 1,000. */
  readonly uuids?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** One of these names; at most 1,000. */
  readonly names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Name contains this text, ignoring case. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Name begins with this text, ignoring case. No wildcards. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
};

/** Fields that aggregates are ordered by. Only sent by callers: values may be added. */
export type AggregateOrderField =
  /** By name; those without a name come last in both directions. */
  | 'NAME'
  /** By the order of creation. */
  | 'CREATED_AT';

/** A sort key of aggregates. Ties are broken by the order of creation. */
export type AggregateOrderInput = {
  /** The sort field. */
  readonly field: AggregateOrderField;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** A page of aggregates. Rule: `placement:graphql:aggregates:read`. */
export type AggregateConnection = {
  readonly __typename?: 'AggregateConnection';
  /** The aggregates of the page. */
  readonly nodes: ReadonlyArray<Aggregate>;
  /** The aggregates of the page with their cursors. */
  readonly edges: ReadonlyArray<AggregateEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** An aggregate and its place in the list. Rule: `placement:graphql:aggregates:read`. */
export type AggregateEdge = {
  readonly __typename?: 'AggregateEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The aggregate. */
  readonly node: Aggregate;
};

/** The whole set of aggregates of a provider. */
export type ReplaceAggregatesInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** Uuids of all its aggregates; at most 1,000. New ones are created. */
  readonly aggregates: ReadonlyArray<Scalars['UUID']['input']>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A human-readable name for an aggregate. */
export type NameAggregateInput = {
  /** Uuid of the aggregate, which is created if it does not exist. */
  readonly aggregate: Scalars['UUID']['input'];
  /** Its name: 1 to 200 characters, unique; null removes the name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The aggregate, or why it was not renamed. */
export type NameAggregatePayload = {
  readonly __typename?: 'NameAggregatePayload';
  /** The aggregate; null when refused. */
  readonly aggregate?: Maybe<Aggregate>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Something that holds resources: a server, a migration, a port. It exists from its first allocation to its last. Rule: `placement:graphql:consumers:read`. */
export type Consumer = Node & {
  readonly __typename?: 'Consumer';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The public key of the consumer. */
  readonly uuid: Scalars['UUID']['output'];
  /**
   * Increases with every write of the consumer. Pass it back in `expect`. It restarts at 1 when a consumer that has lost all its allocations gets new
   * ones, as in Placement.
   */
  readonly generation: Scalars['SafeInt']['output'];
  /** Its type, such as INSTANCE; null for consumers without a type. */
  readonly consumerType?: Maybe<Scalars['String']['output']>;
  /** The project that it belongs to. */
  readonly project: Project;
  /** The user who created it. */
  readonly user: User;
  /** When it was created, with its first allocation. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last written. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** All its allocations, by provider name and class. A small list: a few providers. */
  readonly allocations: ReadonlyArray<Allocation>;
  /** The roots of the trees that it has allocations in, by name. Rule: `placement:graphql:resource_providers:read`. */
  readonly roots: ReadonlyArray<ResourceProvider>;
  /** The events that affected it. Their `changes` are those of this consumer. Rule: `placement:graphql:events:read`. */
  readonly events: EventConnection;
};


/** Something that holds resources: a server, a migration, a port. It exists from its first allocation to its last. Rule: `placement:graphql:consumers:read`. */
export type ConsumerEventsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<EventOrderInput>>;
};

/** A page of consumers. Rule: `placement:graphql:consumers:read`. */
export type ConsumerConnection = {
  readonly __typename?: 'ConsumerConnection';
  /** The consumers of the page. */
  readonly nodes: ReadonlyArray<Consumer>;
  /** The consumers of the page with their cursors. */
  readonly edges: ReadonlyArray<ConsumerEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A consumer and its place in the list. Rule: `placement:graphql:consumers:read`. */
export type ConsumerEdge = {
  readonly __typename?: 'ConsumerEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The consumer. */
  readonly node: Consumer;
};

/** Fields that consumers are ordered by. Ties are broken by the order of creation. Only sent by callers: values may be added. */
export type ConsumerOrderField =
  /** By the order of creation. */
  | 'CREATED_AT'
  /** By the moment of the last write. */
  | 'UPDATED_AT'
  /** By the amount of a class that it holds over all providers; consumers without the class come last in both directions. */
  | 'AMOUNT';

/** A sort key of consumers. */
export type ConsumerOrderInput = {
  /** The sort field. */
  readonly field: ConsumerOrderField;
  /** The class of AMOUNT; required for it, refused for other fields. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** Conditions on a consumer; all that are given must hold. `and`, `or` and `not` nest further filters: at most 50 in total, 4 levels deep. */
export type ConsumerFilterInput = {
  /** One of these uuids; at most 1,000. */
  readonly uuids?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Belongs to one of these projects; at most 1,000. */
  readonly projects?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Created by one of these users; at most 1,000. */
  readonly users?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has one of these types. For consumers without a type use `untyped`. */
  readonly consumerTypes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has no type (true) or has one (false). */
  readonly untyped?: InputMaybe<Scalars['Boolean']['input']>;
  /** Has an allocation on one of these providers; at most 1,000. Rule: `placement:graphql:resource_providers:read`. */
  readonly resourceProviders?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Has an allocation in the tree of one of these providers; at most 1,000. Rule: `placement:graphql:resource_providers:read`. */
  readonly inTrees?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Has an allocation in the tree of a provider with one of these names, such as a host with its NUMA cells; at most 1,000. Rule: `placement:graphql:resource_providers:read`. */
  readonly inTreesNamed?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has allocations in several trees, not counting sharing providers (true): a move in progress, or a leftover of one. Rule: `placement:graphql:resource_providers:read`. */
  readonly onSeveralRoots?: InputMaybe<Scalars['Boolean']['input']>;
  /** Has an allocation on a provider in one of these aggregates, or whose root is; at most 1,000. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Has an allocation of every one of these classes; at most 100. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Holds at least these amounts, summed over all providers; at most 100. */
  readonly holds?: InputMaybe<ReadonlyArray<ResourceAmountInput>>;
  /** Created after this moment. */
  readonly createdAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created before this moment. */
  readonly createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last written after this moment. */
  readonly updatedAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last written before this moment. */
  readonly updatedBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** All of these must hold. */
  readonly and?: InputMaybe<ReadonlyArray<ConsumerFilterInput>>;
  /** At least one of these must hold; an empty list matches nothing. */
  readonly or?: InputMaybe<ReadonlyArray<ConsumerFilterInput>>;
  /** This must not hold. */
  readonly not?: InputMaybe<ConsumerFilterInput>;
};

/** An amount of a class that a consumer holds on a provider. Rule: `placement:graphql:consumers:read`. */
export type Allocation = {
  readonly __typename?: 'Allocation';
  /** The consumer that holds it. */
  readonly consumer: Consumer;
  /** The provider that it is held on. Rule: `placement:graphql:resource_providers:read`. */
  readonly resourceProvider: ResourceProvider;
  /** The resource class. */
  readonly resourceClass: ResourceClass;
  /** The amount, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** A page of allocations. Rule: `placement:graphql:resource_providers:allocations:read`. */
export type AllocationConnection = {
  readonly __typename?: 'AllocationConnection';
  /** The allocations of the page. */
  readonly nodes: ReadonlyArray<Allocation>;
  /** The allocations of the page with their cursors. */
  readonly edges: ReadonlyArray<AllocationEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** An allocation and its place in the list. Rule: `placement:graphql:resource_providers:allocations:read`. */
export type AllocationEdge = {
  readonly __typename?: 'AllocationEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The allocation. */
  readonly node: Allocation;
};

/** Fields that allocations are ordered by. Ties are broken by the order of creation of the consumers, then by class. Only sent by callers: values may be added. */
export type AllocationOrderField =
  /** By the order of creation of the consumers. */
  | 'CONSUMER_CREATED_AT'
  /** By amount, whatever the class: give one in the filter. */
  | 'AMOUNT';

/** A sort key of allocations. */
export type AllocationOrderInput = {
  /** The sort field. */
  readonly field: AllocationOrderField;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** Conditions on an allocation; all that are given must hold. */
export type AllocationFilterInput = {
  /** Of one of these classes. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Held by a consumer of one of these projects. */
  readonly projects?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Held by a consumer of one of these types. */
  readonly consumerTypes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** The state that a write expects of a consumer. Give exactly one. A conflict reports the current generation. */
export type ConsumerExpectationInput =
  /** The generation that was read. */
  { readonly generation: Scalars['SafeInt']['input']; readonly isNew?: never; }
  |  /** The consumer must not exist yet. */
  { readonly generation?: never; readonly isNew: Scalars['True']['input']; };

/** The amounts that a consumer holds on one provider. */
export type AllocationInput = {
  /** Uuid of the provider. Must be unique within the consumer. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** Resource classes and amounts; not empty. */
  readonly resources: ReadonlyArray<ResourceAmountInput>;
};

/** The allocations of a consumer after the write. Give exactly one. */
export type AllocationSourceInput =
  /** Exactly these; an empty list releases everything. */
  { readonly allocations: ReadonlyArray<AllocationInput>; readonly claimToken?: never; readonly takeFrom?: never; }
  |  /** Those of a candidate, given by its token. */
  { readonly allocations?: never; readonly claimToken: Scalars['String']['input']; readonly takeFrom?: never; }
  |  /** All that another consumer of this request held before the write. Its own entry says what that one holds afterwards: with an empty list everything moves. NOT_FOUND when it held nothing. */
  { readonly allocations?: never; readonly claimToken?: never; readonly takeFrom: Scalars['UUID']['input']; };

/** The attributes and allocations of one consumer after the write. */
export type ConsumerAllocationsInput = {
  /** Uuid of the consumer. Must be unique within the request. */
  readonly consumer: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ConsumerExpectationInput;
  /** Its allocations. */
  readonly hold: AllocationSourceInput;
  /** External id of its project, 1 to 255 characters: required for a new consumer (unless it takes from another, whose project it gets), kept when omitted. */
  readonly project?: InputMaybe<Scalars['String']['input']>;
  /** External id of its user, with the same rules. */
  readonly user?: InputMaybe<Scalars['String']['input']>;
  /** Its type, such as INSTANCE: at most 255 upper-case letters, digits and underscores. When omitted it is kept; a new consumer has none. */
  readonly consumerType?: InputMaybe<Scalars['String']['input']>;
};

/** The new allocations of some consumers, written in one transaction, all or nothing. They replace everything that the consumers held. */
export type ReplaceAllocationsInput = {
  /** The consumers: 1 to 1,000. */
  readonly consumers: ReadonlyArray<ConsumerAllocationsInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The consumers after the write, or why nothing was written. */
export type ReplaceAllocationsPayload = {
  readonly __typename?: 'ReplaceAllocationsPayload';
  /** In the order of the input; null for a consumer without allocations. Empty when refused. */
  readonly consumers?: Maybe<ReadonlyArray<Maybe<Consumer>>>;
  /** Every provider whose allocations were written, with its new generation. */
  readonly resourceProviders?: Maybe<ReadonlyArray<ResourceProvider>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors lists (at most 100). */
  readonly truncated: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A consumer to release. */
export type ReleaseConsumerInput = {
  /** Uuid of the consumer. Must be unique within the request. */
  readonly consumer: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
};

/** Consumers to release in one transaction. */
export type ReleaseAllocationsInput = {
  /** The consumers: 1 to 1,000. */
  readonly consumers: ReadonlyArray<ReleaseConsumerInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The released consumers, or why nothing was released. */
export type ReleaseAllocationsPayload = {
  readonly __typename?: 'ReleaseAllocationsPayload';
  /** Uuids of the consumers that had allocations and are now gone. */
  readonly releasedConsumerUuids?: Maybe<ReadonlyArray<Scalars['UUID']['output']>>;
  /** Every provider that allocations were released on, with its new generation. */
  readonly resourceProviders?: Maybe<ReadonlyArray<ResourceProvider>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors lists (at most 100). */
  readonly truncated: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A project that owns consumers. Managed by Keystone; known here only by its id. Rule: `placement:graphql:consumers:read`. */
export type Project = Node & {
  readonly __typename?: 'Project';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The id of the project in Keystone: 1 to 255 characters. */
  readonly externalId: Scalars['String']['output'];
  /** Usage by its consumers, a row for each combination of the keys; a single row without keys. All rows of a page are from one moment. Rule: `placement:graphql:usages:read`. */
  readonly usages: UsageConnection;
  /** Its consumers, by the order of creation unless `orderBy` is given. */
  readonly consumers: ConsumerConnection;
  /** The events that affected its consumers. Their `changes` are those of these consumers. Rule: `placement:graphql:events:read`. */
  readonly events: EventConnection;
};


/** A project that owns consumers. Managed by Keystone; known here only by its id. Rule: `placement:graphql:consumers:read`. */
export type ProjectUsagesArgs = {
  filter?: InputMaybe<ConsumerFilterInput>;
  groupBy?: ReadonlyArray<UsageKey>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<UsageOrderInput>>;
};


/** A project that owns consumers. Managed by Keystone; known here only by its id. Rule: `placement:graphql:consumers:read`. */
export type ProjectConsumersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ConsumerFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ConsumerOrderInput>>;
};


/** A project that owns consumers. Managed by Keystone; known here only by its id. Rule: `placement:graphql:consumers:read`. */
export type ProjectEventsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<EventOrderInput>>;
};

/** Conditions on a project; all that are given must hold. */
export type ProjectFilterInput = {
  /** One of these ids; at most 1,000. */
  readonly externalIds?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Id contains this text, ignoring case. No wildcards. */
  readonly externalIdContains?: InputMaybe<Scalars['String']['input']>;
  /** Id begins with this text, ignoring case. No wildcards. */
  readonly externalIdStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Has consumers (true) or no longer has any (false). */
  readonly hasConsumers?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Fields that projects are ordered by. Only sent by callers: values may be added. */
export type ProjectOrderField =
  /** By the id in Keystone. */
  | 'EXTERNAL_ID'
  /** By when its first consumer was created. */
  | 'CREATED_AT';

/** A sort key of projects. */
export type ProjectOrderInput = {
  /** The sort field. */
  readonly field: ProjectOrderField;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** A page of projects. Rule: `placement:graphql:projects:read`. */
export type ProjectConnection = {
  readonly __typename?: 'ProjectConnection';
  /** The projects of the page. */
  readonly nodes: ReadonlyArray<Project>;
  /** The projects of the page with their cursors. */
  readonly edges: ReadonlyArray<ProjectEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A project and its place in the list. Rule: `placement:graphql:projects:read`. */
export type ProjectEdge = {
  readonly __typename?: 'ProjectEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The project. */
  readonly node: Project;
};

/** A user who created consumers. Managed by Keystone; known here only by its id. Rule: `placement:graphql:consumers:read`. */
export type User = Node & {
  readonly __typename?: 'User';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The id of the user in Keystone: 1 to 255 characters. */
  readonly externalId: Scalars['String']['output'];
};

/** Fields that usages are ordered by. Only sent by callers: values may be added. */
export type UsageOrderField =
  /** By the amount of a class; none counts as 0. */
  | 'AMOUNT';

/** A sort key of usages. */
export type UsageOrderInput = {
  /** The sort field. */
  readonly field: UsageOrderField;
  /** The class of AMOUNT. */
  readonly resourceClass: Scalars['String']['input'];
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** A key to group usages by. Only sent by callers: values may be added. */
export type UsageKey =
  /** By project. */
  | 'PROJECT'
  /** By user. */
  | 'USER'
  /** By consumer type. */
  | 'CONSUMER_TYPE'
  /** By consumer. */
  | 'CONSUMER'
  /** By the provider of the allocation. Rule: `placement:graphql:resource_providers:read`. */
  | 'RESOURCE_PROVIDER'
  /** By the root of the provider's tree: usually the host. Rule: `placement:graphql:resource_providers:read`. */
  | 'ROOT'
  /** By the aggregates of the provider and of its root. An allocation in several counts in each; those in none have a row without an aggregate. Rule: `placement:graphql:aggregates:read`. */
  | 'AGGREGATE';

/** The usage of one group. Keys that were not requested are null. Rule: `placement:graphql:usages:read`. */
export type Usage = {
  readonly __typename?: 'Usage';
  /** The project of the group. */
  readonly project?: Maybe<Project>;
  /** The user of the group. */
  readonly user?: Maybe<User>;
  /** The consumer type of the group; also null for the group without a type. */
  readonly consumerType?: Maybe<Scalars['String']['output']>;
  /** The consumer of the group; also null when it has been deleted since. */
  readonly consumer?: Maybe<Consumer>;
  /** The provider of the group. Rule: `placement:graphql:resource_providers:read`. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The root of the group. Rule: `placement:graphql:resource_providers:read`. */
  readonly root?: Maybe<ResourceProvider>;
  /** The aggregate of the group; also null for the group of allocations in none. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregate?: Maybe<Aggregate>;
  /** Number of consumers in the group. */
  readonly consumerCount: Scalars['SafeInt']['output'];
  /** Their total amounts, in the order of class ids. */
  readonly resources: ReadonlyArray<ResourceAmount>;
  /** Their total amount of one class; 0 when there is none. */
  readonly amount: Scalars['SafeInt']['output'];
};


/** The usage of one group. Keys that were not requested are null. Rule: `placement:graphql:usages:read`. */
export type UsageAmountArgs = {
  resourceClass: Scalars['String']['input'];
};

/** A page of usages. Rule: `placement:graphql:usages:read`. */
export type UsageConnection = {
  readonly __typename?: 'UsageConnection';
  /** The rows of the page. */
  readonly nodes: ReadonlyArray<Usage>;
  /** The rows of the page with their cursors. */
  readonly edges: ReadonlyArray<UsageEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A row of usage and its place in the list. Rule: `placement:graphql:usages:read`. */
export type UsageEdge = {
  readonly __typename?: 'UsageEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The row. */
  readonly node: Usage;
};

/**
 * All hosts: the trees whose root does not share its inventories with others. Each column has one value for each host, in the order of the hosts'
 * creation. Each set of aggregates or traits is given once, and a host refers to its set by the index in that list, from 0. Rule: `placement:graphql:resource_providers:read`.
 */
export type CloudMap = {
  readonly __typename?: 'CloudMap';
  /** Where `cloudMapChanges` continues. Valid in every gateway of this database. */
  readonly cursor: Scalars['String']['output'];
  /** Number of hosts, and so the length of the columns. */
  readonly hostCount: Scalars['SafeInt']['output'];
  /** Uuids of the hosts: of the roots. By far the largest column: some 30 bytes for each host, even when compressed. */
  readonly uuids: Scalars['TextColumn']['output'];
  /** Names of the hosts: of the roots. */
  readonly names: Scalars['TextColumn']['output'];
  /** Number of providers in the tree of each host, itself included. */
  readonly memberCounts: Scalars['IntColumn']['output'];
  /** The sum of 1 when the host has the trait COMPUTE_STATUS_DISABLED, and 2 when an inventory of its tree is over capacity. */
  readonly flags: Scalars['IntColumn']['output'];
  /** Uuids of the aggregates that some host is in. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateUuids: Scalars['TextColumn']['output'];
  /** Their names, in the same order; null for those without. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateNames: Scalars['TextColumn']['output'];
  /** The different sets of aggregates of a tree, as indexes into `aggregateUuids`. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateSets: Scalars['IntListColumn']['output'];
  /** The set of each host, as an index into `aggregateSets`. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateSet: Scalars['IntColumn']['output'];
  /** Names of the traits that some host has. Rule: `placement:graphql:traits:read`. */
  readonly traitNames: Scalars['TextColumn']['output'];
  /** The different sets of traits of a tree, as indexes into `traitNames`. Rule: `placement:graphql:traits:read`. */
  readonly traitSets: Scalars['IntListColumn']['output'];
  /** The set of each host, as an index into `traitSets`. Rule: `placement:graphql:traits:read`. */
  readonly traitSet: Scalars['IntColumn']['output'];
  /** The sums of each class that was asked for, in that order. Rule: `placement:graphql:inventories:read`. */
  readonly classes: ReadonlyArray<CloudMapClass>;
};

/**
 * Sums of one class over the tree of each host, in units of the class; null where no provider of the tree has an inventory of it. They do not include
 * what pools share. Rule: `placement:graphql:inventories:read`.
 */
export type CloudMapClass = {
  readonly __typename?: 'CloudMapClass';
  /** The class. */
  readonly resourceClass: ResourceClass;
  /** Physical amounts. */
  readonly total: Scalars['IntColumn']['output'];
  /** Withheld before the ratio is applied. */
  readonly reserved: Scalars['IntColumn']['output'];
  /** The most that may be used: (total - reserved) * allocationRatio, truncated towards zero for each inventory. */
  readonly capacity: Scalars['IntColumn']['output'];
  /** Usage by consumers. */
  readonly used: Scalars['IntColumn']['output'];
};

/** The matches for a text. */
export type SearchResult = {
  readonly __typename?: 'SearchResult';
  /** The matches, grouped by kind in the order of `SearchMatch`; of each kind at most `first`. */
  readonly matches: ReadonlyArray<SearchMatch>;
  /** Whether there are more matches of some kind. */
  readonly truncated: Scalars['Boolean']['output'];
};

/** An object that can be searched for: providers and aggregates by name or uuid, consumers by uuid, projects by a part of their id, classes and traits by name. */
export type SearchMatch = ResourceProvider | Consumer | Aggregate | Project | ResourceClass | Trait;

/** Where a feed starts. Only sent by callers: values may be added. */
export type FeedStart =
  /** At the oldest event that still exists. */
  | 'OLDEST'
  /** After everything written so far: returns an empty page, whose `endCursor` is where to continue. Read the state afterwards, and no change is missed. */
  | 'NOW';

/** One successful write. The ledger is append-only; its retention is a setting of the service. Rule: `placement:graphql:events:read`. */
export type Event = Node & {
  readonly __typename?: 'Event';
  /** Opaque and global. Rule: `placement:graphql:ledger:read`. */
  readonly id: Scalars['ID']['output'];
  /** When it was written: the start of the transaction, by the clock of the database. */
  readonly at: Scalars['DateTime']['output'];
  /** The kind of write. */
  readonly kind: EventKind;
  /** Id of the request that wrote it, `req-<uuid>`, as in the logs and the response header. */
  readonly requestId: Scalars['String']['output'];
  /** The request id that the caller sent in `X-Openstack-Request-Id`, which follows a user's request across services. Null when there was none. */
  readonly globalRequestId?: Maybe<Scalars['String']['output']>;
  /** The user who made the request; null when the service itself wrote the event. Rule: `placement:graphql:ledger:read`. */
  readonly requestedBy?: Maybe<User>;
  /** The project that the user acted for; null when the service itself wrote the event. Rule: `placement:graphql:ledger:read`. */
  readonly requestedFor?: Maybe<Project>;
  /** The roles of the user. Rule: `placement:graphql:ledger:read`. */
  readonly roles: ReadonlyArray<Scalars['String']['output']>;
  /** How the user was identified. Null when a command of the service wrote the event, or when this was not recorded. Rule: `placement:graphql:ledger:read`. */
  readonly authenticationMethod?: Maybe<AuthenticationMethod>;
  /** The uuids of all consumers that it affected, including deleted ones. Rule: `placement:graphql:ledger:read`. */
  readonly consumerUuids: UuidConnection;
  /** The uuids of all providers that it affected, including deleted ones. Rule: `placement:graphql:ledger:read`. */
  readonly resourceProviderUuids: UuidConnection;
  /**
   * The changes, one for each subject: providers, then consumers, then others. A list of events shows only the changes that it is about: for the events of a
   * consumer, a provider or a project, those of that subject; with a filter by `consumers`, `projects`, `resourceProviders`, `inTrees`, `aggregates` or
   * `resourceClasses`, those of the subjects that it names. The changes of a provider include those of the allocations on it.
   */
  readonly changes: EventChangeConnection;
};


/** One successful write. The ledger is append-only; its retention is a setting of the service. Rule: `placement:graphql:events:read`. */
export type EventConsumerUuidsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


/** One successful write. The ledger is append-only; its retention is a setting of the service. Rule: `placement:graphql:events:read`. */
export type EventResourceProviderUuidsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


/** One successful write. The ledger is append-only; its retention is a setting of the service. Rule: `placement:graphql:events:read`. */
export type EventChangesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  everything?: Scalars['Boolean']['input'];
};

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

/** Fields that events are ordered by. Only sent by callers: values may be added. */
export type EventOrderField =
  /** By the order in which events were inserted, which is roughly by time. For one provider or consumer it is the order of its generations. */
  | 'AT';

/** A sort key of events. */
export type EventOrderInput = {
  /** The sort field. */
  readonly field: EventOrderField;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** Conditions on an event; all that are given must hold. One value of each list must match; an empty list matches nothing. The `changes` of the events are those of the subjects that it names. */
export type EventFilterInput = {
  /** Has one of these kinds; at most 100. */
  readonly kinds?: InputMaybe<ReadonlyArray<EventKind>>;
  /** Affected one of these providers, including deleted ones; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly resourceProviders?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Affected a provider that is now in the tree of one of these; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly inTrees?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Affected a provider of a tree of which any provider is now in one of these aggregates; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Affected one of these consumers, including deleted ones; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly consumers?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Affected a consumer of one of these projects; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly projects?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Requested by one of these users; at most 100. Rule: `placement:graphql:ledger:read`. */
  readonly users?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Written by one of these requests, given by request id or by global request id; at most 100. */
  readonly requestIds?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Changed inventories of one of these classes, or a consumer that holds or held some; at most 100. Deleted classes can be given. Rule: `placement:graphql:ledger:read`. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** A provider got or lost one of these traits, such as COMPUTE_STATUS_DISABLED; at most 100. Deleted traits can be given. Rule: `placement:graphql:ledger:read`. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** At or after this moment. */
  readonly since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Before this moment. */
  readonly until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** What happened to a subject. Closed: no values are added. */
export type ChangeAction =
  /** It was created. */
  | 'CREATED'
  /** It was changed. */
  | 'CHANGED'
  /** It was deleted. */
  | 'DELETED';

/** The change of one subject by a write: in an event, or in the payload of the write or of a dry run. Unchanged parts are null or empty. Rule: `placement:graphql:events:read`. */
export type EventChange = {
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
};

/** The change of a provider. Rule: `placement:graphql:ledger:read`. */
export type ResourceProviderChange = EventChange & {
  readonly __typename?: 'ResourceProviderChange';
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
  /** Uuid of the provider. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** The provider as it is now; null when deleted, or when a dry run would create it. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Its name; null when unchanged. */
  readonly name?: Maybe<TextChange>;
  /** Its generation; null when unchanged, and in the payloads of `patchInventories` and `patchTraits`. */
  readonly generation?: Maybe<NumberChange>;
  /** The uuid of its parent; null when unchanged. */
  readonly parent?: Maybe<UuidChange>;
  /** Its inventories that changed, by class; at most one for each class. */
  readonly inventories: ReadonlyArray<InventoryChange>;
  /** Names of the added traits; at most 1,000. */
  readonly traitNamesAdded: ReadonlyArray<Scalars['String']['output']>;
  /** Names of the removed traits; at most 1,000. */
  readonly traitNamesRemoved: ReadonlyArray<Scalars['String']['output']>;
  /** Uuids of the aggregates that it was added to; at most 1,000. */
  readonly aggregateUuidsAdded: ReadonlyArray<Scalars['UUID']['output']>;
  /** Uuids of the aggregates that it was removed from; at most 1,000. */
  readonly aggregateUuidsRemoved: ReadonlyArray<Scalars['UUID']['output']>;
};

/** The change of a consumer. Rule: `placement:graphql:events:read`. */
export type ConsumerChange = EventChange & {
  readonly __typename?: 'ConsumerChange';
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
  /** Uuid of the consumer. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The consumer as it is now; null when it has no allocations. */
  readonly consumer?: Maybe<Consumer>;
  /** Its generation; null when unchanged. */
  readonly generation?: Maybe<NumberChange>;
  /** The external id of its project; null when unchanged. */
  readonly project?: Maybe<TextChange>;
  /** The external id of its user; null when unchanged. */
  readonly user?: Maybe<TextChange>;
  /** Its type; null when unchanged. */
  readonly consumerType?: Maybe<TextChange>;
  /** Its allocations that changed, by provider and class. The events of a provider, or under a filter by `resourceProviders` alone, show only those on these providers. At most 50,000 that it holds, and as many that it held. */
  readonly allocations: ReadonlyArray<AllocationChange>;
};

/** The change of an aggregate. Rule: `placement:graphql:ledger:read`. */
export type AggregateChange = EventChange & {
  readonly __typename?: 'AggregateChange';
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
  /** Uuid of the aggregate. */
  readonly aggregateUuid: Scalars['UUID']['output'];
  /** Its name; null when unchanged. */
  readonly name?: Maybe<TextChange>;
};

/** A trait that was created or deleted. Rule: `placement:graphql:ledger:read`. */
export type TraitChange = EventChange & {
  readonly __typename?: 'TraitChange';
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
  /** Name of the trait. */
  readonly traitName: Scalars['String']['output'];
};

/** A resource class that was created or deleted; renaming one does both. Rule: `placement:graphql:ledger:read`. */
export type ResourceClassChange = EventChange & {
  readonly __typename?: 'ResourceClassChange';
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
  /** Name of the class. */
  readonly resourceClassName: Scalars['String']['output'];
};

/** The change of a Nova service on a host. Rule: `placement:graphql:ledger:read`. */
export type ServiceChange = EventChange & {
  readonly __typename?: 'ServiceChange';
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
  /** The host that it runs on. */
  readonly host: Scalars['String']['output'];
  /** For example nova-compute. */
  readonly binary: Scalars['String']['output'];
  /** Its version; null when unchanged. */
  readonly version?: Maybe<NumberChange>;
  /** What else changed: disabled, disabledReason, forcedDown. A small list. */
  readonly facts: ReadonlyArray<FactChange>;
};

/** The change of a device of a host. Rule: `placement:graphql:ledger:read`. */
export type DeviceChange = EventChange & {
  readonly __typename?: 'DeviceChange';
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
  /** The root provider of the host. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** The root provider of the host as it is now; null when deleted. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Its address in the host. */
  readonly address: Scalars['String']['output'];
  /** Its facts that changed. A small list: what the host reports of one device. */
  readonly facts: ReadonlyArray<FactChange>;
};

/** The change of a record kept for another service. Rule: `placement:graphql:ledger:read`. */
export type RecordChange = EventChange & {
  readonly __typename?: 'RecordChange';
  /** Whether it was created, changed or deleted. */
  readonly action: ChangeAction;
  /** Kind of the record, such as `compute_node`. */
  readonly recordKind: Scalars['String']['output'];
  /** Uuid of the record, which may be that of a provider. */
  readonly recordUuid: Scalars['UUID']['output'];
  /** Its facts that changed. A small list: the contents of one report. */
  readonly facts: ReadonlyArray<FactChange>;
};

/** A text before and after. */
export type TextChange = {
  readonly __typename?: 'TextChange';
  /** The value before; null for none. */
  readonly before?: Maybe<Scalars['String']['output']>;
  /** The value after; null for none. */
  readonly after?: Maybe<Scalars['String']['output']>;
};

/** A whole number before and after. */
export type NumberChange = {
  readonly __typename?: 'NumberChange';
  /** The value before; null for none. */
  readonly before?: Maybe<Scalars['SafeInt']['output']>;
  /** The value after; null for none. */
  readonly after?: Maybe<Scalars['SafeInt']['output']>;
};

/** A uuid before and after. */
export type UuidChange = {
  readonly __typename?: 'UuidChange';
  /** The value before; null for none. */
  readonly before?: Maybe<Scalars['UUID']['output']>;
  /** The value after; null for none. */
  readonly after?: Maybe<Scalars['UUID']['output']>;
};

/** The amount of one class that a consumer holds on one provider, before and after. Rule: `placement:graphql:events:read`. */
export type AllocationChange = {
  readonly __typename?: 'AllocationChange';
  /** Uuid of the provider. Rule: `placement:graphql:resource_providers:read`. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** The provider as it is now; null when deleted. Rule: `placement:graphql:resource_providers:read`. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Name of the resource class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** The amount before, in units of the class; null when there was none. */
  readonly before?: Maybe<Scalars['SafeInt']['output']>;
  /** The amount after, in units of the class; null when there is none. */
  readonly after?: Maybe<Scalars['SafeInt']['output']>;
};

/** A fact before and after, its values as text. */
export type FactChange = {
  readonly __typename?: 'FactChange';
  /** Name of the fact; the name of a nested fact is its path, joined by dots. */
  readonly name: Scalars['String']['output'];
  /** The value before; null when it was not known. */
  readonly before?: Maybe<Scalars['String']['output']>;
  /** The value after; null when it is no longer known. */
  readonly after?: Maybe<Scalars['String']['output']>;
};

/** A page of events. There is no total count: the ledger is long. Rule: `placement:graphql:events:read`. */
export type EventConnection = {
  readonly __typename?: 'EventConnection';
  /** The events of the page. */
  readonly nodes: ReadonlyArray<Event>;
  /** The events of the page with their cursors. */
  readonly edges: ReadonlyArray<EventEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
};

/** An event and its place in the list. Rule: `placement:graphql:events:read`. */
export type EventEdge = {
  readonly __typename?: 'EventEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The event. */
  readonly node: Event;
};

/** A page of the changes of an event. Rule: `placement:graphql:events:read`. */
export type EventChangeConnection = {
  readonly __typename?: 'EventChangeConnection';
  /** The changes of the page. */
  readonly nodes: ReadonlyArray<EventChange>;
  /** The changes of the page with their cursors. */
  readonly edges: ReadonlyArray<EventChangeEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A change and its place in the list. Rule: `placement:graphql:events:read`. */
export type EventChangeEdge = {
  readonly __typename?: 'EventChangeEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The change. */
  readonly node: EventChange;
};

/** A page of uuids. Rule: `placement:graphql:ledger:read`. */
export type UuidConnection = {
  readonly __typename?: 'UuidConnection';
  /** The uuids of the page. */
  readonly nodes: ReadonlyArray<Scalars['UUID']['output']>;
  /** The uuids of the page with their cursors. */
  readonly edges: ReadonlyArray<UuidEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A uuid and its place in the list. Rule: `placement:graphql:ledger:read`. */
export type UuidEdge = {
  readonly __typename?: 'UuidEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The uuid. */
  readonly node: Scalars['UUID']['output'];
};

/** Claims, changes and releases over time. Rule: `placement:graphql:ledger:read`. */
export type ClaimHistory = {
  readonly __typename?: 'ClaimHistory';
  /** In chronological order; at most 1,000. */
  readonly periods: ReadonlyArray<ClaimPeriod>;
  /** Number of events that were read. */
  readonly eventCount: Scalars['SafeInt']['output'];
};

/** Consumers by the kind of change within one step. Each event of a consumer counts. Rule: `placement:graphql:ledger:read`. */
export type ClaimPeriod = {
  readonly __typename?: 'ClaimPeriod';
  /** When the step begins. */
  readonly at: Scalars['DateTime']['output'];
  /** Number of consumers that got their first allocations. */
  readonly claimedCount: Scalars['SafeInt']['output'];
  /** Number of consumers whose allocations changed, as by a resize or a move. */
  readonly changedCount: Scalars['SafeInt']['output'];
  /** Number of consumers whose last allocations were released. */
  readonly releasedCount: Scalars['SafeInt']['output'];
};

/** Usage and capacity of the whole cloud at the beginning of one minute. Rule: `placement:graphql:ledger:read`. */
export type CloudUsageSample = {
  readonly __typename?: 'CloudUsageSample';
  /** The minute, by the clock of the database. */
  readonly at: Scalars['DateTime']['output'];
  /** Whether samples are missing between the one before and this one. */
  readonly followsGap: Scalars['Boolean']['output'];
  /** Usage of all providers that share nothing: a row for each class with inventories, by name. */
  readonly ownUsages: ReadonlyArray<PastUsage>;
  /** The same for all providers that share their inventories with others. */
  readonly sharedUsages: ReadonlyArray<PastUsage>;
};

/** The subject of a usage history. Give exactly one. */
export type UsageHistorySubjectInput =
  /** The allocations of the consumers of this project, given by its external id. */
  { readonly project: Scalars['String']['input']; readonly resourceProvider?: never; readonly tree?: never; readonly aggregate?: never; readonly consumer?: never; readonly cloud?: never; }
  |  /** The inventories of this provider alone and their usage. It may have been deleted. Rule: `placement:graphql:ledger:read`. */
  { readonly project?: never; readonly resourceProvider: Scalars['UUID']['input']; readonly tree?: never; readonly aggregate?: never; readonly consumer?: never; readonly cloud?: never; }
  |  /** The inventories of this provider and of what was below it at each moment, such as a host with its NUMA cells. It may have been deleted. Rule: `placement:graphql:ledger:read`. */
  { readonly project?: never; readonly resourceProvider?: never; readonly tree: Scalars['UUID']['input']; readonly aggregate?: never; readonly consumer?: never; readonly cloud?: never; }
  |  /** The inventories of this aggregate: the whole trees whose root was a member at each moment, without sharing providers, as in `Aggregate.totals`. Rule: `placement:graphql:ledger:read`. */
  { readonly project?: never; readonly resourceProvider?: never; readonly tree?: never; readonly aggregate: Scalars['UUID']['input']; readonly consumer?: never; readonly cloud?: never; }
  |  /** The allocations of this consumer, which may have been deleted. Rule: `placement:graphql:ledger:read`. */
  { readonly project?: never; readonly resourceProvider?: never; readonly tree?: never; readonly aggregate?: never; readonly consumer: Scalars['UUID']['input']; readonly cloud?: never; }
  |  /** The whole cloud. Rule: `placement:graphql:ledger:read`. */
  { readonly project?: never; readonly resourceProvider?: never; readonly tree?: never; readonly aggregate?: never; readonly consumer?: never; readonly cloud: Scalars['True']['input']; };

/** The state at one moment. Rule: `placement:graphql:ledger:read`. */
export type PastState = {
  readonly __typename?: 'PastState';
  /** The moment. */
  readonly at: Scalars['DateTime']['output'];
  /** A provider as it was; null when it did not exist. Give exactly one argument. */
  readonly pastResourceProvider?: Maybe<PastResourceProvider>;
  /** A consumer as it was; null when it had no allocations. */
  readonly pastConsumer?: Maybe<PastConsumer>;
  /** The total allocations of the consumers of a project. */
  readonly projectUsage: UsageSample;
  /** The total inventories and usage of a provider and of what was below it. */
  readonly treeUsage: UsageSample;
  /** The total inventories and usage of the whole trees whose root was in an aggregate, without sharing providers. */
  readonly aggregateUsage: UsageSample;
  /** The total inventories and usage of all providers. */
  readonly cloudUsage: UsageSample;
};


/** The state at one moment. Rule: `placement:graphql:ledger:read`. */
export type PastStatePastResourceProviderArgs = {
  uuid?: InputMaybe<Scalars['UUID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
};


/** The state at one moment. Rule: `placement:graphql:ledger:read`. */
export type PastStatePastConsumerArgs = {
  uuid: Scalars['UUID']['input'];
};


/** The state at one moment. Rule: `placement:graphql:ledger:read`. */
export type PastStateProjectUsageArgs = {
  externalId: Scalars['String']['input'];
};


/** The state at one moment. Rule: `placement:graphql:ledger:read`. */
export type PastStateTreeUsageArgs = {
  resourceProvider: Scalars['UUID']['input'];
};


/** The state at one moment. Rule: `placement:graphql:ledger:read`. */
export type PastStateAggregateUsageArgs = {
  aggregate: Scalars['UUID']['input'];
};

/** A provider as it was at a moment. Rule: `placement:graphql:ledger:read`. */
export type PastResourceProvider = {
  readonly __typename?: 'PastResourceProvider';
  /** Its uuid. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** The provider as it is now; null when it is gone. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Its name then. */
  readonly name: Scalars['String']['output'];
  /** Its generation then. */
  readonly generation: Scalars['SafeInt']['output'];
  /** The uuid of its parent then; null for a root. */
  readonly parentUuid?: Maybe<Scalars['UUID']['output']>;
  /** Its inventories then, by class; at most one for each class. */
  readonly inventories: ReadonlyArray<PastInventory>;
  /** The names of its traits then; at most 1,000. */
  readonly traitNames: ReadonlyArray<Scalars['String']['output']>;
  /** The uuids of its aggregates then; at most 1,000. */
  readonly aggregateUuids: ReadonlyArray<Scalars['UUID']['output']>;
  /** The consumers that had allocations on it then, by uuid. */
  readonly holders: PastConsumerConnection;
};


/** A provider as it was at a moment. Rule: `placement:graphql:ledger:read`. */
export type PastResourceProviderHoldersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  scope?: Scope;
};

/** A page of consumers as they were at a moment. Rule: `placement:graphql:ledger:read`. */
export type PastConsumerConnection = {
  readonly __typename?: 'PastConsumerConnection';
  /** The consumers of the page. */
  readonly nodes: ReadonlyArray<PastConsumer>;
  /** The consumers of the page with their cursors. */
  readonly edges: ReadonlyArray<PastConsumerEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A consumer as it was and its place in the list. Rule: `placement:graphql:ledger:read`. */
export type PastConsumerEdge = {
  readonly __typename?: 'PastConsumerEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The consumer. */
  readonly node: PastConsumer;
};

/** An inventory as it was at a moment. Rule: `placement:graphql:ledger:read`. */
export type PastInventory = {
  readonly __typename?: 'PastInventory';
  /** Name of the resource class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** The physical amount, in units of the class. */
  readonly total: Scalars['SafeInt']['output'];
  /** Withheld before the ratio is applied, in units of the class. */
  readonly reserved: Scalars['SafeInt']['output'];
  /** The smallest amount of one allocation. */
  readonly minUnit: Scalars['SafeInt']['output'];
  /** The largest amount of one allocation. */
  readonly maxUnit: Scalars['SafeInt']['output'];
  /** An allocation must be a multiple of it. */
  readonly stepSize: Scalars['SafeInt']['output'];
  /** Overcommit: 4.0 offers each physical unit four times. */
  readonly allocationRatio: Scalars['Float']['output'];
  /** trunc((total - reserved) * allocationRatio), in units of the class, at most 2^53 - 1. */
  readonly capacity: Scalars['SafeInt']['output'];
  /** Usage by consumers then, in units of the class. */
  readonly used: Scalars['SafeInt']['output'];
};

/** A consumer as it was at a moment. Rule: `placement:graphql:ledger:read`. */
export type PastConsumer = {
  readonly __typename?: 'PastConsumer';
  /** Its uuid. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The consumer as it is now; null when it has no allocations. */
  readonly consumer?: Maybe<Consumer>;
  /** Its generation then. */
  readonly generation: Scalars['SafeInt']['output'];
  /** The project that it belonged to. */
  readonly project: Project;
  /** The user who created it. */
  readonly user: User;
  /** Its type then, such as INSTANCE; null for consumers without a type. */
  readonly consumerType?: Maybe<Scalars['String']['output']>;
  /** Its allocations then, by provider and class; at most 50,000. */
  readonly allocations: ReadonlyArray<PastAllocation>;
};

/** The amount of one class that a consumer held on one provider. Rule: `placement:graphql:ledger:read`. */
export type PastAllocation = {
  readonly __typename?: 'PastAllocation';
  /** Uuid of the provider. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** Name of the resource class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** The amount, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** Usage over time. Rule: `placement:graphql:events:read`. */
export type UsageHistory = {
  readonly __typename?: 'UsageHistory';
  /** In chronological order; at most 1,000. */
  readonly samples: ReadonlyArray<UsageSample>;
  /** Number of events that were read. */
  readonly eventCount: Scalars['SafeInt']['output'];
};

/** Usage and capacity at one moment. Rule: `placement:graphql:events:read`. */
export type UsageSample = {
  readonly __typename?: 'UsageSample';
  /** The moment. */
  readonly at: Scalars['DateTime']['output'];
  /** Number of consumers of the project or the whole cloud; 0 for the history of providers or of a consumer. */
  readonly consumerCount: Scalars['SafeInt']['output'];
  /** A row for each class with inventory or usage then, by name; at most as many as there are classes. */
  readonly usages: ReadonlyArray<PastUsage>;
};

/** Usage and capacity of one class at one moment. For a project or a consumer, which have no inventories, all but `used` is 0. Rule: `placement:graphql:events:read`. */
export type PastUsage = {
  readonly __typename?: 'PastUsage';
  /** Name of the resource class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** Usage by consumers, in units of the class. */
  readonly used: Scalars['SafeInt']['output'];
  /** Sum of the physical amounts, in units of the class. */
  readonly total: Scalars['SafeInt']['output'];
  /** Sum of the reserved amounts, in units of the class. */
  readonly reserved: Scalars['SafeInt']['output'];
  /** Sum of the capacities, in units of the class. */
  readonly capacity: Scalars['SafeInt']['output'];
  /** Number of providers with an inventory of it. */
  readonly providerCount: Scalars['SafeInt']['output'];
};

/** Events that were written since the last message. */
export type EventBatch = {
  readonly __typename?: 'EventBatch';
  /** Where to continue after this message, in any gateway. Also a cursor of `eventFeed`. Rule: `placement:graphql:ledger:read`. */
  readonly cursor: Scalars['String']['output'];
  /** The events: at most 1,000, and no more than fit into a message of 20,000 objects and 1 MiB; the others come in the next one. */
  readonly events: ReadonlyArray<Event>;
  /** Number of events that `atMost` left out. */
  readonly omittedCount: Scalars['SafeInt']['output'];
  /** Whether events are missing before this message: those after the cursor were deleted, or the database was restored. Read the state anew; the subscription continues. */
  readonly reset: Scalars['Boolean']['output'];
};

/**
 * What has changed since the last message. First remove the hosts in `goneUuids` or `goneNames`. Then write `reshaped` by uuid or by name, adding unknown hosts.
 * Then write the amounts. Each column has one value for each host. Rule: `placement:graphql:resource_providers:read`.
 */
export type CloudMapChange = {
  readonly __typename?: 'CloudMapChange';
  /** Where to continue after this message, in any gateway. */
  readonly cursor: Scalars['String']['output'];
  /**
   * Whether the subscription cannot continue: the cursor is too old, or of another server or database, or one of the `resourceClasses` was deleted or renamed.
   * Then the columns are empty, and the subscription ends. At most every 10 seconds.
   */
  readonly reset: Scalars['Boolean']['output'];
  /** Uuids of the hosts that have changed in any way. */
  readonly uuids: Scalars['TextColumn']['output'];
  /** Their names. */
  readonly names: Scalars['TextColumn']['output'];
  /** As in `CloudMap`. */
  readonly flags: Scalars['IntColumn']['output'];
  /** The sums of each class that was asked for, in that order. Rule: `placement:graphql:inventories:read`. */
  readonly classes: ReadonlyArray<CloudMapClass>;
  /** Those of the hosts that are new, or may have another name, tree, traits, aggregates or classes. */
  readonly reshaped: CloudMapHosts;
  /** Uuids of hosts that are gone: deleted, moved below others, or sharing now. May include some that never were hosts. */
  readonly goneUuids: Scalars['TextColumn']['output'];
  /** Names that no host has any more: of hosts that are gone or were renamed. May include some that no host ever had. */
  readonly goneNames: Scalars['TextColumn']['output'];
  /** Uuids of aggregates that may have another name. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateUuids: Scalars['TextColumn']['output'];
  /** Their names, in the same order; null for those without. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateNames: Scalars['TextColumn']['output'];
};

/** Hosts as in `CloudMap`, with lists of aggregates and traits of their own. Each column has one value for each of them. Rule: `placement:graphql:resource_providers:read`. */
export type CloudMapHosts = {
  readonly __typename?: 'CloudMapHosts';
  /** Uuids of the hosts. */
  readonly uuids: Scalars['TextColumn']['output'];
  /** Names of the hosts. */
  readonly names: Scalars['TextColumn']['output'];
  /** Number of providers in the tree of each host, itself included. */
  readonly memberCounts: Scalars['IntColumn']['output'];
  /** Uuids of the aggregates that any of them is in. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateUuids: Scalars['TextColumn']['output'];
  /** Their names, in the same order; null for those without. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateNames: Scalars['TextColumn']['output'];
  /** The different sets of aggregates of a tree, as indexes into `aggregateUuids`. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateSets: Scalars['IntListColumn']['output'];
  /** The set of each host, as an index into `aggregateSets`. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregateSet: Scalars['IntColumn']['output'];
  /** Names of the traits that any of them has. Rule: `placement:graphql:traits:read`. */
  readonly traitNames: Scalars['TextColumn']['output'];
  /** The different sets of traits of a tree, as indexes into `traitNames`. Rule: `placement:graphql:traits:read`. */
  readonly traitSets: Scalars['IntListColumn']['output'];
  /** The set of each host, as an index into `traitSets`. Rule: `placement:graphql:traits:read`. */
  readonly traitSet: Scalars['IntColumn']['output'];
};

/** Whether suffixed groups may be served by the same provider. Closed: no values are added. */
export type GroupPolicy =
  /** Suffixed groups may share a provider. */
  | 'NONE'
  /** Every suffixed group is served by a different provider. The group without suffix is exempt. */
  | 'ISOLATE';

/** Fields that the trees of a search are ordered by. Every root yields one candidate before any yields its second. Only sent by callers: values may be added. */
export type CandidateOrderField =
  /** By the free amount of a class in the tree, or of several classes by weights: DESC spreads the load, ASC packs it. Trees without the class, or without any of them, come last in both directions. */
  | 'FREE'
  /** By age of the root: deterministic while nothing changes. Leaves no ties, so no key can follow it. */
  | 'CREATED_AT'
  /** In random order, different each time; repeatable with the same `seed` while nothing changes. Leaves no ties, so no key can follow it. */
  | 'RANDOM';

/** A sort key of trees. Ties are broken by age, oldest root first. */
export type CandidateOrderInput = {
  /** The sort field. */
  readonly field: CandidateOrderField;
  /** The class of FREE; required for it unless there are `weights`, refused for other fields. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Only for FREE, instead of `resourceClass`: 1 to 5 different classes, whose free amounts are multiplied by their weights and added up. A class that a tree lacks counts as 0. `[{resourceClass: "MEMORY_MB", weight: 1}, {resourceClass: "VCPU", weight: 4096}]` spreads by both, a VCPU as much as 4 GiB; a negative weight keeps away from trees that have much of a class, such as those with free VGPU. */
  readonly weights?: InputMaybe<ReadonlyArray<ClassWeightInput>>;
  /** Only for FREE: roots whose free amount is at most this much below the largest (with ASC: above the smallest), in units of the class or of the sum, count as equal, and the keys that follow decide. At most 5,000 roots with different amounts count as equal. With RANDOM after it, claims through several gateways choose different roots. 0 when omitted. */
  readonly tolerance?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Only for RANDOM: makes the order repeatable. */
  readonly seed?: InputMaybe<Scalars['Int']['input']>;
  /** Ascending or descending; RANDOM allows only ASC. */
  readonly direction?: OrderDirection;
};

/** How much a class counts in a sum of free amounts. */
export type ClassWeightInput = {
  /** The resource class. */
  readonly resourceClass: Scalars['String']['input'];
  /** How much a unit of the class counts: from 0.000001 to 1,000,000, or negative within the same bounds. */
  readonly weight: Scalars['Float']['input'];
};

/** One group of a request. All groups of a request are served together, under one root. */
export type RequestGroupInput = {
  /** Names the group: 1 to 64 letters, digits, _ or -. A suffixed group is served entirely by one provider. Omit it for the one group whose classes may come from different providers of the tree, including sharing providers. */
  readonly suffix?: InputMaybe<Scalars['String']['input']>;
  /** The amounts to allocate; classes must be unique. Only a suffixed group named in a `sameSubtree` may omit them: it just selects a provider. */
  readonly resources?: InputMaybe<ReadonlyArray<ResourceAmountInput>>;
  /** With a suffix: traits of the provider itself. Without: no provider that serves the group has a forbidden trait, and each required one is on at least one of them. */
  readonly traits?: InputMaybe<ReadonlyArray<TraitConditionInput>>;
  /** With a suffix: aggregates of the provider itself. Without: those of the root count for the whole tree. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** Only from the tree that contains this provider. An unknown uuid is not an error: the search finds nothing. Rule: `placement:graphql:resource_providers:read`. */
  readonly inTree?: InputMaybe<Scalars['UUID']['input']>;
};

/** Groups that must be served in one subtree: one of their providers is at or above all others. */
export type SameSubtreeInput = {
  /** Suffixes of groups of this request; at least one. */
  readonly groups: ReadonlyArray<Scalars['String']['input']>;
};

/** A request for candidates. Unknown classes and traits are refused, except to readers of a project; unknown aggregates and providers match nothing. */
export type CandidatesInput = {
  /** 1 to 128 groups; at least one requests resources. */
  readonly groups: ReadonlyArray<RequestGroupInput>;
  /** Whether suffixed groups may share a provider. */
  readonly groupPolicy?: InputMaybe<GroupPolicy>;
  /** Traits of the candidate's root, whether or not it serves a group. */
  readonly rootTraits?: InputMaybe<ReadonlyArray<TraitConditionInput>>;
  /** Aggregates of that root itself, such as a cell or a zone. Rule: `placement:graphql:aggregates:read`. */
  readonly rootAggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** Groups that must be served in one subtree. */
  readonly sameSubtree?: InputMaybe<ReadonlyArray<SameSubtreeInput>>;
  /** Maximum number of candidates, 1 to 1,000. */
  readonly limit?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of candidates per root; unlimited when omitted. */
  readonly perRootLimit?: InputMaybe<Scalars['Int']['input']>;
  /** The order of trees: at most 5 keys, most significant first. Oldest root first when omitted. */
  readonly orderBy?: InputMaybe<ReadonlyArray<CandidateOrderInput>>;
};

/** The result of a search, based on everything committed before it started, by any gateway. Rule: `placement:graphql:candidates:read`. */
export type AllocationCandidates = {
  readonly __typename?: 'AllocationCandidates';
  /** The ways to serve the request, in the requested order. Nothing is reserved. */
  readonly candidates: ReadonlyArray<AllocationCandidate>;
  /** Whether the search was cut short by a budget rather than by `limit`: too much work, or 8,000 amounts in all candidates. There may be more. */
  readonly truncated: Scalars['Boolean']['output'];
  /** The number of roots that each condition leaves, and near misses. Costs a second search: select it when `candidates` is empty. */
  readonly explanation: Explanation;
};

/** One way to serve a request. Pass its token to replaceAllocations, or let `claim` search and take in one call. Rule: `placement:graphql:candidates:read`. */
export type AllocationCandidate = {
  readonly __typename?: 'AllocationCandidate';
  /** The root of its tree. When sharing providers alone serve the request: the first root that they serve. */
  readonly root: ResourceProvider;
  /** All amounts, one for each pair of provider and class. The providers show the usage that the search saw. */
  readonly allocations: ReadonlyArray<CandidateAllocation>;
  /** The providers of each group, in the order of the request. */
  readonly mappings: ReadonlyArray<GroupMapping>;
  /** The whole candidate as one string, for `hold: {claimToken}` in replaceAllocations. It reserves nothing, never expires and works in every gateway; the candidate is checked when it is used. */
  readonly claimToken: Scalars['String']['output'];
};

/** An amount of a class from one provider. Rule: `placement:graphql:candidates:read`. */
export type CandidateAllocation = {
  readonly __typename?: 'CandidateAllocation';
  /** The provider. */
  readonly resourceProvider: ResourceProvider;
  /** The resource class. */
  readonly resourceClass: ResourceClass;
  /** The amount, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** The providers that serve a group. Rule: `placement:graphql:candidates:read`. */
export type GroupMapping = {
  readonly __typename?: 'GroupMapping';
  /** Suffix of the group; null for the group without one. */
  readonly suffix?: Maybe<Scalars['String']['output']>;
  /** One provider; possibly several for the group without suffix. */
  readonly resourceProviders: ReadonlyArray<ResourceProvider>;
};

/** Why there are no candidates, or only few. Rule: `placement:graphql:candidates:read`. */
export type Explanation = {
  readonly __typename?: 'Explanation';
  /** One or two sentences. */
  readonly summary: Scalars['String']['output'];
  /** The conditions in order, each with the number of roots left after it. */
  readonly steps: ReadonlyArray<ExplanationStep>;
  /** What would help most, best first: conditions that could be dropped or met. */
  readonly nearestMisses: ReadonlyArray<NearestMiss>;
  /** Whether the work was cut short by a budget: the numbers are then lower bounds. */
  readonly truncated: Scalars['Boolean']['output'];
};

/** The kind of a condition of a search. Open: values may be added. */
export type ExplanationStepKind =
  /** The root has one of `traitNames`. */
  | 'ROOT_TRAITS'
  /** The root does not have the trait in `traitNames`. */
  | 'ROOT_FORBIDDEN_TRAIT'
  /** The root is in one of `aggregateUuids`. */
  | 'ROOT_AGGREGATES'
  /** The root is not in the aggregate in `aggregateUuids`. */
  | 'ROOT_FORBIDDEN_AGGREGATE'
  /** The root itself is admitted. This covers forced, ignored, previously tried and disabled hosts, and the policy of a server group. */
  | 'ROOT_RULE'
  /** The group is served from the tree of `resourceProviderUuid`. */
  | 'TREE'
  /** A provider has an inventory of `resourceClassName`. */
  | 'INVENTORY'
  /** `amount` of `resourceClassName` satisfies minUnit, maxUnit and stepSize of an inventory. */
  | 'UNITS'
  /** A provider has room for `amount` of `resourceClassName`. */
  | 'ROOM'
  /** A provider, or for the group without suffix all of them together, has one of `traitNames`. */
  | 'TRAITS'
  /** The provider does not have the trait in `traitNames`. */
  | 'FORBIDDEN_TRAIT'
  /** The provider is in the aggregates in `aggregateUuids`: in one of each clause. Without suffix, those of the root count, too. */
  | 'AGGREGATES'
  /** The provider is not in the aggregate in `aggregateUuids`. */
  | 'FORBIDDEN_AGGREGATE'
  /** Each of `groups` is served by a different provider: groupPolicy ISOLATE. */
  | 'ISOLATION'
  /** The providers that serve `groups` are in one subtree. */
  | 'SAME_SUBTREE'
  /** Providers that serve several groups have room for the sum that these take of `resourceClassName`; `amount` is the sum over the whole request. */
  | 'ROOM_TOGETHER'
  /** One provider of each tree serves all groups. Only required by the Placement REST API before 1.29. */
  | 'ONE_PROVIDER';

/** One condition of a search. Rule: `placement:graphql:candidates:read`. */
export type ExplanationStep = {
  readonly __typename?: 'ExplanationStep';
  /** Suffix of the group that has the condition; null for the group without one, and for a condition on the whole request, as its kind says. */
  readonly suffix?: Maybe<Scalars['String']['output']>;
  /** Kind of the condition. */
  readonly kind: ExplanationStepKind;
  /** The condition in words. */
  readonly filter: Scalars['String']['output'];
  /** Name of the class, for INVENTORY, UNITS, ROOM and ROOM_TOGETHER; otherwise null. It need not exist. */
  readonly resourceClassName?: Maybe<Scalars['String']['output']>;
  /** The requested amount, in units of the class; null without a class. */
  readonly amount?: Maybe<Scalars['SafeInt']['output']>;
  /** Names of the traits, one of which is required, or of the one that is forbidden; empty for other kinds. They need not exist. */
  readonly traitNames: ReadonlyArray<Scalars['String']['output']>;
  /** Uuids of the aggregates, one of each clause of which is required, or of the one that is forbidden; empty for other kinds. They need not exist. */
  readonly aggregateUuids: ReadonlyArray<Scalars['UUID']['output']>;
  /** Uuid of the provider in whose tree it must be, for TREE; otherwise null. It need not exist. */
  readonly resourceProviderUuid?: Maybe<Scalars['UUID']['output']>;
  /** Suffixes of the groups that the condition relates, for ISOLATION and SAME_SUBTREE; otherwise empty. */
  readonly groups: ReadonlyArray<Scalars['String']['output']>;
  /** Number of roots left before this condition. */
  readonly rootsBefore: Scalars['SafeInt']['output'];
  /** Number of roots left after this condition. */
  readonly rootsAfter: Scalars['SafeInt']['output'];
};

/** Roots that would serve the request without one or two of its conditions. Rule: `placement:graphql:candidates:read`. */
export type NearestMiss = {
  readonly __typename?: 'NearestMiss';
  /** What is missing, for example "12 trees lack only 4,096 MEMORY_MB". */
  readonly message: Scalars['String']['output'];
  /** Number of such roots. */
  readonly rootCount: Scalars['SafeInt']['output'];
  /** Some of these roots, at most three. */
  readonly sample: ReadonlyArray<ResourceProvider>;
  /** The smallest additional amounts that would have to be free. */
  readonly lacks: ReadonlyArray<ResourceAmount>;
  /** Names of the traits that are missing. */
  readonly lacksTraitNames: ReadonlyArray<Scalars['String']['output']>;
};

/** How many more requests like one fit, if they were claimed one after another. Rule: `placement:graphql:fit:read`. */
export type Fit = {
  readonly __typename?: 'Fit';
  /** The total. Pools that several trees share are counted once. For readers of a project, 1 when at least one fits, otherwise 0. */
  readonly total: Scalars['SafeInt']['output'];
  /** Whether `total` is exact; otherwise it is a lower bound. */
  readonly exact: Scalars['Boolean']['output'];
  /** Whether the count was cut short, by a budget or because a project may learn no more: the numbers are then lower bounds. */
  readonly truncated: Scalars['Boolean']['output'];
  /** By root, most first, then oldest first: how many would fit there if all others stayed as they are. Rule: `placement:graphql:candidates:read`. */
  readonly byRoot: RootFitConnection;
  /** By aggregate of the root, most first, then oldest first. Rule: `placement:graphql:candidates:read`. */
  readonly byAggregate: AggregateFitConnection;
};


/** How many more requests like one fit, if they were claimed one after another. Rule: `placement:graphql:fit:read`. */
export type FitByRootArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


/** How many more requests like one fit, if they were claimed one after another. Rule: `placement:graphql:fit:read`. */
export type FitByAggregateArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
};

/** How many requests fit under one root. Rule: `placement:graphql:candidates:read`. */
export type RootFit = {
  readonly __typename?: 'RootFit';
  /** The root. */
  readonly root: ResourceProvider;
  /** How many would fit if all went there. */
  readonly count: Scalars['SafeInt']['output'];
};

/** How many requests fit under the roots that are in one aggregate. Rule: `placement:graphql:candidates:read`. */
export type AggregateFit = {
  readonly __typename?: 'AggregateFit';
  /** The aggregate. */
  readonly aggregate: Aggregate;
  /** How many would fit if all went there. */
  readonly count: Scalars['SafeInt']['output'];
};

/** A page of counts by root. Rule: `placement:graphql:candidates:read`. */
export type RootFitConnection = {
  readonly __typename?: 'RootFitConnection';
  /** The rows of the page. */
  readonly nodes: ReadonlyArray<RootFit>;
  /** The rows of the page with their cursors. */
  readonly edges: ReadonlyArray<RootFitEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A count of a root and its place in the list. Rule: `placement:graphql:candidates:read`. */
export type RootFitEdge = {
  readonly __typename?: 'RootFitEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The row. */
  readonly node: RootFit;
};

/** A page of counts by aggregate. Rule: `placement:graphql:candidates:read`. */
export type AggregateFitConnection = {
  readonly __typename?: 'AggregateFitConnection';
  /** The rows of the page. */
  readonly nodes: ReadonlyArray<AggregateFit>;
  /** The rows of the page with their cursors. */
  readonly edges: ReadonlyArray<AggregateFitEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A count of an aggregate and its place in the list. Rule: `placement:graphql:candidates:read`. */
export type AggregateFitEdge = {
  readonly __typename?: 'AggregateFitEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The row. */
  readonly node: AggregateFit;
};

/** One consumer of a claim. */
export type ClaimConsumerInput = {
  /** Uuid of the consumer. Must be unique within the request. */
  readonly consumer: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ConsumerExpectationInput;
  /** Uuid of another consumer of this request: take over what that one held, instead of a candidate. It gets a candidate in the same transaction, so nothing is released in between: the start of a migration. */
  readonly takeFrom?: InputMaybe<Scalars['UUID']['input']>;
  /** External id of its project, as in replaceAllocations. */
  readonly project?: InputMaybe<Scalars['String']['input']>;
  /** External id of its user, with the same rules. */
  readonly user?: InputMaybe<Scalars['String']['input']>;
  /** Its type, such as INSTANCE, with the same rules. */
  readonly consumerType?: InputMaybe<Scalars['String']['input']>;
};

/** Whether consumers may be served partially. Only sent by callers: values may be added. */
export type ClaimMode =
  /** All consumers in one transaction, or none. */
  | 'ALL_OR_NOTHING'
  /** Each consumer separately, together with those that take from it: consumers without a candidate stay as they are. */
  | 'BEST_EFFORT';

/** A search and the allocation of its candidates. */
export type ClaimInput = {
  /** The consumers, 1 to 1,000. Each gets a candidate of its own; what is chosen for one is taken into account for the next. */
  readonly consumers: ReadonlyArray<ClaimConsumerInput>;
  /** What each of them needs. Its limits are ignored: the search finds as many candidates as are needed. */
  readonly request: CandidatesInput;
  /** Whether consumers may be served partially. */
  readonly mode?: InputMaybe<ClaimMode>;
  /** How many alternative candidates to return for each consumer, 0 to 20, on different roots, none of which this call chose; at most 2,000 in all. */
  readonly alternates?: InputMaybe<Scalars['Int']['input']>;
  /** Aggregates that partition the cloud, such as cells; at most 1,000. The root of an alternate is in the same ones of these as the chosen root. */
  readonly alternatesIn?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What the consumers got, or why not. Repeating a claim is safe: `expect` refuses consumers that have changed. */
export type ClaimPayload = {
  readonly __typename?: 'ClaimPayload';
  /** The consumers that were served, in the order of the input. */
  readonly claims?: Maybe<ReadonlyArray<Claim>>;
  /** Every provider whose allocations changed, with its new generation. */
  readonly resourceProviders?: Maybe<ReadonlyArray<ResourceProvider>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; with BEST_EFFORT, why some consumers were not served: the path names the consumer. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What one consumer got. */
export type Claim = {
  readonly __typename?: 'Claim';
  /** The consumer, with its new generation. */
  readonly consumer: Consumer;
  /** The candidate that it now holds; null when it took from another consumer. */
  readonly candidate?: Maybe<AllocationCandidate>;
  /** Further candidates on other roots; none of them is reserved. Empty when it took from another consumer. */
  readonly alternateCandidates: ReadonlyArray<AllocationCandidate>;
};

/** The inventories of a provider after a reshape. */
export type ReshapeProviderInput = {
  /** Uuid of the provider. Must be unique. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** All its inventories afterwards. */
  readonly inventories: ReadonlyArray<InventoryInput>;
};

/** Moves inventories and their allocations between providers in one transaction. While allocations move, both old and new inventories exist. */
export type ReshapeInput = {
  /** The providers whose inventories change: 1 to 1,000. */
  readonly resourceProviders: ReadonlyArray<ReshapeProviderInput>;
  /** The affected consumers with their new allocations; others are unchanged. At most 10,000. */
  readonly consumers?: ReadonlyArray<ConsumerAllocationsInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The result of the reshape, or why nothing changed. */
export type ReshapePayload = {
  readonly __typename?: 'ReshapePayload';
  /** Every provider written, with its new generation. */
  readonly resourceProviders?: Maybe<ReadonlyArray<ResourceProvider>>;
  /** In the order of the input; null for a consumer without allocations. */
  readonly consumers?: Maybe<ReadonlyArray<Maybe<Consumer>>>;
  /** Inventories whose capacity is now below their usage. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors lists (at most 100). */
  readonly truncated: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** The desired state of a provider. Omitted parts stay unchanged; an empty list removes all elements. */
export type DesiredProviderInput = {
  /** Its uuid; when omitted, the provider is looked up by name, or created. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** Its name: 1 to 200 characters, unique. With a uuid, another name renames it. */
  readonly name: Scalars['String']['input'];
  /** The name of its parent in this list; omitted only for the root. */
  readonly parentName?: InputMaybe<Scalars['String']['input']>;
  /** The state that the write expects if the provider exists; any when omitted. */
  readonly expect?: InputMaybe<ExpectationInput>;
  /** All its inventories. */
  readonly inventories?: InputMaybe<ReadonlyArray<InventoryInput>>;
  /** Names of all its traits. Custom ones that do not exist are created. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Uuids of all its aggregates. */
  readonly aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
};

/** The desired state of a whole tree, written in one transaction. Providers of the tree that are not in the list are deleted. */
export type ApplyProviderTreeInput = {
  /** The uuid of the root, which is created if it does not exist. */
  readonly root: Scalars['UUID']['input'];
  /** All providers of the tree, the root included: 1 to 1,000. Custom classes that do not exist are created. */
  readonly resourceProviders: ReadonlyArray<DesiredProviderInput>;
  /** The consumers whose inventories move, with their new allocations; others are unchanged. At most 10,000. */
  readonly consumers?: ReadonlyArray<ConsumerAllocationsInput>;
  /** Only report what would change: the write is executed and rolled back. */
  readonly dryRun?: Scalars['Boolean']['input'];
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The result, or why nothing changed. */
export type ApplyProviderTreePayload = {
  readonly __typename?: 'ApplyProviderTreePayload';
  /** The root; null when refused, or when a dry run would create it. */
  readonly root?: Maybe<ResourceProvider>;
  /** The changes made, or that would be made: of providers in the order of the input, of deleted ones, of consumers, and the names that were created. Empty when the tree was already in the desired state; then no generation changes either. */
  readonly changes?: Maybe<ReadonlyArray<EventChange>>;
  /** Whether the changes were made: false for a dry run and when refused. */
  readonly applied: Scalars['Boolean']['output'];
  /** Inventories whose capacity is now below their usage. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors lists (at most 100). */
  readonly truncated: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Whether a client may retry after an error. Also in `extensions.retry` of GraphQL errors. Closed: no values are added. */
export type Retry =
  /** The same call will be refused again: first change it, or what it refers to. */
  | 'NEVER'
  /** The same call may succeed later. */
  | 'LATER'
  /** The call's expectation is out of date, or it is unknown whether an earlier attempt succeeded: read first, then decide. Repeating the call as it is may apply it twice. */
  | 'AFTER_READ';

/** Why a write was refused. When several reasons apply, the first in this order is reported. Handle values that you do not know by `retry`. Open: values may be added. */
export type UserErrorCode =
  /** A value is malformed or out of range. */
  | 'INVALID_INPUT'
  /** The idempotency key was already used with different input. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** The caller may write to some trees only, and the input, or an allocation that it affects, is about another one. */
  | 'FORBIDDEN'
  /** An object named in the input does not exist. */
  | 'NOT_FOUND'
  /** A name or uuid is taken. */
  | 'DUPLICATE'
  /** Standard classes and traits can be neither created nor deleted. */
  | 'STANDARD_NAME'
  /** A consumer does not have the expected generation. */
  | 'CONSUMER_CONFLICT'
  /** A provider has changed since it was read. */
  | 'PROVIDER_CONFLICT'
  /** A selection matches a different number of providers than expected. */
  | 'SELECTION_CONFLICT'
  /** The new parent is the provider itself or one of its descendants. */
  | 'PARENT_LOOP'
  /** The provider still has children. */
  | 'HAS_CHILDREN'
  /** Consumers have allocations of it, or providers have it. */
  | 'IN_USE'
  /** A provider has no inventory of the class. */
  | 'NO_INVENTORY'
  /** An amount violates minUnit, maxUnit or stepSize. */
  | 'UNIT_VIOLATION'
  /** A provider has too little room for the amounts of the whole request. */
  | 'CAPACITY_EXCEEDED'
  /** The policy of its group does not allow a consumer to be on this host. */
  | 'AFFINITY_VIOLATION'
  /** No provider can serve the request now. */
  | 'NO_CANDIDATES';

/** What a refusal is about. Open: values may be added. */
export type Noun =
  /** A resource provider. */
  | 'RESOURCE_PROVIDER'
  /** The provider given as the parent of another. */
  | 'PARENT'
  /** A resource class. */
  | 'RESOURCE_CLASS'
  /** The inventory of a class on a provider. */
  | 'INVENTORY'
  /** A trait. */
  | 'TRAIT'
  /** An aggregate. */
  | 'AGGREGATE'
  /** A consumer: it has no allocations. */
  | 'CONSUMER'
  /** A service of Nova on a host. */
  | 'SERVICE'
  /** A project that no write has named. */
  | 'PROJECT';

/** A reason why a write was refused and changed nothing. */
export type UserError = {
  /** The reason. */
  readonly code: UserErrorCode;
  /** What is wrong, and what to do. */
  readonly message: Scalars['String']['output'];
  /** Path into the input: ["consumers", "0", "expect"]. Empty when it concerns the whole input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** Whether the call may be retried. */
  readonly retry: Retry;
};

/** INVALID_INPUT: a value is malformed or out of range. */
export type InvalidInput = UserError & {
  readonly __typename?: 'InvalidInput';
  /** INVALID_INPUT. */
  readonly code: UserErrorCode;
  /** Which value, and what is allowed. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER: correct the input. */
  readonly retry: Retry;
};

/** IDEMPOTENCY_KEY_REUSED: the key was already used with different input. */
export type IdempotencyKeyReused = UserError & {
  readonly __typename?: 'IdempotencyKeyReused';
  /** IDEMPOTENCY_KEY_REUSED. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER: use a new key. */
  readonly retry: Retry;
  /** The key. */
  readonly key: Scalars['String']['output'];
};

/** FORBIDDEN: the caller may write to some trees only, by the rule `placement:trees:write`, and this is about another one, about which nothing else is said. */
export type Forbidden = UserError & {
  readonly __typename?: 'Forbidden';
  /** FORBIDDEN. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input; empty if finding it would need a look at the other tree. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
};

/** NOT_FOUND: an object named in the input does not exist. */
export type NotFound = UserError & {
  readonly __typename?: 'NotFound';
  /** NOT_FOUND. */
  readonly code: UserErrorCode;
  /** What is missing. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** The kind of object that is missing. */
  readonly noun: Noun;
  /** Its uuid or name. */
  readonly key: Scalars['String']['output'];
};

/** DUPLICATE: the name or uuid is taken. */
export type Duplicate = UserError & {
  readonly __typename?: 'Duplicate';
  /** DUPLICATE. */
  readonly code: UserErrorCode;
  /** What is taken. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** The kind of object that has it. */
  readonly noun: Noun;
  /** The name or uuid that is taken. */
  readonly key: Scalars['String']['output'];
  /** The object that has it; null if it no longer does. */
  readonly existing?: Maybe<Node>;
};

/** STANDARD_NAME: standard classes and traits can be neither created nor deleted. */
export type StandardName = UserError & {
  readonly __typename?: 'StandardName';
  /** STANDARD_NAME. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** The name. */
  readonly key: Scalars['String']['output'];
};

/** CONSUMER_CONFLICT: the consumer does not have the expected generation. Read it again. */
export type ConsumerConflict = UserError & {
  readonly __typename?: 'ConsumerConflict';
  /** CONSUMER_CONFLICT. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** AFTER_READ. When the claim of a new consumer is refused with this code, an earlier attempt may have succeeded: repeating it with `actual` could apply it twice. */
  readonly retry: Retry;
  /** Uuid of the consumer. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The expected generation; null when the consumer was expected to be new. */
  readonly expected?: Maybe<Scalars['SafeInt']['output']>;
  /** The current generation; null when the consumer does not exist. */
  readonly actual?: Maybe<Scalars['SafeInt']['output']>;
};

/** PROVIDER_CONFLICT: the provider has changed since it was read. Read it again. */
export type ProviderConflict = UserError & {
  readonly __typename?: 'ProviderConflict';
  /** PROVIDER_CONFLICT. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** AFTER_READ. */
  readonly retry: Retry;
  /** The provider; null if it no longer exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The expected generation. */
  readonly expected?: Maybe<Scalars['SafeInt']['output']>;
  /** The actual generation. */
  readonly actual?: Maybe<Scalars['SafeInt']['output']>;
};

/** SELECTION_CONFLICT: the selection matches a different number of providers than `expectedCount`. Check what matches now. */
export type SelectionConflict = UserError & {
  readonly __typename?: 'SelectionConflict';
  /** SELECTION_CONFLICT. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** AFTER_READ. */
  readonly retry: Retry;
  /** The number that was expected. */
  readonly expectedCount: Scalars['SafeInt']['output'];
  /** The number that matched, as `matchedCount` of a payload counts them. */
  readonly matchedCount: Scalars['SafeInt']['output'];
};

/** PARENT_LOOP: the new parent is the provider itself or one of its descendants. */
export type ParentLoop = UserError & {
  readonly __typename?: 'ParentLoop';
  /** PARENT_LOOP. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** Uuid of the provider. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** Uuid of the requested parent. */
  readonly parentUuid: Scalars['UUID']['output'];
};

/** HAS_CHILDREN: the provider still has children. Delete or move them first. */
export type HasChildren = UserError & {
  readonly __typename?: 'HasChildren';
  /** HAS_CHILDREN. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** The first ten children; null if they cannot be read. */
  readonly children?: Maybe<ReadonlyArray<Maybe<ResourceProvider>>>;
  /** How many there are. */
  readonly childCount: Scalars['SafeInt']['output'];
};

/** IN_USE: consumers have allocations of it, or providers have it. */
export type InUse = UserError & {
  readonly __typename?: 'InUse';
  /** IN_USE. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** The kind of object that is in use. */
  readonly noun: Noun;
  /** Its uuid or name; for an inventory, the class. */
  readonly key: Scalars['String']['output'];
  /** The first ten consumers (of a provider or inventory) or providers (of a class or trait) that use it; null if they cannot be read. */
  readonly by?: Maybe<ReadonlyArray<Maybe<Node>>>;
  /** How many there are. */
  readonly byCount: Scalars['SafeInt']['output'];
};

/** NO_INVENTORY: the provider has no inventory of the class. */
export type NoInventory = UserError & {
  readonly __typename?: 'NoInventory';
  /** NO_INVENTORY. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** Uuid of the consumer it was for. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The provider; null if it no longer exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Name of the class. */
  readonly resourceClassName: Scalars['String']['output'];
};

/** UNIT_VIOLATION: an amount violates minUnit, maxUnit or stepSize. */
export type UnitViolation = UserError & {
  readonly __typename?: 'UnitViolation';
  /** UNIT_VIOLATION. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** Uuid of the consumer it was for. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The provider; null if it no longer exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Name of the class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** The requested amount. */
  readonly requested: Scalars['SafeInt']['output'];
  /** The smallest amount allowed. */
  readonly minUnit: Scalars['SafeInt']['output'];
  /** The largest amount allowed. */
  readonly maxUnit: Scalars['SafeInt']['output'];
  /** The amount must be a multiple of it. */
  readonly stepSize: Scalars['SafeInt']['output'];
};

/** CAPACITY_EXCEEDED: the provider has too little room for the amounts of the whole request. */
export type CapacityExceeded = UserError & {
  readonly __typename?: 'CapacityExceeded';
  /** CAPACITY_EXCEEDED. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** LATER: capacity may be released. Better, search for another provider. */
  readonly retry: Retry;
  /** Uuid of the first consumer concerned. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The provider; null if it no longer exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Name of the class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** The sum over all consumers of the request. */
  readonly requested: Scalars['SafeInt']['output'];
  /** The most that the request could have got, in units of the class; never negative. */
  readonly available: Scalars['SafeInt']['output'];
};

/** AFFINITY_VIOLATION: other members of the consumer's group are on the same root, or on others, against the policy of the group. */
export type AffinityViolation = UserError & {
  readonly __typename?: 'AffinityViolation';
  /** AFFINITY_VIOLATION. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path to the offending value in the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** LATER: the other members may move. Better, search for another host. */
  readonly retry: Retry;
  /** Uuid of the first consumer concerned. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The root where it may not be; null if it no longer exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
};

/** NO_CANDIDATES: no provider can serve the request now. */
export type NoCandidates = UserError & {
  readonly __typename?: 'NoCandidates';
  /** NO_CANDIDATES. */
  readonly code: UserErrorCode;
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Path in the input to the first consumer without a candidate. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** LATER: capacity may be released. NEVER when no root could serve it even with nothing in use, such as an amount above every maxUnit. */
  readonly retry: Retry;
  /** Uuid of the first consumer without a candidate. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** Why: the conditions, the number of roots left after each, and near misses. What this call chose for earlier consumers counts as used. Null if a provider that it names cannot be read. */
  readonly explanation?: Maybe<Explanation>;
};

/** The kind of a warning. Open: values may be added. */
export type WarningCode =
  /** The capacity of an inventory is now below its usage. Nothing new fits until usage drops; existing allocations may be kept, reduced or moved. */
  | 'SHRUNK_BELOW_USE'
  /** An extra spec of the flavor was not understood and is not in the request. */
  | 'EXTRA_SPEC_LEFT_OUT'
  /** An extra spec of the flavor that Nova does not know: it is not in the request. */
  | 'EXTRA_SPEC_UNKNOWN'
  /** An extra spec limits hosts by facts that providers do not show: the search may find hosts that do not satisfy it. */
  | 'EXTRA_SPEC_NOT_CHECKED'
  /** A property of the image was not understood and is not in the request. */
  | 'IMAGE_PROPERTY_LEFT_OUT'
  /** An extra spec or property has no effect, because what it applies to is not requested. */
  | 'POLICY_WITHOUT_EFFECT'
  /** A group has traits but no resources: a search for such a request is refused. */
  | 'GROUP_WITHOUT_RESOURCES'
  /** The flavor has several groups but no group_policy, which Placement refuses: here the groups may share providers. */
  | 'GROUP_POLICY_ASSUMED'
  /** A field of a RequestSpec limits hosts by facts that Nova's filters check after the search: the search may find hosts that do not satisfy it. */
  | 'REQUEST_SPEC_NOT_CHECKED'
  /** The owners of resources were not checked, because not every compute reports them. */
  | 'OWNERS_NOT_CHECKED'
  /** Compute nodes are left out because they lack the trait of their owner, although every compute should report it. */
  | 'HOSTS_WITHOUT_OWNER';

/** Something that did not prevent the call but deserves attention. */
export type Warning = {
  /** What it is about. */
  readonly code: WarningCode;
  /** The warning in words. */
  readonly message: Scalars['String']['output'];
  /** The key or name of its subject; null for the whole input. */
  readonly subject?: Maybe<Scalars['String']['output']>;
};

/** SHRUNK_BELOW_USE: the capacity of the inventory is now below its usage. Nothing new fits until usage drops; existing allocations may be kept, reduced or moved. */
export type ShrunkBelowUse = Warning & {
  readonly __typename?: 'ShrunkBelowUse';
  /** SHRUNK_BELOW_USE. */
  readonly code: WarningCode;
  /** The warning in words. */
  readonly message: Scalars['String']['output'];
  /** The inventory: the uuid of its provider, a slash and its class. */
  readonly subject?: Maybe<Scalars['String']['output']>;
  /** The inventory; null if it has been deleted since. */
  readonly inventory?: Maybe<Inventory>;
};

/** Something that a request derived from a flavor leaves out or assumes: every code except SHRUNK_BELOW_USE. */
export type RequestWarning = Warning & {
  readonly __typename?: 'RequestWarning';
  /** What it is about. */
  readonly code: WarningCode;
  /** The warning in words. */
  readonly message: Scalars['String']['output'];
  /** The key of the extra spec or image property, the suffix of the group, or the field of the RequestSpec; null for the whole request. */
  readonly subject?: Maybe<Scalars['String']['output']>;
};

/** Version, features and limits of this gateway. */
export type ServiceInfo = {
  readonly __typename?: 'ServiceInfo';
  /** Version of placement-gateway. */
  readonly version: Scalars['String']['output'];
  /** Names of the features that this version supports. Check here before relying on a new one. */
  readonly features: ReadonlyArray<Scalars['String']['output']>;
  /** All limits that apply to callers: a small list, which grows only with a new version. Also in docs/limits.md. */
  readonly limits: ReadonlyArray<Limit>;
};

/** A limit. Requests beyond it are refused, or results are cut short where a field `truncated` says so. */
export type Limit = {
  readonly __typename?: 'Limit';
  /** Name of the limit, such as pageSize. New names may be added; existing ones keep their meaning and unit. */
  readonly name: Scalars['String']['output'];
  /** The maximum, in the unit. A new version may raise it. */
  readonly value: Scalars['Float']['output'];
  /** The unit, in the plural: bytes, milliseconds, objects, consumers. */
  readonly unit: Scalars['String']['output'];
  /** What it bounds, in one sentence. */
  readonly description: Scalars['String']['output'];
};

/** The caller, as identified by its token. */
export type Viewer = {
  readonly __typename?: 'Viewer';
  /** Name or id of its user, as in `Event.requestedBy`. */
  readonly userExternalId: Scalars['String']['output'];
  /** Name or id of the project that the token is for; null for another scope. */
  readonly projectExternalId?: Maybe<Scalars['String']['output']>;
  /** Its roles. */
  readonly roles: ReadonlyArray<Scalars['String']['output']>;
  /** How the gateway identified the caller. */
  readonly authenticationMethod: AuthenticationMethod;
  /** Whether it may read the whole cloud: everything in `cloudMap`, for example. */
  readonly mayReadCloud: Scalars['Boolean']['output'];
  /** Whether it may use any mutation; `rules` says which ones. */
  readonly mayWrite: Scalars['Boolean']['output'];
  /** The rules of docs/access.md that allow the caller something; the documentation of each field names its rule. At most as many as there are rules. */
  readonly rules: ReadonlyArray<ViewerRule>;
};

/** A rule that allows the caller something. */
export type ViewerRule = {
  readonly __typename?: 'ViewerRule';
  /** Name of the rule, as in policy.yaml. */
  readonly name: Scalars['String']['output'];
  /** How far the rule reaches. */
  readonly reach: RuleReach;
};

/** How far a rule allows a caller. Closed: no values are added. */
export type RuleReach =
  /** Everything, whichever project it belongs to. */
  | 'EVERYTHING'
  /** What belongs to the caller's project; an operation with such a rule sees nothing else. */
  | 'OWN_PROJECT';

/** A name with its value, such as an extra spec of a flavor or a property of an image. Preview: it may change. */
export type PropertyInput = {
  /** For example `resources:VGPU` of a flavor, or `hw_cpu_policy` of an image. */
  readonly key: Scalars['String']['input'];
  /** Its value. */
  readonly value: Scalars['String']['input'];
};

/** A flavor. Give exactly one. Preview: it may change. */
export type FlavorInput =
  /** JSON text of the versioned object Flavor, version 1.0 or later. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its fields. */
  { readonly object?: never; readonly fields: FlavorFieldsInput; };

/** A flavor, field by field. Preview: it may change. */
export type FlavorFieldsInput = {
  /** Its name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Processors. */
  readonly vcpus: Scalars['SafeInt']['input'];
  /** MiB. */
  readonly memoryMb: Scalars['SafeInt']['input'];
  /** Root disk in GiB; 0 when omitted. */
  readonly rootGb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Ephemeral disk in GiB; 0 when omitted. */
  readonly ephemeralGb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Swap in MiB; 0 when omitted. */
  readonly swapMb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Extra specs: at most 1,000, keys unique. */
  readonly extraSpecs?: InputMaybe<ReadonlyArray<PropertyInput>>;
};

/** A flavor, and everything else that its request depends on. Preview: it may change. */
export type FlavorToRequestInput = {
  /** The flavor. */
  readonly flavor: FlavorInput;
  /** Traits that the image requires. */
  readonly imageTraits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Properties of the image: at most 1,000, keys unique. When omitted, nothing is known about the image, and what the flavor needs of it is not checked. */
  readonly imageProperties?: InputMaybe<ReadonlyArray<PropertyInput>>;
  /** Format of the image, such as raw; for `prefilters.imageType`. */
  readonly imageDiskFormat?: InputMaybe<Scalars['String']['input']>;
  /** Whether the root disk is a volume, so that it needs no root disk on the host. */
  readonly bootedFromVolume?: InputMaybe<Scalars['Boolean']['input']>;
  /** Its ports: at most 128. */
  readonly ports?: InputMaybe<ReadonlyArray<PortInput>>;
  /** The groups of the device profile that the flavor names as accel:device_profile, in its order: at most 128. When omitted, the request leaves them out, with a warning. */
  readonly deviceProfile?: InputMaybe<ReadonlyArray<DeviceProfileGroupInput>>;
  /** What the aliases of pci_passthrough:alias stand for. When omitted, the request leaves them out, with a warning. */
  readonly pciPassthrough?: InputMaybe<PciRequestsInput>;
  /** The pre-filters of Nova's scheduler that its settings turn on. Those that are always on apply in any case. */
  readonly prefilters?: InputMaybe<PrefiltersInput>;
};

/** A port of an instance, as Neutron describes it. Preview: it may change. */
export type PortInput = {
  /** Its uuid. */
  readonly port: Scalars['UUID']['input'];
  /** JSON text of Neutron's attribute resource_request, in its old form (resources, required) or its extended one (request_groups, same_subtree). */
  readonly resourceRequest?: InputMaybe<Scalars['String']['input']>;
  /** Whether a card manages it: hosts must support that. */
  readonly remoteManaged?: InputMaybe<Scalars['Boolean']['input']>;
  /** The groups of its device profile, in its order: at most 128. */
  readonly deviceProfile?: InputMaybe<ReadonlyArray<DeviceProfileGroupInput>>;
};

/** A group of a device profile of Cyborg. Preview: it may change. */
export type DeviceProfileGroupInput = {
  /** For example `resources:FPGA` 1 and `trait:CUSTOM_FPGA_INTEL` required; other properties are not for Placement. At most 1,000, keys unique. */
  readonly properties: ReadonlyArray<PropertyInput>;
};

/** The PCI devices of a request. Preview: it may change. */
export type PciRequestsInput = {
  /** Whether hosts report their cards as providers (Nova's setting pci_in_placement): then every device is a group of its own. Otherwise whole devices are requested as PCI_DEVICE, and the caller that chooses a host, such as selectDestinations, assigns the devices themselves. */
  readonly inPlacement?: InputMaybe<Scalars['Boolean']['input']>;
  /** The aliases of Nova's configuration: at most 1,000. Several with the same name are alternatives, which Placement cannot express. */
  readonly aliases: ReadonlyArray<PciAliasInput>;
};

/** A PCI alias of Nova's configuration. Preview: it may change. */
export type PciAliasInput = {
  /** Its name, which flavors use. */
  readonly name: Scalars['String']['input'];
  /** Vendor id, such as 8086; needed with `productId` unless there is a class. */
  readonly vendorId?: InputMaybe<Scalars['String']['input']>;
  /** Product id, such as 10fb. */
  readonly productId?: InputMaybe<Scalars['String']['input']>;
  /** One of type-PCI, type-PF and type-VF. */
  readonly deviceType?: InputMaybe<Scalars['String']['input']>;
  /** The class of its devices, in any spelling that Nova accepts. CUSTOM_PCI_<vendor>_<product> when omitted. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Traits that its devices must have, in any spelling that Nova accepts. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** How near its devices must be to the NUMA cells of the guest, unless the flavor or the image says it (`hw:pci_numa_affinity_policy`); the same for all aliases of a name. LEGACY when omitted. It is checked when a host is chosen: by selectDestinations, drainPlan and whatIf. */
  readonly numaPolicy?: InputMaybe<PciNumaPolicy>;
};

/** Pre-filters of Nova's scheduler that its settings turn on. Preview: it may change. */
export type PrefiltersInput = {
  /** Whether hosts must support the format of the image (query_placement_for_image_type_support). Without effect when booted from a volume. */
  readonly imageType?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether hosts must support the devices and the architecture that the image names (image_metadata_prefilter). */
  readonly imageMetadata?: InputMaybe<Scalars['Boolean']['input']>;
  /** The zone: hosts must be in a host aggregate of it. */
  readonly availabilityZone?: InputMaybe<Scalars['String']['input']>;
  /** Whether hosts must be in a host aggregate of the project, if it has any (limit_tenants_to_placement_aggregate). */
  readonly projectAggregates?: InputMaybe<Scalars['Boolean']['input']>;
  /** With projectAggregates: whether a project without one is refused (placement_aggregate_required_for_tenants). */
  readonly projectAggregateRequired?: InputMaybe<Scalars['Boolean']['input']>;
  /** External id of the project; for projectAggregates. */
  readonly project?: InputMaybe<Scalars['String']['input']>;
  /** Whether host aggregates that are reserved for traits serve only requests that require them (enable_isolated_aggregate_filtering). */
  readonly isolatedAggregates?: InputMaybe<Scalars['Boolean']['input']>;
  /** Nova's host aggregates: at most 10,000. The other filters look at their metadata. */
  readonly hostAggregates?: InputMaybe<ReadonlyArray<HostAggregateInput>>;
};

/** A host aggregate of Nova. Preview: it may change. */
export type HostAggregateInput = {
  /** Its uuid, which is that of the aggregate in placement. */
  readonly aggregate: Scalars['UUID']['input'];
  /** Such as availability_zone, filter_tenant_id or trait:CUSTOM_LICENSED. At most 1,000, keys unique. */
  readonly metadata: ReadonlyArray<PropertyInput>;
};

/** A RequestSpec, and the settings that its request depends on. Preview: it may change. */
export type RequestSpecToRequestInput = {
  /** JSON text of the versioned object RequestSpec, version 1.0 or later. */
  readonly requestSpec: Scalars['String']['input'];
  /** Whether hosts report their cards as providers: then every device of its PCI requests is a group of its own. */
  readonly pciInPlacement?: InputMaybe<Scalars['Boolean']['input']>;
  /** The pre-filters of Nova's scheduler that its settings turn on. Zone and project are those of the RequestSpec, unless given. */
  readonly prefilters?: InputMaybe<PrefiltersInput>;
};

/** The request of a flavor or a RequestSpec. Preview: it may change. */
export type FlavorRequest = {
  readonly __typename?: 'FlavorRequest';
  /** The request; its fields are named as in CandidatesInput, so that it can be passed on to allocationCandidates, fit and claim. */
  readonly request: CandidatesRequest;
  /** The same with VCPU instead of PCPU, for hosts that do not report dedicated processors yet; null unless all are dedicated by policy. Nova searches with it, too, and leaves it to its NUMA filter which of these hosts can dedicate processors; here the caller has to check that. */
  readonly fallback?: Maybe<CandidatesRequest>;
  /** Parts of the flavor that were left out, are not checked, or will be refused. At most two warnings for each extra spec, property and field. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
};

/** A request for candidates as data. Preview: it may change. */
export type CandidatesRequest = {
  readonly __typename?: 'CandidatesRequest';
  /** The groups. At most one for each extra spec, port and device, and one more. */
  readonly groups: ReadonlyArray<CandidatesRequestGroup>;
  /** Whether suffixed groups may share a provider. */
  readonly groupPolicy: GroupPolicy;
  /** Traits of the root: those of the pre-filters, and its owner. At most two. */
  readonly rootTraits: ReadonlyArray<TraitCondition>;
  /** Groups that must be served in one subtree. At most one for each port. */
  readonly sameSubtree: ReadonlyArray<SameSubtree>;
};

/** Groups of a request that must be served in one subtree. Preview: it may change. */
export type SameSubtree = {
  readonly __typename?: 'SameSubtree';
  /** Their suffixes. At most one for each group. */
  readonly groups: ReadonlyArray<Scalars['String']['output']>;
};

/** A group of a request as data. Preview: it may change. */
export type CandidatesRequestGroup = {
  readonly __typename?: 'CandidatesRequestGroup';
  /** Names the group; null for the one whose classes may come from different providers. */
  readonly suffix?: Maybe<Scalars['String']['output']>;
  /** The amounts. At most one for each class. */
  readonly resources: ReadonlyArray<RequestedAmount>;
  /** Required and forbidden traits, and the owner. At most two. */
  readonly traits: ReadonlyArray<TraitCondition>;
  /** Required and forbidden aggregates. At most one for each pre-filter and each of a RequestSpec. */
  readonly aggregates: ReadonlyArray<AggregateCondition>;
  /** Only from the tree that contains this provider: the destination of a RequestSpec. */
  readonly inTree?: Maybe<Scalars['UUID']['output']>;
};

/** An amount of a class, given by name. Preview: it may change. */
export type RequestedAmount = {
  readonly __typename?: 'RequestedAmount';
  /** Name of the class. It need not exist. */
  readonly resourceClass: Scalars['String']['output'];
  /** The amount, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** Traits that are required and forbidden, by name. Null where there are none. Preview: it may change. */
export type TraitCondition = {
  readonly __typename?: 'TraitCondition';
  /** All of these are required. At most one for each extra spec and trait of the image. */
  readonly allOf?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** One of these is required. At most two. */
  readonly anyOf?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** All of these are forbidden. At most one for each extra spec. */
  readonly noneOf?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
};

/** Aggregates that are required and forbidden, by uuid. Null where there are none. Preview: it may change. */
export type AggregateCondition = {
  readonly __typename?: 'AggregateCondition';
  /** One of these is required. At most as many as exist. */
  readonly anyOf?: Maybe<ReadonlyArray<Scalars['UUID']['output']>>;
  /** All of these are forbidden. At most as many as exist. */
  readonly noneOf?: Maybe<ReadonlyArray<Scalars['UUID']['output']>>;
};

/** A name with its value. Preview: it may change. */
export type Property = {
  readonly __typename?: 'Property';
  /** The name. */
  readonly key: Scalars['String']['output'];
  /** The value; null when there is none. */
  readonly value?: Maybe<Scalars['String']['output']>;
};

/** An instance that needs a destination. Preview: it may change. */
export type DestinationSeekerInput = {
  /** Its uuid, which is that of the consumer. Must be unique, and must have no allocations yet, unless it moves. */
  readonly instance: Scalars['UUID']['input'];
  /** External id of its project: 1 to 255 characters. */
  readonly project: Scalars['String']['input'];
  /** External id of its user, with the same rules. */
  readonly user: Scalars['String']['input'];
  /** Uuid of the migration of an instance that moves: in the same write it takes over what the instance holds on its host. When the migration already holds the source, only the destination is claimed: then its project and user must be those of the instance, and it must have taken over what this instance held, unless the ledger no longer has that event. Finish the move with confirmMigration or revertMigration. */
  readonly migration?: InputMaybe<Scalars['UUID']['input']>;
};

/** What instances ask for. Give exactly one. Preview: it may change. */
export type DestinationRequestInput =
  /** A flavor, and everything else that its request depends on. */
  { readonly flavor: FlavorToRequestInput; readonly requestSpec?: never; }
  |  /** A RequestSpec of Nova. Its hosts, cells and server group count as well. */
  { readonly flavor?: never; readonly requestSpec: RequestSpecToRequestInput; };

/** The name of a host: of its service, of its node, or both. One service host can have several nodes. Preview: it may change. */
export type HostNameInput = {
  /** Nova's service host, regardless of case. */
  readonly host?: InputMaybe<Scalars['String']['input']>;
  /** The hypervisor hostname. */
  readonly node?: InputMaybe<Scalars['String']['input']>;
};

/** Which hosts are wanted. Each list has at most 1,000 names. In `only`, at least one must name a host; elsewhere names without a host are ignored. Preview: it may change. */
export type HostChoiceInput = {
  /** Only one of these: forced. */
  readonly only?: InputMaybe<ReadonlyArray<HostNameInput>>;
  /** None of these: ignored. */
  readonly except?: InputMaybe<ReadonlyArray<HostNameInput>>;
  /** None of these: the instance was tried there before. */
  readonly tried?: InputMaybe<ReadonlyArray<HostNameInput>>;
  /** These before all others, if they can serve. */
  readonly prefer?: InputMaybe<ReadonlyArray<HostNameInput>>;
};

/** Which cells are wanted, as aggregates of compute nodes; each list has at most 1,000. Preview: it may change. */
export type CellChoiceInput = {
  /** Only one of these. */
  readonly only?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** None of these. */
  readonly except?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** These before others, as far as the weight `crossCellMove` counts. */
  readonly prefer?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
};

/** How to place the members of a server group. Only sent by callers: values may be added. Preview: it may change. */
export type ServerGroupPolicy =
  /** On the host where the others are. */
  | 'AFFINITY'
  /** On different hosts. */
  | 'ANTI_AFFINITY'
  /** On the host where most others are, if possible. */
  | 'SOFT_AFFINITY'
  /** Where fewest others are, if possible. */
  | 'SOFT_ANTI_AFFINITY';

/** A server group. Give exactly one. Preview: it may change. */
export type ServerGroupInput =
  /** JSON text of the versioned object InstanceGroup. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its fields. */
  { readonly object?: never; readonly fields: ServerGroupFieldsInput; };

/** A server group, field by field. Where its members are is read from what they hold. Members that are placed at the same time, through whichever gateways, are placed one after another. Preview: it may change. */
export type ServerGroupFieldsInput = {
  /** Its uuid. */
  readonly uuid: Scalars['UUID']['input'];
  /** Its policy. */
  readonly policy: ServerGroupPolicy;
  /** Its members: at most 1,000 instances, and migrations of instances whose source is to count. The instances being placed need not be listed. */
  readonly members: ReadonlyArray<Scalars['UUID']['input']>;
  /** With ANTI_AFFINITY: how many members may be on one host. */
  readonly maxServersPerHost?: InputMaybe<Scalars['Int']['input']>;
};

/** How much each weight counts, as Nova's settings of the same names (…_weight_multiplier). Each weight is scaled to 0 to 1 over the hosts that can serve; a negative multiplier reverses it. Preview: it may change. */
export type WeightMultipliersInput = {
  /** Free memory; 1 when omitted: instances spread. */
  readonly ram?: InputMaybe<Scalars['Float']['input']>;
  /** Free processors, with overcommit; 1 when omitted. */
  readonly cpu?: InputMaybe<Scalars['Float']['input']>;
  /** Free disk, or that of its pool for a host without disk; 1 when omitted. */
  readonly disk?: InputMaybe<Scalars['Float']['input']>;
  /** Against free PCI devices, which keeps them for instances that need them; 1 when omitted. */
  readonly pci?: InputMaybe<Scalars['Float']['input']>;
  /** Against failed builds; 1,000,000 when omitted. */
  readonly buildFailure?: InputMaybe<Scalars['Float']['input']>;
  /** Members of a server group with SOFT_AFFINITY; 1 when omitted. */
  readonly softAffinity?: InputMaybe<Scalars['Float']['input']>;
  /** Against members of a server group with SOFT_ANTI_AFFINITY; 1 when omitted. */
  readonly softAntiAffinity?: InputMaybe<Scalars['Float']['input']>;
  /** Preferred cells; 1,000,000 when omitted. */
  readonly crossCellMove?: InputMaybe<Scalars['Float']['input']>;
};

/** Builds that failed on a host since the last successful one. Preview: it may change. */
export type FailedBuildsInput = {
  /** Nova's service host, regardless of case. */
  readonly host?: InputMaybe<Scalars['String']['input']>;
  /** The hypervisor hostname. */
  readonly node?: InputMaybe<Scalars['String']['input']>;
  /** How many. */
  readonly count: Scalars['SafeInt']['input'];
};

/** Instances that need destinations and ask for the same. Preview: it may change. */
export type SelectDestinationsInput = {
  /** The instances: 1 to 100, with the migrations that take over. What is chosen for one is taken into account for the next. May be omitted with a RequestSpec that names its one instance. */
  readonly instances?: InputMaybe<ReadonlyArray<DestinationSeekerInput>>;
  /** What each of them asks for. */
  readonly request: DestinationRequestInput;
  /** Further groups, each with a unique suffix. The owner of their resources is not checked. */
  readonly otherGroups?: InputMaybe<ReadonlyArray<RequestGroupInput>>;
  /** Required or forbidden aggregates of the compute node: zones, tenants, isolation. */
  readonly aggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** The cells of the cloud, as aggregates of compute nodes: alternates are in the cell of the selected host. At most 1,000. */
  readonly cells?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Which cells are wanted. */
  readonly inCells?: InputMaybe<CellChoiceInput>;
  /** Which hosts are wanted. */
  readonly onHosts?: InputMaybe<HostChoiceInput>;
  /** Whether instances that move may stay on their host, as in a resize. */
  readonly allowSource?: InputMaybe<Scalars['Boolean']['input']>;
  /** The server group of the instances. */
  readonly serverGroup?: InputMaybe<ServerGroupInput>;
  /** How hosts that can serve are weighed: the one with the highest sum is taken, or the oldest of equal ones. The metadata of `prefilters.hostAggregates` can set other multipliers for their hosts, as in Nova. */
  readonly weightMultipliers?: InputMaybe<WeightMultipliersInput>;
  /** Failed builds of hosts, if you have newer numbers than those of their last reports, which count otherwise: at most 1,000. */
  readonly failedBuilds?: InputMaybe<ReadonlyArray<FailedBuildsInput>>;
  /** How many alternates for each instance, 0 to 20. */
  readonly alternates?: InputMaybe<Scalars['Int']['input']>;
  /** Whether instances may be served partially. */
  readonly mode?: InputMaybe<ClaimMode>;
  /** The order of hosts instead of weights: at most 5 keys, most significant first. */
  readonly orderBy?: InputMaybe<ReadonlyArray<CandidateOrderInput>>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A host for an instance, with everything that is needed to claim it later. Preview: it may change. */
export type Selection = {
  readonly __typename?: 'Selection';
  /** The host as a Nova compute node; null when it is gone, or not known to be one. Its provider is `candidate.root`. */
  readonly computeNode?: Maybe<ComputeNode>;
  /** Its cell; null when no cells were given or it is in none of them. */
  readonly cell?: Maybe<Aggregate>;
  /** The candidate, whose token claims it. */
  readonly candidate: AllocationCandidate;
  /** The same as the JSON text of the versioned object Selection, with the allocation request and its version. */
  readonly object: Scalars['String']['output'];
};

/** The selected host and the alternates of one instance. Preview: it may change. */
export type InstanceDestinations = {
  readonly __typename?: 'InstanceDestinations';
  /** The instance as a consumer: it holds what was selected. */
  readonly instance: Consumer;
  /** Its migration as a consumer, which now holds the source; null when the instance does not move, or its migration held the source before. */
  readonly migration?: Maybe<Consumer>;
  /** The host that was claimed. */
  readonly selected: Selection;
  /** Alternative hosts in the same cell, none of them selected in this call. Not reserved. At most 20. */
  readonly alternates: ReadonlyArray<Selection>;
};

/** The destinations, or why there are none. Preview: it may change. */
export type SelectDestinationsPayload = {
  readonly __typename?: 'SelectDestinationsPayload';
  /** In the order of the instances, without those that were not served. */
  readonly destinations?: Maybe<ReadonlyArray<InstanceDestinations>>;
  /** Parts of the request that were left out, and a filter that could not be applied. At most two warnings for each extra spec, property and field, and one more. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; with BEST_EFFORT, why some instances were not served: the path names the instance. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A host that was selected, or returned as an alternate. Give exactly one. Preview: it may change. */
export type SelectionInput =
  /** The token of its candidate. */
  { readonly claimToken: Scalars['String']['input']; readonly object?: never; }
  |  /** JSON text of the versioned object Selection. */
  { readonly claimToken?: never; readonly object: Scalars['String']['input']; };

/** An instance that could not be built on its selected host. Preview: it may change. */
export type ClaimAlternateInput = {
  /** Uuid of the instance. What it holds is released in the same write. */
  readonly instance: Scalars['UUID']['input'];
  /** Its alternates, tried in this order: 1 to 20. */
  readonly selections: ReadonlyArray<SelectionInput>;
  /** External id of its project; required when it no longer has allocations. */
  readonly project?: InputMaybe<Scalars['String']['input']>;
  /** External id of its user, with the same rules. */
  readonly user?: InputMaybe<Scalars['String']['input']>;
  /** Its server group: alternates where its policy does not allow the instance are skipped. */
  readonly serverGroup?: InputMaybe<ServerGroupInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The claimed alternate, or why none was claimed. Preview: it may change. */
export type ClaimAlternatePayload = {
  readonly __typename?: 'ClaimAlternatePayload';
  /** The instance as a consumer; null when refused. */
  readonly instance?: Maybe<Consumer>;
  /** Index of the claimed alternate, from 0; null when refused. */
  readonly place?: Maybe<Scalars['Int']['output']>;
  /** False when it already held one of them. */
  readonly changed: Scalars['Boolean']['output'];
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why none of the alternates could be claimed. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** The state of a PCI device of an instance. Preview: it may change. */
export type InstancePciDeviceInput = {
  /** For example allocated: devices in other states are not counted. */
  readonly status: Scalars['String']['input'];
  /** For example type-PCI: devices of other types do not count as PCI_DEVICE. */
  readonly devType: Scalars['String']['input'];
};

/** An instance. Give exactly one. Preview: it may change. */
export type InstanceInput =
  /** JSON text of the versioned object Instance, with its flavor. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its fields. */
  { readonly object?: never; readonly fields: InstanceFieldsInput; };

/** An instance, field by field. Preview: it may change. */
export type InstanceFieldsInput = {
  /** Its uuid, which is that of the consumer. */
  readonly uuid: Scalars['UUID']['input'];
  /** External id of its project: 1 to 255 characters. */
  readonly project: Scalars['String']['input'];
  /** External id of its user, with the same rules. */
  readonly user: Scalars['String']['input'];
  /** Its size. */
  readonly flavor: FlavorInput;
  /** Its PCI devices, in any state. */
  readonly pciDevices?: InputMaybe<ReadonlyArray<InstancePciDeviceInput>>;
};

/** An instance and where it runs. Preview: it may change. */
export type ClaimInstanceInput = {
  /** The instance. What its flavor asks for beyond its sizes comes from the providers of the node that have it. */
  readonly instance: InstanceInput;
  /** Uuid of the compute node, which is that of its provider. */
  readonly computeNode: Scalars['UUID']['input'];
  /** Whether its root disk is a volume, so that it needs no root disk on the host. */
  readonly bootedFromVolume?: InputMaybe<Scalars['Boolean']['input']>;
  /** Uuid of the storage pool with its disks; omit it when they are local, or unknown. Disks of an instance that is booted from a volume are on the node, unless it has no DISK_GB. */
  readonly pool?: InputMaybe<Scalars['UUID']['input']>;
  /** Properties of its image: at most 1,000, keys unique. For a rebuild, those of the new image: the providers of what the instance holds must have the traits that it requires (`trait:NAME`), and the flavor must not forbid them. */
  readonly imageProperties?: InputMaybe<ReadonlyArray<PropertyInput>>;
  /** What the PCI aliases of its flavor stand for. If omitted, its `pciDevices` count instead, each whole device as PCI_DEVICE. */
  readonly pciPassthrough?: InputMaybe<PciRequestsInput>;
  /** Its ports, with what Neutron asks for: at most 128. */
  readonly ports?: InputMaybe<ReadonlyArray<PortInput>>;
  /** The groups of the Cyborg device profile that its flavor names as `accel:device_profile`, in their order. */
  readonly deviceProfile?: InputMaybe<ReadonlyArray<DeviceProfileGroupInput>>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The allocations of the instance, or why there are none. Preview: it may change. */
export type ClaimInstancePayload = {
  readonly __typename?: 'ClaimInstancePayload';
  /** The instance as a consumer; null when refused, or when its flavor requests nothing. */
  readonly instance?: Maybe<Consumer>;
  /** False when it already held exactly this and nothing was written. */
  readonly changed: Scalars['Boolean']['output'];
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A migration of an instance. Give exactly one. Preview: it may change. */
export type MigrationInput =
  /** JSON text of the versioned object Migration. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its fields. */
  { readonly object?: never; readonly fields: MigrationFieldsInput; };

/** A migration of an instance, field by field. Preview: it may change. */
export type MigrationFieldsInput = {
  /** Its uuid, which is that of the consumer that holds the source allocations. */
  readonly uuid: Scalars['UUID']['input'];
  /** Uuid of the instance that moves. */
  readonly instance: Scalars['UUID']['input'];
};

/** A move or evacuation to start: the allocations of the instance go to the migration. Repeating an interrupted call is safe. Preview: it may change. */
export type StartMigrationInput = {
  /** The migration. */
  readonly migration: MigrationInput;
  /** The destination, claimed in the same transaction. When omitted, the instance has no allocations until its destination is claimed. */
  readonly selection?: InputMaybe<SelectionInput>;
  /** The server group of the instance, whose policy counts for the destination. */
  readonly serverGroup?: InputMaybe<ServerGroupInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The allocations after a step of a move, or why nothing changed. Preview: it may change. */
export type MigrationPayload = {
  readonly __typename?: 'MigrationPayload';
  /** The instance: with its destination once that is claimed, with its source after a revert; null while it has no allocations. */
  readonly instance?: Maybe<Consumer>;
  /** The migration, which holds the source allocations during the move; null once it has none. */
  readonly migration?: Maybe<Consumer>;
  /** False when the step had already been done, or the move to revert was already confirmed. */
  readonly changed: Scalars['Boolean']['output'];
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A successful move to confirm. Preview: it may change. */
export type ConfirmMigrationInput = {
  /** The migration. */
  readonly migration: MigrationInput;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A failed or cancelled move to revert: the instance gets its source allocations back, the destination is released. Preview: it may change. */
export type RevertMigrationInput = {
  /** The migration. */
  readonly migration: MigrationInput;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The record of an instance, running or gone. Preview: it may change. */
export type KnownInstanceInput = {
  /** Its uuid. */
  readonly instance: Scalars['UUID']['input'];
  /** The host that it runs on; omit it before placement and after shelving. */
  readonly host?: InputMaybe<Scalars['String']['input']>;
  /** Its task state; omit it when there is none. */
  readonly taskState?: InputMaybe<Scalars['String']['input']>;
  /** Whether it was deleted. */
  readonly deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether its record is hidden: then an active record with the same uuid exists in another cell. */
  readonly hidden?: InputMaybe<Scalars['Boolean']['input']>;
};

/** An instance that its host really has. Preview: it may change. */
export type HostedInstanceInput = {
  /** The instance. */
  readonly instance: InstanceInput;
  /** Whether its root disk is a volume, so that it needs no root disk on the host. */
  readonly bootedFromVolume?: InputMaybe<Scalars['Boolean']['input']>;
  /** Uuid of the storage pool with its disks; omit it when they are local, or unknown. */
  readonly pool?: InputMaybe<Scalars['UUID']['input']>;
  /** Properties of its image: at most 1,000, keys unique. */
  readonly imageProperties?: InputMaybe<ReadonlyArray<PropertyInput>>;
  /** What the PCI aliases of its flavor stand for. If omitted, its `pciDevices` count instead, each whole device as PCI_DEVICE. */
  readonly pciPassthrough?: InputMaybe<PciRequestsInput>;
  /** Its ports, with what Neutron asks for: at most 128. */
  readonly ports?: InputMaybe<ReadonlyArray<PortInput>>;
  /** The groups of the Cyborg device profile that its flavor names as `accel:device_profile`, in their order. */
  readonly deviceProfile?: InputMaybe<ReadonlyArray<DeviceProfileGroupInput>>;
};

/** The side of a move that a host is on. Closed: no values are added. Preview: it may change. */
export type MoveSide =
  /** The host is the source: the migration holds it. */
  | 'OUTGOING'
  /** The host is the destination: the instance holds it. */
  | 'INCOMING';

/** A move in progress from or to the audited host. Preview: it may change. */
export type AuditedMoveInput = {
  /** Uuid of the migration. */
  readonly migration: Scalars['UUID']['input'];
  /** The side that the audited host is on. */
  readonly side: MoveSide;
  /** The instance with the flavor that it has on this host: the old one on the source, the new one on the destination. A versioned object Instance is read accordingly: its old_flavor or new_flavor, where it has one. */
  readonly hostedInstance: HostedInstanceInput;
};

/** A compute node to audit. Nothing is written unless `removeStale` or `repair` is set. Preview: it may change. */
export type AuditComputeNodeInput = {
  /** Uuid of the compute node. */
  readonly computeNode: Scalars['UUID']['input'];
  /** Its host, as named in the records of instances. */
  readonly host: Scalars['String']['input'];
  /** The instances that it really has: at most 1,000, without duplicates. */
  readonly instances: ReadonlyArray<HostedInstanceInput>;
  /** The records of instances that may have allocations there, including those of the host. */
  readonly known?: InputMaybe<ReadonlyArray<KnownInstanceInput>>;
  /** Uuids of the migrations in progress. */
  readonly migrations?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Moves in progress from and to the host, at most 1,000: the audit covers what they should hold, too. Their migrations need not be listed in `migrations`. */
  readonly moves?: InputMaybe<ReadonlyArray<AuditedMoveInput>>;
  /** Whether to release the allocations of deleted instances, at most 1,000 of them in one call. */
  readonly removeStale?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether to correct the missing or wrong allocations of instances and moves of the host. If the flavor asks for more than sizes, the audit searches the providers of the node; the consumer keeps what it already holds there where possible. */
  readonly repair?: InputMaybe<Scalars['Boolean']['input']>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The audit's verdict on the allocations of a consumer on a compute node. Open: values may be added. Preview: it may change. */
export type AllocationVerdict =
  /** As expected. */
  | 'RIGHT'
  /** Kept, but needs attention. */
  | 'SUSPECT'
  /** No longer needed: may be removed. */
  | 'STALE';

/** What is known about a consumer with allocations on a compute node. Open: values may be added. Preview: it may change. */
export type AllocationReason =
  /** An instance that the host has. */
  | 'TRACKED'
  /** A migration in progress. */
  | 'MIGRATING'
  /** No record: it may still be building, or not be an instance at all. */
  | 'UNKNOWN'
  /** A deleted instance. */
  | 'DELETED'
  /** An instance whose record is hidden: its active record is in another cell. */
  | 'HIDDEN'
  /** An instance that has no host. */
  | 'NOT_PLACED'
  /** An instance recorded here that the host does not have, with a task in progress. */
  | 'HERE_IN_TRANSITION'
  /** An instance recorded here that the host does not have. */
  | 'HERE_UNTRACKED'
  /** An instance recorded on another host: it may be moving, or its allocations were left behind by an evacuation. */
  | 'ELSEWHERE';

/** The audit of one consumer with allocations in the tree of the compute node. Preview: it may change. */
export type AuditedAllocation = {
  readonly __typename?: 'AuditedAllocation';
  /** Uuid of the consumer. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The consumer after the audit; null when it no longer has allocations. */
  readonly consumer?: Maybe<Consumer>;
  /** The verdict. */
  readonly verdict: AllocationVerdict;
  /** The reason for the verdict. */
  readonly reason: AllocationReason;
  /** Whether this audit removed its allocations. */
  readonly removed: Scalars['Boolean']['output'];
};

/** Whether an instance has the allocations that it should have. Open: values may be added. Preview: it may change. */
export type InstanceState =
  /** It has exactly these. */
  | 'RIGHT'
  /** It has none. */
  | 'MISSING'
  /** It has other allocations, or on other providers. */
  | 'WRONG'
  /** It has other allocations or none, and is moving: never repaired. */
  | 'MOVING';

/** An instance of an audited host. Preview: it may change. */
export type AuditedInstance = {
  readonly __typename?: 'AuditedInstance';
  /** Its uuid, which is that of the consumer. */
  readonly instanceUuid: Scalars['UUID']['output'];
  /** Its state as found, before any repair. */
  readonly state: InstanceState;
  /** What it should hold in all. At most one for each class. */
  readonly expectedAmounts: ReadonlyArray<RequestedAmount>;
  /** The instance as a consumer after the audit; null when it has no allocations. */
  readonly instance?: Maybe<Consumer>;
  /** Whether this audit corrected its allocations. */
  readonly repaired: Scalars['Boolean']['output'];
};

/** What one side of a move holds, and should hold, on the audited host. Preview: it may change. */
export type AuditedMove = {
  readonly __typename?: 'AuditedMove';
  /** Uuid of the migration. */
  readonly migrationUuid: Scalars['UUID']['output'];
  /** Uuid of the instance. */
  readonly instanceUuid: Scalars['UUID']['output'];
  /** The side that the host is on. */
  readonly side: MoveSide;
  /** Its state as found, before any repair. MOVING means that the difference belongs to another step of the move; it is never repaired. */
  readonly state: InstanceState;
  /** What this side should hold in all. At most one for each class. */
  readonly expectedAmounts: ReadonlyArray<RequestedAmount>;
  /** The migration on the source or the instance on the destination, after the audit; null when it has no allocations. */
  readonly consumer?: Maybe<Consumer>;
  /** Whether this audit corrected its allocations. */
  readonly repaired: Scalars['Boolean']['output'];
};

/** The findings and writes of an audit. Preview: it may change. */
export type AuditComputeNodePayload = {
  readonly __typename?: 'AuditComputeNodePayload';
  /** All consumers with allocations in the tree of the node, oldest first; at most 9,000. */
  readonly auditedAllocations?: Maybe<ReadonlyArray<AuditedAllocation>>;
  /** The instances of the host, in the order of the input. */
  readonly auditedInstances?: Maybe<ReadonlyArray<AuditedInstance>>;
  /** The moves, in the order of the input. */
  readonly auditedMoves?: Maybe<ReadonlyArray<AuditedMove>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** All events of this call, in the order of writing: each removal and repair is a write of its own. `event` is the first. */
  readonly events?: Maybe<ReadonlyArray<Event>>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why the audit was refused, or what could not be removed or repaired: the path names the instance. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What is needed. Give exactly one. Preview: it may change. */
export type AskedInput =
  /** A flavor, translated as by flavorToRequest. */
  { readonly flavor: FlavorToRequestInput; readonly request?: never; }
  |  /** A request for candidates; its limits and order do not matter. */
  { readonly flavor?: never; readonly request: CandidatesInput; };

/** What some consumers need. Preview: it may change. */
export type ConsumersRequestInput = {
  /** Uuids of the consumers, at most 10,000. Those that are not on the hosts of the plan do not matter. */
  readonly consumers: ReadonlyArray<Scalars['UUID']['input']>;
  /** What each of them needs. */
  readonly asks: AskedInput;
};

/** What a plan prefers. Only sent by callers: values may be added. Preview: it may change. */
export type PlanGoal =
  /** The least loaded host: drainPlan fills the cloud evenly, rebalancePlan balances its load. */
  | 'SPREAD'
  /** The most loaded host that has room: drainPlan keeps room in one piece, rebalancePlan empties hosts. */
  | 'PACK';

/** Compute nodes to drain. Preview: it may change. */
export type DrainPlanInput = {
  /** Uuids of the compute nodes: 1 to 1,000, with at most 10,000 consumers in their trees. None of them is a destination. */
  readonly computeNodes: ReadonlyArray<Scalars['UUID']['input']>;
  /** Whether destinations are spread or packed. When spreading finds no place for a consumer, packing is tried, too. */
  readonly goal?: InputMaybe<PlanGoal>;
  /** Uuids of further compute nodes that must not be destinations, at most 1,000. */
  readonly excludedComputeNodes?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** What consumers need, at most 1,000 entries. For other consumers it is reconstructed. The amounts that they hold on the root and on pools may come from anywhere in the tree of the destination and its pools; those on each provider below the root come from one provider again, and a different one for each. They also need free PCI devices like those that their host reports as theirs and Placement does not know. The traits that they required are unknown. */
  readonly requests?: InputMaybe<ReadonlyArray<ConsumersRequestInput>>;
  /** Uuids of consumers that must not move, at most 10,000. */
  readonly stayingConsumers?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Traits of the roots of all destinations. COMPUTE_STATUS_DISABLED is always forbidden. */
  readonly rootTraits?: InputMaybe<ReadonlyArray<TraitConditionInput>>;
  /** Aggregates of the roots of all destinations. */
  readonly rootAggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** Uuids of aggregates, such as zones and cells, that no move leaves or enters; at most 1,000. */
  readonly sameAggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Names of the classes that determine the load of a host, which is its highest utilization of any of them. VCPU and MEMORY_MB when omitted. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Server groups of the instances, at most 1,000 with at most 10,000 members in all. Soft policies are not considered. */
  readonly serverGroups?: InputMaybe<ReadonlyArray<ServerGroupInput>>;
  /** Maximum number of moves, 1 to 1,000. */
  readonly maxMoves?: InputMaybe<Scalars['Int']['input']>;
};

/** Compute nodes to rebalance. Preview: it may change. */
export type RebalancePlanInput = {
  /** Uuids of the compute nodes: 1 to 1,000, with at most 10,000 consumers in their trees. Consumers move only among them. */
  readonly computeNodes: ReadonlyArray<Scalars['UUID']['input']>;
  /** Whether to balance their loads or to empty some of them. */
  readonly goal?: InputMaybe<PlanGoal>;
  /** With SPREAD: by how much each move must at least lower the standard deviation of the loads; above 0, at most 1. */
  readonly minGain?: InputMaybe<Scalars['Float']['input']>;
  /** What consumers need, at most 1,000 entries. For the others it is reconstructed, as in drainPlan. */
  readonly requests?: InputMaybe<ReadonlyArray<ConsumersRequestInput>>;
  /** Uuids of consumers that must not move, at most 10,000. */
  readonly stayingConsumers?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Traits of the roots of all destinations. COMPUTE_STATUS_DISABLED is always forbidden. */
  readonly rootTraits?: InputMaybe<ReadonlyArray<TraitConditionInput>>;
  /** Aggregates of the roots of all destinations. */
  readonly rootAggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** Uuids of aggregates, such as zones and cells, that no move leaves or enters; at most 1,000. */
  readonly sameAggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Names of the classes that determine the load of a host, which is its highest utilization of any of them. VCPU and MEMORY_MB when omitted. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Server groups of the instances, at most 1,000 with at most 10,000 members in all. Soft policies are not considered. */
  readonly serverGroups?: InputMaybe<ReadonlyArray<ServerGroupInput>>;
  /** Maximum number of moves, 1 to 1,000. */
  readonly maxMoves?: InputMaybe<Scalars['Int']['input']>;
};

/** What the request of a planned move is based on. Open: values may be added. Preview: it may change. */
export type RequestBasis =
  /** It was given. */
  | 'GIVEN'
  /** It was reconstructed from what the consumer holds, so required traits are unknown. */
  | 'HELD';

/** A move, to be completed before the next one. There is room for it while the source is still held, also on pools. Preview: it may change. */
export type PlannedMove = {
  readonly __typename?: 'PlannedMove';
  /** Uuid of the consumer. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The consumer; null when it no longer has allocations. */
  readonly consumer?: Maybe<Consumer>;
  /** The generation of the consumer that the plan is made for. If it has changed since, plan again. */
  readonly consumerGeneration: Scalars['SafeInt']['output'];
  /** The root that it leaves. */
  readonly from: ResourceProvider;
  /** Where it goes: `claimToken` of its candidate or its `object` is the `selection` of startMigration. Its providers are shown as they are before the plan. */
  readonly selection: Selection;
  /** What `request` is based on. */
  readonly basis: RequestBasis;
  /** What it is supposed to need. */
  readonly request: CandidatesRequest;
  /** What a move of rebalancePlan is worth; null in drainPlan. With SPREAD, by how much the standard deviation of the loads falls. With PACK, the part of a host that it empties: the gains of all moves from one host add up to 1. */
  readonly gain?: Maybe<Scalars['Float']['output']>;
};

/** Why a consumer stays. Open: values may be added. Preview: it may change. */
export type MoveObstacle =
  /** It is one of `stayingConsumers`. */
  | 'STAYING'
  /** It is the source of a move in progress: confirm or revert that first. */
  | 'MOVING'
  /** It stands for the usage of instances from before inventories, which an audit passes on to them: audit the host first. */
  | 'UNTRACKED'
  /** It holds resources in several trees, as during a move or after an evacuation. */
  | 'SEVERAL_HOSTS'
  /** It runs on another host, and only holds what this one shares. */
  | 'ELSEWHERE'
  /** No host can take it after the moves of the plan. */
  | 'NO_DESTINATION'
  /** The budget of the search was too small to decide. */
  | 'UNDECIDED';

/** A consumer that a plan cannot move. Preview: it may change. */
export type StuckConsumer = {
  readonly __typename?: 'StuckConsumer';
  /** Uuid of the consumer. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The consumer; null when it no longer has allocations. */
  readonly consumer?: Maybe<Consumer>;
  /** Why it stays. */
  readonly obstacle: MoveObstacle;
  /** The root that it is on; null unless it is on exactly one. */
  readonly root?: Maybe<ResourceProvider>;
  /** What the request that found no destination is based on. */
  readonly basis: RequestBasis;
  /** Why no host can take it after the moves of the plan, for NO_DESTINATION and UNDECIDED. Null for other obstacles, and beyond the first 20 different requests. */
  readonly explanation?: Maybe<Explanation>;
};

/** How compute nodes would be emptied. Preview: it may change. Rule: `placement:graphql:plans:read`. */
export type DrainPlan = {
  readonly __typename?: 'DrainPlan';
  /** The moves in their order, the largest consumers first; at most `maxMoves`. */
  readonly moves: ReadonlyArray<PlannedMove>;
  /** Consumers that cannot be moved, at most `maxMoves`: those without a destination first. */
  readonly stuck: ReadonlyArray<StuckConsumer>;
  /** How many consumers cannot be moved. */
  readonly stuckCount: Scalars['SafeInt']['output'];
  /** Whether there are more consumers to be moved than `maxMoves`: plan again after these moves. */
  readonly truncated: Scalars['Boolean']['output'];
  /** Parts of the flavors in `requests` that were ignored. At most two warnings for each extra spec and property. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
};

/** How evenly some hosts are loaded. The load of a host is its highest utilization of any of the classes: 1 is full. Preview: it may change. */
export type LoadBalance = {
  readonly __typename?: 'LoadBalance';
  /** The highest load. */
  readonly highest: Scalars['Float']['output'];
  /** The lowest load. */
  readonly lowest: Scalars['Float']['output'];
  /** The mean of the loads. */
  readonly mean: Scalars['Float']['output'];
  /** The standard deviation of the loads. */
  readonly deviation: Scalars['Float']['output'];
};

/** How compute nodes would be rebalanced. Every move yields its gain if the ones before it are made; with PACK, once all moves from its host are made. Preview: it may change. Rule: `placement:graphql:plans:read`. */
export type RebalancePlan = {
  readonly __typename?: 'RebalancePlan';
  /** The moves in their order; at most `maxMoves`. */
  readonly moves: ReadonlyArray<PlannedMove>;
  /** Before the moves. */
  readonly before: LoadBalance;
  /** After all moves. */
  readonly after: LoadBalance;
  /** With PACK: the roots that the moves empty, in this order. At most 1,000. */
  readonly emptied: ReadonlyArray<ResourceProvider>;
  /** Whether more could be gained with more moves than `maxMoves`. */
  readonly truncated: Scalars['Boolean']['output'];
  /** Parts of the flavors in `requests` that were ignored. At most two warnings for each extra spec and property. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
};

/** A host that does not exist. Give exactly one. Preview: it may change. */
export type AddedHostInput =
  /** Like this compute node, given by its uuid: the same tree, traits and aggregates, with nothing in use. */
  { readonly like: Scalars['UUID']['input']; readonly fields?: never; }
  |  /** With these inventories. */
  { readonly like?: never; readonly fields: NewHostFieldsInput; };

/** A host without providers below its root. Preview: it may change. */
export type NewHostFieldsInput = {
  /** Its inventories; classes must be unique. */
  readonly inventories: ReadonlyArray<InventoryInput>;
  /** Names of its traits. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Uuids of its aggregates. Those that do not exist yet are ignored. */
  readonly aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
};

/** Hosts to suppose. Preview: it may change. */
export type AddedHostsInput = {
  /** How many; at most 10,000 in all entries together. */
  readonly count: Scalars['SafeInt']['input'];
  /** What each of them is. */
  readonly each: AddedHostInput;
};

/** A hypothetical change of a provider. Its usage stays. Preview: it may change. */
export type ChangedProviderInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** Inventories to set: those of these classes are replaced, others stay. */
  readonly inventories?: InputMaybe<ReadonlyArray<InventoryInput>>;
  /** Names of classes whose inventories it loses. */
  readonly removedResourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of traits that it gains. */
  readonly addedTraits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of traits that it loses. */
  readonly removedTraits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** What to suppose. Hosts are added first, then changed, then lost. Preview: it may change. */
export type WhatIfInput = {
  /** What should fit. */
  readonly asks: AskedInput;
  /** Hosts that would be added: at most 1,000 entries. */
  readonly added?: InputMaybe<ReadonlyArray<AddedHostsInput>>;
  /** Uuids of compute nodes that would be lost with their trees, at most 1,000. To see where their allocations would go, use drainPlan. */
  readonly lost?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Providers that would be different, at most 1,000. */
  readonly changed?: InputMaybe<ReadonlyArray<ChangedProviderInput>>;
};

/** What added hosts are worth. Preview: it may change. */
export type AddedHostsFit = {
  readonly __typename?: 'AddedHostsFit';
  /** How many of them there are. */
  readonly hostCount: Scalars['SafeInt']['output'];
  /** How many would fit on them, each alone. */
  readonly count: Scalars['SafeInt']['output'];
};

/** How many more fit, now and with the changes. Preview: it may change. Rule: `placement:graphql:candidates:read`. */
export type WhatIf = {
  readonly __typename?: 'WhatIf';
  /** Without the changes. */
  readonly before: Fit;
  /** With the changes. `byRoot` has only hosts that exist. */
  readonly after: Fit;
  /** For each entry of `added`, in the same order. At most 1,000. */
  readonly onAddedHosts: ReadonlyArray<AddedHostsFit>;
  /** Why no more fit with the changes. Costs a search: select it when `after` is 0. */
  readonly explanation: Explanation;
  /** Parts of the flavor that were ignored. At most two warnings for each extra spec and property. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
};

/** Overcommit ratios of a compute node. Omitted, null or 0 means not set. Preview: it may change. */
export type NodeRatiosInput = {
  /** Of VCPU. */
  readonly cpu?: InputMaybe<Scalars['Float']['input']>;
  /** Of MEMORY_MB. */
  readonly ram?: InputMaybe<Scalars['Float']['input']>;
  /** Of DISK_GB. */
  readonly disk?: InputMaybe<Scalars['Float']['input']>;
};

/** A NUMA cell of a compute node: becomes a child provider `<node>_numa_<id>` with NUMA_CORE, NUMA_THREAD and NUMA_MEMORY_MB. Preview: it may change. */
export type NumaCellInput = {
  /** Its number on the host, unique. */
  readonly id: Scalars['Int']['input'];
  /** Cores. */
  readonly cores: Scalars['SafeInt']['input'];
  /** Hardware threads. */
  readonly threads: Scalars['SafeInt']['input'];
  /** Memory in MiB. */
  readonly memoryMb: Scalars['SafeInt']['input'];
  /** Number of its socket. */
  readonly socket?: InputMaybe<Scalars['Int']['input']>;
};

/** A physical GPU that provides virtual GPUs: becomes a child provider `<node>_pci_<address>`. Preview: it may change. */
export type VgpuInput = {
  /** PCI address, such as 0000:84:00.0. */
  readonly address: Scalars['String']['input'];
  /** Number of virtual GPUs of the enabled type; with 0 it has no provider. */
  readonly total: Scalars['SafeInt']['input'];
  /** VGPU when omitted. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Names of traits: those of the last report that are missing are removed, those set by others stay. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Number of its NUMA cell. */
  readonly numaNode?: InputMaybe<Scalars['Int']['input']>;
};

/** A PCI device. Give exactly one. Preview: it may change. */
export type PciDeviceInput =
  /** JSON text of the versioned object PciDevice. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its fields. */
  { readonly object?: never; readonly fields: PciDeviceFieldsInput; };

/** A PCI device, field by field. Preview: it may change. */
export type PciDeviceFieldsInput = {
  /** PCI address, such as 0000:85:00.1. */
  readonly address: Scalars['String']['input'];
  /** Four hexadecimal digits. */
  readonly vendorId: Scalars['String']['input'];
  /** Four hexadecimal digits. */
  readonly productId: Scalars['String']['input'];
  /** type-PCI (when omitted), type-PF, type-VF or vdpa. */
  readonly devType?: InputMaybe<Scalars['String']['input']>;
  /** available (when omitted), claimed, allocated, removed, deleted, unclaimable or unavailable. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /** Number of its NUMA cell. */
  readonly numaNode?: InputMaybe<Scalars['Int']['input']>;
  /** Of a virtual function: the address of its physical function. */
  readonly parentAddress?: InputMaybe<Scalars['String']['input']>;
  /** Of a virtual function: the network interface of its physical function. */
  readonly parentInterface?: InputMaybe<Scalars['String']['input']>;
  /** Whether it is managed remotely, by a SmartNIC. */
  readonly remoteManaged?: InputMaybe<Scalars['Boolean']['input']>;
  /** Uuid of the instance that uses it. */
  readonly instance?: InputMaybe<Scalars['UUID']['input']>;
};

/** A PCI device of a compute node. Preview: it may change. */
export type ReportedPciDeviceInput = {
  /** The device. */
  readonly device: PciDeviceInput;
  /** The operator's tags, at most 100: they distinguish PCI pools, except `resource_class` and `traits`, which go to its provider. `one_time_use` and `live_migratable` mean the same as in nova.conf; a device with `physical_network` has no provider. */
  readonly tags?: InputMaybe<ReadonlyArray<PropertyInput>>;
};

/** A compute node. Give exactly one. Preview: it may change. */
export type ComputeNodeInput =
  /** JSON text of the versioned object ComputeNode. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its fields. */
  { readonly object?: never; readonly fields: ComputeNodeFieldsInput; };

/** A compute node, field by field. Preview: it may change. */
export type ComputeNodeFieldsInput = {
  /** Uuid of the node and its provider. When omitted, the node is looked up by name, or created. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** The host of the service that manages the node. */
  readonly serviceHost: Scalars['String']['input'];
  /** Name of the node and its provider. */
  readonly hypervisorHostname: Scalars['String']['input'];
  /** For example QEMU. */
  readonly hypervisorType?: InputMaybe<Scalars['String']['input']>;
  /** As one number, for example 8002000. */
  readonly hypervisorVersion?: InputMaybe<Scalars['Int']['input']>;
  /** An address of the host. */
  readonly hostIp?: InputMaybe<Scalars['String']['input']>;
  /** The hypervisor's description of the CPUs, as JSON text. */
  readonly cpuInfo?: InputMaybe<Scalars['String']['input']>;
  /** CPUs that instances share. */
  readonly vcpus: Scalars['SafeInt']['input'];
  /** Memory in MiB. */
  readonly memoryMb: Scalars['SafeInt']['input'];
  /** Disk in GiB. */
  readonly localGb: Scalars['SafeInt']['input'];
  /** The ratios configured on the host. They override those of existing inventories. */
  readonly ratios?: InputMaybe<NodeRatiosInput>;
};

/** The report of a compute node. Omitted lists leave what they describe unchanged. Preview: it may change. */
export type ReportComputeNodeInput = {
  /** The node. */
  readonly computeNode: ComputeNodeInput;
  /** CPUs that are dedicated to one instance each. */
  readonly dedicatedCpus?: InputMaybe<Scalars['SafeInt']['input']>;
  /** CPUs reserved for the host; 0 when omitted. */
  readonly reservedCpus?: InputMaybe<Scalars['SafeInt']['input']>;
  /** MiB reserved for the host; 512 when omitted. */
  readonly reservedMemoryMb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** MiB of disk reserved for the host, rounded up to whole GiB; 0 when omitted. */
  readonly reservedDiskMb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Whether instance disks are on storage shared by hosts: then the disk belongs to a storage pool in one of the node's aggregates, once one exists. The write that makes the pool serve the node removes the node's DISK_GB and moves its allocations to the pool, or to the one with the most room of several pools, even beyond its capacity. A write that would move the disks of more than 10,000 consumers is refused with INVALID_INPUT. */
  readonly hasSharedStorage?: InputMaybe<Scalars['Boolean']['input']>;
  /** Ratios for new inventories; 4 for cpu and 1 otherwise when omitted. */
  readonly initialRatios?: InputMaybe<NodeRatiosInput>;
  /** Builds that failed on the host since the last successful one: hosts with many are chosen last. When omitted, `failed_builds` in the stats of the versioned object; without stats, unchanged. */
  readonly failedBuildCount?: InputMaybe<Scalars['SafeInt']['input']>;
  /** All traits that the node reports. Traits set by others stay. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** All NUMA cells: at most 1,000. */
  readonly numaCells?: InputMaybe<ReadonlyArray<NumaCellInput>>;
  /** All physical GPUs that provide virtual GPUs: at most 1,000. */
  readonly vgpus?: InputMaybe<ReadonlyArray<VgpuInput>>;
  /** All contexts of encrypted memory, at most one for each model: they become child providers `<node>_<model>` with MEM_ENCRYPTION_CONTEXT. Contexts and virtual GPUs that the node itself has move, with their allocations, to the children of the first report that has any. */
  readonly memoryEncryption?: InputMaybe<ReadonlyArray<MemoryEncryptionInput>>;
  /** All other inventories of the node itself: of custom classes, such as CUSTOM_PMEM_NAMESPACE_4GB or the class of an Ironic node. Those of classes that others set stay. */
  readonly otherInventories?: InputMaybe<ReadonlyArray<InventoryInput>>;
  /** All PCI devices that instances may use: at most 10,000. */
  readonly pciDevices?: InputMaybe<ReadonlyArray<ReportedPciDeviceInput>>;
  /** Whether each card is a provider of its own, with its virtual functions or itself as devices. Otherwise the node has an inventory of PCI_DEVICE, which counts the devices of type-PCI, and one of SRIOV_NET_VF, which counts the devices of type-VF with a tag `physical_network` and reserves those that are in use without an allocation. Once such providers exist, it must stay true. */
  readonly pciInPlacement?: InputMaybe<Scalars['Boolean']['input']>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What the report changed. Preview: it may change. */
export type ReportComputeNodePayload = {
  readonly __typename?: 'ReportComputeNodePayload';
  /** The node; null when refused. */
  readonly computeNode?: Maybe<ComputeNode>;
  /** False when the report matched the current state and nothing was written. */
  readonly changed: Scalars['Boolean']['output'];
  /** The changes to the tree. */
  readonly changes?: Maybe<ReadonlyArray<EventChange>>;
  /** Inventories whose capacity is now below their usage. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; nothing was changed then. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What happens to the allocations on a deleted compute node, of at most 10,000 consumers. Give exactly one. Preview: it may change. */
export type HandOverInput =
  /** Instances that also hold something on another compute node, as after an evacuation, lose what they hold here, as when Nova deletes the service of a host that never came back. An instance that holds nothing elsewhere keeps what it holds, and the node is not deleted: IN_USE. The same goes for migrations: confirm or revert them. */
  { readonly evacuated: Scalars['True']['input']; readonly computeNode?: never; }
  |  /** Uuid of a compute node that takes over, such as the same host after it came back under another name and uuid. Allocations on the node move there; those on a provider below it move to the provider there with the same name, except that it begins with the name of the new node. The new node must have reported these, with enough room. It keeps its own facts, devices, traits and aggregates. */
  { readonly evacuated?: never; readonly computeNode: Scalars['UUID']['input']; };

/** A compute node that is gone for good. Preview: it may change. */
export type DeleteComputeNodeInput = {
  /** Uuid of the node. */
  readonly computeNode: Scalars['UUID']['input'];
  /** What happens to its remaining allocations. When omitted, the node is deleted only if it has none. */
  readonly handOver?: InputMaybe<HandOverInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The result of the deletion. Preview: it may change. */
export type DeleteComputeNodePayload = {
  readonly __typename?: 'DeleteComputeNodePayload';
  /** Uuid of the deleted node; null when refused. */
  readonly deletedComputeNodeUuid?: Maybe<Scalars['UUID']['output']>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A compute node in the form that Nova kept before inventories. Give exactly one. Preview: it may change. */
export type OldComputeNodeInput =
  /** JSON text of the versioned object ComputeNode. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its fields. */
  { readonly object?: never; readonly fields: OldComputeNodeFieldsInput; };

/** A compute node in the form that Nova kept before inventories, field by field. Preview: it may change. */
export type OldComputeNodeFieldsInput = {
  /** Its uuid; when omitted that of the provider of this name, or a new one. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** The host of the service that manages it. */
  readonly serviceHost?: InputMaybe<Scalars['String']['input']>;
  /** Its name; `serviceHost` when omitted. */
  readonly hypervisorHostname?: InputMaybe<Scalars['String']['input']>;
  /** For example QEMU. */
  readonly hypervisorType?: InputMaybe<Scalars['String']['input']>;
  /** As one number. */
  readonly hypervisorVersion?: InputMaybe<Scalars['Int']['input']>;
  /** An address of the host. */
  readonly hostIp?: InputMaybe<Scalars['String']['input']>;
  /** The hypervisor's description of the CPUs, as JSON text. */
  readonly cpuInfo?: InputMaybe<Scalars['String']['input']>;
  /** JSON text of the pools of its PCI devices, in any form that Nova has stored: the versioned object PciDevicePoolList, a dict, or a list of dicts. */
  readonly pciStats?: InputMaybe<Scalars['String']['input']>;
  /** CPUs. */
  readonly vcpus?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Memory in MiB. */
  readonly memoryMb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Disk in GiB. */
  readonly localGb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** CPUs in use, including those reserved for the host. */
  readonly vcpusUsed?: InputMaybe<Scalars['SafeInt']['input']>;
  /** MiB in use, including those reserved for the host. */
  readonly memoryMbUsed?: InputMaybe<Scalars['SafeInt']['input']>;
  /** GiB in use, including those reserved for the host. */
  readonly localGbUsed?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Number of instances. */
  readonly runningVms?: InputMaybe<Scalars['SafeInt']['input']>;
  /** 0 for not set. */
  readonly cpuAllocationRatio?: InputMaybe<Scalars['Float']['input']>;
  /** 0 for not set. */
  readonly ramAllocationRatio?: InputMaybe<Scalars['Float']['input']>;
  /** 0 for not set. */
  readonly diskAllocationRatio?: InputMaybe<Scalars['Float']['input']>;
};

/** Old records to import. Preview: it may change. */
export type ImportComputeNodesInput = {
  /** The records: 1 to 1,000. Nodes that already exist stay unchanged. */
  readonly records: ReadonlyArray<OldComputeNodeInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The result of the import. Preview: it may change. */
export type ImportComputeNodesPayload = {
  readonly __typename?: 'ImportComputeNodesPayload';
  /** Number of new records. */
  readonly imported?: Maybe<Scalars['SafeInt']['output']>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A compute node in the form that Nova kept before inventories: what is reserved for the host counts as used, and overcommit is not applied. Its provider has the numbers of Placement. Preview: it may change. Rule: `placement:graphql:compute_nodes:read`. */
export type ComputeNode = Node & {
  readonly __typename?: 'ComputeNode';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** Its uuid, which is also that of its provider. */
  readonly uuid: Scalars['UUID']['output'];
  /** Its name. */
  readonly hypervisorHostname: Scalars['String']['output'];
  /** The host of the service that manages it; null when that has never reported. */
  readonly serviceHost?: Maybe<Scalars['String']['output']>;
  /** When it last reported, to within ten minutes: unchanged reports are recorded no more often. Null when it never did. */
  readonly reportedAt?: Maybe<Scalars['DateTime']['output']>;
  /** For example QEMU. */
  readonly hypervisorType?: Maybe<Scalars['String']['output']>;
  /** As one number. */
  readonly hypervisorVersion?: Maybe<Scalars['Int']['output']>;
  /** CPUs. */
  readonly vcpus: Scalars['SafeInt']['output'];
  /** CPUs in use. */
  readonly vcpusUsed: Scalars['SafeInt']['output'];
  /** Memory in MiB. */
  readonly memoryMb: Scalars['SafeInt']['output'];
  /** MiB in use. */
  readonly memoryMbUsed: Scalars['SafeInt']['output'];
  /** MiB not in use; negative when overcommitted. */
  readonly freeRamMb: Scalars['SafeInt']['output'];
  /** Its own disk in GiB. For shared storage, see `resourceProvider.sharedPools`. */
  readonly localGb: Scalars['SafeInt']['output'];
  /** GiB in use of its own disk. */
  readonly localGbUsed: Scalars['SafeInt']['output'];
  /** GiB of its own disk not in use; negative when overcommitted. */
  readonly freeDiskGb: Scalars['SafeInt']['output'];
  /** Number of instances with allocations on it. */
  readonly runningVms: Scalars['SafeInt']['output'];
  /** Overcommit ratio of CPUs; 0 when not set. */
  readonly cpuAllocationRatio: Scalars['Float']['output'];
  /** Overcommit ratio of memory; 0 when not set. */
  readonly ramAllocationRatio: Scalars['Float']['output'];
  /** Overcommit ratio of its own disk; 0 when not set. */
  readonly diskAllocationRatio: Scalars['Float']['output'];
  /** False when it is known only from an imported record, from which its numbers then come. */
  readonly hasInventories: Scalars['Boolean']['output'];
  /** Its provider; null while it is known only from an imported record. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The current pools of its free PCI devices, those with the fewest keys first. At most one for each device. */
  readonly pciDevicePools: ReadonlyArray<PciDevicePool>;
  /** The same pools as JSON text, in the form of the os-pci extension. */
  readonly pciStats: Scalars['String']['output'];
  /** Whether its free PCI devices can serve all of these requests together, as Nova's scheduler decides: a card and its functions are never both assigned. Reserves nothing. */
  readonly supportsPciRequests: Scalars['Boolean']['output'];
  /** JSON text of the versioned object ComputeNode, with its pools. */
  readonly object: Scalars['String']['output'];
};


/** A compute node in the form that Nova kept before inventories: what is reserved for the host counts as used, and overcommit is not applied. Its provider has the numbers of Placement. Preview: it may change. Rule: `placement:graphql:compute_nodes:read`. */
export type ComputeNodeSupportsPciRequestsArgs = {
  requests: ReadonlyArray<PciRequestInput>;
  numaCells?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** A compute node in the form that Nova kept before inventories: what is reserved for the host counts as used, and overcommit is not applied. Its provider has the numbers of Placement. Preview: it may change. Rule: `placement:graphql:compute_nodes:read`. */
export type ComputeNodeObjectArgs = {
  version?: InputMaybe<Scalars['String']['input']>;
  manifest?: InputMaybe<ReadonlyArray<ObjectVersionInput>>;
};

/** How a host encrypts the memory of instances. Only sent by callers: values may be added. Preview: it may change. */
export type MemoryEncryptionModel =
  /** AMD SEV. Its provider has the trait HW_CPU_X86_AMD_SEV. */
  | 'AMD_SEV'
  /** AMD SEV-ES, which encrypts registers too. Its provider has the trait HW_CPU_X86_AMD_SEV_ES. */
  | 'AMD_SEV_ES';

/** Contexts of encrypted memory. Preview: it may change. */
export type MemoryEncryptionInput = {
  /** Their model. */
  readonly model: MemoryEncryptionModel;
  /** Number of instances that can use it at once; with 0 it has no provider. */
  readonly total: Scalars['SafeInt']['input'];
};

/** The newest version of a versioned object that a receiver understands. Preview: it may change. */
export type ObjectVersionInput = {
  /** Name of the object, such as PciDevicePool. */
  readonly name: Scalars['String']['input'];
  /** Such as 1.1. */
  readonly version: Scalars['String']['input'];
};

/** PCI devices of one kind that an instance asks for. Preview: it may change. */
export type PciRequestInput = {
  /** Number of devices, at least 1. */
  readonly count: Scalars['SafeInt']['input'];
  /** Kinds of devices, one of which each device must match as a whole: at most 100. */
  readonly alternatives: ReadonlyArray<PciDeviceKindInput>;
  /** How near they must be to the cells of the instance; LEGACY when omitted. */
  readonly numaPolicy?: InputMaybe<PciNumaPolicy>;
  /** Uuids of the cards that Placement has allocated, one entry for each device. When omitted, devices of any card will do. At most 1,000. */
  readonly resourceProviders?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
};

/** A kind of PCI devices; what is omitted does not matter. Preview: it may change. */
export type PciDeviceKindInput = {
  /** Four hexadecimal digits. */
  readonly vendorId?: InputMaybe<Scalars['String']['input']>;
  /** Four hexadecimal digits. */
  readonly productId?: InputMaybe<Scalars['String']['input']>;
  /** type-PCI, type-PF, type-VF or vdpa. Physical functions and vdpa devices serve only requests that name their type. */
  readonly deviceType?: InputMaybe<Scalars['String']['input']>;
  /** Tags of the device specification, such as physical_network or live_migratable, ignoring case. Devices that are managed remotely serve only requests for them (remote_managed: true). At most 100. */
  readonly tags?: InputMaybe<ReadonlyArray<PropertyInput>>;
};

/** How near PCI devices must be to the NUMA cells of an instance. Only sent by callers: values may be added. Preview: it may change. */
export type PciNumaPolicy =
  /** In the cells of the instance. */
  | 'REQUIRED'
  /** In the cells of the instance, or without a known cell. */
  | 'LEGACY'
  /** Anywhere; near ones first. */
  | 'PREFERRED'
  /** In the sockets of the cells of the instance. */
  | 'SOCKET';

/** Conditions on a compute node; all that are given must hold. Preview: it may change. */
export type ComputeNodeFilterInput = {
  /** One of these uuids; at most 1,000. */
  readonly uuids?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** One of these names; at most 1,000. */
  readonly names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Name contains this text, ignoring case. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Name begins with this text, ignoring case. No wildcards. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Managed by the service on one of these hosts; at most 1,000. */
  readonly hosts?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Last reported after this moment; the time of a report is known to within ten minutes. Nodes that never reported match neither this nor `reportedBefore`. */
  readonly reportedAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last reported before this moment, such as an hour ago: nodes that have been silent since. */
  readonly reportedBefore?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Fields that compute nodes are ordered by. Ties are broken by uuid, because imported records have no time of creation. Only sent by callers: values may be added. Preview: it may change. */
export type ComputeNodeOrderField =
  /** By name. */
  | 'NAME'
  /** By the host of the service that manages it; nodes without one come last in both directions. */
  | 'HOST';

/** A sort key of compute nodes. Preview: it may change. */
export type ComputeNodeOrderInput = {
  /** The sort field. */
  readonly field: ComputeNodeOrderField;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** Compute nodes, a page at a time. Preview: it may change. Rule: `placement:graphql:compute_nodes:read`. */
export type ComputeNodeConnection = {
  readonly __typename?: 'ComputeNodeConnection';
  /** The nodes of the page. */
  readonly nodes: ReadonlyArray<ComputeNode>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<ComputeNodeEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A compute node and its place in a list. Preview: it may change. Rule: `placement:graphql:compute_nodes:read`. */
export type ComputeNodeEdge = {
  readonly __typename?: 'ComputeNodeEdge';
  /** Its place. */
  readonly cursor: Scalars['String']['output'];
  /** The compute node. */
  readonly node: ComputeNode;
};

/** A pool of interchangeable free PCI devices. Preview: it may change. Rule: `placement:graphql:compute_nodes:read`. */
export type PciDevicePool = {
  readonly __typename?: 'PciDevicePool';
  /** Four hexadecimal digits. */
  readonly vendorId: Scalars['String']['output'];
  /** Four hexadecimal digits. */
  readonly productId: Scalars['String']['output'];
  /** Number of their NUMA cell; null when they have none. */
  readonly numaNode?: Maybe<Scalars['Int']['output']>;
  /** Their other common properties, including `dev_type`. A small list: the operator's tags. */
  readonly tags: ReadonlyArray<Property>;
  /** Number of free devices. */
  readonly count: Scalars['SafeInt']['output'];
};

/** A Nova service on a host, as last reported. Preview: it may change. Rule: `placement:graphql:services:read`. */
export type Service = Node & {
  readonly __typename?: 'Service';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The host that it runs on. */
  readonly host: Scalars['String']['output'];
  /** For example nova-compute. */
  readonly binary: Scalars['String']['output'];
  /** Rises with its releases; 0 when it has not reported one. */
  readonly version: Scalars['Int']['output'];
  /** Whether it gets no new instances. */
  readonly disabled: Scalars['Boolean']['output'];
  /** Why it is disabled. */
  readonly disabledReason?: Maybe<Scalars['String']['output']>;
  /** Whether it is known to be dead, whatever it reports: it gets no new instances, and its version does not count. */
  readonly forcedDown: Scalars['Boolean']['output'];
  /** When any of this last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** A page of services. Preview: it may change. Rule: `placement:graphql:services:read`. */
export type ServiceConnection = {
  readonly __typename?: 'ServiceConnection';
  /** The services of the page. */
  readonly nodes: ReadonlyArray<Service>;
  /** The services of the page with their cursors. */
  readonly edges: ReadonlyArray<ServiceEdge>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of elements in the whole list. Counted only when selected. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A service and its place in the list. Preview: it may change. Rule: `placement:graphql:services:read`. */
export type ServiceEdge = {
  readonly __typename?: 'ServiceEdge';
  /** Opaque cursor of this element. */
  readonly cursor: Scalars['String']['output'];
  /** The service. */
  readonly node: Service;
};

/** Fields that services are ordered by. Ties are broken by the order of the first reports. Only sent by callers: values may be added. Preview: it may change. */
export type ServiceOrderField =
  /** By host. */
  | 'HOST'
  /** By version: in ascending order, the services that still have to be upgraded come first. */
  | 'VERSION'
  /** By the moment when the service last changed. */
  | 'UPDATED_AT';

/** A sort key of services. Preview: it may change. */
export type ServiceOrderInput = {
  /** The sort field. */
  readonly field: ServiceOrderField;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

/** Conditions on a service; all that are given must hold. Preview: it may change. */
export type ServiceFilterInput = {
  /** On one of these hosts; at most 1,000. */
  readonly hosts?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Host contains this text, ignoring case. No wildcards. */
  readonly hostContains?: InputMaybe<Scalars['String']['input']>;
  /** Host begins with this text, ignoring case. No wildcards. */
  readonly hostStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** One of these programs, such as nova-compute; at most 1,000. */
  readonly binaries?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Version is lower than this. */
  readonly versionBelow?: InputMaybe<Scalars['Int']['input']>;
  /** Disabled, or not. */
  readonly disabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Forced down, or not. */
  readonly forcedDown?: InputMaybe<Scalars['Boolean']['input']>;
  /** Last changed after this moment. */
  readonly updatedAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last changed before this moment. */
  readonly updatedBefore?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A Nova service on a host. Give exactly one. Preview: it may change. */
export type ServiceInput =
  /** JSON text of the versioned object Service. One that is deleted is removed. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its fields. */
  { readonly object?: never; readonly fields: ServiceFieldsInput; };

/** A Nova service on a host, field by field. Preview: it may change. */
export type ServiceFieldsInput = {
  /** The host that it runs on. */
  readonly host: Scalars['String']['input'];
  /** For example nova-compute. */
  readonly binary: Scalars['String']['input'];
  /** Rises with its releases. Unchanged when omitted; 0 for a new service. */
  readonly version?: InputMaybe<Scalars['Int']['input']>;
  /** Whether it gets no new instances. Unchanged when omitted. */
  readonly disabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Why it is disabled, at most 255 characters. Unchanged when omitted; removed when the service is enabled. */
  readonly disabledReason?: InputMaybe<Scalars['String']['input']>;
  /** Whether it is known to be dead, whatever it reports. Unchanged when omitted. */
  readonly forcedDown?: InputMaybe<Scalars['Boolean']['input']>;
};

/** What is known of a service. Behaviour that every compute must support depends on the lowest version. Preview: it may change. */
export type ReportServiceInput = {
  /** The service. */
  readonly service: ServiceInput;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What the report changed. Preview: it may change. */
export type ReportServicePayload = {
  readonly __typename?: 'ReportServicePayload';
  /** False when the report matched the current state and nothing was written. */
  readonly changed: Scalars['Boolean']['output'];
  /** The lowest nova-compute version after this call, as in Query.minimumComputeVersion. */
  readonly minimumComputeVersion?: Maybe<Scalars['Int']['output']>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A service that was removed for good. Preview: it may change. */
export type DeleteServiceInput = {
  /** The host where it ran. */
  readonly host: Scalars['String']['input'];
  /** For example nova-compute. */
  readonly binary: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The deleted service, or why it still has a record. Preview: it may change. */
export type DeleteServicePayload = {
  readonly __typename?: 'DeleteServicePayload';
  /** The host of the service; null when refused. */
  readonly deletedServiceHost?: Maybe<Scalars['String']['output']>;
  /** The lowest nova-compute version after this call, as in Query.minimumComputeVersion. */
  readonly minimumComputeVersion?: Maybe<Scalars['Int']['output']>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Hosts whose storage turned out to be shared: their disk allocations move to the pool. Preview: it may change. */
export type AdoptSharedStorageInput = {
  /** Uuid of the pool: a sharing provider with room for all of them. */
  readonly pool: Scalars['UUID']['input'];
  /** Uuids of the compute nodes with disks on the pool: 1 to 1,000. Their own DISK_GB inventory is deleted. */
  readonly computeNodes: ReadonlyArray<Scalars['UUID']['input']>;
  /** Uuids of instances whose disks stay on their host, such as local disks of an instance booted from a volume. Their hosts keep DISK_GB. */
  readonly stayingInstances?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What was moved, or why nothing was. Preview: it may change. */
export type AdoptSharedStoragePayload = {
  readonly __typename?: 'AdoptSharedStoragePayload';
  /** Uuids of the consumers whose disk allocation is now on the pool. */
  readonly movedConsumerUuids?: Maybe<ReadonlyArray<Scalars['UUID']['output']>>;
  /** The affected providers, with their new generations. */
  readonly resourceProviders?: Maybe<ReadonlyArray<ResourceProvider>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors lists (at most 100). */
  readonly truncated: Scalars['Boolean']['output'];
  /** The reasons for a refusal; empty on success. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** The report of a pool that does not belong to a single host, such as shared storage or the addresses of a network segment. Preview: it may change. */
export type ReportPoolInput = {
  /** Uuid of its provider. When omitted, the pool is looked up by name, or created. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** Its name. */
  readonly name: Scalars['String']['input'];
  /** All its inventories. */
  readonly inventories: ReadonlyArray<InventoryInput>;
  /** All its aggregates: it serves the hosts in any of them. Unchanged when omitted; at most 1,000. */
  readonly aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** All its traits, except the sharing trait and that of its owner. Unchanged when omitted. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The owner trait of the service that owns it; OWNER_NOVA when omitted. */
  readonly owner?: InputMaybe<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What the report changed. Preview: it may change. */
export type ReportPoolPayload = {
  readonly __typename?: 'ReportPoolPayload';
  /** The pool; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** False when the report matched the current state and nothing was written. */
  readonly changed: Scalars['Boolean']['output'];
  /** Inventories whose capacity is now below their usage. */
  readonly warnings?: Maybe<ReadonlyArray<Warning>>;
  /** The ledger event of this write; null when nothing was written. */
  readonly event?: Maybe<Event>;
  /** Whether this is the stored answer of an earlier call with the same idempotencyKey: this call wrote nothing. */
  readonly replayed: Scalars['Boolean']['output'];
  /** The reasons for a refusal; nothing was changed then. */
  readonly userErrors: ReadonlyArray<UserError>;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;



/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  SearchMatch:
    | ( Provider )
    | ( ConsumerRow )
    | ( AggregateRow )
    | ( ProjectParent )
    | ( ResourceClassRow )
    | ( TraitRow )
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node:
    | ( Provider )
    | ( InventoryRow )
    | ( ResourceClassRow )
    | ( TraitRow )
    | ( AggregateRow )
    | ( ConsumerRow )
    | ( ProjectParent )
    | ( UserParent )
    | ( LedgerEvent )
    | ( ComputeNodeRow )
    | ( ServiceRow )
  ;
  EventChange:
    | ( ResourceProviderChangeRow )
    | ( ConsumerChangeRow )
    | ( AggregateChangeRow )
    | ( TraitChange )
    | ( ResourceClassChange )
    | ( ServiceChange )
    | ( DeviceChangeRow )
    | ( RecordChange )
  ;
  UserError:
    | ( ProblemShown<InvalidInput> )
    | ( ProblemShown<IdempotencyKeyReused> )
    | ( ProblemShown<Forbidden> )
    | ( ProblemShown<NotFound> )
    | ( ProblemShown<Omit<Duplicate, 'existing'> & { existing?: Maybe<_RefType['Node']> }> )
    | ( ProblemShown<StandardName> )
    | ( ProblemShown<ConsumerConflict> )
    | ( ProblemShown<Omit<ProviderConflict, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<SelectionConflict> )
    | ( ProblemShown<ParentLoop> )
    | ( ProblemShown<Omit<HasChildren, 'children'> & { children?: Maybe<ReadonlyArray<Maybe<_RefType['ResourceProvider']>>> }> )
    | ( ProblemShown<Omit<InUse, 'by'> & { by?: Maybe<ReadonlyArray<Maybe<_RefType['Node']>>> }> )
    | ( ProblemShown<Omit<NoInventory, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<Omit<UnitViolation, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<Omit<CapacityExceeded, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<Omit<AffinityViolation, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<Omit<NoCandidates, 'explanation'> & { explanation?: Maybe<_RefType['Explanation']> }> )
  ;
  Warning:
    | ( ShrunkInventory )
    | ( RequestWarningRow )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  UUID: ResolverTypeWrapper<Scalars['UUID']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  SafeInt: ResolverTypeWrapper<Scalars['SafeInt']['output']>;
  True: ResolverTypeWrapper<Scalars['True']['output']>;
  IntColumn: ResolverTypeWrapper<Scalars['IntColumn']['output']>;
  TextColumn: ResolverTypeWrapper<Scalars['TextColumn']['output']>;
  IntListColumn: ResolverTypeWrapper<Scalars['IntListColumn']['output']>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  OrderDirection: OrderDirection;
  IfExists: IfExists;
  ResourceAmount: ResolverTypeWrapper<Omit<ResourceAmount, 'resourceClass'> & { resourceClass: ResolversTypes['ResourceClass'] }>;
  ResourceAmountInput: ResourceAmountInput;
  ResourceProvider: ResolverTypeWrapper<Provider>;
  SharedPool: ResolverTypeWrapper<SharedPoolRow>;
  ResourceProviderConnection: ResolverTypeWrapper<ProviderPage>;
  ResourceProviderEdge: ResolverTypeWrapper<Omit<ResourceProviderEdge, 'node'> & { node: ResolversTypes['ResourceProvider'] }>;
  Scope: Scope;
  ResourceProviderFilterInput: ResourceProviderFilterInput;
  ClassRangeInput: ClassRangeInput;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  CountRangeInput: CountRangeInput;
  TraitConditionInput: TraitConditionInput;
  AggregateConditionInput: AggregateConditionInput;
  ResourceProviderOrderField: ResourceProviderOrderField;
  ResourceProviderOrderInput: ResourceProviderOrderInput;
  ExpectationInput: ExpectationInput;
  CreateResourceProviderInput: CreateResourceProviderInput;
  CreateResourceProviderPayload: ResolverTypeWrapper<Omit<CreateResourceProviderPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  NewParentInput: NewParentInput;
  UpdateResourceProviderInput: UpdateResourceProviderInput;
  ResourceProviderPayload: ResolverTypeWrapper<Omit<ResourceProviderPayload, 'resourceProvider' | 'warnings' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DeleteResourceProviderInput: DeleteResourceProviderInput;
  DeleteResourceProviderPayload: ResolverTypeWrapper<Omit<DeleteResourceProviderPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Inventory: ResolverTypeWrapper<InventoryRow>;
  InventoryConnection: ResolverTypeWrapper<InventoryPage>;
  InventoryEdge: ResolverTypeWrapper<Omit<InventoryEdge, 'node'> & { node: ResolversTypes['Inventory'] }>;
  InventoryOrderField: InventoryOrderField;
  InventoryOrderInput: InventoryOrderInput;
  ResourceTotal: ResolverTypeWrapper<ResourceTotalRow>;
  Totals: ResolverTypeWrapper<CapacityRow>;
  InventoryInput: InventoryInput;
  ReplaceInventoriesInput: ReplaceInventoriesInput;
  SetInventoryInput: SetInventoryInput;
  SetInventoryPayload: ResolverTypeWrapper<Omit<SetInventoryPayload, 'resourceProvider' | 'inventory' | 'warnings' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, inventory?: Maybe<ResolversTypes['Inventory']>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ExpectedResourceProviderInput: ExpectedResourceProviderInput;
  PatchSelectionInput: PatchSelectionInput;
  InventoryPatchInput: InventoryPatchInput;
  PatchInventoriesInput: PatchInventoriesInput;
  InventoryRecord: ResolverTypeWrapper<InventoryRecord>;
  InventoryChange: ResolverTypeWrapper<InventoryChange>;
  PatchInventoriesPayload: ResolverTypeWrapper<Omit<PatchInventoriesPayload, 'changes' | 'warnings' | 'event' | 'userErrors'> & { changes?: Maybe<ReadonlyArray<ResolversTypes['ResourceProviderChange']>>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DeleteInventoryInput: DeleteInventoryInput;
  ResourceClass: ResolverTypeWrapper<ResourceClassRow>;
  ResourceClassFilterInput: ResourceClassFilterInput;
  ResourceClassConnection: ResolverTypeWrapper<ResourceClassPage>;
  ResourceClassEdge: ResolverTypeWrapper<Omit<ResourceClassEdge, 'node'> & { node: ResolversTypes['ResourceClass'] }>;
  CreateResourceClassInput: CreateResourceClassInput;
  CreateResourceClassPayload: ResolverTypeWrapper<Omit<CreateResourceClassPayload, 'resourceClass' | 'event' | 'userErrors'> & { resourceClass?: Maybe<ResolversTypes['ResourceClass']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DeleteResourceClassInput: DeleteResourceClassInput;
  DeleteResourceClassPayload: ResolverTypeWrapper<Omit<DeleteResourceClassPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Trait: ResolverTypeWrapper<TraitRow>;
  TraitFilterInput: TraitFilterInput;
  NameOrderField: NameOrderField;
  NameOrderInput: NameOrderInput;
  TraitConnection: ResolverTypeWrapper<TraitPage>;
  TraitEdge: ResolverTypeWrapper<Omit<TraitEdge, 'node'> & { node: ResolversTypes['Trait'] }>;
  ReplaceTraitsInput: ReplaceTraitsInput;
  PatchTraitsInput: PatchTraitsInput;
  PatchTraitsPayload: ResolverTypeWrapper<Omit<PatchTraitsPayload, 'changes' | 'event' | 'userErrors'> & { changes?: Maybe<ReadonlyArray<ResolversTypes['ResourceProviderChange']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  CreateTraitInput: CreateTraitInput;
  CreateTraitPayload: ResolverTypeWrapper<Omit<CreateTraitPayload, 'trait' | 'event' | 'userErrors'> & { trait?: Maybe<ResolversTypes['Trait']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DeleteTraitInput: DeleteTraitInput;
  DeleteTraitPayload: ResolverTypeWrapper<Omit<DeleteTraitPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Aggregate: ResolverTypeWrapper<AggregateRow>;
  AggregateFilterInput: AggregateFilterInput;
  AggregateOrderField: AggregateOrderField;
  AggregateOrderInput: AggregateOrderInput;
  AggregateConnection: ResolverTypeWrapper<AggregatePage>;
  AggregateEdge: ResolverTypeWrapper<Omit<AggregateEdge, 'node'> & { node: ResolversTypes['Aggregate'] }>;
  ReplaceAggregatesInput: ReplaceAggregatesInput;
  NameAggregateInput: NameAggregateInput;
  NameAggregatePayload: ResolverTypeWrapper<Omit<NameAggregatePayload, 'aggregate' | 'event' | 'userErrors'> & { aggregate?: Maybe<ResolversTypes['Aggregate']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Consumer: ResolverTypeWrapper<ConsumerRow>;
  ConsumerConnection: ResolverTypeWrapper<ConsumerPage>;
  ConsumerEdge: ResolverTypeWrapper<Omit<ConsumerEdge, 'node'> & { node: ResolversTypes['Consumer'] }>;
  ConsumerOrderField: ConsumerOrderField;
  ConsumerOrderInput: ConsumerOrderInput;
  ConsumerFilterInput: ConsumerFilterInput;
  Allocation: ResolverTypeWrapper<AllocationRow>;
  AllocationConnection: ResolverTypeWrapper<AllocationPage>;
  AllocationEdge: ResolverTypeWrapper<Omit<AllocationEdge, 'node'> & { node: ResolversTypes['Allocation'] }>;
  AllocationOrderField: AllocationOrderField;
  AllocationOrderInput: AllocationOrderInput;
  AllocationFilterInput: AllocationFilterInput;
  ConsumerExpectationInput: ConsumerExpectationInput;
  AllocationInput: AllocationInput;
  AllocationSourceInput: AllocationSourceInput;
  ConsumerAllocationsInput: ConsumerAllocationsInput;
  ReplaceAllocationsInput: ReplaceAllocationsInput;
  ReplaceAllocationsPayload: ResolverTypeWrapper<Omit<ReplaceAllocationsPayload, 'consumers' | 'resourceProviders' | 'event' | 'userErrors'> & { consumers?: Maybe<ReadonlyArray<Maybe<ResolversTypes['Consumer']>>>, resourceProviders?: Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ReleaseConsumerInput: ReleaseConsumerInput;
  ReleaseAllocationsInput: ReleaseAllocationsInput;
  ReleaseAllocationsPayload: ResolverTypeWrapper<Omit<ReleaseAllocationsPayload, 'resourceProviders' | 'event' | 'userErrors'> & { resourceProviders?: Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Project: ResolverTypeWrapper<ProjectParent>;
  ProjectFilterInput: ProjectFilterInput;
  ProjectOrderField: ProjectOrderField;
  ProjectOrderInput: ProjectOrderInput;
  ProjectConnection: ResolverTypeWrapper<ProjectPage>;
  ProjectEdge: ResolverTypeWrapper<Omit<ProjectEdge, 'node'> & { node: ResolversTypes['Project'] }>;
  User: ResolverTypeWrapper<UserParent>;
  UsageOrderField: UsageOrderField;
  UsageOrderInput: UsageOrderInput;
  UsageKey: UsageKey;
  Usage: ResolverTypeWrapper<UsageRow>;
  UsageConnection: ResolverTypeWrapper<UsagePage>;
  UsageEdge: ResolverTypeWrapper<Omit<UsageEdge, 'node'> & { node: ResolversTypes['Usage'] }>;
  CloudMap: ResolverTypeWrapper<CloudMapRow>;
  CloudMapClass: ResolverTypeWrapper<CloudMapClassRow>;
  SearchResult: ResolverTypeWrapper<Omit<SearchResult, 'matches'> & { matches: ReadonlyArray<ResolversTypes['SearchMatch']> }>;
  SearchMatch: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['SearchMatch']>;
  FeedStart: FeedStart;
  Event: ResolverTypeWrapper<LedgerEvent>;
  AuthenticationMethod: AuthenticationMethod;
  EventKind: EventKind;
  EventOrderField: EventOrderField;
  EventOrderInput: EventOrderInput;
  EventFilterInput: EventFilterInput;
  ChangeAction: ChangeAction;
  EventChange: ResolverTypeWrapper<EventChangeRow>;
  ResourceProviderChange: ResolverTypeWrapper<ResourceProviderChangeRow>;
  ConsumerChange: ResolverTypeWrapper<ConsumerChangeRow>;
  AggregateChange: ResolverTypeWrapper<AggregateChangeRow>;
  TraitChange: ResolverTypeWrapper<TraitChange>;
  ResourceClassChange: ResolverTypeWrapper<ResourceClassChange>;
  ServiceChange: ResolverTypeWrapper<ServiceChange>;
  DeviceChange: ResolverTypeWrapper<DeviceChangeRow>;
  RecordChange: ResolverTypeWrapper<RecordChange>;
  TextChange: ResolverTypeWrapper<TextChange>;
  NumberChange: ResolverTypeWrapper<NumberChange>;
  UuidChange: ResolverTypeWrapper<UuidChange>;
  AllocationChange: ResolverTypeWrapper<AllocationChangeRow>;
  FactChange: ResolverTypeWrapper<FactChange>;
  EventConnection: ResolverTypeWrapper<EventPage>;
  EventEdge: ResolverTypeWrapper<Omit<EventEdge, 'node'> & { node: ResolversTypes['Event'] }>;
  EventChangeConnection: ResolverTypeWrapper<EventChangePage>;
  EventChangeEdge: ResolverTypeWrapper<Omit<EventChangeEdge, 'node'> & { node: ResolversTypes['EventChange'] }>;
  UuidConnection: ResolverTypeWrapper<UuidPage>;
  UuidEdge: ResolverTypeWrapper<UuidEdge>;
  ClaimHistory: ResolverTypeWrapper<Omit<ClaimHistory, 'periods'> & { periods: ReadonlyArray<ResolversTypes['ClaimPeriod']> }>;
  ClaimPeriod: ResolverTypeWrapper<ClaimPeriodRow>;
  CloudUsageSample: ResolverTypeWrapper<Omit<CloudUsageSample, 'ownUsages' | 'sharedUsages'> & { ownUsages: ReadonlyArray<ResolversTypes['PastUsage']>, sharedUsages: ReadonlyArray<ResolversTypes['PastUsage']> }>;
  UsageHistorySubjectInput: UsageHistorySubjectInput;
  PastState: ResolverTypeWrapper<PastStateRow>;
  PastResourceProvider: ResolverTypeWrapper<PastProvider>;
  PastConsumerConnection: ResolverTypeWrapper<PastConsumerPage>;
  PastConsumerEdge: ResolverTypeWrapper<Omit<PastConsumerEdge, 'node'> & { node: ResolversTypes['PastConsumer'] }>;
  PastInventory: ResolverTypeWrapper<PastInventoryRow>;
  PastConsumer: ResolverTypeWrapper<PastConsumerRow>;
  PastAllocation: ResolverTypeWrapper<HeldAllocation>;
  UsageHistory: ResolverTypeWrapper<Omit<UsageHistory, 'samples'> & { samples: ReadonlyArray<ResolversTypes['UsageSample']> }>;
  UsageSample: ResolverTypeWrapper<UsageSampleRow>;
  PastUsage: ResolverTypeWrapper<UsageAt>;
  EventBatch: ResolverTypeWrapper<EventBatchRow>;
  CloudMapChange: ResolverTypeWrapper<CloudMapChangeRow>;
  CloudMapHosts: ResolverTypeWrapper<CloudMapHosts>;
  GroupPolicy: GroupPolicy;
  CandidateOrderField: CandidateOrderField;
  CandidateOrderInput: CandidateOrderInput;
  ClassWeightInput: ClassWeightInput;
  RequestGroupInput: RequestGroupInput;
  SameSubtreeInput: SameSubtreeInput;
  CandidatesInput: CandidatesInput;
  AllocationCandidates: ResolverTypeWrapper<FoundCandidates>;
  AllocationCandidate: ResolverTypeWrapper<FoundCandidate>;
  CandidateAllocation: ResolverTypeWrapper<FoundAllocation>;
  GroupMapping: ResolverTypeWrapper<FoundMapping>;
  Explanation: ResolverTypeWrapper<ExplanationRow>;
  ExplanationStepKind: ExplanationStepKind;
  ExplanationStep: ResolverTypeWrapper<ExplanationStepRow>;
  NearestMiss: ResolverTypeWrapper<NearestMissRow>;
  Fit: ResolverTypeWrapper<FitRow>;
  RootFit: ResolverTypeWrapper<Omit<RootFit, 'root'> & { root: ResolversTypes['ResourceProvider'] }>;
  AggregateFit: ResolverTypeWrapper<Omit<AggregateFit, 'aggregate'> & { aggregate: ResolversTypes['Aggregate'] }>;
  RootFitConnection: ResolverTypeWrapper<RootFitPage>;
  RootFitEdge: ResolverTypeWrapper<Omit<RootFitEdge, 'node'> & { node: ResolversTypes['RootFit'] }>;
  AggregateFitConnection: ResolverTypeWrapper<AggregateFitPage>;
  AggregateFitEdge: ResolverTypeWrapper<Omit<AggregateFitEdge, 'node'> & { node: ResolversTypes['AggregateFit'] }>;
  ClaimConsumerInput: ClaimConsumerInput;
  ClaimMode: ClaimMode;
  ClaimInput: ClaimInput;
  ClaimPayload: ResolverTypeWrapper<Omit<ClaimPayload, 'claims' | 'resourceProviders' | 'event' | 'userErrors'> & { claims?: Maybe<ReadonlyArray<ResolversTypes['Claim']>>, resourceProviders?: Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Claim: ResolverTypeWrapper<ClaimedConsumer>;
  ReshapeProviderInput: ReshapeProviderInput;
  ReshapeInput: ReshapeInput;
  ReshapePayload: ResolverTypeWrapper<Omit<ReshapePayload, 'resourceProviders' | 'consumers' | 'warnings' | 'event' | 'userErrors'> & { resourceProviders?: Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, consumers?: Maybe<ReadonlyArray<Maybe<ResolversTypes['Consumer']>>>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DesiredProviderInput: DesiredProviderInput;
  ApplyProviderTreeInput: ApplyProviderTreeInput;
  ApplyProviderTreePayload: ResolverTypeWrapper<Omit<ApplyProviderTreePayload, 'root' | 'changes' | 'warnings' | 'event' | 'userErrors'> & { root?: Maybe<ResolversTypes['ResourceProvider']>, changes?: Maybe<ReadonlyArray<ResolversTypes['EventChange']>>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Retry: Retry;
  UserErrorCode: UserErrorCode;
  Noun: Noun;
  UserError: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['UserError']>;
  InvalidInput: ResolverTypeWrapper<ProblemShown<InvalidInput>>;
  IdempotencyKeyReused: ResolverTypeWrapper<ProblemShown<IdempotencyKeyReused>>;
  Forbidden: ResolverTypeWrapper<ProblemShown<Forbidden>>;
  NotFound: ResolverTypeWrapper<ProblemShown<NotFound>>;
  Duplicate: ResolverTypeWrapper<ProblemShown<Omit<Duplicate, 'existing'> & { existing?: Maybe<ResolversTypes['Node']> }>>;
  StandardName: ResolverTypeWrapper<ProblemShown<StandardName>>;
  ConsumerConflict: ResolverTypeWrapper<ProblemShown<ConsumerConflict>>;
  ProviderConflict: ResolverTypeWrapper<ProblemShown<Omit<ProviderConflict, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  SelectionConflict: ResolverTypeWrapper<ProblemShown<SelectionConflict>>;
  ParentLoop: ResolverTypeWrapper<ProblemShown<ParentLoop>>;
  HasChildren: ResolverTypeWrapper<ProblemShown<Omit<HasChildren, 'children'> & { children?: Maybe<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>> }>>;
  InUse: ResolverTypeWrapper<ProblemShown<Omit<InUse, 'by'> & { by?: Maybe<ReadonlyArray<Maybe<ResolversTypes['Node']>>> }>>;
  NoInventory: ResolverTypeWrapper<ProblemShown<Omit<NoInventory, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  UnitViolation: ResolverTypeWrapper<ProblemShown<Omit<UnitViolation, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  CapacityExceeded: ResolverTypeWrapper<ProblemShown<Omit<CapacityExceeded, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  AffinityViolation: ResolverTypeWrapper<ProblemShown<Omit<AffinityViolation, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  NoCandidates: ResolverTypeWrapper<ProblemShown<Omit<NoCandidates, 'explanation'> & { explanation?: Maybe<ResolversTypes['Explanation']> }>>;
  WarningCode: WarningCode;
  Warning: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Warning']>;
  ShrunkBelowUse: ResolverTypeWrapper<ShrunkInventory>;
  RequestWarning: ResolverTypeWrapper<RequestWarningRow>;
  ServiceInfo: ResolverTypeWrapper<ServiceInfo>;
  Limit: ResolverTypeWrapper<Limit>;
  Viewer: ResolverTypeWrapper<Viewer>;
  ViewerRule: ResolverTypeWrapper<ViewerRule>;
  RuleReach: RuleReach;
  PropertyInput: PropertyInput;
  FlavorInput: FlavorInput;
  FlavorFieldsInput: FlavorFieldsInput;
  FlavorToRequestInput: FlavorToRequestInput;
  PortInput: PortInput;
  DeviceProfileGroupInput: DeviceProfileGroupInput;
  PciRequestsInput: PciRequestsInput;
  PciAliasInput: PciAliasInput;
  PrefiltersInput: PrefiltersInput;
  HostAggregateInput: HostAggregateInput;
  RequestSpecToRequestInput: RequestSpecToRequestInput;
  FlavorRequest: ResolverTypeWrapper<Omit<FlavorRequest, 'warnings'> & { warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>> }>;
  CandidatesRequest: ResolverTypeWrapper<CandidatesRequest>;
  SameSubtree: ResolverTypeWrapper<SameSubtree>;
  CandidatesRequestGroup: ResolverTypeWrapper<CandidatesRequestGroup>;
  RequestedAmount: ResolverTypeWrapper<RequestedAmount>;
  TraitCondition: ResolverTypeWrapper<TraitCondition>;
  AggregateCondition: ResolverTypeWrapper<AggregateCondition>;
  Property: ResolverTypeWrapper<Property>;
  DestinationSeekerInput: DestinationSeekerInput;
  DestinationRequestInput: DestinationRequestInput;
  HostNameInput: HostNameInput;
  HostChoiceInput: HostChoiceInput;
  CellChoiceInput: CellChoiceInput;
  ServerGroupPolicy: ServerGroupPolicy;
  ServerGroupInput: ServerGroupInput;
  ServerGroupFieldsInput: ServerGroupFieldsInput;
  WeightMultipliersInput: WeightMultipliersInput;
  FailedBuildsInput: FailedBuildsInput;
  SelectDestinationsInput: SelectDestinationsInput;
  Selection: ResolverTypeWrapper<SelectionRow>;
  InstanceDestinations: ResolverTypeWrapper<Omit<InstanceDestinations, 'instance' | 'migration' | 'selected' | 'alternates'> & { instance: ResolversTypes['Consumer'], migration?: Maybe<ResolversTypes['Consumer']>, selected: ResolversTypes['Selection'], alternates: ReadonlyArray<ResolversTypes['Selection']> }>;
  SelectDestinationsPayload: ResolverTypeWrapper<Omit<SelectDestinationsPayload, 'destinations' | 'warnings' | 'event' | 'userErrors'> & { destinations?: Maybe<ReadonlyArray<ResolversTypes['InstanceDestinations']>>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  SelectionInput: SelectionInput;
  ClaimAlternateInput: ClaimAlternateInput;
  ClaimAlternatePayload: ResolverTypeWrapper<Omit<ClaimAlternatePayload, 'instance' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversTypes['Consumer']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  InstancePciDeviceInput: InstancePciDeviceInput;
  InstanceInput: InstanceInput;
  InstanceFieldsInput: InstanceFieldsInput;
  ClaimInstanceInput: ClaimInstanceInput;
  ClaimInstancePayload: ResolverTypeWrapper<Omit<ClaimInstancePayload, 'instance' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversTypes['Consumer']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  MigrationInput: MigrationInput;
  MigrationFieldsInput: MigrationFieldsInput;
  StartMigrationInput: StartMigrationInput;
  MigrationPayload: ResolverTypeWrapper<Omit<MigrationPayload, 'instance' | 'migration' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversTypes['Consumer']>, migration?: Maybe<ResolversTypes['Consumer']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ConfirmMigrationInput: ConfirmMigrationInput;
  RevertMigrationInput: RevertMigrationInput;
  KnownInstanceInput: KnownInstanceInput;
  HostedInstanceInput: HostedInstanceInput;
  MoveSide: MoveSide;
  AuditedMoveInput: AuditedMoveInput;
  AuditComputeNodeInput: AuditComputeNodeInput;
  AllocationVerdict: AllocationVerdict;
  AllocationReason: AllocationReason;
  AuditedAllocation: ResolverTypeWrapper<AuditedAllocationRow>;
  InstanceState: InstanceState;
  AuditedInstance: ResolverTypeWrapper<AuditedInstanceRow>;
  AuditedMove: ResolverTypeWrapper<AuditedMoveRow>;
  AuditComputeNodePayload: ResolverTypeWrapper<Omit<AuditComputeNodePayload, 'auditedAllocations' | 'auditedInstances' | 'auditedMoves' | 'event' | 'events' | 'userErrors'> & { auditedAllocations?: Maybe<ReadonlyArray<ResolversTypes['AuditedAllocation']>>, auditedInstances?: Maybe<ReadonlyArray<ResolversTypes['AuditedInstance']>>, auditedMoves?: Maybe<ReadonlyArray<ResolversTypes['AuditedMove']>>, event?: Maybe<ResolversTypes['Event']>, events?: Maybe<ReadonlyArray<ResolversTypes['Event']>>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  AskedInput: AskedInput;
  ConsumersRequestInput: ConsumersRequestInput;
  PlanGoal: PlanGoal;
  DrainPlanInput: DrainPlanInput;
  RebalancePlanInput: RebalancePlanInput;
  RequestBasis: RequestBasis;
  PlannedMove: ResolverTypeWrapper<PlannedMoveRow>;
  MoveObstacle: MoveObstacle;
  StuckConsumer: ResolverTypeWrapper<StuckConsumerRow>;
  DrainPlan: ResolverTypeWrapper<Omit<DrainPlan, 'moves' | 'stuck' | 'warnings'> & { moves: ReadonlyArray<ResolversTypes['PlannedMove']>, stuck: ReadonlyArray<ResolversTypes['StuckConsumer']>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>> }>;
  LoadBalance: ResolverTypeWrapper<LoadBalance>;
  RebalancePlan: ResolverTypeWrapper<Omit<RebalancePlan, 'moves' | 'emptied' | 'warnings'> & { moves: ReadonlyArray<ResolversTypes['PlannedMove']>, emptied: ReadonlyArray<ResolversTypes['ResourceProvider']>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>> }>;
  AddedHostInput: AddedHostInput;
  NewHostFieldsInput: NewHostFieldsInput;
  AddedHostsInput: AddedHostsInput;
  ChangedProviderInput: ChangedProviderInput;
  WhatIfInput: WhatIfInput;
  AddedHostsFit: ResolverTypeWrapper<AddedHostsFit>;
  WhatIf: ResolverTypeWrapper<WhatIfRow>;
  NodeRatiosInput: NodeRatiosInput;
  NumaCellInput: NumaCellInput;
  VgpuInput: VgpuInput;
  PciDeviceInput: PciDeviceInput;
  PciDeviceFieldsInput: PciDeviceFieldsInput;
  ReportedPciDeviceInput: ReportedPciDeviceInput;
  ComputeNodeInput: ComputeNodeInput;
  ComputeNodeFieldsInput: ComputeNodeFieldsInput;
  ReportComputeNodeInput: ReportComputeNodeInput;
  ReportComputeNodePayload: ResolverTypeWrapper<Omit<ReportComputeNodePayload, 'computeNode' | 'changes' | 'warnings' | 'event' | 'userErrors'> & { computeNode?: Maybe<ResolversTypes['ComputeNode']>, changes?: Maybe<ReadonlyArray<ResolversTypes['EventChange']>>, warnings?: Maybe<ReadonlyArray<ResolversTypes['Warning']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  HandOverInput: HandOverInput;
  DeleteComputeNodeInput: DeleteComputeNodeInput;
  DeleteComputeNodePayload: ResolverTypeWrapper<Omit<DeleteComputeNodePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  OldComputeNodeInput: OldComputeNodeInput;
  OldComputeNodeFieldsInput: OldComputeNodeFieldsInput;
  ImportComputeNodesInput: ImportComputeNodesInput;
  ImportComputeNodesPayload: ResolverTypeWrapper<Omit<ImportComputeNodesPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ComputeNode: ResolverTypeWrapper<ComputeNodeRow>;
  MemoryEncryptionModel: MemoryEncryptionModel;
  MemoryEncryptionInput: MemoryEncryptionInput;
  ObjectVersionInput: ObjectVersionInput;
  PciRequestInput: PciRequestInput;
  PciDeviceKindInput: PciDeviceKindInput;
  PciNumaPolicy: PciNumaPolicy;
  ComputeNodeFilterInput: ComputeNodeFilterInput;
  ComputeNodeOrderField: ComputeNodeOrderField;
  ComputeNodeOrderInput: ComputeNodeOrderInput;
  ComputeNodeConnection: ResolverTypeWrapper<ComputeNodePage>;
  ComputeNodeEdge: ResolverTypeWrapper<Omit<ComputeNodeEdge, 'node'> & { node: ResolversTypes['ComputeNode'] }>;
  PciDevicePool: ResolverTypeWrapper<StoredPool>;
  Service: ResolverTypeWrapper<ServiceRow>;
  ServiceConnection: ResolverTypeWrapper<ServicePage>;
  ServiceEdge: ResolverTypeWrapper<Omit<ServiceEdge, 'node'> & { node: ResolversTypes['Service'] }>;
  ServiceOrderField: ServiceOrderField;
  ServiceOrderInput: ServiceOrderInput;
  ServiceFilterInput: ServiceFilterInput;
  ServiceInput: ServiceInput;
  ServiceFieldsInput: ServiceFieldsInput;
  ReportServiceInput: ReportServiceInput;
  ReportServicePayload: ResolverTypeWrapper<Omit<ReportServicePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DeleteServiceInput: DeleteServiceInput;
  DeleteServicePayload: ResolverTypeWrapper<Omit<DeleteServicePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  AdoptSharedStorageInput: AdoptSharedStorageInput;
  AdoptSharedStoragePayload: ResolverTypeWrapper<Omit<AdoptSharedStoragePayload, 'resourceProviders' | 'event' | 'userErrors'> & { resourceProviders?: Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ReportPoolInput: ReportPoolInput;
  ReportPoolPayload: ResolverTypeWrapper<ReportedPool>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Query: Record<PropertyKey, never>;
  ID: Scalars['ID']['output'];
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  UUID: Scalars['UUID']['output'];
  DateTime: Scalars['DateTime']['output'];
  SafeInt: Scalars['SafeInt']['output'];
  True: Scalars['True']['output'];
  IntColumn: Scalars['IntColumn']['output'];
  TextColumn: Scalars['TextColumn']['output'];
  IntListColumn: Scalars['IntListColumn']['output'];
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  PageInfo: PageInfo;
  Boolean: Scalars['Boolean']['output'];
  ResourceAmount: Omit<ResourceAmount, 'resourceClass'> & { resourceClass: ResolversParentTypes['ResourceClass'] };
  ResourceAmountInput: ResourceAmountInput;
  ResourceProvider: Provider;
  SharedPool: SharedPoolRow;
  ResourceProviderConnection: ProviderPage;
  ResourceProviderEdge: Omit<ResourceProviderEdge, 'node'> & { node: ResolversParentTypes['ResourceProvider'] };
  ResourceProviderFilterInput: ResourceProviderFilterInput;
  ClassRangeInput: ClassRangeInput;
  Float: Scalars['Float']['output'];
  CountRangeInput: CountRangeInput;
  TraitConditionInput: TraitConditionInput;
  AggregateConditionInput: AggregateConditionInput;
  ResourceProviderOrderInput: ResourceProviderOrderInput;
  ExpectationInput: ExpectationInput;
  CreateResourceProviderInput: CreateResourceProviderInput;
  CreateResourceProviderPayload: Omit<CreateResourceProviderPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  NewParentInput: NewParentInput;
  UpdateResourceProviderInput: UpdateResourceProviderInput;
  ResourceProviderPayload: Omit<ResourceProviderPayload, 'resourceProvider' | 'warnings' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DeleteResourceProviderInput: DeleteResourceProviderInput;
  DeleteResourceProviderPayload: Omit<DeleteResourceProviderPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Inventory: InventoryRow;
  InventoryConnection: InventoryPage;
  InventoryEdge: Omit<InventoryEdge, 'node'> & { node: ResolversParentTypes['Inventory'] };
  InventoryOrderInput: InventoryOrderInput;
  ResourceTotal: ResourceTotalRow;
  Totals: CapacityRow;
  InventoryInput: InventoryInput;
  ReplaceInventoriesInput: ReplaceInventoriesInput;
  SetInventoryInput: SetInventoryInput;
  SetInventoryPayload: Omit<SetInventoryPayload, 'resourceProvider' | 'inventory' | 'warnings' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, inventory?: Maybe<ResolversParentTypes['Inventory']>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ExpectedResourceProviderInput: ExpectedResourceProviderInput;
  PatchSelectionInput: PatchSelectionInput;
  InventoryPatchInput: InventoryPatchInput;
  PatchInventoriesInput: PatchInventoriesInput;
  InventoryRecord: InventoryRecord;
  InventoryChange: InventoryChange;
  PatchInventoriesPayload: Omit<PatchInventoriesPayload, 'changes' | 'warnings' | 'event' | 'userErrors'> & { changes?: Maybe<ReadonlyArray<ResolversParentTypes['ResourceProviderChange']>>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DeleteInventoryInput: DeleteInventoryInput;
  ResourceClass: ResourceClassRow;
  ResourceClassFilterInput: ResourceClassFilterInput;
  ResourceClassConnection: ResourceClassPage;
  ResourceClassEdge: Omit<ResourceClassEdge, 'node'> & { node: ResolversParentTypes['ResourceClass'] };
  CreateResourceClassInput: CreateResourceClassInput;
  CreateResourceClassPayload: Omit<CreateResourceClassPayload, 'resourceClass' | 'event' | 'userErrors'> & { resourceClass?: Maybe<ResolversParentTypes['ResourceClass']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DeleteResourceClassInput: DeleteResourceClassInput;
  DeleteResourceClassPayload: Omit<DeleteResourceClassPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Trait: TraitRow;
  TraitFilterInput: TraitFilterInput;
  NameOrderInput: NameOrderInput;
  TraitConnection: TraitPage;
  TraitEdge: Omit<TraitEdge, 'node'> & { node: ResolversParentTypes['Trait'] };
  ReplaceTraitsInput: ReplaceTraitsInput;
  PatchTraitsInput: PatchTraitsInput;
  PatchTraitsPayload: Omit<PatchTraitsPayload, 'changes' | 'event' | 'userErrors'> & { changes?: Maybe<ReadonlyArray<ResolversParentTypes['ResourceProviderChange']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  CreateTraitInput: CreateTraitInput;
  CreateTraitPayload: Omit<CreateTraitPayload, 'trait' | 'event' | 'userErrors'> & { trait?: Maybe<ResolversParentTypes['Trait']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DeleteTraitInput: DeleteTraitInput;
  DeleteTraitPayload: Omit<DeleteTraitPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Aggregate: AggregateRow;
  AggregateFilterInput: AggregateFilterInput;
  AggregateOrderInput: AggregateOrderInput;
  AggregateConnection: AggregatePage;
  AggregateEdge: Omit<AggregateEdge, 'node'> & { node: ResolversParentTypes['Aggregate'] };
  ReplaceAggregatesInput: ReplaceAggregatesInput;
  NameAggregateInput: NameAggregateInput;
  NameAggregatePayload: Omit<NameAggregatePayload, 'aggregate' | 'event' | 'userErrors'> & { aggregate?: Maybe<ResolversParentTypes['Aggregate']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Consumer: ConsumerRow;
  ConsumerConnection: ConsumerPage;
  ConsumerEdge: Omit<ConsumerEdge, 'node'> & { node: ResolversParentTypes['Consumer'] };
  ConsumerOrderInput: ConsumerOrderInput;
  ConsumerFilterInput: ConsumerFilterInput;
  Allocation: AllocationRow;
  AllocationConnection: AllocationPage;
  AllocationEdge: Omit<AllocationEdge, 'node'> & { node: ResolversParentTypes['Allocation'] };
  AllocationOrderInput: AllocationOrderInput;
  AllocationFilterInput: AllocationFilterInput;
  ConsumerExpectationInput: ConsumerExpectationInput;
  AllocationInput: AllocationInput;
  AllocationSourceInput: AllocationSourceInput;
  ConsumerAllocationsInput: ConsumerAllocationsInput;
  ReplaceAllocationsInput: ReplaceAllocationsInput;
  ReplaceAllocationsPayload: Omit<ReplaceAllocationsPayload, 'consumers' | 'resourceProviders' | 'event' | 'userErrors'> & { consumers?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['Consumer']>>>, resourceProviders?: Maybe<ReadonlyArray<ResolversParentTypes['ResourceProvider']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ReleaseConsumerInput: ReleaseConsumerInput;
  ReleaseAllocationsInput: ReleaseAllocationsInput;
  ReleaseAllocationsPayload: Omit<ReleaseAllocationsPayload, 'resourceProviders' | 'event' | 'userErrors'> & { resourceProviders?: Maybe<ReadonlyArray<ResolversParentTypes['ResourceProvider']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Project: ProjectParent;
  ProjectFilterInput: ProjectFilterInput;
  ProjectOrderInput: ProjectOrderInput;
  ProjectConnection: ProjectPage;
  ProjectEdge: Omit<ProjectEdge, 'node'> & { node: ResolversParentTypes['Project'] };
  User: UserParent;
  UsageOrderInput: UsageOrderInput;
  Usage: UsageRow;
  UsageConnection: UsagePage;
  UsageEdge: Omit<UsageEdge, 'node'> & { node: ResolversParentTypes['Usage'] };
  CloudMap: CloudMapRow;
  CloudMapClass: CloudMapClassRow;
  SearchResult: Omit<SearchResult, 'matches'> & { matches: ReadonlyArray<ResolversParentTypes['SearchMatch']> };
  SearchMatch: ResolversUnionTypes<ResolversParentTypes>['SearchMatch'];
  Event: LedgerEvent;
  EventOrderInput: EventOrderInput;
  EventFilterInput: EventFilterInput;
  EventChange: EventChangeRow;
  ResourceProviderChange: ResourceProviderChangeRow;
  ConsumerChange: ConsumerChangeRow;
  AggregateChange: AggregateChangeRow;
  TraitChange: TraitChange;
  ResourceClassChange: ResourceClassChange;
  ServiceChange: ServiceChange;
  DeviceChange: DeviceChangeRow;
  RecordChange: RecordChange;
  TextChange: TextChange;
  NumberChange: NumberChange;
  UuidChange: UuidChange;
  AllocationChange: AllocationChangeRow;
  FactChange: FactChange;
  EventConnection: EventPage;
  EventEdge: Omit<EventEdge, 'node'> & { node: ResolversParentTypes['Event'] };
  EventChangeConnection: EventChangePage;
  EventChangeEdge: Omit<EventChangeEdge, 'node'> & { node: ResolversParentTypes['EventChange'] };
  UuidConnection: UuidPage;
  UuidEdge: UuidEdge;
  ClaimHistory: Omit<ClaimHistory, 'periods'> & { periods: ReadonlyArray<ResolversParentTypes['ClaimPeriod']> };
  ClaimPeriod: ClaimPeriodRow;
  CloudUsageSample: Omit<CloudUsageSample, 'ownUsages' | 'sharedUsages'> & { ownUsages: ReadonlyArray<ResolversParentTypes['PastUsage']>, sharedUsages: ReadonlyArray<ResolversParentTypes['PastUsage']> };
  UsageHistorySubjectInput: UsageHistorySubjectInput;
  PastState: PastStateRow;
  PastResourceProvider: PastProvider;
  PastConsumerConnection: PastConsumerPage;
  PastConsumerEdge: Omit<PastConsumerEdge, 'node'> & { node: ResolversParentTypes['PastConsumer'] };
  PastInventory: PastInventoryRow;
  PastConsumer: PastConsumerRow;
  PastAllocation: HeldAllocation;
  UsageHistory: Omit<UsageHistory, 'samples'> & { samples: ReadonlyArray<ResolversParentTypes['UsageSample']> };
  UsageSample: UsageSampleRow;
  PastUsage: UsageAt;
  EventBatch: EventBatchRow;
  CloudMapChange: CloudMapChangeRow;
  CloudMapHosts: CloudMapHosts;
  CandidateOrderInput: CandidateOrderInput;
  ClassWeightInput: ClassWeightInput;
  RequestGroupInput: RequestGroupInput;
  SameSubtreeInput: SameSubtreeInput;
  CandidatesInput: CandidatesInput;
  AllocationCandidates: FoundCandidates;
  AllocationCandidate: FoundCandidate;
  CandidateAllocation: FoundAllocation;
  GroupMapping: FoundMapping;
  Explanation: ExplanationRow;
  ExplanationStep: ExplanationStepRow;
  NearestMiss: NearestMissRow;
  Fit: FitRow;
  RootFit: Omit<RootFit, 'root'> & { root: ResolversParentTypes['ResourceProvider'] };
  AggregateFit: Omit<AggregateFit, 'aggregate'> & { aggregate: ResolversParentTypes['Aggregate'] };
  RootFitConnection: RootFitPage;
  RootFitEdge: Omit<RootFitEdge, 'node'> & { node: ResolversParentTypes['RootFit'] };
  AggregateFitConnection: AggregateFitPage;
  AggregateFitEdge: Omit<AggregateFitEdge, 'node'> & { node: ResolversParentTypes['AggregateFit'] };
  ClaimConsumerInput: ClaimConsumerInput;
  ClaimInput: ClaimInput;
  ClaimPayload: Omit<ClaimPayload, 'claims' | 'resourceProviders' | 'event' | 'userErrors'> & { claims?: Maybe<ReadonlyArray<ResolversParentTypes['Claim']>>, resourceProviders?: Maybe<ReadonlyArray<ResolversParentTypes['ResourceProvider']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Claim: ClaimedConsumer;
  ReshapeProviderInput: ReshapeProviderInput;
  ReshapeInput: ReshapeInput;
  ReshapePayload: Omit<ReshapePayload, 'resourceProviders' | 'consumers' | 'warnings' | 'event' | 'userErrors'> & { resourceProviders?: Maybe<ReadonlyArray<ResolversParentTypes['ResourceProvider']>>, consumers?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['Consumer']>>>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DesiredProviderInput: DesiredProviderInput;
  ApplyProviderTreeInput: ApplyProviderTreeInput;
  ApplyProviderTreePayload: Omit<ApplyProviderTreePayload, 'root' | 'changes' | 'warnings' | 'event' | 'userErrors'> & { root?: Maybe<ResolversParentTypes['ResourceProvider']>, changes?: Maybe<ReadonlyArray<ResolversParentTypes['EventChange']>>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  UserError: ResolversInterfaceTypes<ResolversParentTypes>['UserError'];
  InvalidInput: ProblemShown<InvalidInput>;
  IdempotencyKeyReused: ProblemShown<IdempotencyKeyReused>;
  Forbidden: ProblemShown<Forbidden>;
  NotFound: ProblemShown<NotFound>;
  Duplicate: ProblemShown<Omit<Duplicate, 'existing'> & { existing?: Maybe<ResolversParentTypes['Node']> }>;
  StandardName: ProblemShown<StandardName>;
  ConsumerConflict: ProblemShown<ConsumerConflict>;
  ProviderConflict: ProblemShown<Omit<ProviderConflict, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  SelectionConflict: ProblemShown<SelectionConflict>;
  ParentLoop: ProblemShown<ParentLoop>;
  HasChildren: ProblemShown<Omit<HasChildren, 'children'> & { children?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['ResourceProvider']>>> }>;
  InUse: ProblemShown<Omit<InUse, 'by'> & { by?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['Node']>>> }>;
  NoInventory: ProblemShown<Omit<NoInventory, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  UnitViolation: ProblemShown<Omit<UnitViolation, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  CapacityExceeded: ProblemShown<Omit<CapacityExceeded, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  AffinityViolation: ProblemShown<Omit<AffinityViolation, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  NoCandidates: ProblemShown<Omit<NoCandidates, 'explanation'> & { explanation?: Maybe<ResolversParentTypes['Explanation']> }>;
  Warning: ResolversInterfaceTypes<ResolversParentTypes>['Warning'];
  ShrunkBelowUse: ShrunkInventory;
  RequestWarning: RequestWarningRow;
  ServiceInfo: ServiceInfo;
  Limit: Limit;
  Viewer: Viewer;
  ViewerRule: ViewerRule;
  PropertyInput: PropertyInput;
  FlavorInput: FlavorInput;
  FlavorFieldsInput: FlavorFieldsInput;
  FlavorToRequestInput: FlavorToRequestInput;
  PortInput: PortInput;
  DeviceProfileGroupInput: DeviceProfileGroupInput;
  PciRequestsInput: PciRequestsInput;
  PciAliasInput: PciAliasInput;
  PrefiltersInput: PrefiltersInput;
  HostAggregateInput: HostAggregateInput;
  RequestSpecToRequestInput: RequestSpecToRequestInput;
  FlavorRequest: Omit<FlavorRequest, 'warnings'> & { warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>> };
  CandidatesRequest: CandidatesRequest;
  SameSubtree: SameSubtree;
  CandidatesRequestGroup: CandidatesRequestGroup;
  RequestedAmount: RequestedAmount;
  TraitCondition: TraitCondition;
  AggregateCondition: AggregateCondition;
  Property: Property;
  DestinationSeekerInput: DestinationSeekerInput;
  DestinationRequestInput: DestinationRequestInput;
  HostNameInput: HostNameInput;
  HostChoiceInput: HostChoiceInput;
  CellChoiceInput: CellChoiceInput;
  ServerGroupInput: ServerGroupInput;
  ServerGroupFieldsInput: ServerGroupFieldsInput;
  WeightMultipliersInput: WeightMultipliersInput;
  FailedBuildsInput: FailedBuildsInput;
  SelectDestinationsInput: SelectDestinationsInput;
  Selection: SelectionRow;
  InstanceDestinations: Omit<InstanceDestinations, 'instance' | 'migration' | 'selected' | 'alternates'> & { instance: ResolversParentTypes['Consumer'], migration?: Maybe<ResolversParentTypes['Consumer']>, selected: ResolversParentTypes['Selection'], alternates: ReadonlyArray<ResolversParentTypes['Selection']> };
  SelectDestinationsPayload: Omit<SelectDestinationsPayload, 'destinations' | 'warnings' | 'event' | 'userErrors'> & { destinations?: Maybe<ReadonlyArray<ResolversParentTypes['InstanceDestinations']>>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  SelectionInput: SelectionInput;
  ClaimAlternateInput: ClaimAlternateInput;
  ClaimAlternatePayload: Omit<ClaimAlternatePayload, 'instance' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversParentTypes['Consumer']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  InstancePciDeviceInput: InstancePciDeviceInput;
  InstanceInput: InstanceInput;
  InstanceFieldsInput: InstanceFieldsInput;
  ClaimInstanceInput: ClaimInstanceInput;
  ClaimInstancePayload: Omit<ClaimInstancePayload, 'instance' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversParentTypes['Consumer']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  MigrationInput: MigrationInput;
  MigrationFieldsInput: MigrationFieldsInput;
  StartMigrationInput: StartMigrationInput;
  MigrationPayload: Omit<MigrationPayload, 'instance' | 'migration' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversParentTypes['Consumer']>, migration?: Maybe<ResolversParentTypes['Consumer']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ConfirmMigrationInput: ConfirmMigrationInput;
  RevertMigrationInput: RevertMigrationInput;
  KnownInstanceInput: KnownInstanceInput;
  HostedInstanceInput: HostedInstanceInput;
  AuditedMoveInput: AuditedMoveInput;
  AuditComputeNodeInput: AuditComputeNodeInput;
  AuditedAllocation: AuditedAllocationRow;
  AuditedInstance: AuditedInstanceRow;
  AuditedMove: AuditedMoveRow;
  AuditComputeNodePayload: Omit<AuditComputeNodePayload, 'auditedAllocations' | 'auditedInstances' | 'auditedMoves' | 'event' | 'events' | 'userErrors'> & { auditedAllocations?: Maybe<ReadonlyArray<ResolversParentTypes['AuditedAllocation']>>, auditedInstances?: Maybe<ReadonlyArray<ResolversParentTypes['AuditedInstance']>>, auditedMoves?: Maybe<ReadonlyArray<ResolversParentTypes['AuditedMove']>>, event?: Maybe<ResolversParentTypes['Event']>, events?: Maybe<ReadonlyArray<ResolversParentTypes['Event']>>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  AskedInput: AskedInput;
  ConsumersRequestInput: ConsumersRequestInput;
  DrainPlanInput: DrainPlanInput;
  RebalancePlanInput: RebalancePlanInput;
  PlannedMove: PlannedMoveRow;
  StuckConsumer: StuckConsumerRow;
  DrainPlan: Omit<DrainPlan, 'moves' | 'stuck' | 'warnings'> & { moves: ReadonlyArray<ResolversParentTypes['PlannedMove']>, stuck: ReadonlyArray<ResolversParentTypes['StuckConsumer']>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>> };
  LoadBalance: LoadBalance;
  RebalancePlan: Omit<RebalancePlan, 'moves' | 'emptied' | 'warnings'> & { moves: ReadonlyArray<ResolversParentTypes['PlannedMove']>, emptied: ReadonlyArray<ResolversParentTypes['ResourceProvider']>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>> };
  AddedHostInput: AddedHostInput;
  NewHostFieldsInput: NewHostFieldsInput;
  AddedHostsInput: AddedHostsInput;
  ChangedProviderInput: ChangedProviderInput;
  WhatIfInput: WhatIfInput;
  AddedHostsFit: AddedHostsFit;
  WhatIf: WhatIfRow;
  NodeRatiosInput: NodeRatiosInput;
  NumaCellInput: NumaCellInput;
  VgpuInput: VgpuInput;
  PciDeviceInput: PciDeviceInput;
  PciDeviceFieldsInput: PciDeviceFieldsInput;
  ReportedPciDeviceInput: ReportedPciDeviceInput;
  ComputeNodeInput: ComputeNodeInput;
  ComputeNodeFieldsInput: ComputeNodeFieldsInput;
  ReportComputeNodeInput: ReportComputeNodeInput;
  ReportComputeNodePayload: Omit<ReportComputeNodePayload, 'computeNode' | 'changes' | 'warnings' | 'event' | 'userErrors'> & { computeNode?: Maybe<ResolversParentTypes['ComputeNode']>, changes?: Maybe<ReadonlyArray<ResolversParentTypes['EventChange']>>, warnings?: Maybe<ReadonlyArray<ResolversParentTypes['Warning']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  HandOverInput: HandOverInput;
  DeleteComputeNodeInput: DeleteComputeNodeInput;
  DeleteComputeNodePayload: Omit<DeleteComputeNodePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  OldComputeNodeInput: OldComputeNodeInput;
  OldComputeNodeFieldsInput: OldComputeNodeFieldsInput;
  ImportComputeNodesInput: ImportComputeNodesInput;
  ImportComputeNodesPayload: Omit<ImportComputeNodesPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ComputeNode: ComputeNodeRow;
  MemoryEncryptionInput: MemoryEncryptionInput;
  ObjectVersionInput: ObjectVersionInput;
  PciRequestInput: PciRequestInput;
  PciDeviceKindInput: PciDeviceKindInput;
  ComputeNodeFilterInput: ComputeNodeFilterInput;
  ComputeNodeOrderInput: ComputeNodeOrderInput;
  ComputeNodeConnection: ComputeNodePage;
  ComputeNodeEdge: Omit<ComputeNodeEdge, 'node'> & { node: ResolversParentTypes['ComputeNode'] };
  PciDevicePool: StoredPool;
  Service: ServiceRow;
  ServiceConnection: ServicePage;
  ServiceEdge: Omit<ServiceEdge, 'node'> & { node: ResolversParentTypes['Service'] };
  ServiceOrderInput: ServiceOrderInput;
  ServiceFilterInput: ServiceFilterInput;
  ServiceInput: ServiceInput;
  ServiceFieldsInput: ServiceFieldsInput;
  ReportServiceInput: ReportServiceInput;
  ReportServicePayload: Omit<ReportServicePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DeleteServiceInput: DeleteServiceInput;
  DeleteServicePayload: Omit<DeleteServicePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  AdoptSharedStorageInput: AdoptSharedStorageInput;
  AdoptSharedStoragePayload: Omit<AdoptSharedStoragePayload, 'resourceProviders' | 'event' | 'userErrors'> & { resourceProviders?: Maybe<ReadonlyArray<ResolversParentTypes['ResourceProvider']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ReportPoolInput: ReportPoolInput;
  ReportPoolPayload: ReportedPool;
  String: Scalars['String']['output'];
  Int: Scalars['Int']['output'];
};

export type AccessDirectiveArgs = {
  rule: Scalars['String']['input'];
};

export type AccessDirectiveResolver<Result, Parent, ContextType = RequestScope, Args = AccessDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type PartOfParentDirectiveArgs = { };

export type PartOfParentDirectiveResolver<Result, Parent, ContextType = RequestScope, Args = PartOfParentDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type LengthDirectiveArgs = {
  of?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  steps?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  usual?: Maybe<Scalars['Int']['input']>;
  limit?: Maybe<Scalars['String']['input']>;
  times?: Maybe<Scalars['Int']['input']>;
};

export type LengthDirectiveResolver<Result, Parent, ContextType = RequestScope, Args = LengthDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type CostDirectiveArgs = {
  limit: Scalars['String']['input'];
};

export type CostDirectiveResolver<Result, Parent, ContextType = RequestScope, Args = CostDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type PublicDirectiveArgs = { };

export type PublicDirectiveResolver<Result, Parent, ContextType = RequestScope, Args = PublicDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type OpenDirectiveArgs = { };

export type OpenDirectiveResolver<Result, Parent, ContextType = RequestScope, Args = OpenDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type PreviewDirectiveArgs = { };

export type PreviewDirectiveResolver<Result, Parent, ContextType = RequestScope, Args = PreviewDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type QueryResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Node']>>, ParentType, ContextType, RequireFields<QueryNodesArgs, 'ids'>>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType, Partial<QueryResourceProviderArgs>>;
  resourceProviders?: Resolver<ResolversTypes['ResourceProviderConnection'], ParentType, ContextType, Partial<QueryResourceProvidersArgs>>;
  totals?: Resolver<ResolversTypes['Totals'], ParentType, ContextType, RequireFields<QueryTotalsArgs, 'scope'>>;
  resourceClass?: Resolver<Maybe<ResolversTypes['ResourceClass']>, ParentType, ContextType, RequireFields<QueryResourceClassArgs, 'name'>>;
  resourceClasses?: Resolver<ResolversTypes['ResourceClassConnection'], ParentType, ContextType, Partial<QueryResourceClassesArgs>>;
  trait?: Resolver<Maybe<ResolversTypes['Trait']>, ParentType, ContextType, RequireFields<QueryTraitArgs, 'name'>>;
  traits?: Resolver<ResolversTypes['TraitConnection'], ParentType, ContextType, Partial<QueryTraitsArgs>>;
  aggregate?: Resolver<Maybe<ResolversTypes['Aggregate']>, ParentType, ContextType, RequireFields<QueryAggregateArgs, 'uuid'>>;
  aggregates?: Resolver<ResolversTypes['AggregateConnection'], ParentType, ContextType, Partial<QueryAggregatesArgs>>;
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType, RequireFields<QueryConsumerArgs, 'uuid'>>;
  consumers?: Resolver<ResolversTypes['ConsumerConnection'], ParentType, ContextType, Partial<QueryConsumersArgs>>;
  project?: Resolver<Maybe<ResolversTypes['Project']>, ParentType, ContextType, RequireFields<QueryProjectArgs, 'externalId'>>;
  projects?: Resolver<ResolversTypes['ProjectConnection'], ParentType, ContextType, Partial<QueryProjectsArgs>>;
  usages?: Resolver<ResolversTypes['UsageConnection'], ParentType, ContextType, RequireFields<QueryUsagesArgs, 'groupBy'>>;
  cloudMap?: Resolver<ResolversTypes['CloudMap'], ParentType, ContextType, RequireFields<QueryCloudMapArgs, 'resourceClasses'>>;
  search?: Resolver<ResolversTypes['SearchResult'], ParentType, ContextType, RequireFields<QuerySearchArgs, 'text'>>;
  events?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<QueryEventsArgs>>;
  eventFeed?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<QueryEventFeedArgs>>;
  asOf?: Resolver<ResolversTypes['PastState'], ParentType, ContextType, RequireFields<QueryAsOfArgs, 'moment'>>;
  usageHistory?: Resolver<ResolversTypes['UsageHistory'], ParentType, ContextType, RequireFields<QueryUsageHistoryArgs, 'of' | 'from' | 'stepSeconds'>>;
  claimHistory?: Resolver<ResolversTypes['ClaimHistory'], ParentType, ContextType, RequireFields<QueryClaimHistoryArgs, 'from' | 'stepSeconds'>>;
  usageSamples?: Resolver<ReadonlyArray<ResolversTypes['CloudUsageSample']>, ParentType, ContextType, RequireFields<QueryUsageSamplesArgs, 'from' | 'stepSeconds'>>;
  allocationCandidates?: Resolver<ResolversTypes['AllocationCandidates'], ParentType, ContextType, RequireFields<QueryAllocationCandidatesArgs, 'input'>>;
  fit?: Resolver<ResolversTypes['Fit'], ParentType, ContextType, RequireFields<QueryFitArgs, 'input'>>;
  serviceInfo?: Resolver<ResolversTypes['ServiceInfo'], ParentType, ContextType>;
  viewer?: Resolver<Maybe<ResolversTypes['Viewer']>, ParentType, ContextType>;
  flavorToRequest?: Resolver<ResolversTypes['FlavorRequest'], ParentType, ContextType, RequireFields<QueryFlavorToRequestArgs, 'input'>>;
  requestSpecToRequest?: Resolver<ResolversTypes['FlavorRequest'], ParentType, ContextType, RequireFields<QueryRequestSpecToRequestArgs, 'input'>>;
  drainPlan?: Resolver<ResolversTypes['DrainPlan'], ParentType, ContextType, RequireFields<QueryDrainPlanArgs, 'input'>>;
  rebalancePlan?: Resolver<ResolversTypes['RebalancePlan'], ParentType, ContextType, RequireFields<QueryRebalancePlanArgs, 'input'>>;
  whatIf?: Resolver<ResolversTypes['WhatIf'], ParentType, ContextType, RequireFields<QueryWhatIfArgs, 'input'>>;
  computeNode?: Resolver<Maybe<ResolversTypes['ComputeNode']>, ParentType, ContextType, Partial<QueryComputeNodeArgs>>;
  computeNodes?: Resolver<ResolversTypes['ComputeNodeConnection'], ParentType, ContextType, Partial<QueryComputeNodesArgs>>;
  services?: Resolver<ResolversTypes['ServiceConnection'], ParentType, ContextType, Partial<QueryServicesArgs>>;
  minimumComputeVersion?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createResourceProvider?: Resolver<Maybe<ResolversTypes['CreateResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationCreateResourceProviderArgs, 'input'>>;
  updateResourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationUpdateResourceProviderArgs, 'input'>>;
  deleteResourceProvider?: Resolver<Maybe<ResolversTypes['DeleteResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationDeleteResourceProviderArgs, 'input'>>;
  replaceInventories?: Resolver<Maybe<ResolversTypes['ResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationReplaceInventoriesArgs, 'input'>>;
  setInventory?: Resolver<Maybe<ResolversTypes['SetInventoryPayload']>, ParentType, ContextType, RequireFields<MutationSetInventoryArgs, 'input'>>;
  patchInventories?: Resolver<Maybe<ResolversTypes['PatchInventoriesPayload']>, ParentType, ContextType, RequireFields<MutationPatchInventoriesArgs, 'input'>>;
  deleteInventory?: Resolver<Maybe<ResolversTypes['ResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationDeleteInventoryArgs, 'input'>>;
  createResourceClass?: Resolver<Maybe<ResolversTypes['CreateResourceClassPayload']>, ParentType, ContextType, RequireFields<MutationCreateResourceClassArgs, 'input'>>;
  deleteResourceClass?: Resolver<Maybe<ResolversTypes['DeleteResourceClassPayload']>, ParentType, ContextType, RequireFields<MutationDeleteResourceClassArgs, 'input'>>;
  replaceTraits?: Resolver<Maybe<ResolversTypes['ResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationReplaceTraitsArgs, 'input'>>;
  patchTraits?: Resolver<Maybe<ResolversTypes['PatchTraitsPayload']>, ParentType, ContextType, RequireFields<MutationPatchTraitsArgs, 'input'>>;
  createTrait?: Resolver<Maybe<ResolversTypes['CreateTraitPayload']>, ParentType, ContextType, RequireFields<MutationCreateTraitArgs, 'input'>>;
  deleteTrait?: Resolver<Maybe<ResolversTypes['DeleteTraitPayload']>, ParentType, ContextType, RequireFields<MutationDeleteTraitArgs, 'input'>>;
  replaceAggregates?: Resolver<Maybe<ResolversTypes['ResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationReplaceAggregatesArgs, 'input'>>;
  nameAggregate?: Resolver<Maybe<ResolversTypes['NameAggregatePayload']>, ParentType, ContextType, RequireFields<MutationNameAggregateArgs, 'input'>>;
  replaceAllocations?: Resolver<Maybe<ResolversTypes['ReplaceAllocationsPayload']>, ParentType, ContextType, RequireFields<MutationReplaceAllocationsArgs, 'input'>>;
  releaseAllocations?: Resolver<Maybe<ResolversTypes['ReleaseAllocationsPayload']>, ParentType, ContextType, RequireFields<MutationReleaseAllocationsArgs, 'input'>>;
  claim?: Resolver<Maybe<ResolversTypes['ClaimPayload']>, ParentType, ContextType, RequireFields<MutationClaimArgs, 'input'>>;
  reshape?: Resolver<Maybe<ResolversTypes['ReshapePayload']>, ParentType, ContextType, RequireFields<MutationReshapeArgs, 'input'>>;
  applyProviderTree?: Resolver<Maybe<ResolversTypes['ApplyProviderTreePayload']>, ParentType, ContextType, RequireFields<MutationApplyProviderTreeArgs, 'input'>>;
  selectDestinations?: Resolver<Maybe<ResolversTypes['SelectDestinationsPayload']>, ParentType, ContextType, RequireFields<MutationSelectDestinationsArgs, 'input'>>;
  claimAlternate?: Resolver<Maybe<ResolversTypes['ClaimAlternatePayload']>, ParentType, ContextType, RequireFields<MutationClaimAlternateArgs, 'input'>>;
  claimInstance?: Resolver<Maybe<ResolversTypes['ClaimInstancePayload']>, ParentType, ContextType, RequireFields<MutationClaimInstanceArgs, 'input'>>;
  startMigration?: Resolver<Maybe<ResolversTypes['MigrationPayload']>, ParentType, ContextType, RequireFields<MutationStartMigrationArgs, 'input'>>;
  confirmMigration?: Resolver<Maybe<ResolversTypes['MigrationPayload']>, ParentType, ContextType, RequireFields<MutationConfirmMigrationArgs, 'input'>>;
  revertMigration?: Resolver<Maybe<ResolversTypes['MigrationPayload']>, ParentType, ContextType, RequireFields<MutationRevertMigrationArgs, 'input'>>;
  auditComputeNode?: Resolver<Maybe<ResolversTypes['AuditComputeNodePayload']>, ParentType, ContextType, RequireFields<MutationAuditComputeNodeArgs, 'input'>>;
  reportComputeNode?: Resolver<Maybe<ResolversTypes['ReportComputeNodePayload']>, ParentType, ContextType, RequireFields<MutationReportComputeNodeArgs, 'input'>>;
  deleteComputeNode?: Resolver<Maybe<ResolversTypes['DeleteComputeNodePayload']>, ParentType, ContextType, RequireFields<MutationDeleteComputeNodeArgs, 'input'>>;
  importComputeNodes?: Resolver<Maybe<ResolversTypes['ImportComputeNodesPayload']>, ParentType, ContextType, RequireFields<MutationImportComputeNodesArgs, 'input'>>;
  reportService?: Resolver<Maybe<ResolversTypes['ReportServicePayload']>, ParentType, ContextType, RequireFields<MutationReportServiceArgs, 'input'>>;
  deleteService?: Resolver<Maybe<ResolversTypes['DeleteServicePayload']>, ParentType, ContextType, RequireFields<MutationDeleteServiceArgs, 'input'>>;
  adoptSharedStorage?: Resolver<Maybe<ResolversTypes['AdoptSharedStoragePayload']>, ParentType, ContextType, RequireFields<MutationAdoptSharedStorageArgs, 'input'>>;
  reportPool?: Resolver<Maybe<ResolversTypes['ReportPoolPayload']>, ParentType, ContextType, RequireFields<MutationReportPoolArgs, 'input'>>;
};

export type SubscriptionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  events?: SubscriptionResolver<ResolversTypes['EventBatch'], "events", ParentType, ContextType, Partial<SubscriptionEventsArgs>>;
  cloudMapChanges?: SubscriptionResolver<ResolversTypes['CloudMapChange'], "cloudMapChanges", ParentType, ContextType, RequireFields<SubscriptionCloudMapChangesArgs, 'after' | 'resourceClasses'>>;
};

export interface UuidScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['UUID'], any> {
  name: 'UUID';
}

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface SafeIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SafeInt'], any> {
  name: 'SafeInt';
}

export interface TrueScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['True'], any> {
  name: 'True';
}

export interface IntColumnScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['IntColumn'], any> {
  name: 'IntColumn';
}

export interface TextColumnScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['TextColumn'], any> {
  name: 'TextColumn';
}

export interface IntListColumnScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['IntListColumn'], any> {
  name: 'IntListColumn';
}

export type NodeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'ResourceProvider' | 'Inventory' | 'ResourceClass' | 'Trait' | 'Aggregate' | 'Consumer' | 'Project' | 'User' | 'Event' | 'ComputeNode' | 'Service', ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ResourceAmountResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceAmount'] = ResolversParentTypes['ResourceAmount']> = {
  resourceClass?: Resolver<ResolversTypes['ResourceClass'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ResourceProviderResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceProvider'] = ResolversParentTypes['ResourceProvider']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  uuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  generation?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  parent?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  root?: Resolver<ResolversTypes['ResourceProvider'], ParentType, ContextType>;
  depth?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ancestors?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  children?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  descendants?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType, Partial<ResourceProviderDescendantsArgs>>;
  inventories?: Resolver<ReadonlyArray<ResolversTypes['Inventory']>, ParentType, ContextType, Partial<ResourceProviderInventoriesArgs>>;
  inventory?: Resolver<Maybe<ResolversTypes['Inventory']>, ParentType, ContextType, RequireFields<ResourceProviderInventoryArgs, 'resourceClass'>>;
  traits?: Resolver<ReadonlyArray<ResolversTypes['Trait']>, ParentType, ContextType>;
  traitNames?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  hasTrait?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<ResourceProviderHasTraitArgs, 'name'>>;
  aggregates?: Resolver<ReadonlyArray<ResolversTypes['Aggregate']>, ParentType, ContextType>;
  heldHere?: Resolver<ResolversTypes['AllocationConnection'], ParentType, ContextType, Partial<ResourceProviderHeldHereArgs>>;
  treeInventory?: Resolver<Maybe<ResolversTypes['ResourceTotal']>, ParentType, ContextType, RequireFields<ResourceProviderTreeInventoryArgs, 'resourceClass'>>;
  treeInventories?: Resolver<ReadonlyArray<ResolversTypes['ResourceTotal']>, ParentType, ContextType, Partial<ResourceProviderTreeInventoriesArgs>>;
  isSharing?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  sharedPools?: Resolver<ReadonlyArray<ResolversTypes['SharedPool']>, ParentType, ContextType, Partial<ResourceProviderSharedPoolsArgs>>;
  computeNode?: Resolver<Maybe<ResolversTypes['ComputeNode']>, ParentType, ContextType>;
  servesRoots?: Resolver<ResolversTypes['ResourceProviderConnection'], ParentType, ContextType, Partial<ResourceProviderServesRootsArgs>>;
  events?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<ResourceProviderEventsArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SharedPoolResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SharedPool'] = ResolversParentTypes['SharedPool']> = {
  resourceProvider?: Resolver<ResolversTypes['ResourceProvider'], ParentType, ContextType>;
  inventory?: Resolver<ResolversTypes['Inventory'], ParentType, ContextType>;
  usedHere?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ResourceProviderConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceProviderConnection'] = ResolversParentTypes['ResourceProviderConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ResourceProviderEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ResourceProviderEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceProviderEdge'] = ResolversParentTypes['ResourceProviderEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ResourceProvider'], ParentType, ContextType>;
};

export type CreateResourceProviderPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CreateResourceProviderPayload'] = ResolversParentTypes['CreateResourceProviderPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ResourceProviderPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceProviderPayload'] = ResolversParentTypes['ResourceProviderPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteResourceProviderPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['DeleteResourceProviderPayload'] = ResolversParentTypes['DeleteResourceProviderPayload']> = {
  deletedResourceProviderUuid?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type InventoryResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Inventory'] = ResolversParentTypes['Inventory']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  resourceClass?: Resolver<ResolversTypes['ResourceClass'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  minUnit?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  maxUnit?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  stepSize?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  allocationRatio?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  free?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  utilization?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  overCapacity?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InventoryConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InventoryConnection'] = ResolversParentTypes['InventoryConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Inventory']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['InventoryEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type InventoryEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InventoryEdge'] = ResolversParentTypes['InventoryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Inventory'], ParentType, ContextType>;
};

export type ResourceTotalResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceTotal'] = ResolversParentTypes['ResourceTotal']> = {
  resourceClass?: Resolver<ResolversTypes['ResourceClass'], ParentType, ContextType>;
  providerCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  free?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  freeUsable?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  utilization?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type TotalsResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Totals'] = ResolversParentTypes['Totals']> = {
  own?: Resolver<ReadonlyArray<ResolversTypes['ResourceTotal']>, ParentType, ContextType>;
  shared?: Resolver<ReadonlyArray<ResolversTypes['ResourceTotal']>, ParentType, ContextType>;
};

export type SetInventoryPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SetInventoryPayload'] = ResolversParentTypes['SetInventoryPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  inventory?: Resolver<Maybe<ResolversTypes['Inventory']>, ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type InventoryRecordResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InventoryRecord'] = ResolversParentTypes['InventoryRecord']> = {
  total?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  minUnit?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  maxUnit?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  stepSize?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  allocationRatio?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type InventoryChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InventoryChange'] = ResolversParentTypes['InventoryChange']> = {
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  before?: Resolver<Maybe<ResolversTypes['InventoryRecord']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['InventoryRecord']>, ParentType, ContextType>;
  used?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
};

export type PatchInventoriesPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PatchInventoriesPayload'] = ResolversParentTypes['PatchInventoriesPayload']> = {
  matchedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  changes?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ResourceProviderChange']>>, ParentType, ContextType>;
  applied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ResourceClassResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceClass'] = ResolversParentTypes['ResourceClass']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isStandard?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  unit?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cloudInventories?: Resolver<ResolversTypes['InventoryConnection'], ParentType, ContextType, Partial<ResourceClassCloudInventoriesArgs>>;
  cloudTotal?: Resolver<Maybe<ResolversTypes['ResourceTotal']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ResourceClassConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceClassConnection'] = ResolversParentTypes['ResourceClassConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ResourceClass']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ResourceClassEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ResourceClassEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceClassEdge'] = ResolversParentTypes['ResourceClassEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ResourceClass'], ParentType, ContextType>;
};

export type CreateResourceClassPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CreateResourceClassPayload'] = ResolversParentTypes['CreateResourceClassPayload']> = {
  resourceClass?: Resolver<Maybe<ResolversTypes['ResourceClass']>, ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteResourceClassPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['DeleteResourceClassPayload'] = ResolversParentTypes['DeleteResourceClassPayload']> = {
  deletedResourceClassName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type TraitResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Trait'] = ResolversParentTypes['Trait']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isStandard?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  resourceProviders?: Resolver<ResolversTypes['ResourceProviderConnection'], ParentType, ContextType, Partial<TraitResourceProvidersArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type TraitConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['TraitConnection'] = ResolversParentTypes['TraitConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Trait']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['TraitEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type TraitEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['TraitEdge'] = ResolversParentTypes['TraitEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Trait'], ParentType, ContextType>;
};

export type PatchTraitsPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PatchTraitsPayload'] = ResolversParentTypes['PatchTraitsPayload']> = {
  matchedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  changes?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ResourceProviderChange']>>, ParentType, ContextType>;
  applied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type CreateTraitPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CreateTraitPayload'] = ResolversParentTypes['CreateTraitPayload']> = {
  trait?: Resolver<Maybe<ResolversTypes['Trait']>, ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteTraitPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['DeleteTraitPayload'] = ResolversParentTypes['DeleteTraitPayload']> = {
  deletedTraitName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AggregateResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Aggregate'] = ResolversParentTypes['Aggregate']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  uuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isNamed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  resourceProviders?: Resolver<ResolversTypes['ResourceProviderConnection'], ParentType, ContextType, Partial<AggregateResourceProvidersArgs>>;
  rootCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  consumerCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  totals?: Resolver<ResolversTypes['Totals'], ParentType, ContextType, Partial<AggregateTotalsArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AggregateConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AggregateConnection'] = ResolversParentTypes['AggregateConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Aggregate']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['AggregateEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type AggregateEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AggregateEdge'] = ResolversParentTypes['AggregateEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Aggregate'], ParentType, ContextType>;
};

export type NameAggregatePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NameAggregatePayload'] = ResolversParentTypes['NameAggregatePayload']> = {
  aggregate?: Resolver<Maybe<ResolversTypes['Aggregate']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ConsumerResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Consumer'] = ResolversParentTypes['Consumer']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  uuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  generation?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  consumerType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  project?: Resolver<ResolversTypes['Project'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  allocations?: Resolver<ReadonlyArray<ResolversTypes['Allocation']>, ParentType, ContextType>;
  roots?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  events?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<ConsumerEventsArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ConsumerConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ConsumerConnection'] = ResolversParentTypes['ConsumerConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Consumer']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ConsumerEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ConsumerEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ConsumerEdge'] = ResolversParentTypes['ConsumerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Consumer'], ParentType, ContextType>;
};

export type AllocationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Allocation'] = ResolversParentTypes['Allocation']> = {
  consumer?: Resolver<ResolversTypes['Consumer'], ParentType, ContextType>;
  resourceProvider?: Resolver<ResolversTypes['ResourceProvider'], ParentType, ContextType>;
  resourceClass?: Resolver<ResolversTypes['ResourceClass'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type AllocationConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AllocationConnection'] = ResolversParentTypes['AllocationConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Allocation']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['AllocationEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type AllocationEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AllocationEdge'] = ResolversParentTypes['AllocationEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Allocation'], ParentType, ContextType>;
};

export type ReplaceAllocationsPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReplaceAllocationsPayload'] = ResolversParentTypes['ReplaceAllocationsPayload']> = {
  consumers?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['Consumer']>>>, ParentType, ContextType>;
  resourceProviders?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReleaseAllocationsPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReleaseAllocationsPayload'] = ResolversParentTypes['ReleaseAllocationsPayload']> = {
  releasedConsumerUuids?: Resolver<Maybe<ReadonlyArray<ResolversTypes['UUID']>>, ParentType, ContextType>;
  resourceProviders?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ProjectResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Project'] = ResolversParentTypes['Project']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  usages?: Resolver<ResolversTypes['UsageConnection'], ParentType, ContextType, RequireFields<ProjectUsagesArgs, 'groupBy'>>;
  consumers?: Resolver<ResolversTypes['ConsumerConnection'], ParentType, ContextType, Partial<ProjectConsumersArgs>>;
  events?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<ProjectEventsArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ProjectConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ProjectConnection'] = ResolversParentTypes['ProjectConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Project']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ProjectEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ProjectEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ProjectEdge'] = ResolversParentTypes['ProjectEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Project'], ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UsageResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Usage'] = ResolversParentTypes['Usage']> = {
  project?: Resolver<Maybe<ResolversTypes['Project']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  consumerType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  root?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  aggregate?: Resolver<Maybe<ResolversTypes['Aggregate']>, ParentType, ContextType>;
  consumerCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  resources?: Resolver<ReadonlyArray<ResolversTypes['ResourceAmount']>, ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType, RequireFields<UsageAmountArgs, 'resourceClass'>>;
};

export type UsageConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UsageConnection'] = ResolversParentTypes['UsageConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Usage']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['UsageEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type UsageEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UsageEdge'] = ResolversParentTypes['UsageEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Usage'], ParentType, ContextType>;
};

export type CloudMapResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CloudMap'] = ResolversParentTypes['CloudMap']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hostCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  uuids?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  names?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  memberCounts?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  flags?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  aggregateUuids?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  aggregateNames?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  aggregateSets?: Resolver<ResolversTypes['IntListColumn'], ParentType, ContextType>;
  aggregateSet?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  traitNames?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  traitSets?: Resolver<ResolversTypes['IntListColumn'], ParentType, ContextType>;
  traitSet?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  classes?: Resolver<ReadonlyArray<ResolversTypes['CloudMapClass']>, ParentType, ContextType>;
};

export type CloudMapClassResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CloudMapClass'] = ResolversParentTypes['CloudMapClass']> = {
  resourceClass?: Resolver<ResolversTypes['ResourceClass'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
};

export type SearchResultResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SearchResult'] = ResolversParentTypes['SearchResult']> = {
  matches?: Resolver<ReadonlyArray<ResolversTypes['SearchMatch']>, ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type SearchMatchResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SearchMatch'] = ResolversParentTypes['SearchMatch']> = {
  __resolveType: TypeResolveFn<'ResourceProvider' | 'Consumer' | 'Aggregate' | 'Project' | 'ResourceClass' | 'Trait', ParentType, ContextType>;
};

export type EventResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Event'] = ResolversParentTypes['Event']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['EventKind'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  globalRequestId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  requestedBy?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  requestedFor?: Resolver<Maybe<ResolversTypes['Project']>, ParentType, ContextType>;
  roles?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  authenticationMethod?: Resolver<Maybe<ResolversTypes['AuthenticationMethod']>, ParentType, ContextType>;
  consumerUuids?: Resolver<ResolversTypes['UuidConnection'], ParentType, ContextType, Partial<EventConsumerUuidsArgs>>;
  resourceProviderUuids?: Resolver<ResolversTypes['UuidConnection'], ParentType, ContextType, Partial<EventResourceProviderUuidsArgs>>;
  changes?: Resolver<ResolversTypes['EventChangeConnection'], ParentType, ContextType, RequireFields<EventChangesArgs, 'everything'>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type EventChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['EventChange'] = ResolversParentTypes['EventChange']> = {
  __resolveType: TypeResolveFn<'ResourceProviderChange' | 'ConsumerChange' | 'AggregateChange' | 'TraitChange' | 'ResourceClassChange' | 'ServiceChange' | 'DeviceChange' | 'RecordChange', ParentType, ContextType>;
};

export type ResourceProviderChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceProviderChange'] = ResolversParentTypes['ResourceProviderChange']> = {
  action?: Resolver<ResolversTypes['ChangeAction'], ParentType, ContextType>;
  resourceProviderUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['TextChange']>, ParentType, ContextType>;
  generation?: Resolver<Maybe<ResolversTypes['NumberChange']>, ParentType, ContextType>;
  parent?: Resolver<Maybe<ResolversTypes['UuidChange']>, ParentType, ContextType>;
  inventories?: Resolver<ReadonlyArray<ResolversTypes['InventoryChange']>, ParentType, ContextType>;
  traitNamesAdded?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  traitNamesRemoved?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  aggregateUuidsAdded?: Resolver<ReadonlyArray<ResolversTypes['UUID']>, ParentType, ContextType>;
  aggregateUuidsRemoved?: Resolver<ReadonlyArray<ResolversTypes['UUID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ConsumerChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ConsumerChange'] = ResolversParentTypes['ConsumerChange']> = {
  action?: Resolver<ResolversTypes['ChangeAction'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  generation?: Resolver<Maybe<ResolversTypes['NumberChange']>, ParentType, ContextType>;
  project?: Resolver<Maybe<ResolversTypes['TextChange']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['TextChange']>, ParentType, ContextType>;
  consumerType?: Resolver<Maybe<ResolversTypes['TextChange']>, ParentType, ContextType>;
  allocations?: Resolver<ReadonlyArray<ResolversTypes['AllocationChange']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AggregateChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AggregateChange'] = ResolversParentTypes['AggregateChange']> = {
  action?: Resolver<ResolversTypes['ChangeAction'], ParentType, ContextType>;
  aggregateUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['TextChange']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type TraitChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['TraitChange'] = ResolversParentTypes['TraitChange']> = {
  action?: Resolver<ResolversTypes['ChangeAction'], ParentType, ContextType>;
  traitName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ResourceClassChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ResourceClassChange'] = ResolversParentTypes['ResourceClassChange']> = {
  action?: Resolver<ResolversTypes['ChangeAction'], ParentType, ContextType>;
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ServiceChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ServiceChange'] = ResolversParentTypes['ServiceChange']> = {
  action?: Resolver<ResolversTypes['ChangeAction'], ParentType, ContextType>;
  host?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  binary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['NumberChange']>, ParentType, ContextType>;
  facts?: Resolver<ReadonlyArray<ResolversTypes['FactChange']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DeviceChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['DeviceChange'] = ResolversParentTypes['DeviceChange']> = {
  action?: Resolver<ResolversTypes['ChangeAction'], ParentType, ContextType>;
  resourceProviderUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  address?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  facts?: Resolver<ReadonlyArray<ResolversTypes['FactChange']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RecordChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RecordChange'] = ResolversParentTypes['RecordChange']> = {
  action?: Resolver<ResolversTypes['ChangeAction'], ParentType, ContextType>;
  recordKind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  recordUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  facts?: Resolver<ReadonlyArray<ResolversTypes['FactChange']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type TextChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['TextChange'] = ResolversParentTypes['TextChange']> = {
  before?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type NumberChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NumberChange'] = ResolversParentTypes['NumberChange']> = {
  before?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
};

export type UuidChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UuidChange'] = ResolversParentTypes['UuidChange']> = {
  before?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
};

export type AllocationChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AllocationChange'] = ResolversParentTypes['AllocationChange']> = {
  resourceProviderUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  before?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
};

export type FactChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['FactChange'] = ResolversParentTypes['FactChange']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  before?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type EventConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['EventConnection'] = ResolversParentTypes['EventConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Event']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['EventEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type EventEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['EventEdge'] = ResolversParentTypes['EventEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Event'], ParentType, ContextType>;
};

export type EventChangeConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['EventChangeConnection'] = ResolversParentTypes['EventChangeConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['EventChange']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['EventChangeEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type EventChangeEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['EventChangeEdge'] = ResolversParentTypes['EventChangeEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['EventChange'], ParentType, ContextType>;
};

export type UuidConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UuidConnection'] = ResolversParentTypes['UuidConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['UUID']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['UuidEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type UuidEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UuidEdge'] = ResolversParentTypes['UuidEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
};

export type ClaimHistoryResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ClaimHistory'] = ResolversParentTypes['ClaimHistory']> = {
  periods?: Resolver<ReadonlyArray<ResolversTypes['ClaimPeriod']>, ParentType, ContextType>;
  eventCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ClaimPeriodResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ClaimPeriod'] = ResolversParentTypes['ClaimPeriod']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  claimedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  changedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  releasedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type CloudUsageSampleResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CloudUsageSample'] = ResolversParentTypes['CloudUsageSample']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  followsGap?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  ownUsages?: Resolver<ReadonlyArray<ResolversTypes['PastUsage']>, ParentType, ContextType>;
  sharedUsages?: Resolver<ReadonlyArray<ResolversTypes['PastUsage']>, ParentType, ContextType>;
};

export type PastStateResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastState'] = ResolversParentTypes['PastState']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  pastResourceProvider?: Resolver<Maybe<ResolversTypes['PastResourceProvider']>, ParentType, ContextType, Partial<PastStatePastResourceProviderArgs>>;
  pastConsumer?: Resolver<Maybe<ResolversTypes['PastConsumer']>, ParentType, ContextType, RequireFields<PastStatePastConsumerArgs, 'uuid'>>;
  projectUsage?: Resolver<ResolversTypes['UsageSample'], ParentType, ContextType, RequireFields<PastStateProjectUsageArgs, 'externalId'>>;
  treeUsage?: Resolver<ResolversTypes['UsageSample'], ParentType, ContextType, RequireFields<PastStateTreeUsageArgs, 'resourceProvider'>>;
  aggregateUsage?: Resolver<ResolversTypes['UsageSample'], ParentType, ContextType, RequireFields<PastStateAggregateUsageArgs, 'aggregate'>>;
  cloudUsage?: Resolver<ResolversTypes['UsageSample'], ParentType, ContextType>;
};

export type PastResourceProviderResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastResourceProvider'] = ResolversParentTypes['PastResourceProvider']> = {
  resourceProviderUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  generation?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  parentUuid?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  inventories?: Resolver<ReadonlyArray<ResolversTypes['PastInventory']>, ParentType, ContextType>;
  traitNames?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  aggregateUuids?: Resolver<ReadonlyArray<ResolversTypes['UUID']>, ParentType, ContextType>;
  holders?: Resolver<ResolversTypes['PastConsumerConnection'], ParentType, ContextType, RequireFields<PastResourceProviderHoldersArgs, 'scope'>>;
};

export type PastConsumerConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastConsumerConnection'] = ResolversParentTypes['PastConsumerConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['PastConsumer']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['PastConsumerEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type PastConsumerEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastConsumerEdge'] = ResolversParentTypes['PastConsumerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['PastConsumer'], ParentType, ContextType>;
};

export type PastInventoryResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastInventory'] = ResolversParentTypes['PastInventory']> = {
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  minUnit?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  maxUnit?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  stepSize?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  allocationRatio?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type PastConsumerResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastConsumer'] = ResolversParentTypes['PastConsumer']> = {
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  generation?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  project?: Resolver<ResolversTypes['Project'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  consumerType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  allocations?: Resolver<ReadonlyArray<ResolversTypes['PastAllocation']>, ParentType, ContextType>;
};

export type PastAllocationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastAllocation'] = ResolversParentTypes['PastAllocation']> = {
  resourceProviderUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type UsageHistoryResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UsageHistory'] = ResolversParentTypes['UsageHistory']> = {
  samples?: Resolver<ReadonlyArray<ResolversTypes['UsageSample']>, ParentType, ContextType>;
  eventCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type UsageSampleResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UsageSample'] = ResolversParentTypes['UsageSample']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  consumerCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  usages?: Resolver<ReadonlyArray<ResolversTypes['PastUsage']>, ParentType, ContextType>;
};

export type PastUsageResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastUsage'] = ResolversParentTypes['PastUsage']> = {
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  capacity?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  providerCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type EventBatchResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['EventBatch'] = ResolversParentTypes['EventBatch']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  events?: Resolver<ReadonlyArray<ResolversTypes['Event']>, ParentType, ContextType>;
  omittedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  reset?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type CloudMapChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CloudMapChange'] = ResolversParentTypes['CloudMapChange']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reset?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  uuids?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  names?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  flags?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  classes?: Resolver<ReadonlyArray<ResolversTypes['CloudMapClass']>, ParentType, ContextType>;
  reshaped?: Resolver<ResolversTypes['CloudMapHosts'], ParentType, ContextType>;
  goneUuids?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  goneNames?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  aggregateUuids?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  aggregateNames?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
};

export type CloudMapHostsResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CloudMapHosts'] = ResolversParentTypes['CloudMapHosts']> = {
  uuids?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  names?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  memberCounts?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  aggregateUuids?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  aggregateNames?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  aggregateSets?: Resolver<ResolversTypes['IntListColumn'], ParentType, ContextType>;
  aggregateSet?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
  traitNames?: Resolver<ResolversTypes['TextColumn'], ParentType, ContextType>;
  traitSets?: Resolver<ResolversTypes['IntListColumn'], ParentType, ContextType>;
  traitSet?: Resolver<ResolversTypes['IntColumn'], ParentType, ContextType>;
};

export type AllocationCandidatesResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AllocationCandidates'] = ResolversParentTypes['AllocationCandidates']> = {
  candidates?: Resolver<ReadonlyArray<ResolversTypes['AllocationCandidate']>, ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  explanation?: Resolver<ResolversTypes['Explanation'], ParentType, ContextType>;
};

export type AllocationCandidateResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AllocationCandidate'] = ResolversParentTypes['AllocationCandidate']> = {
  root?: Resolver<ResolversTypes['ResourceProvider'], ParentType, ContextType>;
  allocations?: Resolver<ReadonlyArray<ResolversTypes['CandidateAllocation']>, ParentType, ContextType>;
  mappings?: Resolver<ReadonlyArray<ResolversTypes['GroupMapping']>, ParentType, ContextType>;
  claimToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CandidateAllocationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CandidateAllocation'] = ResolversParentTypes['CandidateAllocation']> = {
  resourceProvider?: Resolver<ResolversTypes['ResourceProvider'], ParentType, ContextType>;
  resourceClass?: Resolver<ResolversTypes['ResourceClass'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type GroupMappingResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['GroupMapping'] = ResolversParentTypes['GroupMapping']> = {
  suffix?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  resourceProviders?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
};

export type ExplanationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Explanation'] = ResolversParentTypes['Explanation']> = {
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  steps?: Resolver<ReadonlyArray<ResolversTypes['ExplanationStep']>, ParentType, ContextType>;
  nearestMisses?: Resolver<ReadonlyArray<ResolversTypes['NearestMiss']>, ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ExplanationStepResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ExplanationStep'] = ResolversParentTypes['ExplanationStep']> = {
  suffix?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ExplanationStepKind'], ParentType, ContextType>;
  filter?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  resourceClassName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  amount?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  traitNames?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  aggregateUuids?: Resolver<ReadonlyArray<ResolversTypes['UUID']>, ParentType, ContextType>;
  resourceProviderUuid?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  groups?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  rootsBefore?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  rootsAfter?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type NearestMissResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NearestMiss'] = ResolversParentTypes['NearestMiss']> = {
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rootCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  sample?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  lacks?: Resolver<ReadonlyArray<ResolversTypes['ResourceAmount']>, ParentType, ContextType>;
  lacksTraitNames?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type FitResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Fit'] = ResolversParentTypes['Fit']> = {
  total?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  exact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  byRoot?: Resolver<ResolversTypes['RootFitConnection'], ParentType, ContextType, Partial<FitByRootArgs>>;
  byAggregate?: Resolver<ResolversTypes['AggregateFitConnection'], ParentType, ContextType, Partial<FitByAggregateArgs>>;
};

export type RootFitResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RootFit'] = ResolversParentTypes['RootFit']> = {
  root?: Resolver<ResolversTypes['ResourceProvider'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type AggregateFitResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AggregateFit'] = ResolversParentTypes['AggregateFit']> = {
  aggregate?: Resolver<ResolversTypes['Aggregate'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type RootFitConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RootFitConnection'] = ResolversParentTypes['RootFitConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['RootFit']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['RootFitEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type RootFitEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RootFitEdge'] = ResolversParentTypes['RootFitEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['RootFit'], ParentType, ContextType>;
};

export type AggregateFitConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AggregateFitConnection'] = ResolversParentTypes['AggregateFitConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['AggregateFit']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['AggregateFitEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type AggregateFitEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AggregateFitEdge'] = ResolversParentTypes['AggregateFitEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['AggregateFit'], ParentType, ContextType>;
};

export type ClaimPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ClaimPayload'] = ResolversParentTypes['ClaimPayload']> = {
  claims?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Claim']>>, ParentType, ContextType>;
  resourceProviders?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ClaimResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Claim'] = ResolversParentTypes['Claim']> = {
  consumer?: Resolver<ResolversTypes['Consumer'], ParentType, ContextType>;
  candidate?: Resolver<Maybe<ResolversTypes['AllocationCandidate']>, ParentType, ContextType>;
  alternateCandidates?: Resolver<ReadonlyArray<ResolversTypes['AllocationCandidate']>, ParentType, ContextType>;
};

export type ReshapePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReshapePayload'] = ResolversParentTypes['ReshapePayload']> = {
  resourceProviders?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  consumers?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['Consumer']>>>, ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ApplyProviderTreePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ApplyProviderTreePayload'] = ResolversParentTypes['ApplyProviderTreePayload']> = {
  root?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  changes?: Resolver<Maybe<ReadonlyArray<ResolversTypes['EventChange']>>, ParentType, ContextType>;
  applied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  __resolveType: TypeResolveFn<'InvalidInput' | 'IdempotencyKeyReused' | 'Forbidden' | 'NotFound' | 'Duplicate' | 'StandardName' | 'ConsumerConflict' | 'ProviderConflict' | 'SelectionConflict' | 'ParentLoop' | 'HasChildren' | 'InUse' | 'NoInventory' | 'UnitViolation' | 'CapacityExceeded' | 'AffinityViolation' | 'NoCandidates', ParentType, ContextType>;
};

export type InvalidInputResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InvalidInput'] = ResolversParentTypes['InvalidInput']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type IdempotencyKeyReusedResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['IdempotencyKeyReused'] = ResolversParentTypes['IdempotencyKeyReused']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ForbiddenResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Forbidden'] = ResolversParentTypes['Forbidden']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type NotFoundResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NotFound'] = ResolversParentTypes['NotFound']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  noun?: Resolver<ResolversTypes['Noun'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DuplicateResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Duplicate'] = ResolversParentTypes['Duplicate']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  noun?: Resolver<ResolversTypes['Noun'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  existing?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type StandardNameResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['StandardName'] = ResolversParentTypes['StandardName']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ConsumerConflictResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ConsumerConflict'] = ResolversParentTypes['ConsumerConflict']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  expected?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  actual?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ProviderConflictResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ProviderConflict'] = ResolversParentTypes['ProviderConflict']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  expected?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  actual?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SelectionConflictResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SelectionConflict'] = ResolversParentTypes['SelectionConflict']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  expectedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  matchedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ParentLoopResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ParentLoop'] = ResolversParentTypes['ParentLoop']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  resourceProviderUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  parentUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type HasChildrenResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['HasChildren'] = ResolversParentTypes['HasChildren']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  children?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>>, ParentType, ContextType>;
  childCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InUseResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InUse'] = ResolversParentTypes['InUse']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  noun?: Resolver<ResolversTypes['Noun'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  by?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['Node']>>>, ParentType, ContextType>;
  byCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type NoInventoryResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NoInventory'] = ResolversParentTypes['NoInventory']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UnitViolationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UnitViolation'] = ResolversParentTypes['UnitViolation']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requested?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  minUnit?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  maxUnit?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  stepSize?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CapacityExceededResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CapacityExceeded'] = ResolversParentTypes['CapacityExceeded']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requested?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  available?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AffinityViolationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AffinityViolation'] = ResolversParentTypes['AffinityViolation']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type NoCandidatesResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NoCandidates'] = ResolversParentTypes['NoCandidates']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  explanation?: Resolver<Maybe<ResolversTypes['Explanation']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type WarningResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Warning'] = ResolversParentTypes['Warning']> = {
  __resolveType: TypeResolveFn<'ShrunkBelowUse' | 'RequestWarning', ParentType, ContextType>;
};

export type ShrunkBelowUseResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ShrunkBelowUse'] = ResolversParentTypes['ShrunkBelowUse']> = {
  code?: Resolver<ResolversTypes['WarningCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subject?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  inventory?: Resolver<Maybe<ResolversTypes['Inventory']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RequestWarningResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RequestWarning'] = ResolversParentTypes['RequestWarning']> = {
  code?: Resolver<ResolversTypes['WarningCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subject?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ServiceInfoResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ServiceInfo'] = ResolversParentTypes['ServiceInfo']> = {
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  features?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  limits?: Resolver<ReadonlyArray<ResolversTypes['Limit']>, ParentType, ContextType>;
};

export type LimitResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Limit'] = ResolversParentTypes['Limit']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  unit?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ViewerResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Viewer'] = ResolversParentTypes['Viewer']> = {
  userExternalId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  projectExternalId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  roles?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  authenticationMethod?: Resolver<ResolversTypes['AuthenticationMethod'], ParentType, ContextType>;
  mayReadCloud?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  mayWrite?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  rules?: Resolver<ReadonlyArray<ResolversTypes['ViewerRule']>, ParentType, ContextType>;
};

export type ViewerRuleResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ViewerRule'] = ResolversParentTypes['ViewerRule']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reach?: Resolver<ResolversTypes['RuleReach'], ParentType, ContextType>;
};

export type FlavorRequestResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['FlavorRequest'] = ResolversParentTypes['FlavorRequest']> = {
  request?: Resolver<ResolversTypes['CandidatesRequest'], ParentType, ContextType>;
  fallback?: Resolver<Maybe<ResolversTypes['CandidatesRequest']>, ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
};

export type CandidatesRequestResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CandidatesRequest'] = ResolversParentTypes['CandidatesRequest']> = {
  groups?: Resolver<ReadonlyArray<ResolversTypes['CandidatesRequestGroup']>, ParentType, ContextType>;
  groupPolicy?: Resolver<ResolversTypes['GroupPolicy'], ParentType, ContextType>;
  rootTraits?: Resolver<ReadonlyArray<ResolversTypes['TraitCondition']>, ParentType, ContextType>;
  sameSubtree?: Resolver<ReadonlyArray<ResolversTypes['SameSubtree']>, ParentType, ContextType>;
};

export type SameSubtreeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SameSubtree'] = ResolversParentTypes['SameSubtree']> = {
  groups?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CandidatesRequestGroupResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CandidatesRequestGroup'] = ResolversParentTypes['CandidatesRequestGroup']> = {
  suffix?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  resources?: Resolver<ReadonlyArray<ResolversTypes['RequestedAmount']>, ParentType, ContextType>;
  traits?: Resolver<ReadonlyArray<ResolversTypes['TraitCondition']>, ParentType, ContextType>;
  aggregates?: Resolver<ReadonlyArray<ResolversTypes['AggregateCondition']>, ParentType, ContextType>;
  inTree?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
};

export type RequestedAmountResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RequestedAmount'] = ResolversParentTypes['RequestedAmount']> = {
  resourceClass?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type TraitConditionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['TraitCondition'] = ResolversParentTypes['TraitCondition']> = {
  allOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  anyOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  noneOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type AggregateConditionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AggregateCondition'] = ResolversParentTypes['AggregateCondition']> = {
  anyOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['UUID']>>, ParentType, ContextType>;
  noneOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['UUID']>>, ParentType, ContextType>;
};

export type PropertyResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Property'] = ResolversParentTypes['Property']> = {
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SelectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Selection'] = ResolversParentTypes['Selection']> = {
  computeNode?: Resolver<Maybe<ResolversTypes['ComputeNode']>, ParentType, ContextType>;
  cell?: Resolver<Maybe<ResolversTypes['Aggregate']>, ParentType, ContextType>;
  candidate?: Resolver<ResolversTypes['AllocationCandidate'], ParentType, ContextType>;
  object?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type InstanceDestinationsResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InstanceDestinations'] = ResolversParentTypes['InstanceDestinations']> = {
  instance?: Resolver<ResolversTypes['Consumer'], ParentType, ContextType>;
  migration?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  selected?: Resolver<ResolversTypes['Selection'], ParentType, ContextType>;
  alternates?: Resolver<ReadonlyArray<ResolversTypes['Selection']>, ParentType, ContextType>;
};

export type SelectDestinationsPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SelectDestinationsPayload'] = ResolversParentTypes['SelectDestinationsPayload']> = {
  destinations?: Resolver<Maybe<ReadonlyArray<ResolversTypes['InstanceDestinations']>>, ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ClaimAlternatePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ClaimAlternatePayload'] = ResolversParentTypes['ClaimAlternatePayload']> = {
  instance?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  place?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ClaimInstancePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ClaimInstancePayload'] = ResolversParentTypes['ClaimInstancePayload']> = {
  instance?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type MigrationPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['MigrationPayload'] = ResolversParentTypes['MigrationPayload']> = {
  instance?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  migration?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AuditedAllocationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AuditedAllocation'] = ResolversParentTypes['AuditedAllocation']> = {
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  verdict?: Resolver<ResolversTypes['AllocationVerdict'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['AllocationReason'], ParentType, ContextType>;
  removed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type AuditedInstanceResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AuditedInstance'] = ResolversParentTypes['AuditedInstance']> = {
  instanceUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['InstanceState'], ParentType, ContextType>;
  expectedAmounts?: Resolver<ReadonlyArray<ResolversTypes['RequestedAmount']>, ParentType, ContextType>;
  instance?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  repaired?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type AuditedMoveResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AuditedMove'] = ResolversParentTypes['AuditedMove']> = {
  migrationUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  instanceUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  side?: Resolver<ResolversTypes['MoveSide'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['InstanceState'], ParentType, ContextType>;
  expectedAmounts?: Resolver<ReadonlyArray<ResolversTypes['RequestedAmount']>, ParentType, ContextType>;
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  repaired?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type AuditComputeNodePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AuditComputeNodePayload'] = ResolversParentTypes['AuditComputeNodePayload']> = {
  auditedAllocations?: Resolver<Maybe<ReadonlyArray<ResolversTypes['AuditedAllocation']>>, ParentType, ContextType>;
  auditedInstances?: Resolver<Maybe<ReadonlyArray<ResolversTypes['AuditedInstance']>>, ParentType, ContextType>;
  auditedMoves?: Resolver<Maybe<ReadonlyArray<ResolversTypes['AuditedMove']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  events?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Event']>>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type PlannedMoveResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PlannedMove'] = ResolversParentTypes['PlannedMove']> = {
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  consumerGeneration?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  from?: Resolver<ResolversTypes['ResourceProvider'], ParentType, ContextType>;
  selection?: Resolver<ResolversTypes['Selection'], ParentType, ContextType>;
  basis?: Resolver<ResolversTypes['RequestBasis'], ParentType, ContextType>;
  request?: Resolver<ResolversTypes['CandidatesRequest'], ParentType, ContextType>;
  gain?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type StuckConsumerResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['StuckConsumer'] = ResolversParentTypes['StuckConsumer']> = {
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  obstacle?: Resolver<ResolversTypes['MoveObstacle'], ParentType, ContextType>;
  root?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  basis?: Resolver<ResolversTypes['RequestBasis'], ParentType, ContextType>;
  explanation?: Resolver<Maybe<ResolversTypes['Explanation']>, ParentType, ContextType>;
};

export type DrainPlanResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['DrainPlan'] = ResolversParentTypes['DrainPlan']> = {
  moves?: Resolver<ReadonlyArray<ResolversTypes['PlannedMove']>, ParentType, ContextType>;
  stuck?: Resolver<ReadonlyArray<ResolversTypes['StuckConsumer']>, ParentType, ContextType>;
  stuckCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
};

export type LoadBalanceResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['LoadBalance'] = ResolversParentTypes['LoadBalance']> = {
  highest?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lowest?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  mean?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  deviation?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type RebalancePlanResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RebalancePlan'] = ResolversParentTypes['RebalancePlan']> = {
  moves?: Resolver<ReadonlyArray<ResolversTypes['PlannedMove']>, ParentType, ContextType>;
  before?: Resolver<ResolversTypes['LoadBalance'], ParentType, ContextType>;
  after?: Resolver<ResolversTypes['LoadBalance'], ParentType, ContextType>;
  emptied?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
};

export type AddedHostsFitResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AddedHostsFit'] = ResolversParentTypes['AddedHostsFit']> = {
  hostCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type WhatIfResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['WhatIf'] = ResolversParentTypes['WhatIf']> = {
  before?: Resolver<ResolversTypes['Fit'], ParentType, ContextType>;
  after?: Resolver<ResolversTypes['Fit'], ParentType, ContextType>;
  onAddedHosts?: Resolver<ReadonlyArray<ResolversTypes['AddedHostsFit']>, ParentType, ContextType>;
  explanation?: Resolver<ResolversTypes['Explanation'], ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
};

export type ReportComputeNodePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReportComputeNodePayload'] = ResolversParentTypes['ReportComputeNodePayload']> = {
  computeNode?: Resolver<Maybe<ResolversTypes['ComputeNode']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  changes?: Resolver<Maybe<ReadonlyArray<ResolversTypes['EventChange']>>, ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteComputeNodePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['DeleteComputeNodePayload'] = ResolversParentTypes['DeleteComputeNodePayload']> = {
  deletedComputeNodeUuid?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ImportComputeNodesPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ImportComputeNodesPayload'] = ResolversParentTypes['ImportComputeNodesPayload']> = {
  imported?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ComputeNodeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ComputeNode'] = ResolversParentTypes['ComputeNode']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  uuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  hypervisorHostname?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  serviceHost?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reportedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  hypervisorType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hypervisorVersion?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  vcpus?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  vcpusUsed?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  memoryMb?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  memoryMbUsed?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  freeRamMb?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  localGb?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  localGbUsed?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  freeDiskGb?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  runningVms?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  cpuAllocationRatio?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  ramAllocationRatio?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  diskAllocationRatio?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  hasInventories?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  pciDevicePools?: Resolver<ReadonlyArray<ResolversTypes['PciDevicePool']>, ParentType, ContextType>;
  pciStats?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  supportsPciRequests?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<ComputeNodeSupportsPciRequestsArgs, 'requests'>>;
  object?: Resolver<ResolversTypes['String'], ParentType, ContextType, Partial<ComputeNodeObjectArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ComputeNodeConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ComputeNodeConnection'] = ResolversParentTypes['ComputeNodeConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ComputeNode']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ComputeNodeEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ComputeNodeEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ComputeNodeEdge'] = ResolversParentTypes['ComputeNodeEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ComputeNode'], ParentType, ContextType>;
};

export type PciDevicePoolResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PciDevicePool'] = ResolversParentTypes['PciDevicePool']> = {
  vendorId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  productId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  numaNode?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  tags?: Resolver<ReadonlyArray<ResolversTypes['Property']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ServiceResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Service'] = ResolversParentTypes['Service']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  host?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  binary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  disabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  forcedDown?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ServiceConnectionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ServiceConnection'] = ResolversParentTypes['ServiceConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Service']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ServiceEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ServiceEdgeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ServiceEdge'] = ResolversParentTypes['ServiceEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Service'], ParentType, ContextType>;
};

export type ReportServicePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReportServicePayload'] = ResolversParentTypes['ReportServicePayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  minimumComputeVersion?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteServicePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['DeleteServicePayload'] = ResolversParentTypes['DeleteServicePayload']> = {
  deletedServiceHost?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  minimumComputeVersion?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AdoptSharedStoragePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AdoptSharedStoragePayload'] = ResolversParentTypes['AdoptSharedStoragePayload']> = {
  movedConsumerUuids?: Resolver<Maybe<ReadonlyArray<ResolversTypes['UUID']>>, ParentType, ContextType>;
  resourceProviders?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReportPoolPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReportPoolPayload'] = ResolversParentTypes['ReportPoolPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warnings?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Warning']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestScope> = {
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  UUID?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  SafeInt?: GraphQLScalarType;
  True?: GraphQLScalarType;
  IntColumn?: GraphQLScalarType;
  TextColumn?: GraphQLScalarType;
  IntListColumn?: GraphQLScalarType;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  ResourceAmount?: ResourceAmountResolvers<ContextType>;
  ResourceProvider?: ResourceProviderResolvers<ContextType>;
  SharedPool?: SharedPoolResolvers<ContextType>;
  ResourceProviderConnection?: ResourceProviderConnectionResolvers<ContextType>;
  ResourceProviderEdge?: ResourceProviderEdgeResolvers<ContextType>;
  CreateResourceProviderPayload?: CreateResourceProviderPayloadResolvers<ContextType>;
  ResourceProviderPayload?: ResourceProviderPayloadResolvers<ContextType>;
  DeleteResourceProviderPayload?: DeleteResourceProviderPayloadResolvers<ContextType>;
  Inventory?: InventoryResolvers<ContextType>;
  InventoryConnection?: InventoryConnectionResolvers<ContextType>;
  InventoryEdge?: InventoryEdgeResolvers<ContextType>;
  ResourceTotal?: ResourceTotalResolvers<ContextType>;
  Totals?: TotalsResolvers<ContextType>;
  SetInventoryPayload?: SetInventoryPayloadResolvers<ContextType>;
  InventoryRecord?: InventoryRecordResolvers<ContextType>;
  InventoryChange?: InventoryChangeResolvers<ContextType>;
  PatchInventoriesPayload?: PatchInventoriesPayloadResolvers<ContextType>;
  ResourceClass?: ResourceClassResolvers<ContextType>;
  ResourceClassConnection?: ResourceClassConnectionResolvers<ContextType>;
  ResourceClassEdge?: ResourceClassEdgeResolvers<ContextType>;
  CreateResourceClassPayload?: CreateResourceClassPayloadResolvers<ContextType>;
  DeleteResourceClassPayload?: DeleteResourceClassPayloadResolvers<ContextType>;
  Trait?: TraitResolvers<ContextType>;
  TraitConnection?: TraitConnectionResolvers<ContextType>;
  TraitEdge?: TraitEdgeResolvers<ContextType>;
  PatchTraitsPayload?: PatchTraitsPayloadResolvers<ContextType>;
  CreateTraitPayload?: CreateTraitPayloadResolvers<ContextType>;
  DeleteTraitPayload?: DeleteTraitPayloadResolvers<ContextType>;
  Aggregate?: AggregateResolvers<ContextType>;
  AggregateConnection?: AggregateConnectionResolvers<ContextType>;
  AggregateEdge?: AggregateEdgeResolvers<ContextType>;
  NameAggregatePayload?: NameAggregatePayloadResolvers<ContextType>;
  Consumer?: ConsumerResolvers<ContextType>;
  ConsumerConnection?: ConsumerConnectionResolvers<ContextType>;
  ConsumerEdge?: ConsumerEdgeResolvers<ContextType>;
  Allocation?: AllocationResolvers<ContextType>;
  AllocationConnection?: AllocationConnectionResolvers<ContextType>;
  AllocationEdge?: AllocationEdgeResolvers<ContextType>;
  ReplaceAllocationsPayload?: ReplaceAllocationsPayloadResolvers<ContextType>;
  ReleaseAllocationsPayload?: ReleaseAllocationsPayloadResolvers<ContextType>;
  Project?: ProjectResolvers<ContextType>;
  ProjectConnection?: ProjectConnectionResolvers<ContextType>;
  ProjectEdge?: ProjectEdgeResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Usage?: UsageResolvers<ContextType>;
  UsageConnection?: UsageConnectionResolvers<ContextType>;
  UsageEdge?: UsageEdgeResolvers<ContextType>;
  CloudMap?: CloudMapResolvers<ContextType>;
  CloudMapClass?: CloudMapClassResolvers<ContextType>;
  SearchResult?: SearchResultResolvers<ContextType>;
  SearchMatch?: SearchMatchResolvers<ContextType>;
  Event?: EventResolvers<ContextType>;
  EventChange?: EventChangeResolvers<ContextType>;
  ResourceProviderChange?: ResourceProviderChangeResolvers<ContextType>;
  ConsumerChange?: ConsumerChangeResolvers<ContextType>;
  AggregateChange?: AggregateChangeResolvers<ContextType>;
  TraitChange?: TraitChangeResolvers<ContextType>;
  ResourceClassChange?: ResourceClassChangeResolvers<ContextType>;
  ServiceChange?: ServiceChangeResolvers<ContextType>;
  DeviceChange?: DeviceChangeResolvers<ContextType>;
  RecordChange?: RecordChangeResolvers<ContextType>;
  TextChange?: TextChangeResolvers<ContextType>;
  NumberChange?: NumberChangeResolvers<ContextType>;
  UuidChange?: UuidChangeResolvers<ContextType>;
  AllocationChange?: AllocationChangeResolvers<ContextType>;
  FactChange?: FactChangeResolvers<ContextType>;
  EventConnection?: EventConnectionResolvers<ContextType>;
  EventEdge?: EventEdgeResolvers<ContextType>;
  EventChangeConnection?: EventChangeConnectionResolvers<ContextType>;
  EventChangeEdge?: EventChangeEdgeResolvers<ContextType>;
  UuidConnection?: UuidConnectionResolvers<ContextType>;
  UuidEdge?: UuidEdgeResolvers<ContextType>;
  ClaimHistory?: ClaimHistoryResolvers<ContextType>;
  ClaimPeriod?: ClaimPeriodResolvers<ContextType>;
  CloudUsageSample?: CloudUsageSampleResolvers<ContextType>;
  PastState?: PastStateResolvers<ContextType>;
  PastResourceProvider?: PastResourceProviderResolvers<ContextType>;
  PastConsumerConnection?: PastConsumerConnectionResolvers<ContextType>;
  PastConsumerEdge?: PastConsumerEdgeResolvers<ContextType>;
  PastInventory?: PastInventoryResolvers<ContextType>;
  PastConsumer?: PastConsumerResolvers<ContextType>;
  PastAllocation?: PastAllocationResolvers<ContextType>;
  UsageHistory?: UsageHistoryResolvers<ContextType>;
  UsageSample?: UsageSampleResolvers<ContextType>;
  PastUsage?: PastUsageResolvers<ContextType>;
  EventBatch?: EventBatchResolvers<ContextType>;
  CloudMapChange?: CloudMapChangeResolvers<ContextType>;
  CloudMapHosts?: CloudMapHostsResolvers<ContextType>;
  AllocationCandidates?: AllocationCandidatesResolvers<ContextType>;
  AllocationCandidate?: AllocationCandidateResolvers<ContextType>;
  CandidateAllocation?: CandidateAllocationResolvers<ContextType>;
  GroupMapping?: GroupMappingResolvers<ContextType>;
  Explanation?: ExplanationResolvers<ContextType>;
  ExplanationStep?: ExplanationStepResolvers<ContextType>;
  NearestMiss?: NearestMissResolvers<ContextType>;
  Fit?: FitResolvers<ContextType>;
  RootFit?: RootFitResolvers<ContextType>;
  AggregateFit?: AggregateFitResolvers<ContextType>;
  RootFitConnection?: RootFitConnectionResolvers<ContextType>;
  RootFitEdge?: RootFitEdgeResolvers<ContextType>;
  AggregateFitConnection?: AggregateFitConnectionResolvers<ContextType>;
  AggregateFitEdge?: AggregateFitEdgeResolvers<ContextType>;
  ClaimPayload?: ClaimPayloadResolvers<ContextType>;
  Claim?: ClaimResolvers<ContextType>;
  ReshapePayload?: ReshapePayloadResolvers<ContextType>;
  ApplyProviderTreePayload?: ApplyProviderTreePayloadResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
  InvalidInput?: InvalidInputResolvers<ContextType>;
  IdempotencyKeyReused?: IdempotencyKeyReusedResolvers<ContextType>;
  Forbidden?: ForbiddenResolvers<ContextType>;
  NotFound?: NotFoundResolvers<ContextType>;
  Duplicate?: DuplicateResolvers<ContextType>;
  StandardName?: StandardNameResolvers<ContextType>;
  ConsumerConflict?: ConsumerConflictResolvers<ContextType>;
  ProviderConflict?: ProviderConflictResolvers<ContextType>;
  SelectionConflict?: SelectionConflictResolvers<ContextType>;
  ParentLoop?: ParentLoopResolvers<ContextType>;
  HasChildren?: HasChildrenResolvers<ContextType>;
  InUse?: InUseResolvers<ContextType>;
  NoInventory?: NoInventoryResolvers<ContextType>;
  UnitViolation?: UnitViolationResolvers<ContextType>;
  CapacityExceeded?: CapacityExceededResolvers<ContextType>;
  AffinityViolation?: AffinityViolationResolvers<ContextType>;
  NoCandidates?: NoCandidatesResolvers<ContextType>;
  Warning?: WarningResolvers<ContextType>;
  ShrunkBelowUse?: ShrunkBelowUseResolvers<ContextType>;
  RequestWarning?: RequestWarningResolvers<ContextType>;
  ServiceInfo?: ServiceInfoResolvers<ContextType>;
  Limit?: LimitResolvers<ContextType>;
  Viewer?: ViewerResolvers<ContextType>;
  ViewerRule?: ViewerRuleResolvers<ContextType>;
  FlavorRequest?: FlavorRequestResolvers<ContextType>;
  CandidatesRequest?: CandidatesRequestResolvers<ContextType>;
  SameSubtree?: SameSubtreeResolvers<ContextType>;
  CandidatesRequestGroup?: CandidatesRequestGroupResolvers<ContextType>;
  RequestedAmount?: RequestedAmountResolvers<ContextType>;
  TraitCondition?: TraitConditionResolvers<ContextType>;
  AggregateCondition?: AggregateConditionResolvers<ContextType>;
  Property?: PropertyResolvers<ContextType>;
  Selection?: SelectionResolvers<ContextType>;
  InstanceDestinations?: InstanceDestinationsResolvers<ContextType>;
  SelectDestinationsPayload?: SelectDestinationsPayloadResolvers<ContextType>;
  ClaimAlternatePayload?: ClaimAlternatePayloadResolvers<ContextType>;
  ClaimInstancePayload?: ClaimInstancePayloadResolvers<ContextType>;
  MigrationPayload?: MigrationPayloadResolvers<ContextType>;
  AuditedAllocation?: AuditedAllocationResolvers<ContextType>;
  AuditedInstance?: AuditedInstanceResolvers<ContextType>;
  AuditedMove?: AuditedMoveResolvers<ContextType>;
  AuditComputeNodePayload?: AuditComputeNodePayloadResolvers<ContextType>;
  PlannedMove?: PlannedMoveResolvers<ContextType>;
  StuckConsumer?: StuckConsumerResolvers<ContextType>;
  DrainPlan?: DrainPlanResolvers<ContextType>;
  LoadBalance?: LoadBalanceResolvers<ContextType>;
  RebalancePlan?: RebalancePlanResolvers<ContextType>;
  AddedHostsFit?: AddedHostsFitResolvers<ContextType>;
  WhatIf?: WhatIfResolvers<ContextType>;
  ReportComputeNodePayload?: ReportComputeNodePayloadResolvers<ContextType>;
  DeleteComputeNodePayload?: DeleteComputeNodePayloadResolvers<ContextType>;
  ImportComputeNodesPayload?: ImportComputeNodesPayloadResolvers<ContextType>;
  ComputeNode?: ComputeNodeResolvers<ContextType>;
  ComputeNodeConnection?: ComputeNodeConnectionResolvers<ContextType>;
  ComputeNodeEdge?: ComputeNodeEdgeResolvers<ContextType>;
  PciDevicePool?: PciDevicePoolResolvers<ContextType>;
  Service?: ServiceResolvers<ContextType>;
  ServiceConnection?: ServiceConnectionResolvers<ContextType>;
  ServiceEdge?: ServiceEdgeResolvers<ContextType>;
  ReportServicePayload?: ReportServicePayloadResolvers<ContextType>;
  DeleteServicePayload?: DeleteServicePayloadResolvers<ContextType>;
  AdoptSharedStoragePayload?: AdoptSharedStoragePayloadResolvers<ContextType>;
  ReportPoolPayload?: ReportPoolPayloadResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = RequestScope> = {
  access?: AccessDirectiveResolver<any, any, ContextType>;
  partOfParent?: PartOfParentDirectiveResolver<any, any, ContextType>;
  length?: LengthDirectiveResolver<any, any, ContextType>;
  cost?: CostDirectiveResolver<any, any, ContextType>;
  public?: PublicDirectiveResolver<any, any, ContextType>;
  open?: OpenDirectiveResolver<any, any, ContextType>;
  preview?: PreviewDirectiveResolver<any, any, ContextType>;
};
