// Routes writes to apply_write. Most are a call of their own. A claim of new consumers takes one of four routes:
//
//   alone       it cannot share a call (claimOf)                                   admission.ts
//   forwarded   another process writes for all, and the claim is small             remote-claims.ts; there it is blocked or together
//   blocked     another write has locked one of its providers                      claims.ts: shares a call with those that wait for the same provider
//   together    otherwise                                                          claims.ts: shares the next call
//
// A call of several may find a provider locked: its claims are blocked then. Claims that it cannot write for another reason are tried alone.
import type { Db } from '../sql/client.ts';
import { admitWrite, deadlineOfWrite } from './admission.ts';
import { type Answer, claimOf, type SharableClaim, shareCall } from './claims.ts';
import type { Call, Refused } from './contract.ts';
import type { AnswerOf, RequestOf, WriteOperation } from './operations.ts';
import { forwardClaim } from './remote-claims.ts';

type Routes = {
  readonly [Name in WriteOperation]?: (db: Db, request: RequestOf<Name>, call: Call, deadline: number) => Promise<AnswerOf<Name> | Refused>;
};
const routes: Routes = {
  replace_allocations: (db, request, call, deadline) => {
    const claim = claimOf(request, call);
    return claim ? submitClaim(db, claim, deadline) : admitWrite(db, 'replace_allocations', request, call, deadline);
  },
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

async function submitClaim(db: Db, claim: SharableClaim, deadline: number): Promise<Answer> {
  return (await forwardClaim(db, claim, deadline)) ?? shareCall(db, claim, deadline);
}
