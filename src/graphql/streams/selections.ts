// How many fields an operation asks for, with its fragments spread out: counted without spreading them, because a few fragments can make billions.
import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** Whether there are at most so many. The operation is valid: no fragment contains itself. */
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
