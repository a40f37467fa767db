// Checks orders of lists of providers, and resolves their classes to ids.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import type { ProviderSortKey } from '../../domain/provider.ts';
import { nameInOrder, type OrderKeyInput, parseOrder } from '../request/order.ts';
import type { NamedClass } from './provider-filter.ts';

type Field = ProviderSortKey['by'];

export type ProviderOrderInput = OrderKeyInput<Field>;

/** An order whose classes are still names. */
export interface NamedProviderOrder {
  /** Identifies a list in this order, for its cursors. */
  nameOf(list: string): string;
  /** The classes that must exist. */
  readonly classes: readonly NamedClass[];
  /** Whether it depends on the contents of trees. */
  readonly ofTrees: boolean;
  /** The order, once the ids of the classes are known. */
  sortBy(classIds: ReadonlyMap<string, number>): readonly ProviderSortKey[];
}

const fieldsOfAClass: ReadonlySet<Field> = new Set(['FREE', 'USED', 'UTILIZATION']);
const fieldsOfConsumers: ReadonlySet<Field> = new Set(['CONSUMERS']);
const fieldsOfATree: ReadonlySet<Field> = new Set([...fieldsOfAClass, ...fieldsOfConsumers]);

/** By name when no key is given. Refuses INVALID_INPUT. */
export function parseProviderOrder(orderBy: Optional<readonly ProviderOrderInput[]>): NamedProviderOrder {
  const keys = parseOrder(orderBy, 'NAME', fieldsOfAClass, fieldsOfATree, fieldsOfConsumers);
  // Names are unique, so further keys have no effect.
  const name = keys.findIndex(({ field }) => field === 'NAME');
  const deciding = name < 0 ? keys : keys.slice(0, name + 1);
  const ofTrees = deciding.some(({ field, scope }) => scope === 'TREE' && fieldsOfAClass.has(field));
  const counted = keys.find(({ field }) => field === 'CONSUMERS');
  // Amounts of trees are known in memory, numbers of consumers only in the database.
  if (ofTrees && counted) throw invalidInput(counted.path, 'CONSUMERS cannot be combined with an order by amounts of trees');
  return {
    nameOf: (list) => nameInOrder(list, deciding),
    classes: keys.flatMap(({ resourceClass, path }) =>
      resourceClass === null ? [] : [{ name: resourceClass, path: [...path, 'resourceClass'] }],
    ),
    ofTrees,
    sortBy: (classIds) =>
      deciding.map(({ field, descending, scope, resourceClass, consumerType }) =>
        field === 'NAME' || field === 'CREATED_AT'
          ? { by: field, descending }
          : field === 'CONSUMERS'
            ? { by: field, descending, scope, consumerType }
            : { by: field, descending, scope, classId: classIds.get(resourceClass ?? '') ?? 0 },
      ),
  };
}
