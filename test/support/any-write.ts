// Any write by name, for tests with random or invalid operations and requests: requests and answers are not checked
// against the contract of apply-write.ts.
import type { Db } from '../../src/db/sql/client.ts';
import { applyWrite } from '../../src/db/writes/apply-write.ts';
import type { Call } from '../../src/db/writes/contract.ts';
import type { RequestOf, WriteOperation } from '../../src/db/writes/operations.ts';
import type { RefusalReason } from '../../src/domain/errors.ts';

/** Fields that some answers have. */
export interface AnyAnswer {
  readonly refusal?: RefusalReason;
  readonly eventId?: number | null;
  readonly created?: boolean;
  readonly replayed?: boolean;
}

const admin = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-test' };

/** Makes one write through apply_write. */
export async function writeAny(db: Db, operation: WriteOperation, request: object, call: Partial<Call> = {}): Promise<AnyAnswer> {
  return (await applyWrite(db, operation, request as RequestOf<typeof operation>, { by: admin, ...call })) as AnyAnswer;
}
