// The bar of a long phase: on a terminal only, and removed at the end.
import { expect, test, vi } from 'vitest';
import { openProgress, timeLeft } from '../../../src/commands/phases/progress.ts';

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

test.each([
  [0, 100, 60_000, ''],
  [50, 100, 1999, ''],
  [100, 100, 60_000, ''],
  [50, 100, 2000, ', less than a minute left'],
  [1, 13, 60_000, ', 12 min left'],
  [1, 61, 60_000, ', 1 h 0 min left'],
  [1, 126, 60_000, ', 2 h 5 min left'],
])('after %i of %i steps in %i ms it says of the rest: "%s"', (done, total, elapsed, left) => {
  expect(timeLeft(done, total, elapsed)).toBe(left);
});

test('the time left is that of the present phase, and follows its rate', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const written: string[] = [];
    const progress = openProgress({ isTTY: true, write: (text: string) => void written.push(text) });
    progress.at('first', 0, 100);
    vi.advanceTimersByTime(3_600_000);
    progress.at('second', 1, 100);
    vi.advanceTimersByTime(120_000);
    progress.at('second', 60, 100);
    expect(written.at(-2)).not.toContain('left');
    expect(written.at(-1)).toMatch(/60 % 60\/100, 2 min left/);
  } finally {
    vi.useRealTimers();
  }
});
