// Examination. The past, reconstructed from the events since: equal to recorded snapshots at every moment of random histories.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { selectClaimCounts } from '../../../src/db/claim-history.ts';
import { selectUsageSince } from '../../../src/db/history.ts';
import { selectMembersSince } from '../../../src/db/past-members.ts';
import type { WriteOperation } from '../../../src/db/writes/operations.ts';
import { type HistorySubject, type UsageSample, usageAt } from '../../../src/domain/history.ts';
import { capacityOf, type InventoryRecord } from '../../../src/domain/inventory.ts';
import { type MemberSubject, spansOfMembers } from '../../../src/domain/past-members.ts';
import { sharingTrait } from '../../../src/domain/provider.ts';
import {
  findPastConsumer,
  findPastProvider,
  findPastUsage,
  listClaimHistory,
  listPastHolders,
  listUsageHistory,
  openPast,
} from '../../../src/operations/ledger/history.ts';
import { pruneEvents } from '../../../src/operations/ledger/housekeeping.ts';
import { ageEvents } from '../../support/chunks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { query, scopeOf } from '../../support/graphql.ts';
import { writeAtRandom } from '../../support/random-writes.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(() => database.drop());

interface Seen {
  readonly at: string;
  readonly providers: Readonly<Record<string, Record<string, unknown>>>;
  readonly consumers: Readonly<Record<string, Record<string, unknown>>>;
  readonly used: Readonly<Record<string, Record<string, number>>>;
  readonly cloud: Readonly<Record<string, number[]>>;
}

/** All that is there now, asked of the tables. */
async function look(): Promise<Seen> {
  const [seen] = await database.db.sql<Seen[]>`
    select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      (select coalesce(jsonb_object_agg(p.uuid, provider_state(p.id)), '{}') from resource_providers p) as providers,
      consumer_states(array(select id from consumers)) as consumers,
      (select coalesce(jsonb_object_agg(uuid, used), '{}') from (
        select p.uuid, jsonb_object_agg(rc.name, i.used) as used from resource_providers p
        join inventories i on i.resource_provider_id = p.id join resource_classes rc on rc.id = i.resource_class_id group by p.uuid) _) as used,
      (select coalesce(jsonb_object_agg(name, amounts), '{}') from (
        select rc.name, jsonb_build_array(sum(i.used), sum(i.total), sum(i.reserved), sum(i.capacity), count(*)) as amounts
        from inventories i join resource_classes rc on rc.id = i.resource_class_id group by rc.name) _) as cloud`;
  if (!seen) throw new Error('nothing was seen');
  return seen;
}

/** The sums of the providers for which something holds, by class. */
function sumOf(seen: Seen, holds: (uuid: string) => boolean): Record<string, number[]> {
  const sums: Record<string, number[]> = {};
  for (const [uuid, state] of Object.entries(seen.providers)) {
    if (!holds(uuid)) continue;
    for (const [name, record] of Object.entries(state.inventories as Record<string, InventoryRecord>)) {
      const amounts = [seen.used[uuid]?.[name] ?? 0, record.total, record.reserved, capacityOf(record), 1];
      sums[name] = amounts.map((amount, index) => amount + (sums[name]?.[index] ?? 0));
    }
  }
  return sums;
}

/** A provider and those above it, as seen. */
function lineOf({ providers }: Seen, uuid: string): string[] {
  const parent = providers[uuid]?.parent as string | null | undefined;
  return [uuid, ...(parent ? lineOf({ providers } as Seen, parent) : [])];
}
const isBelow = (seen: Seen, top: string) => (uuid: string) => lineOf(seen, uuid).includes(top);
const isCountedIn = (seen: Seen, aggregate: string) => (uuid: string) => {
  const root = seen.providers[lineOf(seen, uuid).at(-1) ?? ''];
  const namesIn = (names: unknown) => (names ?? []) as readonly string[];
  return namesIn(root?.aggregates).includes(aggregate) && !namesIn(seen.providers[uuid]?.traits).includes(sharingTrait);
};

/** The consumers of a project, as seen. */
const ownedBy = ({ consumers }: Seen, key: string) => Object.values(consumers).filter(({ project }) => project === key);

const claiming: ReadonlySet<WriteOperation> = new Set<WriteOperation>([
  ...(['replace_allocations', 'move_allocations', 'release_allocations', 'release_expired', 'claim_together'] as const),
  ...(['reshape', 'apply_provider_tree', 'delete_resource_provider'] as const),
]);

/** The generations of all consumers. */
async function holdings(): Promise<ReadonlyMap<string, number>> {
  const rows = await database.db.sql<{ uuid: string; generation: number }[]>`select uuid, generation::float8 as generation from consumers`;
  return new Map(rows.map(({ uuid, generation }) => [uuid, generation]));
}

function differences(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((uuid) => {
    if (before.get(uuid) === after.get(uuid)) return [];
    return [before.has(uuid) ? (after.has(uuid) ? ('changed' as const) : ('released' as const)) : ('claimed' as const)];
  });
}

/** What consumers hold together, by class. */
function heldBy(consumers: readonly Record<string, unknown>[]): Record<string, number> {
  const held: Record<string, number> = {};
  for (const { allocations } of consumers) {
    for (const { resourceClass, amount } of allocations as { resourceClass: string; amount: number }[]) {
      held[resourceClass] = (held[resourceClass] ?? 0) + amount;
    }
  }
  return held;
}

const usedOf = ({ usages }: UsageSample) => Object.fromEntries(usages.map(({ resourceClassName, used }) => [resourceClassName, used]));
const amountsOf = ({ usages }: UsageSample) =>
  Object.fromEntries(
    usages.map(({ resourceClassName, used, total, reserved, capacity, providers }) => [
      resourceClassName,
      [used, total, reserved, capacity, providers],
    ]),
  );

test.each([1, 2, 3])('what was is what was seen then (history %i)', async (number) => {
  const roll = freshDice(`history ${number}`);
  // Not every history puts a provider into an aggregate by itself.
  await seed.provider('p0', { aggregates: ['aggregate 0'] });
  const seen = [await look()];
  const claims: (readonly [seen: number, change: 'claimed' | 'changed' | 'released'])[] = [];
  let held = await holdings();
  for (let write = 0; write < 160; write++) {
    const { operation } = await writeAtRandom(database.db, roll);
    const before = held;
    held = await holdings();
    if (claiming.has(operation)) claims.push(...differences(before, held).map((change) => [seen.length - 1, change] as const));
    if (roll(6) === 0) seen.push(await look());
  }
  seen.push(await look());
  const scope = scopeOf(database.db);
  const uuids = (noun: 'providers' | 'consumers') => [...new Set(seen.flatMap((one) => Object.keys(one[noun])))];
  for (const moment of seen.filter(() => roll(3) === 0)) {
    const past = await openPast(scope, moment.at);
    for (const uuid of uuids('providers')) {
      const found = await findPastProvider(scope, past, { uuid });
      const { inventories = [], traitNames, aggregateUuids, parentUuid, resourceProviderUuid: _, at: ____, ...rest } = found ?? {};
      const state = found && {
        ...rest,
        ...{ parent: parentUuid, traits: traitNames, aggregates: aggregateUuids },
        inventories: Object.fromEntries(inventories.map(({ resourceClassName, used: __, ...record }) => [resourceClassName, record])),
      };
      expect(state).toEqual(moment.providers[uuid] ?? null);
      expect(Object.fromEntries(inventories.map(({ resourceClassName, used }) => [resourceClassName, used]))).toEqual(
        moment.used[uuid] ?? {},
      );
    }
    // Who held something on a provider, and below it.
    const holdersOn = (isThere: (provider: string) => boolean) =>
      Object.entries(moment.consumers)
        .filter(([, { allocations }]) => (allocations as { provider: string }[]).some(({ provider }) => isThere(provider)))
        .map(([uuid]) => uuid)
        .sort();
    for (const uuid of Object.keys(moment.providers)) {
      for (const [where, isThere] of [
        ['PROVIDER', (one: string) => one === uuid],
        ['TREE', isBelow(moment, uuid)],
      ] as const) {
        const expected = holdersOn(isThere);
        const pages = [await listPastHolders(scope, { ...past, resourceProviderUuid: uuid }, { scope: where, first: 1 })];
        for (let page = pages[0]; page?.hasNextPage; page = pages.at(-1))
          pages.push(
            await listPastHolders(scope, { ...past, resourceProviderUuid: uuid }, { scope: where, first: 1, after: page.cursors[0] }),
          );
        expect(pages.flatMap(({ rows }) => rows.map(({ consumerUuid }) => consumerUuid))).toEqual(expected);
        expect(await pages[0]?.countAll()).toBe(expected.length);
        const last = await listPastHolders(scope, { ...past, resourceProviderUuid: uuid }, { scope: where, last: 2 });
        expect(last.rows.map(({ consumerUuid }) => consumerUuid)).toEqual(expected.slice(-2));
      }
      const name = moment.providers[uuid]?.name as string;
      expect((await findPastProvider(scope, past, { name }))?.resourceProviderUuid).toBe(uuid);
    }
    for (const uuid of uuids('consumers')) {
      const { id: _, createdAt: __, updatedAt: ___, ...before } = moment.consumers[uuid] ?? {};
      const found = await findPastConsumer(scope, past, uuid);
      const { consumerUuid, consumerType, expiresAt = null, ...rest } = found ?? {};
      expect(found && { ...rest, ...(expiresAt !== null && { expiresAt }), uuid: consumerUuid, type: consumerType }).toEqual(
        uuid in moment.consumers ? before : null,
      );
    }
    const cloud = await findPastUsage(scope, past, { noun: 'cloud' });
    for (const key of ['p', 'q']) {
      const usage = await findPastUsage(scope, past, { noun: 'project', key });
      expect([usage.consumers, usedOf(usage)]).toEqual([ownedBy(moment, key).length, heldBy(ownedBy(moment, key))]);
    }
    expect([cloud.consumers, amountsOf(cloud)]).toEqual([Object.keys(moment.consumers).length, moment.cloud]);
  }
  // Trees and aggregates, with the members that they had at each moment.
  const moments = seen.map(({ at }) => at);
  const membersOver = async (subject: MemberSubject) => {
    const { current, changes } = await selectMembersSince(database.db, subject, moments, 10_000);
    const now = new Map(current.map(({ provider, ...membership }) => [provider, membership]));
    const spans = spansOfMembers(subject, moments.length, now, changes);
    return usageAt(moments, (await selectUsageSince(database.db, { noun: 'members', spans }, moments, 10_000)).rows);
  };
  for (const uuid of uuids('providers')) {
    expect((await membersOver({ noun: 'tree', key: uuid })).map(amountsOf)).toEqual(seen.map((one) => sumOf(one, isBelow(one, uuid))));
  }
  const aggregates = [...new Set(seen.flatMap((one) => Object.values(one.providers).flatMap((state) => state.aggregates as string[])))];
  expect(aggregates.length).toBeGreaterThan(0);
  for (const aggregate of aggregates) {
    expect((await membersOver({ noun: 'aggregate', key: aggregate })).map(amountsOf)).toEqual(
      seen.map((one) => sumOf(one, isCountedIn(one, aggregate))),
    );
  }
  // The same over time: all moments in one statement.
  const over = async (subject: HistorySubject) => {
    return usageAt(moments, (await selectUsageSince(database.db, subject, moments, 10_000)).rows);
  };
  expect((await over({ noun: 'cloud' })).map(amountsOf)).toEqual(seen.map(({ cloud }) => cloud));
  for (const key of ['p', 'q']) {
    expect((await over({ noun: 'project', key })).map(usedOf)).toEqual(seen.map((one) => heldBy(ownedBy(one, key))));
  }
  for (const uuid of uuids('providers')) {
    expect((await over({ noun: 'resourceProvider', key: uuid })).map(usedOf)).toEqual(seen.map(({ used }) => used[uuid] ?? {}));
  }
  for (const uuid of uuids('consumers')) {
    expect((await over({ noun: 'consumer', key: uuid })).map(usedOf)).toEqual(
      seen.map(({ consumers }) => heldBy(consumers[uuid] ? [consumers[uuid]] : [])),
    );
  }
  // What was claimed between one moment and the next.
  const { counts } = await selectClaimCounts(database.db, moments, 10_000);
  expect(counts.map(({ step, claimed, changed, released }) => [step, claimed, changed, released])).toEqual(
    moments.flatMap((_, step) => {
      const counted = ['claimed', 'changed', 'released'].map(
        (wanted) => claims.filter(([at, change]) => at === step && change === wanted).length,
      );
      return counted.some((count) => count > 0) ? [[step, ...counted]] : [];
    }),
  );
});

test('a renamed class appears under the name that it had', async () => {
  await seed.provider('cn1', { inventories: { CUSTOM_A: 10 } });
  await seed.claim('c', { cn1: { CUSTOM_A: 4 } });
  const before = await look();
  await seed.write('rename_resource_class', { from: 'CUSTOM_A', name: 'CUSTOM_B' });
  const scope = scopeOf(database.db);
  for (const subject of [{ noun: 'cloud' }, { noun: 'project', key: 'p1' }, { noun: 'tree', key: uuidOf('cn1') }] as const) {
    expect(usedOf(await findPastUsage(scope, { at: before.at }, subject))).toEqual({ CUSTOM_A: 4 });
    expect(usedOf(await findPastUsage(scope, { at: (await look()).at }, subject))).toEqual({ CUSTOM_B: 4 });
  }
});

test('the history of usage has a sample for each step, and ends now', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await seed.claim('c', { cn1: { VCPU: 4 } });
  // The provider came a little more than two hours ago, its inventory and the claim half an hour ago.
  await database.db
    .writes`update events set at = now() - case when kind = 'CREATE_RESOURCE_PROVIDER' then interval '2 hours 1 minute' else interval '30 minutes' end`;
  // It cannot be told of the time before the database.
  const from = new Date(Date.now() - 9 * 3_600_000).toISOString();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const { usageHistory } = await query<{ usageHistory: { samples: { at: string; usages: unknown[] }[]; eventCount: number } }>(
    database.db,
    `query ($uuid: UUID!, $from: DateTime!, $until: DateTime) { usageHistory(of: { resourceProvider: $uuid }, from: $from, until: $until, stepSeconds: 3600) {
      eventCount samples { at consumerCount usages { resourceClassName used capacity total reserved providerCount } } } }`,
    { uuid: uuidOf('cn1'), from, until },
  );
  const full = { resourceClassName: 'VCPU', used: 4, capacity: 10, total: 10, reserved: 0, providerCount: 1 };
  expect(usageHistory.samples.map(({ usages }) => usages)).toEqual([[], [], [full]]);
  expect(usageHistory.eventCount).toBe(2);
  const { asOf } = await query<{ asOf: unknown }>(
    database.db,
    `query ($uuid: UUID!, $consumer: UUID!, $moment: DateTime!) { asOf(moment: $moment) {
      pastResourceProvider(uuid: $uuid) { name generation parentUuid inventories { resourceClassName total capacity used } resourceProvider { name } }
      pastConsumer(uuid: $consumer) { generation project { externalId } user { externalId } consumerType consumer { uuid } allocations { resourceProviderUuid resourceClassName amount } }
      projectUsage(externalId: "p1") { consumerCount usages { resourceClassName used } } cloudUsage { consumerCount usages { resourceClassName used } } } }`,
    { uuid: uuidOf('cn1'), consumer: uuidOf('c'), moment: until },
  );
  const usage = { consumerCount: 1, usages: [{ resourceClassName: 'VCPU', used: 4 }] };
  expect(asOf).toEqual({
    pastResourceProvider: {
      ...{ name: 'cn1', generation: 2, parentUuid: null, resourceProvider: { name: 'cn1' } },
      inventories: [{ resourceClassName: 'VCPU', total: 10, capacity: 10, used: 4 }],
    },
    pastConsumer: {
      ...{
        generation: 1,
        project: { externalId: 'p1' },
        user: { externalId: 'u1' },
        consumerType: 'INSTANCE',
        consumer: { uuid: uuidOf('c') },
      },
      allocations: [{ resourceProviderUuid: uuidOf('cn1'), resourceClassName: 'VCPU', amount: 4 }],
    },
    projectUsage: usage,
    cloudUsage: usage,
  });
});

test('the holder of a name is found with the same number of statements, however many had it since', async () => {
  await seed.provider('cn1');
  const { at } = await look();
  const statementsOf = async () => {
    database.statements.length = 0;
    const found = await findPastProvider(scopeOf(database.db), { at }, { name: 'cn1' });
    expect(found?.resourceProviderUuid).toBe(uuidOf('cn1'));
    return database.statements.length;
  };
  const once = await statementsOf();
  await seed.write('delete_resource_provider', { provider: uuidOf('cn1'), expect: {} });
  for (let other = 0; other < 10; other++) {
    const uuid = uuidOf(`other ${other}`);
    await seed.write('create_resource_provider', { uuid, name: 'cn1' });
    await seed.write('delete_resource_provider', { provider: uuid, expect: {} });
  }
  expect(await statementsOf()).toBe(once);
});

test('holders are read page by page at a future moment, too', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  for (const name of ['a', 'b', 'c']) await seed.claim(name, { cn1: { VCPU: 1 } });
  interface Found {
    readonly asOf: {
      readonly pastResourceProvider: { readonly holders: { readonly nodes: object[]; readonly pageInfo: { readonly endCursor: string } } };
    };
  }
  const page = async (after: string | null) => {
    const moment = new Date(Date.now() + 3_600_000).toISOString();
    const { asOf } = await query<Found>(
      database.db,
      `query ($uuid: UUID!, $moment: DateTime!, $after: String) { asOf(moment: $moment) { pastResourceProvider(uuid: $uuid) {
        holders(first: 2, after: $after) { nodes { consumerUuid } pageInfo { endCursor } } } } }`,
      { uuid: uuidOf('cn1'), moment, after },
    );
    return asOf.pastResourceProvider.holders;
  };
  const first = await page(null);
  const second = await page(first.pageInfo.endCursor);
  expect([...first.nodes, ...second.nodes]).toEqual(
    ['a', 'b', 'c'].map((name) => ({ consumerUuid: uuidOf(name) })).sort((one, other) => (one.consumerUuid < other.consumerUuid ? -1 : 1)),
  );
});

test('without writes, the past is known as far back as events are kept', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await ageEvents(database, 40);
  expect((await pruneEvents(database.db, 30)).dropped).toBe(1);
  const scope = scopeOf(database.db);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const capacities = async () =>
    (await listUsageHistory(scope, { of: { resourceProvider: uuidOf('cn1') }, from: daysAgo(20), stepSeconds: 864_000 })).samples.map(
      ({ usages }) => usages[0]?.capacity,
    );
  expect(await capacities()).toEqual([10, 10, 10]);
  await seed.write('replace_inventories', { provider: uuidOf('cn1'), expect: {}, inventories: [] });
  expect((await capacities()).slice(0, 2)).toEqual([10, 10]);
  await expect(openPast(scope, daysAgo(50))).rejects.toMatchObject({ code: 'HISTORY_GONE' });
});

test('claims are counted in the step in which they were written', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 100 } });
  await seed.claim('a', { cn1: { VCPU: 4 } });
  await seed.claim('b', { cn1: { VCPU: 4 } });
  await database.db.writes`update events set at = now() - interval '2 hours'`;
  await seed.claim('c', { cn1: { VCPU: 4 } });
  const consumers = (allocations: object[], name = 'a') => ({
    uuid: uuidOf(name),
    expect: {},
    project: 'p1',
    user: 'u1',
    type: 'INSTANCE',
    keepType: false,
    allocations,
  });
  await seed.write('replace_allocations', { consumers: [consumers([{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 5 }])] });
  await seed.write('replace_allocations', { consumers: [consumers([])] });
  await seed.provider('cn2', { inventories: { VCPU: 100 } });
  const handedOver = ['b', 'c'].map((name) => consumers([{ provider: uuidOf('cn2'), resourceClass: 'VCPU', amount: 4 }], name));
  await seed.write('delete_resource_provider', { provider: uuidOf('cn1'), expect: {}, consumers: handedOver });
  const from = new Date(Date.now() - 2.5 * 3_600_000).toISOString();
  const { periods, eventCount } = await listClaimHistory(scopeOf(database.db), { from, stepSeconds: 3600 });
  expect(periods.map(({ claimed, changed, released }) => ({ claimed, changed, released }))).toEqual([
    { claimed: 2, changed: 0, released: 0 },
    { claimed: 0, changed: 0, released: 0 },
    { claimed: 1, changed: 3, released: 1 },
  ]);
  expect(eventCount).toBe(6);
  const until = new Date(Date.now() - 2 * 3_600_000).toISOString();
  expect((await listClaimHistory(scopeOf(database.db), { from, until, stepSeconds: 3600 })).periods).toHaveLength(1);
});
