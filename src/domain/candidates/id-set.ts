// Interned sets of ids: a cloud of 100,000 hosts has a few dozen different sets of traits. Each is kept once, so equal sets are the same
// object, and whatever is computed for a set is known for all providers that have it.

/** A set of ids. Two sets of the same IdSets are equal exactly if they are the same object. */
export interface IdSet {
  readonly ids: readonly number[];
  has(id: number): boolean;
}

class SortedIds implements IdSet {
  readonly ids: readonly number[];
  readonly key: string;
  holders = 0;
  private readonly set: ReadonlySet<number>;

  constructor(ids: readonly number[], key: string) {
    this.ids = ids;
    this.key = key;
    this.set = new Set(ids);
  }

  has(id: number): boolean {
    return this.set.has(id);
  }
}

/** Keeps one reference-counted object for each distinct set. */
export class IdSets {
  private readonly sets = new Map<string, SortedIds>();
  /** The feed decodes equal sets to the same array, so a known array need not be sorted again. */
  private readonly byIds = new WeakMap<readonly number[], SortedIds>();

  /** Adds a reference to the set of these ids, given in any order. The array must not change afterwards. */
  hold(ids: readonly number[]): IdSet {
    const known = this.byIds.get(ids);
    if (known && known.holders > 0) return this.holdAgain(known);
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    const key = sorted.join();
    const set = this.sets.get(key) ?? new SortedIds(sorted, key);
    this.sets.set(key, set);
    this.byIds.set(ids, set);
    return this.holdAgain(set);
  }

  /** Adds a reference to a set that is already held. */
  holdAgain(set: IdSet): IdSet {
    (set as SortedIds).holders++;
    return set;
  }

  /** Drops a reference; a set without references is forgotten. */
  release(set: IdSet): void {
    const held = set as SortedIds;
    if (--held.holders === 0) this.sets.delete(held.key);
  }
}
