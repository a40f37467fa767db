// Callers who may write only to some trees, in REST: every route that writes is refused for other trees, with upstream's message, and open for their own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/rest/serving/routes.ts';
import { useDatabase } from '../support/database.ts';
import { dumpTables } from '../support/ledger.ts';
import { useRest } from '../support/rest.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const home = mkdtempSync(join(tmpdir(), 'placement-own-trees-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const policy = join(home, 'policy.yaml');
writeFileSync(
  policy,
  `"admin_or_service_api": "@"
"service_api": "@"
"placement:trees:write": "role:admin or user_id:%(root_name)s"
`,
);
const database = useDatabase();
const rest = useRest(database, { PLACEMENT_POLICY_FILE: policy });
const ofHost = { 'x-auth-token': 'host:service' };

beforeAll(async () => {
  const seed = createSeed(database.db);
  for (const name of ['host', 'other']) {
    await seed.provider(name, { inventories: { VCPU: 8, DISK_GB: 8 } });
    await seed.provider(`${name} nic`, { parent: name });
    await seed.claim(`vm of ${name}`, { [name]: { VCPU: 1 } });
  }
  await seed.write('create_trait', { name: 'CUSTOM_OLD' });
  await seed.write('create_resource_class', { name: 'CUSTOM_OLD' });
});

const generationOf = async (name: string) =>
  Number((await database.db.sql`select generation from resource_providers where uuid = ${uuidOf(name)}`)[0]?.generation);
const inventory = { total: 8 };
const holding = (name: string) => ({
  ...{ allocations: { [uuidOf(name)]: { resources: { VCPU: 2 } } }, project_id: 'p1', user_id: 'u1', consumer_type: 'INSTANCE' },
  consumer_generation: 1,
});

/** A request to each route that writes to a tree. The parts of the path are filled in order. */
const asked: Readonly<Record<string, (tree: string) => { path: readonly string[]; body?: (generation: number) => object }>> = {
  'POST /resource_providers': (tree) => ({ path: [], body: () => ({ name: `${tree} gpu`, parent_provider_uuid: uuidOf(tree) }) }),
  'PUT /resource_providers/{uuid}': (tree) => ({
    path: [uuidOf(`${tree} nic`)],
    body: () => ({ name: `${tree} card`, parent_provider_uuid: uuidOf(tree) }),
  }),
  'DELETE /resource_providers/{uuid}': (tree) => ({ path: [uuidOf(`${tree} nic`)] }),
  'POST /resource_providers/{uuid}/inventories': (tree) => ({
    path: [uuidOf(tree)],
    body: () => ({ resource_class: 'MEMORY_MB', ...inventory }),
  }),
  'PUT /resource_providers/{uuid}/inventories': (tree) => ({
    path: [uuidOf(tree)],
    body: (generation) => ({ resource_provider_generation: generation, inventories: { VCPU: inventory, DISK_GB: inventory } }),
  }),
  'PUT /resource_providers/{uuid}/inventories/{resource_class}': (tree) => ({
    path: [uuidOf(tree), 'VCPU'],
    body: (generation) => ({ resource_provider_generation: generation, total: 9 }),
  }),
  'DELETE /resource_providers/{uuid}/inventories': (tree) => ({ path: [uuidOf(`${tree} nic`)] }),
  'DELETE /resource_providers/{uuid}/inventories/{resource_class}': (tree) => ({ path: [uuidOf(tree), 'DISK_GB'] }),
  'PUT /resource_providers/{uuid}/aggregates': (tree) => ({
    path: [uuidOf(tree)],
    body: (generation) => ({ resource_provider_generation: generation, aggregates: [uuidOf('rack')] }),
  }),
  'PUT /resource_providers/{uuid}/traits': (tree) => ({
    path: [uuidOf(tree)],
    body: (generation) => ({ resource_provider_generation: generation, traits: ['HW_CPU_X86_VMX'] }),
  }),
  'DELETE /resource_providers/{uuid}/traits': (tree) => ({ path: [uuidOf(tree)] }),
  'PUT /allocations/{consumer_uuid}': (tree) => ({ path: [uuidOf(`vm of ${tree}`)], body: () => holding(tree) }),
  'DELETE /allocations/{consumer_uuid}': (tree) => ({ path: [uuidOf(`vm of ${tree}`)] }),
  'POST /allocations': (tree) => ({ path: [], body: () => ({ [uuidOf(`vm of ${tree}`)]: holding(tree) }) }),
  'POST /reshaper': (tree) => ({
    path: [],
    body: (generation) => ({
      inventories: { [uuidOf(tree)]: { resource_provider_generation: generation, inventories: { VCPU: inventory, DISK_GB: inventory } } },
      allocations: { [uuidOf(`vm of ${tree}`)]: holding(tree) },
    }),
  }),
};

const writing = [...new Set(routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`))];
/** Routes that only add names. */
const adding = ['POST /resource_classes', 'PUT /resource_classes/{name}', 'PUT /traits/{name}'];
/** Routes that remove names that all trees share. */
const shared = ['DELETE /resource_classes/{name}', 'DELETE /traits/{name}'];

const ask = async (route: string, tree: string) => {
  const { path, body } = asked[route]?.(tree) ?? { path: ['CUSTOM_OLD'] };
  const parts = path.values();
  return rest.ask(
    route.replaceAll(/\{\w+\}/g, () => String(parts.next().value)),
    {
      headers: ofHost,
      ...(body && { body: body(await generationOf(tree)) }),
    },
  );
};

test('every route that writes is tested with a tree here, or concerns names', () => {
  expect([...Object.keys(asked), ...adding, ...shared].toSorted()).toEqual(writing.toSorted());
});

test.each([...Object.keys(asked), ...shared])('%s is refused for another tree', async (route) => {
  const then = await dumpTables(database.db);
  const { status, message, headers } = await ask(route, 'other');
  expect({ status, message }).toEqual({ status: 403, message: 'Policy does not allow placement:trees:write to be performed.' });
  expect(headers['openstack-api-version']).toBe('placement 1.39');
  expect(await dumpTables(database.db)).toEqual(then);
});

test('each route is open for the callers’ own tree, and so are new names', async () => {
  // Providers are deleted last.
  const last = (route: string) => (route.startsWith('DELETE') ? 1 : 0) + (route === 'DELETE /resource_providers/{uuid}' ? 1 : 0);
  const order = Object.keys(asked).toSorted((a, b) => last(a) - last(b));
  for (const route of order) {
    // Each of them changes the consumer, and names the expected generation.
    await database.own`update consumers set generation = 1 where uuid = ${uuidOf('vm of host')}`;
    expect({ route, status: (await ask(route, 'host')).status }).toEqual({
      route,
      status: expect.toSatisfy((status: number) => status < 300),
    });
  }
  for (const [route, body] of [
    ['POST /resource_classes', { name: 'CUSTOM_MINE' }],
    ['PUT /resource_classes/CUSTOM_MINE'],
    ['PUT /traits/CUSTOM_MINE'],
  ] as const) {
    expect((await rest.ask(route, { headers: ofHost, ...(body && { body }) })).status).toBeLessThan(300);
  }
});

test('callers can create a root with their own name, but no other', async () => {
  const create = (name: string) => rest.ask('POST /resource_providers', { headers: { 'x-auth-token': 'host-2:service' }, body: { name } });
  expect((await create('host-3')).status).toBe(403);
  expect((await create('host-2')).status).toBe(200);
});
