// Instances that claim from a reservation, or expire: where they are placed, and where they move. As clients send it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { byFlavor } from '../../support/destinations.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { clearSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];
let seed: ReturnType<typeof createSeed>;

const fields = { vcpus: 4, memoryMb: 1024 };
const amounts = { VCPU: 4, MEMORY_MB: 1024 };
const unchecked = { unchecked: true };
/** A whole second, as it is read again. */
const inHours = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;
const held = (consumer: string) => heldBy(database.db, consumer);
const vm = (name: string, rest: object = {}) => ({ instance: uuidOf(name), project: 'p1', user: 'u1', ...rest });
const from = (name: string) => ({ reservation: uuidOf(name) });
const select = (instances: readonly object[], rest: object = {}) => byFlavor({ flavor: { fields }, alternates: 0, instances, ...rest });
const consumerFields = 'instance { expiresAt reservation { uuid } }';
const place = (instances: readonly object[], rest: object = {}) =>
  write('selectDestinations', select(instances, rest), `destinations { ${consumerFields} }`);
const refused = (instances: readonly object[]) => refusal('selectDestinations', select(instances));
const claimOn = (host: string, rest: object = {}, specs: readonly object[] = []) => ({
  computeNode: uuidOf(host),
  hostedInstance: {
    instanceRecord: { fields: { uuid: uuidOf('vm'), project: 'p1', user: 'u1', flavor: { fields: { ...fields, extraSpecs: specs } } } },
  },
  ...rest,
});

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  seed = createSeed(database.db);
  await plantTrees(
    database.db,
    `
    cn1  VCPU 8, MEMORY_MB 8192, CUSTOM_LICENSE 8  COMPUTE_NODE
    cn2  VCPU 8, MEMORY_MB 8192, CUSTOM_LICENSE 8  COMPUTE_NODE
    cn3  VCPU 8, MEMORY_MB 8192, CUSTOM_LICENSE 8  COMPUTE_NODE
    `,
  );
});
afterEach(async () => {
  await clearSoundLedger(database.db);
  for (const { uuid } of await database.own<{ uuid: string }[]>`select uuid from reservations`) {
    await write('releaseReservation', { reservation: uuid, expect: unchecked }, 'releasedUuid');
  }
});
afterAll(() => gateway.close());

describe('selectDestinations', () => {
  test('with a reservation finds hosts where it holds room, and nothing else', async () => {
    await seed.reservation('r', { cn2: amounts, cn3: { VCPU: 3, MEMORY_MB: 1024 } });
    const { destinations, userErrors } = await place([vm('a', from('r'))]);
    expect(userErrors).toEqual([]);
    expect(destinations).toMatchObject([{ instance: { reservation: { uuid: uuidOf('r') }, expiresAt: expect.any(String) } }]);
    expect(await held('a')).toEqual({ cn2: amounts });
    expect(await refused([vm('b', from('r'))])).toMatchObject({ code: 'NO_CANDIDATES', path: ['instances', '0'] });
  });

  test('refuses a reservation that is not there, of another project, or of others of the call', async () => {
    await seed.reservation('r', { cn2: amounts });
    expect(await refused([vm('a', from('none'))])).toMatchObject({ code: 'NOT_FOUND', path: ['instances', '0', 'reservation'] });
    expect(await refused([vm('a', { ...from('r'), project: 'p2' })])).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['instances', '0', 'reservation'],
    });
    expect(await refused([vm('a', from('r')), vm('b')])).toMatchObject({ code: 'INVALID_INPUT', path: ['instances', '1', 'reservation'] });
  });

  test('with an expiry may use what is promised for later', async () => {
    await seed.reservation('r', Object.fromEntries(['cn1', 'cn2', 'cn3'].map((host) => [host, { VCPU: 8 }])), {
      startsAt: inHours(2),
    });
    expect(await refused([vm('a')])).toMatchObject({ code: 'NO_CANDIDATES' });
    expect(await refused([vm('a', { expiry: { afterSeconds: 0 } })])).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['instances', '0', 'expiry', 'afterSeconds'],
    });
    const expiresAt = inHours(1);
    const { destinations } = await place([vm('a', { expiry: { at: expiresAt } })]);
    expect(destinations).toMatchObject([{ instance: { expiresAt, reservation: null } }]);
  });

  test('moves an instance into a reservation that it names, while its migration keeps the source', async () => {
    await seed.claim('vm', { cn1: amounts });
    await seed.reservation('r', { cn3: amounts });
    await place([vm('vm', { ...from('r'), migration: uuidOf('move') })]);
    expect([await held('vm'), await held('move')]).toEqual([{ cn3: amounts }, { cn1: amounts }]);
  });
});

describe('an instance of a reservation', () => {
  const withMove = (rest: object = {}) => place([vm('vm', { migration: uuidOf('move') })], rest);
  const record = { migrationRecord: { fields: { uuid: uuidOf('move'), instance: uuidOf('vm') } } };
  const ofReservation = async () => {
    const rows = await database.own<
      { uuid: string }[]
    >`select uuid from consumers where reservation_id is not null order by created_at, id`;
    return rows.map(({ uuid }) => uuid);
  };

  test('moves to where that keeps room, though nobody else finds any there', async () => {
    await seed.reservation('r', { cn1: amounts, cn2: { VCPU: 8, MEMORY_MB: 8192 } });
    await seed.claim('others', { cn3: { VCPU: 8 } });
    await seed.claim('vm', { cn1: amounts }, { reservation: 'r' });
    expect((await withMove()).userErrors).toEqual([]);
    expect([await held('vm'), await held('move')]).toEqual([{ cn2: amounts }, { cn1: amounts }]);
    expect(await ofReservation()).toEqual([uuidOf('vm'), uuidOf('move')]);
  });

  test('is evacuated to where that keeps room, beside its source', async () => {
    await seed.reservation('r', { cn1: amounts, cn3: amounts });
    await seed.claim('vm', { cn1: amounts }, { reservation: 'r' });
    expect((await place([vm('vm', { evacuates: true })])).userErrors).toEqual([]);
    expect(await held('vm')).toEqual({ cn1: amounts, cn3: amounts });
    expect(await ofReservation()).toEqual([uuidOf('vm')]);
  });

  test('does so in two steps as well', async () => {
    await seed.reservation('r', { cn1: amounts, cn2: amounts });
    await seed.claim('vm', { cn1: amounts }, { reservation: 'r' });
    await write('startMigration', { ...record, expect: { generation: 1 } }, 'changed');
    expect((await withMove()).userErrors).toEqual([]);
    expect(await held('vm')).toEqual({ cn2: amounts });
    expect(await ofReservation()).toEqual([uuidOf('move'), uuidOf('vm')]);
  });

  test('that a claim moved into it leaves it if the move is reverted, and lasts again', async () => {
    await seed.claim('vm', { cn1: amounts });
    await seed.reservation('r', { cn3: amounts });
    await place([vm('vm', { ...from('r'), migration: uuidOf('move') })]);
    const reverted = await write('endMigration', { ...record, outcome: 'REVERTED' }, consumerFields);
    expect(reverted).toMatchObject({ instance: { expiresAt: null, reservation: null }, userErrors: [] });
    expect(await held('vm')).toEqual({ cn1: amounts });
  });
});

describe('an instance that is back on its source', () => {
  const record = { migrationRecord: { fields: { uuid: uuidOf('move'), instance: uuidOf('vm') } } };
  const revert = () => write('endMigration', { ...record, outcome: 'REVERTED' }, consumerFields);
  const expires = async (consumer: string) => {
    const [row] = await database.own<{ at: string }[]>`select expires_at::text as at from consumers where uuid = ${uuidOf(consumer)}`;
    return row?.at;
  };

  test('claims from its reservation as long as before, though the destination would have expired', async () => {
    await seed.reservation('r', { cn1: amounts, cn2: amounts });
    await seed.claim('vm', { cn1: amounts }, { reservation: 'r' });
    const end = await expires('vm');
    await place([vm('vm', { migration: uuidOf('move'), expiry: { afterSeconds: 60 } })]);
    expect(await expires('vm')).not.toBe(end);
    expect(await revert()).toMatchObject({ instance: { reservation: { uuid: uuidOf('r') } }, userErrors: [] });
    expect(await expires('vm')).toBe(end);
  });

  test('claims from its reservation as long as before, though it had moved into one that ends earlier', async () => {
    await seed.reservation('r', { cn1: amounts });
    await seed.reservation('short', { cn2: amounts }, { endsAt: inHours(1) });
    await seed.claim('vm', { cn1: amounts }, { reservation: 'r' });
    const end = await expires('vm');
    await place([vm('vm', { ...from('short'), migration: uuidOf('move') })]);
    expect(await revert()).toMatchObject({ instance: { reservation: { uuid: uuidOf('r') } }, userErrors: [] });
    expect(await expires('vm')).toBe(end);
  });

  test('lasts if it was confirmed, though its migration would have expired', async () => {
    await seed.claim('vm', { cn1: amounts });
    await place([vm('vm', { migration: uuidOf('move') })]);
    const soon = { expect: unchecked, expiry: { afterSeconds: 60 } };
    await write('setExpiry', { consumers: [{ consumer: uuidOf('move'), ...soon }] });
    expect(await revert()).toMatchObject({ instance: { expiresAt: null }, userErrors: [] });
  });

  test('expires as its migration would have, if it held nothing any more', async () => {
    await seed.claim('vm', { cn1: amounts });
    await place([vm('vm', { migration: uuidOf('move') })]);
    await write('setExpiry', { consumers: [{ consumer: uuidOf('move'), expect: unchecked, expiry: { afterSeconds: 60 } }] });
    const end = await expires('move');
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: unchecked }] });
    await revert();
    expect(await expires('vm')).toBe(end);
  });
});

test('a member of a server group finds no host if the others are where the reservation keeps nothing', async () => {
  await seed.reservation('r', { cn2: amounts });
  await seed.claim('member', { cn3: amounts });
  const serverGroup = { fields: { uuid: uuidOf('group'), policy: 'AFFINITY', members: ['member', 'vm'].map(uuidOf) } };
  const refused = await refusal('selectDestinations', select([vm('vm', from('r'))], { serverGroup }));
  expect(refused).toMatchObject({ code: 'NO_CANDIDATES', path: ['instances', '0'] });
});

describe('claimAlternate', () => {
  test('claims from the reservation of the first search, once the first host has failed', async () => {
    await seed.reservation('r', { cn2: amounts, cn3: { VCPU: 8, MEMORY_MB: 2048 } });
    const { destinations } = await write(
      'selectDestinations',
      select([vm('a', from('r'))], { alternates: 1 }),
      'destinations { alternates { candidate { claimToken } } }',
    );
    const [{ alternates }] = destinations as [{ alternates: { candidate: { claimToken: string } }[] }];
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('a'), expect: unchecked }] });
    const again = {
      ...{ instance: uuidOf('a'), expect: { isNew: true }, project: 'p1', user: 'u1', ...from('r'), expiry: { at: inHours(1) } },
      selections: alternates.map(({ candidate }) => candidate),
    };
    expect(await write('claimAlternate', again, consumerFields)).toMatchObject({
      instance: { reservation: { uuid: uuidOf('r') } },
      userErrors: [],
    });
    expect(await held('a')).toEqual({ cn3: amounts });
  });
});

describe('claimInstance', () => {
  /** Not with sizes alone, so that the node is searched. */
  const pinned = [{ key: 'resources:CUSTOM_LICENSE', value: '1' }];
  const noRoom = ['CAPACITY_EXCEEDED', 'NO_CANDIDATES'];

  test.each([
    ['only sizes', []],
    ['more than sizes', pinned],
  ])('of a flavor that asks for %s claims from a reservation where it keeps enough', async (_asked, specs) => {
    const licenses = Object.fromEntries(specs.map(() => ['CUSTOM_LICENSE', 1]));
    const whole = { VCPU: 8, MEMORY_MB: 8192, CUSTOM_LICENSE: 8 };
    await seed.reservation('r', { cn1: whole, cn2: { VCPU: 3, MEMORY_MB: 1024, CUSTOM_LICENSE: 8 } });
    expect(noRoom).toContain((await refusal('claimInstance', claimOn('cn1', {}, specs)))?.code);
    expect(await write('claimInstance', claimOn('cn1', from('r'), specs), consumerFields)).toMatchObject({
      instance: { reservation: { uuid: uuidOf('r') }, expiresAt: expect.any(String) },
      userErrors: [],
    });
    expect(await held('vm')).toEqual({ cn1: { ...amounts, ...licenses } });
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: unchecked }] });
    for (const host of ['cn2', 'cn3']) expect(noRoom).toContain((await refusal('claimInstance', claimOn(host, from('r'), specs)))?.code);
    expect(await refusal('claimInstance', claimOn('cn1', from('none'), specs))).toMatchObject({ code: 'NOT_FOUND', path: ['reservation'] });
  });

  test.each([
    ['only sizes', []],
    ['more than sizes', pinned],
  ])('of a flavor that asks for %s may use what is promised for later, if it expires before', async (_asked, specs) => {
    await seed.reservation('r', { cn1: { VCPU: 8 } }, { startsAt: inHours(2) });
    expect(noRoom).toContain((await refusal('claimInstance', claimOn('cn1', { expiry: { at: inHours(3) } }, specs)))?.code);
    expect(await refusal('claimInstance', claimOn('cn1', { expiry: { at: inHours(-1) } }, specs))).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['expiry'],
    });
    const expiresAt = inHours(1);
    const claimed = await write('claimInstance', claimOn('cn1', { expiry: { at: expiresAt } }, specs), consumerFields);
    expect(claimed).toMatchObject({ instance: { expiresAt, reservation: null }, userErrors: [] });
  });

  test('of a flavor that asks for more than sizes gets what has expired, but is not released yet', async () => {
    await write('replaceAllocations', {
      consumers: [
        {
          ...{ consumer: uuidOf('late'), expect: { isNew: true }, project: 'p1', user: 'u1', expiry: { afterSeconds: 1 } },
          hold: { allocations: [{ resourceProvider: uuidOf('cn1'), resources: [{ resourceClass: 'VCPU', amount: 8 }] }] },
        },
      ],
    });
    await expect.poll(() => database.own`select from consumers where expires_at < now()`).toHaveLength(1);
    expect(await write('claimInstance', claimOn('cn1', {}, pinned))).toMatchObject({ userErrors: [] });
    expect(await held('late')).toEqual({});
  });
});
