// Routes writes to apply_write: most are a call of their own; claims of new consumers share calls.
import type { Db } from '../sql/client.ts';
import { admitWrite, deadlineOfWrite } from './admission.ts';
import type { AnswerOf, Call, Refused, RequestOf, WriteOperation } from './contract.ts';
import { replaceAllocationsTogether } from './remote-claims.ts';

type SharedCalls = {
  readonly [Name in WriteOperation]?: (db: Db, request: RequestOf<Name>, call: Call) => Promise<AnswerOf<Name> | Refused>;
};
const sharedCalls: SharedCalls = { replace_allocations: replaceAllocationsTogether };

/** Executes a write. Returns refusals as answers; throws what admitWrite throws. */
export function submitWrite<Name extends WriteOperation>(
  db: Db,
  operation: Name,
  request: RequestOf<Name>,
  call: Call,
): Promise<AnswerOf<Name> | Refused> {
  const shared: SharedCalls[Name] = sharedCalls[operation];
  return shared ? shared(db, request, call) : admitWrite(db, operation, request, call, deadlineOfWrite());
}
