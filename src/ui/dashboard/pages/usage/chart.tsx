// The chart of one class over the whole width. The pointer and the arrow keys choose a moment, whose amounts are shown in words.
import { type KeyboardEvent, type PointerEvent, useMemo } from 'react';
import { formatAmount } from '../../formats/amounts.ts';
import { type TrendPoint, trendWords } from '../../parts/trend-model.ts';
import { chartBox, chartOf, extremeWords, forecastWords, momentOf, nearest, readoutOf, useWords } from './chart-model.ts';
import { type Forecast, forecastOf } from './forecast.ts';
import type { Series } from './past-use.ts';
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

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

export function Chart({ series: { title, resourceClass, points }, before, isAhead, moment, onMoment, onAlone }: ChartProps) {
  const forecast = useMemo(
    () => (isAhead ? forecastOf(points.map((point) => ({ at: momentOf(point), amount: point.used }))) : null),
    [isAhead, points],
  );
  const model = useMemo(() => chartOf(points, before, forecast, resourceClass), [points, before, forecast, resourceClass]);
  const last = points.at(-1) as TrendPoint;
  const chosen = moment === null ? null : (points[nearest(points, moment)] ?? null);
  const { axis, times, xOf, yOf } = model;
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
      <div className={styles.plot}>
        <Slider {...{ title, points, before, resourceClass, chosen, onMoment, momentAt: model.momentAt }}>
          <Lines model={model} />
          {chosen && <span className={styles.cursor} style={{ left: percent(xOf(momentOf(chosen))) }} />}
        </Slider>
        {axis.ticks.map(({ at, label }) => (
          <span key={label} className={styles.amount} style={{ top: percent(yOf(at)) }} aria-hidden="true">
            {label}
          </span>
        ))}
      </div>
      <div className={styles.times} aria-hidden="true">
        {times.map(({ at, label }) => (
          <span
            key={at}
            style={{
              left: percent(xOf(at)),
              ...(xOf(at) > 0.95 && { transform: 'translateX(-100%)' }),
              ...(xOf(at) < 0.05 && { transform: 'none' }),
            }}
          >
            {label}
          </span>
        ))}
      </div>
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

function Lines({ model: { axis, yOf, band, capacity, before, use, middle } }: { readonly model: ReturnType<typeof chartOf> }) {
  const grid = axis.ticks.map(({ at }) => `M0 ${(yOf(at) * chartBox.height).toFixed(1)}H${chartBox.width}`).join('');
  return (
    <svg viewBox={`0 0 ${chartBox.width} ${chartBox.height}`} preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.grid} d={grid} />
      {band && <path className={styles.band} d={band} />}
      {capacity && <path className={styles.capacity} d={capacity} />}
      {before && <path className={styles.before} d={before} />}
      {middle && <path className={styles.ahead} d={middle} />}
      <path className={styles.use} d={use} />
    </svg>
  );
}

interface SliderProps extends Pick<ChartProps, 'before' | 'onMoment'>, Omit<Series, 'points'> {
  readonly points: readonly TrendPoint[];
  readonly chosen: TrendPoint | null;
  readonly momentAt: (x: number) => number;
  readonly children: React.ReactNode;
}

const keySteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 };

function Slider({ title, points, before, resourceClass, chosen, onMoment, momentAt, children }: SliderProps) {
  const place = chosen ? points.indexOf(chosen) : points.length - 1;
  const goTo = (target: number) => {
    const point = points[Math.min(points.length - 1, Math.max(0, target))];
    if (point) onMoment(momentOf(point));
  };
  const press = (event: KeyboardEvent) => {
    const step = keySteps[event.key];
    if (event.key === 'Escape') onMoment(null);
    else if (event.key === 'Home') goTo(0);
    else if (event.key === 'End') goTo(points.length - 1);
    else if (step !== undefined) goTo(place + step);
    else return;
    event.preventDefault();
  };
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onMoment(momentAt((clientX - left) / width));
  };
  const shown = points[place];
  return (
    <div
      className={styles.slider}
      role="slider"
      tabIndex={0}
      aria-label={`Moments of ${title}`}
      aria-valuemin={0}
      aria-valuemax={points.length - 1}
      aria-valuenow={place}
      aria-valuetext={shown ? readoutOf(shown, before, resourceClass) : ''}
      onKeyDown={press}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onMoment(null)}
    >
      {children}
    </div>
  );
}
