// Axes of charts: round ticks that enclose what is shown, each with its label.
import { scaleOf } from './amounts.ts';

export interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface AmountAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
}

/** About how many intervals an axis has. */
const intervals = 3;
/** A range that is a smaller part of its amounts would show noise as if it mattered. */
const smallestPart = 0.02;

/** Fits the amounts; begins at zero if they come near to it. */
export function amountAxis(least: number, most: number, resourceClass: string): AmountAxis {
  const { divisor, unit, finest } = unitOfAxis(most, resourceClass);
  const [bottom, top] = [least < most * 0.3 ? 0 : least / divisor, most / divisor];
  const lacking = Math.max(0, top * smallestPart - (top - bottom)) / 2;
  // Amounts are whole.
  const step = Math.max(roundStep((top - bottom + 2 * lacking) / intervals), 1 / divisor);
  const first = Math.max(0, Math.floor((bottom - lacking) / step));
  const last = Math.max(first + 1, Math.ceil((top + lacking) / step));
  const digits = Math.min(finest, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const form = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => {
    const value = (first + place) * step;
    return { at: value * divisor, label: value === 0 ? '0' : `${form.format(value)}${unit}` };
  });
  return { low: first * step * divisor, high: last * step * divisor, ticks };
}

function unitOfAxis(amount: number, resourceClass: string): { readonly divisor: number; readonly unit: string; readonly finest: number } {
  const bytes = scaleOf(amount, resourceClass);
  if (bytes) return { divisor: bytes.divisor, unit: ` ${bytes.unit}`, finest: 6 };
  if (amount < 100_000) return { divisor: 1, unit: '', finest: 0 };
  const power = Math.floor(Math.log10(amount) / 3);
  return { divisor: 1000 ** power, unit: ['', 'K', 'M', 'G', 'T', 'P'][power] ?? '', finest: 6 };
}

/** The next of 1, 2, 5, 10, …; at most 1 for nothing. */
function roundStep(least: number): number {
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const timeSteps = [
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
  28 * day,
];
/** The most labels that fit beside each other. */
const timesBeside = 9;
/** The first Monday: weeks begin on it. */
const monday = 4 * day;

/** Round moments between two, in UTC. */
export function timeTicks(from: number, until: number): Tick[] {
  const step =
    timeSteps.find((one) => (until - from) / one <= timesBeside) ?? Math.ceil((until - from) / timesBeside / (28 * day)) * 28 * day;
  const origin = step >= 7 * day ? monday : 0;
  const first = Math.ceil((from - origin) / step) * step + origin;
  return Array.from({ length: Math.max(0, Math.floor((until - first) / step) + 1) }, (_, place) => {
    const at = first + place * step;
    return { at, label: at % day === 0 ? dateWords(at) : new Date(at).toISOString().slice(11, 16) };
  });
}

const dates = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
/** "9 Mar". */
export const dateWords = (moment: number): string => dates.format(moment);
