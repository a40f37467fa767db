// What reservations keep: a band of each class over the same time, and its words.
import { formatAmount, formatPartOf } from '../../formats/amounts.ts';
import { amountAxis } from '../../formats/axis.ts';
import { exactMoment } from '../../formats/moments.ts';
import { daysOf, horizonOf, type Kept, type Span, type Step, stepsOf } from './band-steps.ts';
import { chartBox, lineOf, momentWords, type Scales, scalesOf } from './chart-model.ts';
import { day } from './forecast.ts';

/** A reservation with what it keeps, class by class. */
interface Keeping {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly hasBegun: boolean;
  readonly keeps: readonly { readonly amount: number; readonly resourceClass: { readonly name: string } }[];
}

interface Bands {
  readonly bands: readonly { readonly resourceClass: string; readonly steps: readonly Step[] }[];
  /** A sentence about the time beyond the chart; empty if the chart shows all of it. */
  readonly beyond: string;
}

/** A band for each class. By the clock of the database, what runs has begun, whatever the clock of the reader says. */
export function bandsOf(rows: readonly Keeping[], now: number, span: Span | null): Bands {
  const { until, isCut } = horizonOf(
    rows.map(({ endsAt }) => Date.parse(endsAt)),
    now,
    span,
  );
  const days = daysOf(span);
  const byClass = new Map<string, Kept[]>();
  for (const { hasBegun, startsAt, endsAt, keeps } of rows) {
    const times = {
      from: hasBegun ? Math.min(now, Date.parse(startsAt)) : Date.parse(startsAt),
      until: Date.parse(endsAt),
      isRunning: hasBegun,
    };
    for (const { amount, resourceClass } of keeps)
      byClass.set(resourceClass.name, [...(byClass.get(resourceClass.name) ?? []), { ...times, amount }]);
  }
  const names = [...byClass.keys()].toSorted();
  return {
    bands: names.map((resourceClass) => ({ resourceClass, steps: stepsOf(byClass.get(resourceClass) ?? [], now, until) })),
    beyond: isCut ? `Only the next ${days === 1 ? 'day is' : `${days} days are`} drawn: some reservations end later.` : '',
  };
}

/** The step in which a moment is. */
export const placeIn = (steps: readonly Step[], moment: number): number =>
  Math.max(
    0,
    steps.findLastIndex(({ at }) => at <= moment),
  );

export interface BandModel extends Scales {
  /** Areas of all that is kept, and of what runs already. */
  readonly kept: string;
  readonly running: string;
  readonly line: string;
  /** Empty without a capacity. */
  readonly capacity: string;
}

const totalOf = ({ running, later }: Step) => running + later;

/** Its axis begins at zero. A capacity of 0 is none. */
export function bandOf(steps: readonly Step[], capacity: number, resourceClass: string): BandModel {
  const [from, until] = [steps[0]?.at ?? 0, steps.at(-1)?.until ?? 0];
  const scales = scalesOf(from, until, amountAxis(0, Math.max(capacity, ...steps.map(totalOf)), resourceClass));
  const { place } = scales;
  const stepped = (amountOf: (step: Step) => number) =>
    lineOf(steps.flatMap((step) => [place(step.at, amountOf(step)), place(step.until, amountOf(step))]));
  const areaBelow = (line: string) => `${line}V${chartBox.height}H0Z`;
  const line = stepped(totalOf);
  return {
    ...{ ...scales, line, kept: areaBelow(line), running: areaBelow(stepped(({ running }) => running)) },
    capacity: capacity > 0 ? `M${place(from, capacity)}H${chartBox.width}` : '',
  };
}

/** With the year if it could be mistaken. */
export const dateOf = (moment: string, now = Date.now()): string =>
  Math.abs(Date.parse(moment) - now) < 300 * day ? momentWords(Date.parse(moment)) : exactMoment(moment);

const keptWords = (amount: number, capacity: number, resourceClass: string) =>
  `${capacity > 0 ? formatPartOf(amount, capacity, resourceClass) : amount === 0 ? 'nothing' : formatAmount(amount, resourceClass)} kept`;

/** "2 Mar 09:00 UTC to 2 Mar 17:00 UTC: 40 of 64 kept, 8 of it by what begins later". */
export function stepWords(step: Step, capacity: number, resourceClass: string): string {
  const { at, until, running, later } = step;
  const part = running > 0 && later > 0 ? `, ${formatAmount(later, resourceClass)} of it by what begins later` : '';
  return `${momentWords(at)} to ${momentWords(until)}: ${keptWords(totalOf(step), capacity, resourceClass)}${part}`;
}

/** "8 of 64 kept now, at most 40 from 2 Mar 09:00 UTC". */
export function bandWords(steps: readonly Step[], capacity: number, resourceClass: string): string {
  const totals = steps.map(totalOf);
  const [now = 0, peak] = [totals[0], Math.max(0, ...totals)];
  const first = steps[totals.indexOf(peak)];
  const later = peak > now && first ? `, at most ${formatAmount(peak, resourceClass)} from ${momentWords(first.at)}` : '';
  return `${keptWords(now, capacity, resourceClass)} now${later}`;
}
