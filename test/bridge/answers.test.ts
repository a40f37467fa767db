// What two answers of the REST API say differently.
import { expect, test } from 'vitest';
import { differencesBetween } from '../../src/bridge/answers.ts';

const differences = (there: unknown, here: unknown) => [...differencesBetween({ there, here })];

test('the order of lists and keys, and links, say nothing', () => {
  const there = { a: [{ uuid: 1, traits: ['X', 'Y'], links: ['/placement/a'] }, { uuid: 2 }], links: [1] };
  const here = { links: [2], a: [{ uuid: 2 }, { traits: ['Y', 'X'], uuid: 1, links: ['/a'] }] };
  expect(differences(there, here)).toEqual([]);
});

test('another value, a missing element and an empty object are named on both sides', () => {
  expect(differences({ used: { VCPU: 1 }, traits: ['X', 'Y'] }, { used: { VCPU: 2 }, traits: ['X'] })).toEqual([
    'only there: /used/VCPU 1',
    'only there: /traits[] "Y"',
    'only here: /used/VCPU 2',
  ]);
  expect(differences({ inventories: {} }, {})).toEqual(['only there: /inventories {}', 'only here:  {}']);
  expect(differences({ traits: [] }, null)).toEqual(['only there: /traits []', 'only here:  null']);
});
