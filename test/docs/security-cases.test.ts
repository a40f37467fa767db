// docs/security-cases.md has each of the 68 cases once, each with an answer, and with tests that there are, or called open.
import { expect, test } from 'vitest';
import { faultsOf, type NamedTest, readFile } from '../support/named-tests.ts';

const page = readFile('docs/security-cases.md');

interface Case {
  readonly number: number;
  readonly tried: string;
  readonly answer: string;
  readonly tests: readonly NamedTest[];
  /** Parts of the last column that are neither a test nor open. */
  readonly others: readonly string[];
  readonly isOpen: boolean;
}

function casesOf(text: string): Case[] {
  const rows = [...text.matchAll(/^\| (\d+) \| (.*?) \| (.*?) \| (.*) \|$/gm)];
  return rows.map(([, number, tried = '', answer = '', shown = '']) => {
    const parts = shown.split(/; (?=`|open: )/);
    const named = parts.map((part) => /^`(test\/[^`]+)`: \*(.+)\*(?: \(.+\))?$/.exec(part));
    const tests = named.flatMap((match) => (match ? [{ file: match[1] ?? '', title: match[2] ?? '', count: '' }] : []));
    const others = parts.filter((part, index) => !named[index] && !/^open: ./.test(part));
    return { number: Number(number), tried, answer, tests, others, isOpen: parts.some((part) => part.startsWith('open: ')) };
  });
}

const faultsOfCases = (cases: readonly Case[]) =>
  cases.flatMap(({ number, tried, answer, tests, others, isOpen }) => [
    ...tests.flatMap(faultsOf).map((fault) => `${number}: ${fault}`),
    ...others.map((other) => `${number}: ${other} names no test`),
    ...(tests.length > 0 || isOpen ? [] : [`${number}: has no test`]),
    ...(tried === '' || answer === '' ? [`${number}: is not told`] : []),
  ]);

test('each of the 68 cases is there once, and the tests that it names are', () => {
  const cases = casesOf(page);
  expect(cases.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 68 }, (_, index) => index + 1));
  expect(cases.length).toBe(page.match(/^\| \d/gm)?.length);
  expect(faultsOfCases(cases)).toEqual([]);
});

test('a case without a test, and one whose test is not there, are noticed', () => {
  const title = ['no', 'such', 'title'].join(' ');
  const text = `| 1 | a | b | nothing |\n| 2 | a | b | \`test/none.test.ts\`: *x*; \`test/docs/security-cases.test.ts\`: *${title}* |\n| 3 | a | b | open: later |\n`;
  expect(faultsOfCases(casesOf(text))).toEqual([
    '1: nothing names no test',
    '1: has no test',
    '2: test/none.test.ts is not there',
    `2: test/docs/security-cases.test.ts has no test: ${title}`,
  ]);
});
