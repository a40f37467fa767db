// The identity of a caller, as used by all APIs, the rules of access and the event ledger.

/** How callers can be identified. */
export type AuthenticationMethod = 'noauth' | 'static' | 'keystone';

/** The scope of a token; `none` for an unscoped one. */
export type TokenScope = 'project' | 'domain' | 'system' | 'none';

/** A caller whose token was accepted. `auth/` decides what it may do. Users, projects and domains are given by id where the method knows ids. */
export interface Identity {
  readonly method: AuthenticationMethod;
  readonly user: string;
  /** Null if the token has another scope. */
  readonly project: string | null;
  readonly roles: readonly string[];
  readonly scope: TokenScope;
  /** The domain to which the token is scoped. */
  readonly domain: string | null;
  /** The domains of the user and the project; null if the method does not know them. */
  readonly userDomain: string | null;
  readonly projectDomain: string | null;
  /** The service that passes on this caller's request with a token of its own; null if there is none. It gives the caller no rights. */
  readonly service: ServiceIdentity | null;
  /** False if Keystone has a project for administrators and this is another one. Default: true. */
  readonly isAdminProject?: boolean;
  /** When the token expires, in milliseconds since 1970. Default: never. */
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

/** The same text for each token of a user, whatever its project; empty before authentication. */
export function userKeyOf(caller: Pick<Identity, 'method' | 'user' | 'userDomain'> | null): string {
  return caller ? JSON.stringify([caller.method, caller.userDomain, caller.user]) : '';
}

/** The identity of a caller about whom only this is known: a user of a project, without domains. */
export function plainIdentity(method: AuthenticationMethod, user: string, project: string | null, roles: readonly string[]): Identity {
  const scope = project === null ? 'none' : 'project';
  return { method, user, project, roles, scope, domain: null, userDomain: null, projectDomain: null, service: null };
}
