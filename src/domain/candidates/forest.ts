// All provider trees of a cloud in memory: inventories, usage, traits and aggregates, indexed by class, trait and aggregate. Changes only
// through `setNames`, `apply` and `applyUse`; a search may only suppose usage, and takes it back. Knows nothing of databases.
import { roomIn } from '../inventory.ts';
import type { Aggregate, Inventory, Provider, ResourceClass, Trait } from '../provider.ts';
import { inventoryWithUse, providerAfterClaim, sharingTrait } from '../provider.ts';
import { FreeOrder } from './free-order.ts';
import { type IdSet, IdSets } from './id-set.ts';
import { Names } from './names.ts';
import { TreeIndex } from './tree-index.ts';
import { TreeList } from './tree-list.ts';

/** A snapshot of a provider with everything that belongs to it. */
export interface ProviderState {
  readonly provider: Provider;
  /** In the order of their class ids. */
  readonly inventories: readonly Inventory[];
  readonly traitIds: readonly number[];
  readonly aggregateIds: readonly number[];
}

/** Changes since the last update. Applying them twice is harmless, because states are replaced whole. */
export interface ForestChanges {
  readonly changed: readonly ProviderState[];
  /** Ids of deleted providers. */
  readonly removed: readonly number[];
}

/** What a write of allocations changes on a provider. */
export interface ProviderUse {
  readonly id: number;
  readonly generation: number;
  readonly updatedAt: string;
  /** The usage of each inventory, in units of its class, in the order of class ids. */
  readonly used: readonly number[];
}

/** The complete vocabulary of names. */
export interface ForestNames {
  readonly resourceClasses: readonly ResourceClass[];
  readonly traits: readonly Trait[];
  readonly aggregates: readonly Aggregate[];
}

/** The differences from an earlier moment. */
export class ForestDifference {
  /** Ids of the roots of trees in which amounts differ. */
  readonly roots = new Set<number>();
  /** Ids of the roots of trees that were added or removed, or whose names, members, classes, traits or aggregates differ. */
  readonly reshaped = new Set<number>();
  /** Uuids of aggregates whose names differ. */
  readonly renamedAggregates = new Set<string>();
}

/** A provider and its place in the forest. */
export class ForestProvider {
  state: ProviderState;
  readonly traits: IdSet;
  readonly aggregates: IdSet;
  tree!: Tree;
  parent: ForestProvider | null = null;
  hasChildren = false;
  /** Whether it also serves other trees: it has the sharing trait and is in an aggregate. */
  isSharing = false;

  constructor(state: ProviderState, traits: IdSet, aggregates: IdSet) {
    this.state = state;
    this.traits = traits;
    this.aggregates = aggregates;
  }

  get id(): number {
    return this.state.provider.id;
  }

  inventoryOf(classId: number): Inventory | undefined {
    for (const inventory of this.state.inventories) if (inventory.classId === classId) return inventory;
    return undefined;
  }

  /** Whether this provider is at or above another. */
  isAtOrAbove(other: ForestProvider): boolean {
    for (let at: ForestProvider | null = other; at; at = at.parent) if (at === this) return true;
    return false;
  }
}

/** The weight of a unit of a class in a sum over several classes. */
export interface ClassWeight {
  readonly classId: number;
  readonly weight: number;
}

/** Up to this many members, scanning them is as fast as looking up a precomputed maximum. */
const smallTree = 4;

/** A root and all its descendants. */
export class Tree {
  readonly rootId: number;
  root!: ForestProvider;
  /** In the order of ids, which is the order of creation. */
  members: readonly ForestProvider[] = [];
  /** The union over all members: sharing providers serve the tree through these. */
  aggregates!: IdSet;
  classIds!: IdSet;
  traits!: IdSet;
  /** The largest free amount by class id; computed on demand, for large trees only. */
  private largest: ReadonlyMap<number, number> | null = null;

  constructor(rootId: number) {
    this.rootId = rootId;
  }

  /** The largest amount of a class that one member has free, in units of the class; -Infinity if no member has an inventory of it. */
  largestFree(classId: number): number {
    if (this.members.length > smallTree) {
      this.largest ??= this.largestOfAll();
      return this.largest.get(classId) ?? Number.NEGATIVE_INFINITY;
    }
    let largest = Number.NEGATIVE_INFINITY;
    for (const member of this.members) {
      const inventory = member.inventoryOf(classId);
      if (inventory) largest = Math.max(largest, roomIn(inventory));
    }
    return largest;
  }

  /**
   * The weighted sum of what all members have free; members over capacity, and classes without inventory, count as 0. Undefined if no member has an
   * inventory of any of the classes.
   */
  free(weights: readonly ClassWeight[]): number | undefined {
    let sum: number | undefined;
    for (const { classId, weight } of weights) {
      for (const member of this.members) {
        const inventory = member.inventoryOf(classId);
        if (inventory) sum = (sum ?? 0) + weight * Math.max(0, roomIn(inventory));
      }
    }
    return sum;
  }

  /** Must be called after the usage or capacity of an inventory has changed. */
  recount(): void {
    this.largest = null;
  }

  private largestOfAll(): ReadonlyMap<number, number> {
    const largest = new Map<number, number>();
    for (const { state } of this.members) {
      for (const inventory of state.inventories) {
        const known = largest.get(inventory.classId) ?? Number.NEGATIVE_INFINITY;
        largest.set(inventory.classId, Math.max(known, roomIn(inventory)));
      }
    }
    return largest;
  }
}

/** The number of maintained orders; the least recently used is dropped. Each costs a few microseconds per tree that changes. */
const maxOrders = 8;

export class Forest {
  readonly all = new TreeList<Tree>();
  readonly byClass = new TreeIndex<Tree>();
  readonly byTrait = new TreeIndex<Tree>();
  readonly byAggregate = new TreeIndex<Tree>();
  /** Providers that serve trees other than their own. */
  readonly sharing = new Set<ForestProvider>();
  readonly classes = new Names<ResourceClass>();
  readonly traits = new Names<Trait>();
  readonly aggregates = new Names<{ readonly id: number; readonly name: string; readonly aggregate: Aggregate }>();
  private readonly idSets = new IdSets();
  private readonly providers = new Map<number, ForestProvider>();
  private readonly byUuid = new Map<string, ForestProvider>();
  private readonly trees = new Map<number, Tree>();
  /** By root id: providers not yet placed in a tree. Members may be read before their root and wait here. */
  private readonly newcomers = new Map<number, ForestProvider[]>();
  /** By classes and weights; the most recently used is last. */
  private readonly orders = new Map<string, FreeOrder<Tree>>();
  private changes = new ForestDifference();

  get providerCount(): number {
    return this.providers.size;
  }

  /** All providers, in no particular order. */
  everyProvider(): Iterable<ForestProvider> {
    return this.providers.values();
  }

  findByUuid(uuid: string): ForestProvider | undefined {
    return this.byUuid.get(uuid);
  }

  findById(id: number): ForestProvider | undefined {
    return this.providers.get(id);
  }

  /** The trees that have any of the classes, by weighted free amounts. The caller must `sort` it before use. */
  freeOrderOf(weights: readonly ClassWeight[]): FreeOrder<Tree> {
    const name = weights.map(({ classId, weight }) => `${classId} ${weight}`).join();
    const lists = () => weights.map(({ classId }) => this.byClass.listOf(classId).trees);
    const freeOf = (tree: Tree) => (this.trees.get(tree.rootId) === tree ? tree.free(weights) : undefined);
    const order = this.orders.get(name) ?? new FreeOrder(lists(), freeOf);
    this.orders.delete(name);
    this.orders.set(name, order);
    for (const oldest of this.orders.keys()) if (this.orders.size > maxOrders) this.orders.delete(oldest);
    return order;
  }

  /** The changes since the last call. Only one caller may use it, because it also clears them. */
  takeChanges(): ForestDifference {
    const taken = this.changes;
    this.changes = new ForestDifference();
    return taken;
  }

  /** Replaces all names. Must be called before providers that use them are applied. */
  setNames({ resourceClasses, traits, aggregates }: ForestNames): void {
    const named = new Map([...this.aggregates.every()].map(({ id, aggregate }) => [id, aggregate.name]));
    for (const { id, uuid, name } of aggregates) if ((named.get(id) ?? null) !== name) this.changes.renamedAggregates.add(uuid);
    this.classes.replace(resourceClasses);
    this.traits.replace(traits);
    this.aggregates.replace(aggregates.map((aggregate) => ({ id: aggregate.id, name: aggregate.uuid, aggregate })));
  }

  /** Applies changes. Those of one snapshot must come in one call, in any order. */
  apply({ changed, removed }: ForestChanges): void {
    const grown = new Set<number>();
    const used = new Set<Tree>();
    for (const id of removed) {
      const provider = this.providers.get(id);
      if (provider) grown.add(this.forget(provider));
    }
    for (const state of changed) {
      const known = this.providers.get(state.provider.id);
      if (known?.tree && hasSameShape(known, state)) {
        if (known.state.provider.name !== state.provider.name) this.changes.reshaped.add(known.tree.rootId);
        known.state = state;
        used.add(known.tree);
        continue;
      }
      if (known) grown.add(this.forget(known));
      grown.add(this.remember(state));
    }
    for (const rootId of grown) {
      this.changes.reshaped.add(rootId);
      this.rebuild(rootId);
    }
    for (const tree of used) this.recount(tree, grown);
  }

  /** Updates the usage of providers that are otherwise unchanged. Returns the ids of those that must be read whole instead. */
  applyUse(uses: readonly ProviderUse[]): number[] {
    const trees = new Set<Tree>();
    const unknown: number[] = [];
    for (const use of uses) {
      const known = this.providers.get(use.id);
      if (known?.tree && known.state.inventories.length === use.used.length) {
        known.state = withUse(known.state, use);
        trees.add(known.tree);
      } else unknown.push(use.id);
    }
    for (const tree of trees) this.recount(tree);
    return unknown;
  }

  /** Gives a provider a state in which only its usage differs, without recording a change. The caller must restore the real state. */
  suppose(provider: ForestProvider, state: ProviderState): void {
    provider.state = state;
    this.noteUse(provider.tree);
  }

  private recount(tree: Tree, rebuilt?: ReadonlySet<number>): void {
    this.changes.roots.add(tree.rootId);
    if (!rebuilt?.has(tree.rootId)) this.noteUse(tree);
  }

  private noteUse(tree: Tree): void {
    tree.recount();
    for (const order of this.orders.values()) order.touch(tree);
  }

  private remember(state: ProviderState): number {
    const { id, uuid, rootId } = state.provider;
    const provider = new ForestProvider(state, this.idSets.hold(state.traitIds), this.idSets.hold(state.aggregateIds));
    this.providers.set(id, provider);
    this.byUuid.set(uuid, provider);
    const newcomers = this.newcomers.get(rootId);
    if (newcomers) newcomers.push(provider);
    else this.newcomers.set(rootId, [provider]);
    return rootId;
  }

  private forget(provider: ForestProvider): number {
    const { id, uuid, rootId } = provider.state.provider;
    this.providers.delete(id);
    // The uuid may meanwhile belong to a newer provider.
    if (this.byUuid.get(uuid) === provider) this.byUuid.delete(uuid);
    this.sharing.delete(provider);
    this.idSets.release(provider.traits);
    this.idSets.release(provider.aggregates);
    return rootId;
  }

  private rebuild(rootId: number): void {
    const known = this.trees.get(rootId);
    const all = [...(known?.members ?? []), ...(this.newcomers.get(rootId) ?? [])];
    const members = all.filter((member) => this.providers.get(member.id) === member).sort((a, b) => a.id - b.id);
    const before = known && { classIds: known.classIds, traits: known.traits, aggregates: known.aggregates };
    const root = members.find(({ id }) => id === rootId);
    if (!root) {
      if (members.length > 0) this.newcomers.set(rootId, members);
      else this.newcomers.delete(rootId);
      this.trees.delete(rootId);
      if (known) {
        this.index(known, before, undefined);
        this.noteUse(known);
      }
      return;
    }
    this.newcomers.delete(rootId);
    const tree = known ?? new Tree(rootId);
    this.trees.set(rootId, tree);
    tree.root = root;
    tree.members = members;
    const sharingTraitId = this.traits.idOf(sharingTrait);
    for (const member of members) {
      const { parentId } = member.state.provider;
      member.tree = tree;
      member.hasChildren = false;
      member.parent = parentId === null ? null : (this.providers.get(parentId) ?? null);
      member.isSharing = sharingTraitId !== undefined && member.traits.has(sharingTraitId) && member.aggregates.ids.length > 0;
      if (member.isSharing) this.sharing.add(member);
    }
    for (const { parent } of members) if (parent) parent.hasChildren = true;
    tree.classIds = this.idSets.hold(members.flatMap(({ state }) => state.inventories.map(({ classId }) => classId)));
    tree.traits = this.unite(members.map(({ traits }) => traits));
    tree.aggregates = this.unite(members.map(({ aggregates }) => aggregates));
    this.noteUse(tree);
    this.index(tree, before, tree);
  }

  /** The union of sets, held once more. */
  private unite(sets: readonly IdSet[]): IdSet {
    const [only, ...others] = new Set(sets);
    return only && others.length === 0 ? this.idSets.holdAgain(only) : this.idSets.hold([...new Set(sets)].flatMap(({ ids }) => ids));
  }

  private index(tree: Tree, before: Shape | undefined, after: Shape | undefined): void {
    this.byClass.move(tree, before?.classIds, after?.classIds);
    this.byTrait.move(tree, before?.traits, after?.traits);
    this.byAggregate.move(tree, before?.aggregates, after?.aggregates);
    if (before) for (const set of [before.classIds, before.traits, before.aggregates]) this.idSets.release(set);
    if (after) this.all.add(tree);
    else this.all.remove(tree);
  }
}

type Shape = Pick<Tree, 'classIds' | 'traits' | 'aggregates'>;

function withUse({ provider, inventories, traitIds, aggregateIds }: ProviderState, use: ProviderUse): ProviderState {
  return {
    provider: providerAfterClaim(provider, use),
    inventories: inventories.map((inventory, place) => inventoryWithUse(inventory, use.used[place] ?? 0)),
    traitIds,
    aggregateIds,
  };
}

/** Whether only numbers changed, so that no index and no other provider is affected. */
function hasSameShape({ state, traits, aggregates }: ForestProvider, next: ProviderState): boolean {
  const [was, is] = [state.provider, next.provider];
  return (
    was.parentId === is.parentId &&
    was.rootId === is.rootId &&
    was.uuid === is.uuid &&
    state.inventories.length === next.inventories.length &&
    state.inventories.every(({ classId }, place) => classId === next.inventories[place]?.classId) &&
    traits.ids.length === next.traitIds.length &&
    next.traitIds.every((id) => traits.has(id)) &&
    aggregates.ids.length === next.aggregateIds.length &&
    next.aggregateIds.every((id) => aggregates.has(id))
  );
}
