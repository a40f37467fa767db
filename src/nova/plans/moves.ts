// A planned move as returned to the caller, with everything needed to make it.
import type { Forest } from '../../domain/candidates/forest.ts';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import type { RequestBasis } from '../../domain/plans/consumers.ts';
import type { Move } from '../../domain/plans/moves.ts';
import type { Provider } from '../../domain/provider.ts';
import { renderCandidate } from '../../operations/candidates/candidates.ts';
import { mapInTurn } from '../../operations/request/event-loop-share.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { computeNodeOfRoot } from '../compute-nodes/compute-nodes.ts';
import { describeSelection, type Selection } from '../instances/selections.ts';

export interface PlannedMove {
  readonly consumer: string;
  /** The generation of the consumer for which the plan was made. */
  readonly generation: number;
  /** The root that it leaves. */
  readonly from: Provider;
  readonly selection: Selection;
  readonly basis: RequestBasis;
  readonly request: CandidateRequest;
  /** Only in a rebalancing. */
  readonly gain?: number;
}

/** Renders moves. Providers are shown as they are now, without the plan's changes. One statement. */
export async function renderMoves(scope: RequestScope, forest: Forest, moves: readonly Move[]): Promise<PlannedMove[]> {
  const rendered = await mapInTurn(moves, (move) => ({ move, found: renderCandidate(forest, move.candidate) }));
  return Promise.all(
    rendered.map(async ({ move: { occupant, from }, found }) => {
      const { uuid: consumer, generation, basis, request } = occupant;
      const node = await computeNodeOfRoot(scope, found.root.uuid);
      const selection = describeSelection(found, { cell: null, boundCell: null, serviceHost: node?.facts?.host ?? found.root.name });
      return { consumer, generation, basis, request, from: from.root.state.provider, selection };
    }),
  );
}
