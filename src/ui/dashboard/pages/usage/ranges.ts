// The times that charts of use show: how long, in which steps, and until when.

const [minute, hour, day] = [60, 3600, 86_400];

/** Seconds of each range and of its steps. */
export const ranges = {
  hour: { seconds: hour, step: minute },
  day: { seconds: day, step: 10 * minute },
  week: { seconds: 7 * day, step: hour },
  month: { seconds: 30 * day, step: 4 * hour },
  quarter: { seconds: 90 * day, step: 12 * hour },
} as const;

export type Range = keyof typeof ranges;

export const rangeNames = Object.keys(ranges) as readonly Range[];
export const isRange = (text: string | null): text is Range => text !== null && rangeNames.some((name) => name === text);

export interface Times {
  readonly from: string;
  readonly until: string;
  readonly stepSeconds: number;
}

/** Milliseconds by which a week ago is earlier. */
export const week = 7 * day * 1000;

/** The range until a moment, rounded down so that the same question is asked for a while: a minute for an hour, a quarter of an hour for a month. */
export function timesUntil(range: Range, now: number): Times {
  const { seconds, step } = ranges[range];
  const pace = Math.min(step, 15 * minute) * 1000;
  const until = Math.floor(now / pace) * pace;
  return timesOf(until - seconds * 1000, until, step);
}

/** With the last step as a whole, of which the first sample may be late. */
export const earlier = ({ from, until, stepSeconds }: Times, by: number): Times =>
  timesOf(Date.parse(from) - by, Date.parse(until) - by + stepSeconds * 1000, stepSeconds);

/** The part of some times from a moment on, at the same moments; null if it is empty. */
export function timesSince({ from, until, stepSeconds }: Times, since: string): Times | null {
  const [first, step] = [Date.parse(from), stepSeconds * 1000];
  const begin = first + Math.max(0, Math.ceil((Date.parse(since) - first) / step)) * step;
  return begin > Date.parse(until) ? null : timesOf(begin, Date.parse(until), stepSeconds);
}

const timesOf = (from: number, until: number, stepSeconds: number): Times => ({
  from: new Date(from).toISOString(),
  until: new Date(until).toISOString(),
  stepSeconds,
});
