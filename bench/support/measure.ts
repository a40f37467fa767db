// How benchmarks measure: rates of a repeated action, and medians. Ratios of one run are what counts.
import { setTimeout } from 'node:timers/promises';

/** Runs an action for some seconds with some in flight at a time; how many a second were done. */
export async function measureRate(action: () => Promise<unknown>, inFlight: number, seconds: number): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let done = 0;
  const runner = async () => {
    while (performance.now() < end) {
      await action();
      done++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, runner));
  return done / ((performance.now() - start) / 1000);
}

/** Begins an action so many times a second for some seconds, however many are under way; milliseconds that each took from when it was due. */
export async function measurePaced(action: () => Promise<unknown>, rate: number, seconds: number): Promise<number[]> {
  const start = performance.now();
  const times: number[] = [];
  const begin = async (due: number) => {
    await action();
    times.push(performance.now() - due);
  };
  const begun: Promise<void>[] = [];
  while (begun.length < rate * seconds) {
    const due = start + (begun.length / rate) * 1000;
    if (due > performance.now()) await setTimeout(1);
    else begun.push(begin(due));
  }
  await Promise.all(begun);
  return times;
}

/** Milliseconds of each of some repetitions, one after another. */
export async function measureTimes(action: () => Promise<unknown>, repetitions: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    const start = performance.now();
    await action();
    times.push(performance.now() - start);
  }
  return times;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** `share`: from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
