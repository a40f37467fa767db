// A chart of the use of a class: axes that fit what is shown, and paths in a box of 1000 by 100.
import { formatAmount, formatPartOf, formatShare } from '../../formats/amounts.ts';
import { type AmountAxis, amountAxis, dateWords, type Tick, timeTicks } from '../../formats/axis.ts';
import { partsOf, type TrendPoint } from '../../parts/trend-model.ts';
import { day, type Forecast, firstReach } from './forecast.ts';
import { week } from './ranges.ts';

export const chartBox = { width: 1000, height: 100 } as const;
/** How far an estimate looks ahead, and how far it looks for the day on which a class may be nearly full. */
const daysAhead = 30;
const daysWatched = 90;
const nearlyFull = 0.9;

export interface ChartModel {
  readonly axis: AmountAxis;
  readonly times: readonly Tick[];
  /** Where a moment is, from 0 at the left to 1 at the right. */
  readonly xOf: (moment: number) => number;
  readonly yOf: (amount: number) => number;
  readonly momentAt: (x: number) => number;
  readonly use: string;
  /** The use a week before, at the moments a week later. */
  readonly before: string;
  /** Steps, if the capacity changed or is nearly used up. */
  readonly capacity: string;
  /** The bounds of the estimate, and its line. */
  readonly band: string;
  readonly middle: string;
}

export const momentOf = ({ at }: TrendPoint): number => Date.parse(at);

export function chartOf(
  points: readonly TrendPoint[],
  before: readonly TrendPoint[],
  forecast: Forecast | null,
  resourceClass: string,
): ChartModel {
  const [from, last] = [momentOf(points[0] as TrendPoint), momentOf(points.at(-1) as TrendPoint)];
  const until = forecast ? last + daysAhead * day : last;
  const shifted = before
    .map((point) => ({ ...point, moment: momentOf(point) + week }))
    .filter(({ moment }) => moment >= from && moment <= last);
  const ahead = forecast
    ? [0, 5, 10, 15, 20, 25, daysAhead].map((days) => ({ moment: last + days * day, ...forecast.at(last + days * day) }))
    : [];
  const uses = [...points, ...shifted].map(({ used }) => used);
  const capacities = points.map(({ capacity }) => capacity);
  const most = Math.max(...uses, ...ahead.map(({ high }) => high));
  const hasCapacity = new Set(capacities).size > 1 || most >= nearlyFull * (capacities[0] || Number.POSITIVE_INFINITY);
  const shown = [...uses, ...ahead.flatMap(({ low, high }) => [low, high]), ...(hasCapacity ? capacities : [])];
  const axis = amountAxis(Math.min(...shown), Math.max(...shown), resourceClass);
  const xOf = (moment: number) => (until === from ? 0 : (moment - from) / (until - from));
  const yOf = (amount: number) => 1 - (amount - axis.low) / (axis.high - axis.low);
  const place = (moment: number, amount: number) => `${round(xOf(moment) * chartBox.width)} ${round(yOf(amount) * chartBox.height)}`;
  const lineOf = (places: readonly string[]) => (places.length < 2 ? '' : `M${places.join('L')}`);
  return {
    ...{ axis, times: timeTicks(from, until), xOf, yOf, momentAt: (x) => from + x * (until - from) },
    use: partsOf(points)
      .map((part) => lineOf(part.map((point) => place(momentOf(point), point.used))))
      .join(''),
    before: partsOf(shifted)
      .map((part) => lineOf(part.map(({ moment, used }) => place(moment, used))))
      .join(''),
    capacity: hasCapacity
      ? lineOf(
          points.flatMap((point, index) => [
            place(momentOf(point), points[index - 1]?.capacity ?? point.capacity),
            place(momentOf(point), point.capacity),
          ]),
        )
      : '',
    band:
      ahead.length > 0
        ? `${lineOf([...ahead.map(({ moment, high }) => place(moment, high)), ...ahead.toReversed().map(({ moment, low }) => place(moment, low))])}Z`
        : '',
    middle: lineOf(ahead.map(({ moment, middle }) => place(moment, middle))),
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** The place of the point that is nearest to a moment. */
export function nearest(points: readonly TrendPoint[], moment: number): number {
  const distances = points.map((point) => Math.abs(momentOf(point) - moment));
  return distances.indexOf(Math.min(...distances));
}

/** "26 Nov 14:10 UTC". */
export const momentWords = (moment: number): string => `${dateWords(moment)} ${new Date(moment).toISOString().slice(11, 16)} UTC`;

/** "57 %, 1.47M of 2.56M"; "17" without a capacity. */
export function useWords({ used, capacity }: Pick<TrendPoint, 'used' | 'capacity'>, resourceClass: string): string {
  return capacity > 0
    ? `${formatShare(used, capacity)}, ${formatPartOf(used, capacity, resourceClass)}`
    : formatAmount(used, resourceClass);
}

/** What was in use at one point, and a week before it. */
export function readoutOf(point: TrendPoint, before: readonly TrendPoint[], resourceClass: string): string {
  const moment = momentOf(point);
  const earlier = before.find((one) => momentOf(one) + week === moment);
  const words = `${momentWords(moment)}: ${useWords(point, resourceClass)}`;
  return earlier ? `${words}; a week before ${useWords(earlier, resourceClass)}` : words;
}

/** The least and the most, each with its moment. */
export function extremeWords(points: readonly TrendPoint[], resourceClass: string): string {
  const uses = points.map(({ used }) => used);
  const words = (extreme: number) => {
    const point = points[uses.indexOf(extreme)];
    return point ? `${formatAmount(extreme, resourceClass)} (${momentWords(momentOf(point))})` : '';
  };
  return `least ${words(Math.min(...uses))}, most ${words(Math.max(...uses))}`;
}

/** "VCPU: 71 % now, 78 to 84 % in thirty days at the rate of the last 30 days; 90 % not before 9 Mar". */
export function forecastWords(title: string, { used, capacity }: TrendPoint, forecast: Forecast, resourceClass: string): string {
  const { low, high } = forecast.at(forecast.from + daysAhead * day);
  const rate = `in thirty days at the rate of the last ${forecast.days} days`;
  if (capacity === 0) {
    const then = spanWords(formatAmount(Math.floor(low + 1e-6), resourceClass), formatAmount(Math.ceil(high - 1e-6), resourceClass));
    return `${title}: ${formatAmount(used, resourceClass)} now, ${then} ${rate}`;
  }
  const [least, most] = [Math.floor((100 * low) / capacity + 1e-6), Math.ceil((100 * high) / capacity - 1e-6)];
  const then = least >= 100 ? 'full' : most >= 100 ? `${least} % to full` : `${spanWords(String(least), String(most))} %`;
  const words = `${title}: ${formatShare(used, capacity)} now, ${then} ${rate}`;
  if (used >= nearlyFull * capacity) return words;
  const reach = firstReach(forecast, nearlyFull * capacity, daysWatched);
  return `${words}; 90 % ${reach === null ? `not within ${daysWatched} days` : reach === forecast.from ? 'at any time' : `not before ${dateWords(reach)}`}`;
}

const spanWords = (low: string, high: string) => (low === high ? low : `${low} to ${high}`);
