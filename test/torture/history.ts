// What a torture run records: every operation of every client with its times on one clock, what it asked, what it was told, and the generations that it
// read. Knows no HTTP and no SQL.

/** ok: told that it was done. fail: told that nothing was done. unknown: not told, or told that nobody knows. */
export type Outcome = 'ok' | 'fail' | 'unknown';

/** A generation of a consumer, a provider or a reservation; null: there is no such object. */
export interface Reading {
  readonly subject: 'consumer' | 'provider' | 'reservation';
  readonly uuid: string;
  readonly generation: number | null;
  /** The allocations that were shown with it, or what the reservation keeps. */
  readonly held?: Held;
}

/** Amounts by provider and class: `{ <uuid>/VCPU: 2 }`. */
export type Held = Readonly<Record<string, number>>;

/** What a write says about its subjects. */
export interface Intent {
  /** Generations that the write requires; null: that there is none. */
  readonly expected?: readonly Reading[];
  /** The allocations that consumers have after it; empty: the consumer is gone. */
  readonly wanted?: Readonly<Record<string, Held>>;
  /** The consumers that last after it, unless they claim from a reservation. */
  readonly lasting?: readonly string[];
  /** Whether it writes an event whenever it succeeds. */
  readonly alwaysWrites?: boolean;
}

export interface Answer {
  readonly outcome: Outcome;
  /** The code of a refusal or error; empty for ok. */
  readonly code: string;
  /** The opaque id of the event that was told; null: none was written; undefined: the surface does not tell. */
  readonly event?: string | null;
  readonly readings?: readonly Reading[];
}

/** One operation of a client, with all its attempts. Times in milliseconds. */
export interface Operation extends Intent {
  /** Sent as the global request id with every attempt, so that it is found in the events. */
  readonly id: string;
  readonly client: string;
  readonly name: string;
  readonly kind: 'read' | 'write';
  readonly input: unknown;
  readonly isKeyed: boolean;
  readonly invoked: number;
  /** Infinity when the outcome stayed unknown: its effect may still come. */
  readonly returned: number;
  readonly outcome: Outcome;
  readonly answers: readonly Answer[];
  readonly readings: readonly Reading[];
}

/** A committed write, from the table of events. */
export interface LedgerEvent {
  readonly id: number;
  readonly transaction: string;
  /** The global request id. */
  readonly tag: string | null;
  readonly kind: string;
  /** When its transaction began, by the clock of the database. Of two moments in this form, as in changes, the later one is the greater text. */
  readonly at: string;
  readonly changes: {
    readonly providers?: Readonly<Record<string, Change>>;
    readonly consumers?: Readonly<Record<string, Change>>;
    /** By program and host. */
    readonly services?: Readonly<Record<string, Change>>;
    readonly reservations?: Readonly<Record<string, Change>>;
    /** By kind and uuid. */
    readonly quotas?: Readonly<Record<string, Change>>;
  };
}

export interface Change {
  readonly before: State | null;
  readonly after: State | null;
}

/** The parts of a subject's state, all of them or those that changed. */
export interface State {
  readonly [part: string]: unknown;
}

/** What the tables say at the end, by uuid or name, in the form of events. */
export interface Tables {
  readonly providers: ReadonlyMap<string, State>;
  readonly consumers: ReadonlyMap<string, State>;
  readonly services: ReadonlyMap<string, State>;
  readonly reservations: ReadonlyMap<string, State>;
  readonly quotas: ReadonlyMap<string, State>;
}

/** Something that must never be, with its class in a word. */
export interface Violation {
  readonly anomaly: string;
  readonly text: string;
}

/** Reports a violation. */
export type Say = (anomaly: string, text: string) => void;

/** The outcome of all attempts at one operation together: one that was told `ok` was done, whatever the others were told. */
export function outcomeOf(answers: readonly Answer[]): Outcome {
  if (answers.some(({ outcome }) => outcome === 'ok')) return 'ok';
  return answers.every(({ outcome }) => outcome === 'fail') ? 'fail' : 'unknown';
}

/** Allocations in the form of events as amounts by provider and class. */
export function heldIn(state: State | null): Held {
  if (state === null) return {};
  const rows = (state.allocations ?? []) as readonly { provider: string; resourceClass: string; amount: number }[];
  const held =
    helds.get(state) ?? Object.fromEntries(rows.map(({ provider, resourceClass, amount }) => [`${provider}/${resourceClass}`, amount]));
  helds.set(state, held);
  return held;
}

/** What each state holds, kept because the checks ask for it again and again. */
const helds = new WeakMap<State, Held>();

/** The same text for equal values, regardless of the order of keys. */
export function canonical(value: unknown): string {
  const sorted = (_key: string, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value, sorted) ?? 'nothing';
}

/** Map.groupBy, which Node 20 does not have. */
export function groupedBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
