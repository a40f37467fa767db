// Measuring for benchmarks: rates of a repeated action, and medians. Only ratios within one run are comparable.
import { setTimeout } from 'node:timers/promises';

/** Runs an action a number of times, several at once. */
export async function repeat(times: number, inFlight: number, action: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const runner = async () => {
    while (next < times) await action(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, runner));
}

/** Runs an action for a number of seconds with a number in flight. Returns the number completed per second. */
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

/** Starts an action at a rate per second, however many are in progress. Returns the milliseconds of each since it was due. */
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
    else {
      const one = begin(due);
      // Its failure is thrown at the end, when all are awaited.
      one.catch(() => {});
      begun.push(one);
    }
  }
  await Promise.all(begun);
  return times;
}

/** Milliseconds of each of a number of repetitions, one after another. */
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
