// The condition on the root of a tree for a caller who may write only to some trees. It is data, because the write function evaluates it under the root's
// lock: an earlier check could be outdated.

/** `name`, `uuid`: of the root. `trait`: the root has it, and did not get it by this write. An empty `any` is never true. */
export type RootCondition =
  | { readonly name: string }
  | { readonly uuid: string }
  | { readonly trait: string }
  | { readonly not: RootCondition }
  | { readonly all: readonly RootCondition[] }
  | { readonly any: readonly RootCondition[] };
