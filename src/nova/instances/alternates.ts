// Reschedules an instance that could not be built on its host to one of the alternates of the first search, without another search.

import { invalidInput, type Problem, Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { writtenAffinity } from '../../operations/allocations/affinity.ts';
import { type ConsumerAllocations, type ConsumerExpectation, tryAllocations } from '../../operations/allocations/allocation-writes.ts';
import { findHolders, type Holder, holderOf, keepUnchanged } from '../../operations/allocations/holdings.ts';
import { countingRefusals } from '../../operations/allocations/refused-claims.ts';
import { isForAggregate } from '../../operations/candidates/aggregate-caps.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { findFirstAnswer, type Written } from '../../operations/scope/write.ts';
import type { Given } from '../objects/given.ts';
import { parseServerGroup, type ServerGroupFields } from '../requests/server-groups.ts';
import { instanceType } from '../terms/consumer-types.ts';
import { compareHoldings } from './audit.ts';
import { parseSelection, type SelectionInput } from './selections.ts';

export interface AlternateClaim {
  readonly instance: string;
  readonly expect: ConsumerExpectation;
  /** 1 to 20, tried in this order. */
  readonly selections: readonly SelectionInput[];
  /** Required if the instance has no allocations. */
  readonly project?: Optional<string>;
  readonly user?: Optional<string>;
  readonly expiry?: ConsumerAllocations['expiry'];
  readonly reservation?: ConsumerAllocations['reservation'];
  /** The group whose policy applies, as it did when the alternates were found. */
  readonly serverGroup?: Optional<Given<ServerGroupFields>>;
}

export interface AlternateClaimed {
  readonly holder: Holder | null;
  /** Index of the alternate, from 0. */
  readonly place: number;
  /** False if the instance already had the allocations of an alternate. */
  readonly changed: boolean;
}

const maxAlternates = limits.claimAlternates;

/** Codes which mean that an alternate is not available any more, so the next one is tried. */
const goneCodes: ReadonlySet<RefusalCode> = new Set([
  'NOT_FOUND',
  'NO_INVENTORY',
  'UNIT_VIOLATION',
  'CAPACITY_EXCEEDED',
  'AFFINITY_VIOLATION',
]);

/**
 * Replaces the allocations of an instance by those of the first alternate that is still available; each attempt is one write. Repeating the call
 * changes nothing. Refuses INVALID_INPUT and CONSUMER_CONFLICT; if no alternate is available, refuses with the reason for each.
 */
export function claimAlternate(scope: RequestScope, input: AlternateClaim): Promise<AlternateClaimed> {
  return countingRefusals(scope, () => tryAlternates(scope, input));
}

async function tryAlternates(
  scope: RequestScope,
  { instance, expect, selections, project, user, expiry, reservation, serverGroup }: AlternateClaim,
): Promise<AlternateClaimed> {
  if (selections.length < 1 || selections.length > maxAlternates) {
    throw invalidInput(['selections'], `must have 1 to ${maxAlternates} elements`);
  }
  const group = serverGroup ? parseServerGroup(serverGroup, ['serverGroup']) : null;
  const affinity = group ? writtenAffinity(group.affinity) : undefined;
  const choices = selections.map((selection, index) => parseSelection(selection, ['selections', index]));
  const first = await findFirstAnswer(scope, 'replace_allocations');
  if (first) return claimedBy(first);
  const holder = (await findHolders(scope, [instance])).get(instance) ?? null;
  const held = choices.findIndex((choice) => holder && compareHoldings(choice, holder.allocations) === 'RIGHT');
  if (held >= 0) {
    const kept = await keepUnchanged(scope, [instance], { place: held, changed: false });
    return kept ? claimedBy(kept) : { holder, place: held, changed: false };
  }
  const problems: Problem[] = [];
  for (const [place, allocations] of choices.entries()) {
    try {
      const consumer = {
        consumer: instance,
        expect,
        hold: { allocations },
        project,
        user,
        expiry,
        reservation,
        ...(holder ? {} : { consumerType: instanceType }),
      };
      return claimedBy(await tryAllocations(scope, { consumers: [consumer], affinity }, { place, changed: true }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(...error.relabelled((problem) => placeInAlternates(problem, place)).problems);
      if (!error.problems.every((problem) => goneCodes.has(problem.code) || isForAggregate(problem))) break;
    }
  }
  throw new Refusal(problems);
}

/** The result in an answer, fresh or replayed. */
function claimedBy({ consumers = [], besides }: Written): AlternateClaimed {
  const [holder] = consumers;
  return { holder: holder ? holderOf(holder) : null, ...(besides as Pick<AlternateClaimed, 'place' | 'changed'>) };
}

/** Converts paths in the written consumer to paths in the alternates. */
function placeInAlternates({ path: [, , part, ...rest] }: Problem, place: number): Path {
  if (part === 'hold' || part === undefined) return ['selections', place];
  return [part, ...rest];
}
