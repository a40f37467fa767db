// Removes reservations that have ended. Their consumers expire at the same moment or earlier (expiry.ts).
import { randomUUID } from 'node:crypto';
import { hasEndedReservations } from '../../db/reservations.ts';
import type { Db } from '../../db/sql/client.ts';
import { isRefused, type LastEnded, type Refused } from '../../db/writes/contract.ts';
import type { AnswerOf } from '../../db/writes/operations.ts';
import { submitWrite } from '../../db/writes/submit-write.ts';
import { Following } from '../../domain/errors.ts';

/** Reservations that one write removes at most: it keeps their providers locked while it runs. */
const endedTogether = 20;

/** Removes reservations that have ended, except those that other writes have locked; returns how many. Any number of gateways may do so at the same time. */
export async function endReservations(db: Db): Promise<number> {
  let ended = 0;
  try {
    if (!(await hasEndedReservations(db))) return ended;
    let after: LastEnded | null = null;
    do {
      const by = { user: null, project: null, roles: [], requestId: `req-${randomUUID()}` };
      const answer: AnswerOf<'end_reservations'> | Refused = await submitWrite(
        db,
        'end_reservations',
        { most: endedTogether, after, until: null },
        { by },
      );
      if (isRefused(answer)) throw new Error(`ended reservations could not be removed: ${answer.refusal.code}`);
      ended += answer.ended;
      after = answer.last;
    } while (after !== null);
  } catch (error) {
    // While the gateway follows another Placement, nothing is removed here.
    if (!(error instanceof Following)) throw error;
  }
  return ended;
}
