// The effect of a second worker: searches, claims, equal numbers of both at once, and claims beside a fifth of the searches, with one worker and with two, in
// alternating slices of one run. Prints rates, how long searches take beside claims, and ratios. BENCH_OLD names another checkout, whose build with as many
// workers then replaces the single worker.
// The client is a separate process on the same machine, so with few cores it takes time from both.
//   npm run build && npm run bench:workers          BENCH_ROUNDS=4 BENCH_SECONDS=4 BENCH_HOSTS=1000 BENCH_WORKERS=2
import { randomUUID } from 'node:crypto';
import { type Db, openDatabase } from '../src/db/sql/client.ts';
import { fillHosts } from './support/fill.ts';
import { type BenchGateway, startGateway } from './support/gateway.ts';
import { type HttpClient, httpClient } from './support/http-client.ts';
import { measurePaced, measureRate, median, percentile } from './support/measure.ts';
import { processorTimeOf } from './support/processor-time.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 4);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const hostCount = Number(process.env.BENCH_HOSTS ?? 1000);
const several = Number(process.env.BENCH_WORKERS ?? 2);
const inFlight = Number(process.env.BENCH_IN_FLIGHT ?? 32);

interface Side {
  readonly gateway: BenchGateway;
  readonly db: Db;
  readonly client: HttpClient;
  readonly hosts: readonly string[];
}

async function startSide(workers: number, checkout?: string): Promise<Side> {
  process.env.PLACEMENT_WORKERS = String(workers);
  const gateway = await startGateway({ ...(checkout && { checkout }) });
  const db = openDatabase(gateway.database, { writeConnections: 1 });
  await fillHosts(db, hostCount);
  const rows = await db.writes<{ uuid: string }[]>`select uuid from resource_providers where parent_provider_id is null`;
  const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };
  return { gateway, db, client: httpClient(gateway.url, headers), hosts: rows.map(({ uuid }) => uuid) };
}

async function search({ client }: Side): Promise<void> {
  const { status } = await client.request('GET', '/placement/allocation_candidates?resources=VCPU:1,MEMORY_MB:16&limit=10');
  if (status !== 200) throw new Error(`a search was answered with ${status}`);
}

async function claim({ client, hosts }: Side): Promise<void> {
  const host = hosts[Math.floor(Math.random() * hosts.length)] ?? '';
  const allocations = { [host]: { resources: { MEMORY_MB: 1 } } };
  const body = { allocations, consumer_generation: null, project_id: 'p', user_id: 'u', consumer_type: 'INSTANCE' };
  const { status } = await client.request('PUT', `/placement/allocations/${randomUUID()}`, JSON.stringify(body));
  if (status !== 204 && status !== 409) throw new Error(`a claim was answered with ${status}`);
}

/** The claims so far, the calls in which they were written, and the processor time of all processes of the gateway, database included. */
async function readCounts({ client, gateway }: Side) {
  const { body } = await client.request('GET', '/metrics');
  const [claims = 0, calls = 0] = ['sum', 'count'].map((part) =>
    Number(new RegExp(`^placement_claims_per_call_${part} (.*)$`, 'm').exec(body)?.[1] ?? 0),
  );
  const { own, started } = processorTimeOf(gateway.process.pid ?? 0);
  return { claims, calls, time: own + started };
}

/** Rates by kind of work, and the cost of a claim. */
async function measure(side: Side): Promise<Record<string, number>> {
  const [idle, busy]: [number[], number[]] = [[], []];
  const searches = await measureRate(() => timed(() => search(side), idle), inFlight, seconds);
  const before = await readCounts(side);
  const claims = await measureRate(() => claim(side), inFlight, seconds);
  const between = await readCounts(side);
  const [searchesBeside, claimsBeside] = await Promise.all([
    measureRate(() => timed(() => search(side), busy), inFlight, seconds),
    measureRate(() => claim(side), inFlight, seconds),
  ]);
  const after = await readCounts(side);
  const [paced, claimsBesidePaced] = await Promise.all([
    measurePaced(() => search(side), searches / 5, seconds),
    measureRate(() => claim(side), inFlight, seconds),
  ]);
  return {
    'searches per second': searches,
    'claims per second': claims,
    'claims per call': (between.claims - before.claims) / (between.calls - before.calls),
    'milliseconds of processor time per claim': (between.time - before.time) / (between.claims - before.claims),
    'searches per second beside claims': searchesBeside,
    'claims per second beside searches': claimsBeside,
    'claims per call beside searches': (after.claims - between.claims) / (after.calls - between.calls),
    'ratio of claims beside searches to claims alone': claimsBeside / claims,
    'ratio of the p99 of searches beside claims to their p50 alone': percentile(busy, 0.99) / median(idle),
    'milliseconds of a search beside claims, p50': median(busy),
    'the same at a fifth of the rate alone, p50': median(paced),
    'the same, p99': percentile(paced, 0.99),
    'ratio of claims beside that many searches to claims alone': claimsBesidePaced / claims,
  };
}

async function timed(action: () => Promise<unknown>, times: number[]): Promise<void> {
  const since = performance.now();
  await action();
  times.push(performance.now() - since);
}

const digits = (value: number) => String(Number(value.toPrecision(3)));

const { BENCH_OLD: old } = process.env;
const [one, many] = [await startSide(old ? several : 1, old), await startSide(several)];
try {
  // Warms up: connections are distributed, plans made and code compiled.
  for (const side of [one, many]) await measure(side);
  const results: { readonly one: Record<string, number>; readonly many: Record<string, number> }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0;
    const early = await measure(first ? one : many);
    const late = await measure(first ? many : one);
    results.push(first ? { one: early, many: late } : { one: late, many: early });
  }
  for (const name of Object.keys(results[0]?.one ?? {})) {
    const of = (which: 'one' | 'many') => results.map((result) => result[which][name] ?? Number.NaN);
    const ratios = results.map((result) => (result.many[name] ?? 0) / (result.one[name] ?? 1));
    console.log(
      `${name}: ${digits(median(of('one')))} and ${digits(median(of('many')))}, ` +
        `${median(ratios).toFixed(2)}x (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}) with ${several} workers`,
    );
  }
} finally {
  for (const { client, db, gateway } of [one, many]) {
    client.close();
    await db.close();
    await gateway.stop();
  }
}
