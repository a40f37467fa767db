// Documents that callers send once and then identify by their hash (Automatic Persisted Queries). Apollo verifies the hash of the text
// and stores only documents of authorised callers that are within the limits; documents requested by hash are
// checked against the limits again. Bounded: the least recently used is dropped first.
import { createHash } from 'node:crypto';
import { limits } from '../domain/limits.ts';
import { BoundedStore } from './bounded-store.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** The interface that Apollo expects of a store. */
export interface StoredQueries {
  get(key: string): Promise<string | undefined>;
  set(key: string, query: string): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** A store for this many characters in total, beside the lasting documents. */
export function storeQueries(lasting: TrustedDocuments = new Map(), maxCharacters: number = limits.storedDocuments): StoredQueries {
  const queries = new BoundedStore<string>(maxCharacters);
  return {
    // Apollo's keys are hashes with a word before them.
    get: async (key) => (await queries.get(key)) ?? lasting.get(key.slice(key.indexOf(':') + 1)),
    set: async (key, query) => queries.put(key, query, query.length),
    delete: (key) => queries.delete(key),
  };
}

interface Asked {
  readonly query?: unknown;
  readonly extensions?: unknown;
}

/** What is wrong with how a request identifies a document by its hash; null if nothing is, or if it uses no hash. */
export function hashFault({ query, extensions }: Asked): string | null {
  const named = (extensions as { readonly persistedQuery?: unknown } | null | undefined)?.persistedQuery;
  if (named === undefined || named === null) return null;
  const { version, sha256Hash } = named as { readonly version?: unknown; readonly sha256Hash?: unknown };
  if (version !== 1) return 'extensions.persistedQuery.version must be 1.';
  if (typeof sha256Hash !== 'string' || !/^[0-9a-f]{64}$/.test(sha256Hash)) {
    return 'extensions.persistedQuery.sha256Hash must be 64 hexadecimal digits in lower case.';
  }
  const isOther = typeof query === 'string' && createHash('sha256').update(query).digest('hex') !== sha256Hash;
  return isOther ? 'extensions.persistedQuery.sha256Hash is not the hash of query.' : null;
}
