// Generated from fit.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Sort direction. Only sent by callers: values may be added. */
export type OrderDirection =
  /** Smallest, oldest or alphabetically first element first. */
  | 'ASC'
  /** Largest, newest or alphabetically last element first. */
  | 'DESC';

/** An amount of one resource class. Classes must be unique within a list. */
export type ResourceAmountInput = {
  /** Name of the class, such as VCPU. */
  readonly resourceClass: string;
  /** The amount, in units of the class: at least 1. The maxUnit of the inventory bounds it from above. */
  readonly amount: number;
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
  readonly resourceClass?: string | null | undefined;
  /** Only for FREE, instead of `resourceClass`: 1 to 5 different classes, whose free amounts are multiplied by their weights and added up. A class that a tree lacks counts as 0. `[{resourceClass: "MEMORY_MB", weight: 1}, {resourceClass: "VCPU", weight: 4096}]` spreads by both, a VCPU as much as 4 GiB; a negative weight keeps away from trees that have much of a class, such as those with free VGPU. */
  readonly weights?: ReadonlyArray<ClassWeightInput> | null | undefined;
  /** Only for FREE: roots whose free amount is at most this much below the largest (with ASC: above the smallest), in units of the class or of the sum, count as equal, and the keys that follow decide. At most 5,000 roots with different amounts count as equal. With RANDOM after it, claims through several gateways choose different roots. 0 when omitted. */
  readonly tolerance?: number | null | undefined;
  /** Only for RANDOM: makes the order repeatable. */
  readonly seed?: number | null | undefined;
  /** Ascending or descending; RANDOM allows only ASC. */
  readonly direction?: OrderDirection;
};

/** How much a class counts in a sum of free amounts. */
export type ClassWeightInput = {
  /** The resource class. */
  readonly resourceClass: string;
  /** How much a unit of the class counts: from 0.000001 to 1,000,000, or negative within the same bounds. */
  readonly weight: number;
};

/** One group of a request. All groups of a request are served together, under one root. */
export type RequestGroupInput = {
  /** Names the group: 1 to 64 letters, digits, _ or -. A suffixed group is served entirely by one provider. Omit it for the one group whose classes may come from different providers of the tree, including sharing providers. */
  readonly suffix?: string | null | undefined;
  /** The amounts to allocate; classes must be unique. Only a suffixed group named in a `sameSubtree` may omit them: it just selects a provider. */
  readonly resources?: ReadonlyArray<ResourceAmountInput> | null | undefined;
  /** With a suffix: traits of the provider itself. Without: no provider that serves the group has a forbidden trait, and each required one is on at least one of them. */
  readonly traits?: ReadonlyArray<TraitConditionInput> | null | undefined;
  /** With a suffix: aggregates of the provider itself. Without: those of the root count for the whole tree. Rule: `placement:graphql:aggregates:read`. */
  readonly aggregates?: ReadonlyArray<AggregateConditionInput> | null | undefined;
  /** Only from the tree that contains this provider. An unknown uuid is not an error: the search finds nothing. Rule: `placement:graphql:resource_providers:read`. */
  readonly inTree?: string | null | undefined;
};

/** Groups that must be served in one subtree: one of their providers is at or above all others. */
export type SameSubtreeInput = {
  /** Suffixes of groups of this request; at least one. */
  readonly groups: ReadonlyArray<string>;
};

/** A request for candidates. Unknown classes and traits are refused, except to readers of a project; unknown aggregates and providers match nothing. */
export type CandidatesInput = {
  /** 1 to 128 groups; at least one requests resources. */
  readonly groups: ReadonlyArray<RequestGroupInput>;
  /** Whether suffixed groups may share a provider. */
  readonly groupPolicy?: GroupPolicy | null | undefined;
  /** Traits of the candidate's root, whether or not it serves a group. */
  readonly rootTraits?: ReadonlyArray<TraitConditionInput> | null | undefined;
  /** Aggregates of that root itself, such as a cell or a zone. Rule: `placement:graphql:aggregates:read`. */
  readonly rootAggregates?: ReadonlyArray<AggregateConditionInput> | null | undefined;
  /** Groups that must be served in one subtree. */
  readonly sameSubtree?: ReadonlyArray<SameSubtreeInput> | null | undefined;
  /** Maximum number of candidates, 1 to 1,000. */
  readonly limit?: number | null | undefined;
  /** Maximum number of candidates per root; unlimited when omitted. */
  readonly perRootLimit?: number | null | undefined;
  /** The order of trees: at most 5 keys, most significant first. Oldest root first when omitted. */
  readonly orderBy?: ReadonlyArray<CandidateOrderInput> | null | undefined;
};

/** A name with its value, such as an extra spec of a flavor or a property of an image. Preview: it may change. */
export type PropertyInput = {
  /** For example `resources:VGPU` of a flavor, or `hw_cpu_policy` of an image. */
  readonly key: string;
  /** Its value. */
  readonly value: string;
};

/** A flavor. Give exactly one. Preview: it may change. */
export type FlavorInput =
  {   /** JSON text of the versioned object Flavor, version 1.0 or later. */
  readonly object: string; readonly fields?: never; }
  |  { readonly object?: never;   /** Its fields. */
  readonly fields: FlavorFieldsInput; };

/** A flavor, field by field. Preview: it may change. */
export type FlavorFieldsInput = {
  /** Its name. */
  readonly name?: string | null | undefined;
  /** Processors. */
  readonly vcpus: number;
  /** MiB. */
  readonly memoryMb: number;
  /** Root disk in GiB; 0 when omitted. */
  readonly rootGb?: number | null | undefined;
  /** Ephemeral disk in GiB; 0 when omitted. */
  readonly ephemeralGb?: number | null | undefined;
  /** Swap in MiB; 0 when omitted. */
  readonly swapMb?: number | null | undefined;
  /** Extra specs: at most 1,000, keys unique. */
  readonly extraSpecs?: ReadonlyArray<PropertyInput> | null | undefined;
};

export type WhatFitsQueryVariables = Exact<{
  input: CandidatesInput;
}>;


export type WhatFitsQuery = { readonly fit: { readonly total: number, readonly exact: boolean, readonly truncated: boolean, readonly byAggregate: { readonly nodes: ReadonlyArray<{ readonly count: number, readonly aggregate: { readonly uuid: string, readonly name: string, readonly isNamed: boolean } }> }, readonly byRoot: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly count: number, readonly root: { readonly uuid: string, readonly name: string } }> } }, readonly allocationCandidates: { readonly truncated: boolean, readonly candidates: ReadonlyArray<{ readonly root: { readonly uuid: string, readonly name: string }, readonly allocations: ReadonlyArray<{ readonly amount: number, readonly resourceClass: { readonly name: string }, readonly resourceProvider: { readonly uuid: string, readonly name: string } }> }> } };

export type WhyNotQueryVariables = Exact<{
  input: CandidatesInput;
}>;


export type WhyNotQuery = { readonly allocationCandidates: { readonly explanation: { readonly summary: string, readonly truncated: boolean, readonly steps: ReadonlyArray<{ readonly suffix: string | null, readonly filter: string, readonly rootsBefore: number, readonly rootsAfter: number }>, readonly nearestMisses: ReadonlyArray<{ readonly message: string, readonly rootCount: number, readonly lacksTraitNames: ReadonlyArray<string>, readonly lacks: ReadonlyArray<{ readonly amount: number, readonly resourceClass: { readonly name: string } }>, readonly sample: ReadonlyArray<{ readonly uuid: string, readonly name: string }> }> } } };

export type FromFlavorQueryVariables = Exact<{
  flavor: FlavorInput;
}>;


export type FromFlavorQuery = { readonly flavorToRequest: { readonly warnings: ReadonlyArray<
      | { readonly message: string }
      | { readonly message: string }
    > | null, readonly request: { readonly groupPolicy: GroupPolicy, readonly groups: ReadonlyArray<{ readonly suffix: string | null, readonly inTree: string | null, readonly resources: ReadonlyArray<{ readonly resourceClass: string, readonly amount: number }>, readonly traits: ReadonlyArray<{ readonly allOf: ReadonlyArray<string> | null, readonly anyOf: ReadonlyArray<string> | null, readonly noneOf: ReadonlyArray<string> | null }>, readonly aggregates: ReadonlyArray<{ readonly anyOf: ReadonlyArray<string> | null, readonly noneOf: ReadonlyArray<string> | null }> }>, readonly rootTraits: ReadonlyArray<{ readonly allOf: ReadonlyArray<string> | null, readonly anyOf: ReadonlyArray<string> | null, readonly noneOf: ReadonlyArray<string> | null }>, readonly sameSubtree: ReadonlyArray<{ readonly groups: ReadonlyArray<string> }> } } };

export type NamesInUseQueryVariables = Exact<{ [key: string]: never; }>;


export type NamesInUseQuery = { readonly resourceClasses: { readonly nodes: ReadonlyArray<{ readonly name: string }> }, readonly traits: { readonly nodes: ReadonlyArray<{ readonly name: string }> }, readonly aggregates: { readonly nodes: ReadonlyArray<{ readonly uuid: string, readonly name: string, readonly isNamed: boolean }> } };

export const WhatFits = documentOf<WhatFitsQuery, WhatFitsQueryVariables>(
  'WhatFits',
  "query WhatFits($input:CandidatesInput!){fit(input:$input){total exact truncated byAggregate(first:200){nodes{count aggregate{uuid name isNamed}}}byRoot(first:50){totalCount nodes{count root{uuid name}}}}allocationCandidates(input:$input){truncated candidates{root{uuid name}allocations{amount resourceClass{name}resourceProvider{uuid name}}}}}",
);

export const WhyNot = documentOf<WhyNotQuery, WhyNotQueryVariables>(
  'WhyNot',
  "query WhyNot($input:CandidatesInput!){allocationCandidates(input:$input){explanation{summary truncated steps{suffix filter rootsBefore rootsAfter}nearestMisses{message rootCount lacksTraitNames lacks{amount resourceClass{name}}sample{uuid name}}}}}",
);

export const FromFlavor = documentOf<FromFlavorQuery, FromFlavorQueryVariables>(
  'FromFlavor',
  "query FromFlavor($flavor:FlavorInput!){flavorToRequest(input:{flavor:$flavor}){warnings{message}request{groupPolicy groups{suffix inTree resources{resourceClass amount}traits{allOf anyOf noneOf}aggregates{anyOf noneOf}}rootTraits{allOf anyOf noneOf}sameSubtree{groups}}}}",
);

export const NamesInUse = documentOf<NamesInUseQuery, NamesInUseQueryVariables>(
  'NamesInUse',
  "query NamesInUse{resourceClasses(first:200){nodes{name}}traits(first:1000 filter:{inUse:true}){nodes{name}}aggregates(first:500){nodes{uuid name isNamed}}}",
);
