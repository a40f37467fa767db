// Providers by the number of consumers that have allocations on them: shown, ordered by and filtered by, with one meaning.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/domain/provider.ts';
import { countConsumersOf, listProviders, type ProviderListArguments } from '../../../src/operations/providers/providers.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const providers = ['busy', 'busy_cell', 'deep', 'idle'];

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('busy', { inventories: { VCPU: 9, MEMORY_MB: 9 } });
  await seed.provider('busy_cell', { parent: 'busy', inventories: { VCPU: 9 } });
  await seed.provider('deep', { parent: 'busy_cell', inventories: { VCPU: 9 } });
  await seed.provider('idle', { inventories: { VCPU: 9 } });
  await seed.claim('in_both', { busy: { VCPU: 1, MEMORY_MB: 1 }, busy_cell: { VCPU: 1 } });
  for (const name of ['in_cell_1', 'in_cell_2']) await seed.claim(name, { busy_cell: { VCPU: 1 } }, { type: 'PORT' });
  await seed.claim('untyped', { deep: { VCPU: 1 } }, { type: null });
});

/** Numbers by provider, as they were made above. */
const expected: [scope: Scope, consumerType: string | null, Readonly<Record<string, number>>][] = [
  ['PROVIDER', null, { busy: 1, busy_cell: 3, deep: 1, idle: 0 }],
  ['TREE', null, { busy: 4, busy_cell: 4, deep: 1, idle: 0 }],
  ['PROVIDER', 'INSTANCE', { busy: 1, busy_cell: 1, deep: 0, idle: 0 }],
  ['TREE', 'INSTANCE', { busy: 1, busy_cell: 1, deep: 0, idle: 0 }],
  ['TREE', 'PORT', { busy: 2, busy_cell: 2, deep: 0, idle: 0 }],
  ['TREE', 'UNHEARD_OF', { busy: 0, busy_cell: 0, deep: 0, idle: 0 }],
];

describe.each(expected)('with scope %s, of type %s,', (where, consumerType, counts) => {
  const names = async (args: ProviderListArguments) => (await listProviders(scopeOf(database.db), args)).rows.map(({ name }) => name);

  test('the count of each provider is shown, all in one statement', async () => {
    const scope = scopeOf(database.db);
    const { rows } = await listProviders(scope, { filter: { uuids: providers.map(uuidOf) } });
    database.statements.length = 0;
    const shown = await Promise.all(
      rows.map(async ({ id, name }) => [name, await countConsumersOf(scope, id, { scope: where, consumerType })]),
    );
    expect(Object.fromEntries(shown)).toEqual(counts);
    expect(database.statements).toHaveLength(1);
  });

  test('providers are ordered by it, page by page', async () => {
    for (const direction of ['ASC', 'DESC'] as const) {
      const sign = direction === 'ASC' ? 1 : -1;
      const ordered = providers.toSorted((a, b) => sign * ((counts[a] ?? 0) - (counts[b] ?? 0)) || (a < b ? -1 : 1));
      const orderBy = [{ field: 'CONSUMERS', scope: where, consumerType, direction } as const, { field: 'NAME' } as const];
      const found: string[] = [];
      for (let after: string | undefined; found.length < providers.length; ) {
        const page = await listProviders(scopeOf(database.db), { orderBy, first: 1, after });
        found.push(...page.rows.map(({ name }) => name));
        after = page.cursors[0];
      }
      expect(found).toEqual(ordered);
    }
  });

  test('providers are found by it', async () => {
    for (const bound of [0, 1, 2, 4]) {
      const filter = { scope: where, consumerCount: { is: bound, consumerType } };
      expect(await names({ filter })).toEqual(providers.filter((name) => counts[name] === bound));
    }
  });
});

test('counts of several types and scopes apply together', async () => {
  const key = { field: 'CONSUMERS', direction: 'DESC' } as const;
  const orderBy = [{ ...key, consumerType: 'PORT' }, { ...key, consumerType: 'INSTANCE' }, { ...key, scope: 'TREE' } as const];
  const filter = { or: [{ consumerCount: { is: 2, consumerType: 'PORT' } }, { scope: 'TREE', consumerCount: { is: 1 } } as const] };
  expect((await listProviders(scopeOf(database.db), { orderBy })).rows.map(({ name }) => name)).toEqual([
    'busy_cell',
    'busy',
    'deep',
    'idle',
  ]);
  expect((await listProviders(scopeOf(database.db), { filter })).rows.map(({ name }) => name)).toEqual(['busy_cell', 'deep']);
});

test.each<[string, ProviderListArguments, string[]]>([
  [
    'an order by amounts of trees and by numbers',
    { orderBy: [{ field: 'FREE', resourceClass: 'VCPU', scope: 'TREE' }, { field: 'CONSUMERS' }] },
    ['orderBy', '1'],
  ],
  ['a type for another order', { orderBy: [{ field: 'NAME', consumerType: 'PORT' }] }, ['orderBy', '0', 'consumerType']],
  ['a type that cannot be one', { orderBy: [{ field: 'CONSUMERS', consumerType: 'A\0' }] }, ['orderBy', '0', 'consumerType']],
  ['a condition without a bound', { filter: { consumerCount: { consumerType: 'PORT' } } }, ['filter', 'consumerCount']],
  [
    'a condition on a type that cannot be one',
    { filter: { consumerCount: { is: 1, consumerType: 'A\0' } } },
    ['filter', 'consumerCount', 'consumerType'],
  ],
])('%s is refused', async (_, args, path) => {
  await expect(listProviders(scopeOf(database.db), args)).rejects.toMatchObject({ problems: [{ code: 'INVALID_INPUT', path }] });
});
