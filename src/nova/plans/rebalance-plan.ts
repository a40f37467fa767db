// Plans few moves that even out a set of hosts, or empty some of them. A dry run: the operator makes the moves one by one, and may stop after any.
import type { Optional } from '../../domain/input.ts';
import type { Goal } from '../../domain/plans/drain.ts';
import type { Balance } from '../../domain/plans/load.ts';
import { planRebalance } from '../../domain/plans/rebalance.ts';
import type { Provider } from '../../domain/provider.ts';
import { workInTurn } from '../../operations/request/event-loop-share.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import type { RequestWarning } from '../terms/request-warnings.ts';
import { type PlannedMove, renderMoves } from './moves.ts';
import { type PlanInput, readPlanBasis } from './plan-inputs.ts';

export interface RebalancePlanInput extends PlanInput {
  /** SPREAD if omitted. */
  readonly goal?: Optional<Goal>;
  /** With SPREAD: each move must gain more than this; 0.001 if omitted. */
  readonly minGain?: Optional<number>;
}

export interface RebalancePlan {
  readonly moves: readonly PlannedMove[];
  readonly before: Balance;
  readonly after: Balance;
  /** The roots that are emptied. */
  readonly emptied: readonly Provider[];
  readonly truncated: boolean;
  readonly warnings: readonly RequestWarning[];
}

const usualGain = 0.001;

/** Plans moves among these hosts. Refuses INVALID_INPUT, NOT_FOUND. */
export async function rebalancePlan(scope: RequestScope, input: RebalancePlanInput): Promise<RebalancePlan> {
  const minGain = input.minGain ?? usualGain;
  const check = new InputCheck();
  if (!(minGain > 0 && minGain <= 1)) check.add(['minGain'], 'must be above 0 and at most 1');
  check.done();
  const { forest, trees, occupants, groups, devices, classIds, maxMoves, warnings } = await readPlanBasis(scope, input, false);
  const { moves, emptied, ...plan } = await workInTurn(
    planRebalance(forest, trees, occupants, {
      ...{ goal: input.goal ?? 'SPREAD', classIds, maxMoves, minGain },
      mayShare: (occupant, tree) => groups.mayShare(occupant, tree) && devices.mayServe(occupant, tree),
      moved: (move, sign) => {
        groups.moved(move, sign);
        devices.moved(move, sign);
      },
    }),
  );
  return {
    ...plan,
    moves: (await renderMoves(scope, forest, moves)).map((move, index) => ({ ...move, gain: moves[index]?.gain ?? 0 })),
    emptied: emptied.map(({ root }) => root.state.provider),
    warnings,
  };
}
