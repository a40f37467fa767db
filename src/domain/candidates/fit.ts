// Placeholder while being written by its owner: replace whole.
import type { Aggregate, Provider } from '../provider.ts';
import type { Forest } from './forest.ts';
import type { CandidateRequest } from './request.ts';
export interface Fit {
  readonly total: number;
  readonly exact: boolean;
  readonly complete: boolean;
  readonly byRoot: readonly { readonly root: Provider; readonly count: number }[];
  readonly byAggregate: readonly { readonly aggregate: Aggregate; readonly count: number }[];
}
export function countFit(_forest: Forest, _request: CandidateRequest): Fit {
  throw new Error('being written');
}
