// Lists of payloads are read after the commit: a list may be missing as a whole, but none of its elements may be, unless its place says why.
import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, getNullableType, isListType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import type { Rule } from '../support/schema-rules.ts';

/** Lists whose elements may be missing, and why. */
const withGaps: Record<string, string> = {
  'AllocationsPayload.consumers': 'in the order of the input, null for a consumer without allocations',
};

/** The lists of payloads with their types, except the refusals, which are always present. */
function lists(schema: Parameters<Rule>[0]): { label: string; type: string }[] {
  return Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ type }) => {
    const payload = getNamedType(type);
    if (!isObjectType(payload)) return [];
    return Object.values(payload.getFields())
      .filter((field) => isListType(getNullableType(field.type)) && field.name !== 'userErrors')
      .map((field) => ({ label: `${payload.name}.${field.name}`, type: String(field.type) }));
  });
}

const unlike: Rule = (schema) =>
  lists(schema).flatMap(({ label, type }) => ((label in withGaps ? /^\[\w+\]$/ : /^\[\w+!\]$/).test(type) ? [] : [label]));

const contract = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

test('lists of payloads have one form in the contract', () => {
  expect(unlike(contract)).toEqual([]);
  const labels = lists(contract).map(({ label }) => label);
  expect(Object.keys(withGaps).filter((label) => !labels.includes(label))).toEqual([]);
});

test('any other form is found', () => {
  const planted = `type Query { a: Int } type Mutation { a: APayload }
    type APayload { userErrors: [Int!]! one: [Int] two: [Int!]! three: [Int]! four: [Int!] five: Int! }`;
  expect(unlike(buildSchema(planted))).toEqual(['APayload.one', 'APayload.two', 'APayload.three']);
});
