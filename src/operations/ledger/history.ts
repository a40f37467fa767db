// Past states and usage over time, reconstructed from the events since, so that the cost depends on what was written since. Reads of many events make way for others.
import { selectClaimCounts } from '../../db/claim-history.ts';
import { selectIsKnown, selectKnownPast, selectStatesBefore, selectUsageSince } from '../../db/history.ts';
import { countHoldersAt, orderOfHolders, selectHoldersAt } from '../../db/past-holders.ts';
import { selectMembersSince, selectNamedSince } from '../../db/past-members.ts';
import { forHeavyWork } from '../../db/sql/client.ts';
import { invalidInput, refusalOf } from '../../domain/errors.ts';
import type { HeldAllocation } from '../../domain/event-changes.ts';
import { checkHistoryLength, type HistorySubject, pastAt, stateOf, type UsageSample, usageAt } from '../../domain/history.ts';
import type { Optional } from '../../domain/input.ts';
import type { InventoryRecord } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { type Page, type PageArguments, withRows } from '../../domain/page.ts';
import { type MemberSpan, type MemberSubject, spansOfMembers } from '../../domain/past-members.ts';
import { type RecordedFields, recordedFields, type Scope } from '../../domain/provider.ts';
import { InputCheck } from '../request/input.ts';
import { groupBy } from '../request/keyed-loaders.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../scope/scope.ts';

/** A past moment. */
export interface PastState {
  /** RFC 3339. */
  readonly at: string;
}

export interface PastInventory extends InventoryRecord {
  readonly resourceClassName: string;
  readonly used: number;
}

export interface PastProvider extends PastState, RecordedFields {
  readonly resourceProviderUuid: string;
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
  readonly expiresAt: string | null;
  readonly allocations: readonly HeldAllocation[];
}

export type PastConsumerPage = Page<PastConsumer>;

/** Opens a past moment; a future one is taken as now. Refuses HISTORY_GONE. */
export async function openPast({ db }: RequestScope, moment: string): Promise<PastState> {
  return { at: pastAt(moment, await selectKnownPast(db)) };
}

/** The past state of a provider, by its uuid or by the name that it had; null if it did not exist. Refuses INVALID_INPUT, HISTORY_TOO_LONG. */
export async function findPastProvider(
  scope: RequestScope,
  past: PastState,
  { uuid, name }: { readonly uuid?: Optional<string>; readonly name?: Optional<string> },
): Promise<PastProvider | null> {
  if ((typeof uuid === 'string') === (typeof name === 'string')) throw invalidInput([], 'give exactly one of uuid and name');
  if (typeof uuid === 'string') return findPastProviderByUuid(scope, past, uuid);
  const check = new InputCheck();
  check.name(['name'], name ?? '');
  check.done();
  const { eventCount, uuids } = await selectNamedSince(scope.db, name ?? '', past.at, limits.historyEvents);
  checkHistoryLength(eventCount);
  const found = await Promise.all(uuids.map((each) => findPastProviderByUuid(scope, past, each)));
  return found.find((provider) => provider?.name === name) ?? null;
}

async function findPastProviderByUuid({ db }: RequestScope, { at }: PastState, uuid: string): Promise<PastProvider | null> {
  const subject = { noun: 'resourceProvider', key: uuid } as const;
  const [before, usage] = await Promise.all([statesAt(db, 'resourceProvider', [uuid], at), usageSince(db, subject, [at])]);
  const state = before.get(uuid);
  if (!state) return null;
  const used = new Map(usage.samples[0]?.usages.map(({ resourceClassName, used: amount }) => [resourceClassName, amount]));
  const inventories = Object.entries(state.inventories as Readonly<Record<string, InventoryRecord>>);
  return {
    at,
    resourceProviderUuid: uuid,
    ...(Object.fromEntries(recordedFields.map((field) => [field, state[field]])) as RecordedFields),
    parentUuid: state.parent as string | null,
    inventories: inventories
      .map(([resourceClassName, inventory]) => ({ ...inventory, resourceClassName, used: used.get(resourceClassName) ?? 0 }))
      .sort((one, other) => (one.resourceClassName < other.resourceClassName ? -1 : 1)),
    traitNames: state.traits as readonly string[],
    aggregateUuids: state.aggregates as readonly string[],
  };
}

/** The states of the providers that existed, by uuid. Refuses HISTORY_TOO_LONG. */
async function statesAt(
  db: RequestScope['db'],
  noun: 'resourceProvider' | 'consumer',
  uuids: readonly string[],
  at: string,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const { eventCount, states } = await selectStatesBefore(db, noun, uuids, at, limits.historyEvents);
  checkHistoryLength(eventCount);
  return new Map(
    states.flatMap(({ key, ...before }) => {
      const state = stateOf(before);
      return state ? [[key, state]] : [];
    }),
  );
}

/** The past state of a consumer; null if it had no allocations. Refuses HISTORY_TOO_LONG. */
export async function findPastConsumer({ db }: RequestScope, { at }: PastState, uuid: string): Promise<PastConsumer | null> {
  const [consumer] = await consumersAt(db, [uuid], at);
  return consumer ?? null;
}

/** The consumers that had allocations, in the order in which they are given. */
async function consumersAt(db: RequestScope['db'], uuids: readonly string[], at: string): Promise<PastConsumer[]> {
  const states = await statesAt(db, 'consumer', uuids, at);
  return uuids.flatMap((uuid) => {
    const state = states.get(uuid);
    if (!state) return [];
    return {
      consumerUuid: uuid,
      generation: state.generation as number,
      project: state.project as string,
      user: state.user as string,
      consumerType: state.type as string | null,
      expiresAt: (state.expiresAt ?? null) as string | null,
      allocations: state.allocations as readonly HeldAllocation[],
    };
  });
}

/**
 * A page of the consumers that had allocations on a provider, or on it and what was below it then; by uuid. Refuses INVALID_INPUT, HISTORY_TOO_LONG.
 */
export async function listPastHolders(
  { db }: RequestScope,
  { at, resourceProviderUuid }: Pick<PastProvider, 'at' | 'resourceProviderUuid'>,
  { scope, ...args }: PageArguments & { readonly scope: Scope },
): Promise<PastConsumerPage> {
  const find = async () => {
    if (scope === 'PROVIDER') return [resourceProviderUuid];
    const spans = await findSpans(db, { noun: 'tree', key: resourceProviderUuid }, [at]);
    return spans.map(({ provider }) => provider);
  };
  let found: Promise<readonly string[]> | undefined;
  const providers = () => {
    found ??= find();
    return found;
  };
  const page = await listPage(args, {
    // Without the moment: a future moment differs at each request, and its pages must continue each other all the same.
    name: `holders of ${scope} ${resourceProviderUuid}`,
    order: orderOfHolders,
    select: async (wanted) => {
      const { eventCount, rows } = await selectHoldersAt(forHeavyWork(db), await providers(), at, limits.historyEvents, wanted);
      checkHistoryLength(eventCount);
      return rows;
    },
    count: async () => {
      const { eventCount, count } = await countHoldersAt(forHeavyWork(db), await providers(), at, limits.historyEvents);
      checkHistoryLength(eventCount);
      return count;
    },
  });
  const uuids = page.rows.map(({ uuid }) => uuid);
  return withRows(page, await consumersAt(db, uuids, at));
}

/** What gives the subject of a past usage. */
const argumentOf = { project: 'externalId', tree: 'resourceProvider', aggregate: 'aggregate' } as const;
type PastUsageSubject = { readonly noun: keyof typeof argumentOf; readonly key: string } | { readonly noun: 'cloud' };

/**
 * Past usage and capacity. Refuses INVALID_INPUT for a text that cannot be the id of a project, NOT_FOUND for a subject that the ledger does not know, HISTORY_GONE,
 * HISTORY_TOO_LONG.
 */
export async function findPastUsage(scope: RequestScope, { at }: PastState, subject: PastUsageSubject): Promise<UsageSample> {
  const check = new InputCheck();
  if (subject.noun === 'project') check.text(['externalId'], subject.key, limits.vocabularyLength);
  check.done();
  if (subject.noun !== 'cloud') await expectKnown(scope, subject, [argumentOf[subject.noun]]);
  const { samples } = await usageSince(scope.db, subject, [at]);
  return samples[0] ?? { at, consumers: 0, usages: [] };
}

export interface UsageHistoryInput extends StepsInput {
  readonly of: {
    readonly resourceProvider?: Optional<string>;
    readonly tree?: Optional<string>;
    readonly aggregate?: Optional<string>;
    readonly consumer?: Optional<string>;
    readonly project?: Optional<string>;
    readonly cloud?: Optional<true>;
  };
}

/** A row of moments. */
interface StepsInput {
  readonly from: string;
  readonly until?: Optional<string>;
  readonly stepSeconds: number;
}

export interface UsageHistory {
  readonly samples: readonly UsageSample[];
  readonly eventCount: number;
}

/**
 * Usage at `from` and after each step, until `until` or now, except for the time before the database. Refuses INVALID_INPUT, NOT_FOUND for a subject that the ledger
 * does not know or the caller may not see, HISTORY_GONE, HISTORY_TOO_LONG.
 */
export async function listUsageHistory(scope: RequestScope, { of, ...steps }: UsageHistoryInput): Promise<UsageHistory> {
  const given = Object.entries(of).filter(([, value]) => value !== null && value !== undefined);
  const [only] = given;
  if (!only || given.length > 1) throw invalidInput(['of'], 'of must have exactly one key');
  const [noun, key] = only as [keyof UsageHistoryInput['of'], string];
  const check = new InputCheck();
  if (noun === 'project') check.text(['of', 'project'], key, limits.vocabularyLength);
  check.done();
  const subject: HistorySubject | MemberSubject = noun === 'cloud' ? { noun } : { noun, key };
  const [moments] = await Promise.all([openSteps(scope.db, steps), expectKnown(scope, subject, ['of', noun])]);
  return moments.length === 0 ? { samples: [], eventCount: 0 } : usageSince(scope.db, subject, moments);
}

/** The moments from `from` on, until `until` or now, except for those before the database. Refuses INVALID_INPUT, HISTORY_GONE. */
async function openSteps(
  db: RequestScope['db'],
  { from, until, stepSeconds }: StepsInput,
  { within }: { /** Whether the moments stand for the time after them, a part of which may be known. */ readonly within: boolean } = {
    within: false,
  },
): Promise<readonly string[]> {
  const check = new InputCheck();
  if (stepSeconds < 1) check.add(['stepSeconds'], 'stepSeconds must be at least 1');
  const [first, step] = [Date.parse(from), stepSeconds * 1000];
  if (until && Date.parse(until) < first) check.add(['until'], 'until is before from');
  check.done();
  const known = await selectKnownPast(db);
  const last = Math.min(until ? Date.parse(until) : known.now, known.now);
  const count = last < first ? 0 : Math.floor((last - first) / step) + 1;
  if (count > limits.usageSamples) {
    const smallest = Math.ceil((last - first) / 1000 / (limits.usageSamples - 1));
    throw invalidInput(
      ['stepSeconds'],
      `that is ${count} samples, at most ${limits.usageSamples} are returned: use a step of ${smallest} seconds`,
    );
  }
  if (count === 0) return [];
  // The chart of a week may begin before a young database does.
  const begun = Date.parse(known.since);
  const unknown = known.isPruned ? 0 : Math.max((within ? Math.floor : Math.ceil)((begun - first) / step), 0);
  // The database began after the last sample.
  if (unknown >= count && last >= begun) return [];
  const earliest = unknown > 0 && unknown < count ? new Date(first + unknown * step).toISOString() : from;
  const at = within && !known.isPruned && unknown < count ? earliest : pastAt(earliest, known);
  const moments = Array.from({ length: count - unknown }, (_, index) =>
    index === 0 ? at : new Date(first + (unknown + index) * step).toISOString(),
  );
  return moments;
}

/** Refuses NOT_FOUND, to a caller of one project also for other projects. */
async function expectKnown(
  { db, ownProject }: RequestScope,
  subject: HistorySubject | MemberSubject,
  path: readonly string[],
): Promise<void> {
  if (subject.noun === 'cloud') return;
  const { noun, key } = subject;
  const isSeen = ownProject === null || (noun === 'project' && key === ownProject);
  if (isSeen && (await selectIsKnown(db, subject))) return;
  throw refusalOf({ code: 'NOT_FOUND', details: { noun: noun === 'tree' ? 'resourceProvider' : noun, key } }, path);
}

/** Numbers of consumers, by what was written of them within a step, and of refused claims. */
export interface ClaimPeriod {
  /** RFC 3339: when the step begins. */
  readonly at: string;
  readonly claimed: number;
  readonly changed: number;
  readonly released: number;
  /** How many claims were refused, by code. */
  readonly refused: ReadonlyMap<string, number>;
}

export interface ClaimHistory {
  readonly periods: readonly ClaimPeriod[];
  readonly eventCount: number;
}

/** What was claimed, released and refused in each step from `from` on, until `until` or now. Refuses INVALID_INPUT, HISTORY_GONE, HISTORY_TOO_LONG. */
export async function listClaimHistory({ db }: RequestScope, { from, until, stepSeconds }: StepsInput): Promise<ClaimHistory> {
  const moments = await openSteps(db, { from, until, stepSeconds }, { within: true });
  if (moments.length === 0) return { periods: [], eventCount: 0 };
  const end = new Date(Date.parse(moments.at(-1) ?? '') + stepSeconds * 1000);
  const { eventCount, counts, refused } = await selectClaimCounts(forHeavyWork(db), [...moments, end.toISOString()], limits.historyEvents);
  checkHistoryLength(eventCount);
  const byStep = new Map(counts.map(({ step, ...counted }) => [step, counted]));
  const refusals = groupBy(refused, ({ step }) => step);
  const periods = moments.map((at, step) => ({
    at,
    ...(byStep.get(step) ?? { claimed: 0, changed: 0, released: 0 }),
    refused: new Map(refusals.get(step)?.map(({ code, count }) => [code, count])),
  }));
  return { periods, eventCount };
}

async function usageSince(
  db: RequestScope['db'],
  subject: HistorySubject | MemberSubject,
  moments: readonly string[],
): Promise<UsageHistory> {
  const of = isOfMembers(subject) ? { noun: 'members' as const, spans: await findSpans(db, subject, moments) } : subject;
  const { eventCount, rows } = await selectUsageSince(forHeavyWork(db), of, moments, limits.historyEvents);
  checkHistoryLength(eventCount);
  return { samples: usageAt(moments, rows), eventCount };
}

const isOfMembers = (subject: HistorySubject | MemberSubject): subject is MemberSubject =>
  subject.noun === 'tree' || subject.noun === 'aggregate';

/** Which providers were members at which moments. Refuses HISTORY_TOO_LONG. */
async function findSpans(db: RequestScope['db'], subject: MemberSubject, moments: readonly string[]): Promise<MemberSpan[]> {
  const { eventCount, current, changes } = await selectMembersSince(forHeavyWork(db), subject, moments, limits.historyEvents);
  checkHistoryLength(eventCount);
  const now = new Map(current.map(({ provider, ...membership }) => [provider, membership]));
  return spansOfMembers(subject, moments.length, now, changes);
}
