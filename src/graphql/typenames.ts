// Drops `__typename` from input objects: clients such as Apollo Client add it to what they read and send it back in inputs. On the way it can take out
// lists, for callers that read them in parts.
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
import type { Path } from '../domain/input.ts';
import type { Variables } from './limits.ts';

/** Called for each list with the type of its elements and its place. Returns whether to replace it with an empty one. */
export type TakesOut = (list: readonly unknown[], type: GraphQLInputType, path: Path) => boolean;

const takesNone: TakesOut = () => false;

/** The variables without `__typename` in input objects; other unknown keys stay, and are refused. */
export function withoutTypenames(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Variables,
  takesOut: TakesOut = takesNone,
): Record<string, unknown> {
  const types = new Map(definitions.map(({ variable, type }) => [variable.name.value, typeFromAST(schema, type as NamedTypeNode)]));
  return mapped(variables, (name, value) => {
    const type = types.get(name);
    return isInputType(type) ? cleaned(value, type, [name], takesOut) : value;
  });
}

/** The same for one value of a type at a place. */
export function cleaned(value: unknown, type: GraphQLInputType, path: Path, takesOut: TakesOut): unknown {
  if (isNonNullType(type)) return cleaned(value, type.ofType, path, takesOut);
  if (isListType(type)) {
    const { ofType: inner } = type;
    if (!Array.isArray(value)) return cleaned(value, inner, path, takesOut);
    return takesOut(value, inner, path) ? [] : value.map((element, index) => cleaned(element, inner, [...path, index], takesOut));
  }
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = type.getFields();
  const { __typename: _, ...known } = value as Record<string, unknown>;
  return mapped(known, (name, inner) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field ? cleaned(inner, field.type, [...path, name], takesOut) : inner;
  });
}

function mapped(record: Variables, change: (name: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(name, value)]));
}
