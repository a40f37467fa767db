// Lines of progress where there is no terminal.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countTo } from '../../../src/commands/import/progress.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a long phase says every two seconds how far it is and how long the rest takes, and a short one says nothing', () => {
  const lines: string[] = [];
  const run = { report: (line: string) => void lines.push(line), progress: { isVisible: false, at: () => {}, clear: () => {} } };
  const step = countTo(1200, 'providers', run);
  for (let n = 0; n < 4; n++) {
    vi.advanceTimersByTime(1000);
    step();
  }
  expect(lines).toEqual(['providers 2/1200, 20 min left', 'providers 4/1200, 20 min left']);
  const short = countTo(3, 'names', run);
  for (let n = 0; n < 3; n++) short();
  expect(lines).toHaveLength(2);
});
