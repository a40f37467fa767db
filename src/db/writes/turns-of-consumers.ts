// Replacements, moves and releases of one consumer happen in the order in which they arrive at a gateway, whether they share a call or are alone.
import { limits } from '../../domain/limits.ts';
import { type Db, mainHandleOf } from '../sql/client.ts';
import { tooManyWaiting } from './permits.ts';

interface Turns {
  /** The last write of each consumer that has not ended. It never rejects. */
  readonly last: Map<string, Promise<void>>;
  waiting: number;
}

const turnsOf = new WeakMap<Db, Turns>();

/** Writes when the earlier writes of these consumers have ended. Throws Overloaded if that takes longer than until the deadline, or too many wait. */
export function writeInTurn<T>(
  db: Db,
  consumers: readonly { readonly uuid: string }[],
  deadline: number,
  write: () => Promise<T>,
): Promise<T> {
  const main = mainHandleOf(db);
  let turns = turnsOf.get(main);
  if (!turns) {
    turns = { last: new Map(), waiting: 0 };
    turnsOf.set(main, turns);
  }
  const { last } = turns;
  const earlier = consumers.flatMap(({ uuid }) => last.get(uuid) ?? []);
  if (earlier.length > 0 && turns.waiting >= limits.queuedWrites) return Promise.reject(tooManyWaiting());
  const outcome = earlier.length === 0 ? write() : writeAfter(turns, earlier, deadline, write);
  const forget = () => {
    for (const { uuid } of consumers) if (last.get(uuid) === end) last.delete(uuid);
  };
  const end = outcome.then(forget, forget);
  for (const { uuid } of consumers) last.set(uuid, end);
  return outcome;
}

async function writeAfter<T>(turns: Turns, earlier: readonly Promise<void>[], deadline: number, write: () => Promise<T>): Promise<T> {
  turns.waiting++;
  try {
    await Promise.all(earlier);
  } finally {
    turns.waiting--;
  }
  if (performance.now() > deadline) throw tooManyWaiting();
  return write();
}
