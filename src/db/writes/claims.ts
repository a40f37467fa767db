// Claims under load go together: those that arrive while others are being written wait for the next call and share it. A transaction,
// a flush of the log and a dozen statements are then paid once for all of them.
// Only claims of new consumers share a call: they release nothing, so if all fit, each fits after the others (claim_together.sql).
// If one of them is refused nothing is written, and each is tried alone: no claim fails because of another.

import type { Db } from '../sql/client.ts';
import { applyWrite, sqlState } from './apply-write.ts';
import { answersOf, type Claim, type ClaimedConsumer, joinClaims } from './claim-batch.ts';
import { type AnswerOf, type Call, isRefused, type Refused, type RequestOf } from './contract.ts';

/** For how long, at most, a call holds up the next one, in milliseconds: several times what a call usually takes. */
const longestHoldUp = 50;
/** Most consumers in one call: as long as it lasts, its providers are locked. */
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
  /** Whether the next call still waits for one that is under way. */
  isBusy: boolean;
}

const queues = new WeakMap<Db, Queue>();

/** Whether claims are being written. */
export function areClaimsUnderWay(db: Db): boolean {
  return queues.get(db)?.isBusy ?? false;
}

/** Replaces all that consumers hold. Claims share a call; each is answered, refused or fails exactly as if it had been alone. */
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

/** The request as a claim that may share a call: every consumer is new and holds something explicit. Null for any other. */
function claimOf({ consumers }: RequestOf<'replace_allocations'>, call: Call): Claim | null {
  if (consumers.length > mostConsumersTogether / 4) return null;
  const claimed = consumers.flatMap(({ uuid, expect, allocations, takeFrom, project, user, type }): ClaimedConsumer[] => {
    const isClaimed = expect.isNew && allocations.length > 0 && takeFrom === undefined;
    return isClaimed && project && user ? [{ uuid, project, user, type: type ?? null, allocations }] : [];
  });
  return claimed.length === consumers.length ? { consumers: claimed, call } : null;
}

/**
 * Starts the next call unless one is under way. Two at a time would each be shared by half as many claims, and cost the database a third
 * more for each.
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
  // A claim that waits for a locked provider must not hold up claims on other providers.
  const timer = setTimeout(leave, longestHoldUp);
  void writeTogether(db, takeBatch(queue), leave);
}

/** The next claims in the order of their arrival, of which no two speak of the same consumer or have the same key; those stay behind. */
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

/** Settles every claim of the batch; never rejects. Calls `leave` as soon as the database is free, before there is time to answer. */
async function writeTogether(db: Db, batch: readonly Waiting[], leave: () => void): Promise<void> {
  const together = joinClaims(batch.map(({ claim }) => claim));
  try {
    const answer = await applyWrite(db, 'claim_together', together, { by: noActor });
    if (isRefused(answer)) return await writeEach(db, batch);
    leave();
    for (const [index, one] of answersOf(together.parts, answer).entries()) batch[index]?.resolve(one);
  } catch (error) {
    // Another write held one of the providers for longer than claim_together waits, so nothing was written. Tried alone, the claims on other
    // providers need not wait for it.
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
