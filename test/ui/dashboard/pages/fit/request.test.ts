// The address of "What fits?" holds the whole request.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  candidatesInput,
  emptyRequest,
  type FitRequest,
  parseFit,
  printFit,
  requestFrom,
} from '../../../../../src/ui/dashboard/pages/fit/request.ts';
import { anyCharacter } from '../../../../support/any-character.ts';

const name = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,20}$/);
const needs = fc.record({
  allOf: fc.array(name, { maxLength: 3 }),
  anyOf: fc.array(fc.array(name, { minLength: 2, maxLength: 3 }), { maxLength: 2 }),
  noneOf: fc.array(name, { maxLength: 3 }),
});
const group = fc.record({
  suffix: fc.oneof(fc.constant(''), fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/)),
  resources: fc.array(fc.record({ resourceClass: name, amount: fc.nat({ max: Number.MAX_SAFE_INTEGER }) }), { maxLength: 4 }),
  traits: needs,
  aggregates: needs,
  inTree: fc.oneof(fc.constant(null), fc.uuid()),
});
const anyRequest: fc.Arbitrary<FitRequest> = fc.record({
  groups: fc.uniqueArray(group, { selector: ({ suffix }) => suffix, maxLength: 4 }),
  isolate: fc.boolean(),
  rootTraits: needs,
  sameSubtree: fc.array(fc.array(fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/), { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  project: fc.string(),
});

describe('the address of "What fits?"', () => {
  test('is readable', () => {
    const request = parseFit('r=VCPU:4,MEMORY_MB:8192&t=A,B|C,-D&g_gpu.r=VGPU:1&isolate=1');
    expect(printFit(request)).toBe('r=VCPU:4,MEMORY_MB:8192&t=A,B|C,-D&g_gpu.r=VGPU:1&isolate=1');
    expect(candidatesInput(request)).toEqual({
      groups: [
        {
          resources: [
            { resourceClass: 'VCPU', amount: 4 },
            { resourceClass: 'MEMORY_MB', amount: 8192 },
          ],
          traits: [{ allOf: ['A'] }, { anyOf: ['B', 'C'] }, { noneOf: ['D'] }],
        },
        { suffix: '_gpu', resources: [{ resourceClass: 'VGPU', amount: 1 }] },
      ],
      groupPolicy: 'ISOLATE',
    });
  });

  test('gives back every request', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(parseFit(printFit(request))).toEqual(request);
      }),
    );
  });

  test('may be any text', () => {
    expect(parseFit('')).toEqual(emptyRequest);
    expect(parseFit('r=VCPU:x,:3,VCPU:-1,VCPU:99999999999999999&__proto__=1').groups[0]?.resources).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(parseFit(printFit(parseFit(text)))).toEqual(parseFit(text));
      }),
    );
  });

  test('takes what a flavor asks for', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { groups, groupPolicy = 'NONE', rootTraits = [], sameSubtree = [] } = candidatesInput(request);
        const answered = groups.map(({ resources = [], traits = [], aggregates = [], ...rest }) => ({
          ...rest,
          resources,
          traits,
          aggregates,
        }));
        expect(requestFrom({ groups: answered, groupPolicy, rootTraits, sameSubtree })).toEqual({ ...request, project: '' });
      }),
    );
  });
});
