import { describe, expect, test } from 'vitest';
import { parseCandidatesQuery } from '../../../src/rest/handlers/candidates-query.ts';
import { atVersion } from '../../../src/rest/microversions.ts';
import { Query } from '../../../src/rest/query.ts';
import { candidatesQuery } from '../../../src/rest/schemas/candidates.ts';
import { findFault } from '../../../src/rest/validation.ts';

const a = '10000000-0000-4000-8000-00000000000a';
const b = '10000000-0000-4000-8000-00000000000b';

const parse = (text: string, minor = 39) => parseCandidatesQuery(new Query(text), minor);
/** Whether the parameters are known at a version. */
const isKnown = (text: string, minor: number) => {
  const schema = atVersion(candidatesQuery, minor);
  return schema !== undefined && findFault(schema, new Query(text).asObject()) === null;
};

test('a whole query becomes one request', () => {
  const query = new URLSearchParams([
    ['resources', 'VCPU:2,MEMORY_MB:512'],
    ['required', 'HW_A,!HW_B'],
    ['required', 'in:HW_C,HW_D'],
    ['member_of', `in:${a},${b}`],
    ['member_of', `!${b}`],
    ['resources_NIC', 'SRIOV_NET_VF:1'],
    ['in_tree_NIC', a.toUpperCase()],
    ['required_NUMA', 'HW_NUMA_ROOT'],
    ['same_subtree', '_NIC,_NUMA'],
    ['group_policy', 'isolate'],
    ['root_required', 'COMPUTE_NODE,!CUSTOM_X'],
    ['limit', '7'],
  ]);
  expect(parse(query.toString())).toEqual({
    groups: [
      {
        suffix: '',
        resources: [
          { resourceClass: 'VCPU', amount: 2 },
          { resourceClass: 'MEMORY_MB', amount: 512 },
        ],
        traits: [{ allOf: ['HW_A'], noneOf: ['HW_B'] }, { anyOf: ['HW_C', 'HW_D'] }],
        aggregates: [{ anyOf: [a, b] }, { noneOf: [b] }],
        inTrees: null,
      },
      { suffix: '_NIC', resources: [{ resourceClass: 'SRIOV_NET_VF', amount: 1 }], traits: [], aggregates: [], inTrees: [a] },
      { suffix: '_NUMA', resources: [], traits: [{ allOf: ['HW_NUMA_ROOT'], noneOf: [] }], aggregates: [], inTrees: null },
    ],
    groupPolicy: 'ISOLATE',
    rootTraits: [{ allOf: ['COMPUTE_NODE'], noneOf: ['CUSTOM_X'] }],
    sameSubtree: [['_NIC', '_NUMA']],
    limit: 7,
    perRootLimit: null,
    order: [],
  });
});

describe('a parameter is unknown just below its version', () => {
  test.each([
    ['limit=1', 16],
    ['required=A', 17],
    [`member_of=${a}`, 21],
    ['resources1=VCPU:1', 25],
    ['group_policy=none', 25],
    [`in_tree=${a}`, 31],
    ['resources_A=VCPU:1', 33],
    ['root_required=A', 35],
    ['same_subtree=_A', 36],
  ])('%s is new in 1.%i', (parameter, since) => {
    expect(isKnown(`resources=VCPU:1&${parameter}`, since - 1)).toBe(false);
    expect(isKnown(`resources=VCPU:1&${parameter}`, since)).toBe(true);
  });

  test('and a query without unsuffixed resources is valid from 1.25 on', () => {
    expect(isKnown('', 24)).toBe(false);
    expect(isKnown('', 25)).toBe(true);
  });
});

describe('the meaning of a value depends on the version', () => {
  test('required: the last value counts up to 1.38, all values since then', () => {
    const text = 'resources=VCPU:1&required=A&required=B';
    expect(parse(text, 38).groups[0]?.traits).toEqual([{ allOf: ['B'], noneOf: [] }]);
    expect(parse(text, 39).groups[0]?.traits).toEqual([
      { allOf: ['A'], noneOf: [] },
      { allOf: ['B'], noneOf: [] },
    ]);
  });

  test('nested providers are combined from 1.29 on', () => {
    expect(parse('resources=VCPU:1', 28).withoutNested).toBe(true);
    expect(parse('resources=VCPU:1', 29).withoutNested).toBeUndefined();
  });

  test('suffixes are case-sensitive and keep their underscore', () => {
    expect(parse('resources_a=VCPU:1&resources_A=VCPU:1&group_policy=none').groups.map(({ suffix }) => suffix)).toEqual(['_a', '_A']);
  });

  test('the first limit and group_policy count, and the last resources', () => {
    const query = 'limit=3&limit=4&group_policy=none&group_policy=isolate&resources=VCPU:1&resources=VCPU:2,VCPU:5';
    expect(parse(query)).toMatchObject({ limit: 3, groupPolicy: 'NONE', groups: [{ resources: [{ resourceClass: 'VCPU', amount: 5 }] }] });
  });
});

describe('a query is refused', () => {
  test.each<[string, number, string, string?]>([
    ['resources=', 39, 'Badly formed resources parameter'],
    ['resources=VCPU', 39, 'Got: VCPU.'],
    ['resources=VCPU:a', 39, 'expected positive integer amount. Got: a.'],
    ['resources=VCPU:0', 39, 'requires amount >= 1. Got: 0.'],
    ['resources=VCPU:1&required=A,,B', 21, 'HW_CPU_X86_VMX,CUSTOM_MAGIC. Got an empty trait in: A,,B'],
    ['resources=VCPU:1&required=A,,B', 22, 'HW_CPU_X86_VMX,!CUSTOM_MAGIC. Got an empty trait in: A,,B'],
    ['resources=VCPU:1&required=!A', 21, 'HW_CPU_X86_VMX,CUSTOM_MAGIC. Got: !A'],
    ['resources=VCPU:1&required=in:A,B', 38, 'only supported since microversion 1.39'],
    ['resources=VCPU:1&required=in:A,!B', 39, 'does not support forbidden traits'],
    ['resources=VCPU:1&required=A,!A', 39, 'following traits keys: required: (A)'],
    ['resources=VCPU:1&required=in:A,B&required=!A,!B', 39, 'following traits keys: required: (A, B)'],
    [`resources=VCPU:1&member_of=${a}&member_of=${b}`, 23, 'Multiple member_of parameters are not supported'],
    [`resources=VCPU:1&member_of=!${a}`, 31, 'Forbidden member_of parameters are not supported'],
    [`resources=VCPU:1&member_of=${a},${b}`, 39, "must be prefixed with the 'in:' or '!in:' keyword"],
    [`resources=VCPU:1&member_of=in:${a},!${b}`, 39, 'to contain valid UUID(s)'],
    ['resources=VCPU:1&in_tree=x', 39, "Expected 'in_tree' parameter to be a format of uuid. Got: x"],
    ['resources1=VCPU:1&resources2=VCPU:1', 39, 'The "group_policy" parameter is required'],
    ['resources=VCPU:1&limit=0&limit=1', 39, "'0' is not a valid value of 'limit'"],
    ['resources=VCPU:1&root_required=A&root_required=B', 39, 'may be specified only once', 'placement.query.duplicate_key'],
    ['resources=VCPU:1&root_required=A,!A', 39, 'found in root_required: A', 'placement.query.bad_value'],
    ['resources=VCPU:1&root_required=in:A', 39, "The format 'in:"],
    ['resources_A=VCPU:1&same_subtree=_A,', 39, 'Empty string (unsuffixed group)', 'placement.query.bad_value'],
    ['resources_A=VCPU:1&same_subtree=_A,_B', 39, "['_B'] not found in ['_A']", 'placement.query.bad_value'],
    ['resources_A=VCPU:1&required_B=A', 39, "bad group(s) - ['_B'].", 'placement.query.bad_value'],
    ['resources_A=VCPU:1&required=A&same_subtree=_A', 39, "bad group(s) - ['']", 'placement.query.bad_value'],
    ['required_A=A&same_subtree=_A', 39, 'There must be at least one resources', 'placement.query.missing_value'],
    ['', 39, 'There must be at least one resources', 'placement.query.missing_value'],
    ['resources=VCPU:1&required1=A', 35, 'following orphaned traits keys: required1'],
    [`resources=VCPU:1&member_of1=${a}`, 35, 'following orphaned member_of keys: member_of1'],
    [`resources=VCPU:1&in_tree1=${a}`, 35, 'All request groups must specify resources.'],
    ['', 35, 'At least one request group'],
  ])('%s at 1.%i', (text, minor, message, code = 'placement.undefined_code') => {
    expect(() => parse(text, minor)).toThrow(expect.objectContaining({ status: 400, code, message: expect.stringContaining(message) }));
  });
});

test('an amount larger than any inventory is valid, and does not overflow', () => {
  expect(parse(`resources=VCPU:${'9'.repeat(400)}&limit=${'9'.repeat(400)}`)).toMatchObject({
    limit: Number.MAX_SAFE_INTEGER,
    groups: [{ resources: [{ amount: Number.MAX_SAFE_INTEGER }] }],
  });
});
