// Resource providers through REST: what each version returns, accepts and refuses.
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest, uuid } from '../support/rest.ts';

const database = useDatabase();
const rest = useRest(database);
const [root, child, other, nobody] = [uuid(1), uuid(2), uuid(3), uuid(99)];

beforeEach(async () => {
  for (const provider of [child, other, root]) await rest.ask(`DELETE /resource_providers/${provider}`);
  await rest.succeed('POST /resource_providers', { body: { name: 'root', uuid: root } });
  await rest.succeed('POST /resource_providers', { body: { name: 'child', uuid: child, parent_provider_uuid: root } });
  await rest.succeed('POST /resource_providers', { body: { name: 'other', uuid: other } });
});

interface ShownProvider {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly parent_provider_uuid?: string | null;
  readonly root_provider_uuid?: string;
}

async function show(provider: string, version = '1.39'): Promise<ShownProvider> {
  return (await rest.succeed(`GET /resource_providers/${provider}`, { version })).json as ShownProvider;
}

async function list(query = '', version = '1.39'): Promise<readonly string[]> {
  const { json } = await rest.succeed(`GET /resource_providers${query}`, { version });
  return (json as { resource_providers: readonly ShownProvider[] }).resource_providers.map(({ name }) => name);
}

const update = (provider: string, body: object, version = '1.39') => rest.ask(`PUT /resource_providers/${provider}`, { body, version });

describe('a provider', () => {
  test.each<[version: string, links: readonly string[]]>([
    ['1.0', ['self', 'inventories', 'usages']],
    ['1.1', ['self', 'inventories', 'usages', 'aggregates']],
    ['1.5', ['self', 'inventories', 'usages', 'aggregates']],
    ['1.6', ['self', 'inventories', 'usages', 'aggregates', 'traits']],
    ['1.10', ['self', 'inventories', 'usages', 'aggregates', 'traits']],
    ['1.11', ['self', 'inventories', 'usages', 'aggregates', 'traits', 'allocations']],
  ])('links to what there is at %s', async (version, links) => {
    const provider = await show(root, version);
    expect(provider.links.map(({ rel }) => rel)).toEqual(links);
    expect(provider.links[1]?.href).toBe(`/placement/resource_providers/${root}/inventories`);
  });

  test('shows its place in the tree from 1.14 on', async () => {
    expect(await show(child, '1.13')).not.toHaveProperty('root_provider_uuid');
    expect(await show(child, '1.14')).toMatchObject({ parent_provider_uuid: root, root_provider_uuid: root });
    expect(await show(root, '1.14')).toMatchObject({ parent_provider_uuid: null, root_provider_uuid: root });
  });

  test('is found under any spelling of its uuid, and nothing under another', async () => {
    expect(await show(root.replaceAll('-', ''))).toMatchObject({ uuid: root });
    expect(await rest.ask(`GET /resource_providers/${nobody}`)).toMatchObject({
      status: 404,
      message: `No resource provider with uuid ${nobody} found`,
    });
    expect(await rest.ask('GET /resource_providers/foo')).toMatchObject({ status: 404 });
  });
});

describe('creating one', () => {
  const create = (body: object, version = '1.39') => rest.ask('POST /resource_providers', { body, version });

  test('is answered with 201 and nothing up to 1.19, with the provider from 1.20 on', async () => {
    const old = await create({ name: 'a', uuid: uuid(10) }, '1.19');
    expect(old).toMatchObject({ status: 201, text: '', headers: { location: `${rest.url}/resource_providers/${uuid(10)}` } });
    expect(old.headers).not.toHaveProperty('content-type');
    const answer = await create({ name: 'b', uuid: uuid(11) }, '1.20');
    expect(answer).toMatchObject({ status: 200, json: { uuid: uuid(11), name: 'b', generation: 0, root_provider_uuid: uuid(11) } });
    expect(answer.headers).toMatchObject({ location: `${rest.url}/resource_providers/${uuid(11)}`, 'cache-control': 'no-cache' });
    for (const provider of [uuid(10), uuid(11)]) await rest.succeed(`DELETE /resource_providers/${provider}`);
  });

  test('makes a uuid when none is given', async () => {
    const { json } = await create({ name: 'made' });
    const made = json as ShownProvider;
    expect(made.uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    await rest.succeed(`DELETE /resource_providers/${made.uuid}`);
  });

  test('under a parent is possible from 1.14 on', async () => {
    expect(await create({ name: 'x', parent_provider_uuid: root }, '1.13')).toMatchObject({ status: 400 });
  });

  test.each([
    [{ name: 'root', uuid: nobody }, 409, 'Conflicting resource provider name: root already exists.', 'placement.duplicate_name'],
    [
      { name: 'x', uuid: root.replaceAll('-', '') },
      409,
      `Conflicting resource provider uuid: ${root} already exists.`,
      'placement.duplicate_name',
    ],
    [
      { name: '', uuid: nobody },
      400,
      `Unable to create resource provider "", ${nobody}: Object action create failed because: name is required`,
    ],
    [{ name: 'x', uuid: nobody, parent_provider_uuid: nobody }, 400, 'parent provider UUID cannot be same as UUID'],
    [{ name: 'x', uuid: nobody, parent_provider_uuid: uuid(98) }, 400, 'parent provider UUID does not exist.'],
    [{ name: 'x'.repeat(201) }, 400, 'is too long'],
    [{ name: 'x', uuid: '{1}' }, 400, "'{1}' is not a 'uuid'"],
    [{}, 400, "'name' is a required property"],
  ])('%j is refused', async (body, status, message, code = 'placement.undefined_code') => {
    expect(await create(body)).toMatchObject({ status, code, message: expect.stringContaining(message) });
  });
});

describe('changing one', () => {
  test('renames it, and its generation stays', async () => {
    expect(await update(root, { name: 'renamed' })).toMatchObject({ status: 200, json: { name: 'renamed', generation: 0 } });
  });

  test('leaves the parent alone when none is given', async () => {
    expect(await update(child, { name: 'renamed' })).toMatchObject({ json: { parent_provider_uuid: root } });
  });

  test('gives a root a parent from 1.14 on, and moves everything below it', async () => {
    expect(await update(root, { name: 'root', parent_provider_uuid: other }, '1.13')).toMatchObject({ status: 400 });
    expect(await update(root, { name: 'root', parent_provider_uuid: other }, '1.14')).toMatchObject({ status: 200 });
    expect(await show(child)).toMatchObject({ parent_provider_uuid: root, root_provider_uuid: other });
    await update(root, { name: 'root', parent_provider_uuid: null });
  });

  test('takes a provider from its parent from 1.37 on', async () => {
    const [elsewhere, nowhere] = [
      { name: 'child', parent_provider_uuid: other },
      { name: 'child', parent_provider_uuid: null },
    ];
    expect(await update(child, elsewhere, '1.36')).toMatchObject({
      status: 400,
      message: `Unable to save resource provider ${child}: Object action update failed because: re-parenting a provider is not currently allowed.`,
    });
    expect(await update(child, nowhere, '1.36')).toMatchObject({
      status: 400,
      message: expect.stringContaining('un-parenting a provider is not currently allowed.'),
    });
    expect(await update(child, { name: 'child', parent_provider_uuid: root }, '1.36')).toMatchObject({ status: 200 });
    expect(await update(child, elsewhere, '1.37')).toMatchObject({ status: 200, json: { root_provider_uuid: other } });
    expect(await update(child, nowhere, '1.37')).toMatchObject({
      status: 200,
      json: { parent_provider_uuid: null, root_provider_uuid: child },
    });
  });

  test('never makes a loop, at no version', async () => {
    const loop = { name: 'root', parent_provider_uuid: child };
    for (const version of ['1.14', '1.37']) {
      expect(await update(root, loop, version)).toMatchObject({
        status: 400,
        message: expect.stringContaining('creating loop in the provider tree'),
      });
    }
  });

  test('is refused for a name that is taken, a parent that is not there, and a provider that is not there', async () => {
    expect(await update(root, { name: 'other' })).toMatchObject({
      status: 409,
      code: 'placement.duplicate_name',
      message: 'Conflicting resource provider other already exists.',
    });
    expect(await update(root, { name: 'root', parent_provider_uuid: nobody })).toMatchObject({ status: 400 });
    expect(await update(nobody, { name: 'x' })).toMatchObject({ status: 404 });
  });
});

describe('deleting one', () => {
  test('is refused while it has children or is in use, and done after that', async () => {
    expect(await rest.ask(`DELETE /resource_providers/${root}`)).toMatchObject({
      status: 409,
      code: 'placement.resource_provider.cannot_delete_parent',
      message: `Unable to delete parent resource provider ${root}: It has child resource providers.`,
    });
    await rest.succeed(`POST /resource_providers/${other}/inventories`, { body: { resource_class: 'VCPU', total: 4 } });
    const held = { allocations: { [other]: { resources: { VCPU: 1 } } }, project_id: 'p', user_id: 'u' };
    await rest.succeed(`PUT /allocations/${uuid(50)}`, { version: '1.12', body: held });
    expect(await rest.ask(`DELETE /resource_providers/${other}`)).toMatchObject({
      status: 409,
      code: 'placement.resource_provider.inuse',
      message: `Unable to delete resource provider ${other}: Resource provider has allocations.`,
    });
    await rest.succeed(`DELETE /allocations/${uuid(50)}`);
    expect(await rest.ask(`DELETE /resource_providers/${other}`)).toMatchObject({ status: 204, text: '' });
    expect(await rest.ask(`DELETE /resource_providers/${other}`)).toMatchObject({
      status: 404,
      message: `No resource provider with uuid ${other} found for delete`,
    });
  });
});

describe('a list', () => {
  test.each<[query: string, since: number, names: readonly string[]]>([
    [`?member_of=${nobody}`, 3, []],
    ['?resources=VCPU:1', 4, []],
    [`?in_tree=${child}`, 14, ['root', 'child']],
    [`?in_tree=${nobody}`, 14, []],
    ['?required=COMPUTE_NODE', 18, []],
  ])('takes %s from 1.%i on', async (query, since, names) => {
    const below = await rest.ask(`GET /resource_providers${query}`, { version: `1.${since - 1}` });
    expect(below).toMatchObject({
      status: 400,
      message: expect.stringContaining('Invalid query string parameters: Additional properties'),
    });
    expect(await list(query, `1.${since}`)).toEqual(names);
  });

  test.each([
    ['?required=!COMPUTE_NODE', 22],
    [`?member_of=${nobody}&member_of=${nobody}`, 24],
    [`?member_of=!${nobody}`, 32],
    ['?required=in:COMPUTE_NODE,HW_NUMA_ROOT', 39],
  ])('understands %s from 1.%i on', async (query, since) => {
    expect(await rest.ask(`GET /resource_providers${query}`, { version: `1.${since - 1}` })).toMatchObject({ status: 400 });
    expect(await rest.ask(`GET /resource_providers${query}`, { version: `1.${since}` })).toMatchObject({ status: 200 });
  });

  test('is of all, or of those that have this name or uuid', async () => {
    expect(await list()).toEqual(['root', 'child', 'other']);
    expect(await list('?name=child')).toEqual(['child']);
    expect(await list(`?uuid=${other.toUpperCase()}`)).toEqual(['other']);
    expect(await list(`?name=child&uuid=${other}`)).toEqual([]);
  });

  test('is of those that fit, have traits and are in aggregates themselves', async () => {
    await rest.succeed(`POST /resource_providers/${root}/inventories`, { body: { resource_class: 'VCPU', total: 4, max_unit: 2 } });
    await rest.succeed(`PUT /resource_providers/${root}/traits`, { body: { traits: ['COMPUTE_NODE'], resource_provider_generation: 1 } });
    await rest.succeed(`PUT /resource_providers/${root}/aggregates`, { body: { aggregates: [nobody], resource_provider_generation: 2 } });
    expect(await list('?resources=VCPU:2')).toEqual(['root']);
    expect(await list('?resources=VCPU:3')).toEqual([]);
    expect(await list('?required=COMPUTE_NODE')).toEqual(['root']);
    expect(await list('?required=!COMPUTE_NODE')).toEqual(['child', 'other']);
    expect(await list(`?member_of=in:${nobody},${root}`)).toEqual(['root']);
    expect(await list(`?member_of=!in:${nobody},${root}`)).toEqual(['child', 'other']);
  });

  test('of names that do not exist is refused', async () => {
    expect(await rest.ask('GET /resource_providers?resources=NOPE:1')).toMatchObject({
      status: 400,
      message: 'Invalid resource class in resources parameter: No such resource class NOPE.',
    });
    expect(await rest.ask('GET /resource_providers?required=NOPE')).toMatchObject({
      status: 400,
      message: 'Invalid trait(s) in "required" parameter: No such trait(s): NOPE.',
    });
  });

  test('tells every change at once, in whatever version it is asked for', async () => {
    const many = Array.from({ length: 120 }, (_, index) => uuid(1000 + index));
    for (const [index, own] of many.entries()) {
      await rest.succeed('POST /resource_providers', { body: { name: `of many ${index}`, uuid: own, parent_provider_uuid: child } });
    }
    const [first = '', second = '', third = ''] = many;
    const listed = async (version: string) => {
      const { json } = await rest.succeed('GET /resource_providers', { version });
      return new Map((json as { resource_providers: readonly ShownProvider[] }).resource_providers.map((shown) => [shown.uuid, shown]));
    };
    expect((await listed('1.39')).size).toBe(123);
    expect((await listed('1.13')).get(first)).toEqual(await show(first, '1.13'));
    expect((await listed('1.39')).get(first)).toEqual(await show(first));

    await update(first, { name: 'renamed', parent_provider_uuid: child });
    await rest.succeed(`PUT /resource_providers/${second}/inventories`, {
      body: { resource_provider_generation: 0, inventories: { VCPU: { total: 1 } } },
    });
    for (const version of ['1.39', '1.13']) {
      const now = await listed(version);
      expect(now.get(first)).toEqual(await show(first, version));
      expect([now.get(first)?.name, now.get(second)?.generation]).toEqual(['renamed', 1]);
    }
    await rest.succeed(`DELETE /resource_providers/${third}`);
    expect([...(await listed('1.39')).keys()]).not.toContain(third);
    for (const own of many) await rest.ask(`DELETE /resource_providers/${own}`);
  });

  test('is whole JSON however long it is, and costs one statement once its providers are known', async () => {
    await database.own`
      insert into resource_providers (id, uuid, name, root_provider_id) overriding system value
      select 1000000 + n, gen_random_uuid(), 'many ' || n, 1000000 + n from generate_series(1, 2345) n`;
    await database.own`select mark_changed(array(select id from resource_providers where id > 1000000))`;
    expect(await list()).toHaveLength(2348);
    database.statements.length = 0;
    expect(await list()).toHaveLength(2348);
    expect(database.statements).toHaveLength(1);
  });
});
