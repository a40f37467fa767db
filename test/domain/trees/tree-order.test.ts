// The order of providers by the contents of their trees: pages in memory equal a plain sort of the whole list.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ForestProvider } from '../../../src/domain/candidates/forest.ts';
import type { CursorValue } from '../../../src/domain/page.ts';
import { groupByTree, rankByTree, type TreeSortKey } from '../../../src/domain/trees/tree-order.ts';
import { drawnInventory, forestOf } from '../../support/tree.ts';

const free = (descending: boolean): TreeSortKey => ({ by: 'FREE', classId: vcpu, scope: 'PROVIDER', descending });
const used = (descending: boolean): TreeSortKey => ({ by: 'USED', classId: vcpu, scope: 'TREE', descending });
const age = (descending: boolean): TreeSortKey => ({ by: 'CREATED_AT', descending });
const vcpu = forestOf('').classes.idOf('VCPU') ?? Number.NaN;

/** Hosts with the given amounts of VCPU; null stands for a host without an inventory of it. */
const hosts = (totals: readonly (number | null)[]): ForestProvider[] => {
  const drawn = totals.map((total, index) => ({
    name: `cn${index}`,
    parent: null,
    inventories: total === null ? [] : [drawnInventory('VCPU', 10, { reserved: 10 - total })],
    traits: [],
    aggregates: [],
  }));
  return [...forestOf(drawn).everyProvider()];
};

/** The free amount of a host; null comes last in both directions. */
const freeOf = (provider: ForestProvider) => provider.inventoryOf(vcpu)?.capacity ?? null;
const inOrder = (providers: readonly ForestProvider[], descending: boolean) =>
  providers.toSorted((a, b) => {
    const [one, other] = [freeOf(a), freeOf(b)];
    if (one === other) return a.id - b.id;
    if (one === null || other === null) return one === null ? 1 : -1;
    return descending ? other - one : one - other;
  });

const idsOf = (places: readonly { readonly id: number }[]) => places.map(({ id }) => id);
const page = (size: number, key: readonly CursorValue[] | null, backward = false) => ({ size, key, backward });

/** More hosts than are sorted at once, with many ties. */
const clouds = fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 400 }).map(hosts);
const size = fc.integer({ min: 1, max: 8 });

describe('a page of a list ordered by free amount', () => {
  test('is the same part of the list as if all of it were sorted, in both directions', () => {
    fc.assert(
      fc.property(clouds, size, fc.boolean(), fc.boolean(), fc.nat(), (providers, most, descending, backward, place) => {
        const sorted = inOrder(providers, descending);
        const at = place % sorted.length;
        const start = sorted[at] as ForestProvider;
        const rest = backward ? sorted.slice(0, at).reverse() : sorted.slice(at + 1);
        const found = rankByTree(providers, [free(descending)], page(most, [freeOf(start), start.id], backward));
        expect(idsOf(found)).toEqual(idsOf(rest.slice(0, most + 1)));
      }),
    );
  });

  test('consists of whole groups of equals if names break ties, beginning with the equals of the cursor', () => {
    fc.assert(
      fc.property(clouds, size, fc.boolean(), fc.boolean(), fc.nat(), (providers, most, descending, backward, place) => {
        const sorted = backward ? inOrder(providers, descending).reverse() : inOrder(providers, descending);
        const start = sorted[place % sorted.length] as ForestProvider;
        const groups = groupByTree(providers, [free(descending)], page(most, [freeOf(start), start.state.provider.name], backward));
        const values = [...new Set(sorted.map(freeOf))];
        const later = values.slice(values.indexOf(freeOf(start)));
        const expected = later.map((value) => idsOf(sorted.filter((one) => freeOf(one) === value)).toSorted((a, b) => a - b));
        const found = groups.map((group) => idsOf(group).toSorted((a, b) => a - b));
        expect(found).toEqual(expected.slice(0, found.length));
        // The equals of the cursor may all precede it, so they do not count.
        const behind = (some: readonly unknown[][]) => some.slice(1).flat().length;
        expect(behind(found)).toBeGreaterThanOrEqual(Math.min(most + 1, behind(expected)));
        expect(behind(found.slice(0, -1))).toBeLessThan(most + 1);
      }),
    );
  });
});

test('equal amounts are ordered by the next key', () => {
  const providers = hosts([2, 1, 2]);
  expect(idsOf(rankByTree(providers, [used(true), free(true), age(true)], page(2, null)))).toEqual([3, 1, 2]);
});

test.each([
  ['rankByTree', rankByTree],
  ['groupByTree', groupByTree],
] as const)('%s computes the first key of each provider once, and later keys only where it is equal', (_name, order) => {
  const providers = hosts([3, 1, 3, 2]);
  let computed = 0;
  for (const provider of providers) {
    const inventoryOf = provider.inventoryOf.bind(provider);
    provider.inventoryOf = (classId) => {
      computed++;
      return inventoryOf(classId);
    };
  }
  order(providers, [free(true), age(false)], page(10, null));
  expect(computed).toBe(providers.length);
  order(providers, [free(true), free(false)], page(10, null));
  expect(computed).toBe(2 * providers.length + 2);
});
