// Providers as a driver sees them: a local copy of trees that is edited freely and then written at once. Providers are identified by uuid or name.
// Every edit returns whether it changed anything, so that an unchanged report costs no write. Children refer to the uuid of their parent, so that
// renaming it does not lose them.

import { maxAmount } from '../../domain/inventory.ts';
import { sharingTrait } from '../../domain/provider.ts';
import type { ProviderState } from '../../domain/reported-tree.ts';
import type { InventoryInput } from '../../operations/request/input.ts';

/** An inventory whose fields are optional, except the total. */
export type GivenInventory = Omit<InventoryInput, 'resourceClass'>;
export type GivenInventories = Readonly<Record<string, GivenInventory>>;

/** A copy of a provider; changing it does not affect the tree. */
export interface ProviderData {
  readonly uuid: string;
  readonly name: string;
  /** Uuid; null for a root. */
  readonly parent: string | null;
  /** Null for a provider that exists only in this copy. */
  readonly generation: number | null;
  readonly inventories: GivenInventories;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

/** Parts of a provider that an edit can change; 'place' is its name and parent. */
export type ProviderPart = 'place' | 'inventories' | 'traits' | 'aggregates';

interface TreeNode {
  readonly uuid: string;
  readonly generation: number | null;
  name: string;
  parent: string | null;
  inventories: GivenInventories;
  traits: ReadonlySet<string>;
  aggregates: ReadonlySet<string>;
  readonly changed: Set<ProviderPart>;
}

/** Several trees, edited without a database. Edits of unknown providers, duplicate names and missing parents throw an Error. */
export class ProviderTree {
  readonly #nodes = new Map<string, TreeNode>();
  readonly #byName = new Map<string, TreeNode>();
  /** By the uuid of the parent, in the order in which they were added. */
  readonly #children = new Map<string, Set<TreeNode>>();
  readonly #removed = new Map<string, { readonly root: string }>();

  /** Copies trees, given parents before children. Throws if a parent is missing or a name occurs twice. */
  static from(states: Iterable<ProviderState>): ProviderTree {
    const tree = new ProviderTree();
    for (const { uuid, name, parent, generation, inventories, traits, aggregates } of states) {
      if (parent !== null) tree.#get(parent);
      tree.#add({
        uuid,
        name,
        parent,
        generation,
        inventories,
        traits: new Set(traits),
        aggregates: new Set(aggregates),
        changed: new Set(),
      });
    }
    return tree;
  }

  newRoot(name: string, uuid: string): void {
    this.#addNew(name, uuid, null);
  }

  /** `parent`: name or uuid. */
  newChild(name: string, parent: string, uuid: string): void {
    this.#addNew(name, uuid, this.#get(parent).uuid);
  }

  /** Removes a provider and its descendants. */
  remove(nameOrUuid: string): void {
    const root = this.#rootOf(this.#get(nameOrUuid)).uuid;
    for (const uuid of this.uuidsInSubtree(nameOrUuid)) {
      if (this.#get(uuid).generation !== null) this.#removed.set(uuid, { root });
      this.#delete(this.#get(uuid));
    }
  }

  exists(nameOrUuid: string): boolean {
    return this.#find(nameOrUuid) !== undefined;
  }

  /** The parts of a provider that were edited since it was read. */
  changesOf(nameOrUuid: string): readonly ProviderPart[] {
    return [...this.#get(nameOrUuid).changed];
  }

  data(nameOrUuid: string): ProviderData {
    const { uuid, name, parent, generation, inventories, traits, aggregates } = this.#get(nameOrUuid);
    return { uuid, name, parent, generation, inventories: copyOf(inventories), traits: [...traits], aggregates: [...aggregates] };
  }

  rename(nameOrUuid: string, name: string): boolean {
    const node = this.#get(nameOrUuid);
    if (node.name === name) return false;
    this.#requireNew(name);
    this.#byName.delete(node.name);
    node.name = name;
    this.#byName.set(name, node);
    return this.#changed(node, 'place');
  }

  /** Moves a provider to another parent in its tree. */
  move(nameOrUuid: string, parent: string): boolean {
    const node = this.#get(nameOrUuid);
    const above = this.#get(parent);
    if (node.parent === above.uuid) return false;
    if (this.uuidsInSubtree(node.uuid).includes(above.uuid)) throw new Error(`${above.name} is ${node.name} or is below it`);
    this.#leaveParent(node);
    node.parent = above.uuid;
    this.#joinParent(node);
    return this.#changed(node, 'place');
  }

  hasInventory(nameOrUuid: string): boolean {
    return Object.keys(this.#get(nameOrUuid).inventories).length > 0;
  }

  /**
   * Whether these inventories differ from those of the provider. A field that the new record omits is not a difference (but gets its default if another
   * difference causes a write); a field that only the new record has is compared with its default.
   */
  hasInventoryChanged(nameOrUuid: string, inventories: GivenInventories): boolean {
    const had = this.#get(nameOrUuid).inventories;
    const classes = Object.keys(inventories);
    return classes.length !== Object.keys(had).length || classes.some((name) => differs(had[name], inventories[name]));
  }

  /** Replaces all inventories, given by class. */
  updateInventory(nameOrUuid: string, inventories: GivenInventories): boolean {
    if (!this.hasInventoryChanged(nameOrUuid, inventories)) return false;
    const node = this.#get(nameOrUuid);
    node.inventories = copyOf(inventories);
    return this.#changed(node, 'inventories');
  }

  hasTraits(nameOrUuid: string, traits: Iterable<string>): boolean {
    const { traits: had } = this.#get(nameOrUuid);
    return [...traits].every((trait) => had.has(trait));
  }

  haveTraitsChanged(nameOrUuid: string, traits: Iterable<string>): boolean {
    return areDifferent(this.#get(nameOrUuid).traits, new Set(traits));
  }

  updateTraits(nameOrUuid: string, traits: Iterable<string>): boolean {
    return this.#replace(nameOrUuid, 'traits', traits);
  }

  addTraits(nameOrUuid: string, ...traits: string[]): boolean {
    return this.updateTraits(nameOrUuid, [...this.#get(nameOrUuid).traits, ...traits]);
  }

  removeTraits(nameOrUuid: string, ...traits: string[]): boolean {
    return this.updateTraits(
      nameOrUuid,
      [...this.#get(nameOrUuid).traits].filter((trait) => !traits.includes(trait)),
    );
  }

  isInAggregates(nameOrUuid: string, aggregates: Iterable<string>): boolean {
    const { aggregates: had } = this.#get(nameOrUuid);
    return [...aggregates].every((aggregate) => had.has(aggregate));
  }

  haveAggregatesChanged(nameOrUuid: string, aggregates: Iterable<string>): boolean {
    return areDifferent(this.#get(nameOrUuid).aggregates, new Set(aggregates));
  }

  updateAggregates(nameOrUuid: string, aggregates: Iterable<string>): boolean {
    return this.#replace(nameOrUuid, 'aggregates', aggregates);
  }

  addAggregates(nameOrUuid: string, ...aggregates: string[]): boolean {
    return this.updateAggregates(nameOrUuid, [...this.#get(nameOrUuid).aggregates, ...aggregates]);
  }

  removeAggregates(nameOrUuid: string, ...aggregates: string[]): boolean {
    return this.updateAggregates(
      nameOrUuid,
      [...this.#get(nameOrUuid).aggregates].filter((aggregate) => !aggregates.includes(aggregate)),
    );
  }

  /** All providers, parents before children. */
  uuids(): string[] {
    return [...this.#nodes.values()].filter(({ parent }) => parent === null).flatMap(({ uuid }) => this.uuidsInSubtree(uuid));
  }

  /** The whole tree of a provider, root first. */
  uuidsInTree(nameOrUuid: string): string[] {
    return this.uuidsInSubtree(this.#rootOf(this.#get(nameOrUuid)).uuid);
  }

  /** A provider and its descendants, parents first. */
  uuidsInSubtree(nameOrUuid: string): string[] {
    const found = [this.#get(nameOrUuid).uuid];
    // The list grows during the iteration.
    for (const uuid of found) for (const child of this.#children.get(uuid) ?? []) found.push(child.uuid);
    return found;
  }

  /** Providers of a tree that were read and then removed from this copy, children first. */
  removedFrom(root: string): string[] {
    return [...this.#removed]
      .filter(([, removed]) => removed.root === root)
      .map(([uuid]) => uuid)
      .toReversed();
  }

  /** Whether one of these providers shares a class with other trees. */
  hasSharingProvider(resourceClass: string): boolean {
    return [...this.#nodes.values()].some(
      ({ traits, inventories }) => traits.has(sharingTrait) && Object.hasOwn(inventories, resourceClass),
    );
  }

  #replace(nameOrUuid: string, part: 'traits' | 'aggregates', names: Iterable<string>): boolean {
    const node = this.#get(nameOrUuid);
    const wanted = new Set(names);
    if (!areDifferent(node[part], wanted)) return false;
    node[part] = wanted;
    return this.#changed(node, part);
  }

  #changed(node: TreeNode, part: ProviderPart): true {
    node.changed.add(part);
    return true;
  }

  #addNew(name: string, uuid: string, parent: string | null): void {
    this.#add({
      uuid,
      name,
      parent,
      generation: null,
      inventories: {},
      traits: new Set(),
      aggregates: new Set(),
      changed: new Set(['place']),
    });
  }

  #add(node: TreeNode): void {
    if (this.#nodes.has(node.uuid)) throw new Error(`provider ${node.uuid} exists already`);
    this.#requireNew(node.name);
    this.#nodes.set(node.uuid, node);
    this.#byName.set(node.name, node);
    this.#joinParent(node);
  }

  #delete(node: TreeNode): void {
    this.#nodes.delete(node.uuid);
    this.#byName.delete(node.name);
    this.#leaveParent(node);
  }

  #joinParent(node: TreeNode): void {
    if (node.parent === null) return;
    const siblings = this.#children.get(node.parent) ?? new Set();
    this.#children.set(node.parent, siblings.add(node));
  }

  #leaveParent(node: TreeNode): void {
    if (node.parent !== null) this.#children.get(node.parent)?.delete(node);
  }

  #requireNew(name: string): void {
    if (this.#find(name)) throw new Error(`provider ${name} exists already`);
  }

  #rootOf(node: TreeNode): TreeNode {
    return node.parent === null ? node : this.#rootOf(this.#get(node.parent));
  }

  #get(nameOrUuid: string): TreeNode {
    const node = this.#find(nameOrUuid);
    if (!node) throw new Error(`there is no provider ${nameOrUuid} here`);
    return node;
  }

  #find(nameOrUuid: string): TreeNode | undefined {
    return this.#nodes.get(nameOrUuid) ?? this.#byName.get(nameOrUuid);
  }
}

function copyOf(inventories: GivenInventories): GivenInventories {
  return Object.fromEntries(Object.entries(inventories).map(([resourceClass, inventory]) => [resourceClass, { ...inventory }]));
}

/** The defaults of an inventory. */
const defaults: Omit<Required<GivenInventory>, 'total'> = { reserved: 0, minUnit: 1, maxUnit: maxAmount, stepSize: 1, allocationRatio: 1 };

function differs(had: GivenInventory | undefined, wanted: GivenInventory | undefined): boolean {
  if (!had || !wanted) return had !== wanted;
  const complete: GivenInventory = { ...defaults, ...had };
  return Object.entries(wanted).some(
    ([field, value]) => value !== undefined && value !== null && value !== complete[field as keyof GivenInventory],
  );
}

function areDifferent(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size !== others.size || [...some].some((one) => !others.has(one));
}
