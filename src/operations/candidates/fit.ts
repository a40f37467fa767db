// How many more times a request fits: the total, and pages of the counts by tree, aggregate and so on.
import { countFitInParts, type Fit, type Ranking } from '../../domain/candidates/fit.ts';
import { limits } from '../../domain/limits.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import { searchForest } from '../forest/search.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../request/scope.ts';
import { type CandidatesInput, forestFor, parseRequest } from './candidates.ts';

/**
 * How many more such requests fit. A project is told up to a small number: beyond, what others hold would show in it. Refuses what findCandidates refuses.
 */
export async function findFit(scope: RequestScope, input: CandidatesInput): Promise<Fit> {
  const request = parseRequest(input);
  const forest = await forestFor(scope, request);
  const fit = await searchForest(scope, 'fit', countFitInParts(forest, request));
  const most = limits.projectFit;
  if (scope.ownProject === null || fit.total < most) return fit;
  const { byRoot, byAggregate } = fit;
  return { total: most, exact: false, truncated: true, byRoot, byAggregate };
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
