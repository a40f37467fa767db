// Upstream's answers to unusual requests. A random comparison of both servers found these.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest, uuid } from '../support/rest.ts';

const rest = useRest(useDatabase());
const [provider, nowhere, consumer] = [uuid(1), uuid(2), uuid(3)];
const inventories = `/resource_providers/${provider}/inventories`;

beforeAll(async () => {
  await rest.succeed('POST /resource_providers', { body: { name: 'cn1', uuid: provider } });
  await rest.succeed('PUT /resource_classes/CUSTOM_KNOWN');
  await rest.succeed(`PUT ${inventories}`, { body: { resource_provider_generation: 0, inventories: { VCPU: { total: 8 } } } });
});

test.each([
  ['does not exist', 'CUSTOM_NOPE', 404, 'No such resource class CUSTOM_NOPE.'],
  ['cannot exist', 'nope', 404, 'No such resource class nope.'],
  [
    'is not in the inventories',
    'CUSTOM_KNOWN',
    400,
    `No inventory record with resource class for resource provider ${provider}: No inventory of class CUSTOM_KNOWN found.`,
  ],
])('an inventory of a class that %s cannot be written', async (_, name, status, message) => {
  const body = { resource_provider_generation: 1, total: 8 };
  expect(await rest.ask(`PUT ${inventories}/${name}`, { body })).toMatchObject({ status, message });
});

test.each([
  ['CUSTOM_NOPE', 'No such resource class CUSTOM_NOPE.'],
  ['nope', 'No such resource class nope.'],
  ['CUSTOM_KNOWN', 'No inventory of class CUSTOM_KNOWN found for delete'],
])('an inventory of %s cannot be deleted either', async (name, reason) => {
  const message = `No inventory of class ${name} found for delete: ${reason}`;
  expect(await rest.ask(`DELETE ${inventories}/${name}`)).toMatchObject({ status: 404, message });
  expect((await rest.ask(`DELETE /resource_providers/${nowhere}/inventories/${name}`)).message).toContain(nowhere);
});

test('a reshape with more reserved than the total, which upstream accepts, is refused with the message of PUT', async () => {
  const wanted = { resource_provider_generation: 1, inventories: { VCPU: { total: 8, reserved: 9 } } };
  expect(await rest.ask('POST /reshaper', { body: { inventories: { [provider]: wanted }, allocations: {} } })).toMatchObject({
    status: 400,
    message: expect.stringContaining(
      `Invalid inventory for 'VCPU' on resource provider '${provider}'. The reserved value is greater than total.`,
    ),
  });
});

test('an empty name is not a condition, and an invalid one finds nothing', async () => {
  expect((await rest.succeed('GET /resource_providers?name=')).json).toMatchObject({ resource_providers: [{ name: 'cn1' }] });
  for (const name of ['%00', 'x'.repeat(201), '\u{1f600}'.repeat(201)]) {
    expect((await rest.succeed(`GET /resource_providers?name=${encodeURI(name)}`)).json).toEqual({ resource_providers: [] });
  }
});

test.each(['%00', 'X'.repeat(256), 'lower'])(
  '%s is not a valid trait: lists ignore it, and requests that require it are refused as for an unknown one',
  async (name) => {
    const shown = decodeURIComponent(name);
    expect((await rest.succeed(`GET /traits?name=in:${name},HW_CPU_X86_AVX2`)).json).toEqual({ traits: ['HW_CPU_X86_AVX2'] });
    expect((await rest.succeed(`GET /traits?name=startswith:${name}`)).json).toEqual({ traits: [] });
    for (const required of [name, `!${name}`, `in:${name}`]) {
      const message = `No such trait(s): ${shown}.`;
      expect(await rest.ask(`GET /allocation_candidates?resources=VCPU:1&required=${required}`)).toMatchObject({ status: 400, message });
      expect(await rest.ask(`GET /resource_providers?required=${required}`)).toMatchObject({
        status: 400,
        message: `Invalid trait(s) in "required" parameter: ${message}`,
      });
    }
  },
);

test('a class whose name is too long is refused like an unknown one', async () => {
  const name = `CUSTOM_${'X'.repeat(249)}`;
  const message = (words: string) => ({ status: 400, message: `${words} No such resource class ${name}.` });
  const held = { ...claim(1), allocations: { [provider]: { resources: { [name]: 1 } } } };
  const inventory = { resource_class: name, total: 1 };
  expect(await rest.ask(`PUT /allocations/${consumer}`, { body: held })).toMatchObject(
    message(`Unable to allocate inventory for consumer ${consumer}:`),
  );
  expect(await rest.ask('POST /allocations', { body: { [consumer]: held } })).toMatchObject(message('Unable to allocate inventory'));
  expect(await rest.ask(`POST ${inventories}`, { body: inventory })).toMatchObject(
    message(`Unable to create inventory for resource provider ${provider}:`),
  );
});

test.each([
  ['member_of must have 0 to 100 elements, has 120', `GET /resource_providers?${`member_of=${nowhere}&`.repeat(120)}`],
  [
    'resources must have 0 to 100 elements, has 120',
    `GET /resource_providers?resources=${Array.from({ length: 120 }, (_, n) => `CUSTOM_${n}:1`)}`,
  ],
  ['project_id must not contain a NUL character', 'GET /usages?project_id=%00'],
])('a refusal that upstream does not have names the argument as the caller sent it: %s', async (message, route) => {
  expect(await rest.ask(route)).toMatchObject({ status: 400, message });
});

test('and so does the refusal of a body', async () => {
  const refuse = (body: object) => rest.ask(`PUT /allocations/${consumer}`, { body: { ...claim(1), ...body } });
  expect(await refuse({ project_id: 'a\0' })).toMatchObject({ status: 400, message: 'project_id must not contain a NUL character' });
  expect(await refuse({ user_id: 'a\0' })).toMatchObject({ status: 400, message: 'user_id must not contain a NUL character' });
  const aggregates = Array.from({ length: 1001 }, (_, n) => uuid(n + 1000));
  const body = { aggregates, resource_provider_generation: 1 };
  expect(await rest.ask(`PUT /resource_providers/${provider}/aggregates`, { body })).toMatchObject({
    status: 400,
    message: 'aggregates must have 0 to 1000 elements, has 1001',
  });
});

test('the last in_tree counts, but all must be uuids; the first group_policy counts, whatever it is', async () => {
  const ask = (query: string) => rest.ask(`GET /allocation_candidates?resources=VCPU:1&${query}`);
  const message = "Invalid query string parameters: Expected 'in_tree' parameter to be a format of uuid. Got: bad";
  expect(await ask(`in_tree=bad&in_tree=${provider}`)).toMatchObject({ status: 400, message });
  expect(await ask(`in_tree=${nowhere}&in_tree=${provider}`)).toMatchObject({ json: { allocation_requests: [{}] } });
  expect(await ask('group_policy=bad&group_policy=isolate')).toMatchObject({ status: 200 });
});

test.each(['/resource_providers', '/allocation_candidates'])('an empty name of a class is unknown, in %s', async (path) => {
  expect(await rest.ask(`GET ${path}?resources=:1`)).toMatchObject({
    status: 400,
    message: 'Invalid resource class in resources parameter: No such resource class .',
  });
});

const claim = (amount: number, generation: number | null = null) => ({
  allocations: { [provider]: { resources: { VCPU: amount } } },
  project_id: 'p',
  user_id: 'u',
  consumer_generation: generation,
  consumer_type: 'INSTANCE',
});

test('an amount beyond all bounds exceeds the capacity', async () => {
  for (const amount of [2 ** 40, 2 ** 53, 1e300]) {
    expect(await rest.ask(`PUT /allocations/${consumer}`, { body: claim(amount) })).toMatchObject({ status: 409 });
  }
});

test.each([-1, 2 ** 60])('an impossible generation, %d, is reported as it was sent', async (generation) => {
  const body = claim(1, generation);
  const message = `consumer generation conflict - expected null but got ${generation}`;
  expect(await rest.ask(`PUT /allocations/${consumer}`, { body })).toMatchObject({ status: 409, message });
  expect(await rest.ask('POST /allocations', { body: { [consumer]: body } })).toMatchObject({ status: 409, message });
});

test.each(['json', '*', 'garbage', 'application/json; q=x', ';', 'text/html garbage'])('Accept: %s means anything', async (accept) => {
  expect((await rest.ask('GET /traits', { headers: { accept } })).status).toBe(200);
});

test.each(['text/html', 'application/*;q=0', 'text/plain;charset="a b"'])('Accept: %s excludes JSON', async (accept) => {
  expect((await rest.ask('GET /traits', { headers: { accept } })).status).toBe(406);
});

test.each(['', 'nonsense', 'a/b; c', '; charset=x'])('the type %j of an absent body is ignored', async (type) => {
  const headers = { 'content-type': type };
  expect((await rest.ask('GET /traits', { headers })).status).toBe(200);
  expect((await rest.ask('PUT /traits/CUSTOM_TYPED', { headers })).status).toBeLessThan(300);
  expect((await rest.ask('DELETE /traits/CUSTOM_TYPED', { headers })).status).toBe(204);
});
