// Counts refused claims by code: in memory, because a refusal writes nothing, and added to the database once in a while.
import { addRefusedClaims } from '../../db/claim-history.ts';
import { type Db, mainHandleOf } from '../../db/sql/client.ts';
import { type Problem, Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { RequestScope } from '../scope/scope.ts';
import { withRoomOfExpired } from './expiry.ts';

/** Those that are not in the database yet. */
const waiting = new WeakMap<Db, Map<RefusalCode, number>>();

/** The answer to a claim of several consumers of which some may not be served. */
interface PartlyServed {
  readonly problems?: readonly Problem[];
  readonly replayed?: boolean | undefined;
}

/** Runs a claim, again if what has expired gives it room, and counts what is refused: a whole claim once, under its first code; of a claim that is served in part, each consumer that is not. */
export async function countingRefusals<Answer extends object>(
  { db }: Pick<RequestScope, 'db'>,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await withRoomOfExpired(db, run);
    const { problems = [], replayed }: PartlyServed = answer;
    if (!replayed) for (const { code } of problems) count(db, code, 1);
    return answer;
  } catch (error) {
    if (error instanceof Refusal && error.problems[0]) count(db, error.problems[0].code, 1);
    throw error;
  }
}

function count(db: Db, code: RefusalCode, number: number): void {
  const main = mainHandleOf(db);
  const counts = waiting.get(main) ?? new Map<RefusalCode, number>();
  waiting.set(main, counts.set(code, (counts.get(code) ?? 0) + number));
}

/** Adds what was counted to the database. What may not have been added is added the next time. */
export async function keepRefusedClaims(db: Db): Promise<void> {
  const counts = waiting.get(mainHandleOf(db));
  if (!counts) return;
  waiting.delete(mainHandleOf(db));
  try {
    await addRefusedClaims(db, Object.fromEntries(counts));
  } catch (error) {
    for (const [code, number] of counts) count(db, code, number);
    throw error;
  }
}
