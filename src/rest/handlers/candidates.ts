// Candidates for allocations: the query becomes a request, the search answers it, the version tells how it is written.
import type { Answer, Call } from '../call.ts';
import { renderCandidates } from '../candidates.ts';
import { parseCandidatesQuery } from '../candidates-query.ts';

/** GET /allocation_candidates: 400 for a query that contradicts itself or names what does not exist. */
export async function listCandidates({ scope, query, version, search }: Call): Promise<Answer> {
  const request = parseCandidatesQuery(query, version);
  return { body: renderCandidates(await search(scope, request), request, version), lastModified: 'now' };
}
