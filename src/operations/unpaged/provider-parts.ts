// Reads all inventories, traits, aggregates or allocations of one provider with its generation, from one snapshot: one statement each.

import {
  type OfProvider,
  selectAggregateParts,
  selectAllocationParts,
  selectInventoryParts,
  selectTraitParts,
} from '../../db/unpaged/provider-parts.ts';
import { refusalOf } from '../../domain/errors.ts';
import type { AllocationPart, InventoryPart, NamePart } from '../../domain/unpaged.ts';
import type { RequestScope } from '../scope/scope.ts';

/** Parts of a provider, and its generation in the same snapshot. */
export interface Parts<Part> {
  readonly generation: number;
  readonly parts: readonly Part[];
}

/** Its inventories with their usage, in the order of their class ids. Refuses NOT_FOUND. */
export async function getInventoriesOf({ db }: RequestScope, uuid: string): Promise<Parts<InventoryPart>> {
  return partsOf(uuid, await selectInventoryParts(db, [uuid]), (row) => (row.className === null ? null : row));
}

/** Its own traits, in the order of their creation. Refuses NOT_FOUND. */
export async function getTraitsOf({ db }: RequestScope, uuid: string): Promise<Parts<NamePart>> {
  return partsOf(uuid, await selectTraitParts(db, [uuid]), (row) => (row.name === null ? null : row));
}

/** The uuids of its aggregates as they were spelled for it, in the order of their creation. Refuses NOT_FOUND. */
export async function getAggregatesOf({ db }: RequestScope, uuid: string): Promise<Parts<string>> {
  return partsOf(uuid, await selectAggregateParts(db, [uuid]), ({ aggregate }) => aggregate);
}

/** The allocations on it, by consumer, oldest first, and class. Refuses NOT_FOUND. */
export async function getAllocationsOn({ db }: RequestScope, uuid: string): Promise<Parts<AllocationPart>> {
  return partsOf(uuid, await selectAllocationParts(db, [uuid]), (row) => (row.consumer === null ? null : row));
}

function partsOf<Row extends OfProvider, Part>(uuid: string, rows: readonly Row[], partOf: (row: Row) => Part | null): Parts<Part> {
  const [first] = rows;
  if (first === undefined) missing(uuid);
  return { generation: first.generation, parts: rows.map(partOf).filter((part) => part !== null) };
}

/** Refuses NOT_FOUND for a provider. */
export function missing(uuid: string): never {
  throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'resourceProvider', key: uuid } }, ['resourceProvider']);
}
