// The identity of a caller, as used by both APIs and the event ledger.

/** A caller whose token was accepted. What it may do is decided in `auth/`. */
export interface Identity {
  readonly user: string;
  readonly project: string | null;
  readonly roles: readonly string[];
}
