// Every way in which Nova moves an instance, each as one or two calls, interrupted after each of them and repeated; and many random moves through two gateways:
// an instance always holds something, and never more than its source and its destination. As clients send it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { releaseAllocations, replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { findHolders, type Holder } from '../../../src/operations/allocations/holdings.ts';
import { useDatabase } from '../../support/database.ts';
import { type Dice, freshDice } from '../../support/dice.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { clearSoundLedger, scopeOf } from '../../support/ledger.ts';
import { amountsOf, hostsOfMoves, type Mutation, moves, parties, plantOfMoves, select, source, start, to } from '../../support/moves.ts';
import { createWriter, type Payload } from '../../support/mutations.ts';
import { least, sampled } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
const gateways: Gateway[] = [];
let writers: readonly ReturnType<typeof createWriter>['write'][];
let refusal: ReturnType<typeof createWriter>['refusal'];
let seed: ReturnType<typeof createSeed>;

const names = hostsOfMoves;
const held = (consumer: string) => heldBy(database.db, consumer);

async function send([mutation, input, asked]: Mutation, gateway = 0): Promise<Payload> {
  return (writers[gateway] as (typeof writers)[number])(mutation, input, asked);
}
async function done(...mutation: Mutation): Promise<void> {
  expect((await send(mutation)).userErrors).toEqual([]);
}

beforeAll(async () => {
  seed = createSeed(database.db);
  for (let place = 0; place < 2; place++) gateways.push(await startGateway(database, 'jit'));
  const all = gateways.map((gateway) => createWriter(gateway, database));
  writers = all.map(({ write }) => write);
  ({ refusal } = all[0] as ReturnType<typeof createWriter>);
  await plantTrees(database.db, plantOfMoves);
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

describe.each(moves)('$called', ({ called, calls, after }) => {
  test('holds what it should after each call', async () => {
    await seed.claim('vm', source);
    for (const [index, call] of calls.entries()) {
      await done(...call);
      expect([await held('vm'), await held('vm-move')]).toEqual(after[index]);
    }
  });

  test.each(calls.map((_, index) => index))(
    'can be interrupted after call %i: an audit of its source keeps everything, and repeating all calls completes it',
    async (last) => {
      const own = calls.map(([mutation, input, asked], index): Mutation => {
        return [mutation, { ...input, idempotencyKey: `${called}, cut off after ${last}: call ${index}` }, asked];
      });
      await seed.claim('vm', source);
      for (const call of own.slice(0, last + 1)) await done(...call);
      const [ofInstance] = after[last] as (typeof after)[number];
      const host = Object.keys(ofInstance)[0] ?? 'nowhere';
      const known = [{ instance: uuidOf('vm'), host, taskState: 'resize_migrating' }];
      const audit = { computeNode: uuidOf('cn1'), host: 'cn1', instances: [], known, migrations: [uuidOf('vm-move')], removeStale: true };
      const { auditedAllocations } = await send(['auditComputeNode', audit, 'auditedAllocations { verdict removed }']);
      for (const one of auditedAllocations as object[]) expect(one).toEqual({ verdict: 'RIGHT', removed: false });
      expect([await held('vm'), await held('vm-move')]).toEqual(after[last]);
      // The caller does not know how far the call came. Another gateway answers.
      for (const call of own) expect((await send(call, 1)).userErrors).toEqual([]);
      expect([await held('vm'), await held('vm-move')]).toEqual(after.at(-1));
    },
  );
});

describe('an instance', () => {
  test('that is shelved holds nothing, and is unshelved like a new one', async () => {
    await seed.claim('vm', source);
    await done('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
    expect(await held('vm')).toEqual({});
    await done(...select('vm', 2, to('cn3'), null));
    expect(await held('vm')).toEqual({ cn3: amountsOf(2) });
  });

  test('that is rebuilt keeps what it holds', async () => {
    await seed.claim('vm', source);
    const instanceRecord = { fields: { uuid: uuidOf('vm'), project: 'p1', user: 'u1', flavor: { fields: { vcpus: 2, memoryMb: 1024 } } } };
    const claimed = await send(['claimInstance', { hostedInstance: { instanceRecord }, computeNode: uuidOf('cn1') }, 'changed']);
    expect(claimed).toEqual({ changed: false, userErrors: [] });
  });

  test('that moves leaves its host unless it may stay, and finds no host if both sizes do not fit there', async () => {
    await seed.claim('vm', { cn1: amountsOf(4) });
    await seed.claim('other', { cn1: amountsOf(1) });
    const [, stay] = select('vm', 4, { ...to('cn1'), allowSource: true });
    const [, leave] = select('vm', 4, to('cn1'));
    expect(await refusal('selectDestinations', leave)).toMatchObject({
      code: 'NO_CANDIDATES',
      message: expect.stringContaining('other than the hosts to leave'),
    });
    expect(await refusal('selectDestinations', stay)).toMatchObject({ code: 'NO_CANDIDATES', message: expect.stringContaining('4 VCPU') });
    expect([await held('vm'), await held('vm-move')]).toEqual([{ cn1: amountsOf(4) }, {}]);
  });

  test('leaves a host whose service is down, and no new instance is placed there', async () => {
    await seed.claim('vm', source);
    await done('reportService', { service: { fields: { host: 'cn1', binary: 'nova-compute', version: 73, forcedDown: true } } });
    await done(...select('vm', 2, { allowSource: true }));
    expect(Object.keys(await held('vm'))).not.toContain('cn1');
    expect(await refusal('selectDestinations', select('new', 2, to('cn1'), null)[1])).toMatchObject({ code: 'NO_CANDIDATES' });
    await done('reportService', { service: { fields: { host: 'cn1', binary: 'nova-compute', version: 73, forcedDown: false } } });
    await done(...select('new', 2, to('cn1'), null));
  });

  test('goes to a host that was selected for it earlier, by the object of the selection', async () => {
    const { destinations } = await send(select('probe', 2, to('cn2'), null));
    const [found] = destinations as { selected: { object: string } }[];
    await done('releaseAllocations', { consumers: [{ consumer: uuidOf('probe'), expect: { unchecked: true } }] });
    await seed.claim('vm', source);
    await done('startMigration', { ...start('vm'), selection: { object: found?.selected.object } });
    expect([await held('vm'), await held('vm-move')]).toEqual([{ cn2: amountsOf(2) }, source]);
  });

  test('never goes where its group forbids it, with any call', async () => {
    const { destinations } = await send(select('probe', 2, to('cn2'), null));
    const [found] = destinations as { selected: { object: string } }[];
    const selection = { object: found?.selected.object };
    await seed.claim('vm', source);
    const serverGroup = { fields: { uuid: uuidOf('group'), policy: 'ANTI_AFFINITY', members: [uuidOf('probe'), uuidOf('vm')] } };
    const code = 'AFFINITY_VIOLATION';
    expect(await refusal('startMigration', { ...start('vm'), selection, serverGroup })).toMatchObject({ code, path: ['selection'] });
    expect(
      await refusal('claimAlternate', { instance: uuidOf('vm'), expect: { generation: 1 }, selections: [selection], serverGroup }),
    ).toMatchObject({
      code,
      path: ['selections', '0'],
    });
    expect([await held('vm'), await held('vm-move')]).toEqual([source, {}]);
  });

  test.each<[string, object, string, readonly string[]]>([
    ['without allocations', { instance: uuidOf('none'), migration: uuidOf('none-move') }, 'NOT_FOUND', ['instances', '0', 'instance']],
    [
      'whose migration is in progress',
      { instance: uuidOf('vm'), migration: uuidOf('vm-move') },
      'CONSUMER_CONFLICT',
      ['instances', '0', 'migration'],
    ],
    ['without a migration', { instance: uuidOf('vm') }, 'CONSUMER_CONFLICT', ['instances', '0']],
  ])('%s cannot be moved', async (_, seeker, code, path) => {
    await seed.claim('vm', source);
    await seed.claim('vm-move', { cn3: amountsOf(1) });
    const [, input] = select('vm', 2);
    const refused = await refusal('selectDestinations', { ...input, instances: { project: 'p1', user: 'u1', ...seeker } });
    expect(refused).toMatchObject({ code, path });
  });
});

describe('a migration that already holds the source', () => {
  const startOf = (name: string, change: object): Mutation => {
    const [mutation, input] = select(name, 2);
    const { instances } = input as { readonly instances: object };
    return [mutation, { ...input, instances: { ...instances, ...change } }];
  };

  test.each([
    ['of another project', { project: 'p2' }],
    ['of another user', { user: 'u2' }],
  ])('is refused for an instance %s', async (_, change) => {
    await done(...select('vm', 2, {}, null));
    await done('startMigration', start('vm'));
    const [mutation, input] = startOf('vm', change);
    expect(await refusal(mutation, input)).toMatchObject({ code: 'INVALID_INPUT', path: ['instances', '0', 'migration'] });
    await done(...startOf('vm', {}));
  });

  test('is refused for another instance of the same project and user, with any call', async () => {
    await done(...select('vm', 2, {}, null));
    await done('startMigration', start('vm'));
    const code = 'INVALID_INPUT';
    const [mutation, input] = startOf('other', { migration: uuidOf('vm-move') });
    expect(await refusal(mutation, input)).toMatchObject({ code, path: ['instances', '0', 'migration'] });
    const { destinations } = await send(select('probe', 2, to('cn4'), null));
    const [found] = destinations as { selected: { object: string } }[];
    const selection = { object: found?.selected.object };
    expect(await refusal('startMigration', { ...parties('other', 'vm-move'), expect: { isNew: true }, selection })).toMatchObject({
      code,
      path: ['migrationRecord', 'fields', 'uuid'],
    });
    await done(...startOf('vm', {}));
    expect([Object.keys(await held('vm')), Object.keys(await held('vm-move'))].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('that is unknown to the ledger is accepted', async () => {
    // As a repair writes it, which knows only the migration.
    const resources = Object.entries(amountsOf(2)).map(([resourceClass, amount]) => ({ resourceClass, amount }));
    const hold = { allocations: [{ resourceProvider: uuidOf('cn1'), resources }] };
    const owner = { project: 'p1', user: 'u1', consumerType: 'MIGRATION' };
    await replaceAllocations(scopeOf(database.db), {
      consumers: [{ consumer: uuidOf('vm-move'), expect: { isNew: true }, hold, ...owner }],
    });
    await done(...select('vm', 2));
    expect(Object.keys(await held('vm'))).not.toEqual(['cn1']);
  });

  test('cannot be another instance, with any call', async () => {
    await done(...select('other', 2, {}, null));
    const [mutation, input] = startOf('vm', { migration: uuidOf('other') });
    expect(await refusal(mutation, input)).toMatchObject({ code: 'INVALID_INPUT', path: ['instances', '0', 'migration'] });
    const refused = { code: 'INVALID_INPUT', path: ['migrationRecord', 'fields', 'uuid'] };
    expect(await refusal('startMigration', start('vm', 'other'))).toMatchObject(refused);
    expect(await refusal('endMigration', { ...parties('vm', 'other'), outcome: 'REVERTED' })).toMatchObject(refused);
    await done(...select('vm', 2, {}, null));
    expect(await refusal('endMigration', { ...parties('vm', 'other'), outcome: 'CONFIRMED' })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(Object.keys(await held('other'))).toHaveLength(1);
  });
});

test('a confirmation that was overtaken by a new start of the migration with the same generation releases nothing', async () => {
  await seed.claim('vm', { cn1: amountsOf(2) });
  await done('startMigration', start('vm'));
  const scope = scopeOf(database.db);
  const before = (await findHolders(scope, [uuidOf('vm-move')])).get(uuidOf('vm-move'));
  await done('endMigration', { ...parties('vm'), outcome: 'REVERTED' });
  const again = (await findHolders(scope, [uuidOf('vm')])).get(uuidOf('vm'));
  await done('startMigration', { ...parties('vm'), expect: { generation: again?.generation } });
  const { id, generation } = before as Holder;
  const release = { consumers: [{ consumer: uuidOf('vm-move'), expect: { generation }, id }] };
  await expect(releaseAllocations(scope, release)).rejects.toMatchObject({ problems: [{ code: 'CONSUMER_CONFLICT' }] });
  expect(await held('vm-move')).not.toEqual({});
});

describe('many random moves', () => {
  const instances = ['a', 'b', 'c', 'd'];
  const vcpus = 2;

  function callAtRandom(roll: Dice): Mutation {
    const name = instances[roll(instances.length)] as string;
    const calls: readonly (() => Mutation)[] = [
      () => select(name, vcpus, { allowSource: roll(2) === 0 }),
      () => select(name, vcpus, to(names[roll(names.length)] as string)),
      () => ['startMigration', { ...parties(name), expect: roll(4) === 0 ? { isNew: true } : { generation: 1 + roll(4) } }],
      () => ['endMigration', { ...parties(name), outcome: 'CONFIRMED' }],
      () => ['endMigration', { ...parties(name), outcome: 'REVERTED' }],
    ];
    return (calls[roll(calls.length)] as () => Mutation)();
  }

  /** The processors on each host that an instance and its migration hold. */
  const heldTogether = async (name: string) =>
    Promise.all([name, `${name}-move`].map(async (consumer) => Object.values(await held(consumer)).map(({ VCPU }) => VCPU ?? 0)));

  test.each([1, 2, 3])('never leave an instance with nothing, or with more than source and destination (history %i)', async (number) => {
    const roll = freshDice(`moves ${number}`);
    for (const [index, name] of instances.entries()) await seed.claim(name, { [names[index] as string]: amountsOf(vcpus) });
    let changed = 0;
    for (let turn = 0; turn < sampled(40); turn++) {
      const calls = Array.from({ length: 4 }, () => callAtRandom(roll));
      const outcomes = await Promise.all(calls.map((call, index) => send(call, index % 2)));
      changed += outcomes.filter(({ userErrors }) => userErrors.length === 0).length;
      for (const name of instances) {
        const [own, ofMigration] = (await heldTogether(name)) as [number[], number[]];
        // Each holds one host or none, never a part, and at least one of them holds one.
        expect([[], [vcpus]]).toContainEqual(own);
        expect([[], [vcpus]]).toContainEqual(ofMigration);
        expect(own.length + ofMigration.length).toBeGreaterThan(0);
      }
    }
    expect(changed).toBeGreaterThan(least(40));
  });
});
