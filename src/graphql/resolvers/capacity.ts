// Totals and ResourceTotal: sums over sets of providers.

import { expectClasses, loadedIfExpected } from '../../operations/names/known-names.ts';
import { sumCapacity } from '../../operations/providers/inventories.ts';
import type { Resolvers } from '../schema.generated.ts';
import { ofClasses } from './resource-classes.ts';

/** Used divided by capacity; null without capacity. */
export function utilizationOf({ used, capacity }: { readonly used: number; readonly capacity: number }): number | null {
  return capacity === 0 ? null : used / capacity;
}

export const capacityResolvers = {
  Query: {
    totals: async (_, { filter, scope: summed, resourceClasses }, scope) => {
      const expected = expectClasses(scope, resourceClasses, ['resourceClasses']);
      const { own, shared } = await loadedIfExpected(expected, () => sumCapacity(scope, filter, summed));
      return { own: ofClasses(own, resourceClasses), shared: ofClasses(shared, resourceClasses) };
    },
  },
  ResourceTotal: {
    resourceClass: ({ classId, className }) => ({ id: classId, name: className }),
    free: ({ capacity, used }) => capacity - used,
    utilization: utilizationOf,
  },
} satisfies Resolvers;
