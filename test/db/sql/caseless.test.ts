// Searching names, ignoring case: Postgres and JavaScript find the same, whatever the locale of the database and the letters of the names.
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { containsText, startsWithText } from '../../../src/db/sql/caseless.ts';
import { containing, startingWith } from '../../../src/domain/caseless.ts';
import { listProviders } from '../../../src/operations/providers/providers.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed } from '../../support/seed.ts';

const database = useDatabase();
const names = ['MÜNCHEN-1', 'münchen-2', 'Straße', 'ΟΔΟΣ', 'İzmir', 'a^b[c]', '𐐀'];
beforeAll(async () => {
  const seed = createSeed(database.db);
  for (const name of names) await seed.provider(name);
});

/** Letters whose case differs between locales and libraries, and all characters with a meaning in patterns. */
const characters = [...'AaKk1-_ÜüßẞİıſΣσςǅ\u212a\u0307𐐀𐐨🦆^$.*+?()[]{}|\\/%&~\n\t '];
/** Names and the texts searched for in them, of a few characters, so that there are many matches. */
const search = fc.subarray(characters, { minLength: 3, maxLength: 6 }).chain((few) => {
  const text = fc.string({ unit: fc.constantFrom(...few), minLength: 1, maxLength: 4 });
  return fc.record({
    some: fc.array(text, { minLength: 40, maxLength: 40 }),
    sought: fc.array(text, { minLength: 8, maxLength: 8 }),
  });
});

test('Postgres and memory find any text in the same names', async () => {
  const count = { found: 0, missed: 0 };
  await fc.assert(
    fc.asyncProperty(search, async ({ some, sought }) => {
      for (const one of sought) {
        const [contained, started] = [containsText(sql`x.name`, one), startsWithText(sql`x.name`, one)];
        const [row] = await database.db.orm.execute<{ contained: boolean[]; started: boolean[] }>(sql`
          select json_agg(${contained} order by x.place) as contained, json_agg(${started} order by x.place) as started
          from unnest(${sql.param(some)}::text[]) with ordinality x (name, place)`);
        expect(row, JSON.stringify([one, some])).toEqual({ contained: some.map(containing(one)), started: some.map(startingWith(one)) });
        for (const isFound of row?.contained ?? []) count[isFound ? 'found' : 'missed']++;
      }
    }),
    { numRuns: 30 },
  );
  expect(Math.min(count.found, count.missed)).toBeGreaterThan(200);
});

describe.each([
  ['Postgres', {}],
  ['the forest', { scope: 'TREE', overCapacity: false }],
] as const)('asked of %s', (_, filter) => {
  test.each([
    ['münchen', 'MÜNCHEN-1 münchen-2'],
    ['MÜN', 'MÜNCHEN-1 münchen-2'],
    ['straß', 'Straße'],
    ['οδ', 'ΟΔΟΣ'],
    ['IZMIR', ''],
    ['izmir', ''],
    ['B[', 'a^b[c]'],
    ['𐐨', '𐐀'],
  ])('%s is part of %j', async (nameContains, expected) => {
    const { rows } = await listProviders(scopeOf(database.db), { filter: { ...filter, nameContains } });
    expect(rows.map(({ name }) => name).join(' ')).toBe(expected);
  });
});
