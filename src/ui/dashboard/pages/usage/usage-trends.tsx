// The use of a provider or a project over the last day, class by class.
import { useAsk } from '../../data/queries.ts';
import { formatAmount } from '../../formats/amounts.ts';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Trend, useLastDay } from '../../parts/trend.tsx';
import { classesIn, pointsIn } from '../../parts/trend-model.ts';
import { UsageTrend, type UsageTrendQueryVariables } from './usage.generated.ts';
import styles from './usage.module.css';

export function UsageTrends({ of }: { readonly of: UsageTrendQueryVariables['of'] }) {
  const { data, error } = useAsk(UsageTrend, { of, ...useLastDay() }, { keepsPrevious: true });
  const samples = (data?.usageHistory.samples ?? []).map((sample) => ({ ...sample, followsGap: false }));
  const classes = classesIn(samples);
  if (error === null && classes.length === 0) return null;
  return (
    <section className={layout.section} aria-labelledby="trend">
      <h2 id="trend">Use over the last day</h2>
      {error !== null && <p className={layout.muted}>It cannot be shown: {error.message}</p>}
      <dl className={styles.trends}>
        {classes.map((name) => (
          <div key={name}>
            <dt>
              <Name>{name}</Name>
            </dt>
            <dd>
              <Trend points={pointsIn(samples, name)} format={(amount) => formatAmount(amount, name)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
