// A chart of the use of a class: axes that fit what is shown, and paths in a box of 1000 by 100.
import { formatAmount, formatPartOf, formatShare } from '../../formats/amounts.ts';
import { type AmountAxis, amountAxis, dateWords, type Tick, timeTicks } from '../../formats/axis.ts';
import { partsOf, type TrendPoint } from '../../parts/trend-model.ts';
import { day, type Forecast, firstReach } from './forecast.ts';
import { week } from './ranges.ts';

export const chartBox = { width: 1000, height: 100 } as const;
/** How far an estimate looks ahead, and how far it looks for the day on which a class may be full. */
const daysAhead = 30;
const daysWatched = 90;
const nearlyFull = 0.9;

export interface Scales {
  readonly axis: AmountAxis;
  readonly times: readonly Tick[];
  /** Where a moment is, from 0 at the left to 1 at the right. */
  readonly xOf: (moment: number) => number;
  readonly yOf: (amount: number) => number;
  readonly momentAt: (x: number) => number;
  /** Both in the box. */
  readonly place: (moment: number, amount: number) => string;
}

export interface ChartModel extends Scales {
  readonly use: string;
  /** The use a week before, at the moments a week later. */
  readonly before: string;
  /** Steps, if the capacity changed or is nearly used up. */
  readonly capacity: string;
  /** The bounds of the estimate, and its line. */
  readonly band: string;
  readonly middle: string;
}

export function scalesOf(from: number, until: number, axis: AmountAxis): Scales {
  const xOf = (moment: number) => (until === from ? 0 : (moment - from) / (until - from));
  const yOf = (amount: number) => 1 - (amount - axis.low) / (axis.high - axis.low);
  return {
    ...{ axis, times: timeTicks(from, until), xOf, yOf, momentAt: (x) => from + x * (until - from) },
    place: (moment, amount) => `${round(xOf(moment) * chartBox.width)} ${round(yOf(amount) * chartBox.height)}`,
  };
}

export const lineOf = (places: readonly string[]): string => (places.length < 2 ? '' : `M${places.join('L')}`);

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
  const scales = scalesOf(from, until, axis);
  const { place } = scales;
  return {
    ...scales,
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

/**
 * "VCPU: 71 % now. At the rate of the last 30 days: 78 to 84 % in thirty days, full between 3 Jan and 9 Feb". Says no more of a day than that nine of ten daily
 * means lie within the bounds of the estimate: a class is full on the first day on which the upper one is, at the earliest.
 */
export function forecastWords(title: string, { used, capacity }: TrendPoint, forecast: Forecast, resourceClass: string): string {
  const { low, high } = forecast.at(forecast.from + daysAhead * day);
  const rate = `At the rate of the last ${forecast.days} days`;
  if (capacity === 0) {
    const then = spanWords(formatAmount(Math.floor(low + 1e-6), resourceClass), formatAmount(Math.ceil(high - 1e-6), resourceClass));
    return `${title}: ${formatAmount(used, resourceClass)} now. ${rate}: ${then} in thirty days`;
  }
  const now = `${title}: ${formatShare(used, capacity)} now`;
  if (used >= capacity) return `${now}: it is full`;
  const [least, most] = [Math.floor((100 * low) / capacity + 1e-6), Math.ceil((100 * high) / capacity - 1e-6)];
  const then = least >= 100 ? '' : `${most >= 100 ? `${least} % to full` : `${spanWords(String(least), String(most))} %`} in thirty days, `;
  return `${now}. ${rate}: ${then}${fullWords(forecast, capacity)}`;
}

function fullWords(forecast: Forecast, capacity: number): string {
  const first = firstReach(forecast, 'high', capacity, daysWatched);
  if (first === null) return `not full within ${daysWatched} days`;
  const last = firstReach(forecast, 'low', capacity, daysWatched);
  if (last === null) return first === forecast.from ? 'full at any time' : `full on ${dateWords(first)} at the earliest`;
  if (first === forecast.from) return `full by ${dateWords(last)}`;
  return first === last ? `full on ${dateWords(first)}` : `full between ${dateWords(first)} and ${dateWords(last)}`;
}

const spanWords = (low: string, high: string) => (low === high ? low : `${low} to ${high}`);
