// Changes individual fields of inventories, of one provider or many, in one call of one function; or previews the changes.

import { selectProvidersWithClass } from '../../db/inventories.ts';
import type { AnswerOf, Expected, PatchedRow } from '../../db/writes/contract.ts';
import { invalidInput, type Problem, problemOf, Refusal, type RefusalReason } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { type InventoryPatch, type InventoryRecord, inventoryFaults, type ShrunkInventory } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck, type ProviderExpectation } from '../request/input.ts';
import type { RequestScope } from '../request/scope.ts';
import { findFirstAnswer, write } from '../request/write.ts';
import { type ProviderFilterInput, resolveProviderFilter } from './provider-filter.ts';
import { locateProvider } from './provider-writes.ts';

/** An inventory before and after, and its usage. */
export interface PatchedInventory {
  readonly provider: string;
  readonly used: number;
  readonly before: InventoryRecord & { readonly capacity: number };
  readonly after: InventoryRecord & { readonly capacity: number };
}

interface ExpectedProvider {
  readonly resourceProvider: string;
  readonly expect: ProviderExpectation;
}

export interface InventoriesPatch {
  /** Exactly one of the three. */
  readonly select: {
    readonly one?: Optional<ExpectedProvider>;
    readonly many?: Optional<readonly ExpectedProvider[]>;
    readonly filter?: Optional<ProviderFilterInput>;
  };
  readonly resourceClass: string;
  /** Omitted fields stay unchanged. */
  readonly patch: { readonly [Field in keyof InventoryRecord]?: Optional<number> };
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
 * inventories are not written. Refuses INVALID_INPUT (also for each record that would be illegal), NOT_FOUND, PROVIDER_CONFLICT, NO_INVENTORY.
 */
export async function patchInventories(scope: RequestScope, input: InventoriesPatch): Promise<PatchedInventories> {
  const { select, resourceClass } = input;
  const check = new InputCheck();
  check.className(['resourceClass'], resourceClass);
  const patch = checkPatch(check, input.patch);
  const expect = select.one ? check.expectation(['select', 'one', 'expect'], { ...select.one.expect }) : undefined;
  const expects = select.many ? checkMany(check, select.many) : undefined;
  check.done();
  const first = await findFirstAnswer(scope, 'patch_inventories');
  if (first) return patchedBy(first, patch);
  const named = select.one ? [select.one] : select.many;
  const providers =
    named?.map(({ resourceProvider }) => resourceProvider) ?? (await findProviders(scope, select.filter ?? {}, resourceClass));
  const expected = { ...(expect && { expect }), ...(expects && { expects }) };
  const request = { providers, ...expected, resourceClass, patch, dryRun: input.dryRun ?? false };
  const answer = await write(scope, 'patch_inventories', request, (reason) => locate(reason, providers, expects !== undefined));
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
  const { matched, applied, warnings, replayed } = answer;
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

/** The providers that currently match and have the class, oldest first. Refuses more than 10,000. */
async function findProviders({ db }: RequestScope, filter: ProviderFilterInput, resourceClass: string): Promise<string[]> {
  const path = ['resourceClass'];
  const { conditions, classIds } = await resolveProviderFilter(db, filter, [{ name: resourceClass, path }], ['select', 'filter']);
  const uuids = await selectProvidersWithClass(db, classIds.get(resourceClass) ?? 0, conditions, limits.patchedProviders + 1);
  if (uuids.length <= limits.patchedProviders) return uuids;
  throw invalidInput(
    ['select', 'filter'],
    `more than ${limits.patchedProviders} providers match and have ${resourceClass}: narrow the filter, and call again for the others`,
  );
}

/** The expectations of many providers, in their order. */
function checkMany(check: InputCheck, many: readonly ExpectedProvider[]): Expected[] {
  const path = ['select', 'many'];
  check.size(path, many, 1, limits.patchedProviders);
  const uuids = many.map(({ resourceProvider }) => resourceProvider);
  check.unique(path, uuids, (index) => [index, 'resourceProvider']);
  return many.map(({ expect }, index) => check.expectation([...path, index, 'expect'], { ...expect }));
}

function locate(reason: RefusalReason, providers: readonly string[], isOfMany: boolean): readonly (string | number)[] {
  const { code, details } = reason;
  if (code === 'NOT_FOUND' && details.noun !== 'resourceProvider') return ['resourceClass'];
  const within = locateProvider(reason);
  if (!isOfMany) return within.length === 0 ? [] : ['select', 'one', ...within];
  const key = code === 'NOT_FOUND' ? details.key : 'provider' in details ? details.provider : null;
  const place = providers.indexOf(String(key));
  return place < 0 ? ['select', 'many'] : ['select', 'many', place, ...within];
}

/** The data of the payload. */
export type PatchInventoriesAnswer = Omit<PatchedInventories, 'patched' | 'eventId'> & {
  readonly changes: readonly PatchedInventory[];
  readonly userErrors: readonly Problem[];
};
