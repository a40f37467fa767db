// What browsers say of a file that they could not load.
import { expect, test } from 'vitest';
import { unloadedAddress } from '../../../../src/ui/dashboard/shell/chunk-failure.ts';

const own = 'http://gateway:8778/assets/shared-1.js';

test.each([
  [
    'Chromium',
    'Failed to fetch dynamically imported module: http://gateway:8778/assets/hosts-1.js',
    'http://gateway:8778/assets/hosts-1.js',
  ],
  ['Firefox', 'error loading dynamically imported module: https://gateway/assets/hosts-1.js', 'https://gateway/assets/hosts-1.js'],
  ['Vite, of styles', 'Unable to preload CSS for /assets/hosts-1.css', '/assets/hosts-1.css'],
  ['Safari, without an address', 'Importing a module script failed.', own],
])('the address of what could not be loaded is known in the words of %s', (_browser, message, address) => {
  expect(unloadedAddress(new TypeError(message), own)).toBe(address);
});

test('a page that fails while it starts was loaded', () => {
  expect(unloadedAddress(new TypeError("undefined is not a function, at 'https://gateway/assets/hosts-1.js'"), own)).toBeNull();
  expect(unloadedAddress('no error', own)).toBeNull();
});
