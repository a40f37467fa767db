// Reads of everything that one consumer holds.
import { type Holding, selectHoldings } from '../db/holdings.ts';
import type { RequestScope } from './scope.ts';

export type { Holding } from '../db/holdings.ts';

/** What a consumer (canonical uuid) holds, by provider and class; empty for one that holds nothing or is unknown. */
export async function listHoldings({ db }: RequestScope, consumer: string): Promise<readonly Holding[]> {
  return selectHoldings(db, [consumer]);
}
