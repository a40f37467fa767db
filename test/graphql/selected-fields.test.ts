// Finds what is selected of the nodes of a connection, wherever the selection is.
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { selectsOfNodes } from '../../src/graphql/selected-fields.ts';

/** Whether the first field of the operation is a connection with `parts` of its nodes. */
function selects(text: string): boolean {
  const { definitions }: DocumentNode = parse(text);
  const operation = definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION);
  return selectsOfNodes(['others', 'parts'], {
    fieldNodes: operation?.selectionSet.selections.slice(0, 1) as FieldNode[],
    fragments: Object.fromEntries(fragments.map((one) => [one.name.value, one])),
  });
}

test.each([
  ['among nodes', '{ list { nodes { uuid parts { name } } } }'],
  ['among edges', '{ list { totalCount edges { cursor node { parts { name } } } } }'],
  ['under another name', '{ list { all: nodes { other: parts { name } } } }'],
  ['in a fragment without a name', '{ list { nodes { ... on Node { parts { name } } } } }'],
  ['in a fragment in a fragment', '{ list { ...One } } fragment One on List { nodes { ...Two } } fragment Two on Node { parts { name } }'],
])('a field is found %s', (_, text) => {
  expect(selects(text)).toBe(true);
});

test.each([
  ['has its name as an alias', '{ list { nodes { parts: name } } }'],
  ['belongs to the list', '{ list { parts { name } } }'],
  ['belongs to an object below a node', '{ list { nodes { parent { parts { name } } } } }'],
  ['is beside the list', '{ list { nodes { name } } parts { name } }'],
  ['is in an unused fragment', '{ list { nodes { name } } } fragment One on Node { parts { name } }'],
])('a field that %s is not found', (_, text) => {
  expect(selects(text)).toBe(false);
});

test('fragments that double with each level are visited once each', () => {
  const fragments = Array.from(
    { length: 60 },
    (_, depth) => `fragment F${depth} on Node { ...F${depth + 1} ... on Node { ...F${depth + 1} } }`,
  );
  expect(selects(`{ list { nodes { ...F0 } } } ${fragments.join(' ')} fragment F60 on Node { name }`)).toBe(false);
});
