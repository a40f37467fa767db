// Usages of groups of consumers: keys, order, pages, counts, and the empty cloud.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Refusal } from '../../../src/domain/errors.ts';
import { listUsages, listUsagesOfProject } from '../../../src/operations/allocations/usages.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
type Arguments = Parameters<typeof listUsages>[1];

const most = (resourceClass: string) => ({ field: 'AMOUNT', resourceClass, direction: 'DESC' }) as const;

/** `p1/u1/INSTANCE x2 VCPU 3 MEMORY_MB 8` for each row; a dash for a key that is null. */
async function rows(args: Arguments): Promise<string[]> {
  const page = await listUsages(scope(), args);
  return page.rows.map(({ project, user, consumerType, consumerCount, resources }) =>
    [
      [project, user, consumerType].map((key) => key ?? '-').join('/'),
      `x${consumerCount}`,
      ...resources.map(({ resourceClass, amount }) => `${resourceClass.name} ${amount}`),
    ].join(' '),
  );
}

test('an empty cloud has one usage without group keys, and none with them', async () => {
  expect(await rows({ groupBy: [] })).toEqual(['-/-/- x0']);
  expect(await rows({ groupBy: [], orderBy: [most('VCPU')] })).toEqual(['-/-/- x0']);
  expect(await rows({ groupBy: ['PROJECT'] })).toEqual([]);
  expect((await listUsagesOfProject(scope(), 'p1', { groupBy: [] })).rows).toMatchObject([{ consumerCount: 0, resources: [] }]);
  expect((await listUsagesOfProject(scope(), 'p1', { groupBy: ['USER'] })).rows).toEqual([]);
  expect((await listUsages(scope(), { groupBy: [], first: 0 })).rows).toEqual([]);
});

describe('in a cloud with consumers', () => {
  beforeAll(async () => {
    const seed = createSeed(database.db);
    await seed.provider('cn1', { inventories: { VCPU: 100, MEMORY_MB: 1000 } });
    await seed.provider('cn2', { parent: 'cn1', inventories: { VCPU: 100 } });
    await seed.provider('pool', { inventories: { DISK_GB: 1000 } });
    await seed.aggregates('cn1', ['rack', 'zone']);
    await seed.aggregates('cn2', ['zone']);
    await seed.claim('a', { cn1: { VCPU: 1, MEMORY_MB: 8 }, cn2: { VCPU: 1 } });
    await seed.claim('b', { cn1: { VCPU: 1 } });
    await seed.claim('c', { cn2: { VCPU: 5 } }, { project: 'p2' });
    await seed.claim('d', { pool: { DISK_GB: 30 } }, { project: 'p2', user: 'u2', type: null });
    await seed.claim('e', { cn1: { VCPU: 3 } }, { project: 'p3', type: 'MIGRATION' });
  });

  test('without group keys there is one row, in which every consumer counts once', async () => {
    expect(await rows({ groupBy: [] })).toEqual(['-/-/- x5 VCPU 11 MEMORY_MB 8 DISK_GB 30']);
  });

  test('keys that were not requested are null, and rows are ordered by the keys in their order', async () => {
    expect(await rows({ groupBy: ['PROJECT'] })).toEqual([
      'p1/-/- x2 VCPU 3 MEMORY_MB 8',
      'p2/-/- x2 VCPU 5 DISK_GB 30',
      'p3/-/- x1 VCPU 3',
    ]);
    expect(await rows({ groupBy: ['CONSUMER_TYPE'] })).toEqual([
      '-/-/INSTANCE x3 VCPU 8 MEMORY_MB 8',
      '-/-/MIGRATION x1 VCPU 3',
      '-/-/- x1 DISK_GB 30',
    ]);
    expect(await rows({ groupBy: ['USER', 'PROJECT', 'USER'] })).toEqual([
      'p1/u1/- x2 VCPU 3 MEMORY_MB 8',
      'p2/u1/- x1 VCPU 5',
      'p3/u1/- x1 VCPU 3',
      'p2/u2/- x1 DISK_GB 30',
    ]);
  });

  test('the largest amount of a class comes first, then the keys; rows without the class come last', async () => {
    expect(await rows({ groupBy: ['USER', 'PROJECT'], orderBy: [most('VCPU')] })).toEqual([
      'p2/u1/- x1 VCPU 5',
      'p1/u1/- x2 VCPU 3 MEMORY_MB 8',
      'p3/u1/- x1 VCPU 3',
      'p2/u2/- x1 DISK_GB 30',
    ]);
  });

  test.each<[string, Arguments]>([
    ['by all keys', { groupBy: ['CONSUMER_TYPE', 'PROJECT', 'USER'] }],
    ['by the type first', { groupBy: ['CONSUMER_TYPE'] }],
    ['by amount', { groupBy: ['PROJECT', 'USER'], orderBy: [most('VCPU')] }],
    ['by the amount of a class that nobody holds', { groupBy: ['PROJECT', 'CONSUMER_TYPE'], orderBy: [most('VGPU')] }],
    ['by amount, smallest first', { groupBy: ['PROJECT', 'USER'], orderBy: [{ field: 'AMOUNT', resourceClass: 'VCPU' }] }],
    ['by several amounts', { groupBy: ['PROJECT', 'USER'], orderBy: [most('MEMORY_MB'), { field: 'AMOUNT', resourceClass: 'VCPU' }] }],
    ['without keys', { groupBy: [], orderBy: [most('VCPU')] }],
    ['by consumer', { groupBy: ['CONSUMER'] }],
    ['by consumer and what it belongs to', { groupBy: ['CONSUMER', 'USER', 'PROJECT', 'CONSUMER_TYPE'] }],
    ['by place', { groupBy: ['ROOT', 'RESOURCE_PROVIDER', 'CONSUMER'] }],
    ['by aggregate and amount', { groupBy: ['AGGREGATE', 'CONSUMER_TYPE'], orderBy: [most('VCPU')] }],
    ['by aggregate', { groupBy: ['AGGREGATE'] }],
  ])('pages of one row, %s, are the whole list', async (_words, args) => {
    const whole = await rows(args);
    const paged: string[] = [];
    let after: string | undefined;
    do {
      const page = await listUsages(scope(), { ...args, first: 1, after });
      paged.push(...(await rows({ ...args, first: 1, after })));
      after = page.hasNextPage ? page.cursors.at(-1) : undefined;
    } while (after !== undefined);
    expect(paged).toEqual(whole);
    const page = await listUsages(scope(), args);
    expect(await page.countAll()).toBe(whole.length);
  });

  test('the filter restricts the consumers, and the sums cover all that they hold', async () => {
    expect(await rows({ groupBy: ['PROJECT'], filter: { users: ['u2'] } })).toEqual(['p2/-/- x1 DISK_GB 30']);
    expect(await rows({ groupBy: [], filter: { projects: ['p1'], consumerTypes: ['MIGRATION'] } })).toEqual(['-/-/- x0']);
  });

  /** Who and where, then what. */
  async function places(args: Arguments): Promise<string[]> {
    const request = scope();
    const page = await listUsages(request, args);
    return Promise.all(
      page.rows.map(async ({ consumerUuid, providerId, rootId, aggregateUuid, consumerCount, resources }) => {
        const nameOf = async (id: number | null) => (id === null ? [] : [(await request.loaders.providerById.load(id))?.name]);
        const known = ['a', 'b', 'c', 'd', 'e', 'rack', 'zone'].filter((name) => [consumerUuid, aggregateUuid].includes(uuidOf(name)));
        const amounts = resources.map(({ resourceClass, amount }) => `${resourceClass.name} ${amount}`);
        return [...(await nameOf(rootId)), ...(await nameOf(providerId)), ...known, `x${consumerCount}`, ...amounts].join(' ');
      }),
    );
  }

  test('by provider, only allocations there count, and a consumer counts wherever it holds something', async () => {
    expect(await places({ groupBy: ['RESOURCE_PROVIDER'] })).toEqual(['cn1 x3 VCPU 5 MEMORY_MB 8', 'cn2 x2 VCPU 6', 'pool x1 DISK_GB 30']);
    expect(await places({ groupBy: ['ROOT'] })).toEqual(['cn1 x4 VCPU 11 MEMORY_MB 8', 'pool x1 DISK_GB 30']);
  });

  test('by aggregate, a tree is in those of its root and each provider in its own, once in each', async () => {
    const found = await places({ groupBy: ['AGGREGATE'], orderBy: [most('VCPU')] });
    expect(found.toSorted()).toEqual(['rack x4 VCPU 11 MEMORY_MB 8', 'x1 DISK_GB 30', 'zone x4 VCPU 11 MEMORY_MB 8']);
    expect(found.at(-1)).toBe('x1 DISK_GB 30');
  });

  test('by consumer, the largest first', async () => {
    const found = await places({ groupBy: ['CONSUMER'], orderBy: [most('VCPU')], filter: { resourceClasses: ['VCPU'] } });
    expect(found).toEqual(['c x1 VCPU 5', 'e x1 VCPU 3', 'a x1 VCPU 2 MEMORY_MB 8', 'b x1 VCPU 1']);
  });

  test('the largest amount of one class comes first, and among equals the smallest of another', async () => {
    const orderBy = [most('MEMORY_MB'), { field: 'AMOUNT', resourceClass: 'VCPU' }] as const;
    expect(await rows({ groupBy: ['PROJECT', 'USER'], orderBy })).toEqual([
      'p1/u1/- x2 VCPU 3 MEMORY_MB 8',
      'p2/u2/- x1 DISK_GB 30',
      'p3/u1/- x1 VCPU 3',
      'p2/u1/- x1 VCPU 5',
    ]);
  });

  test('those of several projects take one statement, and one more to count', async () => {
    const request = scope();
    const args = { groupBy: ['CONSUMER'], orderBy: [most('VCPU')], first: 1 } as const;
    database.statements.length = 0;
    const pages = await Promise.all(['p1', 'p2', 'none'].map((project) => listUsagesOfProject(request, project, args)));
    expect(pages.map(({ rows: [row] }) => row?.consumerUuid)).toEqual([uuidOf('a'), uuidOf('c'), undefined]);
    expect(pages.map(({ hasNextPage }) => hasNextPage)).toEqual([true, true, false]);
    expect(await Promise.all(pages.map(({ countAll }) => countAll()))).toEqual([2, 2, 0]);
    // The class, the pages, the counts.
    expect(database.statements).toHaveLength(3);
    const next = await listUsagesOfProject(scope(), 'p2', { ...args, after: pages[1]?.cursors[0] });
    expect(next.rows.map(({ consumerUuid }) => consumerUuid)).toEqual([uuidOf('d')]);
    expect(next.hasNextPage).toBe(false);
  });

  test('the usages of a project show it only on request', async () => {
    expect((await listUsagesOfProject(scope(), 'p2', { groupBy: ['CONSUMER_TYPE'] })).rows).toMatchObject([
      { project: null, consumerType: 'INSTANCE', consumerCount: 1 },
      { project: null, consumerType: null, consumerCount: 1 },
    ]);
    expect((await listUsagesOfProject(scope(), 'p2', { groupBy: ['PROJECT'] })).rows).toMatchObject([{ project: 'p2', consumerCount: 2 }]);
  });

  test.each<[string, Arguments, object]>([
    [
      'an unknown class',
      { groupBy: [], orderBy: [most('CUSTOM_NOTHING')] },
      { code: 'NOT_FOUND', path: ['orderBy', '0', 'resourceClass'] },
    ],
    ['a class twice', { groupBy: [], orderBy: [most('VCPU'), most('VCPU')] }, { code: 'INVALID_INPUT', path: ['orderBy', '1'] }],
    ['a cursor of another order', { groupBy: ['USER'], after: cursor('usages PROJECT', 'p1') }, { code: 'INVALID_INPUT', path: ['after'] }],
    ['a cursor without its keys', { groupBy: ['USER'], after: cursor('usages USER') }, { code: 'INVALID_INPUT', path: ['after'] }],
    ['a cursor with an amount', { groupBy: ['USER'], after: cursor('usages USER', 1, 'u1') }, { code: 'INVALID_INPUT', path: ['after'] }],
    ['a cursor with a null', { groupBy: ['USER'], after: cursor('usages USER', null) }, { code: 'INVALID_INPUT', path: ['after'] }],
  ])('refused: %s', async (_words, args, problem) => {
    const refusal = await listUsages(scope(), args).catch((error: unknown) => error);
    expect((refusal as Refusal).problems).toMatchObject([problem]);
  });
});

function cursor(list: string, ...key: unknown[]): string {
  return Buffer.from(JSON.stringify([1, list, ...key])).toString('base64url');
}
