// Adds traits to one provider or many, or removes them, in one call of one function; or previews that.

import type { AnswerOf } from '../../db/writes/operations.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { findFirstAnswer, write } from '../scope/write.ts';
import { checkExpectedCount, checkSelection, findSelected, locateSelected, type ProviderSelection } from './selected-providers.ts';

export interface TraitsPatch {
  readonly select: ProviderSelection;
  readonly add?: Optional<readonly string[]>;
  readonly remove?: Optional<readonly string[]>;
  /** How many providers must be selected. */
  readonly expectedCount?: Optional<number>;
  readonly dryRun?: Optional<boolean>;
}

/** The traits that a provider got and lost. */
interface PatchedTraits {
  readonly provider: string;
  readonly traitNamesAdded: readonly string[];
  readonly traitNamesRemoved: readonly string[];
}

interface PatchedTraitsOfMany {
  /** The number of selected providers. */
  readonly matchedCount: number;
  /** The providers whose traits change, oldest first. */
  readonly changes: readonly PatchedTraits[];
  readonly applied: boolean;
  readonly replayed: boolean;
}

/**
 * Adds and removes traits, on one provider or on all that are named or match a filter, all or nothing. Providers that need no change are not written. Refuses
 * INVALID_INPUT (also if a provider would get too many), NOT_FOUND (provider or trait), PROVIDER_CONFLICT, SELECTION_CONFLICT.
 */
export async function patchTraits(scope: RequestScope, { select, ...input }: TraitsPatch): Promise<PatchedTraitsOfMany> {
  const added = input.add ?? [];
  const removed = input.remove ?? [];
  const check = new InputCheck();
  check.traits(['add'], added);
  check.traits(['remove'], removed);
  removed.forEach((name, index) => {
    if (added.includes(name)) check.add(['remove', index], `${name} cannot be both added and removed`);
  });
  if (added.length + removed.length === 0) check.add(['add'], 'must have a trait to add or to remove');
  const expects = checkSelection(check, select);
  const expectedCount = checkExpectedCount(check, input.expectedCount);
  check.done();
  const first = await findFirstAnswer(scope, 'patch_traits');
  if (first) return patchedBy(first);
  const providers = await findSelected(scope, select);
  const expected = { ...(expects && { expects }), ...expectedCount };
  const request = { providers, ...expected, added, removed, most: limits.providerTraits, dryRun: input.dryRun ?? false };
  const answer = await write(scope, 'patch_traits', request, (reason) => {
    if (reason.code === 'INVALID_INPUT') return ['add'];
    if (reason.code !== 'NOT_FOUND' || reason.details.noun !== 'trait') return locateSelected(reason, select);
    const place = added.indexOf(reason.details.key);
    return place < 0 ? ['remove', removed.indexOf(reason.details.key)] : ['add', place];
  });
  return patchedBy(answer);
}

/** The result in an answer, fresh or replayed. */
function patchedBy({ matched, patched, applied, replayed }: AnswerOf<'patch_traits'>): PatchedTraitsOfMany {
  const changes = patched.map(([provider, traitNamesAdded, traitNamesRemoved]) => ({ provider, traitNamesAdded, traitNamesRemoved }));
  return { matchedCount: matched, changes, applied, replayed: replayed ?? false };
}
