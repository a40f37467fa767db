// Pages of a list in any order: for all keys, directions, ties and missing values, the pages in either direction make up the sorted list.
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { integerKey, type KeysetKey, momentKey, numberKey, pageOf, textKey, totalOrder } from '../../../src/db/sql/keyset.ts';
import { limits } from '../../../src/domain/limits.ts';
import type { Page, PageArguments, Sorted } from '../../../src/domain/page.ts';
import { listPage } from '../../../src/operations/request/list-page.ts';
import { useDatabase } from '../../support/database.ts';
import { sampled } from '../../support/profile.ts';

const database = useDatabase();

interface Row {
  readonly id: number;
  readonly word: string | null;
  readonly ratio: number | null;
  readonly amount: number;
  /** Microseconds. */
  readonly at: number;
  readonly name: string;
}

const sortable = {
  word: (descending: boolean) => textKey(sql`r.word`, descending, { nullable: true }),
  ratio: (descending: boolean) => numberKey(sql`r.ratio`, descending, { nullable: true }),
  amount: (descending: boolean) => integerKey(sql`r.amount`, descending),
  at: (descending: boolean) => momentKey(sql`r.at`, descending),
  name: (descending: boolean) => textKey(sql`r.name`, descending, { unique: true }),
} satisfies Record<string, (descending: boolean) => KeysetKey>;

interface Key {
  readonly by: keyof typeof sortable;
  readonly descending: boolean;
}

/** Few values, so that there are ties. */
const someRows = fc
  .array(
    fc.record({
      word: fc.constantFrom(null, 'a', 'b', 'c'),
      ratio: fc.constantFrom(null, 0, 1 / 3, 1e-9),
      amount: fc.constantFrom(-1, 7, 2 ** 40),
      at: fc.constantFrom(1_750_000_000_123_456, 1_750_000_000_123_457),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows): Row[] => rows.map((row, index) => ({ ...row, id: index + 1, name: `n${(index * 7) % 13}` })));

const someOrder = fc.uniqueArray(
  fc.record({ by: fc.constantFrom(...(Object.keys(sortable) as (keyof typeof sortable)[])), descending: fc.boolean() }),
  { selector: ({ by }) => by, maxLength: limits.orderKeys },
);

function sorted(rows: readonly Row[], order: readonly Key[]): Row[] {
  const tiesDescend = order.at(-1)?.by === 'at' && order.at(-1)?.descending;
  return rows.toSorted((one, other) => {
    for (const { by, descending } of order) {
      const [a, b] = [one[by], other[by]];
      if (a === b) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b === descending ? 1 : -1;
    }
    return tiesDescend ? other.id - one.id : one.id - other.id;
  });
}

function list(rows: readonly Row[], order: readonly Key[], args: PageArguments): Promise<Page<{ readonly id: number }>> {
  const keys = totalOrder(
    order.map(({ by, descending }) => sortable[by](descending)),
    sql`r.id`,
  );
  const from = sql`(
    select id, word, ratio, amount, timestamptz 'epoch' + micros * interval '1 microsecond' as at, name
    from jsonb_to_recordset(${JSON.stringify(rows.map(({ at, ...row }) => ({ ...row, micros: at })))}::jsonb)
      as given(id bigint, word text, ratio float8, amount bigint, micros float8, name text)) r`;
  return listPage(args, {
    name: JSON.stringify(order),
    order: keys,
    select: (page) =>
      database.db.orm.execute<Sorted<{ id: number }> & Record<string, unknown>>(
        pageOf({ columns: sql`r.id::float8 as id`, from, where: [], order: keys }, page),
      ),
    count: () => Promise.resolve(rows.length),
  });
}

test('in any order of up to five keys, pages forward and backward are exactly the sorted list', async () => {
  await fc.assert(
    fc.asyncProperty(someRows, someOrder, fc.integer({ min: 1, max: 4 }), async (rows, order, size) => {
      const expected = sorted(rows, order).map(({ id }) => id);
      const forward: number[] = [];
      for (let after: string | undefined; ; ) {
        const page = await list(rows, order, { first: size, after });
        forward.push(...page.rows.map(({ id }) => id));
        expect(page.hasNextPage).toBe(forward.length < expected.length);
        if (!page.hasNextPage) break;
        after = page.cursors.at(-1);
      }
      expect(forward).toEqual(expected);
      const backward: number[] = [];
      for (let before: string | undefined; ; ) {
        const page = await list(rows, order, { last: size, before });
        backward.unshift(...page.rows.map(({ id }) => id));
        expect(page.hasPreviousPage).toBe(backward.length < expected.length);
        if (!page.hasPreviousPage) break;
        before = page.cursors[0];
      }
      expect(backward).toEqual(expected);
    }),
    { numRuns: sampled(150) },
  );
});

test('a cursor of another order is refused, as is one whose values do not match its order', async () => {
  const rows: Row[] = [{ id: 1, word: null, ratio: 0, amount: 1, at: 1, name: 'n' }];
  const [byWord, byAmount]: Key[] = [
    { by: 'word', descending: false },
    { by: 'amount', descending: false },
  ];
  const page = await list(rows, [byWord, byAmount] as Key[], {});
  const refused = 'after is not a cursor of this list in this order';
  await expect(list(rows, [byAmount, byWord] as Key[], { after: page.cursors[0] })).rejects.toThrow(refused);
  const forged = (...key: unknown[]) => Buffer.from(JSON.stringify([1, JSON.stringify([byWord, byAmount]), ...key])).toString('base64url');
  expect((await list(rows, [byWord, byAmount] as Key[], { after: forged(null, 0, 0) })).rows).toHaveLength(1);
  for (const key of [
    [null, 0],
    [null, 0, 0, 0],
    [null, null, 0],
    [1, 0, 0],
    ['a', 0.5, 0],
    ['a', 0, '0'],
    ['\0', 0, 0],
  ]) {
    await expect(list(rows, [byWord, byAmount] as Key[], { after: forged(...key) })).rejects.toThrow(refused);
  }
});

test('a cursor with the longest names works', async () => {
  const longest = '\u{1f600}'.repeat(limits.vocabularyLength);
  const rows: Row[] = [1, 2].map((id) => ({
    id,
    word: longest,
    ratio: 1 / 3,
    amount: 2 ** 53 - 1,
    at: 1_750_000_000_123_456,
    name: `${longest}${id}`,
  }));
  const order: Key[] = (['word', 'ratio', 'amount', 'at', 'name'] as const).map((by) => ({ by, descending: false }));
  const page = await list(rows, order, { first: 1 });
  expect((await list(rows, order, { after: page.cursors[0] })).rows).toMatchObject([{ id: 2 }]);
});
