// Every operation in its first version and in the one before.
import { expect, test } from 'vitest';
import { features } from '../../src/rest/microversions.ts';
import { routes } from '../../src/rest/serving/routes.ts';
import { useDatabase } from '../support/database.ts';
import { useRest, uuid } from '../support/rest.ts';

const rest = useRest(useDatabase());

test.each([
  ['GET /resource_providers/{}/aggregates', 1],
  ['PUT /resource_providers/{}/aggregates', 1],
  ['GET /resource_classes', 2],
  ['POST /resource_classes', 2],
  ['GET /resource_classes/VCPU', 2],
  ['PUT /resource_classes/CUSTOM_A', 2],
  ['DELETE /resource_classes/CUSTOM_A', 2],
  ['GET /traits', 6],
  ['GET /traits/CUSTOM_A', 6],
  ['PUT /traits/CUSTOM_A', 6],
  ['DELETE /traits/CUSTOM_A', 6],
  ['GET /resource_providers/{}/traits', 6],
  ['PUT /resource_providers/{}/traits', 6],
  ['DELETE /resource_providers/{}/traits', 6],
  ['GET /usages', 9],
  ['GET /allocation_candidates', 10],
  ['POST /allocations', 13],
  ['POST /reshaper', 30],
])('%s is there from 1.%i on, and nothing is there below', async (route, since) => {
  const path = route.replace('{}', uuid(99));
  const below = await rest.ask(path, { version: `1.${since - 1}` });
  expect(below).toMatchObject({ status: 404, message: '' });
  const at = await rest.ask(path, { version: `1.${since}` });
  expect(at.status !== 404 || at.message !== '').toBe(true);
});

test('DELETE of all inventories is a method that is not allowed below 1.5', async () => {
  const route = `DELETE /resource_providers/${uuid(99)}/inventories`;
  expect(await rest.ask(route, { version: '1.4' })).toMatchObject({ status: 405, headers: { allow: 'GET, POST, PUT' } });
  expect(await rest.ask(route, { version: '1.5' })).toMatchObject({ status: 404 });
});

test('a path tells the methods that it has', async () => {
  const paths = new Set(routes.map(({ path }) => path));
  for (const path of paths) {
    const methods = [...new Set(routes.filter((route) => route.path === path).map(({ method }) => method))].join(', ');
    const { status, headers } = await rest.ask(`PATCH ${path.replaceAll(/\{\w+\}/g, 'x')}`);
    expect([path, status, headers.allow]).toEqual([path, 405, methods]);
  }
});

test('no two routes answer the same request', () => {
  for (let minor = 0; minor <= features.anyTraits; minor++) {
    const offered = routes.filter(({ since, until }) => features[since] <= minor && (until === undefined || minor < features[until]));
    const keys = offered.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test('schemas stand in the order of their versions, and the first of them is there from the beginning of its route', () => {
  for (const { since, query, body, path } of routes) {
    for (const schemas of [query, body]) {
      if (!schemas) continue;
      const versions = schemas.map(([feature]) => features[feature]);
      expect([path, ...versions]).toEqual([path, ...versions.toSorted((a, b) => a - b)]);
      expect([path, versions[0]]).toEqual([path, features[since]]);
    }
  }
});
