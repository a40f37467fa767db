// Compares the Placement REST API with upstream's, call by call, on the same data: rates with several in flight and medians one at a time,
// alternating. Prints ratios. PEER_URL is an upstream Placement with 1,000 flat hosts, whose data are imported first; PEER_NESTED_URL one with
// nested trees, imported as well; PEER_LARGE_URL one with 10,000 flat hosts, for the list of all.
//   PEER_URL=http://127.0.0.1:8778 npm run bench:rest        BENCH_ONLY=flat,nested,large BENCH_ROWS=list npm run bench:rest
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../src/db/sql/client.ts';
import { fillFlat } from './support/candidate-clouds.ts';
import { type BenchGateway, startGateway } from './support/gateway.ts';
import { type HttpAnswer, type HttpClient, httpClient } from './support/http-client.ts';
import { loopDelayOf, withLoopDelay } from './support/loop-delay.ts';
import { measureRate, measureTimes, median } from './support/measure.ts';

const { PEER_URL, PEER_NESTED_URL, PEER_LARGE_URL } = process.env;
const chosen = process.env.BENCH_ONLY?.split(',');
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const inFlight = Number(process.env.BENCH_IN_FLIGHT ?? 8);
const rounds = Number(process.env.BENCH_ROUNDS ?? 2);
/** Warm-up in seconds: until code is compiled and plans are cached, on both sides. */
const warmUp = 2;
/** Selects rows by part of their names. */
const chosenRows = process.env.BENCH_ROWS ?? '';

const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', accept: 'application/json' };
const [project, consumersToRead] = [randomUUID(), 200];

/** One of the two servers, with the data that the calls need. */
interface Side {
  readonly client: HttpClient;
  /** Uses 1.37: upstream fails on Postgres with later versions of this request. */
  readonly older: HttpClient;
  readonly roots: readonly string[];
  /** Consumers of the project that is read, the same number on both sides. Measured claims belong to another project. */
  readonly consumers: string[];
}

type Operation = (side: Side) => Promise<HttpAnswer>;

const pick = (list: readonly string[]): string => list[Math.floor(Math.random() * list.length)] ?? '';
const get =
  (path: (side: Side) => string): Operation =>
  (side) =>
    side.client.request('GET', path(side));

function write({ client, roots }: Side, consumer: string, owner: string): Promise<HttpAnswer> {
  const allocations = { [pick(roots)]: { resources: { VCPU: 1, MEMORY_MB: 256, DISK_GB: 1 } } };
  const body = { allocations, consumer_generation: null, project_id: owner, user_id: 'u1', consumer_type: 'TEST' };
  return client.request('PUT', `/allocations/${consumer}`, JSON.stringify(body));
}

const server = 'resources=VCPU:1,DISK_GB:10,MEMORY_MB:256';
const placed = `${server}&member_of=14a5c8a3-5a99-4e8f-88be-00d85fcb1c17&required=HW_CPU_X86_AVX2`;
const nested =
  'resources=DISK_GB:10&required=COMPUTE_VOLUME_MULTI_ATTACH&resources_COMPUTE=VCPU:1,MEMORY_MB:256&required_COMPUTE=CUSTOM_FOO' +
  '&resources_FPGA=FPGA:1&group_policy=none&same_subtree=_COMPUTE,_FPGA';

const flatOperations: Readonly<Record<string, Operation>> = {
  'allocations of a consumer': get(({ consumers }) => `/allocations/${pick(consumers)}`),
  'usages of a project': ({ older }) => older.request('GET', `/usages?project_id=${project}`),
  'providers list': get(() => '/resource_providers'),
  'providers list, filtered': get(() => '/resource_providers?resources=VCPU:1&required=HW_CPU_X86_AVX2'),
  provider: get(({ roots }) => `/resource_providers/${pick(roots)}`),
  'provider inventories': get(({ roots }) => `/resource_providers/${pick(roots)}/inventories`),
  'provider usages': get(({ roots }) => `/resource_providers/${pick(roots)}/usages`),
  'provider traits': get(({ roots }) => `/resource_providers/${pick(roots)}/traits`),
  'provider aggregates': get(({ roots }) => `/resource_providers/${pick(roots)}/aggregates`),
  'provider allocations': get(({ roots }) => `/resource_providers/${pick(roots)}/allocations`),
  'candidates, all': get(() => `/allocation_candidates?${placed}`),
  'candidates, limit 10': get(() => `/allocation_candidates?${placed}&limit=10`),
  'candidates, wide': get(() => `/allocation_candidates?${server}&limit=1000`),
  // Last: the faster side writes more, and would then have to read more.
  'claim (PUT allocations)': (side) => write(side, randomUUID(), 'elsewhere'),
};
const nestedOperations: Readonly<Record<string, Operation>> = {
  'nested providers list': get(() => '/resource_providers'),
  'nested tree': get(({ roots }) => `/resource_providers?in_tree=${pick(roots)}`),
  'nested provider usages': get(({ roots }) => `/resource_providers/${pick(roots)}/usages`),
  'nested candidates, all': get(() => `/allocation_candidates?${nested}`),
  'nested candidates, limit 10': get(() => `/allocation_candidates?${nested}&limit=10`),
};

async function openSide(url: string): Promise<Side> {
  const keeping = httpClient(url, headers);
  const { body } = await keeping.request('GET', '/resource_providers');
  keeping.close();
  const client = httpClient(url, { ...headers, 'content-type': 'application/json' }, { keepsBodies: false });
  const older = httpClient(url, { ...headers, 'openstack-api-version': 'placement 1.37' }, { keepsBodies: false });
  const { resource_providers: all } = JSON.parse(body) as { resource_providers: { uuid: string; root_provider_uuid: string }[] };
  return { client, older, roots: all.filter(({ uuid, root_provider_uuid: root }) => uuid === root).map(({ uuid }) => uuid), consumers: [] };
}

const succeed = (operation: Operation, side: Side) => async () => {
  const { status, body } = await operation(side);
  if (status >= 300) throw new Error(`answered with ${status}: ${body.slice(0, 300)}`);
};

const number = (value: number) => value.toFixed(value < 10 ? 1 : 0);

async function compare(name: string, operation: Operation, sides: readonly [ours: Side, theirs: Side]): Promise<void> {
  const actions = sides.map((side) => succeed(operation, side));
  for (const action of actions) await measureRate(action, inFlight, warmUp);
  const rates: [number[], number[]] = [[], []];
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const side of [0, 1] as const) {
      const action = actions[side];
      if (!action) continue;
      rates[side].push(await measureRate(action, inFlight, seconds));
      times[side].push(...(await measureTimes(action, 20)));
    }
  }
  const [ourRate, theirRate] = rates.map(median) as [number, number];
  const [ourTime, theirTime] = times.map(median) as [number, number];
  console.log(
    `${name.padEnd(28)} ${number(ourRate)} a second, upstream ${number(theirRate)}  ->  ${number(ourRate / theirRate)}x;` +
      `  ${ourTime.toFixed(1)} ms, upstream ${theirTime.toFixed(1)}  ->  ${number(theirTime / ourTime)}x`,
  );
}

async function writeConsumers(side: Side): Promise<void> {
  for (let made = 0; made < consumersToRead; made++) {
    const consumer = randomUUID();
    const { status, body } = await write(side, consumer, project);
    if (status >= 300) throw new Error(body);
    side.consumers.push(consumer);
  }
}

async function compareAll(peer: string, operations: Readonly<Record<string, Operation>>): Promise<void> {
  const gateway = await startGateway({ importFrom: peer });
  const sides = [await openSide(`${gateway.url}/placement`), await openSide(peer)] as const;
  try {
    if (sides[0].roots.length !== sides[1].roots.length) throw new Error('the two servers hold different data');
    if (operations === flatOperations) for (const side of sides) await writeConsumers(side);
    for (const [name, operation] of Object.entries(operations)) {
      if (name.includes(chosenRows)) await compare(name, operation, sides);
    }
  } finally {
    await stop(gateway, sides);
  }
}

async function stop(gateway: BenchGateway, sides: readonly Side[]): Promise<void> {
  for (const { client, older } of sides) {
    client.close();
    older.close();
  }
  await gateway.stop();
}

/** All 10,000 providers in one answer. Also reports the longest time during which no other request was served. */
async function benchLarge(peer: string): Promise<void> {
  const gateway = await withLoopDelay(() => startGateway());
  const db = openDatabase(gateway.database);
  await fillFlat(db, 10_000, 0);
  await db.close();
  const sideOf = (url: string): Side => {
    const client = httpClient(url, headers, { keepsBodies: false });
    return { client, older: client, roots: [], consumers: [] };
  };
  const sides = [sideOf(`${gateway.url}/placement`), sideOf(peer)] as const;
  try {
    const list = get(() => '/resource_providers');
    const own = succeed(list, sides[0]);
    await measureTimes(own, 10);
    await loopDelayOf(gateway);
    const holds: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      await own();
      holds.push((await loopDelayOf(gateway)).longest);
    }
    console.log(
      `${'list of 10,000, event loop'.padEnd(28)} held ${number(median(holds))} ms (median), ${number(Math.max(...holds))} ms (longest)`,
    );
    await compare('list of 10,000', list, sides);
  } finally {
    await stop(gateway, sides);
  }
}

const isChosen = (part: string) => !chosen || chosen.includes(part);
if (!PEER_URL && !PEER_NESTED_URL && !PEER_LARGE_URL)
  throw new Error('PEER_URL must name a running upstream Placement with 1,000 flat hosts');
if (PEER_URL && isChosen('flat')) await compareAll(PEER_URL, flatOperations);
if (PEER_NESTED_URL && isChosen('nested')) await compareAll(PEER_NESTED_URL, nestedOperations);
if (PEER_LARGE_URL && isChosen('large')) await benchLarge(PEER_LARGE_URL);
