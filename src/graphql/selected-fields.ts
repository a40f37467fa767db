// Finds which fields are selected below the one being resolved, for resolvers that read ahead.
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Where the nodes of a connection are. */
const placesOfNodes = [['nodes'], ['edges', 'node']] as const;

/** Whether one of these fields of the nodes of a connection is selected; those that a directive may skip count. */
export function selectsOfNodes(
  names: readonly string[],
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
): boolean {
  const visited = new Set<string>();
  const has = (set: SelectionSetNode | undefined, place: readonly string[]): boolean =>
    (set?.selections ?? []).some((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return has(selection.selectionSet, place);
      const { value: name } = selection.name;
      const [next, ...rest] = place;
      if (selection.kind === Kind.FIELD)
        return next === undefined ? names.includes(name) : name === next && has(selection.selectionSet, rest);
      const visit = [name, ...place].join(' ');
      if (visited.has(visit)) return false;
      visited.add(visit);
      return has(fragments[name]?.selectionSet, place);
    });
  return fieldNodes.some(({ selectionSet }) => placesOfNodes.some((place) => has(selectionSet, place)));
}
