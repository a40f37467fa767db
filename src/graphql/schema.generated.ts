// Generated from schema.graphql by `npm run generate`. Do not edit.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Provider, SharedPool as SharedPoolRow, Inventory as InventoryRow, ResourceTotal as ResourceTotalRow, Capacity as CapacityRow, ResourceClass as ResourceClassRow, Trait as TraitRow, Aggregate as AggregateRow } from '../domain/provider.ts';
import type { PatchedInventory as InventoryChangeRow, PatchInventoriesAnswer } from '../operations/providers/inventory-patches.ts';
import type { Consumer as ConsumerRow, Allocation as AllocationRow, Usage as UsageRow } from '../domain/allocation.ts';
import type { ProjectParent, UserParent, ProviderPage, InventoryPage, TraitPage, AggregatePage, ConsumerPage, AllocationPage, ProjectPage, UsagePage, EventPage, EventChangePage, UuidPage, ServicePage, RootFitPage, AggregateFitPage, ResourceClassPage } from '../operations/request/parents.ts';
import type { LedgerEvent } from '../domain/event.ts';
import type { PastState as PastStateRow, PastProvider, PastInventory as PastInventoryRow, PastConsumer as PastConsumerRow } from '../operations/ledger/history.ts';
import type { HeldAllocation, EventChange as EventChangeRow, ResourceProviderChange as ResourceProviderChangeRow, ConsumerChange as ConsumerChangeRow, AllocationChange as AllocationChangeRow, AggregateChange as AggregateChangeRow, DeviceChange as DeviceChangeRow } from '../domain/event-changes.ts';
import type { UsageSample as UsageSampleRow, UsageAt } from '../domain/history.ts';
import type { Service as ServiceRow } from '../domain/service.ts';
import type { ShrunkInventory } from '../domain/inventory.ts';
import type { RequestWarning as RequestWarningRow } from '../nova/flavors/request-warnings.ts';
import type { FoundCandidates, FoundCandidate, FoundAllocation, FoundMapping } from '../operations/candidates/candidates.ts';
import type { Explanation as ExplanationRow, NearestMiss as NearestMissRow } from '../domain/candidates/explain.ts';
import type { Fit as FitRow } from '../domain/candidates/fit.ts';
import type { ClaimedConsumer } from '../operations/candidates/claims.ts';
import type { Selection as SelectionRow } from '../nova/instances/selections.ts';
import type { AuditedAllocation as AuditedAllocationRow, AuditedInstance as AuditedInstanceRow } from '../nova/compute-nodes/compute-node-audits.ts';
import type { ComputeNode as ComputeNodeRow, ComputeNodePage } from '../nova/compute-nodes/compute-nodes.ts';
import type { ReportedPool } from '../nova/services/pools.ts';
import type { PciPool } from '../nova/pci/pci-pools.ts';
import type { ProblemShown } from './problem-types.ts';
import type { RequestScope } from '../operations/request/scope.ts';
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
  /** A uuid (RFC 4122). In: any case, with or without dashes. Out: lower case with dashes. */
  UUID: { input: string; output: string; }
  /** A moment, RFC 3339. In: with an offset. Out: UTC. */
  DateTime: { input: string; output: Date | string; }
  /** A whole number of at most 53 bits, as a JSON number: generations, capacities, uses and sums, none of which fits Int for ever. Never rounded: anything else is refused. */
  SafeInt: { input: number; output: number; }
  /** Only `true`: stands where saying so is the whole condition, so that its contrary cannot be asked for. Anything else is refused. */
  True: { input: true; output: true; }
};

/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type Query = {
  readonly __typename?: 'Query';
  /** Any object again by its global id. */
  readonly node?: Maybe<Node>;
  /** Several objects again, in the order of the ids; null where one is gone. At most 1,000. */
  readonly nodes: ReadonlyArray<Maybe<Node>>;
  /** One provider. Give exactly one of the two. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Providers of all trees. */
  readonly resourceProviders: ResourceProviderConnection;
  /** Totals of the whole cloud, or of the providers that match. */
  readonly totals: Totals;
  /** One class. */
  readonly resourceClass?: Maybe<ResourceClass>;
  /** Classes, standard ones and custom ones. */
  readonly resourceClasses: ResourceClassConnection;
  /** One trait. */
  readonly trait?: Maybe<Trait>;
  /** Traits, standard ones and custom ones. */
  readonly traits: TraitConnection;
  /** One aggregate. */
  readonly aggregate?: Maybe<Aggregate>;
  /** All aggregates. */
  readonly aggregates: AggregateConnection;
  /** One consumer; null when it holds nothing. */
  readonly consumer?: Maybe<Consumer>;
  /** Consumers, by the order of creation when no other is asked for. */
  readonly consumers: ConsumerConnection;
  /** One project; null when no consumer ever belonged to it. */
  readonly project?: Maybe<Project>;
  /** Projects that consumers ever belonged to. */
  readonly projects: ProjectConnection;
  /** What consumers hold, a row for each combination of the keys; one row without keys. All rows of a page come from one moment. */
  readonly usages: UsageConnection;
  /** The ledger: every write that changed something, newest first. */
  readonly events: EventConnection;
  /**
   * The ledger as a feed. Whoever reads it to its end (`hasNextPage` is false), and later goes on from `endCursor`, which is never null, is told every
   * write exactly once, and of each provider and consumer in the order of its generations, whatever else is being written meanwhile. Other writes come
   * in no certain order. A cursor is good in every gateway and after a restart. One whose next events are not kept any more, or which is of before a
   * restored backup, is refused with CURSOR_EXPIRED: begin anew with `from: NOW`, then read the state. From a standby, what is still being
   * written holds up what began after it.
   */
  readonly changes: EventConnection;
  /**
   * What was at a moment: told from what is now and the events since, so that it costs what was written since, of what is asked about. To within the
   * time that a write takes. A moment before the oldest event that is kept is refused with HISTORY_GONE, one that more than 100,000 events lie behind
   * with HISTORY_TOO_LONG: then ask about a later moment, or about a provider, a consumer or a project instead of the whole cloud. One that is yet to
   * come stands for now.
   */
  readonly asOf: PastState;
  /**
   * What was used, and was there, at moments of the same distance. Costs one reading of the events since the first of them. Refused as `asOf`, and for
   * more than 1,000 samples.
   */
  readonly usageHistory: UsageHistory;
  /** What fits where: ways to serve a request now, shared storage and nested providers included. It sees everything committed before, also through other gateways. */
  readonly allocationCandidates: AllocationCandidates;
  /** How many more such requests fit. Limits and order of the request are not looked at. */
  readonly fit: Fit;
  /** The service itself. `serviceInfo { version }` needs no token. */
  readonly serviceInfo: ServiceInfo;
  /** What a flavor with its image asks of placement, as a request for allocationCandidates. Looks at nothing else: whether its names exist is found out by the search. */
  readonly flavorToRequest: FlavorRequest;
  /** One compute node in its old shape. Give exactly one of the two. */
  readonly computeNode?: Maybe<ComputeNode>;
  /** Compute nodes, those known from old records alone among them. */
  readonly computeNodes: ComputeNodeConnection;
  /** The services that reported, by host when no other order is asked for. */
  readonly services: ServiceConnection;
  /** The lowest version of all services nova-compute; null when none has reported. */
  readonly minimumComputeVersion?: Maybe<Scalars['Int']['output']>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryResourceProviderArgs = {
  uuid?: InputMaybe<Scalars['UUID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryResourceProvidersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceProviderFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ResourceProviderOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryTotalsArgs = {
  filter?: InputMaybe<ResourceProviderFilterInput>;
  scope?: Scope;
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryResourceClassArgs = {
  name: Scalars['String']['input'];
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryResourceClassesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceClassFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ResourceClassOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryTraitArgs = {
  name: Scalars['String']['input'];
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryTraitsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TraitFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<TraitOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryAggregateArgs = {
  uuid: Scalars['UUID']['input'];
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryAggregatesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AggregateFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<AggregateOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryConsumerArgs = {
  uuid: Scalars['UUID']['input'];
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryConsumersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ConsumerFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ConsumerOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryProjectArgs = {
  externalId: Scalars['String']['input'];
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryProjectsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ProjectFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ProjectOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryUsagesArgs = {
  filter?: InputMaybe<ConsumerFilterInput>;
  groupBy?: ReadonlyArray<UsageKey>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<UsageOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryEventsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<EventOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryChangesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<FeedStart>;
  filter?: InputMaybe<EventFilterInput>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryAsOfArgs = {
  moment: Scalars['DateTime']['input'];
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryUsageHistoryArgs = {
  of: UsageHistorySubjectInput;
  from: Scalars['DateTime']['input'];
  until?: InputMaybe<Scalars['DateTime']['input']>;
  stepSeconds: Scalars['Int']['input'];
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryAllocationCandidatesArgs = {
  input: CandidatesInput;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryFitArgs = {
  input: CandidatesInput;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryFlavorToRequestArgs = {
  input: FlavorToRequestInput;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryComputeNodeArgs = {
  uuid?: InputMaybe<Scalars['UUID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryComputeNodesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ComputeNodeFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ComputeNodeOrderInput>>;
};


/** Everything that can be asked. A list is one snapshot; separate fields may see separate moments. A key that finds nothing is null. */
export type QueryServicesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ServiceFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ServiceOrderInput>>;
};

/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Creates a provider. Refusals: NOT_FOUND (parent), DUPLICATE. */
  readonly createResourceProvider?: Maybe<CreateResourceProviderPayload>;
  /** Creates a provider unless it exists just so. Refusals: NOT_FOUND (parent), DUPLICATE. */
  readonly ensureResourceProvider?: Maybe<EnsureResourceProviderPayload>;
  /** Renames or moves a provider. Refusals: NOT_FOUND, DUPLICATE, PROVIDER_CONFLICT, PARENT_LOOP. */
  readonly updateResourceProvider?: Maybe<UpdateResourceProviderPayload>;
  /** Deletes a provider. Refusals: NOT_FOUND, PROVIDER_CONFLICT, HAS_CHILDREN, IN_USE. */
  readonly deleteResourceProvider?: Maybe<DeleteResourceProviderPayload>;
  /** Makes the given inventories the whole set. Shrinking below use is done, with a warning. Refusals: NOT_FOUND, PROVIDER_CONFLICT, IN_USE. */
  readonly replaceInventories?: Maybe<ReplaceInventoriesPayload>;
  /** Sets one inventory and leaves the others. Refusals: NOT_FOUND, PROVIDER_CONFLICT. */
  readonly setInventory?: Maybe<SetInventoryPayload>;
  /** Changes an inventory in part, at one provider or at all that match a filter and have the class: all of them, or none. What is so already is not written. Shrinking below use is done, with a warning. Refusals: INVALID_INPUT (each record that would be illegal), NOT_FOUND, PROVIDER_CONFLICT, IDEMPOTENCY_KEY_REUSED. */
  readonly patchInventories?: Maybe<PatchInventoriesPayload>;
  /** Deletes one inventory. Refusals: NOT_FOUND, PROVIDER_CONFLICT, IN_USE. */
  readonly deleteInventory?: Maybe<DeleteInventoryPayload>;
  /** Creates a custom class unless it exists. Refusals: INVALID_INPUT, STANDARD_NAME. */
  readonly createResourceClass?: Maybe<CreateResourceClassPayload>;
  /** Deletes a custom class. Refusals: NOT_FOUND, STANDARD_NAME, IN_USE. */
  readonly deleteResourceClass?: Maybe<DeleteResourceClassPayload>;
  /** Makes the given traits the whole set. Refusals: NOT_FOUND, PROVIDER_CONFLICT. */
  readonly replaceTraits?: Maybe<ReplaceTraitsPayload>;
  /** Creates a custom trait unless it exists. Refusals: INVALID_INPUT, STANDARD_NAME. */
  readonly createTrait?: Maybe<CreateTraitPayload>;
  /** Deletes a custom trait. Refusals: NOT_FOUND, STANDARD_NAME, IN_USE. */
  readonly deleteTrait?: Maybe<DeleteTraitPayload>;
  /** Makes the given aggregates the whole set. Refusals: NOT_FOUND, PROVIDER_CONFLICT. */
  readonly replaceAggregates?: Maybe<ReplaceAggregatesPayload>;
  /** Gives an aggregate a name for people. Refusals: DUPLICATE. */
  readonly nameAggregate?: Maybe<NameAggregatePayload>;
  /** Claims, changes or releases what consumers hold. Never over capacity; while over it, what is held may be kept, reduced or moved. Refusals: NOT_FOUND, CONSUMER_CONFLICT, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED. A claim never fails because a provider changed meanwhile. */
  readonly replaceAllocations?: Maybe<ReplaceAllocationsPayload>;
  /** Moves everything from one consumer to another. Refusals: NOT_FOUND (a holder without anything), CONSUMER_CONFLICT, UNIT_VIOLATION. */
  readonly moveAllocations?: Maybe<MoveAllocationsPayload>;
  /** Releases consumers. Refusals: CONSUMER_CONFLICT. */
  readonly releaseAllocations?: Maybe<ReleaseAllocationsPayload>;
  /** Finds a candidate for each consumer and takes it, trying the next one when somebody else was faster. Refusals: NO_CANDIDATES, NOT_FOUND, CONSUMER_CONFLICT; CAPACITY_EXCEEDED when others were faster again and again. */
  readonly claim?: Maybe<ClaimPayload>;
  /** Moves inventories with live allocations between providers. Refusals: NOT_FOUND, CONSUMER_CONFLICT, PROVIDER_CONFLICT, IN_USE, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED. */
  readonly reshape?: Maybe<ReshapePayload>;
  /** Makes a whole tree as desired, or tells what that would change. Refusals: those of all its parts. */
  readonly applyProviderTree?: Maybe<ApplyProviderTreePayload>;
  /** The scheduler's part: finds and claims a host for each instance and names alternates. Only hosts that are enabled and, once every compute reports owners, resources that Nova owns. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT, NO_CANDIDATES. */
  readonly selectDestinations?: Maybe<SelectDestinationsPayload>;
  /** Claims the first alternate that can be had, instead of what the instance holds. Refusals: INVALID_INPUT, CONSUMER_CONFLICT, and why each alternate cannot be had. */
  readonly claimAlternate?: Maybe<ClaimAlternatePayload>;
  /** Makes an instance hold what its flavor says where it runs. No error when it does already. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT (it holds something else), NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED. */
  readonly claimInstance?: Maybe<ClaimInstancePayload>;
  /** Gives free what an instance holds. No error when it holds nothing. */
  readonly releaseInstance?: Maybe<ReleaseInstancePayload>;
  /** Begins a move: the migration holds the source, without a gap. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT, and those of a claim of the destination. */
  readonly startMigration?: Maybe<StartMigrationPayload>;
  /** Ends a move that succeeded. Refusals: INVALID_INPUT, NOT_FOUND (the instance holds nothing), CONSUMER_CONFLICT. */
  readonly confirmMigration?: Maybe<ConfirmMigrationPayload>;
  /** Undoes a move. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT, UNIT_VIOLATION. */
  readonly revertMigration?: Maybe<RevertMigrationPayload>;
  /** Compares what is held on a compute node with what its host really has; removes and repairs only when told to. Refusals: INVALID_INPUT, NOT_FOUND. */
  readonly auditComputeNode?: Maybe<AuditComputeNodePayload>;
  /** Makes the tree of a compute node what the node reports, in one transaction; the same again writes nothing. Refusals: INVALID_INPUT, DUPLICATE, IN_USE, PROVIDER_CONFLICT. */
  readonly reportComputeNode?: Maybe<ReportComputeNodePayload>;
  /** Takes over compute nodes as they were kept before there were inventories. Refusals: INVALID_INPUT. */
  readonly importComputeNodes?: Maybe<ImportComputeNodesPayload>;
  /** Keeps which version a service has; the same again writes nothing. Refusals: INVALID_INPUT. */
  readonly reportService?: Maybe<ReportServicePayload>;
  /** Forgets a service. Refusals: INVALID_INPUT. */
  readonly removeService?: Maybe<RemoveServicePayload>;
  /** Moves disks that were counted on hosts to a pool, in one transaction. Refusals: INVALID_INPUT, NOT_FOUND, CONSUMER_CONFLICT, PROVIDER_CONFLICT, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED. */
  readonly adoptSharedStorage?: Maybe<AdoptSharedStoragePayload>;
  /** Makes a pool what it reports, created if need be, in one transaction; the same again writes nothing. Shrinking below use is done, with a warning. Refusals: INVALID_INPUT, DUPLICATE, IN_USE, PROVIDER_CONFLICT. */
  readonly reportPool?: Maybe<ReportPoolPayload>;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationCreateResourceProviderArgs = {
  input: CreateResourceProviderInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationEnsureResourceProviderArgs = {
  input: EnsureResourceProviderInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationUpdateResourceProviderArgs = {
  input: UpdateResourceProviderInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationDeleteResourceProviderArgs = {
  input: DeleteResourceProviderInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReplaceInventoriesArgs = {
  input: ReplaceInventoriesInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationSetInventoryArgs = {
  input: SetInventoryInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationPatchInventoriesArgs = {
  input: PatchInventoriesInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationDeleteInventoryArgs = {
  input: DeleteInventoryInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationCreateResourceClassArgs = {
  input: CreateResourceClassInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationDeleteResourceClassArgs = {
  input: DeleteResourceClassInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReplaceTraitsArgs = {
  input: ReplaceTraitsInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationCreateTraitArgs = {
  input: CreateTraitInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationDeleteTraitArgs = {
  input: DeleteTraitInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReplaceAggregatesArgs = {
  input: ReplaceAggregatesInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationNameAggregateArgs = {
  input: NameAggregateInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReplaceAllocationsArgs = {
  input: ReplaceAllocationsInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationMoveAllocationsArgs = {
  input: MoveAllocationsInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReleaseAllocationsArgs = {
  input: ReleaseAllocationsInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationClaimArgs = {
  input: ClaimInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReshapeArgs = {
  input: ReshapeInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationApplyProviderTreeArgs = {
  input: ApplyProviderTreeInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationSelectDestinationsArgs = {
  input: SelectDestinationsInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationClaimAlternateArgs = {
  input: ClaimAlternateInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationClaimInstanceArgs = {
  input: ClaimInstanceInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReleaseInstanceArgs = {
  input: ReleaseInstanceInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationStartMigrationArgs = {
  input: StartMigrationInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationConfirmMigrationArgs = {
  input: ConfirmMigrationInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationRevertMigrationArgs = {
  input: RevertMigrationInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationAuditComputeNodeArgs = {
  input: AuditComputeNodeInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReportComputeNodeArgs = {
  input: ReportComputeNodeInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationImportComputeNodesArgs = {
  input: ImportComputeNodesInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReportServiceArgs = {
  input: ReportServiceInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationRemoveServiceArgs = {
  input: RemoveServiceInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationAdoptSharedStorageArgs = {
  input: AdoptSharedStorageInput;
};


/**
 * Everything that can be written. Each field is one transaction of its own: two fields of one document are two transactions. A refused write
 * leaves nothing behind. When the answer is lost the outcome is unknown (code OUTCOME_UNKNOWN): with an idempotencyKey the same may be sent
 * again, without one it is read first. A dry run keeps no key. Generations in a payload are those that this very write produced.
 */
export type MutationReportPoolArgs = {
  input: ReportPoolInput;
};

/** Anything with an identity of its own. Fetch one again with `node(id)`. */
export type Node = {
  /** Opaque and global. Never parse it: its form may change. */
  readonly id: Scalars['ID']['output'];
};

/** Where a page stands in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** True when more follows after this page. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** True when something stands before this page. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first element, for `before`; null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
  /** Cursor of the last element, for `after`; null on an empty page, but never in `changes`. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
};

/** The direction of an order. */
export type OrderDirection =
  /** Smallest, oldest or alphabetically first element first. */
  | 'ASC'
  /** Largest, newest or alphabetically last element first. */
  | 'DESC';

/** An amount of one resource class. */
export type ResourceAmount = {
  readonly __typename?: 'ResourceAmount';
  /** What is counted. */
  readonly resourceClass: ResourceClass;
  /** How much, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** An amount of one resource class, as input. A class may stand only once in a list. */
export type ResourceAmountInput = {
  /** Name of the class, such as VCPU. */
  readonly resourceClass: Scalars['String']['input'];
  /** How much, in units of the class: at least 1. More than the inventory gives at once is refused by its maxUnit. */
  readonly amount: Scalars['SafeInt']['input'];
};

/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProvider = Node & {
  readonly __typename?: 'ResourceProvider';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The public key of the provider. */
  readonly uuid: Scalars['UUID']['output'];
  /** Unique over the whole service, at most 200 characters. */
  readonly name: Scalars['String']['output'];
  /** Changes whenever anything of the provider changes: its name, parent, inventories, use, traits or aggregates. Pass it back in `expect`. Promises no particular step. */
  readonly generation: Scalars['SafeInt']['output'];
  /** When the provider was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the provider or anything of it was last written. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** The provider above; null for a root. */
  readonly parent?: Maybe<ResourceProvider>;
  /** The top of the tree; the provider itself when it has no parent. */
  readonly root: ResourceProvider;
  /** Edges up to the root: 0 for a root. */
  readonly depth: Scalars['Int']['output'];
  /** From the root down to the parent; empty for a root. */
  readonly ancestors: ReadonlyArray<ResourceProvider>;
  /** The providers directly below, by name. Refused for more than 10,000: page with resourceProviders(filter: {inTrees}) instead. */
  readonly children: ReadonlyArray<ResourceProvider>;
  /** Everything below, depth first, siblings by name, without the provider itself. Refused for more than 10,000: page with resourceProviders(filter: {inTrees}) instead. */
  readonly descendants: ReadonlyArray<ResourceProvider>;
  /** What the provider has, by class, classes in the order of their ids. At most one for each class. */
  readonly inventories: ReadonlyArray<Inventory>;
  /** One class of it, so that a table needs no search: `vcpu: inventory(resourceClass: "VCPU") { used capacity }`. Null when it has none. */
  readonly inventory?: Maybe<Inventory>;
  /** Its own traits, by name. Traits never spread over a tree. */
  readonly traits: ReadonlyArray<Trait>;
  /** The names of its traits, in order: far cheaper than objects for hosts with a hundred of them. */
  readonly traitNames: ReadonlyArray<Scalars['String']['output']>;
  /** Whether it has the trait itself. */
  readonly hasTrait: Scalars['Boolean']['output'];
  /** The aggregates it is in itself, by uuid. */
  readonly aggregates: ReadonlyArray<Aggregate>;
  /** What consumers hold here. */
  readonly heldHere: AllocationConnection;
  /** One class of the provider and everything below it together, such as the VCPU of a host with NUMA cells. Null when nobody there has it. Pools that only share with this tree are not in it. */
  readonly treeInventory?: Maybe<ResourceTotal>;
  /** The provider and everything below it together, a row for each class, each provider counted once. Pools that only share with this tree are not in it. */
  readonly treeInventories: ReadonlyArray<ResourceTotal>;
  /** Whether it shares its inventories with every tree that has a member in one of its aggregates: it has the trait MISC_SHARES_VIA_AGGREGATE. */
  readonly isSharing: Scalars['Boolean']['output'];
  /** The sharing providers outside this tree that serve it, a row for each inventory, by name and class. The same for every member of the tree. */
  readonly sharedPools: ReadonlyArray<SharedPool>;
  /** Nova's compute node whose tree this is; null when it is no host of Nova's. */
  readonly computeNode?: Maybe<ComputeNode>;
  /** For a sharing provider: the roots of the trees that it serves, its own left out. */
  readonly servesRoots: ResourceProviderConnection;
  /** What was written about it. `changes` of these events are those of this provider, and what consumers took or gave back here. */
  readonly events: EventConnection;
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderDescendantsArgs = {
  maxDepth?: InputMaybe<Scalars['Int']['input']>;
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderInventoriesArgs = {
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderInventoryArgs = {
  resourceClass: Scalars['String']['input'];
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderHasTraitArgs = {
  name: Scalars['String']['input'];
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderHeldHereArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AllocationFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<AllocationOrderInput>>;
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderTreeInventoryArgs = {
  resourceClass: Scalars['String']['input'];
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderTreeInventoriesArgs = {
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderSharedPoolsArgs = {
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderServesRootsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceProviderFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ResourceProviderOrderInput>>;
};


/** Something that has resources: a compute host, a NUMA cell, a GPU, a share of disk, a pool of addresses. Providers form trees; a tree is usually one host. */
export type ResourceProviderEventsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<EventOrderInput>>;
};

/** One inventory of a sharing provider, seen from a tree that it serves. */
export type SharedPool = {
  readonly __typename?: 'SharedPool';
  /** The sharing provider. */
  readonly resourceProvider: ResourceProvider;
  /** The inventory that it shares. Its use is that of all trees together. */
  readonly inventory: Inventory;
  /** The part of that use held by consumers that also hold something in this tree, in units of the class. */
  readonly usedHere: Scalars['SafeInt']['output'];
};

/** A page of providers. */
export type ResourceProviderConnection = {
  readonly __typename?: 'ResourceProviderConnection';
  /** The providers of the page. */
  readonly nodes: ReadonlyArray<ResourceProvider>;
  /** The providers of the page with their cursors. */
  readonly edges: ReadonlyArray<ResourceProviderEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A provider and its place in the list. */
export type ResourceProviderEdge = {
  readonly __typename?: 'ResourceProviderEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The provider. */
  readonly node: ResourceProvider;
};

/** Where an answer is looked for. */
export type Scope =
  /** At the provider itself. */
  | 'PROVIDER'
  /** At the provider and everything below it, as if they were one: for a root its whole tree, for another provider its subtree. Pools that only share with the tree are not in it. */
  | 'TREE';

/** Conditions on a provider; all that are given must hold. `and`, `or` and `not` hold further conditions, at most 50 in all and 4 deep. */
export type ResourceProviderFilterInput = {
  /** Where `traits`, `aggregates`, `resourceClasses`, `fits`, `overCapacity`, `hasConsumers`, `updatedAfter` and `updatedBefore` are looked for; everything else is about the provider itself. PROVIDER when omitted; within `and`, `or` and `not` that of the conditions around them. */
  readonly scope?: InputMaybe<Scope>;
  /** One of these uuids; at most 1,000. */
  readonly uuids?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** One of these names; at most 1,000. */
  readonly names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has this text in its name, upper and lower case alike. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Has a name that begins with this text, upper and lower case alike. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Is a root (true) or has a parent (false). */
  readonly isRoot?: InputMaybe<Scalars['Boolean']['input']>;
  /** Is a sharing provider (true) or not (false). */
  readonly isSharing?: InputMaybe<Scalars['Boolean']['input']>;
  /** Belongs to the tree of one of these providers, whichever member of the tree they are; at most 1,000. */
  readonly inTrees?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Has or has not these traits; every clause must hold. */
  readonly traits?: InputMaybe<ReadonlyArray<TraitConditionInput>>;
  /** Is or is not in these aggregates; every clause must hold. */
  readonly aggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** Has an inventory of every one of these classes. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** There is room for all of it now, step sizes and limits included. An amount is never split: by TREE each may be somewhere else in the tree, but all of it in one place. For shared pools and for what goes together search candidates instead. */
  readonly fits?: InputMaybe<ReadonlyArray<ResourceAmountInput>>;
  /** Has an inventory with more use than capacity (true) or none (false). */
  readonly overCapacity?: InputMaybe<Scalars['Boolean']['input']>;
  /** Consumers hold something (true) or nothing (false). */
  readonly hasConsumers?: InputMaybe<Scalars['Boolean']['input']>;
  /** Created after this moment. */
  readonly createdAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created before this moment. */
  readonly createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last written after this moment: its name, place, inventories, use, traits or aggregates. */
  readonly updatedAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last written before this moment. */
  readonly updatedBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Every one of these must hold, each with a scope of its own. */
  readonly and?: InputMaybe<ReadonlyArray<ResourceProviderFilterInput>>;
  /** At least one of these must hold; none does when the list is empty. */
  readonly or?: InputMaybe<ReadonlyArray<ResourceProviderFilterInput>>;
  /** This may not hold. */
  readonly not?: InputMaybe<ResourceProviderFilterInput>;
};

/** One clause about traits: all that are given in it must hold. A single clause may stand without a list. */
export type TraitConditionInput = {
  /** Has every one. */
  readonly allOf?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has at least one. */
  readonly anyOf?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has none. */
  readonly noneOf?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** One clause about aggregates: all that are given in it must hold. An unknown aggregate is no error: nobody is in it. */
export type AggregateConditionInput = {
  /** Is in every one. */
  readonly allOf?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Is in at least one. */
  readonly anyOf?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Is in none. */
  readonly noneOf?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
};

/** What a list of providers is ordered by. Where all keys leave ties, the order of creation decides. */
export type ResourceProviderOrderField =
  /** By name. */
  | 'NAME'
  /** By the moment of creation. */
  | 'CREATED_AT'
  /** By capacity minus use of a class. */
  | 'FREE'
  /** By use of a class. */
  | 'USED'
  /** By use divided by capacity of a class. */
  | 'UTILIZATION';

/** A key of the order of a list of providers. */
export type ResourceProviderOrderInput = {
  /** What to order by. */
  readonly field: ResourceProviderOrderField;
  /** The class that FREE, USED and UTILIZATION need, and only they. Providers without it (or, for UTILIZATION, without capacity) come last either way. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Whose amounts FREE, USED and UTILIZATION are: those of the provider, or of it and everything below it together. */
  readonly scope?: Scope;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** What a write expects of a provider. Give exactly one. A conflict answers with the generation it has. */
export type ProviderExpectationInput =
  /** The generation that was read. */
  { readonly generation: Scalars['SafeInt']['input']; readonly unchecked?: never; }
  |  /** Whatever it is by now, write. */
  { readonly generation?: never; readonly unchecked: Scalars['True']['input']; };

/** A new provider. */
export type CreateResourceProviderInput = {
  /** Its uuid; made by the service when omitted. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** Its name: 1 to 200 characters, unique. */
  readonly name: Scalars['String']['input'];
  /** The provider above it; a root when omitted. */
  readonly parent?: InputMaybe<Scalars['UUID']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The new provider, or why there is none. */
export type CreateResourceProviderPayload = {
  readonly __typename?: 'CreateResourceProviderPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A provider that shall exist. */
export type EnsureResourceProviderInput = {
  /** Its uuid. */
  readonly uuid: Scalars['UUID']['input'];
  /** Its name: 1 to 200 characters, unique. */
  readonly name: Scalars['String']['input'];
  /** The provider above it; a root when omitted. */
  readonly parent?: InputMaybe<Scalars['UUID']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The provider, new or not, or why there is none. */
export type EnsureResourceProviderPayload = {
  readonly __typename?: 'EnsureResourceProviderPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Whether this call created it. */
  readonly created: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused: DUPLICATE when the uuid exists with another name or parent, or the name with another uuid. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A new place for a provider. Exactly one of the two. */
export type NewParentInput =
  /** The provider that shall stand above it. */
  { readonly resourceProvider: Scalars['UUID']['input']; readonly none?: never; }
  |  /** It becomes a root. */
  { readonly resourceProvider?: never; readonly none: Scalars['True']['input']; };

/** Changes to a provider itself. What is omitted stays. */
export type UpdateResourceProviderInput = {
  /** Which provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
  /** A new name: 1 to 200 characters, unique. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A new place. Everything below moves along. */
  readonly parent?: InputMaybe<NewParentInput>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The changed provider, or why it did not change. */
export type UpdateResourceProviderPayload = {
  readonly __typename?: 'UpdateResourceProviderPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A provider to delete, with its inventories, traits and memberships. Refused while it has children or allocations. */
export type DeleteResourceProviderInput = {
  /** Which provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The deleted provider, or why it still exists. */
export type DeleteResourceProviderPayload = {
  readonly __typename?: 'DeleteResourceProviderPayload';
  /** The uuid of the provider that is gone; null when refused. */
  readonly deletedResourceProviderUuid?: Maybe<Scalars['UUID']['output']>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** How much of one class a provider has, and how much of that is used. */
export type Inventory = Node & {
  readonly __typename?: 'Inventory';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** Who has it; null when it was deleted while this was read. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** What it is. */
  readonly resourceClass: ResourceClass;
  /** The physical amount, in units of the class: at least 1. */
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
  /** Held by consumers now, in units of the class. */
  readonly used: Scalars['SafeInt']['output'];
  /** capacity - used; negative while over capacity. */
  readonly free: Scalars['SafeInt']['output'];
  /** used / capacity; null when the capacity is 0. */
  readonly utilization?: Maybe<Scalars['Float']['output']>;
  /** More is used than there is: the inventory was shrunk below its use. Nothing new fits until it is not. */
  readonly overCapacity: Scalars['Boolean']['output'];
  /** When it was last set. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** A page of inventories. */
export type InventoryConnection = {
  readonly __typename?: 'InventoryConnection';
  /** The inventories of the page. */
  readonly nodes: ReadonlyArray<Inventory>;
  /** The inventories of the page with their cursors. */
  readonly edges: ReadonlyArray<InventoryEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** An inventory and its place in the list. */
export type InventoryEdge = {
  readonly __typename?: 'InventoryEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The inventory. */
  readonly node: Inventory;
};

/** What a list of inventories is ordered by. Ties are broken by the order of creation of the providers. */
export type InventoryOrderField =
  /** By the name of the provider. */
  | 'PROVIDER_NAME'
  /** By capacity minus use. */
  | 'FREE'
  /** By use. */
  | 'USED'
  /** By use divided by capacity; without capacity last. */
  | 'UTILIZATION';

/** A key of the order of a list of inventories. */
export type InventoryOrderInput = {
  /** What to order by. */
  readonly field: InventoryOrderField;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** The sums of one class over a set of providers; each provider counts once. All of a row come from one moment. */
export type ResourceTotal = {
  readonly __typename?: 'ResourceTotal';
  /** What is summed. */
  readonly resourceClass: ResourceClass;
  /** How many providers of the set have it. */
  readonly providerCount: Scalars['SafeInt']['output'];
  /** Sum of the physical amounts. */
  readonly total: Scalars['SafeInt']['output'];
  /** Sum of what is withheld. */
  readonly reserved: Scalars['SafeInt']['output'];
  /** Sum of the capacities. */
  readonly capacity: Scalars['SafeInt']['output'];
  /** Sum of the uses. */
  readonly used: Scalars['SafeInt']['output'];
  /** capacity - used of the sums. A provider over capacity hides room elsewhere: see freeUsable. */
  readonly free: Scalars['SafeInt']['output'];
  /** Sum of what each provider can still give, one over capacity counting 0. */
  readonly freeUsable: Scalars['SafeInt']['output'];
  /** used / capacity of the sums; null when the capacity is 0. */
  readonly utilization?: Maybe<Scalars['Float']['output']>;
};

/** What a set of providers has, and what pools outside it share with it. The two are never added: a pool serves many. */
export type Totals = {
  readonly __typename?: 'Totals';
  /** The providers of the set, each once, a row for each class. */
  readonly own: ReadonlyArray<ResourceTotal>;
  /** Sharing providers outside the set that serve at least one tree with a member in it, each once, a row for each class. */
  readonly shared: ReadonlyArray<ResourceTotal>;
};

/** An inventory as it shall be. What is omitted takes its default, not its old value. */
export type InventoryInput = {
  /** Name of the class. */
  readonly resourceClass: Scalars['String']['input'];
  /** The physical amount: 1 to 2147483647. Offer nothing by leaving the inventory out. */
  readonly total: Scalars['SafeInt']['input'];
  /** Withheld: 0 to 2147483647. The capacity may not become negative. */
  readonly reserved?: Scalars['SafeInt']['input'];
  /** Smallest amount of one allocation: 1 to 2147483647. */
  readonly minUnit?: Scalars['SafeInt']['input'];
  /** Largest amount of one allocation: 1 to 2147483647. */
  readonly maxUnit?: Scalars['SafeInt']['input'];
  /** Amounts must be a multiple: 1 to 2147483647. */
  readonly stepSize?: Scalars['SafeInt']['input'];
  /** Overcommit: finite, at most 3.40282e38. */
  readonly allocationRatio?: Scalars['Float']['input'];
};

/** The whole set of inventories of a provider. */
export type ReplaceInventoriesInput = {
  /** Which provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
  /** All of them; a class that is left out goes, unless it is in use. */
  readonly inventories: ReadonlyArray<InventoryInput>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The provider with its new inventories, or why they did not change. */
export type ReplaceInventoriesPayload = {
  readonly __typename?: 'ReplaceInventoriesPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Inventories that are now smaller than their use. */
  readonly warnings: ReadonlyArray<Warning>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** One inventory of a provider, new or not. */
export type SetInventoryInput = {
  /** Which provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
  /** The inventory. */
  readonly inventory: InventoryInput;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The inventory, or why it did not change. */
export type SetInventoryPayload = {
  readonly __typename?: 'SetInventoryPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The inventory; null when refused. */
  readonly inventory?: Maybe<Inventory>;
  /** That it is now smaller than its use. */
  readonly warnings: ReadonlyArray<Warning>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** One provider and what it must be like. */
export type ExpectedResourceProviderInput = {
  /** Which provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
};

/** Where inventories change. Exactly one of the two. */
export type PatchSelectionInput =
  /** At this provider, which must have the class. */
  { readonly one: ExpectedResourceProviderInput; readonly filter?: never; }
  |  /** At every provider that matches and has the class, at most 10,000, whatever they are like by now. */
  { readonly one?: never; readonly filter: ResourceProviderFilterInput; };

/** What changes of an inventory; at least one field. What is omitted stays as it is. */
export type InventoryPatchInput = {
  /** The physical amount: 1 to 2147483647, in units of the class. */
  readonly total?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Withheld: 0 to 2147483647, in units of the class. The capacity may not become negative. */
  readonly reserved?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Smallest amount of one allocation: 1 to 2147483647. */
  readonly minUnit?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Largest amount of one allocation: 1 to 2147483647. */
  readonly maxUnit?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Amounts must be a multiple: 1 to 2147483647. */
  readonly stepSize?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Overcommit: finite, at most 3.40282e38. */
  readonly allocationRatio?: InputMaybe<Scalars['Float']['input']>;
};

/** Inventories of a class to change in part. */
export type PatchInventoriesInput = {
  /** At which providers. */
  readonly select: PatchSelectionInput;
  /** Name of the class. */
  readonly resourceClass: Scalars['String']['input'];
  /** What changes. */
  readonly patch: InventoryPatchInput;
  /** Only tell what would change: everything is tried, and undone. */
  readonly dryRun?: Scalars['Boolean']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What an inventory is set to. */
export type InventoryRecord = {
  readonly __typename?: 'InventoryRecord';
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
};

/** An inventory that changed, or would change. */
export type InventoryChange = {
  readonly __typename?: 'InventoryChange';
  /** Whose it is; null when it was deleted meanwhile. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The uuid of that provider. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** Held by consumers at the moment of the change, in units of the class. */
  readonly used: Scalars['SafeInt']['output'];
  /** What it was. */
  readonly before: InventoryRecord;
  /** What it is, or would be. */
  readonly after: InventoryRecord;
};

/** What changed, or why nothing did. */
export type PatchInventoriesPayload = {
  readonly __typename?: 'PatchInventoriesPayload';
  /** How many providers were selected and have the class. */
  readonly matchedCount: Scalars['SafeInt']['output'];
  /** What changed, or would change, in the order of creation of the providers; those that were so already are left out. At most 10,000. */
  readonly changes: ReadonlyArray<InventoryChange>;
  /** Whether it was done: false for a dry run and when refused. */
  readonly applied: Scalars['Boolean']['output'];
  /** Inventories that are now, or would be, smaller than their use. */
  readonly warnings: ReadonlyArray<Warning>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** One inventory to delete. Refused while it is in use. */
export type DeleteInventoryInput = {
  /** Which provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
  /** Which class of it. */
  readonly resourceClass: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The provider without the inventory, or why it still has it. */
export type DeleteInventoryPayload = {
  readonly __typename?: 'DeleteInventoryPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Something that can be counted and consumed: VCPU, MEMORY_MB, CUSTOM_LICENSE. */
export type ResourceClass = Node & {
  readonly __typename?: 'ResourceClass';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** Unique. Custom ones begin with CUSTOM_. */
  readonly name: Scalars['String']['output'];
  /** Whether it comes with the service; such classes can be neither created nor deleted. */
  readonly isStandard: Scalars['Boolean']['output'];
  /** What one of it is, such as MiB; null where that says nothing. */
  readonly unit?: Maybe<Scalars['String']['output']>;
  /** Who has it. */
  readonly cloudInventories: InventoryConnection;
  /** All of it in the whole cloud, each provider once; null when nobody has any. */
  readonly cloudTotal?: Maybe<ResourceTotal>;
};


/** Something that can be counted and consumed: VCPU, MEMORY_MB, CUSTOM_LICENSE. */
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
  /** Has this text in its name, upper and lower case alike. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Has a name that begins with this text, upper and lower case alike. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Comes with the service (true) or is custom (false). */
  readonly isStandard?: InputMaybe<Scalars['Boolean']['input']>;
};

/** What a list of classes is ordered by. */
export type ResourceClassOrderField =
  /** By name. */
  | 'NAME'
  /** By the order of creation; standard ones come first. */
  | 'CREATED_AT';

/** A key of the order of a list of classes. */
export type ResourceClassOrderInput = {
  /** What to order by. */
  readonly field: ResourceClassOrderField;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** A page of classes. */
export type ResourceClassConnection = {
  readonly __typename?: 'ResourceClassConnection';
  /** The classes of the page. */
  readonly nodes: ReadonlyArray<ResourceClass>;
  /** The classes of the page with their cursors. */
  readonly edges: ReadonlyArray<ResourceClassEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A class and its place in the list. */
export type ResourceClassEdge = {
  readonly __typename?: 'ResourceClassEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The class. */
  readonly node: ResourceClass;
};

/** A custom class. No error when it exists. */
export type CreateResourceClassInput = {
  /** CUSTOM_ and upper-case letters, digits and underscores: at most 255 characters. */
  readonly name: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The class, new or not, or why there is none. */
export type CreateResourceClassPayload = {
  readonly __typename?: 'CreateResourceClassPayload';
  /** The class; null when refused. */
  readonly resourceClass?: Maybe<ResourceClass>;
  /** Whether this call created it. */
  readonly created: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A custom class to delete. Refused while a provider has an inventory of it. */
export type DeleteResourceClassInput = {
  /** Its name. */
  readonly name: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The deleted class, or why it still exists. */
export type DeleteResourceClassPayload = {
  readonly __typename?: 'DeleteResourceClassPayload';
  /** The name that is gone; null when refused. */
  readonly deletedResourceClassName?: Maybe<Scalars['String']['output']>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A yes-or-no capability of a provider. Traits are required or forbidden, never consumed. */
export type Trait = Node & {
  readonly __typename?: 'Trait';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** Unique. Custom ones begin with CUSTOM_. */
  readonly name: Scalars['String']['output'];
  /** Whether it comes with the service; such traits can be neither created nor deleted. */
  readonly isStandard: Scalars['Boolean']['output'];
  /** The providers that have it. */
  readonly resourceProviders: ResourceProviderConnection;
};


/** A yes-or-no capability of a provider. Traits are required or forbidden, never consumed. */
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
  /** Has this text in its name, upper and lower case alike. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Has a name that begins with this text, upper and lower case alike. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Comes with the service (true) or is custom (false). */
  readonly isStandard?: InputMaybe<Scalars['Boolean']['input']>;
  /** Some provider has it (true) or none has it (false). */
  readonly inUse?: InputMaybe<Scalars['Boolean']['input']>;
};

/** What a list of traits is ordered by. */
export type TraitOrderField =
  /** By name. */
  | 'NAME'
  /** By the order of creation; standard ones are as old as the database. */
  | 'CREATED_AT';

/** A key of the order of a list of traits. */
export type TraitOrderInput = {
  /** What to order by. */
  readonly field: TraitOrderField;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** A page of traits. */
export type TraitConnection = {
  readonly __typename?: 'TraitConnection';
  /** The traits of the page. */
  readonly nodes: ReadonlyArray<Trait>;
  /** The traits of the page with their cursors. */
  readonly edges: ReadonlyArray<TraitEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A trait and its place in the list. */
export type TraitEdge = {
  readonly __typename?: 'TraitEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The trait. */
  readonly node: Trait;
};

/** The whole set of traits of a provider. */
export type ReplaceTraitsInput = {
  /** Which provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
  /** Names of all its traits; at most 1,000. Each must exist. */
  readonly traits: ReadonlyArray<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The provider with its new traits, or why they did not change. */
export type ReplaceTraitsPayload = {
  readonly __typename?: 'ReplaceTraitsPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A custom trait. No error when it exists. */
export type CreateTraitInput = {
  /** CUSTOM_ and upper-case letters, digits and underscores: at most 255 characters. */
  readonly name: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The trait, new or not, or why there is none. */
export type CreateTraitPayload = {
  readonly __typename?: 'CreateTraitPayload';
  /** The trait; null when refused. */
  readonly trait?: Maybe<Trait>;
  /** Whether this call created it. */
  readonly created: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A custom trait to delete. Refused while a provider has it. */
export type DeleteTraitInput = {
  /** Its name. */
  readonly name: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The deleted trait, or why it still exists. */
export type DeleteTraitPayload = {
  readonly __typename?: 'DeleteTraitPayload';
  /** The name that is gone; null when refused. */
  readonly deletedTraitName?: Maybe<Scalars['String']['output']>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A uuid that providers have in common: a rack, a zone, the reach of a shared pool. It exists since a provider first named it. */
export type Aggregate = Node & {
  readonly __typename?: 'Aggregate';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The public key of the aggregate. */
  readonly uuid: Scalars['UUID']['output'];
  /** What people call it, or its uuid as long as nobody named it. Ours, not Placement's. Unique. */
  readonly name: Scalars['String']['output'];
  /** Whether somebody named it. */
  readonly isNamed: Scalars['Boolean']['output'];
  /** The providers that are in it themselves. */
  readonly resourceProviders: ResourceProviderConnection;
  /** How many trees have it on their root: usually hosts. */
  readonly rootCount: Scalars['SafeInt']['output'];
  /** How many consumers hold something in those trees, or on other providers that are in it. */
  readonly consumerCount: Scalars['SafeInt']['output'];
  /** Trees with the aggregate on their root, whole, sharing providers left out; the pools that serve them under `shared`. */
  readonly totals: Totals;
};


/** A uuid that providers have in common: a rack, a zone, the reach of a shared pool. It exists since a provider first named it. */
export type AggregateResourceProvidersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ResourceProviderFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ResourceProviderOrderInput>>;
};


/** A uuid that providers have in common: a rack, a zone, the reach of a shared pool. It exists since a provider first named it. */
export type AggregateTotalsArgs = {
  resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** Conditions on an aggregate; all that are given must hold. One without a name meets none about names. */
export type AggregateFilterInput = {
  /** One of these uuids; at most 1,000. */
  readonly uuids?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** One of these names; at most 1,000. */
  readonly names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has this text in its name, upper and lower case alike. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Has a name that begins with this text, upper and lower case alike. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
};

/** What a list of aggregates is ordered by. */
export type AggregateOrderField =
  /** By name; those without a name come last either way. */
  | 'NAME'
  /** By the order in which they were first named. */
  | 'CREATED_AT';

/** A key of the order of a list of aggregates. Ties are broken by the order of creation. */
export type AggregateOrderInput = {
  /** What to order by. */
  readonly field: AggregateOrderField;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** A page of aggregates. */
export type AggregateConnection = {
  readonly __typename?: 'AggregateConnection';
  /** The aggregates of the page. */
  readonly nodes: ReadonlyArray<Aggregate>;
  /** The aggregates of the page with their cursors. */
  readonly edges: ReadonlyArray<AggregateEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** An aggregate and its place in the list. */
export type AggregateEdge = {
  readonly __typename?: 'AggregateEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The aggregate. */
  readonly node: Aggregate;
};

/** The whole set of aggregates of a provider. */
export type ReplaceAggregatesInput = {
  /** Which provider. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
  /** Uuids of all its aggregates; at most 1,000. New ones come into being. */
  readonly aggregates: ReadonlyArray<Scalars['UUID']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The provider with its new aggregates, or why they did not change. */
export type ReplaceAggregatesPayload = {
  readonly __typename?: 'ReplaceAggregatesPayload';
  /** The provider; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A name for an aggregate, for people. */
export type NameAggregateInput = {
  /** Which aggregate. It comes into being if no provider named it yet. */
  readonly aggregate: Scalars['UUID']['input'];
  /** Its name: 1 to 200 characters, unique; null takes the name away. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The named aggregate, or why it has no new name. */
export type NameAggregatePayload = {
  readonly __typename?: 'NameAggregatePayload';
  /** The aggregate; null when refused. */
  readonly aggregate?: Maybe<Aggregate>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Something that holds resources: a server, a migration, a port. It appears with its first allocation and goes with its last. */
export type Consumer = Node & {
  readonly __typename?: 'Consumer';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The public key of the consumer. */
  readonly uuid: Scalars['UUID']['output'];
  /** Rises with every write of the consumer. Pass it back in `expect`. */
  readonly generation: Scalars['SafeInt']['output'];
  /** What it is, such as INSTANCE; null for consumers written before there were types. */
  readonly consumerType?: Maybe<Scalars['String']['output']>;
  /** Who it belongs to. */
  readonly project: Project;
  /** Who made it. */
  readonly user: User;
  /** When it first held something. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last written. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** Everything it holds, by provider name and class. Small: a few providers. */
  readonly allocations: ReadonlyArray<Allocation>;
  /** The roots of the trees that it holds something in, by name. */
  readonly roots: ReadonlyArray<ResourceProvider>;
  /** What was written about it. `changes` of these events are those of this consumer. */
  readonly events: EventConnection;
};


/** Something that holds resources: a server, a migration, a port. It appears with its first allocation and goes with its last. */
export type ConsumerEventsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<EventOrderInput>>;
};

/** A page of consumers. */
export type ConsumerConnection = {
  readonly __typename?: 'ConsumerConnection';
  /** The consumers of the page. */
  readonly nodes: ReadonlyArray<Consumer>;
  /** The consumers of the page with their cursors. */
  readonly edges: ReadonlyArray<ConsumerEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A consumer and its place in the list. */
export type ConsumerEdge = {
  readonly __typename?: 'ConsumerEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The consumer. */
  readonly node: Consumer;
};

/** What a list of consumers is ordered by. Ties are broken by the order of creation. */
export type ConsumerOrderField =
  /** By the order of creation. */
  | 'CREATED_AT'
  /** By the moment of the last write. */
  | 'UPDATED_AT'
  /** By what it holds of a class, over all providers; those that hold none come last either way. */
  | 'AMOUNT';

/** A key of the order of a list of consumers. */
export type ConsumerOrderInput = {
  /** What to order by. */
  readonly field: ConsumerOrderField;
  /** The class that AMOUNT needs, and only it. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** Conditions on a consumer; all that are given must hold. `and`, `or` and `not` hold further conditions, at most 50 in all and 4 deep. */
export type ConsumerFilterInput = {
  /** One of these uuids; at most 1,000. */
  readonly uuids?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Belongs to one of these projects; at most 1,000. */
  readonly projects?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Made by one of these users; at most 1,000. */
  readonly users?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Of one of these types. Consumers without a type are asked for with `untyped`. */
  readonly consumerTypes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has no type (true) or has one (false). */
  readonly untyped?: InputMaybe<Scalars['Boolean']['input']>;
  /** Holds something on one of these providers; at most 1,000. */
  readonly resourceProviders?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Holds something in the tree of one of these providers; at most 1,000. */
  readonly inTrees?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Holds something in several trees, sharing providers not counted (true): a move under way, or left over. */
  readonly onSeveralRoots?: InputMaybe<Scalars['Boolean']['input']>;
  /** Holds something on a provider in one of these aggregates, or below a root in one; at most 1,000. */
  readonly aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Holds something of every one of these classes; at most 100. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Holds at least so much of each of these classes, over all providers together; at most 100. */
  readonly holds?: InputMaybe<ReadonlyArray<ResourceAmountInput>>;
  /** Created after this moment. */
  readonly createdAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created before this moment. */
  readonly createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last written after this moment. */
  readonly updatedAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** Last written before this moment. */
  readonly updatedBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Every one of these must hold. */
  readonly and?: InputMaybe<ReadonlyArray<ConsumerFilterInput>>;
  /** At least one of these must hold; none does when the list is empty. */
  readonly or?: InputMaybe<ReadonlyArray<ConsumerFilterInput>>;
  /** This may not hold. */
  readonly not?: InputMaybe<ConsumerFilterInput>;
};

/** A consumer holds an amount of a class on a provider. */
export type Allocation = {
  readonly __typename?: 'Allocation';
  /** Who holds it. */
  readonly consumer: Consumer;
  /** Where. */
  readonly resourceProvider: ResourceProvider;
  /** What. */
  readonly resourceClass: ResourceClass;
  /** How much, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** A page of allocations. */
export type AllocationConnection = {
  readonly __typename?: 'AllocationConnection';
  /** The allocations of the page. */
  readonly nodes: ReadonlyArray<Allocation>;
  /** The allocations of the page with their cursors. */
  readonly edges: ReadonlyArray<AllocationEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** An allocation and its place in the list. */
export type AllocationEdge = {
  readonly __typename?: 'AllocationEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The allocation. */
  readonly node: Allocation;
};

/** What a list of allocations is ordered by. Ties are broken by the order of creation of the consumers, then by class. */
export type AllocationOrderField =
  /** By the order of creation of the consumers. */
  | 'CONSUMER_CREATED_AT'
  /** By amount, whatever the class: give one in the filter. */
  | 'AMOUNT';

/** A key of the order of a list of allocations. */
export type AllocationOrderInput = {
  /** What to order by. */
  readonly field: AllocationOrderField;
  /** Which end comes first. */
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

/** What a write expects of a consumer. Give exactly one. A conflict answers with the generation it has. */
export type ConsumerExpectationInput =
  /** The generation that was read. */
  { readonly generation: Scalars['SafeInt']['input']; readonly isNew?: never; }
  |  /** It must not exist yet. */
  { readonly generation?: never; readonly isNew: Scalars['True']['input']; };

/** What a consumer shall hold on one provider. */
export type AllocationInput = {
  /** Which provider. It may stand only once for a consumer. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** How much of what; not empty. */
  readonly resources: ReadonlyArray<ResourceAmountInput>;
};

/** What a consumer shall hold afterwards. Give exactly one. */
export type AllocationSourceInput =
  /** Exactly this; an empty list releases everything. */
  { readonly allocations: ReadonlyArray<AllocationInput>; readonly claimToken?: never; readonly takeFrom?: never; }
  |  /** A candidate, as its token. */
  { readonly allocations?: never; readonly claimToken: Scalars['String']['input']; readonly takeFrom?: never; }
  |  /** What this other consumer of the same request held before it. */
  { readonly allocations?: never; readonly claimToken?: never; readonly takeFrom: Scalars['UUID']['input']; };

/** What one consumer shall be and hold afterwards. */
export type ConsumerAllocationsInput = {
  /** Which consumer. It may stand only once in a request. */
  readonly consumer: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ConsumerExpectationInput;
  /** What it shall hold. */
  readonly hold: AllocationSourceInput;
  /** Who it belongs to: required for a new consumer (unless it takes from another, whose it then is), kept when omitted. 1 to 255 characters. */
  readonly project?: InputMaybe<Scalars['String']['input']>;
  /** Who made it: likewise. */
  readonly user?: InputMaybe<Scalars['String']['input']>;
  /** What it is, such as INSTANCE: upper-case letters, digits and underscores, at most 255; kept when omitted, none for a new consumer. */
  readonly consumerType?: InputMaybe<Scalars['String']['input']>;
};

/** What some consumers shall hold, in one transaction: all of it happens or nothing. It replaces everything that they held. */
export type ReplaceAllocationsInput = {
  /** The consumers: 1 to 1,000. */
  readonly consumers: ReadonlyArray<ConsumerAllocationsInput>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What was written, or why nothing was. */
export type ReplaceAllocationsPayload = {
  readonly __typename?: 'ReplaceAllocationsPayload';
  /** In the order of the input; null for a consumer that holds nothing now. Empty when refused. */
  readonly consumers: ReadonlyArray<Maybe<Consumer>>;
  /** Every provider that gained or lost something or was written again, with its new generation. */
  readonly resourceProviders: ReadonlyArray<Maybe<ResourceProvider>>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors tells: 100 at most. */
  readonly truncated: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Everything that one consumer holds goes to another, without a gap: the start, the end or the undoing of a migration. */
export type MoveAllocationsInput = {
  /** Who holds it. It exists no more afterwards. */
  readonly from: Scalars['UUID']['input'];
  /** What the holder must be like. */
  readonly expectFrom: ConsumerExpectationInput;
  /** Who shall hold it. What that one held before is released. */
  readonly to: Scalars['UUID']['input'];
  /** What the receiver must be like. */
  readonly expectTo: ConsumerExpectationInput;
  /** Type of the receiver; kept when omitted, none for a new one. Project and user are those of the holder unless the receiver exists. */
  readonly consumerType?: InputMaybe<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The receiver, or why nothing moved. */
export type MoveAllocationsPayload = {
  readonly __typename?: 'MoveAllocationsPayload';
  /** The consumer that holds it now; null when refused, or when there was nothing to hold. */
  readonly consumer?: Maybe<Consumer>;
  /** Every provider touched, with its new generation. */
  readonly resourceProviders: ReadonlyArray<Maybe<ResourceProvider>>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What a release expects of a consumer. Give exactly one. */
export type ReleaseExpectationInput =
  /** The generation that was read. */
  { readonly generation: Scalars['SafeInt']['input']; readonly unchecked?: never; }
  |  /** Whatever it is by now, and also when it holds nothing any more. */
  { readonly generation?: never; readonly unchecked: Scalars['True']['input']; };

/** A consumer to release. */
export type ReleaseConsumerInput = {
  /** Which consumer. It may stand only once in a request. */
  readonly consumer: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ReleaseExpectationInput;
};

/** Consumers that shall hold nothing any more, in one transaction. */
export type ReleaseAllocationsInput = {
  /** The consumers: 1 to 1,000. */
  readonly consumers: ReadonlyArray<ReleaseConsumerInput>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What was released, or why nothing was. */
export type ReleaseAllocationsPayload = {
  readonly __typename?: 'ReleaseAllocationsPayload';
  /** Uuids of the consumers that held something and are gone now. */
  readonly releasedConsumerUuids: ReadonlyArray<Scalars['UUID']['output']>;
  /** Every provider that lost something, with its new generation. */
  readonly resourceProviders: ReadonlyArray<Maybe<ResourceProvider>>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors tells: 100 at most. */
  readonly truncated: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Who consumers belong to. Known to Keystone; here only an external id. */
export type Project = Node & {
  readonly __typename?: 'Project';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The id of the project in Keystone: 1 to 255 characters. */
  readonly externalId: Scalars['String']['output'];
  /** What its consumers hold, a row for each combination of the keys; one row without keys. All rows of a page come from one moment. */
  readonly usages: UsageConnection;
  /** Its consumers, by the order of creation when no other is asked for. */
  readonly consumers: ConsumerConnection;
  /** What was written about its consumers. `changes` of these events are those of its consumers. */
  readonly events: EventConnection;
};


/** Who consumers belong to. Known to Keystone; here only an external id. */
export type ProjectUsagesArgs = {
  filter?: InputMaybe<ConsumerFilterInput>;
  groupBy?: ReadonlyArray<UsageKey>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<UsageOrderInput>>;
};


/** Who consumers belong to. Known to Keystone; here only an external id. */
export type ProjectConsumersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ConsumerFilterInput>;
  orderBy?: InputMaybe<ReadonlyArray<ConsumerOrderInput>>;
};


/** Who consumers belong to. Known to Keystone; here only an external id. */
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
  /** Has this text in its id, upper and lower case alike. No wildcards. */
  readonly externalIdContains?: InputMaybe<Scalars['String']['input']>;
  /** Has an id that begins with this text, upper and lower case alike. */
  readonly externalIdStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Has consumers now (true) or none any more (false). */
  readonly hasConsumers?: InputMaybe<Scalars['Boolean']['input']>;
};

/** What a list of projects is ordered by. */
export type ProjectOrderField =
  /** By the id in Keystone. */
  | 'EXTERNAL_ID'
  /** By when its first consumer came. */
  | 'CREATED_AT';

/** A key of the order of a list of projects. */
export type ProjectOrderInput = {
  /** What to order by. */
  readonly field: ProjectOrderField;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** A page of projects. */
export type ProjectConnection = {
  readonly __typename?: 'ProjectConnection';
  /** The projects of the page. */
  readonly nodes: ReadonlyArray<Project>;
  /** The projects of the page with their cursors. */
  readonly edges: ReadonlyArray<ProjectEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A project and its place in the list. */
export type ProjectEdge = {
  readonly __typename?: 'ProjectEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The project. */
  readonly node: Project;
};

/** Who made consumers. Known to Keystone; here only an external id. */
export type User = Node & {
  readonly __typename?: 'User';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** The id of the user in Keystone: 1 to 255 characters. */
  readonly externalId: Scalars['String']['output'];
};

/** What a list of usages is ordered by. */
export type UsageOrderField =
  /** By what they hold of a class; 0 when they hold none. */
  | 'AMOUNT';

/** A key of the order of a list of usages. */
export type UsageOrderInput = {
  /** What to order by. */
  readonly field: UsageOrderField;
  /** The class that AMOUNT needs. */
  readonly resourceClass: Scalars['String']['input'];
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** What rows of usage are told apart by. */
export type UsageKey =
  /** By project. */
  | 'PROJECT'
  /** By user. */
  | 'USER'
  /** By consumer type. */
  | 'CONSUMER_TYPE'
  /** By consumer. */
  | 'CONSUMER'
  /** By the provider on which it is held. */
  | 'RESOURCE_PROVIDER'
  /** By the root of the tree in which it is held: usually the host. */
  | 'ROOT'
  /** By the aggregates of the provider on which it is held and of its root. What is in several counts in each; what is in none has a row without an aggregate. */
  | 'AGGREGATE';

/** What a group of consumers holds. Keys that were not asked for are null. */
export type Usage = {
  readonly __typename?: 'Usage';
  /** The project of the group. */
  readonly project?: Maybe<Project>;
  /** The user of the group. */
  readonly user?: Maybe<User>;
  /** The consumer type of the group; also null for the group without a type. */
  readonly consumerType?: Maybe<Scalars['String']['output']>;
  /** The consumer of the group; null, too, when it is gone by now. */
  readonly consumer?: Maybe<Consumer>;
  /** The provider of the group. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The root of the group. */
  readonly root?: Maybe<ResourceProvider>;
  /** The aggregate of the group; also null for the group that is in none. */
  readonly aggregate?: Maybe<Aggregate>;
  /** How many consumers the group has. */
  readonly consumerCount: Scalars['SafeInt']['output'];
  /** What they hold together, classes in the order of their ids. */
  readonly resources: ReadonlyArray<ResourceAmount>;
  /** One class of it: 0 when they hold none. */
  readonly amount: Scalars['SafeInt']['output'];
};


/** What a group of consumers holds. Keys that were not asked for are null. */
export type UsageAmountArgs = {
  resourceClass: Scalars['String']['input'];
};

/** A page of usages. */
export type UsageConnection = {
  readonly __typename?: 'UsageConnection';
  /** The rows of the page. */
  readonly nodes: ReadonlyArray<Usage>;
  /** The rows of the page with their cursors. */
  readonly edges: ReadonlyArray<UsageEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A row of usage and its place in the list. */
export type UsageEdge = {
  readonly __typename?: 'UsageEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The row. */
  readonly node: Usage;
};

/** Where a feed begins. */
export type FeedStart =
  /** At the oldest event that is kept. */
  | 'OLDEST'
  /** Behind everything that is written by now: an empty page, whose `endCursor` is where to go on. Read the state after it, and nothing is missed. */
  | 'NOW';

/** One successful write. The ledger is append-only; how long it is kept is a setting of the service. */
export type Event = Node & {
  readonly __typename?: 'Event';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** When it was written: the beginning of the write, by the clock of the database. */
  readonly at: Scalars['DateTime']['output'];
  /** What was asked for. */
  readonly kind: EventKind;
  /** The request that wrote it, `req-<uuid>`: the same as in the logs and in the answer's header. */
  readonly requestId: Scalars['String']['output'];
  /** The request id that the caller brought in `X-Openstack-Request-Id`: the same for all that one wish of a user led to in other services. Null when there was none. */
  readonly globalRequestId?: Maybe<Scalars['String']['output']>;
  /** Who asked; null when the service itself did. */
  readonly requestedBy?: Maybe<User>;
  /** For which project they asked; null when the service itself did. */
  readonly requestedFor?: Maybe<Project>;
  /** The roles they had. */
  readonly roles: ReadonlyArray<Scalars['String']['output']>;
  /** The uuids of all consumers that it touched, gone or not. */
  readonly consumerUuids: UuidConnection;
  /** The uuids of all providers that it touched, gone or not. */
  readonly resourceProviderUuids: UuidConnection;
  /**
   * What changed, an element for each subject: providers, consumers, then the rest. Under the events of a consumer, a provider or a project
   * only what is of that subject.
   */
  readonly changes: EventChangeConnection;
};


/** One successful write. The ledger is append-only; how long it is kept is a setting of the service. */
export type EventConsumerUuidsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


/** One successful write. The ledger is append-only; how long it is kept is a setting of the service. */
export type EventResourceProviderUuidsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


/** One successful write. The ledger is append-only; how long it is kept is a setting of the service. */
export type EventChangesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  everything?: Scalars['Boolean']['input'];
};

/** What was asked for in a write. */
export type EventKind =
  /** A consumer holds something else, something for the first time, or nothing any more: a claim, a resize, a release. */
  | 'REPLACE_ALLOCATIONS'
  /** What one consumer held went to another, as when a server migrates. */
  | 'MOVE_ALLOCATIONS'
  /** Consumers gave back all that they held. */
  | 'RELEASE_ALLOCATIONS'
  /** A provider is new. */
  | 'CREATE_RESOURCE_PROVIDER'
  /** A provider has another name or another parent. */
  | 'UPDATE_RESOURCE_PROVIDER'
  /** A provider is gone. */
  | 'DELETE_RESOURCE_PROVIDER'
  /** Inventories of a provider were set, one or all, or deleted. */
  | 'REPLACE_INVENTORIES'
  /** Inventories of one class were changed in part, at one provider or at many. */
  | 'PATCH_INVENTORIES'
  /** The traits of a provider were set. */
  | 'REPLACE_TRAITS'
  /** The aggregates of a provider were set. */
  | 'REPLACE_AGGREGATES'
  /** An aggregate has a name, another name, or none any more. */
  | 'NAME_AGGREGATE'
  /** A custom trait is new. */
  | 'CREATE_TRAIT'
  /** A custom trait is gone. */
  | 'DELETE_TRAIT'
  /** A custom resource class is new. */
  | 'CREATE_RESOURCE_CLASS'
  /** A custom resource class has another name, by the REST API before 1.7. */
  | 'RENAME_RESOURCE_CLASS'
  /** A custom resource class is gone. */
  | 'DELETE_RESOURCE_CLASS'
  /** Inventories and the allocations on them moved between providers. */
  | 'RESHAPE'
  /** A whole tree was made as desired. */
  | 'APPLY_PROVIDER_TREE'
  /** A host reported its tree, its devices and facts about itself. */
  | 'APPLY_REPORT'
  /** A service said in which version it runs on a host, or that it does not any more. */
  | 'REPORT_SERVICE'
  /** Facts that another service keeps were taken over. */
  | 'IMPORT_RECORDS'
  /** A provider was taken over from another Placement. */
  | 'IMPORT_RESOURCE_PROVIDER'
  /** A consumer was taken over from another Placement. */
  | 'IMPORT_CONSUMER'
  /** Written by a newer version of the gateway, which has the word for it. */
  | 'OTHER';

/** What a list of events is ordered by. */
export type EventOrderField =
  /** By when they were written, nearly: by the order in which writes were entered. Of one provider or consumer that is the order of its generations. */
  | 'AT';

/** A key of the order of a list of events. */
export type EventOrderInput = {
  /** What to order by. */
  readonly field: EventOrderField;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** Conditions on an event; all that are given must hold. Of each list one value must fit; an empty list fits nothing. */
export type EventFilterInput = {
  /** Of one of these kinds; at most 100. */
  readonly kinds?: InputMaybe<ReadonlyArray<EventKind>>;
  /** Touched one of these providers, gone or not; at most 100. */
  readonly resourceProviders?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Touched a provider that stands now in the tree of one of these; at most 100. */
  readonly inTrees?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Touched one of these consumers, gone or not; at most 100. */
  readonly consumers?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Touched a consumer of one of these projects; at most 100. */
  readonly projects?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Asked for by one of these users; at most 100. */
  readonly users?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Written by one of these requests, by its own id or by the one that its caller brought; at most 100. */
  readonly requestIds?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Changed inventories of one of these classes, or a consumer that holds or held some; at most 100. Classes that are gone count, too. */
  readonly resourceClasses?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Not older than this, this moment included. */
  readonly since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Older than this, this moment not included. */
  readonly until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** What became of a subject. */
export type ChangeAction =
  /** It is new. */
  | 'CREATED'
  /** It is not what it was. */
  | 'CHANGED'
  /** It is gone. */
  | 'DELETED';

/** What became of one subject of an event. Parts that are as they were are null or empty. */
export type EventChange = {
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
};

/** What became of a provider. */
export type ResourceProviderChange = EventChange & {
  readonly __typename?: 'ResourceProviderChange';
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
  /** Which provider. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** The provider as it is now; null when it is gone. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Its name; null when it is what it was. */
  readonly name?: Maybe<TextChange>;
  /** Its generation; null when it is what it was. */
  readonly generation?: Maybe<NumberChange>;
  /** The uuid of its parent; null when it is what it was. */
  readonly parent?: Maybe<UuidChange>;
  /** Its inventories that changed, by class; at most 1,000. */
  readonly inventories: ReadonlyArray<EventInventoryChange>;
  /** Names of the traits that it did not have before; at most 1,000. */
  readonly traitNamesAdded: ReadonlyArray<Scalars['String']['output']>;
  /** Names of the traits that it has no more; at most 1,000. */
  readonly traitNamesRemoved: ReadonlyArray<Scalars['String']['output']>;
  /** Uuids of the aggregates that it was not in before; at most 1,000. */
  readonly aggregateUuidsAdded: ReadonlyArray<Scalars['UUID']['output']>;
  /** Uuids of the aggregates that it is in no more; at most 1,000. */
  readonly aggregateUuidsRemoved: ReadonlyArray<Scalars['UUID']['output']>;
};

/** What became of a consumer. */
export type ConsumerChange = EventChange & {
  readonly __typename?: 'ConsumerChange';
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
  /** Which consumer. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The consumer as it is now; null when it holds nothing. */
  readonly consumer?: Maybe<Consumer>;
  /** Its generation; null when it is what it was. */
  readonly generation?: Maybe<NumberChange>;
  /** The external id of its project; null when it is what it was. */
  readonly project?: Maybe<TextChange>;
  /** The external id of its user; null when it is what it was. */
  readonly user?: Maybe<TextChange>;
  /** Its type; null when it is what it was. */
  readonly consumerType?: Maybe<TextChange>;
  /** What it holds now and did not, or the other way, by provider and class; under the events of a provider what it holds there. At most 1,000. */
  readonly allocations: ReadonlyArray<AllocationChange>;
};

/** What became of an aggregate. */
export type AggregateChange = EventChange & {
  readonly __typename?: 'AggregateChange';
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
  /** Which aggregate. */
  readonly aggregateUuid: Scalars['UUID']['output'];
  /** Its name; null when it is what it was. */
  readonly name?: Maybe<TextChange>;
};

/** A trait that came or went. */
export type TraitChange = EventChange & {
  readonly __typename?: 'TraitChange';
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
  /** Which trait. */
  readonly traitName: Scalars['String']['output'];
};

/** A resource class that came or went. */
export type ResourceClassChange = EventChange & {
  readonly __typename?: 'ResourceClassChange';
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
  /** Which class. */
  readonly resourceClassName: Scalars['String']['output'];
};

/** What became of a service of Nova on a host. */
export type ServiceChange = EventChange & {
  readonly __typename?: 'ServiceChange';
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
  /** The host that it runs on. */
  readonly host: Scalars['String']['output'];
  /** Such as nova-compute. */
  readonly binary: Scalars['String']['output'];
  /** Its version; null when it is what it was. */
  readonly version?: Maybe<IntChange>;
};

/** What became of a device of a host. */
export type DeviceChange = EventChange & {
  readonly __typename?: 'DeviceChange';
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
  /** The root provider of the host. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** The root provider of the host as it is now; null when it is gone. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Where in the host it is. */
  readonly address: Scalars['String']['output'];
  /** What is known of it and changed. A small list: what its host reports of one device. */
  readonly facts: ReadonlyArray<FactChange>;
};

/** What became of facts that another service keeps about something of its own. */
export type RecordChange = EventChange & {
  readonly __typename?: 'RecordChange';
  /** Whether it came, changed or went. */
  readonly action: ChangeAction;
  /** What kind of thing it is, such as `compute_node`. */
  readonly recordKind: Scalars['String']['output'];
  /** Which one; the uuid may be that of a provider. */
  readonly recordUuid: Scalars['UUID']['output'];
  /** What is known of it and changed. A small list: what one report says. */
  readonly facts: ReadonlyArray<FactChange>;
};

/** A text before and after. */
export type TextChange = {
  readonly __typename?: 'TextChange';
  /** What it was; null for none. */
  readonly before?: Maybe<Scalars['String']['output']>;
  /** What it became; null for none. */
  readonly after?: Maybe<Scalars['String']['output']>;
};

/** A whole number before and after. */
export type NumberChange = {
  readonly __typename?: 'NumberChange';
  /** What it was; null for none. */
  readonly before?: Maybe<Scalars['SafeInt']['output']>;
  /** What it became; null for none. */
  readonly after?: Maybe<Scalars['SafeInt']['output']>;
};

/** A version before and after. */
export type IntChange = {
  readonly __typename?: 'IntChange';
  /** What it was; null for none. */
  readonly before?: Maybe<Scalars['Int']['output']>;
  /** What it became; null for none. */
  readonly after?: Maybe<Scalars['Int']['output']>;
};

/** A uuid before and after. */
export type UuidChange = {
  readonly __typename?: 'UuidChange';
  /** What it was; null for none. */
  readonly before?: Maybe<Scalars['UUID']['output']>;
  /** What it became; null for none. */
  readonly after?: Maybe<Scalars['UUID']['output']>;
};

/** One inventory before and after. */
export type EventInventoryChange = {
  readonly __typename?: 'EventInventoryChange';
  /** Of which class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** What it was; null when there was none. */
  readonly before?: Maybe<InventoryRecord>;
  /** What it became; null when there is none. */
  readonly after?: Maybe<InventoryRecord>;
};

/** What a consumer holds of one class at one provider, before and after. */
export type AllocationChange = {
  readonly __typename?: 'AllocationChange';
  /** At which provider. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** The provider as it is now; null when it is gone. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Of which class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** The amount before, in units of the class; null when there was none. */
  readonly before?: Maybe<Scalars['SafeInt']['output']>;
  /** The amount after, in units of the class; null when there is none. */
  readonly after?: Maybe<Scalars['SafeInt']['output']>;
};

/** A fact before and after, its values as text. */
export type FactChange = {
  readonly __typename?: 'FactChange';
  /** Which fact. One within another has the names of both, with a dot between them. */
  readonly name: Scalars['String']['output'];
  /** What it was; null when it was not known. */
  readonly before?: Maybe<Scalars['String']['output']>;
  /** What it became; null when it is not known any more. */
  readonly after?: Maybe<Scalars['String']['output']>;
};

/** A page of events. There is no total: the ledger is long. */
export type EventConnection = {
  readonly __typename?: 'EventConnection';
  /** The events of the page. */
  readonly nodes: ReadonlyArray<Event>;
  /** The events of the page with their cursors. */
  readonly edges: ReadonlyArray<EventEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
};

/** An event and its place in the list. */
export type EventEdge = {
  readonly __typename?: 'EventEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The event. */
  readonly node: Event;
};

/** A page of what an event changed. */
export type EventChangeConnection = {
  readonly __typename?: 'EventChangeConnection';
  /** The changes of the page. */
  readonly nodes: ReadonlyArray<EventChange>;
  /** The changes of the page with their cursors. */
  readonly edges: ReadonlyArray<EventChangeEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A change and its place in the list. */
export type EventChangeEdge = {
  readonly __typename?: 'EventChangeEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The change. */
  readonly node: EventChange;
};

/** A page of uuids. */
export type UuidConnection = {
  readonly __typename?: 'UuidConnection';
  /** The uuids of the page. */
  readonly nodes: ReadonlyArray<Scalars['UUID']['output']>;
  /** The uuids of the page with their cursors. */
  readonly edges: ReadonlyArray<UuidEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A uuid and its place in the list. */
export type UuidEdge = {
  readonly __typename?: 'UuidEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The uuid. */
  readonly node: Scalars['UUID']['output'];
};

/** Whose usage is told: exactly one of these. */
export type UsageHistorySubjectInput =
  /** What is used of the inventories of this provider, gone or not. */
  { readonly resourceProvider: Scalars['UUID']['input']; readonly consumer?: never; readonly project?: never; readonly scope?: never; }
  |  /** What this consumer holds, gone or not. */
  { readonly resourceProvider?: never; readonly consumer: Scalars['UUID']['input']; readonly project?: never; readonly scope?: never; }
  |  /** What the consumers of this project hold, by its external id. */
  { readonly resourceProvider?: never; readonly consumer?: never; readonly project: Scalars['String']['input']; readonly scope?: never; }
  |  /** All providers together. */
  { readonly resourceProvider?: never; readonly consumer?: never; readonly project?: never; readonly scope: UsageHistoryScope; };

/** What is larger than one provider, consumer or project. */
export type UsageHistoryScope =
  /** The whole cloud. */
  | 'CLOUD';

/** What was at one moment. */
export type PastState = {
  readonly __typename?: 'PastState';
  /** The moment of which is told. */
  readonly at: Scalars['DateTime']['output'];
  /** A provider as it was; null when it was not there. */
  readonly pastResourceProvider?: Maybe<PastResourceProvider>;
  /** A consumer as it was; null when it held nothing. */
  readonly pastConsumer?: Maybe<PastConsumer>;
  /** What the consumers of a project held together. */
  readonly projectUsage: UsageSample;
  /** What all providers had, and what was used of it. */
  readonly cloudUsage: UsageSample;
};


/** What was at one moment. */
export type PastStatePastResourceProviderArgs = {
  uuid: Scalars['UUID']['input'];
};


/** What was at one moment. */
export type PastStatePastConsumerArgs = {
  uuid: Scalars['UUID']['input'];
};


/** What was at one moment. */
export type PastStateProjectUsageArgs = {
  externalId: Scalars['String']['input'];
};

/** A provider as it was at a moment. */
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
  /** Its inventories then, by class; at most 1,000. */
  readonly inventories: ReadonlyArray<PastInventory>;
  /** The names of its traits then; at most 1,000. */
  readonly traitNames: ReadonlyArray<Scalars['String']['output']>;
  /** The uuids of its aggregates then; at most 1,000. */
  readonly aggregateUuids: ReadonlyArray<Scalars['UUID']['output']>;
};

/** An inventory as it was at a moment. */
export type PastInventory = {
  readonly __typename?: 'PastInventory';
  /** Of which class. */
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
  /** Held by consumers then, in units of the class. */
  readonly used: Scalars['SafeInt']['output'];
};

/** A consumer as it was at a moment. */
export type PastConsumer = {
  readonly __typename?: 'PastConsumer';
  /** Its uuid. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The consumer as it is now; null when it holds nothing. */
  readonly consumer?: Maybe<Consumer>;
  /** Its generation then. */
  readonly generation: Scalars['SafeInt']['output'];
  /** Who it belonged to. */
  readonly project: Project;
  /** Who made it. */
  readonly user: User;
  /** What it was, such as INSTANCE; null for consumers written before there were types. */
  readonly consumerType?: Maybe<Scalars['String']['output']>;
  /** What it held, by provider and class; at most 1,000. */
  readonly allocations: ReadonlyArray<PastAllocation>;
};

/** What a consumer held of one class at one provider. */
export type PastAllocation = {
  readonly __typename?: 'PastAllocation';
  /** At which provider. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** Of which class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** How much, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** Usage over time. */
export type UsageHistory = {
  readonly __typename?: 'UsageHistory';
  /** In the order of time; at most 1,000. */
  readonly samples: ReadonlyArray<UsageSample>;
  /** How many events were read for it. */
  readonly eventCount: Scalars['SafeInt']['output'];
};

/** What was used, and was there, at one moment. */
export type UsageSample = {
  readonly __typename?: 'UsageSample';
  /** The moment. */
  readonly at: Scalars['DateTime']['output'];
  /** How many consumers there were in the project or the whole cloud; 0 where a provider or a consumer is told of. */
  readonly consumerCount: Scalars['SafeInt']['output'];
  /** A row for each class that was there or used then, by name; at most as many as there are classes. */
  readonly usages: ReadonlyArray<PastUsage>;
};

/** What was used of one class, and was there, at one moment. A project and a consumer have nothing of their own: there all but `used` is 0. */
export type PastUsage = {
  readonly __typename?: 'PastUsage';
  /** Of which class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** Held by consumers, in units of the class. */
  readonly used: Scalars['SafeInt']['output'];
  /** Sum of the physical amounts, in units of the class. */
  readonly total: Scalars['SafeInt']['output'];
  /** Sum of what was withheld, in units of the class. */
  readonly reserved: Scalars['SafeInt']['output'];
  /** Sum of the capacities, in units of the class. */
  readonly capacity: Scalars['SafeInt']['output'];
  /** How many providers had an inventory of it. */
  readonly providerCount: Scalars['SafeInt']['output'];
};

/** Whether suffixed groups may be served by the same provider. */
export type GroupPolicy =
  /** They may. */
  | 'NONE'
  /** Every suffixed group is served by a provider of its own. The group without suffix is exempt. */
  | 'ISOLATE';

/** What the trees of a search are ordered by. Every root gives one candidate before any gives its second. */
export type CandidateOrderField =
  /** By what is free of a class in the tree: DESC spreads the load, ASC fills what is begun. Trees without the class come last either way. */
  | 'FREE'
  /** By age of the root: the same question gets the same answer while nothing changes. Leaves no ties, so no key can follow it. */
  | 'CREATED_AT'
  /** By chance, each time anew; the same for the same `seed` while nothing changes. Leaves no ties, so no key can follow it. */
  | 'RANDOM';

/** A key of the order in which trees are tried. Where the keys leave ties, the oldest root comes first. */
export type CandidateOrderInput = {
  /** What to order by. */
  readonly field: CandidateOrderField;
  /** The class that FREE needs, and only it. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Only with RANDOM: makes the answer repeatable. */
  readonly seed?: InputMaybe<Scalars['Int']['input']>;
  /** Which end comes first; RANDOM has none but ASC. */
  readonly direction?: OrderDirection;
};

/** One group of a request. Several groups of a request are served together, under one root. */
export type RequestGroupInput = {
  /** Names the group: 1 to 64 letters, digits, _ or -. A suffixed group is served whole by one provider. Omit it for the one group that may spread over a tree, a class from here and a class from there, sharing providers included. */
  readonly suffix?: InputMaybe<Scalars['String']['input']>;
  /** What to take; a class may stand only once. Only a suffixed group that stands in a `sameSubtree` may take nothing: it picks a provider. */
  readonly resources?: InputMaybe<ReadonlyArray<ResourceAmountInput>>;
  /** With a suffix: traits of the provider itself. Without: forbidden ones are on no provider that gives something, required ones each on one of them. */
  readonly traits?: InputMaybe<ReadonlyArray<TraitConditionInput>>;
  /** With a suffix: aggregates of the provider itself. Without: those of the root span the tree. */
  readonly aggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** Only from the tree of this provider, whichever member it is. An unknown one is no error: nothing is found. */
  readonly inTree?: InputMaybe<Scalars['UUID']['input']>;
};

/** Groups that stand together: of their providers one is at or above all others. */
export type SameSubtreeInput = {
  /** Suffixes of groups of this request; at least one. */
  readonly groups: ReadonlyArray<Scalars['String']['input']>;
};

/** What is looked for. Unknown classes and traits are refused, unknown aggregates and providers just find nothing. */
export type CandidatesInput = {
  /** 1 to 128 groups; at least one asks for resources. */
  readonly groups: ReadonlyArray<RequestGroupInput>;
  /** Whether suffixed groups may share a provider. */
  readonly groupPolicy?: InputMaybe<GroupPolicy>;
  /** Traits of the root under which a candidate stands, whether or not it gives something. */
  readonly rootTraits?: InputMaybe<ReadonlyArray<TraitConditionInput>>;
  /** Aggregates of that root itself, such as a cell or a zone. */
  readonly rootAggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** Which groups stand together. */
  readonly sameSubtree?: InputMaybe<ReadonlyArray<SameSubtreeInput>>;
  /** How many candidates, 1 to 1,000. */
  readonly limit?: InputMaybe<Scalars['Int']['input']>;
  /** How many under one root; as many as there are when omitted. */
  readonly perRootLimit?: InputMaybe<Scalars['Int']['input']>;
  /** Which trees come first: most important key first, at most 5. The oldest root when omitted. */
  readonly orderBy?: InputMaybe<ReadonlyArray<CandidateOrderInput>>;
};

/** What a search found: the committed state at its own start, whichever gateway wrote it. */
export type AllocationCandidates = {
  readonly __typename?: 'AllocationCandidates';
  /** The ways to serve the request, in the order asked for. Nothing is reserved. */
  readonly candidates: ReadonlyArray<AllocationCandidate>;
  /** True when a budget ended the search, not the limit: too much work, or 8,000 amounts in all candidates. There may be more. */
  readonly truncated: Scalars['Boolean']['output'];
  /** Which condition leaves how many roots, and what is nearly there. Costs a second search: ask for it when `candidates` is empty. */
  readonly explanation: Explanation;
};

/** One way to serve a request. Pass its token to replaceAllocations, or let `claim` search and take in one call. */
export type AllocationCandidate = {
  readonly __typename?: 'AllocationCandidate';
  /** The root of the tree under which it stands. When sharing providers alone serve the request: the first root that they serve. */
  readonly root: ResourceProvider;
  /** Everything taken, each pair of provider and class once. The providers show the use that was searched. */
  readonly allocations: ReadonlyArray<CandidateAllocation>;
  /** Who serves which group, in the order of the request. */
  readonly mappings: ReadonlyArray<GroupMapping>;
  /** The whole candidate as one string, for `hold: {claimToken}` in replaceAllocations. It reserves nothing, never expires and works in every gateway; what it stands for is checked when it is used. */
  readonly claimToken: Scalars['String']['output'];
};

/** An amount of a class from one provider. */
export type CandidateAllocation = {
  readonly __typename?: 'CandidateAllocation';
  /** Who gives it. */
  readonly resourceProvider: ResourceProvider;
  /** What is taken. */
  readonly resourceClass: ResourceClass;
  /** How much, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** Who serves a group. */
export type GroupMapping = {
  readonly __typename?: 'GroupMapping';
  /** Suffix of the group; empty for the one without. */
  readonly suffix: Scalars['String']['output'];
  /** One provider; several for the group without suffix when it spreads. */
  readonly resourceProviders: ReadonlyArray<ResourceProvider>;
};

/** Why there are no more candidates than there are. */
export type Explanation = {
  readonly __typename?: 'Explanation';
  /** The answer in a sentence or two. */
  readonly summary: Scalars['String']['output'];
  /** The conditions in order, each with the roots left after it. */
  readonly steps: ReadonlyArray<ExplanationStep>;
  /** What would help most, best first: each is one condition that could be given up or met. */
  readonly nearestMisses: ReadonlyArray<NearestMiss>;
  /** True when a budget of work ended the explanation: its numbers are then lower bounds. */
  readonly truncated: Scalars['Boolean']['output'];
};

/** What a condition of a search is about. */
export type ExplanationStepKind =
  /** The root has one of `traitNames`. */
  | 'ROOT_TRAITS'
  /** The root does not have the trait in `traitNames`. */
  | 'ROOT_FORBIDDEN_TRAIT'
  /** The root is in one of `aggregateUuids`. */
  | 'ROOT_AGGREGATES'
  /** The root is not in the aggregate in `aggregateUuids`. */
  | 'ROOT_FORBIDDEN_AGGREGATE'
  /** The group is served from the tree of `resourceProviderUuid`. */
  | 'TREE'
  /** A provider has an inventory of `resourceClassName`. */
  | 'INVENTORY'
  /** `amount` of `resourceClassName` obeys the smallest and largest unit and the step of its inventory. */
  | 'UNITS'
  /** A provider has room for `amount` of `resourceClassName`. */
  | 'ROOM'
  /** A provider, or for the group without suffix all of them together, has one of `traitNames`. */
  | 'TRAITS'
  /** The provider does not have the trait in `traitNames`. */
  | 'FORBIDDEN_TRAIT'
  /** The provider is in the aggregates in `aggregateUuids`: in one of each clause. Without suffix those of the root count, too. */
  | 'AGGREGATES'
  /** The provider is not in the aggregate in `aggregateUuids`. */
  | 'FORBIDDEN_AGGREGATE'
  /** Each of `groups` is served by a provider of its own: groupPolicy ISOLATE. */
  | 'ISOLATION'
  /** Those who serve `groups` stand in one subtree. */
  | 'SAME_SUBTREE'
  /** Providers that serve several groups have room for all that these take of `resourceClassName`, `amount` over the whole request. */
  | 'ROOM_TOGETHER'
  /** One provider of each tree serves all groups. Only the Placement REST API before 1.29 asks for it. */
  | 'ONE_PROVIDER';

/** One condition of a search. */
export type ExplanationStep = {
  readonly __typename?: 'ExplanationStep';
  /** Suffix of the group that it belongs to, empty for the one without; null for a condition on the whole request. */
  readonly group?: Maybe<Scalars['String']['output']>;
  /** What kind of condition it is. */
  readonly kind: ExplanationStepKind;
  /** The condition in words. */
  readonly filter: Scalars['String']['output'];
  /** Name of the class, for INVENTORY, UNITS, ROOM and ROOM_TOGETHER; otherwise null. It need not exist. */
  readonly resourceClassName?: Maybe<Scalars['String']['output']>;
  /** How much is asked for, in units of the class; null without a class. */
  readonly amount?: Maybe<Scalars['SafeInt']['output']>;
  /** Names of the traits, one of which is required, or of the one that is forbidden; empty for other kinds. They need not exist. */
  readonly traitNames: ReadonlyArray<Scalars['String']['output']>;
  /** Uuids of the aggregates, one of each clause of which is required, or of the one that is forbidden; empty for other kinds. They need not exist. */
  readonly aggregateUuids: ReadonlyArray<Scalars['UUID']['output']>;
  /** Uuid of the provider in whose tree it must be, for TREE; otherwise null. It need not exist. */
  readonly resourceProviderUuid?: Maybe<Scalars['UUID']['output']>;
  /** Suffixes of the groups that must agree, for ISOLATION and SAME_SUBTREE; otherwise empty. */
  readonly groups: ReadonlyArray<Scalars['String']['output']>;
  /** Roots that could serve the request as far as looked at before it. */
  readonly rootsBefore: Scalars['SafeInt']['output'];
  /** Roots that are left after it. */
  readonly rootsAfter: Scalars['SafeInt']['output'];
};

/** Roots that would serve the request but for one condition. */
export type NearestMiss = {
  readonly __typename?: 'NearestMiss';
  /** What is missing, in words: "12 trees lack only 4,096 MEMORY_MB". */
  readonly message: Scalars['String']['output'];
  /** How many roots it is about. */
  readonly rootCount: Scalars['SafeInt']['output'];
  /** Some of them, at most three. */
  readonly sample: ReadonlyArray<ResourceProvider>;
  /** The smallest amounts that would have to be free besides. */
  readonly lacks: ReadonlyArray<ResourceAmount>;
  /** Names of the traits that are missing. */
  readonly lacksTraitNames: ReadonlyArray<Scalars['String']['output']>;
};

/** How many more requests like one fit, if they were claimed one after another. */
export type Fit = {
  readonly __typename?: 'Fit';
  /** In all. Pools that several trees share are counted once. */
  readonly total: Scalars['SafeInt']['output'];
  /** True when `total` is exact; otherwise it is a lower bound: that many fit for certain. */
  readonly exact: Scalars['Boolean']['output'];
  /** True when a budget of work ended the count: the numbers are then lower bounds. */
  readonly truncated: Scalars['Boolean']['output'];
  /** By root, most first, then the oldest: how many would fit there if all others stayed as they are. */
  readonly byRoot: RootFitConnection;
  /** By aggregate of the root, most first, then the oldest. */
  readonly byAggregate: AggregateFitConnection;
};


/** How many more requests like one fit, if they were claimed one after another. */
export type FitByRootArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


/** How many more requests like one fit, if they were claimed one after another. */
export type FitByAggregateArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

/** How many requests fit under one root. */
export type RootFit = {
  readonly __typename?: 'RootFit';
  /** The root. */
  readonly root: ResourceProvider;
  /** How many, if all others stayed as they are. */
  readonly count: Scalars['SafeInt']['output'];
};

/** How many requests fit under the roots that are in one aggregate. */
export type AggregateFit = {
  readonly __typename?: 'AggregateFit';
  /** The aggregate. */
  readonly aggregate: Aggregate;
  /** How many, if all others stayed as they are. */
  readonly count: Scalars['SafeInt']['output'];
};

/** A page of counts by root. */
export type RootFitConnection = {
  readonly __typename?: 'RootFitConnection';
  /** The rows of the page. */
  readonly nodes: ReadonlyArray<RootFit>;
  /** The rows of the page with their cursors. */
  readonly edges: ReadonlyArray<RootFitEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A count of a root and its place in the list. */
export type RootFitEdge = {
  readonly __typename?: 'RootFitEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The row. */
  readonly node: RootFit;
};

/** A page of counts by aggregate. */
export type AggregateFitConnection = {
  readonly __typename?: 'AggregateFitConnection';
  /** The rows of the page. */
  readonly nodes: ReadonlyArray<AggregateFit>;
  /** The rows of the page with their cursors. */
  readonly edges: ReadonlyArray<AggregateFitEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A count of an aggregate and its place in the list. */
export type AggregateFitEdge = {
  readonly __typename?: 'AggregateFitEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The row. */
  readonly node: AggregateFit;
};

/** What one consumer of a claim shall be, and hold. */
export type ClaimConsumerInput = {
  /** Which consumer. It may stand only once in a request. */
  readonly consumer: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ConsumerExpectationInput;
  /** Instead of a candidate: what this other consumer of the same request held before. The other gets its candidate in the same transaction, so that nothing is free in between: the start of a migration. */
  readonly takeFrom?: InputMaybe<Scalars['UUID']['input']>;
  /** Who it belongs to: as in replaceAllocations. */
  readonly project?: InputMaybe<Scalars['String']['input']>;
  /** Who made it: likewise. */
  readonly user?: InputMaybe<Scalars['String']['input']>;
  /** What it is, such as INSTANCE: likewise. */
  readonly consumerType?: InputMaybe<Scalars['String']['input']>;
};

/** Whether some may be served when all cannot. */
export type ClaimMode =
  /** All consumers in one transaction, or none. */
  | 'ALL_OR_NOTHING'
  /** Each consumer by itself, with who takes from it: those for whom there is no candidate stay as they are. */
  | 'BEST_EFFORT';

/** Search and take in one call. */
export type ClaimInput = {
  /** Who needs a candidate, each its own: 1 to 100. What is chosen for one is taken into account for the next. */
  readonly consumers: ReadonlyArray<ClaimConsumerInput>;
  /** What each of them needs. Its limits are not looked at: as many candidates are found as are needed. */
  readonly request: CandidatesInput;
  /** Whether some may be served when all cannot. */
  readonly mode?: InputMaybe<ClaimMode>;
  /** How many further candidates to return for each consumer, 0 to 20, each on a root of its own, none on a root that this call chose. */
  readonly alternates?: InputMaybe<Scalars['Int']['input']>;
  /** Aggregates that split the cloud, such as cells, at most 1,000: the root of an alternate is in exactly those of them in which the root is that was chosen. */
  readonly alternatesIn?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** Where everybody landed, or why not. A resend finds the consumers changed and is refused: `expect` makes it safe. */
export type ClaimPayload = {
  readonly __typename?: 'ClaimPayload';
  /** Consumers that were served, in the order of the input. */
  readonly claims?: Maybe<ReadonlyArray<Maybe<Claim>>>;
  /** Every provider that gained or lost something, with its new generation. */
  readonly resourceProviders?: Maybe<ReadonlyArray<Maybe<ResourceProvider>>>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused; with BEST_EFFORT, why some were not served: the path names the consumer. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What one consumer got. */
export type Claim = {
  readonly __typename?: 'Claim';
  /** The consumer, with its new generation. */
  readonly consumer: Consumer;
  /** The candidate that it holds now; null when it took from another. */
  readonly candidate?: Maybe<AllocationCandidate>;
  /** Further candidates on other roots, nothing of them reserved. Empty when it took from another. */
  readonly alternateCandidates: ReadonlyArray<AllocationCandidate>;
};

/** The inventories that a provider shall have after a reshape. */
export type ReshapeProviderInput = {
  /** Which provider. It may stand only once. */
  readonly resourceProvider: Scalars['UUID']['input'];
  /** What it must be like. */
  readonly expect: ProviderExpectationInput;
  /** All its inventories afterwards. */
  readonly inventories: ReadonlyArray<InventoryInput>;
};

/** Inventories and the allocations on them move between providers in one transaction. Both the old and the new inventories are there while allocations move. */
export type ReshapeInput = {
  /** The providers whose inventories change: 1 to 1,000. */
  readonly resourceProviders: ReadonlyArray<ReshapeProviderInput>;
  /** What the consumers concerned hold afterwards; others are untouched. At most 10,000. */
  readonly allocations?: ReadonlyArray<ConsumerAllocationsInput>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What was reshaped, or why nothing was. */
export type ReshapePayload = {
  readonly __typename?: 'ReshapePayload';
  /** Every provider touched, with its new generation. */
  readonly resourceProviders: ReadonlyArray<Maybe<ResourceProvider>>;
  /** In the order of the input; null for a consumer that holds nothing now. */
  readonly consumers: ReadonlyArray<Maybe<Consumer>>;
  /** Inventories that are now smaller than their use. */
  readonly warnings: ReadonlyArray<Warning>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors tells: 100 at most. */
  readonly truncated: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A provider as it shall be. Parts that are omitted stay; an empty list empties them. */
export type DesiredProviderInput = {
  /** Its uuid; when omitted it is known by its name, or gets a new one. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** Its name: 1 to 200 characters, unique. With a uuid, another name renames it. */
  readonly name: Scalars['String']['input'];
  /** The name of its parent in this list; omitted only for the root. */
  readonly parentName?: InputMaybe<Scalars['String']['input']>;
  /** What it must be like if it exists; anything when omitted. */
  readonly expect?: InputMaybe<ProviderExpectationInput>;
  /** All its inventories. */
  readonly inventories?: InputMaybe<ReadonlyArray<InventoryInput>>;
  /** Names of all its traits. Custom ones that do not exist are created. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Uuids of all its aggregates. */
  readonly aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
};

/** A whole tree as it shall be, made real in one transaction. Providers of the tree that are not in the list are deleted. */
export type ApplyProviderTreeInput = {
  /** The uuid of the root, which is created if it does not exist. */
  readonly root: Scalars['UUID']['input'];
  /** All providers of the tree, the root included: 1 to 1,000. Custom classes that do not exist are created. */
  readonly resourceProviders: ReadonlyArray<DesiredProviderInput>;
  /** What consumers concerned hold afterwards, when inventories move under them; others are untouched. At most 10,000. */
  readonly allocations?: ReadonlyArray<ConsumerAllocationsInput>;
  /** Only tell what would change: everything is tried, and undone. */
  readonly dryRun?: Scalars['Boolean']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What became of the tree, or why nothing changed. */
export type ApplyProviderTreePayload = {
  readonly __typename?: 'ApplyProviderTreePayload';
  /** The root; null when refused, or when it would only be created. */
  readonly root?: Maybe<ResourceProvider>;
  /** What changed, or would change, in the order of the input, then what is deleted, then consumers; empty when the tree was already like that, and then no generation changed either. */
  readonly changes?: Maybe<ReadonlyArray<TreeChange>>;
  /** Whether it was done: false for a dry run and when refused. */
  readonly applied: Scalars['Boolean']['output'];
  /** Inventories that are now smaller than their use. */
  readonly warnings: ReadonlyArray<Warning>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors tells: 100 at most. */
  readonly truncated: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What a change of a tree is about. */
export type TreeChangeKind =
  /** A new provider. */
  | 'CREATE'
  /** A provider is gone. */
  | 'DELETE'
  /** A provider has another parent; before and after are the parents' uuids. */
  | 'MOVE'
  /** A provider has another name. */
  | 'RENAME'
  /** An inventory is new or different; before and after are JSON. */
  | 'SET_INVENTORY'
  /** An inventory is gone; before is JSON. */
  | 'DELETE_INVENTORY'
  /** A trait was added; after is its name. */
  | 'ADD_TRAIT'
  /** A trait was removed; before is its name. */
  | 'REMOVE_TRAIT'
  /** An aggregate was added; after is its uuid. */
  | 'ADD_AGGREGATE'
  /** An aggregate was removed; before is its uuid. */
  | 'REMOVE_AGGREGATE'
  /** A consumer holds something else; before and after are JSON. */
  | 'REPLACE_ALLOCATIONS';

/** One change of a tree. */
export type TreeChange = {
  readonly __typename?: 'TreeChange';
  /** What it is about. */
  readonly kind: TreeChangeKind;
  /** Uuid of the provider; null for a change of a consumer. */
  readonly resourceProviderUuid?: Maybe<Scalars['UUID']['output']>;
  /** Uuid of the consumer, for REPLACE_ALLOCATIONS. */
  readonly consumerUuid?: Maybe<Scalars['UUID']['output']>;
  /** The name of the provider, or the uuid of the consumer. */
  readonly name: Scalars['String']['output'];
  /** Name of the class, for inventories. */
  readonly resourceClassName?: Maybe<Scalars['String']['output']>;
  /** What was there before. */
  readonly before?: Maybe<Scalars['String']['output']>;
  /** What is there after. */
  readonly after?: Maybe<Scalars['String']['output']>;
};

/** What a client may do after a no. Also in `extensions.retry` of errors. */
export type Retry =
  /** The same call stays refused: change it, or what it is about, first. */
  | 'NEVER'
  /** The same call may succeed later as it is. */
  | 'LATER'
  /** What the call expected is out of date, or it is not known whether an earlier one was done: read again, then decide. Sent again as it is, it may do a thing twice. */
  | 'AFTER_READ';

/**
 * Why a write was refused; nothing of it was done. When several reasons apply, the first in this order is told: INVALID_INPUT,
 * IDEMPOTENCY_KEY_REUSED, NOT_FOUND, DUPLICATE, STANDARD_NAME, CONSUMER_CONFLICT, PROVIDER_CONFLICT, PARENT_LOOP, HAS_CHILDREN, IN_USE,
 * NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED. New codes may be added: treat an unknown one by `retry`.
 */
export type UserError = {
  /** Stable name of the reason, such as CAPACITY_EXCEEDED. */
  readonly code: Scalars['String']['output'];
  /** The reason in words, and what to do. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input: ["consumers", "0", "expect"]. Empty when it is about the whole. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** What may be done after it. */
  readonly retry: Retry;
};

/** INVALID_INPUT: a value is malformed or out of range. */
export type InvalidInput = UserError & {
  readonly __typename?: 'InvalidInput';
  /** INVALID_INPUT. */
  readonly code: Scalars['String']['output'];
  /** Which value, and what is allowed. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER: correct the input. */
  readonly retry: Retry;
};

/** IDEMPOTENCY_KEY_REUSED: the key was used with other input. */
export type IdempotencyKeyReused = UserError & {
  readonly __typename?: 'IdempotencyKeyReused';
  /** IDEMPOTENCY_KEY_REUSED. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER: take a new key. */
  readonly retry: Retry;
  /** The key. */
  readonly key: Scalars['String']['output'];
};

/** NOT_FOUND: something named does not exist. */
export type NotFound = UserError & {
  readonly __typename?: 'NotFound';
  /** NOT_FOUND. */
  readonly code: Scalars['String']['output'];
  /** What is missing. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** What kind of thing: resourceProvider, parent, resourceClass, inventory, trait, aggregate, consumer. */
  readonly noun: Scalars['String']['output'];
  /** Its uuid or name. */
  readonly key: Scalars['String']['output'];
};

/** DUPLICATE: the name or uuid is taken. */
export type Duplicate = UserError & {
  readonly __typename?: 'Duplicate';
  /** DUPLICATE. */
  readonly code: Scalars['String']['output'];
  /** What is taken. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** What kind of thing: resourceProvider, resourceClass, trait, aggregate. */
  readonly noun: Scalars['String']['output'];
  /** The name or uuid that is taken. */
  readonly key: Scalars['String']['output'];
  /** What has it, if it still does. */
  readonly existing?: Maybe<Node>;
};

/** STANDARD_NAME: a standard class or trait can be neither created nor deleted. */
export type StandardName = UserError & {
  readonly __typename?: 'StandardName';
  /** STANDARD_NAME. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** The name. */
  readonly key: Scalars['String']['output'];
};

/** CONSUMER_CONFLICT: the consumer is not as expected. Read it again, or use `actual`. */
export type ConsumerConflict = UserError & {
  readonly __typename?: 'ConsumerConflict';
  /** CONSUMER_CONFLICT. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** AFTER_READ. A claim of a new consumer that is refused so was perhaps done when it was sent before: sent with `actual` it would be done twice. */
  readonly retry: Retry;
  /** Uuid of the consumer. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The generation that was expected; null when none was, since it should be new. */
  readonly expected?: Maybe<Scalars['SafeInt']['output']>;
  /** The generation it has; null when it does not exist. */
  readonly actual?: Maybe<Scalars['SafeInt']['output']>;
};

/** PROVIDER_CONFLICT: the provider changed since it was read. Read it again. */
export type ProviderConflict = UserError & {
  readonly __typename?: 'ProviderConflict';
  /** PROVIDER_CONFLICT. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** AFTER_READ. */
  readonly retry: Retry;
  /** The provider, if it still exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** The generation that was expected. */
  readonly expected?: Maybe<Scalars['SafeInt']['output']>;
  /** The generation it had. */
  readonly actual?: Maybe<Scalars['SafeInt']['output']>;
};

/** PARENT_LOOP: the new parent is the provider itself or below it. */
export type ParentLoop = UserError & {
  readonly __typename?: 'ParentLoop';
  /** PARENT_LOOP. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** Uuid of the provider. */
  readonly resourceProviderUuid: Scalars['UUID']['output'];
  /** Uuid of the parent that was asked for. */
  readonly parentUuid: Scalars['UUID']['output'];
};

/** HAS_CHILDREN: the provider still has children. Delete or move them first. */
export type HasChildren = UserError & {
  readonly __typename?: 'HasChildren';
  /** HAS_CHILDREN. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** The first ten of them. */
  readonly children: ReadonlyArray<ResourceProvider>;
  /** How many there are. */
  readonly childCount: Scalars['SafeInt']['output'];
};

/** IN_USE: consumers hold it, or providers have it. */
export type InUse = UserError & {
  readonly __typename?: 'InUse';
  /** IN_USE. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** What kind of thing is in use: resourceProvider, inventory, resourceClass, trait. */
  readonly noun: Scalars['String']['output'];
  /** Its uuid or name; for an inventory, the class. */
  readonly key: Scalars['String']['output'];
  /** The first ten consumers (of a provider or inventory) or providers (of a class or trait) that use it. */
  readonly by: ReadonlyArray<Node>;
  /** How many there are. */
  readonly byCount: Scalars['SafeInt']['output'];
};

/** NO_INVENTORY: the provider has none of the class. */
export type NoInventory = UserError & {
  readonly __typename?: 'NoInventory';
  /** NO_INVENTORY. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** Uuid of the consumer it was for. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The provider, if it still exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Name of the class. */
  readonly resourceClassName: Scalars['String']['output'];
};

/** UNIT_VIOLATION: one amount breaks minUnit, maxUnit or stepSize. */
export type UnitViolation = UserError & {
  readonly __typename?: 'UnitViolation';
  /** UNIT_VIOLATION. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** NEVER. */
  readonly retry: Retry;
  /** Uuid of the consumer it was for. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The provider, if it still exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Name of the class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** The amount asked for. */
  readonly requested: Scalars['SafeInt']['output'];
  /** The smallest amount allowed. */
  readonly minUnit: Scalars['SafeInt']['output'];
  /** The largest amount allowed. */
  readonly maxUnit: Scalars['SafeInt']['output'];
  /** The amount must be a multiple of it. */
  readonly stepSize: Scalars['SafeInt']['output'];
};

/** CAPACITY_EXCEEDED: the provider cannot give what the whole request asks of it. */
export type CapacityExceeded = UserError & {
  readonly __typename?: 'CapacityExceeded';
  /** CAPACITY_EXCEEDED. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** LATER: room may come back. Better, look for another provider. */
  readonly retry: Retry;
  /** Uuid of the first consumer it was for. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The provider, if it still exists. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Name of the class. */
  readonly resourceClassName: Scalars['String']['output'];
  /** What all consumers of the request asked for together. */
  readonly requested: Scalars['SafeInt']['output'];
  /** What the request could have had, in units of the class; never negative. */
  readonly available: Scalars['SafeInt']['output'];
};

/** NO_CANDIDATES: nothing can serve the request now. */
export type NoCandidates = UserError & {
  readonly __typename?: 'NoCandidates';
  /** NO_CANDIDATES. */
  readonly code: Scalars['String']['output'];
  /** The reason in words. */
  readonly message: Scalars['String']['output'];
  /** Leads into the input, to the first consumer without a candidate. */
  readonly path: ReadonlyArray<Scalars['String']['output']>;
  /** LATER: room may come back. */
  readonly retry: Retry;
  /** Uuid of the first consumer for whom there was none. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** Why: conditions, roots left after each, and what is nearly there. What this call chose for others before counts as used. */
  readonly explanation: Explanation;
};

/** What a warning is about. Values may be added. */
export type WarningCode =
  /** An inventory is now smaller than its use. Nothing new fits until it is not; what is held may be kept, reduced or moved. */
  | 'SHRUNK_BELOW_USE'
  /** An extra specification of the flavor could not be understood, and is not in the request. */
  | 'EXTRA_SPEC_LEFT_OUT'
  /** A property of the image could not be understood, and is not in the request. */
  | 'IMAGE_PROPERTY_LEFT_OUT'
  /** A policy for dedicated processors does nothing, since none are asked for. */
  | 'POLICY_WITHOUT_EFFECT'
  /** A group has traits but takes nothing: a search for such a request is refused. */
  | 'GROUP_WITHOUT_RESOURCES'
  /** The flavor has several groups and no group_policy, which Placement refuses: here the groups may share providers. */
  | 'GROUP_POLICY_ASSUMED'
  /** Who owns which resources was not looked at, since not every compute reports it. */
  | 'OWNERS_NOT_CHECKED';

/** Something that was not refused, but that somebody should look at. */
export type Warning = {
  /** What it is about. */
  readonly code: WarningCode;
  /** What to look at, in words. */
  readonly message: Scalars['String']['output'];
  /** The key or name of what it is about; null for the whole. */
  readonly subject?: Maybe<Scalars['String']['output']>;
};

/** SHRUNK_BELOW_USE: the inventory is now smaller than its use. Nothing new fits until it is not; what is held may be kept, reduced or moved. */
export type ShrunkBelowUse = Warning & {
  readonly __typename?: 'ShrunkBelowUse';
  /** SHRUNK_BELOW_USE. */
  readonly code: WarningCode;
  /** What to look at, in words. */
  readonly message: Scalars['String']['output'];
  /** The inventory: the uuid of its provider, a slash and its class. */
  readonly subject?: Maybe<Scalars['String']['output']>;
  /** The inventory; null when it was deleted since. */
  readonly inventory?: Maybe<Inventory>;
};

/** What a request that was made from a flavor leaves out or assumes: every code but SHRUNK_BELOW_USE. */
export type RequestWarning = Warning & {
  readonly __typename?: 'RequestWarning';
  /** What it is about. */
  readonly code: WarningCode;
  /** What to look at, in words. */
  readonly message: Scalars['String']['output'];
  /** The key of the extra specification or of the property of the image, or the suffix of the group; null for the whole request. */
  readonly subject?: Maybe<Scalars['String']['output']>;
};

/** What runs here. */
export type ServiceInfo = {
  readonly __typename?: 'ServiceInfo';
  /** Version of placement-gateway. */
  readonly version: Scalars['String']['output'];
  /** What this version can do, by name: ask here before relying on something new. */
  readonly features: ReadonlyArray<Scalars['String']['output']>;
  /** Every limit that a caller can meet; small: about 60. Also in docs/limits.md. */
  readonly limits: ReadonlyArray<Limit>;
};

/** A limit: what is over it is refused, or cut off where a field `truncated` says so. */
export type Limit = {
  readonly __typename?: 'Limit';
  /** What is bounded, such as pageSize. Names are added; one that is there keeps its meaning and unit. */
  readonly name: Scalars['String']['output'];
  /** The most that is allowed, in the unit. A new version may raise it. */
  readonly value: Scalars['Float']['output'];
  /** What is counted, in the plural: bytes, milliseconds, objects, consumers. */
  readonly unit: Scalars['String']['output'];
  /** What it bounds, in one sentence. */
  readonly description: Scalars['String']['output'];
};

/** A name with its value, such as an extra specification of a flavor or a property of an image. */
export type PropertyInput = {
  /** Such as `resources:VGPU` of a flavor, or `hw_cpu_policy` of an image. */
  readonly key: Scalars['String']['input'];
  /** What it is. */
  readonly value: Scalars['String']['input'];
};

/** A size on offer. Give exactly one. */
export type FlavorInput =
  /** JSON text of a versioned object named Flavor, of any version from 1.0. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Its numbers. */
  { readonly object?: never; readonly fields: FlavorFieldsInput; };

/** A size on offer, field by field. */
export type FlavorFieldsInput = {
  /** What it is called. */
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
  /** At most 1,000 extra specifications, each key once. */
  readonly extraSpecs?: InputMaybe<ReadonlyArray<PropertyInput>>;
};

/** A flavor with what else a request depends on. */
export type FlavorToRequestInput = {
  /** The size. */
  readonly flavor: FlavorInput;
  /** Traits that the image requires. */
  readonly imageTraits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** At most 1,000 properties of the image, each key once. */
  readonly imageProperties?: InputMaybe<ReadonlyArray<PropertyInput>>;
  /** Whether the root disk lies on a volume, and so takes nothing of a host's disk. */
  readonly bootedFromVolume?: InputMaybe<Scalars['Boolean']['input']>;
};

/** What a flavor asks of placement. */
export type FlavorRequest = {
  readonly __typename?: 'FlavorRequest';
  /** The request; its parts are named as in CandidatesInput, so that it can be passed to allocationCandidates, fit and claim as it is. */
  readonly request: CandidatesRequest;
  /** What of the flavor was left out, and what will be refused. At most two for each extra specification and property. */
  readonly warnings: ReadonlyArray<Warning>;
};

/** A request for candidates as data. */
export type CandidatesRequest = {
  readonly __typename?: 'CandidatesRequest';
  /** What is needed. At most one for each extra specification, and one more. */
  readonly groups: ReadonlyArray<CandidatesRequestGroup>;
  /** Whether suffixed groups may share a provider. */
  readonly groupPolicy: GroupPolicy;
};

/** A group of a request as data. */
export type CandidatesRequestGroup = {
  readonly __typename?: 'CandidatesRequestGroup';
  /** Names the group; null for the one that may spread over a tree. */
  readonly suffix?: Maybe<Scalars['String']['output']>;
  /** What to take. At most one for each class. */
  readonly resources: ReadonlyArray<RequestedAmount>;
  /** What the providers must be like. At most one. */
  readonly traits: ReadonlyArray<TraitCondition>;
};

/** An amount of a class that is asked for by name. */
export type RequestedAmount = {
  readonly __typename?: 'RequestedAmount';
  /** Name of the class. It need not exist. */
  readonly resourceClass: Scalars['String']['output'];
  /** How much, in units of the class. */
  readonly amount: Scalars['SafeInt']['output'];
};

/** Traits that are required and forbidden by name. Null where there are none. */
export type TraitCondition = {
  readonly __typename?: 'TraitCondition';
  /** Has every one. At most one for each extra specification and trait of the image. */
  readonly allOf?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Has none. At most one for each extra specification. */
  readonly noneOf?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
};

/** A name with its value. */
export type Property = {
  readonly __typename?: 'Property';
  /** The name. */
  readonly key: Scalars['String']['output'];
  /** What it is; null when it is there without a value. */
  readonly value?: Maybe<Scalars['String']['output']>;
};

/** An instance that needs a destination. */
export type DestinationSeekerInput = {
  /** Its uuid, which is that of the consumer. It may stand only once, and holds nothing yet. */
  readonly instance: Scalars['UUID']['input'];
  /** Who it belongs to: 1 to 255 characters. */
  readonly project: Scalars['String']['input'];
  /** Who made it: likewise. */
  readonly user: Scalars['String']['input'];
};

/** Instances of one flavor that need destinations. */
export type SelectDestinationsInput = {
  /** The instances: 1 to 100. What is chosen for one is taken into account for the next. */
  readonly instances: ReadonlyArray<DestinationSeekerInput>;
  /** Their size. */
  readonly flavor: FlavorInput;
  /** Traits that their image requires. */
  readonly imageTraits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** At most 1,000 properties of their image, each key once. */
  readonly imageProperties?: InputMaybe<ReadonlyArray<PropertyInput>>;
  /** Whether their root disks lie on volumes, and so take nothing of a host's disk. */
  readonly bootedFromVolume?: InputMaybe<Scalars['Boolean']['input']>;
  /** Groups for ports and device profiles, each with a suffix of its own. Ownership is not looked at in them. */
  readonly otherGroups?: InputMaybe<ReadonlyArray<RequestGroupInput>>;
  /** Aggregates of the compute node: zones, tenants, isolation. */
  readonly aggregates?: InputMaybe<ReadonlyArray<AggregateConditionInput>>;
  /** The cells of the cloud, as aggregates of compute nodes: alternates are of the same cell. At most 1,000. */
  readonly cells?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** How many alternates for each instance, 0 to 20. */
  readonly alternates?: InputMaybe<Scalars['Int']['input']>;
  /** Whether some may be served when all cannot. */
  readonly mode?: InputMaybe<ClaimMode>;
  /** Which hosts come first: most important key first, at most 5. The oldest when omitted. */
  readonly orderBy?: InputMaybe<ReadonlyArray<CandidateOrderInput>>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A host for an instance, with all it takes to claim it later. */
export type Selection = {
  readonly __typename?: 'Selection';
  /** The host as Nova's compute node; null when it is gone, or when nothing says that it is one. Its provider is `candidate.root`. */
  readonly computeNode?: Maybe<ComputeNode>;
  /** The cell that it is in; null when no cells were named or it is in none. */
  readonly cell?: Maybe<Aggregate>;
  /** What is taken from whom; its token claims it. */
  readonly candidate: AllocationCandidate;
  /** The same as the JSON text of a versioned object named Selection, with the allocation request and its version. */
  readonly object: Scalars['String']['output'];
};

/** Where one instance goes. */
export type InstanceDestinations = {
  readonly __typename?: 'InstanceDestinations';
  /** The instance as a consumer: it holds what was selected. */
  readonly instance: Consumer;
  /** The host that was claimed. */
  readonly selected: Selection;
  /** Hosts of the same cell that stand by, none of them selected in the same call. Nothing of them is reserved. At most 20. */
  readonly alternates: ReadonlyArray<Selection>;
};

/** Where everybody goes, or why not. */
export type SelectDestinationsPayload = {
  readonly __typename?: 'SelectDestinationsPayload';
  /** In the order of the instances, without those that got nothing. */
  readonly destinations?: Maybe<ReadonlyArray<Maybe<InstanceDestinations>>>;
  /** What of the flavor was left out, and which filter could not be used. At most two for each extra specification and property, and one more. */
  readonly warnings: ReadonlyArray<Warning>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused; with BEST_EFFORT, why some were not served: the path names the instance. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A host that was named as an alternate. Give exactly one. */
export type AlternateInput =
  /** The token of its candidate. */
  { readonly claimToken: Scalars['String']['input']; readonly object?: never; }
  |  /** JSON text of a versioned object named Selection. */
  { readonly claimToken?: never; readonly object: Scalars['String']['input']; };

/** An instance that could not be built where it was sent. */
export type ClaimAlternateInput = {
  /** The instance. What it holds is given free in the same write. */
  readonly instance: Scalars['UUID']['input'];
  /** Its alternates, tried in this order: 1 to 20. */
  readonly alternates: ReadonlyArray<AlternateInput>;
  /** Who it belongs to; needed when it holds nothing any more. */
  readonly project?: InputMaybe<Scalars['String']['input']>;
  /** Who made it: likewise. */
  readonly user?: InputMaybe<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** The alternate that was claimed, or why none. */
export type ClaimAlternatePayload = {
  readonly __typename?: 'ClaimAlternatePayload';
  /** The instance as a consumer; null when refused. */
  readonly instance?: Maybe<Consumer>;
  /** Which of the alternates it holds, from 0; null when refused. */
  readonly place?: Maybe<Scalars['Int']['output']>;
  /** False when it held one of them before. */
  readonly changed: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why each of them could not be had. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** The state of a PCI device of an instance. */
export type InstancePciDeviceInput = {
  /** Such as allocated: devices in other states count for nothing. */
  readonly status: Scalars['String']['input'];
  /** Such as type-PCI: devices of other types are no PCI_DEVICE. */
  readonly devType: Scalars['String']['input'];
};

/** An instance. Give exactly one. */
export type InstanceInput =
  /** JSON text of a versioned object named Instance, with its flavor. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** What it is. */
  { readonly object?: never; readonly fields: InstanceFieldsInput; };

/** An instance, field by field. */
export type InstanceFieldsInput = {
  /** Its uuid, which is that of the consumer. */
  readonly uuid: Scalars['UUID']['input'];
  /** Who it belongs to: 1 to 255 characters. */
  readonly project: Scalars['String']['input'];
  /** Who made it: likewise. */
  readonly user: Scalars['String']['input'];
  /** Its size. */
  readonly flavor: FlavorInput;
  /** Its PCI devices, in any state. */
  readonly pciDevices?: InputMaybe<ReadonlyArray<InstancePciDeviceInput>>;
};

/** An instance and where it runs. */
export type ClaimInstanceInput = {
  /** The instance. A flavor that asks for more than its numbers is refused: what serves that is for selectDestinations to find. */
  readonly instance: InstanceInput;
  /** Uuid of the compute node, which is that of its provider. */
  readonly computeNode: Scalars['UUID']['input'];
  /** Whether its root disk lies on a volume, and so takes nothing of a host's disk. */
  readonly bootedFromVolume?: InputMaybe<Scalars['Boolean']['input']>;
  /** The pool with its disks; omitted when they are local or nobody knows. */
  readonly pool?: InputMaybe<Scalars['UUID']['input']>;
  /** At most 1,000 properties of its image, each key once. */
  readonly imageProperties?: InputMaybe<ReadonlyArray<PropertyInput>>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What the instance holds, or why not. */
export type ClaimInstancePayload = {
  readonly __typename?: 'ClaimInstancePayload';
  /** The instance as a consumer; null when refused, or when its flavor is empty. */
  readonly instance?: Maybe<Consumer>;
  /** False when it held exactly this already, and nothing was written. */
  readonly changed: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** An instance that is gone. */
export type ReleaseInstanceInput = {
  /** Its uuid. */
  readonly instance: Scalars['UUID']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What was released. */
export type ReleaseInstancePayload = {
  readonly __typename?: 'ReleaseInstancePayload';
  /** Whether it held anything; no error when it did not. */
  readonly released: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A migration of an instance. Give exactly one. */
export type MigrationInput =
  /** JSON text of a versioned object named Migration. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Whose it is. */
  { readonly object?: never; readonly fields: MigrationFieldsInput; };

/** A migration of an instance, field by field. */
export type MigrationFieldsInput = {
  /** Its uuid, which is that of the consumer that holds the source. */
  readonly uuid: Scalars['UUID']['input'];
  /** The instance that moves. */
  readonly instance: Scalars['UUID']['input'];
};

/** A move that begins, or an evacuation: what the instance holds is given to the migration. A call that was cut off is simply repeated. */
export type StartMigrationInput = {
  /** The migration. */
  readonly migration: MigrationInput;
  /** Token of the candidate to go to, taken in the same transaction. When omitted the instance holds nothing until its destination is claimed. */
  readonly claimToken?: InputMaybe<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** Who holds what now, or why nothing moved. */
export type StartMigrationPayload = {
  readonly __typename?: 'StartMigrationPayload';
  /** The instance with its destination; null when it holds nothing yet. */
  readonly instance?: Maybe<Consumer>;
  /** The migration, which holds the source. */
  readonly migration?: Maybe<Consumer>;
  /** False when this was done before. */
  readonly changed: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A move that succeeded: the source is given free. */
export type ConfirmMigrationInput = {
  /** The migration. */
  readonly migration: MigrationInput;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** Who holds what now, or why nothing changed. */
export type ConfirmMigrationPayload = {
  readonly __typename?: 'ConfirmMigrationPayload';
  /** The instance where it is now. */
  readonly instance?: Maybe<Consumer>;
  /** The migration; null once it holds nothing. */
  readonly migration?: Maybe<Consumer>;
  /** False when this was done before. */
  readonly changed: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A move that failed or was undone: the instance holds its source again and the destination is given free. */
export type RevertMigrationInput = {
  /** The migration. */
  readonly migration: MigrationInput;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** Who holds what now, or why nothing changed. */
export type RevertMigrationPayload = {
  readonly __typename?: 'RevertMigrationPayload';
  /** The instance where it was before. */
  readonly instance?: Maybe<Consumer>;
  /** The migration; null once it holds nothing. */
  readonly migration?: Maybe<Consumer>;
  /** False when this was done before, or when the move was confirmed. */
  readonly changed: Scalars['Boolean']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What is on record about an instance, running or gone. */
export type KnownInstanceInput = {
  /** Its uuid. */
  readonly instance: Scalars['UUID']['input'];
  /** The host where it runs; omitted before it is placed and after it was shelved. */
  readonly host?: InputMaybe<Scalars['String']['input']>;
  /** What is being done with it; omitted when nothing is. */
  readonly taskState?: InputMaybe<Scalars['String']['input']>;
  /** Whether it was deleted. */
  readonly deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether its record is hidden: then a living twin has its uuid in another cell. */
  readonly hidden?: InputMaybe<Scalars['Boolean']['input']>;
};

/** An instance that its host really has. */
export type HostedInstanceInput = {
  /** The instance. */
  readonly instance: InstanceInput;
  /** Whether its root disk lies on a volume, and so takes nothing of a host's disk. */
  readonly bootedFromVolume?: InputMaybe<Scalars['Boolean']['input']>;
  /** The pool with its disks; omitted when they are local or nobody knows. */
  readonly pool?: InputMaybe<Scalars['UUID']['input']>;
  /** At most 1,000 properties of its image, each key once. */
  readonly imageProperties?: InputMaybe<ReadonlyArray<PropertyInput>>;
};

/** A compute node to audit. Nothing is written but what `remove` and `repair` ask for. */
export type AuditComputeNodeInput = {
  /** Uuid of the compute node. */
  readonly computeNode: Scalars['UUID']['input'];
  /** Its host, as the records of instances call it. */
  readonly host: Scalars['String']['input'];
  /** The instances that it really has: at most 1,000, each once. */
  readonly instances: ReadonlyArray<HostedInstanceInput>;
  /** What is on record about consumers that may be met there, those of the host included. */
  readonly known?: InputMaybe<ReadonlyArray<KnownInstanceInput>>;
  /** The migrations under way. */
  readonly migrations?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** Whether what is held by deleted instances is given free, at most 1,000 of them in one call. */
  readonly remove?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether instances of the host that hold nothing, or something wrong, are made to hold what they should. */
  readonly repair?: InputMaybe<Scalars['Boolean']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What to think of an allocation on a compute node. */
export type AllocationVerdict =
  /** As it should be. */
  | 'RIGHT'
  /** Kept, but somebody should look. */
  | 'SUSPECT'
  /** Nobody needs it: may be removed. */
  | 'STALE';

/** What is known about who holds something on a compute node. */
export type AllocationReason =
  /** The host has it. */
  | 'TRACKED'
  /** It is a migration under way. */
  | 'MIGRATING'
  /** Nothing is on record: it may be still building, or no instance at all. */
  | 'UNKNOWN'
  /** It was deleted. */
  | 'DELETED'
  /** Its record is hidden: it lives in another cell. */
  | 'HIDDEN'
  /** It has no host yet. */
  | 'NOT_PLACED'
  /** It should be here, and something is being done with it. */
  | 'HERE_IN_TRANSITION'
  /** It should be here, but the host does not have it. */
  | 'HERE_UNTRACKED'
  /** It runs elsewhere: it may be in the middle of a move, or was left behind by an evacuation. */
  | 'ELSEWHERE';

/** What one consumer holds in the tree of an audited compute node. */
export type AuditedAllocation = {
  readonly __typename?: 'AuditedAllocation';
  /** Uuid of who holds it. */
  readonly consumerUuid: Scalars['UUID']['output'];
  /** The same as it is after the audit; null when it holds nothing any more. */
  readonly consumer?: Maybe<Consumer>;
  /** What to think of it. */
  readonly verdict: AllocationVerdict;
  /** Why. */
  readonly reason: AllocationReason;
  /** Whether this audit removed it. */
  readonly removed: Scalars['Boolean']['output'];
};

/** Whether an instance holds what it should. */
export type InstanceState =
  /** It does. */
  | 'RIGHT'
  /** It holds nothing. */
  | 'MISSING'
  /** It holds something else, or elsewhere. */
  | 'WRONG'
  /** It holds something else or nothing, and is on its way: never repaired. */
  | 'MOVING';

/** An instance of an audited host. */
export type AuditedInstance = {
  readonly __typename?: 'AuditedInstance';
  /** Its uuid, which is that of the consumer. */
  readonly instanceUuid: Scalars['UUID']['output'];
  /** What the audit found, before a repair. */
  readonly state: InstanceState;
  /** What it should hold in all. At most one for each class. */
  readonly expectedAmounts: ReadonlyArray<RequestedAmount>;
  /** The instance as a consumer after the audit; null when it holds nothing. */
  readonly instance?: Maybe<Consumer>;
  /** Whether this audit made it hold what it should. */
  readonly repaired: Scalars['Boolean']['output'];
};

/** What an audit found and did. */
export type AuditComputeNodePayload = {
  readonly __typename?: 'AuditComputeNodePayload';
  /** Everybody who holds something in the tree of the node, oldest first; at most 9,000. */
  readonly auditedAllocations?: Maybe<ReadonlyArray<Maybe<AuditedAllocation>>>;
  /** The instances of the host, in the order of the input. */
  readonly auditedInstances?: Maybe<ReadonlyArray<Maybe<AuditedInstance>>>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Every event of this call, in the order in which they were written: each removal and repair is a write of its own. `event` is the first. */
  readonly events: ReadonlyArray<Maybe<Event>>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why the audit was refused, or what could not be removed or repaired: the path names the instance. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Overcommit ratios of a compute node. What is omitted, null or 0 is not set. */
export type NodeRatiosInput = {
  /** Of VCPU. */
  readonly cpu?: InputMaybe<Scalars['Float']['input']>;
  /** Of MEMORY_MB. */
  readonly ram?: InputMaybe<Scalars['Float']['input']>;
  /** Of DISK_GB. */
  readonly disk?: InputMaybe<Scalars['Float']['input']>;
};

/** A NUMA cell of a compute node: it becomes a child `<node>_numa_<id>` with NUMA_CORE, NUMA_THREAD and NUMA_MEMORY_MB. */
export type NumaCellInput = {
  /** Its number on the host; each once. */
  readonly id: Scalars['Int']['input'];
  /** Cores. */
  readonly cores: Scalars['SafeInt']['input'];
  /** Hardware threads. */
  readonly threads: Scalars['SafeInt']['input'];
  /** MiB. */
  readonly memoryMb: Scalars['SafeInt']['input'];
};

/** A physical GPU that is given out in parts: it becomes a child `<node>_pci_<address>`. */
export type VgpuInput = {
  /** On the PCI bus, such as 0000:84:00.0. */
  readonly address: Scalars['String']['input'];
  /** How many parts of the enabled type it gives; with 0 it has no provider. */
  readonly total: Scalars['SafeInt']['input'];
  /** VGPU when omitted. */
  readonly resourceClass?: InputMaybe<Scalars['String']['input']>;
  /** Names of traits. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Number of the cell that it belongs to. */
  readonly numaNode?: InputMaybe<Scalars['Int']['input']>;
};

/** A PCI device. Give exactly one. */
export type PciDeviceInput =
  /** JSON text of a versioned object named PciDevice. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** What it is. */
  { readonly object?: never; readonly fields: PciDeviceFieldsInput; };

/** A PCI device, field by field. */
export type PciDeviceFieldsInput = {
  /** On the PCI bus, such as 0000:85:00.1. */
  readonly address: Scalars['String']['input'];
  /** Four hexadecimal digits. */
  readonly vendorId: Scalars['String']['input'];
  /** Four hexadecimal digits. */
  readonly productId: Scalars['String']['input'];
  /** type-PCI (when omitted), type-PF, type-VF or vdpa. */
  readonly devType?: InputMaybe<Scalars['String']['input']>;
  /** available (when omitted), claimed, allocated, removed, deleted, unclaimable or unavailable. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /** Number of the cell that it belongs to. */
  readonly numaNode?: InputMaybe<Scalars['Int']['input']>;
  /** Of a virtual function: the address of its physical function. */
  readonly parentAddress?: InputMaybe<Scalars['String']['input']>;
  /** Of a virtual function: the network interface of its physical function. */
  readonly parentInterface?: InputMaybe<Scalars['String']['input']>;
  /** Whether it is managed from a card of its own. */
  readonly remoteManaged?: InputMaybe<Scalars['Boolean']['input']>;
  /** The instance that has it. */
  readonly instance?: InputMaybe<Scalars['UUID']['input']>;
};

/** A PCI device of a compute node. */
export type ReportedPciDeviceInput = {
  /** The device. */
  readonly device: PciDeviceInput;
  /** What the operator says of it, at most 100 tags: they tell pools apart, but for `resource_class` and `traits`, which its provider takes. */
  readonly tags?: InputMaybe<ReadonlyArray<PropertyInput>>;
};

/** A compute node. Give exactly one. */
export type ComputeNodeInput =
  /** JSON text of a versioned object named ComputeNode. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** What it is. */
  { readonly object?: never; readonly fields: ComputeNodeFieldsInput; };

/** A compute node, field by field. */
export type ComputeNodeFieldsInput = {
  /** Of the node and its provider. Without it the node of this name is meant, or a new one. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** The host of the service that manages the node. */
  readonly serviceHost: Scalars['String']['input'];
  /** Name of the node and its provider. */
  readonly hypervisorHostname: Scalars['String']['input'];
  /** Such as QEMU. */
  readonly hypervisorType?: InputMaybe<Scalars['String']['input']>;
  /** As one number, such as 8002000. */
  readonly hypervisorVersion?: InputMaybe<Scalars['Int']['input']>;
  /** An address of the host. */
  readonly hostIp?: InputMaybe<Scalars['String']['input']>;
  /** What the hypervisor says of the processors, as JSON text. */
  readonly cpuInfo?: InputMaybe<Scalars['String']['input']>;
  /** Processors that instances share. */
  readonly vcpus: Scalars['SafeInt']['input'];
  /** MiB. */
  readonly memoryMb: Scalars['SafeInt']['input'];
  /** GiB. */
  readonly localGb: Scalars['SafeInt']['input'];
  /** What the host has configured. It wins over the ratio that stands in an inventory. */
  readonly ratios?: InputMaybe<NodeRatiosInput>;
};

/** What a compute node reports of itself. Lists that are omitted are not spoken of, and stay as they were. */
export type ReportComputeNodeInput = {
  /** The node. */
  readonly computeNode: ComputeNodeInput;
  /** Processors that each serve one instance. */
  readonly dedicatedCpus?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Processors kept for the host; 0 when omitted. */
  readonly reservedCpus?: InputMaybe<Scalars['SafeInt']['input']>;
  /** MiB kept for the host; 512 when omitted. */
  readonly reservedMemoryMb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** MiB of disk kept for the host, rounded up to whole GiB; 0 when omitted. */
  readonly reservedDiskMb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Instance disks lie on storage that hosts share: then the disk is that of a pool in one of the node's aggregates, once there is one. */
  readonly hasSharedStorage?: InputMaybe<Scalars['Boolean']['input']>;
  /** For inventories that are new; 4 for cpu, else 1, when omitted. */
  readonly initialRatios?: InputMaybe<NodeRatiosInput>;
  /** All traits that the node gives itself. Those that others gave it stay. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** All NUMA cells: at most 1,000. */
  readonly numaCells?: InputMaybe<ReadonlyArray<NumaCellInput>>;
  /** All GPUs that are given out in parts: at most 1,000. */
  readonly vgpus?: InputMaybe<ReadonlyArray<VgpuInput>>;
  /** All PCI devices that may be given to instances: at most 10,000. */
  readonly pciDevices?: InputMaybe<ReadonlyArray<ReportedPciDeviceInput>>;
  /** Whether each card is a provider of its own; otherwise the node has PCI_DEVICE, one for each device of type-PCI. */
  readonly pciInPlacement?: InputMaybe<Scalars['Boolean']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What the report changed. */
export type ReportComputeNodePayload = {
  readonly __typename?: 'ReportComputeNodePayload';
  /** The node; null when refused. */
  readonly computeNode?: Maybe<ComputeNode>;
  /** False when everything was so already, and nothing was written. */
  readonly changed: Scalars['Boolean']['output'];
  /** What changed in the tree. */
  readonly changes?: Maybe<ReadonlyArray<TreeChange>>;
  /** Inventories that are now smaller than their use. */
  readonly warnings: ReadonlyArray<Warning>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused; then nothing was changed. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A compute node as it was kept before there were inventories. Give exactly one. */
export type OldComputeNodeInput =
  /** JSON text of a versioned object named ComputeNode. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** What it is. */
  { readonly object?: never; readonly fields: OldComputeNodeFieldsInput; };

/** A compute node as it was kept before there were inventories, field by field. */
export type OldComputeNodeFieldsInput = {
  /** Its uuid; omitted: that of the provider of this name, or a new one. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** The host of the service that manages it. */
  readonly serviceHost?: InputMaybe<Scalars['String']['input']>;
  /** Its name; `serviceHost` when omitted. */
  readonly hypervisorHostname?: InputMaybe<Scalars['String']['input']>;
  /** Such as QEMU. */
  readonly hypervisorType?: InputMaybe<Scalars['String']['input']>;
  /** As one number. */
  readonly hypervisorVersion?: InputMaybe<Scalars['Int']['input']>;
  /** Processors. */
  readonly vcpus?: InputMaybe<Scalars['SafeInt']['input']>;
  /** MiB. */
  readonly memoryMb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** GiB. */
  readonly localGb?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Processors, those kept for the host included. */
  readonly vcpusUsed?: InputMaybe<Scalars['SafeInt']['input']>;
  /** MiB, those kept for the host included. */
  readonly memoryMbUsed?: InputMaybe<Scalars['SafeInt']['input']>;
  /** GiB, those kept for the host included. */
  readonly localGbUsed?: InputMaybe<Scalars['SafeInt']['input']>;
  /** Instances. */
  readonly runningVms?: InputMaybe<Scalars['SafeInt']['input']>;
  /** 0 for not set. */
  readonly cpuAllocationRatio?: InputMaybe<Scalars['Float']['input']>;
  /** 0 for not set. */
  readonly ramAllocationRatio?: InputMaybe<Scalars['Float']['input']>;
  /** 0 for not set. */
  readonly diskAllocationRatio?: InputMaybe<Scalars['Float']['input']>;
};

/** Old records to take over. */
export type ImportComputeNodesInput = {
  /** 1 to 1,000. Nodes that are known already stay as they are. */
  readonly records: ReadonlyArray<OldComputeNodeInput>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What was taken over. */
export type ImportComputeNodesPayload = {
  readonly __typename?: 'ImportComputeNodesPayload';
  /** How many records were new. */
  readonly imported: Scalars['SafeInt']['output'];
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A compute node in its old shape: what is kept for the host counts as used, and no overcommit enters. Its provider has the numbers of placement. */
export type ComputeNode = Node & {
  readonly __typename?: 'ComputeNode';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** Of its provider too. */
  readonly uuid: Scalars['UUID']['output'];
  /** Its name. */
  readonly hypervisorHostname: Scalars['String']['output'];
  /** The host of the service that manages it; null when it never reported. */
  readonly serviceHost?: Maybe<Scalars['String']['output']>;
  /** Such as QEMU. */
  readonly hypervisorType?: Maybe<Scalars['String']['output']>;
  /** As one number. */
  readonly hypervisorVersion?: Maybe<Scalars['Int']['output']>;
  /** Processors. */
  readonly vcpus: Scalars['SafeInt']['output'];
  /** Processors in use. */
  readonly vcpusUsed: Scalars['SafeInt']['output'];
  /** MiB. */
  readonly memoryMb: Scalars['SafeInt']['output'];
  /** MiB in use. */
  readonly memoryMbUsed: Scalars['SafeInt']['output'];
  /** MiB not in use; negative when overcommitted. */
  readonly freeRamMb: Scalars['SafeInt']['output'];
  /** Its own disk in GiB. That of a pool is the pool's: see `resourceProvider.sharedPools`. */
  readonly localGb: Scalars['SafeInt']['output'];
  /** GiB in use of its own disk. */
  readonly localGbUsed: Scalars['SafeInt']['output'];
  /** GiB of its own disk not in use; negative when overcommitted. */
  readonly freeDiskGb: Scalars['SafeInt']['output'];
  /** Instances that hold something of it. */
  readonly runningVms: Scalars['SafeInt']['output'];
  /** Overcommit of processors; 0 when there is none set. */
  readonly cpuAllocationRatio: Scalars['Float']['output'];
  /** Overcommit of memory; 0 when there is none set. */
  readonly ramAllocationRatio: Scalars['Float']['output'];
  /** Overcommit of its own disk; 0 when there is none set. */
  readonly diskAllocationRatio: Scalars['Float']['output'];
  /** False: it is known from an old record alone, and read from that. */
  readonly hasInventories: Scalars['Boolean']['output'];
  /** Its provider; null as long as it is known from an old record alone. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** Pools of its free PCI devices as they are now, those with the fewest keys first. At most one for each device. */
  readonly pciDevicePools: ReadonlyArray<PciDevicePool>;
  /** The same pools as JSON text, in the form of the os-pci extension. */
  readonly pciStats: Scalars['String']['output'];
  /** JSON text of the versioned object ComputeNode, with its pools. */
  readonly object: Scalars['String']['output'];
};


/** A compute node in its old shape: what is kept for the host counts as used, and no overcommit enters. Its provider has the numbers of placement. */
export type ComputeNodeObjectArgs = {
  version?: InputMaybe<Scalars['String']['input']>;
};

/** Conditions on a compute node; all that are given must hold. */
export type ComputeNodeFilterInput = {
  /** One of these uuids; at most 1,000. */
  readonly uuids?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** One of these names; at most 1,000. */
  readonly names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Has this text in its name, upper and lower case alike. No wildcards. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Has a name that begins with this text, upper and lower case alike. */
  readonly nameStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** Managed by the service on one of these hosts; at most 1,000. */
  readonly hosts?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** What a list of compute nodes is ordered by. Ties are broken by the uuid: old records have no age. */
export type ComputeNodeOrderField =
  /** By name. */
  | 'NAME'
  /** By the host of the service that manages it; those that never reported come last either way. */
  | 'HOST';

/** A key of the order of a list of compute nodes. */
export type ComputeNodeOrderInput = {
  /** What to order by. */
  readonly field: ComputeNodeOrderField;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** Compute nodes, a page at a time. */
export type ComputeNodeConnection = {
  readonly __typename?: 'ComputeNodeConnection';
  /** The nodes of the page. */
  readonly nodes: ReadonlyArray<ComputeNode>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<ComputeNodeEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all; counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A compute node and its place in a list. */
export type ComputeNodeEdge = {
  readonly __typename?: 'ComputeNodeEdge';
  /** Its place. */
  readonly cursor: Scalars['String']['output'];
  /** The compute node. */
  readonly node: ComputeNode;
};

/** Free PCI devices that serve a request equally well. */
export type PciDevicePool = {
  readonly __typename?: 'PciDevicePool';
  /** Four hexadecimal digits. */
  readonly vendorId: Scalars['String']['output'];
  /** Four hexadecimal digits. */
  readonly productId: Scalars['String']['output'];
  /** Number of their cell; null when they belong to none. */
  readonly numaNode?: Maybe<Scalars['Int']['output']>;
  /** What else they have in common, `dev_type` included. Small: what the operator says of them. */
  readonly tags: ReadonlyArray<Property>;
  /** How many are free. */
  readonly count: Scalars['SafeInt']['output'];
};

/** A service of Nova on a host, as it last reported. */
export type Service = Node & {
  readonly __typename?: 'Service';
  /** Opaque and global. */
  readonly id: Scalars['ID']['output'];
  /** Where it runs. */
  readonly host: Scalars['String']['output'];
  /** Such as nova-compute. */
  readonly binary: Scalars['String']['output'];
  /** Counts up from 0. */
  readonly version: Scalars['Int']['output'];
  /** When its version last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** A page of services. */
export type ServiceConnection = {
  readonly __typename?: 'ServiceConnection';
  /** The services of the page. */
  readonly nodes: ReadonlyArray<Service>;
  /** The services of the page with their cursors. */
  readonly edges: ReadonlyArray<ServiceEdge>;
  /** Where the page stands. */
  readonly pageInfo: PageInfo;
  /** How many there are in all pages. Counted only when asked for. */
  readonly totalCount: Scalars['SafeInt']['output'];
};

/** A service and its place in the list. */
export type ServiceEdge = {
  readonly __typename?: 'ServiceEdge';
  /** Opaque place in this list. */
  readonly cursor: Scalars['String']['output'];
  /** The service. */
  readonly node: Service;
};

/** What a list of services is ordered by. Ties are broken by the order of the first reports. */
export type ServiceOrderField =
  /** By host. */
  | 'HOST'
  /** By version: ascending, those that hold an upgrade back come first. */
  | 'VERSION'
  /** By the moment when the version last changed. */
  | 'UPDATED_AT';

/** A key of the order of a list of services. */
export type ServiceOrderInput = {
  /** What to order by. */
  readonly field: ServiceOrderField;
  /** Which end comes first. */
  readonly direction?: OrderDirection;
};

/** Conditions on a service; all that are given must hold. */
export type ServiceFilterInput = {
  /** On one of these hosts; at most 1,000. */
  readonly hosts?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The host contains this, in upper or lower case. No wildcards. */
  readonly hostContains?: InputMaybe<Scalars['String']['input']>;
  /** The host begins like this, in upper or lower case. No wildcards. */
  readonly hostStartsWith?: InputMaybe<Scalars['String']['input']>;
  /** One of these programs, such as nova-compute; at most 1,000. */
  readonly binaries?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Of an older version than this. */
  readonly versionBelow?: InputMaybe<Scalars['Int']['input']>;
  /** The version last changed after this moment. */
  readonly updatedAfter?: InputMaybe<Scalars['DateTime']['input']>;
  /** The version last changed before this moment. */
  readonly updatedBefore?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A service of Nova on a host. Give exactly one. */
export type ServiceInput =
  /** JSON text of a versioned object named Service. */
  { readonly object: Scalars['String']['input']; readonly fields?: never; }
  |  /** Which it is. */
  { readonly object?: never; readonly fields: ServiceFieldsInput; };

/** A service of Nova on a host, field by field. */
export type ServiceFieldsInput = {
  /** Where it runs. */
  readonly host: Scalars['String']['input'];
  /** Such as nova-compute. */
  readonly binary: Scalars['String']['input'];
  /** Counts up from 0. */
  readonly version: Scalars['Int']['input'];
};

/** A service and its version. Features that every compute must know are used from the lowest version on. */
export type ReportServiceInput = {
  /** The service. */
  readonly service: ServiceInput;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What the report changed. */
export type ReportServicePayload = {
  readonly __typename?: 'ReportServicePayload';
  /** False when this was known, and nothing was written. */
  readonly changed: Scalars['Boolean']['output'];
  /** The lowest version of all computes after this call; null when none has reported. */
  readonly minimumComputeVersion?: Maybe<Scalars['Int']['output']>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A service that was taken away for good. */
export type RemoveServiceInput = {
  /** Where it ran. */
  readonly host: Scalars['String']['input'];
  /** Such as nova-compute. */
  readonly binary: Scalars['String']['input'];
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What was forgotten. */
export type RemoveServicePayload = {
  readonly __typename?: 'RemoveServicePayload';
  /** Whether it was known. */
  readonly removed: Scalars['Boolean']['output'];
  /** The lowest version of all computes after this call; null when none has reported. */
  readonly minimumComputeVersion?: Maybe<Scalars['Int']['output']>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Storage that turned out to be shared: the disks counted on its hosts become the pool's. */
export type AdoptSharedStorageInput = {
  /** The pool: a sharing provider with room for all of it. */
  readonly pool: Scalars['UUID']['input'];
  /** Uuids of the compute nodes whose disks it holds: 1 to 1,000. Their own DISK_GB goes. */
  readonly computeNodes: ReadonlyArray<Scalars['UUID']['input']>;
  /** Instances whose disks stay on their host, such as what remains of one booted from a volume. Hosts with one of them keep their DISK_GB. */
  readonly stayingInstances?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What moved, or why nothing did. */
export type AdoptSharedStoragePayload = {
  readonly __typename?: 'AdoptSharedStoragePayload';
  /** Uuids of the consumers whose disk is the pool's now. */
  readonly movedConsumerUuids: ReadonlyArray<Scalars['UUID']['output']>;
  /** The providers concerned, with their new generations. */
  readonly resourceProviders: ReadonlyArray<Maybe<ResourceProvider>>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Whether more consumers were refused than userErrors tells: 100 at most. */
  readonly truncated: Scalars['Boolean']['output'];
  /** Why it was refused. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What a pool that no single host has reports of itself, such as a shared disk or the addresses of a network segment. */
export type ReportPoolInput = {
  /** Of its provider. Without it the pool of this name is meant, or a new one. */
  readonly uuid?: InputMaybe<Scalars['UUID']['input']>;
  /** Its name. */
  readonly name: Scalars['String']['input'];
  /** All that it has. */
  readonly inventories: ReadonlyArray<InventoryInput>;
  /** All its aggregates: hosts in one of them use it. As they are when omitted; at most 1,000. */
  readonly aggregates?: InputMaybe<ReadonlyArray<Scalars['UUID']['input']>>;
  /** All its traits besides those of a pool and of its owner. As they are when omitted. */
  readonly traits?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The trait of the service that owns it; OWNER_NOVA when omitted. */
  readonly owner?: InputMaybe<Scalars['String']['input']>;
  /** A key of your choice, 1 to 255 characters: the same call again with the same key has no effect of its own and gets the first answer, for a day. It is your own (user and project) and stands for this mutation and this input; a refused call keeps none. What is selected below the answer and was not written by the call is read now. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** What the report changed. */
export type ReportPoolPayload = {
  readonly __typename?: 'ReportPoolPayload';
  /** The pool; null when refused. */
  readonly resourceProvider?: Maybe<ResourceProvider>;
  /** False when everything was so already, and nothing was written. */
  readonly changed: Scalars['Boolean']['output'];
  /** Inventories that are now smaller than their use. */
  readonly warnings: ReadonlyArray<Warning>;
  /** What was written, as the ledger has it; null when nothing was. */
  readonly event?: Maybe<Event>;
  /** Whether this call was answered before under its idempotencyKey: nothing was written by it. */
  readonly replayed: Scalars['Boolean']['output'];
  /** Why it was refused; then nothing was changed. */
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
    | ( ProblemShown<NotFound> )
    | ( ProblemShown<Omit<Duplicate, 'existing'> & { existing?: Maybe<_RefType['Node']> }> )
    | ( ProblemShown<StandardName> )
    | ( ProblemShown<ConsumerConflict> )
    | ( ProblemShown<Omit<ProviderConflict, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<ParentLoop> )
    | ( ProblemShown<Omit<HasChildren, 'children'> & { children: ReadonlyArray<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<Omit<InUse, 'by'> & { by: ReadonlyArray<_RefType['Node']> }> )
    | ( ProblemShown<Omit<NoInventory, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<Omit<UnitViolation, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<Omit<CapacityExceeded, 'resourceProvider'> & { resourceProvider?: Maybe<_RefType['ResourceProvider']> }> )
    | ( ProblemShown<Omit<NoCandidates, 'explanation'> & { explanation: _RefType['Explanation'] }> )
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
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  UUID: ResolverTypeWrapper<Scalars['UUID']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  SafeInt: ResolverTypeWrapper<Scalars['SafeInt']['output']>;
  True: ResolverTypeWrapper<Scalars['True']['output']>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  OrderDirection: OrderDirection;
  ResourceAmount: ResolverTypeWrapper<Omit<ResourceAmount, 'resourceClass'> & { resourceClass: ResolversTypes['ResourceClass'] }>;
  ResourceAmountInput: ResourceAmountInput;
  ResourceProvider: ResolverTypeWrapper<Provider>;
  SharedPool: ResolverTypeWrapper<SharedPoolRow>;
  ResourceProviderConnection: ResolverTypeWrapper<ProviderPage>;
  ResourceProviderEdge: ResolverTypeWrapper<Omit<ResourceProviderEdge, 'node'> & { node: ResolversTypes['ResourceProvider'] }>;
  Scope: Scope;
  ResourceProviderFilterInput: ResourceProviderFilterInput;
  TraitConditionInput: TraitConditionInput;
  AggregateConditionInput: AggregateConditionInput;
  ResourceProviderOrderField: ResourceProviderOrderField;
  ResourceProviderOrderInput: ResourceProviderOrderInput;
  ProviderExpectationInput: ProviderExpectationInput;
  CreateResourceProviderInput: CreateResourceProviderInput;
  CreateResourceProviderPayload: ResolverTypeWrapper<Omit<CreateResourceProviderPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  EnsureResourceProviderInput: EnsureResourceProviderInput;
  EnsureResourceProviderPayload: ResolverTypeWrapper<Omit<EnsureResourceProviderPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  NewParentInput: NewParentInput;
  UpdateResourceProviderInput: UpdateResourceProviderInput;
  UpdateResourceProviderPayload: ResolverTypeWrapper<Omit<UpdateResourceProviderPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DeleteResourceProviderInput: DeleteResourceProviderInput;
  DeleteResourceProviderPayload: ResolverTypeWrapper<Omit<DeleteResourceProviderPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Inventory: ResolverTypeWrapper<InventoryRow>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  InventoryConnection: ResolverTypeWrapper<InventoryPage>;
  InventoryEdge: ResolverTypeWrapper<Omit<InventoryEdge, 'node'> & { node: ResolversTypes['Inventory'] }>;
  InventoryOrderField: InventoryOrderField;
  InventoryOrderInput: InventoryOrderInput;
  ResourceTotal: ResolverTypeWrapper<ResourceTotalRow>;
  Totals: ResolverTypeWrapper<CapacityRow>;
  InventoryInput: InventoryInput;
  ReplaceInventoriesInput: ReplaceInventoriesInput;
  ReplaceInventoriesPayload: ResolverTypeWrapper<Omit<ReplaceInventoriesPayload, 'resourceProvider' | 'warnings' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, warnings: ReadonlyArray<ResolversTypes['Warning']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  SetInventoryInput: SetInventoryInput;
  SetInventoryPayload: ResolverTypeWrapper<Omit<SetInventoryPayload, 'resourceProvider' | 'inventory' | 'warnings' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, inventory?: Maybe<ResolversTypes['Inventory']>, warnings: ReadonlyArray<ResolversTypes['Warning']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ExpectedResourceProviderInput: ExpectedResourceProviderInput;
  PatchSelectionInput: PatchSelectionInput;
  InventoryPatchInput: InventoryPatchInput;
  PatchInventoriesInput: PatchInventoriesInput;
  InventoryRecord: ResolverTypeWrapper<InventoryRecord>;
  InventoryChange: ResolverTypeWrapper<InventoryChangeRow>;
  PatchInventoriesPayload: ResolverTypeWrapper<PatchInventoriesAnswer>;
  DeleteInventoryInput: DeleteInventoryInput;
  DeleteInventoryPayload: ResolverTypeWrapper<Omit<DeleteInventoryPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ResourceClass: ResolverTypeWrapper<ResourceClassRow>;
  ResourceClassFilterInput: ResourceClassFilterInput;
  ResourceClassOrderField: ResourceClassOrderField;
  ResourceClassOrderInput: ResourceClassOrderInput;
  ResourceClassConnection: ResolverTypeWrapper<ResourceClassPage>;
  ResourceClassEdge: ResolverTypeWrapper<Omit<ResourceClassEdge, 'node'> & { node: ResolversTypes['ResourceClass'] }>;
  CreateResourceClassInput: CreateResourceClassInput;
  CreateResourceClassPayload: ResolverTypeWrapper<Omit<CreateResourceClassPayload, 'resourceClass' | 'event' | 'userErrors'> & { resourceClass?: Maybe<ResolversTypes['ResourceClass']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DeleteResourceClassInput: DeleteResourceClassInput;
  DeleteResourceClassPayload: ResolverTypeWrapper<Omit<DeleteResourceClassPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Trait: ResolverTypeWrapper<TraitRow>;
  TraitFilterInput: TraitFilterInput;
  TraitOrderField: TraitOrderField;
  TraitOrderInput: TraitOrderInput;
  TraitConnection: ResolverTypeWrapper<TraitPage>;
  TraitEdge: ResolverTypeWrapper<Omit<TraitEdge, 'node'> & { node: ResolversTypes['Trait'] }>;
  ReplaceTraitsInput: ReplaceTraitsInput;
  ReplaceTraitsPayload: ResolverTypeWrapper<Omit<ReplaceTraitsPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
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
  ReplaceAggregatesPayload: ResolverTypeWrapper<Omit<ReplaceAggregatesPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
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
  ReplaceAllocationsPayload: ResolverTypeWrapper<Omit<ReplaceAllocationsPayload, 'consumers' | 'resourceProviders' | 'event' | 'userErrors'> & { consumers: ReadonlyArray<Maybe<ResolversTypes['Consumer']>>, resourceProviders: ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  MoveAllocationsInput: MoveAllocationsInput;
  MoveAllocationsPayload: ResolverTypeWrapper<Omit<MoveAllocationsPayload, 'consumer' | 'resourceProviders' | 'event' | 'userErrors'> & { consumer?: Maybe<ResolversTypes['Consumer']>, resourceProviders: ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ReleaseExpectationInput: ReleaseExpectationInput;
  ReleaseConsumerInput: ReleaseConsumerInput;
  ReleaseAllocationsInput: ReleaseAllocationsInput;
  ReleaseAllocationsPayload: ResolverTypeWrapper<Omit<ReleaseAllocationsPayload, 'resourceProviders' | 'event' | 'userErrors'> & { resourceProviders: ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
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
  FeedStart: FeedStart;
  Event: ResolverTypeWrapper<LedgerEvent>;
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
  IntChange: ResolverTypeWrapper<IntChange>;
  UuidChange: ResolverTypeWrapper<UuidChange>;
  EventInventoryChange: ResolverTypeWrapper<EventInventoryChange>;
  AllocationChange: ResolverTypeWrapper<AllocationChangeRow>;
  FactChange: ResolverTypeWrapper<FactChange>;
  EventConnection: ResolverTypeWrapper<EventPage>;
  EventEdge: ResolverTypeWrapper<Omit<EventEdge, 'node'> & { node: ResolversTypes['Event'] }>;
  EventChangeConnection: ResolverTypeWrapper<EventChangePage>;
  EventChangeEdge: ResolverTypeWrapper<Omit<EventChangeEdge, 'node'> & { node: ResolversTypes['EventChange'] }>;
  UuidConnection: ResolverTypeWrapper<UuidPage>;
  UuidEdge: ResolverTypeWrapper<UuidEdge>;
  UsageHistorySubjectInput: UsageHistorySubjectInput;
  UsageHistoryScope: UsageHistoryScope;
  PastState: ResolverTypeWrapper<PastStateRow>;
  PastResourceProvider: ResolverTypeWrapper<PastProvider>;
  PastInventory: ResolverTypeWrapper<PastInventoryRow>;
  PastConsumer: ResolverTypeWrapper<PastConsumerRow>;
  PastAllocation: ResolverTypeWrapper<HeldAllocation>;
  UsageHistory: ResolverTypeWrapper<Omit<UsageHistory, 'samples'> & { samples: ReadonlyArray<ResolversTypes['UsageSample']> }>;
  UsageSample: ResolverTypeWrapper<UsageSampleRow>;
  PastUsage: ResolverTypeWrapper<UsageAt>;
  GroupPolicy: GroupPolicy;
  CandidateOrderField: CandidateOrderField;
  CandidateOrderInput: CandidateOrderInput;
  RequestGroupInput: RequestGroupInput;
  SameSubtreeInput: SameSubtreeInput;
  CandidatesInput: CandidatesInput;
  AllocationCandidates: ResolverTypeWrapper<FoundCandidates>;
  AllocationCandidate: ResolverTypeWrapper<FoundCandidate>;
  CandidateAllocation: ResolverTypeWrapper<FoundAllocation>;
  GroupMapping: ResolverTypeWrapper<FoundMapping>;
  Explanation: ResolverTypeWrapper<ExplanationRow>;
  ExplanationStepKind: ExplanationStepKind;
  ExplanationStep: ResolverTypeWrapper<ExplanationStep>;
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
  ClaimPayload: ResolverTypeWrapper<Omit<ClaimPayload, 'claims' | 'resourceProviders' | 'event' | 'userErrors'> & { claims?: Maybe<ReadonlyArray<Maybe<ResolversTypes['Claim']>>>, resourceProviders?: Maybe<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  Claim: ResolverTypeWrapper<ClaimedConsumer>;
  ReshapeProviderInput: ReshapeProviderInput;
  ReshapeInput: ReshapeInput;
  ReshapePayload: ResolverTypeWrapper<Omit<ReshapePayload, 'resourceProviders' | 'consumers' | 'warnings' | 'event' | 'userErrors'> & { resourceProviders: ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, consumers: ReadonlyArray<Maybe<ResolversTypes['Consumer']>>, warnings: ReadonlyArray<ResolversTypes['Warning']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  DesiredProviderInput: DesiredProviderInput;
  ApplyProviderTreeInput: ApplyProviderTreeInput;
  ApplyProviderTreePayload: ResolverTypeWrapper<Omit<ApplyProviderTreePayload, 'root' | 'warnings' | 'event' | 'userErrors'> & { root?: Maybe<ResolversTypes['ResourceProvider']>, warnings: ReadonlyArray<ResolversTypes['Warning']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  TreeChangeKind: TreeChangeKind;
  TreeChange: ResolverTypeWrapper<TreeChange>;
  Retry: Retry;
  UserError: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['UserError']>;
  InvalidInput: ResolverTypeWrapper<ProblemShown<InvalidInput>>;
  IdempotencyKeyReused: ResolverTypeWrapper<ProblemShown<IdempotencyKeyReused>>;
  NotFound: ResolverTypeWrapper<ProblemShown<NotFound>>;
  Duplicate: ResolverTypeWrapper<ProblemShown<Omit<Duplicate, 'existing'> & { existing?: Maybe<ResolversTypes['Node']> }>>;
  StandardName: ResolverTypeWrapper<ProblemShown<StandardName>>;
  ConsumerConflict: ResolverTypeWrapper<ProblemShown<ConsumerConflict>>;
  ProviderConflict: ResolverTypeWrapper<ProblemShown<Omit<ProviderConflict, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  ParentLoop: ResolverTypeWrapper<ProblemShown<ParentLoop>>;
  HasChildren: ResolverTypeWrapper<ProblemShown<Omit<HasChildren, 'children'> & { children: ReadonlyArray<ResolversTypes['ResourceProvider']> }>>;
  InUse: ResolverTypeWrapper<ProblemShown<Omit<InUse, 'by'> & { by: ReadonlyArray<ResolversTypes['Node']> }>>;
  NoInventory: ResolverTypeWrapper<ProblemShown<Omit<NoInventory, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  UnitViolation: ResolverTypeWrapper<ProblemShown<Omit<UnitViolation, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  CapacityExceeded: ResolverTypeWrapper<ProblemShown<Omit<CapacityExceeded, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversTypes['ResourceProvider']> }>>;
  NoCandidates: ResolverTypeWrapper<ProblemShown<Omit<NoCandidates, 'explanation'> & { explanation: ResolversTypes['Explanation'] }>>;
  WarningCode: WarningCode;
  Warning: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Warning']>;
  ShrunkBelowUse: ResolverTypeWrapper<ShrunkInventory>;
  RequestWarning: ResolverTypeWrapper<RequestWarningRow>;
  ServiceInfo: ResolverTypeWrapper<ServiceInfo>;
  Limit: ResolverTypeWrapper<Limit>;
  PropertyInput: PropertyInput;
  FlavorInput: FlavorInput;
  FlavorFieldsInput: FlavorFieldsInput;
  FlavorToRequestInput: FlavorToRequestInput;
  FlavorRequest: ResolverTypeWrapper<Omit<FlavorRequest, 'warnings'> & { warnings: ReadonlyArray<ResolversTypes['Warning']> }>;
  CandidatesRequest: ResolverTypeWrapper<CandidatesRequest>;
  CandidatesRequestGroup: ResolverTypeWrapper<CandidatesRequestGroup>;
  RequestedAmount: ResolverTypeWrapper<RequestedAmount>;
  TraitCondition: ResolverTypeWrapper<TraitCondition>;
  Property: ResolverTypeWrapper<Property>;
  DestinationSeekerInput: DestinationSeekerInput;
  SelectDestinationsInput: SelectDestinationsInput;
  Selection: ResolverTypeWrapper<SelectionRow>;
  InstanceDestinations: ResolverTypeWrapper<Omit<InstanceDestinations, 'instance' | 'selected' | 'alternates'> & { instance: ResolversTypes['Consumer'], selected: ResolversTypes['Selection'], alternates: ReadonlyArray<ResolversTypes['Selection']> }>;
  SelectDestinationsPayload: ResolverTypeWrapper<Omit<SelectDestinationsPayload, 'destinations' | 'warnings' | 'event' | 'userErrors'> & { destinations?: Maybe<ReadonlyArray<Maybe<ResolversTypes['InstanceDestinations']>>>, warnings: ReadonlyArray<ResolversTypes['Warning']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  AlternateInput: AlternateInput;
  ClaimAlternateInput: ClaimAlternateInput;
  ClaimAlternatePayload: ResolverTypeWrapper<Omit<ClaimAlternatePayload, 'instance' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversTypes['Consumer']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  InstancePciDeviceInput: InstancePciDeviceInput;
  InstanceInput: InstanceInput;
  InstanceFieldsInput: InstanceFieldsInput;
  ClaimInstanceInput: ClaimInstanceInput;
  ClaimInstancePayload: ResolverTypeWrapper<Omit<ClaimInstancePayload, 'instance' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversTypes['Consumer']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ReleaseInstanceInput: ReleaseInstanceInput;
  ReleaseInstancePayload: ResolverTypeWrapper<Omit<ReleaseInstancePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  MigrationInput: MigrationInput;
  MigrationFieldsInput: MigrationFieldsInput;
  StartMigrationInput: StartMigrationInput;
  StartMigrationPayload: ResolverTypeWrapper<Omit<StartMigrationPayload, 'instance' | 'migration' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversTypes['Consumer']>, migration?: Maybe<ResolversTypes['Consumer']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ConfirmMigrationInput: ConfirmMigrationInput;
  ConfirmMigrationPayload: ResolverTypeWrapper<Omit<ConfirmMigrationPayload, 'instance' | 'migration' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversTypes['Consumer']>, migration?: Maybe<ResolversTypes['Consumer']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  RevertMigrationInput: RevertMigrationInput;
  RevertMigrationPayload: ResolverTypeWrapper<Omit<RevertMigrationPayload, 'instance' | 'migration' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversTypes['Consumer']>, migration?: Maybe<ResolversTypes['Consumer']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  KnownInstanceInput: KnownInstanceInput;
  HostedInstanceInput: HostedInstanceInput;
  AuditComputeNodeInput: AuditComputeNodeInput;
  AllocationVerdict: AllocationVerdict;
  AllocationReason: AllocationReason;
  AuditedAllocation: ResolverTypeWrapper<AuditedAllocationRow>;
  InstanceState: InstanceState;
  AuditedInstance: ResolverTypeWrapper<AuditedInstanceRow>;
  AuditComputeNodePayload: ResolverTypeWrapper<Omit<AuditComputeNodePayload, 'auditedAllocations' | 'auditedInstances' | 'event' | 'events' | 'userErrors'> & { auditedAllocations?: Maybe<ReadonlyArray<Maybe<ResolversTypes['AuditedAllocation']>>>, auditedInstances?: Maybe<ReadonlyArray<Maybe<ResolversTypes['AuditedInstance']>>>, event?: Maybe<ResolversTypes['Event']>, events: ReadonlyArray<Maybe<ResolversTypes['Event']>>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  NodeRatiosInput: NodeRatiosInput;
  NumaCellInput: NumaCellInput;
  VgpuInput: VgpuInput;
  PciDeviceInput: PciDeviceInput;
  PciDeviceFieldsInput: PciDeviceFieldsInput;
  ReportedPciDeviceInput: ReportedPciDeviceInput;
  ComputeNodeInput: ComputeNodeInput;
  ComputeNodeFieldsInput: ComputeNodeFieldsInput;
  ReportComputeNodeInput: ReportComputeNodeInput;
  ReportComputeNodePayload: ResolverTypeWrapper<Omit<ReportComputeNodePayload, 'computeNode' | 'warnings' | 'event' | 'userErrors'> & { computeNode?: Maybe<ResolversTypes['ComputeNode']>, warnings: ReadonlyArray<ResolversTypes['Warning']>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  OldComputeNodeInput: OldComputeNodeInput;
  OldComputeNodeFieldsInput: OldComputeNodeFieldsInput;
  ImportComputeNodesInput: ImportComputeNodesInput;
  ImportComputeNodesPayload: ResolverTypeWrapper<Omit<ImportComputeNodesPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ComputeNode: ResolverTypeWrapper<ComputeNodeRow>;
  ComputeNodeFilterInput: ComputeNodeFilterInput;
  ComputeNodeOrderField: ComputeNodeOrderField;
  ComputeNodeOrderInput: ComputeNodeOrderInput;
  ComputeNodeConnection: ResolverTypeWrapper<ComputeNodePage>;
  ComputeNodeEdge: ResolverTypeWrapper<Omit<ComputeNodeEdge, 'node'> & { node: ResolversTypes['ComputeNode'] }>;
  PciDevicePool: ResolverTypeWrapper<PciPool>;
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
  RemoveServiceInput: RemoveServiceInput;
  RemoveServicePayload: ResolverTypeWrapper<Omit<RemoveServicePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  AdoptSharedStorageInput: AdoptSharedStorageInput;
  AdoptSharedStoragePayload: ResolverTypeWrapper<Omit<AdoptSharedStoragePayload, 'resourceProviders' | 'event' | 'userErrors'> & { resourceProviders: ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, event?: Maybe<ResolversTypes['Event']>, userErrors: ReadonlyArray<ResolversTypes['UserError']> }>;
  ReportPoolInput: ReportPoolInput;
  ReportPoolPayload: ResolverTypeWrapper<ReportedPool>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Query: Record<PropertyKey, never>;
  ID: Scalars['ID']['output'];
  String: Scalars['String']['output'];
  Int: Scalars['Int']['output'];
  Mutation: Record<PropertyKey, never>;
  UUID: Scalars['UUID']['output'];
  DateTime: Scalars['DateTime']['output'];
  SafeInt: Scalars['SafeInt']['output'];
  True: Scalars['True']['output'];
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
  TraitConditionInput: TraitConditionInput;
  AggregateConditionInput: AggregateConditionInput;
  ResourceProviderOrderInput: ResourceProviderOrderInput;
  ProviderExpectationInput: ProviderExpectationInput;
  CreateResourceProviderInput: CreateResourceProviderInput;
  CreateResourceProviderPayload: Omit<CreateResourceProviderPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  EnsureResourceProviderInput: EnsureResourceProviderInput;
  EnsureResourceProviderPayload: Omit<EnsureResourceProviderPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  NewParentInput: NewParentInput;
  UpdateResourceProviderInput: UpdateResourceProviderInput;
  UpdateResourceProviderPayload: Omit<UpdateResourceProviderPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DeleteResourceProviderInput: DeleteResourceProviderInput;
  DeleteResourceProviderPayload: Omit<DeleteResourceProviderPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Inventory: InventoryRow;
  Float: Scalars['Float']['output'];
  InventoryConnection: InventoryPage;
  InventoryEdge: Omit<InventoryEdge, 'node'> & { node: ResolversParentTypes['Inventory'] };
  InventoryOrderInput: InventoryOrderInput;
  ResourceTotal: ResourceTotalRow;
  Totals: CapacityRow;
  InventoryInput: InventoryInput;
  ReplaceInventoriesInput: ReplaceInventoriesInput;
  ReplaceInventoriesPayload: Omit<ReplaceInventoriesPayload, 'resourceProvider' | 'warnings' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, warnings: ReadonlyArray<ResolversParentTypes['Warning']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  SetInventoryInput: SetInventoryInput;
  SetInventoryPayload: Omit<SetInventoryPayload, 'resourceProvider' | 'inventory' | 'warnings' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, inventory?: Maybe<ResolversParentTypes['Inventory']>, warnings: ReadonlyArray<ResolversParentTypes['Warning']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ExpectedResourceProviderInput: ExpectedResourceProviderInput;
  PatchSelectionInput: PatchSelectionInput;
  InventoryPatchInput: InventoryPatchInput;
  PatchInventoriesInput: PatchInventoriesInput;
  InventoryRecord: InventoryRecord;
  InventoryChange: InventoryChangeRow;
  PatchInventoriesPayload: PatchInventoriesAnswer;
  DeleteInventoryInput: DeleteInventoryInput;
  DeleteInventoryPayload: Omit<DeleteInventoryPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ResourceClass: ResourceClassRow;
  ResourceClassFilterInput: ResourceClassFilterInput;
  ResourceClassOrderInput: ResourceClassOrderInput;
  ResourceClassConnection: ResourceClassPage;
  ResourceClassEdge: Omit<ResourceClassEdge, 'node'> & { node: ResolversParentTypes['ResourceClass'] };
  CreateResourceClassInput: CreateResourceClassInput;
  CreateResourceClassPayload: Omit<CreateResourceClassPayload, 'resourceClass' | 'event' | 'userErrors'> & { resourceClass?: Maybe<ResolversParentTypes['ResourceClass']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DeleteResourceClassInput: DeleteResourceClassInput;
  DeleteResourceClassPayload: Omit<DeleteResourceClassPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Trait: TraitRow;
  TraitFilterInput: TraitFilterInput;
  TraitOrderInput: TraitOrderInput;
  TraitConnection: TraitPage;
  TraitEdge: Omit<TraitEdge, 'node'> & { node: ResolversParentTypes['Trait'] };
  ReplaceTraitsInput: ReplaceTraitsInput;
  ReplaceTraitsPayload: Omit<ReplaceTraitsPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
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
  ReplaceAggregatesPayload: Omit<ReplaceAggregatesPayload, 'resourceProvider' | 'event' | 'userErrors'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
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
  ReplaceAllocationsPayload: Omit<ReplaceAllocationsPayload, 'consumers' | 'resourceProviders' | 'event' | 'userErrors'> & { consumers: ReadonlyArray<Maybe<ResolversParentTypes['Consumer']>>, resourceProviders: ReadonlyArray<Maybe<ResolversParentTypes['ResourceProvider']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  MoveAllocationsInput: MoveAllocationsInput;
  MoveAllocationsPayload: Omit<MoveAllocationsPayload, 'consumer' | 'resourceProviders' | 'event' | 'userErrors'> & { consumer?: Maybe<ResolversParentTypes['Consumer']>, resourceProviders: ReadonlyArray<Maybe<ResolversParentTypes['ResourceProvider']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ReleaseExpectationInput: ReleaseExpectationInput;
  ReleaseConsumerInput: ReleaseConsumerInput;
  ReleaseAllocationsInput: ReleaseAllocationsInput;
  ReleaseAllocationsPayload: Omit<ReleaseAllocationsPayload, 'resourceProviders' | 'event' | 'userErrors'> & { resourceProviders: ReadonlyArray<Maybe<ResolversParentTypes['ResourceProvider']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
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
  IntChange: IntChange;
  UuidChange: UuidChange;
  EventInventoryChange: EventInventoryChange;
  AllocationChange: AllocationChangeRow;
  FactChange: FactChange;
  EventConnection: EventPage;
  EventEdge: Omit<EventEdge, 'node'> & { node: ResolversParentTypes['Event'] };
  EventChangeConnection: EventChangePage;
  EventChangeEdge: Omit<EventChangeEdge, 'node'> & { node: ResolversParentTypes['EventChange'] };
  UuidConnection: UuidPage;
  UuidEdge: UuidEdge;
  UsageHistorySubjectInput: UsageHistorySubjectInput;
  PastState: PastStateRow;
  PastResourceProvider: PastProvider;
  PastInventory: PastInventoryRow;
  PastConsumer: PastConsumerRow;
  PastAllocation: HeldAllocation;
  UsageHistory: Omit<UsageHistory, 'samples'> & { samples: ReadonlyArray<ResolversParentTypes['UsageSample']> };
  UsageSample: UsageSampleRow;
  PastUsage: UsageAt;
  CandidateOrderInput: CandidateOrderInput;
  RequestGroupInput: RequestGroupInput;
  SameSubtreeInput: SameSubtreeInput;
  CandidatesInput: CandidatesInput;
  AllocationCandidates: FoundCandidates;
  AllocationCandidate: FoundCandidate;
  CandidateAllocation: FoundAllocation;
  GroupMapping: FoundMapping;
  Explanation: ExplanationRow;
  ExplanationStep: ExplanationStep;
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
  ClaimPayload: Omit<ClaimPayload, 'claims' | 'resourceProviders' | 'event' | 'userErrors'> & { claims?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['Claim']>>>, resourceProviders?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['ResourceProvider']>>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  Claim: ClaimedConsumer;
  ReshapeProviderInput: ReshapeProviderInput;
  ReshapeInput: ReshapeInput;
  ReshapePayload: Omit<ReshapePayload, 'resourceProviders' | 'consumers' | 'warnings' | 'event' | 'userErrors'> & { resourceProviders: ReadonlyArray<Maybe<ResolversParentTypes['ResourceProvider']>>, consumers: ReadonlyArray<Maybe<ResolversParentTypes['Consumer']>>, warnings: ReadonlyArray<ResolversParentTypes['Warning']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  DesiredProviderInput: DesiredProviderInput;
  ApplyProviderTreeInput: ApplyProviderTreeInput;
  ApplyProviderTreePayload: Omit<ApplyProviderTreePayload, 'root' | 'warnings' | 'event' | 'userErrors'> & { root?: Maybe<ResolversParentTypes['ResourceProvider']>, warnings: ReadonlyArray<ResolversParentTypes['Warning']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  TreeChange: TreeChange;
  UserError: ResolversInterfaceTypes<ResolversParentTypes>['UserError'];
  InvalidInput: ProblemShown<InvalidInput>;
  IdempotencyKeyReused: ProblemShown<IdempotencyKeyReused>;
  NotFound: ProblemShown<NotFound>;
  Duplicate: ProblemShown<Omit<Duplicate, 'existing'> & { existing?: Maybe<ResolversParentTypes['Node']> }>;
  StandardName: ProblemShown<StandardName>;
  ConsumerConflict: ProblemShown<ConsumerConflict>;
  ProviderConflict: ProblemShown<Omit<ProviderConflict, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  ParentLoop: ProblemShown<ParentLoop>;
  HasChildren: ProblemShown<Omit<HasChildren, 'children'> & { children: ReadonlyArray<ResolversParentTypes['ResourceProvider']> }>;
  InUse: ProblemShown<Omit<InUse, 'by'> & { by: ReadonlyArray<ResolversParentTypes['Node']> }>;
  NoInventory: ProblemShown<Omit<NoInventory, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  UnitViolation: ProblemShown<Omit<UnitViolation, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  CapacityExceeded: ProblemShown<Omit<CapacityExceeded, 'resourceProvider'> & { resourceProvider?: Maybe<ResolversParentTypes['ResourceProvider']> }>;
  NoCandidates: ProblemShown<Omit<NoCandidates, 'explanation'> & { explanation: ResolversParentTypes['Explanation'] }>;
  Warning: ResolversInterfaceTypes<ResolversParentTypes>['Warning'];
  ShrunkBelowUse: ShrunkInventory;
  RequestWarning: RequestWarningRow;
  ServiceInfo: ServiceInfo;
  Limit: Limit;
  PropertyInput: PropertyInput;
  FlavorInput: FlavorInput;
  FlavorFieldsInput: FlavorFieldsInput;
  FlavorToRequestInput: FlavorToRequestInput;
  FlavorRequest: Omit<FlavorRequest, 'warnings'> & { warnings: ReadonlyArray<ResolversParentTypes['Warning']> };
  CandidatesRequest: CandidatesRequest;
  CandidatesRequestGroup: CandidatesRequestGroup;
  RequestedAmount: RequestedAmount;
  TraitCondition: TraitCondition;
  Property: Property;
  DestinationSeekerInput: DestinationSeekerInput;
  SelectDestinationsInput: SelectDestinationsInput;
  Selection: SelectionRow;
  InstanceDestinations: Omit<InstanceDestinations, 'instance' | 'selected' | 'alternates'> & { instance: ResolversParentTypes['Consumer'], selected: ResolversParentTypes['Selection'], alternates: ReadonlyArray<ResolversParentTypes['Selection']> };
  SelectDestinationsPayload: Omit<SelectDestinationsPayload, 'destinations' | 'warnings' | 'event' | 'userErrors'> & { destinations?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['InstanceDestinations']>>>, warnings: ReadonlyArray<ResolversParentTypes['Warning']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  AlternateInput: AlternateInput;
  ClaimAlternateInput: ClaimAlternateInput;
  ClaimAlternatePayload: Omit<ClaimAlternatePayload, 'instance' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversParentTypes['Consumer']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  InstancePciDeviceInput: InstancePciDeviceInput;
  InstanceInput: InstanceInput;
  InstanceFieldsInput: InstanceFieldsInput;
  ClaimInstanceInput: ClaimInstanceInput;
  ClaimInstancePayload: Omit<ClaimInstancePayload, 'instance' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversParentTypes['Consumer']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ReleaseInstanceInput: ReleaseInstanceInput;
  ReleaseInstancePayload: Omit<ReleaseInstancePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  MigrationInput: MigrationInput;
  MigrationFieldsInput: MigrationFieldsInput;
  StartMigrationInput: StartMigrationInput;
  StartMigrationPayload: Omit<StartMigrationPayload, 'instance' | 'migration' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversParentTypes['Consumer']>, migration?: Maybe<ResolversParentTypes['Consumer']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ConfirmMigrationInput: ConfirmMigrationInput;
  ConfirmMigrationPayload: Omit<ConfirmMigrationPayload, 'instance' | 'migration' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversParentTypes['Consumer']>, migration?: Maybe<ResolversParentTypes['Consumer']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  RevertMigrationInput: RevertMigrationInput;
  RevertMigrationPayload: Omit<RevertMigrationPayload, 'instance' | 'migration' | 'event' | 'userErrors'> & { instance?: Maybe<ResolversParentTypes['Consumer']>, migration?: Maybe<ResolversParentTypes['Consumer']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  KnownInstanceInput: KnownInstanceInput;
  HostedInstanceInput: HostedInstanceInput;
  AuditComputeNodeInput: AuditComputeNodeInput;
  AuditedAllocation: AuditedAllocationRow;
  AuditedInstance: AuditedInstanceRow;
  AuditComputeNodePayload: Omit<AuditComputeNodePayload, 'auditedAllocations' | 'auditedInstances' | 'event' | 'events' | 'userErrors'> & { auditedAllocations?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['AuditedAllocation']>>>, auditedInstances?: Maybe<ReadonlyArray<Maybe<ResolversParentTypes['AuditedInstance']>>>, event?: Maybe<ResolversParentTypes['Event']>, events: ReadonlyArray<Maybe<ResolversParentTypes['Event']>>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  NodeRatiosInput: NodeRatiosInput;
  NumaCellInput: NumaCellInput;
  VgpuInput: VgpuInput;
  PciDeviceInput: PciDeviceInput;
  PciDeviceFieldsInput: PciDeviceFieldsInput;
  ReportedPciDeviceInput: ReportedPciDeviceInput;
  ComputeNodeInput: ComputeNodeInput;
  ComputeNodeFieldsInput: ComputeNodeFieldsInput;
  ReportComputeNodeInput: ReportComputeNodeInput;
  ReportComputeNodePayload: Omit<ReportComputeNodePayload, 'computeNode' | 'warnings' | 'event' | 'userErrors'> & { computeNode?: Maybe<ResolversParentTypes['ComputeNode']>, warnings: ReadonlyArray<ResolversParentTypes['Warning']>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  OldComputeNodeInput: OldComputeNodeInput;
  OldComputeNodeFieldsInput: OldComputeNodeFieldsInput;
  ImportComputeNodesInput: ImportComputeNodesInput;
  ImportComputeNodesPayload: Omit<ImportComputeNodesPayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ComputeNode: ComputeNodeRow;
  ComputeNodeFilterInput: ComputeNodeFilterInput;
  ComputeNodeOrderInput: ComputeNodeOrderInput;
  ComputeNodeConnection: ComputeNodePage;
  ComputeNodeEdge: Omit<ComputeNodeEdge, 'node'> & { node: ResolversParentTypes['ComputeNode'] };
  PciDevicePool: PciPool;
  Service: ServiceRow;
  ServiceConnection: ServicePage;
  ServiceEdge: Omit<ServiceEdge, 'node'> & { node: ResolversParentTypes['Service'] };
  ServiceOrderInput: ServiceOrderInput;
  ServiceFilterInput: ServiceFilterInput;
  ServiceInput: ServiceInput;
  ServiceFieldsInput: ServiceFieldsInput;
  ReportServiceInput: ReportServiceInput;
  ReportServicePayload: Omit<ReportServicePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  RemoveServiceInput: RemoveServiceInput;
  RemoveServicePayload: Omit<RemoveServicePayload, 'event' | 'userErrors'> & { event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  AdoptSharedStorageInput: AdoptSharedStorageInput;
  AdoptSharedStoragePayload: Omit<AdoptSharedStoragePayload, 'resourceProviders' | 'event' | 'userErrors'> & { resourceProviders: ReadonlyArray<Maybe<ResolversParentTypes['ResourceProvider']>>, event?: Maybe<ResolversParentTypes['Event']>, userErrors: ReadonlyArray<ResolversParentTypes['UserError']> };
  ReportPoolInput: ReportPoolInput;
  ReportPoolPayload: ReportedPool;
};

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
  events?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<QueryEventsArgs>>;
  changes?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<QueryChangesArgs>>;
  asOf?: Resolver<ResolversTypes['PastState'], ParentType, ContextType, RequireFields<QueryAsOfArgs, 'moment'>>;
  usageHistory?: Resolver<ResolversTypes['UsageHistory'], ParentType, ContextType, RequireFields<QueryUsageHistoryArgs, 'of' | 'from' | 'stepSeconds'>>;
  allocationCandidates?: Resolver<ResolversTypes['AllocationCandidates'], ParentType, ContextType, RequireFields<QueryAllocationCandidatesArgs, 'input'>>;
  fit?: Resolver<ResolversTypes['Fit'], ParentType, ContextType, RequireFields<QueryFitArgs, 'input'>>;
  serviceInfo?: Resolver<ResolversTypes['ServiceInfo'], ParentType, ContextType>;
  flavorToRequest?: Resolver<ResolversTypes['FlavorRequest'], ParentType, ContextType, RequireFields<QueryFlavorToRequestArgs, 'input'>>;
  computeNode?: Resolver<Maybe<ResolversTypes['ComputeNode']>, ParentType, ContextType, Partial<QueryComputeNodeArgs>>;
  computeNodes?: Resolver<ResolversTypes['ComputeNodeConnection'], ParentType, ContextType, Partial<QueryComputeNodesArgs>>;
  services?: Resolver<ResolversTypes['ServiceConnection'], ParentType, ContextType, Partial<QueryServicesArgs>>;
  minimumComputeVersion?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createResourceProvider?: Resolver<Maybe<ResolversTypes['CreateResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationCreateResourceProviderArgs, 'input'>>;
  ensureResourceProvider?: Resolver<Maybe<ResolversTypes['EnsureResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationEnsureResourceProviderArgs, 'input'>>;
  updateResourceProvider?: Resolver<Maybe<ResolversTypes['UpdateResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationUpdateResourceProviderArgs, 'input'>>;
  deleteResourceProvider?: Resolver<Maybe<ResolversTypes['DeleteResourceProviderPayload']>, ParentType, ContextType, RequireFields<MutationDeleteResourceProviderArgs, 'input'>>;
  replaceInventories?: Resolver<Maybe<ResolversTypes['ReplaceInventoriesPayload']>, ParentType, ContextType, RequireFields<MutationReplaceInventoriesArgs, 'input'>>;
  setInventory?: Resolver<Maybe<ResolversTypes['SetInventoryPayload']>, ParentType, ContextType, RequireFields<MutationSetInventoryArgs, 'input'>>;
  patchInventories?: Resolver<Maybe<ResolversTypes['PatchInventoriesPayload']>, ParentType, ContextType, RequireFields<MutationPatchInventoriesArgs, 'input'>>;
  deleteInventory?: Resolver<Maybe<ResolversTypes['DeleteInventoryPayload']>, ParentType, ContextType, RequireFields<MutationDeleteInventoryArgs, 'input'>>;
  createResourceClass?: Resolver<Maybe<ResolversTypes['CreateResourceClassPayload']>, ParentType, ContextType, RequireFields<MutationCreateResourceClassArgs, 'input'>>;
  deleteResourceClass?: Resolver<Maybe<ResolversTypes['DeleteResourceClassPayload']>, ParentType, ContextType, RequireFields<MutationDeleteResourceClassArgs, 'input'>>;
  replaceTraits?: Resolver<Maybe<ResolversTypes['ReplaceTraitsPayload']>, ParentType, ContextType, RequireFields<MutationReplaceTraitsArgs, 'input'>>;
  createTrait?: Resolver<Maybe<ResolversTypes['CreateTraitPayload']>, ParentType, ContextType, RequireFields<MutationCreateTraitArgs, 'input'>>;
  deleteTrait?: Resolver<Maybe<ResolversTypes['DeleteTraitPayload']>, ParentType, ContextType, RequireFields<MutationDeleteTraitArgs, 'input'>>;
  replaceAggregates?: Resolver<Maybe<ResolversTypes['ReplaceAggregatesPayload']>, ParentType, ContextType, RequireFields<MutationReplaceAggregatesArgs, 'input'>>;
  nameAggregate?: Resolver<Maybe<ResolversTypes['NameAggregatePayload']>, ParentType, ContextType, RequireFields<MutationNameAggregateArgs, 'input'>>;
  replaceAllocations?: Resolver<Maybe<ResolversTypes['ReplaceAllocationsPayload']>, ParentType, ContextType, RequireFields<MutationReplaceAllocationsArgs, 'input'>>;
  moveAllocations?: Resolver<Maybe<ResolversTypes['MoveAllocationsPayload']>, ParentType, ContextType, RequireFields<MutationMoveAllocationsArgs, 'input'>>;
  releaseAllocations?: Resolver<Maybe<ResolversTypes['ReleaseAllocationsPayload']>, ParentType, ContextType, RequireFields<MutationReleaseAllocationsArgs, 'input'>>;
  claim?: Resolver<Maybe<ResolversTypes['ClaimPayload']>, ParentType, ContextType, RequireFields<MutationClaimArgs, 'input'>>;
  reshape?: Resolver<Maybe<ResolversTypes['ReshapePayload']>, ParentType, ContextType, RequireFields<MutationReshapeArgs, 'input'>>;
  applyProviderTree?: Resolver<Maybe<ResolversTypes['ApplyProviderTreePayload']>, ParentType, ContextType, RequireFields<MutationApplyProviderTreeArgs, 'input'>>;
  selectDestinations?: Resolver<Maybe<ResolversTypes['SelectDestinationsPayload']>, ParentType, ContextType, RequireFields<MutationSelectDestinationsArgs, 'input'>>;
  claimAlternate?: Resolver<Maybe<ResolversTypes['ClaimAlternatePayload']>, ParentType, ContextType, RequireFields<MutationClaimAlternateArgs, 'input'>>;
  claimInstance?: Resolver<Maybe<ResolversTypes['ClaimInstancePayload']>, ParentType, ContextType, RequireFields<MutationClaimInstanceArgs, 'input'>>;
  releaseInstance?: Resolver<Maybe<ResolversTypes['ReleaseInstancePayload']>, ParentType, ContextType, RequireFields<MutationReleaseInstanceArgs, 'input'>>;
  startMigration?: Resolver<Maybe<ResolversTypes['StartMigrationPayload']>, ParentType, ContextType, RequireFields<MutationStartMigrationArgs, 'input'>>;
  confirmMigration?: Resolver<Maybe<ResolversTypes['ConfirmMigrationPayload']>, ParentType, ContextType, RequireFields<MutationConfirmMigrationArgs, 'input'>>;
  revertMigration?: Resolver<Maybe<ResolversTypes['RevertMigrationPayload']>, ParentType, ContextType, RequireFields<MutationRevertMigrationArgs, 'input'>>;
  auditComputeNode?: Resolver<Maybe<ResolversTypes['AuditComputeNodePayload']>, ParentType, ContextType, RequireFields<MutationAuditComputeNodeArgs, 'input'>>;
  reportComputeNode?: Resolver<Maybe<ResolversTypes['ReportComputeNodePayload']>, ParentType, ContextType, RequireFields<MutationReportComputeNodeArgs, 'input'>>;
  importComputeNodes?: Resolver<Maybe<ResolversTypes['ImportComputeNodesPayload']>, ParentType, ContextType, RequireFields<MutationImportComputeNodesArgs, 'input'>>;
  reportService?: Resolver<Maybe<ResolversTypes['ReportServicePayload']>, ParentType, ContextType, RequireFields<MutationReportServiceArgs, 'input'>>;
  removeService?: Resolver<Maybe<ResolversTypes['RemoveServicePayload']>, ParentType, ContextType, RequireFields<MutationRemoveServiceArgs, 'input'>>;
  adoptSharedStorage?: Resolver<Maybe<ResolversTypes['AdoptSharedStoragePayload']>, ParentType, ContextType, RequireFields<MutationAdoptSharedStorageArgs, 'input'>>;
  reportPool?: Resolver<Maybe<ResolversTypes['ReportPoolPayload']>, ParentType, ContextType, RequireFields<MutationReportPoolArgs, 'input'>>;
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
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type EnsureResourceProviderPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['EnsureResourceProviderPayload'] = ResolversParentTypes['EnsureResourceProviderPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type UpdateResourceProviderPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UpdateResourceProviderPayload'] = ResolversParentTypes['UpdateResourceProviderPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
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

export type ReplaceInventoriesPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReplaceInventoriesPayload'] = ResolversParentTypes['ReplaceInventoriesPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SetInventoryPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SetInventoryPayload'] = ResolversParentTypes['SetInventoryPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  inventory?: Resolver<Maybe<ResolversTypes['Inventory']>, ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
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
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  resourceProviderUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  before?: Resolver<ResolversTypes['InventoryRecord'], ParentType, ContextType>;
  after?: Resolver<ResolversTypes['InventoryRecord'], ParentType, ContextType>;
};

export type PatchInventoriesPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PatchInventoriesPayload'] = ResolversParentTypes['PatchInventoriesPayload']> = {
  matchedCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  changes?: Resolver<ReadonlyArray<ResolversTypes['InventoryChange']>, ParentType, ContextType>;
  applied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteInventoryPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['DeleteInventoryPayload'] = ResolversParentTypes['DeleteInventoryPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
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

export type ReplaceTraitsPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReplaceTraitsPayload'] = ResolversParentTypes['ReplaceTraitsPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
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

export type ReplaceAggregatesPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReplaceAggregatesPayload'] = ResolversParentTypes['ReplaceAggregatesPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
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
  consumers?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Consumer']>>, ParentType, ContextType>;
  resourceProviders?: Resolver<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type MoveAllocationsPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['MoveAllocationsPayload'] = ResolversParentTypes['MoveAllocationsPayload']> = {
  consumer?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  resourceProviders?: Resolver<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReleaseAllocationsPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReleaseAllocationsPayload'] = ResolversParentTypes['ReleaseAllocationsPayload']> = {
  releasedConsumerUuids?: Resolver<ReadonlyArray<ResolversTypes['UUID']>, ParentType, ContextType>;
  resourceProviders?: Resolver<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
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

export type EventResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Event'] = ResolversParentTypes['Event']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['EventKind'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  globalRequestId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  requestedBy?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  requestedFor?: Resolver<Maybe<ResolversTypes['Project']>, ParentType, ContextType>;
  roles?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
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
  inventories?: Resolver<ReadonlyArray<ResolversTypes['EventInventoryChange']>, ParentType, ContextType>;
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
  version?: Resolver<Maybe<ResolversTypes['IntChange']>, ParentType, ContextType>;
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

export type IntChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['IntChange'] = ResolversParentTypes['IntChange']> = {
  before?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type UuidChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UuidChange'] = ResolversParentTypes['UuidChange']> = {
  before?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
};

export type EventInventoryChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['EventInventoryChange'] = ResolversParentTypes['EventInventoryChange']> = {
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  before?: Resolver<Maybe<ResolversTypes['InventoryRecord']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['InventoryRecord']>, ParentType, ContextType>;
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

export type PastStateResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['PastState'] = ResolversParentTypes['PastState']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  pastResourceProvider?: Resolver<Maybe<ResolversTypes['PastResourceProvider']>, ParentType, ContextType, RequireFields<PastStatePastResourceProviderArgs, 'uuid'>>;
  pastConsumer?: Resolver<Maybe<ResolversTypes['PastConsumer']>, ParentType, ContextType, RequireFields<PastStatePastConsumerArgs, 'uuid'>>;
  projectUsage?: Resolver<ResolversTypes['UsageSample'], ParentType, ContextType, RequireFields<PastStateProjectUsageArgs, 'externalId'>>;
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
  suffix?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  resourceProviders?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
};

export type ExplanationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Explanation'] = ResolversParentTypes['Explanation']> = {
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  steps?: Resolver<ReadonlyArray<ResolversTypes['ExplanationStep']>, ParentType, ContextType>;
  nearestMisses?: Resolver<ReadonlyArray<ResolversTypes['NearestMiss']>, ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ExplanationStepResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ExplanationStep'] = ResolversParentTypes['ExplanationStep']> = {
  group?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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
  claims?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['Claim']>>>, ParentType, ContextType>;
  resourceProviders?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>>, ParentType, ContextType>;
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
  resourceProviders?: Resolver<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  consumers?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Consumer']>>, ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ApplyProviderTreePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ApplyProviderTreePayload'] = ResolversParentTypes['ApplyProviderTreePayload']> = {
  root?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  changes?: Resolver<Maybe<ReadonlyArray<ResolversTypes['TreeChange']>>, ParentType, ContextType>;
  applied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type TreeChangeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['TreeChange'] = ResolversParentTypes['TreeChange']> = {
  kind?: Resolver<ResolversTypes['TreeChangeKind'], ParentType, ContextType>;
  resourceProviderUuid?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  consumerUuid?: Resolver<Maybe<ResolversTypes['UUID']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  resourceClassName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  before?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  after?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  __resolveType: TypeResolveFn<'InvalidInput' | 'IdempotencyKeyReused' | 'NotFound' | 'Duplicate' | 'StandardName' | 'ConsumerConflict' | 'ProviderConflict' | 'ParentLoop' | 'HasChildren' | 'InUse' | 'NoInventory' | 'UnitViolation' | 'CapacityExceeded' | 'NoCandidates', ParentType, ContextType>;
};

export type InvalidInputResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InvalidInput'] = ResolversParentTypes['InvalidInput']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type IdempotencyKeyReusedResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['IdempotencyKeyReused'] = ResolversParentTypes['IdempotencyKeyReused']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type NotFoundResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NotFound'] = ResolversParentTypes['NotFound']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  noun?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DuplicateResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['Duplicate'] = ResolversParentTypes['Duplicate']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  noun?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  existing?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type StandardNameResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['StandardName'] = ResolversParentTypes['StandardName']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ConsumerConflictResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ConsumerConflict'] = ResolversParentTypes['ConsumerConflict']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  expected?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  actual?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ProviderConflictResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ProviderConflict'] = ResolversParentTypes['ProviderConflict']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  expected?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  actual?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ParentLoopResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ParentLoop'] = ResolversParentTypes['ParentLoop']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  resourceProviderUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  parentUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type HasChildrenResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['HasChildren'] = ResolversParentTypes['HasChildren']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  children?: Resolver<ReadonlyArray<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  childCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InUseResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['InUse'] = ResolversParentTypes['InUse']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  noun?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  by?: Resolver<ReadonlyArray<ResolversTypes['Node']>, ParentType, ContextType>;
  byCount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type NoInventoryResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NoInventory'] = ResolversParentTypes['NoInventory']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  resourceClassName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UnitViolationResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['UnitViolation'] = ResolversParentTypes['UnitViolation']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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

export type NoCandidatesResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['NoCandidates'] = ResolversParentTypes['NoCandidates']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  retry?: Resolver<ResolversTypes['Retry'], ParentType, ContextType>;
  consumerUuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  explanation?: Resolver<ResolversTypes['Explanation'], ParentType, ContextType>;
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

export type FlavorRequestResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['FlavorRequest'] = ResolversParentTypes['FlavorRequest']> = {
  request?: Resolver<ResolversTypes['CandidatesRequest'], ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
};

export type CandidatesRequestResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CandidatesRequest'] = ResolversParentTypes['CandidatesRequest']> = {
  groups?: Resolver<ReadonlyArray<ResolversTypes['CandidatesRequestGroup']>, ParentType, ContextType>;
  groupPolicy?: Resolver<ResolversTypes['GroupPolicy'], ParentType, ContextType>;
};

export type CandidatesRequestGroupResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['CandidatesRequestGroup'] = ResolversParentTypes['CandidatesRequestGroup']> = {
  suffix?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  resources?: Resolver<ReadonlyArray<ResolversTypes['RequestedAmount']>, ParentType, ContextType>;
  traits?: Resolver<ReadonlyArray<ResolversTypes['TraitCondition']>, ParentType, ContextType>;
};

export type RequestedAmountResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RequestedAmount'] = ResolversParentTypes['RequestedAmount']> = {
  resourceClass?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type TraitConditionResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['TraitCondition'] = ResolversParentTypes['TraitCondition']> = {
  allOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  noneOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
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
  selected?: Resolver<ResolversTypes['Selection'], ParentType, ContextType>;
  alternates?: Resolver<ReadonlyArray<ResolversTypes['Selection']>, ParentType, ContextType>;
};

export type SelectDestinationsPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['SelectDestinationsPayload'] = ResolversParentTypes['SelectDestinationsPayload']> = {
  destinations?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['InstanceDestinations']>>>, ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
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

export type ReleaseInstancePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReleaseInstancePayload'] = ResolversParentTypes['ReleaseInstancePayload']> = {
  released?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type StartMigrationPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['StartMigrationPayload'] = ResolversParentTypes['StartMigrationPayload']> = {
  instance?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  migration?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ConfirmMigrationPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ConfirmMigrationPayload'] = ResolversParentTypes['ConfirmMigrationPayload']> = {
  instance?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  migration?: Resolver<Maybe<ResolversTypes['Consumer']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RevertMigrationPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RevertMigrationPayload'] = ResolversParentTypes['RevertMigrationPayload']> = {
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

export type AuditComputeNodePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AuditComputeNodePayload'] = ResolversParentTypes['AuditComputeNodePayload']> = {
  auditedAllocations?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['AuditedAllocation']>>>, ParentType, ContextType>;
  auditedInstances?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['AuditedInstance']>>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  events?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Event']>>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReportComputeNodePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReportComputeNodePayload'] = ResolversParentTypes['ReportComputeNodePayload']> = {
  computeNode?: Resolver<Maybe<ResolversTypes['ComputeNode']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  changes?: Resolver<Maybe<ReadonlyArray<ResolversTypes['TreeChange']>>, ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ImportComputeNodesPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ImportComputeNodesPayload'] = ResolversParentTypes['ImportComputeNodesPayload']> = {
  imported?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ComputeNodeResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ComputeNode'] = ResolversParentTypes['ComputeNode']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  uuid?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  hypervisorHostname?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  serviceHost?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type RemoveServicePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['RemoveServicePayload'] = ResolversParentTypes['RemoveServicePayload']> = {
  removed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  minimumComputeVersion?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AdoptSharedStoragePayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['AdoptSharedStoragePayload'] = ResolversParentTypes['AdoptSharedStoragePayload']> = {
  movedConsumerUuids?: Resolver<ReadonlyArray<ResolversTypes['UUID']>, ParentType, ContextType>;
  resourceProviders?: Resolver<ReadonlyArray<Maybe<ResolversTypes['ResourceProvider']>>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReportPoolPayloadResolvers<ContextType = RequestScope, ParentType extends ResolversParentTypes['ReportPoolPayload'] = ResolversParentTypes['ReportPoolPayload']> = {
  resourceProvider?: Resolver<Maybe<ResolversTypes['ResourceProvider']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['Warning']>, ParentType, ContextType>;
  event?: Resolver<Maybe<ResolversTypes['Event']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestScope> = {
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  UUID?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  SafeInt?: GraphQLScalarType;
  True?: GraphQLScalarType;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  ResourceAmount?: ResourceAmountResolvers<ContextType>;
  ResourceProvider?: ResourceProviderResolvers<ContextType>;
  SharedPool?: SharedPoolResolvers<ContextType>;
  ResourceProviderConnection?: ResourceProviderConnectionResolvers<ContextType>;
  ResourceProviderEdge?: ResourceProviderEdgeResolvers<ContextType>;
  CreateResourceProviderPayload?: CreateResourceProviderPayloadResolvers<ContextType>;
  EnsureResourceProviderPayload?: EnsureResourceProviderPayloadResolvers<ContextType>;
  UpdateResourceProviderPayload?: UpdateResourceProviderPayloadResolvers<ContextType>;
  DeleteResourceProviderPayload?: DeleteResourceProviderPayloadResolvers<ContextType>;
  Inventory?: InventoryResolvers<ContextType>;
  InventoryConnection?: InventoryConnectionResolvers<ContextType>;
  InventoryEdge?: InventoryEdgeResolvers<ContextType>;
  ResourceTotal?: ResourceTotalResolvers<ContextType>;
  Totals?: TotalsResolvers<ContextType>;
  ReplaceInventoriesPayload?: ReplaceInventoriesPayloadResolvers<ContextType>;
  SetInventoryPayload?: SetInventoryPayloadResolvers<ContextType>;
  InventoryRecord?: InventoryRecordResolvers<ContextType>;
  InventoryChange?: InventoryChangeResolvers<ContextType>;
  PatchInventoriesPayload?: PatchInventoriesPayloadResolvers<ContextType>;
  DeleteInventoryPayload?: DeleteInventoryPayloadResolvers<ContextType>;
  ResourceClass?: ResourceClassResolvers<ContextType>;
  ResourceClassConnection?: ResourceClassConnectionResolvers<ContextType>;
  ResourceClassEdge?: ResourceClassEdgeResolvers<ContextType>;
  CreateResourceClassPayload?: CreateResourceClassPayloadResolvers<ContextType>;
  DeleteResourceClassPayload?: DeleteResourceClassPayloadResolvers<ContextType>;
  Trait?: TraitResolvers<ContextType>;
  TraitConnection?: TraitConnectionResolvers<ContextType>;
  TraitEdge?: TraitEdgeResolvers<ContextType>;
  ReplaceTraitsPayload?: ReplaceTraitsPayloadResolvers<ContextType>;
  CreateTraitPayload?: CreateTraitPayloadResolvers<ContextType>;
  DeleteTraitPayload?: DeleteTraitPayloadResolvers<ContextType>;
  Aggregate?: AggregateResolvers<ContextType>;
  AggregateConnection?: AggregateConnectionResolvers<ContextType>;
  AggregateEdge?: AggregateEdgeResolvers<ContextType>;
  ReplaceAggregatesPayload?: ReplaceAggregatesPayloadResolvers<ContextType>;
  NameAggregatePayload?: NameAggregatePayloadResolvers<ContextType>;
  Consumer?: ConsumerResolvers<ContextType>;
  ConsumerConnection?: ConsumerConnectionResolvers<ContextType>;
  ConsumerEdge?: ConsumerEdgeResolvers<ContextType>;
  Allocation?: AllocationResolvers<ContextType>;
  AllocationConnection?: AllocationConnectionResolvers<ContextType>;
  AllocationEdge?: AllocationEdgeResolvers<ContextType>;
  ReplaceAllocationsPayload?: ReplaceAllocationsPayloadResolvers<ContextType>;
  MoveAllocationsPayload?: MoveAllocationsPayloadResolvers<ContextType>;
  ReleaseAllocationsPayload?: ReleaseAllocationsPayloadResolvers<ContextType>;
  Project?: ProjectResolvers<ContextType>;
  ProjectConnection?: ProjectConnectionResolvers<ContextType>;
  ProjectEdge?: ProjectEdgeResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Usage?: UsageResolvers<ContextType>;
  UsageConnection?: UsageConnectionResolvers<ContextType>;
  UsageEdge?: UsageEdgeResolvers<ContextType>;
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
  IntChange?: IntChangeResolvers<ContextType>;
  UuidChange?: UuidChangeResolvers<ContextType>;
  EventInventoryChange?: EventInventoryChangeResolvers<ContextType>;
  AllocationChange?: AllocationChangeResolvers<ContextType>;
  FactChange?: FactChangeResolvers<ContextType>;
  EventConnection?: EventConnectionResolvers<ContextType>;
  EventEdge?: EventEdgeResolvers<ContextType>;
  EventChangeConnection?: EventChangeConnectionResolvers<ContextType>;
  EventChangeEdge?: EventChangeEdgeResolvers<ContextType>;
  UuidConnection?: UuidConnectionResolvers<ContextType>;
  UuidEdge?: UuidEdgeResolvers<ContextType>;
  PastState?: PastStateResolvers<ContextType>;
  PastResourceProvider?: PastResourceProviderResolvers<ContextType>;
  PastInventory?: PastInventoryResolvers<ContextType>;
  PastConsumer?: PastConsumerResolvers<ContextType>;
  PastAllocation?: PastAllocationResolvers<ContextType>;
  UsageHistory?: UsageHistoryResolvers<ContextType>;
  UsageSample?: UsageSampleResolvers<ContextType>;
  PastUsage?: PastUsageResolvers<ContextType>;
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
  TreeChange?: TreeChangeResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
  InvalidInput?: InvalidInputResolvers<ContextType>;
  IdempotencyKeyReused?: IdempotencyKeyReusedResolvers<ContextType>;
  NotFound?: NotFoundResolvers<ContextType>;
  Duplicate?: DuplicateResolvers<ContextType>;
  StandardName?: StandardNameResolvers<ContextType>;
  ConsumerConflict?: ConsumerConflictResolvers<ContextType>;
  ProviderConflict?: ProviderConflictResolvers<ContextType>;
  ParentLoop?: ParentLoopResolvers<ContextType>;
  HasChildren?: HasChildrenResolvers<ContextType>;
  InUse?: InUseResolvers<ContextType>;
  NoInventory?: NoInventoryResolvers<ContextType>;
  UnitViolation?: UnitViolationResolvers<ContextType>;
  CapacityExceeded?: CapacityExceededResolvers<ContextType>;
  NoCandidates?: NoCandidatesResolvers<ContextType>;
  Warning?: WarningResolvers<ContextType>;
  ShrunkBelowUse?: ShrunkBelowUseResolvers<ContextType>;
  RequestWarning?: RequestWarningResolvers<ContextType>;
  ServiceInfo?: ServiceInfoResolvers<ContextType>;
  Limit?: LimitResolvers<ContextType>;
  FlavorRequest?: FlavorRequestResolvers<ContextType>;
  CandidatesRequest?: CandidatesRequestResolvers<ContextType>;
  CandidatesRequestGroup?: CandidatesRequestGroupResolvers<ContextType>;
  RequestedAmount?: RequestedAmountResolvers<ContextType>;
  TraitCondition?: TraitConditionResolvers<ContextType>;
  Property?: PropertyResolvers<ContextType>;
  Selection?: SelectionResolvers<ContextType>;
  InstanceDestinations?: InstanceDestinationsResolvers<ContextType>;
  SelectDestinationsPayload?: SelectDestinationsPayloadResolvers<ContextType>;
  ClaimAlternatePayload?: ClaimAlternatePayloadResolvers<ContextType>;
  ClaimInstancePayload?: ClaimInstancePayloadResolvers<ContextType>;
  ReleaseInstancePayload?: ReleaseInstancePayloadResolvers<ContextType>;
  StartMigrationPayload?: StartMigrationPayloadResolvers<ContextType>;
  ConfirmMigrationPayload?: ConfirmMigrationPayloadResolvers<ContextType>;
  RevertMigrationPayload?: RevertMigrationPayloadResolvers<ContextType>;
  AuditedAllocation?: AuditedAllocationResolvers<ContextType>;
  AuditedInstance?: AuditedInstanceResolvers<ContextType>;
  AuditComputeNodePayload?: AuditComputeNodePayloadResolvers<ContextType>;
  ReportComputeNodePayload?: ReportComputeNodePayloadResolvers<ContextType>;
  ImportComputeNodesPayload?: ImportComputeNodesPayloadResolvers<ContextType>;
  ComputeNode?: ComputeNodeResolvers<ContextType>;
  ComputeNodeConnection?: ComputeNodeConnectionResolvers<ContextType>;
  ComputeNodeEdge?: ComputeNodeEdgeResolvers<ContextType>;
  PciDevicePool?: PciDevicePoolResolvers<ContextType>;
  Service?: ServiceResolvers<ContextType>;
  ServiceConnection?: ServiceConnectionResolvers<ContextType>;
  ServiceEdge?: ServiceEdgeResolvers<ContextType>;
  ReportServicePayload?: ReportServicePayloadResolvers<ContextType>;
  RemoveServicePayload?: RemoveServicePayloadResolvers<ContextType>;
  AdoptSharedStoragePayload?: AdoptSharedStoragePayloadResolvers<ContextType>;
  ReportPoolPayload?: ReportPoolPayloadResolvers<ContextType>;
};
