// Moments compare by their meaning in the formats of Postgres and of callers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparisonWith } from '../../src/domain/moment.ts';

const seconds = fc.constantFrom(
  '2026-01-31 23:59:59',
  '2026-01-31 23:59:58',
  '2026-02-01 00:00:00',
  '1969-12-31 23:59:59',
  '1800-01-01 00:00:00',
);
const fraction = fc.constantFrom('', '.1', '.12', '.100000', '.123456', '.000001', '.999999');
const zone = fc.constantFrom('+00', '+00', '+01', '-05:30', 'Z');
const moment = fc.tuple(seconds, fraction, zone).map(([time, part, offset]) => {
  const trimmed = offset === 'Z' ? part : part.replace(/0+$/, '');
  const hours = { '+00': 0, Z: 0, '+01': 1, '-05:30': -5.5 }[offset] as number;
  const microseconds = (Date.parse(`${time.replace(' ', 'T')}Z`) - hours * 3_600_000) * 1000 + Math.round(Number(`0${part}`) * 1e6);
  return { text: `${time}${trimmed}${offset}`, microseconds };
});

test('two moments compare like their microseconds', () => {
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      expect(Math.sign(comparisonWith(other.text)(one.text))).toBe(Math.sign(one.microseconds - other.microseconds));
    }),
    { numRuns: 3000 },
  );
});
