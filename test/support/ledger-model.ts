// A model of the ledger in memory: the answer and effect of each write, computed only from the rules of domain/ and of Placement.
// Deliberately small: one class, no traits, no events. Knows nothing of the database.
import { capacityOf, type InventoryRecord, unitFault } from '../../src/domain/inventory.ts';
import { checkNewUse } from './write-rule.ts';

/** A write: providers and consumers by name, amounts of VCPU. An undefined `generation` is not checked. */
export type Operation =
  | { readonly do: 'create'; readonly provider: string; readonly parent: string | null }
  | { readonly do: 'move'; readonly provider: string; readonly parent: string | null }
  | { readonly do: 'delete'; readonly provider: string; readonly generation: number | undefined }
  | { readonly do: 'stock'; readonly provider: string; readonly inventory: InventoryRecord | null; readonly generation: number | undefined }
  | { readonly do: 'claim'; readonly consumers: readonly Wish[] };

export interface Wish {
  readonly consumer: string;
  /** Null for a new one. */
  readonly generation: number | null | undefined;
  readonly held: Readonly<Record<string, number>>;
}

interface ProviderState {
  generation: number;
  parent: string | null;
  inventory: InventoryRecord | null;
}

interface ConsumerState {
  readonly generation: number;
  readonly held: Readonly<Record<string, number>>;
}

/** An empty ledger. `apply` returns the code of the refusal, or null if the write was done. */
export function createModel() {
  const providers = new Map<string, ProviderState>();
  const consumers = new Map<string, ConsumerState>();

  const usedOf = (provider: string, among: Iterable<ConsumerState | undefined> = consumers.values()): number =>
    [...among].reduce((sum, consumer) => sum + (consumer?.held[provider] ?? 0), 0);
  const isBelow = (name: string | null, top: string): boolean =>
    name !== null && (name === top || isBelow(providers.get(name)?.parent ?? null, top));
  const bump = (names: Iterable<string>) => {
    for (const name of new Set(names)) {
      const provider = providers.get(name);
      if (provider) provider.generation += 1;
    }
  };

  function apply(operation: Operation): string | null {
    return operation.do === 'claim' ? claim(operation.consumers) : change(operation);
  }

  function change(operation: Exclude<Operation, { do: 'claim' }>): string | null {
    const provider = providers.get(operation.provider);
    if (operation.do === 'create') {
      if (operation.parent !== null && !providers.has(operation.parent)) return 'NOT_FOUND';
      if (provider) return 'DUPLICATE';
      providers.set(operation.provider, { generation: 0, parent: operation.parent, inventory: null });
      return null;
    }
    if (!provider) return 'NOT_FOUND';
    if (operation.do === 'move') {
      if (operation.parent !== null && !providers.has(operation.parent)) return 'NOT_FOUND';
      if (operation.parent === provider.parent) return null;
      if (isBelow(operation.parent, operation.provider)) return 'PARENT_LOOP';
      provider.parent = operation.parent;
      bump([operation.provider]);
      return null;
    }
    if (operation.generation !== undefined && operation.generation !== provider.generation) return 'PROVIDER_CONFLICT';
    if (operation.do === 'delete') {
      if ([...providers.values()].some(({ parent }) => parent === operation.provider)) return 'HAS_CHILDREN';
      if (usedOf(operation.provider) > 0) return 'IN_USE';
      providers.delete(operation.provider);
      return null;
    }
    if (operation.inventory === null && usedOf(operation.provider) > 0) return 'IN_USE';
    provider.inventory = operation.inventory;
    bump([operation.provider]);
    return null;
  }

  function claim(wishes: readonly Wish[]): string | null {
    const before = wishes.map(({ consumer }) => consumers.get(consumer));
    const conflict = wishes.some(({ generation }, index) => generation !== undefined && generation !== (before[index]?.generation ?? null));
    if (conflict) return 'CONSUMER_CONFLICT';
    const rows = wishes.flatMap(({ held }) => Object.entries(held));
    if (rows.some(([name]) => !providers.has(name))) return 'NOT_FOUND';
    if (rows.some(([name]) => providers.get(name)?.inventory === null)) return 'NO_INVENTORY';
    const inventoryOf = (name: string) => providers.get(name)?.inventory as InventoryRecord;
    if (rows.some(([name, amount]) => unitFault(inventoryOf(name), amount) !== null)) return 'UNIT_VIOLATION';
    for (const name of new Set(rows.map(([provider]) => provider))) {
      const usedBefore = usedOf(name);
      const requested = rows.reduce((sum, [provider, amount]) => sum + (provider === name ? amount : 0), 0);
      const usedAfterRelease = usedBefore - usedOf(name, before);
      if (checkNewUse({ capacity: capacityOf(inventoryOf(name)), usedBefore, usedAfterRelease, requested })) return 'CAPACITY_EXCEEDED';
    }
    bump([...rows.map(([name]) => name), ...before.flatMap((consumer) => Object.keys(consumer?.held ?? {}))]);
    wishes.forEach(({ consumer, held }, index) => {
      if (Object.keys(held).length === 0) consumers.delete(consumer);
      else consumers.set(consumer, { generation: (before[index]?.generation ?? 0) + 1, held });
    });
    return null;
  }

  /** The whole state, in a form to compare with the tables. */
  function state() {
    return {
      providers: Object.fromEntries(
        [...providers].map(([name, { generation, parent, inventory }]) => [
          name,
          {
            generation,
            parent,
            used: inventory === null ? null : usedOf(name),
            capacity: inventory === null ? null : capacityOf(inventory),
          },
        ]),
      ),
      consumers: Object.fromEntries([...consumers].map(([name, { generation, held }]) => [name, { generation, held }])),
    };
  }

  return { apply, state };
}
