// Examination, waiting. Subscriptions to the map of the cloud: who follows them has the columns of the database, wherever it reads on.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { readCloudMap } from '../../../src/operations/forest/cloud-map.ts';
import type { CloudMapChange } from '../../../src/operations/live/map-message.ts';
import { followCloudMap } from '../../../src/operations/live/map-stream.ts';
import { applyChange } from '../../../src/ui/dashboard/data/map-changes.ts';
import { type CloudColumns, columnsOf } from '../../../src/ui/dashboard/data/map-columns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  return () => database.drop();
});

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 10 });

async function follow(after: string, resourceClasses: readonly string[], db: Db = database.db) {
  const stream = await followCloudMap(scopeOf(db), { after, resourceClasses });
  const changes: CloudMapChange[] = [];
  const state = { isOver: false };
  const done = (async () => {
    for await (const change of stream) changes.push(change);
    state.isOver = true;
  })();
  return {
    changes,
    state,
    async end() {
      await stream.return?.();
      await done;
    },
  };
}

/** A map as a page keeps it: columns that are patched. */
function keep({ names, classes }: Awaited<ReturnType<typeof readCloudMap>>) {
  const used = new Map(names.map((name, index) => [name, classes[0]?.used[index] ?? null]));
  return {
    used,
    patch: (change: CloudMapChange) => {
      for (const [index, name] of change.names.entries()) used.set(name, change.classes[0]?.used[index] ?? null);
    },
  };
}

const hosts = Array.from({ length: 40 }, (_, index) => `cn${index}`);
const readMap = (db: Db = database.db) => readCloudMap(scopeOf(db), { resourceClasses: ['VCPU'] });

test('columns that are patched equal the database after any claims, however often the reader changes the gateway', async () => {
  for (const name of hosts) await seed.provider(name, { inventories: { VCPU: 1000 } });
  const other = openDatabase(database.target);
  const gateways = [database.db, other];
  const map = await readMap();
  const kept = keep(map);
  const roll = freshDice('map');
  let { cursor } = map;
  let isWriting = true;
  const writers = [1, 2, 3].map(async (writer) => {
    for (let count = 0; count < 60; count++) {
      await seed.claim(`vm ${writer} ${count}`, { [hosts[roll(hosts.length)] ?? 'cn0']: { VCPU: 1 + roll(3) } });
    }
  });
  const reader = (async () => {
    for (let visit = 0; isWriting; visit++) {
      const { changes, end } = await follow(cursor, ['VCPU'], gateways[visit % 2]);
      const wanted = 1 + (visit % 3);
      await eventually(() => expect(changes.length >= wanted || !isWriting).toBe(true));
      await end();
      for (const change of changes) kept.patch(change);
      cursor = changes.at(-1)?.cursor ?? cursor;
    }
  })();
  await Promise.all(writers);
  isWriting = false;
  await reader;
  const last = await follow(cursor, ['VCPU'], other);
  const rows = await database.own<{ name: string; used: number }[]>`
    select p.name, i.used::float8 as used from resource_providers p join inventories i on i.resource_provider_id = p.id`;
  const expected = new Map(rows.map(({ name, used }) => [name, used]));
  await eventually(() => {
    for (const change of last.changes) kept.patch(change);
    expect(Object.fromEntries(kept.used)).toEqual(Object.fromEntries(expected));
  });
  expect(last.changes.every(({ reset }) => !reset)).toBe(true);
  await last.end();
  await other.close();
});

/** All that a map says of its hosts, by name, whatever the order of its lists. */
function hostsIn({
  names,
  flags,
  memberCounts,
  aggregates,
  aggregateSets,
  aggregateSet,
  traitNames,
  traitSets,
  traitSet,
  classes,
}: CloudColumns) {
  return Object.fromEntries(
    names.map((name, place) => [
      name,
      {
        flags: flags[place],
        members: memberCounts[place],
        aggregates: aggregateSets[aggregateSet[place] ?? 0]?.map((at) => `${aggregates[at]?.uuid} ${aggregates[at]?.name}`).sort(),
        traits: traitSets[traitSet[place] ?? 0]?.map((at) => traitNames[at]).sort(),
        used: classes.get('VCPU')?.used[place],
        total: classes.get('VCPU')?.total[place],
      },
    ]),
  );
}

const columnsRead = async (db: Db = database.db) => {
  const map = await readMap(db);
  return columnsOf({
    ...map,
    hostCount: map.names.length,
    classes: map.classes.map((one) => ({ ...one, resourceClass: one.resourceClass })),
  });
};

describe('ordinary changes arrive within the stream', () => {
  const write = (operation: string, request: object) => seed.write(operation, request as Record<string, unknown>);
  const rename = (uuid: string, name: string) => write('update_resource_provider', { provider: uuid, expect: {}, name });
  const remove = (name: string) => write('delete_resource_provider', { provider: uuidOf(name), expect: {} });
  const move = (name: string, parent: string | null) => write('update_resource_provider', { provider: uuidOf(name), expect: {}, parent });

  const steps: [what: string, () => Promise<unknown>][] = [
    ['a host comes', () => seed.provider('new', { inventories: { VCPU: 4 }, aggregates: ['az1'] })],
    ['a host is disabled', () => seed.traits('cn1', ['COMPUTE_STATUS_DISABLED'])],
    ['a host gets a trait that is new', () => seed.traits('cn2', ['CUSTOM_NEW', 'HW_CPU_X86_AVX'])],
    ['a host gets a cell', () => seed.provider('cn1_numa', { parent: 'cn1', inventories: { VCPU: 2 } })],
    ['a host changes its zone', () => seed.aggregates('cn1', ['az2'])],
    ['a zone gets a name', () => write('name_aggregate', { aggregate: uuidOf('az1'), name: 'zone one' })],
    ['a host gets a class', () => seed.inventories('cn3', { VCPU: 12, DISK_GB: 7 })],
    ['a host is renamed', () => rename(uuidOf('cn2'), 'other')],
    [
      'two hosts swap their names',
      async () => {
        await rename(uuidOf('cn1'), 'meanwhile');
        await rename(uuidOf('cn3'), 'cn1');
        await rename(uuidOf('cn1'), 'cn3');
      },
    ],
    ['a host goes', () => remove('cn4')],
    [
      'a host goes and comes again under its name, with another uuid',
      async () => {
        await remove('cn4');
        await write('create_resource_provider', { uuid: uuidOf('another'), name: 'cn4', parent: null });
      },
    ],
    ['a host moves below another', () => move('cn4', uuidOf('cn1'))],
    ['a host begins to share', () => seed.traits('cn4', ['MISC_SHARES_VIA_AGGREGATE'])],
  ];

  beforeEach(async () => {
    for (const name of ['cn1', 'cn2', 'cn3', 'cn4']) await seed.provider(name, { inventories: { VCPU: 8 }, aggregates: ['az1'] });
  });

  test.each(steps)('%s, while a reader follows or before it comes back to another gateway', async (_, step) => {
    const { cursor } = await readMap();
    const before = await columnsRead();
    const other = openDatabase(database.target);
    const live = await follow(cursor, ['VCPU']);
    await eventually(() => expect(live.changes).toEqual([]));
    await step();
    const late = await follow(cursor, ['VCPU'], other);
    const expected = hostsIn(await columnsRead());
    for (const reader of [live, late]) {
      const patched = () =>
        reader.changes.reduce<CloudColumns | null>((columns, change) => columns && applyChange(columns, change), before);
      await eventually(() => expect(hostsIn(patched() as CloudColumns)).toEqual(expected));
      expect(reader.changes.map(({ reset }) => reset)).not.toContain(true);
      await reader.end();
    }
    await other.close();
  });

  test('everything at once, and by uuid', async () => {
    const map = await readMap();
    const before = await columnsRead();
    const reader = await follow(map.cursor, ['VCPU']);
    for (const [what, step] of steps) if (!/host goes$|moves below|begins to share/.test(what)) await step();
    const now = await readMap();
    const byUuid = new Map(map.uuids.map((uuid, place) => [uuid, map.names[place]]));
    const expected = hostsIn(await columnsRead());
    await eventually(() => {
      const patched = reader.changes.reduce<CloudColumns | null>((columns, change) => columns && applyChange(columns, change), before);
      expect(hostsIn(patched as CloudColumns)).toEqual(expected);
    });
    for (const { goneUuids, reshaped } of reader.changes) {
      for (const uuid of goneUuids) byUuid.delete(uuid);
      for (const [place, uuid] of reshaped.uuids.entries()) byUuid.set(uuid, reshaped.names[place]);
    }
    expect(Object.fromEntries(byUuid)).toEqual(Object.fromEntries(now.uuids.map((uuid, place) => [uuid, now.names[place]])));
    await reader.end();
  });

  test('a change of amounts repeats no descriptions', async () => {
    const { cursor } = await readMap();
    const reader = await follow(cursor, ['VCPU']);
    await seed.claim('vm', { cn1: { VCPU: 1 } });
    await eventually(() =>
      expect(reader.changes).toMatchObject([{ names: ['cn1'], uuids: [uuidOf('cn1')], reshaped: { names: [] }, goneNames: [] }]),
    );
    await reader.end();
  });
});

describe('a reader is told to read the map again, and the subscription ends', () => {
  beforeEach(async () => {
    await seed.provider('cn1', { inventories: { VCPU: 8 } });
  });

  test.each(['delete_resource_class', 'rename_resource_class'] as const)(
    'when it asked for a class that goes (%s), and readers of other classes go on',
    async (operation) => {
      await seed.provider('cn2', { inventories: { CUSTOM_GONE: 1 } });
      const { cursor } = await readMap();
      const [reader, other] = [await follow(cursor, ['VCPU', 'CUSTOM_GONE']), await follow(cursor, ['VCPU'])];
      await seed.inventories('cn2', {});
      await seed.write(
        operation,
        operation === 'delete_resource_class' ? { name: 'CUSTOM_GONE' } : { from: 'CUSTOM_GONE', name: 'CUSTOM_ELSE' },
      );
      await eventually(() => expect(reader.state.isOver).toBe(true));
      expect(reader.changes.at(-1)).toMatchObject({ reset: true, names: [], classes: [{ used: [] }, { used: [] }] });
      await seed.claim('vm', { cn1: { VCPU: 1 } });
      await eventually(() => expect(other.changes.some(({ names }) => names.includes('cn1'))).toBe(true));
      expect(other.changes.some(({ reset }) => reset)).toBe(false);
      await other.end();
    },
  );

  test('when the changes since its cursor are no longer known', async () => {
    const { cursor } = await readMap();
    const [version, kind, , origin] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    // Of long ago: housekeeping forgets nothing that any transaction of the server may still consider open.
    const old = Buffer.from(JSON.stringify([version, kind, '5:5:', origin])).toString('base64url');
    await database.own`update change_feed set pruned_xid = '5'`;
    const reader = await follow(old, ['VCPU']);
    await eventually(() => expect(reader.state.isOver).toBe(true));
    expect(reader.changes).toMatchObject([{ reset: true }]);
  });

  test('when its cursor is of another database', async () => {
    const { cursor } = await readMap();
    const [version, kind, snapshot] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const foreign = Buffer.from(JSON.stringify([version, kind, snapshot, 'another'])).toString('base64url');
    const reader = await follow(foreign, ['VCPU']);
    await eventually(() => expect(reader.changes).toMatchObject([{ reset: true }]));
    await reader.end();
  });
});

test('fifty readers of the same classes get the same message, at one statement a beat', async () => {
  await seed.provider('cn1', { inventories: { VCPU: 800 } });
  const { cursor } = await readMap();
  const readers = await Promise.all(Array.from({ length: 50 }, () => follow(cursor, ['VCPU'])));
  const lastOf = () => readers.map(({ changes }) => changes.at(-1));
  // Those who came in different beats are told different things at first.
  for (let used = 1; used === 1 || new Set(lastOf()).size > 1; used++) {
    database.statements.length = 0;
    await seed.claim(`vm ${used}`, { cn1: { VCPU: 1 } });
    const written = database.statements.length;
    await eventually(() => expect(lastOf().every((change) => change?.classes[0]?.used[0] === used)).toBe(true));
    if (used > 1) expect(database.statements.length - written).toBeLessThan(50);
    expect(used).toBeLessThan(100);
  }
  await Promise.all(readers.map((reader) => reader.end()));
});
