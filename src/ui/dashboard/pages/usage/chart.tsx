// The chart of one class over the whole width. The pointer and the arrow keys choose a moment, whose amounts are shown in words.
import { useMemo } from 'react';
import { formatAmount } from '../../formats/amounts.ts';
import { type TrendPoint, trendWords } from '../../parts/trend-model.ts';
import { chartOf, extremeWords, forecastWords, momentOf, nearest, readoutOf, useWords } from './chart-model.ts';
import { type Forecast, forecastOf } from './forecast.ts';
import type { Series } from './past-use.ts';
import { Plot } from './plot.tsx';
import styles from './usage.module.css';

interface ChartProps {
  readonly series: Series;
  /** A week before; empty if nothing is compared. */
  readonly before: readonly TrendPoint[];
  readonly isAhead: boolean;
  /** The chosen moment; null for none. All charts share it. */
  readonly moment: number | null;
  readonly onMoment: (moment: number | null) => void;
  /** Shows this class alone; null if it is alone. */
  readonly onAlone: (() => void) | null;
}

export function Chart({ series: { title, resourceClass, points }, before, isAhead, moment, onMoment, onAlone }: ChartProps) {
  const forecast = useMemo(
    () => (isAhead ? forecastOf(points.map((point) => ({ at: momentOf(point), amount: point.used }))) : null),
    [isAhead, points],
  );
  const model = useMemo(() => chartOf(points, before, forecast, resourceClass), [points, before, forecast, resourceClass]);
  const last = points.at(-1) as TrendPoint;
  const chosen = moment === null ? null : (points[nearest(points, moment)] ?? null);
  return (
    <figure className={styles.chart} aria-label={title}>
      <figcaption>
        {onAlone ? (
          <button type="button" className={styles.title} onClick={onAlone} title={`Only ${title}`}>
            {title}
          </button>
        ) : (
          <strong>{title}</strong>
        )}{' '}
        {useWords(last, resourceClass)}{' '}
        <span className={styles.quiet}>{trendWords(points, (amount) => formatAmount(amount, resourceClass))}</span>
        <span className={styles.unseen}>; {extremeWords(points, resourceClass)}</span>
      </figcaption>
      <Plot
        title={title}
        scales={model}
        moments={points.map(momentOf)}
        place={points.indexOf(chosen ?? last)}
        words={readoutOf(chosen ?? last, before, resourceClass)}
        cursor={chosen && [momentOf(chosen), momentOf(chosen)]}
        onMoment={onMoment}
      >
        <Lines model={model} />
      </Plot>
      <p className={styles.quiet}>{chosen ? readoutOf(chosen, before, resourceClass) : axisWords(model)}</p>
      {forecast && <Estimate words={forecastWords(title, last, forecast, resourceClass)} forecast={forecast} />}
    </figure>
  );
}

function axisWords({ axis, capacity }: ReturnType<typeof chartOf>): string {
  const begins = axis.low > 0 ? `The axis begins at ${axis.ticks[0]?.label}, not at zero.` : 'The axis begins at zero.';
  return capacity === '' ? begins : `${begins} The plain line is the capacity.`;
}

function Estimate({ words, forecast }: { readonly words: string; readonly forecast: Forecast }) {
  return (
    <p title={`Least squares through the means of ${forecast.days} days. Nine of ten days lie within the band if use goes on like this.`}>
      {words}.
    </p>
  );
}

function Lines({ model: { band, capacity, before, use, middle } }: { readonly model: ReturnType<typeof chartOf> }) {
  return (
    <>
      {band && <path className={styles.band} d={band} />}
      {capacity && <path className={styles.capacity} d={capacity} />}
      {before && <path className={styles.before} d={before} />}
      {middle && <path className={styles.ahead} d={middle} />}
      <path className={styles.use} d={use} />
    </>
  );
}
