// Samples of the usage of the whole cloud: how many are kept, and between which of them some are missing.

/** Between two samples. */
export const sampleSeconds = 60;
/** For so many days all samples are kept. */
export const fineSampleDays = 7;
/** Of older ones, one for so many minutes. */
export const thinnedSampleMinutes = 15;

/** As it is stored. Names, not ids: a class may be deleted later. */
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
 * Whether samples are missing between two that follow each other when every step has one: nothing was noted meanwhile, and nothing is made up for it.
 * `now` decides how dense they are.
 */
export function isGap(before: Date, after: Date, stepSeconds: number, now: Date): boolean {
  const isThinned = now.getTime() - before.getTime() > fineSampleDays * day;
  const pace = Math.max(stepSeconds, isThinned ? 60 * thinnedSampleMinutes : sampleSeconds) * 1000;
  return after.getTime() - before.getTime() >= 2 * pace;
}
