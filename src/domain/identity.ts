// Who is calling, as every surface and the event ledger see it.

/** A caller whose token was accepted. What it may do is decided in `auth/`. */
export interface Identity {
  readonly user: string;
  readonly project: string | null;
  readonly roles: readonly string[];
}
