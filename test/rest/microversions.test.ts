import { describe, expect, test } from 'vitest';
import { atVersion, features, has, negotiateVersion } from '../../src/rest/microversions.ts';
import { RestError } from '../../src/rest/rest-error.ts';

describe('the version of a request', () => {
  test.each<[string | readonly string[] | undefined, number]>([
    [undefined, 0],
    ['', 0],
    ['placement 1.0', 0],
    ['placement 1.39', 39],
    ['placement latest', 39],
    ['PLACEMENT   1.7', 7],
    ['compute 2.90', 0],
    ['compute 2.90, placement 1.20', 20],
    ['placement 1.20,placement 1.21,compute 2.1', 21],
    [['placement 1.3', 'compute 2.1'], 3],
    ['placement', 0],
  ])('requested with %j is 1.%i', (header, version) => {
    expect(negotiateVersion(header)).toBe(version);
  });

  test.each([
    ['placement pony.horse', 400, 'Invalid microversion: invalid version string: pony.horse'],
    ['placement 1.2.3', 400, 'Invalid microversion: invalid version string: 1.2.3'],
    ['placement 1', 400, 'Invalid microversion: invalid version string: 1'],
    ['placement 0.5', 406, 'Invalid microversion: Unacceptable version header: 0.5'],
    ['placement 1.40', 406, 'Invalid microversion: Unacceptable version header: 1.40'],
    ['placement 2.0', 406, 'Invalid microversion: Unacceptable version header: 2.0'],
  ])('requested with %j is refused with %i', (header, status, message) => {
    const refused = expect(() => negotiateVersion(header));
    refused.toThrow(RestError);
    refused.toThrow(expect.objectContaining({ status, message, isAboutVersion: status === 406 }));
  });

  test('is refused fast, however many digits it has', () => {
    expect(() => negotiateVersion(`placement 1.${'9'.repeat(1_000_000)}`)).toThrow(RestError);
  });
});

test('every version from 1.0 to 1.39 has exactly one new feature', () => {
  expect(Object.values(features)).toEqual(Array.from({ length: 40 }, (_, minor) => minor));
});

test('a feature exists from its version on', () => {
  expect(has(13, 'trees')).toBe(false);
  expect(has(14, 'trees')).toBe(true);
  expect(has(39, 'trees')).toBe(true);
});

test('a version has the newest variant up to it, or none', () => {
  const things = [
    ['aggregates', 'a'],
    ['aggregateGenerations', 'b'],
  ] as const;
  expect([0, 1, 18, 19, 39].map((version) => atVersion(things, version))).toEqual([undefined, 'a', 'a', 'b', 'b']);
});
