// Links that open a document in the explorer. What they hold stands behind the `#`, so that it is neither sent to a server nor written into its logs, and may
// be long. There is never a token in it.

/** What a link opens: a document, or an example by its name. */
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

/** What an address opens; null for nothing. What others write behind a `?` is read, too. */
export function readLink({ search, hash }: { readonly search: string; readonly hash: string }): Linked | null {
  const parameters = new URLSearchParams([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))]);
  const [query, variables, operationName, example] = keys.map((key) => parameters.get(key) || null);
  if (!query && !example) return null;
  return { query: query ?? null, variables: variables ?? null, operationName: operationName ?? null, example: example ?? null };
}
