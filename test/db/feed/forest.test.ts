// The statements of the change feed: they agree with the other reads, and return only what changed. What they cost: forest-plans.test.ts.
import { beforeEach, describe, expect, test } from 'vitest';
import { type FeedPosition, selectForestNews, selectForestStart, selectProviderStates } from '../../../src/db/feed/forest.ts';
import { selectInventoriesOfProviders } from '../../../src/db/inventories.ts';
import { selectProvidersByIds, selectProvidersByUuids } from '../../../src/db/providers.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { connect, connectionOptions } from '../../../src/db/sql/client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  return () => database.drop();
});

const className = (id: number) => `class ${id}`;
const start = async () => (await selectForestStart(database.db)).position;
const newsSince = (position: FeedPosition, most = 10) => selectForestNews(database.db, position, most, className);
const namesOf = (states: readonly { provider: { name: string } }[]) => states.map(({ provider }) => provider.name).sort();

const nothing = { continues: true, names: null, changed: [], used: [], removed: [], unread: [] };

test('a state equals what reads of providers, inventories, traits and aggregates return', async () => {
  await seed.provider('cn1', {
    inventories: { VCPU: { total: 16, allocationRatio: 1.1, maxUnit: 8 }, DISK_GB: 2 ** 31 - 1, CUSTOM_A: { total: 3, reserved: 3 } },
    traits: ['HW_NUMA_ROOT', 'CUSTOM_B'],
    aggregates: ['rack', 'zone'],
  });
  await seed.provider('numa0', { parent: 'cn1', inventories: { VGPU: 4 } });
  await seed.claim('c', { cn1: { VCPU: 3 } });
  const { names, providerIds } = await selectForestStart(database.db);
  const classes = new Map(names.resourceClasses.map(({ id, name }) => [id, name]));
  const states = await selectProviderStates(database.db, providerIds, (id) => classes.get(id));

  const providers = await selectProvidersByIds(database.db, providerIds);
  const inventories = await selectInventoriesOfProviders(database.db, providerIds);
  expect(states).toHaveLength(2);
  for (const { provider, ...state } of states) {
    expect(provider).toEqual(providers.find(({ id }) => id === provider.id));
    expect(state.inventories).toEqual(inventories.filter(({ providerId }) => providerId === provider.id));
  }
  const [cn1, numa0] = ['cn1', 'numa0'].map((name) => states.find(({ provider }) => provider.name === name));
  expect(cn1?.traitIds.map((id) => names.traits.find((trait) => trait.id === id)?.name)).toEqual(['HW_NUMA_ROOT', 'CUSTOM_B']);
  expect(cn1?.aggregateIds.map((id) => names.aggregates.find((aggregate) => aggregate.id === id)?.uuid)).toEqual(
    ['rack', 'zone'].map(uuidOf),
  );
  expect([numa0?.traitIds, numa0?.aggregateIds]).toEqual([[], []]);
});

test('the providers of a tree are together, in the order of roots, even if a child is older than its root', async () => {
  for (const name of ['a', 'b', 'c']) await seed.provider(name);
  await seed.write('update_resource_provider', { provider: uuidOf('a'), expect: {}, parent: uuidOf('c') });
  const { providerIds } = await selectForestStart(database.db);
  const states = await selectProviderStates(database.db, providerIds, className);
  expect(providerIds.map((id) => states.find(({ provider }) => provider.id === id)?.provider.name)).toEqual(['b', 'a', 'c']);
});

describe('changes of the feed', () => {
  const changeInTimeToCome = () =>
    database.own`insert into provider_changes (xid, resource_provider_id) select '4000000000', id from resource_providers`;

  test('are none if nothing was written, although others have open transactions, here and in other databases', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 4 } });
    const elsewhere = connect({ ...database.target, database: 'postgres' }, { ...connectionOptions(database.target, {}), max: 1 });
    await elsewhere.begin(async (foreign) => {
      await foreign`select pg_current_xact_id()`;
      await database.own.begin(async (sql) => {
        await sql`select mark_changed(array(select id from resource_providers))`;
        await database.db.writes`select pg_current_xact_id()`;
        const position = await start();
        expect(position.snapshot.split(':')[2]?.split(',').length).toBeGreaterThanOrEqual(2);
        await seed.provider('cn2');
        const news = await newsSince(position);
        expect(namesOf(news.changed)).toEqual(['cn2']);
        expect(await newsSince(news.position)).toMatchObject(nothing);
      });
    });
    await elsewhere.end();
  });

  test('are exactly what was written since', async () => {
    for (const name of ['cn1', 'cn2', 'cn3']) await seed.provider(name, { inventories: { VCPU: 4 } });
    const position = await start();
    await seed.traits('cn1', ['HW_NUMA_ROOT']);
    await seed.write('delete_resource_provider', { provider: uuidOf('cn3'), expect: {} });
    const news = await newsSince(position);
    expect(namesOf(news.changed)).toEqual(['cn1']);
    expect(news.used).toEqual([]);
    expect(news.removed).toHaveLength(1);
    expect(news.names).toBeNull();
    expect(await newsSince(news.position)).toMatchObject(nothing);
  });

  test('by allocations have the usage and the generation, and the whole provider if more changed meanwhile', async () => {
    for (const name of ['cn1', 'cn2', 'cn3']) await seed.provider(name, { inventories: { VCPU: 4, DISK_GB: 10, MEMORY_MB: 64 } });
    const position = await start();
    await seed.claim('first', { cn1: { VCPU: 1, DISK_GB: 3 }, cn2: { VCPU: 1 }, cn3: { VCPU: 1 } });
    await seed.traits('cn2', ['HW_NUMA_ROOT']);
    await seed.write('replace_inventories', { provider: uuidOf('cn3'), expect: {}, inventories: [] }).catch(() => {});
    await seed.claim('second', { cn1: { VCPU: 2 }, cn2: { VCPU: 1 } });
    const [cn1, cn3] = await Promise.all(
      ['cn1', 'cn3'].map(async (name) => (await selectProvidersByUuids(database.db, [uuidOf(name)]))[0]),
    );
    const { changed, used } = await newsSince(position);
    expect(used.toSorted((one, other) => one.id - other.id)).toEqual([
      { id: cn1?.id, generation: cn1?.generation, updatedAt: cn1?.updatedAt, used: [3, 0, 3] },
      { id: cn3?.id, generation: cn3?.generation, updatedAt: cn3?.updatedAt, used: [1, 0, 0] },
    ]);
    expect(changed.map(({ provider, inventories }) => [provider.name, inventories.map((inventory) => inventory.used)])).toEqual([
      ['cn2', [2, 0, 0]],
    ]);
  });

  test.each([
    { order: 'before', marks: ['mark_used', 'mark_changed'] },
    { order: 'after', marks: ['mark_changed', 'mark_used'] },
    { order: 'before and after', marks: ['mark_used', 'mark_changed', 'mark_used', 'mark_changed'] },
  ])('are all of a provider that was used $order it changed, in one transaction', async ({ marks }) => {
    await seed.provider('cn1', { inventories: { VCPU: 4 } });
    const position = await start();
    await database.own.begin(async (sql) => {
      for (const mark of marks)
        await sql`select ${sql.unsafe(mark)}(array(select id from resource_providers) || array(select id from resource_providers))`;
    });
    const { changed, used } = await newsSince(position);
    expect([namesOf(changed), used]).toEqual([['cn1'], []]);
  });

  test('have only ids if they are more than one answer may hold', async () => {
    const position = await start();
    for (let index = 0; index < 4; index++) await seed.provider(`cn${index}`);
    expect(await newsSince(position, 4)).toMatchObject({ changed: Array(4).fill({}), unread: [] });
    const { changed, unread } = await newsSince(position, 3);
    expect([changed, unread]).toEqual([[], (await selectForestStart(database.db)).providerIds]);
    const later = await start();
    await database.own`select mark_used(array(select id from resource_providers))`;
    expect(await newsSince(later, 3)).toMatchObject({ changed: [], used: [], unread });
  });

  test('include the names of classes that are as new as the providers that have them', async () => {
    const position = await start();
    await seed.provider('cn1', { inventories: { CUSTOM_NEW: 1 } });
    expect((await newsSince(position)).changed[0]?.inventories[0]?.className).toBe('CUSTOM_NEW');
  });

  test('do not continue a position of another server or database, or of the future', async () => {
    const { snapshot, history } = await start();
    expect(await newsSince({ snapshot, history: `${history}, but elsewhere` })).toMatchObject({ continues: false });
    const [xmin, xmax] = snapshot.split(':').slice(0, 2).map(BigInt);
    expect(await newsSince({ snapshot: `${xmin}:${(xmax ?? 0n) + 1000n}:`, history })).toMatchObject({ continues: false });
  });

  test('of a restored dump, whose transaction ids are still to come here, are not repeated, and migrating ends it', async () => {
    for (const name of ['cn1', 'cn2']) await seed.provider(name, { traits: ['CUSTOM_T'], aggregates: ['rack'] });
    await seed.provider('cn3');
    await seed.write('delete_resource_provider', { provider: uuidOf('cn3'), expect: {} });
    const tables = ['traits', 'resource_classes', 'placement_aggregates'];
    for (const table of tables) await database.own`update ${database.own(table)} set changed_xid = '4000000000'`;
    await changeInTimeToCome();
    await database.own`update change_feed set pruned_xid = '4000000000', names_deleted_xid = '4000000000'`;
    await migrate(database.target);

    const position = await start();
    expect(await newsSince(position)).toMatchObject(nothing);
    await seed.write('replace_traits', { provider: uuidOf('cn1'), expect: {}, traits: [] });
    const news = await newsSince(position);
    expect(namesOf(news.changed)).toEqual(['cn1']);
    const foreign = tables.map((table) => database.own`select from ${database.own(table)} where changed_xid = '4000000000'`);
    foreign.push(database.own`select from provider_changes where xid = '4000000000'`);
    expect((await Promise.all(foreign)).map(({ length }) => length)).toEqual(foreign.map(() => 0));
  });

  test('of transaction ids still to come are left out, and do not hide later changes of the same providers', async () => {
    for (const name of ['cn1', 'cn2']) await seed.provider(name);
    await changeInTimeToCome();
    const position = await start();
    expect(await newsSince(position)).toMatchObject(nothing);
    await seed.traits('cn1', ['HW_NUMA_ROOT']);
    expect(namesOf((await newsSince(position)).changed)).toEqual(['cn1']);
  });
});

describe('migrating refuses a database that only looks like Postgres', () => {
  // Found before those of Postgres, because of the search path.
  const replaceFunction = (definition: string) => database.own.unsafe(`create function public.${definition}`);
  const migrateThere = () => migrate({ ...database.target, settings: { search_path: 'public, pg_catalog, placement' } });
  const refusal = /does not number transactions as Postgres does/;

  test('since it has no snapshots', async () => {
    await replaceFunction(`pg_current_snapshot() returns pg_snapshot language plpgsql as $$
      begin raise undefined_function using message = 'unknown function: pg_current_snapshot()'; end $$`);
    await expect(migrateThere()).rejects.toThrow(refusal);
  });

  test('since its snapshots do not move', async () => {
    await replaceFunction(`pg_current_snapshot() returns pg_snapshot language sql as $$ select '100:100:'::pg_snapshot $$`);
    await expect(migrateThere()).rejects.toThrow(refusal);
  });

  test('since all of its transactions have the same id', async () => {
    await replaceFunction(`pg_current_xact_id() returns xid8 language sql as $$ select '100'::xid8 $$`);
    await expect(migrateThere()).rejects.toThrow(refusal);
  });

  test('since its savepoints have ids of their own', async () => {
    await database.own`create sequence public.blocks`;
    await replaceFunction(`pg_current_xact_id() returns xid8 language sql as $$
      select (pg_catalog.pg_current_xact_id()::text::bigint + nextval('public.blocks'))::text::xid8 $$`);
    await expect(migrateThere()).rejects.toThrow(refusal);
  });
});
