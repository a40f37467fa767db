// A resource provider and what belongs to it, as every room above the database sees them. Shapes only.

/** A provider. `id`, `parentId` and `rootId` are internal: they join rows and never reach a surface. */
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

/** One inventory of a provider, with its use. Amounts are in units of the class. */
export interface Inventory {
  readonly providerId: number;
  readonly classId: number;
  readonly className: string;
  readonly total: number;
  readonly reserved: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  readonly allocationRatio: number;
  readonly capacity: number;
  readonly used: number;
  readonly updatedAt: string;
}

/** Sums of one class over a set of providers, each counted once. */
export interface ResourceTotal {
  readonly classId: number;
  readonly className: string;
  readonly providerCount: number;
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  /** Sum of what each provider can still give; one over capacity counts 0. */
  readonly freeUsable: number;
}

/** What a set of providers has, and what sharing providers outside it share with it. */
export interface Capacity {
  readonly own: readonly ResourceTotal[];
  readonly shared: readonly ResourceTotal[];
}

/** One inventory of a sharing provider, seen from a tree that it serves. */
export interface SharedPool {
  readonly provider: Provider;
  readonly inventory: Inventory;
  /** The part of its use held by consumers that also hold something in the tree. */
  readonly usedHere: number;
}

/** A clause about traits (names) or aggregates (uuids): all that is given must hold. */
export interface MembershipClause {
  readonly allOf?: readonly string[];
  readonly anyOf?: readonly string[];
  readonly noneOf?: readonly string[];
}

export interface ResourceAmount {
  readonly resourceClass: string;
  readonly amount: number;
}

/** What else the host of a tree reports: its devices one by one, and facts under a name. */
export interface BesidesTree {
  readonly devices?: readonly (object & { readonly address: string })[];
  readonly record?: { readonly kind: string; readonly name: string; readonly uuid: string; readonly body: object };
}

/** What a question about a provider looks at: the provider itself, or it and everything below it as one. */
export type Scope = 'PROVIDER' | 'TREE';

/** Conditions on a provider; all that are given must hold. */
export interface ProviderFilter {
  /** Where traits, aggregates, resourceClasses, fits, overCapacity, hasConsumers and updates are looked for. As around it when omitted. */
  readonly scope?: Scope;
  readonly uuids?: readonly string[];
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
  readonly isRoot?: boolean;
  readonly isSharing?: boolean;
  /** Members of the trees of these providers. */
  readonly inTrees?: readonly string[];
  readonly traits?: readonly MembershipClause[];
  readonly aggregates?: readonly MembershipClause[];
  readonly resourceClasses?: readonly string[];
  /** There is room for each of them in one place. */
  readonly fits?: readonly ResourceAmount[];
  readonly overCapacity?: boolean;
  readonly hasConsumers?: boolean;
  /** RFC 3339 in UTC, all exclusive. */
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly updatedAfter?: string;
  readonly updatedBefore?: string;
  readonly and?: readonly ProviderFilter[];
  readonly or?: readonly ProviderFilter[];
  readonly not?: ProviderFilter;
}

/** A key of the order of providers. FREE, USED and UTILIZATION are about a class, at the provider or in its tree. */
export type ProviderSortKey =
  | { readonly by: 'NAME' | 'CREATED_AT'; readonly descending: boolean }
  | { readonly by: 'FREE' | 'USED' | 'UTILIZATION'; readonly classId: number; readonly scope: Scope; readonly descending: boolean };

/** The trait that makes a provider share its inventories with every tree that has a member in one of its aggregates. */
export const sharingTrait = 'MISC_SHARES_VIA_AGGREGATE';
