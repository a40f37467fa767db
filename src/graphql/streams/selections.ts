// What a subscription selects: how many fields, and whether its answers depend on variables. Counts without spreading fragments out, because a few fragments
// can make billions of fields.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** Whether an operation selects at most this many fields. The operation is valid: no fragment contains itself. */
export function selectionsWithin({ definitions }: DocumentNode, { selectionSet }: OperationDefinitionNode, most: number): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const counts = new Map<string, number>();
  const countIn = ({ selections }: SelectionSetNode): number =>
    selections.reduce((sum, selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + countIn(selection.selectionSet);
      if (selection.kind === Kind.FIELD) return sum + 1 + (selection.selectionSet ? countIn(selection.selectionSet) : 0);
      return sum + countOf(selection.name.value);
    }, 0);
  const countOf = (name: string): number => {
    const known = counts.get(name);
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    const count = fragment ? countIn(fragment.selectionSet) : 0;
    counts.set(name, count);
    return count;
  };
  return countIn(selectionSet) <= most;
}

/** The number of uses of variables other than as arguments of the subscription itself: without any, its answers do not depend on variables. */
export function variablesBelow({ definitions }: DocumentNode, { selectionSet }: OperationDefinitionNode): number {
  let count = 0;
  const counting = { Variable: () => void count++ };
  for (const definition of definitions) if (definition.kind === Kind.FRAGMENT_DEFINITION) visit(definition, counting);
  const below = (field: FieldNode): FieldNode => ({ ...field, arguments: [] });
  for (const selection of selectionSet.selections) visit(selection.kind === Kind.FIELD ? below(selection) : selection, counting);
  return count;
}
