// The last release alone, beside the next, the next alone, and all the way back, on one database under load: no request fails, no key is forgotten, no event
// is missed or told twice, and the ledger is sound.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDatabaseVersion } from '../../src/db/schema/database-version.ts';
import { type FailingWire, layFailingWire } from '../support/failing-wire.ts';
import { createSeed } from '../support/seed.ts';
import { bootInstances, claimAndRelease, followEvents, type Kept, Notes, pollFeed, readPages, repeat, reportHosts } from './clients.ts';
import { createDatabaseLike, type ReleaseDatabase } from './databases.ts';
import { Fleet, Member, runCommand } from './fleet.ts';

let database: ReleaseDatabase;
let wire: FailingWire;
let url: string;
beforeAll(async () => {
  database = await createDatabaseLike('template0');
  wire = await layFailingWire(database.target);
  if (!('url' in wire.target)) throw new Error('a wire has an address');
  url = wire.target.url;
});
afterAll(async () => {
  await wire.close();
  await database.drop();
});

/** The least seconds with the same gateways, and the least replays meanwhile. */
const span = 3;
const replaysInSpan = 20;

test('from one release to the next and back', async () => {
  const fleet = new Fleet(url);
  const notes = new Notes();
  const kept: Kept[] = [];
  const phases: Record<string, number> = {};
  const work: Promise<unknown>[] = [];
  let isComplete = false;
  /** Lets the clients work, then sends all keys of earlier phases again to each gateway. */
  const live = async (name: string) => {
    const before = kept.length;
    const asked = () => [...notes.counts.values()].reduce((sum, count) => sum + count, 0);
    const start = asked();
    const replays = () => notes.counts.get('replays') ?? 0;
    const enough = replays() + replaysInSpan;
    await sleep(span * 1000);
    await expect.poll(replays, { timeout: 60_000 }).toBeGreaterThan(enough);
    for (const one of kept.slice(0, before)) for (const member of fleet.members) await repeat(fleet, notes, one, member);
    phases[name] = asked() - start;
  };
  await fleet.join('last');
  await fleet.join('last');
  const seed = createSeed(database.db);
  for (let host = 0; host < 40; host++) await seed.provider(`cn${host}`, { inventories: { VCPU: 10_000, MEMORY_MB: 1_000_000 } });
  const start = await fleet.next.ask('POST', '/graphql', { query: '{ eventFeed(first: 1000) { nodes { id } pageInfo { endCursor } } }' });
  const { nodes, pageInfo } = (start.body as { data: { eventFeed: { nodes: { id: string }[]; pageInfo: { endCursor: string } } } }).data
    .eventFeed;
  const seeded = nodes.map(({ id }) => id);
  const clients = [bootInstances, bootInstances, reportHosts, readPages].map((client) => client(fleet, notes));
  work.push(...clients, claimAndRelease(fleet, notes, kept), claimAndRelease(fleet, notes, kept));
  const fed = pollFeed(fleet, notes, () => isComplete);
  const byStream: string[] = [];
  const followed = followEvents(fleet, notes, pageInfo.endCursor, byStream, () => isComplete);

  await live('last alone');
  await fleet.join('next');
  await fleet.leave();
  await live('last and next');
  await fleet.join('next');
  await fleet.leave();
  await live('next alone');
  await fleet.join('last');
  await fleet.leave();
  await live('next and last');
  await fleet.join('last');
  const beside = fleet.members.find(({ build }) => build === 'last');
  await fleet.leave();
  await live('last alone again');

  notes.stopped = true;
  await Promise.all(work);
  const [{ events } = { events: 0 }] = await database.db.sql<{ events: number }[]>`select count(*)::int as events from events`;
  await expect.poll(() => seeded.length + byStream.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(events);
  isComplete = true;
  const [byFeed] = await Promise.all([fed, followed]);
  const counts = Object.fromEntries([...notes.counts].sort());
  process.stdout.write(`${JSON.stringify({ phases, counts, unavailable: notes.unavailable, keys: kept.length })}\n`);
  expect(notes.failures.slice(0, 5)).toEqual([]);
  expect(beside?.said).toContain('newer than this release');
  for (const build of ['last', 'next'] as const) {
    const { code, said } = await runCommand(build, ['audit'], url);
    expect([build, code, code === 0 ? '' : said]).toEqual([build, 0, '']);
  }
  expect([new Set(byFeed).size, byFeed.length]).toEqual([events, events]);
  expect([new Set([...seeded, ...byStream]).size, seeded.length + byStream.length]).toEqual([events, events]);
  await fleet.stop();
});

test('a gateway that the database no longer serves is not ready and ends with what to do; one that starts then does not begin', async () => {
  const member = new Member('last', url);
  await member.isReady();
  const version = (await readDatabaseVersion(database.db.sql))?.version ?? 0;
  await database.db.sql`insert into schema_versions (version, digest, oldest_served, functions)
    select version + 1, 'too new', version + 1, functions from schema_versions where version = ${version}`;
  await expect.poll(async () => (await member.ask('GET', '/readyz')).status).toBe(503);
  expect(await member.ended()).toBe(1);
  expect(member.said).toContain('run the release that migrated it');
  const { code, said } = await runCommand('last', ['serve', '--port', '0'], url);
  expect([code, said]).toEqual([1, expect.stringContaining('too new for this release')]);
});
