// What a project may hold: each quota as a bar, with what is left of it.
import { type QuotaUse, subjectOfQuota, useQuotas } from '../../data/quotas.ts';
import { formatAmount, formatPartOf, formatShare } from '../../formats/amounts.ts';
import { Bar } from '../../parts/bar.tsx';
import { ProjectLink } from '../../parts/links.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import styles from './project.module.css';

/** Nothing for a project without quotas. */
export function Quotas({ id }: { readonly id: string }) {
  const { quotas, error } = useQuotas(id);
  if (error !== null && quotas.length === 0) return <p role="alert">Its quotas cannot be shown: {error.message}</p>;
  if (quotas.length === 0) return null;
  return (
    <section className={layout.section} aria-labelledby="quotas">
      <h2 id="quotas">Quotas</h2>
      <ul>
        {quotas.map((use) => (
          <li key={`${use.projectExternalId} ${subjectOfQuota(use.quota)}`} className={styles.quota}>
            <QuotaLine use={use} isOwn={use.projectExternalId === id} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function QuotaLine({ use, isOwn }: { readonly use: QuotaUse; readonly isOwn: boolean }) {
  const { quota, used, isDefault, projectExternalId } = use;
  const { amount } = quota;
  const unit = quota.resourceClassName ?? '';
  const words = [leftWords(use), isDefault ? 'default' : ''].filter((part) => part !== '').join(' · ');
  const isOver = amount !== null && used > amount;
  return (
    <>
      <span className={styles.name}>
        <Name>{subjectOfQuota(quota)}</Name>
      </span>
      {amount === null ? <span className={layout.muted}>no bound</span> : <QuotaBar used={used} amount={amount} />}
      <span className={isOver ? layout.warning : ''}>
        {isOver && '▲ '}
        {amount === null ? (
          `${formatAmount(used, unit)} used`
        ) : (
          <>
            <strong>{formatShare(used, amount)}</strong> {formatPartOf(used, amount, unit)}
          </>
        )}
      </span>
      <span className={isOver ? layout.warning : layout.muted}>
        {words}
        {!isOwn && (
          <>
            {words !== '' && ' · '}
            of <ProjectLink id={projectExternalId} /> and all projects below it
          </>
        )}
      </span>
    </>
  );
}

function leftWords({ quota: { amount, resourceClassName }, used, available }: QuotaUse): string {
  const unit = resourceClassName ?? '';
  if (amount === null || available === null) return '';
  return used > amount
    ? `${formatAmount(used - amount, unit)} over quota: nothing more is granted`
    : `${formatAmount(available, unit)} left`;
}

/** Its words are beside it, and those of an inventory would not fit. */
function QuotaBar({ used, amount }: { readonly used: number; readonly amount: number }) {
  return (
    <span className={styles.bar} aria-hidden="true">
      <Bar amounts={{ resourceClass: { name: '' }, total: amount, reserved: 0, capacity: amount, used }} />
    </span>
  );
}
