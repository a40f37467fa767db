// Links that open a document in the explorer. Their content is in the fragment, after `#`, so that it may be long and is neither sent to a server nor written
// into its logs. It never contains a token.

/** What a link opens: a document or a named example. */
export interface Linked {
  readonly query: string | null;
  /** As JSON. */
  readonly variables: string | null;
  readonly operationName: string | null;
  readonly example: string | null;
}

const keys = ['query', 'variables', 'operationName', 'example'] as const;

export function linkTo(opened: Partial<Linked>): string {
  const parameters = new URLSearchParams();
  for (const key of keys) {
    const value = opened[key];
    if (value != null && value !== '') parameters.set(key, value);
  }
  return parameters.size === 0 ? '/explorer' : `/explorer#${parameters}`;
}

/** What an address opens; null if it opens nothing. Parameters after a `?` are read, too. */
export function readLink({ search, hash }: { readonly search: string; readonly hash: string }): Linked | null {
  const parameters = new URLSearchParams([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))]);
  const [query, variables, operationName, example] = keys.map((key) => parameters.get(key) || null);
  if (!query && !example) return null;
  return { query: query ?? null, variables: variables ?? null, operationName: operationName ?? null, example: example ?? null };
}
