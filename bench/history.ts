// The usage of a whole cloud over time, from its events: a chart of a hundred samples over a hundred thousand claims on ten thousand hosts, for the whole cloud and
// for a tree. Prints medians of the answer's time, and the processor time of the gateway with its database.
//   npm run build && npm run bench:history            BENCH_HOSTS=10000 BENCH_EVENTS=100000
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../src/db/sql/client.ts';
import { fillHosts } from './support/fill.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { measureTimes, median } from './support/measure.ts';
import { processorTimeOf } from './support/processor-time.ts';

const hosts = Number(process.env.BENCH_HOSTS ?? 10_000);
const events = Number(process.env.BENCH_EVENTS ?? 99_000);
const [writers, samples, turns] = [64, 100, 5];

const gateway = await startGateway();
const db = openDatabase(gateway.database, { writeConnections: 1 });
const client = httpClient(gateway.url, {
  'x-auth-token': 'admin',
  'content-type': 'application/json',
  'openstack-api-version': 'placement 1.38',
});
try {
  await fillHosts(db, hosts);
  const roots = await db.writes<{ uuid: string }[]>`select uuid from resource_providers where parent_provider_id is null`;
  const begun = Date.now();
  let claims = 0;
  const claim = async () => {
    while (claims < events) {
      const { uuid = '' } = roots[claims++ % roots.length] ?? {};
      const owner = { project_id: 'p', user_id: 'u', consumer_generation: null, consumer_type: 'INSTANCE' };
      const body = JSON.stringify({ allocations: { [uuid]: { resources: { MEMORY_MB: 1 } } }, ...owner });
      const { status } = await client.request('PUT', `/placement/allocations/${randomUUID()}`, body);
      if (status !== 204) throw new Error(`a claim was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: writers }, claim));
  await db.writes`vacuum analyze`;
  const stepSeconds = Math.max(1, Math.ceil((Date.now() - begun) / 1000 / samples));
  const from = new Date(begun).toISOString();
  const subjects = { 'the whole cloud': 'cloud: true', 'a tree': `tree: "${roots[0]?.uuid}"` };
  for (const [name, subject] of Object.entries(subjects)) {
    const query = `{ usageHistory(of: { ${subject} }, from: "${from}", stepSeconds: ${stepSeconds}) { samples { at usages { used total capacity } } } }`;
    const ask = async () => {
      const { body } = await client.request('POST', '/graphql', JSON.stringify({ query }));
      if (body.includes('"errors":')) throw new Error(body.slice(0, 300));
    };
    await ask();
    const before = processorTimeOf(gateway.process.pid ?? 0);
    const times = await measureTimes(ask, turns);
    const after = processorTimeOf(gateway.process.pid ?? 0);
    const used = (after.own + after.started - before.own - before.started) / turns;
    console.log(`${name.padEnd(16)} ${median(times).toFixed(0)} ms over ${events} events; ${used.toFixed(0)} ms of processor time`);
  }
} finally {
  client.close();
  await db.close();
  await gateway.stop();
}
