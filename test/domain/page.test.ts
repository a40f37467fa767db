// Pages of lists, apart from the rows that they are read from: test/operations/request/list-page.test.ts has those.
import { expect, test } from 'vitest';
import { withRows } from '../../src/domain/page.ts';

test('a page with other rows has the cursors of the first one, and renders none before it is asked', () => {
  let rendered = 0;
  const page = {
    rows: [1, 2],
    get cursors() {
      rendered++;
      return ['a', 'b'];
    },
    hasNextPage: true,
    hasPreviousPage: false,
    countAll: async () => 2,
  };
  const other = withRows(page, ['one', 'two']);
  expect([other.rows, other.hasNextPage, rendered]).toEqual([['one', 'two'], true, 0]);
  expect(other.cursors).toEqual(['a', 'b']);
});
