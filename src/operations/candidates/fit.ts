// How many more times a request fits: the total, and pages of the counts by tree, aggregate and so on.
import { allowanceAnywhere } from '../../domain/candidates/allowance.ts';
import { type AggregateFit, countFitInParts, type Fit, type Ranking } from '../../domain/candidates/fit.ts';
import { refusalOf } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Page, PageArguments } from '../../domain/page.ts';
import { bounds, type QuotaOwner, type QuotaUse } from '../../domain/quota.ts';
import { consumerTypeFault, maxNameLength } from '../../domain/text.ts';
import { forestOf } from '../forest/forest.ts';
import { forestAskedFor } from '../forest/forest-in-time.ts';
import { searchForest } from '../forest/search.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestScope } from '../scope/scope.ts';
import { type CandidatesInput, forestFor, parseRequest } from './requests.ts';

interface OwnerInput extends QuotaOwner {
  readonly project: string;
}

/**
 * How many more such requests fit, and how many of them quotas allow. A project learns only whether one does, as from an attempt to boot: a count would show what
 * others hold, and so would what quotas for aggregates leave to other places. Refuses what findCandidates refuses, and NOT_FOUND to a project for others; for a
 * project, unknown classes and traits are like those that no host has.
 */
export async function findFit(scope: RequestScope, input: CandidatesInput, within?: Optional<OwnerInput>): Promise<Fit> {
  const request = parseRequest(input);
  const quotas = within ? await listQuotas(scope, within) : [];
  const isOfProject = scope.ownProject !== null;
  const present = await (isOfProject ? forestOf(scope.db).current() : forestFor(scope, request));
  const { during } = input;
  const forest = during ? await forestAskedFor(scope, present, during) : present;
  const fit = await searchForest(scope, 'fit', countFitInParts(forest, request, quotas), forest !== present);
  if (!isOfProject) return fit;
  const most = limits.projectFit;
  const { byRoot, byAggregate } = fit;
  const allowance = fit.allowance?.count === 0 ? fit.allowance : allowanceAnywhere(quotas, request);
  if (fit.total < most) return { ...fit, allowance };
  return { total: most, exact: false, truncated: true, byRoot, byAggregate, allowance };
}

/** The quotas that bound an owner. */
async function listQuotas({ ownProject, loaders }: RequestScope, owner: OwnerInput): Promise<QuotaUse[]> {
  const { project, user, consumerType } = owner;
  const check = new InputCheck();
  check.text(['within', 'project'], project, maxNameLength);
  check.text(['within', 'user'], user, maxNameLength);
  if (typeof consumerType === 'string') check.fault(['within', 'consumerType'], consumerTypeFault(consumerType));
  check.done();
  if (ownProject !== null && project !== ownProject) {
    throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'project', key: project } }, ['within', 'project']);
  }
  const uses = await loaders.quotaUsesByProject.load(project);
  return uses.filter((quota) => bounds(quota, owner));
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
