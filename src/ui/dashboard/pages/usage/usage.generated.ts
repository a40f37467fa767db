// Generated from usage.graphql and schema.graphql by `npm run generate`. Do not edit.
import { documentOf } from '../../data/document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The subject of a usage history. Give exactly one. */
export type UsageHistorySubjectInput =
  {   /** The allocations of the consumers of this project, given by its external id. */
  readonly project: string; readonly resourceProvider?: never; readonly tree?: never; readonly aggregate?: never; readonly consumer?: never; readonly cloud?: never; }
  |  { readonly project?: never;   /** The inventories of this provider alone and their usage. It may have been deleted. Rule: `placement:graphql:ledger:read`. */
  readonly resourceProvider: string; readonly tree?: never; readonly aggregate?: never; readonly consumer?: never; readonly cloud?: never; }
  |  { readonly project?: never; readonly resourceProvider?: never;   /** The inventories of this provider and of what was below it at each moment, such as a host with its NUMA cells. It may have been deleted. Rule: `placement:graphql:ledger:read`. */
  readonly tree: string; readonly aggregate?: never; readonly consumer?: never; readonly cloud?: never; }
  |  { readonly project?: never; readonly resourceProvider?: never; readonly tree?: never;   /** The inventories of this aggregate: the whole trees whose root was a member at each moment, without sharing providers, as in `Aggregate.totals`. Rule: `placement:graphql:ledger:read`. */
  readonly aggregate: string; readonly consumer?: never; readonly cloud?: never; }
  |  { readonly project?: never; readonly resourceProvider?: never; readonly tree?: never; readonly aggregate?: never;   /** The allocations of this consumer, which may have been deleted. Rule: `placement:graphql:ledger:read`. */
  readonly consumer: string; readonly cloud?: never; }
  |  { readonly project?: never; readonly resourceProvider?: never; readonly tree?: never; readonly aggregate?: never; readonly consumer?: never;   /** The whole cloud. Rule: `placement:graphql:ledger:read`. */
  readonly cloud: true; };

export type UsageTrendQueryVariables = Exact<{
  of: UsageHistorySubjectInput;
  from: string;
  stepSeconds: number;
}>;


export type UsageTrendQuery = { readonly usageHistory: { readonly samples: ReadonlyArray<{ readonly at: string, readonly usages: ReadonlyArray<{ readonly resourceClassName: string, readonly used: number, readonly capacity: number }> }> } };

export const UsageTrend = documentOf<UsageTrendQuery, UsageTrendQueryVariables>(
  'UsageTrend',
  "query UsageTrend($of:UsageHistorySubjectInput!$from:DateTime!$stepSeconds:Int!){usageHistory(of:$of from:$from stepSeconds:$stepSeconds){samples{at usages{resourceClassName used capacity}}}}",
);
