// What handlers receive and return: a request with its version and validated input, and an answer without headers.
import type { UpstreamRuleName } from '../auth/policy/upstream-rules.ts';
import type { RequestScope } from '../operations/scope/scope.ts';
import type { Feature, Microversion, Versioned } from './microversions.ts';
import type { Query } from './query.ts';
import type { Schema } from './validation.ts';

export interface Call {
  readonly scope: RequestScope;
  readonly version: Microversion;
  /** The parts of the path in braces, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Validated against the schema of the route at this version; undefined if the route takes no body. */
  readonly body: unknown;
  readonly searchSettings: SearchSettings;
  /** The prefix of the paths in links: the part that a proxy removed, followed by the mount. */
  readonly mount: string;
}

/** Placement's configuration of the search, which has no parameters in the API. */
export interface SearchSettings {
  /** Whether candidates are shuffled in every answer. */
  readonly randomizeCandidates: boolean;
  /** The maximum number of candidates in an answer, whatever its limit; null for no maximum. */
  readonly maxCandidates: number | null;
}

export interface Answer {
  /** Default: 200 with a body, 204 without. */
  readonly status?: 200 | 201 | 204;
  /** An object, or JSON: as text, or as pieces if it is long. */
  readonly body?: object | string | Uint8Array | AsyncIterable<Uint8Array>;
  /** A path below the mount point. */
  readonly location?: string;
  /** When the content last changed, in milliseconds; `now` for content without such a time. If omitted, no cache headers are sent. */
  readonly lastModified?: number | 'now';
}

export type Handler = (call: Call) => Promise<Answer>;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Route {
  readonly method: Method;
  /** Below the mount point, such as `/traits/{name}`; empty for the root. */
  readonly path: string;
  readonly since: Feature;
  /** The feature from whose version on the route is gone. */
  readonly until?: Feature;
  /** The status for versions that do not have the route yet. Default: 404. */
  readonly tooOld?: 404 | 405;
  /** The rule that must allow the caller; null if anybody may call, even without a token. */
  readonly policy: UpstreamRuleName | null;
  /** The project that the request concerns; null if the query names none. Default: the caller's. */
  readonly projectAsked?: (query: Query) => string | null;
  readonly summary: string;
  readonly query?: Versioned<Schema>;
  readonly body?: Versioned<Schema>;
  /** Refuses if the subject of the path does not exist, because that error takes precedence over those of the body. */
  readonly requireSubject?: (call: Pick<Call, 'scope' | 'params'>) => Promise<unknown>;
  /** Whether the answer can be long, so that the request is heavy work and may have to wait. Default: never. */
  readonly isHeavy?: (call: Call) => boolean;
  /** The cost charged to the caller before the answer is known, in objects. Default: 1. */
  readonly cost?: number;
  readonly handle: Handler;
}
