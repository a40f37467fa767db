// How many more times a request fits: the total, and pages of the counts by tree, aggregate and so on.
import { countFit, type Fit, type Ranking } from '../../domain/candidates/fit.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../request/scope.ts';
import { type CandidatesInput, forestFor, parseRequest } from './candidates.ts';

/** How many more such requests fit. Refuses what findCandidates refuses. */
export async function findFit(scope: RequestScope, input: CandidatesInput): Promise<Fit> {
  const request = parseRequest(input);
  return countFit(await forestFor(scope, request), request);
}

/** Ordered by count, then by the id of the counted thing. */
const placeInRanking = [
  { holds: 'integer', nullable: false },
  { holds: 'integer', nullable: false },
] as const;

/** A page of the counts of a fit. They are recomputed for each page and may have changed in between. Refuses INVALID_INPUT. */
export function listFits<Row extends object>(name: string, ranking: Ranking<Row>, args: PageArguments): Promise<Page<Row>> {
  return listPage(args, {
    name,
    order: placeInRanking,
    select: async ({ key, size }) =>
      ranking.behind(key && [Number(key[0]), Number(key[1])], size + 1).map(({ place, row }) => ({ ...row, sortKey: place })),
    count: async () => ranking.length,
  });
}
