// The text format: what Prometheus reads, for counters, histograms and gauges, also of several processes.
import { expect, test } from 'vitest';
import { Counter, Histogram } from '../../src/measures/instruments.ts';
import { joinGauges, renderGauge, renderMeasured } from '../../src/metrics/text.ts';

test('a counter has a line for each combination of labels', () => {
  const counter = new Counter('things_total', 'Things.', ['kind', 'colour']);
  counter.add(3, 'a', 'red');
  expect(renderMeasured(counter.read())).toBe(
    '# HELP things_total Things.\n# TYPE things_total counter\nthings_total{kind="a",colour="red"} 3\n',
  );
});

test('the buckets of a histogram are cumulative', () => {
  const histogram = new Histogram('seconds', 'Time.', [0.5, 1]);
  for (const value of [0.1, 0.7, 3]) histogram.observe(value);
  expect(renderMeasured(histogram.read()).split('\n').slice(2, -1)).toEqual([
    'seconds_bucket{le="0.5"} 1',
    'seconds_bucket{le="1"} 2',
    'seconds_bucket{le="+Inf"} 3',
    'seconds_sum 3.8',
    'seconds_count 3',
  ]);
});

test('special characters in names are escaped', () => {
  const gauge = { name: 'size', help: 'a\\b', of: 'all', samples: [{ labels: { host: 'a"b\\c\nd' }, value: 1 }] } as const;
  expect(renderGauge(gauge)).toBe('# HELP size a\\\\b\n# TYPE size gauge\nsize{host="a\\"b\\\\c\\nd"} 1\n');
});

test('gauges of several processes are added up, or the worst one counts', () => {
  const sample = (value: number, kind = 'a') => ({ labels: { kind }, value });
  const gauges = (all: number, worst: number) => [
    { name: 'sum', help: '', of: 'all', samples: [sample(all), sample(all, 'b')] } as const,
    { name: 'worst', help: '', of: 'worst', samples: [sample(worst)] } as const,
  ];
  const [sum, worst] = joinGauges([gauges(1, 5), gauges(2, 3)]);
  expect(sum?.samples).toEqual([sample(3), sample(3, 'b')]);
  expect(worst?.samples).toEqual([sample(5)]);
});
