// What a release must keep of the database of the release before, whose gateways go on working beside it.
import { expect, test } from 'vitest';
import { readRelease } from '../../src/db/schema/release.ts';
import { databaseOf, upgradeFaults } from '../../tools/release-of-database.ts';
import { nextRelease } from '../support/next-release.ts';

const release = readRelease();
const released = databaseOf(release);

test('a release that adds columns and changes functions inside can follow', () => {
  expect(upgradeFaults(nextRelease(), released)).toEqual([]);
});

test('before the first release anything can change', () => {
  expect(upgradeFaults(nextRelease({ statements: 'DROP TABLE "events";' }), null)).toEqual([]);
});

test('a migration after the last release must leave its gateways what they use', () => {
  expect(upgradeFaults(nextRelease({ statements: 'DROP TABLE "events";' }), released)).toEqual([
    expect.stringMatching(/^drizzle\/9999_later.sql: DROP TABLE "events".* removes what gateways/),
  ]);
});

test('a released migration stays', () => {
  expect(upgradeFaults({ ...release, migrations: release.migrations.slice(1) }, released)).toEqual([
    'drizzle/0000_ledger.sql was released and is gone',
  ]);
});

test('the functions that gateways call keep their signatures and results', () => {
  const entries = release.entries.map((entry) => ({
    ...entry,
    statements: entry.statements.replace(
      'function apply_write(operation text, request jsonb)',
      'function apply_write(request jsonb, operation text)',
    ),
  }));
  expect(upgradeFaults({ ...release, entries }, released)).toEqual([
    expect.stringContaining('gateways of the last release call apply_write(operation text, request jsonb) returns jsonb'),
  ]);
});

test('gateways of the last release are served', () => {
  expect(upgradeFaults(nextRelease({ oldestServed: release.version + 1 }), released)).toEqual([
    expect.stringContaining('oldestServed must be at most'),
  ]);
});
