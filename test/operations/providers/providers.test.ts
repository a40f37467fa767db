// Order and pages of lists of providers, and single providers by key.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { limits } from '../../../src/domain/limits.ts';
import { findProvider, listProviders, type ProviderListArguments } from '../../../src/operations/providers/providers.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
const list = (args: ProviderListArguments) => listProviders(scope(), args);

beforeAll(async () => {
  const seed = createSeed(database.db);
  // In the order of creation. d has no disk, e has disk without capacity; a and c have the same room.
  await seed.provider('c', { inventories: { DISK_GB: 100 } });
  await seed.provider('e', { inventories: { DISK_GB: { total: 5, reserved: 5 } } });
  await seed.provider('a', { inventories: { DISK_GB: 120 } });
  await seed.provider('d');
  await seed.provider('B', { inventories: { DISK_GB: 30 } });
  await seed.claim('vm1', { a: { DISK_GB: 20 } });
  await seed.claim('vm2', { B: { DISK_GB: 25 } });
  // As after an import: several in one microsecond.
  await database.db.writes`update resource_providers set created_at = '2026-01-01T00:00:00.123456Z' where name in ('c', 'e', 'a')`;
  await database.db.writes`update resource_providers set created_at = '2026-01-01T00:00:00.123457Z' where name = 'd'`;
  await database.db.writes`update resource_providers set created_at = '2026-01-01T00:00:00.123458Z' where name = 'B'`;
});

type Order = NonNullable<ProviderListArguments['orderBy']>[number];
const disk = (field: Order['field'], direction: 'ASC' | 'DESC'): Order => ({ field, direction, resourceClass: 'DISK_GB' });

const orders: [words: string, orderBy: Order | undefined, names: string][] = [
  ['by name, as the database sorts', undefined, 'BYNAME'],
  ['by name backwards', { field: 'NAME', direction: 'DESC' }, 'BYNAME DESC'],
  ['oldest first, ties by creation', { field: 'CREATED_AT' }, 'c e a d B'],
  ['newest first', { field: 'CREATED_AT', direction: 'DESC' }, 'B d a e c'],
  ['least free first, those without the class last', disk('FREE', 'ASC'), 'e B c a d'],
  ['most free first, those without the class last', disk('FREE', 'DESC'), 'c a B e d'],
  ['least used first', disk('USED', 'ASC'), 'c e a B d'],
  ['most used first', disk('USED', 'DESC'), 'B a c e d'],
  ['least utilized first, those without capacity last', disk('UTILIZATION', 'ASC'), 'c a B e d'],
  ['most utilized first, those without capacity last', disk('UTILIZATION', 'DESC'), 'B a c e d'],
];

/** Names in the collation of the database. */
async function byName(descending: boolean): Promise<string[]> {
  const rows = await database.db.sql<{ name: string }[]>`select name from resource_providers order by name`;
  const names = rows.map(({ name }) => name);
  return descending ? names.toReversed() : names;
}

describe.each(orders)('%s', (_words, orderBy, names) => {
  const expected = async () => (names.startsWith('BYNAME') ? byName(names.endsWith('DESC')) : names.split(' '));
  const order = orderBy ? { orderBy: [orderBy] } : {};

  test('in one page', async () => {
    const page = await list(order);
    expect(page.rows.map(({ name }) => name)).toEqual(await expected());
    expect([page.hasNextPage, page.hasPreviousPage]).toEqual([false, false]);
  });

  test.each([1, 2, 3])('forward in pages of %i', async (first) => {
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await list({ ...order, first, after });
      seen.push(...page.rows.map(({ name }) => name));
      expect(page.hasPreviousPage).toBe(after !== undefined);
      if (!page.hasNextPage) break;
      after = page.cursors.at(-1);
    }
    expect(seen).toEqual(await expected());
  });

  test.each([1, 2, 3])('backward in pages of %i', async (last) => {
    const seen: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await list({ ...order, last, before });
      seen.unshift(...page.rows.map(({ name }) => name));
      expect(page.hasNextPage).toBe(before !== undefined);
      if (!page.hasPreviousPage) break;
      before = page.cursors[0];
    }
    expect(seen).toEqual(await expected());
  });
});

describe('pages', () => {
  test('an empty page says whether there are elements, and counts them', async () => {
    const page = await list({ first: 0 });
    expect([page.rows.length, page.hasNextPage, await page.countAll()]).toEqual([0, true, 5]);
  });

  test('the count takes a statement of its own, only on request', async () => {
    database.statements.length = 0;
    const page = await list({});
    expect(database.statements.length).toBe(1);
    await page.countAll();
    expect(database.statements.length).toBe(2);
  });

  const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify([1, ...parts])).toString('base64url');
  const created = 'resourceProviders, CREATED_AT ASC';
  const free = 'resourceProviders, FREE DISK_GB ASC';

  test.each<[string, ProviderListArguments]>([
    ['of another order', { after: cursorOf(created, 1, 1) }],
    ['of the other direction', { after: cursorOf(created, 1, 1), orderBy: [{ field: 'CREATED_AT', direction: 'DESC' }] }],
    ['with text for a moment', { after: cursorOf(created, 'x', 1), orderBy: [{ field: 'CREATED_AT' }] }],
    ['with a moment beyond time', { after: cursorOf(created, 1e300, 1), orderBy: [{ field: 'CREATED_AT' }] }],
    ['without a moment', { after: cursorOf(created, null, 1), orderBy: [{ field: 'CREATED_AT' }] }],
    ['without an id', { after: cursorOf(created, 1), orderBy: [{ field: 'CREATED_AT' }] }],
    ['with text for an id', { after: cursorOf(free, 1, '1'), orderBy: [disk('FREE', 'ASC')] }],
    ['with too much in it', { after: cursorOf(free, 1, 1, 1), orderBy: [disk('FREE', 'ASC')] }],
  ])('a cursor %s is refused', async (_words, args) => {
    await expect(list(args)).rejects.toThrow('after is not a cursor of this list in this order');
  });
});

const refused: [words: string, orderBy: Order, code: string][] = [
  ['free of no class', { field: 'FREE' }, 'INVALID_INPUT'],
  ['a class for names', { field: 'NAME', resourceClass: 'VCPU' }, 'INVALID_INPUT'],
  ['a class for moments', { field: 'CREATED_AT', resourceClass: 'VCPU' }, 'INVALID_INPUT'],
  ['a class that cannot be', { field: 'USED', resourceClass: 'v\0' }, 'INVALID_INPUT'],
  ['a class that is not', { field: 'USED', resourceClass: 'CUSTOM_NONE' }, 'NOT_FOUND'],
];

test.each(refused)('an order by %s is refused, by its place', async (_words, orderBy, code) => {
  const error = await list({ orderBy: [orderBy] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Refusal);
  expect((error as Refusal).problems).toMatchObject([{ code, path: ['orderBy', '0', 'resourceClass'] }]);
});

test('repeated keys are refused, as are more keys than a cursor holds', async () => {
  const twice = [disk('FREE', 'ASC'), { field: 'NAME' }, disk('FREE', 'DESC')] as const;
  const error = await list({ orderBy: twice }).catch((thrown: unknown) => thrown);
  expect((error as Refusal).problems).toMatchObject([{ code: 'INVALID_INPUT', path: ['orderBy', '2'] }]);
  const many = [...Array(limits.orderKeys + 1)].map((_, index) => ({ ...disk('FREE', 'ASC'), resourceClass: `CUSTOM_${index}` }));
  await expect(list({ orderBy: many })).rejects.toThrow(`must have 0 to ${limits.orderKeys} elements`);
});

test('first and last cannot be used together', async () => {
  await expect(list({ first: 3, last: 2 })).rejects.toThrow('first and last cannot be used together');
});

describe('one provider', () => {
  test('is found by uuid and by name', async () => {
    expect((await findProvider(scope(), { uuid: uuidOf('a') }))?.name).toBe('a');
    expect((await findProvider(scope(), { name: 'a', uuid: null }))?.uuid).toBe(uuidOf('a'));
  });

  test('is null if it does not exist', async () => {
    expect(await findProvider(scope(), { uuid: uuidOf('nobody') })).toBeNull();
    expect(await findProvider(scope(), { name: 'A' })).toBeNull();
  });

  test('is requested by exactly one key', async () => {
    await expect(findProvider(scope(), {})).rejects.toThrow('exactly one');
    await expect(findProvider(scope(), { uuid: uuidOf('a'), name: 'a' })).rejects.toThrow('exactly one');
  });
});
