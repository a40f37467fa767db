// The rule about trees: what remains of it for a given caller, which rules are refused at start, and its decision once the root is known.
import { describe, expect, test } from 'vitest';
import { credentialsOf } from '../../src/auth/policy/credentials.ts';
import { effectiveRules } from '../../src/auth/policy/effective.ts';
import { policyOf } from '../../src/auth/policy/policy.ts';
import { defaultRules } from '../../src/auth/policy/rules.ts';
import { plainIdentity } from '../../src/domain/identity.ts';

const host = plainIdentity('static', 'compute-1', 'service', ['service', 'compute']);
const operator = plainIdentity('static', 'ann', 'operations', ['admin']);

const load = (rule?: string, more: Readonly<Record<string, string>> = {}) => {
  const file = { ...(rule !== undefined && { 'placement:trees:write': rule }), ...more };
  const overrides = new Map(Object.entries(file).map(([name, source], line) => [name, { source, at: `policy.yaml:${line + 1}` }]));
  return effectiveRules(defaultRules('current'), overrides, { enforcesNewDefaults: true });
};
const ownedBy = (caller: typeof host, rule?: string, more = {}) =>
  policyOf(() => load(rule, more), { enforcesScope: true }).ownedBy(caller);
const none = { any: [] };

test('by default every caller may write to all trees', () => expect(ownedBy(host)).toBeNull());

test.each<[rule: string, more: object, left: object | null]>([
  ['role:admin', {}, none],
  ['user_id:%(root_name)s', {}, { name: 'compute-1' }],
  ['not role:compute or user_id:%(root_name)s', {}, { name: 'compute-1' }],
  ['role:compute and (user_id:%(root_name)s or user_id:%(root_name)s.example)', {}, { name: 'compute-1' }],
  ['user_id:compute-%(root_name)s', {}, { name: '1' }],
  ['user_id:compute-1%(root_name)s', {}, none],
  ["'compute-9':%(root_name)s", {}, { name: 'compute-9' }],
  ["'5E6C2B0A-0000-4000-8000-000000000000':%(root_uuid)s", {}, { uuid: '5e6c2b0a-0000-4000-8000-000000000000' }],
  ['roles:%(root_name)s', {}, { any: [{ name: 'service' }, { name: 'compute' }] }],
  ["'CUSTOM_DPU':%(root_traits)s", {}, { trait: 'CUSTOM_DPU' }],
  [
    "user_id:%(root_name)s and not 'CUSTOM_FROZEN':%(root_traits)s",
    {},
    { all: [{ name: 'compute-1' }, { not: { trait: 'CUSTOM_FROZEN' } }] },
  ],
  [
    "not role:compute or rule:own or 'MISC_SHARES_VIA_AGGREGATE':%(root_traits)s",
    { own: 'user_id:%(root_name)s' },
    { any: [{ name: 'compute-1' }, { trait: 'MISC_SHARES_VIA_AGGREGATE' }] },
  ],
  ['user_id:%(user_id)s and user_id:%(root_name)s', {}, { name: 'compute-1' }],
  ['user_id:%(root_name)s or @', {}, null],
  ['rule:missing or user_id:%(root_name)s', {}, { name: 'compute-1' }],
])('%s leaves a host %#', (rule, more, left) => expect(ownedBy(host, rule, more)).toEqual(left));

test('a rule about one role leaves all trees to other roles', () => {
  const rule = 'not role:compute or user_id:%(root_name)s';
  expect(ownedBy(operator, rule)).toBeNull();
  expect(ownedBy(host, rule)).not.toBeNull();
});

test.each([
  ['user_id:%(root_name)s-%(root_uuid)s', 'the rule placement:trees:write asks for several things of a root'],
  ['role:%(root_name)s', 'the rule placement:trees:write compares a role with'],
])('%s is refused, with its line', (rule, fault) => expect(() => load(rule)).toThrow(`policy.yaml:1: ${fault}`));

describe('evaluated for a root', () => {
  const rule = load("user_id:%(root_name)s or 'CUSTOM_DPU':%(root_traits)s").rules.get('placement:trees:write');
  test.each([
    [{ root_name: 'compute-1' }, true],
    [{ root_name: 'compute-2' }, false],
    [{ root_name: 'compute-2', root_traits: ['CUSTOM_GPU', 'CUSTOM_DPU'] }, true],
    [{ root_name: 'compute-2', root_traits: [] }, false],
    [{}, false],
  ])('%j: %s', (target, answer) => expect(rule?.decide(credentialsOf(host), target)).toBe(answer));
});
