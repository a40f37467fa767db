// Plans where all consumers on some hosts would go and in which order, and explains which cannot go. A dry run: the operator makes the moves one by one.
import type { Explanation } from '../../domain/explanation.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { removeTrees } from '../../domain/plans/changes.ts';
import type { RequestBasis } from '../../domain/plans/consumers.ts';
import { type Goal, planDrain, type Stuck } from '../../domain/plans/drain.ts';
import type { Provider } from '../../domain/provider.ts';
import { workInTurn } from '../../operations/request/event-loop-share.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import type { RequestWarning } from '../terms/request-warnings.ts';
import { type PlannedMove, renderMoves } from './moves.ts';
import { type PlanInput, readPlanBasis, treeOf } from './plan-inputs.ts';

export interface DrainPlanInput extends PlanInput {
  /** SPREAD if omitted. */
  readonly goal?: Optional<Goal>;
  /** Hosts that are neither drained nor used as destinations. */
  readonly excludedComputeNodes?: Optional<readonly string[]>;
}

export interface DrainPlan {
  readonly moves: readonly PlannedMove[];
  /** At most as many as there may be moves. */
  readonly stuck: readonly StuckConsumer[];
  readonly stuckCount: number;
  readonly truncated: boolean;
  readonly warnings: readonly RequestWarning[];
}

export interface StuckConsumer {
  readonly consumer: string;
  readonly reason: Stuck['reason'];
  /** The root that it is on; null if it is not on exactly one. */
  readonly on: Provider | null;
  readonly basis: RequestBasis;
  readonly explanation: Explanation | null;
}

/** Plans the moves that empty these hosts. Refuses INVALID_INPUT, NOT_FOUND. */
export async function drainPlan(scope: RequestScope, input: DrainPlanInput): Promise<DrainPlan> {
  const check = new InputCheck();
  check.size(['excludedComputeNodes'], input.excludedComputeNodes ?? [], 0, limits.filterKeys);
  check.done();
  const { forest, trees, occupants, groups, devices, classIds, maxMoves, warnings } = await readPlanBasis(scope, input, true);
  const excluded = (input.excludedComputeNodes ?? []).map((uuid, index) => treeOf(forest, uuid, ['excludedComputeNodes', index]));
  await workInTurn(removeTrees(forest, [...new Set([...trees, ...excluded])]));
  const { moves, stuck, truncated } = await workInTurn(
    planDrain(forest, occupants, {
      ...{ goal: input.goal ?? 'SPREAD', classIds, maxMoves, maxExplained: limits.planExplanations },
      mayShare: (occupant, tree) => groups.mayShare(occupant, tree) && devices.mayServe(occupant, tree),
      moved: (move, sign) => {
        groups.moved(move, sign);
        devices.moved(move, sign);
      },
      requestNow: (occupant) => devices.requestNow(occupant),
    }),
  );
  return {
    moves: await renderMoves(scope, forest, moves),
    stuck: stuck.slice(0, maxMoves).map(renderStuck),
    ...{ stuckCount: stuck.length, truncated, warnings },
  };
}

function renderStuck({ occupant: { uuid, home, basis }, reason, explanation }: Stuck): StuckConsumer {
  return { consumer: uuid, reason, on: home?.root.state.provider ?? null, basis, explanation };
}
