// The search for allocation candidates: checks the request, updates the forest, runs the search of the domain, and preserves the states that it saw for the
// answer.
import { setImmediate } from 'node:timers/promises';
import type { AllocationInput } from '../../domain/allocation.ts';
import { explainInParts } from '../../domain/candidates/explain.ts';
import type { Forest, ForestProvider } from '../../domain/candidates/forest.ts';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import { type Candidate, searchInParts } from '../../domain/candidates/search.ts';
import type { Explanation } from '../../domain/explanation.ts';
import { limits } from '../../domain/limits.ts';
import type { Provider, ResourceClass } from '../../domain/provider.ts';
import { forestAskedFor } from '../forest/forest-in-time.ts';
import { searchForest } from '../forest/search.ts';
import type { RequestScope } from '../scope/scope.ts';
import { type CandidatesInput, forestFor, parseRequest } from './requests.ts';

/** A candidate, as it was when it was found. */
export interface FoundCandidate {
  readonly root: Provider;
  readonly allocations: readonly FoundAllocation[];
  readonly mappings: readonly FoundMapping[];
}

export interface FoundAllocation {
  readonly resourceProvider: Provider;
  readonly resourceClass: ResourceClass;
  readonly amount: number;
}

export interface FoundMapping {
  readonly suffix: string;
  readonly resourceProviders: readonly Provider[];
}

export interface FoundCandidates {
  readonly candidates: readonly FoundCandidate[];
  readonly truncated: boolean;
  /** Explains why there are no more candidates, with a second search over the then current forest. Refuses what findCandidates refuses. */
  explain(): Promise<Explanation>;
}

const maxCandidates = limits.candidates;
/** The maximum number of amounts in all candidates of one answer: rendering more would block the process. */
const maxAllocations = limits.candidateAmounts;
/** The number of candidates that can be rendered without yielding to other work. */
const candidatesAtOnce = 100;

/**
 * Searches the latest committed state. Refuses INVALID_INPUT for a request that contradicts itself, NOT_FOUND for unknown classes and traits; unknown
 * aggregates and trees simply match nothing.
 */
export async function findCandidates(scope: RequestScope, input: CandidatesInput): Promise<FoundCandidates> {
  const request = parseRequest(input);
  const { during } = input;
  const present = await forestFor(scope, request);
  const forest = during ? await forestAskedFor(scope, present, during) : present;
  const isOwn = forest !== present;
  const limit = Math.min(request.limit ?? maxCandidates, Math.floor(maxAllocations / lengthOf(request)));
  const { candidates, truncated } = await searchForest(scope, 'candidates', searchInParts(forest, { ...request, limit }), isOwn);
  // A copy for a period shows what is promised during that period, so the other fields of the answer must not read it.
  if (!isOwn) remember(scope, forest, candidates);
  const found = candidates.map((candidate) => renderCandidate(forest, candidate));
  // Rendering the results of a long search takes as long as the search: yield first. Other work may then update the forest.
  const isLong = found.length > candidatesAtOnce;
  if (isLong) await setImmediate();
  return {
    candidates: found,
    truncated: truncated || (candidates.length === limit && limit !== request.limit),
    explain: async () => {
      const then = isLong && !isOwn ? await forestFor(scope, request) : forest;
      return searchForest(scope, 'explanation', explainInParts(then, request), isOwn);
    },
  };
}

/** The number of amounts in each candidate: at least 1, at most what a request may name. */
function lengthOf({ groups }: CandidateRequest): number {
  const taken = groups.reduce((sum, { resources }) => sum + resources.length, 0);
  return Math.max(groups.length, taken);
}

/** Preserves the states of the providers of these candidates, and of their ancestors, for the rest of the request. */
function remember({ loaders }: RequestScope, forest: Forest, candidates: readonly Candidate[]): void {
  const seen = new Set<ForestProvider>();
  for (const { root, chosen } of candidates) {
    seen.add(root);
    for (const provider of chosen) {
      for (let at: ForestProvider | null = provider; at && !seen.has(at); at = at.parent) seen.add(at);
    }
  }
  loaders.known.remember(forest, seen);
}

/** A candidate as plain data, which later updates of the forest do not change. */
export function renderCandidate(forest: Forest, { root, allocations, mappings }: Candidate): FoundCandidate {
  return {
    root: root.state.provider,
    allocations: allocations.map(({ provider, classId, amount }) => ({
      resourceProvider: provider.state.provider,
      resourceClass: forest.classes.get(classId) ?? { id: classId, name: '' },
      amount,
    })),
    mappings: mappings.map(({ suffix, providers }) => ({ suffix, resourceProviders: providers.map(({ state }) => state.provider) })),
  };
}

/** The allocations of a candidate, in the form in which they are written. */
export function allocationsOf({ allocations }: FoundCandidate): AllocationInput[] {
  const byProvider = new Map<string, { resourceClass: string; amount: number }[]>();
  for (const { resourceProvider, resourceClass, amount } of allocations) {
    const resources = byProvider.get(resourceProvider.uuid) ?? [];
    byProvider.set(resourceProvider.uuid, resources);
    resources.push({ resourceClass: resourceClass.name, amount });
  }
  return [...byProvider].map(([provider, resources]) => ({ resourceProvider: provider, resources }));
}
