// What a handler gets and what it gives back: a request with its version and its checked input, an answer without headers.
import type { RequestScope } from '../operations/request/scope.ts';
import type { Feature, Microversion, Versioned } from './microversions.ts';
import type { Query } from './query.ts';
import type { Schema } from './validation.ts';

export interface Call {
  readonly scope: RequestScope;
  readonly version: Microversion;
  /** The parts of the path in braces, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Checked against the schema of the route at this version; undefined when the route takes none. */
  readonly body: unknown;
  readonly searchSettings: SearchSettings;
}

/** Placement's options of the search: its API has no parameters for them. */
export interface SearchSettings {
  /** Whether candidates are answered in random order, each time anew. */
  readonly randomizeCandidates: boolean;
  /** Most candidates in an answer, whatever its limit; null for as many as there are. */
  readonly maxCandidates: number | null;
}

export interface Answer {
  /** Default: 200 with a body, 204 without. */
  readonly status?: 200 | 201 | 204;
  /** An object, or JSON: a text, or pieces of one that is long. */
  readonly body?: object | string | Uint8Array | AsyncIterable<Uint8Array>;
  /** A path below the mount. */
  readonly location?: string;
  /** When the content last changed, in milliseconds; `now` for content without such a time. Without it there are no cache headers. */
  readonly lastModified?: number | 'now';
}

export type Handler = (call: Call) => Promise<Answer>;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Route {
  readonly method: Method;
  /** Below the mount, such as `/traits/{name}`; empty for the root. */
  readonly path: string;
  readonly since: Feature;
  /** Its last version is the one before this feature. */
  readonly until?: Feature;
  /** What a version answers that does not have it yet. Default 404. */
  readonly tooOld?: 404 | 405;
  /** What a caller must be allowed to; null for everybody, even without a token. */
  readonly policy: string | null;
  readonly summary: string;
  readonly query?: Versioned<Schema>;
  readonly body?: Versioned<Schema>;
  /** Refuses when what the path is about does not exist: that is told before what is wrong with the body. */
  readonly requireSubject?: (call: Pick<Call, 'scope' | 'params'>) => Promise<unknown>;
  readonly handle: Handler;
}
