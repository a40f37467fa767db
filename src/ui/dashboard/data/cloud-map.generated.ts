// Generated from cloud-map.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CloudMapQueryVariables = Exact<{
  classes: ReadonlyArray<string> | string;
}>;


export type CloudMapQuery = { readonly cloudMap: { readonly cursor: string, readonly hostCount: number, readonly names: readonly (string | null)[], readonly memberCounts: readonly (number | null)[], readonly flags: readonly (number | null)[], readonly aggregateUuids: readonly (string | null)[], readonly aggregateNames: readonly (string | null)[], readonly aggregateSets: readonly (readonly number[])[], readonly aggregateSet: readonly (number | null)[], readonly traitNames: readonly (string | null)[], readonly traitSets: readonly (readonly number[])[], readonly traitSet: readonly (number | null)[], readonly classes: ReadonlyArray<{ readonly total: readonly (number | null)[], readonly reserved: readonly (number | null)[], readonly capacity: readonly (number | null)[], readonly used: readonly (number | null)[], readonly resourceClass: { readonly name: string } }> } };

export const CloudMap = documentOf<CloudMapQuery, CloudMapQueryVariables>(
  'CloudMap',
  "query CloudMap($classes:[String!]!){cloudMap(resourceClasses:$classes){cursor hostCount names memberCounts flags aggregateUuids aggregateNames aggregateSets aggregateSet traitNames traitSets traitSet classes{resourceClass{name}total reserved capacity used}}}",
);
