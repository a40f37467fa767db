// Parsed documents that a gateway keeps, and how much memory they take.
import { type DocumentNode, Kind, type SelectionSetNode, visit } from 'graphql';
import { limits } from '../domain/limits.ts';
import { BoundedStore } from './bounded-store.ts';
import { fragmentsOf } from './cost.ts';
import { keptSelections } from './limits.ts';

/** Bytes of a node with its location and a token, and of a selection of an estimate (limits.ts) with what else is kept of an operation. */
const bytesOfNode = 350;
const bytesOfSelection = 1024;

/** The interface that Apollo expects of a store. */
export interface DocumentStore {
  get(key: string): Promise<DocumentNode | undefined>;
  set(key: string, document: DocumentNode): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** A store for documents that take so many bytes in total. Apollo's own would count neither their texts nor their comments. */
export function storeDocuments(maxBytes: number = limits.parsedDocuments): DocumentStore {
  const documents = new BoundedStore<DocumentNode>(maxBytes);
  return {
    get: (key) => documents.get(key),
    set: async (key, document) => documents.put(key, document, shrink(document) + estimated(document) * bytesOfSelection),
    delete: (key) => documents.delete(key),
  };
}

/**
 * Lets go of what only the parser needs of a document: from each token, all others could be reached, those of comments included; and a string with escapes
 * consists of a small object for each character until something reads it. Returns how many bytes the document takes then.
 */
export function shrink(document: DocumentNode): number {
  let bytes = 2 * (document.loc?.source.body.length ?? 0);
  visit(document, {
    enter: (node) => {
      bytes += bytesOfNode;
      if (node.loc) for (const token of [node.loc.startToken, node.loc.endToken]) Object.assign(token, { prev: null, next: null });
      if (node.kind === Kind.STRING) bytes += 2 * read(node.value);
    },
  });
  return bytes;
}

/** Makes the engine join the parts of a text. Returns its length. */
function read(text: string): number {
  return /$^/.test(text) ? 0 : text.length;
}

/** The selections of which estimates are kept, fragments flattened, of all operations. */
function estimated(document: DocumentNode): number {
  const fragments = fragmentsOf(document);
  const known = new Map<string, number>();
  const count = ({ selections }: SelectionSetNode): number =>
    selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + 1 + (selection.selectionSet ? count(selection.selectionSet) : 0);
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + count(selection.selectionSet);
      const name = selection.name.value;
      const fragment = fragments.get(name);
      const below = known.get(name) ?? (fragment ? count(fragment.selectionSet) : 0);
      known.set(name, below);
      return sum + below;
    }, 0);
  return document.definitions.reduce(
    (sum, definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? sum + Math.min(count(definition.selectionSet), keptSelections) : sum,
    0,
  );
}
