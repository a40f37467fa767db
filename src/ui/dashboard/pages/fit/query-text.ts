// The page's query, complete in itself, to copy.
import { literalOf } from './literal.ts';
import { candidatesInput, type FitRequest } from './request.ts';

export function queryText(request: FitRequest): string {
  const input = literalOf(candidatesInput(request), null, '  ');
  return `query WhatFits {
  fit(input: ${input}) {
    total
    exact
    byAggregate(first: 20) { nodes { aggregate { name } count } }
  }
  allocationCandidates(input: ${input}) {
    candidates {
      root { name }
      allocations { resourceProvider { name } resourceClass { name } amount }
    }
    explanation {
      summary
      steps { suffix filter rootsBefore rootsAfter }
      nearestMisses { message }
    }
  }
}
`;
}
