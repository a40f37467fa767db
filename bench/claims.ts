// Claims: a new consumer allocates three classes on one provider. Prints ratios of rates measured in the same run:
// to upstream Placement's PUT /allocations (PEER_URL), and to the bare SQL function called by the same driver.
//   npm run bench:claims               PEER_URL=http://127.0.0.1:8778 npm run bench:claims
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Db, openDatabase } from '../src/db/sql/client.ts';
import { applyWrite } from '../src/db/writes/apply-write.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { measureRate, median } from './support/measure.ts';

const hostCount = 1000;
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
/** Milliseconds between two variants. */
const rest = 700;
const classes = { VCPU: 1, MEMORY_MB: 256, DISK_GB: 1 };
const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-bench' };
const claimMutation = `mutation Claim($consumer: UUID!, $provider: UUID!, $project: String!, $resources: [ResourceAmountInput!]!, $expiry: ExpiryInput) {
  replaceAllocations(input: {consumers: {consumer: $consumer, expect: {isNew: true}, project: $project, user: "u1", consumerType: "INSTANCE", expiry: $expiry,
    hold: {allocations: {resourceProvider: $provider, resources: $resources}}}}) {
    consumers { uuid generation } userErrors { code message }
  }
}`;

const gateway = await startGateway();
const db = openDatabase(gateway.database, { writeConnections: gateway.writeConnections });
const hosts = await createHosts(db);
const graphql = httpClient(gateway.url, { 'x-auth-token': 'admin', 'content-type': 'application/json' });
const resources = Object.entries(classes).map(([resourceClass, amount]) => ({ resourceClass, amount }));

async function claimThroughGraphql(provider: string, project = someProject(), expiry: object | null = null): Promise<void> {
  const variables = { consumer: randomUUID(), provider, project, resources, expiry };
  const answer = await graphql.request('POST', '/graphql', JSON.stringify({ query: claimMutation, variables }));
  const { data } = JSON.parse(answer.body) as { data: { replaceAllocations: { userErrors: { message: string }[] } } };
  const [refused] = data.replaceAllocations.userErrors;
  if (refused) throw new Error(refused.message);
}

async function claimThroughFunction(provider: string): Promise<void> {
  const allocations = resources.map((resource) => ({ provider, ...resource }));
  const consumer = {
    uuid: randomUUID(),
    expect: { isNew: true } as const,
    project: someProject(),
    user: 'u1',
    type: 'INSTANCE',
    keepType: false,
    allocations,
  };
  const answer = await applyWrite(db, 'replace_allocations', { consumers: [consumer] }, { by });
  if ('refusal' in answer) throw new Error(JSON.stringify(answer.refusal));
}

function someProject(): string {
  return `p${Math.floor(Math.random() * 50)}`;
}

const anyHost = () => hosts[Math.floor(Math.random() * hosts.length)] ?? '';
const oneHost = () => hosts[0] ?? '';

/** Rates of several variants, alternating, so that all run under the same conditions; each warmed up, after a pause for the previous to clean up. */
async function compare(
  inFlight: number,
  ways: Record<string, () => Promise<void>>,
  prepare: (name: string) => Promise<void> = async () => {},
): Promise<Record<string, number>> {
  const measured = Object.entries(ways).map(([name, way]) => ({ name, way, rates: [] as number[] }));
  for (const { name, way } of measured) {
    await prepare(name);
    await measureRate(way, inFlight, seconds);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, way, rates } of measured) {
      await prepare(name);
      await setTimeout(rest);
      rates.push(await measureRate(way, inFlight, seconds));
    }
  }
  return Object.fromEntries(measured.map(({ name, rates }) => [name, median(rates)]));
}

/** The defaults for all projects: for each class and for the number of instances, none of which is reached. */
async function setQuotas(name: string): Promise<void> {
  const amount = Number.MAX_SAFE_INTEGER;
  const every = [...Object.keys(classes).map((resourceClass) => ({ resourceClass, amount })), { consumerType: 'INSTANCE', amount }];
  const quotas = name === 'with quotas' ? every : [];
  const query =
    'mutation($quotas: [QuotaInput!]!) { replaceQuotas(input: { expect: { unchecked: true }, quotas: $quotas }) { userErrors { message } } }';
  const answer = await graphql.request('POST', '/graphql', JSON.stringify({ query, variables: { quotas } }));
  const { data } = JSON.parse(answer.body) as { data: { replaceQuotas: { userErrors: { message: string }[] } } };
  const [refused] = data.replaceQuotas.userErrors;
  if (refused) throw new Error(refused.message);
}

function show(title: string, rates: Record<string, number>): void {
  const [ours = 0, ...others] = Object.values(rates);
  const named = Object.entries(rates).map(([name, rate]) => `${name} ${rate.toFixed(0)}/s`);
  const ratios = Object.keys(rates)
    .slice(1)
    .map((name, index) => `${(ours / (others[index] ?? 1)).toFixed(2)}x ${name}`);
  console.log(`${title.padEnd(34)} ${named.join(', ')}  ->  ${ratios.join(', ')}`);
}

try {
  const peerUrl = process.env.PEER_URL;
  if (peerUrl) {
    const claimUpstream = await upstreamClaim(peerUrl);
    show('1,000 hosts, 8 in flight', await compare(8, { graphql: () => claimThroughGraphql(anyHost()), upstream: claimUpstream }));
  } else {
    console.log('PEER_URL is not set: upstream was not measured');
  }
  for (const inFlight of [8, 32]) {
    show(
      `1,000 hosts, ${inFlight} in flight`,
      await compare(inFlight, {
        graphql: () => claimThroughGraphql(anyHost()),
        'bare function': () => claimThroughFunction(anyHost()),
      }),
    );
  }
  show(
    'one host, 32 in flight',
    await compare(32, { graphql: () => claimThroughGraphql(oneHost()), 'bare function': () => claimThroughFunction(oneHost()) }),
  );
  for (const inFlight of [8, 32]) {
    const expiring = () => claimThroughGraphql(anyHost(), someProject(), { afterSeconds: 3600 });
    show(`that expire, ${inFlight} in flight`, await compare(inFlight, { expiring, lasting: () => claimThroughGraphql(anyHost()) }));
  }
  for (const inFlight of [8, 32]) {
    for (const [of, project] of [
      ['50 projects', someProject],
      ['one project', () => 'p0'],
    ] as const) {
      const claim = () => claimThroughGraphql(anyHost(), project());
      show(`${of}, ${inFlight} in flight`, await compare(inFlight, { 'with quotas': claim, without: claim }, setQuotas));
    }
  }
} finally {
  graphql.close();
  await db.close();
  await gateway.stop();
}

/** A claim through upstream's REST API on one of its own root providers. */
async function upstreamClaim(url: string): Promise<() => Promise<void>> {
  const peer = httpClient(url, {
    'x-auth-token': 'admin',
    'openstack-api-version': 'placement 1.39',
    'content-type': 'application/json',
    accept: 'application/json',
  });
  const listed = JSON.parse((await peer.request('GET', '/resource_providers')).body) as {
    resource_providers: { uuid: string; name: string }[];
  };
  const theirs = listed.resource_providers.filter(({ name }) => name.startsWith('host-')).slice(0, hostCount);
  if (theirs.length < hostCount) throw new Error(`the peer needs ${hostCount} flat hosts (shared load script), has ${theirs.length}`);
  return async () => {
    const provider = theirs[Math.floor(Math.random() * theirs.length)]?.uuid ?? '';
    const body = {
      allocations: { [provider]: { resources: classes } },
      consumer_generation: null,
      project_id: someProject(),
      user_id: 'u1',
      consumer_type: 'INSTANCE',
    };
    const answer = await peer.request('PUT', `/allocations/${randomUUID()}`, JSON.stringify(body));
    if (answer.status !== 204) throw new Error(`upstream answered ${answer.status} ${answer.body.slice(0, 200)}`);
  };
}

async function createHosts(database: Db): Promise<string[]> {
  const uuids = Array.from({ length: hostCount }, () => randomUUID());
  const inventory = { reserved: 0, minUnit: 1, maxUnit: 2147483647, stepSize: 1, allocationRatio: 1 };
  const inventories = Object.keys(classes).map((resourceClass) => ({ resourceClass, total: 2147483647, ...inventory }));
  for (const [index, uuid] of uuids.entries()) {
    const providers = [{ uuid, name: `bench-${index}-${uuid}`, parent: null, expect: {}, inventories }];
    await applyWrite(database, 'apply_provider_tree', { root: uuid, providers, consumers: [], dryRun: false }, { by });
  }
  await database.writes`vacuum analyze`;
  return uuids;
}
