// Tokens of candidates: any gateway decodes what another has encoded, and refuses everything else.

import { expect, test } from 'vitest';
import type { AllocationInput } from '../../../src/domain/allocation.ts';
import { parseClaimToken, renderClaimToken } from '../../../src/operations/allocations/claim-token.ts';
import { uuidOf } from '../../support/seed.ts';

const allocations: AllocationInput[] = [
  {
    resourceProvider: uuidOf('cn1'),
    resources: [
      { resourceClass: 'VCPU', amount: 4 },
      { resourceClass: 'MEMORY_MB', amount: 2 ** 31 - 1 },
    ],
  },
  { resourceProvider: uuidOf('pool'), resources: [{ resourceClass: 'CUSTOM_DISK', amount: 1 }] },
];
const encode = (text: string) => `c1.${Buffer.from(text).toString('base64url')}`;

test('a token stands for the amounts that it was made from', () => {
  expect(parseClaimToken(renderClaimToken(allocations))).toEqual(allocations);
});

test('a token is the same for the same amounts, and fits into headers and addresses', () => {
  expect(renderClaimToken(allocations)).toBe(renderClaimToken(structuredClone(allocations)));
  expect(renderClaimToken(allocations)).toMatch(/^c1\.[\w-]+$/);
});

test('an old token means the same for ever', () => {
  const token = encode(`[["${uuidOf('cn1')}","VCPU",4],["${uuidOf('pool')}","DISK_GB",10]]`);
  expect(parseClaimToken(token)).toEqual([
    { resourceProvider: uuidOf('cn1'), resources: [{ resourceClass: 'VCPU', amount: 4 }] },
    { resourceProvider: uuidOf('pool'), resources: [{ resourceClass: 'DISK_GB', amount: 10 }] },
  ]);
});

test('uuids come out canonical, however they were written', () => {
  const [allocation] = parseClaimToken(encode(`[["${uuidOf('cn1').toUpperCase()}","VCPU",4]]`)) ?? [];
  expect(allocation?.resourceProvider).toBe(uuidOf('cn1'));
});

test('a truncated token is invalid, wherever it is cut', () => {
  const token = renderClaimToken(allocations);
  for (let length = 0; length < token.length; length++) expect(parseClaimToken(token.slice(0, length))).toBeNull();
});

test('foreign characters make a token invalid, wherever they are', () => {
  const token = renderClaimToken(allocations);
  for (const wrong of [' ', '=', '+', '/', '\n', '\0', '\ud800', 'é', '.']) {
    for (const place of [0, 3, 20, token.length]) {
      expect(parseClaimToken(token.slice(0, place) + wrong + token.slice(place))).toBeNull();
    }
  }
});

test.each([
  ['another version', renderClaimToken(allocations).replace('c1.', 'c2.')],
  ['an object', encode('{"0":["a"],"length":1}')],
  ['a provider that is no list', encode('["VCPU"]')],
  ['a list of null', encode('[null]')],
  ['a uuid that is none', encode('[["cn1","VCPU",1]]')],
  ['amounts of nothing', encode(`[["${uuidOf('cn1')}"]]`)],
  ['a class without amount', encode(`[["${uuidOf('cn1')}","VCPU"]]`)],
  ['an amount in words', encode(`[["${uuidOf('cn1')}","VCPU","1"]]`)],
  ['a class that is a number', encode(`[["${uuidOf('cn1')}",1,1]]`)],
  ['lists without end', encode('['.repeat(60_000))],
  ['more than 100,000 characters', `c1.${'W'.repeat(100_000)}`],
])('%s is no token', (_, token) => {
  expect(parseClaimToken(token)).toBeNull();
});
