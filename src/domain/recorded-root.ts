// Roots of which facts are kept for another service, and what lists of them are about.

/** What belongs to the list: records of a kind, and roots with a trait of which no record is kept. */
export interface RecordedList {
  readonly kind: string;
  readonly trait: string;
  /** A record without a provider counts only if its body has this key. */
  readonly standalone: string;
  /** Consumers of this type are counted. */
  readonly consumerType: string;
}

export interface RecordedRoot {
  readonly uuid: string;
  readonly name: string;
  /** Null when no record is kept. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly isProvider: boolean;
  /** Of the root itself, by class. */
  readonly inventories: Readonly<Record<string, { total: number; reserved: number; used: number; allocationRatio: number }>>;
  /** Consumers of the type that hold something in the tree. */
  readonly holders: number;
}

/** One key: a uuid or a name, or several uuids. None: all. */
export interface RecordedKey {
  readonly uuid?: string;
  readonly name?: string;
  readonly uuids?: readonly string[];
}

/** Conditions on an entry; all that are given must hold. */
export interface RecordedFilter {
  readonly uuids?: readonly string[];
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
  /** Texts in the record, of each of which one must fit. */
  readonly facts?: readonly { readonly fact: string; readonly values: readonly string[] }[];
}

/** A key of the order of entries: their name, or a text in their record; those without it come last. */
export interface RecordedSortKey {
  readonly by: 'NAME' | { readonly fact: string };
  readonly descending: boolean;
}
