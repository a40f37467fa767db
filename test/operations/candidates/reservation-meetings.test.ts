// Where reservations meet other writes: extensions at the same time, pools that take over disks, owners that change, and what is not released yet.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findWrongPromises } from '../../../src/db/audit.ts';
import { replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { claim } from '../../../src/operations/candidates/claims.ts';
import { type ReservationInput, replaceReservation } from '../../../src/operations/candidates/reservations.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
const scope = () => scopeOf(database.db);
const unchecked = { unchecked: true } as const;
const running = { from: -1, until: 60 };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const amounts = (host: string, amount: number, resourceClass = 'VCPU') => [
  { resourceProvider: uuidOf(host), resources: [{ resourceClass, amount }] },
];
const instances = (count: number) => ({
  instances: { count, request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 5 }] }] } },
});
const reserve = (name: string, hold: ReservationInput['hold'], { from = 60, until = 120 } = {}) =>
  replaceReservation(scope(), {
    ...{ reservation: uuidOf(name), expect: { isNew: true }, project: 'p1', startsAt: inMinutes(from), endsAt: inMinutes(until), hold },
  });
const change = (input: Partial<ReservationInput>) => replaceReservation(scope(), { reservation: uuidOf('r'), expect: unchecked, ...input });
const hold = (name: string, allocations: ReturnType<typeof amounts>, rest: object = {}) =>
  replaceAllocations(scope(), {
    consumers: [{ ...{ consumer: uuidOf(name), expect: unchecked, project: 'p1', user: 'u1', hold: { allocations } }, ...rest }],
  });
const refused = (write: () => Promise<unknown>) => refusalOf(database.db, write);

beforeEach(async () => {
  database = await createTestDatabase();
  const seed = createSeed(database.db);
  for (const host of ['h1', 'h2']) await seed.provider(host, { inventories: { VCPU: 10 } });
});
afterEach(() => database.drop());

test('the first reservation waits for a consumer that is being confirmed on its host, and is then refused', async () => {
  await hold('a', amounts('h1', 10), { expiry: { at: inMinutes(30) } });
  const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-confirm' };
  const confirm = { kind: 'SET_EXPIRY', by, consumers: [{ uuid: uuidOf('a'), expect: {}, expiresAt: null, allocations: [] }] };
  const { own } = database;
  let attempt: Promise<unknown> = Promise.resolve();
  await own.begin(async (held) => {
    await held`select apply_write('set_expiry', ${held.json(confirm)})`;
    attempt = reserve('r', { hosts: [uuidOf('h1')] }).catch((error: { problems: unknown }) => error.problems);
    for (let waits = false; !waits; await sleep(10)) {
      const [row] = await own<{ waits: boolean }[]>`select exists (select from pg_locks where not granted) as waits`;
      waits = row?.waits ?? false;
    }
  });
  expect(await attempt).toMatchObject([{ code: 'CAPACITY_EXCEEDED' }]);
  await expectSoundLedger(database.db);
});

test('a pool that takes over disks takes over what is reserved of them, where its consumers went', async () => {
  const seed = createSeed(database.db);
  await seed.provider('old', { inventories: { DISK_GB: 1000 }, aggregates: ['rack'] });
  await reserve('r', { allocations: amounts('old', 500, 'DISK_GB') }, { from: -1, until: 600 });
  await hold('a', amounts('old', 300, 'DISK_GB'), { reservation: uuidOf('r') });
  for (const [pool, total] of [
    ['pool1', 1000],
    ['pool2', 2000],
  ] as const) {
    await seed.provider(pool, { inventories: { DISK_GB: total }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['rack'] });
  }
  const record = { kind: 'compute_node', name: 'old', uuid: uuidOf('old'), body: { host: 'old', hasSharedStorage: true } };
  await seed.write('import_records', { records: [record] });
  const kept = await database.own<object[]>`
    select p.name, a.amount::int, i.used::int, i.promised::int from reservation_amounts a join resource_providers p on p.id = a.resource_provider_id
    join inventories i on i.resource_provider_id = p.id order by 1`;
  expect(kept).toEqual([
    { name: 'pool1', amount: 200, used: 0, promised: 200 },
    { name: 'pool2', amount: 300, used: 300, promised: 0 },
  ]);
  const { kind, changes } = await newestEvent(database.db);
  expect([kind, Object.keys(changes.records ?? {})]).toEqual(['RESHAPE', [`reservation ${uuidOf('r')}`]]);
  await change({ endsAt: inMinutes(700) });
  expect(await refused(() => reserve('s', { allocations: amounts('pool2', 2000, 'DISK_GB') }))).toMatchObject([
    { code: 'CAPACITY_EXCEEDED', details: { requested: 2000, available: 1700 } },
  ]);
  expect((await findWrongPromises(database.db)).examples).toEqual([]);
  await expectSoundLedger(database.db);
});

test('a consumer that claims from a reservation stays in its project', async () => {
  await reserve('r', { allocations: amounts('h1', 5) }, running);
  await hold('a', amounts('h1', 5), { reservation: uuidOf('r') });
  expect(await refused(() => hold('a', amounts('h1', 5), { project: 'p2' }))).toMatchObject([
    { code: 'INVALID_INPUT', details: { consumer: uuidOf('a') } },
  ]);
});

test('instances are not chosen anew while something is claimed; allocations can be given', async () => {
  await reserve('r', instances(1), running);
  await claim(scope(), {
    consumers: [{ consumer: uuidOf('a'), expect: { isNew: true }, project: 'p1', user: 'u1', reservation: uuidOf('r') }],
    request: instances(1).instances.request,
  });
  expect(await refused(() => change({ hold: instances(2) }))).toMatchObject([{ code: 'INVALID_INPUT', path: ['hold', 'instances'] }]);
  await change({ hold: { allocations: [...amounts('h1', 5), ...amounts('h2', 5)] } });
});

test('whole hosts are roots, and have something', async () => {
  const seed = createSeed(database.db);
  await seed.provider('bare');
  await seed.provider('cell', { parent: 'h1', inventories: { VCPU: 4 } });
  const whole = (host: string) => refused(() => reserve('r', { hosts: [uuidOf(host)] }));
  expect(await whole('bare')).toMatchObject([{ code: 'INVALID_INPUT', path: ['hold'] }]);
  expect(await whole('cell')).toMatchObject([{ code: 'INVALID_INPUT', path: ['hold'] }]);
  await reserve('r', { hosts: [uuidOf('h1')] });
  const rows = await database.own<object[]>`
    select p.name, i.promised::int from inventories i join resource_providers p on p.id = i.resource_provider_id order by 1`;
  expect(rows).toEqual([
    { name: 'cell', promised: 4 },
    { name: 'h1', promised: 10 },
    { name: 'h2', promised: 0 },
  ]);
});

test('what has expired is not in the way of a reservation', async () => {
  await hold('a', amounts('h1', 10), { expiry: { at: inMinutes(30) } });
  await database.own`update consumers set expires_at = now() - interval '1 second'`;
  await reserve('r', { hosts: [uuidOf('h1')] }, running);
  expect(await database.own`select from consumers`).toHaveLength(0);
});

test('a reservation that has ended, and is still there, is extended together with what is claimed from it', async () => {
  await reserve('r', { hosts: [uuidOf('h1')] }, running);
  await hold('b', amounts('h1', 10), { reservation: uuidOf('r') });
  await database.own`update reservations set starts_at = starts_at - interval '1 hour', ends_at = now() - interval '1 second'`;
  await database.own`update consumers set expires_at = (select ends_at from reservations)`;
  await change({ endsAt: inMinutes(30) });
  const kept =
    await database.own`select from consumers c join reservations r on r.id = c.reservation_id where c.expires_at = r.ends_at and r.ends_at > now()`;
  expect(kept).toHaveLength(1);
});
