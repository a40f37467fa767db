// What an undo of a trait is called.
import { expect, test } from 'vitest';
import { traitWords } from '../../../../src/ui/dashboard/actions/trait-draft.ts';

test.each([
  ['COMPUTE_STATUS_DISABLED', false, '24 hosts disabled'],
  ['COMPUTE_STATUS_DISABLED', true, '24 hosts enabled'],
  ['CUSTOM_SSD', false, 'CUSTOM_SSD set on 24 hosts'],
  ['CUSTOM_SSD', true, 'CUSTOM_SSD removed from 24 hosts'],
])('a write of %s, taken away: %s, is called "%s"', (trait, isTaken, words) => {
  expect(traitWords({ trait, isTaken }, '24 hosts')).toBe(words);
});
