// docs/reliability.md names tests that there are, by their titles, and numbers that stand in them.
import { expect, test } from 'vitest';
import { faultsOf, type NamedTest, readFile } from '../support/named-tests.ts';

const page = readFile('docs/reliability.md');

interface Shown extends NamedTest {
  readonly goal: string;
}

/** The lines that name a test, with the goals above them. */
function shownIn(text: string): Shown[] {
  return text.split(/^## /m).flatMap((part) => {
    const goal = /^(R\d+)\. /.exec(part)?.[1] ?? '';
    return [...part.matchAll(/^- `(test\/[^`]+)`: \*(.+?)\*(?: \((.+)\))?$/gm)].map(([, file = '', title = '', count = '']) => ({
      ...{ goal, file, title, count },
    }));
  });
}

test('each goal, R1 to R18, is shown by tests that there are', () => {
  const shown = shownIn(page);
  expect([...new Set(shown.map(({ goal }) => goal))]).toEqual(Array.from({ length: 18 }, (_, index) => `R${index + 1}`));
  expect(shown.length).toBe(page.match(/^- /gm)?.length);
  expect(shown.flatMap(faultsOf)).toEqual([]);
});

test('each goal has a count', () => {
  const counted = new Set(shownIn(page).flatMap(({ goal, count }) => (count === '' ? [] : [goal])));
  expect(counted.size).toBe(18);
});

test('a test that is not there, and a number that is not so, are noticed', () => {
  // A number that does not stand in this file as it is.
  const number = 90_000 + 8_766;
  const text = `## R1. A goal\n\n- \`test/none.test.ts\`: *a*\n- \`test/docs/reliability.test.ts\`: *no such title* (${number} cases)\n`;
  expect(shownIn(text).flatMap(faultsOf)).toEqual([
    'test/none.test.ts is not there',
    'test/docs/reliability.test.ts has no test: no such title',
    `test/docs/reliability.test.ts has no ${number}, told of: no such title`,
  ]);
});
