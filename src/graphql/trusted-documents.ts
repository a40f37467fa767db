// The only documents that a gateway serves, if its operator wants that: a list that is made when clients are built. Knows its two usual forms, and no caller.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { limits } from '../domain/limits.ts';

/** Documents by the SHA-256 of their text, in hexadecimal. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/** The file cannot be used; the message says why. */
class TrustedDocumentsError extends Error {
  constructor(path: string, fault: string) {
    super(`the file of trusted documents ${path} ${fault}`);
    this.name = 'TrustedDocumentsError';
  }
}

/** Reads the file. Rejects with the reason if it cannot be used. */
export async function readTrustedDocuments(path: string): Promise<TrustedDocuments> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new TrustedDocumentsError(path, `cannot be read: ${(error as Error).message}`);
  }
  const documents = documentsIn(json);
  if (documents === null) throw new TrustedDocumentsError(path, 'is not a list of documents: neither {hash: text} nor an Apollo manifest');
  if (documents.length > limits.trustedDocuments) {
    throw new TrustedDocumentsError(path, `has ${documents.length} documents, but at most ${limits.trustedDocuments} are allowed`);
  }
  for (const [id, text] of documents) {
    if (typeof text !== 'string') throw new TrustedDocumentsError(path, `has no text under ${id}`);
    if (createHash('sha256').update(text).digest('hex') !== id) {
      throw new TrustedDocumentsError(path, `names a document by ${id}, which is not the SHA-256 of its text`);
    }
  }
  return new Map(documents as readonly [string, string][]);
}

/** The ids and texts of either form: `{hash: text}`, as GraphQL Code Generator and Relay write it, or Apollo's manifest. Null for anything else. */
function documentsIn(json: unknown): readonly (readonly [id: string, text: unknown])[] | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const { format, version, operations } = json as { readonly format?: unknown; readonly version?: unknown; readonly operations?: unknown };
  if (format === undefined) return Object.entries(json);
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations)) return null;
  return operations.map((operation: { readonly id?: unknown; readonly body?: unknown } | null) => [String(operation?.id), operation?.body]);
}
