// Formats moments: how long ago they were, with the exact moment beside it.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const spans: readonly (readonly [upTo: number, unit: number, name: string])[] = [
  [minute, second, 's'],
  [hour, minute, 'min'],
  [day, hour, 'h'],
  [2 * day, day, 'day'],
  [30 * day, day, 'days'],
];

/** "3 min ago"; after a month the date. A clock that is ahead of the server's says "now". */
export function formatAgo(moment: string, now: number): string {
  const age = now - Date.parse(moment);
  if (Number.isNaN(age)) return moment;
  if (age < 5 * second) return 'now';
  const span = spans.find(([upTo]) => age < upTo);
  return span ? `${Math.floor(age / span[1])} ${span[2]} ago` : moment.slice(0, 10);
}

/** "0.3 s", "40 s", "3 min". */
export function formatDuration(seconds: number): string {
  const [, unit, name] = spans.find(([upTo]) => seconds * second < upTo) ?? [0, day, 'days'];
  return `${seconds < 10 ? seconds.toFixed(1) : Math.floor((seconds * second) / unit)} ${name}`;
}

/** "2026-11-21 12:03:11 UTC". */
export function exactMoment(moment: string): string {
  const at = Date.parse(moment);
  return Number.isNaN(at) ? moment : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
