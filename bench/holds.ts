// Blocking of the event loop: sends the largest legal request of each kind to a gateway with many hosts, first right after its start and then again, and
// prints the longest time that each blocked the event loop, in processor time of the main thread. Fails if one exceeds the limit.
//   npm run build && npm run bench:holds            BENCH_HOSTS=10000 BENCH_ONLY=search,claim BENCH_MOST=50
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../src/db/sql/client.ts';
import { limits } from '../src/domain/limits.ts';
import { fillHosts } from './support/fill.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { loopDelayOf, withLoopDelay } from './support/loop-delay.ts';

const hostCount = Number(process.env.BENCH_HOSTS ?? 10_000);
const most = Number(process.env.BENCH_MOST ?? 50);
const only = process.env.BENCH_ONLY?.split(',');
const repetitions = 3;

const gateway = await withLoopDelay(() => startGateway());
const db = openDatabase(gateway.database, { writeConnections: 1 });
const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json' };
const client = httpClient(gateway.url, headers);
const rest = (version: string) => httpClient(`${gateway.url}/placement`, { ...headers, 'openstack-api-version': `placement ${version}` });
const [newest, older] = [rest('1.39'), rest('1.10')];

async function ask(query: string, variables: object = {}): Promise<string> {
  const { status, body } = await client.request('POST', '/graphql', JSON.stringify({ query, variables }));
  if (status !== 200 || body.includes('"errors":[') || body.includes('"userErrors":[{')) throw new Error(body.slice(0, 500));
  return body;
}

async function call(side: typeof newest, method: string, path: string, body?: object): Promise<void> {
  const answer = await side.request(method, path, body && JSON.stringify(body));
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 500)}`);
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const amounts = (...pairs: [string, number][]) => pairs.map(([resourceClass, amount]) => ({ resourceClass, amount }));
const small = amounts(['VCPU', 1], ['MEMORY_MB', 16], ['DISK_GB', 1]);
const impossible = { groups: [{ resources: amounts(['VCPU', 65], ['MEMORY_MB', 300_000], ['DISK_GB', 4000]) }] };
const expect = { isNew: true };
const who = { project: 'p', user: 'u', consumerType: 'INSTANCE' };

const hosts: string[] = [];
const host = (index: number) => hosts[index % hosts.length] ?? '';
const newConsumers = (count: number, on: (index: number) => string, resources = small) =>
  range(count).map((index) => ({
    ...{ consumer: randomUUID(), expect, ...who },
    hold: { allocations: [{ resourceProvider: on(index), resources }] },
  }));

/** A tree with the maximum number of providers. */
const treeRoot = randomUUID();
const tree = (total: number) => ({
  root: treeRoot,
  resourceProviders: range(limits.treeProviders).map((index) => ({
    ...(index === 0 ? { uuid: treeRoot } : { parentName: 'large' }),
    name: index === 0 ? 'large' : `large-${index}`,
    inventories: ['VCPU', 'MEMORY_MB', 'DISK_GB'].map((resourceClass) => ({ resourceClass, total })),
    traits: ['HW_CPU_X86_AVX2', 'HW_CPU_X86_SSE2'],
    aggregates: [],
  })),
});
const reshaped = range(10 * limits.treeProviders).map(() => randomUUID());
let reshapes = 0;
const providersOfTree = async () =>
  (
    await db.writes<{ uuid: string }[]>`
      select p.uuid from resource_providers p join resource_providers r on r.id = p.root_provider_id where r.uuid = ${treeRoot}`
  ).map(({ uuid }) => uuid);
const node = (index: number) => ({
  computeNodeRecord: {
    fields: {
      uuid: randomUUID(),
      serviceHost: `reported-${index}`,
      hypervisorHostname: `reported-${index}`,
      vcpus: 64,
      memoryMb: 262_144,
      localGb: 2048,
    },
  },
  pciInPlacement: true,
  pciDevices: range(limits.treeProviders - 1).map((device) => ({
    device: {
      fields: {
        address: `${(device >> 8).toString(16).padStart(4, '0')}:${(device & 255).toString(16).padStart(2, '0')}:00.0`,
        vendorId: '8086',
        productId: '10fb',
      },
    },
  })),
});
const page = `resourceProviders(first: 1000) { nodes { uuid name generation createdAt updatedAt traits { name } aggregates { uuid name }
  inventories { resourceClass { name } total reserved capacity used free minUnit maxUnit stepSize allocationRatio } } }`;
const found = 'candidates { allocations { resourceProvider { uuid name } resourceClass { name } amount } } truncated';
const selectDestinations =
  'mutation S($input: SelectDestinationsInput!) { selectDestinations(input: $input) { userErrors { message } destinations { selected { __typename } } } }';
const replaceAllocations =
  'mutation R($input: ReplaceAllocationsInput!) { replaceAllocations(input: $input) { userErrors { message } event { id } consumers { uuid allocations { amount } } } }';
const changes = `changes(first: 1000) { nodes { action
  ... on ConsumerChange { consumerUuid allocations { resourceProviderUuid resourceClassName before after } }
  ... on ResourceProviderChange { resourceProviderUuid inventories { resourceClassName before { total } after { total } } } } }`;

/** Reads the messages of a subscription about everything that was written, until there are no more for the moment. */
async function subscribe(query: string): Promise<void> {
  const after = (JSON.parse(await ask('{ eventFeed(first: 0, from: OLDEST) { pageInfo { endCursor } } }')) as FeedPage).data.eventFeed
    .pageInfo.endCursor;
  const abort = new AbortController();
  const body = JSON.stringify({ query: query.replace('$after', after) });
  const answer = await fetch(`${gateway.url}/graphql/stream`, { method: 'POST', headers, body, signal: abort.signal });
  const reader = answer.body?.getReader();
  while (reader && (await Promise.race([reader.read(), setTimeout(2000, null)])) !== null);
  abort.abort();
}

interface FeedPage {
  readonly data: { readonly eventFeed: { readonly pageInfo: { readonly endCursor: string } } };
}

const anySearch = '{ allocationCandidates(input: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) { truncated } }';
const flavor = { flavor: { fields: { vcpus: 1, memoryMb: 16, rootGb: 1 } } };
let reports = 0;
let total = 1000;

/** The largest request of each kind. */
const things: Readonly<Record<string, () => Promise<unknown>>> = {
  'search, REST, all hosts': () => call(newest, 'GET', `/allocation_candidates?resources=VCPU:1,MEMORY_MB:16&limit=${hostCount}`),
  'search, REST 1.10, all hosts': () => call(older, 'GET', '/allocation_candidates?resources=VCPU:1,MEMORY_MB:16'),
  'search, GraphQL': () =>
    ask(`query C($input: CandidatesInput!) { allocationCandidates(input: $input) { ${found} } }`, {
      input: { groups: [{ resources: small }], limit: limits.candidates },
    }),
  'search, explained': () =>
    ask(`query C($input: CandidatesInput!) { allocationCandidates(input: $input) { ${found} explanation { summary } } }`, {
      input: impossible,
    }),
  fit: () =>
    ask('query F($input: CandidatesInput!) { fit(input: $input) { total byRoot(first: 1000) { nodes { count } } } }', {
      input: { groups: [{ resources: small }] },
    }),
  'claim of 1,000': () =>
    ask('mutation C($input: ClaimInput!) { claim(input: $input) { userErrors { message } claims { consumer { uuid } } } }', {
      input: {
        consumers: range(limits.claimConsumers).map(() => ({ consumer: randomUUID(), expect, ...who })),
        request: { groups: [{ resources: small }], orderBy: [{ field: 'FREE', resourceClass: 'VCPU', direction: 'DESC' }] },
        alternates: limits.claimAlternatesInAll / limits.claimConsumers,
      },
    }),
  'selectDestinations of 100': () =>
    ask(selectDestinations, {
      input: {
        instances: range(limits.claimInstances).map(() => ({ instance: randomUUID(), project: 'p', user: 'u' })),
        requestFrom: { flavorToRequest: { flavor: flavor.flavor } },
      },
    }),
  'providers, REST': () => call(newest, 'GET', '/resource_providers'),
  'providers, filtered by trees': () =>
    ask(
      'query P($filter: ResourceProviderFilterInput) { resourceProviders(first: 1000, filter: $filter, orderBy: [{ field: FREE, resourceClass: "VCPU", direction: DESC }]) { totalCount nodes { uuid } } }',
      {
        filter: { scope: 'TREE', fits: amounts(['VCPU', 1], ['MEMORY_MB', 1]) },
      },
    ),
  'providers, largest filter': () =>
    ask(
      'query P($filter: ResourceProviderFilterInput) { resourceProviders(first: 1, filter: $filter, orderBy: [{ field: FREE, scope: TREE, resourceClass: "VCPU" }]) { totalCount } }',
      {
        filter: {
          scope: 'TREE',
          and: range(limits.filterGroups - 1).map((index) => ({ fits: amounts(['VCPU', 1], ['MEMORY_MB', index + 1]) })),
        },
      },
    ),
  'five pages': () =>
    ask(
      `{ ${range(5)
        .map((alias) => `p${alias}: ${page}`)
        .join(' ')} }`,
    ),
  cloudMap: () =>
    ask(
      '{ cloudMap(resourceClasses: ["VCPU", "MEMORY_MB", "DISK_GB"]) { cursor names memberCounts flags aggregateSet traitSet classes { total reserved capacity used } } }',
    ),
  'tree, 1,000 providers': () =>
    ask(
      'mutation T($input: ApplyProviderTreeInput!) { applyProviderTree(input: $input) { userErrors { message } event { id } root { uuid } } }',
      { input: tree(total++) },
    ),
  'reshape, 1,000 providers and 10,000 consumers': async () => {
    const resourceProviders = await providersOfTree();
    const expect = reshapes === 0 ? { isNew: true } : { generation: reshapes };
    reshapes++;
    const allocations = reshaped.map((consumer, index) => ({
      ...{ consumer, expect, ...who },
      hold: {
        allocations: [{ resourceProvider: resourceProviders[(index + reshapes) % limits.treeProviders], resources: amounts(['VCPU', 1]) }],
      },
    }));
    const inventories = [
      { resourceClass: 'VCPU', total: 1000 },
      { resourceClass: 'MEMORY_MB', total: 65_536 + reshapes },
    ];
    await ask('mutation R($input: ReshapeInput!) { reshape(input: $input) { userErrors { message } event { id } } }', {
      input: {
        resourceProviders: resourceProviders.map((resourceProvider) => ({ resourceProvider, expect: { unchecked: true }, inventories })),
        consumers: allocations,
      },
    });
  },
  'report of a compute node, 999 devices': () =>
    ask('mutation N($input: ReportComputeNodeInput!) { reportComputeNode(input: $input) { userErrors { message } event { id } } }', {
      input: node(reports++),
    }),
  'write of 1,000 consumers': () => ask(replaceAllocations, { input: { consumers: newConsumers(limits.writeConsumers, host) } }),
  'REST write of 1,000 consumers': () =>
    call(
      newest,
      'POST',
      '/allocations',
      Object.fromEntries(
        newConsumers(limits.writeConsumers, host).map(({ consumer }, index) => [
          consumer,
          {
            allocations: { [host(index)]: { resources: { VCPU: 1 } } },
            consumer_generation: null,
            project_id: 'p',
            user_id: 'u',
            consumer_type: 'INSTANCE',
          },
        ]),
      ),
    ),
  'drain of 1,000 hosts': () =>
    ask('query D($input: DrainPlanInput!) { drainPlan(input: $input) { moves { consumer { uuid } } stuckCount truncated } }', {
      input: { computeNodes: hosts.slice(0, limits.planHosts), maxMoves: limits.planMoves },
    }),
  'rebalance of 1,000 hosts': () =>
    ask('query R($input: RebalancePlanInput!) { rebalancePlan(input: $input) { moves { consumer { uuid } gain } truncated } }', {
      input: { computeNodes: hosts.slice(0, limits.planHosts), maxMoves: limits.planMoves },
    }),
  'what-if of 1,000 hosts lost, 10,000 added': () =>
    ask('query W($input: WhatIfInput!) { whatIf(input: $input) { before { total } after { total } } }', {
      input: {
        asks: { flavorToRequest: flavor },
        lost: hosts.slice(1, limits.planHosts + 1),
        added: [{ count: 10_000, like: host(0) }],
      },
    }),
  'patch of all hosts, and its refresh': async () => {
    await ask('mutation P($input: PatchInventoriesInput!) { patchInventories(input: $input) { userErrors { message } event { id } } }', {
      input: { resourceClass: 'DISK_GB', select: { filter: { nameStartsWith: 'node-' } }, patch: { reserved: total++ % 7 } },
    });
    await ask(anySearch);
  },
  'metrics of the cloud': () => call(client, 'GET', '/metrics/openstack'),
  'usage history of 1,000 samples': () =>
    ask(
      'query H($from: DateTime!) { usageHistory(of: { cloud: true }, from: $from, stepSeconds: 1) { samples { at usages { used total capacity } } } }',
      {
        from: new Date(Date.now() - 999_000).toISOString(),
      },
    ),
  'events with 1,000 changes each': () => ask(`{ events(first: 9) { nodes { id kind ${changes} } } }`),
  'subscription to events with 1,000 changes each': () =>
    subscribe(`subscription { events(after: "$after") { cursor events { id kind ${changes} } } }`),
  'subscription to all events': () =>
    subscribe('subscription { events(after: "$after") { cursor events { id kind at requestId consumerUuids { nodes } } } }'),
  events: () => ask('{ events(first: 100) { nodes { id kind changes(first: 50) { nodes { __typename } } } } }'),
};

try {
  await ask('{ serviceInfo { version } }');
  await fillHosts(db, hostCount);
  await loopDelayOf(gateway);
  await ask(anySearch);
  const holds: Record<string, readonly number[]> = { 'forest, read anew': [(await loopDelayOf(gateway)).longest] };
  // Searches take the first hosts.
  hosts.push(
    ...(
      await db.writes<{ uuid: string }[]>`
    select uuid from resource_providers p where parent_provider_id is null and exists (select from inventories i
      where i.resource_provider_id = p.id and resource_class_id = 0 and total - used >= 20)
    order by p.id desc limit 2000`
    ).map(({ uuid }) => uuid),
  );
  for (const [name, send] of Object.entries(things)) {
    if (only && !only.some((part) => name.includes(part))) continue;
    const of: number[] = [];
    for (let round = 0; round < repetitions; round++) {
      await send();
      of.push((await loopDelayOf(gateway)).longest);
    }
    holds[name] = of;
  }
  for (const [name, of] of Object.entries(holds)) console.log(`${name}: ${of.map((one) => one.toFixed(0)).join(', ')} ms`);
  const tooLong = Object.entries(holds).filter(([, of]) => Math.max(...of) > most);
  if (tooLong.length > 0) throw new Error(`longer than ${most} ms: ${tooLong.map(([name]) => name).join('; ')}`);
} finally {
  client.close();
  newest.close();
  older.close();
  await db.close();
  await gateway.stop();
}
