// Decides which of many callers is next when only some may be served at once. Callers that ask too much wait behind others, not before them: sources take
// turns, each may use only a part, and likely valid tokens go first, though not always. If too many wait, the source with the most waiting is refused.
import { Overloaded } from '../../domain/errors.ts';
import { Concurrency, type ConcurrencyBounds } from './concurrency.ts';
import { beforeDeadline } from './fault.ts';

export interface TurnBounds {
  /** In progress, of all sources. */
  readonly atOnce: ConcurrencyBounds;
  /** Waiting, of all sources and of one. */
  readonly mostWaiting: number;
  readonly mostWaitingOfSource: number;
}

/** The source of a caller, and how likely serving it is worth the work: 0 is likeliest. */
export interface Turn {
  readonly source: string;
  readonly rank: 0 | 1 | 2;
}

interface Waiter extends Turn {
  readonly go: () => void;
  readonly refuse: () => void;
}

type Queue = Map<string, Set<Waiter>>;

/** One turn in so many goes to the least likely waiters. */
const turnsUntilUnlikely = 4;
/** The share of the bound of all sources that one source may use. */
const shareOfSource = 3 / 4;

export class Turns {
  readonly #bounds: TurnBounds;
  /** By rank, then by source, in the order of their turns. */
  readonly #queues: readonly Queue[] = [new Map(), new Map(), new Map()];
  readonly #waitingOf = new Map<string, number>();
  readonly #workingOf = new Map<string, number>();
  #waiting = 0;
  #working = 0;
  #turns = 0;
  readonly #concurrency: Concurrency;

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
    this.#concurrency = new Concurrency(bounds.atOnce);
  }

  /** Does the work in its turn. Rejects with Overloaded, or if the deadline passes first. */
  async run<Result>(deadline: AbortSignal, turn: Turn, work: () => Promise<Result>): Promise<Result> {
    const asked = performance.now();
    // All that could begin have begun: the waiters' sources have used up their shares.
    if (this.#mayBegin(turn.source)) this.#begin(turn.source);
    else await this.#wait(deadline, turn);
    const began = performance.now();
    try {
      const result = await work();
      this.#concurrency.noteAnswer(began, performance.now());
      return result;
    } catch (error) {
      const now = performance.now();
      // A caller that spent most of its time waiting for its turn says nothing about the work.
      if (!deadline.aborted || now - began > began - asked) this.#concurrency.noteFailure(began, now);
      throw error;
    } finally {
      this.#working -= 1;
      add(this.#workingOf, turn.source, -1);
      this.#beginNext();
    }
  }

  #mayBegin(source: string): boolean {
    const { limit } = this.#concurrency;
    return this.#working < limit && (this.#workingOf.get(source) ?? 0) < Math.max(1, Math.floor(limit * shareOfSource));
  }

  #begin(source: string): void {
    this.#working += 1;
    add(this.#workingOf, source, 1);
  }

  async #wait(deadline: AbortSignal, turn: Turn): Promise<void> {
    const { mostWaiting, mostWaitingOfSource } = this.#bounds;
    if ((this.#waitingOf.get(turn.source) ?? 0) >= mostWaitingOfSource && !this.#makeRoom(turn, turn.source)) throw overloaded();
    if (this.#waiting >= mostWaiting && !this.#makeRoom(turn, this.#largestSource())) throw overloaded();
    this.#concurrency.noteWait();
    let waiter: Waiter | undefined;
    const called = new Promise<void>((go, reject) => {
      waiter = { ...turn, go, refuse: () => reject(overloaded()) };
      this.#enqueue(waiter);
    });
    await beforeDeadline(deadline, called).finally(() => waiter && this.#remove(waiter));
  }

  #enqueue(waiter: Waiter): void {
    const queue = this.#queueOf(waiter);
    const own = queue.get(waiter.source);
    if (own) own.add(waiter);
    else queue.set(waiter.source, new Set([waiter]));
    this.#waiting += 1;
    add(this.#waitingOf, waiter.source, 1);
  }

  #remove(waiter: Waiter): void {
    const queue = this.#queueOf(waiter);
    const own = queue.get(waiter.source);
    if (!own?.delete(waiter)) return;
    if (own.size === 0) queue.delete(waiter.source);
    this.#waiting -= 1;
    add(this.#waitingOf, waiter.source, -1);
  }

  #beginNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#turns += 1;
      const queue = this.#queueOf(next);
      this.#remove(next);
      // Moves the source to the end.
      const rest = queue.get(next.source);
      queue.delete(next.source);
      if (rest) queue.set(next.source, rest);
      this.#begin(next.source);
      next.go();
    }
    if (this.#waiting > 0) this.#concurrency.noteWait();
  }

  #next(): Waiter | undefined {
    if (this.#waiting === 0 || this.#working >= this.#concurrency.limit) return undefined;
    const queues = this.#turns % turnsUntilUnlikely === turnsUntilUnlikely - 1 ? this.#queues.toReversed() : this.#queues;
    for (const queue of queues) for (const [source, [first]] of queue) if (this.#mayBegin(source)) return first;
    return undefined;
  }

  /** Refuses the last and least likely waiter of a source, if that is less likely than this one or its source has more waiting. Returns whether it did. */
  #makeRoom({ source, rank }: Turn, from: string): boolean {
    const hasMore = (this.#waitingOf.get(from) ?? 0) > (this.#waitingOf.get(source) ?? 0) + 1;
    for (const [of, queue] of [...this.#queues.entries()].toReversed()) {
      const own = queue.get(from);
      if (!own) continue;
      if (of <= rank && !hasMore) return false;
      const last = [...own].at(-1);
      if (!last) return false;
      this.#remove(last);
      last.refuse();
      return true;
    }
    return false;
  }

  #largestSource(): string {
    let largest = '';
    for (const [source, waiting] of this.#waitingOf) if (waiting > (this.#waitingOf.get(largest) ?? 0)) largest = source;
    return largest;
  }

  #queueOf({ rank }: Turn): Queue {
    return this.#queues[rank] as Queue;
  }
}

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function overloaded(): Overloaded {
  return new Overloaded('Too many tokens are being validated at the moment.');
}
