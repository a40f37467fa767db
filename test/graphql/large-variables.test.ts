// Variables of large bodies, read in parts, have the same values and errors as in graphql-js.
import { buildSchema, getVariableValues, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { readLargeVariables } from '../../src/graphql/large-variables.ts';

const schema = buildSchema(`
  type Query { a(hosts: [HostInput!], names: [[String!]], one: HostInput, number: Int = 3): Int }
  input HostInput { name: String!, cells: [CellInput!]! = [], note: String = "none", either: EitherInput }
  input CellInput { number: Int!, hosts: [HostInput!] }
  input EitherInput @oneOf { text: String, numbers: [Int!] }
`);
const { definitions } = parse('query ($hosts: [HostInput!], $names: [[String!]], $one: HostInput, $number: Int = 3) { a(hosts: $hosts) }');
const operation = definitions.find((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION);
const declared = operation?.variableDefinitions ?? [];

const many = <Element>(count: number, of: (index: number) => Element) => Array.from({ length: count }, (_, index) => of(index));
const cells = (count: number) => many(count, (number) => ({ number }));

const valid: Readonly<Record<string, Record<string, unknown>>> = {
  nothing: {},
  'long lists in long lists': { hosts: many(300, (index) => ({ name: `${index}`, cells: cells(index % 50) })), number: 1 },
  'long lists in an object': { one: { name: 'a', cells: many(100, (number) => ({ number, hosts: many(30, () => ({ name: 'b' })) })) } },
  'lists of lists': { names: many(200, (index) => (index % 3 === 0 ? null : many(index, String))) },
  'single values for lists': { hosts: { name: 'a', cells: { number: 1 } }, names: 'x' },
  alternatives: { one: { name: 'a', either: { numbers: many(100, (index) => index) } } },
};

test.each(Object.entries(valid))('valid variables have the same values: %s', async (_, variables) => {
  expect(await readLargeVariables(schema, declared, variables, { maxErrors: 5 })).toEqual(getVariableValues(schema, declared, variables));
});

const invalid: Readonly<Record<string, Record<string, unknown>>> = {
  'an element of another type': { hosts: many(300, (index) => ({ name: index === 200 ? 7 : 'a' })) },
  'an element deep within': { one: { name: 'a', cells: many(100, (number) => ({ number: number === 50 ? 'x' : number })) } },
  'an element that is null': { hosts: many(300, (index) => (index === 3 ? null : { name: 'a' })) },
  'a missing field beside a long list': { one: { cells: cells(100) } },
  'an unknown field in an element': { hosts: many(300, (index) => ({ name: 'a', ...(index === 9 && { nam: 1 }) })) },
  'two alternatives, one of them long': { one: { name: 'a', either: { text: 'a', numbers: many(100, (index) => index) } } },
  'a variable of another type': { number: 'x', hosts: many(100, () => ({ name: 'a' })) },
};

test.each(Object.entries(invalid))('invalid variables are refused in the same words: %s', async (_, variables) => {
  const { errors } = await readLargeVariables(schema, declared, variables, { maxErrors: 5 });
  const whole = getVariableValues(schema, declared, variables).errors;
  expect(errors?.map(({ message }) => message.replace(/got invalid value .*( at|;)/, '$1'))).toEqual(
    whole?.map(({ message }) => message.replace(/got invalid value .*( at|;)/, '$1')),
  );
  expect(errors?.map(({ nodes }) => nodes)).toEqual(whole?.map(({ nodes }) => nodes));
});

test('only the first of many faults are reported', async () => {
  const { errors } = await readLargeVariables(schema, declared, { hosts: many(300, () => ({ name: 1 })) }, { maxErrors: 5 });
  expect(errors).toHaveLength(5);
});

test('`__typename` is not a field', async () => {
  const variables = {
    hosts: many(100, () => ({ __typename: 'Host', name: 'a', cells: many(30, (number) => ({ __typename: 'Cell', number })) })),
  };
  const { errors, coerced } = await readLargeVariables(schema, declared, variables, { maxErrors: 5 });
  expect(errors).toBeUndefined();
  expect(coerced?.hosts).toHaveLength(100);
});
