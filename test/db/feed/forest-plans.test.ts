// Examination. The plans of the statements of the change feed in a large cloud: news are found by index, whatever the planner knows of the tables.
import type { Sql } from 'postgres';
import { beforeEach, describe, expect, test } from 'vitest';
import { type FeedPosition, selectForestChanges, selectForestNews, selectForestStart } from '../../../src/db/feed/forest.ts';
import { connect, connectionOptions } from '../../../src/db/sql/client.ts';
import { createNewDatabase, type TestDatabase } from '../../support/database.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createNewDatabase();
  seed = createSeed(database.db);
  return () => database.drop();
});

/** A session that plans as those in which gateways read. */
async function openReader(): Promise<Sql> {
  const planning = await database.db.sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where category like 'Query Tuning%' and context = 'user'`;
  const settings = Object.fromEntries(planning.map(({ name, setting }) => [name, setting]));
  return connect(database.target, { ...connectionOptions(database.target, settings), max: 1 });
}

const start = async () => (await selectForestStart(database.db)).position;
const newsSince = (position: FeedPosition) => selectForestNews(database.db, position, 10, (id) => `class ${id}`);

describe('among 12,000 providers', () => {
  /** The plan that the server keeps for the last statement of the feed: its nodes that were executed. */
  async function executedPlan(
    position: FeedPosition,
    read: () => Promise<unknown> = () => newsSince(position),
    values: readonly (string | number)[] = [position.snapshot, 10],
  ): Promise<string[]> {
    const session = await openReader();
    try {
      database.statements.length = 0;
      await read();
      await session`set plan_cache_mode = force_generic_plan`;
      await session.unsafe(`prepare news as ${database.statements[0]}`);
      const rows = await session.unsafe(
        `explain (analyze, costs off, timing off) execute news (${values.map((value) => `'${value}'`).join()})`,
      );
      return rows.map((row) => String(row['QUERY PLAN'])).filter((line) => !line.includes('never executed'));
    } finally {
      await session.end();
    }
  }
  const scansOf = (plan: readonly string[], table: string) =>
    plan
      .flatMap((line) => /->\s+(\w[\w ]*?) (?:using \w+ )?on (\w+)/.exec(line)?.slice(1, 3).join(' on ') ?? [])
      .filter((scan) => scan.includes(table));

  async function plant(): Promise<void> {
    const [rack] = await database.own<{ id: string }[]>`insert into placement_aggregates (uuid) values (gen_random_uuid()) returning id`;
    // All of one transaction, as after an import: the planner then knows of a single value.
    await database.own`
      with added as (
        insert into resource_providers (id, uuid, name, root_provider_id) overriding system value
        select n, gen_random_uuid(), 'cn' || n, n from generate_series(100001, 112000) n returning id
      ),
      stocked as (
        insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
        select id, 0, 100, 0, 1, 100, 1, 1 from added
      ),
      able as (insert into resource_provider_traits (resource_provider_id, trait_id) select added.id, t.id from added, (select id from traits limit 3) t),
      grouped as (insert into resource_provider_aggregates (resource_provider_id, aggregate_id) select id, ${rack?.id ?? 0} from added),
      changed as (insert into provider_changes (xid, resource_provider_id) select pg_current_xact_id(), id from added)
      insert into placement_aggregates (uuid) select gen_random_uuid() from generate_series(1, 12000)`;
  }
  /** Leaves the dead rows in the tables. */
  async function clear(): Promise<void> {
    const parts = ['resource_provider_aggregates', 'resource_provider_traits', 'inventories', 'provider_changes'];
    for (const table of [...parts, 'resource_providers', 'placement_aggregates']) {
      await database.own`alter table ${database.own(table)} set (autovacuum_enabled = false)`;
      await database.own`delete from ${database.own(table)}`;
    }
  }
  const analyzeOne = async () => {
    await seed.provider('cn1', { inventories: { VCPU: 8 } });
    await database.own`analyze`;
  };
  /** What the planner may know of the tables. */
  const states: Record<string, () => Promise<unknown>> = {
    'were never analyzed': plant,
    'were analyzed while there was one': async () => {
      await analyzeOne();
      await plant();
    },
    // The planner then expects few rows in many pages.
    'were analyzed while there was one, after as many had been deleted': async () => {
      await plant();
      await clear();
      await analyzeOne();
      await plant();
    },
    'were analyzed since': async () => {
      await plant();
      await database.own`analyze`;
    },
  };

  test.each(Object.keys(states))('that %s, changes are found by index, whether there are any or not', async (state) => {
    await states[state]?.();
    const position = await start();
    const quiet = await executedPlan(position);
    expect(scansOf(quiet, 'provider_changes')).toEqual([
      'Bitmap Heap Scan on provider_changes',
      'Bitmap Index Scan on provider_changes_pkey',
      'Bitmap Index Scan on provider_changes_pkey',
    ]);
    for (const table of ['resource_providers', 'placement_aggregates']) {
      expect(scansOf(quiet, table).filter((scan) => !/Bitmap|Index/.test(scan))).toEqual([]);
    }
    await database.own`select mark_changed(array(select id from resource_providers where id between 100100 and 100105))`;
    const lively = await executedPlan(position);
    expect(scansOf(lively, 'inventories').filter((scan) => !/Bitmap|Index/.test(scan))).toEqual([]);
    expect(lively.filter((line) => line.includes('Seq Scan') && !/change_feed|pg_database|resource_classes/.test(line))).toEqual([]);
  });

  test.each([false, true])('former names of providers are found by index among 30,000 events; analyzed: %s', async (isAnalyzed) => {
    await database.own`
      insert into events (kind, roles, request_id, consumer_uuids, provider_uuids, changes)
      select 'REPLACE_TRAITS', '{}', 'req', '{}', '{}', '{}' from generate_series(1, 30000)`;
    if (isAnalyzed) await database.own`analyze`;
    for (const name of ['cn1', 'cn2']) await seed.provider(name);
    const position = await start();
    await seed.write('update_resource_provider', { provider: uuidOf('cn1'), expect: {}, name: 'other' });
    await seed.write('delete_resource_provider', { provider: uuidOf('cn2'), expect: {} });
    await seed.traits('cn1', ['HW_NUMA_ROOT']);
    const plan = await executedPlan(position, () => selectForestChanges(database.db, position), [position.snapshot]);
    // The next chunk is empty.
    expect(scansOf(plan, 'events').filter((scan) => !/Bitmap|Index|events_1$/.test(scan))).toEqual([]);
    const { unnamed } = await selectForestChanges(database.db, position);
    const given = ['cn1', 'cn2'].map((name) => ({ uuid: uuidOf(name), name }));
    expect([...unnamed].sort((one, another) => one.name.localeCompare(another.name))).toEqual(given);
  });

  test('the statement is planned once for all calls, without knowing its parameters', async () => {
    await plant();
    await database.own`analyze`;
    const position = await start();
    const one = await openReader();
    database.statements.length = 0;
    await newsSince(position);
    const [statement = ''] = database.statements;
    for (let call = 0; call < 12; call++) await one.unsafe(statement, [position.snapshot, 10], { prepare: true });
    const [plans] =
      await one`select generic_plans::int as kept, custom_plans::int as own from pg_prepared_statements where statement = ${statement}`;
    expect(plans).toEqual({ kept: 7, own: 5 });
    await one.end();
  });
});
