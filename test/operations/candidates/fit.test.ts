// How many more of a request quotas allow, against claims: one after another, until the database refuses.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decidingQuota } from '../../../src/domain/candidates/fit.ts';
import type { Refusal } from '../../../src/domain/errors.ts';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { claim } from '../../../src/operations/candidates/claims.ts';
import { findFit } from '../../../src/operations/candidates/fit.ts';
import type { CandidatesInput } from '../../../src/operations/candidates/requests.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Dice, freshDice } from '../../support/dice.ts';
import { historiesOf } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(() => database.drop());

/** Of a caller whose claims obey quotas. */
const scope = () =>
  new Scope({
    db: database.db,
    identity: plainIdentity('noauth', 'admin', 'admin', ['admin']),
    requestId: 'req-test',
    quotasOfRest: true,
  });

type QuotaInputs = Parameters<typeof replaceQuotas>[1]['quotas'];
const set = (quotas: QuotaInputs, of: { project?: string; parentProject?: string } = { project: 'p1' }) =>
  replaceQuotas(scope(), { expect: { unchecked: true }, quotas, ...of });
const owner = { project: 'p1', user: 'u1', consumerType: 'INSTANCE' };
const asking = (amounts: Readonly<Record<string, number>>): CandidatesInput => ({
  groups: [{ resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })) }],
});

/** What the answer says: how many fit and are allowed, and the quota that decides. */
async function told(input: CandidatesInput, within: Parameters<typeof findFit>[2] = owner) {
  const fit = await findFit(scope(), input, within);
  const decides = decidingQuota(fit);
  const { project, resourceClass = null, aggregate = null } = decides ?? {};
  return {
    ...{ total: fit.total, allowed: fit.allowance?.count ?? null },
    by: decides && [project, resourceClass ?? 'consumers', ...(aggregate ? [aggregate] : [])].join(' '),
  };
}

/** Claims for one consumer after another. Returns how many got a place, and why the next one did not. */
async function claimAll(request: CandidatesInput, of = owner) {
  for (let count = 0; ; count++) {
    const consumers = [{ ...of, consumer: uuidOf(`claimed ${count}`), expect: { isNew: true as const } }];
    const refused = await claim(scope(), { consumers, request }).then(
      () => null,
      (error: unknown) => error,
    );
    if (refused !== null) return { count, code: (refused as Refusal).problems[0]?.code };
  }
}

test('the tightest quota decides: of the project, of a user or type, or of the project above', async () => {
  await seed.provider('h1', { inventories: { VCPU: 100, DISK_GB: 300 } });
  await seed.claim('sibling', { h1: { VCPU: 10 } }, { project: 'p2' });
  const request = asking({ VCPU: 2, DISK_GB: 10 });
  expect(await told(request)).toEqual({ total: 30, allowed: null, by: null });
  await set([{ resourceClass: 'VCPU', amount: 70 }]);
  expect(await told(request)).toEqual({ total: 30, allowed: 35, by: null });
  await set([{ resourceClass: 'VCPU', amount: 50 }], { project: 'above' });
  await set([], { project: 'p2', parentProject: 'above' });
  const own = [
    { resourceClass: 'DISK_GB', amount: 205 },
    { consumerType: 'INSTANCE', amount: 7 },
    { user: 'u2', amount: 3 },
  ];
  await set(own, { project: 'p1', parentProject: 'above' });
  expect(await told(request)).toEqual({ total: 30, allowed: 7, by: 'p1 consumers' });
  expect(await told(request, { ...owner, user: 'u2' })).toMatchObject({ allowed: 3 });
  expect(await told(request, { project: 'p1' })).toEqual({ total: 30, allowed: 20, by: 'p1 DISK_GB' });
  await seed.claim('more', { h1: { VCPU: 15 } }, { project: 'p2' });
  expect(await told(request, { project: 'p1' })).toEqual({ total: 30, allowed: 12, by: 'above VCPU' });
});

test('a quota for an aggregate counts only what goes there: what fits elsewhere is allowed beside it', async () => {
  await seed.provider('e1', { inventories: { VCPU: 10 }, aggregates: ['east'] });
  await seed.provider('w1', { inventories: { VCPU: 4 }, aggregates: ['west'] });
  await seed.provider('nowhere', { inventories: { VCPU: 1 } });
  const inEast = { resourceClass: 'VCPU', aggregate: uuidOf('east') };
  await set([{ ...inEast, amount: 12 }]);
  expect(await told(asking({ VCPU: 1 }))).toEqual({ total: 15, allowed: null, by: null });
  await set([{ ...inEast, amount: 3 }]);
  expect(await told(asking({ VCPU: 1 }))).toEqual({ total: 15, allowed: 8, by: `p1 VCPU ${uuidOf('east')}` });
  const onlyEast = { ...asking({ VCPU: 1 }), rootAggregates: [{ allOf: [uuidOf('east')] }] };
  await set([{ ...inEast, amount: 12 }]);
  expect(await told(onlyEast)).toEqual({ total: 10, allowed: 12, by: null });
});

test('a project that does not exist yet has the defaults', async () => {
  await seed.provider('h1', { inventories: { VCPU: 10 } });
  await set([{ resourceClass: 'VCPU', amount: 5 }], {});
  expect(await told(asking({ VCPU: 2 }), { project: 'new' })).toEqual({ total: 5, allowed: 2, by: 'new VCPU' });
});

const pick = <One>(roll: Dice, list: readonly One[]): One => list[roll(list.length)] as One;

/** Quotas of any kind, each for another subject. */
function randomQuotas(roll: Dice, { count, zones }: { readonly count: number; readonly zones: readonly string[] }): QuotaInputs {
  const quotas = new Map<string, QuotaInputs[number]>();
  for (let n = 0; n < count; n++) {
    const resourceClass = pick(roll, ['VCPU', 'VCPU', 'DISK_GB', 'MEMORY_MB', null]);
    const subject = {
      ...{ resourceClass, consumerType: pick(roll, ['INSTANCE', null, null, 'MIGRATION']) },
      ...(zones.length > 0 && roll(3) > 0 && { aggregate: uuidOf(pick(roll, zones)) }),
    };
    quotas.set(JSON.stringify(subject), { ...subject, amount: pick(roll, [null, roll(6), roll(20), roll(20)]) });
  }
  return [...quotas.values()];
}

test.each(historiesOf(150))(
  'as many can be claimed as fit and are allowed, and the quota that decides refuses the next one (%i)',
  async (history) => {
    const roll = freshDice(`fit within quotas ${history}`);
    const zones = ['east', 'west', 'north'];
    const hasPool = roll(2) === 0;
    for (let n = 0; n < 2 + roll(4); n++) {
      const inventories = { VCPU: 1 + roll(8), MEMORY_MB: 20, ...(!hasPool && { DISK_GB: 1 + roll(20) }) };
      const aggregates = [...zones.filter(() => roll(3) === 0), 'storage'];
      await seed.provider(`host ${n}`, { inventories, aggregates });
    }
    if (hasPool)
      await seed.provider('pool', {
        inventories: { DISK_GB: 1 + roll(30) },
        traits: ['MISC_SHARES_VIA_AGGREGATE'],
        aggregates: ['storage', ...zones.filter(() => roll(3) === 0)],
      });
    // Each zone exists, even if no host is in it.
    await seed.provider('no host', { aggregates: zones });
    await seed.provider('elsewhere', { inventories: { CUSTOM_X: 100, VCPU: 100 } });
    await seed.claim('own', { 'host 0': { VCPU: 1 }, elsewhere: { CUSTOM_X: 1 } });
    await seed.claim('of another user', { 'host 1': { VCPU: 1 } }, { user: 'u2' });
    await seed.claim('of a sibling', { elsewhere: { VCPU: 3 } }, { project: 'p2' });
    const mayHave = { count: roll(6), zones: [...zones, 'storage'] };
    await set(randomQuotas(roll, { count: roll(3), zones: roll(2) === 0 ? zones : [] }), {});
    await set(randomQuotas(roll, { count: roll(3), zones: roll(2) === 0 ? zones : [] }), { project: 'above' });
    for (const project of ['p1', 'p2']) {
      const ofUser = roll(3) === 0 ? [{ resourceClass: 'VCPU', user: pick(roll, ['u1', 'u2']), amount: roll(9) }] : [];
      await set([...randomQuotas(roll, mayHave), ...ofUser], { project, ...(roll(2) === 0 && { parentProject: 'above' }) });
    }
    const amounts = { VCPU: 1 + roll(2), ...(roll(2) === 0 && { DISK_GB: 1 + roll(4) }), ...(roll(3) === 0 && { MEMORY_MB: 1 + roll(4) }) };
    const request = {
      ...asking(amounts),
      // The room of the provider that other consumers are on is not for hosts alone.
      rootAggregates: [{ allOf: [uuidOf('storage')] }, ...(roll(3) === 0 ? [{ allOf: [uuidOf(pick(roll, zones))] }] : [])],
    };
    const of = { ...owner, ...(roll(5) === 0 && { user: 'u2' }), ...(roll(5) === 0 && { project: 'new' }) };
    const { total, allowed, by } = await told(request, of);
    const { count, code } = await claimAll(request, of);
    expect(count).toBe(Math.min(total, allowed ?? total));
    expect([code, by === null]).toEqual(count < total ? ['QUOTA_EXCEEDED', false] : ['NO_CANDIDATES', allowed !== total]);
  },
);

test('questions about a period, which may read much of the cloud, leave connections to other reads', async () => {
  await seed.provider('h1', { inventories: { VCPU: 8 } });
  const question = { ...asking({ VCPU: 1 }), during: { from: '2099-01-01T00:00:00Z', until: '2099-02-01T00:00:00Z' } };
  // The forest is loaded before the table is locked.
  await findFit(scope(), question);
  const { db, own } = database;
  let answers: Promise<unknown> = Promise.resolve();
  await own.begin(async (holder) => {
    await holder`lock table reservation_amounts in access exclusive mode`;
    answers = Promise.all(Array.from({ length: 20 }, () => [findFit(scope(), question), findCandidates(scope(), question)]).flat());
    answers.catch(() => {});
    await expect.poll(async () => (await own`select from pg_locks where not granted`).length).toBeGreaterThan(0);
    expect(await db.sql`select 1 as one`).toEqual([{ one: 1 }]);
  });
  expect(await answers).toHaveLength(40);
});
