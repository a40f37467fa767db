// Candidates: searches in clouds of the shapes on which upstream Placement was measured, from request to response, with full answers. Prints
// ratios of times measured in the same run. Rows without a peer (PEER_URL: 10,000 flat hosts with 9 consumers each; PEER_NESTED_URL: 1,000
// nested trees; PEER_WIDE_URL: an empty one, filled here) print only ours. PEER_MS='{"wide 5":39000}' gives a slow row of an earlier run.
//   npm run bench:candidates               BENCH_ONLY=flat,nested,wide,sizes,mixed,hostile npm run bench:candidates
import { randomUUID } from 'node:crypto';
import { type Db, openDatabase } from '../src/db/sql/client.ts';
import { fillFlat, fillNested, fillWide, flatCloud } from './support/candidate-clouds.ts';
import { type BenchGateway, startGateway } from './support/gateway.ts';
import { type HttpClient, httpClient } from './support/http-client.ts';
import { loopDelayOf, withLoopDelay } from './support/loop-delay.ts';
import { measureRate, measureTimes, median, percentile } from './support/measure.ts';

const { PEER_URL, PEER_NESTED_URL, PEER_WIDE_URL } = process.env;
const peerTimes = JSON.parse(process.env.PEER_MS ?? '{}') as Record<string, number>;
const chosen = process.env.BENCH_ONLY?.split(',');
const seconds = Number(process.env.BENCH_SECONDS ?? 5);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** Warm-up in seconds: until code is compiled, and the file system is idle after filling the database. */
const warmUp = 3;

const full = `truncated candidates { claimToken root { uuid name } mappings { suffix resourceProviders { uuid } }
  allocations { amount resourceClass { name } resourceProvider { uuid name generation inventory(resourceClass: "VCPU") { capacity used } } } }`;
const document = (fields: string) => `query Find($input: CandidatesInput!) { allocationCandidates(input: $input) { ${fields} } }`;

type Input = Readonly<Record<string, unknown>>;
const amounts = (resources: Readonly<Record<string, number>>) =>
  Object.entries(resources).map(([resourceClass, amount]) => ({ resourceClass, amount }));
const server = { resources: amounts({ VCPU: 1, DISK_GB: 10, MEMORY_MB: 256 }) };
const placed: Input = {
  groups: [{ ...server, traits: [{ allOf: [flatCloud.trait] }], aggregates: [{ anyOf: [flatCloud.aggregate] }] }],
  limit: 10,
};
const nested: Input = {
  groups: [
    { resources: amounts({ DISK_GB: 10 }), traits: [{ allOf: ['COMPUTE_VOLUME_MULTI_ATTACH'] }] },
    { suffix: '_COMPUTE', resources: amounts({ VCPU: 1, MEMORY_MB: 256 }), traits: [{ allOf: ['CUSTOM_FOO'] }] },
    { suffix: '_FPGA', resources: amounts({ FPGA: 1 }) },
  ],
  sameSubtree: [{ suffixes: ['_COMPUTE', '_FPGA'] }],
};
const devices = (count: number): Input => ({
  groups: Array.from({ length: count }, (_, number) => ({ suffix: `_${number}`, resources: amounts({ FPGA: 1 }) })),
  limit: 1000,
});
const placedUpstream = `resources=VCPU:1,DISK_GB:10,MEMORY_MB:256&member_of=${flatCloud.aggregate}&required=${flatCloud.trait}`;
const nestedUpstream =
  'resources=DISK_GB:10&required=COMPUTE_VOLUME_MULTI_ATTACH&resources_COMPUTE=VCPU:1,MEMORY_MB:256&required_COMPUTE=CUSTOM_FOO' +
  '&resources_FPGA=FPGA:1&group_policy=none&same_subtree=_COMPUTE,_FPGA';
const devicesUpstream = (count: number) =>
  `${Array.from({ length: count }, (_, number) => `resources_${number}=FPGA:1`).join('&')}&group_policy=none&limit=1000`;

interface Cloud {
  readonly gateway: BenchGateway;
  readonly client: HttpClient;
  readonly db: Db;
}

const clouds: Cloud[] = [];

async function startCloud(fill: (db: Db) => Promise<void>): Promise<Cloud> {
  const gateway = await withLoopDelay(() => startGateway());
  const db = openDatabase(gateway.database);
  const client = httpClient(gateway.url, { 'x-auth-token': 'admin', 'content-type': 'application/json' });
  clouds.push({ gateway, client, db });
  await fill(db);
  return { gateway, client, db };
}

async function stopClouds(): Promise<void> {
  for (const { gateway, client, db } of clouds.splice(0)) {
    client.close();
    await db.close();
    await gateway.stop();
  }
}

/** The time from request to response, without parsing the answer, neither for ours nor for upstream's. */
async function ask({ client }: Cloud, query: string, variables: Input): Promise<string> {
  const { body } = await client.request('POST', '/graphql', JSON.stringify({ query, variables }));
  // Errors come first in the body.
  if (!body.startsWith('{"data":{')) throw new Error(body.slice(0, 300));
  return body;
}

interface Found {
  readonly allocationCandidates: { readonly candidates: readonly unknown[] };
}
const find = (cloud: Cloud, input: Input, fields = full) => ask(cloud, document(fields), { input });
const count = async (cloud: Cloud, input: Input) =>
  (JSON.parse(await find(cloud, input)) as { data: Found }).data.allocationCandidates.candidates.length;

const peerHeaders = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', accept: 'application/json' };
const json = { 'content-type': 'application/json' };

async function askPeer(client: HttpClient, query: string): Promise<void> {
  const { status, body } = await client.request('GET', `/allocation_candidates?${query}`);
  if (status !== 200) throw new Error(`upstream answered ${status} ${body.slice(0, 300)}`);
}

const ms = (time: number) => `${time < 10 ? time.toFixed(2) : time.toFixed(0)} ms`;
const print = (row: string, text: string) => console.log(`${row.padEnd(26)} ${text}`);

/** Compares one row with the peer: the full answer and the tokens alone, alternating with upstream's. */
async function compare(row: string, cloud: Cloud, input: Input, peer: string | undefined, query: string): Promise<void> {
  const candidates = await count(cloud, input);
  await measureRate(() => find(cloud, input), 4, warmUp);
  await measureRate(() => find(cloud, input, 'candidates { claimToken }'), 4, warmUp);
  const [whole, tokens, theirs]: [number[], number[], number[]] = [[], [], []];
  const client = peer ? httpClient(peer, peerHeaders) : null;
  let upstream = 'upstream not measured';
  const isKnown = row in peerTimes;
  for (let round = 0; round < rounds; round++) {
    whole.push(...(await measureTimes(() => find(cloud, input), 30)));
    tokens.push(...(await measureTimes(() => find(cloud, input, 'candidates { claimToken }'), 30)));
    // A row that takes upstream half a minute is run once.
    if (client && !isKnown && (theirs[0] ?? 0) < 10_000) theirs.push(...(await measureTimes(() => askPeer(client, query), 1)));
  }
  client?.close();
  const [ours, lean] = [median(whole), median(tokens)];
  const peerTime = isKnown ? (peerTimes[row] ?? Number.NaN) : median(theirs);
  if (isKnown || theirs.length > 0) {
    upstream = `upstream ${ms(peerTime)}${isKnown ? ' (given)' : ''}  ->  ${(peerTime / ours).toFixed(0)}x, tokens ${(peerTime / lean).toFixed(0)}x`;
  }
  print(row, `${candidates} candidates: full ${ms(ours)}, tokens ${ms(lean)}; ${upstream}`);
}

async function benchFlat(): Promise<void> {
  const cloud = await startCloud((db) => fillFlat(db, 10_000, 9));
  await compare('10,000 hosts, limit 10', cloud, placed, PEER_URL, `${placedUpstream}&limit=10`);
  const wide = { groups: [server], limit: 1000 };
  await compare('no trait, limit 1,000', cloud, wide, PEER_URL, 'resources=VCPU:1,DISK_GB:10,MEMORY_MB:256&limit=1000');
}

async function benchNested(): Promise<void> {
  const cloud = await startCloud((db) => fillNested(db, 1000));
  await compare('nested, limit 10', cloud, { ...nested, limit: 10 }, PEER_NESTED_URL, `${nestedUpstream}&limit=10`);
  // There are 2,000; ours returns at most 1,000 per request.
  await compare('nested, limit 1,000', cloud, { ...nested, limit: 1000 }, PEER_NESTED_URL, `${nestedUpstream}&limit=1000`);
}

async function benchWide(): Promise<void> {
  const cloud = await startCloud((db) => fillWide(db, 10, 8));
  if (PEER_WIDE_URL) await fillWidePeer(PEER_WIDE_URL);
  await compare('wide 5', cloud, devices(5), PEER_WIDE_URL, devicesUpstream(5));
  // Upstream's time for this one is unknown: it never finished.
  await compare('wide 8', cloud, devices(8), undefined, '');
}

async function fillWidePeer(url: string): Promise<void> {
  const client = httpClient(url, { ...peerHeaders, ...json });
  const { body } = await client.request('GET', '/resource_providers');
  const create = async (name: string, parent?: string) => {
    const uuid = randomUUID();
    await client.request('POST', '/resource_providers', JSON.stringify({ uuid, name, ...(parent && { parent_provider_uuid: parent }) }));
    return uuid;
  };
  for (let host = 0; host < 10 && !body.includes('wide-'); host++) {
    const root = await create(`wide-${host}`);
    for (let device = 0; device < 8; device++) {
      const uuid = await create(`wide-${host}-device-${device}`, root);
      const inventories = { resource_provider_generation: 0, inventories: { FPGA: { total: 1 } } };
      await client.request('PUT', `/resource_providers/${uuid}/inventories`, JSON.stringify(inventories));
    }
  }
  client.close();
}

/** The same search, explanation and count with increasing numbers of hosts: the time must not grow. */
async function benchSizes(): Promise<void> {
  const sizes = [1000, 10_000, 100_000];
  for (const size of sizes) {
    const cloud = await startCloud((db) => fillFlat(db, size, 0));
    const [first = 0] = await measureTimes(() => find(cloud, placed), 1);
    const { memory } = await loopDelayOf(cloud.gateway);
    print(
      `${size.toLocaleString('en')} hosts`,
      `first search, right after they were written: ${ms(first)}; ${(memory / 2 ** 20).toFixed(0)} MiB resident`,
    );
  }
  const tooMuch = { ...placed, groups: [{ ...server, resources: amounts({ VCPU: 2000, MEMORY_MB: 256 }) }] };
  const questions: Record<string, (cloud: Cloud) => Promise<unknown>> = {
    'limit 10': (cloud) => find(cloud, placed),
    'limit 10, spread': (cloud) => find(cloud, { ...placed, orderBy: [{ field: 'FREE', resourceClass: 'VCPU', direction: 'DESC' }] }),
    explanation: (cloud) => find(cloud, tooMuch, 'candidates { claimToken } explanation { summary nearestMisses { message } }'),
    fit: (cloud) => ask(cloud, 'query Fit($input: CandidatesInput!) { fit(input: $input) { total exact truncated } }', { input: placed }),
  };
  for (const [name, question] of Object.entries(questions)) {
    const times: number[][] = sizes.map(() => []);
    const repetitions = name.startsWith('limit') ? 100 : 10;
    for (const cloud of clouds) await measureTimes(() => question(cloud), repetitions);
    for (let turn = 0; turn < repetitions; turn++) {
      for (const [index, cloud] of clouds.entries()) times[index]?.push(...(await measureTimes(() => question(cloud), 1)));
    }
    const medians = times.map(median);
    print(name, `${medians.map(ms).join(', ')}  ->  ${(Math.max(...medians) / Math.min(...medians)).toFixed(2)}x from least to most`);
  }
}

/** Latencies of an action with a fixed number in flight, until `done`. */
async function latencies(action: () => Promise<unknown>, inFlight: number, end: number): Promise<number[]> {
  const times: number[] = [];
  const runner = async () => {
    while (performance.now() < end) times.push(...(await measureTimes(action, 1)));
  };
  await Promise.all(Array.from({ length: inFlight }, runner));
  return times;
}

/** 32 searches in flight, 32 claims in flight, and both together. */
async function benchMixed(): Promise<void> {
  const cloud = await startCloud((db) => fillFlat(db, 10_000, 9));
  const hosts = (await cloud.db.sql<{ uuid: string }[]>`select uuid from resource_providers`).map(({ uuid }) => uuid);
  const search = () => find(cloud, placed);
  const claim = () => {
    const provider = hosts[Math.floor(Math.random() * hosts.length)] ?? '';
    const hold = { allocations: [{ resourceProvider: provider, resources: server.resources }] };
    const consumer = { consumer: randomUUID(), expect: { isNew: true }, project: 'p1', user: 'u1', type: 'INSTANCE', hold };
    return ask(
      cloud,
      'mutation Claim($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { consumers { uuid generation } userErrors { message } } }',
      { input: { consumers: [consumer] } },
    );
  };
  const run = (action: () => Promise<unknown>, inFlight: number) => latencies(action, inFlight, performance.now() + seconds * 1000);
  await run(search, 8);
  await run(claim, 8);
  const [tails, shares]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const single = await run(search, 1);
    const idle = await run(search, 32);
    const alone = await run(claim, 32);
    const [searches, claims] = await Promise.all([run(search, 32), run(claim, 32)]);
    const [p50, p99] = [percentile(idle, 0.5), percentile(searches, 0.99)];
    tails.push(p99 / p50);
    shares.push(claims.length / alone.length);
    print(
      '32 searches + 32 claims',
      `search p50 alone ${ms(percentile(single, 0.5))}, of 32 ${ms(p50)} (${(idle.length / seconds).toFixed(0)}/s); with claims p50 ${ms(percentile(searches, 0.5))}, ` +
        `p99 ${ms(p99)} (${(searches.length / seconds).toFixed(0)}/s)  ->  p99 ${(p99 / p50).toFixed(1)}x idle p50; ` +
        `claims ${(alone.length / seconds).toFixed(0)}/s alone, ${(claims.length / seconds).toFixed(0)}/s  ->  ${((100 * claims.length) / alone.length).toFixed(0)} %`,
    );
  }
  print(`medians of ${rounds} rounds`, `p99 ${median(tails).toFixed(1)}x idle p50; claims keep ${(100 * median(shares)).toFixed(0)} %`);
}

/** The longest block of the event loop under requests designed to block it. */
async function benchHostile(): Promise<void> {
  const cloud = await startCloud((db) => fillWide(db, 100, 64));
  const isolated = { ...devices(16), groupPolicy: 'ISOLATE' };
  const impossible = { ...devices(65), groupPolicy: 'ISOLATE' };
  const together = { ...devices(16), sameSubtree: [{ suffixes: Array.from({ length: 16 }, (_, number) => `_${number}`) }] };
  const names = (part: string, name: string) => Array.from({ length: 100 }, () => ({ [part]: Array(1000).fill(name) }));
  const lists = { groups: [{ ...server, traits: [...names('allOf', 'CUSTOM_A'), ...names('noneOf', 'CUSTOM_B')] }] };
  const send = ({ client }: Cloud, query: string, input: Input) =>
    client.request('POST', '/graphql', JSON.stringify({ query, variables: { input } }));
  const explained = 'truncated candidates { claimToken } explanation { truncated summary }';
  const twenty = `query Find($input: CandidatesInput!) { ${Array.from({ length: 20 }, (_, number) => `a${number}: allocationCandidates(input: $input) { candidates { claimToken } }`).join(' ')} }`;
  const requests: Record<string, () => Promise<unknown>> = {
    '16 groups': () => find(cloud, isolated, 'truncated candidates { claimToken }'),
    // The largest possible answer.
    '16 groups, full answer': () => find(cloud, { ...isolated, limit: 900 }),
    '16 groups, explained': () => find(cloud, isolated, explained),
    '16 groups in a subtree': () => find(cloud, together, explained),
    '65 groups': () => find(cloud, impossible, explained),
    '16 groups, fit': () =>
      ask(cloud, 'query Fit($input: CandidatesInput!) { fit(input: $input) { total truncated } }', { input: isolated }),
    '20 searches in a document': () => ask(cloud, twenty, { input: { ...impossible, limit: 10 } }),
    // Refused.
    '200,000 names': () => send(cloud, document(explained), lists),
  };
  for (const [name, request] of Object.entries(requests)) {
    // A process that has served for a while.
    for (let turn = 0; turn < 10; turn++) await request();
    const [delays, times, cpus]: [number[], number[], number[]] = [[], [], []];
    for (let turn = 0; turn < 5; turn++) {
      const before = await loopDelayOf(cloud.gateway);
      times.push(...(await measureTimes(request, 1)));
      const after = await loopDelayOf(cloud.gateway);
      delays.push(after.longest);
      cpus.push(after.cpu - before.cpu);
    }
    print(name, `${ms(median(times))}, processor ${ms(median(cpus))}, event loop held ${ms(median(delays))} at most`);
  }
}

const parts = { flat: benchFlat, nested: benchNested, wide: benchWide, sizes: benchSizes, mixed: benchMixed, hostile: benchHostile };
for (const [name, part] of Object.entries(parts)) {
  if (chosen && !chosen.includes(name)) continue;
  try {
    await part();
  } finally {
    await stopClouds();
  }
}
