// How moments are written, on vectors.
import { expect, test } from 'vitest';
import { exactMoment, formatAgo, formatDuration } from '../../../../src/ui/dashboard/formats/moments.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T12:00:07Z', 'now'],
  ['2026-11-21T11:59:58Z', 'now'],
  ['2026-11-21T11:59:18.400Z', '41 s ago'],
  ['2026-11-21T11:57:00Z', '3 min ago'],
  ['2026-11-21T10:00:01Z', '1 h ago'],
  ['2026-11-20T11:00:00Z', '1 day ago'],
  ['2026-11-11T11:00:00Z', '10 days ago'],
  ['2026-08-01T11:00:00Z', '2026-08-01'],
  ['once', 'once'],
])('%s is %s', (moment, text) => {
  expect(formatAgo(moment, now)).toBe(text);
});

test('the exact moment is in UTC', () => {
  expect(exactMoment('2026-11-21T12:03:11.789+01:00')).toBe('2026-11-21 11:03:11 UTC');
  expect(exactMoment('once')).toBe('once');
});

test.each([
  [0.04, '0.0 s'],
  [0.26, '0.3 s'],
  [42.9, '42 s'],
  [90, '1 min'],
  [7200, '2 h'],
  [40 * 86_400, '40 days'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
