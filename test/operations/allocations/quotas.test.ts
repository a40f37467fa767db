// The quotas of projects: what counts against them, and that no race passes them.
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runAudit } from '../../../src/commands/audit.ts';
import { findWrongQuotas } from '../../../src/db/audit.ts';
import { selectQuotaUses } from '../../../src/db/quotas.ts';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { findQuotas, replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import { claim } from '../../../src/operations/candidates/claims.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { useDatabase } from '../../support/database.ts';
import { clearSoundLedger, countEvents, dumpTables, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { sampled } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
/** Of a caller whose claims obey quotas. */
const scope = (db: Db = database.db) =>
  new Scope({ db, identity: plainIdentity('noauth', 'admin', 'admin', ['admin']), requestId: 'req-test', quotasOfRest: true });

type Quotas = Parameters<typeof replaceQuotas>[1];
const set = (quotas: Quotas['quotas'], { project, parent }: { readonly project?: string; readonly parent?: string } = { project: 'p1' }) =>
  replaceQuotas(scopeOf(database.db), {
    expect: { unchecked: true },
    quotas,
    ...(project && { project }),
    ...(parent && { parentProject: parent }),
  });

interface Holding {
  readonly consumer: string;
  readonly vcpu: number;
  readonly memory?: number;
  readonly project?: string;
  readonly user?: string;
  readonly type?: string;
  readonly host?: string;
}

function wanted({ consumer, vcpu, memory = 0, project = 'p1', user = 'u1', type = 'INSTANCE', host = 'h1' }: Holding) {
  const resources = [
    { resourceClass: 'VCPU', amount: vcpu },
    { resourceClass: 'MEMORY_MB', amount: memory },
  ].filter(({ amount }) => amount > 0);
  return {
    ...{ consumer: uuidOf(consumer), project, user, consumerType: type, expect: { unchecked: true } },
    hold: { allocations: resources.length === 0 ? [] : [{ resourceProvider: uuidOf(host), resources }] },
  };
}

const hold = (...holdings: readonly Holding[]) => replaceAllocations(scope(), { consumers: holdings.map(wanted) });
const shown = async (project = 'p1') =>
  (await selectQuotaUses(database.db, [project], true)).map(
    ({ resourceClass, consumerType, user, project: whose, amount, used }) =>
      `${whose} ${[resourceClass ?? 'count', consumerType, user].filter(Boolean).join(' ')}: ${used} of ${amount}`,
  );
const excess = (details: object) => [{ code: 'QUOTA_EXCEEDED', path: ['consumers', '0'], details: expect.objectContaining(details) }];

beforeAll(async () => {
  const seed = createSeed(database.db);
  const inventories = { VCPU: 10_000, MEMORY_MB: 1_000_000 };
  for (const host of ['h1', 'h2']) await seed.provider(host, { inventories });
});
afterEach(async () => {
  await clearCounted();
  await database.db.writes`delete from events where kind = 'REPLACE_QUOTAS'`;
});

/** After a test: what is kept as used is what consumers hold, before and after their release. */
async function clearCounted(): Promise<void> {
  const { db } = database;
  const wrong = async () => (await findWrongQuotas(db)).examples;
  expect(await wrong()).toEqual([]);
  await clearSoundLedger(db);
  expect(await wrong()).toEqual([]);
  await db.writes`delete from records where kind in ('project_quotas', 'default_quotas')`;
  await db.writes`delete from quota_uses`;
  await db.writes`delete from project_parents`;
}

describe('a claim', () => {
  test('is refused beyond the quota of its project, with what there is, and writes nothing', async () => {
    await set([{ resourceClass: 'VCPU', amount: 10 }]);
    await hold({ consumer: 'a', vcpu: 8 });
    const before = await dumpTables(database.db);
    expect(await refusalOf(database.db, () => hold({ consumer: 'b', vcpu: 3 }))).toEqual(
      excess({ project: 'p1', resourceClass: 'VCPU', consumerType: null, user: null, amount: 10, used: 8, requested: 3 }),
    );
    expect(await dumpTables(database.db)).toEqual(before);
    await hold({ consumer: 'b', vcpu: 2 });
    expect(await shown()).toEqual(['p1 VCPU: 10 of 10']);
  });

  test('of another project, of a caller who obeys no quotas, or with nothing more than before is not refused', async () => {
    await hold({ consumer: 'a', vcpu: 8, memory: 100 });
    await set([{ resourceClass: 'VCPU', amount: 4 }]);
    await hold({ consumer: 'b', vcpu: 8, project: 'p2' });
    await hold({ consumer: 'a', vcpu: 8, memory: 200, host: 'h2' });
    await hold({ consumer: 'a', vcpu: 7 });
    expect(await refusalOf(database.db, () => hold({ consumer: 'a', vcpu: 8 }))).toEqual(excess({ used: 7, requested: 1 }));
    await replaceAllocations(scopeOf(database.db), { consumers: [wanted({ consumer: 'a', vcpu: 9 })] });
    expect(await shown()).toEqual(['p1 VCPU: 9 of 4']);
  });

  test('counts what the whole call adds: one consumer may grow while another shrinks', async () => {
    await hold({ consumer: 'a', vcpu: 6 }, { consumer: 'b', vcpu: 4 });
    await set([
      { resourceClass: 'VCPU', amount: 10 },
      { resourceClass: null, amount: 2 },
    ]);
    await hold({ consumer: 'b', vcpu: 6 }, { consumer: 'a', vcpu: 4 });
    await hold({ consumer: 'c', vcpu: 4 }, { consumer: 'a', vcpu: 0 });
    expect(await refusalOf(database.db, () => hold({ consumer: 'd', vcpu: 1 }, { consumer: 'b', vcpu: 5 }))).toEqual(
      excess({ resourceClass: null, amount: 2, used: 2, requested: 1 }),
    );
  });

  test('moves to another project: it counts there, and no longer here', async () => {
    await hold({ consumer: 'a', vcpu: 6 });
    await set([{ resourceClass: 'VCPU', amount: 5 }], { project: 'p2' });
    expect(await refusalOf(database.db, () => hold({ consumer: 'a', vcpu: 6, project: 'p2' }))).toEqual(
      excess({ project: 'p2', used: 0, requested: 6 }),
    );
    await hold({ consumer: 'a', vcpu: 5, project: 'p2' });
    expect(await shown('p2')).toEqual(['p2 VCPU: 5 of 5']);
  });

  test('can be limited by type, so that the source of a move does not count, and by user', async () => {
    await set([
      { resourceClass: 'VCPU', consumerType: 'INSTANCE', amount: 4 },
      { consumerType: 'INSTANCE', amount: 3 },
      { resourceClass: 'VCPU', user: 'u2', amount: 1 },
    ]);
    await hold({ consumer: 'a', vcpu: 4 });
    await hold({ consumer: 'm', vcpu: 4, type: 'MIGRATION' });
    expect(await refusalOf(database.db, () => hold({ consumer: 'b', vcpu: 1 }))).toEqual(excess({ consumerType: 'INSTANCE', used: 4 }));
    expect(await refusalOf(database.db, () => hold({ consumer: 'b', vcpu: 2, type: 'MIGRATION', user: 'u2' }))).toEqual(
      excess({ user: 'u2', used: 0, requested: 2 }),
    );
    expect(await shown()).toEqual(['p1 VCPU u2: 0 of 1', 'p1 count INSTANCE: 1 of 3', 'p1 VCPU INSTANCE: 4 of 4']);
  });

  test('of several consumers as far as possible gets what the quota allows, at once', async () => {
    await set([{ amount: 7 }]);
    const consumers = Array.from({ length: 20 }, (_, index) => ({
      ...{ consumer: uuidOf(`c${index}`), expect: { isNew: true }, project: 'p1', user: 'u1', consumerType: 'INSTANCE' },
    }));
    const { claims, problems } = await claim(scope(), {
      consumers,
      request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
      mode: 'BEST_EFFORT',
    });
    expect(claims).toHaveLength(7);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['QUOTA_EXCEEDED']));
    expect(problems).toHaveLength(13);
  });
});

describe('quotas', () => {
  test('of a project count instead of the defaults for the same, and null is no bound', async () => {
    await set([{ resourceClass: 'VCPU', amount: 2 }, { amount: 1 }], {});
    expect(await refusalOf(database.db, () => hold({ consumer: 'a', vcpu: 3 }))).toEqual(excess({ project: 'p1', amount: 2 }));
    await set([{ resourceClass: 'VCPU', amount: null }]);
    await hold({ consumer: 'a', vcpu: 3 });
    expect(await refusalOf(database.db, () => hold({ consumer: 'b', vcpu: 3 }))).toEqual(excess({ resourceClass: null, amount: 1 }));
    expect(await shown()).toEqual(['p1 count: 1 of 1', 'p1 VCPU: 3 of null']);
  });

  test('of a parent bound what the projects below it hold together with it', async () => {
    await set([{ resourceClass: 'VCPU', amount: 10 }], { project: 'above' });
    for (const project of ['p1', 'p2']) await set([{ resourceClass: 'VCPU', amount: 8 }], { project, parent: 'above' });
    await hold({ consumer: 'a', vcpu: 5 });
    await hold({ consumer: 'b', vcpu: 3, project: 'p2' });
    await hold({ consumer: 'c', vcpu: 1, project: 'above' });
    expect(await refusalOf(database.db, () => hold({ consumer: 'd', vcpu: 2, project: 'p2' }))).toEqual(
      excess({ project: 'above', amount: 10, used: 9, requested: 2 }),
    );
    expect(await shown()).toEqual(['p1 VCPU: 5 of 8', 'above VCPU: 9 of 10']);
    expect(await selectQuotaUses(database.db, ['p1'], false)).toHaveLength(1);
    const third = () => set([], { project: 'third', parent: 'p1' });
    expect(await refusalOf(database.db, third)).toEqual([{ code: 'INVALID_INPUT', path: ['parentProject'], details: expect.anything() }]);
    const higher = () => set([], { project: 'above', parent: 'highest' });
    expect(await refusalOf(database.db, higher)).toEqual([{ code: 'INVALID_INPUT', path: ['parentProject'], details: expect.anything() }]);
  });

  test('are replaced as a whole, counted, in the ledger, and not written when they are the same', async () => {
    expect(await findQuotas(scope(), 'p1')).toEqual({ generation: 0, parent: null, quotas: [] });
    const quota = { resourceClass: 'VCPU', consumerType: null, user: null, amount: 3 };
    expect(await set([quota])).toEqual({ generation: 1, parent: null, quotas: [quota] });
    expect(await newestEvent(database.db)).toMatchObject({ kind: 'REPLACE_QUOTAS', user: 'admin' });
    const events = await countEvents(database.db);
    expect(await set([quota])).toMatchObject({ generation: 1 });
    expect(await countEvents(database.db)).toBe(events);
    const outdated = () => replaceQuotas(scope(), { expect: { generation: 0 }, project: 'p1', quotas: [] });
    expect(await refusalOf(database.db, outdated)).toEqual([
      { code: 'SETTINGS_CONFLICT', path: ['expect'], details: { expected: 0, actual: 1 } },
    ]);
    expect(await findQuotas(scope(), 'p1')).toMatchObject({ generation: 1, quotas: [quota] });
  });

  test.each([
    ['an unknown class', { quotas: [{ resourceClass: 'CUSTOM_NONE', amount: 1 }] }, 'quotas.0.resourceClass'],
    ['a negative quota', { quotas: [{ amount: -1 }] }, 'quotas.0.amount'],
    ['two for the same', { quotas: [{ amount: 1 }, { amount: 2 }] }, 'quotas.1'],
    ['a user among the defaults', { project: undefined, quotas: [{ user: 'u1', amount: 1 }] }, 'quotas.0.user'],
    ['a parent of the defaults', { project: undefined, parentProject: 'above', quotas: [] }, 'parentProject'],
    ['itself as the parent', { parentProject: 'p1', quotas: [] }, 'parentProject'],
  ])('are refused with %s', async (_what, input, path) => {
    const run = () => replaceQuotas(scope(), { expect: { unchecked: true }, project: 'p1', ...input });
    const [problem] = await refusalOf(database.db, run);
    expect(problem?.path.join('.')).toBe(path);
  });

  test('are those of projects that are new, too', async () => {
    await set([{ resourceClass: 'VCPU', amount: 2 }], {});
    await hold({ consumer: 'a', vcpu: 2, project: 'new' });
    expect(await refusalOf(database.db, () => hold({ consumer: 'a', vcpu: 3, project: 'new' }))).toEqual(
      excess({ project: 'new', amount: 2 }),
    );
    expect(await shown('new')).toEqual(['new VCPU: 2 of 2']);
  });

  test('follow a class to its new name, and are gone with it', async () => {
    const seed = createSeed(database.db);
    await seed.write('create_resource_class', { name: 'CUSTOM_OLD' });
    await set([{ resourceClass: 'CUSTOM_OLD', amount: 3 }, { amount: 5 }]);
    await seed.write('rename_resource_class', { from: 'CUSTOM_OLD', name: 'CUSTOM_NEW' });
    expect(Object.values((await newestEvent(database.db))?.changes.records ?? {})).toMatchObject([{ after: { generation: 2 } }]);
    expect(await shown()).toEqual(['p1 count: 0 of 5', 'p1 CUSTOM_NEW: 0 of 3']);
    await seed.write('delete_resource_class', { name: 'CUSTOM_NEW' });
    expect(await shown()).toEqual(['p1 count: 0 of 5']);
    expect(await findQuotas(scope(), 'p1')).toMatchObject({ generation: 3, quotas: [{ resourceClass: null, amount: 5 }] });
  });
});

test('an audit finds what is counted wrongly, and mends it', async () => {
  await set([{ resourceClass: 'VCPU', amount: 10 }, { amount: 10 }]);
  await hold({ consumer: 'a', vcpu: 3 });
  await database.db.writes`update quota_uses set used = used + 2`;
  const report = await runAudit(database.db, () => {}, { fix: true });
  expect(report).toMatchObject({ differences: 0, found: { quotas: 2 }, mended: { quotas: 2 } });
  expect(await shown()).toEqual(['p1 count: 1 of 10', 'p1 VCPU: 3 of 10']);
});

test('an audit names projects whose quotas are not counted, until they are set again', async () => {
  await set([{ resourceClass: 'VCPU', amount: 10 }]);
  await database.db.writes`delete from quota_uses`;
  expect((await findWrongQuotas(database.db)).examples).toEqual([
    'quotas of project p1 are not counted: set them again with replaceQuotas',
  ]);
  await set([{ resourceClass: 'VCPU', amount: 10 }]);
  expect((await findWrongQuotas(database.db)).examples).toEqual([]);
});

test('an export has the quotas, and an import counts what is used of them', async () => {
  await set([{ resourceClass: 'VCPU', amount: 9 }], { project: 'above' });
  await set([{ amount: 4 }], { project: 'p1', parent: 'above' });
  await hold({ consumer: 'a', vcpu: 3 });
  const records = await database.db.sql`select kind, name, uuid, body from records where kind = 'project_quotas'`;
  await database.db.writes`delete from records where kind = 'project_quotas'`;
  await database.db.writes`delete from quota_uses`;
  await database.db.writes`delete from project_parents`;
  await createSeed(database.db).write('import_records', { records });
  expect(await shown()).toEqual(['p1 count: 1 of 4', 'above VCPU: 3 of 9']);
  await database.db.writes`delete from events where kind = 'IMPORT_RECORDS'`;
});

describe('at once', () => {
  test('24 claims for the last ten places give exactly ten, by whatever gateway and alone or together', async () => {
    await set([{ amount: 12 }]);
    await hold({ consumer: 'a', vcpu: 1 }, { consumer: 'b', vcpu: 1 });
    const other = openDatabase(database.target);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) => {
        const isAlone = n % 3 === 0;
        const one = wanted({ consumer: `c${n}`, vcpu: 1, host: n % 2 === 0 ? 'h1' : 'h2' });
        // A claim that may find its consumer does not share a call.
        const consumers = [{ ...one, expect: isAlone ? { unchecked: true } : { isNew: true } }];
        return replaceAllocations(scope(n % 4 < 2 ? database.db : other), { consumers });
      }),
    );
    await other.close();
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect((outcome.reason as Refusal).problems[0]?.code).toBe('QUOTA_EXCEEDED');
    }
    expect(await shown()).toEqual(['p1 count: 12 of 12']);
  });

  test('claims of projects below one parent give exactly what it has left', async () => {
    await set([{ resourceClass: 'VCPU', amount: 20 }], { project: 'above' });
    for (const project of ['p1', 'p2', 'p3']) await set([], { project, parent: 'above' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => hold({ consumer: `c${n}`, vcpu: 2, project: `p${(n % 3) + 1}` })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });
});

test('quotas that are set while claims and releases are under way count all of them', async () => {
  for (let round = 0; round < 8; round++) {
    const claims = Array.from({ length: 24 }, (_, n) => hold({ consumer: `r${round} ${n}`, vcpu: 1, host: n % 2 === 0 ? 'h1' : 'h2' }));
    const sets = [1, 2].map((extra) => set([{ amount: 1000 + round + extra }], round % 2 === 0 ? {} : { project: 'p1' }));
    await Promise.all([...claims, ...sets, ...Array.from({ length: 8 }, (_, n) => hold({ consumer: `r${round - 1} ${n}`, vcpu: 0 }))]);
  }
});

test('any order of quotas and writes gives what a model of sums gives', async () => {
  const projects = ['p1', 'p2'];
  const types = ['INSTANCE', 'MIGRATION'];
  const holding = fc.record({
    consumer: fc.constantFrom('a', 'b', 'c', 'd'),
    vcpu: fc.nat(4),
    memory: fc.nat(3),
    project: fc.constantFrom(...projects),
    user: fc.constantFrom('u1', 'u2'),
    type: fc.constantFrom(...types),
  });
  const quota = fc.record({
    resourceClass: fc.constantFrom('VCPU', 'MEMORY_MB', null),
    consumerType: fc.constantFrom('INSTANCE', null),
    amount: fc.option(fc.nat(8)),
  });
  const keyOf = ({ resourceClass, consumerType }: { resourceClass: string | null; consumerType: string | null }) =>
    `${resourceClass} ${consumerType}`;
  const quotas = fc.uniqueArray(quota, { maxLength: 3, selector: keyOf });
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.uniqueArray(holding, { minLength: 1, maxLength: 3, selector: ({ consumer }) => consumer }) },
    { weight: 1, arbitrary: fc.record({ project: fc.constantFrom(...projects, undefined), quotas, below: fc.boolean() }) },
  );
  type Held = Required<Omit<Holding, 'host' | 'consumer'>>;
  type Kept = {
    readonly parent: string | undefined;
    readonly quotas: readonly { resourceClass: string | null; consumerType: string | null; amount: number | null }[];
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const held = new Map<string, Held>();
      const kept = new Map<string | undefined, Kept>();
      const sum = (state: ReadonlyMap<string, Held>, members: readonly string[], { resourceClass, consumerType }: Kept['quotas'][number]) =>
        [...state.values()]
          .filter(({ project, type }) => members.includes(project) && (consumerType === null || type === consumerType))
          .reduce((total, { vcpu, memory }) => total + (resourceClass === 'VCPU' ? vcpu : resourceClass === null ? 1 : memory), 0);
      const isAllowed = (next: ReadonlyMap<string, Held>) =>
        projects.every((project) => {
          const members = projects.filter((other) => other === project || kept.get(other)?.parent === project);
          const own = kept.get(project)?.quotas ?? [];
          const inherited = (kept.get(undefined)?.quotas ?? []).filter((one) => !own.some((other) => keyOf(other) === keyOf(one)));
          return [...own, ...inherited].every(
            (one) => one.amount === null || sum(next, members, one) <= Math.max(one.amount, sum(held, members, one)),
          );
        });
      for (const one of steps) {
        if (!Array.isArray(one)) {
          const parent = one.below && one.project === 'p2' ? 'p1' : undefined;
          await set(one.quotas, { ...(one.project && { project: one.project }), ...(parent && { parent }) });
          kept.set(one.project, { parent, quotas: one.quotas });
          continue;
        }
        const next = new Map(held);
        for (const { consumer, ...rest } of one) {
          if (rest.vcpu + rest.memory === 0) next.delete(consumer);
          else next.set(consumer, rest);
        }
        const refused = await hold(...one).then(
          () => false,
          (error) => error instanceof Refusal && error.problems.every(({ code }) => code === 'QUOTA_EXCEEDED'),
        );
        expect(refused).toBe(!isAllowed(next));
        if (refused) continue;
        held.clear();
        for (const [consumer, value] of next) held.set(consumer, value);
      }
      await clearCounted();
    }),
    { numRuns: sampled(15) },
  );
});
