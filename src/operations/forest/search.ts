// Searches the forest for a request, and notes in its activity how long that took.
import type { Db } from '../../db/sql/client.ts';
import type { Activity } from '../../measures/activity.ts';
import { workInTurn } from '../request/event-loop-share.ts';
import { forestOf } from './forest.ts';

/** To be called while the forest is valid, as ForestKeeper.inParts; `isOwn`: the search is of a copy, which nobody else changes. */
export async function searchForest<Result>(
  { db, activity }: { readonly db: Db; readonly activity: Activity | null },
  kind: 'candidates' | 'explanation' | 'claim' | 'fit',
  search: Generator<void, Result>,
  isOwn = false,
): Promise<Result> {
  const startedAt = performance.now();
  const result = await (isOwn ? workInTurn(search) : forestOf(db).inParts(search));
  activity?.noteSearch(kind, startedAt);
  return result;
}
