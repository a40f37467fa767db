// Claims of other providers while another session locks one provider and 200 claims of it wait: in alternating slices with and without the lock. Prints
// the ratio of their rates and of their 99th percentiles, and how long the claims of the locked provider waited for an answer.
//   npm run build && npm run bench:locks                BENCH_ROUNDS=6 BENCH_SECONDS=5
import { randomUUID } from 'node:crypto';
import { connect, connectionOptions, openDatabase } from '../src/db/sql/client.ts';
import { applyWrite } from '../src/db/writes/apply-write.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { median, percentile } from './support/measure.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 6);
const seconds = Number(process.env.BENCH_SECONDS ?? 5);
const hostCount = 200;
const goingClients = 16;
const waitingClients = 200;
const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-bench' };
const claimMutation = `mutation Claim($consumer: UUID!, $provider: UUID!) {
  replaceAllocations(input: {consumers: {consumer: $consumer, expect: {isNew: true}, project: "p1", user: "u1", consumerType: "INSTANCE",
    hold: {allocations: {resourceProvider: $provider, resources: {resourceClass: "VCPU", amount: 1}}}}}) { userErrors { code message } }
}`;

const gateway = await startGateway();
const db = openDatabase(gateway.database, { writeConnections: 4 });
/** Another session, which leaves a transaction open. */
const holder = connect(gateway.database, { ...connectionOptions(gateway.database, { search_path: 'placement, public' }), max: 1 });
const graphql = httpClient(gateway.url, { 'x-auth-token': 'admin', 'content-type': 'application/json' });
const hosts = Array.from({ length: hostCount }, () => randomUUID());
for (const [index, uuid] of hosts.entries()) {
  await applyWrite(db, 'create_resource_provider', { uuid, name: `host${index}`, parent: null, ensure: false }, { by });
  const inventory = {
    resourceClass: 'VCPU',
    total: 2_000_000_000,
    reserved: 0,
    minUnit: 1,
    maxUnit: 1000,
    stepSize: 1,
    allocationRatio: 1,
  };
  await applyWrite(db, 'replace_inventories', { provider: uuid, expect: {}, inventories: [inventory] }, { by });
}
const [held = '', ...others] = hosts;

async function claim(provider: string): Promise<string> {
  const variables = { consumer: randomUUID(), provider };
  const { body } = await graphql.request('POST', '/graphql', JSON.stringify({ query: claimMutation, variables }));
  return body;
}

/** Milliseconds of each claim of another provider within a number of seconds. */
async function measureOthers(): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      const body = await claim(others[Math.floor(Math.random() * others.length)] ?? '');
      if (!body.includes('"userErrors":[]')) throw new Error(body.slice(0, 300));
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: goingClients }, client));
  return times;
}

/** Milliseconds of each claim of the locked provider; refused ones are sent again, until `stop`. */
function wait(): { stop: () => Promise<readonly { readonly time: number; readonly isDone: boolean }[]> } {
  const answers: { time: number; isDone: boolean }[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const begun = performance.now();
      const body = await claim(held);
      answers.push({ time: performance.now() - begun, isDone: body.includes('"userErrors":[]') });
    }
  };
  const clients = Array.from({ length: waitingClients }, client);
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return answers;
    },
  };
}

const rates: number[] = [];
const tails: number[] = [];
const longest: number[] = [];
let refused = 0;
let done = 0;
try {
  await measureOthers();
  for (let round = 0; round < rounds; round++) {
    const free = await measureOthers();
    const [beside, stopping] = await holder.begin(async (sql) => {
      await sql`select from resource_providers where uuid = ${held} for update`;
      const waiting = wait();
      const times = await measureOthers();
      return [times, waiting.stop()];
    });
    const answers = await stopping;
    rates.push(beside.length / free.length);
    tails.push(percentile(beside, 0.99) / percentile(free, 0.99));
    longest.push(Math.max(...answers.map(({ time }) => time)));
    refused += answers.filter(({ isDone }) => !isDone).length;
    done += answers.filter(({ isDone }) => isDone).length;
  }
  const span = (values: readonly number[]) =>
    `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  console.log(`claims of others beside the lock: rate ${span(rates)}, 99th percentile ${span(tails)} times that without it`);
  console.log(
    `claims of the held provider: the longest answer took ${(Math.max(...longest) / 1000).toFixed(1)} s; ${refused} refused, ${done} done`,
  );
} finally {
  graphql.close();
  await holder.end();
  await db.close();
  await gateway.stop();
}
