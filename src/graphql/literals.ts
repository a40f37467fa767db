// Finds the location of a literal that validation refuses: graphql-js reports only its line and column. Knows no types or rules.
import { type ASTNode, BREAK, type DocumentNode, Kind, visit } from 'graphql';

const literalKinds: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
]);

/** The argument that contains a node, or the variable whose default it is, and the path within; null for nodes that are not literals. */
export function placeOfLiteral(document: DocumentNode, literal: ASTNode): readonly string[] | null {
  if (!literalKinds.has(literal.kind)) return null;
  let place: string[] | null = null;
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (node !== literal) return undefined;
      const line = [...ancestors, parent, node].filter((one): one is ASTNode => one !== undefined && 'kind' in one);
      place = line.flatMap((one, index) => stepInto(one, line[index + 1]));
      return BREAK;
    },
  });
  return place;
}

function stepInto(node: ASTNode, next: ASTNode | undefined): string[] {
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value];
  if (node.kind === Kind.VARIABLE_DEFINITION) return [node.variable.name.value];
  if (node.kind === Kind.LIST) return node.values.flatMap((value, index) => (value === next ? [String(index)] : []));
  return [];
}
