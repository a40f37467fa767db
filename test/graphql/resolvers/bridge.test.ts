// The state of the bridge as operators read it: beside a gateway that follows another one and then leads it, and of what was noted.
import { afterEach, expect, test } from 'vitest';
import { Bridge } from '../../../src/bridge/bridge.ts';
import { switchBridge } from '../../../src/bridge/switching.ts';
import { insertBridge, insertRead, selectBridge } from '../../../src/db/bridge.ts';
import { query } from '../../support/graphql.ts';
import { usePairOfPlacements } from '../../support/pair-of-placements.ts';
import { refusalOf, useCallers } from '../../support/personas.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const pair = usePairOfPlacements();
const ask = useCallers(() => pair.here);

const text = `{ bridge {
  url mode comparedAt pendingCount lagSeconds differenceCount gatewayCount isCarried switchBlockedBy lossOnReturn
  differences { noun key message foundAt }
  reads { route comparedCount differingCount lastDifference }
} }`;

interface Answer {
  readonly bridge: Readonly<Record<string, unknown>> | null;
}

const read = async () => (await query<Answer>(pair.here.db, text)).bridge;

/** The state, and how many statements it took. */
async function counted() {
  pair.here.statements.length = 0;
  const bridge = await read();
  return { bridge, statements: pair.here.statements.length };
}

let running: Bridge | null = null;
afterEach(() => running?.close());

test('without a bridge it is null, after one statement', async () => {
  expect(await counted()).toEqual({ bridge: null, statements: 1 });
});

test('it follows, leads, and says what going back would lose once nobody carries changes over', async () => {
  const { here, url, placement } = pair;
  await createSeed(pair.there.db).provider('host', { inventories: { VCPU: 8 } });
  await insertBridge(here.db, url);
  const state = await selectBridge(here.db);
  if (state === null) throw new Error('there is no bridge');
  running = new Bridge({ db: here.db, log: { info: () => {}, warn: () => {} }, open: async () => placement }, state);
  running.start();
  const quiet = { url, pendingCount: 0, lagSeconds: 0, differenceCount: 0, differences: [], reads: [], gatewayCount: 1, isCarried: true };
  const moment = expect.stringMatching(/^\d{4}-.*Z$/);
  await expect.poll(read, { timeout: 20_000 }).toEqual({
    ...{ ...quiet, comparedAt: moment, mode: 'FOLLOWING', switchBlockedBy: null, lossOnReturn: null },
  });

  await switchBridge(here.db, 'lead');
  // Everything is compared anew after a switch.
  await expect.poll(read, { timeout: 20_000 }).toEqual({
    ...{ ...quiet, comparedAt: moment, mode: 'LEADING', switchBlockedBy: null, lossOnReturn: false },
  });

  await running.close();
  await createSeed(here.db).provider('newer', { inventories: { VCPU: 1 } });
  const { gatewayCount, isCarried, switchBlockedBy, lossOnReturn, pendingCount, lagSeconds } = (await read()) ?? {};
  expect({ gatewayCount, isCarried, switchBlockedBy, lossOnReturn }).toEqual({
    ...{ gatewayCount: 0, isCarried: false, switchBlockedBy: 'no gateway serves', lossOnReturn: true },
  });
  expect(pendingCount).toBeGreaterThan(0);
  expect(lagSeconds).toBeGreaterThan(0);
});

test('what waits and what differs is counted in three statements, and the first twenty differences are named', async () => {
  const { here, url } = pair;
  await insertBridge(here.db, url);
  await here.own`insert into bridge_notes (noun, key, noted_at) select 'consumer', gen_random_uuid(), now() - make_interval(secs => 90 * n) from generate_series(0, 1) n`;
  await here.own`
    insert into bridge_differences (noun, key, reason, found_at)
    select (array['provider', 'consumer', 'trait', 'resourceClass', 'providerName'])[n], 'key ' || n, 'refused', make_timestamptz(2026, 1, n, 0, 0, 0, 'UTC')
    from generate_series(1, 5) n
    union all select 'trait', 'CUSTOM_' || n, 'refused', now() from generate_series(1, 20) n`;
  await here.own`insert into bridge_gateways (gateway, epoch) values (${uuidOf('gateway')}, 1)`;
  const read = { request: 'GET /traits?name=x', version: '1.39', otherTime: 2, ownTime: 1, choiceFits: null, choiceRank: null };
  for (const difference of [null, 'one more', null]) await insertRead(here.db, { ...read, route: '/traits', difference });
  const { bridge, statements } = await counted();
  expect(statements).toBe(3);
  expect(bridge).toMatchObject({ mode: 'FOLLOWING', pendingCount: 2, differenceCount: 25, gatewayCount: 1, lossOnReturn: null });
  expect(bridge?.reads).toEqual([
    { route: '/traits', comparedCount: 3, differingCount: 1, lastDifference: 'GET /traits?name=x (1.39): one more' },
  ]);
  expect(bridge?.lagSeconds).toBeGreaterThanOrEqual(90);
  const differences = bridge?.differences as Readonly<Record<string, string>>[];
  expect(differences).toHaveLength(20);
  expect(differences.slice(0, 5).map(({ noun }) => noun)).toEqual([
    'RESOURCE_PROVIDER',
    'CONSUMER',
    'TRAIT',
    'RESOURCE_CLASS',
    'RESOURCE_PROVIDER',
  ]);
  expect(differences[1]).toEqual({ noun: 'CONSUMER', key: 'key 2', message: 'refused', foundAt: '2026-01-02T00:00:00Z' });
});

const untilCompared = 'not everything has been taken over and compared yet';

test.each([
  ["mode = 'following', compared_at = null", 'FOLLOWING', untilCompared, null],
  ["mode = 'leading', compared_at = null", 'LEADING', untilCompared, null],
  ["mode = 'leading'", 'LEADING', '1 object differs (placement-gateway bridge status)', true],
  ["mode = 'toLeading'", 'TO_LEADING', null, null],
  ["mode = 'toFollowing'", 'TO_FOLLOWING', null, null],
  ["mode = 'passing'", 'PASSING', null, null],
  ["mode = 'ended'", 'ENDED', null, null],
])('with a difference and %s it is %s, what keeps a switch from beginning is %s, and the loss of going back %s', async (...row) => {
  const [set, mode, switchBlockedBy, lossOnReturn] = row;
  const { here, url } = pair;
  await insertBridge(here.db, url);
  await here.own`insert into bridge_gateways (gateway, epoch) values (${uuidOf('gateway')}, 1)`;
  await here.own`insert into bridge_differences (noun, key, reason) values ('trait', 'CUSTOM_T', 'refused')`;
  await here.own.unsafe(`update bridge set compared_at = now(), carrier_until = now() + interval '1 minute'`);
  await here.own.unsafe(`update bridge set ${set}`);
  expect(await read()).toMatchObject({ mode, switchBlockedBy, isCarried: true, lossOnReturn });
});

test('callers who may not read the ledger are refused, and read-only operators are not', async () => {
  await insertBridge(pair.here.db, pair.url);
  expect(refusalOf(await ask('reader', text))).toEqual([403, 'FORBIDDEN', 'Query.bridge', 'placement:graphql:ledger:read']);
  expect((await ask('watcher', text)).data).toMatchObject({ bridge: { url: pair.url } });
});
