// A resource provider and what belongs to it: the types shared by every layer above the database.
import type { Groups } from './input.ts';
import type { InventoryRecord } from './inventory.ts';
import type { Range } from './range.ts';

/** A provider. `id`, `parentId` and `rootId` are internal: they join rows and never appear in an API. */
export interface Provider {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parentId: number | null;
  readonly rootId: number;
  /** RFC 3339 or Postgres text. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What callers give of a provider, beside its parent, and may change later. */
export const givenFields = ['name'] as const satisfies readonly (keyof Provider)[];
/** What events record of a provider, beside its parent. */
export const recordedFields = [...givenFields, 'generation'] as const;

export type GivenFields = Pick<Provider, (typeof givenFields)[number]>;
/** Absent ones are unchanged. */
export type ChangedFields = { readonly [Field in keyof GivenFields]?: GivenFields[Field] | undefined };
export type RecordedFields = Pick<Provider, (typeof recordedFields)[number]>;

/** A provider in one shape. Written out, because there are thousands: see "Shapes of objects" in ARCHITECTURE.md. */
export function providerFrom(of: <Field extends keyof Provider>(field: Field) => Provider[Field]): Provider {
  return {
    id: of('id'),
    uuid: of('uuid'),
    name: of('name'),
    generation: of('generation'),
    parentId: of('parentId'),
    rootId: of('rootId'),
    createdAt: of('createdAt'),
    updatedAt: of('updatedAt'),
  };
}

/** A provider as a claim leaves it, in the same shape. */
export function providerAfterClaim(
  { id, uuid, name, parentId, rootId, createdAt }: Provider,
  { generation, updatedAt }: Pick<Provider, 'generation' | 'updatedAt'>,
): Provider {
  return { id, uuid, name, generation, parentId, rootId, createdAt, updatedAt };
}

/** A provider that exists only in a forest of suppositions. */
export function supposedProvider(
  { id, uuid, name, parentId, rootId }: Pick<Provider, 'id' | 'uuid' | 'name' | 'parentId' | 'rootId'>,
  at: string,
): Provider {
  return { id, uuid, name, generation: 0, parentId, rootId, createdAt: at, updatedAt: at };
}

export interface Trait {
  readonly id: number;
  readonly name: string;
}

export interface Aggregate {
  readonly id: number;
  readonly uuid: string;
  readonly name: string | null;
}

export interface ResourceClass {
  readonly id: number;
  readonly name: string;
}

/** One inventory of a provider, with its usage. Amounts are in units of the class. */
export interface Inventory extends InventoryRecord {
  readonly providerId: number;
  readonly classId: number;
  readonly className: string;
  readonly capacity: number;
  readonly used: number;
  /** What reservations keep beside it; 0 when absent. */
  readonly promised?: number | undefined;
  readonly updatedAt: string;
}

/** Totals of one class over a set of distinct providers. */
export interface ResourceTotal {
  readonly classId: number;
  readonly className: string;
  readonly providerCount: number;
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  /** The sum of the free amounts of all providers; those over capacity count as 0. */
  readonly freeUsable: number;
  /** What reservations keep beside what is used. */
  readonly promised: number;
}

/** The totals of a set of providers, and the pools that sharing providers outside the set offer it. */
export interface Capacity {
  readonly own: readonly ResourceTotal[];
  readonly shared: readonly ResourceTotal[];
}

/** One inventory of a sharing provider, as seen from a tree that it serves. */
export interface SharedPool {
  readonly provider: Provider;
  readonly inventory: Inventory;
  /** The usage by consumers that also have allocations in the tree. */
  readonly usedHere: number;
}

/** A clause about traits (names) or aggregates (uuids); all conditions given must hold. */
export interface MembershipClause {
  readonly allOf?: readonly string[];
  readonly anyOf?: readonly string[];
  readonly noneOf?: readonly string[];
}

export interface ResourceAmount {
  readonly resourceClass: string;
  readonly amount: number;
}

/** A condition on a number of a class. */
export interface ClassRange extends Range {
  readonly resourceClass: string;
}

/** What a host reports in addition to its tree: its devices one by one, and named facts. */
export interface BesidesTree {
  readonly devices?: readonly (object & { readonly address: string })[];
  readonly record?: {
    readonly kind: string;
    readonly name: string;
    readonly uuid: string;
    readonly body: object;
    /** The version from which the body was made; any if absent. */
    readonly expect?: { readonly version: string };
  };
}

/** What a condition applies to: the provider itself, or the provider and its descendants as one. */
export type Scope = 'PROVIDER' | 'TREE';

/** The conditions on columns of the provider itself. An empty text does not restrict. */
export interface ColumnConditions {
  readonly uuids: readonly string[];
  readonly names: readonly string[];
  readonly nameContains: string;
  readonly nameStartsWith: string;
  readonly isRoot: boolean;
  /** RFC 3339 in UTC, exclusive. */
  readonly createdAfter: string;
  readonly createdBefore: string;
}

/** Conditions on a provider; all that are given must hold. Omitted ones do not restrict. */
export interface ProviderFilter extends Partial<ColumnConditions>, Groups<ProviderFilter> {
  /**
   * Applies to traits, aggregates, resourceClasses, fits, utilizations, allocationRatios, overCapacity, hasConsumers, consumerCount and updates. Defaults to
   * that of the enclosing filter.
   */
  readonly scope?: Scope;
  readonly isSharing?: boolean;
  /** Members of the trees of these providers. */
  readonly inTrees?: readonly string[];
  readonly traits?: readonly MembershipClause[];
  readonly aggregates?: readonly MembershipClause[];
  readonly resourceClasses?: readonly string[];
  /** Each amount must fit on a single provider. */
  readonly fits?: readonly ResourceAmount[];
  /** An inventory without capacity has no utilization, and meets no condition on it. */
  readonly utilizations?: readonly ClassRange[];
  readonly allocationRatios?: readonly ClassRange[];
  readonly overCapacity?: boolean;
  readonly hasConsumers?: boolean;
  readonly consumerCount?: Range & { readonly consumerType?: string };
  /** RFC 3339 in UTC, exclusive. */
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
}

/** Which of the consumers that have allocations on a provider are counted. */
export interface CountedConsumers {
  /** Of the provider itself, or of it and its descendants together. */
  readonly scope: Scope;
  /** Null for all types. */
  readonly consumerType: string | null;
}

/** A sort key of providers. FREE, USED and UTILIZATION are of a class, on the provider or in its tree. */
export type ProviderSortKey =
  | { readonly by: 'NAME' | 'CREATED_AT'; readonly descending: boolean }
  | ({ readonly by: 'CONSUMERS'; readonly descending: boolean } & CountedConsumers)
  | { readonly by: 'FREE' | 'USED' | 'UTILIZATION'; readonly classId: number; readonly scope: Scope; readonly descending: boolean };

/** The trait that makes a provider share its inventories with every tree that has a member in one of its aggregates. */
export const sharingTrait = 'MISC_SHARES_VIA_AGGREGATE';

/** The inventory with another usage. In one shape: see "Shapes of objects" in ARCHITECTURE.md. */
export function inventoryWithUse(inventory: Inventory, used: number): Inventory {
  if (inventory.used === used) return inventory;
  const { providerId, classId, className, total, reserved, minUnit, maxUnit, stepSize } = inventory;
  const { allocationRatio, capacity, promised, updatedAt } = inventory;
  return {
    providerId,
    classId,
    className,
    total,
    reserved,
    minUnit,
    maxUnit,
    stepSize,
    allocationRatio,
    capacity,
    used,
    promised,
    updatedAt,
  };
}
