// Writes of allocations, on a real database: claims, changes, moves, releases, and all refusals.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ConsumerAllocations,
  moveAllocations,
  releaseAllocations,
  replaceAllocations,
} from '../../../src/operations/allocations/allocation-writes.ts';
import { setInventory } from '../../../src/operations/providers/inventory-writes.ts';
import { useDatabase } from '../../support/database.ts';
import { expectSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { type Amounts, createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
const seed = () => createSeed(database.db);
const isNew = { isNew: true } as const;
const nowhere = uuidOf('nowhere');

beforeAll(async () => {
  await seed().provider('cn1', { inventories: { VCPU: 16, MEMORY_MB: { total: 4096, minUnit: 256, maxUnit: 2048, stepSize: 256 } } });
  await seed().provider('cn2', { inventories: { VCPU: 16 } });
});
afterEach(() => expectSoundLedger(database.db));

const hold = (held: Readonly<Record<string, Amounts>>): ConsumerAllocations['hold'] => ({
  allocations: Object.entries(held).map(([provider, amounts]) => ({
    resourceProvider: uuidOf(provider),
    resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
  })),
});

/** One consumer of a request: new and of project p1 and user u1 unless `rest` says otherwise. */
const wanted = (name: string, held: Readonly<Record<string, Amounts>>, rest: Partial<ConsumerAllocations> = {}): ConsumerAllocations => ({
  consumer: uuidOf(name),
  expect: isNew,
  project: 'p1',
  user: 'u1',
  hold: hold(held),
  ...rest,
});

const replace = (...consumers: ConsumerAllocations[]) => replaceAllocations(scope(), { consumers });
const refused = (...consumers: ConsumerAllocations[]) => refusalOf(database.db, () => replace(...consumers));

const generationsOf = async (...names: string[]): Promise<number[]> => {
  const rows = await database.db.sql<{ generation: number }[]>`
    select generation::int as generation from resource_providers where name = any(${names}) order by name`;
  return rows.map(({ generation }) => generation);
};

describe('a claim', () => {
  test("creates the consumer with generation 1, raises each provider's generation once and writes one event", async () => {
    await seed().provider('first', { inventories: { VCPU: 4, MEMORY_MB: 512 } });
    const held = { first: { VCPU: 2, MEMORY_MB: 512 } };
    const answer = await replace(wanted('a', held, { consumerType: 'INSTANCE' }));
    expect(answer.consumers).toMatchObject([{ uuid: uuidOf('a'), generation: 1, project: 'p1', user: 'u1', type: 'INSTANCE' }]);
    expect(answer.providers).toMatchObject([{ uuid: uuidOf('first'), generation: 2 }]);
    const { kind, changes } = await newestEvent(database.db);
    const provider = uuidOf('first');
    expect({ kind, changes }).toEqual({
      kind: 'REPLACE_ALLOCATIONS',
      changes: {
        providers: { [provider]: { before: { generation: 1 }, after: { generation: 2 } } },
        consumers: {
          [uuidOf('a')]: {
            before: null,
            after: {
              generation: 1,
              project: 'p1',
              user: 'u1',
              type: 'INSTANCE',
              allocations: [
                { provider, resourceClass: 'MEMORY_MB', amount: 512 },
                { provider, resourceClass: 'VCPU', amount: 2 },
              ],
            },
          },
        },
      },
    });
  });

  test('made again replaces everything, raises the generations of old and new providers, and takes over project, user and type (LP 1779717)', async () => {
    await replace(wanted('b', { cn1: { VCPU: 1 } }));
    const before = await generationsOf('cn1', 'cn2');
    const expect1 = { generation: 1 };
    const answer = await replace(
      wanted('b', { cn2: { VCPU: 1 } }, { expect: expect1, project: 'p2', user: 'u2', consumerType: 'MIGRATION' }),
    );
    expect(answer.consumers).toMatchObject([{ generation: 2, project: 'p2', user: 'u2', type: 'MIGRATION' }]);
    expect(await generationsOf('cn1', 'cn2')).toEqual(before.map((generation) => generation + 1));
    const kept = await replace({ consumer: uuidOf('b'), expect: { generation: 2 }, hold: hold({ cn2: { VCPU: 1 } }) });
    expect(kept.consumers).toMatchObject([{ generation: 3, project: 'p2', user: 'u2', type: 'MIGRATION' }]);
  });

  test('of nothing removes the consumer, and leaves no row if there was none (the poisoned consumer)', async () => {
    await replace(wanted('c', { cn1: { VCPU: 1 } }));
    expect((await replace(wanted('c', {}, { expect: { generation: 1 } }))).consumers).toEqual([null]);
    const nothing = await replace(wanted('never there', {}));
    expect(nothing).toMatchObject({ consumers: [null], providers: [], eventId: null });
    expect((await replace(wanted('never there', { cn1: { VCPU: 1 } }))).consumers).toMatchObject([{ generation: 1 }]);
  });

  test('that fails creates no consumer, and can be made again (LP 1779725)', async () => {
    const names = { project: 'new project', user: 'new user', consumerType: 'NEW_TYPE' };
    await refused(wanted('retried', { cn1: { VCPU: 17 } }, names));
    await refused(wanted('retried', { nowhere: { VCPU: 1 } }, names));
    await refused(wanted('retried', { cn1: { VCPU: 1 } }, { ...names, expect: { generation: 3 } }));
    expect((await replace(wanted('retried', { cn1: { VCPU: 1 } }, names))).consumers).toMatchObject([{ generation: 1 }]);
  });

  test('that fails leaves the project, user and type of an existing consumer unchanged', async () => {
    await replace(wanted('owned', { cn1: { VCPU: 1 } }, { consumerType: 'INSTANCE' }));
    await refused(
      wanted('owned', { cn1: { VCPU: 17 } }, { expect: { generation: 1 }, project: 'other', user: 'other', consumerType: 'OTHER' }),
    );
  });
});

describe('a claim is refused, with the path and the reason, when', () => {
  test('the consumer is not as expected', async () => {
    const consumer = uuidOf('known');
    await replace(wanted('known', { cn1: { VCPU: 1 } }));
    const conflict = (expected: number | null, actual: number | null) => [
      { code: 'CONSUMER_CONFLICT', path: ['consumers', '0', 'expect'], details: { consumer, expected, actual } },
    ];
    expect(await refused(wanted('known', { cn1: { VCPU: 1 } }))).toEqual(conflict(null, 1));
    expect(await refused(wanted('known', {}, { expect: { generation: 2 } }))).toEqual(conflict(2, 1));
    const details = { consumer: uuidOf('unknown'), expected: 1, actual: null };
    expect(await refused(wanted('known', {}, { expect: { generation: 1 } }), wanted('unknown', {}, { expect: { generation: 1 } }))).toEqual(
      [{ code: 'CONSUMER_CONFLICT', path: ['consumers', '1', 'expect'], details }],
    );
  });

  test('a provider or a class does not exist', async () => {
    const place = ['consumers', '0', 'hold', 'allocations', '1'];
    expect(await refused(wanted('x', { cn1: { VCPU: 1 }, nowhere: { VCPU: 1 } }))).toEqual([
      { code: 'NOT_FOUND', path: [...place, 'resourceProvider'], details: { noun: 'resourceProvider', key: nowhere } },
    ]);
    expect(await refused(wanted('x', { cn1: { VCPU: 1 }, cn2: { CUSTOM_NONE: 1 } }))).toEqual([
      { code: 'NOT_FOUND', path: [...place, 'resources', '0', 'resourceClass'], details: { noun: 'resourceClass', key: 'CUSTOM_NONE' } },
    ]);
  });

  const amount = (row: number) => ['consumers', '0', 'hold', 'allocations', '0', 'resources', String(row), 'amount'];
  const subject = (resourceClass: string) => ({ consumer: uuidOf('x'), provider: uuidOf('cn1'), resourceClass });

  test('the provider has no inventory of the class', async () => {
    expect(await refused(wanted('x', { cn1: { VCPU: 1, VGPU: 1 } }))).toEqual([
      { code: 'NO_INVENTORY', path: amount(1), details: subject('VGPU') },
    ]);
  });

  test.each([128, 4096, 300, 2 ** 31, 2 ** 53 - 1])('an amount of %d breaks min_unit, max_unit or step_size', async (requested) => {
    const details = { ...subject('MEMORY_MB'), requested, minUnit: 256, maxUnit: 2048, stepSize: 256 };
    expect(await refused(wanted('x', { cn1: { MEMORY_MB: requested } }))).toEqual([{ code: 'UNIT_VIOLATION', path: amount(0), details }]);
  });

  test('capacity is exceeded: `available` is what was left', async () => {
    await seed().provider('small', { inventories: { VCPU: { total: 4, reserved: 1, allocationRatio: 1.5 } } });
    await replace(wanted('first of small', { small: { VCPU: 3 } }));
    const details = { ...subject('VCPU'), provider: uuidOf('small'), requested: 2, available: 1 };
    expect(await refused(wanted('x', { small: { VCPU: 2 } }))).toEqual([{ code: 'CAPACITY_EXCEEDED', path: amount(0), details }]);
    await replace(wanted('last of small', { small: { VCPU: 1 } }));
  });

  test('its amounts fit one by one but not together: every consumer of a request counts (LP 1778743)', async () => {
    await seed().provider('shared', { inventories: { DISK_GB: 10 } });
    const [problem] = await refused(wanted('x', { shared: { DISK_GB: 6 } }), wanted('y', { shared: { DISK_GB: 5 } }));
    expect(problem).toMatchObject({ code: 'CAPACITY_EXCEEDED', details: { requested: 11, available: 10 } });
    await replace(wanted('x2', { shared: { DISK_GB: 6 } }), wanted('y2', { shared: { DISK_GB: 4 } }));
  });

  test('several things are wrong: the codes come in the order inventory, units, capacity', async () => {
    const [units] = await refused(wanted('x', { cn1: { VCPU: 17, MEMORY_MB: 1 } }));
    expect(units).toMatchObject({ code: 'UNIT_VIOLATION' });
    const [inventory] = await refused(wanted('x', { cn1: { VCPU: 17, MEMORY_MB: 1, VGPU: 1 } }));
    expect(inventory).toMatchObject({ code: 'NO_INVENTORY' });
  });

  test('a new consumer has no project or no user', async () => {
    const [problem] = await refused({ consumer: uuidOf('x'), expect: isNew, project: 'p1', hold: hold({ cn1: { VCPU: 1 } }) });
    expect(problem).toMatchObject({ code: 'INVALID_INPUT', path: ['consumers', '0'] });
  });

  test('the input is malformed: all problems are reported at once, with their paths', async () => {
    const [resources] = hold({ cn1: { VCPU: 0, vcpu: 1 } }).allocations ?? [];
    const problems = await refused(
      { ...wanted('x', {}), expect: {}, hold: { allocations: resources ? [resources, resources] : [] } },
      { ...wanted('x', {}), consumerType: 'not a type', project: '', hold: {} },
      { ...wanted('z', {}), hold: { takeFrom: uuidOf('not in the request') } },
    );
    expect(problems.map(({ path }) => path.join('.')).toSorted()).toEqual([
      'consumers.0.expect',
      'consumers.0.hold.allocations.0.resources.0.amount',
      'consumers.0.hold.allocations.0.resources.1.resourceClass',
      'consumers.0.hold.allocations.1.resourceProvider',
      'consumers.0.hold.allocations.1.resources.0.amount',
      'consumers.0.hold.allocations.1.resources.1.resourceClass',
      'consumers.1.consumer',
      'consumers.1.consumerType',
      'consumers.1.hold',
      'consumers.1.project',
      'consumers.2.hold.takeFrom',
    ]);
  });
});

describe('many consumers in one request', () => {
  test('one can pass its room on a full provider to another, without a gap', async () => {
    await seed().provider('full', { inventories: { VCPU: 2 } });
    await replace(wanted('giver', { full: { VCPU: 2 } }));
    await refused(wanted('taker', { full: { VCPU: 2 } }));
    const answer = await replace(wanted('giver', {}, { expect: { generation: 1 } }), wanted('taker', { full: { VCPU: 2 } }));
    expect(answer.consumers).toMatchObject([null, { uuid: uuidOf('taker'), generation: 1 }]);
  });

  test('all fail if one does', async () => {
    await refused(wanted('good', { cn1: { VCPU: 1 } }), wanted('bad', { cn2: { VCPU: 17 } }));
  });

  test('two can exchange what they held', async () => {
    await replace(wanted('left', { cn1: { VCPU: 1 } }), wanted('right', { cn2: { VCPU: 2 } }, { project: 'p9' }));
    await replace(
      wanted('left', {}, { expect: { generation: 1 }, hold: { takeFrom: uuidOf('right') } }),
      wanted('right', {}, { expect: { generation: 1 }, hold: { takeFrom: uuidOf('left') } }),
    );
    const { changes } = await newestEvent(database.db);
    const heldBy = (name: string) => changes.consumers?.[uuidOf(name)]?.after?.allocations;
    expect(heldBy('left')).toEqual([{ provider: uuidOf('cn2'), resourceClass: 'VCPU', amount: 2 }]);
    expect(heldBy('right')).toEqual([{ provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 1 }]);
  });

  test('two cannot take over from the same consumer: its allocations would exist twice', async () => {
    await replace(wanted('origin', { cn1: { VCPU: 1 } }));
    const taker = (name: string) => ({ ...wanted(name, {}), hold: { takeFrom: uuidOf('origin') } });
    const [problem] = await refused(taker('twin 1'), taker('twin 2'), wanted('origin', {}, { expect: { generation: 1 } }));
    expect(problem).toMatchObject({ code: 'INVALID_INPUT', path: ['consumers', '1', 'hold', 'takeFrom'] });
  });

  test('none can take over from a consumer that holds nothing', async () => {
    const source = uuidOf('holds nothing');
    const taker = { ...wanted('x', {}), hold: { takeFrom: source } };
    expect(await refused(taker, wanted('holds nothing', {}))).toEqual([
      { code: 'NOT_FOUND', path: ['consumers', '0', 'hold', 'takeFrom'], details: { noun: 'consumer', key: source } },
    ]);
  });
});

describe('over capacity, because an inventory shrank below its usage (LP 2104040)', () => {
  /** A provider of its own with 10 units, all held: 6 by `big`, 4 by `small`; then it has 5, of which one may have 5 at most. */
  async function shrunk(name: string) {
    await seed().provider(name, { inventories: { VCPU: 10 } });
    await replace(wanted(`${name} big`, { [name]: { VCPU: 6 } }), wanted(`${name} small`, { [name]: { VCPU: 4 } }));
    const inventory = { resourceClass: 'VCPU', total: 5, maxUnit: 5 };
    const { warnings } = await setInventory(scope(), { resourceProvider: uuidOf(name), expect: { unchecked: true }, inventory });
    expect(warnings).toEqual([{ provider: uuidOf(name), resourceClass: 'VCPU', used: 10, capacity: 5 }]);
    const of = (consumer: string, amount: number, rest: Partial<ConsumerAllocations> = { expect: { generation: 1 } }) =>
      wanted(`${name} ${consumer}`, amount === 0 ? {} : { [name]: { VCPU: amount } }, rest);
    return { of };
  }

  test('nothing new fits', async () => {
    const { of } = await shrunk('over 1');
    const [problem] = await refused(of('new', 1, {}));
    expect(problem).toMatchObject({ code: 'CAPACITY_EXCEEDED', details: { requested: 1, available: 0 } });
  });

  test('allocations may be kept and reduced, but not raised', async () => {
    const { of } = await shrunk('over 2');
    await replace(of('small', 4));
    await replace(of('small', 3, { expect: { generation: 2 } }));
    const [problem] = await refused(of('small', 4, { expect: { generation: 3 } }));
    expect(problem).toMatchObject({ code: 'CAPACITY_EXCEEDED', details: { requested: 4, available: 3 } });
  });

  test('allocations may move to another consumer', async () => {
    const { of } = await shrunk('over 3');
    await replace(of('small', 0), of('successor', 4, {}));
  });

  test('allocations may be split between two consumers of one request, but not grow', async () => {
    const { of } = await shrunk('over 4');
    const [problem] = await refused(of('small', 2), of('other half', 3, {}));
    expect(problem).toMatchObject({ code: 'CAPACITY_EXCEEDED', details: { requested: 5, available: 4 } });
    await replace(of('small', 2), of('other half', 2, {}));
  });

  test('max_unit is still enforced, even for allocations that are kept, reduced or moved', async () => {
    const { of } = await shrunk('over 5');
    const [kept] = await refused(of('big', 6));
    expect(kept).toMatchObject({ code: 'UNIT_VIOLATION', details: { requested: 6, maxUnit: 5 } });
    const move = { from: uuidOf('over 5 big'), expectFrom: { generation: 1 }, to: uuidOf('over 5 to'), expectTo: isNew };
    expect(await refusalOf(database.db, () => moveAllocations(scope(), move))).toMatchObject([{ code: 'UNIT_VIOLATION', path: [] }]);
    await replace(of('big', 5));
  });

  test('usage falls until it is within capacity again; then claims fit', async () => {
    const { of } = await shrunk('over 6');
    await replace(of('big', 0));
    await replace(of('new', 1, {}));
    await refused(of('one too many', 1, {}));
  });
});

describe('a move of everything from one consumer to another', () => {
  const move = (from: string, to: string, rest: object = {}) =>
    moveAllocations(scope(), { from: uuidOf(from), expectFrom: { generation: 1 }, to: uuidOf(to), expectTo: isNew, ...rest });

  test("the receiver gets the holder's project and user, and the holder is removed", async () => {
    await replace(
      wanted('instance', { cn1: { VCPU: 1 }, cn2: { VCPU: 1 } }, { project: 'owner', user: 'person', consumerType: 'INSTANCE' }),
    );
    const answer = await move('instance', 'migration', { consumerType: 'MIGRATION' });
    expect(answer.consumers).toMatchObject([
      { uuid: uuidOf('migration'), generation: 1, project: 'owner', user: 'person', type: 'MIGRATION' },
      null,
    ]);
    expect((await newestEvent(database.db)).kind).toBe('MOVE_ALLOCATIONS');
  });

  test('a migration is confirmed (the source is released), or reverted (moved back) with the host over capacity', async () => {
    await seed().provider('source', { inventories: { VCPU: 4 } });
    await replace(wanted('vm', { source: { VCPU: 4 } }));
    const shrink = { resourceClass: 'VCPU', total: 2 };
    await setInventory(scope(), { resourceProvider: uuidOf('source'), expect: { unchecked: true }, inventory: shrink });
    await move('vm', 'vm migration');
    await replace(wanted('vm', { cn2: { VCPU: 4 } }));
    // Reverted: the destination is released and the source restored, in one request.
    await replace(
      wanted('vm', {}, { expect: { generation: 1 }, hold: { takeFrom: uuidOf('vm migration') } }),
      wanted('vm migration', {}, { expect: { generation: 1 } }),
    );
    // Confirmed after a second attempt.
    await move('vm', 'vm migration', { expectFrom: { generation: 2 } });
    await replace(wanted('vm', { cn2: { VCPU: 4 } }));
    await releaseAllocations(scope(), { consumers: [{ consumer: uuidOf('vm migration'), expect: { generation: 1 } }] });
  });

  test("the receiver's previous allocations are released", async () => {
    await replace(wanted('mover', { cn1: { VCPU: 1 } }), wanted('receiver', { cn2: { VCPU: 3 } }, { project: 'p3', consumerType: 'KEPT' }));
    const answer = await move('mover', 'receiver', { expectTo: { generation: 1 } });
    expect(answer.consumers).toMatchObject([{ generation: 2, project: 'p3', type: 'KEPT' }, null]);
    const { changes } = await newestEvent(database.db);
    expect(changes.consumers?.[uuidOf('receiver')]?.after?.allocations).toEqual([
      { provider: uuidOf('cn1'), resourceClass: 'VCPU', amount: 1 },
    ]);
  });

  test('is refused if there is nothing to move, if either does not match expectations, and to itself', async () => {
    await replace(wanted('held', { cn1: { VCPU: 1 } }), wanted('there', { cn1: { VCPU: 1 } }));
    const refusedMove = (...input: Parameters<typeof move>) => refusalOf(database.db, () => move(...input));
    expect(await refusedMove('nobody', 'x', { expectFrom: isNew })).toMatchObject([{ code: 'NOT_FOUND', path: ['from'] }]);
    expect(await refusedMove('nobody', 'x')).toMatchObject([{ code: 'CONSUMER_CONFLICT', path: ['expectFrom'] }]);
    expect(await refusedMove('held', 'there')).toMatchObject([{ code: 'CONSUMER_CONFLICT', path: ['expectTo'], details: { actual: 1 } }]);
    expect(await refusedMove('held', 'held')).toMatchObject([{ code: 'INVALID_INPUT', path: ['to'] }]);
    expect(await refusedMove('held', 'x', { consumerType: 'small letters' })).toMatchObject([
      { code: 'INVALID_INPUT', path: ['consumerType'] },
    ]);
  });
});

describe('a release', () => {
  const release = (...consumers: [string, object][]) =>
    releaseAllocations(scope(), { consumers: consumers.map(([name, expectation]) => ({ consumer: uuidOf(name), expect: expectation })) });

  test("removes the consumers, raises their providers' generations, and says which consumers held something", async () => {
    await replace(wanted('r1', { cn1: { VCPU: 1 } }), wanted('r2', { cn1: { VCPU: 1 }, cn2: { VCPU: 1 } }));
    const before = await generationsOf('cn1', 'cn2');
    const answer = await release(['r1', { generation: 1 }], ['holds nothing', { unchecked: true }], ['r2', { unchecked: true }]);
    expect(answer).toMatchObject({ released: [uuidOf('r1'), uuidOf('r2')], consumers: [null, null, null] });
    expect(await generationsOf('cn1', 'cn2')).toEqual(before.map((generation) => generation + 1));
    expect((await newestEvent(database.db)).kind).toBe('RELEASE_ALLOCATIONS');
  });

  test('of nothing writes no event', async () => {
    expect(await release(['holds nothing', { unchecked: true }])).toMatchObject({ released: [], providers: [], eventId: null });
  });

  test('with an old generation releases no consumer', async () => {
    await replace(wanted('s1', { cn1: { VCPU: 1 } }), wanted('s2', { cn1: { VCPU: 1 } }));
    expect(await refusalOf(database.db, () => release(['s1', { generation: 1 }], ['s2', { generation: 9 }]))).toEqual([
      {
        code: 'CONSUMER_CONFLICT',
        path: ['consumers', '1', 'expect'],
        details: { consumer: uuidOf('s2'), expected: 9, actual: 1 },
      },
    ]);
  });
});
