// Renders the results of a search for candidates in the form of each version.
import type { CandidateRequest } from '../domain/candidates/request.ts';
import type { FoundWithSummaries, ProviderSummary } from '../operations/candidates/summaries.ts';
import { has, type Microversion } from './microversions.ts';
import { jsonOf, listPart } from './streams.ts';

/** Without `truncated`, because no version shows whether there are more candidates. */
export type CandidatesAnswer = Omit<FoundWithSummaries, 'truncated'>;

type FoundCandidate = CandidatesAnswer['candidates'][number];

/** The response body at a version: each allocation request can be sent back in PUT /allocations of the same version. */
export function renderCandidates(
  { candidates, summaries }: CandidatesAnswer,
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

// Candidates and summaries are rendered by hand, because there are many. Uuids and the names of classes, traits and groups need no escaping.

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
  const shown = has(version, 'wholeSummaries') ? inventories : inventories.filter(({ resourceClass }) => asked.has(resourceClass));
  const resources = shown.map(({ resourceClass, capacity, used }) => `"${resourceClass}":{"capacity":${capacity},"used":${used}}`).join();
  const traits = has(version, 'candidateTraits') ? `,"traits":[${summary.traits.map((name) => `"${name}"`).join()}]` : '';
  const parentUuid = parent === null ? 'null' : `"${parent}"`;
  const tree = has(version, 'nestedCandidates') ? `,"parent_provider_uuid":${parentUuid},"root_provider_uuid":"${root}"` : '';
  return `{"resources":{${resources}}${traits}${tree}}`;
}
