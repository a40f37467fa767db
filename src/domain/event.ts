// One row of the ledger: the types shared by every layer above the database.
import type { AuthenticationMethod } from './identity.ts';

/** The kinds of events, one for each kind of write; a test keeps them equal to what the write functions record. */
export const eventKinds = [
  'REPLACE_ALLOCATIONS',
  'MOVE_ALLOCATIONS',
  'RELEASE_ALLOCATIONS',
  'SET_EXPIRY',
  'RELEASE_EXPIRED',
  'REPLACE_RESERVATION',
  'RELEASE_RESERVATION',
  'END_RESERVATIONS',
  'CREATE_RESOURCE_PROVIDER',
  'UPDATE_RESOURCE_PROVIDER',
  'DELETE_RESOURCE_PROVIDER',
  'REPLACE_INVENTORIES',
  'PATCH_INVENTORIES',
  'REPLACE_TRAITS',
  'PATCH_TRAITS',
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
  'REPLACE_SETTINGS',
  'REPLACE_QUOTAS',
  'IMPORT_RECORDS',
  'IMPORT_RESOURCE_PROVIDER',
  'IMPORT_CONSUMER',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Kinds that change only consumers, and the generations of their providers: most events are of these. */
export const kindsOfClaims: readonly EventKind[] = [
  'REPLACE_ALLOCATIONS',
  'MOVE_ALLOCATIONS',
  'RELEASE_ALLOCATIONS',
  'SET_EXPIRY',
  'RELEASE_EXPIRED',
];

/** The changed parts of a subject before and after the write; null if the subject did not exist. */
export interface SubjectChange {
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

/** The changes of a write, by the uuid of a provider or consumer, or by the name of a trait or class. */
export interface Changes {
  readonly providers?: Record<string, SubjectChange>;
  readonly consumers?: Record<string, SubjectChange>;
  readonly aggregates?: Record<string, SubjectChange>;
  readonly traits?: Record<string, SubjectChange>;
  readonly resourceClasses?: Record<string, SubjectChange>;
  /** By program and host. */
  readonly services?: Record<string, SubjectChange>;
  /** Devices of the root provider of the event, by address. */
  readonly devices?: Record<string, SubjectChange>;
  /** By kind and uuid. */
  readonly records?: Record<string, SubjectChange>;
}

export type ChangedNoun = keyof Changes;

/** A subject that an event changed. */
export interface ChangedSubject extends SubjectChange {
  readonly noun: ChangedNoun;
  readonly key: string;
  /** The provider of the event, if any: the root that the listed devices belong to. */
  readonly root: string | null;
}

/** The subject of a list of events: a provider or a consumer by its uuid, or a project by its external id. */
export interface EventSubject {
  readonly noun: 'resourceProvider' | 'consumer' | 'project';
  readonly key: string;
}

/** The subjects that a filter of events names. */
export interface NamedSubjects {
  readonly resourceProviders?: readonly string[];
  /** Providers whose trees are meant: their current members. */
  readonly trees?: readonly string[];
  /** Aggregates whose trees are meant: the current members of each tree with a provider in one of them. */
  readonly aggregates?: readonly string[];
  readonly consumers?: readonly string[];
  /** External ids. */
  readonly projects?: readonly string[];
  readonly resourceClasses?: readonly string[];
  /** Those that some provider got or lost. */
  readonly traits?: readonly string[];
}

export interface LedgerEvent {
  readonly id: number;
  readonly at: string;
  readonly kind: EventKind;
  readonly user: string | null;
  readonly project: string | null;
  readonly roles: readonly string[];
  /** How the caller was identified; null if unknown, for example because no caller wrote it. */
  readonly method: AuthenticationMethod | null;
  readonly requestId: string;
  /** The global request id that the caller sent. */
  readonly globalRequestId: string | null;
  /** The subject whose list contains this event: only changes that concern it are shown. Absent outside such lists. */
  readonly about?: EventSubject;
  /** The subjects named by the filter of the list: only changes that concern one of them are shown. Absent if it names none. */
  readonly named?: NamedSubjects;
}
