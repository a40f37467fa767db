// The use of a cloud, an aggregate, a project or a tree over time: a chart of each class. The address has the range, the comparison and the class.
import { useState } from 'react';
import { DataTable } from '../../parts/data-table.tsx';
import { useNow } from '../../parts/moment.tsx';
import layout from '../../parts/page.module.css';
import { Loading } from '../../parts/states.tsx';
import { Chart } from './chart.tsx';
import { momentOf, momentWords } from './chart-model.ts';
import { forecastOf } from './forecast.ts';
import { useParameters } from './parameters.ts';
import { type Series, type TrendSubject, usePastUse } from './past-use.ts';
import { earlier, isRange, type Range, rangeNames, ranges, type Times, timesUntil, week } from './ranges.ts';
import styles from './usage.module.css';

/** Ranges that are long enough for an estimate. */
const isLong = (range: Range) => range === 'month' || range === 'quarter';

export function UsageTrends({ of }: { readonly of: TrendSubject }) {
  const [parameters, set] = useParameters();
  const asked = parameters.get('range');
  const range = isRange(asked) ? asked : 'day';
  const compares = parameters.get('compare') === 'week';
  const times = timesUntil(range, useNow());
  const past = usePastUse(of, times, true);
  const before = usePastUse(of, compares ? earlier(times, week) : null, false);
  return (
    <section className={layout.section} aria-labelledby="trend">
      <div className={layout.head}>
        <h2 id="trend">Use over the last {range}</h2>
        <fieldset className={`${layout.buttons} ${styles.ranges}`} aria-label="Range">
          {rangeNames.map((name) => (
            <button key={name} type="button" aria-pressed={name === range} onClick={() => set('range', name)}>
              {name}
            </button>
          ))}
          <button type="button" aria-pressed={compares} onClick={() => set('compare', compares ? null : 'week')}>
            compare with a week before
          </button>
        </fieldset>
      </div>
      {compares && <Compared {...before} />}
      {past.error !== null && <p role="alert">It cannot be shown: {past.error.message}</p>}
      {past.series === null ? (
        past.error === null && <Loading height="page" />
      ) : (
        <Charts
          {...{
            series: past.series,
            before: before.series ?? [],
            times,
            range,
            isCloud: of.cloud === true,
            only: parameters.get('class'),
            onOnly: (name) => set('class', name),
          }}
        />
      )}
    </section>
  );
}

function Compared({ series, error }: ReturnType<typeof usePastUse>) {
  if (error !== null) return <p role="alert">The week before cannot be shown: {error.message}</p>;
  if (series?.length === 0) return <p className={layout.muted}>Nothing is known of the week before.</p>;
  return <p className={layout.muted}>┄ a week before</p>;
}

interface ChartsProps {
  readonly series: readonly Series[];
  readonly before: readonly Series[];
  readonly times: Times;
  readonly range: Range;
  readonly isCloud: boolean;
  /** The only class to show; null for all. */
  readonly only: string | null;
  readonly onOnly: (resourceClass: string | null) => void;
}

function Charts({ series, before, times, range, isCloud, only, onOnly }: ChartsProps) {
  const [moment, setMoment] = useState<number | null>(null);
  const isAlone = series.some(({ resourceClass }) => resourceClass === only);
  const shown = isAlone ? series.filter(({ resourceClass }) => resourceClass === only) : series;
  if (shown.length === 0)
    return (
      <p className={layout.muted}>
        {isCloud
          ? 'Nothing is known of this time yet. Samples of the whole cloud begin when a gateway first runs.'
          : `Nothing was in use in this time, which ends at ${momentWords(Date.parse(times.until))}.`}
      </p>
    );
  const first = Math.min(...shown.flatMap(({ points }) => points.slice(0, 1).map(momentOf)));
  const isCut = first > Date.parse(times.from) + ranges[range].step * 1000;
  return (
    <>
      <p className={layout.muted}>
        {isCut && `Nothing older than ${momentWords(first)} is known. `}
        {isLong(range) && !shown.some(hasEstimate) && 'An estimate needs the amounts of fourteen whole days. '}
        {!isLong(range) && 'A month or a quarter also estimates the next thirty days. '}
        {isAlone && (
          <button type="button" onClick={() => onOnly(null)}>
            All classes
          </button>
        )}
      </p>
      <div className={styles.charts}>
        {shown.map((one) => (
          <Chart
            key={one.title}
            series={one}
            before={before.find(({ title }) => title === one.title)?.points ?? []}
            isAhead={isLong(range)}
            moment={moment}
            onMoment={setMoment}
            onAlone={isAlone || series.length === 1 ? null : () => onOnly(one.resourceClass)}
          />
        ))}
      </div>
      <Amounts series={shown} />
    </>
  );
}

const hasEstimate = ({ points }: Series) => forecastOf(points.map((point) => ({ at: momentOf(point), amount: point.used }))) !== null;

/** All that the charts show, for screen readers and spreadsheets. */
function Amounts({ series }: { readonly series: readonly Series[] }) {
  const [isOpen, setOpen] = useState(false);
  const moments = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].toSorted();
  const byMoment = series.map(({ title, points }) => ({ title, at: new Map(points.map((point) => [point.at, point])) }));
  const columns = [
    { title: 'moment', value: (at: string) => at },
    ...byMoment.flatMap(({ title, at: points }) => [
      { title, value: (at: string) => points.get(at)?.used ?? '', isNumber: true },
      { title: `capacity of ${title}`, value: (at: string) => points.get(at)?.capacity || '', isNumber: true, isHidden: true },
    ]),
  ];
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The amounts as a table</summary>
      {isOpen && <DataTable title="use over time" columns={columns} rows={moments} keyOf={(at) => at} />}
    </details>
  );
}
