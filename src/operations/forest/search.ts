// Searches the forest for a request, and notes in its activity how long that took.
import type { Db } from '../../db/sql/client.ts';
import type { Activity } from '../../measures/activity.ts';
import { forestOf } from './forest.ts';

/** To be called while the forest is valid, as ForestKeeper.inParts. */
export async function searchForest<Result>(
  { db, activity }: { readonly db: Db; readonly activity: Activity | null },
  kind: 'candidates' | 'explanation' | 'claim' | 'fit',
  search: Generator<unknown, Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const result = await forestOf(db).inParts(search);
  activity?.noteSearch(kind, startedAt);
  return result;
}
