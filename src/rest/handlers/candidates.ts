// Allocation candidates: parses the query, searches, and renders the result for the version.
import { randomInt } from 'node:crypto';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import { limits } from '../../domain/limits.ts';
import { findWithSummaries } from '../../operations/candidates/summaries.ts';
import type { Answer, Call, SearchSettings } from '../call.ts';
import { renderCandidates } from '../candidates.ts';
import { parseCandidatesQuery } from './candidates-query.ts';

/** GET /allocation_candidates: 400 for a query that contradicts itself or contains unknown names. */
export async function listCandidates({ scope, query, version, searchSettings }: Call): Promise<Answer> {
  const request = parseCandidatesQuery(query, version);
  const found = await findWithSummaries(scope, asConfigured(request, searchSettings));
  return { body: renderCandidates(found, request, version), lastModified: 'now' };
}

/** Whether a search is heavy work. Nova requests at most 1,000 candidates, which is not. */
export function findsMany({ query, searchSettings: { maxCandidates } }: Pick<Call, 'query' | 'searchSettings'>): boolean {
  // The first of several limits counts, as in the search itself.
  const limit = Number(query.first('limit') ?? Number.POSITIVE_INFINITY);
  return Math.min(limit, maxCandidates ?? limit) > limits.candidates;
}

function asConfigured(request: CandidateRequest, { randomizeCandidates, maxCandidates }: SearchSettings): CandidateRequest {
  const limit = maxCandidates === null ? request.limit : Math.min(request.limit ?? maxCandidates, maxCandidates);
  return { ...request, limit, ...(randomizeCandidates && { order: [{ by: 'RANDOM' as const, seed: randomInt(2 ** 31) }] }) };
}
