// Generated from search.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type SearchNamesQueryVariables = Exact<{
  text: string;
  trait: string;
}>;


export type SearchNamesQuery = { readonly resourceProviders: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly uuid: string, readonly name: string, readonly root: { readonly name: string } }> }, readonly traits: { readonly nodes: ReadonlyArray<{ readonly name: string }> }, readonly aggregates: { readonly nodes: ReadonlyArray<{ readonly uuid: string, readonly name: string }> }, readonly project: { readonly externalId: string } | null };

export type SearchUuidQueryVariables = Exact<{
  uuid: string;
}>;


export type SearchUuidQuery = { readonly resourceProvider: { readonly uuid: string, readonly name: string, readonly root: { readonly name: string } } | null, readonly consumer: { readonly uuid: string, readonly consumerType: string | null } | null, readonly aggregate: { readonly uuid: string, readonly name: string } | null };

export type SearchProjectQueryVariables = Exact<{
  text: string;
}>;


export type SearchProjectQuery = { readonly project: { readonly externalId: string } | null };

export const SearchNames = documentOf<SearchNamesQuery, SearchNamesQueryVariables>(
  'SearchNames',
  "query SearchNames($text:String!$trait:String!){resourceProviders(first:20 filter:{nameContains:$text}){totalCount nodes{uuid name root{name}}}traits(first:20 filter:{nameContains:$trait inUse:true}){nodes{name}}aggregates(first:20 filter:{nameContains:$text}){nodes{uuid name}}project(externalId:$text){externalId}}",
);

export const SearchUuid = documentOf<SearchUuidQuery, SearchUuidQueryVariables>(
  'SearchUuid',
  "query SearchUuid($uuid:UUID!){resourceProvider(uuid:$uuid){uuid name root{name}}consumer(uuid:$uuid){uuid consumerType}aggregate(uuid:$uuid){uuid name}}",
);

export const SearchProject = documentOf<SearchProjectQuery, SearchProjectQueryVariables>(
  'SearchProject',
  "query SearchProject($text:String!){project(externalId:$text){externalId}}",
);
