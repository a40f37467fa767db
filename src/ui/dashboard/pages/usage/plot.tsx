// The plane of a chart between its axes: a slider over moments, for the pointer and the arrow keys.
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { chartBox, type Scales } from './chart-model.ts';
import styles from './usage.module.css';

interface PlotProps {
  readonly title: string;
  readonly scales: Scales;
  /** Those that the keys go to. */
  readonly moments: readonly number[];
  /** Which of them is shown in words. */
  readonly place: number;
  readonly words: string;
  /** From one moment to another, or at one; null if none is chosen. */
  readonly cursor: readonly [from: number, until: number] | null;
  readonly onMoment: (moment: number | null) => void;
  /** Paths in the box. */
  readonly children: ReactNode;
}

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

export function Plot(props: PlotProps) {
  const { axis, times, xOf, yOf } = props.scales;
  return (
    <>
      <div className={styles.plot}>
        <Slider {...props} />
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
    </>
  );
}

const keySteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 };

function Slider({ title, scales: { axis, momentAt, xOf, yOf }, moments, place, words, cursor, onMoment, children }: PlotProps) {
  const goTo = (target: number) => onMoment(moments[Math.min(moments.length - 1, Math.max(0, target))] ?? null);
  const press = (event: KeyboardEvent) => {
    const step = keySteps[event.key];
    if (event.key === 'Escape') onMoment(null);
    else if (event.key === 'Home') goTo(0);
    else if (event.key === 'End') goTo(moments.length - 1);
    else if (step !== undefined) goTo(place + step);
    else return;
    event.preventDefault();
  };
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onMoment(momentAt((clientX - left) / width));
  };
  return (
    <div
      className={styles.slider}
      role="slider"
      tabIndex={0}
      aria-label={`Moments of ${title}`}
      aria-valuemin={0}
      aria-valuemax={moments.length - 1}
      aria-valuenow={place}
      aria-valuetext={words}
      onKeyDown={press}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onMoment(null)}
    >
      <svg viewBox={`0 0 ${chartBox.width} ${chartBox.height}`} preserveAspectRatio="none" aria-hidden="true">
        <path
          className={styles.grid}
          d={axis.ticks.map(({ at }) => `M0 ${(yOf(at) * chartBox.height).toFixed(1)}H${chartBox.width}`).join('')}
        />
        {children}
      </svg>
      {cursor && (
        <span className={styles.cursor} style={{ left: percent(xOf(cursor[0])), width: percent(xOf(cursor[1]) - xOf(cursor[0])) }} />
      )}
    </div>
  );
}
