// What the contract declares about the lengths of its lists and the cost of its fields: `@length` and `@cost`. Reads directives; knows no operation.
import { type ConstDirectiveNode, type GraphQLField, type GraphQLNamedType, isObjectType, valueFromASTUntyped } from 'graphql';

/** The arguments of `@length`. */
export interface DeclaredLength {
  readonly of?: readonly string[];
  readonly steps?: readonly string[];
  readonly usual?: number;
  readonly limit?: string;
  readonly times?: number;
}

/** The declaration for a list, on the type itself or on one of its interfaces; null without one. */
export function declaredLength(owner: GraphQLNamedType, field: GraphQLField<unknown, unknown>): DeclaredLength | null {
  const interfaces = isObjectType(owner) ? owner.getInterfaces() : [];
  for (const declared of [field, ...interfaces.map((one) => one.getFields()[field.name])]) {
    const found = declared && argumentsOf(declared, 'length');
    if (found) return found;
  }
  return null;
}

/** The arguments of `@cost`. */
export interface DeclaredCost {
  readonly limit?: string;
  readonly together?: boolean;
}

/** The cost of a field beside its answer; null without one. */
export function declaredCost(field: GraphQLField<unknown, unknown>): DeclaredCost | null {
  return argumentsOf(field, 'cost');
}

const known = {
  length: new WeakMap<object, Record<string, unknown> | null>(),
  cost: new WeakMap<object, Record<string, unknown> | null>(),
};

function argumentsOf(field: GraphQLField<unknown, unknown>, directive: keyof typeof known): Record<string, unknown> | null {
  let found = known[directive].get(field);
  if (found === undefined) {
    found = readArguments(field, directive);
    known[directive].set(field, found);
  }
  return found;
}

function readArguments({ astNode }: GraphQLField<unknown, unknown>, directive: string): Record<string, unknown> | null {
  const found = astNode?.directives?.find(({ name }: ConstDirectiveNode) => name.value === directive);
  return (
    (found &&
      Object.fromEntries((found.arguments ?? []).map(({ name, value }) => [name.value, listed(name.value, valueFromASTUntyped(value))]))) ??
    null
  );
}

/** A single value can stand for a list. */
function listed(name: string, value: unknown): unknown {
  return (name === 'of' || name === 'steps') && !Array.isArray(value) ? [value] : value;
}
