// Candidates with summaries of the providers in their trees, as Placement's REST API returns them.
import type { Forest, ForestProvider, ProviderState } from '../../domain/candidates/forest.ts';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import { type Candidate, searchInParts, summarizeInParts } from '../../domain/candidates/search.ts';
import { searchForest } from '../forest/search.ts';
import type { RequestScope } from '../scope/scope.ts';
import { forestFor } from './requests.ts';

/**
 * Candidates as uuids and names only, with all providers of the trees that they take from, as they were when found. Most of it is built on access,
 * because there may be as many candidates as hosts.
 */
export interface FoundWithSummaries {
  readonly candidates: readonly {
    /** Each pair of provider and class occurs once. */
    readonly allocations: readonly { readonly provider: string; readonly resourceClass: string; readonly amount: number }[];
    readonly mappings: readonly { readonly suffix: string; readonly providers: readonly string[] }[];
  }[];
  readonly summaries: readonly ProviderSummary[];
  readonly truncated: boolean;
}

export interface ProviderSummary {
  readonly uuid: string;
  readonly parent: string | null;
  readonly root: string;
  /** In the order of creation, standard ones first. */
  readonly traits: readonly string[];
  /** Amounts are in units of the class. */
  readonly inventories: readonly { readonly resourceClass: string; readonly capacity: number; readonly used: number }[];
}

/** The number of summaries that are made between two pauses. */
const summariesAtOnce = 1000;

/** Searches the latest committed state for a parsed request. Refuses NOT_FOUND for unknown classes and traits. */
export async function findWithSummaries(scope: RequestScope, request: CandidateRequest): Promise<FoundWithSummaries> {
  const forest = await forestFor(scope, request);
  return searchForest(scope, 'candidates', searchWithSummaries(forest, request));
}

function* searchWithSummaries(forest: Forest, request: CandidateRequest): Generator<void, FoundWithSummaries> {
  const { candidates, truncated } = yield* searchInParts(forest, request);
  const summaries: Summary[] = [];
  for (const provider of yield* summarizeInParts(candidates)) {
    if (summaries.push(new Summary(forest, provider)) % summariesAtOnce === 0) yield;
  }
  yield;
  return { candidates: candidates.map((candidate) => new UuidCandidate(forest, candidate)), summaries, truncated };
}

const classNameIn = (forest: Forest, classId: number) => forest.classes.get(classId)?.name ?? '';

/** The uuids and amounts of a candidate never change, so they are rendered on access, without a copy. */
class UuidCandidate {
  private readonly forest: Forest;
  private readonly candidate: Candidate;

  constructor(forest: Forest, candidate: Candidate) {
    this.forest = forest;
    this.candidate = candidate;
  }

  get allocations() {
    return this.candidate.allocations.map(({ provider, classId, amount }) => ({
      provider: provider.state.provider.uuid,
      resourceClass: classNameIn(this.forest, classId),
      amount,
    }));
  }

  get mappings() {
    const { mappings } = this.candidate;
    return mappings.map(({ suffix, providers }) => ({ suffix, providers: providers.map(({ state }) => state.provider.uuid) }));
  }
}

/** A provider in the state that the search saw. */
class Summary implements ProviderSummary {
  readonly uuid: string;
  readonly parent: string | null;
  readonly root: string;
  private readonly forest: Forest;
  private readonly state: ProviderState;
  private readonly traitIds: readonly number[];

  constructor(forest: Forest, { state, traits, parent, tree }: ForestProvider) {
    this.uuid = state.provider.uuid;
    this.parent = parent?.state.provider.uuid ?? null;
    this.root = tree.root.state.provider.uuid;
    this.forest = forest;
    this.state = state;
    this.traitIds = traits.ids;
  }

  get traits() {
    return this.traitIds.flatMap((id) => this.forest.traits.get(id)?.name ?? []);
  }

  get inventories() {
    const { inventories } = this.state;
    return inventories.map(({ classId, capacity, used }) => ({ resourceClass: classNameIn(this.forest, classId), capacity, used }));
  }
}
