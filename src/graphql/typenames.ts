// Drops `__typename` from input objects: clients such as Apollo Client add it to what they read and send it back in inputs.
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type NamedTypeNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import type { Variables } from './limits.ts';

/** The variables without `__typename` in input objects; other unknown keys stay, and are refused. */
export function withoutTypenames(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Variables,
): Record<string, unknown> {
  const types = new Map(definitions.map(({ variable, type }) => [variable.name.value, typeFromAST(schema, type as NamedTypeNode)]));
  return mapped(variables, (name, value) => {
    const type = types.get(name);
    return isInputType(type) ? cleaned(value, type) : value;
  });
}

function cleaned(value: unknown, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return cleaned(value, type.ofType);
  if (isListType(type)) return Array.isArray(value) ? value.map((element) => cleaned(element, type.ofType)) : cleaned(value, type.ofType);
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = new Map(Object.entries(type.getFields()));
  const { __typename: _, ...known } = value as Record<string, unknown>;
  return mapped(known, (name, inner) => {
    const field = fields.get(name);
    return field ? cleaned(inner, field.type) : inner;
  });
}

function mapped(record: Variables, change: (name: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(name, value)]));
}
