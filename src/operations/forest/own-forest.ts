// A copy of the present forest, for work that supposes changes and takes many turns of the event loop. Holds up no turn for long.
import type { Db } from '../../db/sql/client.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import { growForest, snapshotOf } from '../../domain/plans/snapshot.ts';
import { workInTurn } from '../request/event-loop-share.ts';
import { forestOf } from './forest.ts';

/** One statement. `around`: only the trees of these providers (uuids), and all pools, for work that looks nowhere else. */
export async function copyForest({ db }: { readonly db: Db }, around?: Iterable<string>): Promise<Forest> {
  const forest = await forestOf(db).current();
  const trees = around && new Set([...around].flatMap((uuid) => forest.findByUuid(uuid)?.tree ?? []));
  return workInTurn(growForest(snapshotOf(forest, trees)));
}
