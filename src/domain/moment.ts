// Moments as numbers that compare. JavaScript's own dates keep milliseconds, Postgres microseconds.

const written = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(Z|[+-]\d\d(?::?\d\d)?)$/;

/** Microseconds since 1970 of a moment as RFC 3339 or Postgres writes it; NaN for anything else. */
export function microsecondsOf(moment: string): number {
  const [, day, time, fraction = '', offset = ''] = written.exec(moment) ?? [];
  const zone = offset.length === 3 ? `${offset}:00` : offset;
  return Date.parse(`${day}T${time}${zone}`) * 1000 + Number(fraction.padEnd(6, '0'));
}

/**
 * Compares moments as Postgres writes them with one: negative before it, positive after it. Thousands are compared at once: those in UTC as
 * text, which sorts as they do ('+' comes before '.' and digits).
 */
export function comparisonWith(moment: string): (written: string) => number {
  const other = microsecondsOf(moment);
  const text = utcText(other);
  return (written) => {
    if (!written.endsWith(utc) || written.length < shortest) return microsecondsOf(written) - other;
    return written < text ? -1 : written > text ? 1 : 0;
  };
}

const utc = '+00';
const shortest = 'yyyy-mm-dd hh:mm:ss+00'.length;

/** As Postgres writes a moment in UTC. */
function utcText(microseconds: number): string {
  const whole = Math.floor(microseconds / 1e6);
  const seconds = new Date(whole * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ');
  const fraction = String(Math.max(microseconds - whole * 1e6, 0))
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${seconds}${fraction && `.${fraction}`}${utc}`;
}
