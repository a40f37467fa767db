// Lists of consumers: every condition of the filter, order, pages, and refusals.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import type { ConsumerFilterInput } from '../../../src/operations/allocations/consumer-filter.ts';
import { listConsumers, listConsumerUuids } from '../../../src/operations/allocations/consumers.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const nameOf = new Map<string, string>();

async function matching(filter: ConsumerFilterInput | null): Promise<string> {
  const page = await listConsumers(scopeOf(database.db), { filter });
  expect(await page.countAll()).toBe(page.rows.length);
  return page.rows.map(({ uuid }) => nameOf.get(uuid)).join(' ');
}

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 100 }, aggregates: ['rack'] });
  await seed.provider('numa', { parent: 'cn1', inventories: { MEMORY_MB: 1000 } });
  await seed.provider('cn2', { inventories: { VCPU: 100 } });
  await seed.provider('pool', { inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['pools'] });
  const claim = async (name: string, ...args: [Parameters<typeof seed.claim>[1], Parameters<typeof seed.claim>[2]?]) => {
    nameOf.set(uuidOf(name), name);
    await seed.claim(name, ...args);
  };
  await claim('a', { cn1: { VCPU: 1 }, numa: { MEMORY_MB: 5 } });
  await claim('b', { cn2: { VCPU: 1 }, pool: { DISK_GB: 5 } }, { project: 'p2', user: 'u2' });
  await claim('moving', { cn1: { VCPU: 1 }, cn2: { VCPU: 1 } }, { type: 'MIGRATION', user: 'u2' });
  await claim('old', { numa: { MEMORY_MB: 5 } }, { project: 'p3', type: null });
  await database.db
    .writes`update consumers set created_at = '2026-01-01T00:00:00Z', updated_at = '2026-02-01T00:00:00Z' where uuid = ${uuidOf('old')}`;
});

const filters: [words: string, filter: ConsumerFilterInput | null, names: string][] = [
  ['no filter', null, 'a b moving old'],
  ['conditions that are null', { uuids: null, untyped: null, inTrees: null, createdBefore: null }, 'a b moving old'],
  ['uuids', { uuids: [uuidOf('b'), uuidOf('a'), uuidOf('nobody')] }, 'a b'],
  ['no uuid at all', { uuids: [] }, ''],
  ['one project', { projects: ['p1'] }, 'a moving'],
  ['several projects, unknown ones among them', { projects: ['p2', 'p3', 'none'] }, 'b old'],
  ['no project at all', { projects: [] }, ''],
  ['users', { users: ['u2'] }, 'b moving'],
  ['types', { consumerTypes: ['MIGRATION', 'INSTANCE'] }, 'a b moving'],
  ['no type', { untyped: true }, 'old'],
  ['any type', { untyped: false }, 'a b moving'],
  ['a type and none, which nobody can', { consumerTypes: ['INSTANCE'], untyped: true }, ''],
  ['providers', { resourceProviders: [uuidOf('numa'), uuidOf('pool')] }, 'a b old'],
  ['no provider at all', { resourceProviders: [] }, ''],
  ['trees, named by any member', { inTrees: [uuidOf('numa')] }, 'a moving old'],
  ['several trees', { inTrees: [uuidOf('cn1'), uuidOf('cn2')] }, 'a b moving old'],
  ['trees, by the name of any member', { inTreesNamed: ['numa'] }, 'a moving old'],
  ['names of trees, unknown ones among them', { inTreesNamed: ['cn2', 'pool', 'nobody'] }, 'b moving'],
  ['no name of a tree at all', { inTreesNamed: [] }, ''],
  ['several roots, pools not counted', { onSeveralRoots: true }, 'moving'],
  ['at most one root', { onSeveralRoots: false }, 'a b old'],
  ['the time of creation', { createdBefore: '2026-01-01T00:00:00.001Z' }, 'old'],
  ['the time of creation, exclusive', { createdBefore: '2026-01-01T00:00:00Z' }, ''],
  ['the time of the last write', { updatedBefore: '2026-02-01T00:00:00.001Z' }, 'old'],
  ['the time of creation, after', { createdAfter: '2026-01-01T00:00:00Z' }, 'a b moving'],
  ['the time of the last write, after', { updatedAfter: '2026-01-31T23:59:59.999999Z', updatedBefore: '2026-03-01T00:00:00Z' }, 'old'],
  ['an aggregate of the root', { aggregates: [uuidOf('rack')] }, 'a moving old'],
  ['aggregates of any', { aggregates: [uuidOf('rack'), uuidOf('pools'), uuidOf('nobody')] }, 'a b moving old'],
  ['an aggregate that nobody is in', { aggregates: [uuidOf('nobody')] }, ''],
  ['a class', { resourceClasses: ['MEMORY_MB'] }, 'a old'],
  ['every one of the classes', { resourceClasses: ['MEMORY_MB', 'VCPU'] }, 'a'],
  ['how much they hold over all providers', { holds: [{ resourceClass: 'VCPU', amount: 2 }] }, 'moving'],
  [
    'how much of each class',
    {
      holds: [
        { resourceClass: 'VCPU', amount: 1 },
        { resourceClass: 'DISK_GB', amount: 5 },
      ],
    },
    'b',
  ],
  ['one of several', { or: [{ uuids: [uuidOf('old')] }, { onSeveralRoots: true }, { inTrees: [uuidOf('pool')] }] }, 'b moving old'],
  ['one of none', { or: [] }, ''],
  ['not of a user whom the ledger does not know', { not: { users: ['nobody'] } }, 'a b moving old'],
  [
    'neither of an unknown project nor of an unknown type',
    { not: { or: [{ projects: ['none'] }, { consumerTypes: ['NONE'] }] } },
    'a b moving old',
  ],
  ['not of a type, and so those without one', { not: { consumerTypes: ['MIGRATION'] } }, 'a b old'],
  ['what they are not', { not: { or: [{ aggregates: [uuidOf('pools')] }, { holds: [{ resourceClass: 'VCPU', amount: 2 }] }] } }, 'a old'],
  [
    'groups beside other conditions',
    { projects: ['p1'], and: [{ not: { consumerTypes: ['MIGRATION'] } }, { inTrees: [uuidOf('cn1')] }] },
    'a',
  ],
  [
    'conditions together',
    { projects: ['p1'], resourceProviders: [uuidOf('cn2')], inTrees: [uuidOf('cn1')], onSeveralRoots: true },
    'moving',
  ],
];

test.each(filters)('consumers are found by %s', async (_words, filter, names) => {
  expect(await matching(filter)).toBe(names);
});

test('pages follow each other without gap or overlap, oldest first', async () => {
  const seen: string[] = [];
  let after: string | undefined;
  for (let more = true; more; ) {
    const page = await listConsumers(scopeOf(database.db), { first: 3, after });
    seen.push(...page.rows.map(({ uuid }) => nameOf.get(uuid) ?? ''));
    after = page.cursors.at(-1);
    more = page.hasNextPage;
  }
  expect(seen).toEqual(['a', 'b', 'moving', 'old']);
});

test('all are listed at once, or none if there are too many', async () => {
  const list = async (most: number) =>
    (await listConsumerUuids(scopeOf(database.db), { inTrees: [uuidOf('cn1')] }, most))?.map((uuid) => nameOf.get(uuid));
  expect([await list(3), await list(2)]).toEqual([['a', 'moving', 'old'], undefined]);
});

const orders: [words: string, orderBy: NonNullable<Parameters<typeof listConsumers>[1]['orderBy']>, names: string][] = [
  ['oldest first', [{ field: 'CREATED_AT' }], 'a b moving old'],
  ['newest first', [{ field: 'CREATED_AT', direction: 'DESC' }], 'old moving b a'],
  ['least recently written first', [{ field: 'UPDATED_AT', direction: 'ASC' }], 'old a b moving'],
  ['biggest first, those without the class last', [{ field: 'AMOUNT', resourceClass: 'VCPU', direction: 'DESC' }], 'moving a b old'],
  ['smallest first, those without the class last', [{ field: 'AMOUNT', resourceClass: 'VCPU' }], 'a b moving old'],
];

test.each(orders)('%s, in one page and in pages of one', async (_words, orderBy, names) => {
  const list = (args: object) => listConsumers(scopeOf(database.db), { orderBy, ...args });
  const namesOf = ({ rows }: Awaited<ReturnType<typeof list>>) => rows.map(({ uuid }) => nameOf.get(uuid));
  expect(namesOf(await list({})).join(' ')).toBe(names);
  const seen: unknown[] = [];
  for (let after: string | undefined; seen.length < nameOf.size; ) {
    const page = await list({ first: 1, after });
    seen.push(...namesOf(page));
    after = page.cursors[0];
  }
  expect(seen.join(' ')).toBe(names);
});

test('a consumer comes with the names of its project, user and type', async () => {
  const { rows } = await listConsumers(scopeOf(database.db), { filter: { uuids: [uuidOf('old'), uuidOf('moving')] } });
  expect(rows).toMatchObject([
    { uuid: uuidOf('moving'), generation: 1, project: 'p1', user: 'u2', type: 'MIGRATION' },
    { uuid: uuidOf('old'), generation: 1, project: 'p3', user: 'u1', type: null },
  ]);
});

const many = Array.from({ length: 1001 }, () => uuidOf('a'));
const cursorWith = (...key: unknown[]) => Buffer.from(JSON.stringify([1, 'consumers CREATED_AT ASC ', ...key])).toString('base64url');

describe('is refused with the path of the fault', () => {
  test.each<[string, Parameters<typeof listConsumers>[1], string[]]>([
    ['more uuids than 1,000', { filter: { uuids: many } }, ['filter', 'uuids']],
    ['more trees than 1,000', { filter: { inTrees: many } }, ['filter', 'inTrees']],
    ['the name of a tree with a NUL', { filter: { inTreesNamed: ['cn1', 'c\0'] } }, ['filter', 'inTreesNamed', '1']],
    ['a project with a NUL', { filter: { projects: ['p1', 'p\0'] } }, ['filter', 'projects', '1']],
    ['half a surrogate pair', { filter: { users: ['\ud800'] } }, ['filter', 'users', '0']],
    ['a cursor that holds no id', { after: cursorWith('x') }, ['after']],
    ['a cursor that holds a fraction', { after: cursorWith(1.5) }, ['after']],
    [
      'an amount of nothing',
      { filter: { or: [{ holds: [{ resourceClass: 'VCPU', amount: 0 }] }] } },
      ['filter', 'or', '0', 'holds', '0', 'amount'],
    ],
    ['an order by an amount of no class', { orderBy: [{ field: 'AMOUNT' }] }, ['orderBy', '0', 'resourceClass']],
    ['a class for moments', { orderBy: [{ field: 'UPDATED_AT', resourceClass: 'VCPU' }] }, ['orderBy', '0', 'resourceClass']],
    ['a page of 1,001', { first: 1001 }, ['first']],
  ])('%s', async (_words, args, path) => {
    const refusal = await listConsumers(scopeOf(database.db), args).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).problems).toMatchObject([{ code: 'INVALID_INPUT', path }]);
  });
});

test.each<[string, Parameters<typeof listConsumers>[1], string[]]>([
  ['held', { filter: { not: { resourceClasses: ['VCPU', 'CUSTOM_VCUP'] } } }, ['filter', 'not', 'resourceClasses', '1']],
  ['held in some amount', { filter: { holds: [{ resourceClass: 'CUSTOM_VCUP', amount: 1 }] } }, ['filter', 'holds', '0', 'resourceClass']],
  ['to order by', { orderBy: [{ field: 'AMOUNT', resourceClass: 'CUSTOM_VCUP' }] }, ['orderBy', '0', 'resourceClass']],
])('an unknown class %s is refused, not nothing', async (_words, args, path) => {
  const refusal = await listConsumers(scopeOf(database.db), args).catch((error: unknown) => error);
  expect((refusal as Refusal).problems).toMatchObject([{ code: 'NOT_FOUND', path }]);
});
