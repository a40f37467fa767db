// Inventories: the body of one, of a new one, and of all of a provider.
import { maxAllocationRatio, maxAmount } from '../../domain/inventory.ts';
import type { Versioned } from '../microversions.ts';
import type { Schema } from '../validation.ts';
import { namePattern } from './patterns.ts';

const generation: Schema = { type: 'integer' };
const amountFrom = (minimum: number): Schema => ({ type: 'integer', maximum: maxAmount, minimum });

const record: Readonly<Record<string, Schema>> = {
  resource_provider_generation: generation,
  total: amountFrom(1),
  reserved: amountFrom(0),
  min_unit: amountFrom(1),
  max_unit: amountFrom(1),
  step_size: amountFrom(1),
  allocation_ratio: { type: 'number', maximum: maxAllocationRatio },
};

const recordOf = (required: readonly string[], more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: 'object',
  properties: { ...record, ...more },
  required,
  additionalProperties: false,
});

/** All inventories of one provider; also part of the reshaper's body. */
export const inventoriesOfProvider: Schema = {
  type: 'object',
  properties: {
    resource_provider_generation: generation,
    inventories: { type: 'object', patternProperties: { [namePattern]: recordOf(['total']) } },
  },
  required: ['resource_provider_generation', 'inventories'],
  additionalProperties: false,
};

export const allInventories: Versioned<Schema> = [['start', inventoriesOfProvider]];
export const oneInventory: Versioned<Schema> = [['start', recordOf(['total', 'resource_provider_generation'])]];
export const newInventory: Versioned<Schema> = [
  ['start', recordOf(['total', 'resource_class'], { resource_class: { type: 'string', pattern: namePattern } })],
];
