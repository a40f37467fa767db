// Moves of instances, according to the document "migration allocations": the migration's uuid holds the allocations on the source, which are
// never free in between. Each step as a client sends it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { renderClaimToken } from '../../../src/operations/allocations/claim-token.ts';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy, heldOf } from '../../support/held.ts';
import { clearSoundLedger } from '../../support/ledger.ts';
import { claim, createWriter } from '../../support/mutations.ts';
import { type Amounts, createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];
let seed: ReturnType<typeof createSeed>;

const vm = uuidOf('vm');
const move = uuidOf('move');
const parties = { migrationRecord: { fields: { uuid: move, instance: vm } } };
/** The start of a move whose instance holds its source, and of one whose source already passed to the migration. */
const start = { ...parties, expect: { generation: 1 } };
const resume = { ...parties, expect: { isNew: true } };
const fields = ['migrationRecord', 'fields'];
const steps = 'changed instance { uuid consumerType } migration { uuid consumerType project { externalId } }';

/** The token of a candidate with these allocations. */
const tokenOf = (taken: Readonly<Record<string, Amounts>>) =>
  renderClaimToken(
    Object.entries(taken).map(([provider, amounts]) => ({
      resourceProvider: uuidOf(provider),
      resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
    })),
  );
const held = (consumer: string) => heldBy(database.db, consumer);

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  await plantTrees(
    database.db,
    `
    source       VCPU 4, MEMORY_MB 4096
    destination  VCPU 4, MEMORY_MB 4096
    narrow       VCPU 8 max 4
    pool         DISK_GB 100             SHARING  @storage
    `,
  );
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => gateway.close());

describe('a move in two steps', () => {
  test('gives the source to the migration, then the destination to the instance, and in the end leaves only the destination', async () => {
    await seed.claim('vm', { source: { VCPU: 2, MEMORY_MB: 512 } });
    expect(await write('startMigration', start, steps)).toEqual({
      changed: true,
      instance: null,
      migration: { uuid: move, consumerType: 'MIGRATION', project: { externalId: 'p1' } },
      userErrors: [],
    });
    expect([await held('vm'), await held('move')]).toEqual([{}, { source: { VCPU: 2, MEMORY_MB: 512 } }]);

    await write('startMigration', { ...resume, selection: { claimToken: tokenOf({ destination: { VCPU: 2, MEMORY_MB: 512 } }) } });
    expect(await held('vm')).toEqual({ destination: { VCPU: 2, MEMORY_MB: 512 } });
    expect(await held('move')).toEqual({ source: { VCPU: 2, MEMORY_MB: 512 } });

    expect(await write('endMigration', { ...parties, outcome: 'CONFIRMED' }, steps)).toMatchObject({
      changed: true,
      instance: { consumerType: 'INSTANCE' },
      migration: null,
    });
    expect(await heldOf(database.db, 'VCPU')).toEqual({ destination: 2 });
  });

  test('never frees the source in between', async () => {
    await seed.claim('vm', { source: { VCPU: 4 } });
    const rival = { consumers: [claim('rival', 'source', 1)] };
    const outcomes = await Promise.all([
      write('startMigration', { ...start, selection: { claimToken: tokenOf({ destination: { VCPU: 4 } }) } }),
      ...Array.from({ length: 8 }, () => write('replaceAllocations', rival)),
    ]);
    expect(outcomes.map(({ userErrors }) => userErrors.map(({ code }) => code))).toEqual([
      [],
      ...Array.from({ length: 8 }, () => ['CAPACITY_EXCEEDED']),
    ]);
  });

  test('can be undone: the instance holds its source again, and the destination is free', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    await write('startMigration', { ...start, selection: { claimToken: tokenOf({ destination: { VCPU: 3 } }) } });
    expect(await write('endMigration', { ...parties, outcome: 'REVERTED' }, steps)).toMatchObject({
      changed: true,
      instance: { uuid: vm, consumerType: 'INSTANCE' },
      migration: null,
    });
    expect(await held('vm')).toEqual({ source: { VCPU: 2 } });
    expect(await heldOf(database.db, 'VCPU')).toEqual({ source: 2 });
  });

  test('can be undone before a destination is claimed', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    await write('startMigration', start);
    await write('endMigration', { ...parties, outcome: 'REVERTED' });
    expect(await held('vm')).toEqual({ source: { VCPU: 2 } });
  });
});

describe('a caller that crashed repeats the call', () => {
  test('between the two steps', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    await write('startMigration', start);
    expect(await write('startMigration', start, 'changed')).toEqual({ changed: false, userErrors: [] });
    const withDestination = { ...resume, selection: { claimToken: tokenOf({ destination: { VCPU: 2 } }) } };
    expect(await write('startMigration', withDestination, 'changed')).toEqual({ changed: true, userErrors: [] });
    expect(await write('startMigration', withDestination, 'changed')).toEqual({ changed: false, userErrors: [] });
    expect(await write('startMigration', start, 'changed')).toEqual({ changed: false, userErrors: [] });
    expect([await held('vm'), await held('move')]).toEqual([{ destination: { VCPU: 2 } }, { source: { VCPU: 2 } }]);
  });

  test('after the confirmation', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    await write('startMigration', { ...start, selection: { claimToken: tokenOf({ destination: { VCPU: 2 } }) } });
    await write('endMigration', { ...parties, outcome: 'CONFIRMED' });
    expect(await write('endMigration', { ...parties, outcome: 'CONFIRMED' }, steps)).toMatchObject({
      changed: false,
      instance: { uuid: vm },
      migration: null,
    });
    expect(await held('vm')).toEqual({ destination: { VCPU: 2 } });
  });

  test('after the revert', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    await write('startMigration', { ...start, selection: { claimToken: tokenOf({ destination: { VCPU: 2 } }) } });
    await write('endMigration', { ...parties, outcome: 'REVERTED' });
    expect(await write('endMigration', { ...parties, outcome: 'REVERTED' }, 'changed')).toEqual({ changed: false, userErrors: [] });
    expect(await held('vm')).toEqual({ source: { VCPU: 2 } });
  });

  test('and two concurrent callers of the same step do it once', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    const claimToken = tokenOf({ destination: { VCPU: 2 } });
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => write('startMigration', { ...start, selection: { claimToken } }, 'changed')),
    );
    expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1);
    // The later writer gets a conflict, and finds nothing left to do when it tries again.
    expect(outcomes.flatMap(({ userErrors }) => userErrors.map(({ code }) => code)).filter((code) => code !== 'CONSUMER_CONFLICT')).toEqual(
      [],
    );
    expect([await held('vm'), await held('move')]).toEqual([{ destination: { VCPU: 2 } }, { source: { VCPU: 2 } }]);
  });
});

describe('a host that is hard to leave', () => {
  test('because its inventory shrank below its usage can be left, and returned to', async () => {
    await seed.provider('shrinking', { inventories: { VCPU: 8 } });
    await seed.claim('vm', { shrinking: { VCPU: 6 } });
    await seed.inventories('shrinking', { VCPU: 4 });
    const started = await write('startMigration', { ...start, selection: { claimToken: tokenOf({ destination: { VCPU: 4 } }) } });
    expect(started.userErrors).toEqual([]);
    expect(await held('move')).toEqual({ shrinking: { VCPU: 6 } });
    expect((await write('endMigration', { ...parties, outcome: 'REVERTED' })).userErrors).toEqual([]);
    expect(await held('vm')).toEqual({ shrinking: { VCPU: 6 } });
  });
});

describe('a resize on the same host', () => {
  test('holds both sizes, neither of which may exceed the largest unit', async () => {
    await seed.claim('vm', { narrow: { VCPU: 4 } });
    expect((await write('startMigration', { ...start, selection: { claimToken: tokenOf({ narrow: { VCPU: 3 } }) } })).userErrors).toEqual(
      [],
    );
    expect(await heldOf(database.db, 'VCPU')).toEqual({ narrow: 7 });
    await write('endMigration', { ...parties, outcome: 'CONFIRMED' });
    expect(await held('vm')).toEqual({ narrow: { VCPU: 3 } });
  });

  test('is refused if both do not fit, and changes nothing', async () => {
    await seed.claim('neighbour', { narrow: { VCPU: 2 } });
    await seed.claim('vm', { narrow: { VCPU: 4 } });
    expect(await refusal('startMigration', { ...start, selection: { claimToken: tokenOf({ narrow: { VCPU: 3 } }) } })).toMatchObject({
      code: 'CAPACITY_EXCEEDED',
      path: ['selection'],
      requested: 7,
      available: 6,
    });
  });

  test('on shared storage counts the disk twice while it lasts', async () => {
    await seed.claim('vm', { source: { VCPU: 1 }, pool: { DISK_GB: 20 } });
    await write('startMigration', {
      ...start,
      selection: { claimToken: tokenOf({ destination: { VCPU: 1 }, pool: { DISK_GB: 20 } }) },
    });
    expect(await heldOf(database.db, 'DISK_GB')).toEqual({ pool: 40 });
    await write('endMigration', { ...parties, outcome: 'CONFIRMED' });
    expect(await heldOf(database.db, 'DISK_GB')).toEqual({ pool: 20 });
  });
});

describe('an invalid move', () => {
  test('of an instance without allocations is refused', async () => {
    expect(await refusal('startMigration', start)).toMatchObject({ code: 'NOT_FOUND', noun: 'CONSUMER', path: [...fields, 'instance'] });
    expect(await refusal('endMigration', { ...parties, outcome: 'CONFIRMED' })).toMatchObject({
      code: 'NOT_FOUND',
      path: [...fields, 'instance'],
    });
    expect(await refusal('endMigration', { ...parties, outcome: 'REVERTED' })).toMatchObject({
      code: 'NOT_FOUND',
      path: [...fields, 'uuid'],
    });
  });

  test('is not confirmed while the instance has no destination, because it would lose all allocations', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    await write('startMigration', start);
    expect(await refusal('endMigration', { ...parties, outcome: 'CONFIRMED' })).toMatchObject({
      code: 'NOT_FOUND',
      path: [...fields, 'instance'],
    });
    expect(await held('move')).toEqual({ source: { VCPU: 2 } });
  });

  test('to another destination than the current one is refused', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    await write('startMigration', { ...start, selection: { claimToken: tokenOf({ destination: { VCPU: 2 } }) } });
    expect(await refusal('startMigration', { ...start, selection: { claimToken: tokenOf({ narrow: { VCPU: 2 } }) } })).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['selection'],
    });
  });

  test('of an instance that has changed since the caller read it is refused, also after another move of the same migration', async () => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    const selection = { claimToken: tokenOf({ destination: { VCPU: 2 } }) };
    const conflict = { code: 'CONSUMER_CONFLICT', path: ['expect'], retry: 'AFTER_READ' };
    expect(await refusal('startMigration', { ...resume, selection })).toMatchObject({
      ...conflict,
      expectedGeneration: null,
      actualGeneration: 1,
    });
    await write('startMigration', { ...start, selection });
    await write('endMigration', { ...parties, outcome: 'CONFIRMED' });
    const [row] = await database.db.sql<{ generation: number }[]>`select generation::int from consumers`;
    const generation = row?.generation ?? 0;
    expect(await refusal('startMigration', { ...start, selection })).toMatchObject({
      ...conflict,
      expectedGeneration: 1,
      actualGeneration: generation,
    });
    expect(await held('vm')).toEqual({ destination: { VCPU: 2 } });
    expect((await write('startMigration', { ...parties, expect: { generation } })).userErrors).toEqual([]);
    expect(await refusal('startMigration', { ...parties, expect: { generation }, selection })).toMatchObject({
      ...conflict,
      actualGeneration: null,
    });
  });

  test.each([
    ['a malformed token as destination', { ...parties, selection: { claimToken: 'cn1' } }, 'selection'],
    ['an impossible generation', { ...parties, expect: { generation: -1 } }, 'expect'],
    ['an instance as its own migration', { migrationRecord: { fields: { uuid: vm, instance: vm } } }, 'migrationRecord'],
    ['a malformed object', { migrationRecord: { object: '{' } }, 'migrationRecord'],
    ['an object of another kind', { migrationRecord: { object: JSON.stringify({ 'nova_object.name': 'Flavor' }) } }, 'migrationRecord'],
  ])('%s is refused, and nothing changes', async (_, input, at) => {
    await seed.claim('vm', { source: { VCPU: 2 } });
    const { code, path } = (await refusal('startMigration', { ...start, ...input })) ?? {};
    expect({ code, at: (path as string[])[0] }).toEqual({ code: 'INVALID_INPUT', at });
  });
});

test('a versioned object names both parties as well', async () => {
  await seed.claim('vm', { source: { VCPU: 2 } });
  const object = JSON.stringify({
    'nova_object.name': 'Migration',
    'nova_object.namespace': 'nova',
    'nova_object.version': '1.8',
    'nova_object.data': { uuid: move, instance_uuid: vm, migration_type: 'resize', status: 'pre-migrating' },
  });
  await write('startMigration', {
    migrationRecord: { object },
    expect: { generation: 1 },
    selection: { claimToken: tokenOf({ destination: { VCPU: 3 } }) },
  });
  expect([await held('vm'), await held('move')]).toEqual([{ destination: { VCPU: 3 } }, { source: { VCPU: 2 } }]);
  expect(await write('endMigration', { migrationRecord: { object }, outcome: 'CONFIRMED' }, 'changed')).toEqual({
    changed: true,
    userErrors: [],
  });
});
