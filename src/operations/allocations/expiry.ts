// Consumers that expire: they hold what they have claimed until a moment, unless their holder extends or confirms them. A scheduler that dies between its claim
// and its use of it leaks nothing.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { selectExpired } from '../../db/consumers.ts';
import { type Db, mainHandleOf } from '../../db/sql/client.ts';
import { isRefused } from '../../db/writes/contract.ts';
import type { AnswerOf } from '../../db/writes/operations.ts';
import { submitWrite } from '../../db/writes/submit-write.ts';
import { Following, Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { InputCheck } from '../request/input.ts';

/** When a consumer expires: exactly one of these. */
export interface ExpiryInput {
  /** RFC 3339 in UTC. */
  readonly at?: Optional<string>;
  readonly afterSeconds?: Optional<number>;
  readonly never?: Optional<boolean>;
}

/** Checks an expiry, and converts it to the form of the write functions; nothing if there is none. */
export function parseExpiry(
  check: InputCheck,
  path: Path,
  expiry: Optional<ExpiryInput>,
): { readonly expiresIn: number } | { readonly expiresAt: string | null } | Record<never, never> {
  if (!expiry) return {};
  const { at, afterSeconds, never } = expiry;
  if (typeof at === 'string') return { expiresAt: at };
  if (never) return { expiresAt: null };
  if (!Number.isInteger(afterSeconds) || Number(afterSeconds) < 1 || Number(afterSeconds) > limits.expiryTime)
    check.add([...path, 'afterSeconds'], `afterSeconds must be 1 to ${limits.expiryTime}`);
  return { expiresIn: Number(afterSeconds) };
}

/** Consumers that one write releases: it keeps their providers locked while it runs. */
const releasedTogether = 100;
/** The longest time, in milliseconds, that a claim waits for releases before it tries again. */
const patience = 1000;
/** Milliseconds between two looks for what other gateways release. */
const pauseForOthers = 50;
/** Seconds that a release may take from its moment in the events until it is seen. */
const releaseTakes = 2;
/** The work in progress of each database, and the work that begins after it. */
const running = new WeakMap<Db, { readonly now: Promise<number>; next: Promise<number> | null }>();

/**
 * Releases all consumers that have expired, except those that other writes have locked; returns how many. Any number of gateways may do so at the same time. Calls
 * that arrive while one is running share the next one.
 */
export function releaseExpired(db: Db): Promise<number> {
  const main = mainHandleOf(db);
  const work = running.get(main);
  if (!work) return start(main);
  work.next ??= work.now.then(
    () => start(main),
    () => start(main),
  );
  return work.next;
}

function start(db: Db): Promise<number> {
  const now = releaseUnlessFollowing(db).finally(() => {
    if (running.get(db)?.now === now && running.get(db)?.next === null) running.delete(db);
  });
  running.set(db, { now, next: null });
  return now;
}

/** While the gateway follows another Placement, nothing is released here. */
async function releaseUnlessFollowing(db: Db): Promise<number> {
  try {
    return await releaseInBatches(db);
  } catch (error) {
    if (error instanceof Following) return 0;
    throw error;
  }
}

async function releaseInBatches(db: Db): Promise<number> {
  let released = 0;
  if (!(await selectExpired(db, 0)).isThere) return released;
  const by = () => ({ user: null, project: null, roles: [], requestId: `req-${randomUUID()}` });
  const release = async (skip: number, until: string | null, waitsFor?: string): Promise<AnswerOf<'release_expired'>> => {
    const request = { most: releasedTogether, skip, until, ...(waitsFor !== undefined && { waitsFor }) };
    const answer = await submitWrite(db, 'release_expired', request, { by: by() });
    if (isRefused(answer)) throw new Error(`expired consumers could not be released: ${answer.refusal.code}`);
    released += answer.released;
    return answer;
  };
  let skip = 0;
  let until: string | null = null;
  const left: { readonly skip: number; readonly busy: string }[] = [];
  for (let more = true; more; ) {
    const answer: AnswerOf<'release_expired'> = await release(skip, until);
    if (answer.busy !== null) left.push({ skip, busy: answer.busy });
    skip += answer.found - answer.released;
    ({ more, until } = answer);
  }
  // A provider of which claims never let go, such as a pool, is waited for once, in their queue. Any of them: one that is locked for long must not keep the others.
  const one = left[randomInt(Math.max(left.length, 1))];
  if (one) await release(one.skip, until, one.busy);
  return released;
}

const noneExpired = { isThere: false, wasReleased: false };
const codesOfNoRoom: ReadonlySet<RefusalCode> = new Set(['CAPACITY_EXCEEDED', 'NO_CANDIDATES', 'QUOTA_EXCEEDED']);

/**
 * Runs a claim, and once more if it found no room that expired consumers held, or have held since it began; `wait`: how many milliseconds it waits for their
 * release at most.
 */
export async function withRoomOfExpired<Answer>(db: Db, run: () => Promise<Answer>, wait = patience): Promise<Answer> {
  const begunAt = performance.now();
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.problems.some(({ code }) => codesOfNoRoom.has(code))) throw error;
    const { isThere, wasReleased } = await selectExpired(db, (performance.now() - begunAt) / 1000 + releaseTakes).catch(() => noneExpired);
    if (!isThere && !wasReleased) throw error;
    // If a look or a release fails or takes longer, the claim is answered as if nothing had expired.
    if (isThere) await Promise.race([awaitRelease(db, performance.now() + wait), sleep(wait, undefined, { ref: false })]);
    return run();
  }
}

/** Releases what has expired, or waits until other gateways have. Gives up at the deadline, as performance.now(). */
async function awaitRelease(db: Db, deadline: number): Promise<void> {
  while (performance.now() < deadline) {
    if ((await releaseExpired(db).catch(() => 0)) > 0) return;
    await sleep(pauseForOthers);
    const { isThere } = await selectExpired(db, 0).catch(() => noneExpired);
    if (!isThere) return;
  }
}
