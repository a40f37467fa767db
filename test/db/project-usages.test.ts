// Usages of projects from kept sums: always those of the consumers that there are, whatever is written and whenever it is summed up.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { countConsumers, countConsumersByProjects } from '../../src/db/consumers.ts';
import { type ProjectUsage, selectProjectUsages } from '../../src/db/project-usages.ts';
import { joinClaims } from '../../src/db/writes/claim-batch.ts';
import { listUsages } from '../../src/operations/allocations/usages.ts';
import { sumUpUsages } from '../../src/operations/ledger/housekeeping.ts';
import { writeAny } from '../support/any-write.ts';
import { useDatabase } from '../support/database.ts';
import { expectSoundLedger, faultsOfRows, scopeOf } from '../support/ledger.ts';
import { sampled } from '../support/profile.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
const by = { user: 'u', project: 'p', roles: [], requestId: 'req-usages' };
const projects = ['p1', 'p2'] as const;
const users = ['u1', 'u2'] as const;
const types = ['INSTANCE', 'MIGRATION', null] as const;
const hosts = ['cn1', 'cn2'] as const;

beforeEach(async () => {
  await database.own`truncate allocations, consumers, inventories, resource_providers, project_usages, events, event_subjects cascade`;
  for (const host of hosts) await createSeed(database.db).provider(host, { inventories: { VCPU: 60, MEMORY_MB: 60 } });
});

const sumUp = (most: number) => database.own`select keep_project_usages(${most})`;
const countRows = async () => (await database.own<{ rows: number }[]>`select count(*)::int as rows from project_usages`)[0]?.rows;

interface Holder {
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
  readonly amounts: Readonly<Record<string, number>>;
}

const holders = () => database.own<Holder[]>`
  select p.external_id as project, u.external_id as "user", t.name as type, (
    select json_object_agg(name, used) from (
      select rc.name, sum(a.used) as used from allocations a join resource_classes rc on rc.id = a.resource_class_id where a.consumer_id = c.id group by rc.name
    ) held) as amounts
  from consumers c join projects p on p.id = c.project_id join users u on u.id = c.user_id left join consumer_types t on t.id = c.consumer_type_id`;

function usagesOf(some: readonly Holder[], byType: boolean): ProjectUsage[] {
  const groups = new Map<string | null, { consumerCount: number; amounts: Record<string, number> }>();
  for (const { type, amounts } of some) {
    const key = byType ? type : null;
    const group = groups.get(key) ?? { consumerCount: 0, amounts: {} };
    group.consumerCount += 1;
    for (const [name, amount] of Object.entries(amounts)) group.amounts[name] = (group.amounts[name] ?? 0) + amount;
    groups.set(key, group);
  }
  const rank = (type: string | null) => type ?? '~';
  return [...groups]
    .map(([consumerType, group]) => ({ consumerType, ...group }))
    .sort((one, other) => (rank(one.consumerType) < rank(other.consumerType) ? -1 : 1));
}

/** Every question about usages by owner and type is answered as by counting the consumers. */
async function expectTrueUsages(): Promise<void> {
  const all = await holders();
  for (const project of projects) {
    for (const user of [undefined, ...users]) {
      const some = all.filter((holder) => holder.project === project && (user === undefined || holder.user === user));
      for (const byType of [true, false])
        expect(await selectProjectUsages(database.db, { project, user }, byType)).toEqual(usagesOf(some, byType));
      for (const type of types) {
        const question = { project, user, ...(type === null ? { untyped: true } : { type }) };
        const ofType = some.filter((holder) => holder.type === type);
        expect(await selectProjectUsages(database.db, question, false)).toEqual(usagesOf(ofType, false));
      }
    }
  }
  const numbers = projects.map((project) => ({ parent: project, count: all.filter((holder) => holder.project === project).length }));
  const counts = await countConsumersByProjects(database.db, projects, {});
  expect(counts.filter(({ count }) => count > 0).toSorted((one, other) => (one.parent < other.parent ? -1 : 1))).toEqual(
    numbers.filter(({ count }) => count > 0),
  );
  expect(await countConsumers(database.db, { projects: ['p1'], not: { users: ['u1'] } })).toBe(
    all.filter(({ project, user }) => project === 'p1' && user !== 'u1').length,
  );
  expect(await countConsumers(database.db, {})).toBe(all.length);
  const told = async (args: Parameters<typeof listUsages>[1]) =>
    (await listUsages(scopeOf(database.db), args)).rows.map(({ consumerCount, resources }) => ({
      consumerCount,
      amounts: Object.fromEntries(resources.map(({ resourceClass, amount }) => [resourceClass.name, amount])),
    }));
  const expected = projects.flatMap((project) =>
    usagesOf(
      all.filter((holder) => holder.project === project),
      false,
    ),
  );
  const counted = expected.map(({ consumerCount, amounts }) => ({ consumerCount, amounts }));
  expect(await told({ groupBy: ['PROJECT'] })).toEqual(counted);
  expect((await listUsages(scopeOf(database.db), { groupBy: ['PROJECT'] })).rows).toHaveLength(counted.length);
  const others = usagesOf(
    all.filter(({ user, type }) => user !== 'u1' || type === null),
    false,
  );
  const filter = { or: [{ not: { users: ['u1'] } }, { untyped: true }] };
  expect(await told({ groupBy: [], filter })).toEqual(
    others.length === 0 ? [{ consumerCount: 0, amounts: {} }] : others.map(({ consumerCount, amounts }) => ({ consumerCount, amounts })),
  );
}

const owner = fc.record({ project: fc.constantFrom(...projects), user: fc.constantFrom(...users), type: fc.constantFrom(...types) });
const amounts = fc.array(
  fc.record({
    host: fc.constantFrom(...hosts),
    resourceClass: fc.constantFrom('VCPU', 'MEMORY_MB'),
    amount: fc.integer({ min: 1, max: 30 }),
  }),
  { minLength: 1, maxLength: 3 },
);
const name = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  fc.record({ do: fc.constant('replace' as const), name, owner, amounts, keepType: fc.boolean() }),
  fc.record({ do: fc.constant('replace' as const), name, owner, amounts, keepType: fc.boolean() }),
  fc.record({ do: fc.constant('release' as const), name }),
  fc.record({ do: fc.constant('take' as const), name, from: name, owner }),
  fc.record({ do: fc.constant('import' as const), name, owner, amounts }),
  fc.record({
    do: fc.constant('claim' as const),
    claims: fc.array(fc.record({ owner, amounts }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('sum up' as const), most: fc.integer({ min: 1, max: 6 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const imported = (amount: number): Extract<Step, { do: 'import' }> => ({
  ...{ do: 'import', name: 'c', owner: { project: 'p1', user: 'u1', type: null } },
  amounts: [{ host: 'cn1', resourceClass: 'VCPU', amount }],
});
/** Every kind of step is done once, whatever the dice do. */
const everyKind: Step[] = [
  { do: 'claim', claims: [imported(1)] },
  { do: 'claim', claims: [imported(1), imported(60)] },
  { ...imported(1), do: 'replace', name: 'a', keepType: false },
  { do: 'take', name: 'b', from: 'a', owner: imported(1).owner },
  imported(1),
  { do: 'release', name: 'c' },
  { do: 'sum up', most: 6 },
];

let claimed = 0;

async function take(one: Step): Promise<unknown> {
  const { db } = database;
  const held = (some: readonly { host: string; resourceClass: string; amount: number }[]) =>
    [...new Map(some.map((each) => [`${each.host} ${each.resourceClass}`, each])).values()].map(({ host, ...rest }) => ({
      provider: uuidOf(host),
      ...rest,
    }));
  switch (one.do) {
    case 'replace': {
      const wanted = { uuid: uuidOf(one.name), expect: {}, ...one.owner, keepType: one.keepType, allocations: held(one.amounts) };
      return writeAny(db, 'replace_allocations', { consumers: [wanted] });
    }
    case 'release':
      return writeAny(db, 'release_allocations', { consumers: [{ uuid: uuidOf(one.name), expect: {}, keepType: true, allocations: [] }] });
    case 'take': {
      if (one.name === one.from) return undefined;
      const from = { uuid: uuidOf(one.from), expect: {}, keepType: true, allocations: [] };
      const taker = {
        uuid: uuidOf(one.name),
        expect: {},
        keepType: false,
        type: one.owner.type,
        takeFrom: uuidOf(one.from),
        allocations: [],
      };
      return writeAny(db, 'move_allocations', { consumers: [from, taker] });
    }
    case 'import':
      return writeAny(db, 'import_consumers', {
        consumers: [
          { uuid: uuidOf(one.name), expect: {}, generation: 1 + claimed++, keepType: false, ...one.owner, allocations: held(one.amounts) },
        ],
      });
    case 'claim': {
      const request = joinClaims(
        one.claims.map((claim) => ({
          call: { by },
          consumers: [{ uuid: uuidOf(`claimed ${claimed++}`), ...claim.owner, allocations: held(claim.amounts) }],
        })),
      );
      return writeAny(db, 'claim_together', request);
    }
    case 'sum up':
      return sumUp(one.most);
  }
}

test('usages equal those of the existing consumers, after any writes with sums of any in between', async () => {
  const done = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const one of steps) {
        const answer = await take(one);
        if (answer instanceof Object && !('refusal' in answer))
          done.add('apart' in answer && String(answer.apart) !== '' ? 'some apart' : one.do);
      }
      await expectTrueUsages();
      await expectSoundLedger(database.db);
      await sumUpUsages(database.db);
      await expectTrueUsages();
      await expectSoundLedger(database.db);
    }),
    { numRuns: sampled(25), examples: [[everyKind]] },
  );
  expect(done.size).toBe(7);
});

test('usages are summed up to a row for each user, type and class, and to none where nothing is held', async () => {
  const seed = createSeed(database.db);
  for (let nth = 0; nth < 10; nth += 1) await seed.claim(`server ${nth}`, { cn1: { VCPU: 2, MEMORY_MB: 1 } });
  expect(await countRows()).toBe(30);
  await sumUpUsages(database.db);
  expect(await countRows()).toBe(3);
  await seed.claim('other', { cn1: { VCPU: 2 } }, { user: 'u2' });
  await sumUpUsages(database.db);
  expect(await countRows()).toBe(5);
  const consumers = Array.from({ length: 10 }, (_, nth) => ({
    uuid: uuidOf(`server ${nth}`),
    expect: {},
    keepType: true,
    allocations: [],
  }));
  await seed.write('release_allocations', { consumers });
  await sumUpUsages(database.db);
  expect(await countRows()).toBe(2);
});

test('a call of 100 consumers of one project appends a row for each class and one for their number', async () => {
  const consumers = Array.from({ length: 100 }, (_, nth) => ({
    ...{ uuid: uuidOf(`of 100: ${nth}`), project: 'p1', user: 'u1', type: null },
    allocations: hosts.slice(nth % 2, 1 + (nth % 2)).map((host) => ({ provider: uuidOf(host), resourceClass: 'VCPU', amount: 1 })),
  }));
  await writeAny(database.db, 'claim_together', joinClaims([{ call: { by }, consumers }]));
  expect(await countRows()).toBe(2);
  await expectTrueUsages();
});

describe('beside writes', () => {
  test('nobody waits for an uncommitted write, and what it writes is not lost', async () => {
    const seed = createSeed(database.db);
    await seed.claim('first', { cn1: { VCPU: 1 } });
    await database.own.begin(async (sql) => {
      const wanted = { uuid: uuidOf('first'), expect: {}, project: 'p2', user: 'u1', type: null, keepType: false };
      const allocations = [{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 5 }];
      const request = { kind: 'ALLOCATIONS_REPLACED', by, consumers: [{ ...wanted, allocations }] };
      const [row] = await sql`select apply_write('replace_allocations', ${sql.json(request)}) as answer`;
      expect(row?.answer).not.toHaveProperty('unknownNames');
      await sumUpUsages(database.db);
      expect(await selectProjectUsages(database.db, { project: 'p1' }, false)).toMatchObject([{ amounts: { VCPU: 1 } }]);
    });
    expect(await selectProjectUsages(database.db, { project: 'p1' }, false)).toEqual([]);
    expect(await selectProjectUsages(database.db, { project: 'p2' }, false)).toMatchObject([{ amounts: { VCPU: 5 } }]);
    await sumUpUsages(database.db);
    await expectTrueUsages();
  });

  test('one of several gateways sums up, and every snapshot has all that is held, once', async () => {
    let isOver = false;
    const summing = Array.from({ length: 3 }, async () => {
      while (!isOver) await sumUp(7);
    });
    const looking = (async () => {
      const faults: string[] = [];
      while (!isOver) faults.push(...(await faultsOfRows(database.db)));
      return faults;
    })();
    const writing = Array.from({ length: 6 }, async (_, writer) => {
      for (let round = 0; round < 25; round += 1) {
        const wanted = { uuid: uuidOf(`writer ${writer}`), expect: {}, keepType: false, type: types[round % 3] };
        const owned = { project: projects[round % 2], user: users[(round >> 1) % 2] };
        const allocations = round % 5 === 4 ? [] : [{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 1 + (round % 7) }];
        await writeAny(database.db, 'replace_allocations', { consumers: [{ ...wanted, ...owned, allocations }] });
      }
    });
    await Promise.all(writing).finally(() => {
      isOver = true;
    });
    await Promise.all(summing);
    expect(await looking).toEqual([]);
    await expectTrueUsages();
  });
});
