// Changes individual fields of inventories, of one provider or many, in one call of one function; or previews the changes.

import type { PatchedRow } from '../../db/writes/contract.ts';
import type { AnswerOf } from '../../db/writes/operations.ts';
import { problemOf, Refusal } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import {
  type InventoryPatch,
  type InventoryRecord,
  inventoryFaults,
  type ShrunkInventory,
  shrunkInventories,
} from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { findFirstAnswer, write } from '../scope/write.ts';
import { checkExpectedCount, checkSelection, findSelected, locateSelected, type ProviderSelection } from './selected-providers.ts';

/** An inventory before and after, and its usage. */
export interface PatchedInventory {
  readonly provider: string;
  readonly used: number;
  readonly before: InventoryRecord & { readonly capacity: number };
  readonly after: InventoryRecord & { readonly capacity: number };
}

export interface InventoriesPatch {
  readonly select: ProviderSelection;
  readonly resourceClass: string;
  /** Omitted fields stay unchanged. */
  readonly patch: { readonly [Field in keyof InventoryRecord]?: Optional<number> };
  /** How many of the selected providers must have the class. */
  readonly expectedCount?: Optional<number>;
  readonly dryRun?: Optional<boolean>;
}

export interface PatchedInventories {
  /** The number of selected providers that have the class. */
  readonly matchedCount: number;
  /** The providers whose inventory changes, oldest first. */
  readonly patched: readonly PatchedInventory[];
  readonly applied: boolean;
  readonly replayed: boolean;
  readonly eventId: number | null;
  readonly warnings: readonly ShrunkInventory[];
}

/**
 * Changes the given fields of the inventory of a class: of one provider, or of all that match a filter and have the class, all or nothing. Unchanged
 * inventories are not written. Refuses INVALID_INPUT (also for each record that would be illegal), NOT_FOUND, PROVIDER_CONFLICT, NO_INVENTORY,
 * SELECTION_CONFLICT.
 */
export async function patchInventories(scope: RequestScope, input: InventoriesPatch): Promise<PatchedInventories> {
  const { select, resourceClass } = input;
  const check = new InputCheck();
  check.className(['resourceClass'], resourceClass);
  const patch = checkPatch(check, input.patch);
  const expects = checkSelection(check, select);
  const expectedCount = checkExpectedCount(check, input.expectedCount);
  check.done();
  const first = await findFirstAnswer(scope, 'patch_inventories');
  if (first) return patchedBy(first, patch);
  const providers = await findSelected(scope, select, { name: resourceClass, path: ['resourceClass'] });
  const expected = expects && (select.one ? { expect: expects[0] ?? {} } : { expects });
  const request = { providers, ...expected, ...expectedCount, resourceClass, patch, dryRun: input.dryRun ?? false };
  const answer = await write(scope, 'patch_inventories', request, (reason) =>
    reason.code === 'NOT_FOUND' && reason.details.noun !== 'resourceProvider' ? ['resourceClass'] : locateSelected(reason, select),
  );
  if (answer.illegalCount > 0) {
    const problems = answer.illegal.map(({ name }) => {
      const message = `${name} would have a capacity below 0: trunc((total - reserved) * allocationRatio)`;
      return problemOf({ code: 'INVALID_INPUT', details: { message } }, ['patch']);
    });
    throw new Refusal(problems);
  }
  return patchedBy(answer, patch);
}

/** The result in an answer, fresh or replayed. */
function patchedBy(answer: AnswerOf<'patch_inventories'>, patch: InventoryPatch): PatchedInventories {
  const { matched, applied, replayed } = answer;
  const warnings = shrunkInventories(answer);
  const patched = answer.patched.map((row) => patchedOf(row, patch));
  return { matchedCount: matched, patched, applied, warnings, replayed: replayed ?? false, eventId: answer.eventId ?? null };
}

function patchedOf(row: PatchedRow, patch: InventoryPatch): PatchedInventory {
  const [provider, used, capacityBefore, capacityAfter, total, reserved, minUnit, maxUnit, stepSize, allocationRatio] = row;
  const record = { total, reserved, minUnit, maxUnit, stepSize, allocationRatio };
  return { provider, used, before: { ...record, capacity: capacityBefore }, after: { ...record, ...patch, capacity: capacityAfter } };
}

/** A record within all limits, standing in for the omitted fields: only given fields can then be at fault, except for the capacity. */
const harmless: InventoryRecord = { total: limits.amount, reserved: 0, minUnit: 1, maxUnit: 1, stepSize: 1, allocationRatio: 1 };

function checkPatch(check: InputCheck, given: InventoriesPatch['patch']): InventoryPatch {
  const fields = Object.keys(harmless) as (keyof InventoryRecord)[];
  const patch: InventoryPatch = Object.fromEntries(
    fields.flatMap((field) => {
      const value = given[field];
      return typeof value === 'number' ? [[field, value]] : [];
    }),
  );
  if (Object.keys(patch).length === 0) check.add(['patch'], 'patch must have at least one field');
  for (const [field, value] of Object.entries(patch)) {
    // One field at a time: whether they are consistent depends on the omitted ones.
    const fault = inventoryFaults({ ...harmless, [field]: value }).find((found) => found.field === field);
    if (fault) check.add(['patch', field], `${field} ${fault.message}`);
  }
  return patch;
}
