// What is still to be made in the other Placement, and how a write there ends. Knows the form of refusals, not of objects.
import { z } from 'zod';
import type { Db } from '../db/sql/client.ts';
import type { PlacementClient, SentAnswer } from './placement/client.ts';

/** An object that the other side refused to make as it is here. */
export interface Difference {
  readonly noun: 'resourceClass' | 'trait' | 'provider' | 'consumer';
  readonly key: string;
  readonly reason: string;
}

export type Noun = Difference['noun'];

export interface Work {
  readonly db: Db;
  readonly placement: PlacementClient;
  /** The objects that are not yet known to be as here, each with the reason of its last refusal. */
  readonly pending: Readonly<Record<Noun, Map<string, string>>>;
  /** All objects that were ever pending. */
  readonly wanted: Readonly<Record<Noun, Set<string>>>;
  /** Counts what may let an object pass that was refused before: writes that were done, objects that were added, and writes that came too late. */
  steps: number;
}

/** Why an attempt ended without making its object as it is here. */
export class Refusal extends Error {
  /** Whether another write came between reading and writing. */
  readonly isOutdated: boolean;

  constructor(reason: string, isOutdated = false) {
    super(reason);
    this.isOutdated = isOutdated;
  }
}

const refusedAnswer = z.object({ errors: z.array(z.object({ detail: z.string(), code: z.string().optional() })) });
const longestReason = 300;
/** The number of objects that are made at the same time; the client sends fewer requests. */
const width = 64;
/** The number of objects that are read from the ledger at once. */
const batchSize = 200;

export function beginWork(db: Db, placement: PlacementClient): Work {
  const each = <Value>(make: () => Value) => ({ resourceClass: make(), trait: make(), provider: make(), consumer: make() });
  return { db, placement, pending: each(() => new Map<string, string>()), wanted: each(() => new Set<string>()), steps: 0 };
}

/** Adds objects, unless they were there before. */
export function want(work: Work, noun: Noun, keys: Iterable<string>): void {
  for (const key of keys) {
    if (work.wanted[noun].has(key)) continue;
    work.wanted[noun].add(key);
    work.pending[noun].set(key, 'not tried yet');
    work.steps += 1;
  }
}

function refusalIn({ status, body }: SentAnswer): Refusal {
  const [error] = refusedAnswer.safeParse(body).data?.errors ?? [];
  // A sentence about the status precedes the reason.
  const reason = error?.detail.split('\n\n').at(-1)?.trim().slice(0, longestReason);
  return new Refusal(reason || `answered with ${status}`, error?.code === 'placement.concurrent_update');
}

/** Sends a write. Throws a Refusal. */
export async function write(work: Work, ...[method, path, body, version]: Parameters<PlacementClient['send']>): Promise<unknown> {
  const answer = await work.placement.send(method, path, body, version);
  if (answer.status >= 400) throw refusalIn(answer);
  work.steps += 1;
  return answer.body;
}

/** Deletes what is at a path, if anything is. */
export async function remove(work: Work, path: string): Promise<void> {
  const answer = await work.placement.send('DELETE', path);
  if (answer.status >= 400 && answer.status !== 404) throw refusalIn(answer);
  work.steps += 1;
}

/** Makes objects, some at a time, of which `read` gives the state here. */
export async function makeEach<State>(
  work: Work,
  noun: Noun,
  keys: readonly string[],
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, State>>,
  make: (key: string, state: State | undefined) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize);
    const states = await read(batch);
    await inParallel(batch, (key) => attempt(work, noun, key, () => make(key, states.get(key))));
  }
}

/** Makes one object. It is no longer pending, unless it is refused. */
export async function attempt(work: Work, noun: Noun, key: string, make: () => Promise<void>): Promise<void> {
  const refusal = await refusalOf(make);
  if (refusal) work.pending[noun].set(key, refusal.message);
  else work.pending[noun].delete(key);
  // The next attempt reads it again.
  if (refusal?.isOutdated) work.steps += 1;
}

/** The refusal that ends an attempt; null if it is done. */
export async function refusalOf(make: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await make();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** After a failure no more items start, and those under way come to an end before it is thrown: they must not write after a caller has begun again. */
export async function inParallel<Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await run(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work));
  if (failures.length > 0) throw failures[0];
}
