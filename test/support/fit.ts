// The number of times that a request fits, counted without pausing.
import { countFitInParts, type Fit } from '../../src/domain/candidates/fit.ts';
import type { Forest } from '../../src/domain/candidates/forest.ts';
import type { CandidateRequest } from '../../src/domain/candidates/request.ts';
import { inOneGo } from '../../src/domain/candidates/steps.ts';

export const countFit = (forest: Forest, request: CandidateRequest, budget?: number): Fit =>
  inOneGo(countFitInParts(forest, request, [], budget));
