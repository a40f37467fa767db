// The usage of a project with many consumers, as Nova requests it when it counts quotas in placement, from the stored sums; alternating with a statement
// that sums its allocations instead. Prints medians, ratios and the processor time of the database.
//   npm run build && npm run bench:usages            BENCH_CONSUMERS=100000
import { openDatabase } from '../src/db/sql/client.ts';
import { applyWrite } from '../src/db/writes/apply-write.ts';
import { fillHosts } from './support/fill.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { measureTimes, median } from './support/measure.ts';
import { processorTimeOf } from './support/processor-time.ts';

const consumers = Number(process.env.BENCH_CONSUMERS ?? 100_000);
const [turns, each] = [5, { kept: 50, summed: 3 }] as const;

const gateway = await startGateway();
const db = openDatabase(gateway.database, { writeConnections: 1 });
const client = httpClient(gateway.url, {
  'x-auth-token': 'admin',
  'content-type': 'application/json',
  'openstack-api-version': 'placement 1.38',
});
try {
  await fillHosts(db, 1000);
  await db.writes`select ensure_consumer_names('{large}', '{one, two, three}', '{INSTANCE}')`;
  await db.writes`
    insert into consumers (uuid, project_id, user_id, consumer_type_id)
    select gen_random_uuid(), p.id, u.id + n % 3, t.id
    from projects p cross join consumer_types t cross join (select min(id) as id from users) u cross join generate_series(1, ${consumers}::int) n`;
  await db.writes`
    insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
    select c.id, host.id, class, 1
    from consumers c cross join (values (0), (1), (2)) as _(class)
    join (select id, row_number() over (order by id) as nth from resource_providers where parent_provider_id is null) host on host.nth = 1 + c.id % 1000`;
  const by = { user: null, project: null, roles: [], requestId: 'req-bench' };
  await applyWrite(db, 'mend_derived', { contested: [], dryRun: false }, { by });
  await db.writes`vacuum analyze`;

  const sums = '{ usages(groupBy: PROJECT) { nodes { consumerCount resources { amount } } } }';
  const questions: Record<string, () => Promise<unknown>> = {
    'GET /usages of a project': () => client.request('GET', '/placement/usages?project_id=large'),
    'GET /usages of a user in it': () => client.request('GET', '/placement/usages?project_id=large&user_id=two'),
    'usages by project, GraphQL': () => client.request('POST', '/graphql', JSON.stringify({ query: sums })),
  };
  const fromAllocations = () => db.sql`
    select a.resource_class_id, sum(a.used) from projects p join consumers c on c.project_id = p.id join allocations a on a.consumer_id = c.id
    where p.external_id = 'large' group by 1`;
  const processor = () => processorTimeOf(gateway.process.pid ?? 0).started;
  for (const [name, ask] of Object.entries(questions)) {
    const measured = {
      kept: { ask, times: [] as number[], processor: 0 },
      summed: { ask: fromAllocations, times: [] as number[], processor: 0 },
    };
    for (let turn = 0; turn <= turns; turn++) {
      for (const how of ['kept', 'summed'] as const) {
        const begun = processor();
        const times = await measureTimes(measured[how].ask, each[how]);
        // The first turn warms up.
        if (turn === 0) continue;
        measured[how].times.push(...times);
        measured[how].processor += (processor() - begun) / (turns * each[how]);
      }
    }
    const { kept, summed } = measured;
    const [fast, slow] = [median(kept.times), median(summed.times)];
    console.log(
      `${name.padEnd(28)} ${slow.toFixed(1)} ms to sum ${consumers} consumers, ${fast.toFixed(2)} ms from sums  ->  ${(slow / fast).toFixed(0)}x;  database ${summed.processor.toFixed(1)} and ${kept.processor.toFixed(2)} ms`,
    );
  }
} finally {
  client.close();
  await db.close();
  await gateway.stop();
}
