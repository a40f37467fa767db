// Finds the chosen operation of a document.
import { Kind, type OperationDefinitionNode, parse } from 'graphql';

export interface Operation {
  readonly name: string | null;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Where it begins. */
  readonly start: number;
  /** Names of its variables. */
  readonly variables: readonly string[];
}

/** The operation of that name, or else the first one; null if the text is not a document. */
export function operationOf(text: string, name: string | null): Operation | null {
  let operations: OperationDefinitionNode[];
  try {
    operations = parse(text).definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  } catch {
    return null;
  }
  const found = operations.find((operation) => operation.name?.value === name) ?? operations[0];
  if (!found) return null;
  return {
    name: found.name?.value ?? null,
    kind: found.operation,
    start: found.loc?.start ?? 0,
    variables: (found.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
  };
}
