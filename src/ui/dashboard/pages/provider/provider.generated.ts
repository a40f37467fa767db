// Generated from provider.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ProviderPageFragment = (
  { readonly ancestors: ReadonlyArray<{ readonly uuid: string, readonly name: string }>, readonly sharedPools: ReadonlyArray<{ readonly usedHere: number, readonly resourceProvider: { readonly uuid: string, readonly name: string }, readonly inventory: InventoryBarFragment }>, readonly root: (
    { readonly descendants: ReadonlyArray<TreeMemberFragment> }
    & TreeMemberFragment
  ) }
  & TreeMemberFragment
);

export type TreeMemberFragment = { readonly uuid: string, readonly name: string, readonly generation: number, readonly depth: number, readonly createdAt: string, readonly updatedAt: string, readonly isSharing: boolean, readonly traitNames: ReadonlyArray<string>, readonly parent: { readonly uuid: string } | null, readonly aggregates: ReadonlyArray<{ readonly uuid: string, readonly name: string }>, readonly inventories: ReadonlyArray<InventoryBarFragment> };

export type InventoryBarFragment = { readonly total: number, readonly reserved: number, readonly minUnit: number, readonly maxUnit: number, readonly stepSize: number, readonly allocationRatio: number, readonly capacity: number, readonly used: number, readonly free: number, readonly overCapacity: boolean, readonly resourceClass: { readonly name: string, readonly unit: string | null } };

export type ProviderQueryVariables = Exact<{
  name: string;
  uuid?: string | null | undefined;
  isUuid: boolean;
}>;


export type ProviderQuery = { readonly byUuid?: ProviderPageFragment | null, readonly byName: ProviderPageFragment | null };

export type ServedRootsQueryVariables = Exact<{
  uuid: string;
  after?: string | null | undefined;
}>;


export type ServedRootsQuery = { readonly resourceProvider: { readonly servesRoots: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly uuid: string, readonly name: string }> } } | null };

export const Provider = documentOf<ProviderQuery, ProviderQueryVariables>(
  'Provider',
  "query Provider($name:String!$uuid:UUID$isUuid:Boolean!){byUuid:resourceProvider(uuid:$uuid)@include(if:$isUuid){...ProviderPage}byName:resourceProvider(name:$name){...ProviderPage}}fragment ProviderPage on ResourceProvider{...TreeMember ancestors{uuid name}sharedPools{resourceProvider{uuid name}inventory{...InventoryBar}usedHere}root{...TreeMember descendants{...TreeMember}}}fragment TreeMember on ResourceProvider{uuid name generation depth createdAt updatedAt isSharing parent{uuid}traitNames aggregates{uuid name}inventories{...InventoryBar}}fragment InventoryBar on Inventory{resourceClass{name unit}total reserved minUnit maxUnit stepSize allocationRatio capacity used free overCapacity}",
);

export const ServedRoots = documentOf<ServedRootsQuery, ServedRootsQueryVariables>(
  'ServedRoots',
  "query ServedRoots($uuid:UUID!$after:String){resourceProvider(uuid:$uuid){servesRoots(first:100 after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{uuid name}}}}",
);
