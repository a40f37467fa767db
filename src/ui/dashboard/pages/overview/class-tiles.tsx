// How full the cloud or a part of it is, class by class. A tile chooses the class of the map.
import { formatAmount } from '../../formats/amounts.ts';
import { type Amounts, barOf } from '../../formats/bar-model.ts';
import { Bar } from '../../parts/bar.tsx';
import { Trend } from '../../parts/trend.tsx';
import { pointsIn } from '../../parts/trend-model.ts';
import type { LeftoversQuery } from './overview.generated.ts';
import styles from './overview.module.css';
import type { Tile } from './tiles.ts';

interface ClassTilesProps {
  readonly tiles: readonly Tile[];
  /** Samples of the last day, which are of the whole cloud; null inside a part of it. */
  readonly samples: LeftoversQuery['usageSamples'] | null;
  readonly chosen: string;
  readonly onChoose: (resourceClass: string) => void;
}

export function ClassTiles({ tiles, samples, chosen, onChoose }: ClassTilesProps) {
  const moments = samples?.map(({ ownUsages, ...sample }) => ({ ...sample, usages: ownUsages }));
  return (
    <ul className={styles.tiles}>
      {tiles.map(({ name, own, shared }) => (
        <li key={name}>
          <button type="button" className={styles.tile} aria-pressed={name === chosen} onClick={() => onChoose(name)}>
            <strong className={styles.class}>{name}</strong>
            {own === 'unknown' ? (
              '…'
            ) : own === 'left out' ? (
              <span className={styles.aside}>choose it to read it</span>
            ) : own === 'none' ? (
              <span className={styles.aside}>no host has its own</span>
            ) : (
              <Numbers amounts={own} />
            )}
          </button>
          {typeof own === 'object' && (
            <>
              <Bar amounts={own} />
              {moments && <Trend points={pointsIn(moments, name)} format={(amount) => formatAmount(amount, name)} />}
            </>
          )}
          {shared && <Pool amounts={shared} />}
        </li>
      ))}
    </ul>
  );
}

function Numbers({ amounts }: { readonly amounts: Amounts }) {
  const { percent, amounts: text, isOver } = barOf(amounts);
  return (
    <span className={isOver ? styles.alarm : ''}>
      {isOver && '▲ '}
      <strong>{percent}</strong> <span className={styles.aside}>{text}</span>
    </span>
  );
}

function Pool({ amounts }: { readonly amounts: Amounts }) {
  const { percent, amounts: text } = barOf(amounts);
  return (
    <>
      <div className={styles.pool}>
        <Bar amounts={amounts} isThin />
      </div>
      <span className={styles.aside}>
        shared pools: {percent} {text}
      </span>
    </>
  );
}
