// The service cannot write parents that form a loop. If a person plants them by hand, every walk along parents still ends.
import { beforeAll, expect, test } from 'vitest';
import { selectTree } from '../../src/db/reports.ts';
import { useDatabase } from '../support/database.ts';
import { query } from '../support/graphql.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let seed: ReturnType<typeof createSeed>;
beforeAll(async () => {
  seed = createSeed(database.db);
  const parents = { one: undefined, two: 'one', three: 'two', below: 'three' };
  for (const [name, parent] of Object.entries(parents)) await seed.provider(name, { ...(parent && { parent }), inventories: { VCPU: 4 } });
  await database.own`
    update resource_providers set parent_provider_id = (select id from resource_providers where name = 'three') where name = 'one'`;
});

type Named = readonly { readonly name: string }[];
const namesIn = (list: Named) => list.map(({ name }) => name).toSorted();
const ask = async <Data>(provider: string, fields: string) =>
  (await query<{ found: Data }>(database.db, `{ found: resourceProvider(uuid: "${uuidOf(provider)}") { ${fields} } }`)).found;

test('each ancestor in a loop is listed once', async () => {
  expect(namesIn((await ask<{ ancestors: Named }>('below', 'ancestors { name }')).ancestors)).toEqual(['one', 'three', 'two']);
});

test('the capacity of each descendant in a loop is added once', async () => {
  const { treeInventories } = await ask<{ treeInventories: object[] }>('two', 'treeInventories { total }');
  expect(treeInventories).toEqual([{ total: 16 }]);
});

test('the tree of a report contains each provider of a loop once', async () => {
  expect(namesIn(await selectTree(database.db, uuidOf('two')))).toEqual(['below', 'one', 'three', 'two']);
});

test('the list of descendants, which a loop makes endless, is refused as too long', async () => {
  await expect(ask('two', 'descendants { name }')).rejects.toThrow('There are more than');
});

test('moving a provider out of a loop ends the loop', async () => {
  await seed.write('update_resource_provider', { provider: uuidOf('one'), expect: {}, parent: null });
  expect(namesIn((await ask<{ descendants: Named }>('one', 'descendants { name }')).descendants)).toEqual(['below', 'three', 'two']);
  expect(
    await database.own`select distinct root_provider_id = (select id from resource_providers where name = 'one') as is_right
    from resource_providers`,
  ).toEqual([{ is_right: true }]);
});
