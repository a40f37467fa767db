// The identity of a caller, as used by all APIs, the rules of access and the event ledger.

/** How callers can be identified. */
export type AuthenticationMethod = 'noauth' | 'static' | 'keystone';

/** What a token is for; `none` for an unscoped one. */
export type TokenScope = 'project' | 'domain' | 'system' | 'none';

/** A caller whose token was accepted. What it may do is decided in `auth/`. Users, projects and domains are named by id where the method knows ids. */
export interface Identity {
  readonly method: AuthenticationMethod;
  readonly user: string;
  /** Null for a token of another scope. */
  readonly project: string | null;
  readonly roles: readonly string[];
  readonly scope: TokenScope;
  /** The domain that the token is for. */
  readonly domain: string | null;
  /** The domains that the user and the project belong to; null where the method knows none. */
  readonly userDomain: string | null;
  readonly projectDomain: string | null;
  /** The service that passes on this caller's request, by its own token; null without one. It lends the caller no rights. */
  readonly service: ServiceIdentity | null;
  /** False when Keystone has a project for administrators and this is another one. Default: true. */
  readonly isAdminProject?: boolean;
  /** When the token ends, in milliseconds since 1970. Default: never. */
  readonly expiresAt?: number;
}

/** A service that passes on the requests of others. */
export interface ServiceIdentity {
  readonly user: string;
  readonly userDomain: string | null;
  readonly project: string | null;
  readonly projectDomain: string | null;
  readonly roles: readonly string[];
}

/** The identity of a caller of whom no more than this is known: a user of a project, without domains. */
export function plainIdentity(method: AuthenticationMethod, user: string, project: string | null, roles: readonly string[]): Identity {
  const scope = project === null ? 'none' : 'project';
  return { method, user, project, roles, scope, domain: null, userDomain: null, projectDomain: null, service: null };
}
