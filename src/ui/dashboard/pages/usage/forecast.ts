// How full something will be if use goes on as it did: least squares through daily means, with a prediction interval. Days are averaged because use follows day
// and night. Days resemble the days before them, so the line is less certain than as many independent points: its variance grows with the correlation of
// neighbouring residuals.

export interface AmountAt {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly amount: number;
}

export interface Forecast {
  /** Whole days that the line is drawn through. */
  readonly days: number;
  /** The moment of the last amount. */
  readonly from: number;
  /** The amount on the line at a moment, and the bounds between which nine of ten daily means will be. */
  readonly at: (moment: number) => Estimate;
}

export interface Estimate {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

export const day = 86_400_000;
/** The fewest days with amounts that carry an estimate. */
const fewestDays = 14;
/** The 95 % quantile of the normal distribution: nine of ten lie within it on both sides. */
const z = 1.6449;

/** Null for fewer than 14 days, or if amounts are missing for more than a fifth of the time. `amounts` are in the order of time. */
export function forecastOf(amounts: readonly AmountAt[]): Forecast | null {
  const from = amounts.at(-1)?.at ?? 0;
  const means = dailyMeans(amounts, from);
  const days = (means.at(-1)?.daysAgo ?? 0) + 1;
  if (means.length < fewestDays || means.length < 0.8 * days) return null;
  const count = means.length;
  const center = mean(means.map(({ at }) => at));
  const level = mean(means.map(({ amount }) => amount));
  const spread = sum(means.map(({ at }) => (at - center) ** 2));
  const slope = sum(means.map(({ at, amount }) => (at - center) * (amount - level))) / spread;
  const line = (moment: number) => level + slope * (moment - center);
  const residuals = means.map(({ at, amount }) => amount - line(at));
  const squares = sum(residuals.map((residual) => residual ** 2));
  const correlation = squares > 0 ? sum(residuals.slice(1).map((residual, place) => residual * (residuals[place] ?? 0))) / squares : 0;
  const kept = Math.min(0.9, Math.max(0, correlation));
  const inflation = (1 + kept) / (1 - kept);
  const variance = squares / (count - 2);
  return {
    days,
    from,
    at: (moment) => {
      const middle = line(moment);
      const margin = studentOf(count - 2) * Math.sqrt(variance * (1 + inflation * (1 / count + (moment - center) ** 2 / spread)));
      return { low: Math.max(0, middle - margin), middle: Math.max(0, middle), high: Math.max(0, middle + margin) };
    },
  };
}

/** The first day within the limit on which a bound reaches an amount; null if none does. */
export function firstReach({ from, at }: Forecast, bound: 'low' | 'high', amount: number, mostDays: number): number | null {
  for (let days = 0; days <= mostDays; days += 1) {
    if (at(from + days * day)[bound] >= amount) return from + days * day;
  }
  return null;
}

interface DailyMean extends AmountAt {
  readonly daysAgo: number;
}

/** Means of whole days, counted back from the last amount. The latest comes first. */
function dailyMeans(amounts: readonly AmountAt[], from: number): DailyMean[] {
  const byDay = new Map<number, AmountAt[]>();
  for (const one of amounts) {
    const daysAgo = Math.floor((from - one.at) / day);
    byDay.set(daysAgo, [...(byDay.get(daysAgo) ?? []), one]);
  }
  const begin = amounts[0]?.at ?? 0;
  return [...byDay]
    .filter(([daysAgo]) => from - (daysAgo + 1) * day >= begin)
    .map(([daysAgo, ones]) => ({ daysAgo, at: mean(ones.map(({ at }) => at)), amount: mean(ones.map(({ amount }) => amount)) }))
    .sort((one, other) => one.daysAgo - other.daysAgo);
}

/** The 95 % quantile of Student's distribution, by its expansion around the normal one: exact to 0.001 from twelve degrees of freedom on. */
function studentOf(freedom: number): number {
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
