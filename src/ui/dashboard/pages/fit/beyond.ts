// Which quotas of a project leave less than a request asks for.
import type { FitRequest } from './request.ts';

interface QuotaLeft {
  readonly quota: {
    readonly resourceClassName: string | null;
    readonly consumerType: string | null;
    readonly userExternalId: string | null;
  };
  /** Null without a bound. */
  readonly available: number | null;
}

interface Beyond<Use> {
  readonly use: Use;
  /** In units of the class; 1 for the number of consumers. */
  readonly asked: number;
}

/** The type of a consumer that a request of this page is for. */
const server = 'INSTANCE';

/** Quotas of other users and for other types than servers do not count. With one for an aggregate, the request may fit elsewhere. */
export function beyond<Use extends QuotaLeft>({ groups }: FitRequest, quotas: readonly Use[], user: string | null): Beyond<Use>[] {
  const resources = groups.flatMap((group) => group.resources);
  return quotas.flatMap((use) => {
    const { resourceClassName, consumerType, userExternalId } = use.quota;
    const isOther = (consumerType !== null && consumerType !== server) || (userExternalId !== null && userExternalId !== user);
    if (isOther || use.available === null) return [];
    const asked =
      resourceClassName === null
        ? 1
        : resources.reduce((sum, { resourceClass, amount }) => sum + (resourceClass === resourceClassName ? amount : 0), 0);
    return asked > use.available ? [{ use, asked }] : [];
  });
}
