// The rules in effect: defaults, their replacements from files, and the older defaults that are still allowed; each compiled, and with its origin.
import { type Check, parseRule, type RuleSource, textOf } from './check.ts';
import { compile, type Decide, RuleFault } from './compile.ts';
import type { RuleDefault } from './rule-default.ts';
import { compileTrees, type DecideTrees, treesRule } from './trees-rule.ts';

/** A rule of a file. */
export interface Override {
  readonly source: RuleSource;
  /** The file and the line. */
  readonly at: string;
}

/** The origin of a check: the code, the code with its older default, or a file. */
export type Origin = 'default' | 'default or older default' | { readonly at: string; readonly under: string };

export interface EffectiveRule extends Pick<RuleDefault, 'scopes' | 'description' | 'operations'> {
  readonly name: string;
  readonly check: Check;
  readonly origin: Origin;
  readonly decide: Decide;
}

/** Rules in effect, and what an operator should know about them. */
export interface EffectiveRules {
  readonly rules: ReadonlyMap<string, EffectiveRule>;
  /** The rule about trees, as far as it can be decided before a write. */
  readonly decideTrees: DecideTrees;
  readonly warnings: readonly string[];
}

/** Rules of a file that cannot be applied; the message names the file and the line. */
export class PolicyFault extends Error {}

/** The rule for `rule:` with an unknown name, if a file has it. */
const lastResort = 'default';

/** Throws PolicyFault. */
export function effectiveRules(
  defaults: ReadonlyMap<string, RuleDefault>,
  overrides: ReadonlyMap<string, Override>,
  { enforcesNewDefaults }: { readonly enforcesNewDefaults: boolean },
): EffectiveRules {
  const warnings: string[] = [];
  const chosen = new Map<string, Omit<EffectiveRule, 'decide'>>();
  for (const [name, rule] of defaults) {
    const { scopes, description, operations } = rule;
    chosen.set(name, { name, scopes, description, operations, ...checkOf(name, rule, overrides, enforcesNewDefaults) });
  }
  for (const [name, { source, at }] of overrides) {
    const { check, fault } = parseRule(source);
    if (fault !== null) warnings.push(`${at}: the rule ${name} ${fault}`);
    if (!chosen.has(name)) {
      chosen.set(name, { name, check, scopes: null, description: '', operations: [], origin: { at, under: name } });
    }
  }
  const rules = compileAll(chosen, warnings);
  const findCheck = (name: string) => (rules.get(name) ?? rules.get(lastResort))?.check ?? null;
  const trees = rules.get(treesRule);
  const decideTrees = trees ? namingRule(trees, () => compileTrees(trees.check, findCheck)) : () => false;
  return { rules, decideTrees, warnings };
}

function checkOf(
  name: string,
  { check, older }: RuleDefault,
  overrides: ReadonlyMap<string, Override>,
  enforcesNewDefaults: boolean,
): Pick<EffectiveRule, 'check' | 'origin'> {
  const own = overrides.get(name);
  if (own) return { check: parseRule(own.source).check, origin: { at: own.at, under: name } };
  const parsed = parseRule(check).check;
  if (!older) return { check: parsed, origin: 'default' };
  const former = overrides.get(older.name);
  if (former) {
    const replacement = parseRule(former.source).check;
    // Otherwise the old name is only an alias of the new one.
    if (textOf(replacement) !== `rule:${name}`) return { check: replacement, origin: { at: former.at, under: older.name } };
  }
  if (enforcesNewDefaults || older.check === check) return { check: parsed, origin: 'default' };
  return { check: { kind: 'or', of: [parsed, parseRule(older.check).check] }, origin: 'default or older default' };
}

function compileAll(chosen: ReadonlyMap<string, Omit<EffectiveRule, 'decide'>>, warnings: string[]): ReadonlyMap<string, EffectiveRule> {
  const compiled = new Map<string, Decide>();
  const inWork: string[] = [];
  const find = (name: string): Decide | null => {
    const known = compiled.get(name);
    if (known) return known;
    const rule = chosen.get(name) ?? chosen.get(lastResort);
    if (!rule) return null;
    if (inWork.includes(rule.name)) throw new RuleFault(`refers to itself: ${[...inWork, rule.name].join(' -> ')}`);
    inWork.push(rule.name);
    const decide = compileRule(rule, find, warnings);
    inWork.pop();
    compiled.set(rule.name, decide);
    return decide;
  };
  return new Map([...chosen].map(([name, rule]) => [name, { ...rule, decide: find(name) ?? (() => false) }]));
}

function compileRule(rule: Omit<EffectiveRule, 'decide'>, find: (name: string) => Decide | null, warnings: string[]): Decide {
  const warn = (message: string) => warnings.push(`${placeOf(rule)}the rule ${rule.name} ${message}`);
  return namingRule(rule, () => compile(rule.check, { find, warn }));
}

function namingRule<Result>(rule: Pick<EffectiveRule, 'name' | 'origin'>, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof RuleFault) throw new PolicyFault(`${placeOf(rule)}the rule ${rule.name} ${error.message}`);
    throw error;
  }
}

function placeOf({ origin }: Pick<EffectiveRule, 'origin'>): string {
  return typeof origin === 'string' ? '' : `${origin.at}: `;
}
