// How many more times a request fits: the total, and pages of the counts by tree, aggregate and so on.
import { type AggregateFit, countFitInParts, type Fit, type Ranking } from '../../domain/candidates/fit.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import { forestOf } from '../forest/forest.ts';
import { forestDuring } from '../forest/forest-in-time.ts';
import { searchForest } from '../forest/search.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../scope/scope.ts';
import { type CandidatesInput, forestFor, parseRequest } from './requests.ts';

/**
 * How many more such requests fit. A project learns only whether one does, as from an attempt to boot: a count would show what others hold. Refuses what
 * findCandidates refuses; for a project, unknown classes and traits are like those that no host has.
 */
export async function findFit(scope: RequestScope, input: CandidatesInput): Promise<Fit> {
  const request = parseRequest(input);
  const isOfProject = scope.ownProject !== null;
  const present = await (isOfProject ? forestOf(scope.db).current() : forestFor(scope, request));
  const { during } = input;
  const forest = during ? await forestDuring(scope, present, during) : present;
  const fit = await searchForest(scope, 'fit', countFitInParts(forest, request), forest !== present);
  const most = limits.projectFit;
  if (!isOfProject || fit.total < most) return fit;
  const { byRoot, byAggregate } = fit;
  return { total: most, exact: false, truncated: true, byRoot, byAggregate };
}

/** Ordered by count, then by the id of the counted thing. */
const placeInRanking = [
  { holds: 'integer', nullable: false },
  { holds: 'integer', nullable: false },
] as const;

/** A page of the counts by aggregate, of all or of some. Refuses INVALID_INPUT. */
export function listAggregateFits(
  ranking: Ranking<AggregateFit>,
  { aggregates, ...args }: PageArguments & { readonly aggregates?: Optional<readonly string[]> },
): Promise<Page<AggregateFit>> {
  if (!aggregates) return listFits('fit by aggregate', ranking, args);
  const check = new InputCheck();
  check.size(['aggregates'], aggregates, 0, limits.filterKeys);
  check.done();
  const wanted = new Set(aggregates);
  return listFits(
    'fit by aggregate',
    ranking?.where(({ aggregate }) => wanted.has(aggregate.uuid)),
    args,
  );
}

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
