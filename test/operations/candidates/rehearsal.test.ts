// The rehearsal of searches: it finds what it expects, or throws, and lets others do their work meanwhile.
import { expect, test } from 'vitest';
import { rehearseSearches } from '../../../src/operations/candidates/rehearsal.ts';

test('the cloud of the rehearsal is searched, with turns for other work', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await rehearseSearches();
  isOver = true;
  expect(turns).toBeGreaterThan(100);
});
