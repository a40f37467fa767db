// The steps of what reservations keep over time, and what a band of them draws and says.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandOf, bandsOf, bandWords, placeIn, stepWords } from '../../../../../src/ui/dashboard/pages/usage/band-model.ts';
import { horizonOf, type Kept, stepsOf } from '../../../../../src/ui/dashboard/pages/usage/band-steps.ts';
import { day } from '../../../../../src/ui/dashboard/pages/usage/forecast.ts';

const now = Date.UTC(2027, 2, 1, 12);
const hour = day / 24;
const kept = (from: number, until: number, amount: number): Kept => ({
  ...{ from: now + from * hour, until: now + until * hour, amount, isRunning: from <= 0 },
});
/** Hours from now of each step, with what is kept: by what runs, and by what begins later. */
const drawn = (list: readonly Kept[], until: number) =>
  stepsOf(list, now, now + until * hour).map((step) => [(step.at - now) / hour, (step.until - now) / hour, step.running, step.later]);

describe('the steps of a class', () => {
  test('rise where a reservation begins, and fall at its end, which it does not include', () => {
    expect(drawn([kept(2, 5, 40)], 6)).toEqual([
      [0, 2, 0, 0],
      [2, 5, 0, 40],
      [5, 6, 0, 0],
    ]);
  });

  test('add up reservations that overlap', () => {
    expect(drawn([kept(1, 4, 8), kept(2, 6, 16)], 7).map(([at, , , later]) => [at, later])).toEqual([
      [0, 0],
      [1, 8],
      [2, 24],
      [4, 16],
      [6, 0],
    ]);
  });

  test('begin now with what runs already, and tell it from what begins later', () => {
    expect(drawn([kept(-3, 4, 8), kept(2, 6, 16)], 6)).toEqual([
      [0, 2, 8, 0],
      [2, 4, 8, 16],
      [4, 6, 0, 16],
    ]);
  });

  test('never add up reservations of which one begins as the other ends', () => {
    expect(drawn([kept(1, 3, 8), kept(3, 5, 8)], 5).map(([, , , later]) => later)).toEqual([0, 8, 8]);
  });

  test('leave out what is after the last moment', () => {
    expect(drawn([kept(1, 9, 8), kept(6, 8, 8)], 5)).toEqual([
      [0, 1, 0, 0],
      [1, 5, 0, 8],
    ]);
  });

  test('follow each other without a gap, and keep at each moment the sum of what runs then', () => {
    const reservation = fc
      .tuple(fc.integer({ min: -9, max: 30 }), fc.integer({ min: 1, max: 20 }), fc.nat(99))
      .map(([from, hours, amount]) => kept(from, from + hours, amount));
    fc.assert(
      fc.property(fc.array(reservation, { maxLength: 12 }), (list) => {
        const steps = drawn(list, 24);
        expect(steps.map(([at]) => at)).toEqual([0, ...steps.slice(0, -1).map(([, until]) => until)]);
        expect(steps.at(-1)?.[1]).toBe(24);
        for (let moment = 0.5; moment < 24; moment += 1) {
          const [, , running = 0, later = 0] = steps.find(([at = 0, until = 0]) => at <= moment && moment < until) ?? [];
          const held = list.filter(({ from, until }) => from <= now + moment * hour && now + moment * hour < until);
          expect(running + later).toBe(held.reduce((sum, { amount }) => sum + amount, 0));
        }
      }),
    );
  });
});

describe('a band', () => {
  test('ends a little after the last end, so that its fall is seen, but goes no further than ninety days', () => {
    expect(horizonOf([now + day, now + 2 * day], now, null)).toEqual({ until: now + 2.06 * day, isCut: false });
    expect(horizonOf([now + day, now + 90 * day], now, null)).toEqual({ until: now + 90 * day, isCut: false });
    expect(horizonOf([now + day, now + 91 * day], now, null)).toEqual({ until: now + 90 * day, isCut: true });
  });

  test('is as long as the chosen span, whenever the last reservation ends', () => {
    expect(horizonOf([now + 2 * day], now, 'day')).toEqual({ until: now + day, isCut: true });
    expect(horizonOf([now + 2 * day], now, 'week')).toEqual({ until: now + 7 * day, isCut: false });
  });

  const steps = stepsOf([kept(-3, 4, 8), kept(2, 8, 16)], now, now + 10 * hour);

  test('is drawn from zero, below the capacity where there is one', () => {
    const { axis, line, running, kept: area, capacity, xOf } = bandOf(steps, 32, 'VCPU');
    expect([axis.low, axis.high]).toEqual([0, 40]);
    expect(line).toBe('M0 80L200 80L200 40L400 40L400 60L800 60L800 100L1000 100');
    expect(area).toBe(`${line}V100H0Z`);
    expect(running).toBe('M0 80L200 80L200 80L400 80L400 100L800 100L800 100L1000 100V100H0Z');
    expect(capacity).toBe('M0 20H1000');
    expect(xOf(now + 5 * hour)).toBe(0.5);
    expect(bandOf(steps, 0, 'VCPU').capacity).toBe('');
  });

  test('says what is kept now and when most is, and each step in words', () => {
    expect(bandWords(steps, 32, 'VCPU')).toBe('8 of 32 kept now, at most 24 from 1 Mar 14:00 UTC');
    expect(bandWords(steps.slice(1), 0, 'VCPU')).toBe('24 kept now');
    expect(bandWords(stepsOf([kept(2, 8, 2048)], now, now + 9 * hour), 0, 'MEMORY_MB')).toBe(
      'nothing kept now, at most 2 GiB from 1 Mar 14:00 UTC',
    );
    const at = (hours: number) => steps[placeIn(steps, now + hours * hour)];
    expect([0, 2, 4, 9].map((hours) => stepWords(at(hours) as (typeof steps)[number], 0, 'VCPU'))).toEqual([
      '1 Mar 12:00 UTC to 1 Mar 14:00 UTC: 8 kept',
      '1 Mar 14:00 UTC to 1 Mar 16:00 UTC: 24 kept, 16 of it by what begins later',
      '1 Mar 16:00 UTC to 1 Mar 20:00 UTC: 16 kept',
      '1 Mar 20:00 UTC to 1 Mar 22:00 UTC: nothing kept',
    ]);
  });
});

test('each class has a band over the same time; what has begun counts from now on, even if the clock of the reader is late', () => {
  const row = (from: number, until: number, hasBegun: boolean, amounts: Readonly<Record<string, number>>) => ({
    hasBegun,
    startsAt: new Date(now + from * hour).toISOString(),
    endsAt: new Date(now + until * hour).toISOString(),
    keeps: Object.entries(amounts).map(([name, amount]) => ({ amount, resourceClass: { name } })),
  });
  const { bands, beyond } = bandsOf([row(1, 4, true, { VCPU: 8, MEMORY_MB: 2048 }), row(2, 100 * 24, false, { VCPU: 4 })], now, null);
  expect(bands.map(({ resourceClass, steps }) => [resourceClass, steps[0]?.running, steps.at(-1)?.until])).toEqual([
    ['MEMORY_MB', 2048, now + 90 * day],
    ['VCPU', 8, now + 90 * day],
  ]);
  expect(beyond).toBe('Only the next 90 days are drawn: some reservations end later.');
  expect(bandsOf([row(1, 4, false, { VCPU: 8 })], now, null).beyond).toBe('');
  expect(bandsOf([row(30, 40, false, { VCPU: 8 })], now, 'day').beyond).toBe('Only the next day is drawn: some reservations end later.');
});
