// A copy of the forest as it is now, for work that supposes changes and takes many turns of the event loop. Holds none of them for long.
import type { Forest } from '../../domain/candidates/forest.ts';
import { growForest, snapshotOf } from '../../domain/plans/snapshot.ts';
import { workInTurn } from '../request/event-loop-share.ts';
import type { RequestScope } from '../request/scope.ts';
import { forestOf } from './forest.ts';

/** One statement. */
export async function copyForest({ db }: RequestScope): Promise<Forest> {
  return workInTurn(growForest(snapshotOf(await forestOf(db).current())));
}
