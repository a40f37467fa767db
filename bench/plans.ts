// Plans and destinations at 10,000 hosts: the processor time of each, the memory of a copy of the forest, and how long the event loop is blocked.
//   npm run bench:plans
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { migrate } from '../src/db/schema/migrate.ts';
import { connect, connectionOptions, openDatabase } from '../src/db/sql/client.ts';
import { plainIdentity } from '../src/domain/identity.ts';
import { selectDestinations } from '../src/nova/instances/destinations.ts';
import { drainPlan } from '../src/nova/plans/drain-plan.ts';
import { rebalancePlan } from '../src/nova/plans/rebalance-plan.ts';
import { whatIf } from '../src/nova/plans/what-if.ts';
import { releaseAllocations } from '../src/operations/allocations/allocation-writes.ts';
import { copyForest } from '../src/operations/forest/own-forest.ts';
import { Scope } from '../src/operations/scope/scope.ts';
import { startDatabase } from './support/database.ts';
import { median } from './support/measure.ts';

const hosts = 10_000;
const instancesPerHost = 10;
const collectGarbage = (globalThis as { gc?: () => void }).gc;
if (!collectGarbage) throw new Error('run it with node --expose-gc: memory is measured');

/** Unequally loaded hosts with their instances. */
async function fill(sql: Sql): Promise<void> {
  await sql`
    insert into resource_providers (id, uuid, name, root_provider_id) overriding system value
    select n, gen_random_uuid(), 'compute-' || n, n from generate_series(1, ${hosts}) n`;
  await sql`
    insert into resource_provider_traits (resource_provider_id, trait_id)
    select p.id, t.id from resource_providers p cross join (select id from traits where name in ('COMPUTE_NODE', 'OWNER_NOVA')) t`;
  await sql`
    insert into inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
    select p.id, c.id, c.total, 0, 1, c.total, 1, 1 from resource_providers p, (values (0, 64), (1, 262144), (2, 2048)) as c(id, total)`;
  await sql`insert into projects (external_id) values ('p')`;
  await sql`insert into users (external_id) values ('u')`;
  await sql`insert into consumer_types (name) values ('INSTANCE') on conflict do nothing`;
  await sql`
    insert into consumers (id, uuid, project_id, user_id, consumer_type_id) overriding system value
    select n, gen_random_uuid(), (select min(id) from projects), (select min(id) from users), (select id from consumer_types where name = 'INSTANCE')
    from generate_series(1, ${hosts * instancesPerHost}) n`;
  await sql`
    insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
    select c.id, 1 + c.id % ${hosts}, k.id, k.amount * (1 + (c.id % ${hosts}) % 5)
    from consumers c, (values (0, 1), (1, 2048), (2, 20)) as k(id, amount)`;
  await sql`
    update inventories i set used = held.used
    from (select resource_provider_id, resource_class_id, sum(used) as used from allocations group by 1, 2) held
    where held.resource_provider_id = i.resource_provider_id and held.resource_class_id = i.resource_class_id`;
  await sql`vacuum analyze`;
}

/** Milliseconds of processor time and of elapsed time, and the longest block of the event loop: medians of several runs. */
async function measure(what: string, run: () => Promise<unknown>): Promise<void> {
  await run();
  const runs: { readonly cpu: number; readonly clock: number; readonly held: number }[] = [];
  for (let round = 0; round < 5; round++) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [before, began] = [process.cpuUsage(), performance.now()];
    await run();
    const { user, system } = process.cpuUsage(before);
    delay.disable();
    runs.push({ cpu: (user + system) / 1000, clock: performance.now() - began, held: delay.max / 1e6 });
  }
  const of = (key: 'cpu' | 'clock' | 'held') => median(runs.map((each) => each[key])).toFixed(0);
  console.log(`${what}: ${of('cpu')} ms of processor time, ${of('clock')} ms in all, event loop held ${of('held')} ms at most`);
}

const server = await startDatabase();
try {
  await migrate(server.target);
  const sql = connect(server.target, { ...connectionOptions(server.target, { statement_timeout: 0 }), max: 1 });
  await fill(sql);
  const roots = (await sql<{ uuid: string }[]>`select uuid from resource_providers order by id limit 1000`).map(({ uuid }) => uuid);
  await sql.end();
  const db = openDatabase(server.target);
  const scope = () => new Scope({ db, identity: plainIdentity('noauth', 'admin', 'admin', ['admin']), requestId: 'bench' });
  // From here on, the forest to copy is in memory.
  await copyForest(scope(), []);
  await nextTurn();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const copy = await copyForest(scope());
  collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  console.log(
    `a copy of ${copy.all.length} trees: ${(bytes / 1e6).toFixed(1)} MB of heap, ${(bytes / copy.all.length).toFixed(0)} bytes a host`,
  );

  const fields = { vcpus: 4, memoryMb: 8192, rootGb: 20, ephemeralGb: 0, swapMb: 0 };
  const flavor = { flavor: { fields } };
  await measure('copy', () => copyForest(scope()));
  await measure('selectDestinations', async () => {
    const instance = randomUUID();
    await selectDestinations(scope(), {
      requestFrom: { flavorToRequest: flavor },
      instances: [{ instance, project: 'p', user: 'u' }],
      alternates: 0,
    });
    await releaseAllocations(scope(), { consumers: [{ consumer: instance, expect: { unchecked: true } }] });
  });
  await measure('drainPlan, one host', () => drainPlan(scope(), { computeNodes: roots.slice(0, 1) }));
  await measure('drainPlan, 10 hosts', () => drainPlan(scope(), { computeNodes: roots.slice(0, 10) }));
  await measure('rebalancePlan, 20 hosts', () => rebalancePlan(scope(), { computeNodes: roots.slice(0, 20) }));
  await measure('rebalancePlan, 200 hosts', () => rebalancePlan(scope(), { computeNodes: roots.slice(0, 200) }));
  await measure('whatIf', () => whatIf(scope(), { asks: { flavorToRequest: flavor }, lost: roots.slice(0, 10) }));
  await db.close();
} finally {
  await server.stop();
}
