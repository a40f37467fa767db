// Audits that know the migrations of their host: running, failed and over. They neither suspect what a move holds nor free its source early, and they name a dead
// migration as such. As a client sends it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { clearSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let seed: ReturnType<typeof createSeed>;

const flavorOf = (vcpus: number) => ({ fields: { vcpus, memoryMb: 512 } });
const vm = (vcpus = 2) => ({ instanceRecord: { fields: { uuid: uuidOf('vm'), project: 'p1', user: 'u1', flavor: flavorOf(vcpus) } } });
const small = { VCPU: 2, MEMORY_MB: 512 };
const large = { VCPU: 4, MEMORY_MB: 512 };
const ofMigration = { type: 'MIGRATION' };
const held = (consumer: string) => heldBy(database.db, consumer);
const migrationThatIs = (state: string) => ({ knownMigrations: { migration: uuidOf('move'), instance: uuidOf('vm'), state } });

async function audit(host: string, rest: object) {
  const fields =
    'auditedAllocations { consumerUuid reason verdict removed } auditedInstances { state repaired } auditedMoves { side state repaired }';
  const input = { computeNode: uuidOf(host), host, instances: [], removeStale: true, repair: true, ...rest };
  const answer = await write('auditComputeNode', input, fields);
  expect(answer.userErrors).toEqual([]);
  const allocations = answer.auditedAllocations as { consumerUuid: string; reason: string; verdict: string; removed: boolean }[];
  const names = new Map(['vm', 'move'].map((name) => [uuidOf(name), name]));
  return {
    reasons: Object.fromEntries(allocations.map(({ consumerUuid, reason, verdict }) => [names.get(consumerUuid), `${verdict} ${reason}`])),
    removed: allocations.flatMap(({ consumerUuid, removed }) => (removed ? names.get(consumerUuid) : [])),
    instances: answer.auditedInstances,
    moves: answer.auditedMoves,
  };
}

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
  ({ write } = createWriter(gateway, database));
  await plantTrees(
    database.db,
    `
    cn1  VCPU 16, MEMORY_MB 8192  COMPUTE_NODE
    cn2  VCPU 16, MEMORY_MB 8192  COMPUTE_NODE
    `,
  );
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => gateway.close());

describe('an instance that was evacuated', () => {
  const both = { cn1: small, cn2: small };

  test.each([
    ['nothing is known of its migration', {}],
    ['its migration is running', migrationThatIs('RUNNING')],
    ['its migration failed', migrationThatIs('FAILED')],
  ])('keeps its source, too, in a repair of its new host if %s', async (_, known) => {
    await seed.claim('vm', both);
    expect((await audit('cn2', { instances: vm(), ...known })).instances).toEqual([{ state: 'MOVING', repaired: false }]);
    expect(await held('vm')).toEqual(both);
  });

  test('gives up its source in a repair of its new host when its migration is over', async () => {
    await seed.claim('vm', both);
    expect((await audit('cn2', { instances: vm(), ...migrationThatIs('DONE') })).instances).toEqual([{ state: 'WRONG', repaired: true }]);
    expect(await held('vm')).toEqual({ cn2: small });
  });

  test('is not suspect on its source while its migration is running, and is when it is over', async () => {
    await seed.claim('vm', both);
    const known = [{ instance: uuidOf('vm'), host: 'cn2' }];
    expect((await audit('cn1', { known, ...migrationThatIs('RUNNING') })).reasons).toEqual({ vm: 'RIGHT MIGRATING' });
    expect((await audit('cn1', { known, ...migrationThatIs('DONE') })).reasons).toEqual({ vm: 'SUSPECT ELSEWHERE' });
    expect(await held('vm')).toEqual(both);
  });
});

describe('what a migration holds on its source', () => {
  test('is kept while it is running', async () => {
    await seed.claim('move', { cn1: small }, ofMigration);
    await seed.claim('vm', { cn2: small });
    expect(await audit('cn1', migrationThatIs('RUNNING'))).toMatchObject({ reasons: { move: 'RIGHT MIGRATING' }, removed: [] });
  });

  test('is kept when it failed, and is named, because the instance may have to return', async () => {
    await seed.claim('move', { cn1: small }, ofMigration);
    await seed.claim('vm', { cn2: small });
    expect(await audit('cn1', migrationThatIs('FAILED'))).toMatchObject({ reasons: { move: 'SUSPECT MIGRATION_UNFINISHED' }, removed: [] });
  });

  test('is released when it is over and the instance holds its destination', async () => {
    await seed.claim('move', { cn1: small }, ofMigration);
    await seed.claim('vm', { cn2: small });
    expect(await audit('cn1', migrationThatIs('DONE'))).toMatchObject({ reasons: { move: 'STALE MIGRATION_OVER' }, removed: ['move'] });
    expect([await held('move'), await held('vm')]).toEqual([{}, { cn2: small }]);
  });

  test('is released when it is over and the instance is deleted', async () => {
    await seed.claim('move', { cn1: small }, ofMigration);
    const known = [{ instance: uuidOf('vm'), deleted: true }];
    expect(await audit('cn1', { known, ...migrationThatIs('DONE') })).toMatchObject({ removed: ['move'] });
  });

  test('is kept when it is over and the instance holds nothing, which would lose its place', async () => {
    await seed.claim('move', { cn1: small }, ofMigration);
    expect(await audit('cn1', migrationThatIs('DONE'))).toMatchObject({ reasons: { move: 'SUSPECT MIGRATION_UNFINISHED' }, removed: [] });
  });
});

describe('a resize on the same host', () => {
  const moves = [
    { migration: uuidOf('move'), side: 'OUTGOING', hostedInstance: vm(2) },
    { migration: uuidOf('move'), side: 'INCOMING', hostedInstance: vm(4) },
  ];

  test.each([
    ['its sizes are those of its destination', vm(4), 'RIGHT'],
    ['its sizes are those of its source', vm(2), 'MOVING'],
    ['the host does not have it', [], null],
  ])('is right on both sides, and nothing is corrected, if %s', async (_, instances, state) => {
    await seed.claim('move', { cn1: small }, ofMigration);
    await seed.claim('vm', { cn1: large });
    const found = await audit('cn1', { instances, moves });
    expect(found.reasons).toEqual({ move: 'RIGHT MIGRATING', vm: state ? 'RIGHT TRACKED' : 'RIGHT MIGRATING' });
    expect(found.moves).toEqual([
      { side: 'OUTGOING', state: 'RIGHT', repaired: false },
      { side: 'INCOMING', state: 'RIGHT', repaired: false },
    ]);
    expect(found.instances).toEqual(state ? [{ state, repaired: false }] : []);
    expect([await held('move'), await held('vm')]).toEqual([{ cn1: small }, { cn1: large }]);
  });
});

test('a migration that is listed twice is refused', async () => {
  const twice = [migrationThatIs('DONE').knownMigrations, migrationThatIs('RUNNING').knownMigrations];
  const { userErrors } = await write('auditComputeNode', {
    computeNode: uuidOf('cn1'),
    host: 'cn1',
    instances: [],
    knownMigrations: twice,
  });
  expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['knownMigrations', '1', 'migration'] }]);
});
