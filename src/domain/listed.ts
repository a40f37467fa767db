// Providers, what belongs to them and what consumers hold, as lists without pages tell them: each row with its own names and moments.

/** One amount that a consumer holds; `updatedAt` of the consumer, in milliseconds. */
export interface Holding {
  readonly consumer: string;
  readonly consumerGeneration: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly updatedAt: number;
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

/** An inventory with its use, in units of the class; `updatedAt` in milliseconds. */
export interface InventoryPart {
  readonly className: string;
  readonly total: number;
  readonly reserved: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  readonly allocationRatio: number;
  readonly used: number;
  readonly updatedAt: number;
}

/** A name and when it came into being, in milliseconds. */
export interface NamePart {
  readonly name: string;
  readonly updatedAt: number;
}

/** What a consumer holds on a provider of one class; `updatedAt` of the consumer, in milliseconds. */
export interface AllocationPart {
  readonly consumer: string;
  readonly consumerGeneration: number;
  readonly className: string;
  readonly amount: number;
  readonly updatedAt: number;
}
