// The reshaper through REST.
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest, uuid } from '../support/rest.ts';

const rest = useRest(useDatabase());
const [host, gpu, nobody] = [uuid(1), uuid(2), uuid(99)];
const [first, second] = [uuid(50), uuid(51)];
const owner = { project_id: 'p', user_id: 'u' };

// The host has a class that is to move to its child, with two consumers on it.
beforeEach(async () => {
  for (const consumer of [first, second]) await rest.ask(`DELETE /allocations/${consumer}`);
  for (const provider of [gpu, host]) await rest.ask(`DELETE /resource_providers/${provider}`);
  await rest.succeed('POST /resource_providers', { body: { name: 'host', uuid: host } });
  await rest.succeed('POST /resource_providers', { body: { name: 'gpu', uuid: gpu, parent_provider_uuid: host } });
  const inventories = { VCPU: { total: 8 }, VGPU: { total: 4 } };
  await rest.succeed(`PUT /resource_providers/${host}/inventories`, { body: { inventories, resource_provider_generation: 0 } });
  for (const consumer of [first, second]) {
    const allocations = { [host]: { resources: { VCPU: 1, VGPU: 2 } } };
    await rest.succeed(`PUT /allocations/${consumer}`, { version: '1.12', body: { allocations, ...owner } });
  }
});

type Change = Readonly<Record<string, unknown>>;

function inventories({ expected = 3, left = { VCPU: { total: 8 } }, ...more }: Change = {}): object {
  return {
    [host]: { resource_provider_generation: expected, inventories: left },
    [gpu]: { resource_provider_generation: 0, inventories: { VGPU: { total: 4 } } },
    ...more,
  };
}

function moved({ vgpu = 2, to = gpu, generation = 1, ...more }: Change = {}): object {
  const allocations = { [host]: { resources: { VCPU: 1 } }, [String(to)]: { resources: { VGPU: vgpu } } };
  const consumer = { allocations, ...owner, consumer_generation: generation, ...more };
  return { [first]: consumer, [second]: consumer };
}

const reshape = (body: object, version = '1.30') => rest.ask('POST /reshaper', { version, body });
const generationOf = async (provider: string) =>
  ((await rest.succeed(`GET /resource_providers/${provider}`)).json as { generation: number }).generation;

test('inventories move with the allocations on them', async () => {
  expect(await reshape({ inventories: inventories(), allocations: moved() })).toMatchObject({ status: 204, text: '' });
  expect((await rest.succeed(`GET /resource_providers/${host}/usages`)).json).toMatchObject({ usages: { VCPU: 2 } });
  expect((await rest.succeed(`GET /resource_providers/${gpu}/usages`)).json).toMatchObject({ usages: { VGPU: 4 } });
  expect([await generationOf(host), await generationOf(gpu)]).toEqual([6, 3]);
});

test('mappings come with 1.34, types with 1.38', async () => {
  const mapped = { inventories: inventories(), allocations: moved({ mappings: { '': [host] } }) };
  expect(await reshape(mapped, '1.33')).toMatchObject({ status: 400 });
  expect(await reshape(mapped, '1.38')).toMatchObject({
    status: 400,
    message: expect.stringContaining("'consumer_type' is a required property"),
  });
  expect(await reshape(mapped, '1.34')).toMatchObject({ status: 204 });
});

describe('everything stays as it was when', () => {
  test.each<[string, object, number, string, string?]>([
    [
      'a generation is stale',
      { inventories: inventories({ expected: 2 }), allocations: moved() },
      409,
      `resource provider generation conflict for provider ${host}: actual: 3, given: 2`,
      'placement.concurrent_update',
    ],
    [
      'a provider is not there',
      { inventories: inventories({ [nobody]: { resource_provider_generation: 0, inventories: {} } }), allocations: moved() },
      400,
      `Resource provider ${nobody} in inventories not found: No resource provider with uuid ${nobody} found`,
      'placement.resource_provider.not_found',
    ],
    [
      'an allocation names a provider that is not there',
      { inventories: inventories(), allocations: moved({ to: nobody }) },
      400,
      'that does not exist.',
    ],
    [
      'a consumer has changed',
      { inventories: inventories(), allocations: moved({ generation: 7 }) },
      409,
      'expected 1 but got 7',
      'placement.concurrent_update',
    ],
    [
      'a class that goes is still in use',
      { inventories: inventories(), allocations: {} },
      409,
      `update conflict: Inventory for 'VGPU' on resource provider '${host}' in use.`,
      'placement.inventory.inuse',
    ],
    [
      'something does not fit',
      { inventories: inventories(), allocations: moved({ vgpu: 3 }) },
      409,
      'Unable to allocate inventory: Unable to create',
    ],
    [
      'a class is not there',
      { inventories: inventories({ left: { VCPU: { total: 8 }, CUSTOM_NOPE: { total: 1 } } }), allocations: moved() },
      400,
      'No such resource class CUSTOM_NOPE.',
    ],
    ['there is nothing to do', { inventories: {}, allocations: {} }, 400, '{} does not have enough properties'],
  ])('%s', async (_, body, status, message, code = 'placement.undefined_code') => {
    expect(await reshape(body)).toMatchObject({ status, code, message: expect.stringContaining(message) });
    expect((await rest.succeed(`GET /resource_providers/${host}/usages`)).json).toEqual({
      usages: { VCPU: 2, VGPU: 4 },
      resource_provider_generation: 3,
    });
    expect(await generationOf(gpu)).toBe(0);
  });
});
