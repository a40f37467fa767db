// One row of the ledger, as every room above the database sees it.

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

export interface LedgerEvent {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly user: string | null;
  readonly project: string | null;
  readonly roles: readonly string[];
  readonly requestId: string;
  readonly consumers: readonly string[];
  readonly providers: readonly string[];
  readonly changes: Changes;
}
