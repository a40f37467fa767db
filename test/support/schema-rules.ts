// Rules that tests check against a schema, and what they go through.
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';

/** Returns the places that violate it. */
export type Rule = (schema: GraphQLSchema) => string[];
export type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

export interface Place {
  readonly owner: GraphQLNamedType;
  readonly field: Field;
  readonly label: string;
}

export function ownTypes(schema: GraphQLSchema): GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type));
}

export function fieldsOf(type: GraphQLNamedType): Field[] {
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

/** All fields of all types and inputs. */
export function places(schema: GraphQLSchema): Place[] {
  return ownTypes(schema).flatMap((owner) => fieldsOf(owner).map((field) => ({ owner, field, label: `${owner.name}.${field.name}` })));
}

export const contract = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

/** A rule in words, a schema that breaks it, and the places that it must name there. */
export type PlantedRule = readonly [sentence: string, rule: Rule, planted: string, caught: readonly string[]];

/** The contract keeps the rules, and each finds what breaks it. */
export function checkRules(rules: readonly PlantedRule[]): void {
  describe.each(rules)('%s', (_sentence, rule, planted, caught) => {
    test('in the contract', () => {
      expect(rule(contract)).toEqual([]);
    });

    test('violations are found', () => {
      expect(rule(buildSchema(planted)).toSorted()).toEqual(caught.toSorted());
    });
  });
}
