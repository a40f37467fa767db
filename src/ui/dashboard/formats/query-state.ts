// What a page shows, as the query of its address.

/** A text for each key of a page; empty if the address does not set it. */
export type QueryState<Key extends string> = Readonly<Record<Key, string>>;

export function readQuery<Key extends string>(keys: readonly Key[], query: string): QueryState<Key> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(keys.map((key) => [key, parameters.get(key) ?? ''])) as QueryState<Key>;
}

export type Parameter = readonly [key: string, value: string];

/** As readable as addresses allow: commas, colons and bars are not escaped. */
export const printParameters = (parameters: readonly Parameter[]): string =>
  parameters.map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%(?:2C|3A|7C)/g, decodeURIComponent)}`).join('&');

/** Without a question mark; empty if nothing is set. */
export const printQuery = (state: Readonly<Record<string, string>>): string =>
  printParameters(Object.entries(state).filter(([, value]) => value !== ''));
