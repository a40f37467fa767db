// Random queries of the contract, mostly of fields that a caller may read, with arguments that probe for secrets: keys of other projects, unknown keys, and
// cursors of earlier answers. Built from the schema, so new fields are included. Does not judge answers.
import type fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  print,
  visit,
} from 'graphql';

/** Numbers and choices, as fast-check's `gen` makes them. */
export interface Chance {
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
}

export function chanceOf(gen: fc.GeneratorValue, integer: typeof fc.integer): Chance {
  return { below: (count) => gen(integer, { min: 0, max: count - 1 }) };
}

export interface Words {
  /** By the name of a scalar, or of an argument or field of an input, which wins. */
  readonly [name: string]: readonly string[];
}

const deepest = 5;

/** A query of one to three root fields. `may` says which fields and inputs are used; a few others are used anyway. */
export function questionOf(
  schema: GraphQLSchema,
  chance: Chance,
  words: Words,
  may: (
    element: GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument | GraphQLEnumValue,
    owner: GraphQLNamedType | null,
  ) => boolean,
): string {
  const pick = <Value>(values: readonly Value[]): Value => values[chance.below(values.length)] as Value;

  const textOf = (type: GraphQLInputType, name: string, depth: number): string => {
    if (isNonNullType(type)) return textOf(type.ofType, name, depth);
    if (isListType(type)) {
      const length = chance.below(3);
      return `[${Array.from({ length }, () => textOf(type.ofType, name, depth)).join(', ')}]`;
    }
    if (isEnumType(type)) return pick(type.getValues().filter((value) => may(value, null) || isRare())).name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      if (type.isOneOf) return `{${entryOf(pick(fields), depth)}}`;
      return `{${fields
        .filter((field) => isAsked(field, depth))
        .map((field) => entryOf(field, depth))
        .join(', ')}}`;
    }
    return pick(words[name] ?? words[type.name] ?? ['null']);
  };
  const isAsked = (element: GraphQLInputField | GraphQLArgument, depth: number): boolean =>
    (isNonNullType(element.type) && element.defaultValue === undefined) ||
    (depth < 3 && chance.below(8) === 0 && (may(element, null) || isRare()));
  const isRare = () => chance.below(40) === 0;
  const entryOf = ({ name, type }: GraphQLInputField | GraphQLArgument, depth: number) => `${name}: ${textOf(type, name, depth + 1)}`;

  const fieldOf = (field: GraphQLField<unknown, unknown>, index: number, depth: number): string => {
    const given = field.args.filter((argument) => isAsked(argument, 0)).map((argument) => entryOf(argument, 0));
    const selected = selectionOf(field.type, depth + 1);
    return `f${depth}_${index}: ${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${selected}`;
  };

  const fieldsOf = (type: GraphQLNamedType, depth: number): GraphQLField<unknown, unknown>[] => {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const all = Object.values(type.getFields()).filter((field) => depth < deepest || !isCompositeType(getNamedType(field.type)));
    return all.filter((field) => may(field, type) || isRare());
  };

  const selectionOf = (output: GraphQLOutputType, depth: number): string => {
    const type = getNamedType(output);
    if (!isCompositeType(type)) return '';
    const members = isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
    const own = some(fieldsOf(type, depth), depth);
    const ofMember = members.length > 0 && chance.below(2) === 0 ? pick(members) : null;
    const inner = ofMember ? ` ... on ${ofMember.name} { __typename ${some(fieldsOf(ofMember, depth), depth)} }` : '';
    return ` { __typename ${own}${inner} }`;
  };

  const some = (fields: readonly GraphQLField<unknown, unknown>[], depth: number): string => {
    if (fields.length === 0) return '';
    const count = 1 + chance.below(3);
    return Array.from({ length: count }, (_, index) => fieldOf(pick(fields), index, depth)).join(' ');
  };

  const query = schema.getQueryType();
  return query ? `{ ${some(fieldsOf(query, 0), 0)} }` : '{ __typename }';
}

/** A question as `questionOf` makes it, with one of its fields and the fields on the way to it. */
export function onlyField(question: string, path: readonly string[]): string {
  let depth = 0;
  const kept = visit(parse(question), {
    Field: {
      enter: ({ alias, name }) => {
        if (depth < path.length && (alias ?? name).value !== path[depth]) return null;
        depth += 1;
      },
      leave: () => {
        depth -= 1;
      },
    },
    InlineFragment: { leave: ({ selectionSet }) => (selectionSet.selections.length > 0 ? undefined : null) },
  });
  return print(kept);
}
