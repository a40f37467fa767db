// The page's query, complete in itself, to copy.
import { server } from './beyond.ts';
import { literalOf } from './literal.ts';
import { candidatesInput, type FitRequest } from './request.ts';

export function queryText(request: FitRequest): string {
  const input = literalOf(candidatesInput(request), null, '  ');
  const { project } = request;
  const within = project === '' ? '' : `, within: ${literalOf({ project, consumerType: server })}`;
  const allowed =
    project === '' ? '' : '\n    allowed\n    limitedBy { projectExternalId quota { resourceClassName amount } used available }';
  return `query WhatFits {
  fit(input: ${input}${within}) {
    total
    exact${allowed}
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
