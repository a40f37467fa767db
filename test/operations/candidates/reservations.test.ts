// Reservations in use: what is reserved, who may claim from it, what others find meanwhile, and what happens at its end.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { replaceAllocations, setExpiry } from '../../../src/operations/allocations/allocation-writes.ts';
import { endReservations } from '../../../src/operations/allocations/ended-reservations.ts';
import { type ExpiryInput, releaseExpired } from '../../../src/operations/allocations/expiry.ts';
import { findCandidates } from '../../../src/operations/candidates/candidates.ts';
import { claim } from '../../../src/operations/candidates/claims.ts';
import { findFit } from '../../../src/operations/candidates/fit.ts';
import { type ReservationInput, releaseReservation, replaceReservation } from '../../../src/operations/candidates/reservations.ts';
import { replaceInventories } from '../../../src/operations/providers/inventory-writes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

/** One for each test: some let time pass, of which no event tells. */
let database: TestDatabase;
const scope = () => scopeOf(database.db);
const hosts = ['h1', 'h2', 'h3'];
const isNew = { isNew: true } as const;
const unchecked = { unchecked: true } as const;

/** So many minutes from now. */
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const amounts = (host: string, vcpu: number) => [{ resourceProvider: uuidOf(host), resources: [{ resourceClass: 'VCPU', amount: vcpu }] }];
const request = (vcpu: number) => ({ groups: [{ resources: [{ resourceClass: 'VCPU', amount: vcpu }] }] });
const instances = (count: number, vcpu: number) => ({ instances: { count, request: request(vcpu) } });

const reserve = (name: string, hold: ReservationInput['hold'], { from = 60, until = 120, project = 'p1' } = {}) =>
  replaceReservation(scope(), {
    ...{ reservation: uuidOf(name), expect: isNew, project, startsAt: inMinutes(from), endsAt: inMinutes(until), hold },
  });
const running = { from: -60, until: 60 };
const seek = (name: string, vcpu: number, { expiry = null as ExpiryInput | null, from = null as string | null, project = 'p1' } = {}) =>
  claim(scope(), {
    consumers: [
      {
        ...{ consumer: uuidOf(name), expect: isNew, project, user: 'u1', consumerType: 'INSTANCE', expiry },
        reservation: from && uuidOf(from),
      },
    ],
    request: request(vcpu),
  });
const hold = (name: string, host: string, vcpu: number, rest: object = {}) =>
  replaceAllocations(scope(), {
    consumers: [
      { ...{ consumer: uuidOf(name), expect: unchecked, project: 'p1', user: 'u1', hold: { allocations: amounts(host, vcpu) } }, ...rest },
    ],
  });
const refused = (write: () => Promise<unknown>) => refusalOf(database.db, write);
const fitOf = async (vcpu: number, during: { from: string; until: string } | null = null) =>
  (await findFit(scope(), { ...request(vcpu), during })).total;

/** By host: what is used, and what is promised. */
async function shown(): Promise<Record<string, string>> {
  const rows = await database.own<{ name: string; shown: string }[]>`
    select p.name, i.used || ' + ' || i.promised as shown from inventories i join resource_providers p on p.id = i.resource_provider_id order by 1`;
  return Object.fromEntries(rows.filter(({ shown }) => shown !== '0 + 0').map(({ name, shown }) => [name, shown]));
}

/** Lets everything end that would within so many minutes. */
async function pass(minutes: number): Promise<void> {
  const gone = `${minutes} minutes`;
  await database.own`update consumers set expires_at = expires_at - ${gone}::interval where expires_at is not null`;
  await database.own`update reservations set starts_at = starts_at - ${gone}::interval, ends_at = ends_at - ${gone}::interval`;
}

beforeEach(async () => {
  database = await createTestDatabase();
  const seed = createSeed(database.db);
  for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 10 } });
});
afterEach(() => database.drop());

describe('a reservation', () => {
  test('of instances keeps the amounts of candidates, chosen among what is free at every moment of it', async () => {
    await hold('a', 'h1', 8);
    await hold('b', 'h2', 8, { expiry: { at: inMinutes(30) } });
    const { reservation } = await reserve('r', instances(4, 5));
    expect(reservation).toMatchObject({ uuid: uuidOf('r'), project: 'p1', generation: 1, hasBegun: false });
    expect(await shown()).toEqual({ h1: '8 + 0', h2: '8 + 10', h3: '0 + 10' });
    expect(await refused(() => reserve('s', instances(1, 5)))).toMatchObject([
      { code: 'NO_CANDIDATES', path: ['hold', 'instances', 'request'] },
    ]);
    await expectSoundLedger(database.db);
  });

  test('of whole hosts keeps all their classes, unless somebody is there at some moment of it', async () => {
    await hold('a', 'h1', 1, { expiry: { at: inMinutes(90) } });
    const taken = await refused(() => reserve('r', { hosts: [uuidOf('h1'), uuidOf('h2')] }));
    expect(taken).toMatchObject([{ code: 'CAPACITY_EXCEEDED', details: { provider: uuidOf('h1'), requested: 10, available: 9 } }]);
    await reserve('r', { hosts: [uuidOf('h1'), uuidOf('h2')] }, { from: 91, until: 120 });
    expect(await shown()).toEqual({ h1: '1 + 10', h2: '0 + 10' });
    expect(await refused(() => reserve('s', { hosts: [uuidOf('nowhere')] }))).toMatchObject([
      { code: 'NOT_FOUND', path: ['hold', 'hosts', '0'] },
    ]);
  });

  test('is changed with its generation, and only in what is given', async () => {
    await reserve('r', { allocations: amounts('h1', 4) });
    const change = (input: Partial<ReservationInput>) =>
      replaceReservation(scope(), { reservation: uuidOf('r'), expect: { generation: 1 }, ...input });
    expect(await refused(() => change({ hold: { allocations: amounts('h1', 11) } }))).toMatchObject([
      { code: 'CAPACITY_EXCEEDED', path: ['hold', 'allocations', '0', 'resources', '0'], details: { requested: 11, available: 10 } },
    ]);
    await change({ hold: { allocations: amounts('h2', 3) } });
    expect(await shown()).toEqual({ h2: '0 + 3' });
    expect(await refused(() => change({ endsAt: inMinutes(300) }))).toMatchObject([
      { code: 'RESERVATION_CONFLICT', details: { expected: 1, actual: 2 }, path: ['expect'] },
    ]);
    expect(await refused(() => reserve('r', instances(1, 1)))).toMatchObject([{ code: 'RESERVATION_CONFLICT', details: { actual: 2 } }]);
    await releaseReservation(scope(), { reservation: uuidOf('r'), expect: { generation: 2 } });
    expect(await shown()).toEqual({});
    await expectSoundLedger(database.db);
  });

  test('that lacks something, ends in the past, or names what is not there is refused', async () => {
    const make = (input: Partial<ReservationInput>) =>
      refused(() => replaceReservation(scope(), { reservation: uuidOf('r'), expect: isNew, ...input }));
    expect(await make({ project: 'p1', startsAt: inMinutes(1), endsAt: inMinutes(2) })).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect(await make({ hold: { allocations: amounts('h1', 1) } })).toMatchObject([{ code: 'INVALID_INPUT' }]);
    const past = { project: 'p1', startsAt: inMinutes(-9), endsAt: inMinutes(-5) };
    expect(await make({ ...past, hold: { allocations: amounts('h1', 1) } })).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect(await make({ ...past, endsAt: inMinutes(-20) })).toMatchObject([{ code: 'INVALID_INPUT', path: ['endsAt'] }]);
    const soon = { project: 'p1', startsAt: inMinutes(1), endsAt: inMinutes(5) };
    expect(await make({ ...soon, hold: { allocations: amounts('nowhere', 1) } })).toMatchObject([
      { code: 'NOT_FOUND', path: ['hold', 'allocations', '0', 'resourceProvider'] },
    ]);
    const other = [{ resourceProvider: uuidOf('h1'), resources: [{ resourceClass: 'DISK_GB', amount: 1 }] }];
    expect(await make({ ...soon, hold: { allocations: other } })).toMatchObject([{ code: 'NO_INVENTORY' }]);
    expect(await make({ ...soon, hold: {} })).toMatchObject([{ code: 'INVALID_INPUT', path: ['hold'] }]);
    expect(await make({ ...soon, hold: instances(0, 1) })).toMatchObject([{ code: 'INVALID_INPUT', path: ['hold', 'instances', 'count'] }]);
  });

  test('keeps its inventories, and its hosts, from being deleted', async () => {
    await reserve('r', { allocations: amounts('h3', 4) });
    const remove = () => replaceInventories(scope(), { resourceProvider: uuidOf('h3'), expect: unchecked, inventories: [] });
    expect(await refused(remove)).toMatchObject([{ code: 'IN_USE', details: { noun: 'inventory', by: [uuidOf('r')], count: 1 } }]);
  });
});

describe('meanwhile', () => {
  test('a claim that lasts finds what is not promised; one that ends before may use the room, and cannot stay', async () => {
    await reserve('r', { hosts: hosts.map(uuidOf) });
    expect(await fitOf(5)).toBe(0);
    expect(await refused(() => seek('a', 5))).toMatchObject([{ code: 'NO_CANDIDATES' }]);
    expect(await refused(() => hold('a', 'h1', 5))).toMatchObject([{ code: 'CAPACITY_EXCEEDED', details: { requested: 5, available: 0 } }]);
    await seek('b', 5, { expiry: { at: inMinutes(50) } });
    expect(await refused(() => seek('c', 5, { expiry: { at: inMinutes(70) } }))).toMatchObject([{ code: 'NO_CANDIDATES' }]);
    const stay = (expiry: ExpiryInput) => setExpiry(scope(), { consumers: [{ consumer: uuidOf('b'), expect: unchecked, expiry }] });
    expect(await refused(() => stay({ never: true }))).toMatchObject([{ code: 'CAPACITY_EXCEEDED' }]);
    await stay({ at: inMinutes(58) });
    await expectSoundLedger(database.db);
  });

  /** Claims 10 VCPU for each of these, as many as there is room for. Returns where they are, and which got nothing. */
  const seekAll = async (expiries: Readonly<Record<string, ExpiryInput | null>>) => {
    const consumers = Object.entries(expiries).map(([name, expiry]) => ({
      ...{ consumer: uuidOf(name), expect: isNew, project: 'p1', user: 'u1', expiry },
    }));
    const { claims, problems } = await claim(scope(), { consumers, request: request(10), mode: 'BEST_EFFORT' });
    return { hosts: claims.map(({ candidate }) => candidate?.root.name), missed: problems.map(({ code, path }) => [code, path[1]]) };
  };

  test('as many consumers as possible get room: those that last outside of it, those that end before also there', async () => {
    await reserve('r', { hosts: ['h1', 'h3'].map(uuidOf) });
    expect(await seekAll({ a: null, b: null })).toEqual({ hosts: ['h2'], missed: [['NO_CANDIDATES', '1']] });
    const soon = { at: inMinutes(50) };
    const late = { at: inMinutes(70) };
    expect(await seekAll({ c: late, d: late })).toEqual({
      hosts: [],
      missed: [
        ['NO_CANDIDATES', '0'],
        ['NO_CANDIDATES', '1'],
      ],
    });
    expect(await seekAll({ e: soon, f: soon, g: soon })).toEqual({ hosts: ['h1', 'h3'], missed: [['NO_CANDIDATES', '2']] });
    await expectSoundLedger(database.db);
  });

  test('a claim that ends before is found its place by the clock of the database', async () => {
    await reserve('r', { hosts: ['h1', 'h2'].map(uuidOf) });
    await reserve('s', { hosts: [uuidOf('h3')] }, { from: 90, until: 120 });
    const now = Date.now;
    const late = vi.spyOn(Date, 'now').mockImplementation(() => now() - 600_000);
    const found = await seekAll({ a: { afterSeconds: 65 * 60 } }).finally(() => late.mockRestore());
    expect(found).toEqual({ hosts: ['h3'], missed: [] });
  });

  test('a claim that moves a consumer which ends before may use the room, too', async () => {
    await reserve('r', { hosts: ['h1', 'h2'].map(uuidOf) });
    await hold('a', 'h3', 10, { expiry: { at: inMinutes(50) } });
    const { claims } = await claim(scope(), { consumers: [{ consumer: uuidOf('a'), expect: unchecked }], request: request(10) });
    expect(claims).toMatchObject([{ candidate: { root: { name: 'h1' } }, consumer: { expiresAt: expect.any(String) } }]);
  });

  test('a search for a period answers for that period', async () => {
    await reserve('r', { hosts: [uuidOf('h1')] });
    await hold('a', 'h2', 10, { expiry: { at: inMinutes(30) } });
    expect(await fitOf(10)).toBe(1);
    expect(await fitOf(10, { from: inMinutes(0), until: inMinutes(20) })).toBe(2);
    expect(await fitOf(10, { from: inMinutes(31), until: inMinutes(50) })).toBe(3);
    expect(await fitOf(10, { from: inMinutes(31), until: inMinutes(70) })).toBe(2);
    expect(await fitOf(10, { from: inMinutes(200), until: inMinutes(300) })).toBe(3);
    const { candidates, explain } = await findCandidates(scope(), { ...request(10), during: { from: inMinutes(1), until: inMinutes(2) } });
    expect(candidates.map(({ root }) => root.name)).toEqual(['h1', 'h3']);
    expect((await explain()).steps.at(-1)).toMatchObject({ rootsAfter: 2 });
    expect(await refused(() => findFit(scope(), { ...request(1), during: { from: inMinutes(2), until: inMinutes(1) } }))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['during', 'until'] },
    ]);
  });

  test('of 32 reservations and claims at once for the last nine places, exactly nine succeed', async () => {
    await Promise.all(hosts.map((host, index) => hold(`full ${index}`, host, index < 2 ? 10 : 1)));
    const attempts = await Promise.allSettled([
      ...Array.from({ length: 24 }, (_, index) => reserve(`r${index}`, { allocations: amounts('h3', 1) })),
      ...Array.from({ length: 8 }, (_, index) => hold(`c${index}`, 'h3', 1)),
    ]);
    const made = attempts.filter(({ status }) => status === 'fulfilled').length;
    expect(made).toBe(9);
    const [row] = await database.own<{ sum: number }[]>`
      select (used + promised)::int as sum from inventories i join resource_providers p on p.id = i.resource_provider_id where p.name = 'h3'`;
    expect(row?.sum).toBe(10);
    await expectSoundLedger(database.db);
  });
});

describe('once it has begun', () => {
  test('its project claims from it, where it keeps something and as much as that, and everything expires with it', async () => {
    await reserve('r', { allocations: [...amounts('h1', 4), ...amounts('h2', 6)] }, running);
    const { claims } = await seek('a', 5, { from: 'r' });
    expect(claims).toMatchObject([{ candidate: { root: { name: 'h2' } }, consumer: { reservation: uuidOf('r') } }]);
    expect(await shown()).toEqual({ h1: '0 + 4', h2: '5 + 1' });
    await hold('b', 'h1', 3, { reservation: uuidOf('r'), expiry: { never: true } });
    expect(await refused(() => seek('c', 2, { from: 'r' }))).toMatchObject([{ code: 'NO_CANDIDATES' }]);
    expect(await refused(() => hold('c', 'h1', 2, { reservation: uuidOf('r') }))).toMatchObject([
      { code: 'CAPACITY_EXCEEDED', details: { requested: 2, available: 1 } },
    ]);
    expect(await refused(() => seek('c', 1, { from: 'r', project: 'p2' }))).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect(await refused(() => seek('c', 1, { from: 'none' }))).toMatchObject([
      { code: 'NOT_FOUND', path: ['consumers', '0', 'reservation'] },
    ]);
    expect(await refused(() => releaseReservation(scope(), { reservation: uuidOf('r'), expect: unchecked }))).toMatchObject([
      { code: 'IN_USE', details: { noun: 'reservation', count: 2 } },
    ]);
    await pass(61);
    expect(await endReservations(database.db)).toBe(0);
    expect(await releaseExpired(database.db)).toBe(2);
    expect(await endReservations(database.db)).toBe(1);
    expect(await shown()).toEqual({});
  });

  test('it is removed after its end, however many that ended before are on a host that another write has locked', async () => {
    await createSeed(database.db).provider('large', { inventories: { VCPU: 100 } });
    for (let n = 0; n < 20; n++) await reserve(`locked ${n}`, { allocations: amounts('large', 1) }, running);
    await reserve('r', { allocations: amounts('h1', 1) }, { from: -60, until: 61 });
    await pass(62);
    const holder = await database.own.reserve();
    await holder`begin`;
    await holder`select from resource_providers where name = 'large' for no key update`;
    expect(await endReservations(database.db)).toBe(1);
    await holder`rollback`;
    holder.release();
    expect(await endReservations(database.db)).toBe(20);
  });

  test('what is claimed from it is released to it, follows its end, and stays covered', async () => {
    await reserve('r', { allocations: amounts('h1', 10) }, running);
    await hold('a', 'h1', 6, { reservation: uuidOf('r') });
    await hold('b', 'h1', 4, { reservation: uuidOf('r'), expiry: { afterSeconds: 60 } });
    const until = inMinutes(90);
    const change = (input: Partial<ReservationInput>) =>
      replaceReservation(scope(), { reservation: uuidOf('r'), expect: unchecked, ...input });
    await change({ endsAt: until });
    const rows = await database.own<
      { uuid: string; moment: Date }[]
    >`select uuid, expires_at as moment from consumers order by expires_at desc`;
    expect(rows.map(({ moment }) => new Date(moment).toISOString() === until)).toEqual([true, false]);
    expect(await refused(() => change({ hold: { allocations: amounts('h1', 9) } }))).toMatchObject([
      { code: 'CAPACITY_EXCEEDED', details: { requested: 10, available: 9 } },
    ]);
    expect(await refused(() => change({ startsAt: inMinutes(5) }))).toMatchObject([{ code: 'INVALID_INPUT' }]);
    await hold('a', 'h1', 2);
    expect(await shown()).toEqual({ h1: '6 + 4' });
    expect(await refused(() => hold('other', 'h1', 1))).toMatchObject([{ code: 'CAPACITY_EXCEEDED' }]);
    await expectSoundLedger(database.db);
  });

  test('a consumer that takes over from one of it claims from it as well', async () => {
    await reserve('r', { allocations: [...amounts('h1', 4), ...amounts('h2', 4)] }, running);
    await hold('server', 'h1', 4, { reservation: uuidOf('r') });
    await replaceAllocations(scope(), {
      consumers: [
        { consumer: uuidOf('migration'), expect: isNew, consumerType: 'MIGRATION', hold: { takeFrom: uuidOf('server') } },
        { consumer: uuidOf('server'), expect: unchecked, hold: { allocations: amounts('h2', 4) } },
      ],
    });
    const rows = await database.own<
      { all: boolean }[]
    >`select bool_and(reservation_id is not null and expires_at is not null) as all from consumers`;
    expect(rows).toEqual([{ all: true }]);
    expect(await shown()).toEqual({ h1: '4 + 0', h2: '4 + 0' });
    await expectSoundLedger(database.db);
  });

  test('a claim moves its consumer to where it keeps room, and says so if consumers have different ones', async () => {
    await hold('full', 'h3', 10);
    await reserve('r', { allocations: [...amounts('h1', 4), ...amounts('h2', 10)] }, running);
    await hold('server', 'h1', 4, { reservation: uuidOf('r') });
    await hold('other', 'h1', 5);
    const kept = { ...{ consumer: uuidOf('server'), expect: { generation: 1 } }, project: 'p1', user: 'u1' };
    const migration = { consumer: uuidOf('migration'), expect: isNew, takeFrom: uuidOf('server'), consumerType: 'MIGRATION' };
    const others = { ...{ consumer: uuidOf('other'), expect: { generation: 1 } }, project: 'p1', user: 'u1' };
    expect(await refused(() => claim(scope(), { consumers: [kept, others], request: request(1) }))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['consumers', '1', 'reservation'] },
    ]);
    const { claims } = await claim(scope(), { consumers: [migration, kept], request: request(4) });
    expect(claims).toMatchObject([
      { consumer: { reservation: uuidOf('r') }, candidate: null },
      { consumer: { reservation: uuidOf('r') }, candidate: { root: { name: 'h2' } } },
    ]);
    expect(await shown()).toEqual({ h1: '9 + 0', h2: '4 + 6', h3: '10 + 0' });
    await expectSoundLedger(database.db);
  });

  test('of 32 claims from it at once for six places, six get one', async () => {
    await reserve('r', { allocations: amounts('h1', 6) }, running);
    const attempts = await Promise.allSettled(
      Array.from({ length: 32 }, (_, index) => hold(`c${index}`, 'h1', 1, { reservation: uuidOf('r') })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await shown()).toEqual({ h1: '6 + 0' });
    await expectSoundLedger(database.db);
  });
});
