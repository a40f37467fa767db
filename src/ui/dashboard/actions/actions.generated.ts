// Generated from actions.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../data/document.ts';

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

/** What conditions and amounts apply to. Only sent by callers: values may be added. */
export type Scope =
  /** The provider itself. */
  | 'PROVIDER'
  /** The provider and its descendants as one: for a root its whole tree. Sharing providers outside the tree are not included. */
  | 'TREE';

/** Conditions on a provider; all that are given must hold. `and`, `or` and `not` nest further filters: at most 50 in total, 4 levels deep. */
export type ResourceProviderFilterInput = {
  /** What `traits`, `aggregates`, `resourceClasses`, `fits`, `utilizations`, `allocationRatios`, `overCapacity`, `hasConsumers`, `consumerCount`, `updatedAfter` and `updatedBefore` apply to; all others apply to the provider itself. Defaults to PROVIDER, and within `and`, `or` and `not` to the scope of the enclosing filter. */
  readonly scope?: Scope | null | undefined;
  /** One of these uuids; at most 1,000. */
  readonly uuids?: ReadonlyArray<string> | null | undefined;
  /** One of these names; at most 1,000. */
  readonly names?: ReadonlyArray<string> | null | undefined;
  /** Name contains this text, ignoring case. No wildcards. */
  readonly nameContains?: string | null | undefined;
  /** Name begins with this text, ignoring case. No wildcards. */
  readonly nameStartsWith?: string | null | undefined;
  /** Is a root (true) or has a parent (false). */
  readonly isRoot?: boolean | null | undefined;
  /** Is a sharing provider (true) or not (false). */
  readonly isSharing?: boolean | null | undefined;
  /** Is in the same tree as one of these providers; at most 1,000. */
  readonly inTrees?: ReadonlyArray<string> | null | undefined;
  /** Has or lacks these traits; every clause must hold. */
  readonly traits?: ReadonlyArray<TraitConditionInput> | null | undefined;
  /** Is or is not in these aggregates; every clause must hold. */
  readonly aggregates?: ReadonlyArray<AggregateConditionInput> | null | undefined;
  /** Has an inventory of every one of these classes. Rule: `placement:graphql:inventories:read`. */
  readonly resourceClasses?: ReadonlyArray<string> | null | undefined;
  /** Has room for all these amounts now, within minUnit, maxUnit and stepSize. An amount is never split: with TREE, different amounts may fit on different providers of the tree, but each on a single one. For shared resources and relations between amounts use allocationCandidates instead. Rule: `placement:graphql:inventories:read`. */
  readonly fits?: ReadonlyArray<ResourceAmountInput> | null | undefined;
  /** Has a utilization of a class in this range: usage divided by capacity, with TREE of the provider and its descendants together. Every condition must hold; none holds without a capacity. At most 100. Rule: `placement:graphql:inventories:read`. */
  readonly utilizations?: ReadonlyArray<ClassRangeInput> | null | undefined;
  /** Has an inventory of a class with an allocation ratio in this range, with TREE anywhere in scope; every condition must hold. At most 100. Rule: `placement:graphql:inventories:read`. */
  readonly allocationRatios?: ReadonlyArray<ClassRangeInput> | null | undefined;
  /** Has an inventory over capacity (true) or none (false). Rule: `placement:graphql:inventories:read`. */
  readonly overCapacity?: boolean | null | undefined;
  /** Has allocations (true) or none (false). Rule: `placement:graphql:resource_providers:allocations:read`. */
  readonly hasConsumers?: boolean | null | undefined;
  /** Has allocations of this many consumers. Each request counts them: with hundreds of thousands of allocations, that takes about a second. Rule: `placement:graphql:resource_providers:allocations:read`. */
  readonly consumerCount?: CountRangeInput | null | undefined;
  /** Created after this moment. */
  readonly createdAfter?: string | null | undefined;
  /** Created before this moment. */
  readonly createdBefore?: string | null | undefined;
  /** Last written after this moment: its name, parent, inventories, usage, traits or aggregates. */
  readonly updatedAfter?: string | null | undefined;
  /** Last written before this moment. */
  readonly updatedBefore?: string | null | undefined;
  /** All of these must hold, each with its own scope. */
  readonly and?: ReadonlyArray<ResourceProviderFilterInput> | null | undefined;
  /** At least one of these must hold; an empty list matches nothing. */
  readonly or?: ReadonlyArray<ResourceProviderFilterInput> | null | undefined;
  /** This must not hold. */
  readonly not?: ResourceProviderFilterInput | null | undefined;
};

/** A range for a number of a class. Give at least one bound; all that are given must hold. */
export type ClassRangeInput = {
  /** Name of a class that exists. */
  readonly resourceClass: string;
  /** Is exactly this. */
  readonly is?: number | null | undefined;
  /** Is anything else. */
  readonly isNot?: number | null | undefined;
  /** Is greater. */
  readonly above?: number | null | undefined;
  /** Is this or greater. */
  readonly atLeast?: number | null | undefined;
  /** Is less. */
  readonly below?: number | null | undefined;
  /** Is this or less. */
  readonly atMost?: number | null | undefined;
};

/** A range for a count. Give at least one bound; all that are given must hold. */
export type CountRangeInput = {
  /** Is exactly this. */
  readonly is?: number | null | undefined;
  /** Is anything else. */
  readonly isNot?: number | null | undefined;
  /** Is greater. */
  readonly above?: number | null | undefined;
  /** Is this or greater. */
  readonly atLeast?: number | null | undefined;
  /** Is less. */
  readonly below?: number | null | undefined;
  /** Is this or less. */
  readonly atMost?: number | null | undefined;
};

/** A clause about traits: all conditions given in it must hold. A request for candidates refuses one that names nothing. */
export type TraitConditionInput = {
  /** Has every one. */
  readonly allOf?: ReadonlyArray<string> | null | undefined;
  /** Has at least one. */
  readonly anyOf?: ReadonlyArray<string> | null | undefined;
  /** Has none. */
  readonly noneOf?: ReadonlyArray<string> | null | undefined;
};

/** A clause about aggregates: all conditions given in it must hold. An unknown aggregate is not an error: it has no members. A request for candidates refuses one that names nothing. */
export type AggregateConditionInput = {
  /** Is in every one. */
  readonly allOf?: ReadonlyArray<string> | null | undefined;
  /** Is in at least one. */
  readonly anyOf?: ReadonlyArray<string> | null | undefined;
  /** Is in none. */
  readonly noneOf?: ReadonlyArray<string> | null | undefined;
};

/** The state that a write expects of a provider, or a release of a consumer. Give exactly one. A conflict reports the current generation. */
export type ExpectationInput =
  {   /** The generation that was read. */
  readonly generation: number; readonly unchecked?: never; }
  |  { readonly generation?: never;   /** Any generation. For a consumer, any state, including no allocations. */
  readonly unchecked: true; };

/** One provider and the expected state. */
export type ExpectedResourceProviderInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: string;
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
};

/** The providers to change. Give exactly one. */
export type PatchSelectionInput =
  {   /** This provider. For inventories, it must have the class. */
  readonly one: ExpectedResourceProviderInput; readonly many?: never; readonly filter?: never; readonly all?: never; }
  |  { readonly one?: never;   /** These providers: 1 to 10,000, each once. For inventories, all must have the class. The refusal names those in another state than expected, and nothing is written. */
  readonly many: ReadonlyArray<ExpectedResourceProviderInput>; readonly filter?: never; readonly all?: never; }
  |  { readonly one?: never; readonly many?: never;   /**
   * All providers that match, at most 10,000, without checking generations. For inventories, only those that have the class. Nothing in it may be
   * empty: a filter or clause without a condition, an empty list and an empty text are refused with INVALID_INPUT. A variable without a value beside other
   * conditions leaves out its own, so that more providers match than intended: protect against that with `expectedCount`.
   */
  readonly filter: ResourceProviderFilterInput; readonly all?: never; }
  |  { readonly one?: never; readonly many?: never; readonly filter?: never;   /** All existing providers, at most 10,000, without checking generations. For inventories, only those that have the class. */
  readonly all: true; };

/** Changes to an inventory; at least one field. Omitted fields keep their values. */
export type InventoryPatchInput = {
  /** The physical amount: 1 to 2147483647, in units of the class. */
  readonly total?: number | null | undefined;
  /** The part withheld from allocation: 0 to 2147483647, in units of the class. The capacity must not become negative. */
  readonly reserved?: number | null | undefined;
  /** Smallest amount of one allocation: 1 to 2147483647. */
  readonly minUnit?: number | null | undefined;
  /** Largest amount of one allocation: 1 to 2147483647. */
  readonly maxUnit?: number | null | undefined;
  /** Allocations must be a multiple of it: 1 to 2147483647. */
  readonly stepSize?: number | null | undefined;
  /** Overcommit ratio: finite, at most 3.40282e38. */
  readonly allocationRatio?: number | null | undefined;
};

/** Changes to some fields of the inventories of a class. */
export type PatchInventoriesInput = {
  /** Which inventories to change. */
  readonly select: PatchSelectionInput;
  /** Name of the class. */
  readonly resourceClass: string;
  /** The changes. */
  readonly patch: InventoryPatchInput;
  /** Number of selected providers that must have the class when they are written, such as `matchedCount` of a dry run; SELECTION_CONFLICT if the number differs. Any when omitted. */
  readonly expectedCount?: number | null | undefined;
  /** Only report what would change: the write is executed and rolled back. */
  readonly dryRun?: boolean;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: string | null | undefined;
};

/** The whole set of traits of a provider. */
export type ReplaceTraitsInput = {
  /** Uuid of the provider. */
  readonly resourceProvider: string;
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
  /** Names of all its traits; at most 1,000. Each must exist. */
  readonly traits: ReadonlyArray<string>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: string | null | undefined;
};

/** Traits to add and to remove; at least one. */
export type PatchTraitsInput = {
  /** Which providers to change. */
  readonly select: PatchSelectionInput;
  /** Names of traits to add; at most 1,000. Each must exist. */
  readonly add?: ReadonlyArray<string> | null | undefined;
  /** Names of traits to remove; at most 1,000, none of them also in `add`. Each must exist. */
  readonly remove?: ReadonlyArray<string> | null | undefined;
  /** Number of providers that must be selected when they are written, such as `matchedCount` of a dry run; SELECTION_CONFLICT if the number differs. Any when omitted. */
  readonly expectedCount?: number | null | undefined;
  /** Only report what would change: the write is executed and rolled back. */
  readonly dryRun?: boolean;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: string | null | undefined;
};

/** The state that a write expects of a consumer. Give exactly one. A conflict reports the current generation. */
export type ConsumerExpectationInput =
  {   /** The generation that was read. */
  readonly generation: number; readonly isNew?: never; }
  |  { readonly generation?: never;   /** The consumer must not exist yet. */
  readonly isNew: true; };

/** The amounts that a consumer holds on one provider. */
export type AllocationInput = {
  /** Uuid of the provider. Must be unique within the consumer. */
  readonly resourceProvider: string;
  /** Resource classes and amounts; not empty. */
  readonly resources: ReadonlyArray<ResourceAmountInput>;
};

/** The allocations of a consumer after the write. Give exactly one. */
export type AllocationSourceInput =
  {   /** Exactly these; an empty list releases everything. */
  readonly allocations: ReadonlyArray<AllocationInput>; readonly claimToken?: never; readonly takeFrom?: never; }
  |  { readonly allocations?: never;   /** Those of a candidate, given by its token. */
  readonly claimToken: string; readonly takeFrom?: never; }
  |  { readonly allocations?: never; readonly claimToken?: never;   /** All that another consumer of this request held before the write. Its own entry says what that one holds afterwards: with an empty list everything moves. NOT_FOUND when it held nothing. */
  readonly takeFrom: string; };

/** The attributes and allocations of one consumer after the write. */
export type ConsumerAllocationsInput = {
  /** Uuid of the consumer. Must be unique within the request. */
  readonly consumer: string;
  /** The state that the write expects. */
  readonly expect: ConsumerExpectationInput;
  /** Its allocations. */
  readonly hold: AllocationSourceInput;
  /** External id of its project, 1 to 255 characters: required for a new consumer (unless it takes from another, whose project it gets), kept when omitted. */
  readonly project?: string | null | undefined;
  /** External id of its user, with the same rules. */
  readonly user?: string | null | undefined;
  /** Its type, such as INSTANCE: at most 255 upper-case letters, digits and underscores. When omitted it is kept; a new consumer has none. */
  readonly consumerType?: string | null | undefined;
};

/** The new allocations of some consumers, written in one transaction, all or nothing. They replace everything that the consumers held. */
export type ReplaceAllocationsInput = {
  /** The consumers: 1 to 1,000. */
  readonly consumers: ReadonlyArray<ConsumerAllocationsInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: string | null | undefined;
};

/** A consumer to release. */
export type ReleaseConsumerInput = {
  /** Uuid of the consumer. Must be unique within the request. */
  readonly consumer: string;
  /** The state that the write expects. */
  readonly expect: ExpectationInput;
};

/** Consumers to release in one transaction. */
export type ReleaseAllocationsInput = {
  /** The consumers: 1 to 1,000. */
  readonly consumers: ReadonlyArray<ReleaseConsumerInput>;
  /** A key of your choice, 1 to 255 characters. For a day, repeating the call with the same key writes nothing and returns the first answer. Keys are scoped to your user and project, and bound to this mutation and input; a refused call does not use up its key. Selected data that the call did not write is read anew. */
  readonly idempotencyKey?: string | null | undefined;
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

/** How far a rule allows a caller. Closed: no values are added. */
export type RuleReach =
  /** Everything, whichever project it belongs to. */
  | 'EVERYTHING'
  /** What belongs to the caller's project; an operation with such a rule sees nothing else. */
  | 'OWN_PROJECT';

type Refusal_InvalidInput_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_IdempotencyKeyReused_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_Forbidden_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_NotFound_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_Duplicate_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_StandardName_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_ConsumerConflict_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_ProviderConflict_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry, readonly resourceProvider: { readonly uuid: string, readonly name: string } | null };

type Refusal_SelectionConflict_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_ParentLoop_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_HasChildren_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_InUse_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_NoInventory_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry, readonly resourceProvider: { readonly uuid: string, readonly name: string } | null };

type Refusal_UnitViolation_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_CapacityExceeded_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_AffinityViolation_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

type Refusal_NoCandidates_Fragment = { readonly code: UserErrorCode, readonly message: string, readonly retry: Retry };

export type RefusalFragment =
  | Refusal_InvalidInput_Fragment
  | Refusal_IdempotencyKeyReused_Fragment
  | Refusal_Forbidden_Fragment
  | Refusal_NotFound_Fragment
  | Refusal_Duplicate_Fragment
  | Refusal_StandardName_Fragment
  | Refusal_ConsumerConflict_Fragment
  | Refusal_ProviderConflict_Fragment
  | Refusal_SelectionConflict_Fragment
  | Refusal_ParentLoop_Fragment
  | Refusal_HasChildren_Fragment
  | Refusal_InUse_Fragment
  | Refusal_NoInventory_Fragment
  | Refusal_UnitViolation_Fragment
  | Refusal_CapacityExceeded_Fragment
  | Refusal_AffinityViolation_Fragment
  | Refusal_NoCandidates_Fragment
;

export type RightsQueryVariables = Exact<{ [key: string]: never; }>;


export type RightsQuery = { readonly viewer: { readonly rules: ReadonlyArray<{ readonly name: string, readonly reach: RuleReach }> } | null };

export type HostUuidsQueryVariables = Exact<{
  names: ReadonlyArray<string> | string;
}>;


export type HostUuidsQuery = { readonly resourceProviders: { readonly nodes: ReadonlyArray<{ readonly uuid: string }> } };

export type PatchInventoriesMutationVariables = Exact<{
  input: PatchInventoriesInput;
}>;


export type PatchInventoriesMutation = { readonly patchInventories: { readonly matchedCount: number, readonly applied: boolean, readonly changes: ReadonlyArray<{ readonly resourceProviderUuid: string, readonly resourceProvider: { readonly name: string, readonly generation: number } | null, readonly inventories: ReadonlyArray<{ readonly used: number | null, readonly before: { readonly reserved: number, readonly allocationRatio: number, readonly capacity: number } | null, readonly after: { readonly reserved: number, readonly allocationRatio: number, readonly capacity: number } | null }> }> | null, readonly warnings: ReadonlyArray<
      | { readonly code: WarningCode, readonly message: string }
      | { readonly code: WarningCode, readonly message: string }
    > | null, readonly event: { readonly id: string } | null, readonly userErrors: ReadonlyArray<
      | Refusal_InvalidInput_Fragment
      | Refusal_IdempotencyKeyReused_Fragment
      | Refusal_Forbidden_Fragment
      | Refusal_NotFound_Fragment
      | Refusal_Duplicate_Fragment
      | Refusal_StandardName_Fragment
      | Refusal_ConsumerConflict_Fragment
      | Refusal_ProviderConflict_Fragment
      | Refusal_SelectionConflict_Fragment
      | Refusal_ParentLoop_Fragment
      | Refusal_HasChildren_Fragment
      | Refusal_InUse_Fragment
      | Refusal_NoInventory_Fragment
      | Refusal_UnitViolation_Fragment
      | Refusal_CapacityExceeded_Fragment
      | Refusal_AffinityViolation_Fragment
      | Refusal_NoCandidates_Fragment
    > } | null };

export type ReplaceTraitsMutationVariables = Exact<{
  input: ReplaceTraitsInput;
}>;


export type ReplaceTraitsMutation = { readonly replaceTraits: { readonly resourceProvider: { readonly uuid: string, readonly generation: number, readonly traitNames: ReadonlyArray<string> } | null, readonly event: { readonly id: string } | null, readonly userErrors: ReadonlyArray<
      | Refusal_InvalidInput_Fragment
      | Refusal_IdempotencyKeyReused_Fragment
      | Refusal_Forbidden_Fragment
      | Refusal_NotFound_Fragment
      | Refusal_Duplicate_Fragment
      | Refusal_StandardName_Fragment
      | Refusal_ConsumerConflict_Fragment
      | Refusal_ProviderConflict_Fragment
      | Refusal_SelectionConflict_Fragment
      | Refusal_ParentLoop_Fragment
      | Refusal_HasChildren_Fragment
      | Refusal_InUse_Fragment
      | Refusal_NoInventory_Fragment
      | Refusal_UnitViolation_Fragment
      | Refusal_CapacityExceeded_Fragment
      | Refusal_AffinityViolation_Fragment
      | Refusal_NoCandidates_Fragment
    > } | null };

export type PatchTraitsMutationVariables = Exact<{
  input: PatchTraitsInput;
}>;


export type PatchTraitsMutation = { readonly patchTraits: { readonly matchedCount: number, readonly changes: ReadonlyArray<{ readonly resourceProviderUuid: string, readonly resourceProvider: { readonly name: string, readonly generation: number } | null }> | null, readonly userErrors: ReadonlyArray<
      | Refusal_InvalidInput_Fragment
      | Refusal_IdempotencyKeyReused_Fragment
      | Refusal_Forbidden_Fragment
      | Refusal_NotFound_Fragment
      | Refusal_Duplicate_Fragment
      | Refusal_StandardName_Fragment
      | Refusal_ConsumerConflict_Fragment
      | Refusal_ProviderConflict_Fragment
      | Refusal_SelectionConflict_Fragment
      | Refusal_ParentLoop_Fragment
      | Refusal_HasChildren_Fragment
      | Refusal_InUse_Fragment
      | Refusal_NoInventory_Fragment
      | Refusal_UnitViolation_Fragment
      | Refusal_CapacityExceeded_Fragment
      | Refusal_AffinityViolation_Fragment
      | Refusal_NoCandidates_Fragment
    > } | null };

export type ReleaseAllocationsMutationVariables = Exact<{
  input: ReleaseAllocationsInput;
}>;


export type ReleaseAllocationsMutation = { readonly releaseAllocations: { readonly releasedConsumerUuids: ReadonlyArray<string> | null, readonly event: { readonly id: string } | null, readonly userErrors: ReadonlyArray<
      | Refusal_InvalidInput_Fragment
      | Refusal_IdempotencyKeyReused_Fragment
      | Refusal_Forbidden_Fragment
      | Refusal_NotFound_Fragment
      | Refusal_Duplicate_Fragment
      | Refusal_StandardName_Fragment
      | Refusal_ConsumerConflict_Fragment
      | Refusal_ProviderConflict_Fragment
      | Refusal_SelectionConflict_Fragment
      | Refusal_ParentLoop_Fragment
      | Refusal_HasChildren_Fragment
      | Refusal_InUse_Fragment
      | Refusal_NoInventory_Fragment
      | Refusal_UnitViolation_Fragment
      | Refusal_CapacityExceeded_Fragment
      | Refusal_AffinityViolation_Fragment
      | Refusal_NoCandidates_Fragment
    > } | null };

export type HoldAgainMutationVariables = Exact<{
  input: ReplaceAllocationsInput;
}>;


export type HoldAgainMutation = { readonly replaceAllocations: { readonly event: { readonly id: string } | null, readonly userErrors: ReadonlyArray<
      | Refusal_InvalidInput_Fragment
      | Refusal_IdempotencyKeyReused_Fragment
      | Refusal_Forbidden_Fragment
      | Refusal_NotFound_Fragment
      | Refusal_Duplicate_Fragment
      | Refusal_StandardName_Fragment
      | Refusal_ConsumerConflict_Fragment
      | Refusal_ProviderConflict_Fragment
      | Refusal_SelectionConflict_Fragment
      | Refusal_ParentLoop_Fragment
      | Refusal_HasChildren_Fragment
      | Refusal_InUse_Fragment
      | Refusal_NoInventory_Fragment
      | Refusal_UnitViolation_Fragment
      | Refusal_CapacityExceeded_Fragment
      | Refusal_AffinityViolation_Fragment
      | Refusal_NoCandidates_Fragment
    > } | null };

export const Rights = documentOf<RightsQuery, RightsQueryVariables>(
  'Rights',
  "query Rights{viewer{rules{name reach}}}",
);

export const HostUuids = documentOf<HostUuidsQuery, HostUuidsQueryVariables>(
  'HostUuids',
  "query HostUuids($names:[String!]!){resourceProviders(first:1000 filter:{names:$names}){nodes{uuid}}}",
);

export const PatchInventories = documentOf<PatchInventoriesMutation, PatchInventoriesMutationVariables>(
  'PatchInventories',
  "mutation PatchInventories($input:PatchInventoriesInput!){patchInventories(input:$input){matchedCount applied changes{resourceProviderUuid resourceProvider{name generation}inventories{used before{reserved allocationRatio capacity}after{reserved allocationRatio capacity}}}warnings{code message}event{id}userErrors{...Refusal}}}fragment Refusal on UserError{code message retry ...on ProviderConflict{resourceProvider{uuid name}}...on NoInventory{resourceProvider{uuid name}}}",
);

export const ReplaceTraits = documentOf<ReplaceTraitsMutation, ReplaceTraitsMutationVariables>(
  'ReplaceTraits',
  "mutation ReplaceTraits($input:ReplaceTraitsInput!){replaceTraits(input:$input){resourceProvider{uuid generation traitNames}event{id}userErrors{...Refusal}}}fragment Refusal on UserError{code message retry ...on ProviderConflict{resourceProvider{uuid name}}...on NoInventory{resourceProvider{uuid name}}}",
);

export const PatchTraits = documentOf<PatchTraitsMutation, PatchTraitsMutationVariables>(
  'PatchTraits',
  "mutation PatchTraits($input:PatchTraitsInput!){patchTraits(input:$input){matchedCount changes{resourceProviderUuid resourceProvider{name generation}}userErrors{...Refusal}}}fragment Refusal on UserError{code message retry ...on ProviderConflict{resourceProvider{uuid name}}...on NoInventory{resourceProvider{uuid name}}}",
);

export const ReleaseAllocations = documentOf<ReleaseAllocationsMutation, ReleaseAllocationsMutationVariables>(
  'ReleaseAllocations',
  "mutation ReleaseAllocations($input:ReleaseAllocationsInput!){releaseAllocations(input:$input){releasedConsumerUuids event{id}userErrors{...Refusal}}}fragment Refusal on UserError{code message retry ...on ProviderConflict{resourceProvider{uuid name}}...on NoInventory{resourceProvider{uuid name}}}",
);

export const HoldAgain = documentOf<HoldAgainMutation, HoldAgainMutationVariables>(
  'HoldAgain',
  "mutation HoldAgain($input:ReplaceAllocationsInput!){replaceAllocations(input:$input){event{id}userErrors{...Refusal}}}fragment Refusal on UserError{code message retry ...on ProviderConflict{resourceProvider{uuid name}}...on NoInventory{resourceProvider{uuid name}}}",
);
