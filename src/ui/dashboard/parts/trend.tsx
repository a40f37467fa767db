// The use over the last day: a line between its least and its most, which the words name, with how much it changed.
import { useEffect, useState } from 'react';
import styles from './trend.module.css';
import { type TrendPoint, trendBox, trendCaption, trendPaths } from './trend-model.ts';

interface TrendProps {
  readonly points: readonly TrendPoint[];
  readonly format: (amount: number) => string;
}

export function Trend({ points, format }: TrendProps) {
  const words = trendCaption(points, format);
  // Keeps the space, so that a trend that appears moves nothing.
  if (words === null) return <div className={styles.trend} />;
  return (
    <div className={styles.trend}>
      <svg viewBox={`0 0 ${trendBox.width} ${trendBox.height}`} preserveAspectRatio="none" aria-hidden="true">
        {trendPaths(points).map((path) => (
          <path key={path} d={path} />
        ))}
      </svg>
      <span>{words}</span>
    </div>
  );
}

/** A quarter of an hour, in seconds. */
const step = 900;
const day = 86_400;

/** The last day as 97 moments; it moves on every quarter of an hour. */
export function useLastDay(): { readonly from: string; readonly stepSeconds: number } {
  const [from, setFrom] = useState(dayAgo);
  useEffect(() => {
    const timer = setInterval(() => setFrom(dayAgo()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return { from, stepSeconds: step };
}

function dayAgo(): string {
  const quarter = Math.floor(Date.now() / 1000 / step) * step;
  return new Date((quarter - day) * 1000).toISOString();
}
