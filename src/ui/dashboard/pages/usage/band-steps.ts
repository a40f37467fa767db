// What is kept of a class over time, as steps: they rise where a reservation begins and fall where it ends.
import { day } from './forecast.ts';

/** How far ahead a band goes. */
export const daysShown = 90;
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

/** Until when a band is drawn: a little after the last end, unless that is too far ahead. */
export function horizonOf(ends: readonly number[], now: number): { readonly until: number; readonly isCut: boolean } {
  const [last, bound] = [Math.max(now + 1, ...ends), now + daysShown * day];
  return { until: Math.min(last + (last - now) * rest, bound), isCut: last > bound };
}
