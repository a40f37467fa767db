// Compares two answers of the REST API by what they say: the order of lists and of keys does not count, nor do links, which depend on where a service is mounted.

/** A read that can be repeated. */
export interface Read {
  /** Such as `/resource_providers/{uuid}`. */
  readonly route: string;
  /** Below the mount. */
  readonly path: string;
  readonly query: string;
  /** Such as `1.39`. */
  readonly version: string;
  /** The greatest number of candidates that this side gives. */
  readonly most: number;
  /** The body of this ledger's answer; null if there is no such object. */
  readonly answerHere: () => Promise<unknown>;
}

/** Bodies. */
export interface Answers {
  readonly there: unknown;
  readonly here: unknown;
}

/** What only one of the two says, as readable text. */
export function* differencesBetween({ there, here }: Answers): Generator<string> {
  const [others, ours] = [new Set(statementsOf(there, '')), new Set(statementsOf(here, ''))];
  for (const one of others) if (!ours.has(one)) yield `only there: ${one}`;
  for (const one of ours) if (!others.has(one)) yield `only here: ${one}`;
}

function* statementsOf(value: unknown, at: string): Generator<string> {
  if (Array.isArray(value)) {
    if (value.length === 0) yield `${at} []`;
    for (const item of value) yield `${at}[] ${canonical(item)}`;
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([key]) => key !== 'links');
    if (entries.length === 0) yield `${at} {}`;
    for (const [key, item] of entries) yield* statementsOf(item, `${at}/${key}`);
  } else yield `${at} ${JSON.stringify(value)}`;
}

/** The same text for values that say the same. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([key]) => key !== 'links');
  return `{${entries
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
    .sort()
    .join()}}`;
}
