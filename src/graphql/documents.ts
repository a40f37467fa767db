// Parsed documents that a gateway keeps, and how much memory they take.
import { type DocumentNode, Kind, type Location, visit } from 'graphql';
import { limits } from '../domain/limits.ts';
import { BoundedStore } from './bounded-store.ts';
import { keptSelections, selectionsOf } from './limits.ts';

/** Bytes of a node with its location, and of a selection of an estimate (limits.ts) with what else is kept of an operation. */
const bytesOfNode = 250;
const bytesOfSelection = 1024;

/** The interface that Apollo expects of a store. */
export interface DocumentStore {
  get(key: string): Promise<DocumentNode | undefined>;
  set(key: string, document: DocumentNode): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** A store for documents that take so many bytes in total. Apollo's own would count neither their texts nor their tokens. */
export function storeDocuments(maxBytes: number = limits.parsedDocuments): DocumentStore {
  const documents = new BoundedStore<DocumentNode>(maxBytes);
  return {
    get: (key) => documents.get(key),
    set: async (key, document) => {
      const nodes = dropTokens(document);
      const selections = document.definitions.reduce(
        (sum, definition) =>
          definition.kind === Kind.OPERATION_DEFINITION ? sum + Math.min(selectionsOf(document, definition), keptSelections) : sum,
        0,
      );
      documents.put(key, document, 2 * (document.loc?.source.body.length ?? 0) + nodes * bytesOfNode + selections * bytesOfSelection);
    },
    delete: (key) => documents.delete(key),
  };
}

/** Lets go of the tokens of a document, which only its parser needs: each location leads to all of them, comments included. Returns the number of nodes. */
export function dropTokens(document: DocumentNode): number {
  let nodes = 0;
  visit(document, {
    enter: ({ loc }) => {
      nodes++;
      if (loc) Object.assign<Location, object>(loc, { startToken: undefined, endToken: undefined });
    },
  });
  return nodes;
}
