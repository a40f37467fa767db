// The bar of a long phase: on a terminal only, and removed at the end.
import { expect, test } from 'vitest';
import { openProgress } from '../../../src/commands/phases/progress.ts';

function shown(isTTY: boolean): string[] {
  const written: string[] = [];
  const progress = openProgress({ isTTY, write: (text: string) => void written.push(text) });
  for (let done = 0; done <= 1000; done++) progress.at('import', done, 1000);
  progress.clear();
  progress.clear();
  return written;
}

test('on a terminal it is redrawn in place, at intervals, to the end, and removed once', () => {
  const written = shown(true);
  expect(written[0]).toMatch(/^\rimport \[-{30}\] 0 % 0\/1000/);
  expect(written.at(-2)).toMatch(/^\rimport \[#{30}\] 100 % 1000\/1000/);
  expect(written.at(-1)).toBe('\r\x1b[K');
  expect(written.length).toBeLessThan(100);
});

test('elsewhere nothing is written', () => {
  expect(shown(false)).toEqual([]);
});
