// Allocations through REST: the six forms of a write, the answers of each version, and refusals.
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest, uuid } from '../support/rest.ts';

const database = useDatabase();
const rest = useRest(database);
const [host, storage, nobody] = [uuid(1), uuid(2), uuid(99)];
const [consumer, other] = [uuid(50), uuid(51)];

beforeEach(async () => {
  for (const held of [consumer, other]) await rest.ask(`DELETE /allocations/${held}`);
  for (const provider of [host, storage]) await rest.ask(`DELETE /resource_providers/${provider}`);
  for (const [provider, inventories] of [
    [host, { VCPU: { total: 8, max_unit: 6 }, MEMORY_MB: { total: 1024, min_unit: 64, step_size: 64 } }],
    [storage, { DISK_GB: { total: 100 } }],
  ] as const) {
    await rest.succeed('POST /resource_providers', { body: { name: provider, uuid: provider } });
    await rest.succeed(`PUT /resource_providers/${provider}/inventories`, { body: { inventories, resource_provider_generation: 0 } });
  }
});

const put = (body: object, version: string, of = consumer) => rest.ask(`PUT /allocations/${of}`, { version, body });
const show = async (version = '1.39', of = consumer) => (await rest.succeed(`GET /allocations/${of}`, { version })).json;
const nothing = { allocations: {} };

const list = { allocations: [{ resource_provider: { uuid: host }, resources: { VCPU: 1 } }] };
const map = { allocations: { [host]: { resources: { VCPU: 1 } } } };
const owner = { project_id: 'project', user_id: 'user' };

describe('one consumer is written', () => {
  const forms: [since: number, until: number, body: object][] = [
    [0, 7, list],
    [8, 11, { ...list, ...owner }],
    [12, 27, { ...map, ...owner }],
    [28, 33, { ...map, ...owner, consumer_generation: null }],
    [34, 37, { ...map, ...owner, consumer_generation: null, mappings: { '': [host] } }],
    [38, 39, { ...map, ...owner, consumer_generation: null, mappings: { '': [host] }, consumer_type: 'INSTANCE' }],
  ];

  test.each(forms)('from 1.%i to 1.%i as %j, and not with that just before or after', async (since, until, body) => {
    for (const minor of [since, until]) {
      expect(await put(body, `1.${minor}`)).toMatchObject({ status: 204, text: '' });
      expect(await show()).toMatchObject({ allocations: { [host]: { resources: { VCPU: 1 } } } });
      await rest.succeed(`DELETE /allocations/${consumer}`);
    }
    if (since > 0) expect(await put(body, `1.${since - 1}`)).toMatchObject({ status: 400 });
    // What 1.28 takes is fine for 1.34 too: mappings may be left out.
    if (until < 39 && since !== 28) expect(await put(body, `1.${until + 1}`)).toMatchObject({ status: 400 });
    expect(await show()).toEqual(nothing);
  });

  test('to hold nothing from 1.28 on', async () => {
    await put({ ...map, ...owner }, '1.12');
    expect(await put({ allocations: {}, ...owner }, '1.27')).toMatchObject({
      status: 400,
      message: expect.stringContaining('does not have enough properties'),
    });
    expect(await put({ allocations: {}, ...owner, consumer_generation: 1 }, '1.28')).toMatchObject({ status: 204 });
    expect(await show()).toEqual(nothing);
  });

  test('with what a GET of the same version gave', async () => {
    await put({ ...map, ...owner, consumer_generation: null, consumer_type: 'INSTANCE' }, '1.39');
    expect(await put((await show()) as object, '1.39')).toMatchObject({ status: 204 });
    expect(await show()).toMatchObject({ consumer_generation: 2, consumer_type: 'INSTANCE' });
  });

  test('under any spelling of its uuid', async () => {
    expect(await put({ ...map, ...owner }, '1.12', consumer.replaceAll('-', '').toUpperCase())).toMatchObject({ status: 204 });
    expect(await show()).not.toEqual(nothing);
    expect(await put({ ...map, ...owner }, '1.12', 'x')).toMatchObject({ status: 400, message: 'Malformed consumer_uuid: x' });
  });

  test('as of another project: the new one stands', async () => {
    await put({ ...map, ...owner }, '1.12');
    await put({ ...map, project_id: 'elsewhere', user_id: 'somebody' }, '1.12');
    expect(await show()).toMatchObject({ project_id: 'elsewhere', user_id: 'somebody' });
  });

  test('and shown as its version has it', async () => {
    await put(list, '1.0');
    const held = { [host]: { generation: 2, resources: { VCPU: 1 } } };
    const zero = '00000000-0000-0000-0000-000000000000';
    expect(await show('1.11')).toEqual({ allocations: held });
    expect(await show('1.12')).toEqual({ allocations: held, project_id: zero, user_id: zero });
    expect(await show('1.27')).toEqual({ allocations: held, project_id: zero, user_id: zero });
    expect(await show('1.28')).toEqual({ allocations: held, project_id: zero, user_id: zero, consumer_generation: 1 });
    expect(await show('1.38')).toMatchObject({ consumer_type: 'unknown' });
    expect((await rest.succeed(`GET /resource_providers/${host}/allocations`, { version: '1.27' })).json).toEqual({
      allocations: { [consumer]: { resources: { VCPU: 1 } } },
      resource_provider_generation: 2,
    });
    expect((await rest.succeed(`GET /resource_providers/${host}/allocations`, { version: '1.28' })).json).toMatchObject({
      allocations: { [consumer]: { consumer_generation: 1 } },
    });
  });
});

describe('the generation of a consumer', () => {
  const claim = (generation: number | null, of = consumer) => put({ ...map, ...owner, consumer_generation: generation }, '1.28', of);

  test('is null for a new one, and rises with each write of whatever version', async () => {
    expect(await claim(null)).toMatchObject({ status: 204 });
    expect(await put({ ...map, ...owner }, '1.12')).toMatchObject({ status: 204 });
    expect(await claim(2)).toMatchObject({ status: 204 });
    expect(await show()).toMatchObject({ consumer_generation: 3 });
  });

  test('is compared, and the message tells both', async () => {
    const conflict = (words: string) => ({ status: 409, message: `consumer generation conflict - ${words}` });
    expect(await claim(5)).toMatchObject(conflict('expected null but got 5'));
    await claim(null);
    expect(await claim(null)).toMatchObject(conflict('expected 1 but got None'));
    expect(await claim(7)).toMatchObject(conflict('expected 1 but got 7'));
    expect(await claim(-1)).toMatchObject({ status: 409 });
    expect((await put({ ...map, ...owner, consumer_generation: 7, consumer_type: 'A' }, '1.39')).code).toBe('placement.concurrent_update');
  });
});

describe('a write is refused', () => {
  test.each<[resources: Record<string, Record<string, number>>, status: number, message: string]>([
    [{ [nobody]: { VCPU: 1 } }, 400, `Allocation for resource provider '${nobody}' that does not exist.`],
    [{ [host]: { NOPE: 1 } }, 400, `Unable to allocate inventory for consumer ${consumer}: No such resource class NOPE.`],
    [{ [host]: { PCPU: 1 } }, 409, `Unable to allocate inventory: Inventory for 'PCPU' on resource provider '${host}' invalid.`],
    [{ [host]: { VCPU: 7 } }, 409, 'The requested amount would violate inventory constraints.'],
    [{ [host]: { MEMORY_MB: 65 } }, 409, 'The requested amount would violate inventory constraints.'],
    [{ [host]: { MEMORY_MB: 1088 } }, 409, 'The requested amount would exceed the capacity.'],
    [{ [host]: { VCPU: 0 } }, 400, '0 is less than the minimum of 1'],
    [{ [host]: { VCPU: 1.5 } }, 400, "1.5 is not of type 'integer'"],
    [{ [host]: {} }, 400, '{} does not have enough properties'],
    [{ x: { VCPU: 1 } }, 400, "'x' does not match any of the regexes: '^[0-9a-fA-F-]{36}$'"],
    [{ ['-'.repeat(36)]: { VCPU: 1 } }, 400, 'that does not exist.'],
  ])('for %j, and leaves nothing behind', async (resources, status, message) => {
    const allocations = Object.fromEntries(Object.entries(resources).map(([provider, amounts]) => [provider, { resources: amounts }]));
    expect(await put({ allocations, ...owner }, '1.12')).toMatchObject({ status, message: expect.stringContaining(message) });
    expect(await show()).toEqual(nothing);
    expect((await database.own`select from consumers`).length).toBe(0);
  });

  test('for an amount beyond all numbers, and never with a bug', async () => {
    const body = `{"allocations": {"${host}": {"resources": {"VCPU": 1e300}}}, "project_id": "p", "user_id": "u"}`;
    expect((await rest.ask(`PUT /allocations/${consumer}`, { version: '1.12', body })).status).toBe(409);
    expect(rest.bugs).toEqual([]);
  });
});

describe('several consumers are written together', () => {
  const post = (body: object, version = '1.13') => rest.ask('POST /allocations', { version, body });
  const holding = (amount: number) => ({ allocations: { [host]: { resources: { VCPU: amount } } }, ...owner });

  test('and what one gives back the other takes, without a gap', async () => {
    await post({ [consumer]: holding(6) });
    expect(await post({ [consumer]: { allocations: {}, ...owner }, [other]: holding(6) })).toMatchObject({ status: 204 });
    expect([await show(), await show('1.12', other)]).toEqual([nothing, expect.objectContaining({ project_id: 'project' })]);
  });

  test('or not at all', async () => {
    expect(await post({ [consumer]: holding(6), [other]: holding(3) })).toMatchObject({
      status: 409,
      message: expect.stringContaining('The requested amount would exceed the capacity.'),
    });
    expect([await show(), await show('1.39', other)]).toEqual([nothing, nothing]);
    expect(await post({})).toMatchObject({ status: 400 });
    expect(await post({ [consumer]: { allocations: { [host]: { resources: { NOPE: 1 } } }, ...owner } })).toMatchObject({
      status: 400,
      message: 'Unable to allocate inventory No such resource class NOPE.',
    });
  });

  test('with generations from 1.28 on, and types from 1.38 on', async () => {
    const guarded = { [consumer]: { ...holding(1), consumer_generation: null } };
    expect(await post(guarded, '1.27')).toMatchObject({ status: 400 });
    expect(await post(guarded, '1.28')).toMatchObject({ status: 204 });
    const typed = { [consumer]: { ...holding(1), consumer_generation: 1, consumer_type: 'INSTANCE' } };
    expect(await post(typed, '1.37')).toMatchObject({ status: 400 });
    expect(await post(typed, '1.38')).toMatchObject({ status: 204 });
    expect(await post({ [consumer]: { ...holding(1), consumer_generation: 2 } }, '1.37')).toMatchObject({ status: 204 });
    expect(await show()).toMatchObject({ consumer_type: 'INSTANCE', consumer_generation: 3 });
  });
});

describe('releasing', () => {
  test('takes everything, once, and the generations of the providers stay', async () => {
    await put({ ...map, ...owner }, '1.12');
    const before = (await rest.succeed(`GET /resource_providers/${host}`)).json;
    expect(await rest.ask(`DELETE /allocations/${consumer}`)).toMatchObject({ status: 204, text: '' });
    expect((await rest.succeed(`GET /resource_providers/${host}`)).json).toEqual(before);
    expect(await rest.ask(`DELETE /allocations/${consumer}`)).toMatchObject({
      status: 404,
      message: `No allocations for consumer '${consumer}'`,
    });
    expect(await rest.ask('DELETE /allocations/x')).toMatchObject({ status: 404 });
  });
});

describe('the use of a project', () => {
  const usages = async (query: string, version: string) => (await rest.succeed(`GET /usages?${query}`, { version })).json;

  beforeEach(async () => {
    await put({ ...map, project_id: 'p', user_id: 'u', consumer_generation: null, consumer_type: 'INSTANCE' }, '1.38');
    await put(
      { allocations: { [host]: { resources: { VCPU: 2 } }, [storage]: { resources: { DISK_GB: 5 } } }, project_id: 'p', user_id: 'v' },
      '1.12',
      other,
    );
  });

  test('is a sum up to 1.37', async () => {
    expect(await usages('project_id=p', '1.37')).toEqual({ usages: { VCPU: 3, DISK_GB: 5 } });
    expect(await usages('project_id=p&user_id=u', '1.9')).toEqual({ usages: { VCPU: 1 } });
    expect(await usages('project_id=q', '1.9')).toEqual({ usages: {} });
  });

  test('is a sum for each type of consumer from 1.38 on, with their number', async () => {
    const byType = { INSTANCE: { VCPU: 1, consumer_count: 1 }, unknown: { VCPU: 2, DISK_GB: 5, consumer_count: 1 } };
    expect(await usages('project_id=p', '1.38')).toEqual({ usages: byType });
    expect(await usages('project_id=p&consumer_type=INSTANCE', '1.38')).toEqual({ usages: { INSTANCE: byType.INSTANCE } });
    expect(await usages('project_id=p&consumer_type=unknown', '1.38')).toEqual({ usages: { unknown: byType.unknown } });
    expect(await usages('project_id=p&consumer_type=all', '1.38')).toEqual({ usages: { all: { VCPU: 3, DISK_GB: 5, consumer_count: 2 } } });
    expect(await usages('project_id=p&consumer_type=ALL', '1.38')).toEqual({ usages: {} });
  });

  test('is refused without a project, and for what can be no type', async () => {
    expect(await rest.ask('GET /usages')).toMatchObject({
      status: 400,
      message: expect.stringContaining("'project_id' is a required property"),
    });
    expect(await rest.ask('GET /usages?project_id=p&consumer_type=allx')).toMatchObject({ status: 400 });
    expect(await rest.ask('GET /usages?project_id=p&consumer_type=all', { version: '1.37' })).toMatchObject({ status: 400 });
  });
});

test('a claim costs one statement, whatever its version', async () => {
  for (const [version, body] of [
    ['1.0', list],
    ['1.12', { ...map, ...owner }],
    ['1.39', { ...map, ...owner, consumer_generation: 2, consumer_type: 'INSTANCE' }],
  ] as const) {
    database.statements.length = 0;
    expect(await put(body, version)).toMatchObject({ status: 204 });
    expect([version, database.statements.length]).toEqual([version, 1]);
  }
});
