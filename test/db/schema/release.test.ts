// What a release brings for the database.
import { expect, test } from 'vitest';
import { readRelease } from '../../../src/db/schema/release.ts';
import { readSourceFiles, withoutComments } from '../../support/source-files.ts';

test('every function that a statement calls is one that gateways may call beside another release', () => {
  const { functions, entries } = readRelease();
  const code = readSourceFiles().flatMap((file) => (/^src\/.*\.ts$/.test(file.path) ? [withoutComments(file)] : []));
  const names = [...functions.statements.matchAll(/create or replace function (\w+_\w+)/g)].map(([, name = '']) => name);
  const called = names.filter((name) => code.some((text) => new RegExp(`\\b${name}\\(`).test(text)));
  expect(called).toContain('apply_write');
  expect(called.filter((name) => !entries.some(({ signature }) => signature.startsWith(`${name}(`)))).toEqual([]);
});
