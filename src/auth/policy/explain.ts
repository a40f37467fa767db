// Explains the decision of a rule: each of its conditions, and those of the rules that it refers to, with their results and origins.
import { type Check, textOf } from './check.ts';
import { compile, type Target } from './compile.ts';
import type { Credentials } from './credentials.ts';
import type { EffectiveRule, Origin } from './effective.ts';

/** Lines, indented by nesting. `rules` contains the rule. */
export function explain(
  rule: EffectiveRule,
  rules: ReadonlyMap<string, EffectiveRule>,
  credentials: Credentials,
  target: Target,
): readonly string[] {
  const lines: string[] = [];
  const find = (name: string) => rules.get(name)?.decide ?? rules.get('default')?.decide ?? null;
  const add = (check: Check, depth: number) => {
    const holds = compile(check, { find, warn() {} })(credentials, target);
    const referred = check.kind === 'match' && check.left === 'rule' ? rules.get(check.right) : undefined;
    lines.push(`${'  '.repeat(depth)}${holds ? 'yes' : 'no '} ${textOf(check)}${referred ? ` (${originInWords(referred.origin)})` : ''}`);
    if (referred) add(referred.check, depth + 1);
    else if (check.kind === 'not') add(check.of, depth + 1);
    else if (check.kind === 'and' || check.kind === 'or') for (const part of check.of) add(part, depth + 1);
  };
  add(rule.check, 1);
  return lines;
}

/** The origin of a rule, in words. */
export function originInWords(origin: Origin): string {
  if (origin === 'default') return origin;
  if (origin === 'default or older default') return 'default, or the older default';
  return origin.at;
}
