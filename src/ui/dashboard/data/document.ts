// A document with the types of its variables and of its answer, as the generated modules declare them.

export interface TypedDocument<Answer, Variables> {
  readonly name: string;
  readonly text: string;
  /** Read by the compiler only. */
  readonly types?: { readonly answer: Answer; readonly variables: Variables };
}

export function documentOf<Answer, Variables>(name: string, text: string): TypedDocument<Answer, Variables> {
  return { name, text };
}
