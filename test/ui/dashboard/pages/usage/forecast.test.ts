// The estimate against simple truths, for random clouds.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AmountAt, day, firstReach, forecastOf } from '../../../../../src/ui/dashboard/pages/usage/forecast.ts';

const now = Date.UTC(2026, 0, 1);

/** Amounts of so many days, some a day. */
function series(days: number, perDay: number, amountAt: (daysAgo: number) => number): AmountAt[] {
  return Array.from({ length: days * perDay + 1 }, (_, place) => days - place / perDay).map((daysAgo) => ({
    at: now - daysAgo * day,
    amount: amountAt(daysAgo),
  }));
}
const spreadOf = (amounts: readonly AmountAt[]) => {
  const found = forecastOf(amounts)?.at(now + 30 * day);
  return found ? found.high - found.low : Number.NaN;
};
const lengths = fc.tuple(fc.integer({ min: 14, max: 90 }), fc.integer({ min: 1, max: 8 }));

describe('an estimate', () => {
  test('of amounts on a line is that line, without a spread', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 10_000, max: 1e9 }), fc.integer({ min: -50, max: 50 }), ([days, perDay], level, slope) => {
        const forecast = forecastOf(series(days, perDay, (daysAgo) => level - slope * daysAgo));
        for (const ahead of [0, 1, 30]) {
          const { low, middle, high } = forecast?.at(now + ahead * day) ?? { low: Number.NaN, middle: Number.NaN, high: Number.NaN };
          for (const value of [low, middle, high]) expect(Math.abs(value - (level + slope * ahead))).toBeLessThan(level * 1e-5);
        }
      }),
    );
  });

  test('of constant amounts is flat, and reaches nothing above them', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 0, max: 1e9 }), ([days, perDay], level) => {
        const forecast = forecastOf(series(days, perDay, () => level));
        expect(forecast?.at(now + 30 * day)).toEqual({ low: level, middle: level, high: level });
        expect(forecast && firstReach(forecast, 'high', level + 1, 90)).toBeNull();
      }),
    );
  });

  test('spreads more the noisier the amounts are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 31, maxLength: 31 }),
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        (noise, more) => {
          const noisy = (by: number) => spreadOf(series(30, 1, (daysAgo) => 1e6 + by * (noise[daysAgo] ?? 0)));
          expect(noisy(100 + more)).toBeGreaterThanOrEqual(noisy(100) - 1e-6);
          expect(noisy(0)).toBeLessThan(1e-6);
        },
      ),
    );
    expect(spreadOf(series(30, 1, (daysAgo) => 1000 + (daysAgo % 3)))).toBeGreaterThan(1);
  });

  test('spreads more the further it looks ahead, and the longer deviations last', () => {
    const forecast = forecastOf(series(30, 1, (daysAgo) => 1000 + (daysAgo % 3)));
    const width = (ahead: number) => (forecast ? forecast.at(now + ahead * day).high - forecast.at(now + ahead * day).low : 0);
    expect(width(30)).toBeGreaterThan(width(1));
    const lasting = spreadOf(series(40, 1, (daysAgo) => 1000 + (Math.floor(daysAgo / 5) % 2)));
    const changing = spreadOf(series(40, 1, (daysAgo) => 1000 + (daysAgo % 2)));
    expect(lasting).toBeGreaterThan(1.2 * changing);
  });

  test('is not moved by day and night', () => {
    const forecast = forecastOf(series(30, 24, (daysAgo) => 1000 + 100 * Math.sin(2 * Math.PI * daysAgo)));
    const { low, high } = forecast?.at(now + 30 * day) ?? { low: 0, high: 0 };
    expect([Math.round(low), Math.round(high)]).toEqual([1000, 1000]);
  });

  test('is not given for fewer than fourteen days, or for days with many gaps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 1, max: 24 }),
        (days, perDay) => forecastOf(series(days, perDay, () => 5)) === null,
      ),
    );
    expect(forecastOf([])).toBeNull();
    const gappy = series(60, 4, () => 5).filter(({ at }) => (now - at) / day < 10 || (now - at) / day > 40);
    expect(forecastOf(gappy)).toBeNull();
  });

  test('is never negative', () => {
    const forecast = forecastOf(series(20, 4, (daysAgo) => 10 * daysAgo));
    expect(forecast?.at(now + 30 * day)).toEqual({ low: 0, middle: 0, high: 0 });
  });
});

test('an amount is reached on the first day on which a bound has it', () => {
  const forecast = forecastOf(series(30, 4, (daysAgo) => 700 - daysAgo));
  expect(forecast && firstReach(forecast, 'high', 719.5, 90)).toBe(now + 20 * day);
  expect(forecast && firstReach(forecast, 'high', 800, 90)).toBeNull();
});
