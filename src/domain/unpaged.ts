// The rows of unpaged lists, as REST needs them: providers, what belongs to them, and allocations, each with its names and timestamps.
import type { InventoryRecord } from './inventory.ts';

/** One allocation of a consumer; `updatedAt` is the consumer's, in milliseconds. */
export interface Holding {
  readonly consumerId: number;
  readonly consumer: string;
  readonly consumerGeneration: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly updatedAt: number;
  readonly expiresAt: string | null;
  /** Uuid of the reservation that the consumer claims from. */
  readonly reservation: string | null;
  readonly provider: string;
  readonly providerGeneration: number;
  readonly className: string;
  readonly amount: number;
}

export interface ListedProvider {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parentUuid: string | null;
  readonly rootUuid: string;
  /** In milliseconds. */
  readonly updatedAt: number;
}

/** An inventory with its usage, in units of the class; `updatedAt` in milliseconds. */
export interface InventoryPart extends InventoryRecord {
  readonly className: string;
  readonly used: number;
  readonly updatedAt: number;
}

/** A name and its time of creation, in milliseconds. */
export interface NamePart {
  readonly name: string;
  readonly updatedAt: number;
}

/** One allocation on a provider; `updatedAt` is the consumer's, in milliseconds. */
export interface AllocationPart {
  readonly consumer: string;
  readonly consumerGeneration: number;
  readonly className: string;
  readonly amount: number;
  readonly updatedAt: number;
}
