// Filters with scopes and groups, orders by values of trees, and totals of trees, checked against a drawing provider by provider.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { capacityOf, fits } from '../../../src/domain/inventory.ts';
import { limits } from '../../../src/domain/limits.ts';
import { type Scope, sharingTrait } from '../../../src/domain/provider.ts';
import { bounds, isWithin, type Range } from '../../../src/domain/range.ts';
import { forestOf } from '../../../src/operations/forest/forest.ts';
import type { ProviderFilterInput } from '../../../src/operations/loaders/provider-filter.ts';
import { sumCapacity } from '../../../src/operations/providers/inventories.ts';
import { listProviders, type ProviderListArguments } from '../../../src/operations/providers/providers.ts';
import { listAllProviders } from '../../../src/operations/unpaged/providers.ts';
import { useDatabase } from '../../support/database.ts';
import { freshSeed } from '../../support/dice.ts';
import { scopeOf } from '../../support/graphql.ts';
import { least, sampled } from '../../support/profile.ts';
import { cloudAggregates, cloudClasses, cloudTraits, randomCloud } from '../../support/random-clouds.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { type DrawnInventory, type DrawnProvider, plantTrees } from '../../support/tree.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);

/** Small clouds side by side. */
const cloud: readonly DrawnProvider[] = fc.sample(randomCloud, { numRuns: 4, seed: freshSeed('clouds') }).flatMap((providers, index) =>
  inOrder(providers).map((provider) => ({
    ...provider,
    name: `${index}${provider.name}`,
    parent: provider.parent && `${index}${provider.parent}`,
  })),
);

/** Parents first. */
function inOrder(providers: readonly DrawnProvider[], parent: string | null = null): DrawnProvider[] {
  return providers.filter((one) => one.parent === parent).flatMap((one) => [one, ...inOrder(providers, one.name)]);
}

const below = (top: DrawnProvider): DrawnProvider[] => inOrder(cloud, top.name);
const membersOf = (provider: DrawnProvider, where: Scope) => (where === 'TREE' ? [provider, ...below(provider)] : [provider]);
const rootOf = (provider: DrawnProvider): DrawnProvider => {
  const parent = cloud.find(({ name }) => name === provider.parent);
  return parent ? rootOf(parent) : provider;
};

beforeAll(async () => {
  await plantTrees(database.db, cloud);
});

/** Whether a provider meets a filter, word by word. */
function meets(provider: DrawnProvider, filter: ProviderFilterInput, around: Scope = 'PROVIDER'): boolean {
  const where = filter.scope ?? around;
  const members = membersOf(provider, where);
  const inventories = members.flatMap((member) => member.inventories);
  const [traits, aggregates] = [members.flatMap((member) => member.traits), members.flatMap((member) => member.aggregates.map(uuidOf))];
  const clauses = (given: ProviderFilterInput['traits'], had: readonly string[]) =>
    (given ?? []).every(
      ({ allOf, anyOf, noneOf }) =>
        (allOf ?? []).every((name) => had.includes(name)) &&
        (!anyOf || anyOf.some((name) => had.includes(name))) &&
        !(noneOf ?? []).some((name) => had.includes(name)),
    );
  const isOr = (wanted: boolean | null | undefined, is: boolean) => typeof wanted !== 'boolean' || wanted === is;
  return (
    (!filter.uuids || filter.uuids.includes(uuidOf(provider.name))) &&
    (!filter.nameContains || provider.name.includes(filter.nameContains)) &&
    (!filter.nameStartsWith || provider.name.startsWith(filter.nameStartsWith)) &&
    isOr(filter.isRoot, provider.parent === null) &&
    isOr(filter.isSharing, provider.traits.includes(sharingTrait)) &&
    (!filter.inTrees ||
      filter.inTrees.some((uuid) => cloud.some((one) => uuidOf(one.name) === uuid && rootOf(one) === rootOf(provider)))) &&
    clauses(filter.traits, traits) &&
    clauses(filter.aggregates, aggregates) &&
    (filter.resourceClasses ?? []).every((name) => inventories.some(({ resourceClass }) => resourceClass === name)) &&
    (filter.fits ?? []).every(({ resourceClass, amount }) =>
      inventories.some(
        (inventory) => inventory.resourceClass === resourceClass && fits({ ...inventory, capacity: capacityOf(inventory) }, amount),
      ),
    ) &&
    (filter.utilizations ?? []).every(({ resourceClass, ...range }) => {
      const value = amountIn(
        inventories.filter((inventory) => inventory.resourceClass === resourceClass),
        'UTILIZATION',
      );
      return value !== null && isWithin(value, range as Range);
    }) &&
    (filter.allocationRatios ?? []).every(({ resourceClass, ...range }) =>
      inventories.some((inventory) => inventory.resourceClass === resourceClass && isWithin(inventory.allocationRatio, range as Range)),
    ) &&
    isOr(
      filter.overCapacity,
      inventories.some((inventory) => inventory.used > capacityOf(inventory)),
    ) &&
    isOr(
      filter.hasConsumers,
      inventories.some(({ used }) => used > 0),
    ) &&
    (filter.and ?? []).every((inner) => meets(provider, inner, where)) &&
    (!filter.or || filter.or.some((inner) => meets(provider, inner, where))) &&
    (!filter.not || !meets(provider, filter.not, where))
  );
}

const some = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1, maxLength: 2 });
const rarely = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 2, nil: undefined });
const clause = (names: readonly string[]) =>
  fc.array(
    fc.oneof(
      some(names).map((anyOf) => ({ anyOf })),
      some(names).map((noneOf) => ({ noneOf })),
      some(names).map((allOf) => ({ allOf })),
    ),
    { maxLength: 2 },
  );
const uuids = some(cloud.map(({ name }) => uuidOf(name)));

const ranges = (value: fc.Arbitrary<number>) =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...cloudClasses), fc.constantFrom(...bounds), value)
      .map(([resourceClass, bound, limit]) => ({ resourceClass, [bound]: limit })),
    { minLength: 1, maxLength: 2 },
  );

/** Mostly few conditions, so that something is found. */
const leaf = {
  scope: fc.constantFrom('TREE', 'TREE', 'PROVIDER', undefined, null),
  isRoot: rarely(fc.boolean()),
  isSharing: rarely(fc.boolean()),
  nameStartsWith: rarely(fc.constantFrom('0', '1p', '3')),
  nameContains: rarely(fc.constantFrom('1', '2')),
  inTrees: rarely(uuids),
  traits: rarely(clause(cloudTraits)),
  aggregates: rarely(clause(cloudAggregates.map(uuidOf))),
  resourceClasses: rarely(some(cloudClasses)),
  fits: rarely(some(cloudClasses).map((classes) => classes.map((resourceClass) => ({ resourceClass, amount: 2 })))),
  utilizations: rarely(ranges(fc.constantFrom(0, 0.25, 0.5, 0.9, 1))),
  allocationRatios: rarely(ranges(fc.constantFrom(0.5, 1, 1.5, 2, 4, 16))),
  overCapacity: rarely(fc.boolean()),
  hasConsumers: rarely(fc.boolean()),
};
const randomFilter: fc.Arbitrary<ProviderFilterInput> = fc.letrec<{ filter: ProviderFilterInput }>((tie) => {
  const inner = fc.option(fc.array(tie('filter'), { maxLength: 3, depthIdentifier: 'groups' }), {
    freq: 1,
    nil: undefined,
    depthIdentifier: 'groups',
    maxDepth: 3,
  });
  return {
    filter: fc.record({
      ...leaf,
      and: inner,
      or: inner,
      not: fc.option(tie('filter'), { freq: 1, nil: undefined, depthIdentifier: 'groups', maxDepth: 3 }),
    }),
  };
}).filter;

const sorted = (names: Iterable<string>) => [...names].sort();

/** A gateway that has not read the forest: Postgres answers what it asks. */
let beforeLoading: Db;
beforeAll(async () => {
  beforeLoading = openDatabase(database.target);
  await forestOf(database.db).current();
});
afterAll(() => beforeLoading.close());

test('filters with scopes and groups find the same in Postgres, in memory and one by one', async () => {
  const found = { nothing: 0, everything: 0, some: 0 };
  await fc.assert(
    fc.asyncProperty(randomFilter, async (filter) => {
      const expected = sorted(cloud.filter((provider) => meets(provider, filter)).map(({ name }) => name));
      found[expected.length === 0 ? 'nothing' : expected.length === cloud.length ? 'everything' : 'some']++;
      for (const where of [scope(), scopeOf(beforeLoading)]) {
        const page = await listProviders(where, { filter, first: 1000 });
        expect(sorted(page.rows.map(({ name }) => name))).toEqual(expected);
        expect(await page.countAll()).toBe(expected.length);
      }
      expect(sorted((await listAllProviders(scope(), filter)).map(({ name }) => name))).toEqual(expected);
    }),
    { numRuns: sampled(250) },
  );
  expect(found.some).toBeGreaterThanOrEqual(least(5));
});

test('a filter of trees takes two statements once the forest is loaded, and sees the latest writes', async () => {
  const seed = createSeed(database.db);
  await seed.provider('written', { traits: ['CUSTOM_WRITTEN'] });
  const filter: ProviderFilterInput = { scope: 'TREE', traits: [{ allOf: ['CUSTOM_WRITTEN'] }] };
  const names = async () => (await listProviders(scope(), { filter })).rows.map(({ name }) => name);
  database.statements.length = 0;
  expect(await names()).toEqual(['written']);
  expect(database.statements.length).toBe(2);
  await seed.provider('written_below', { parent: 'written', traits: ['CUSTOM_WRITTEN'] });
  expect(await names()).toEqual(['written', 'written_below']);
  for (const name of ['written_below', 'written']) await seed.write('delete_resource_provider', { provider: uuidOf(name), expect: {} });
  expect(await names()).toEqual([]);
});

const none = { total: 0, reserved: 0, capacity: 0, used: 0, freeUsable: 0, promised: 0, providerCount: 0 };

const totalsOf = (providers: Iterable<DrawnProvider>) => {
  const totals = new Map<string, typeof none>();
  for (const { inventories } of providers) {
    for (const inventory of inventories) {
      const sum = totals.get(inventory.resourceClass) ?? none;
      const capacity = capacityOf(inventory);
      totals.set(inventory.resourceClass, {
        total: sum.total + inventory.total,
        reserved: sum.reserved + inventory.reserved,
        capacity: sum.capacity + capacity,
        used: sum.used + inventory.used,
        freeUsable: sum.freeUsable + Math.max(0, capacity - inventory.used),
        promised: 0,
        providerCount: sum.providerCount + 1,
      });
    }
  }
  return Object.fromEntries([...totals].sort());
};

describe('the capacity of a filter', () => {
  test.each<Scope>(['PROVIDER', 'TREE'])(
    'summed by %s counts each provider once, and is the same in Postgres and in memory',
    async (summed) => {
      for (const filter of fc.sample(randomFilter, { numRuns: sampled(40), seed: freshSeed('capacities') })) {
        const matching = cloud.filter((provider) => meets(provider, filter));
        const expected = totalsOf(new Set(matching.flatMap((provider) => membersOf(provider, summed))));
        const capacity = await sumCapacity(scope(), filter, summed);
        expect(await sumCapacity(scopeOf(beforeLoading), filter, summed), 'in Postgres').toMatchObject(capacity);
        const { own } = capacity;
        expect(own.map(({ className }) => className).toSorted()).toEqual(Object.keys(expected));
        expect(Object.fromEntries(own.map((total) => [total.className, total]))).toMatchObject(expected);
      }
    },
  );
});

type Field = 'FREE' | 'USED' | 'UTILIZATION';

/** Sums of one class in a tree, as the order needs them. */
function amountOf(provider: DrawnProvider, field: Field, resourceClass: string): number | null {
  const inventories = membersOf(provider, 'TREE').flatMap((member) =>
    member.inventories.filter((one) => one.resourceClass === resourceClass),
  );
  return amountIn(inventories, field);
}

function amountIn(inventories: readonly DrawnInventory[], field: Field): number | null {
  if (inventories.length === 0) return null;
  const sum = (amount: (inventory: DrawnInventory) => number) => inventories.reduce((total, inventory) => total + amount(inventory), 0);
  const [capacity, used] = [sum(capacityOf), sum(({ used: held }) => held)];
  if (field === 'UTILIZATION') return capacity === 0 ? null : used / capacity;
  return field === 'USED' ? used : capacity - used;
}

const orders = (['FREE', 'USED', 'UTILIZATION'] as const).flatMap((field) =>
  (['ASC', 'DESC'] as const).map((direction) => [field, direction] as const),
);

describe.each(orders)('by the %s of trees, %s', (field, direction) => {
  const orderBy = { field, direction, resourceClass: cloudClasses[0] ?? '', scope: 'TREE' } as const;
  const expected = cloud
    .map((provider, age) => ({ name: provider.name, age, value: amountOf(provider, field, orderBy.resourceClass) }))
    .sort((a, b) => {
      if (a.value === b.value) return a.age - b.age;
      if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
      return direction === 'DESC' ? b.value - a.value : a.value - b.value;
    })
    .map(({ name }) => name);
  const list = (args: ProviderListArguments) => listProviders(scope(), { orderBy: [orderBy], ...args });

  test('in one page', async () => {
    expect((await list({ first: 1000 })).rows.map(({ name }) => name)).toEqual(expected);
  });

  test.each([1, 7])('in pages of %i, both ways', async (size) => {
    const [forward, backward]: [string[], string[]] = [[], []];
    for (let after: string | undefined; forward.length < expected.length; ) {
      const page = await list({ first: size, after });
      forward.push(...page.rows.map(({ name }) => name));
      expect([page.hasPreviousPage, page.hasNextPage]).toEqual([after !== undefined, forward.length < expected.length]);
      after = page.cursors.at(-1);
    }
    for (let before: string | undefined; backward.length < expected.length; ) {
      const page = await list({ last: size, before });
      backward.unshift(...page.rows.map(({ name }) => name));
      before = page.cursors[0];
    }
    expect([forward, backward]).toEqual([expected, expected]);
  });
});

/** What a key looks at, as numbers and texts that sort as the list does. */
function valueIn(provider: DrawnProvider, age: number, { field, resourceClass, scope }: Key): string | number | null {
  if (field === 'NAME' || field === 'CONSUMERS') return provider.name;
  if (field === 'CREATED_AT') return age;
  return scope === 'TREE'
    ? amountOf(provider, field, resourceClass ?? '')
    : amountIn(
        provider.inventories.filter((one) => one.resourceClass === resourceClass),
        field,
      );
}

type Key = NonNullable<ProviderListArguments['orderBy']>[number];

const someKey = fc
  .record({
    field: fc.constantFrom<Key['field']>('FREE', 'USED', 'UTILIZATION', 'FREE', 'USED', 'NAME', 'CREATED_AT'),
    resourceClass: fc.constantFrom(...cloudClasses.slice(0, 2)),
    scope: fc.constantFrom<Scope>('PROVIDER', 'TREE'),
    direction: fc.constantFrom('ASC' as const, 'DESC' as const),
  })
  .map((key): Key => (key.field === 'NAME' || key.field === 'CREATED_AT' ? { field: key.field, direction: key.direction } : key));

const someOrder = fc.uniqueArray(someKey, {
  selector: ({ field, resourceClass, scope }) => [field, resourceClass, scope].join(),
  minLength: 1,
  maxLength: limits.orderKeys,
});

describe('by several keys, of providers and of trees, mixed', () => {
  test('pages both ways are exactly the sorted list', async () => {
    await fc.assert(
      fc.asyncProperty(someOrder, fc.constantFrom(5, 17), async (orderBy, size) => {
        const expected = cloud
          .map((provider, age) => ({ name: provider.name, age, values: orderBy.map((key) => valueIn(provider, age, key)) }))
          .sort((one, other) => {
            for (const [index, { direction }] of orderBy.entries()) {
              const [a, b] = [one.values[index] ?? null, other.values[index] ?? null];
              if (a === b) continue;
              if (a === null || b === null) return a === null ? 1 : -1;
              return a < b === (direction === 'DESC') ? 1 : -1;
            }
            return one.age - other.age;
          })
          .map(({ name }) => name);
        const [forward, backward]: [string[], string[]] = [[], []];
        for (let after: string | undefined; ; ) {
          const page = await listProviders(scope(), { orderBy, first: size, after });
          forward.push(...page.rows.map(({ name }) => name));
          if (!page.hasNextPage) break;
          after = page.cursors.at(-1);
        }
        for (let before: string | undefined; ; ) {
          const page = await listProviders(scope(), { orderBy, last: size, before });
          backward.unshift(...page.rows.map(({ name }) => name));
          if (!page.hasPreviousPage) break;
          before = page.cursors[0];
        }
        expect([forward, backward]).toEqual([expected, expected]);
      }),
      { numRuns: sampled(60) },
    );
  });
});

describe('a list by what trees hold', () => {
  const orderBy = { field: 'FREE', resourceClass: 'VCPU', scope: 'TREE' } as const;

  test('finds what its filter finds, and counts it', async () => {
    for (const filter of fc.sample(randomFilter, { numRuns: sampled(40), seed: freshSeed('lists') })) {
      const page = await listProviders(scope(), { filter, orderBy: [orderBy], first: 1000 });
      expect(sorted(page.rows.map(({ name }) => name))).toEqual(sorted(cloud.filter((one) => meets(one, filter)).map(({ name }) => name)));
      expect(await page.countAll()).toBe(page.rows.length);
    }
  });

  test('takes one statement to bring the forest up to date, and none for the next question', async () => {
    await listProviders(scope(), { orderBy: [orderBy] });
    const request = scope();
    database.statements.length = 0;
    const { rows } = await listProviders(request, { orderBy: [orderBy], filter: { scope: 'TREE', resourceClasses: ['VCPU'] }, first: 5 });
    for (const { id, name } of rows) {
      const drawn = cloud.find((one) => one.name === name) as DrawnProvider;
      const totals = (await request.loaders.subtreeTotalsByProvider.load(id)).map(
        ({ classId: _, className, providerId: __, ...total }) => [className, total] as const,
      );
      expect(Object.fromEntries(totals.toSorted())).toEqual(totalsOf(membersOf(drawn, 'TREE')));
      await request.loaders.inventoriesByProvider.load(id);
    }
    expect([rows.length, database.statements.length]).toEqual([5, 1]);
  });

  test('refuses a cursor of the list ordered by providers alone', async () => {
    const own = await listProviders(scope(), { orderBy: [{ ...orderBy, scope: 'PROVIDER' }], first: 1 });
    await expect(listProviders(scope(), { orderBy: [orderBy], after: own.cursors[0] })).rejects.toThrow(
      'after is not a cursor of this list',
    );
  });

  test('refuses an order that trees do not have', async () => {
    await expect(listProviders(scope(), { orderBy: [{ field: 'NAME', scope: 'TREE' }] })).rejects.toThrow('of the provider itself');
  });
});
