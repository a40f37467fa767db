// Which quotas of a project leave less than a request asks for.
import type { FitRequest } from './request.ts';

interface QuotaLeft {
  readonly quota: {
    readonly resourceClassName: string | null;
    readonly consumerType: string | null;
    readonly userExternalId: string | null;
    readonly aggregateUuid: string | null;
  };
  /** Null without a bound. */
  readonly available: number | null;
}

interface Beyond<Use> {
  readonly use: Use;
  /** In units of the class; 1 for the number of consumers. */
  readonly asked: number;
  /** Whether it bounds the request wherever that fits. One for an aggregate does if the request asks for that aggregate. */
  readonly isEverywhere: boolean;
}

/** The type of a consumer that a request of this page is for. */
export const server = 'INSTANCE';

/** Quotas of other users and for other types than servers do not count, nor those for aggregates that the request leaves out: if it names some, all others. */
export function beyond<Use extends QuotaLeft>({ groups }: FitRequest, quotas: readonly Use[], user: string | null): Beyond<Use>[] {
  const resources = groups.flatMap((group) => group.resources);
  const required = groups.flatMap(({ aggregates }) => aggregates.allOf);
  const named = [...required, ...groups.flatMap(({ aggregates }) => aggregates.anyOf.flat())];
  const excluded = groups.flatMap(({ aggregates }) => aggregates.noneOf);
  const isLeftOut = (aggregate: string) => excluded.includes(aggregate) || (named.length > 0 && !named.includes(aggregate));
  return quotas.flatMap((use) => {
    const { resourceClassName, consumerType, userExternalId, aggregateUuid } = use.quota;
    const isOther = (consumerType !== null && consumerType !== server) || (userExternalId !== null && userExternalId !== user);
    if (isOther || use.available === null || (aggregateUuid !== null && isLeftOut(aggregateUuid))) return [];
    const asked =
      resourceClassName === null
        ? 1
        : resources.reduce((sum, { resourceClass, amount }) => sum + (resourceClass === resourceClassName ? amount : 0), 0);
    const isEverywhere = aggregateUuid === null || required.includes(aggregateUuid);
    return asked > use.available ? [{ use, asked, isEverywhere }] : [];
  });
}
