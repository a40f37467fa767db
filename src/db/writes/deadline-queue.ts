// A queue that drops items that have waited too long: each is answered in time, whatever happens to those in front.

interface Entry<T> {
  readonly item: T;
  readonly deadline: number;
}

/** First in, first out. Deadlines are in milliseconds, as performance.now(). */
export class DeadlineQueue<T> {
  #entries: Entry<T>[] = [];
  readonly #onExpired: (item: T) => void;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires. */
  #wakesAt = Number.POSITIVE_INFINITY;

  /** `onExpired` gets each item whose deadline passes in the queue; it has been removed then. */
  constructor(onExpired: (item: T) => void) {
    this.#onExpired = onExpired;
  }

  get size(): number {
    return this.#entries.length;
  }

  push(item: T, deadline: number): void {
    this.#entries.push({ item, deadline });
    if (deadline < this.#wakesAt) this.#watch(deadline);
  }

  shift(): T | undefined {
    return this.#entries.shift()?.item;
  }

  /** Removes the last item that `isTaken` accepts, and returns it. */
  takeLast(isTaken: (item: T) => boolean): T | undefined {
    const index = this.#entries.findLastIndex(({ item }) => isTaken(item));
    return index < 0 ? undefined : this.#entries.splice(index, 1)[0]?.item;
  }

  /** Removes the items that `isTaken` accepts and returns them, in order; looks at no more of them once it says 'stop'. */
  take(isTaken: (item: T) => boolean | 'stop'): T[] {
    const taken: T[] = [];
    const left: Entry<T>[] = [];
    let isStopped = false;
    for (const entry of this.#entries) {
      const decision: boolean | 'stop' = isStopped ? 'stop' : isTaken(entry.item);
      if (decision === true) taken.push(entry.item);
      else left.push(entry);
      isStopped = decision === 'stop';
    }
    this.#entries = left;
    return taken;
  }

  /** One timer serves all entries, because few of them expire. */
  #watch(wakesAt: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = wakesAt;
    if (wakesAt < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#expire(), Math.max(1, wakesAt - performance.now()));
  }

  #expire(): void {
    const now = performance.now();
    const expired = this.#entries.filter(({ deadline }) => deadline <= now);
    if (expired.length > 0) this.#entries = this.#entries.filter(({ deadline }) => deadline > now);
    this.#watch(this.#entries.reduce((least, { deadline }) => Math.min(least, deadline), Number.POSITIVE_INFINITY));
    for (const { item } of expired) this.#onExpired(item);
  }
}

/** A queue of each asker. They take turns: whoever asks once does not wait for all that another has asked before. */
export class FairQueue<T> {
  readonly #onExpired: (item: T) => void;
  /** By asker; the first is next. Those that have expired may have left an empty one. */
  readonly #queues = new Map<string, DeadlineQueue<T>>();

  /** As for a DeadlineQueue. */
  constructor(onExpired: (item: T) => void) {
    this.#onExpired = onExpired;
  }

  get size(): number {
    let size = 0;
    for (const queue of this.#queues.values()) size += queue.size;
    return size;
  }

  /**
   * Drops an item, as if it had expired, for one of this asker: the last that `isWeak` accepts in the longest queue that has one; if there is none, the last of the
   * longest queue. The queue must have more items than the asker has then; for a strong item, as many are enough, or it is the asker's own. False if there is no such item.
   */
  makesRoomFor(asker: string, isWeak: (item: T) => boolean, isStrong: boolean): boolean {
    const own = this.#queues.get(asker);
    // Of queues of the same length, the one whose turn is last.
    const longestFirst = [...this.#queues.values()].reverse().toSorted((a, b) => b.size - a.size);
    const size = own?.size ?? 0;
    const longer = longestFirst.filter((queue) => queue.size > size + 1);
    const giving = isStrong ? [...(own ? [own] : []), ...longestFirst.filter((queue) => queue.size >= size)] : longer;
    const dropped = firstOf(giving, (queue) => queue.takeLast(isWeak)) ?? longer[0]?.takeLast(() => true);
    if (dropped === undefined) return false;
    this.#onExpired(dropped);
    return true;
  }

  push(item: T, deadline: number, asker: string): void {
    const queue = this.#queues.get(asker) ?? new DeadlineQueue(this.#onExpired);
    this.#queues.set(asker, queue);
    queue.push(item, deadline);
  }

  shift(): T | undefined {
    for (const [asker, queue] of this.#queues) {
      this.#queues.delete(asker);
      const item = queue.shift();
      if (queue.size > 0) this.#queues.set(asker, queue);
      if (item !== undefined) return item;
    }
    return undefined;
  }
}

/** The first result that there is. */
function firstOf<Value, Result>(values: readonly Value[], find: (value: Value) => Result | undefined): Result | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
