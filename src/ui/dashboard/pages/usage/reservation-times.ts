// When reservations run, and when the next one begins, in a few words.
import { formatCount } from '../../formats/amounts.ts';
import { formatDuration } from '../../formats/moments.ts';
import { dateOf } from './band-model.ts';

interface Timed {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly hasBegun: boolean;
}

/** "A reservation runs until 2 Mar 17:00 UTC. The next one begins 9 Mar 09:00 UTC, in 7 days." Of `count` reservations, the first ones by their beginning. */
export function timesWords(rows: readonly Timed[], count: number, now: number): string {
  const ends = rows.flatMap(({ hasBegun, endsAt }) => (hasBegun ? [endsAt] : []));
  const next = rows.find(({ hasBegun }) => !hasBegun);
  const isKnown = next !== undefined || rows.length === count;
  return [
    ...(ends.length === 0 ? [] : [runningWords(ends, isKnown, now)]),
    ...(next === undefined ? [] : [`The next ${ends.length > 0 ? 'one' : 'reservation'} begins ${beginningWords(next, now)}.`]),
  ].join(' ');
}

/** `isKnown`: all that run are among them. */
function runningWords(ends: readonly string[], isKnown: boolean, now: number): string {
  const inOrder = ends.toSorted((a, b) => Date.parse(a) - Date.parse(b));
  const [first, last] = [dateOf(inOrder[0] ?? '', now), dateOf(inOrder.at(-1) ?? '', now)];
  if (!isKnown) return `At least ${formatCount(ends.length)} reservations run.`;
  if (ends.length === 1) return `A reservation runs until ${first}.`;
  return `${formatCount(ends.length)} reservations run${first === last ? ` until ${first}` : `, the first until ${first}, the last until ${last}`}.`;
}

function beginningWords({ startsAt }: Timed, now: number): string {
  const seconds = Math.floor((Date.parse(startsAt) - now) / 1000);
  return `${dateOf(startsAt, now)}${seconds < 60 ? '' : `, in ${formatDuration(seconds)}`}`;
}
