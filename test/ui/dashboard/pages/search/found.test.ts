// Where a match of the search leads, and which one is meant by its whole name.
import { expect, test } from 'vitest';
import { addressOf, exactMatch, type Match } from '../../../../../src/ui/dashboard/pages/search/found.ts';

const uuid = '5c3a9a4e-0000-4000-8000-000000000001';
const host: Match = { __typename: 'ResourceProvider', uuid, name: 'node1', root: { name: 'node1' } };
const longer: Match = { ...host, uuid: uuid.replace('1', '2'), name: 'node10' };
const rack: Match = { __typename: 'Aggregate', uuid, name: 'rack1' };
const server: Match = { __typename: 'Consumer', uuid, consumerType: 'INSTANCE' };
const project: Match = { __typename: 'Project', externalId: 'video' };
const vcpu: Match = { __typename: 'ResourceClass', name: 'VCPU' };

test.each<[string, readonly Match[], Match | null]>([
  ['node1', [host, longer], host],
  ['NODE1 ', [host, longer], host],
  [uuid, [host], host],
  [uuid.toUpperCase(), [server], server],
  ['video', [project], project],
  ['node', [host, longer], null],
  ['node1', [longer], null],
  ['', [host], null],
])('%j means exactly what has this name or uuid, and nothing that only contains it', (text, matches, meant) => {
  expect(exactMatch(text, matches)).toBe(meant);
});

test('a name that several things have means none of them, and neither does that of a thing without a page of its own', () => {
  expect(exactMatch('node1', [host, { ...project, externalId: 'node1' }])).toBeNull();
  expect(exactMatch('rack1', [rack])).toBeNull();
  expect(exactMatch('VCPU', [vcpu])).toBeNull();
});

test('every kind leads to its page, or to the hosts that have it', () => {
  const trait: Match = { __typename: 'Trait', name: 'HW_CPU_X86_AVX2' };
  expect([host, { ...host, name: 'a/b' }, server, { ...project, externalId: 'a/b' }, rack, vcpu, trait].map(addressOf)).toEqual([
    '/providers/node1',
    `/providers/${uuid}`,
    `/consumers/${uuid}`,
    '/projects/a%2Fb',
    `/hosts?in=${uuid}`,
    '/hosts?has=VCPU',
    '/hosts?trait=HW_CPU_X86_AVX2',
  ]);
});
