// One row of the ledger, as every room above the database sees it.

/** The kinds of events, one for each kind of write; a test holds them equal to what the write functions record. */
export const eventKinds = [
  'REPLACE_ALLOCATIONS',
  'MOVE_ALLOCATIONS',
  'RELEASE_ALLOCATIONS',
  'CREATE_RESOURCE_PROVIDER',
  'UPDATE_RESOURCE_PROVIDER',
  'DELETE_RESOURCE_PROVIDER',
  'REPLACE_INVENTORIES',
  'PATCH_INVENTORIES',
  'REPLACE_TRAITS',
  'REPLACE_AGGREGATES',
  'NAME_AGGREGATE',
  'CREATE_TRAIT',
  'DELETE_TRAIT',
  'CREATE_RESOURCE_CLASS',
  'RENAME_RESOURCE_CLASS',
  'DELETE_RESOURCE_CLASS',
  'RESHAPE',
  'APPLY_PROVIDER_TREE',
  'APPLY_REPORT',
  'REPORT_SERVICE',
  'IMPORT_RECORDS',
  'IMPORT_RESOURCE_PROVIDER',
  'IMPORT_CONSUMER',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Before and after of the parts of a subject that changed; null when the subject did not exist. */
export interface SubjectChange {
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

/** What a write changed, by the uuid of a provider or consumer, or by the name of a trait or class. */
export interface Changes {
  readonly providers?: Record<string, SubjectChange>;
  readonly consumers?: Record<string, SubjectChange>;
  readonly aggregates?: Record<string, SubjectChange>;
  readonly traits?: Record<string, SubjectChange>;
  readonly resourceClasses?: Record<string, SubjectChange>;
  /** By program and host. */
  readonly services?: Record<string, SubjectChange>;
  /** Of the root provider that the event is about, by address. */
  readonly devices?: Record<string, SubjectChange>;
  /** By kind and uuid. */
  readonly records?: Record<string, SubjectChange>;
}

export type ChangedNoun = keyof Changes;

/** One subject that an event changed. */
export interface ChangedSubject extends SubjectChange {
  readonly noun: ChangedNoun;
  readonly key: string;
  /** The provider that the event is about, when it is about one: the root whose devices are told. */
  readonly root: string | null;
}

/** Under what an event is looked at: a provider or a consumer by its uuid, or a project by its external id. */
export interface EventSubject {
  readonly noun: 'resourceProvider' | 'consumer' | 'project';
  readonly key: string;
}

export interface LedgerEvent {
  readonly id: number;
  readonly at: string;
  readonly kind: EventKind;
  readonly user: string | null;
  readonly project: string | null;
  readonly roles: readonly string[];
  readonly requestId: string;
  /** The id that the caller sent. */
  readonly globalRequestId: string | null;
  /** The subject whose list this event is in: other changes of the same write are not shown there. Absent outside of such lists. */
  readonly about?: EventSubject;
}
