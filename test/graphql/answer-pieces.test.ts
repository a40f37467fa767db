// The JSON of a large answer, rendered in pieces: together they are what JSON.stringify gives.
import { expect, test } from 'vitest';
import { renderInPieces } from '../../src/graphql/large-answers.ts';

test.each<[string, unknown]>([
  ['nothing', {}],
  ['a small value', { data: { a: [1, 'b', null, true, { c: [] }] } }],
  ['a long list', { data: { list: Array.from({ length: 5000 }, (_, index) => ({ index, name: 'é"\n' })) } }],
  ['a long list of plain values', { data: { list: Array.from({ length: 5000 }, (_, index) => [index, 'é"', null, true][index % 4]) } }],
  ['a list of values and objects', { data: Array.from({ length: 2000 }, (_, index) => (index % 700 === 3 ? { index } : index)) }],
  ['lists within lists', { data: Array.from({ length: 50 }, () => Array.from({ length: 50 }, (_, index) => [index, { index }])) }],
  ['a wide object', Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k"${index}`, index % 2 ? undefined : { index }]))],
  ['undefined values', { errors: undefined, data: Array.from({ length: 1000 }, (_, index) => (index % 2 ? undefined : null)) }],
])('%s is rendered as in one go', async (_, value) => {
  const pieces = await renderInPieces(value, 10_000_000);
  expect(Buffer.concat(pieces ?? []).toString()).toBe(JSON.stringify(value));
});

test('no more is rendered than the limit', async () => {
  const value = { data: 'x'.repeat(1000) };
  expect(await renderInPieces(value, 1011)).toHaveLength(1);
  expect(await renderInPieces(value, 1010)).toBeNull();
});
