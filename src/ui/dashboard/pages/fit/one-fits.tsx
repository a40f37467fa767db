// Whether one more fits: readers of a project may know that, not how many more nor where. Their quotas may leave less than the hosts.
import { useAsk } from '../../data/queries.ts';
import { subjectOfQuota, useQuotas } from '../../data/quotas.ts';
import { useViewer } from '../../data/viewer.ts';
import { formatAmount, formatPartOf } from '../../formats/amounts.ts';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered, Loading } from '../../parts/states.tsx';
import { beyond } from './beyond.ts';
import { OneMore } from './fit.generated.ts';
import styles from './fit.module.css';
import { candidatesInput, type FitRequest } from './request.ts';

export function OneFits({ request }: { readonly request: FitRequest }) {
  const query = useAsk(OneMore, { input: candidatesInput(request) });
  const viewer = useViewer().data?.viewer;
  const { quotas, error, isLoading } = useQuotas(viewer?.projectExternalId ?? null);
  const bounds = beyond(request, quotas, viewer?.userExternalId ?? null);
  return (
    <Answered query={query} height="list">
      {({ fit: { total } }) =>
        isLoading ? (
          <Loading height="list" />
        ) : (
          <div role="status">
            <p className={styles.verdict}>
              <strong>{verdictOf(total > 0, bounds)}</strong>
            </p>
            {error !== null && quotas.length === 0 && (
              <p className={layout.warning}>▲ The quotas of the project cannot be shown: {error.message}</p>
            )}
            <ul>
              {bounds.map(({ use: { quota, used, available }, asked }) => {
                const unit = quota.resourceClassName ?? '';
                return (
                  <li key={subjectOfQuota(quota)} className={layout.warning}>
                    ▲ <Name>{subjectOfQuota(quota)}</Name>: {formatAmount(asked, unit)} asked for, {formatAmount(available ?? 0, unit)} left
                    of the quota ({formatPartOf(used, quota.amount ?? 0, unit)} used)
                  </li>
                );
              })}
            </ul>
          </div>
        )
      }
    </Answered>
  );
}

function verdictOf(hasRoom: boolean, bounds: readonly { readonly isEverywhere: boolean }[]): string {
  if (bounds.some(({ isEverywhere }) => isEverywhere)) {
    return hasRoom ? 'The quota does not allow it. The hosts have room.' : 'There is no room for it now, nor quota.';
  }
  if (!hasRoom) return 'There is no room for it now.';
  return bounds.length === 0 ? 'There is room for one more.' : 'The hosts have room for one more, but not every zone has quota for it.';
}
