// Reads that are put to both sides of the bridge, and what this ledger would have chosen.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Read } from '../../src/bridge/answers.ts';
import { Bridge } from '../../src/bridge/bridge.ts';
import { openPlacement } from '../../src/bridge/placement/client.ts';
import { ReadComparison } from '../../src/bridge/reads.ts';
import { insertBridge, selectBridge, selectReads } from '../../src/db/bridge.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { usePairOfPlacements } from '../support/pair-of-placements.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const pair = usePairOfPlacements();
let gateway: Gateway;
let warnings: object[];
const bugs: string[] = [];
const log = { info: () => {}, warn: (details: object) => void warnings.push(details) };

beforeEach(async () => {
  gateway = await startGateway(pair.here, 'jit', (line) => bugs.push(line));
  warnings = [];
});

afterEach(async () => {
  await gateway.close();
  expect(bugs.splice(0)).toEqual([]);
});

const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };

/** Hosts with so many VCPUs on both sides, made in another order. */
async function seedBoth(
  hosts: readonly string[],
  { there = 8, here = there }: { readonly there?: number; readonly here?: number } = {},
): Promise<void> {
  for (const [{ db }, total] of [
    [pair.there, there],
    [pair.here, here],
  ] as const) {
    const seed = createSeed(db);
    for (const host of db === pair.here.db ? hosts : hosts.toReversed()) await seed.provider(host, { inventories: { VCPU: total } });
  }
}

const readOf = (route: string, path: string, query = ''): Read => ({
  ...{ route, path, query, version: '1.39', most: Number.POSITIVE_INFINITY },
  answerHere: async () => {
    const answer = await fetch(`${gateway.url}/placement${path}?${query}`, { headers });
    return answer.status === 404 ? null : answer.json();
  },
});

/** Compares reads while this ledger follows, as far as it knows. */
async function compared(...reads: readonly Read[]) {
  await pair.here.own`insert into bridge (url, mode, compared_at) values (${pair.url}, 'following', now()) on conflict do nothing`;
  const comparison = new ReadComparison({ db: pair.here.db, open: async () => pair.placement, log });
  for (const read of reads) await comparison.compare(read);
  return selectReads(pair.here.db);
}

const inventories = (host: string) => readOf('/resource_providers/{uuid}/inventories', `/resource_providers/${uuidOf(host)}/inventories`);
const search = (query: string) => readOf('/allocation_candidates', '/allocation_candidates', query);

test('what both sides say is counted, with the time that each took', async () => {
  await seedBoth(['host']);
  const [reads] = await compared(inventories('host'), inventories('host'));
  expect(reads).toMatchObject({ route: '/resource_providers/{uuid}/inventories', compared: 2, differing: 0, example: null, choices: 0 });
  expect(reads?.otherTime).toBeGreaterThan(0);
  expect(reads?.ownTime).toBeGreaterThan(0);
  expect(warnings).toEqual([]);
});

test('what stays different when it is asked for again is kept with the request, and the log has it', async () => {
  await seedBoth(['host'], { there: 8, here: 9 });
  const [reads] = await compared(inventories('host'));
  const difference = 'only there: /inventories/VCPU/total 8; only here: /inventories/VCPU/total 9';
  const request = `/resource_providers/${uuidOf('host')}/inventories`;
  expect(reads).toMatchObject({ compared: 1, differing: 1, example: `${request} (1.39): ${difference}` });
  expect(warnings).toEqual([{ request, version: '1.39', difference }]);
});

test('what differs at first because a write is under way does not count', async () => {
  await seedBoth(['host'], { there: 8, here: 9 });
  const read = inventories('host');
  let asked = 0;
  const answerHere = async () => {
    asked += 1;
    if (asked === 2) await pair.here.db.writes`update inventories set total = 8`;
    return read.answerHere();
  };
  expect(await compared({ ...read, answerHere })).toMatchObject([{ compared: 1, differing: 0 }]);
  expect(asked).toBe(2);
});

test.each([
  ['this ledger is behind', `insert into bridge_notes (noun, key, noted_at) values ('trait', 'CUSTOM_T', now() - interval '2 seconds')`],
  ['everything is compared for a switch', 'update bridge set compared_at = null'],
  ['this ledger leads', `update bridge set mode = 'leading'`],
])('what differs while %s does not count', async (_when, change) => {
  await seedBoth(['host'], { there: 8, here: 9 });
  await compared();
  await pair.here.own.unsafe(change);
  expect([await compared(inventories('host')), warnings]).toEqual([[], []]);
});

test('an object that only one side has differs', async () => {
  await createSeed(pair.there.db).provider('host', {});
  const path = `/resource_providers/${uuidOf('host')}`;
  expect(await compared(readOf('/resource_providers/{uuid}', path))).toMatchObject([{ differing: 1 }]);
});

test('candidates are compared as sets, and the first one here is a shadow claim that the other side would have allowed', async () => {
  await seedBoth(['a', 'b', 'c']);
  const reads = await compared(search('resources=VCPU:2&limit=10'));
  expect(reads).toMatchObject([{ compared: 1, differing: 0, choices: 1, fitting: 1, rank: 0 }]);
});

test('of candidates that the limit cuts off, the trees of the first one here are asked for there', async () => {
  // The first one there is another one, because the oldest provider comes first.
  await seedBoth(['a', 'b', 'c']);
  for (const query of ['resources=VCPU:2&limit=1', 'resources_A=VCPU:1&resources_B=VCPU:1&group_policy=none&limit=1']) {
    expect(await compared(search(query))).toMatchObject([{ differing: 0 }]);
  }
  const [reads] = await selectReads(pair.here.db);
  expect(reads).toMatchObject({ compared: 2, choices: 2, fitting: 2 });
  expect(pair.requests.filter((request) => /in_tree(_A)?=/.test(request))).toHaveLength(2);
});

test('whether a first candidate with a sharing provider would be allowed is not known if the limit cuts it off there', async () => {
  for (const [{ db }, hosts] of [
    [pair.here, ['a', 'b']],
    [pair.there, ['b', 'a']],
  ] as const) {
    const seed = createSeed(db);
    for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 8 }, aggregates: ['rack'] });
    await seed.provider('pool', { inventories: { DISK_GB: 100 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack'] });
  }
  expect(await compared(search('resources=VCPU:2,DISK_GB:1&limit=1'))).toMatchObject([{ compared: 1, differing: 0, choices: 0 }]);
});

test('a first candidate that the other side would refuse is a difference', async () => {
  await seedBoth(['a', 'b'], { there: 1, here: 8 });
  await createSeed(pair.there.db).provider('c', { inventories: { VCPU: 2 } });
  const [reads] = await compared(search('resources=VCPU:2&limit=1'));
  expect(reads).toMatchObject({ compared: 1, differing: 1, choices: 1, fitting: 0 });
  expect(reads?.example).toContain('its first candidate here is not offered there');
});

test('a gateway in front compares a share of the reads that it passes on, of each kind', async () => {
  await createSeed(pair.there.db).provider('host', { inventories: { VCPU: 8 } });
  const { db } = pair.here;
  await insertBridge(db, pair.url);
  const state = await selectBridge(db);
  if (state === null) throw new Error('there is no bridge');
  const open = () => openPlacement({ url: pair.url, token: async () => 'admin', concurrency: 4, outlivesFailures: true });
  const bridge = new Bridge({ db, log, open }, state);
  bridge.start();
  const front = await startGateway(pair.here, 'jit', (line) => bugs.push(line), { bridge });
  const get = (path: string) => fetch(`${front.url}/placement${path}`, { headers });
  try {
    await expect.poll(async () => (await selectBridge(db))?.comparedAt).toBeTypeOf('string');
    // The pause after a comparison is a hundred times as long: none in a time that stands still.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const paths = ['/traits', '/', '/resource_providers', '/allocation_candidates?resources=VCPU:1&limit=9'];
    await expect
      .poll(
        async () => {
          for (const path of paths) expect((await get(path)).status).toBe(200);
          return (await selectReads(db)).map(({ route }) => route);
        },
        { timeout: 60_000 },
      )
      .toEqual(['/allocation_candidates', '/resource_providers']);
    expect((await selectReads(db)).map(({ differing }) => differing)).toEqual([0, 0]);
    expect(warnings).toEqual([]);
    const err = new Error('not of this API');
    bridge.offerRead(() => {
      throw err;
    });
    expect(warnings).toEqual([{ err }]);
  } finally {
    vi.restoreAllMocks();
    await bridge.close();
    await front.close();
  }
});
