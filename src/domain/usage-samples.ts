// Samples of the usage of the whole cloud: how many are kept, and where samples are missing.

/** The time between two samples. */
export const sampleSeconds = 60;
/** The number of days for which all samples are kept. */
export const fineSampleDays = 7;
/** Of older samples, one is kept per this many minutes. */
export const thinnedSampleMinutes = 15;

/** A total as stored. It has names, not ids, because a class may be deleted later. */
export type SampledTotal = readonly [
  ...[isShared: boolean, resourceClassName: string, providers: number],
  ...[total: number, reserved: number, capacity: number, used: number],
];

export interface StoredSample {
  /** RFC 3339. */
  readonly at: string;
  readonly totals: readonly SampledTotal[];
}

const day = 86_400_000;

/**
 * Whether samples are missing between two consecutive ones. Missing samples are not interpolated. How dense samples should be depends on their age at `now`
 * and on the requested step.
 */
export function isGap(before: Date, after: Date, stepSeconds: number, now: Date): boolean {
  const isThinned = now.getTime() - before.getTime() > fineSampleDays * day;
  const pace = Math.max(stepSeconds, isThinned ? 60 * thinnedSampleMinutes : sampleSeconds) * 1000;
  return after.getTime() - before.getTime() >= 2 * pace;
}
