// Invalid requests, regardless of the cloud: each contradiction with its location and message.
import { expect, test } from 'vitest';
import { type CandidateRequest, flattenClauses, type RequestFault, requestFaults } from '../../../src/domain/candidates/request.ts';
import { readRequest } from '../../support/candidate-request.ts';
import { uuidOf } from '../../support/seed.ts';

const faultsOf = (text: string, rest: Partial<CandidateRequest> = {}) => requestFaults(readRequest(text, rest));
const [rackA, rackB] = [uuidOf('A'), uuidOf('B')];

test.each([
  ['one group', 'VCPU:1'],
  ['groups of every kind', 'VCPU:1,MEMORY_MB:512 +A -B 1=VF:1 @A !@B n=+NIC_ROOT iso sub(1,n) root(A,!B)'],
  ['several identical suffixed groups without a policy', '1=VF:1 2=VF:1'],
  ['an anyOf with one forbidden name', 'VCPU:1 +in(A,B) -A @in(A,B) !@A root(A,!B)'],
  ['the same condition twice', 'VCPU:1 +A +A -B -B @A @A'],
  ['suffixes of 64 letters', `VCPU:1 ${'s'.repeat(64)}=VF:1`],
  ['a group without resources and without a condition of its own', 'a=VCPU:1 n= in_tree=cn1 sub(a,n)'],
])('a request is valid with %s', (_what, text) => {
  expect(faultsOf(text)).toEqual([]);
});

/** A description, a request, and its faults: a path and a message. */
const faults: [what: string, text: string, ...faults: [path: string, message: string][]][] = [
  ['no group at all', '', ['groups', 'at least one group must ask for resources']],
  ['no group with resources', 'n=+A sub(n)', ['groups', 'at least one group must ask for resources']],
  ['a group without suffix and without resources', '+A 1=VF:1', ['groups.0.resources', 'the group without suffix must ask for resources']],
  [
    'a suffixed group without resources that no sameSubtree names',
    'VCPU:1 n=+A m=+A sub(m)',
    ['groups.1.resources', 'group n asks for nothing, so it must be named in a sameSubtree'],
  ],
  ['a class twice', 'VCPU:1 1=VF:1,VCPU:2,VF:2', ['groups.1.resources.2.resourceClass', 'group 1 names CUSTOM_VF twice']],
  [
    'a class twice in the group without suffix',
    'VCPU:1,VCPU:1',
    ['groups.0.resources.1.resourceClass', 'the group without suffix names VCPU twice'],
  ],
  [
    'a trait that is both required and forbidden',
    'VCPU:1 +A -A',
    ['groups.0.traits', 'the group without suffix both requires and forbids CUSTOM_A'],
  ],
  [
    'an anyOf with only forbidden names',
    'VCPU:1 1=VF:1 +in(A,B) -in(B,A,C)',
    ['groups.1.traits', 'group 1 both requires and forbids CUSTOM_A, CUSTOM_B'],
  ],
  ['an empty anyOf', 'VCPU:1 +in()', ['groups.0.traits', 'anyOf of the group without suffix is empty']],
  [
    'an aggregate that is both required and forbidden',
    'VCPU:1 @A !@in(A,B)',
    ['groups.0.aggregates', `the group without suffix both requires and forbids ${rackA}`],
  ],
  [
    'an anyOf with only forbidden aggregates',
    '1=VF:1 @in(A,B) !@A !@B',
    ['groups.0.aggregates', `group 1 both requires and forbids ${rackA}, ${rackB}`],
  ],
  [
    'a root trait that is both required and forbidden',
    'VCPU:1 root(A,B,!B)',
    ['rootTraits', 'the root both requires and forbids CUSTOM_B'],
  ],
  ['a same subtree of an unknown group', 'VCPU:1 1=VF:1 sub(1,2)', ['sameSubtree.0.suffixes.1', 'there is no group 2']],
];

test.each(faults)('%s is reported with its path', (_what, text, ...expected) => {
  expect(faultsOf(text)).toEqual(expected.map(([path, message]) => ({ path: pathOf(path), message })));
});

function pathOf(text: string): RequestFault['path'] {
  return text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

const single = readRequest('1=VF:1').groups;
const spread = readRequest('VCPU:1').groups;

test('a suffix that occurs twice is reported at the second, and so is a second group without suffix', () => {
  expect(faultsOf('', { groups: [...single, ...spread, ...single, ...spread] })).toEqual([
    { path: ['groups', 2, 'suffix'], message: 'group 1 is listed twice' },
    { path: ['groups', 3, 'suffix'], message: 'only one group may be without a suffix' },
  ]);
});

test.each(['a b', 'é', 'a,b', 's'.repeat(65)])('a suffix has 1 to 64 plain characters, unlike %j', (suffix) => {
  expect(faultsOf('', { groups: single.map((group) => ({ ...group, suffix })) })).toEqual([
    { path: ['groups', 0, 'suffix'], message: 'a suffix has 1 to 64 letters, digits, _ or -' },
  ]);
});

test('a same subtree names groups, but not the one without suffix', () => {
  expect(faultsOf('VCPU:1 1=VF:1', { sameSubtree: [['1'], [], ['1', '']] })).toEqual([
    { path: ['sameSubtree', 1, 'suffixes'], message: 'must name at least one group' },
    {
      path: ['sameSubtree', 2, 'suffixes', 1],
      message: 'the group without suffix may spread over a tree, so it cannot be named in a sameSubtree',
    },
  ]);
});

test('all problems are reported at once', () => {
  const messages = faultsOf('VCPU:1,VCPU:2 +A -A 1=VF:1 @A !@A n=+A sub(2)').map(({ path }) => path.join('.'));
  expect(messages).toEqual([
    'groups.0.resources.1.resourceClass',
    'groups.0.traits',
    'groups.1.aggregates',
    'groups.2.resources',
    'sameSubtree.0.suffixes.0',
  ]);
});

test('clauses become sets that each require one name, and one list of forbidden names', () => {
  expect(flattenClauses([{ allOf: ['A', 'B'], anyOf: ['C', 'D'], noneOf: ['E'] }, { noneOf: ['F'] }, { anyOf: [] }])).toEqual({
    required: [['A'], ['B'], ['C', 'D'], []],
    forbidden: ['E', 'F'],
  });
});
