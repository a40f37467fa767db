// Moments as numbers that compare. JavaScript's own dates keep milliseconds, Postgres microseconds.

const written = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(Z|[+-]\d\d(?::?\d\d)?)$/;

/** Microseconds since 1970 of a moment as RFC 3339 or Postgres writes it; NaN for anything else. */
export function microsecondsOf(moment: string): number {
  const [, day, time, fraction = '', offset = ''] = written.exec(moment) ?? [];
  const zone = offset.length === 3 ? `${offset}:00` : offset;
  return Date.parse(`${day}T${time}${zone}`) * 1000 + Number(fraction.padEnd(6, '0'));
}
