// Sets of ids that many providers share: a cloud of 100,000 hosts has a few dozen different sets of traits. Each is kept once, so equal sets
// are the same object, and whatever was computed for one set is known for all providers that have it.

/** A set of ids. Two sets of one IdSets are equal exactly when they are the same object. */
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

/** Keeps one object for each set that somebody holds. */
export class IdSets {
  private readonly sets = new Map<string, SortedIds>();
  /** The feed decodes equal sets to the same array, which is then found without sorting it again. */
  private readonly told = new WeakMap<readonly number[], SortedIds>();

  /** The set of these ids, in any order, for one more holder. The array must not change afterwards. */
  hold(ids: readonly number[]): IdSet {
    const known = this.told.get(ids);
    if (known && known.holders > 0) return this.holdAgain(known);
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    const key = sorted.join();
    const set = this.sets.get(key) ?? new SortedIds(sorted, key);
    this.sets.set(key, set);
    this.told.set(ids, set);
    return this.holdAgain(set);
  }

  /** A set that somebody holds, for one more holder. */
  holdAgain(set: IdSet): IdSet {
    (set as SortedIds).holders++;
    return set;
  }

  /** One holder less; a set without holders is forgotten. */
  release(set: IdSet): void {
    const held = set as SortedIds;
    if (--held.holders === 0) this.sets.delete(held.key);
  }
}
