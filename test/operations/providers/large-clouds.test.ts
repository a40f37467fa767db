// Filters of trees in a cloud of thousands of providers, where the ids of matches are sent to Postgres as a bit set.
import { beforeAll, expect, test } from 'vitest';
import { forestOf } from '../../../src/operations/forest/forest.ts';
import type { ProviderFilterInput } from '../../../src/operations/loaders/provider-filter.ts';
import { sumCapacity } from '../../../src/operations/providers/inventories.ts';
import { listProviders } from '../../../src/operations/providers/providers.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';

const database = useDatabase();
const hosts = 3000;

beforeAll(async () => {
  // Hosts with one child each; every third child has VCPU. By plain SQL, because writes of so many would take minutes.
  await database.own`
    insert into resource_providers (id, uuid, name, generation, parent_provider_id, root_provider_id) overriding system value
    select 1000 + n, gen_random_uuid(), 'p' || lpad(n::text, 5, '0'), 0, case when n % 2 = 1 then 999 + n end, 1000 + n - n % 2
    from generate_series(0, ${2 * hosts - 1}::int) n`;
  await database.own`
    insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
    select 1000 + n, 0, 4, 0, 1, 4, 1, 1 from generate_series(1, ${2 * hosts - 1}::int, 6) n`;
  await forestOf(database.db).current();
});

const numbersMatching = (isMatch: (number: number) => boolean) =>
  Array.from({ length: 2 * hosts }, (_, number) => number)
    .filter(isMatch)
    .map((number) => `p${String(number).padStart(5, '0')}`);

const found: [words: string, filter: ProviderFilterInput, isMatch: (number: number) => boolean][] = [
  ['a third of all trees', { scope: 'TREE', resourceClasses: ['VCPU'] }, (number) => number % 6 < 2],
  ['all others', { not: { scope: 'TREE', resourceClasses: ['VCPU'] } }, (number) => number % 6 >= 2],
  ['roots of them', { scope: 'TREE', isRoot: true, fits: [{ resourceClass: 'VCPU', amount: 4 }] }, (number) => number % 6 === 0],
  ['everything', { scope: 'TREE', hasConsumers: false }, () => true],
  ['nothing', { scope: 'TREE', hasConsumers: true }, () => false],
  ['many groups', { or: Array.from({ length: 49 }, () => ({ scope: 'TREE', resourceClasses: ['VCPU'] })) }, (number) => number % 6 < 2],
];

test.each(found)('%s', async (_words, filter, isMatch) => {
  const expected = numbersMatching(isMatch);
  const names: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listProviders(scopeOf(database.db), { filter, first: 1000, after });
    names.push(...page.rows.map(({ name }) => name));
    after = page.cursors.at(-1);
    if (!page.hasNextPage) {
      expect(await page.countAll()).toBe(expected.length);
      break;
    }
  }
  expect(names).toEqual(expected);
  const { own } = await sumCapacity(scopeOf(database.db), filter);
  expect(own.reduce((sum, { total }) => sum + total, 0)).toBe(4 * expected.filter((name) => Number(name.slice(1)) % 6 === 1).length);
});
