// What trees must pass to serve a request, line by line: as data, and in an operator's words. Knows how these are put, and no rule.

/** What kind of condition a filter is. */
export type FilterKind =
  | 'ROOT_TRAITS'
  | 'ROOT_FORBIDDEN_TRAIT'
  | 'ROOT_AGGREGATES'
  | 'ROOT_FORBIDDEN_AGGREGATE'
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

/** What a filter says in words, as data: names as the request has them, which need not exist. */
export interface FilterSubject {
  readonly kind: FilterKind;
  readonly resourceClassName: string | null;
  /** In units of the class. */
  readonly amount: number | null;
  readonly traitNames: readonly string[];
  readonly aggregateUuids: readonly string[];
  /** A member of the tree that is meant. */
  readonly resourceProviderUuid: string | null;
  /** Suffixes of the groups that must agree. */
  readonly groups: readonly string[];
}

/** One line of an explanation: what a tree must pass. */
export interface Filter extends FilterSubject {
  /** The suffix of the group that asks for it; null when the whole request does. */
  readonly group: string | null;
  /** The number of the requirement; only a class has several filters. */
  readonly requirement: number;
  readonly words: string;
  /** What trees that pass it do, in the plural, and what with. */
  readonly verb: 'have' | 'are' | 'can';
  readonly object: string;
}

/** A number as people read it: 4,096. */
export function readable(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number of trees in words. */
export function treesOf(count: number): string {
  return `${readable(count)} ${count === 1 ? 'tree' : 'trees'}`;
}

type Words = Pick<Filter, 'words' | 'verb' | 'object'>;
export type Phrase = Words & Pick<FilterSubject, 'kind'> & Partial<FilterSubject>;

/** Words for what trees have, and for what they are. */
export const have = (object: string, words = object): Words => ({ words, verb: 'have', object });
export const are = (object: string, words = object): Words => ({ words, verb: 'are', object });

/** What a filter says that names nothing. */
export const noSubject: Omit<FilterSubject, 'kind'> = {
  resourceClassName: null,
  amount: null,
  traitNames: [],
  aggregateUuids: [],
  resourceProviderUuid: null,
  groups: [],
};

/** `trait A`, or `one of the traits A, B`. */
export function oneOf(kind: string, names: readonly string[]): string {
  return names.length === 1 ? `${kind} ${names[0]}` : `one of the ${kind}s ${names.join(', ')}`;
}
