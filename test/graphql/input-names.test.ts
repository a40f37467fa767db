// The name of an input field has one meaning: one type everywhere, whether or not it is a list or may be omitted.
import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import { expect, test } from 'vitest';

/** Names with several types, by their common meaning. */
const several: Record<string, readonly string[]> = {
  'the field of a sort key': ['field'],
  'filters of the same list': ['and', 'or', 'not'],
  'bounds of a number, which is a count or may be a fraction': ['is', 'isNot', 'above', 'atLeast', 'below', 'atMost'],
  'members of a clause, by name or by uuid': ['allOf', 'anyOf', 'noneOf'],
  'an object of Nova field by field; its other form is always `object`': ['fields'],
  'many objects of a noun: their keys, or what is said of each': ['resourceProviders', 'consumers', 'instances'],
  'as they are, or as conditions of a filter or request': ['traits', 'aggregates'],
  'the expected state; only an object that is created by its first write can be expected to be new': ['expect'],
  'of an object of Nova as Nova writes it; of a service a number that rises': ['version'],
  'what a consumer or a reservation holds, from the sources that each may have': ['hold'],
  'hosts, by the names that Nova gives them or by the uuids of their roots': ['hosts'],
  'the groups of a request, in the words of Placement or of Cyborg': ['groups'],
  'the pre-filters of one call, with its zone and project, or those of the cloud': ['prefilters'],
};
const excused = Object.values(several).flat();

/** The types of each name, with the inputs that have it. */
function typesByName(schema: GraphQLSchema): Map<string, Map<string, string[]>> {
  const names = new Map<string, Map<string, string[]>>();
  for (const input of Object.values(schema.getTypeMap()).filter(isInputObjectType)) {
    for (const { name, type } of Object.values(input.getFields())) {
      const types = names.get(name) ?? new Map<string, string[]>();
      const { name: called } = getNamedType(type);
      names.set(name, types.set(called, [...(types.get(called) ?? []), input.name]));
    }
  }
  return names;
}

const ambiguous = (schema: GraphQLSchema): string[] =>
  [...typesByName(schema)].flatMap(([name, types]) =>
    types.size > 1 ? [`${name}: ${[...types].map(([type, inputs]) => `${type} (${inputs.join(', ')})`).join(' or ')}`] : [],
  );

const contract = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

test('an input field name has one type, or a reason for several', () => {
  expect(ambiguous(contract).filter((clash) => !excused.includes(clash.replace(/:.*/, '')))).toEqual([]);
});

test('an ambiguous name is found, however many types it has', () => {
  const planted = `type Query { a(b: BInput, c: CInput, d: DInput): Int } input BInput { host: String! size: Int } input CInput { host: [String] size: Float }
    input DInput { size: [Int!]! host: String }`;
  expect(ambiguous(buildSchema(planted))).toEqual(['size: Int (BInput, DInput) or Float (CInput)']);
});

test('every excused name has several types', () => {
  const clashes = ambiguous(contract).map((clash) => clash.replace(/:.*/, ''));
  expect(excused.toSorted()).toEqual(clashes.toSorted());
});
