// The quotas that apply to a project. A gateway that does not know quotas yet has none: while gateways are upgraded, a page may ask an older one.
import { AskError } from './ask.ts';
import { useAsk } from './queries.ts';
import { ProjectQuotas, type ProjectQuotasQuery } from './quotas.generated.ts';

export type QuotaUse = NonNullable<ProjectQuotasQuery['project']>['quotaUses'][number];

/** Empty until they are known; `isLoading` until then. Asked now and then, too: no event of the project tells of new defaults. */
export function useQuotas(id: string | null): {
  readonly quotas: readonly QuotaUse[];
  readonly error: Error | null;
  readonly isLoading: boolean;
} {
  const { data, error, isLoading } = useAsk(ProjectQuotas, { id: id ?? '' }, { enabled: id !== null, everySeconds: 60 });
  const isUnknown = error instanceof AskError && error.code === 'GRAPHQL_VALIDATION_FAILED';
  return { quotas: data?.project?.quotaUses ?? [], error: isUnknown ? null : error, isLoading };
}

/** What a quota is about: "VCPU", "consumers of type INSTANCE", "VCPU of user ann in zone-1". */
export function subjectOfQuota({ resourceClassName, consumerType, userExternalId, aggregateName }: QuotaUse['quota']): string {
  const type = consumerType === null ? '' : ` of type ${consumerType}`;
  const user = userExternalId === null ? '' : ` of user ${userExternalId}`;
  return `${resourceClassName ?? 'consumers'}${type}${user}${aggregateName === null ? '' : ` in ${aggregateName}`}`;
}
