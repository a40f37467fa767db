// Batches writes of consumers under load: those that arrive while others are being written wait for the next call and share it, so that a transaction,
// a flush of the log and a dozen statements are paid only once.
// A write that must be refused is left out of the call and tried alone, so no write fails or is delayed because of another (claim_together.sql).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Overloaded } from '../../domain/errors.ts';
import type { EventKind } from '../../domain/event.ts';
import { limits } from '../../domain/limits.ts';
import { measures } from '../../measures/measures.ts';
import { type Db, mainHandleOf, notedByAll } from '../sql/client.ts';
import { admissionOf, admitWrite, deadlineOfWrite } from './admission.ts';
import { attemptWrite, type Blocked, isBlocked } from './apply-write.ts';
import { answersOf, type Claim, type ClaimedConsumer, joinClaims, partsDone } from './claim-batch.ts';
import { type Call, type DesiredConsumer, isRefused, type Refused } from './contract.ts';
import { DeadlineQueue } from './deadline-queue.ts';
import { stillLocked } from './locked-providers.ts';
import { type AnswerOf, operations, type RequestOf } from './operations.ts';
import { tooManyWaiting } from './permits.ts';

/** The longest time, in milliseconds, that a call delays the next one: several times the usual duration of a call. */
const maxHoldUp = 50;
/** The maximum numbers of consumers and of their amounts in a call of several claims, which keeps its providers locked while it runs: some 30 ms. */
const maxConsumersTogether = 300;
const maxAmountsTogether = 1500;

/** The maximum number of consumers or amounts of a write that shares a call if some of its consumers exist: a larger one is faster alone. */
const maxKnownTogether = 100;

export type Answer = AnswerOf<'replace_allocations'> | Refused;

/** A write that may share a call, and its request. */
export interface SharableClaim extends Claim {
  readonly operation: SharedOperation;
  readonly request: RequestOf<SharedOperation>;
}

export type SharedOperation = 'replace_allocations' | 'release_allocations';

interface Waiting {
  /** Of its request. */
  readonly db: Db;
  readonly claim: SharableClaim;
  readonly deadline: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

type Queue = DeadlineQueue<Waiting>;

interface Queues {
  readonly next: Queue;
  /** Whether the next call must wait for one in progress. */
  isBusy: boolean;
  /** The number of claims in the last call. */
  last: number;
  /** Claims that wait for a provider that others have locked, by its uuid. */
  readonly blocked: Map<string, Queue>;
}

const queuesOf = new WeakMap<Db, Queues>();

/** Whether claims are being written. */
export function areClaimsUnderWay(db: Db): boolean {
  return queuesOf.get(mainHandleOf(db))?.isBusy ?? false;
}

/** Writes a claim in a call with others. It succeeds, is refused or fails exactly as if it had been alone. */
export function shareCall(db: Db, claim: SharableClaim, deadline: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const main = mainHandleOf(db);
    let queues = queuesOf.get(main);
    if (!queues) {
      queues = { next: newQueue(tooManyWaiting), isBusy: false, last: 0, blocked: new Map() };
      queuesOf.set(main, queues);
    }
    const waiting: Waiting = { db, claim, deadline, resolve, reject };
    const locked = admissionOf(db).lockedProviders.firstOf(providersOf(claim));
    if (locked !== undefined) return block(main, queues, waiting, locked);
    if (queues.next.size >= limits.queuedWrites) return reject(tooManyWaiting());
    queues.next.push(waiting, deadline);
    run(main, queues);
  });
}

function newQueue(refusal: () => Overloaded): Queue {
  return new DeadlineQueue(({ reject }) => reject(refusal()));
}

function* providersOf({ consumers }: Claim): Generator<string> {
  for (const { allocations } of consumers) for (const { provider } of allocations) yield provider;
}

/**
 * The request as a write that may share a call: all trees are the caller's, and each consumer is new, with explicit allocations and an owner, or is replaced or released,
 * with neither an expiry nor a reservation, and there are not many. With a key, all are new. Otherwise null.
 */
export function claimOf(operation: SharedOperation, request: RequestOf<SharedOperation>, call: Call): SharableClaim | null {
  const { consumers, affinity, hasQuotas = false, keepGenerations = false } = request;
  if (call.owned || call.carrier !== undefined || affinity) return null;
  const written = consumers.flatMap((consumer) => writtenOf(consumer) ?? []);
  if (written.length < consumers.length) return null;
  const hasKnown = written.some(({ expects }) => expects !== undefined);
  if (hasKnown && (call.idempotency || sizeOf(written) > maxKnownTogether)) return null;
  return { operation, request, consumers: written, call, hasQuotas, keepGenerations, kind: operations[operation].event as EventKind };
}

/** The amounts of a write, where a consumer without any counts as one. */
export function sizeOf(consumers: readonly ClaimedConsumer[]): number {
  return consumers.reduce((sum, { allocations }) => sum + Math.max(allocations.length, 1), 0);
}

function writtenOf(consumer: DesiredConsumer): ClaimedConsumer | null {
  const { uuid, expect, allocations, takeFrom, type = null, keepType = false, expiresIn, expiresAt, reservation } = consumer;
  const { project = null, user = null } = consumer;
  if (takeFrom !== undefined || expiresAt || reservation !== undefined || expect.id !== undefined) return null;
  if (expect.isNew) {
    const isComplete = allocations.length > 0 && project !== null && user !== null;
    return isComplete ? { uuid, project, user, type, ...(expiresIn !== undefined && { expiresIn }), allocations } : null;
  }
  // Whatever its generation, it may be new.
  if (expiresIn !== undefined || expiresAt === null || (expect.generation === undefined && allocations.length > 0)) return null;
  return { uuid, expects: expect.generation ?? -1, project, user, ...(keepType ? {} : { type }), allocations };
}

/**
 * Starts the next call unless one is in progress. With two at a time, each would serve half as many claims, at a third more database cost
 * per claim.
 */
function run(db: Db, queues: Queues): void {
  if (queues.isBusy || queues.next.size === 0) return;
  queues.isBusy = true;
  let holdsUp = true;
  const leave = () => {
    clearTimeout(timer);
    if (!holdsUp) return;
    holdsUp = false;
    queues.isBusy = false;
    run(db, queues);
  };
  // A claim that waits for a consumer or a key must not delay the others.
  const timer = setTimeout(leave, maxHoldUp);
  void writeNext(db, queues, leave);
}

/**
 * Takes the next writes in order of arrival, at most so many; those that repeat a consumer or a key stay in the queue. Those that only release come first: what they
 * free is there for the others.
 */
function takeBatch(queue: Queue, most = Number.POSITIVE_INFINITY): Waiting[] {
  const consumers = new Set<string>();
  const keys = new Set<string>();
  let taken = 0;
  let amounts = 0;
  const batch = queue.take(({ claim }) => {
    const own = claim.consumers.map(({ uuid }) => uuid);
    const size = sizeOf(claim.consumers);
    if (taken >= most || (taken > 0 && (consumers.size + own.length > maxConsumersTogether || amounts + size > maxAmountsTogether)))
      return 'stop';
    const key = keyOf(claim.call);
    if (own.some((uuid) => consumers.has(uuid)) || (key !== null && keys.has(key))) return false;
    if (key !== null) keys.add(key);
    for (const uuid of own) consumers.add(uuid);
    amounts += size;
    taken++;
    return true;
  });
  return [...batch.filter(({ claim }) => onlyReleases(claim)), ...batch.filter(({ claim }) => !onlyReleases(claim))];
}

function onlyReleases({ consumers }: Claim): boolean {
  return consumers.every(({ allocations }) => allocations.length === 0);
}

function keyOf({ idempotency }: Call): string | null {
  return idempotency ? JSON.stringify([idempotency.principal, idempotency.operation, idempotency.key]) : null;
}

/** Writes the next claims; never rejects. Calls `leave` as soon as the database is free, before the answers are built. */
async function writeNext(db: Db, queues: Queues, leave: () => void): Promise<void> {
  const { permits } = admissionOf(db);
  let batch: readonly Waiting[] = [];
  try {
    await permits.claims.run(deadlineOfWrite(), async () => {
      // If all callers got their answers at once, they would all send their next claims together, while the database is idle. In two halves, one half is
      // answered and sends again while the other is being written.
      batch = takeBatch(queues.next, Math.ceil((queues.last + queues.next.size) / 2));
      queues.last = batch.length;
      const { blocked, alone } = await writeTogether(db, batch, undefined, leave);
      for (const { waiting, provider } of blocked) block(db, queues, waiting, provider);
      void writeEach(alone);
    });
  } catch (error) {
    for (const { reject } of batch) reject(error);
    if (batch.length === 0) await sleep(maxHoldUp);
  } finally {
    leave();
  }
}

/** The claims of a batch that are not settled: they found a provider locked, or must be tried alone. */
interface Unsettled {
  readonly blocked: readonly { readonly waiting: Waiting; readonly provider: string }[];
  readonly alone: readonly Waiting[];
}

/** Writes claims in one call, which waits in the database for `awaited`, a provider that all of them name, and for no other provider. */
async function writeTogether(db: Db, batch: readonly Waiting[], awaited: string | undefined, leave: () => void): Promise<Unsettled> {
  if (batch.length === 0) return { blocked: [], alone: [] };
  measures.batches.observe(batch.length);
  const claims = batch.map(({ claim }) => claim);
  const together = joinClaims(claims);
  const shared = notedByAll(
    db,
    batch.map((waiting) => waiting.db),
  );
  const answer = await attemptWrite(shared, 'claim_together', together, { by: noActor }, 'briefly', awaited);
  leave();
  if (isRefused(answer)) return { blocked: [], alone: batch };
  if (isBlocked(answer)) {
    // If no provider is locked, some consumer or key is: alone, the other claims do not wait for it.
    return answer.locked.length > 0 ? blockedBy(answer.locked, batch) : { blocked: [], alone: batch };
  }
  const isApart = new Set(answer.apart);
  const done = batch.filter((_, place) => !isApart.has(place));
  for (const [index, one] of answersOf(partsDone(together.parts, answer.apart), answer).entries()) done[index]?.resolve(one);
  return blockedBy(
    answer.busy,
    batch.filter((_, place) => isApart.has(place)),
  );
}

/** Those of the claims that name a locked provider, and the others. */
function blockedBy(locked: readonly string[], claims: readonly Waiting[]): Unsettled {
  const uuids = new Set(locked);
  const blocked: { waiting: Waiting; provider: string }[] = [];
  const alone: Waiting[] = [];
  for (const waiting of claims) {
    const provider = [...providersOf(waiting.claim)].find((uuid) => uuids.has(uuid));
    if (provider === undefined) alone.push(waiting);
    else blocked.push({ waiting, provider });
  }
  return { blocked, alone };
}

/** Lets a claim wait for a provider that others have locked. Those that wait for the same one share calls. */
function block(db: Db, queues: Queues, waiting: Waiting, provider: string): void {
  const known = queues.blocked.get(provider);
  const queue = known ?? newQueue(stillLocked);
  if (queue.size >= limits.queuedWrites) {
    waiting.reject(tooManyWaiting());
    return;
  }
  queue.push(waiting, waiting.deadline);
  if (known) return;
  queues.blocked.set(provider, queue);
  void writeBlocked(db, queues, provider, queue);
}

/** Writes all claims that wait for a provider, and those that join them meanwhile; never rejects. */
async function writeBlocked(db: Db, queues: Queues, provider: string, queue: Queue): Promise<void> {
  const { lockedProviders } = admissionOf(db);
  while (queue.size > 0) {
    let batch: readonly Waiting[] = [];
    try {
      await lockedProviders.run(provider, deadlineOfWrite(), async (waits): Promise<Blocked | Done> => {
        batch = takeBatch(queue);
        const { blocked, alone } = await writeTogether(db, batch, waits ? provider : undefined, () => {});
        batch = [];
        void writeEach(alone);
        for (const { waiting, provider: other } of blocked) {
          if (other !== provider) block(db, queues, waiting, other);
          else if (waiting.deadline > performance.now()) queue.push(waiting, waiting.deadline);
          else waiting.reject(stillLocked());
        }
        return blocked.some((one) => one.provider === provider) ? { locked: [provider] } : { isDone: true };
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
      if (batch.length === 0) await sleep(maxHoldUp);
    }
  }
  queues.blocked.delete(provider);
}

interface Done {
  readonly isDone: true;
}

/** Each claim in a call of its own. Most of them will be refused. */
async function writeEach(claims: readonly Waiting[]): Promise<void> {
  const writes = claims.map(({ db, claim: { operation, request, call }, deadline, resolve, reject }) =>
    admitWrite(db, operation, { ...request, checkFirst: true }, call, deadline).then(resolve, reject),
  );
  await Promise.all(writes);
}

/** The call as a whole has no actor: each part names its own. */
const noActor = { user: null, project: null, roles: [], requestId: '' };
