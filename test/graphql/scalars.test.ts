import { parseValue } from 'graphql';
import { describe, expect, test } from 'vitest';
import { dateTimeScalar, safeIntScalar, trueScalar, uuidScalar } from '../../src/graphql/scalars.ts';

const canonical = 'd0000000-0000-4000-8000-00000000000a';

describe('UUID', () => {
  test.each([canonical, canonical.toUpperCase(), canonical.replaceAll('-', ''), 'D000000000004000800000000000000A'])(
    'reads %s as its canonical spelling, in a variable and in a literal',
    (text) => {
      expect(uuidScalar.parseValue(text)).toBe(canonical);
      expect(uuidScalar.parseLiteral(parseValue(JSON.stringify(text)), {})).toBe(canonical);
      expect(uuidScalar.serialize(text)).toBe(canonical);
    },
  );

  test.each([
    `urn:uuid:${canonical}`,
    `{${canonical}}`,
    ` ${canonical}`,
    `${canonical}0`,
    canonical.slice(1),
    canonical.replace('d', 'g'),
    canonical.replace('-', ''),
    `${canonical.slice(0, -1)}\u200b`,
    '',
    5,
    null,
  ])('refuses %j', (value) => {
    expect(() => uuidScalar.parseValue(value)).toThrow('UUID must be 32 hexadecimal digits');
  });

  test('refuses literals that are not strings', () => {
    expect(() => uuidScalar.parseLiteral(parseValue('5'), {})).toThrow('UUID must be');
  });
});

describe('DateTime', () => {
  test.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T23:30:00-02:00', '2026-02-01T01:30:00Z'],
    ['2026-01-31T12:00:00.5+05:30', '2026-01-31T06:30:00.5Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123456Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ])('reads %s as %s', (text, utc) => {
    expect(dateTimeScalar.parseValue(text)).toBe(utc);
    expect(dateTimeScalar.parseLiteral(parseValue(JSON.stringify(text)), {})).toBe(utc);
  });

  test.each([
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-02-30T12:00:00Z',
    '2025-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '2026-01-31T12:00:00+25:00',
    'now',
    1_700_000_000,
    null,
  ])('refuses %j', (value) => {
    expect(() => dateTimeScalar.parseValue(value)).toThrow('DateTime must be a moment as in RFC 3339');
  });

  test.each([
    [new Date('2026-01-31T12:00:00.5Z'), '2026-01-31T12:00:00.500Z'],
    ['2026-01-31 12:00:00.123456+00', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31 12:00:00+00', '2026-01-31T12:00:00Z'],
    ['2026-01-31 17:30:00+05:30', '2026-01-31T12:00:00Z'],
    ['2026-01-31 10:00:00-02', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
  ])('writes %j as %s', (value, utc) => {
    expect(dateTimeScalar.serialize(value)).toBe(utc);
  });

  test('writes only moments', () => {
    for (const value of ['infinity', '', 5, new Date(Number.NaN)]) expect(() => dateTimeScalar.serialize(value)).toThrow();
  });
});

describe('SafeInt', () => {
  test.each([0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])('reads and writes %d', (value) => {
    expect(safeIntScalar.parseValue(value)).toBe(value);
    expect(safeIntScalar.parseLiteral(parseValue(String(value)), {})).toBe(value);
    expect(safeIntScalar.serialize(value)).toBe(value);
    expect(safeIntScalar.serialize(String(value))).toBe(value);
  });

  test.each([1.5, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN, '5', true, null, [1], {}])('refuses %j', (value) => {
    expect(() => safeIntScalar.parseValue(value)).toThrow('SafeInt must be a whole number');
  });

  test.each(['9007199254740992', '9007199254740993', '1.0', '1e3', '"5"', 'true'])('refuses the literal %s', (literal) => {
    expect(() => safeIntScalar.parseLiteral(parseValue(literal), {})).toThrow('SafeInt must be a whole number');
  });

  test('writes no number that JSON would round', () => {
    expect(() => safeIntScalar.serialize('9007199254740993')).toThrow();
  });
});

test('True accepts only true', () => {
  expect(trueScalar.parseValue(true)).toBe(true);
  expect(trueScalar.parseLiteral(parseValue('true'), {})).toBe(true);
  for (const value of [false, 1, 'true', null]) expect(() => trueScalar.parseValue(value)).toThrow('True can only be true');
  for (const literal of ['false', '1', '"true"'])
    expect(() => trueScalar.parseLiteral(parseValue(literal), {})).toThrow('True can only be true');
});
