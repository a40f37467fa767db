// Reservations, which REST does not show, as its clients meet them.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest } from '../support/rest.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const rest = useRest(database);
const host = uuidOf('host');
const path = `/resource_providers/${host}`;
const reservation = uuidOf('training');

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('host', { inventories: { VCPU: 8 } });
  await seed.names({ projects: ['p1'], users: ['u1'] });
  await seed.reservation('training', { host: { VCPU: 6 } });
});

test('what keeps a host or an inventory from being deleted is named: it has no allocations', async () => {
  expect(await rest.succeed(`GET ${path}/allocations`)).toMatchObject({ json: { allocations: {} } });
  expect(await rest.ask(`DELETE ${path}`)).toMatchObject({
    status: 409,
    code: 'placement.resource_provider.inuse',
    message: `Unable to delete resource provider ${host}: Resource provider is kept by reservation ${reservation}.`,
  });
  // Clients find the first sentence by a pattern.
  const inUse = `Inventory for 'VCPU' on resource provider '${host}' in use. It is kept by reservation ${reservation}.`;
  expect(await rest.ask(`DELETE ${path}/inventories`)).toMatchObject({ status: 409, code: 'placement.inventory.inuse', message: inUse });
  expect(await rest.ask(`DELETE ${path}/inventories/VCPU`)).toMatchObject({
    status: 409,
    code: 'placement.concurrent_update',
    message: `Unable to delete inventory of class VCPU: ${inUse}`,
  });
  const body = { resource_provider_generation: 1, inventories: {} };
  expect(await rest.ask(`PUT ${path}/inventories`, { body })).toMatchObject({ status: 409, message: `update conflict: ${inUse}` });
});

test('only what is not kept is found, and can be claimed', async () => {
  for (const [amount, found] of [
    [2, 1],
    [3, 0],
  ] as const) {
    const { json } = await rest.succeed(`GET /allocation_candidates?resources=VCPU:${amount}`);
    expect((json as { allocation_requests: unknown[] }).allocation_requests).toHaveLength(found);
  }
  const owner = { project_id: 'p1', user_id: 'u1', consumer_type: 'INSTANCE', consumer_generation: null };
  const claim = (amount: number) =>
    rest.ask(`PUT /allocations/${uuidOf('vm')}`, { body: { allocations: { [host]: { resources: { VCPU: amount } } }, ...owner } });
  expect(await claim(3)).toMatchObject({ status: 409, message: expect.stringContaining('would exceed the capacity') });
  expect(await claim(2)).toMatchObject({ status: 204 });
});
