// Compares timestamps with the microseconds of Postgres, which JavaScript's own dates truncate to milliseconds.

const written = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(Z|[+-]\d\d(?::?\d\d)?)$/;

/** Microseconds since 1970 of a moment as RFC 3339 or Postgres writes it; NaN for anything else. */
export function microsecondsOf(moment: string): number {
  const [, day, time, fraction = '', offset = ''] = written.exec(moment) ?? [];
  const zone = offset.length === 3 ? `${offset}:00` : offset;
  return Date.parse(`${day}T${time}${zone}`) * 1000 + Number(fraction.padEnd(6, '0'));
}

/**
 * A function that compares a timestamp as Postgres writes it with this one: negative before, positive after. Called for thousands of rows,
 * so UTC is compared as text, which sorts in the same order ('+' comes before '.' and digits).
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

/** A timestamp in UTC as Postgres writes it. */
function utcText(microseconds: number): string {
  const whole = Math.floor(microseconds / 1e6);
  const seconds = new Date(whole * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ');
  const fraction = String(Math.max(microseconds - whole * 1e6, 0))
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${seconds}${fraction && `.${fraction}`}${utc}`;
}
