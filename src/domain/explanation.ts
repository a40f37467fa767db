// Explanations: why a request has no candidates, or how few trees can serve it. candidates/explain.ts makes them.
import type { Provider, ResourceClass } from './provider.ts';

export interface Explanation {
  /** One or two sentences. */
  readonly summary: string;
  /** Each filters the trees that the previous one left; the last leaves those that have a candidate, if any. */
  readonly steps: readonly ExplanationStep[];
  /** Most trees first, at most five; empty if there are candidates. */
  readonly nearestMisses: readonly NearestMiss[];
  /** True if the budget ran out: all counts then cover only the trees examined. */
  readonly truncated: boolean;
}

/** A filter, and the number of trees before and after it. */
export interface ExplanationStep extends FilterSubject {
  /** The suffix of the group with the condition (of identical groups, the first); empty for the unsuffixed group, null for the whole request. */
  readonly group: string | null;
  readonly filter: string;
  readonly rootsBefore: number;
  readonly rootsAfter: number;
}

/** The subject of a filter as data. Names are those of the request and need not exist. */
export interface FilterSubject {
  readonly kind: FilterKind;
  readonly resourceClassName: string | null;
  /** In units of the class. */
  readonly amount: number | null;
  readonly traitNames: readonly string[];
  readonly aggregateUuids: readonly string[];
  /** Members of the required trees (`inTrees`). */
  readonly resourceProviderUuids: readonly string[];
  /** Suffixes of the groups that the condition relates. */
  readonly suffixes: readonly string[];
}

/** What kind of condition a filter is. */
export type FilterKind =
  | 'ROOT_TRAITS'
  | 'ROOT_FORBIDDEN_TRAIT'
  | 'ROOT_AGGREGATES'
  | 'ROOT_FORBIDDEN_AGGREGATE'
  | 'ROOT_RULE'
  | 'TREE'
  | 'INVENTORY'
  | 'UNITS'
  | 'ROOM'
  | 'TRAITS'
  | 'FORBIDDEN_TRAIT'
  | 'AGGREGATES'
  | 'FORBIDDEN_AGGREGATE'
  | 'ISOLATION'
  | 'SAME_SUBTREE'
  | 'ROOM_TOGETHER'
  | 'ONE_PROVIDER';

/** Requirements that could be dropped, and how many trees would then serve the request. */
export interface NearestMiss {
  readonly message: string;
  readonly rootCount: number;
  /** At most three of these roots, smallest shortfall first. */
  readonly sample: readonly Provider[];
  /** The smallest additional room, per class, that would be enough. */
  readonly lacks: readonly { readonly resourceClass: ResourceClass; readonly amount: number }[];
  /** Names; any one of several from the same anyOf would be enough. */
  readonly lacksTraits: readonly string[];
  /** Uuids; any one of several from the same anyOf would be enough. */
  readonly lacksAggregates: readonly string[];
}
