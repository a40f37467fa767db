// Generated from viewer.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly viewer: { readonly userExternalId: string, readonly projectExternalId: string | null, readonly roles: ReadonlyArray<string>, readonly mayReadCloud: boolean, readonly mayWrite: boolean } | null, readonly serviceInfo: { readonly version: string } };

export const Viewer = documentOf<ViewerQuery, ViewerQueryVariables>(
  'Viewer',
  "query Viewer{viewer{userExternalId projectExternalId roles mayReadCloud mayWrite}serviceInfo{version}}",
);
