// Inventories, usage, traits and aggregates of a provider through REST.
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest, uuid } from '../support/rest.ts';

const database = useDatabase();
const rest = useRest(database);
const [provider, nobody, consumer] = [uuid(1), uuid(99), uuid(50)];
const path = `/resource_providers/${provider}`;

beforeEach(async () => {
  await rest.ask(`DELETE /allocations/${consumer}`);
  await rest.ask(`DELETE ${path}`);
  await rest.succeed('POST /resource_providers', { body: { name: 'host', uuid: provider } });
});

const defaults = { reserved: 0, min_unit: 1, max_unit: 2147483647, step_size: 1, allocation_ratio: 1 };
const vcpu = { resource_class: 'VCPU', total: 8 };

async function generation(): Promise<number> {
  return ((await rest.succeed(`GET ${path}`)).json as { generation: number }).generation;
}

async function hold(amount: number): Promise<void> {
  const body = { allocations: { [provider]: { resources: { VCPU: amount } } }, project_id: 'p', user_id: 'u' };
  await rest.succeed(`PUT /allocations/${consumer}`, { version: '1.12', body });
}

describe('inventories', () => {
  test('are none at first', async () => {
    const { json } = await rest.succeed(`GET ${path}/inventories`);
    expect(json).toEqual({ inventories: {}, resource_provider_generation: 0 });
  });

  test('are added one by one, with defaults, without a generation', async () => {
    const answer = await rest.ask(`POST ${path}/inventories`, { body: vcpu });
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: `${rest.url}${path}/inventories/VCPU` },
      json: { total: 8, ...defaults, resource_provider_generation: 1 },
    });
    expect((await rest.succeed(`GET ${path}/inventories/VCPU`)).json).toEqual({ total: 8, ...defaults, resource_provider_generation: 1 });
    expect(await rest.ask(`POST ${path}/inventories`, { body: vcpu })).toMatchObject({
      status: 409,
      code: 'placement.concurrent_update',
      message: expect.stringContaining('Update conflict'),
    });
    expect(await generation()).toBe(1);
  });

  test('are changed one by one, if they are there, under a generation; what is left out takes its default', async () => {
    await rest.succeed(`POST ${path}/inventories`, { body: { ...vcpu, reserved: 2 } });
    const change = (resourceClass: string, expected: number) =>
      rest.ask(`PUT ${path}/inventories/${resourceClass}`, { body: { total: 16, resource_provider_generation: expected } });
    expect(await change('VCPU', 0)).toMatchObject({
      status: 409,
      code: 'placement.concurrent_update',
      message: 'resource provider generation conflict',
    });
    expect(await change('VCPU', -1)).toMatchObject({ status: 409 });
    expect(await change('VCPU', 1)).toMatchObject({ status: 200, json: { total: 16, reserved: 0, resource_provider_generation: 2 } });
    expect(await change('PCPU', 2)).toMatchObject({
      status: 400,
      message: `No inventory record with resource class for resource provider ${provider}: No inventory of class PCPU found.`,
    });
  });

  test('are replaced all at once: what is not given goes', async () => {
    await rest.succeed(`POST ${path}/inventories`, { body: vcpu });
    const body = { resource_provider_generation: 1, inventories: { DISK_GB: { total: 10, allocation_ratio: 1.5 } } };
    expect((await rest.succeed(`PUT ${path}/inventories`, { body })).json).toEqual({
      resource_provider_generation: 2,
      inventories: { DISK_GB: { total: 10, ...defaults, allocation_ratio: 1.5 } },
    });
    expect(await rest.ask(`PUT ${path}/inventories`, { body })).toMatchObject({ status: 409, code: 'placement.concurrent_update' });
    expect(await rest.ask(`GET ${path}/inventories/VCPU`)).toMatchObject({ status: 404 });
  });

  test('are deleted one by one, and from 1.5 on all at once; even none at all is a change', async () => {
    await rest.succeed(`POST ${path}/inventories`, { body: vcpu });
    expect(await rest.ask(`DELETE ${path}/inventories/VCPU`)).toMatchObject({ status: 204, text: '' });
    expect(await rest.ask(`DELETE ${path}/inventories/VCPU`)).toMatchObject({
      status: 404,
      message: expect.stringContaining('No inventory of class VCPU found for delete'),
    });
    expect(await rest.ask(`DELETE ${path}/inventories`, { version: '1.5' })).toMatchObject({ status: 204 });
    expect(await generation()).toBe(3);
  });

  test('may be all reserved from 1.26 on, and never more than that', async () => {
    const reserve = (reserved: number, version: string) => rest.ask(`POST ${path}/inventories`, { version, body: { ...vcpu, reserved } });
    expect(await reserve(8, '1.25')).toMatchObject({
      status: 400,
      message: expect.stringContaining('The reserved value is greater than or equal to total.'),
    });
    expect(await reserve(9, '1.26')).toMatchObject({
      status: 400,
      message: expect.stringContaining('The reserved value is greater than total.'),
    });
    expect(await reserve(8, '1.26')).toMatchObject({ status: 201 });
  });

  test.each([
    ['16', '16.0'],
    ['1.5', '1.5'],
    ['1e-4', '0.0001'],
    ['1e-5', '1e-05'],
    ['1e15', '1000000000000000.0'],
    ['1.25e16', '1.25e+16'],
    ['3.40282e38', '3.40282e+38'],
  ])('have ratios that are written as Python writes them: %s is %s', async (given, shown) => {
    const ratio = `"allocation_ratio":${shown}`;
    const created = await rest.succeed(`POST ${path}/inventories`, {
      body: `{"resource_class":"VCPU","total":8,"allocation_ratio":${given}}`,
    });
    const record = `{"total":8,"allocation_ratio":${given},"resource_provider_generation":1}`;
    const changed = await rest.succeed(`PUT ${path}/inventories/VCPU`, { body: record });
    const body = `{"inventories":{"VCPU":{"total":8,"allocation_ratio":${given}},"DISK_GB":{"total":8}},"resource_provider_generation":2}`;
    const replaced = await rest.succeed(`PUT ${path}/inventories`, { body });
    const [one, all] = [await rest.succeed(`GET ${path}/inventories/VCPU`), await rest.succeed(`GET ${path}/inventories`)];
    for (const { text } of [created, changed, replaced, one, all]) expect(text).toContain(ratio);
    for (const { text } of [replaced, all]) expect(text).toContain('"allocation_ratio":1.0');
  });

  test.each([
    [{ total: 0 }, '0 is less than the minimum of 1'],
    [{ total: 2147483648 }, '2147483648 is greater than the maximum of 2147483647'],
    [{ total: 1, reserved: -1 }, '-1 is less than the minimum of 0'],
    [{ total: 1, allocation_ratio: 4e38 }, 'is greater than the maximum of 3.40282e+38'],
    [{ total: 1, colour: 'red' }, "Additional properties are not allowed ('colour' was unexpected)"],
    [{}, "'total' is a required property"],
  ])('%j is refused', async (inventory, message) => {
    const answer = await rest.ask(`POST ${path}/inventories`, { body: { resource_class: 'VCPU', ...inventory } });
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  test.each(['CUSTOM_NOPE', 'vcpu', '__proto__'])('of the class %s, which is not there, are refused', async (name) => {
    const body = `{"resource_provider_generation": 0, "inventories": {"${name}": {"total": 1}}}`;
    expect(await rest.ask(`PUT ${path}/inventories`, { body })).toMatchObject({
      status: 400,
      message: `Unknown resource class in inventory for resource provider ${provider}: No such resource class ${name}.`,
    });
  });

  test('that are in use stay, may shrink below it, and are named in the order of their classes', async () => {
    await rest.succeed(`POST ${path}/inventories`, { body: { resource_class: 'DISK_GB', total: 8 } });
    await rest.succeed(`POST ${path}/inventories`, { body: vcpu });
    const body = { allocations: { [provider]: { resources: { DISK_GB: 4, VCPU: 4 } } }, project_id: 'p', user_id: 'u' };
    await rest.succeed(`PUT /allocations/${consumer}`, { version: '1.12', body });
    expect(await rest.ask(`DELETE ${path}/inventories`)).toMatchObject({
      status: 409,
      code: 'placement.inventory.inuse',
      message: `Inventory for 'VCPU, DISK_GB' on resource provider '${provider}' in use.`,
    });
    expect(await rest.ask(`DELETE ${path}/inventories/VCPU`)).toMatchObject({ status: 409, code: 'placement.concurrent_update' });
    const shrunk = { total: 2, resource_provider_generation: await generation() };
    expect(await rest.ask(`PUT ${path}/inventories/VCPU`, { body: shrunk })).toMatchObject({ status: 200 });
    expect((await rest.succeed(`GET ${path}/usages`)).json).toMatchObject({ usages: { VCPU: 4, DISK_GB: 4 } });
  });

  test('and use of a provider that is not there are not found', async () => {
    for (const part of ['inventories', 'inventories/VCPU', 'usages', 'traits', 'aggregates', 'allocations']) {
      expect([part, (await rest.ask(`GET /resource_providers/${nobody}/${part}`)).status]).toEqual([part, 404]);
    }
  });
});

describe('aggregates', () => {
  const [a, b] = [uuid(70), uuid(71)];
  const put = (body: unknown, version: string) => rest.ask(`PUT ${path}/aggregates`, { body, version });

  test('are a bare list without a generation up to 1.18', async () => {
    expect(await put([b, a], '1.18')).toMatchObject({ status: 200, json: { aggregates: [b, a] } });
    expect((await rest.succeed(`GET ${path}/aggregates`, { version: '1.18' })).json).not.toHaveProperty('resource_provider_generation');
    expect(await generation()).toBe(0);
  });

  test('go with a generation from 1.19 on, which rises each time', async () => {
    expect(await put([a], '1.19')).toMatchObject({ status: 400, message: expect.stringContaining("is not of type 'object'") });
    const given = { aggregates: [b, a], resource_provider_generation: 0 };
    expect(await put(given, '1.19')).toMatchObject({ status: 200, json: { aggregates: [b, a], resource_provider_generation: 1 } });
    expect(await put(given, '1.19')).toMatchObject({
      status: 409,
      code: undefined,
      message: "Resource provider's generation already changed. Please update the generation and try again.",
    });
    expect(await put({ ...given, resource_provider_generation: 1 }, '1.39')).toMatchObject({ json: { resource_provider_generation: 2 } });
  });

  test('are uuids, each once', async () => {
    expect(await put(['x'], '1.1')).toMatchObject({ status: 400, message: expect.stringContaining("'x' is not a 'uuid'") });
    expect(await put([a, a], '1.1')).toMatchObject({ status: 400, message: expect.stringContaining('has non-unique elements') });
    expect(await put([a, a.replaceAll('-', '')], '1.1')).toMatchObject({ status: 200, json: { aggregates: [a] } });
  });

  test('are shown as they were last spelled for this provider, and found under any spelling', async () => {
    const show = async (of = path) => ((await rest.succeed(`GET ${of}/aggregates`)).json as { aggregates: readonly string[] }).aggregates;
    const other = `/resource_providers/${uuid(72)}`;
    const [bare, capital] = [a.replaceAll('-', ''), '3A1B1C1D-0000-4000-8000-00000000000A'];
    await rest.succeed('POST /resource_providers', { body: { name: 'other', uuid: uuid(72) } });
    await rest.succeed(`PUT ${other}/aggregates`, { version: '1.1', body: [a] });
    expect(await put([bare, capital], '1.1')).toMatchObject({ json: { aggregates: [bare, capital] } });
    expect([await show(), await show(other)]).toEqual([[bare, capital], [a]]);
    expect(await put([a, capital], '1.1')).toMatchObject({ json: { aggregates: [a, capital] } });
    expect(await show()).toEqual([a, capital]);
    for (const spelling of [a, bare, capital, capital.toLowerCase()]) {
      expect((await rest.succeed(`GET /resource_providers?member_of=${spelling}`)).json).toMatchObject({
        resource_providers: expect.arrayContaining([expect.objectContaining({ uuid: provider })]),
      });
    }
    await rest.succeed(`DELETE ${other}`);
  });
});

describe('traits of a provider', () => {
  const put = (traits: readonly string[], expected: number) =>
    rest.ask(`PUT ${path}/traits`, { body: { traits, resource_provider_generation: expected } });

  test('are replaced under a generation, which rises only when they change', async () => {
    expect(await put(['COMPUTE_NODE'], 0)).toMatchObject({
      status: 200,
      json: { traits: ['COMPUTE_NODE'], resource_provider_generation: 1 },
    });
    expect(await put(['COMPUTE_NODE'], 1)).toMatchObject({ status: 200, json: { resource_provider_generation: 1 } });
    expect(await put([], 0)).toMatchObject({ status: 409, code: 'placement.concurrent_update' });
    expect((await rest.succeed(`GET ${path}/traits`)).json).toEqual({ traits: ['COMPUTE_NODE'], resource_provider_generation: 1 });
  });

  test('must exist, and all that do not are named', async () => {
    expect(await put(['COMPUTE_NODE', 'NOPE_1', 'NOPE_2'], 0)).toMatchObject({ status: 400, message: 'No such trait NOPE_1, NOPE_2' });
  });

  test('are taken away without a generation', async () => {
    await put(['COMPUTE_NODE'], 0);
    expect(await rest.ask(`DELETE ${path}/traits`)).toMatchObject({ status: 204 });
    expect(await rest.ask(`DELETE ${path}/traits`)).toMatchObject({ status: 204 });
    expect(await generation()).toBe(2);
  });
});

test('each part of a provider is read with one statement', async () => {
  await rest.succeed(`POST ${path}/inventories`, { body: vcpu });
  await hold(2);
  for (const part of ['', '/inventories', '/inventories/VCPU', '/usages', '/traits', '/aggregates', '/allocations']) {
    database.statements.length = 0;
    await rest.succeed(`GET ${path}${part}`);
    expect([part, database.statements.length]).toEqual([part, 1]);
  }
});
