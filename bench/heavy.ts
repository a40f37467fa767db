// Claims beside sixteen callers that constantly request the largest answers: in alternating slices with and without them, one claim after another. Prints
// the ratio of the 99th percentiles and of the medians, the number of heavy answers, and how long the event loop was blocked.
//   npm run build && npm run bench:heavy                BENCH_ROUNDS=6 BENCH_SECONDS=4
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../src/db/sql/client.ts';
import { fillHosts } from './support/fill.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { loopDelayOf, withLoopDelay } from './support/loop-delay.ts';
import { median, percentile } from './support/measure.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 6);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const checkout = process.env.BENCH_CHECKOUT;
const hostCount = 5400;
const heavyClients = 16;

const gateway = await withLoopDelay(() => startGateway(checkout ? { checkout } : {}));
const db = openDatabase(gateway.database, { writeConnections: 1 });
await fillHosts(db, hostCount);
const hosts = (
  await db.writes<{ uuid: string }[]>`
  select uuid from resource_providers p where exists (select from inventories i
    where i.resource_provider_id = p.id and resource_class_id = 1 and total - used >= 10000)`
).map(({ uuid }) => uuid);
const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json' };
const claimer = httpClient(gateway.url, headers);
const asker = httpClient(gateway.url, headers, { keepsBodies: false });

const page = (
  alias: number,
) => `p${alias}: resourceProviders(first: 1000) { nodes { uuid name generation createdAt updatedAt traits { name }
  aggregates { uuid name } inventories { resourceClass { name } total reserved capacity used free minUnit maxUnit stepSize allocationRatio } } }`;
const heavyQuery = JSON.stringify({ query: `{ ${Array.from({ length: 5 }, (_, alias) => page(alias)).join(' ')} }` });

const consumer = () => ({ consumer: randomUUID(), expect: { isNew: true }, project: 'p', user: 'u', consumerType: 'INSTANCE' });
const anyHost = () => hosts[Math.floor(Math.random() * hosts.length)];
const claims: Record<string, () => { query: string; variables: object }> = {
  claim: () => ({
    query: 'mutation C($input: ClaimInput!) { claim(input: $input) { userErrors { code message } claims { consumer { uuid } } } }',
    variables: { input: { consumers: [consumer()], request: { groups: [{ resources: [{ resourceClass: 'MEMORY_MB', amount: 1 }] }] } } },
  }),
  replaceAllocations: () => ({
    query:
      'mutation R($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { code message } consumers { uuid } } }',
    variables: {
      input: {
        consumers: [
          {
            ...consumer(),
            hold: { allocations: [{ resourceProvider: anyHost(), resources: [{ resourceClass: 'MEMORY_MB', amount: 1 }] }] },
          },
        ],
      },
    },
  }),
};

/** Milliseconds of each claim within a number of seconds, by kind. */
async function measureClaims(): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(claims).map((kind) => [kind, []]));
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    for (const [kind, make] of Object.entries(claims)) {
      const body = JSON.stringify(make());
      const begun = performance.now();
      const answer = await claimer.request('POST', '/graphql', body);
      times[kind]?.push(performance.now() - begun);
      if (!answer.body.includes('"userErrors":[]')) throw new Error(answer.body.slice(0, 300));
    }
  }
  return times;
}

/** Heavy queries of all clients, until `stop`; refused ones are sent again after the second given in Retry-After. */
function askHeavily(): { readonly answers: Record<number, number>; stop: () => Promise<void> } {
  const answers: Record<number, number> = {};
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const { status } = await asker.request('POST', '/graphql', heavyQuery);
      answers[status] = (answers[status] ?? 0) + 1;
      if (status === 503) await setTimeout(1000);
    }
  };
  const clients = Array.from({ length: heavyClients }, client);
  return {
    answers,
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

const idle: Record<string, number[]>[] = [];
const beside: Record<string, number[]>[] = [];
const holds: number[] = [];
const answered: number[] = [];
try {
  await measureClaims();
  for (let round = 0; round < rounds; round++) {
    await setTimeout(300);
    idle.push(await measureClaims());
    const heavy = askHeavily();
    await setTimeout(1500);
    await loopDelayOf(gateway);
    const before = heavy.answers[200] ?? 0;
    beside.push(await measureClaims());
    answered.push(((heavy.answers[200] ?? 0) - before) / seconds);
    holds.push((await loopDelayOf(gateway)).longest);
    await heavy.stop();
  }
  for (const kind of Object.keys(claims)) {
    const all = (slices: readonly Record<string, number[]>[]) => slices.flatMap((slice) => slice[kind] ?? []);
    const say = (share: number) => {
      const ratios = beside.map((slice, round) => percentile(slice[kind] ?? [], share) / percentile(idle[round]?.[kind] ?? [], share));
      const of = (slices: readonly Record<string, number[]>[]) => percentile(all(slices), share).toFixed(1);
      return `${median(ratios).toFixed(1)}x (${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}; of all rounds ${of(idle)} and ${of(beside)} ms)`;
    };
    console.log(`${kind}: 99th percentile ${say(0.99)}, median ${say(0.5)}, ${all(idle).length} and ${all(beside).length} claims`);
  }
  console.log(
    `heavy answers: ${median(answered).toFixed(2)} a second; event loop held ${median(holds).toFixed(0)} ms (median of the rounds), ${Math.max(...holds).toFixed(0)} (longest)`,
  );
} finally {
  claimer.close();
  asker.close();
  await db.close();
  await gateway.stop();
}
