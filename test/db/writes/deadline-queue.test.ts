// A queue answers those who have waited too long, and nobody else.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeadlineQueue } from '../../../src/db/writes/deadline-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function newQueue() {
  const expired: string[] = [];
  return { queue: new DeadlineQueue<string>((item) => expired.push(item)), expired };
}

test('an item expires at its deadline, whatever was pushed before or after it', () => {
  const { queue, expired } = newQueue();
  const now = performance.now();
  queue.push('late', now + 300);
  queue.push('early', now + 100);
  queue.push('middle', now + 200);
  vi.advanceTimersByTime(101);
  expect(expired).toEqual(['early']);
  vi.advanceTimersByTime(100);
  expect(expired).toEqual(['early', 'middle']);
  expect(queue.size).toBe(1);
  vi.advanceTimersByTime(100);
  expect(expired).toEqual(['early', 'middle', 'late']);
  expect(queue.size).toBe(0);
});

test('what was taken in time does not expire', () => {
  const { queue, expired } = newQueue();
  queue.push('first', performance.now() + 100);
  queue.push('second', performance.now() + 100);
  expect(queue.shift()).toBe('first');
  expect(queue.take(() => true)).toEqual(['second']);
  vi.advanceTimersByTime(1000);
  expect(expired).toEqual([]);
});

test('accepted items are taken in order, up to a stop; the rest stays in order', () => {
  const { queue } = newQueue();
  for (const item of ['a', 'b', 'c', 'd', 'e']) queue.push(item, performance.now() + 100);
  expect(queue.take((item) => (item === 'd' ? 'stop' : item !== 'b'))).toEqual(['a', 'c']);
  expect(queue.take(() => true)).toEqual(['b', 'd', 'e']);
});
