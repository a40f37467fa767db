// What `events prune` drops and prints, and what `status` reports about the ledger.
import { beforeAll, expect, test } from 'vitest';
import { runPruneEvents, sizeOf } from '../../src/commands/prune-events.ts';
import { runStatus } from '../../src/commands/status.ts';
import { ageEvents } from '../support/chunks.ts';
import { useDatabase } from '../support/database.ts';
import { createSeed } from '../support/seed.ts';

const database = useDatabase();

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await ageEvents(database, 50);
  await seed.claim('a', { cn1: { VCPU: 1 } });
  await ageEvents(database, 20);
  await seed.claim('b', { cn1: { VCPU: 1 } });
  await database.own`analyze events`;
});

async function prune(olderThanDays: number, dryRun: boolean): Promise<string> {
  const lines: string[] = [];
  await runPruneEvents(database.db, { olderThanDays, dryRun }, (line) => lines.push(line));
  return lines.join('\n');
}

async function status(eventRetentionDays: number | null): Promise<string> {
  const lines: string[] = [];
  await runStatus(database.db, (line) => lines.push(line), { eventRetentionDays });
  return lines.join('\n');
}

const countEvents = async () => (await database.db.sql<{ count: number }[]>`select count(*)::int as count from events`)[0]?.count;

test('the size of chunks is told in MiB', () => {
  const chunk = { number: 1, begunAt: '', endedAt: null, endedDaysAgo: null, events: null };
  expect(sizeOf([8, 16].map((mebibytes) => ({ ...chunk, bytes: mebibytes * 2 ** 20 })))).toBe('24.0 MiB');
});

test('status reports the chunks of the ledger, when it was pruned, the depth of the feed, and that events are overdue', async () => {
  const told = await status(30);
  expect(told.match(/^events of /gm)).toHaveLength(3);
  expect(told).toMatch(/^events in all: [\d.]+ MiB; last pruned: never$/m);
  expect(told).toMatch(/^change feed: \d+ changes of providers, of the last \d+ transactions$/m);
  expect(told).toMatch(/^oldest transaction: /m);
  expect(told).toContain('problem: the oldest events should have been dropped 40 days ago');
  expect(await status(null)).not.toContain('problem: the oldest events');
});

test('a dry run says what would be dropped, and drops nothing', async () => {
  const told = await prune(60, true);
  expect(told).toMatch(/^would drop: events of [\d-]+T[\d:]+ to [\d-]+T[\d:]+: about 2, \d+\.\d MiB$/m);
  expect(told.match(/^kept: /gm)).toHaveLength(2);
  expect(told).toMatch(/^would free: \d+\.\d MiB$/m);
  expect(await countEvents()).toBe(4);
});

test('chunks with only older events are dropped, and the output says why the others are kept', async () => {
  expect(await prune(60, false)).toMatch(/^dropped: events of .*\nkept: .*\nkept: .* to now: .*\nfreed: \d+\.\d MiB$/);
  expect(await countEvents()).toBe(2);
  expect(await prune(60, false)).toContain('no chunk has only events older than 60 days');
  expect(await status(30)).toMatch(/last pruned: 20/);
});

test('a reader that never pauses is reported, and nothing is dropped', async () => {
  await database.own.begin(async (reader) => {
    await reader`select count(*) from events`;
    await expect(prune(10, false)).rejects.toThrow('the events are always in use');
  });
  expect(await countEvents()).toBe(2);
  expect(await prune(10, false)).toContain('dropped: ');
  expect(await countEvents()).toBe(1);
});
