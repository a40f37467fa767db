// Generated from search.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type SearchQueryVariables = Exact<{
  text: string;
}>;


export type SearchQuery = { readonly search: { readonly truncated: boolean, readonly matches: ReadonlyArray<
      | { readonly __typename: 'ResourceProvider', readonly uuid: string, readonly name: string, readonly root: { readonly name: string } }
      | { readonly __typename: 'Consumer', readonly uuid: string, readonly consumerType: string | null }
      | { readonly __typename: 'Aggregate', readonly uuid: string, readonly name: string }
      | { readonly __typename: 'Project', readonly externalId: string }
      | { readonly __typename: 'ResourceClass', readonly name: string }
      | { readonly __typename: 'Trait', readonly name: string }
    > } };

export type SearchProjectQueryVariables = Exact<{
  text: string;
}>;


export type SearchProjectQuery = { readonly search: { readonly truncated: boolean, readonly matches: ReadonlyArray<
      | { readonly __typename: 'ResourceProvider' }
      | { readonly __typename: 'Consumer', readonly uuid: string, readonly consumerType: string | null }
      | { readonly __typename: 'Aggregate' }
      | { readonly __typename: 'Project', readonly externalId: string }
      | { readonly __typename: 'ResourceClass', readonly name: string }
      | { readonly __typename: 'Trait' }
    > } };

export const Search = documentOf<SearchQuery, SearchQueryVariables>(
  'Search',
  "query Search($text:String!){search(text:$text){truncated matches{__typename ...on ResourceProvider{uuid name root{name}}...on Consumer{uuid consumerType}...on Aggregate{uuid name}...on Project{externalId}...on ResourceClass{name}...on Trait{name}}}}",
);

export const SearchProject = documentOf<SearchProjectQuery, SearchProjectQueryVariables>(
  'SearchProject',
  "query SearchProject($text:String!){search(text:$text){truncated matches{__typename ...on Consumer{uuid consumerType}...on Project{externalId}...on ResourceClass{name}}}}",
);
