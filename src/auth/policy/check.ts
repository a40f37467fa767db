// The grammar of rules, which is oslo.policy's: parses the text or the list of a rule to a tree, and prints it as oslo.policy does.
// It reduces token by token, as oslo.policy does, because the meaning of the odd corners of the grammar is part of the contract.

/** A condition of a rule. A `match` compares a left side with a right one; `role:` and `rule:` are matches, too. */
export type Check =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | { readonly kind: 'not'; readonly of: Check }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Check[] }
  | { readonly kind: 'match'; readonly left: string; readonly right: string };

/** A rule as policy.yaml has it: a text, or a list of alternatives, each a text or a list of what must hold together. */
export type RuleSource = string | readonly (string | readonly string[])[];

/** The tree of a rule. A rule or a part of it that cannot be read never holds; then the rule has a fault. */
export interface ParsedRule {
  readonly check: Check;
  readonly fault: string | null;
}

const always: Check = { kind: 'always' };
const never: Check = { kind: 'never' };

export function parseRule(source: RuleSource): ParsedRule {
  return typeof source === 'string' ? parseText(source) : parseAlternatives(source);
}

/** A check as oslo.policy prints it. */
export function textOf(check: Check): string {
  switch (check.kind) {
    case 'always':
      return '@';
    case 'never':
      return '!';
    case 'not':
      return `not ${textOf(check.of)}`;
    case 'match':
      return `${check.left}:${check.right}`;
    default:
      return `(${check.of.map(textOf).join(` ${check.kind} `)})`;
  }
}

type Word = '(' | ')' | 'and' | 'or' | 'not';
/** A token, or the result of reducing tokens: `all` and `any` are conditions joined by `and` and `or`, outside of brackets. */
type Item =
  | { readonly type: Word }
  | { readonly type: 'check'; readonly check: Check }
  | { readonly type: 'all' | 'any'; readonly checks: readonly Check[] }
  | { readonly type: 'string' };

function parseText(text: string): ParsedRule {
  if (text === '') return { check: always, fault: null };
  const faults: string[] = [];
  const stack: Item[] = [];
  for (const item of itemsOf(text, faults)) {
    stack.push(item);
    while (reduce(stack));
  }
  const [only, ...others] = stack;
  const check = only && others.length === 0 ? checkOf(only) : null;
  if (check) return { check, fault: faults[0] ?? null };
  return {
    check: never,
    fault: faults[0] ?? 'cannot be read, so it denies everybody: write "and" or "or" between two conditions, and close each "(" with ")"',
  };
}

/** Brackets are recognized only at the ends of words, so that `%(project_id)s` is one word. */
function* itemsOf(text: string, faults: string[]): Generator<Item> {
  for (const word of text.split(/\s+/)) {
    if (word === '') continue;
    const opened = word.replace(/^\(+/, '');
    for (let left = word.length - opened.length; left > 0; left--) yield { type: '(' };
    if (opened === '') continue;
    const clean = opened.replace(/\)+$/, '');
    const lower = clean.toLowerCase();
    if (lower === 'and' || lower === 'or' || lower === 'not') yield { type: lower };
    else if (clean !== '') yield isQuoted(opened) ? { type: 'string' } : { type: 'check', check: parseCondition(clean, faults) };
    for (let left = opened.length - clean.length; left > 0; left--) yield { type: ')' };
  }
}

const isQuoted = (word: string): boolean => /^(".*"|'.*')$/s.test(word) && word.length > 1;

function parseCondition(word: string, faults: string[]): Check {
  if (word === '@') return always;
  if (word === '!') return never;
  const colon = word.indexOf(':');
  if (colon !== -1) return { kind: 'match', left: word.slice(0, colon), right: word.slice(colon + 1) };
  faults.push(
    `has ${JSON.stringify(word)}, which is not a condition, so it never holds: write role:NAME, rule:NAME, a comparison such as user_id:%(user_id)s, @ or !`,
  );
  return never;
}

/** Reduces the end of the stack by a rule of the grammar. False if none applies. */
function reduce(stack: Item[]): boolean {
  const [first, second, third] = [stack.at(-3), stack.at(-2), stack.at(-1)];
  if (!third) return false;
  if (second?.type === 'not' && third.type === 'check') {
    return replace(stack, 2, { type: 'check', check: { kind: 'not', of: third.check } });
  }
  if (!first || !second) return false;
  if (first.type === '(' && third.type === ')') {
    const check = checkOf(second);
    return check !== null && replace(stack, 3, { type: 'check', check });
  }
  return third.type === 'check' && join(stack, first, second.type, third.check);
}

function join(stack: Item[], first: Item, word: Item['type'], check: Check): boolean {
  if (word === 'and') {
    if (first.type === 'check') return replace(stack, 3, { type: 'all', checks: [first.check, check] });
    if (first.type === 'all') return replace(stack, 3, { type: 'all', checks: [...first.checks, check] });
    // `and` binds tighter: it takes the last alternative, which may itself be joined by `and`.
    if (first.type === 'any')
      return replace(stack, 3, { type: 'any', checks: [...first.checks.slice(0, -1), both(first.checks.at(-1), check)] });
  }
  if (word === 'or') {
    const alternatives = first.type === 'any' ? first.checks : [checkOf(first)].filter((each) => each !== null);
    if (alternatives.length > 0) return replace(stack, 3, { type: 'any', checks: [...alternatives, check] });
  }
  return false;
}

function both(one: Check | undefined, other: Check): Check {
  if (!one) return other;
  return { kind: 'and', of: one.kind === 'and' ? [...one.of, other] : [one, other] };
}

function replace(stack: Item[], count: number, item: Item): true {
  stack.splice(-count, count, item);
  return true;
}

/** The check of an item; null for a word. */
function checkOf(item: Item): Check | null {
  if (item.type === 'check') return item.check;
  if (item.type === 'all') return { kind: 'and', of: item.checks };
  return item.type === 'any' ? { kind: 'or', of: item.checks } : null;
}

/** The older way to write a rule: only conditions, without words between them. */
function parseAlternatives(source: Exclude<RuleSource, string>): ParsedRule {
  if (source.length === 0) return { check: always, fault: null };
  const faults: string[] = [];
  const alternatives = source
    .filter((each) => each.length > 0)
    .map((each): Check => {
      const [first = never, ...others] = (typeof each === 'string' ? [each] : each).map((word) => parseCondition(word, faults));
      return others.length === 0 ? first : { kind: 'and', of: [first, ...others] };
    });
  const [first = never, ...others] = alternatives;
  return { check: others.length === 0 ? first : { kind: 'or', of: alternatives }, fault: faults[0] ?? null };
}
