// Writes of inventories. Each is one call of one function; the rules are there and in domain/inventory.ts.
import type { RequestOf } from '../../db/writes/operations.ts';
import type { RefusalReason } from '../../domain/errors.ts';
import { type ShrunkInventory, shrunkInventories } from '../../domain/inventory.ts';
import type { Provider } from '../../domain/provider.ts';
import { InputCheck, type InventoryInput, type ProviderExpectation } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { write } from '../scope/write.ts';
import { locateProvider } from './provider-writes.ts';

interface InventoriesWritten {
  readonly resourceProvider: Provider;
  readonly warnings: readonly ShrunkInventory[];
}

interface OfProvider {
  readonly resourceProvider: string;
  readonly expect: ProviderExpectation;
}

/** Replaces all inventories. Shrinking one below its usage succeeds with a warning. Refuses NOT_FOUND, PROVIDER_CONFLICT, IN_USE. */
export async function replaceInventories(
  scope: RequestScope,
  { resourceProvider: provider, expect, inventories }: OfProvider & { readonly inventories: readonly InventoryInput[] },
): Promise<InventoriesWritten> {
  const check = new InputCheck();
  const expectation = check.expectation(['expect'], { ...expect });
  const complete = check.inventories(['inventories'], inventories);
  check.done();
  return writeInventories(scope, { provider, expect: expectation, inventories: complete }, (reason) =>
    locateInventory(reason, inventories),
  );
}

/**
 * Sets one inventory and leaves the others. `exists`: whether it must exist already (true) or must not (false); otherwise either is fine. Refuses
 * NOT_FOUND (provider, class, or inventory), DUPLICATE (inventory), PROVIDER_CONFLICT.
 */
export async function setInventory(
  scope: RequestScope,
  { resourceProvider: provider, expect, inventory, exists }: OfProvider & { readonly inventory: InventoryInput; readonly exists?: boolean },
): Promise<InventoriesWritten> {
  const check = new InputCheck();
  const expectation = check.expectation(['expect'], { ...expect });
  const complete = check.inventory(['inventory'], inventory);
  check.done();
  const request = { provider, expect: expectation, inventories: [complete], keepOthers: true, exists };
  return writeInventories(scope, request, (reason) => (isClass(reason) ? ['inventory', 'resourceClass'] : locateProvider(reason)));
}

/** Deletes one inventory. Refuses NOT_FOUND (provider or inventory), PROVIDER_CONFLICT, IN_USE. */
export async function deleteInventory(
  scope: RequestScope,
  { resourceProvider: provider, expect, resourceClass }: OfProvider & { readonly resourceClass: string },
): Promise<InventoriesWritten> {
  const check = new InputCheck();
  const expectation = check.expectation(['expect'], { ...expect });
  check.className(['resourceClass'], resourceClass);
  check.done();
  return writeInventories(scope, { provider, expect: expectation, remove: resourceClass }, (reason) =>
    reason.code === 'IN_USE' || (reason.code === 'NOT_FOUND' && reason.details.noun === 'inventory')
      ? ['resourceClass']
      : locateProvider(reason),
  );
}

async function writeInventories(
  scope: RequestScope,
  request: RequestOf<'replace_inventories'>,
  locate: (reason: RefusalReason) => readonly (string | number)[],
): Promise<InventoriesWritten> {
  const answer = await write(scope, 'replace_inventories', request, locate);
  return { resourceProvider: answer.providers[0], warnings: shrunkInventories(answer) };
}

/** The path of the inventory whose class a refusal is about; the whole list for a class that is not in it. */
export function locateInventory(reason: RefusalReason, inventories: readonly InventoryInput[]): readonly (string | number)[] {
  if (!isClass(reason)) return reason.code === 'IN_USE' ? ['inventories'] : locateProvider(reason);
  const index = inventories.findIndex(({ resourceClass }) => resourceClass === reason.details.key);
  return index < 0 ? ['inventories'] : ['inventories', index, 'resourceClass'];
}

function isClass(reason: RefusalReason): reason is Extract<RefusalReason, { code: 'NOT_FOUND' }> {
  return reason.code === 'NOT_FOUND' && reason.details.noun === 'resourceClass';
}
