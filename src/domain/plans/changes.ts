// Hypothetical changes: adds, removes and changes trees in a copy of the forest. Nothing is written to the database.
import type { Forest, ProviderState, Tree } from '../candidates/forest.ts';
import { type CompleteInventory, capacityOf } from '../inventory.ts';
import { type Inventory, type Provider, supposedProvider } from '../provider.ts';

/** Ids of added providers begin here, above all others, so that they come last in every order by creation. */
export const firstAddedId = 2 ** 50;

/** What the root of a tree that does not exist yet has, besides what it has from another tree; ids of traits and aggregates. */
export interface NewRoot {
  readonly inventories: readonly CompleteInventory[];
  readonly traitIds: readonly number[];
  readonly aggregateIds: readonly number[];
}

/** Changes of a provider. */
export interface ProviderChange {
  readonly provider: string;
  /** Inventories to set; those of other classes stay. */
  readonly inventories: readonly CompleteInventory[];
  readonly removedClassIds: readonly number[];
  readonly addedTraitIds: readonly number[];
  readonly removedTraitIds: readonly number[];
}

/** Adds trees, and records which it added. */
export class AddedTrees {
  private nextId = firstAddedId;
  private readonly forest: Forest;
  private readonly now: string;
  /** The root ids of each addition. */
  readonly rootIds: number[][] = [];

  /** `now`: the time of creation of the added providers. */
  constructor(forest: Forest, now: string) {
    this.forest = forest;
    this.now = now;
  }

  /** Adds copies of a tree, without its usage, whose roots have more or other things. Pauses now and then. */
  *addLike({ members, root }: Tree, besides: NewRoot, count: number): Generator<void, void> {
    const states = members.map(({ state }) => state);
    const place = new Map(states.map(({ provider }, index) => [provider.id, index]));
    yield* this.add(count, (first, name) =>
      states.map(({ provider, inventories, traitIds, aggregateIds }, index) => {
        const parentId = provider.parentId === null ? null : first + (place.get(provider.parentId) ?? 0);
        const own = this.provider(first + index, `${provider.name} ${name}`, parentId, first + (place.get(root.id) ?? 0));
        const empty = inventories.map((inventory) => inventoryOf(own, inventory.classId, inventory.className, inventory, 0));
        const state = { provider: own, inventories: empty, traitIds, aggregateIds };
        return parentId === null ? this.withMore(state, besides) : state;
      }),
    );
  }

  /** Adds roots without children. */
  *addNew(root: NewRoot, count: number): Generator<void, void> {
    yield* this.add(count, (id, name) => [
      this.withMore({ provider: this.provider(id, name, null, id), inventories: [], traitIds: [], aggregateIds: [] }, root),
    ]);
  }

  private withMore(state: ProviderState, { inventories, traitIds, aggregateIds }: NewRoot): ProviderState {
    const { provider } = state;
    const set = inventories.map((record) =>
      inventoryOf(provider, this.forest.classes.idOf(record.resourceClass) ?? -1, record.resourceClass, record, 0),
    );
    const kept = state.inventories.filter(({ className }) => !inventories.some(({ resourceClass }) => resourceClass === className));
    return {
      provider,
      inventories: inOrder([...kept, ...set]),
      traitIds: merged(state.traitIds, traitIds),
      aggregateIds: merged(state.aggregateIds, aggregateIds),
    };
  }

  private *add(count: number, statesOf: (firstId: number, name: string) => readonly ProviderState[]): Generator<void, void> {
    const rootIds: number[] = [];
    this.rootIds.push(rootIds);
    for (let turn = 0; turn < count; turn++) {
      if (turn % 50 === 49) yield;
      const states = statesOf(this.nextId, `added ${this.rootIds.length}.${turn + 1}`);
      this.nextId += states.length;
      rootIds.push(states[0]?.provider.rootId ?? 0);
      this.forest.apply({ changed: states, removed: [] });
    }
  }

  private provider(id: number, name: string, parentId: number | null, rootId: number): Provider {
    return supposedProvider({ id, uuid: `added-${id}`, name, parentId, rootId }, this.now);
  }
}

function inventoryOf(
  { id: providerId, updatedAt }: Pick<Provider, 'id' | 'updatedAt'>,
  classId: number,
  className: string,
  record: Omit<CompleteInventory, 'resourceClass'>,
  used: number,
): Inventory {
  const { total, reserved, minUnit, maxUnit, stepSize, allocationRatio } = record;
  const capacity = capacityOf(record);
  return { providerId, classId, className, total, reserved, minUnit, maxUnit, stepSize, allocationRatio, capacity, used, updatedAt };
}

/** Ids of both lists, each once, in order. */
const merged = (ids: readonly number[], others: readonly number[]) => [...new Set([...ids, ...others])].sort((a, b) => a - b);

const inOrder = (inventories: readonly Inventory[]) => inventories.toSorted((a, b) => a.classId - b.classId);

/** Removes trees from a forest. Pauses now and then. */
export function* removeTrees(forest: Forest, trees: readonly Tree[]): Generator<void, void> {
  for (const [index, { members }] of trees.entries()) {
    if (index % 10 === 9) yield;
    forest.apply({ changed: [], removed: members.map(({ id }) => id) });
  }
}

/** Changes a provider; its usage stays. */
export function changeProvider(forest: Forest, change: ProviderChange): void {
  const known = forest.findByUuid(change.provider);
  if (!known) return;
  const { provider, inventories, traitIds, aggregateIds } = known.state;
  const set = new Map(change.inventories.map((record) => [forest.classes.idOf(record.resourceClass) ?? -1, record]));
  const kept = inventories.filter(({ classId }) => !set.has(classId) && !change.removedClassIds.includes(classId));
  const usedOf = (classId: number) => known.inventoryOf(classId)?.used ?? 0;
  const changed = [...set].map(([classId, record]) => inventoryOf(provider, classId, record.resourceClass, record, usedOf(classId)));
  const left = traitIds.filter((id) => !change.removedTraitIds.includes(id));
  forest.apply({
    changed: [{ provider, inventories: inOrder([...kept, ...changed]), traitIds: merged(left, change.addedTraitIds), aggregateIds }],
    removed: [],
  });
}
