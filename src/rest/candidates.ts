// What a search for candidates gives this surface, and how each version tells it.
import type { CandidateRequest } from '../domain/candidates/request.ts';
import type { RequestScope } from '../operations/request/scope.ts';
import { has, type Microversion } from './microversions.ts';
import { jsonOf, listPart } from './streams.ts';

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

/** The body of the answer at a version: each allocation request can be sent back in PUT /allocations of the same version. */
export function renderCandidates(
  { candidates, summaries }: FoundCandidates,
  request: CandidateRequest,
  version: Microversion,
): Uint8Array | AsyncIterable<Uint8Array> {
  const shown = has(version, 'nestedCandidates') ? summaries : usedIn(candidates, summaries);
  const asked = new Set(request.groups.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)));
  return jsonOf(
    listPart('{"allocation_requests":[', candidates, (candidate) => renderCandidate(candidate, version), '],'),
    listPart('"provider_summaries":{', shown, (summary) => `"${summary.uuid}":${renderSummary(summary, asked, version)}`, '}}'),
  );
}

function usedIn(candidates: readonly FoundCandidate[], summaries: readonly ProviderSummary[]): readonly ProviderSummary[] {
  const used = new Set(candidates.flatMap(({ allocations }) => allocations.map(({ provider }) => provider)));
  return summaries.filter(({ uuid }) => used.has(uuid));
}

// Both are written by hand, because there are many. Neither uuids nor names of classes, traits and groups need quoting.

function renderCandidate({ allocations, mappings }: FoundCandidate, version: Microversion): string {
  const byProvider = new Map<string, string>();
  for (const { provider, resourceClass, amount } of allocations) {
    const before = byProvider.get(provider);
    byProvider.set(provider, `${before === undefined ? '' : `${before},`}"${resourceClass}":${amount}`);
  }
  const entries = [...byProvider];
  if (!has(version, 'allocationsByProvider')) {
    return `{"allocations":[${entries.map(([uuid, resources]) => `{"resource_provider":{"uuid":"${uuid}"},"resources":{${resources}}}`).join()}]}`;
  }
  const taken = entries.map(([uuid, resources]) => `"${uuid}":{"resources":{${resources}}}`).join();
  const groups = mappings.map(({ suffix, providers }) => `"${suffix}":[${providers.map((uuid) => `"${uuid}"`).join()}]`).join();
  return `{"allocations":{${taken}}${has(version, 'mappings') ? `,"mappings":{${groups}}` : ''}}`;
}

function renderSummary(summary: ProviderSummary, asked: ReadonlySet<string>, version: Microversion): string {
  const { parent, root, inventories } = summary;
  const told = has(version, 'wholeSummaries') ? inventories : inventories.filter(({ resourceClass }) => asked.has(resourceClass));
  const resources = told.map(({ resourceClass, capacity, used }) => `"${resourceClass}":{"capacity":${capacity},"used":${used}}`).join();
  const traits = has(version, 'candidateTraits') ? `,"traits":[${summary.traits.map((name) => `"${name}"`).join()}]` : '';
  const parentUuid = parent === null ? 'null' : `"${parent}"`;
  const tree = has(version, 'nestedCandidates') ? `,"parent_provider_uuid":${parentUuid},"root_provider_uuid":"${root}"` : '';
  return `{"resources":{${resources}}${traits}${tree}}`;
}
