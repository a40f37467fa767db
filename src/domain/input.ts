// Types shared by all input: optional values, filters, and paths to values.

/** A value that may be omitted or null; both mean the same. */
export type Optional<Value> = Value | null | undefined;

/** A filter that may contain others of its kind: all of `and`, at least one of `or`, and not `not` must hold as well. */
export interface Groups<Filter> {
  readonly and?: Optional<readonly Filter[]>;
  readonly or?: Optional<readonly Filter[]>;
  readonly not?: Optional<Filter>;
}

/** A filter as given by a caller: null is the same as omitted. */
export type FilterInput<Filter> = { readonly [Key in Exclude<keyof Filter, keyof Groups<unknown>>]?: Optional<Filter[Key]> } & Groups<
  FilterInput<Filter>
>;

/** The path to a value in the input: names of fields and indexes of lists. */
export type Path = readonly (string | number)[];
