// The past of providers, consumers, projects and the whole cloud, reconstructed from the current state and the `before` values of the
// events since.
import { HistoryRefusal } from './errors.ts';
import { limits } from './limits.ts';

/** How far back the past is known, by the clock of the database, which is that of the events. */
export interface KnownPast {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** All events since then are kept; what was before is unknown. */
  readonly since: string;
  /** Whether older events were deleted; otherwise the database was begun then. */
  readonly isPruned: boolean;
}

/** A past moment; a future one is taken as now. Refuses HISTORY_GONE. */
export function pastAt(moment: string, { now, since, isPruned }: KnownPast): string {
  const at = new Date(Math.min(Date.parse(moment), now));
  if (at < new Date(since)) {
    const why = isPruned ? 'events are kept since' : 'this database was begun at';
    throw new HistoryRefusal(
      'HISTORY_GONE',
      `The state is not known at ${at.toISOString()}: ${why} ${new Date(since).toISOString()}. Ask about a later moment${isPruned ? ', or keep events for longer' : ''}.`,
    );
  }
  return at.toISOString() === new Date(moment).toISOString() ? moment : at.toISOString();
}

/** Refuses a result that depends on too many events, or (null) on events some of which have been deleted. */
export function checkHistoryLength(eventCount: number | null, most: number = limits.historyEvents): asserts eventCount is number {
  if (eventCount === null) {
    throw new HistoryRefusal(
      'HISTORY_GONE',
      'Events since then have just been deleted. Ask about a later moment, or keep events for longer.',
    );
  }
  if (eventCount <= most) return;
  throw new HistoryRefusal(
    'HISTORY_TOO_LONG',
    `More than ${most} events would have to be read: ask about a later moment, or about a provider, a consumer or a project alone.`,
  );
}

/** The subject whose past is queried. */
export type HistorySubject =
  | { readonly noun: 'resourceProvider' | 'consumer' | 'project'; readonly key: string }
  | { readonly noun: 'cloud' };

/** Amounts of one class. */
export interface UsageCount {
  readonly used: number;
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  /** The number of providers with an inventory of the class. */
  readonly providers: number;
}

export interface UsageAt extends UsageCount {
  readonly resourceClassName: string;
}

export interface UsageSample {
  /** RFC 3339. */
  readonly at: string;
  readonly consumers: number;
  /** By class. */
  readonly usages: readonly UsageAt[];
}

/** The current state of a provider or consumer, and the values at a past moment of the parts that have changed since. */
export interface StateBefore {
  readonly current: Readonly<Record<string, unknown>> | null;
  /** Whether it existed at that moment; null if it has not been written since. */
  readonly existed: boolean | null;
  readonly parts: Readonly<Record<string, unknown>>;
}

/** The whole state at that moment; null if it did not exist. */
export function stateOf({ current, existed, parts }: StateBefore): Readonly<Record<string, unknown>> | null {
  return (existed ?? current !== null) ? { ...current, ...parts } : null;
}

type Amounts = UsageCount & { readonly resourceClassName: string | null; readonly consumers: number; readonly since: number | null };

/** The amounts at each moment: the current ones minus later additions. `since` is the number of moments before a change. */
export function usageAt(moments: readonly string[], rows: readonly Amounts[]): UsageSample[] {
  const current = new Map<string | null, Tally>();
  const tallyOf = (name: string | null): Tally => {
    const tally = current.get(name) ?? { used: 0, total: 0, reserved: 0, capacity: 0, providers: 0, consumers: 0 };
    current.set(name, tally);
    return tally;
  };
  for (const row of rows) if (row.since === null) add(tallyOf(row.resourceClassName), row, 1);
  const changes = rows.filter(({ since }) => since !== null).toSorted((one, other) => Number(other.since) - Number(one.since));
  let undone = 0;
  const samples: UsageSample[] = [];
  for (let index = moments.length - 1; index >= 0; index--) {
    for (let change = changes[undone]; change && Number(change.since) > index; change = changes[++undone])
      add(tallyOf(change.resourceClassName), change, -1);
    const usages = [...current].flatMap(([resourceClassName, { consumers: _, ...counts }]) =>
      resourceClassName !== null && (counts.used !== 0 || counts.providers !== 0)
        ? [{ resourceClassName, ...counts, capacity: Math.min(counts.capacity, Number.MAX_SAFE_INTEGER) }]
        : [],
    );
    usages.sort((one, other) => (one.resourceClassName < other.resourceClassName ? -1 : 1));
    samples.unshift({ at: moments[index] ?? '', consumers: current.get(null)?.consumers ?? 0, usages });
  }
  return samples;
}

type Tally = { -readonly [Key in keyof UsageCount | 'consumers']: number };

function add(tally: Tally, amounts: Readonly<Tally>, sign: 1 | -1): void {
  for (const key of ['used', 'total', 'reserved', 'capacity', 'providers', 'consumers'] as const) tally[key] += sign * amounts[key];
}
