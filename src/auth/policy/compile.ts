// Compiles the tree of a rule to a function once, so that a decision costs no more than its comparisons. Rules for which oslo.policy would throw an exception
// at a request are refused here, before any request.
import type { Check } from './check.ts';
import { type Credentials, credentialNames } from './credentials.ts';

/** What a rule decides about, by the names in its `%(name)s`. Only values that a rule names are read, so they may be getters. One element of a list must match. */
export type Target = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export type Decide = (credentials: Credentials, target: Target) => boolean;

/** A rule that cannot be applied; the message follows the name of the rule. */
export class RuleFault extends Error {}

/** What compiling needs from the other rules. */
export interface OtherRules {
  /** The decision of another rule; null for an unknown name. Called when the rule is compiled. */
  find(name: string): Decide | null;
  /** Reports a check that never holds, which is probably a mistake. */
  warn(message: string): void;
}

const yes: Decide = () => true;
const no: Decide = () => false;

/** Throws RuleFault. */
export function compile(check: Check, others: OtherRules): Decide {
  switch (check.kind) {
    case 'always':
      return yes;
    case 'never':
      return no;
    case 'not': {
      const decide = compile(check.of, others);
      return (credentials, target) => !decide(credentials, target);
    }
    case 'match':
      return compileMatch(check.left, check.right, others);
    default: {
      const parts = check.of.map((part) => compile(part, others));
      return check.kind === 'and'
        ? (credentials, target) => parts.every((decide) => decide(credentials, target))
        : (credentials, target) => parts.some((decide) => decide(credentials, target));
    }
  }
}

function compileMatch(left: string, right: string, others: OtherRules): Decide {
  if (left === 'rule') return others.find(right) ?? missing(right, others);
  if (left === 'http' || left === 'https') {
    throw new RuleFault(`asks another service (${left}:${right}), which is not supported: decide by roles and credentials`);
  }
  if (right.includes(lists)) {
    const decide = compileFilled(left, right, others);
    return (credentials, target) => {
      const { root_traits: traits } = target;
      return Array.isArray(traits) && traits.some((root_traits: string) => decide(credentials, { ...target, root_traits }));
    };
  }
  return compileFilled(left, right, others);
}

/** The only list in targets. */
const lists = '%(root_traits)s';

function compileFilled(left: string, right: string, others: OtherRules): Decide {
  const fill = compileTemplate(right);
  if (left === 'role') return compileRole(fill);
  const literal = literalOf(left);
  if (literal !== null) {
    return (_credentials, target) => fill(target) === literal;
  }
  return compilePath(left, fill, others);
}

function missing(name: string, others: OtherRules): Decide {
  others.warn(`refers to rule:${name}, which does not exist, so this check never holds`);
  return no;
}

function compileRole(fill: Fill): Decide {
  const lower = (target: Target) => fill(target)?.toLowerCase();
  const constant = fill.isConstant ? lower({}) : undefined;
  return ({ roles }, target) => {
    const wanted = constant ?? lower(target);
    if (wanted === undefined || !Array.isArray(roles)) return false;
    return roles.includes(wanted) || roles.some((role: string) => role.toLowerCase() === wanted);
  };
}

function compilePath(left: string, fill: Fill, others: OtherRules): Decide {
  const path = left.split('.');
  const [first = ''] = path;
  if (!credentialNames.has(first)) others.warn(`compares ${first}, which no caller has, so this check never holds`);
  else if (path.length > 1) throw new RuleFault(`looks for ${JSON.stringify(left)}, but ${first} has no parts`);
  return (credentials, target) => {
    const wanted = fill(target);
    return wanted !== null && isAt(credentials, path, wanted);
  };
}

/** Whether the value at the path is this text. For a list on the way or at its end, one matching element is enough. */
function isAt(value: unknown, path: readonly string[], wanted: string): boolean {
  if (Array.isArray(value)) return value.some((each) => isAt(each, path, wanted));
  const [name, ...rest] = path;
  if (name === undefined) return pythonText(value) === wanted;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) && isAt((value as Credentials)[name], rest, wanted);
}

/** The right side, filled from a target; null if the target lacks a value. */
interface Fill {
  (target: Target): string | null;
  readonly isConstant?: boolean;
}

/** `%(name)s`, a doubled `%`, or `%s`, which stands for the whole target. */
export const placeholder = /%\((?<name>[^()]*)\)s|%(?<sign>[%s])/g;

function compileTemplate(right: string): Fill {
  if (right.replaceAll(placeholder, '').includes('%')) {
    throw new RuleFault(`has a "%" in ${JSON.stringify(right)} that cannot be filled: write %(name)s, or %% for the sign itself`);
  }
  const [only] = [...right.matchAll(placeholder)];
  if (!only) return Object.assign(() => right, { isConstant: true });
  if (only[0] === right && only.groups?.name !== undefined) return fillFrom(only.groups.name);
  return (target) => {
    let isComplete = true;
    const filled = right.replaceAll(placeholder, (_, name: string | undefined, sign: string | undefined) => {
      if (sign === '%') return '%';
      // `%s` would be the whole target as Python prints it, which equals nothing.
      const value = name === undefined ? null : fillFrom(name)(target);
      if (value === null) isComplete = false;
      return value ?? '';
    });
    return isComplete ? filled : null;
  };
}

function fillFrom(name: string): Fill {
  return (target) => {
    const value = target[name];
    return value === undefined ? null : pythonText(value);
  };
}

/** A value as Python's `str` writes it: rules compare these texts. */
export function pythonText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}

const word = /^[\p{L}_][\p{L}\d_-]*(\.[\p{L}\d_-]+)*$/u;
const wholeNumber = /^-?(0|[1-9]\d*)$/;
const quoted = /^(?:'([^'\\]*)'|"([^"\\]*)")$/;

/** The text of a left side that is a literal of Python; null for the name of a credential. Throws RuleFault for anything else. */
export function literalOf(left: string): string | null {
  if (left === 'True' || left === 'False' || left === 'None' || wholeNumber.test(left)) return left;
  const [, single, double] = quoted.exec(left) ?? [];
  if (single !== undefined || double !== undefined) return single ?? double ?? '';
  if (/^\[.*\]$/.test(left)) return `[${left.slice(1, -1).split(',').filter(Boolean).map(listed).join(', ')}]`;
  if (word.test(left)) return null;
  throw new RuleFault(
    `has ${JSON.stringify(left)} before a colon, which is neither the name of a credential nor a text in quotes nor a whole number`,
  );
}

function listed(item: string): string {
  const text = literalOf(item);
  if (text === null) throw new RuleFault(`has ${JSON.stringify(item)} in a list: write texts in quotes`);
  return quoted.test(item) ? `'${text}'` : text;
}
