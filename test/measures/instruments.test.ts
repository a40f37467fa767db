// Counters and histograms, their snapshots and the sums of several.
import { expect, test } from 'vitest';
import { addUp, Counter, Histogram } from '../../src/measures/instruments.ts';

test('a counter counts by its labels', () => {
  const counter = new Counter('things_total', 'Things.', ['kind', 'colour']);
  counter.add(1, 'a', 'red');
  counter.add(2, 'a', 'red');
  counter.add(1, 'b', 'red');
  expect(counter.read().values).toEqual([
    ['a\u0001red', [3]],
    ['b\u0001red', [1]],
  ]);
});

test('a histogram counts a value in the first bucket that it is not beyond, and sums up', () => {
  const histogram = new Histogram('seconds', 'Time.', [1, 2]);
  for (const value of [0.5, 1, 1.5, 5]) histogram.observe(value);
  expect(histogram.read().values).toEqual([['', [2, 1, 1, 8]]]);
});

test('labels of which there are too many are counted as one', () => {
  const counter = new Counter('things_total', 'Things.', ['name']);
  for (let index = 0; index < 3000; index++) counter.add(1, `name${index}`);
  const { values } = counter.read();
  expect(values.length).toBeLessThanOrEqual(1001);
  expect(new Map(values).get('other')).toEqual([2000]);
});

test('snapshots of several processes are added up by name and labels', () => {
  const [one, other] = [new Histogram('seconds', 'Time.', [1], ['kind']), new Histogram('seconds', 'Time.', [1], ['kind'])];
  one.observe(0.5, 'a');
  other.observe(2, 'a');
  other.observe(2, 'b');
  const [sum] = addUp([[one.read()], [other.read()]]);
  expect(sum?.values).toEqual([
    ['a', [1, 1, 2.5]],
    ['b', [0, 1, 2]],
  ]);
});
