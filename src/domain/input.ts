// The shapes that all input has in common: what may be left out, and where a value stands.

/** What callers may omit or give as null, which mean the same. */
export type Optional<Value> = Value | null | undefined;

/** The way to a value in the input: names of fields and places in lists. */
export type Path = readonly (string | number)[];
