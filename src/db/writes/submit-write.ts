// Routes writes to apply_write. Most are a call of their own. A write of consumers waits for earlier writes of the same consumers, and takes one of four routes:
//
//   alone       it cannot share a call (claimOf)                                   admission.ts
//   forwarded   another process writes for all, and the write is small             remote-claims.ts; there it is blocked or together
//   blocked     another write has locked one of its providers                      claims.ts: shares a call with those that wait for the same provider
//   together    otherwise                                                          claims.ts: shares the next call
//
// If a shared call finds a provider locked, the writes that need it are blocked. Writes that the call leaves out for any other reason are tried alone.
import type { Db } from '../sql/client.ts';
import { admitWrite, deadlineOfWrite } from './admission.ts';
import { type Answer, claimOf, type SharedOperation, shareCall } from './claims.ts';
import type { Call, Refused } from './contract.ts';
import type { AnswerOf, RequestOf, WriteOperation } from './operations.ts';
import { forwardClaim } from './remote-claims.ts';
import { writeInTurn } from './turns-of-consumers.ts';

type Routes = {
  readonly [Name in WriteOperation]?: (db: Db, request: RequestOf<Name>, call: Call, deadline: number) => Promise<AnswerOf<Name> | Refused>;
};
const routes: Routes = {
  replace_allocations: (db, request, call, deadline) => submitShared('replace_allocations', db, request, call, deadline),
  release_allocations: (db, request, call, deadline) => submitShared('release_allocations', db, request, call, deadline),
  move_allocations: (db, request, call, deadline) =>
    writeInTurn(db, request.consumers, deadline, () => admitWrite(db, 'move_allocations', request, call, deadline)),
};

/** Executes a write. Returns refusals as answers; throws what admitWrite throws. */
export function submitWrite<Name extends WriteOperation>(
  db: Db,
  operation: Name,
  request: RequestOf<Name>,
  call: Call,
): Promise<AnswerOf<Name> | Refused> {
  const deadline = deadlineOfWrite();
  const route: Routes[Name] = routes[operation];
  return route ? route(db, request, call, deadline) : admitWrite(db, operation, request, call, deadline);
}

function submitShared(
  operation: SharedOperation,
  db: Db,
  request: RequestOf<SharedOperation>,
  call: Call,
  deadline: number,
): Promise<Answer> {
  const claim = claimOf(operation, request, call);
  return writeInTurn(db, request.consumers, deadline, async () => {
    if (!claim) return admitWrite(db, operation, request, call, deadline);
    return (await forwardClaim(db, claim, deadline)) ?? shareCall(db, claim, deadline);
  });
}
