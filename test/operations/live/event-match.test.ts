// Filters of events in memory. test/operations/live/event-stream.test.ts compares them with those in SQL.
import { expect, test } from 'vitest';
import type { FedEvent } from '../../../src/db/feed/events.ts';
import { compileFilter } from '../../../src/operations/live/event-match.ts';

test('a period includes its first moment, and ends before its last', () => {
  const isWithin = compileFilter({ since: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-01-01T00:00:01Z') }, null);
  const moments = ['2025-12-31 23:59:59.999999+00', '2026-01-01 00:00:00+00', '2026-01-01 00:00:00.999999+00', '2026-01-01 00:00:01+00'];
  expect(moments.map((at) => isWithin({ at } as FedEvent))).toEqual([false, true, true, false]);
});
