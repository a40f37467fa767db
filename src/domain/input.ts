// Types shared by all input: optional values, and paths to values.

/** A value that may be omitted or null; both mean the same. */
export type Optional<Value> = Value | null | undefined;

/** The path to a value in the input: names of fields and indexes of lists. */
export type Path = readonly (string | number)[];
