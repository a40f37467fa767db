// What a search for candidates gives this surface, and how each version tells it.
import type { CandidateRequest } from '../domain/candidates/request.ts';
import type { RequestScope } from '../operations/scope.ts';
import { has, type Microversion } from './microversions.ts';
import { inTurn, jsonOfRows } from './streams.ts';

/** Finds candidates. Refuses NOT_FOUND for traits and classes that do not exist. */
export type SearchCandidates = (scope: RequestScope, request: CandidateRequest) => Promise<FoundCandidates>;

export interface FoundCandidates {
  readonly candidates: readonly FoundCandidate[];
  /** All providers of every tree from which some candidate takes something. */
  readonly summaries: readonly ProviderSummary[];
}

export interface FoundCandidate {
  /** Each pair of provider and class once. */
  readonly allocations: readonly { readonly provider: string; readonly resourceClass: string; readonly amount: number }[];
  /** For each group of the request the uuids of the providers that serve it. */
  readonly mappings: readonly { readonly suffix: string; readonly providers: readonly string[] }[];
}

export interface ProviderSummary {
  readonly uuid: string;
  readonly parent: string | null;
  readonly root: string;
  /** In the order in which the traits came into being, standard ones first. */
  readonly traits: readonly string[];
  /** Amounts are in units of the class. */
  readonly inventories: readonly { readonly resourceClass: string; readonly capacity: number; readonly used: number }[];
}

/** Rows that are rendered at once. */
const shortList = 1000;

/** The body of the answer at a version: each allocation request can be sent back in PUT /allocations of the same version. */
export function renderCandidates(
  { candidates, summaries }: FoundCandidates,
  request: CandidateRequest,
  version: Microversion,
): object | AsyncIterable<Uint8Array> {
  const shown = has(version, 'nestedCandidates') ? summaries : usedIn(candidates, summaries);
  const asked = new Set(request.groups.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)));
  if (shown.length <= shortList && candidates.length <= shortList) {
    return {
      allocation_requests: candidates.map((candidate) => renderCandidate(candidate, version)),
      provider_summaries: Object.fromEntries(shown.map((summary) => [summary.uuid, renderSummary(summary, asked, version)])),
    };
  }
  const requestOf = (candidate: FoundCandidate) => JSON.stringify(renderCandidate(candidate, version));
  const summaryOf = (summary: ProviderSummary) => `"${summary.uuid}":${JSON.stringify(renderSummary(summary, asked, version))}`;
  return inTurn(
    () => jsonOfRows('{"allocation_requests":[', candidates, requestOf, '],'),
    () => jsonOfRows('"provider_summaries":{', shown, summaryOf, '}}'),
  );
}

function usedIn(candidates: readonly FoundCandidate[], summaries: readonly ProviderSummary[]): readonly ProviderSummary[] {
  const used = new Set(candidates.flatMap(({ allocations }) => allocations.map(({ provider }) => provider)));
  return summaries.filter(({ uuid }) => used.has(uuid));
}

function renderCandidate({ allocations, mappings }: FoundCandidate, version: Microversion): object {
  const byProvider = new Map<string, Record<string, number>>();
  for (const { provider, resourceClass, amount } of allocations) {
    const resources = byProvider.get(provider) ?? {};
    resources[resourceClass] = amount;
    byProvider.set(provider, resources);
  }
  const entries = [...byProvider];
  if (!has(version, 'allocationsByProvider')) {
    return { allocations: entries.map(([uuid, resources]) => ({ resource_provider: { uuid }, resources })) };
  }
  return {
    allocations: Object.fromEntries(entries.map(([uuid, resources]) => [uuid, { resources }])),
    ...(has(version, 'mappings') && { mappings: Object.fromEntries(mappings.map(({ suffix, providers }) => [suffix, providers])) }),
  };
}

function renderSummary(summary: ProviderSummary, asked: ReadonlySet<string>, version: Microversion): object {
  const { parent, root, traits, inventories } = summary;
  const told = has(version, 'wholeSummaries') ? inventories : inventories.filter(({ resourceClass }) => asked.has(resourceClass));
  return {
    resources: Object.fromEntries(told.map(({ resourceClass, capacity, used }) => [resourceClass, { capacity, used }])),
    ...(has(version, 'candidateTraits') && { traits }),
    ...(has(version, 'nestedCandidates') && { parent_provider_uuid: parent, root_provider_uuid: root }),
  };
}
