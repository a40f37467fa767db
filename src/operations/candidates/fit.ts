// How many more times a request fits: the count, and pages of its rows.
import { countFit, type Fit, type Ranking } from '../../domain/candidates/fit.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../request/scope.ts';
import { type CandidatesInput, forestFor, parseRequest } from './candidates.ts';

/** How many more such requests fit. Refuses as findCandidates. */
export async function findFit(scope: RequestScope, input: CandidatesInput): Promise<Fit> {
  const request = parseRequest(input);
  return countFit(await forestFor(scope, request), request);
}

/** A count, and the id of what it counts for. */
const placeInRanking = [
  { holds: 'integer', nullable: false },
  { holds: 'integer', nullable: false },
] as const;

/** A page of the rows of a fit. What is counted anew for the next page may have changed meanwhile. Refuses INVALID_INPUT. */
export function listFits<Row extends object>(name: string, ranking: Ranking<Row>, args: PageArguments): Promise<Page<Row>> {
  return listPage(args, {
    name,
    order: placeInRanking,
    select: async ({ key, size }) =>
      ranking.behind(key && [Number(key[0]), Number(key[1])], size + 1).map(({ place, row }) => ({ ...row, sortKey: place })),
    count: async () => ranking.length,
  });
}
