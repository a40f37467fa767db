// If an operator lets callers list providers but not read inventories and allocations, no condition and no order reveals what they may not read.
import { beforeAll, describe, expect, test } from 'vitest';
import { effectiveRules } from '../../src/auth/policy/effective.ts';
import { policyOf } from '../../src/auth/policy/policy.ts';
import { defaultRules } from '../../src/auth/policy/rules.ts';
import { useDatabase } from '../support/database.ts';
import { useCallers } from '../support/personas.ts';
import { fillTwoProjects, hosts } from '../support/two-projects.ts';

const opened = ['placement:resource_providers:list', 'placement:resource_providers:aggregates:list'];
const overrides = new Map(opened.map((rule, line) => [rule, { source: 'role:reader', at: `policy.yaml:${line + 1}` }]));
const effective = effectiveRules(defaultRules('current'), overrides, { enforcesNewDefaults: true });
const database = useDatabase();
const ask = useCallers(() => database, { policy: policyOf(() => effective, { enforcesScope: true }) });
beforeAll(() => fillTwoProjects(ask, database, { others: true }));

const [inventories, allocations] = ['placement:graphql:inventories:read', 'placement:graphql:resource_providers:allocations:read'];

describe.each<[string, object, string]>([
  ['a class', { resourceClasses: ['VCPU'] }, inventories],
  ['room', { fits: [{ resourceClass: 'VCPU', amount: 5 }] }, inventories],
  ['a utilization', { utilizations: [{ resourceClass: 'VCPU', above: 0.001 }] }, inventories],
  ['an allocation ratio', { allocationRatios: [{ resourceClass: 'VCPU', is: 1 }] }, inventories],
  ['being over capacity', { overCapacity: false }, inventories],
  ['having consumers', { hasConsumers: true }, allocations],
  ['a number of consumers', { consumerCount: { above: 1 } }, allocations],
])('by %s', (_, filter, rule) => {
  test.each<[string, object]>([
    ['at the top', filter],
    ['within', { or: [{ not: filter }] }],
  ])('no condition is answered, %s', async (_place, given) => {
    const list = 'query ($f: ResourceProviderFilterInput) { resourceProviders(filter: $f) { totalCount } }';
    expect((await ask('reader', list, { f: given })).errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', rule });
    expect((await ask('admin', list, { f: given })).errors).toBeUndefined();
  });
});

test.each([
  ['FREE', 'VCPU', inventories],
  ['USED', 'VCPU', inventories],
  ['UTILIZATION', 'VCPU', inventories],
  ['CONSUMERS', null, allocations],
])('no order by %s is answered, because cursors contain its values', async (field, resourceClass, rule) => {
  const list = 'query ($o: [ResourceProviderOrderInput!]) { resourceProviders(orderBy: $o) { edges { cursor } } }';
  const orderBy = [{ field, resourceClass }];
  expect((await ask('reader', list, { o: orderBy })).errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', rule });
  expect((await ask('admin', list, { o: orderBy })).errors).toBeUndefined();
});

test('providers do not reveal how many consumers they have', async () => {
  const asked = '{ resourceProviders { nodes { consumerCount } } }';
  expect((await ask('reader', asked)).errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', rule: allocations });
});

test('aggregates do not reveal how many consumers they have', async () => {
  const asked = (field: string) => `{ aggregates { nodes { ${field} } } }`;
  expect((await ask('reader', asked('consumerCount'))).errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', rule: allocations });
  expect((await ask('reader', asked('rootCount'))).errors).toBeUndefined();
});

test('names and places in trees are answered', async () => {
  const list = '{ resourceProviders(filter: {isRoot: true, nameContains: "a"}, orderBy: [{field: CREATED_AT}]) { totalCount } }';
  expect((await ask('reader', list)).errors).toBeUndefined();
});

test('a reader of a project that may list all providers still gets only the consumers of its project', async () => {
  const { data } = await ask('reader', '{ consumers { totalCount } resourceProviders { totalCount } }');
  expect(data).toEqual({ consumers: { totalCount: 3 }, resourceProviders: { totalCount: hosts.length } });
});
