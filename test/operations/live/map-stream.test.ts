// Subscriptions to the map of the cloud: who follows them has the columns of the database, wherever it reads on.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { readCloudMap } from '../../../src/operations/forest/cloud-map.ts';
import { type CloudMapChange, followCloudMap } from '../../../src/operations/live/map-stream.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  return () => database.drop();
});

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 10 });

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

test('columns that are patched equal the database after any claims, however often the reader changes the gateway', {
  timeout: 120_000,
}, async () => {
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

describe('a reader is asked to read the map anew, and the subscription ends', () => {
  beforeEach(async () => {
    await seed.provider('cn1', { inventories: { VCPU: 8 } });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a host comes', () => seed.provider('cn2')],
    ['a host gets a trait', () => seed.traits('cn1', ['COMPUTE_STATUS_DISABLED'])],
    ['a host gets a cell', () => seed.provider('cn1_numa', { parent: 'cn1' })],
    ['a host changes its zone', () => seed.aggregates('cn1', ['az1'])],
  ])('when %s', async (_, change) => {
    const { cursor } = await readMap();
    const reader = await follow(cursor, ['VCPU']);
    await change();
    await eventually(() => expect(reader.state.isOver).toBe(true));
    expect(reader.changes.at(-1)).toMatchObject({ reset: true, names: [], classes: [{ used: [] }] });
  });

  test('when what has changed since its cursor is not known any more', async () => {
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

test('fifty readers of the same classes get the very same message, and cost one statement a beat', { timeout: 120_000 }, async () => {
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
