// The filters that trees must pass to serve a request, as data and in words for operators. Knows how filters are phrased, not how they are
// evaluated.
import type { FilterSubject } from '../explanation.ts';

/** One line of an explanation: a condition that a tree must pass. */
export interface Filter extends FilterSubject {
  /** The suffix of the group that has the condition; null for a condition of the whole request. */
  readonly group: string | null;
  /** The index of its requirement; only a requirement of a class has several filters. */
  readonly requirement: number;
  readonly words: string;
  /** The plural verb for the trees that pass, and its object. */
  readonly verb: 'have' | 'are' | 'can';
  readonly object: string;
}

/** A number with thousands separators: 4,096. */
export function formatAmount(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 tree`, `2 trees`. */
export function countTrees(count: number): string {
  return `${formatAmount(count)} ${count === 1 ? 'tree' : 'trees'}`;
}

type Words = Pick<Filter, 'words' | 'verb' | 'object'>;
export type Phrase = Words & Pick<FilterSubject, 'kind'> & Partial<FilterSubject>;

/** Phrases for what trees have, and for what they are. */
export const have = (object: string, words = object): Words => ({ words, verb: 'have', object });
export const are = (object: string, words = object): Words => ({ words, verb: 'are', object });

/** The subject of a filter that names nothing. */
export const noSubject: Omit<FilterSubject, 'kind'> = {
  resourceClassName: null,
  amount: null,
  traitNames: [],
  aggregateUuids: [],
  resourceProviderUuids: [],
  suffixes: [],
};

/** `trait A`, or `one of the traits A, B`. */
export function oneOf(kind: string, names: readonly string[]): string {
  return names.length === 1 ? `${kind} ${names[0]}` : `one of the ${kind}s ${names.join(', ')}`;
}
