// How full the cloud is, class by class. A tile chooses the class of the map.
import { formatAmount } from '../../formats/amounts.ts';
import { barOf } from '../../formats/bar-model.ts';
import { Bar } from '../../parts/bar.tsx';
import { Trend } from '../../parts/trend.tsx';
import { pointsIn } from '../../parts/trend-model.ts';
import type { ClassTotalFragment, LeftoversQuery } from './overview.generated.ts';
import styles from './overview.module.css';

interface ClassTilesProps {
  /** Sums of all hosts, and of all pools that several hosts share. */
  readonly own: readonly ClassTotalFragment[];
  readonly shared: readonly ClassTotalFragment[];
  /** Samples of the last day. */
  readonly samples: LeftoversQuery['usageSamples'];
  readonly chosen: string;
  readonly onChoose: (resourceClass: string) => void;
}

export function ClassTiles({ own, shared, samples, chosen, onChoose }: ClassTilesProps) {
  const moments = samples.map(({ ownUsages, ...sample }) => ({ ...sample, usages: ownUsages }));
  const poolOnly = shared.filter(({ resourceClass }) => !own.some((one) => one.resourceClass.name === resourceClass.name));
  return (
    <ul className={styles.tiles}>
      {own.map((total) => {
        const { name } = total.resourceClass;
        const pool = shared.find(({ resourceClass }) => resourceClass.name === name);
        return (
          <li key={name}>
            <button type="button" className={styles.tile} aria-pressed={name === chosen} onClick={() => onChoose(name)}>
              <Numbers total={total} />
            </button>
            <Bar amounts={total} />
            <Trend points={pointsIn(moments, name)} format={(amount) => formatAmount(amount, name)} />
            {pool && <Pool total={pool} />}
          </li>
        );
      })}
      {poolOnly.map((total) => (
        <li key={total.resourceClass.name}>
          <span className={styles.tile}>
            <strong>{total.resourceClass.name}</strong>
          </span>
          <Pool total={total} />
        </li>
      ))}
    </ul>
  );
}

function Numbers({ total }: { readonly total: ClassTotalFragment }) {
  const { percent, amounts, isOver } = barOf(total);
  return (
    <>
      <strong className={styles.class}>{total.resourceClass.name}</strong>
      <span className={isOver ? styles.alarm : ''}>
        {isOver && '▲ '}
        <strong>{percent}</strong> <span className={styles.aside}>{amounts}</span>
      </span>
    </>
  );
}

function Pool({ total }: { readonly total: ClassTotalFragment }) {
  const { percent, amounts } = barOf(total);
  return (
    <>
      <div className={styles.pool}>
        <Bar amounts={total} isThin />
      </div>
      <span className={styles.aside}>
        shared pools: {percent} {amounts}
      </span>
    </>
  );
}
