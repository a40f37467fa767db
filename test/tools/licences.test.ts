// Which licences a package may be under that is installed with the gateway.
import { expect, test } from 'vitest';
import { isPermissive } from '../../tools/licences.ts';

test.each(['MIT', 'Apache-2.0', '(MIT AND BSD-3-Clause)', 'MPL-2.0 OR Apache-2.0', '(GPL-3.0-only OR MIT)'])(
  '%s asks for no more than a notice',
  (licence) => {
    expect(isPermissive(licence)).toBe(true);
  },
);

test.each([
  ['GPL-3.0-only', 'copyleft'],
  ['MPL-2.0', 'copyleft of files'],
  ['MIT AND LGPL-3.0-or-later', 'both at once'],
  ['unknown', 'not said'],
  ['SEE LICENSE IN LICENSE.txt', 'home-made'],
  ['UNLICENSED', 'none'],
  ['', 'empty'],
  ['(MIT OR (GPL-2.0-only AND MIT))', 'nested'],
])('%s is refused: %s', (licence) => {
  expect(isPermissive(licence)).toBe(false);
});
