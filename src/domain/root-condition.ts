// What the root of a tree must be like for a caller who may write to some trees only. Data, because the write function decides it under the root's lock: what
// was true before says nothing.

/** `name`, `uuid`: those of the root. `trait`: it has the trait, and not since this very write. `any` of nothing is never true. */
export type RootCondition =
  | { readonly name: string }
  | { readonly uuid: string }
  | { readonly trait: string }
  | { readonly not: RootCondition }
  | { readonly all: readonly RootCondition[] }
  | { readonly any: readonly RootCondition[] };
