// How names that others chose are shown and saved.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileName, visible, withoutHead } from '../../../../src/ui/dashboard/formats/names.ts';
import { anyCharacter } from '../../../support/any-character.ts';

test('characters that could hide or reorder text are escaped', () => {
  expect(visible('az1-rack01')).toBe('az1-rack01');
  expect(visible('a\u202etxt.exe')).toBe('a\\u{202e}txt.exe');
  expect(visible('a\u0000b\nc\u2028d\ud800e\u200bf')).toBe('a\\u{0000}b\\u{000a}c\\u{2028}d\\u{d800}e\\u{200b}f');
  expect(visible('Räck 😀 <script>')).toBe('Räck 😀 <script>');
});

test('names of files contain nothing that a shell or a file system minds', () => {
  expect(fileName('az1-rack09-node001', 'csv')).toBe('az1-rack09-node001.csv');
  expect(fileName('../../etc/passwd', 'svg')).toBe('etc_passwd.svg');
  expect(fileName('\u202e', 'dot')).toBe('placement.dot');
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(fileName(text, 'csv')).toMatch(/^\w[\w.-]{0,99}\.csv$/);
    }),
  );
});

test.each([
  ['az1-rack07', ['…1-rack07', '…rack07', '…07']],
  ['rack07', ['…07']],
  ['rack7', []],
  ['node', ['…ode', '…de']],
  ['10.0.0.12', ['…0.0.12', '…0.12', '…12']],
])('%s loses parts of its head, and never leaves a single character', (name, shorter) => {
  expect(withoutHead(name)).toEqual(shorter);
});
