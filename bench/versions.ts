// Compares this build with another build of this project, alternating on one machine, to find regressions. Both get the same data through
// REST; GraphQL requests use each version's own documents (bench/support/documents.ts of the checkout). Prints the ratio of rates for each kind of
// request: the median of the rounds, with the lowest and the highest.
//   npm run build && npm run bench:versions -- ../other-checkout          (built there, too)
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as Documents from './support/documents.ts';
import { type BenchGateway, startGateway } from './support/gateway.ts';
import { type HttpClient, httpClient } from './support/http-client.ts';
import { measureRate, median } from './support/measure.ts';

const [other] = process.argv.slice(2);
if (!other) throw new Error('name the checkout of the other version, built');
const hostCount = Number(process.env.BENCH_HOSTS ?? 500);
const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const seconds = Number(process.env.BENCH_SECONDS ?? 1.5);
/** Milliseconds between two slices, so that the cleanup of one is not measured in the next. */
const rest = 400;

interface Version {
  readonly gateway: BenchGateway;
  readonly documents: typeof Documents;
  readonly rest: HttpClient;
  readonly graphql: HttpClient;
  readonly hosts: readonly string[];
}

async function startVersion(checkout: string): Promise<Version> {
  const gateway = await startGateway({ checkout });
  const documents = (await import(pathToFileURL(resolve(checkout, 'bench/support/documents.ts')).href)) as typeof Documents;
  const json = { 'x-auth-token': 'admin', 'content-type': 'application/json', accept: 'application/json' };
  const client = httpClient(gateway.url, { ...json, 'openstack-api-version': 'placement 1.39' });
  const hosts = Array.from({ length: hostCount }, () => randomUUID());
  for (const [index, uuid] of hosts.entries()) {
    await expectStatus(client, 200, 'POST', '/placement/resource_providers', { uuid, name: `host-${index}` });
    const inventories = { VCPU: { total: 2_147_483_647 }, MEMORY_MB: { total: 2_147_483_647 }, DISK_GB: { total: 100_000 } };
    await expectStatus(client, 200, 'PUT', `/placement/resource_providers/${uuid}/inventories`, {
      resource_provider_generation: 0,
      inventories,
    });
  }
  return { gateway, documents, rest: client, graphql: httpClient(gateway.url, json), hosts };
}

async function expectStatus(client: HttpClient, status: number, method: string, path: string, body?: object): Promise<void> {
  const answer = await client.request(method, path, body && JSON.stringify(body));
  if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`);
}

async function play({ graphql }: Version, operation: Documents.Operation): Promise<void> {
  const { body } = await graphql.request('POST', '/graphql', JSON.stringify(operation));
  if (body.includes('"errors"') || !body.includes('"data"')) throw new Error(body.slice(0, 500));
  if (body.includes('"userErrors":[{')) throw new Error(body.slice(0, 500));
}

const anyHost = ({ hosts }: Version) => hosts[Math.floor(Math.random() * hosts.length)] ?? '';
const claimBody = (host: string) => ({
  allocations: { [host]: { resources: { VCPU: 1, MEMORY_MB: 256 } } },
  consumer_generation: null,
  project_id: 'p1',
  user_id: 'u1',
  consumer_type: 'INSTANCE',
});

/** Comparisons: a title, the number in flight, and one request. Claims are last: the vacuum that follows them would be measured with the reads. */
const kinds: readonly (readonly [string, number, (version: Version) => Promise<void>])[] = [
  ['GraphQL page of 100', 4, (version) => play(version, version.documents.pageDocument())],
  ['GraphQL search, limit 10', 8, (version) => play(version, version.documents.searchDocument())],
  [
    'REST candidates, limit 10',
    8,
    ({ rest: client }) => expectStatus(client, 200, 'GET', '/placement/allocation_candidates?resources=VCPU:1,MEMORY_MB:256&limit=10'),
  ],
  ['REST list of providers', 4, ({ rest: client }) => expectStatus(client, 200, 'GET', '/placement/resource_providers')],
  [
    'REST inventories',
    8,
    (version) => expectStatus(version.rest, 200, 'GET', `/placement/resource_providers/${anyHost(version)}/inventories`),
  ],
  ['GraphQL claim', 8, (version) => play(version, version.documents.claimDocument(randomUUID(), anyHost(version)))],
  ['GraphQL claim', 32, (version) => play(version, version.documents.claimDocument(randomUUID(), anyHost(version)))],
  [
    'REST claim',
    8,
    (version) => expectStatus(version.rest, 204, 'PUT', `/placement/allocations/${randomUUID()}`, claimBody(anyHost(version))),
  ],
];

const ours = await startVersion(process.cwd());
const theirs = await startVersion(other);
const only = process.env.BENCH_ONLY;
try {
  for (const [title, inFlight, request] of kinds) {
    if (only && !title.includes(only)) continue;
    const ratios: number[] = [];
    // The first round warms both up.
    for (let round = 0; round <= rounds; round++) {
      const rates: number[] = [];
      for (const version of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
        await setTimeout(rest);
        rates.push(await measureRate(() => request(version), inFlight, seconds));
      }
      const [first = 0, second = 1] = rates;
      if (round > 0) ratios.push(round % 2 === 0 ? first / second : second / first);
    }
    const span = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    console.log(`${`${title}, ${inFlight} in flight`.padEnd(42)} ${median(ratios).toFixed(3)}x the other (${span})`);
  }
} finally {
  for (const { gateway, rest: client, graphql } of [ours, theirs]) {
    client.close();
    graphql.close();
    await gateway.stop();
  }
}
