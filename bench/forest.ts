// The forest in memory: the cost of loading it, holding it, keeping it up to date and searching it, for flat hosts with 3 inventories, 20 traits and 2
// aggregates, and for hosts that are trees of seven. On a busy machine, processor time is more meaningful than elapsed time.
//   npm run bench:forest
//   BENCH_HOSTS=1000000 BENCH_NESTED=200000 NODE_OPTIONS=--max-old-space-size=8000 npm run bench:forest
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Sql } from 'postgres';
import { migrate } from '../src/db/schema/migrate.ts';
import { connect, connectionOptions, type DatabaseTarget, type Db, openDatabase } from '../src/db/sql/client.ts';
import type { CandidateSortKey } from '../src/domain/candidates/request.ts';
import { searchInParts } from '../src/domain/candidates/search.ts';
import { ForestKeeper } from '../src/operations/forest/forest.ts';
import { fillNested } from './support/candidate-clouds.ts';
import { startDatabase } from './support/database.ts';
import { measureTimes, median } from './support/measure.ts';

const sizes = (process.env.BENCH_HOSTS ?? '1000,10000,100000').split(',').map(Number);
const nested = Number(process.env.BENCH_NESTED ?? 10_000);
const collectGarbage = (globalThis as { gc?: () => void }).gc;
if (!collectGarbage) throw new Error('run it with node --expose-gc: memory is measured');

/** Adds hosts up to a number, each as if it had been created separately. */
async function fillUpTo(sql: Sql, count: number): Promise<void> {
  await sql`insert into placement_aggregates (uuid) select gen_random_uuid() from generate_series(1, 50)`;
  const [known] = await sql<{ count: number }[]>`select count(*)::int as count from resource_providers`;
  for (let from = known?.count ?? 0; from < count; from += 1000) {
    await sql`
      with hosts as materialized (
        select nextval(pg_get_serial_sequence('resource_providers', 'id')) as id, now() - n * interval '1 minute' as at
        from generate_series(1, 1000) n
      ),
      providers as (
        insert into resource_providers (id, uuid, name, generation, root_provider_id, created_at, updated_at) overriding system value
        select id, gen_random_uuid(), 'compute-' || lpad(id::text, 6, '0') || '.example.org', 20, id, at, at + interval '1 s' from hosts
      ),
      traits as (
        insert into resource_provider_traits (resource_provider_id, trait_id)
        select hosts.id, t.id from hosts cross join lateral (select id from traits where (id + hosts.id % 7) % 15 = 0 order by id limit 20) t
      ),
      aggregates as (
        insert into resource_provider_aggregates (resource_provider_id, aggregate_id)
        select hosts.id, a.id from hosts join (select id, row_number() over (order by id) as n from placement_aggregates) a
          on a.n in (1 + hosts.id % 40, 50)
      )
      insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used, updated_at)
      select hosts.id, c.id, c.total, 0, 1, c.total, 1, c.ratio, hosts.id * 31 % c.total, at
      from hosts, (values (0, 64, 4), (1, 262144, 1.5), (2, 2048, 1)) as c(id, total, ratio)`;
  }
  await sql`vacuum analyze`;
}

/** The feed statement's execution time in the server, in milliseconds, with a generic plan. */
async function serverTime(sql: Sql, statement: string, snapshot: string): Promise<number> {
  await sql`set plan_cache_mode = force_generic_plan`;
  await sql.unsafe(`prepare news as ${statement}`);
  const times: number[] = [];
  for (let call = 0; call < 60; call++) {
    const rows = await sql.unsafe(`explain (analyze, timing off) execute news ('${snapshot}', 500)`);
    times.push(Number(/Execution Time: ([\d.]+)/.exec(String(rows.at(-1)?.['QUERY PLAN']))?.[1]));
  }
  await sql`deallocate news`;
  return median(times);
}

/** The cost of reading the whole database into memory. Returns the forest with its keeper. */
async function load(db: Db, title: string): Promise<ForestKeeper> {
  const keeper = new ForestKeeper(db);
  await db.sql`select 1`;
  collectGarbage?.();
  const before = process.memoryUsage().heapUsed;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const processor = process.cpuUsage();
  const [time = 0] = await measureTimes(() => keeper.current(), 1);
  const { user, system } = process.cpuUsage(processor);
  delay.disable();
  collectGarbage?.();
  const bytes = process.memoryUsage().heapUsed - before;
  const count = keeper.providerCount ?? 0;
  console.log(
    `${title}: ${count} providers loaded in ${(time / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor time), event loop held ` +
      `${(delay.max / 1e6).toFixed(0)} ms at most, ${(bytes / 1e6).toFixed(1)} MB of heap, ${(bytes / count).toFixed(0)} bytes each`,
  );
  return keeper;
}

/** Ten candidates in several orders: the first search, which may have to sort, and further ones. */
async function search(keeper: ForestKeeper, resourceClass: string): Promise<void> {
  const free = (weights: Readonly<Record<string, number>>): CandidateSortKey => ({
    ...{ by: 'FREE', descending: true },
    weights: Object.entries(weights).map(([name, weight]) => ({ resourceClass: name, weight })),
  });
  const group = { suffix: '', resources: [{ resourceClass, amount: 1 }], traits: [], aggregates: [], inTrees: null };
  const request = { groups: [group], groupPolicy: 'NONE', rootTraits: [], sameSubtree: [], limit: 10, perRootLimit: null } as const;
  const orders: Record<string, readonly CandidateSortKey[]> = {
    'oldest first': [],
    'by chance': [{ by: 'RANDOM', seed: 1 }],
    'most free': [free({ [resourceClass]: 1 }), { by: 'RANDOM', seed: 1 }],
    'by weights': [free({ VCPU: 4096, MEMORY_MB: 1 })],
  };
  for (const [name, order] of Object.entries(orders)) {
    const find = async () => void (await keeper.inParts(searchInParts(await keeper.current(), { ...request, order })));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [first = 0] = await measureTimes(find, 1);
    delay.disable();
    const further = median(await measureTimes(find, 100));
    console.log(
      `  ten candidates, ${name}: first ${first.toFixed(1)} ms, event loop held ${(delay.max / 1e6).toFixed(0)} ms at most; then ${further.toFixed(2)} ms`,
    );
  }
}

async function measure(target: DatabaseTarget, sql: Sql, title: string, resourceClass: string): Promise<void> {
  let statement = '';
  const db = openDatabase(target, { onStatement: (text) => (statement = text) });
  const keeper = await load(db, title);
  await search(keeper, resourceClass);
  const touchThree = () => sql`
    select mark_changed(array(select id from resource_providers order by id limit 3))`;
  const roundTrip = median(await measureTimes(() => db.sql`select 1`, 1000));
  const unchanged = median(await measureTimes(() => keeper.current(), 1000));
  const changed: number[] = [];
  for (let round = 0; round < 200; round++) {
    await touchThree();
    changed.push(...(await measureTimes(() => keeper.current(), 1)));
  }
  const [{ snapshot } = { snapshot: '' }] = await sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`;
  const inServer = await serverTime(sql, statement, snapshot);
  await touchThree();
  const inServerChanged = await serverTime(sql, statement, snapshot);
  console.log(
    `  unchanged: ${inServer.toFixed(3)} ms in the server, ${unchanged.toFixed(2)} ms in all; three changes: ` +
      `${inServerChanged.toFixed(3)} and ${median(changed).toFixed(2)} ms; a bare select: ${roundTrip.toFixed(2)} ms`,
  );
  await db.close();
}

const connectTo = (target: DatabaseTarget) =>
  connect(target, { ...connectionOptions(target, { statement_timeout: 0, lock_timeout: 0 }), max: 1 });

/** Runs a measurement on a separate database. */
async function withDatabase(run: (target: DatabaseTarget, sql: Sql) => Promise<void>): Promise<void> {
  const server = await startDatabase();
  try {
    await migrate(server.target);
    const sql = connectTo(server.target);
    await run(server.target, sql);
    await sql.end();
  } finally {
    await server.stop();
  }
}

await withDatabase(async (target, sql) => {
  for (const size of sizes) {
    await fillUpTo(sql, size);
    await measure(target, sql, `${size} hosts`, 'MEMORY_MB');
  }
});
await withDatabase(async (target, sql) => {
  await fillNested({ writes: sql }, nested);
  await measure(target, sql, `${nested} trees of seven`, 'DISK_GB');
});
