// No text makes a regular expression take long: none has an unbounded repetition within an unbounded repetition, unless each repetition begins with a
// character that ends the previous one. Those few are listed here with that character; consider it when you add one.
import { expect, test } from 'vitest';
import { readSourceFiles } from '../support/source-files.ts';

/** Comments, strings and regular expressions, so that one within another is not mistaken for it. */
const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[=(,:[!&|?{};>]\s*|\breturn\s+)(\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/)[dgimsuvy]*/g;

/** Repeated groups with repetitions in them, and the character that makes each text match in only one way. */
const harmless: Readonly<Record<string, string>> = {
  '(\\.[\\p{L}\\d_-]+)*': 'a dot',
  "(?:\\/[\\w\\-.~!$&'()*+,=:@%]+)*": 'a slash',
  '(?:\\.\\w+|\\[\\d+\\])*': 'a dot or a bracket',
};

/** The groups of an expression that are repeated without bound and contain an unbounded repetition. */
function nestedRepetitions(expression: string): string[] {
  const found: string[] = [];
  /** For each open group, where it begins and whether it contains an unbounded repetition. */
  const open: { readonly from: number; repeats: boolean }[] = [{ from: 0, repeats: false }];
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at];
    const here = open.at(-1) as (typeof open)[number];
    if (character === '\\') at += 1;
    else if (character === '[') at = endOfClass(expression, at);
    else if (character === '(') open.push({ from: at, repeats: false });
    else if (character === ')') {
      const { from, repeats } = open.pop() as (typeof open)[number];
      const quantifier = /^(?:[*+]|\{\d+,\})/.exec(expression.slice(at + 1))?.[0] ?? '';
      if (repeats && quantifier !== '') found.push(expression.slice(from, at + 1 + quantifier.length));
      const outer = open.at(-1) as (typeof open)[number];
      outer.repeats ||= repeats || quantifier !== '';
    } else if (/^(?:[*+]|\{\d+,\})/.test(expression.slice(at))) here.repeats = true;
  }
  return found;
}

function endOfClass(expression: string, from: number): number {
  let at = from + 1;
  while (at < expression.length && expression[at] !== ']') at += expression[at] === '\\' ? 2 : 1;
  return at;
}

const expressionsIn = (text: string) => [...text.matchAll(token)].flatMap(([, expression]) => expression ?? []);

test('no expression of the program has one', () => {
  const all = readSourceFiles()
    .filter(({ path }) => /^src\/.*\.tsx?$/.test(path) && !path.endsWith('.generated.ts'))
    .flatMap(({ path, text }) => expressionsIn(text).map((expression) => ({ path, expression })));
  expect(all.length).toBeGreaterThan(100);
  const nested = all.flatMap(({ path, expression }) => nestedRepetitions(expression).map((group) => ({ path, group })));
  expect(nested.filter(({ group }) => harmless[group] === undefined)).toEqual([]);
  expect(new Set(nested.map(({ group }) => group))).toEqual(new Set(Object.keys(harmless)));
});

test.each([
  ['/^(a+)+$/', ['(a+)+']],
  ['/^((?:a|b*)c?)*$/', ['((?:a|b*)c?)*']],
  ['/(x{2,})*y/', ['(x{2,})*']],
  ['/((a*)b){3,}/', ['((a*)b){3,}']],
  ['/^[(a+)+]*(b{2}){0,9}\\(a+\\)+$/', []],
  ['/^(a+){2}(b|c)*$/', []],
])('a nested repetition is detected: %s', (expression, groups) => {
  expect(expressionsIn(`const one = ${expression}; // /(a+)+/`)).toEqual([expression]);
  expect(nestedRepetitions(expression)).toEqual(groups);
});
