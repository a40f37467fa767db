// Traits and resource classes through REST.
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest, uuid } from '../support/rest.ts';

const rest = useRest(useDatabase());
const provider = uuid(1);

beforeEach(async () => {
  await rest.ask(`DELETE /resource_providers/${provider}`);
  for (const name of ['CUSTOM_A', 'CUSTOM_B']) {
    await rest.ask(`DELETE /traits/${name}`);
    await rest.ask(`DELETE /resource_classes/${name}`);
  }
});

describe('a trait', () => {
  test('is created once, and is there after that', async () => {
    const created = await rest.ask('PUT /traits/CUSTOM_A');
    expect(created).toMatchObject({
      status: 201,
      text: '',
      headers: { location: `${rest.url}/traits/CUSTOM_A`, 'cache-control': 'no-cache' },
    });
    expect(created.headers).not.toHaveProperty('content-type');
    expect(await rest.ask('PUT /traits/CUSTOM_A')).toMatchObject({ status: 204, headers: { location: `${rest.url}/traits/CUSTOM_A` } });
    const shown = await rest.ask('GET /traits/CUSTOM_A');
    expect(shown).toMatchObject({ status: 204, text: '', headers: { 'cache-control': 'no-cache' } });
    expect((await rest.ask('GET /traits/CUSTOM_A', { version: '1.14' })).headers).not.toHaveProperty('last-modified');
  });

  test.each(['custom_a', 'HW_CPU_X86_AVX', 'CUSTOM_', `CUSTOM_${'X'.repeat(249)}`, 'CUSTOM_A!'])('cannot be called %s', async (name) => {
    expect(await rest.ask(`PUT /traits/${name}`)).toMatchObject({ status: 400, message: expect.stringContaining('The trait is invalid.') });
  });

  test('is deleted unless it is standard, in use or not there', async () => {
    await rest.succeed('PUT /traits/CUSTOM_A');
    await rest.succeed('POST /resource_providers', { body: { name: 'host', uuid: provider } });
    const body = { traits: ['CUSTOM_A'], resource_provider_generation: 0 };
    await rest.succeed(`PUT /resource_providers/${provider}/traits`, { body });
    expect(await rest.ask('DELETE /traits/CUSTOM_A')).toMatchObject({
      status: 409,
      code: 'placement.undefined_code',
      message: 'The trait CUSTOM_A is in use by a resource provider.',
    });
    expect((await rest.succeed('GET /traits?associated=true')).json).toEqual({ traits: ['CUSTOM_A'] });
    await rest.succeed(`DELETE /resource_providers/${provider}/traits`);
    expect(await rest.ask('DELETE /traits/CUSTOM_A')).toMatchObject({ status: 204 });
    expect(await rest.ask('DELETE /traits/CUSTOM_A')).toMatchObject({ status: 404, message: 'No such trait(s): CUSTOM_A.' });
    expect(await rest.ask('DELETE /traits/nope')).toMatchObject({ status: 404, message: 'No such trait(s): nope.' });
    expect(await rest.ask('DELETE /traits/COMPUTE_NODE')).toMatchObject({
      status: 400,
      message: 'Cannot delete standard trait COMPUTE_NODE.',
    });
  });
});

describe('a list of traits', () => {
  const list = async (query: string) => ((await rest.succeed(`GET /traits${query}`)).json as { traits: readonly string[] }).traits;

  test('is of all, or of those with these names or this beginning', async () => {
    await rest.succeed('PUT /traits/CUSTOM_A');
    expect(await list('')).toContain('COMPUTE_NODE');
    expect(await list('?name=in:CUSTOM_A,NOPE,COMPUTE_NODE')).toEqual(['COMPUTE_NODE', 'CUSTOM_A']);
    expect(await list('?name=startswith:CUSTOM')).toEqual(['CUSTOM_A']);
    expect(await list('?name=startswith:CUSTOM&associated=TRUE')).toEqual([]);
  });

  test('takes the beginning as it is written: an underscore is no other character', async () => {
    expect(await list('?name=startswith:C_MPUTE')).toEqual([]);
  });

  test('is refused for other filters', async () => {
    expect(await rest.ask('GET /traits?name=foo')).toMatchObject({
      status: 400,
      message: expect.stringContaining('Badly formatted name parameter'),
    });
    expect(await rest.ask('GET /traits?associated=maybe')).toMatchObject({
      status: 400,
      message: expect.stringContaining('"associated" only accepts'),
    });
    expect(await rest.ask('GET /traits?colour=red')).toMatchObject({
      status: 400,
      message: expect.stringContaining("'colour' was unexpected"),
    });
  });
});

describe('a resource class', () => {
  const shown = (name: string) => ({ name, links: [{ rel: 'self', href: `/placement/resource_classes/${name}` }] });

  test('is created by POST, once', async () => {
    const create = () => rest.ask('POST /resource_classes', { body: { name: 'CUSTOM_A' } });
    expect(await create()).toMatchObject({ status: 201, text: '', headers: { location: `${rest.url}/resource_classes/CUSTOM_A` } });
    expect(await create()).toMatchObject({ status: 409, message: 'Conflicting resource class already exists: CUSTOM_A' });
    expect((await rest.succeed('GET /resource_classes/CUSTOM_A')).json).toEqual(shown('CUSTOM_A'));
    const { json } = await rest.succeed('GET /resource_classes');
    const classes = (json as { resource_classes: readonly unknown[] }).resource_classes;
    expect([classes[0], classes.at(-1)]).toEqual([shown('VCPU'), shown('CUSTOM_A')]);
  });

  test('is renamed by PUT up to 1.6', async () => {
    const rename = (from: string, to: string) => rest.ask(`PUT /resource_classes/${from}`, { version: '1.6', body: { name: to } });
    await rest.succeed('POST /resource_classes', { body: { name: 'CUSTOM_A' } });
    expect(await rename('CUSTOM_A', 'CUSTOM_B')).toMatchObject({ status: 200, json: shown('CUSTOM_B') });
    expect(await rename('CUSTOM_A', 'CUSTOM_B')).toMatchObject({ status: 404, message: 'No such resource class CUSTOM_A.' });
    await rest.succeed('POST /resource_classes', { body: { name: 'CUSTOM_A' } });
    expect(await rename('CUSTOM_A', 'CUSTOM_B')).toMatchObject({ status: 409, message: 'Resource class already exists: CUSTOM_B' });
    expect(await rename('CUSTOM_A', 'CUSTOM_A')).toMatchObject({ status: 200, json: shown('CUSTOM_A') });
    expect(await rename('CUSTOM_C', 'CUSTOM_C')).toMatchObject({ status: 404, message: 'No such resource class CUSTOM_C.' });
    expect(await rename('VCPU', 'CUSTOM_C')).toMatchObject({ status: 400, message: 'Cannot update standard resource class VCPU' });
  });

  test('is created by PUT without a body from 1.7 on', async () => {
    const ensure = (name: string) => rest.ask(`PUT /resource_classes/${name}`, { version: '1.7' });
    expect(await ensure('CUSTOM_A')).toMatchObject({
      status: 201,
      text: '',
      headers: { location: `${rest.url}/resource_classes/CUSTOM_A` },
    });
    expect(await ensure('CUSTOM_A')).toMatchObject({ status: 204 });
    expect(await ensure('VCPU')).toMatchObject({
      status: 400,
      message: expect.stringContaining("'VCPU' does not match '^CUSTOM_[A-Z0-9_]+$'"),
    });
    expect(await ensure(`CUSTOM_${'X'.repeat(249)}`)).toMatchObject({ status: 400, message: expect.stringContaining('is too long') });
  });

  test('is deleted unless it is standard, in use or not there', async () => {
    await rest.succeed('PUT /resource_classes/CUSTOM_A');
    await rest.succeed('POST /resource_providers', { body: { name: 'host', uuid: provider } });
    await rest.succeed(`POST /resource_providers/${provider}/inventories`, { body: { resource_class: 'CUSTOM_A', total: 1 } });
    expect(await rest.ask('DELETE /resource_classes/CUSTOM_A')).toMatchObject({
      status: 409,
      message: 'Error in delete resource class: Cannot delete resource class CUSTOM_A. Class is in use in inventory.',
    });
    await rest.succeed(`DELETE /resource_providers/${provider}`);
    expect(await rest.ask('DELETE /resource_classes/CUSTOM_A')).toMatchObject({ status: 204 });
    expect(await rest.ask('DELETE /resource_classes/CUSTOM_A')).toMatchObject({ status: 404 });
    expect(await rest.ask('DELETE /resource_classes/VCPU')).toMatchObject({
      status: 400,
      message: 'Error in delete resource class: Cannot delete standard resource class VCPU.',
    });
  });
});
