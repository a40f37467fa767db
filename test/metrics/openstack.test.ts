// The metrics of a large cloud are made in parts, out of what was there when they were asked for.
import { expect, test } from 'vitest';
import { renderOpenstack, statesOf } from '../../src/metrics/openstack.ts';
import { forestOf } from '../support/tree.ts';

test('hosts are written a hundred at a time, and each value is once in the text', () => {
  const hosts = 1050;
  const forest = forestOf(Array.from({ length: hosts }, (_, index) => `host${index} VCPU 8 used 2, MEMORY_MB 1024`).join('\n'));
  const work = renderOpenstack(statesOf(forest));
  let pauses = 0;
  for (;;) {
    const { done, value } = work.next();
    if (!done) {
      pauses += 1;
      continue;
    }
    const lines = Buffer.concat(value).toString().split('\n');
    const ofMetric = lines.filter((line) => line.startsWith('openstack_placement_resource_usage{'));
    expect(ofMetric).toHaveLength(2 * hosts);
    expect(new Set(ofMetric).size).toBe(2 * hosts);
    // All lines of a metric are together, as the format demands.
    const places = lines.flatMap((line, place) => (line.startsWith('openstack_placement_resource_usage{') ? [place] : []));
    expect((places.at(-1) ?? 0) - (places[0] ?? 0)).toBe(2 * hosts - 1);
    break;
  }
  expect(pauses).toBe(Math.ceil(hosts / 100));
});
