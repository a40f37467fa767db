// Providers by the number of consumers that have allocations on them.
import { expect, test } from 'vitest';
import type { Scope } from '../../../src/domain/provider.ts';
import { listProviders } from '../../../src/operations/providers/providers.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();

test('providers are ordered by the number of their consumers, alone or with what is below them', async () => {
  const seed = createSeed(database.db);
  await seed.provider('busy', { inventories: { VCPU: 9 } });
  await seed.provider('busy_cell', { parent: 'busy', inventories: { VCPU: 9 } });
  await seed.provider('idle', { inventories: { VCPU: 9 } });
  await seed.claim('in_both', { busy: { VCPU: 1 }, busy_cell: { VCPU: 1 } });
  for (const name of ['in_cell_1', 'in_cell_2']) await seed.claim(name, { busy_cell: { VCPU: 1 } });
  const filter = { uuids: ['busy', 'busy_cell', 'idle'].map(uuidOf) };
  const names = async (where: Scope, direction: 'ASC' | 'DESC') => {
    const orderBy = [{ field: 'CONSUMERS', scope: where, direction } as const, { field: 'NAME' } as const];
    const found: string[] = [];
    for (let after: string | undefined; found.length < 3; ) {
      const page = await listProviders(scopeOf(database.db), { filter, orderBy, first: 1, after });
      found.push(...page.rows.map(({ name }) => name));
      after = page.cursors[0];
    }
    return found;
  };
  expect(await names('PROVIDER', 'DESC')).toEqual(['busy_cell', 'busy', 'idle']);
  expect(await names('TREE', 'DESC')).toEqual(['busy', 'busy_cell', 'idle']);
  expect(await names('TREE', 'ASC')).toEqual(['idle', 'busy', 'busy_cell']);
  const mixed = [{ field: 'FREE', resourceClass: 'VCPU', scope: 'TREE' } as const, { field: 'CONSUMERS' } as const];
  await expect(listProviders(scopeOf(database.db), { orderBy: mixed })).rejects.toMatchObject({
    problems: [{ code: 'INVALID_INPUT', path: ['orderBy', '1'] }],
  });
});
