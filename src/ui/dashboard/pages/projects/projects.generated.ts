// Generated from projects.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Sort direction. Only sent by callers: values may be added. */
export type OrderDirection =
  /** Smallest, oldest or alphabetically first element first. */
  | 'ASC'
  /** Largest, newest or alphabetically last element first. */
  | 'DESC';

/** Fields that usages are ordered by. Only sent by callers: values may be added. */
export type UsageOrderField =
  /** By the amount of a class; none counts as 0. */
  | 'AMOUNT';

/** A sort key of usages. */
export type UsageOrderInput = {
  /** The sort field. */
  readonly field: UsageOrderField;
  /** The class of AMOUNT. */
  readonly resourceClass: string;
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
};

export type UsageRowFragment = { readonly consumerCount: number, readonly resources: ReadonlyArray<{ readonly amount: number, readonly resourceClass: { readonly name: string } }> };

export type ProjectsQueryVariables = Exact<{
  orderBy?: ReadonlyArray<UsageOrderInput> | UsageOrderInput | null | undefined;
  after?: string | null | undefined;
}>;


export type ProjectsQuery = { readonly usages: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly consumerCount: number, readonly project: { readonly externalId: string } | null, readonly resources: ReadonlyArray<{ readonly amount: number, readonly resourceClass: { readonly name: string } }> }> } };

export type ProjectQueryVariables = Exact<{
  id: string;
}>;


export type ProjectQuery = { readonly project: { readonly externalId: string, readonly byType: { readonly nodes: ReadonlyArray<(
        { readonly consumerType: string | null }
        & UsageRowFragment
      )> }, readonly byUser: { readonly pageInfo: { readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<(
        { readonly user: { readonly externalId: string } | null }
        & UsageRowFragment
      )> } } | null };

export const Projects = documentOf<ProjectsQuery, ProjectsQueryVariables>(
  'Projects',
  "query Projects($orderBy:[UsageOrderInput!]$after:String){usages(groupBy:[PROJECT]first:100 after:$after orderBy:$orderBy){totalCount pageInfo{hasNextPage endCursor}nodes{project{externalId}consumerCount resources{amount resourceClass{name}}}}}",
);

export const Project = documentOf<ProjectQuery, ProjectQueryVariables>(
  'Project',
  "query Project($id:String!){project(externalId:$id){externalId byType:usages(groupBy:[CONSUMER_TYPE]){nodes{...UsageRow consumerType}}byUser:usages(groupBy:[USER]first:100){pageInfo{hasNextPage}nodes{...UsageRow user{externalId}}}}}fragment UsageRow on Usage{consumerCount resources{amount resourceClass{name}}}",
);
