// When reservations run, in the words of a project's page.
import { expect, test } from 'vitest';
import { timesWords } from '../../../../../src/ui/dashboard/pages/usage/reservation-times.ts';

const now = Date.UTC(2027, 2, 1, 12);
const row = (from: number, until: number) => ({
  startsAt: new Date(now + from * 3_600_000).toISOString(),
  endsAt: new Date(now + until * 3_600_000).toISOString(),
  hasBegun: from <= 0,
});
const words = (...rows: ReturnType<typeof row>[]) => timesWords(rows, rows.length, now);

test.each([
  ['nothing without reservations', words(), ''],
  ['when the next one begins', words(row(21, 29), row(45, 53)), 'The next reservation begins 2 Mar 09:00 UTC, in 21 h.'],
  ['until when one runs', words(row(-3, 5)), 'A reservation runs until 1 Mar 17:00 UTC.'],
  [
    'both',
    words(row(-3, 5), row(7 * 24, 200)),
    'A reservation runs until 1 Mar 17:00 UTC. The next one begins 8 Mar 12:00 UTC, in 7 days.',
  ],
  [
    'of several the first and the last end',
    words(row(-3, 9), row(-2, 5), row(-1, 6)),
    '3 reservations run, the first until 1 Mar 17:00 UTC, the last until 1 Mar 21:00 UTC.',
  ],
  ['of several that end together that moment', words(row(-3, 5), row(-2, 5)), '2 reservations run until 1 Mar 17:00 UTC.'],
  ['the year of a distant one', words(row(400 * 24, 401 * 24)), 'The next reservation begins 2028-04-04 12:00:00 UTC, in 400 days.'],
  [
    'no duration of one that is about to begin, even if the clock of the reader is ahead',
    words({ ...row(0, 4), hasBegun: false }),
    'The next reservation begins 1 Mar 12:00 UTC.',
  ],
])('the words say %s', (_, said, expected) => {
  expect(said).toBe(expected);
});

test('of more reservations than are listed, only what is known is said', () => {
  expect(timesWords([row(-3, 5), row(-2, 6)], 9, now)).toBe('At least 2 reservations run.');
  expect(timesWords([row(-3, 5), row(2, 6)], 9, now)).toBe(
    'A reservation runs until 1 Mar 17:00 UTC. The next one begins 1 Mar 14:00 UTC, in 2 h.',
  );
});
