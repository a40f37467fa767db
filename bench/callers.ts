// Claims of services beside one caller that constantly requests heavy lists and searches and ignores every Retry-After: in alternating slices without it, with
// it unbounded, and with it bounded as most callers are by default. Prints the rate of claims and their 99th percentile, as ratios to those without it.
//   npm run build && npm run bench:callers              BENCH_ROUNDS=5 BENCH_SECONDS=2
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { addToken } from '../src/commands/token.ts';
import { openDatabase } from '../src/db/sql/client.ts';
import { fillHosts } from './support/fill.ts';
import { startGateway } from './support/gateway.ts';
import { type HttpClient, httpClient } from './support/http-client.ts';
import { measureRate, median } from './support/measure.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const noisyClients = 16;
const claimers = 4;

const home = mkdtempSync(join(tmpdir(), 'placement-callers-'));
const tokensFile = join(home, 'tokens.json');
const clientOf = async (url: () => string, user: string, roles: readonly string[], keepsBodies: boolean) => {
  const { token } = await addToken(tokensFile, { user, project: user, roles, expiresAt: null });
  return () => httpClient(url(), { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, { keepsBodies });
};
let url = '';
const [openClaimer, openLoose, openBounded] = await Promise.all([
  clientOf(() => url, 'nova', ['service'], true),
  clientOf(() => url, 'loose', ['loose', 'auditor'], false),
  clientOf(() => url, 'bounded', ['auditor'], false),
]);
Object.assign(process.env, {
  PLACEMENT_AUTH: 'static',
  PLACEMENT_TOKENS_FILE: tokensFile,
  PLACEMENT_CALLER_COST: 'service=none,loose=none,*=500000',
  PLACEMENT_CALLER_REQUESTS: 'service=none,loose=none,*=20',
});
const gateway = await startGateway();
url = gateway.url;
const db = openDatabase(gateway.database, { writeConnections: 1 });
await fillHosts(db, 2000);
const hosts = await db.writes<{ uuid: string }[]>`
  select uuid from resource_providers p where exists (select from inventories i
    where i.resource_provider_id = p.id and resource_class_id = 1 and total - used >= 10000)`;

const page = (alias: number) =>
  `p${alias}: resourceProviders(first: 1000) { nodes { uuid name traits { name } inventories { total used free } } }`;
const search = `{ allocationCandidates(input: { groups: [{ resources: [{ resourceClass: "MEMORY_MB", amount: 1 }] }], limit: 1000 }) {
  candidates { root { name } } } }`;
const questions = [JSON.stringify({ query: `{ ${[1, 2, 3, 4].map(page).join(' ')} }` }), JSON.stringify({ query: search })];
const claimQuery =
  'mutation C($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } consumers { uuid } } }';

const claimer = openClaimer();
const times: number[] = [];
async function claim(): Promise<void> {
  const { uuid: resourceProvider } = hosts[Math.floor(Math.random() * hosts.length)] ?? { uuid: '' };
  const hold = { allocations: [{ resourceProvider, resources: [{ resourceClass: 'MEMORY_MB', amount: 1 }] }] };
  const consumer = { consumer: randomUUID(), expect: { isNew: true }, hold, project: 'p', user: 'u', consumerType: 'INSTANCE' };
  const begun = performance.now();
  const { body } = await claimer.request(
    'POST',
    '/graphql',
    JSON.stringify({ query: claimQuery, variables: { input: { consumers: [consumer] } } }),
  );
  times.push(performance.now() - begun);
  if (!body.includes('"userErrors":[]')) throw new Error(body.slice(0, 300));
}

interface Slice {
  readonly rate: number;
  readonly p99: number;
}

async function slice(): Promise<Slice> {
  times.length = 0;
  const rate = await measureRate(claim, claimers, seconds);
  const sorted = times.toSorted((a, b) => a - b);
  return { rate, p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}

const statuses: Record<string, Record<number, number>> = { loose: {}, bounded: {} };
async function beside(name: string, client: HttpClient): Promise<Slice> {
  let isOver = false;
  const counts = statuses[name] ?? {};
  const ask = async (first: number) => {
    for (let next = first; !isOver; next++) {
      const { status } = await client.request('POST', '/graphql', questions[next % questions.length]);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  const asking = Array.from({ length: noisyClients }, (_, index) => ask(index));
  await setTimeout(500);
  const measured = await slice();
  isOver = true;
  await Promise.all(asking);
  return measured;
}

const clients = { loose: openLoose(), bounded: openBounded() };
const alone: Slice[] = [];
const besideOf: Record<keyof typeof clients, Slice[]> = { loose: [], bounded: [] };
try {
  await slice();
  // Spends its budget of the first minute.
  await beside('bounded', clients.bounded);
  statuses.bounded = {};
  for (let round = 0; round < rounds; round++) {
    alone.push(await slice());
    for (const name of ['loose', 'bounded'] as const) {
      besideOf[name].push(await beside(name, clients[name]));
      await setTimeout(200);
    }
  }
  for (const [name, slices] of Object.entries(besideOf)) {
    const ratio = (of: (one: Slice) => number) => median(slices.map((one, round) => of(one) / of(alone[round] ?? one))).toFixed(2);
    console.log(
      `${name}: rate ${ratio(({ rate }) => rate)}, 99th percentile ${ratio(({ p99 }) => p99)}, answers ${JSON.stringify(statuses[name])}`,
    );
  }
  console.log(
    `alone: ${median(alone.map(({ rate }) => rate)).toFixed(0)} claims a second, 99th percentile ${median(alone.map(({ p99 }) => p99)).toFixed(1)} ms`,
  );
} finally {
  for (const client of [claimer, ...Object.values(clients)]) client.close();
  await db.close();
  await gateway.stop();
  rmSync(home, { recursive: true, force: true });
}
