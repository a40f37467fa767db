// Quotas for what is held in an aggregate, such as a zone: what counts against them while consumers move, trees move, and aggregates change.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runAudit } from '../../../src/commands/audit.ts';
import { findWrongQuotas } from '../../../src/db/audit.ts';
import { selectQuotaUses } from '../../../src/db/quotas.ts';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { useDatabase } from '../../support/database.ts';
import { type Dice, freshDice } from '../../support/dice.ts';
import { clearSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { historiesOf, sampled } from '../../support/profile.ts';
import { type Amounts, createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const seedOf = () => createSeed(database.db);
/** Of a caller whose claims obey quotas. */
const scope = (db: Db = database.db) =>
  new Scope({ db, identity: plainIdentity('noauth', 'admin', 'admin', ['admin']), requestId: 'req-test', quotasOfRest: true });

type QuotaList = Parameters<typeof replaceQuotas>[1]['quotas'];
const set = (quotas: QuotaList, { project, parent }: { readonly project?: string; readonly parent?: string } = { project: 'p1' }) =>
  replaceQuotas(scopeOf(database.db), {
    expect: { unchecked: true },
    quotas,
    ...(project && { project }),
    ...(parent && { parentProject: parent }),
  });
const east = uuidOf('east');
const west = uuidOf('west');
const vcpu = (amount: number, aggregate: string | null = east) => ({ resourceClass: 'VCPU', aggregate, amount });

interface Owner {
  readonly project?: string;
  readonly user?: string;
  readonly type?: string;
  readonly isNew?: boolean;
}

/** `held`: VCPU by provider. */
const wanted = (consumer: string, held: Amounts, { project = 'p1', user = 'u1', type = 'INSTANCE', isNew = false }: Owner = {}) => ({
  ...{ consumer: uuidOf(consumer), project, user, consumerType: type, expect: isNew ? { isNew } : { unchecked: true } },
  hold: {
    allocations: Object.entries(held).map(([provider, amount]) => ({
      ...{ resourceProvider: uuidOf(provider), resources: [{ resourceClass: 'VCPU', amount }] },
    })),
  },
});
const hold = (consumer: string, held: Amounts, owner: Owner = {}, db: Db = database.db) =>
  replaceAllocations(scope(db), { consumers: [wanted(consumer, held, owner)] });
const refused = async (run: () => Promise<unknown>, details: object) =>
  expect(await refusalOf(database.db, run)).toEqual([
    { code: 'QUOTA_EXCEEDED', path: ['consumers', '0'], details: expect.objectContaining(details) },
  ]);
const zoneNames = new Map([east, west].map((uuid, index) => [uuid, ['east', 'west'][index]]));
const shown = async (project = 'p1') =>
  (await selectQuotaUses(database.db, [project], true)).map(
    ({ resourceClass, consumerType, user, aggregate, project: whose, amount, used }) =>
      `${[whose, zoneNames.get(aggregate ?? ''), resourceClass ?? 'count', consumerType, user].filter(Boolean).join(' ')}: ${used} of ${amount}`,
  );

const parents: Readonly<Record<string, string | null>> = { h1: null, n1: 'h1', h2: null, n2: 'h2', pool: null };
const zonesAtFirst: Readonly<Record<string, readonly string[]>> = {
  h1: ['east'],
  n1: ['west'],
  h2: ['west'],
  n2: [],
  pool: ['east', 'west'],
};
beforeAll(async () => {
  const seed = seedOf();
  for (const [name, parent] of Object.entries(parents)) {
    await seed.provider(name, { ...(parent && { parent }), inventories: { VCPU: 10_000 }, aggregates: zonesAtFirst[name] ?? [] });
  }
});
afterEach(async () => {
  const { db } = database;
  await clearSoundLedger(db);
  expect((await findWrongQuotas(db)).examples).toEqual([]);
  await db.writes`delete from records where kind in ('project_quotas', 'default_quotas')`;
  await db.writes`delete from quota_uses`;
  await db.writes`delete from project_parents`;
  for (const [name, parent] of Object.entries(parents)) {
    await place(name, parent);
    await seedOf().aggregates(name, zonesAtFirst[name] ?? []);
  }
});

const place = (name: string, parent: string | null) =>
  seedOf().write('update_resource_provider', { provider: uuidOf(name), expect: {}, parent: parent === null ? null : uuidOf(parent) });

describe('a claim', () => {
  test('is refused beyond a quota in that aggregate alone: on any provider of a tree whose root is in it', async () => {
    await set([vcpu(10)]);
    await hold('a', { h1: 4, n1: 4 });
    await refused(() => hold('b', { n1: 3 }), { aggregate: east, resourceClass: 'VCPU', amount: 10, used: 8, requested: 3 });
    await hold('b', { h2: 100, n2: 3 });
    await hold('c', { n1: 2 }, { isNew: true });
    expect(await shown()).toEqual(['p1 east VCPU: 10 of 10']);
  });

  test('on a pool counts in the aggregates of the pool, whatever host it is for', async () => {
    await set([vcpu(5), vcpu(9, west)]);
    await hold('a', { h2: 4, pool: 5 });
    expect(await shown()).toEqual(expect.arrayContaining(['p1 east VCPU: 5 of 5', 'p1 west VCPU: 9 of 9']));
    await refused(() => hold('b', { pool: 1 }), { used: 5, requested: 1 });
  });

  test('counts a consumer once, however many trees of the aggregate it is on, and again only when it is elsewhere', async () => {
    await set([
      { aggregate: east, amount: 1 },
      { aggregate: west, amount: 1 },
    ]);
    await hold('a', { h1: 1, n1: 1, pool: 1 });
    expect(await shown()).toEqual(expect.arrayContaining(['p1 east count: 1 of 1', 'p1 west count: 1 of 1']));
    await hold('a', { h1: 1 });
    await refused(() => hold('b', { pool: 1 }), { aggregate: east, resourceClass: null, used: 1, requested: 1 });
    await hold('b', { h2: 1 });
    await refused(() => hold('a', { pool: 1 }), { aggregate: west, used: 1, requested: 1 });
    await hold('a', { n1: 1 });
    expect(await shown()).toEqual(expect.arrayContaining(['p1 east count: 1 of 1', 'p1 west count: 1 of 1']));
  });

  test('of a consumer that moves within an aggregate, or shrinks there, is not refused; one that moves into it is', async () => {
    await hold('a', { h1: 8 });
    await set([vcpu(4), vcpu(4, west), vcpu(100, null)]);
    await hold('a', { n1: 7 });
    await refused(() => hold('a', { n2: 7 }), { aggregate: west, used: 0, requested: 7 });
    await hold('a', { n1: 3, n2: 4 });
    expect(await shown()).toEqual(expect.arrayContaining(['p1 VCPU: 7 of 100', 'p1 east VCPU: 3 of 4', 'p1 west VCPU: 4 of 4']));
  });

  test('obeys those of users, of types, of the project above, and the defaults, each for the same aggregate', async () => {
    await set([vcpu(9), vcpu(9, west)], {});
    await set([vcpu(12)], { project: 'above' });
    await set([vcpu(6), { ...vcpu(2), user: 'u2' }, { ...vcpu(3), consumerType: 'MIGRATION' }], { project: 'p1', parent: 'above' });
    await refused(() => hold('a', { h1: 3 }, { user: 'u2' }), { user: 'u2', aggregate: east, amount: 2 });
    await refused(() => hold('a', { h1: 4 }, { type: 'MIGRATION' }), { consumerType: 'MIGRATION', amount: 3 });
    await refused(() => hold('a', { h1: 7 }), { project: 'p1', amount: 6 });
    await refused(() => hold('a', { h2: 10 }), { project: 'p1', aggregate: west, amount: 9 });
    await hold('a', { h1: 6 });
    await hold('b', { h1: 6 }, { project: 'above' });
    await refused(() => hold('c', { h1: 1 }, { project: 'above' }), { project: 'above', used: 12, requested: 1 });
    await hold('c', { h1: 9 }, { project: 'quite new' });
    await refused(() => hold('d', { h1: 1 }, { project: 'quite new' }), { project: 'quite new', used: 9 });
  });
});

describe('quotas for aggregates', () => {
  test('are refused for one that does not exist, and twice for the same', async () => {
    const problem = async (quotas: QuotaList) => (await refusalOf(database.db, () => set(quotas)))[0];
    expect(await problem([vcpu(1), vcpu(1, uuidOf('nowhere'))])).toEqual({
      ...{ code: 'NOT_FOUND', path: ['quotas', '1', 'aggregate'] },
      details: { noun: 'aggregate', key: uuidOf('nowhere') },
    });
    expect((await problem([vcpu(1), vcpu(2, null), vcpu(3)]))?.path).toEqual(['quotas', '2']);
  });

  test('count what is there when they are set, and an audit mends them', async () => {
    await hold('a', { h1: 3, n1: 1, n2: 5 });
    await hold('b', { pool: 2 }, { project: 'p2' });
    await set([vcpu(10), { aggregate: east, amount: 10 }], {});
    expect(await shown()).toEqual(['p1 east count: 1 of 10', 'p1 east VCPU: 4 of 10']);
    expect(await shown('p2')).toEqual(['p2 east count: 1 of 10', 'p2 east VCPU: 2 of 10']);
    await database.db.writes`update quota_uses set used = used + 2`;
    expect((await findWrongQuotas(database.db)).examples[0]).toMatch(/in aggregate/);
    const report = await runAudit(database.db, () => {}, { fix: true });
    expect(report).toMatchObject({ differences: 0 });
    expect(await shown()).toEqual(['p1 east count: 1 of 10', 'p1 east VCPU: 4 of 10']);
  });

  test('are imported with their aggregates, which need no members yet, and counted as these get some', async () => {
    await hold('a', { h2: 3 });
    const north = uuidOf('north');
    const body = { parent: null, quotas: [{ user: null, consumerType: null, resourceClass: 'VCPU', aggregate: north, amount: 4 }] };
    await seedOf().write('import_records', { records: [{ kind: 'project_quotas', name: 'p1', uuid: uuidOf('q'), body }] });
    expect(await shown()).toEqual(['p1 VCPU: 0 of 4']);
    expect((await findWrongQuotas(database.db)).examples).toEqual([]);
    await seedOf().aggregates('h2', ['north']);
    expect(await shown()).toEqual(['p1 VCPU: 3 of 4']);
  });
});

describe('what counts in an aggregate follows', () => {
  const count = async () => {
    expect((await findWrongQuotas(database.db)).examples).toEqual([]);
    return (await shown()).map((line) => line.replace(/^p1 | of .*/g, '')).toSorted();
  };
  const begin = async () => {
    await set([vcpu(1), vcpu(1, west), { aggregate: east, amount: 1 }, { aggregate: west, amount: 1 }]);
    await replaceAllocations(scopeOf(database.db), {
      consumers: [wanted('a', { h1: 1, n1: 2, h2: 4 }), wanted('b', { n1: 8, pool: 16 })],
    });
    expect(await count()).toEqual(['east VCPU: 27', 'east count: 2', 'west VCPU: 20', 'west count: 2']);
  };

  test('the aggregates of roots, never those of other providers, and refuses nothing', async () => {
    await begin();
    await seedOf().aggregates('n1', ['east', 'west']);
    await seedOf().aggregates('h1', ['west', 'east']);
    expect(await count()).toEqual(['east VCPU: 27', 'east count: 2', 'west VCPU: 31', 'west count: 2']);
    await seedOf().aggregates('h1', []);
    expect(await count()).toEqual(['east VCPU: 16', 'east count: 1', 'west VCPU: 20', 'west count: 2']);
    await seedOf().aggregates('pool', ['rack']);
    expect(await count()).toEqual(['east VCPU: 0', 'east count: 0', 'west VCPU: 4', 'west count: 1']);
  });

  test('a subtree that becomes a tree of its own, and one that is moved below another root', async () => {
    await begin();
    await place('n1', null);
    expect(await count()).toEqual(['east VCPU: 17', 'east count: 2', 'west VCPU: 30', 'west count: 2']);
    await place('n1', 'h2');
    await seedOf().write('update_resource_provider', { provider: uuidOf('n1'), expect: {}, name: 'renamed', parent: uuidOf('h1') });
    expect(await count()).toEqual(['east VCPU: 27', 'east count: 2', 'west VCPU: 20', 'west count: 2']);
    await seedOf().write('update_resource_provider', { provider: uuidOf('n1'), expect: {}, name: 'n1' });
  });

  test('a tree that is set as a whole, with what its consumers get, and an import', async () => {
    await begin();
    const { consumer: uuid } = wanted('a', {});
    const allocations = [{ provider: uuidOf('n1'), resourceClass: 'VCPU', amount: 3 }];
    await seedOf().write('apply_provider_tree', {
      ...{ root: uuidOf('h1'), dryRun: false, removed: [] },
      providers: [
        { uuid: uuidOf('h1'), name: 'h1', parent: null, expect: {}, aggregates: [west] },
        { uuid: uuidOf('n1'), name: 'n1', parent: 'h1', expect: {}, aggregates: [east] },
      ],
      consumers: [{ uuid, expect: {}, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false, allocations }],
    });
    expect(await count()).toEqual(['east VCPU: 16', 'east count: 1', 'west VCPU: 27', 'west count: 2']);
    const range = { total: 10_000, reserved: 0, minUnit: 1, maxUnit: 10_000, stepSize: 1, allocationRatio: 1 };
    const plain = { generation: 90, inventories: [{ resourceClass: 'VCPU', ...range }], traits: [] };
    await seedOf().write('import_resource_providers', {
      providers: [
        { ...plain, uuid: uuidOf('h1'), name: 'h1', parent: uuidOf('n2'), aggregates: [] },
        { ...plain, uuid: uuidOf('n1'), name: 'n1', parent: null, aggregates: [east] },
      ],
    });
    expect(await count()).toEqual(['east VCPU: 27', 'east count: 2', 'west VCPU: 16', 'west count: 1']);
  });
});

/** What is used of each quota, by its id: added up here from the rows, one by one. */
async function countByHand(): Promise<Map<number, number>> {
  const { sql } = database.db;
  const held = await sql<{ consumer: number; project: number; user: number; type: number; class: number; used: number; zones: number[] }[]>`
    select c.id::int as consumer, c.project_id::int as project, c.user_id::int as "user", c.consumer_type_id::int as type, a.resource_class_id as class, a.used,
      (with recursive above as (
        select p.id, p.parent_provider_id from resource_providers p where p.id = a.resource_provider_id
        union all select p.id, p.parent_provider_id from resource_providers p join above on p.id = above.parent_provider_id
      ) select coalesce(array_agg(m.aggregate_id::int), '{}') from above join resource_provider_aggregates m on m.resource_provider_id = above.id
        where above.parent_provider_id is null) as zones
    from allocations a join consumers c on c.id = a.consumer_id`;
  const parentOf = new Map(
    (await sql<{ id: number; above: number }[]>`select project_id::int as id, parent_id::int as above from project_parents`).map(
      ({ id, above }) => [id, above],
    ),
  );
  const quotas = await sql<{ id: number; project: number; user: number | null; type: number | null; class: number; zone: number | null }[]>`
    select id::int, project_id::int as project, user_id::int as "user", consumer_type_id::int as type, resource_class_id as class, aggregate_id::int as zone
    from quota_uses`;
  return new Map(
    quotas.map((quota) => {
      const counted = held.filter(
        ({ project, user, type, class: of, zones }) =>
          (project === quota.project || parentOf.get(project) === quota.project) &&
          (quota.user ?? user) === user &&
          (quota.type ?? type) === type &&
          (quota.class === -1 || of === quota.class) &&
          (quota.zone === null || zones.includes(quota.zone)),
      );
      return [
        quota.id,
        quota.class === -1 ? new Set(counted.map(({ consumer }) => consumer)).size : counted.reduce((sum, { used }) => sum + used, 0),
      ];
    }),
  );
}

const usedOf = async () =>
  new Map(
    (await database.db.sql<{ id: number; used: number }[]>`select id::int, used::int from quota_uses`).map(({ id, used }) => [id, used]),
  );

const names = Object.keys(parents);
const pick = <Value>(roll: Dice, values: readonly Value[]): Value => values[roll(values.length)] as Value;
const someOf = <Value>(roll: Dice, values: readonly Value[]): Value[] => values.filter(() => roll(2) === 0);
const quotasAtRandom = (roll: Dice) =>
  someOf(roll, [east, west, null]).flatMap((aggregate) =>
    someOf(roll, ['VCPU', null]).flatMap((resourceClass) =>
      someOf(roll, ['INSTANCE', null]).map((consumerType) => ({ aggregate, resourceClass, consumerType, amount: roll(12) })),
    ),
  );
const heldAtRandom = (roll: Dice): Amounts => Object.fromEntries(someOf(roll, names).map((name) => [name, 1 + roll(3)]));
const moveTree = (roll: Dice) => {
  const parent = pick(roll, [null, ...names]);
  // Some make a loop, and are refused.
  return place(pick(roll, names), parent).catch(() => {});
};
const changeZones = (roll: Dice) => seedOf().aggregates(pick(roll, names), someOf(roll, ['east', 'west']));
/** A claim, a move or a release: done, or refused for a quota. */
const writeOf = (roll: Dice, db: Db = database.db) =>
  hold(
    `c${roll(5)}`,
    heldAtRandom(roll),
    { project: pick(roll, ['p1', 'p2']), user: pick(roll, ['u1', 'u2']), type: pick(roll, ['INSTANCE', 'MIGRATION']) },
    db,
  ).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Refusal) || error.problems[0]?.code !== 'QUOTA_EXCEEDED') throw error;
      return false;
    },
  );

test.each(historiesOf(40))(
  'history %i of claims, moves, releases, aggregates and trees counts what a recount by hand finds after each step',
  async (nth) => {
    const roll = freshDice(`zones ${nth}`);
    for (let step = 0; step < 30; step++) {
      const before = await usedOf();
      const kind = roll(10);
      if (step === 0 || kind === 0) {
        const project = pick(roll, ['p1', 'p2', undefined]);
        await set(quotasAtRandom(roll), { ...(project && { project }), ...(project === 'p2' && roll(2) === 0 && { parent: 'p1' }) });
      } else if (kind < 3) await changeZones(roll);
      else if (kind < 5) await moveTree(roll);
      else if (await writeOf(roll)) {
        const bounds = await database.db.sql<{ id: number; most: number; used: number }[]>`
        select id::int, most::int, used::int from quota_uses where most is not null`;
        // No claim makes more than a quota of what was less.
        for (const { id, most, used } of bounds) expect(used).toBeLessThanOrEqual(Math.max(most, before.get(id) ?? 0));
      }
      expect(await usedOf()).toEqual(await countByHand());
    }
  },
);

describe('at once', () => {
  test('24 claims for the last ten places of an aggregate give exactly ten, by whatever gateway, alone or together, on whatever provider', async () => {
    await set([{ aggregate: east, amount: 12 }, vcpu(1000)]);
    await hold('a', { h1: 1 });
    await hold('b', { pool: 1 });
    const other = openDatabase(database.target);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) =>
        // A claim that may find its consumer does not share a call.
        hold(`c${n}`, { [pick((sides) => n % sides, ['h1', 'n1', 'pool'])]: 1 }, { isNew: n % 3 !== 0 }, n % 4 < 2 ? database.db : other),
      ),
    );
    await other.close();
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect((outcome.reason as Refusal).problems[0]?.code).toBe('QUOTA_EXCEEDED');
    }
    expect(await shown()).toEqual(expect.arrayContaining(['p1 east count: 12 of 12', 'p1 east VCPU: 12 of 1000']));
  });

  test('a write of the aggregates of a root waits for a claim below it, and counts it', async () => {
    await set([vcpu(10), vcpu(10, west)]);
    await hold('first', { n1: 1 });
    const claimer = await database.own.reserve();
    await claimer`begin`;
    // Where a claim has read the aggregates, but counts against no quota yet.
    await claimer`select from resource_providers where uuid = ${uuidOf('n1')} for no key update`;
    let [isDone, waits] = [false, false];
    const done = () => {
      isDone = true;
    };
    const change = seedOf().aggregates('h1', ['west']).finally(done);
    while (!isDone && !waits) {
      const [row] = await database.db.sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      waits = row !== undefined;
    }
    expect(waits).toBe(true);
    await createSeed({ writes: claimer } as unknown as Db).claim('a', { n1: { VCPU: 4 } });
    await claimer`commit`;
    claimer.release();
    await change;
    expect(await shown()).toEqual(expect.arrayContaining(['p1 east VCPU: 0 of 10', 'p1 west VCPU: 5 of 10']));
  });

  test('claims and releases count exactly while the aggregates of their roots change and their providers move', async () => {
    await set([vcpu(1000), { aggregate: east, amount: 1000 }, vcpu(1000, west), { aggregate: west, amount: 1000 }], {});
    const roll = freshDice('zones at once');
    for (let round = 0; round < sampled(120); round++) {
      await Promise.all([
        ...Array.from({ length: 6 }, () => writeOf(roll)),
        ...Array.from({ length: 6 }, (_, n) => hold(`r${round} ${n}`, { [pick(roll, names)]: 1 }, { isNew: true })),
        ...Array.from({ length: 2 }, () => changeZones(roll)),
        ...Array.from({ length: 2 }, () => moveTree(roll)),
      ]);
      expect(await usedOf()).toEqual(await countByHand());
    }
    expect((await findWrongQuotas(database.db)).examples).toEqual([]);
  });
});
