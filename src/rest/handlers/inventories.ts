// Inventories of a provider: all, and one by its class. Also the provider's usage.

import { Refusal } from '../../domain/errors.ts';
import type { CompleteInventory } from '../../domain/inventory.ts';
import { capacityOf, maxAmount } from '../../domain/inventory.ts';
import { resourceClassNameFault } from '../../domain/text.ts';
import { findResourceClass } from '../../operations/names/resource-classes.ts';
import { deleteInventory, replaceInventories, setInventory } from '../../operations/providers/inventory-writes.ts';
import { getInventoriesOf } from '../../operations/unpaged/provider-parts.ts';
import type { Answer, Call } from '../call.ts';
import { has, type Microversion } from '../microversions.ts';
import { latest } from '../moments.ts';
import { providerOf } from '../params.ts';
import { pythonFloat } from '../python-repr.ts';
import { RestError } from '../rest-error.ts';

/** An inventory in a body. */
interface InventoryBody {
  readonly total: number;
  readonly reserved?: number;
  readonly min_unit?: number;
  readonly max_unit?: number;
  readonly step_size?: number;
  readonly allocation_ratio?: number;
}

/** All inventories of a provider in a body. */
export interface InventoriesBody {
  readonly resource_provider_generation: number;
  readonly inventories: Readonly<Record<string, InventoryBody>>;
}

/** GET …/inventories: all, by class. */
export async function listInventories(call: Call): Promise<Answer> {
  const { generation, parts } = await getInventoriesOf(call.scope, providerOf(call));
  const body = renderInventories(
    generation,
    parts.map((part) => [part.className, part]),
  );
  return { body, lastModified: latest(parts) };
}

/** GET …/inventories/{resource_class}: 404 if the provider has no inventory of the class. */
export async function showInventory(call: Call): Promise<Answer> {
  const { uuid, resource_class: name } = call.params;
  const { generation, parts } = await getInventoriesOf(call.scope, providerOf(call));
  const found = parts.find(({ className }) => className === name);
  if (!found) throw new RestError(404, `No inventory of class ${name} for ${uuid}`);
  return { body: renderInventory(found, generation), lastModified: found.updatedAt };
}

/** GET …/usages: the usage of each class that the provider has. */
export async function showUsages(call: Call): Promise<Answer> {
  const { generation, parts } = await getInventoriesOf(call.scope, providerOf(call));
  const usages = Object.fromEntries(parts.map(({ className, used }) => [className, used]));
  return { body: { resource_provider_generation: generation, usages }, lastModified: 'now' };
}

/** POST …/inventories: 409 if the provider already has an inventory of the class. Does not compare generations. */
export async function createInventory(call: Call): Promise<Answer> {
  const body = call.body as InventoryBody & { readonly resource_class: string };
  const provider = providerOf(call);
  const inventory = completeInventory(body.resource_class, body);
  checkClassNames(provider, [body.resource_class], 'Unable to create inventory');
  checkCapacity(call.version, provider, [inventory], 'Unable to create inventory');
  const { resourceProvider } = await setInventory(call.scope, {
    resourceProvider: provider,
    expect: { unchecked: true },
    inventory,
    exists: false,
  });
  return {
    status: 201,
    body: renderInventory(inventory, resourceProvider.generation),
    location: `/resource_providers/${provider}/inventories/${body.resource_class}`,
    lastModified: 'now',
  };
}

/** PUT …/inventories/{resource_class}: 404 for an unknown class, 400 if there is no inventory of it, 409 for a stale generation. */
export async function updateInventory(call: Call): Promise<Answer> {
  const body = call.body as InventoryBody & { readonly resource_provider_generation: number };
  const provider = providerOf(call);
  const inventory = completeInventory(call.params.resource_class ?? '', body);
  if (resourceClassNameFault(inventory.resourceClass)) throw new RestError(404, `No such resource class ${inventory.resourceClass}.`);
  checkCapacity(call.version, provider, [inventory], 'Unable to update inventory');
  const written = setInventory(call.scope, {
    resourceProvider: provider,
    expect: expectationOf(body.resource_provider_generation),
    inventory,
    exists: true,
  });
  const { resourceProvider } = await orNoSuchClass(call, inventory.resourceClass, written);
  return { body: renderInventory(inventory, resourceProvider.generation), lastModified: 'now' };
}

/** PUT …/inventories: 409 for a stale generation, or if a class in use would be removed. */
export async function replaceAllInventories(call: Call): Promise<Answer> {
  const body = call.body as InventoriesBody;
  const provider = providerOf(call);
  const inventories = inventoriesOf(body, provider);
  checkCapacity(call.version, provider, inventories, 'Unable to update inventory');
  const expect = expectationOf(body.resource_provider_generation);
  const { resourceProvider } = await replaceInventories(call.scope, { resourceProvider: provider, expect, inventories });
  const written = renderInventories(
    resourceProvider.generation,
    inventories.map((inventory) => [inventory.resourceClass, inventory]),
  );
  return { body: written, lastModified: 'now' };
}

/** DELETE …/inventories: 409 if one is in use. */
export async function deleteAllInventories(call: Call): Promise<Answer> {
  await replaceInventories(call.scope, { resourceProvider: providerOf(call), expect: { unchecked: true }, inventories: [] });
  return {};
}

/** DELETE …/inventories/{resource_class}: 404 if there is none, 409 if it is in use. */
export async function deleteOneInventory(call: Call): Promise<Answer> {
  const { resource_class: resourceClass = '' } = call.params;
  const provider = providerOf(call);
  const prefix = `No inventory of class ${resourceClass} found for delete: `;
  if (resourceClassNameFault(resourceClass)) {
    // A missing provider is reported first.
    await getInventoriesOf(call.scope, provider);
    throw new RestError(404, `${prefix}No such resource class ${resourceClass}.`);
  }
  const written = deleteInventory(call.scope, { resourceProvider: provider, expect: { unchecked: true }, resourceClass });
  await orNoSuchClass(call, resourceClass, written, prefix);
  return {};
}

/** The result of a write. Throws another 404 if the class itself does not exist, and not only its inventory. */
async function orNoSuchClass<Written>({ scope }: Call, resourceClass: string, written: Promise<Written>, prefix = ''): Promise<Written> {
  try {
    return await written;
  } catch (error) {
    const isMissing =
      error instanceof Refusal && error.problems.some((problem) => problem.code === 'NOT_FOUND' && problem.noun === 'inventory');
    if (!isMissing || (await findResourceClass(scope, resourceClass)) !== null) throw error;
    throw new RestError(404, `${prefix}No such resource class ${resourceClass}.`);
  }
}

/** The inventories of a body, with defaults for omitted fields. Throws 400 for a key that cannot be a class, because schemas allow such keys. */
export function inventoriesOf({ inventories }: InventoriesBody, provider: string): readonly CompleteInventory[] {
  // The schema does not check the values of such keys, so they need not be inventories.
  checkClassNames(provider, Object.keys(inventories), 'Unknown resource class in inventory');
  return Object.entries(inventories).map(([name, inventory]) => completeInventory(name, inventory));
}

/** A generation that cannot have been read matches none. */
export function expectationOf(generation: number): { readonly generation: number } {
  return { generation: Number.isSafeInteger(generation) && generation >= 0 ? generation : Number.MAX_SAFE_INTEGER };
}

function checkClassNames(provider: string, resourceClasses: readonly string[], words: string): void {
  for (const resourceClass of resourceClasses) {
    if (resourceClassNameFault(resourceClass) === null) continue;
    throw new RestError(400, `${words} for resource provider ${provider}: No such resource class ${resourceClass}.`);
  }
}

function completeInventory(resourceClass: string, body: InventoryBody): CompleteInventory {
  return {
    resourceClass,
    total: body.total,
    reserved: body.reserved ?? 0,
    minUnit: body.min_unit ?? 1,
    maxUnit: body.max_unit ?? maxAmount,
    stepSize: body.step_size ?? 1,
    allocationRatio: body.allocation_ratio ?? 1,
  };
}

/** Below 1.26 an inventory must have a capacity above 0; since then, 0 is allowed. */
export function checkCapacity(version: Microversion, provider: string, inventories: readonly CompleteInventory[], words: string): void {
  const mayBeNothing = has(version, 'fullyReserved');
  for (const inventory of inventories) {
    const capacity = capacityOf(inventory);
    if (capacity > 0 || (mayBeNothing && capacity === 0)) continue;
    throw new RestError(
      400,
      `${words} for resource provider ${provider}: Invalid inventory for '${inventory.resourceClass}' on resource provider '${provider}'. The reserved value is greater than ${mayBeNothing ? '' : 'or equal to '}total.`,
    );
  }
}

type ShownInventory = Omit<CompleteInventory, 'resourceClass'>;

/** JSON of all inventories of a provider. Names of classes need no escaping. */
function renderInventories(generation: number, inventories: readonly (readonly [resourceClass: string, ShownInventory])[]): string {
  const records = inventories.map(([name, inventory]) => `"${name}":${renderInventory(inventory)}`);
  return `{"resource_provider_generation":${generation},"inventories":{${records.join()}}}`;
}

/** JSON of an inventory, written by hand because `JSON.stringify` writes the ratio 16.0 as 16. A single inventory includes the provider's generation. */
function renderInventory({ total, reserved, minUnit, maxUnit, stepSize, allocationRatio }: ShownInventory, generation?: number): string {
  const units = `"min_unit":${minUnit},"max_unit":${maxUnit},"step_size":${stepSize}`;
  const record = `"total":${total},"reserved":${reserved},${units},"allocation_ratio":${pythonFloat(allocationRatio)}`;
  return generation === undefined ? `{${record}}` : `{${record},"resource_provider_generation":${generation}}`;
}
