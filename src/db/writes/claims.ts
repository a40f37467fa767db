// Batches claims under load: those that arrive while others are being written wait for the next call and share it, so that a transaction,
// a flush of the log and a dozen statements are paid only once.
// Only claims of new consumers share a call: they release nothing, so if all fit, each fits after the others (claim_together.sql).
// Those that must be refused are left out and tried alone: no claim fails or is slowed down because of another.

import type { Db } from '../sql/client.ts';
import { applyWrite, sqlState } from './apply-write.ts';
import { answersOf, type Claim, type ClaimedConsumer, joinClaims, partsDone } from './claim-batch.ts';
import { type AnswerOf, type Call, isRefused, type Refused, type RequestOf } from './contract.ts';

/** The longest time, in milliseconds, that a call delays the next one: several times the usual duration of a call. */
const longestHoldUp = 50;
/** The maximum number of consumers in one call, which keeps its providers locked while it runs. */
const mostConsumersTogether = 64;
const lockNotAvailable = '55P03';

type Answer = AnswerOf<'replace_allocations'> | Refused;

interface Waiting {
  readonly claim: Claim;
  readonly request: RequestOf<'replace_allocations'>;
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  readonly waiting: Waiting[];
  /** Whether the next call must wait for one in progress. */
  isBusy: boolean;
}

const queues = new WeakMap<Db, Queue>();

/** Whether claims are being written. */
export function areClaimsUnderWay(db: Db): boolean {
  return queues.get(db)?.isBusy ?? false;
}

/** Replaces all allocations of consumers. Claims share a call; each succeeds, is refused or fails exactly as if it had been alone. */
export function replaceAllocations(db: Db, request: RequestOf<'replace_allocations'>, call: Call): Promise<Answer> {
  const claim = claimOf(request, call);
  if (claim === null) return applyWrite(db, 'replace_allocations', request, call);
  return new Promise((resolve, reject) => {
    let queue = queues.get(db);
    if (!queue) {
      queue = { waiting: [], isBusy: false };
      queues.set(db, queue);
    }
    queue.waiting.push({ claim, request, call, resolve, reject });
    run(db, queue);
  });
}

/** The request as a claim that may share a call: all consumers are new, with explicit allocations. Otherwise null. */
function claimOf({ consumers }: RequestOf<'replace_allocations'>, call: Call): Claim | null {
  if (consumers.length > mostConsumersTogether / 4) return null;
  const claimed = consumers.flatMap(({ uuid, expect, allocations, takeFrom, project, user, type }): ClaimedConsumer[] => {
    const isClaimed = expect.isNew && allocations.length > 0 && takeFrom === undefined;
    return isClaimed && project && user ? [{ uuid, project, user, type: type ?? null, allocations }] : [];
  });
  return claimed.length === consumers.length ? { consumers: claimed, call } : null;
}

/**
 * Starts the next call unless one is in progress. With two at a time, each would serve half as many claims, at a third more database cost
 * per claim.
 */
function run(db: Db, queue: Queue): void {
  if (queue.isBusy || queue.waiting.length === 0) return;
  queue.isBusy = true;
  let holdsUp = true;
  const leave = () => {
    clearTimeout(timer);
    if (!holdsUp) return;
    holdsUp = false;
    queue.isBusy = false;
    run(db, queue);
  };
  // A claim that waits for a locked provider must not delay claims on other providers.
  const timer = setTimeout(leave, longestHoldUp);
  void writeTogether(db, takeBatch(queue), leave);
}

/** Takes the next claims in order of arrival; those that repeat a consumer or a key stay in the queue. */
function takeBatch({ waiting }: Queue): Waiting[] {
  const batch: Waiting[] = [];
  const consumers = new Set<string>();
  const keys = new Set<string>();
  for (const claim of [...waiting]) {
    const own = claim.claim.consumers.map(({ uuid }) => uuid);
    if (batch.length > 0 && consumers.size + own.length > mostConsumersTogether) break;
    const key = keyOf(claim.call);
    if (own.some((uuid) => consumers.has(uuid)) || (key !== null && keys.has(key))) continue;
    if (key !== null) keys.add(key);
    for (const uuid of own) consumers.add(uuid);
    batch.push(claim);
    waiting.splice(waiting.indexOf(claim), 1);
  }
  return batch;
}

function keyOf({ idempotency }: Call): string | null {
  return idempotency ? JSON.stringify([idempotency.principal, idempotency.operation, idempotency.key]) : null;
}

/** Settles every claim of the batch; never rejects. Calls `leave` as soon as the database is free, before the answers are built. */
async function writeTogether(db: Db, batch: readonly Waiting[], leave: () => void): Promise<void> {
  const claims = batch.map(({ claim }) => claim);
  const together = joinClaims(claims);
  try {
    const answer = await applyWrite(db, 'claim_together', together, { by: noActor });
    if (isRefused(answer)) return await writeEach(db, batch);
    leave();
    const done = batch.filter((_, place) => !answer.apart.includes(place));
    for (const [index, one] of answersOf(partsDone(claims, together, answer.apart), answer).entries()) done[index]?.resolve(one);
    await writeEach(
      db,
      answer.apart.flatMap((place) => batch[place] ?? []),
    );
  } catch (error) {
    // Another write locked one of the providers for longer than claim_together waits, so nothing was written. Tried one by one, the claims
    // on other providers need not wait for it.
    if (sqlState(error) === lockNotAvailable) return await writeEach(db, batch);
    for (const { reject } of batch) reject(error);
  } finally {
    leave();
  }
}

/** Each claim in a call of its own. */
async function writeEach(db: Db, batch: readonly Waiting[]): Promise<void> {
  const writes = batch.map(({ request, call, resolve, reject }) =>
    applyWrite(db, 'replace_allocations', request, call).then(resolve, reject),
  );
  await Promise.all(writes);
}

/** The call as a whole has no actor: each part names its own. */
const noActor = { user: null, project: null, roles: [], requestId: '' };
