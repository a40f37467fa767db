// Finds objects that the caller may read by a part of their name, or by their uuid.
import { type FoundKey, type SearchedKind, selectFound } from '../../db/search.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';

/** In the order of the answer. */
const kinds: readonly SearchedKind[] = ['ResourceProvider', 'Consumer', 'Aggregate', 'Project', 'ResourceClass', 'Trait'];

export function isSearchedKind(kind: string): kind is SearchedKind {
  return kinds.some((one) => one === kind);
}

export interface SearchArguments {
  readonly text: string;
  readonly first?: Optional<number>;
}

export interface FoundKeys {
  /** Kind after kind. */
  readonly keys: readonly FoundKey[];
  /** Whether there are more of some kind. */
  readonly truncated: boolean;
}

/** The keys of the matching objects. One statement. Refuses INVALID_INPUT. */
export async function findByText(scope: RequestScope, { text, first }: SearchArguments): Promise<FoundKeys> {
  const sought = text.trim();
  const most = first ?? limits.defaultSearchMatches;
  const check = new InputCheck();
  check.text(['text'], sought, limits.vocabularyLength);
  if (most < 0 || most > limits.searchMatches) check.add(['first'], `first must be from 0 to ${limits.searchMatches}`);
  check.done();
  const { db, ownProject, sees } = scope;
  const wanted = { text: sought, uuid: parseUuid(sought), ownProject, most: most + 1 };
  const found = await selectFound(
    db,
    kinds.filter((kind) => sees(kind)),
    wanted,
  );
  const byKind = kinds.map((kind) => found.filter((one) => one.kind === kind));
  return { keys: byKind.flatMap((some) => some.slice(0, most)), truncated: byKind.some(({ length }) => length > most) };
}
