// Claims in batches through the write function, as gateways send them, but without a gateway: for measuring a gateway beside writes of others.
import type { Db } from '../../src/db/sql/client.ts';
import { submitWrite } from '../../src/db/writes/submit-write.ts';

const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-bench' };

/** Claims one VCPU for a new consumer. */
export async function submitClaim(db: Db, uuid: string, provider: string): Promise<void> {
  const allocations = [{ provider, resourceClass: 'VCPU', amount: 1 }];
  const owner = { project: 'p', user: 'u1', type: 'INSTANCE', keepType: false };
  const consumers = [{ uuid, expect: { isNew: true } as const, ...owner, allocations }];
  const answer = await submitWrite(db, 'replace_allocations', { consumers }, { by });
  if ('refusal' in answer) throw new Error(JSON.stringify(answer.refusal));
}
