// Generated from hosts.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type HostClassesQueryVariables = Exact<{ [key: string]: never; }>;


export type HostClassesQuery = { readonly totals: { readonly own: ReadonlyArray<{ readonly resourceClass: { readonly name: string } }> } };

export const HostClasses = documentOf<HostClassesQuery, HostClassesQueryVariables>(
  'HostClasses',
  "query HostClasses{totals(filter:{isSharing:false}){own{resourceClass{name}}}}",
);
