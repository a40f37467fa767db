// The largest trees and reshapes that the limits allow, and their effect on other writes: new trees of 100 and of 1,000 providers with inventories and traits,
// and reshapes of 1,000 providers with 10,000 consumers, alternating with pauses. Meanwhile claims, inventories, new providers and new traits are
// written, one at a time each, through the same gateway. Prints times, the cost of a provider, and the longest time of another write.
//   npm run build && npm run bench:trees                BENCH_ROUNDS=3
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { median } from './support/measure.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const [treeSize, consumerCount] = [1000, 10_000];
/** Milliseconds of a pause between two large writes, in which the other writes are measured alone. */
const pause = 2000;

const gateway = await startGateway();
const json = { 'x-auth-token': 'admin', 'content-type': 'application/json' };
const graphql = httpClient(gateway.url, json);
const rest = httpClient(gateway.url, { ...json, 'openstack-api-version': 'placement 1.39' });

async function mutate(field: string, type: string, input: object): Promise<void> {
  const query = `mutation Write($input: ${type}!) { write: ${field}(input: $input) { event { id } userErrors { code message } } }`;
  const { body } = await graphql.request('POST', '/graphql', JSON.stringify({ query, variables: { input } }));
  if (!body.includes('"userErrors":[]')) throw new Error(body.slice(0, 500));
}

async function put(method: string, path: string, body?: object): Promise<void> {
  const answer = await rest.request(method, `/placement${path}`, body && JSON.stringify(body));
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`);
}

const inventory = { resourceClass: 'VCPU', total: 1000 };

/** A new tree: a root with children. */
function newTree(size: number): { readonly root: string; readonly resourceProviders: readonly object[] } {
  const root = randomUUID();
  const resourceProviders = Array.from({ length: size }, (_, index) => ({
    uuid: index === 0 ? root : randomUUID(),
    name: `${root}-${index}`,
    ...(index > 0 && { parentName: `${root}-0` }),
    inventories: [inventory, { resourceClass: 'MEMORY_MB', total: 65_536 }],
    traits: ['HW_CPU_X86_AVX2', 'STORAGE_DISK_SSD'],
  }));
  return { root, resourceProviders };
}

const kinds = ['claim', 'inventories', 'new provider', 'new trait'] as const;
/** The first host is for inventories, the others are for claims. */
const hosts: string[] = [];
const others: { readonly [Kind in (typeof kinds)[number]]: () => Promise<void> } = {
  claim: () =>
    put('PUT', `/allocations/${randomUUID()}`, {
      allocations: { [hosts[1 + Math.floor(Math.random() * (hosts.length - 1))] ?? '']: { resources: { VCPU: 1 } } },
      ...{ consumer_generation: null, project_id: 'p1', user_id: 'u1', consumer_type: 'INSTANCE' },
    }),
  inventories: async () => {
    const host = hosts[0] ?? '';
    const { body } = await rest.request('GET', `/placement/resource_providers/${host}/inventories`);
    const { resource_provider_generation } = JSON.parse(body) as { resource_provider_generation: number };
    const inventories = { DISK_GB: { total: 1000 + Math.floor(Math.random() * 1000) } };
    await put('PUT', `/resource_providers/${host}/inventories`, { resource_provider_generation, inventories });
  },
  'new provider': () => put('POST', '/resource_providers', { name: randomUUID() }),
  'new trait': () => put('PUT', `/traits/CUSTOM_${randomUUID().replaceAll('-', '').toUpperCase()}`),
};

/** The large write in progress; null in a pause. */
let present: string | null = null;
let isOver = false;
/** The longest time of each kind in each situation, in milliseconds. */
const longest = new Map<string, number>();

async function keepWriting(kind: (typeof kinds)[number]): Promise<void> {
  while (!isOver) {
    const beside = present;
    const begun = performance.now();
    await others[kind]();
    const key = `${beside ?? present ?? 'nothing'}: ${kind}`;
    longest.set(key, Math.max(longest.get(key) ?? 0, performance.now() - begun));
    await setTimeout(5);
  }
}

const times = new Map<string, number[]>();

async function measure(what: string, work: () => Promise<void>): Promise<void> {
  await setTimeout(pause);
  present = what;
  const begun = performance.now();
  await work();
  times.set(what, [...(times.get(what) ?? []), performance.now() - begun]);
  present = null;
}

try {
  for (let index = 0; index < 20; index++) {
    const uuid = randomUUID();
    hosts.push(uuid);
    await put('POST', '/resource_providers', { uuid, name: `host-${index}` });
    const inventories = index === 0 ? {} : { VCPU: { total: 2_147_483_647 } };
    await put('PUT', `/resource_providers/${uuid}/inventories`, { resource_provider_generation: 0, inventories });
  }
  const full = newTree(treeSize);
  await mutate('applyProviderTree', 'ApplyProviderTreeInput', full);
  const providers = full.resourceProviders.map((provider) => (provider as { readonly uuid: string }).uuid);
  const consumers = Array.from({ length: consumerCount }, (_, index) => ({ uuid: randomUUID(), place: index % treeSize }));
  const allocationsOf = (shift: number, expectOf: object) =>
    consumers.map(({ uuid, place }) => ({
      ...{ consumer: uuid, expect: expectOf, project: 'p1', user: 'u1', consumerType: 'INSTANCE' },
      hold: {
        allocations: [{ resourceProvider: providers[(place + shift) % treeSize], resources: [{ resourceClass: 'VCPU', amount: 1 }] }],
      },
    }));
  const reshape = (shift: number, expectOf: object) =>
    mutate('reshape', 'ReshapeInput', {
      resourceProviders: providers.map((resourceProvider) => ({
        ...{
          resourceProvider,
          expect: { unchecked: true },
          inventories: [inventory, { resourceClass: 'MEMORY_MB', total: 65_536 + shift }],
        },
      })),
      consumers: allocationsOf(shift, expectOf),
    });
  await reshape(0, { isNew: true });

  const writers = kinds.map(keepWriting);
  for (let round = 1; round <= rounds; round++) {
    await measure('a tree of 100', () => mutate('applyProviderTree', 'ApplyProviderTreeInput', newTree(100)));
    await measure('a tree of 1,000', () => mutate('applyProviderTree', 'ApplyProviderTreeInput', newTree(treeSize)));
    await measure('a reshape', () => reshape(round, { generation: round }));
  }
  isOver = true;
  await Promise.all(writers);

  for (const [what, taken] of times)
    console.log(`${what.padEnd(16)} ${(median(taken) / 1000).toFixed(2)} s (${taken.map((time) => (time / 1000).toFixed(2)).join(', ')})`);
  const [small = 1, large = 1] = [times.get('a tree of 100'), times.get('a tree of 1,000')].map((taken) => median(taken ?? []));
  console.log(`a provider of 1,000 costs ${(large / 10 / small).toFixed(2)} times one of 100`);
  for (const [key, time] of [...longest].toSorted()) console.log(`longest beside ${key.padEnd(34)} ${Math.round(time)} ms`);
} finally {
  graphql.close();
  rest.close();
  await gateway.stop();
}
