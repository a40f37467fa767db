// Conventions about permissions, as rules over a schema.
import {
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { isOfProjects } from '../../src/auth/policy/graphql-rules.ts';
import { defaultRules } from '../../src/auth/policy/rules.ts';
import { declaredNeed, needOfField } from '../../src/graphql/permissions-of-schema.ts';
import type { Field, Rule } from './schema-rules.ts';

function ownTypes(schema: GraphQLSchema): GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
}

const argumentsOf = (field: Field): readonly GraphQLArgument[] => ('args' in field ? field.args : []);

/** Every field, by its own directive or that of its type. */
export const everythingNeedsSomething: Rule = (schema) =>
  ownTypes(schema).flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const fields = Object.values(type.getFields());
    return fields.filter((field) => needOfField(type, field) === null).map(({ name }) => `${type.name}.${name}`);
  });

/** Every rule named by a directive. */
export const rulesAreKnown: Rule = (schema) => {
  const known = defaultRules('current');
  const told = ownTypes(schema).flatMap((type) => {
    const fields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
    return [
      { label: type.name, need: declaredNeed(type) },
      ...(isEnumType(type) ? type.getValues().map((value) => ({ label: `${type.name}.${value.name}`, need: declaredNeed(value) })) : []),
      ...fields.flatMap((field) => [
        { label: `${type.name}.${field.name}`, need: declaredNeed(field) },
        ...argumentsOf(field).map((argument) => ({
          label: `${type.name}.${field.name}(${argument.name})`,
          need: declaredNeed(argument),
        })),
      ]),
    ];
  });
  return told.flatMap(({ label, need }) =>
    typeof need === 'object' && need !== null && !known.has(need.rule) ? [`${label}: ${need.rule}`] : [],
  );
};

/** Filters limit reads to a project; nothing limits a write. */
export const writesAreForTheWholeCloud: Rule = (schema) => {
  const type = schema.getMutationType();
  return Object.values(type?.getFields() ?? {}).flatMap((field) => {
    const need = type ? needOfField(type, field) : null;
    return typeof need === 'object' && need !== null && isOfProjects(need.rule) ? [`Mutation.${field.name}`] : [];
  });
};
