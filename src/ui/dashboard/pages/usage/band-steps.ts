// What is kept of a class over time, as steps: they rise where a reservation begins and fall where it ends.
import { day } from './forecast.ts';

/** Days of each span that a band can show. */
const spans = { day: 1, week: 7, month: 30, quarter: 90 } as const;

export type Span = keyof typeof spans;

export const spanNames = Object.keys(spans) as readonly Span[];
export const isSpan = (text: string | null): text is Span => text !== null && spanNames.some((name) => name === text);

/** How far ahead a band goes at most: to the end of the longest span unless another one was chosen. */
export const daysOf = (span: Span | null): number => spans[span ?? 'quarter'];

/** The part of a band after the last end, so that its fall is seen. */
const rest = 0.03;

/** An amount of one class that is kept from one moment up to another, but not at that one. */
export interface Kept {
  readonly from: number;
  readonly until: number;
  readonly amount: number;
  readonly isRunning: boolean;
}

export interface Step {
  readonly at: number;
  readonly until: number;
  /** By reservations that run already. */
  readonly running: number;
  /** By those that begin later. */
  readonly later: number;
}

/** What is kept of a class between now and a later moment. */
export function stepsOf(kept: readonly Kept[], now: number, until: number): Step[] {
  const bounds = [...new Set([now, ...kept.flatMap((one) => [one.from, one.until])])]
    .filter((moment) => moment >= now && moment < until)
    .toSorted((a, b) => a - b);
  return bounds.map((at, place) => {
    const here = kept.filter((one) => one.from <= at && at < one.until);
    const sum = (isRunning: boolean) => here.reduce((amount, one) => amount + (one.isRunning === isRunning ? one.amount : 0), 0);
    return { at, until: bounds[place + 1] ?? until, running: sum(true), later: sum(false) };
  });
}

/** Until when a band is drawn: to the end of the chosen span, or a little after the last end, unless that is too far ahead. */
export function horizonOf(ends: readonly number[], now: number, span: Span | null): { readonly until: number; readonly isCut: boolean } {
  const [last, bound] = [Math.max(now + 1, ...ends), now + daysOf(span) * day];
  return { until: span === null ? Math.min(last + (last - now) * rest, bound) : bound, isCut: last > bound };
}
