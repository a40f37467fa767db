// The undos that are kept after their dialogs are closed.
import { expect, test } from 'vitest';
import { type KeptUndo, withUndo } from '../../../../src/ui/dashboard/actions/undos.ts';

test('the undos of the last three writes are kept, the latest first, each told from the others by its key', () => {
  const run = async () => ({ refusals: [], done: null });
  const kept = ['a', 'b', 'a', 'c'].reduce<readonly KeptUndo[]>((undos, what) => withUndo(undos, { what, run }), []);
  expect(kept.map(({ what }) => what)).toEqual(['c', 'a', 'b']);
  expect(new Set(kept.map(({ key }) => key)).size).toBe(3);
});
