// Families of loaders: a field with arguments has one loader for each set of arguments, created on first use within a request. Also small functions
// that turn the rows of a batch into an answer for each key. Knows no noun.
import DataLoader from 'dataloader';
import { scheduleBatch } from './event-loop-share.ts';

/** The loaders of a request: one statement for all keys that are asked for at the same level of an operation, however large. */
export class Loader<Key, Value, Cached = Key> extends DataLoader<Key, Value, Cached> {
  constructor(read: DataLoader.BatchLoadFn<Key, Value>, options: DataLoader.Options<Key, Value, Cached> = {}) {
    super(read, { batchScheduleFn: scheduleBatch, ...options });
  }
}

/** One loader for each set of arguments; arguments are equal when their JSON is. */
export function loadersByArguments<Args, Key, Value>(make: (args: Args) => DataLoader<Key, Value>): (args: Args) => DataLoader<Key, Value> {
  const made = new Map<string, DataLoader<Key, Value>>();
  return (args) => {
    const name = JSON.stringify(args);
    let loader = made.get(name);
    if (loader === undefined) {
      loader = make(args);
      made.set(name, loader);
    }
    return loader;
  };
}

/** A loader of one row for each key; null if there is none. */
export function loadOne<Key, Row>(
  select: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): DataLoader<Key, Row | null> {
  return new Loader(async (keys) => {
    const rows = new Map((await select(keys)).map((row) => [keyOf(row), row]));
    return keys.map((key) => rows.get(key) ?? null);
  });
}

/** A loader of all rows of each key, in the order of the statement. */
export function loadMany<Key, Row>(
  select: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): DataLoader<Key, readonly Row[]> {
  return new Loader(async (keys) => {
    const rows = groupBy(await select(keys), keyOf);
    return keys.map((key) => rows.get(key) ?? []);
  });
}

/** A value or a promise of it: known values need not be awaited. */
export type Loaded<Value> = Value | Promise<Value>;

/** Continues with the loaded value, synchronously if it is already available. */
export function whenLoaded<Value, Result>(loaded: Loaded<Value>, use: (value: Value) => Result): Loaded<Result> {
  return loaded instanceof Promise ? loaded.then(use) : use(loaded);
}

/** A loader that uses known values before it reads. */
export function knownFirst<Key, Value>(find: (key: Key) => Value | undefined, loader: DataLoader<Key, Value>) {
  return {
    load: (key: Key): Loaded<Value> => find(key) ?? loader.load(key),
    prime: (key: Key, value: Value): void => {
      loader.prime(key, value);
    },
  };
}

/** The rows of each key, in the given order. */
export function groupBy<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
