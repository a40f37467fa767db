// docs/founding-documents.md is true as far as a test can tell: every file and every test that it names is there, and it counts right. What it calls open is
// counted as open.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/founding-documents.md', root), 'utf8');
const [, promises = '', meanings = ''] = page.split(/^## .*$/m);

interface Row {
  readonly number: number;
  readonly where: string;
  readonly file: string;
  readonly title: string;
  readonly state: string;
}

function rowsOf(table: string): Row[] {
  return [...table.matchAll(/^\| (\d+) \|.*\| `([^`]+)` \| `([^`]+)`: ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, number, where = '', file = '', title = '', state = '']) => ({ number: Number(number), where, file, title, state }),
  );
}

const states = { done: /^done$/, different: /^deliberately different, because: .+\.$/, open: /^open: .+\.$/ };

test.each([
  ['promise', promises, 114],
  ['meaning', meanings, 11],
])('every %s has a row, a file and a test that are there, and a state', (_what, table, count) => {
  const rows = rowsOf(table);
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  const faults = rows.flatMap(({ number, where, file, title, state }) => [
    ...(existsSync(new URL(where, root)) ? [] : [`${number}: there is no ${where}`]),
    ...(existsSync(new URL(file, root)) && readFileSync(new URL(file, root), 'utf8').includes(title)
      ? []
      : [`${number}: ${file} has no test "${title}"`]),
    ...(Object.values(states).some((pattern) => pattern.test(state)) ? [] : [`${number}: ${state} is no state`]),
  ]);
  expect(faults).toEqual([]);
});

test('the page counts right', () => {
  const countsOf = (table: string) =>
    Object.values(states).map((pattern) => rowsOf(table).filter(({ state }) => pattern.test(state)).length);
  const [[done, different, open], others] = [countsOf(promises), countsOf(meanings)];
  expect(page).toContain(`Of 114 promises ${done} are done, ${different} deliberately different and ${open} open.`);
  expect(page).toContain(`Of 11 meanings of Nova ${others[0]} are done, ${others[1]} deliberately different and ${others[2]} open.`);
});

test('a row without its file or its test is noticed', () => {
  expect(rowsOf('| 1 | 000 | A promise | `src/none.ts` | `test/none.test.ts`: nothing | done |')).toEqual([
    { number: 1, where: 'src/none.ts', file: 'test/none.test.ts', title: 'nothing', state: 'done' },
  ]);
});
