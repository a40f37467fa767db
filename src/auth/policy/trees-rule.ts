// The rule about trees: which trees a caller may write to, in addition to the rule of what it does. The rule decides about the root of each provider that a
// write touches. Before the write only the caller is known, so only a part can be decided; the rest is a condition on roots that accompanies the write.
import type { RootCondition } from '../../domain/root-condition.ts';
import type { Check } from './check.ts';
import { compile, literalOf, placeholder, pythonText, RuleFault, type Target } from './compile.ts';
import type { Credentials } from './credentials.ts';
import type { RuleDefault } from './rule-default.ts';

export const treesRule = 'placement:trees:write';

export const treesRules: Readonly<Record<typeof treesRule, RuleDefault>> = {
  [treesRule]: {
    check: '@',
    scopes: null,
    description:
      'Write to a tree, in addition to the rule of what is written: to its providers, their allocations, and what a host reports about itself. Decides about the root of the tree (`root_name`, `root_uuid`, `root_traits`). A caller that may not write to all trees can only add names of traits and classes, not change them.',
    operations: [],
  },
};

/** What remains of a rule once the caller is known. */
type Rest = boolean | RootCondition;

/** Decides as much of a rule as possible. */
export type DecideTrees = (credentials: Credentials, target: Target) => Rest;

/** The facts about a root that a rule can compare, and the condition that each becomes. */
const asked: Readonly<Record<string, (value: string) => RootCondition>> = {
  root_name: (name) => ({ name }),
  root_uuid: (uuid) => ({ uuid: uuid.toLowerCase() }),
  root_traits: (trait) => ({ trait }),
};

/** Throws RuleFault. `findCheck` finds the check behind `rule:`; rules do not refer to themselves. */
export function compileTrees(check: Check, findCheck: (name: string) => Check | null): DecideTrees {
  switch (check.kind) {
    case 'always':
      return () => true;
    case 'never':
      return () => false;
    case 'not': {
      const decide = compileTrees(check.of, findCheck);
      return (credentials, target) => opposite(decide(credentials, target));
    }
    case 'match': {
      if (check.left !== 'rule') return compileMatch(check.left, check.right);
      const referred = findCheck(check.right);
      return referred ? compileTrees(referred, findCheck) : () => false;
    }
    default: {
      const parts = check.of.map((part) => compileTrees(part, findCheck));
      const join = check.kind === 'and' ? allOf : anyOf;
      return (credentials, target) => join(parts.map((decide) => decide(credentials, target)));
    }
  }
}

function compileMatch(left: string, right: string): DecideTrees {
  const names = [...right.matchAll(placeholder)].flatMap(({ groups }) => groups?.name ?? []).filter((name) => Object.hasOwn(asked, name));
  const [name] = names;
  const conditionOf = name === undefined ? undefined : asked[name];
  if (name === undefined || !conditionOf) return compile({ kind: 'match', left, right }, { find: () => null, warn() {} });
  const text = JSON.stringify(right);
  if (names.length > 1) throw new RuleFault(`asks for several things of a root in ${text}: write conditions with "and" between them`);
  if (left === 'role') throw new RuleFault(`compares a role with ${text}: write roles:${right}, where the case counts`);
  const [before = '', after = ''] = right.split(`%(${name})s`);
  const literal = literalOf(left);
  return (credentials, target) => {
    const [prefix, suffix] = [fill(before, target), fill(after, target)];
    if (prefix === null || suffix === null) return false;
    const values = literal === null ? valuesAt(credentials, left.split('.')) : [literal];
    return anyOf(
      values
        .filter((value) => value.length > prefix.length + suffix.length && value.startsWith(prefix) && value.endsWith(suffix))
        .map((value) => conditionOf(value.slice(prefix.length, value.length - suffix.length))),
    );
  };
}

/** The template filled from a target; null if the target lacks a value. */
function fill(template: string, target: Target): string | null {
  let isComplete = true;
  const filled = template.replaceAll(placeholder, (_, name: string | undefined) => {
    const value = name === undefined ? '%' : target[name];
    if (value === undefined) isComplete = false;
    return pythonText(value);
  });
  return isComplete ? filled : null;
}

/** The texts at a path, including all elements of lists on the way and at its end. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  const [name, ...rest] = path;
  if (name === undefined) return [pythonText(value)];
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? valuesAt((value as Credentials)[name], rest) : [];
}

function opposite(rest: Rest): Rest {
  return typeof rest === 'boolean' ? !rest : { not: rest };
}

function anyOf(parts: readonly Rest[]): Rest {
  if (parts.includes(true)) return true;
  const [first, ...others] = parts.filter((part) => typeof part !== 'boolean');
  if (!first) return false;
  return others.length === 0 ? first : { any: [first, ...others] };
}

function allOf(parts: readonly Rest[]): Rest {
  if (parts.includes(false)) return false;
  const [first, ...others] = parts.filter((part) => typeof part !== 'boolean');
  if (!first) return true;
  return others.length === 0 ? first : { all: [first, ...others] };
}
