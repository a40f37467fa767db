// The mutations of allocations and of whole trees, as clients use them: the results, the contents of each refusal, that the fields
// of a document are run in order, and that the numbers of a payload are those of its own write.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { dumpTables, expectSoundLedger } from '../support/ledger.ts';
import { claim, createWriter, hold, isNew, unchecked } from '../support/mutations.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
let seed: ReturnType<typeof createSeed>;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];
let eventOf: ReturnType<typeof createWriter>['eventOf'];

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
  ({ write, refusal, eventOf } = createWriter(gateway, database));
});
afterAll(() => gateway.close());

describe('allocations', () => {
  const fields =
    'consumers { uuid generation consumerType project { externalId } allocations { amount resourceProvider { name generation } } } resourceProviders { name generation } event { id } replayed';

  test('are claimed, and the payload holds the generations that the next write expects', async () => {
    await seed.provider('roomy', { inventories: { VCPU: 8 } });
    const payload = await write('replaceAllocations', { consumers: [claim('first', 'roomy', 2)] }, fields);
    expect(payload).toEqual({
      consumers: [
        {
          ...{ uuid: uuidOf('first'), generation: 1, consumerType: 'INSTANCE', project: { externalId: 'p1' } },
          allocations: [{ amount: 2, resourceProvider: { name: 'roomy', generation: 2 } }],
        },
      ],
      ...{ resourceProviders: [{ name: 'roomy', generation: 2 }], event: { id: expect.any(String) }, replayed: false, userErrors: [] },
    });
    expect(await eventOf(payload.event)).toEqual({
      ...{
        __typename: 'Event',
        kind: 'REPLACE_ALLOCATIONS',
        consumers: { nodes: [uuidOf('first')] },
        providers: { nodes: [uuidOf('roomy')] },
      },
    });
    const grown = { consumer: uuidOf('first'), expect: { generation: 1 }, hold: hold('roomy', 'VCPU', 3) };
    expect(await write('replaceAllocations', { consumers: [grown] }, 'consumers { generation }')).toMatchObject({
      consumers: [{ generation: 2 }],
    });
    const emptied = { consumer: uuidOf('first'), expect: { generation: 2 }, hold: { allocations: [] } };
    expect(await write('replaceAllocations', { consumers: [emptied] }, 'consumers { generation }')).toEqual({
      consumers: [null],
      userErrors: [],
    });
  });

  test('are refused with the numbers that the caller needs', async () => {
    await seed.provider('small', { inventories: { VCPU: 4, DISK_GB: { total: 100, minUnit: 10, maxUnit: 50, stepSize: 10 } } });
    await seed.claim('resident', { small: { VCPU: 3 } });
    const provider = { resourceProvider: { name: 'small' }, consumerUuid: uuidOf('guest') };
    const path = ['consumers', '0', 'hold', 'allocations', '0', 'resources', '0', 'amount'];
    const ask = (amount: number, resourceClass?: string) =>
      refusal('replaceAllocations', { consumers: [claim('guest', 'small', amount, resourceClass)] });
    expect(await ask(2)).toMatchObject({
      ...{ __typename: 'CapacityExceeded', code: 'CAPACITY_EXCEEDED', path, retry: 'LATER' },
      ...{ ...provider, resourceClassName: 'VCPU', requested: 2, available: 1 },
    });
    expect(await ask(15, 'DISK_GB')).toMatchObject({
      ...{ __typename: 'UnitViolation', code: 'UNIT_VIOLATION', path, retry: 'NEVER' },
      ...{ ...provider, resourceClassName: 'DISK_GB', requested: 15, minUnit: 10, maxUnit: 50, stepSize: 10 },
    });
    // Not rounded on its way to the database and back.
    expect(await ask(Number.MAX_SAFE_INTEGER, 'DISK_GB')).toMatchObject({ code: 'UNIT_VIOLATION', requested: Number.MAX_SAFE_INTEGER });
    expect(await ask(1, 'PCPU')).toMatchObject({ __typename: 'NoInventory', retry: 'NEVER', ...provider, resourceClassName: 'PCPU' });
    expect(await ask(1, 'CUSTOM_NOBODY')).toMatchObject({
      ...{ code: 'NOT_FOUND', noun: 'RESOURCE_CLASS', missing: 'CUSTOM_NOBODY', path: [...path.slice(0, -1), 'resourceClass'] },
    });
    expect(await refusal('replaceAllocations', { consumers: [claim('resident', 'small', 1)] })).toMatchObject({
      ...{ __typename: 'ConsumerConflict', code: 'CONSUMER_CONFLICT', path: ['consumers', '0', 'expect'], retry: 'AFTER_READ' },
      ...{ consumerUuid: uuidOf('resident'), expectedGeneration: null, actualGeneration: 1 },
    });
    expect(
      await refusal('replaceAllocations', { consumers: [{ ...claim('guest', 'small', 1), expect: { generation: 3 } }] }),
    ).toMatchObject({ consumerUuid: uuidOf('guest'), expectedGeneration: 3, actualGeneration: null });
  });

  test('of a new consumer without a project are refused', async () => {
    const { project: _, ...nobodys } = claim('nobodys', 'small', 1);
    expect(await refusal('replaceAllocations', { consumers: [nobodys] })).toMatchObject({
      ...{ __typename: 'InvalidInput', path: ['consumers', '0'], message: expect.stringContaining('project') },
    });
  });

  test('move to another consumer without a gap', async () => {
    await seed.provider('station', { inventories: { VCPU: 1 } });
    await seed.claim('instance', { station: { VCPU: 1 } });
    const source = { consumer: uuidOf('instance'), expect: { generation: 1 }, hold: { allocations: [] } };
    const target = { consumer: uuidOf('migration'), expect: isNew, hold: { takeFrom: uuidOf('instance') }, consumerType: 'MIGRATION' };
    const payload = await write(
      'replaceAllocations',
      { consumers: [target, source] },
      `consumers { uuid generation consumerType project { externalId } roots { name } allocations { amount } }
       resourceProviders { name generation } event { id } replayed`,
    );
    expect(payload).toEqual({
      consumers: [
        {
          ...{ uuid: uuidOf('migration'), generation: 1, consumerType: 'MIGRATION', project: { externalId: 'p1' } },
          ...{ roots: [{ name: 'station' }], allocations: [{ amount: 1 }] },
        },
        null,
      ],
      ...{ resourceProviders: [{ name: 'station', generation: 3 }], event: { id: expect.any(String) }, replayed: false, userErrors: [] },
    });
    expect(await eventOf(payload.event)).toMatchObject({ kind: 'REPLACE_ALLOCATIONS' });
    const elsewhere = { ...target, consumer: uuidOf('elsewhere') };
    expect(await refusal('replaceAllocations', { consumers: [elsewhere, { ...source, expect: { generation: 9 } }] })).toMatchObject({
      ...{ code: 'CONSUMER_CONFLICT', path: ['consumers', '1', 'expect'], consumerUuid: uuidOf('instance') },
      ...{ expectedGeneration: 9, actualGeneration: null },
    });
    expect(await refusal('replaceAllocations', { consumers: [{ ...target, hold: { takeFrom: uuidOf('migration') } }] })).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['consumers', '0', 'hold', 'takeFrom'] },
    });
  });

  test('are released, all or none', async () => {
    await seed.provider('emptied', { inventories: { VCPU: 4 } });
    await seed.claim('leaver', { emptied: { VCPU: 1 } });
    const leave = (generation: number) => ({ consumer: uuidOf('leaver'), expect: { generation } });
    const ghost = { consumer: uuidOf('ghost'), expect: unchecked };
    expect(await refusal('releaseAllocations', { consumers: [ghost, leave(7)] })).toMatchObject({
      ...{ code: 'CONSUMER_CONFLICT', path: ['consumers', '1', 'expect'], expectedGeneration: 7, actualGeneration: 1 },
    });
    expect(
      await write(
        'releaseAllocations',
        { consumers: [ghost, leave(1)] },
        'releasedConsumerUuids event { id } resourceProviders { name generation }',
      ),
    ).toEqual({
      ...{
        releasedConsumerUuids: [uuidOf('leaver')],
        event: { id: expect.any(String) },
        resourceProviders: [{ name: 'emptied', generation: 3 }],
        userErrors: [],
      },
    });
    expect(await write('releaseAllocations', { consumers: [ghost] }, 'releasedConsumerUuids event { id }')).toEqual({
      releasedConsumerUuids: [],
      event: null,
      userErrors: [],
    });
  });

  test('that are sent again with their key get the first answer, and other input is refused', async () => {
    await seed.provider('keyed', { inventories: { VCPU: 4 } });
    const input = { consumers: [claim('keyed-server', 'keyed', 1)], idempotencyKey: 'once' };
    const first = await write('replaceAllocations', input, fields);
    expect(await write('replaceAllocations', input, fields)).toEqual({ ...first, replayed: true });
    expect(await refusal('replaceAllocations', { ...input, consumers: [claim('keyed-server', 'keyed', 2)] })).toMatchObject({
      ...{ __typename: 'IdempotencyKeyReused', code: 'IDEMPOTENCY_KEY_REUSED', path: ['idempotencyKey'], retry: 'NEVER', key: 'once' },
    });
  });
});

describe('whole trees', () => {
  test('are reshaped with the allocations on them', async () => {
    await seed.provider('whole', { inventories: { VCPU: 8 } });
    await seed.provider('part', { parent: 'whole' });
    await seed.claim('moved', { whole: { VCPU: 2 } });
    const shape = (provider: string, inventories: object[]) => ({ resourceProvider: uuidOf(provider), expect: unchecked, inventories });
    const providers = [shape('whole', []), shape('part', [{ resourceClass: 'VCPU', total: 1 }])];
    expect(await refusal('reshape', { resourceProviders: providers })).toMatchObject({ code: 'IN_USE', noun: 'INVENTORY', key: 'VCPU' });
    const allocations = [{ consumer: uuidOf('moved'), expect: { generation: 1 }, hold: hold('part', 'VCPU', 2) }];
    expect(await refusal('reshape', { resourceProviders: providers, consumers: allocations })).toMatchObject({
      ...{ code: 'CAPACITY_EXCEEDED', resourceProvider: { name: 'part' }, requested: 2, available: 1 },
      path: ['consumers', '0', 'hold', 'allocations', '0', 'resources', '0', 'amount'],
    });
    providers[1] = shape('part', [{ resourceClass: 'VCPU', total: 8 }]);
    const payload = await write(
      'reshape',
      { resourceProviders: providers, consumers: allocations },
      'resourceProviders { name inventories { used } } consumers { generation allocations { resourceProvider { name } } } event { id } warnings { code }',
    );
    expect(payload).toMatchObject({
      consumers: [{ generation: 2, allocations: [{ resourceProvider: { name: 'part' } }] }],
      ...{ event: { id: expect.any(String) }, warnings: [], userErrors: [] },
    });
    expect(payload.resourceProviders).toEqual(
      expect.arrayContaining([
        { name: 'whole', inventories: [] },
        { name: 'part', inventories: [{ used: 2 }] },
      ]),
    );
    expect(await eventOf(payload.event)).toMatchObject({ kind: 'RESHAPE' });
  });

  const tree = {
    root: uuidOf('desired'),
    resourceProviders: [
      { name: 'desired', inventories: [{ resourceClass: 'VCPU', total: 4 }], traits: ['CUSTOM_WANTED'] },
      { name: 'desired_gpu', parentName: 'desired', inventories: [{ resourceClass: 'VGPU', total: 2 }] },
    ],
  };
  const treeFields =
    'applied event { id } root { name generation descendants { name } } changes { action ... on ResourceProviderChange { name { before after } traitNamesAdded inventories { resourceClassName before { total } after { total } } } ... on TraitChange { traitName } } warnings { code }';

  test('are previewed, applied, and not written once they are as desired', async () => {
    const before = await dumpTables(database.db);
    const preview = await write('applyProviderTree', { ...tree, dryRun: true }, treeFields);
    expect(preview).toMatchObject({ applied: false, event: null, root: null, userErrors: [] });
    expect(await dumpTables(database.db)).toEqual(before);
    const applied = await write('applyProviderTree', tree, treeFields);
    expect(applied).toMatchObject({ applied: true, root: { name: 'desired', descendants: [{ name: 'desired_gpu' }] }, userErrors: [] });
    expect(await eventOf(applied.event)).toMatchObject({ kind: 'APPLY_PROVIDER_TREE' });
    const created = (name: string, resourceClassName: string, total: number, traitNamesAdded: readonly string[] = []) => ({
      ...{ action: 'CREATED', name: { before: null, after: name }, traitNamesAdded },
      inventories: [{ resourceClassName, before: null, after: { total } }],
    });
    expect(applied.changes).toEqual([
      created('desired', 'VCPU', 4, ['CUSTOM_WANTED']),
      created('desired_gpu', 'VGPU', 2),
      { action: 'CREATED', traitName: 'CUSTOM_WANTED' },
    ]);
    // The new provider had another uuid then.
    expect(preview.changes).toEqual(applied.changes);
    const again = await write('applyProviderTree', tree, treeFields);
    expect(again).toMatchObject({ changes: [], event: null, root: { generation: (applied.root as { generation: number }).generation } });
  });

  test('are refused because of one of their providers', async () => {
    const [root, gpu] = tree.resourceProviders;
    expect(
      await refusal('applyProviderTree', { ...tree, resourceProviders: [{ ...root, expect: { generation: 99 } }, gpu] }),
    ).toMatchObject({
      ...{ code: 'PROVIDER_CONFLICT', path: ['resourceProviders', '0', 'expect'], resourceProvider: { name: 'desired' }, expected: 99 },
    });
    expect(await refusal('applyProviderTree', { ...tree, resourceProviders: [root, { ...gpu, parentName: 'nobody' }] })).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['resourceProviders', '1', 'parentName'] },
    });
    expect(await refusal('applyProviderTree', { ...tree, resourceProviders: [root, { ...gpu, traits: ['COMPUTE_NOPE'] }] })).toMatchObject({
      ...{ code: 'NOT_FOUND', noun: 'TRAIT', path: ['resourceProviders', '1', 'traits', '0'] },
    });
  });
});

describe('the fields of one document', () => {
  test.each([1, 2, 3, 4])('are written one after the other, and each sees the previous write (run %i)', async (time) => {
    const [host, other] = [`serial-${time}`, `serial-other-${time}`];
    await seed.provider(host, { inventories: { VCPU: 4 } });
    const answer = await gateway.data(
      `mutation ($host: UUID!, $a: UUID!, $b: UUID!, $name: String!) {
        first: setInventory(input: { resourceProvider: $host, expect: { generation: 1 }, inventory: { resourceClass: "VCPU", total: 6 } }) { ...Seen }
        refused: setInventory(input: { resourceProvider: $host, expect: { generation: 1 }, inventory: { resourceClass: "VCPU", total: 7 } }) { ...Seen }
        second: setInventory(input: { resourceProvider: $host, expect: { generation: 2 }, inventory: { resourceClass: "VCPU", total: 8 } }) { ...Seen }
        claimed: replaceAllocations(input: { consumers: [
          { consumer: $a, expect: { isNew: true }, project: "p1", user: "u1", hold: { allocations: { resourceProvider: $host, resources: { resourceClass: "VCPU", amount: 8 } } } }
        ] }) { resourceProviders { generation inventory(resourceClass: "VCPU") { free } } userErrors { code } }
        full: replaceAllocations(input: { consumers: [
          { consumer: $b, expect: { isNew: true }, project: "p1", user: "u1", hold: { allocations: { resourceProvider: $host, resources: { resourceClass: "VCPU", amount: 1 } } } }
        ] }) { resourceProviders { generation } userErrors { code ... on CapacityExceeded { available resourceProvider { generation } } } }
        created: createResourceProvider(input: { name: $name, parent: $host }) { resourceProvider { parent { generation children { name } } } }
      }
      fragment Seen on ResourceProviderPayload { resourceProvider { generation inventory(resourceClass: "VCPU") { total } } userErrors { code } }`,
      { host: uuidOf(host), a: uuidOf(`a-${time}`), b: uuidOf(`b-${time}`), name: other },
    );
    const seen = (generation: number, total: number) => ({ resourceProvider: { generation, inventory: { total } }, userErrors: [] });
    expect(answer).toEqual({
      first: seen(2, 6),
      refused: { resourceProvider: null, userErrors: [{ code: 'PROVIDER_CONFLICT' }] },
      second: seen(3, 8),
      claimed: { resourceProviders: [{ generation: 4, inventory: { free: 0 } }], userErrors: [] },
      full: { resourceProviders: [], userErrors: [{ code: 'CAPACITY_EXCEEDED', available: 0, resourceProvider: { generation: 4 } }] },
      created: { resourceProvider: { parent: { generation: 4, children: [{ name: other }] } } },
    });
  });
});

test('generations in a payload are those of its own write, however fast other writes are', async () => {
  const hosts = ['race-1', 'race-2'];
  for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 1000 } });
  let generations: number[] = [];
  const worker = async (name: string) => {
    for (let round = 0; round < 15; round += 1) {
      const consumer = {
        ...claim(`${name}-${round}`, 'race-1', 1),
        hold: { allocations: hosts.flatMap((host) => hold(host, 'VCPU', 1).allocations) },
      };
      const payload = await write(
        'replaceAllocations',
        { consumers: [consumer] },
        'consumers { generation allocations { resourceProvider { name generation } } } resourceProviders { name generation parent { name } }',
      );
      const { consumers, resourceProviders } = payload as unknown as {
        consumers: { allocations: { resourceProvider: { name: string; generation: number } }[] }[];
        resourceProviders: { name: string; generation: number }[];
      };
      const own = Object.fromEntries(resourceProviders.map(({ name: host, generation }) => [host, generation]));
      for (const { resourceProvider } of consumers[0]?.allocations ?? [])
        expect(resourceProvider.generation).toBe(own[resourceProvider.name]);
      generations = [...generations, own['race-1'] ?? 0];
    }
  };
  await Promise.all(['w1', 'w2', 'w3', 'w4'].map(worker));
  // Each write has its own, so none is missing and none occurs twice.
  expect(generations.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 2));
});

test('the ledger is consistent', () => expectSoundLedger(database.db));
