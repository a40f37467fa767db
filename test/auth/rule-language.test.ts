// The language of rules, compared with how oslo.policy itself treats 213 rules, 237 decisions and 40 files (policy-vectors.jsonl: recorded once by calling
// oslo.policy 4.0.0; its development version of 2026 gave the same results).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseRule, type RuleSource, textOf } from '../../src/auth/policy/check.ts';
import { compile, RuleFault, type Target } from '../../src/auth/policy/compile.ts';
import type { Credentials } from '../../src/auth/policy/credentials.ts';
import { effectiveRules } from '../../src/auth/policy/effective.ts';

type Defaults = Readonly<Record<string, { check: string; deprecated: { name: string; check: string } | null }>>;
type Vector =
  | ['caller', name: string, credentials: Credentials]
  | ['parse', rule: RuleSource, form: string]
  | ['evaluate', rule: string, caller: string | Credentials, target: Target, answer: boolean | string]
  | ['rules', name: string, rules: Defaults]
  | [
      'override',
      rules: string,
      file: Readonly<Record<string, RuleSource>>,
      newDefaults: boolean,
      effective: Readonly<Record<string, string>>,
    ];

const vectors = readFileSync(new URL('./policy-vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);
function ofKind<Kind extends Vector[0]>(kind: Kind) {
  return vectors.filter((vector): vector is Extract<Vector, [Kind, ...unknown[]]> => vector[0] === kind);
}
const callers = new Map(ofKind('caller').map(([, name, credentials]) => [name, credentials]));
const tables = new Map(ofKind('rules').map(([, name, rules]) => [name, rules]));

const refused = 'refused when it is loaded';
/** Where oslo.policy fails with an exception for each request; here the rule is refused, or what it cannot compare is never equal. */
const differences = new Map<string, string | boolean>([
  ['project_id:%(x', refused],
  ['project_id:%d', refused],
  ['project_id:%', refused],
  ['project_id:%(project_id)d', refused],
  ['1a:x', refused],
  ['user_id.more:x', refused],
  // A path through a text; no caller has a credential `token`.
  ['token.project.id.more:x', false],
]);
/** Python prints 20.0 as such, but JSON does not distinguish it from 20; no target has numbers. */
const isWrittenWithPoint = (target: Target) => target.n === 20;

const rules = { yes: true, no: false } as Readonly<Record<string, boolean>>;

function decide(rule: string, credentials: Credentials, target: Target): boolean | string {
  try {
    const find = (name: string) => (name in rules ? () => rules[name] === true : null);
    return compile(parseRule(rule).check, { find, warn() {} })(credentials, target);
  } catch (error) {
    if (error instanceof RuleFault) return refused;
    throw error;
  }
}

describe('as in oslo.policy', () => {
  test('all recorded vectors are present', () => {
    expect((['parse', 'evaluate', 'override'] as const).map((kind) => ofKind(kind).length)).toEqual([213, 237, 40]);
  });

  test.each(ofKind('parse'))('%s: %j is read as %s', (_, rule, form) => {
    expect(textOf(parseRule(rule).check)).toBe(form);
  });

  test('rules decide', () => {
    const wrong = ofKind('evaluate').filter(([, rule, caller, target, answer]) => {
      const credentials = typeof caller === 'string' ? callers.get(caller) : caller;
      const expected = typeof answer === 'string' ? differences.get(rule) : answer;
      return decide(rule, credentials ?? {}, target) !== expected && !isWrittenWithPoint(target);
    });
    expect(wrong).toEqual([]);
  });

  test('the only differences are rules for which it would fail with an exception', () => {
    const failing = ofKind('evaluate').filter(([, , , , answer]) => typeof answer === 'string');
    expect(new Set(failing.map(([, rule]) => rule))).toEqual(new Set(differences.keys()));
  });

  test.each(ofKind('override'))(
    '%s: of the defaults %s, the file %j leaves, with only new defaults %j',
    (_, table, file, newDefaults, expected) => {
      const defaults = Object.entries(tables.get(table) ?? {}).map(
        ([name, { check, deprecated }]) =>
          [name, { check, scopes: null, description: '', operations: [], ...(deprecated && { older: deprecated }) }] as const,
      );
      const overrides = new Map(Object.entries(file).map(([name, source]) => [name, { source, at: 'policy.yaml:1' }]));
      const effective = effectiveRules(new Map(defaults), overrides, { enforcesNewDefaults: newDefaults });
      expect(Object.fromEntries([...effective.rules].map(([name, { check }]) => [name, textOf(check)]))).toEqual(expected);
    },
  );
});

describe('an invalid rule is reported', () => {
  test.each([
    ['role:a and', 'cannot be read'],
    ['role:a role:b', 'cannot be read'],
    ['True', 'has "True", which is not a condition'],
    ['role:a or admin', 'has "admin", which is not a condition'],
  ])('%s', (rule, fault) => {
    expect(parseRule(rule)).toEqual({ check: expect.anything(), fault: expect.stringContaining(fault) });
  });

  const load = (file: Readonly<Record<string, string>>) =>
    effectiveRules(
      new Map(),
      new Map(Object.entries(file).map(([name, source], line) => [name, { source, at: `policy.yaml:${line + 1}` }])),
      {
        enforcesNewDefaults: true,
      },
    );

  test.each<[file: Readonly<Record<string, string>>, fault: string]>([
    [{ a: 'http://decide.example/%(project_id)s' }, 'policy.yaml:1: the rule a asks another service'],
    [{ a: '@', b: 'rule:c', c: 'role:x or rule:b' }, 'policy.yaml:3: the rule c refers to itself: b -> c -> b'],
    [{ a: 'project_id:%(project_id)d' }, 'policy.yaml:1: the rule a has a "%" in "%(project_id)d" that cannot be filled'],
    [{ a: 'user_id.name:x' }, 'policy.yaml:1: the rule a looks for "user_id.name", but user_id has no parts'],
  ])('%j is refused', (file, fault) => {
    expect(() => load(file)).toThrow(fault);
  });

  test.each<[rule: string, warning: string]>([
    ['rule:missing', 'policy.yaml:1: the rule a refers to rule:missing, which does not exist, so this check never holds'],
    ['is_admin:True', 'policy.yaml:1: the rule a compares is_admin, which no caller has, so this check never holds'],
    ['role:a and', 'policy.yaml:1: the rule a cannot be read'],
  ])('%s is accepted, with a warning', (rule, warning) => {
    expect(load({ a: rule }).warnings).toEqual([expect.stringContaining(warning)]);
  });
});
