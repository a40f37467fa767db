// What a second worker gives: searches, claims, and both at once, with one worker and with two, in alternating slices of one run. Prints rates and their ratios.
// The client is a process of its own on the same machine, so with few cores it takes from both.
//   npm run build && npm run bench:workers          BENCH_ROUNDS=4 BENCH_SECONDS=4 BENCH_HOSTS=1000 BENCH_WORKERS=2
import { randomUUID } from 'node:crypto';
import { type Db, openDatabase } from '../src/db/sql/client.ts';
import { fillHosts } from './support/fill.ts';
import { type BenchGateway, startGateway } from './support/gateway.ts';
import { type HttpClient, httpClient } from './support/http-client.ts';
import { measureRate, median } from './support/measure.ts';

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

async function startSide(workers: number): Promise<Side> {
  process.env.PLACEMENT_WORKERS = String(workers);
  const gateway = await startGateway();
  const db = openDatabase(gateway.database, { writeConnections: 1 });
  await fillHosts(db, hostCount);
  const rows = await db.writes<{ uuid: string }[]>`select uuid from resource_providers where parent_provider_id is null`;
  const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };
  return { gateway, db, client: httpClient(`${gateway.url}/placement`, headers), hosts: rows.map(({ uuid }) => uuid) };
}

async function search({ client }: Side): Promise<void> {
  const { status } = await client.request('GET', '/allocation_candidates?resources=VCPU:1,MEMORY_MB:16&limit=10');
  if (status !== 200) throw new Error(`a search was answered with ${status}`);
}

async function claim({ client, hosts }: Side): Promise<void> {
  const host = hosts[Math.floor(Math.random() * hosts.length)] ?? '';
  const allocations = { [host]: { resources: { MEMORY_MB: 1 } } };
  const body = { allocations, consumer_generation: null, project_id: 'p', user_id: 'u', consumer_type: 'INSTANCE' };
  const { status } = await client.request('PUT', `/allocations/${randomUUID()}`, JSON.stringify(body));
  if (status !== 204 && status !== 409) throw new Error(`a claim was answered with ${status}`);
}

/** Rates by what is done. */
async function measure(side: Side): Promise<Record<string, number>> {
  const searches = await measureRate(() => search(side), inFlight, seconds);
  const claims = await measureRate(() => claim(side), inFlight, seconds);
  const [searchesBeside, claimsBeside] = await Promise.all([
    measureRate(() => search(side), inFlight / 2, seconds),
    measureRate(() => claim(side), inFlight / 2, seconds),
  ]);
  return { searches, claims, 'searches beside claims': searchesBeside, 'claims beside searches': claimsBeside };
}

const [one, many] = [await startSide(1), await startSide(several)];
try {
  // Connections are spread, plans made and code compiled.
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
      `${name}: ${median(of('one')).toFixed(0)} and ${median(of('many')).toFixed(0)} a second, ` +
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
