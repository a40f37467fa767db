// How many requests to Keystone run concurrently: against models of Keystones that are slow in different ways, in simulated time.
import { describe, expect, test } from 'vitest';
import { Concurrency } from '../../src/auth/keystone/concurrency.ts';
import { freshDice } from '../support/dice.ts';

const bounds = { least: 2, first: 8, most: 256 };

interface Model {
  readonly processes: number;
  /** The response time in milliseconds, which varies by a quarter. */
  readonly time: number;
  readonly random: () => number;
}

let clock = 0;

/** The mean limit, after a while, at a Keystone that always has as many requests in progress as the limit allows. */
function settled(concurrency: Concurrency, { processes, time, random }: Model): number {
  const free = Array<number>(processes).fill(clock);
  const underWay: { readonly began: number; readonly ends: number }[] = [];
  let sum = 0;
  for (let answer = 0; answer < 4000; answer += 1) {
    concurrency.noteWait();
    while (underWay.length < concurrency.limit) {
      const next = free.indexOf(Math.min(...free));
      const ends = Math.max(clock, free[next] ?? 0) + time * (0.875 + random() / 4);
      free[next] = ends;
      underWay.push({ began: clock, ends });
    }
    underWay.sort((one, other) => one.ends - other.ends);
    const first = underWay.shift() ?? { began: clock, ends: clock };
    clock = first.ends;
    concurrency.noteAnswer(first.began, clock);
    if (answer >= 3000) sum += concurrency.limit;
  }
  return sum / 1000;
}

describe('of a Keystone', () => {
  const roll = freshDice('answers of a Keystone');
  const random = () => roll(2 ** 32) / 2 ** 32;

  test.each([20, 1000, 4000])('that answers in %i ms under any load gets many requests at once', (time) => {
    expect(settled(new Concurrency(bounds), { processes: 300, time, random })).toBeGreaterThan(100);
  });

  test.each([2, 4, 16])('with %i processes gets few more requests at once than they can serve', (processes) => {
    const limit = settled(new Concurrency(bounds), { processes, time: 100, random });
    expect(limit).toBeGreaterThan(processes / 3);
    expect(limit).toBeLessThan(processes * 4);
  });

  test('that becomes slow gets fewer requests at once', () => {
    const concurrency = new Concurrency(bounds);
    settled(concurrency, { processes: 300, time: 20, random });
    expect(settled(concurrency, { processes: 300, time: 1000, random })).toBeGreaterThan(100);
    expect(settled(concurrency, { processes: 4, time: 1000, random })).toBeLessThan(16);
    expect(settled(concurrency, { processes: 300, time: 20, random })).toBeGreaterThan(100);
  });

  test('that fails gets fewer requests at once, reduced once for all that were sent together', () => {
    const concurrency = new Concurrency(bounds);
    for (let failure = 0; failure < 8; failure += 1) concurrency.noteFailure(clock, clock + 1);
    expect(concurrency.limit).toBe(4);
    for (let round = 1; round < 5; round += 1) concurrency.noteFailure(clock + round, clock + round + 1);
    expect(concurrency.limit).toBe(2);
  });

  test('that gets fewer requests than the limit leaves the limit unchanged', () => {
    const concurrency = new Concurrency(bounds);
    for (let answer = 0; answer < 100; answer += 1) concurrency.noteAnswer(answer, answer + 1);
    expect(concurrency.limit).toBe(8);
  });
});
