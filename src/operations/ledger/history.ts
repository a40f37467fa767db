// Past states and usage over time, reconstructed from the events since, so that the cost depends on what was written since.
import { type KnownPast, selectKnownPast, selectStateBefore, selectUsageSince } from '../../db/history.ts';
import { HistoryRefusal, invalidInput } from '../../domain/errors.ts';
import type { HeldAllocation } from '../../domain/event-changes.ts';
import { type HistorySubject, stateOf, type UsageSample, usageAt } from '../../domain/history.ts';
import type { Optional } from '../../domain/input.ts';
import type { InventoryRecord } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../request/scope.ts';

/** A past moment. */
export interface PastState {
  /** RFC 3339. */
  readonly at: string;
}

export interface PastInventory extends InventoryRecord {
  readonly resourceClassName: string;
  readonly used: number;
}

export interface PastProvider {
  readonly resourceProviderUuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parentUuid: string | null;
  readonly inventories: readonly PastInventory[];
  readonly traitNames: readonly string[];
  readonly aggregateUuids: readonly string[];
}

export interface PastConsumer {
  readonly consumerUuid: string;
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly consumerType: string | null;
  readonly allocations: readonly HeldAllocation[];
}

/** Opens a past moment; a future one is taken as now. Refuses HISTORY_GONE. */
export async function openPast({ db }: RequestScope, moment: string): Promise<PastState> {
  return pastAt(moment, await selectKnownPast(db));
}

function pastAt(moment: string, { now, oldest }: KnownPast): PastState {
  const at = new Date(Math.min(Date.parse(moment), now));
  if (oldest && (oldest.at === null || at < new Date(oldest.at))) {
    const since = oldest.at === null ? 'no events are kept' : `the oldest event that is kept is of ${new Date(oldest.at).toISOString()}`;
    throw new HistoryRefusal(
      'HISTORY_GONE',
      `The state is not known at ${at.toISOString()}: ${since}. Ask about a later moment, or keep events for longer.`,
    );
  }
  return { at: at.toISOString() === new Date(moment).toISOString() ? moment : at.toISOString() };
}

/** The past state of a provider; null if it did not exist. Refuses HISTORY_TOO_LONG. */
export async function findPastProvider({ db }: RequestScope, { at }: PastState, uuid: string): Promise<PastProvider | null> {
  const subject = { noun: 'resourceProvider', key: uuid } as const;
  const [before, usage] = await Promise.all([selectStateBefore(db, subject, at, limits.historyEvents), usageSince(db, subject, [at])]);
  checkLength(before.eventCount);
  const state = stateOf(before);
  if (!state) return null;
  const used = new Map(usage.samples[0]?.usages.map(({ resourceClassName, used: amount }) => [resourceClassName, amount]));
  const inventories = Object.entries(state.inventories as Readonly<Record<string, InventoryRecord>>);
  return {
    resourceProviderUuid: uuid,
    name: state.name as string,
    generation: state.generation as number,
    parentUuid: state.parent as string | null,
    inventories: inventories
      .map(([resourceClassName, inventory]) => ({ ...inventory, resourceClassName, used: used.get(resourceClassName) ?? 0 }))
      .sort((one, other) => (one.resourceClassName < other.resourceClassName ? -1 : 1)),
    traitNames: state.traits as readonly string[],
    aggregateUuids: state.aggregates as readonly string[],
  };
}

/** The past state of a consumer; null if it had no allocations. Refuses HISTORY_TOO_LONG. */
export async function findPastConsumer({ db }: RequestScope, { at }: PastState, uuid: string): Promise<PastConsumer | null> {
  const before = await selectStateBefore(db, { noun: 'consumer', key: uuid }, at, limits.historyEvents);
  checkLength(before.eventCount);
  const state = stateOf(before);
  return (
    state && {
      consumerUuid: uuid,
      generation: state.generation as number,
      project: state.project as string,
      user: state.user as string,
      consumerType: state.type as string | null,
      allocations: state.allocations as readonly HeldAllocation[],
    }
  );
}

/** Past usage and capacity. Refuses HISTORY_TOO_LONG. */
export async function findPastUsage({ db }: RequestScope, { at }: PastState, subject: HistorySubject): Promise<UsageSample> {
  const { samples } = await usageSince(db, subject, [at]);
  return samples[0] ?? { at, consumers: 0, usages: [] };
}

export interface UsageHistoryInput {
  readonly of: {
    readonly resourceProvider?: Optional<string>;
    readonly consumer?: Optional<string>;
    readonly project?: Optional<string>;
    readonly scope?: Optional<'CLOUD'>;
  };
  readonly from: string;
  readonly until?: Optional<string>;
  readonly stepSeconds: number;
}

export interface UsageHistory {
  readonly samples: readonly UsageSample[];
  readonly eventCount: number;
}

/** Usage at `from` and after each step, until `until` or now. Refuses INVALID_INPUT, HISTORY_GONE, HISTORY_TOO_LONG. */
export async function listUsageHistory(scope: RequestScope, { of, from, until, stepSeconds }: UsageHistoryInput): Promise<UsageHistory> {
  const given = Object.entries(of).filter(([, value]) => value !== null && value !== undefined);
  const [only] = given;
  if (!only || given.length > 1) throw invalidInput(['of'], 'of must have exactly one key');
  const [noun, key] = only as [keyof UsageHistoryInput['of'], string];
  const check = new InputCheck();
  if (noun === 'project') check.text(['of', 'project'], key, limits.vocabularyLength);
  if (stepSeconds < 1) check.add(['stepSeconds'], 'stepSeconds must be at least 1');
  const [first, step] = [Date.parse(from), stepSeconds * 1000];
  if (until && Date.parse(until) < first) check.add(['until'], 'until is before from');
  check.done();
  const known = await selectKnownPast(scope.db);
  const last = Math.min(until ? Date.parse(until) : known.now, known.now);
  const count = last < first ? 0 : Math.floor((last - first) / step) + 1;
  if (count > limits.usageSamples) {
    const smallest = Math.ceil((last - first) / 1000 / (limits.usageSamples - 1));
    throw invalidInput(
      ['stepSeconds'],
      `that is ${count} samples, at most ${limits.usageSamples} are returned: use a step of ${smallest} seconds`,
    );
  }
  if (count === 0) return { samples: [], eventCount: 0 };
  const { at } = pastAt(from, known);
  const moments = Array.from({ length: count }, (_, index) => (index === 0 ? at : new Date(first + index * step).toISOString()));
  return usageSince(scope.db, noun === 'scope' ? { noun: 'cloud' } : { noun, key }, moments);
}

async function usageSince(db: RequestScope['db'], subject: HistorySubject, moments: readonly string[]): Promise<UsageHistory> {
  const { eventCount, rows } = await selectUsageSince(db, subject, moments, limits.historyEvents);
  checkLength(eventCount);
  return { samples: usageAt(moments, rows), eventCount };
}

function checkLength(eventCount: number): void {
  if (eventCount <= limits.historyEvents) return;
  throw new HistoryRefusal(
    'HISTORY_TOO_LONG',
    `More than ${limits.historyEvents} events were written since then: ask about a later moment, or about a provider, a consumer or a project alone.`,
  );
}
