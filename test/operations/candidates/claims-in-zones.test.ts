// Claims beside quotas for aggregates: where the quota of one is used up, candidates are looked for outside it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findWrongQuotas } from '../../../src/db/audit.ts';
import type { Problem } from '../../../src/domain/errors.ts';
import { plainIdentity } from '../../../src/domain/identity.ts';
import type { AffinityGroup } from '../../../src/operations/allocations/affinity.ts';
import { replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import type { ClaimInput } from '../../../src/operations/candidates/claim-units.ts';
import { tryClaim } from '../../../src/operations/candidates/claims.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freshDice } from '../../support/dice.ts';
import { refusalOf, scopeOf } from '../../support/ledger.ts';
import { historiesOf } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
});
afterEach(async () => {
  expect((await findWrongQuotas(database.db)).examples).toEqual([]);
  await database.drop();
});

/** Of a caller whose claims obey quotas. */
const scope = () =>
  new Scope({
    db: database.db,
    identity: plainIdentity('noauth', 'admin', 'admin', ['admin']),
    requestId: 'req-test',
    quotasOfRest: true,
  });
const quota = (zone: string, amount: number, resourceClass: string | null = 'VCPU') => ({ resourceClass, aggregate: uuidOf(zone), amount });
const set = (quotas: Parameters<typeof replaceQuotas>[1]['quotas'], project = 'p1') =>
  replaceQuotas(scopeOf(database.db), { expect: { unchecked: true }, project, quotas });
const consumer = (name: string, project = 'p1', user = 'u1') => ({
  ...{ consumer: uuidOf(name), project, user, consumerType: 'INSTANCE' },
  expect: { isNew: true as const },
});
/** Claims one unit of each class for each consumer. Returns how many got a root, by its name. */
async function claimFor(
  consumers: ClaimInput['consumers'],
  input: Partial<ClaimInput> = {},
  classes = ['VCPU'],
  guidance: Parameters<typeof tryClaim>[2] = {},
) {
  const request = { groups: [{ resources: classes.map((resourceClass) => ({ resourceClass, amount: 1 })) }], ...input.request };
  const { claims, problems } = await tryClaim(scope(), { ...input, consumers, request }, guidance);
  const roots: Record<string, number> = {};
  for (const { candidate } of claims) {
    const name = candidate?.root.name ?? '';
    roots[name] = (roots[name] ?? 0) + 1;
  }
  return { roots, claims, problems };
}
const many = (count: number) => Array.from({ length: count }, (_, n) => consumer(`c${n}`));
const quotaOf = ({ code, ...problem }: Problem) => [code, 'aggregate' in problem ? problem.aggregate : null];

test('a project whose first zone is full gets the next one, alone and with others', async () => {
  await seed.provider('h1', { inventories: { VCPU: 1000 }, aggregates: ['east'] });
  await seed.provider('h2', { inventories: { VCPU: 1000 }, aggregates: ['west'] });
  await set([quota('east', 0), quota('west', 500)]);
  for (const name of ['a', 'b']) expect((await claimFor([consumer(name)])).roots).toEqual({ h2: 1 });
  expect((await claimFor([consumer('c'), consumer('other', 'p2')])).roots).toEqual({ h1: 1, h2: 1 });
});

test('consumers that one zone cannot take together are spread over several', async () => {
  await seed.provider('h1', { inventories: { VCPU: 1000 }, aggregates: ['east'] });
  await seed.provider('h2', { inventories: { VCPU: 1000 }, aggregates: ['west'] });
  await set([quota('east', 20), quota('west', 40)]);
  expect((await claimFor(many(50))).roots).toEqual({ h1: 20, h2: 30 });
  const { roots, problems } = await claimFor(
    Array.from({ length: 15 }, (_, n) => consumer(`later ${n}`)),
    { mode: 'BEST_EFFORT' },
  );
  expect(roots).toEqual({ h2: 10 });
  expect(problems.map(quotaOf)).toEqual(Array.from({ length: 5 }, () => ['QUOTA_EXCEEDED', uuidOf('west')]));
});

test('a claim that fits nowhere because of quotas says so, not that there is no room', async () => {
  await seed.provider('h1', { inventories: { VCPU: 1000 }, aggregates: ['east'] });
  await set([quota('east', 0)]);
  const problem = { code: 'QUOTA_EXCEEDED', path: ['consumers', '0'], details: expect.objectContaining({ aggregate: uuidOf('east') }) };
  expect(await refusalOf(database.db, () => claimFor([consumer('a')]))).toEqual([problem]);
});

test('a server leaves a full zone, while a migration keeps its old place', async () => {
  for (const host of ['e1', 'e2']) await seed.provider(host, { inventories: { VCPU: 10 }, aggregates: ['east'] });
  await seed.provider('w1', { inventories: { VCPU: 10 }, aggregates: ['west'] });
  await set([quota('east', 1)]);
  await seed.claim('server', { e1: { VCPU: 1 } });
  const move = [
    { ...consumer('server'), expect: { unchecked: true as const } },
    { ...consumer('migration'), consumerType: 'MIGRATION', takeFrom: uuidOf('server') },
  ];
  expect((await claimFor(move)).roots).toMatchObject({ w1: 1 });
});

test('servers that must be apart stay apart, whoever owns them and wherever quotas send them', async () => {
  await seed.provider('e1', { inventories: { VCPU: 10 }, aggregates: ['east'] });
  for (const host of ['w1', 'w2', 'w3']) await seed.provider(host, { inventories: { VCPU: 10 }, aggregates: ['west'] });
  await set([quota('east', 0)]);
  const users = ['a', 'b', 'c'];
  const servers = users.map((user) => consumer(user, 'p1', user));
  const affinity = { policy: 'APART', perRoot: 1, members: users.map(uuidOf) } as const;
  const { roots } = await claimFor(servers, {}, ['VCPU'], { affinity: affinity as unknown as AffinityGroup });
  expect(roots).toEqual({ w1: 1, w2: 1, w3: 1 });
});

test('the alternates of a server may be in the zone that it filled itself', async () => {
  for (const zone of ['east', 'west']) {
    for (const n of [1, 2, 3]) await seed.provider(`${zone} ${n}`, { inventories: { VCPU: 1 }, aggregates: [zone] });
  }
  await set([quota('east', 1)]);
  const { claims } = await claimFor(many(2), { alternates: 2, alternatesIn: ['east', 'west'].map(uuidOf) });
  expect(claims.map(({ candidate, alternates }) => [candidate, ...alternates].map((one) => one?.root.name))).toEqual([
    ['east 1', 'east 2', 'east 3'],
    ['west 1', 'west 2', 'west 3'],
  ]);
});

test('a server that needs nothing of a full quota is served beside one that does', async () => {
  await seed.provider('e1', { inventories: { VCPU: 10 }, aggregates: ['east'] });
  await set([quota('east', 1)]);
  await seed.claim('old', { e1: { VCPU: 1 } });
  const { claims, problems } = await claimFor([consumer('new'), { ...consumer('old'), expect: { unchecked: true } }], {
    mode: 'BEST_EFFORT',
  });
  expect(claims.map((one) => one.consumer.uuid)).toEqual([uuidOf('old')]);
  expect(problems.map(quotaOf)).toEqual([['QUOTA_EXCEEDED', uuidOf('east')]]);
});

test('a project with quota elsewhere is served after one that has none left anywhere', async () => {
  await seed.provider('e1', { inventories: { VCPU: 10 }, aggregates: ['east'] });
  await seed.provider('w1', { inventories: { VCPU: 10 }, aggregates: ['west'] });
  await set([quota('east', 0), quota('west', 0)]);
  await set([quota('east', 0)], 'p2');
  const { claims, problems } = await claimFor([consumer('a'), consumer('b', 'p2'), consumer('c'), consumer('d', 'p2')], {
    mode: 'BEST_EFFORT',
  });
  expect(claims.map((one) => [one.consumer.uuid, one.candidate?.root.name])).toEqual(['b', 'd'].map((name) => [uuidOf(name), 'w1']));
  expect(problems.map(({ code, path }) => [code, path])).toEqual(['0', '2'].map((index) => ['QUOTA_EXCEEDED', ['consumers', index]]));
});

test('room that a quota keeps some from goes to others of the call, who found none at first', async () => {
  await seed.provider('e1', { inventories: { VCPU: 2 }, aggregates: ['east'] });
  await set([quota('east', 0)]);
  const { claims, problems } = await claimFor([consumer('a'), consumer('b'), consumer('c', 'p2')], { mode: 'BEST_EFFORT' });
  expect(claims.map((one) => one.consumer.uuid)).toEqual([uuidOf('c')]);
  expect(problems.map(quotaOf)).toEqual([1, 2].map(() => ['QUOTA_EXCEEDED', uuidOf('east')]));
});

test('a quota of disk does not close a zone to servers whose disk is on a pool elsewhere', async () => {
  await seed.provider('w1', { inventories: { VCPU: 10 }, aggregates: ['west', 'pooled'] });
  await seed.provider('e1', { inventories: { VCPU: 10 }, aggregates: ['east', 'pooled'] });
  await seed.provider('pool', { inventories: { DISK_GB: 10 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['pooled'] });
  await set([quota('west', 0), quota('east', 0, 'DISK_GB')]);
  expect((await claimFor([consumer('a')], {}, ['VCPU', 'DISK_GB'])).roots).toEqual({ e1: 1 });
});

test('a migration that no place of its server can help is refused at once, and closes the zone to nobody', async () => {
  await seed.provider('e1', { inventories: { VCPU: 10 }, aggregates: ['east'] });
  await seed.provider('e2', { inventories: { VCPU: 10 }, aggregates: ['east'] });
  await set([{ ...quota('east', 0), consumerType: 'MIGRATION' }]);
  await seed.claim('server', { e1: { VCPU: 1 } });
  await seed.claim('far', { e2: { VCPU: 1 } }, { project: 'p2' });
  database.statements.length = 0;
  const move = [
    { ...consumer('server'), expect: { unchecked: true as const } },
    { ...consumer('migration'), consumerType: 'MIGRATION', takeFrom: uuidOf('server') },
  ];
  const { claims, problems } = await claimFor([...move, consumer('new')], { mode: 'BEST_EFFORT' });
  expect(claims.map((one) => one.consumer.uuid)).toEqual([uuidOf('new')]);
  expect(problems.map(quotaOf)).toEqual([['QUOTA_EXCEEDED', uuidOf('east')]]);
});

test('weighed searches obey the caps, also of pools that only some hosts use', async () => {
  for (const n of [1, 2, 3]) await seed.provider(`h${n}`, { inventories: { VCPU: 10 }, aggregates: [`disks of h${n}`] });
  for (const [pool, hosts] of Object.entries({ full: ['h1', 'h2'], open: ['h2', 'h3'] })) {
    await seed.provider(`${pool} pool`, {
      ...{ inventories: { DISK_GB: 100 }, traits: ['MISC_SHARES_VIA_AGGREGATE'] },
      aggregates: [pool, ...hosts.map((host) => `disks of ${host}`)],
    });
  }
  await set([quota('full', 1, 'DISK_GB')]);
  const byAge = (trees: readonly { readonly rootId: number }[]) => ({
    update: () => {},
    sums: () => Float64Array.from(trees, ({ rootId }) => -rootId),
  });
  const { claims } = await claimFor(many(4), {}, ['VCPU', 'DISK_GB'], { weighIn: () => byAge });
  const places = claims.map(({ candidate }) =>
    candidate?.allocations
      .map(({ resourceProvider }) => resourceProvider.name)
      .sort()
      .join(),
  );
  expect(places.filter((place) => place?.includes('full pool'))).toHaveLength(1);
  expect(places.filter((place) => place?.includes('open pool'))).toHaveLength(3);
});

test('more zones can be full than a claim may lose races', async () => {
  const zones = Array.from({ length: 14 }, (_, n) => `zone ${n}`);
  for (const zone of zones) await seed.provider(`host of ${zone}`, { inventories: { VCPU: 10 }, aggregates: [zone] });
  await set(zones.slice(0, 13).map((zone) => quota(zone, 0)));
  await claimFor([consumer('warm', 'p2')]);
  database.statements.length = 0;
  expect((await claimFor([consumer('a')])).roots).toEqual({ 'host of zone 13': 1 });
  // The first refusal reads which others are full, too.
  expect(database.statements.length).toBeLessThan(10);
});

test('a pool whose aggregate is full gives way to another that serves the host', async () => {
  await seed.provider('h1', { inventories: { VCPU: 10 }, aggregates: ['old', 'new'] });
  for (const pool of ['old', 'new']) {
    await seed.provider(`${pool} pool`, {
      inventories: { DISK_GB: 100 },
      traits: ['MISC_SHARES_VIA_AGGREGATE'],
      aggregates: [pool, `${pool} disks`],
    });
  }
  await set([quota('old disks', 0, 'DISK_GB'), quota('new disks', 5, 'DISK_GB')]);
  const { claims } = await claimFor([consumer('a')], {}, ['VCPU', 'DISK_GB']);
  expect(claims[0]?.candidate?.allocations.map(({ resourceProvider }) => resourceProvider.name).sort()).toEqual(['h1', 'new pool']);
});

test.each(historiesOf(20))('a claim succeeds exactly if zones have room and quota for all of it together (%i)', async (history) => {
  const roll = freshDice(`zones of claims ${history}`);
  let most = 0;
  const quotas = [];
  for (const zone of Array.from({ length: 4 }, (_, n) => `zone ${n}`)) {
    const rooms = Array.from({ length: 1 + roll(3) }, () => roll(5) + 1);
    for (const [n, room] of rooms.entries()) await seed.provider(`${zone} ${n}`, { inventories: { VCPU: room }, aggregates: [zone] });
    const amount = roll(8);
    quotas.push(quota(zone, amount));
    most += Math.min(
      amount,
      rooms.reduce((sum, room) => sum + room, 0),
    );
  }
  await set(quotas);
  const orderBy = roll(2) === 0 ? {} : { orderBy: [{ free: { resourceClass: 'VCPU' }, direction: 'DESC' as const }] };
  const request = { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }], ...orderBy };
  const more = many(most + 1);
  await expect(claimFor(more, { request } as Partial<ClaimInput>)).rejects.toMatchObject({ problems: expect.any(Array) });
  const { claims } = await claimFor(more, { request, mode: 'BEST_EFFORT' } as Partial<ClaimInput>);
  expect(claims).toHaveLength(most);
});
