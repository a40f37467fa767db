// The types that all input has in common: what may be left out, and where a value is.

/** What callers may omit or give as null, which mean the same. */
export type Optional<Value> = Value | null | undefined;

/** The path to a value in the input: names of fields and indexes of lists. */
export type Path = readonly (string | number)[];
