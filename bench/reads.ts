// Light reads beside eight callers of each of the heaviest legal operations, among them ones that are estimated as light and make tens of thousands of
// objects: one read after another, in slices without and with them. Prints the ratio of the 99th percentiles and of the medians, the lowest of several slices,
// how long the event loop was blocked, and the processor time and memory of the gateway.
//   npm run build && npm run bench:reads            BENCH_ROUNDS=3 BENCH_SECONDS=4 BENCH_ONLY=history,subscription
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../src/db/sql/client.ts';
import { limits } from '../src/domain/limits.ts';
import { fillHosts, fillLists, longLists } from './support/fill.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { loopDelayOf, withLoopDelay } from './support/loop-delay.ts';
import { percentile } from './support/measure.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const only = process.env.BENCH_ONLY?.split(',');
const checkout = process.env.BENCH_CHECKOUT;
const callers = 8;
const writes = 100;
const consumersOfWrite = 500;

const gateway = await withLoopDelay(() => startGateway(checkout ? { checkout } : {}));
const db = openDatabase(gateway.database, { writeConnections: 1 });
const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json' };
const reader = httpClient(gateway.url, headers);
const asker = httpClient(gateway.url, headers, { keepsBodies: false });

async function ask(query: string, variables: object = {}): Promise<string> {
  const { body } = await reader.request('POST', '/graphql', JSON.stringify({ query, variables }));
  if (body.includes('"errors":[') || body.includes('"userErrors":[{')) throw new Error(body.slice(0, 300));
  return body;
}

await fillHosts(db, 2000);
const hosts = (await db.writes<{ uuid: string }[]>`select uuid from resource_providers where parent_provider_id is null`).map(
  ({ uuid }) => uuid,
);
for (let write = 0; write < writes; write++) {
  const consumers = Array.from({ length: consumersOfWrite }, (_, index) => ({
    ...{ consumer: randomUUID(), expect: { isNew: true }, project: 'p', user: 'u', consumerType: 'INSTANCE' },
    hold: { allocations: [{ resourceProvider: hosts[index % hosts.length], resources: [{ resourceClass: 'MEMORY_MB', amount: 1 }] }] },
  }));
  await ask('mutation R($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } } }', {
    input: { consumers },
  });
}
const { root, descendants } = await fillLists(db);
const { data } = JSON.parse(await ask('{ eventFeed(first: 0, from: OLDEST) { pageInfo { endCursor } } }')) as {
  data: { eventFeed: { pageInfo: { endCursor: string } } };
};
const after = data.eventFeed.pageInfo.endCursor;
const feed = (await ask('{ eventFeed(first: 0, from: NOW) { pageInfo { endCursor } } }')).match(/"endCursor":"([^"]+)"/)?.[1];
const holder = randomUUID();
const classes = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'PCI_DEVICE'];
await ask('mutation R($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } } }', {
  input: {
    consumers: {
      ...{ consumer: holder, expect: { isNew: true }, project: 'p', user: 'u', consumerType: 'INSTANCE' },
      hold: {
        allocations: descendants.map((resourceProvider) => ({
          resourceProvider,
          resources: classes.map((resourceClass) => ({ resourceClass, amount: 1 })),
        })),
      },
    },
  },
});

/** Hosts with their inventories, usually five, and the classes of these. */
const lightPage = Math.floor((limits.lightOperationCost - 1) / 11);
const page =
  'uuid name generation createdAt traits { name } aggregates { uuid } inventories { resourceClass { name } total used capacity free }';
/** Hosts without long lists. */
const usual = '{ nameStartsWith: "node", traits: [{ noneOf: ["CUSTOM_LONG_1"] }] }';
const changes =
  'changes(first: 1000) { nodes { action ... on ConsumerChange { consumerUuid allocations { resourceProviderUuid before after } } } }';
const [from, until] = [999_000, 0].map((age) => new Date(Date.now() - age).toISOString());
const queries: Readonly<Record<string, string>> = {
  'five pages': `{ ${[1, 2, 3, 4, 5].map((alias) => `p${alias}: resourceProviders(first: 1000, filter: ${usual}) { nodes { ${page} } }`).join(' ')} }`,
  'usage history': `{ usageHistory(of: { cloud: true }, from: "${from}", until: "${until}", stepSeconds: 1) { samples { at usages { used total capacity } } } }`,
  'events with changes': `{ events(first: 20) { nodes { id ${changes} } } }`,
  'map of the cloud': '{ cloudMap(resourceClasses: ["VCPU", "MEMORY_MB"]) { names flags classes { total used } } }',
  'the largest light page': `{ resourceProviders(first: ${lightPage}) { nodes { uuid name inventories { resourceClass { name } total used capacity } } } }`,
};
const tree = 'descendants { name inventories { total used resourceClass { name } } }';
const times = (count: number, field: string) => Array.from({ length: count }, (_, index) => `${field[0]}${index}: ${field}`).join(' ');
/** Estimated as light. */
const surprises: Readonly<Record<string, string>> = {
  'long lists of traits': `{ resourceProviders(first: ${longLists.traitedHosts - 10}) { nodes { name traits { name } } } }`,
  'long lists of trait names': '{ resourceProviders(first: 1000) { nodes { traitNames } } }',
  'long lists of a few hosts': '{ resourceProviders(first: 90) { nodes { name traits { name } aggregates { uuid } } } }',
  'a consumer with many allocations': `{ consumer(uuid: "${holder}") { allocations { amount resourceClass { name } resourceProvider { name } } } }`,
  'a tall tree': `{ resourceProvider(uuid: "${root}") { ${tree} } }`,
  'a tall tree in the answer of a mutation': `mutation { createResourceProvider(input: { uuid: "${root}", name: "tall", ifExists: RETURN }) { resourceProvider { ${tree} } } }`,
  'wide rows': `{ resourceProviders(first: 1000) { nodes { ${times(45, 'name')} } } }`,
  'rows as wide as is light': `{ resourceProviders(first: ${lightPage}) { nodes { ${times(9, 'name')} inventories { ${times(9, 'total')} resourceClass { ${times(9, 'name')} } } } } }`,
};
const subscriptions: Readonly<Record<string, string>> = {
  'subscription to events with changes': `subscription { events(after: "${after}") { cursor events { id ${changes} } } }`,
  'subscription to an event with many allocations': `subscription { events(after: "${feed}") { cursor events { id changes(last: 1) { nodes { ... on ConsumerChange { allocations { after } } } } } } }`,
};

type Load = (isOver: () => boolean) => Promise<void>;
const asking =
  (query: string): Load =>
  async (isOver) => {
    const body = JSON.stringify({ query });
    while (!isOver()) {
      const { status } = await asker.request('POST', '/graphql', body);
      if (status === 503) await setTimeout(1000);
      else if (status !== 200) throw new Error(`${status} ${query}`, { cause: await ask(query).catch(String) });
    }
  };
/** Reads the ledger as a stream, repeatedly. Drops the bytes, like `asker`: whoever measures must not be slowed by them. */
const subscribing =
  (query: string): Load =>
  async (isOver) => {
    while (!isOver()) {
      const body = JSON.stringify({ query });
      const asked = httpRequest(`${gateway.url}/graphql/stream`, { method: 'POST', headers });
      const [answer] = (await once(asked.end(body), 'response')) as [IncomingMessage];
      let heardAt = performance.now();
      answer.on('data', () => {
        heardAt = performance.now();
      });
      while (!isOver() && !answer.readableEnded && performance.now() - heardAt < 600) await setTimeout(50);
      answer.destroy();
    }
  };
const loads: Readonly<Record<string, Load>> = {
  ...Object.fromEntries(Object.entries({ ...queries, ...surprises }).map(([name, query]) => [name, asking(query)])),
  ...Object.fromEntries(Object.entries(subscriptions).map(([name, query]) => [name, subscribing(query)])),
};

const light = JSON.stringify({ query: `{ resourceProvider(uuid: "${hosts[0]}") { name generation inventories { total used } } }` });
async function measureReads(): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begun = performance.now();
    await reader.request('POST', '/graphql', light);
    times.push(performance.now() - begun);
    await setTimeout(2);
  }
  return times;
}

try {
  await measureReads();
  for (const [name, load] of Object.entries(loads)) {
    if (only && !only.some((part) => name.includes(part))) continue;
    const found: { p99: number; p50: number; idle: number; held: number; cpu: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const idle = await measureReads();
      let isOver = false;
      const working = Array.from({ length: callers }, () => load(() => isOver));
      await setTimeout(1000);
      const { cpu } = await loopDelayOf(gateway);
      const beside = await measureReads();
      const after = await loopDelayOf(gateway);
      isOver = true;
      await Promise.all(working);
      const ratio = (share: number) => percentile(beside, share) / percentile(idle, share);
      found.push({
        p99: ratio(0.99),
        p50: ratio(0.5),
        idle: percentile(idle, 0.99),
        held: after.longest,
        cpu: (after.cpu - cpu) / seconds / 1000,
      });
    }
    const best = found.toSorted((a, b) => a.p99 - b.p99)[0];
    if (!best) continue;
    const all = found.map(({ p99 }) => p99.toFixed(1)).join(', ');
    console.log(
      `${name}: 99th percentile ${best.p99.toFixed(1)}x of ${best.idle.toFixed(1)} ms idle (rounds: ${all}), median ${best.p50.toFixed(1)}x; loop held ${Math.min(...found.map(({ held }) => held)).toFixed(0)} to ${Math.max(...found.map(({ held }) => held)).toFixed(0)} ms; ${best.cpu.toFixed(2)} processors`,
    );
  }
} finally {
  reader.close();
  asker.close();
  await db.close();
  await gateway.stop();
}
