// Explains why a request has no candidates, or how few trees can serve it: runs every tree through the filters of the request in order
// (explain-requirements.ts), and finds for each tree that fails the one or two requirements without which it would serve (explain-survey.ts).
// Pure, bounded by steps; knows the rules only through the filters and combine.ts.

import type { Explanation } from '../explanation.ts';
import { countTrees, type Filter, formatAmount } from './explain-filters.ts';
import { NearestMisses } from './explain-misses.ts';
import { type Requirements, requirementsOf } from './explain-requirements.ts';
import { Survey } from './explain-survey.ts';
import type { Forest, Tree } from './forest.ts';
import { compileQuery } from './groups.ts';
import type { CandidateRequest } from './request.ts';
import { defaultBudget } from './search.ts';
import { inOneGo, Steps } from './steps.ts';

/** Explains the result of a request, regardless of its limits and order; with `trees`, under these only. */
export function explainSearch(
  forest: Forest,
  request: CandidateRequest,
  budget: number = defaultBudget,
  trees: readonly Tree[] = forest.all.trees,
): Explanation {
  return inOneGo(explainInParts(forest, request, budget, trees));
}

/** The same with pauses, during which the forest must not change. */
export function* explainInParts(
  forest: Forest,
  request: CandidateRequest,
  budget: number = defaultBudget,
  trees: readonly Tree[] = forest.all.trees,
): Generator<void, Explanation> {
  const query = compileQuery(forest, request);
  const requirements = requirementsOf(forest, request, query);
  const steps = new Steps(budget);
  const survey = new Survey(forest, requirements, steps, trees);
  let misses = new NearestMisses(forest, requirements);
  yield* survey.judgeAll((tree, failed) => misses.add(tree, failed), 1);
  const { looked, served } = survey;
  const exits = [...survey.exits];
  if (served === 0 && misses.isEmpty && !steps.areSpent) {
    misses = new NearestMisses(forest, requirements);
    yield* survey.judgeAll((tree, failed) => misses.add(tree, failed), 2);
  }
  const lines = linesOf(requirements.filters, exits, looked);
  return {
    summary: summarize(requirements, lines, { looked, served, all: trees.length, misses }),
    steps: lines.map(({ filter: { words, verb: _, object: __, requirement: ___, ...subject }, before, after }) => ({
      ...subject,
      filter: words,
      rootsBefore: before,
      rootsAfter: after,
    })),
    nearestMisses: served > 0 ? [] : misses.best(),
    truncated: steps.areSpent,
  };
}

interface Line {
  readonly filter: Filter;
  readonly before: number;
  readonly after: number;
}

/** The filters with their counts, up to the first that leaves nothing; unit filters are shown only where they exclude a tree. */
function linesOf(filters: readonly Filter[], exits: readonly number[], looked: number): Line[] {
  let before = looked;
  const lines: Line[] = [];
  for (const [number, filter] of filters.entries()) {
    const after = before - (exits[number] as number);
    if (filter.kind !== 'UNITS' || after < before) lines.push({ filter, before, after });
    before = after;
    if (after === 0) break;
  }
  return lines;
}

interface Outcome {
  readonly looked: number;
  readonly served: number;
  readonly all: number;
  readonly misses: NearestMisses;
}

function summarize({ all }: Requirements, lines: readonly Line[], { looked, served, all: total, misses }: Outcome): string {
  if (total === 0) return 'No candidates: there are no providers.';
  const isPart = looked < total;
  const trees = isPart ? `the first ${formatAmount(looked)} of ${countTrees(total)}` : countTrees(looked);
  const narrowing = lines.filter(({ before, after }) => after < before);
  const chain = narrowing.map(
    ({ filter, after }, index) => `${after === 0 ? 'none' : formatAmount(after)}${index > 0 ? ' of these' : ''} ${clause(filter, after)}`,
  );
  const of = chain.length > 0 ? `: of ${trees}, ${chain.join(', ')}.` : `: ${trees} can serve the request.`;
  if (served > 0) return `Candidates under ${countTrees(served)}${of}`;
  if (looked === 0) return 'Not explained: the budget was too small for a single tree.';
  const culprit = narrowing.at(-1)?.filter;
  const absence = culprit && all[culprit.requirement]?.absence();
  const few = misses.isEmpty ? 'any two requirements' : 'a single requirement';
  const alone = misses.isSingle ? '' : ` Dropping ${few} would not help.`;
  return `No candidates${of}${absence ? ` ${absence}` : ''}${isPart ? '' : alone}`;
}

function clause({ verb, object }: Filter, count: number): string {
  const singular = { have: 'has', are: 'is', can: 'can' };
  return `${count <= 1 ? singular[verb] : verb} ${object}`;
}
