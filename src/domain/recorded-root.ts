// Roots with facts kept for another service (records), and the filters and orders of their lists.
import type { Groups } from './input.ts';

/** The members of the list: records of a kind, and roots that have a trait but no record. */
export interface RecordedList {
  readonly kind: string;
  readonly trait: string;
  /** A record without a provider is a member only if its body has this key. */
  readonly standalone: string;
  /** Consumers of this type are counted. */
  readonly consumerType: string;
}

export interface RecordedRoot {
  readonly uuid: string;
  readonly name: string;
  /** Null if there is no record. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** When its record was last reported, to within ten minutes; null if never. RFC 3339 or Postgres text. */
  readonly reportedAt: string | null;
  readonly isProvider: boolean;
  /** Inventories of the root itself, by class. */
  readonly inventories: Readonly<Record<string, { total: number; reserved: number; used: number; allocationRatio: number }>>;
  /** The number of consumers of the type with allocations in the tree. */
  readonly holders: number;
}

/** Selects by one key (a uuid or a name), or by several uuids; empty selects all. */
export interface RecordedKey {
  readonly uuid?: string;
  readonly name?: string;
  readonly uuids?: readonly string[];
}

/** Selects by names, or by the values of a fact, ignoring case. */
export interface RecordedNames {
  readonly names: readonly string[];
  readonly fact: string;
  /** In lower case. */
  readonly values: readonly string[];
}

/** An entry with its name and the value of a fact; without a record, the value is the name. */
export interface NamedRoot {
  readonly uuid: string;
  readonly name: string;
  readonly value: string;
}

/** Conditions on an entry; all that are given must hold. */
export interface RecordedFilter extends Groups<RecordedFilter> {
  readonly uuids?: readonly string[];
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
  /** Facts of the record, each with its accepted values. */
  readonly facts?: readonly { readonly fact: string; readonly values: readonly string[] }[];
  /** Exclusive. */
  readonly reportedAfter?: string;
  readonly reportedBefore?: string;
}

/** A sort key of entries: their name, or a text in their record; those without it come last. */
export interface RecordedSortKey {
  readonly by: 'NAME' | { readonly fact: string };
  readonly descending: boolean;
}

/** A numeric fact with an index: entries where it is above 0 are found fast. */
export type CountedFact = 'failedBuilds';

/** An entry with the value of such a fact. */
export interface CountedRoot {
  readonly uuid: string;
  readonly count: number;
}

/** A fact whose values are read from all records, by its path in them. */
export type RecordedFact = readonly [key: 'object', 'numa_topology'] | readonly [key: 'hostIp' | 'pools' | 'sockets'];

/** An entry with the value of one fact. */
export interface RecordedValue {
  readonly uuid: string;
  readonly value: string;
}
