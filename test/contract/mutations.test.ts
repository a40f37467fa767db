// Every mutation of the contract as a client meets it: what success gives, what each refusal carries, and that the numbers of a payload
// are those of its own write. The rules behind the refusals are tested with the operations.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { dumpTables, expectSoundLedger } from '../support/ledger.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
let seed: ReturnType<typeof createSeed>;

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
});
afterAll(() => gateway.close());

/** Everything that a client could want to know of a refusal. */
const refusalFields = `userErrors {
  __typename code message path retryable
  ... on IdempotencyKeyReused { key }
  ... on NotFound { noun missing: key }
  ... on Duplicate { noun key existing { __typename id ... on ResourceProvider { name } ... on Aggregate { name } } }
  ... on StandardName { key }
  ... on ConsumerConflict { consumer expectedGeneration: expected actualGeneration: actual }
  ... on ProviderConflict { resourceProvider { name } expected actual }
  ... on ParentLoop { provider parent }
  ... on HasChildren { children { name } childCount }
  ... on InUse { noun key byCount by { __typename ... on Consumer { uuid } ... on ResourceProvider { name } } }
  ... on NoInventory { consumer resourceProvider { name } resourceClass }
  ... on UnitViolation { consumer resourceProvider { name } resourceClass requested minUnit maxUnit stepSize }
  ... on CapacityExceeded { consumer resourceProvider { name } resourceClass requested available }
}`;

type Payload = Record<string, unknown> & { readonly userErrors: readonly Record<string, unknown>[] };

/** The payload of one mutation: `input` as JSON. */
async function write(field: string, input: object, fields = ''): Promise<Payload> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const { payload } = await gateway.data<{ payload: Payload }>(
    `mutation ($input: ${type}) { payload: ${field}(input: $input) { ${fields} ${refusalFields} } }`,
    { input },
  );
  return payload;
}

/** The one refusal of a mutation, which leaves nothing behind. */
async function refusal(field: string, input: object): Promise<Record<string, unknown> | undefined> {
  const before = await dumpTables(database.db);
  const { userErrors } = await write(field, input);
  expect(userErrors).toHaveLength(1);
  expect(userErrors[0]?.message).toEqual(expect.stringMatching(/./));
  expect(await dumpTables(database.db)).toEqual(before);
  return userErrors[0];
}

const unchecked = { unchecked: true };
const isNew = { isNew: true };
const owner = { project: 'p1', user: 'u1', type: 'INSTANCE' };
const hold = (provider: string, resourceClass: string, amount: number) => ({
  allocations: [{ provider: uuidOf(provider), resources: [{ resourceClass, amount }] }],
});
const claim = (consumer: string, provider: string, amount: number, resourceClass = 'VCPU') => ({
  consumer: uuidOf(consumer),
  expect: isNew,
  hold: hold(provider, resourceClass, amount),
  ...owner,
});
const eventOf = async (id: unknown) =>
  (await gateway.data<{ node: unknown }>('query ($id: ID!) { node(id: $id) { __typename ... on Event { kind consumers providers } } }', { id }))
    .node;

describe('a provider', () => {
  test('is created below another, and its payload can be asked like any provider', async () => {
    await seed.provider('host');
    const payload = await write(
      'createResourceProvider',
      { uuid: uuidOf('cell'), name: 'cell', parent: uuidOf('host') },
      'resourceProvider { uuid name generation depth parent { name } root { name } inventories { total } traitNames events(first: 1) { nodes { kind } } }',
    );
    expect(payload).toEqual({
      resourceProvider: {
        ...{ uuid: uuidOf('cell'), name: 'cell', generation: 0, depth: 1, parent: { name: 'host' }, root: { name: 'host' } },
        ...{ inventories: [], traitNames: [], events: { nodes: [{ kind: 'CREATE_RESOURCE_PROVIDER' }] } },
      },
      userErrors: [],
    });
  });

  test('gets a uuid when it has none', async () => {
    const { resourceProvider } = await write('createResourceProvider', { name: 'anonymous' }, 'resourceProvider { uuid name }');
    expect(resourceProvider).toEqual({ uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/), name: 'anonymous' });
  });

  test('is refused when its name or uuid is taken, and the refusal shows by what', async () => {
    await seed.provider('taken');
    const common = { __typename: 'Duplicate', code: 'DUPLICATE', retryable: false, noun: 'resourceProvider' };
    const existing = { __typename: 'ResourceProvider', id: expect.any(String), name: 'taken' };
    expect(await refusal('createResourceProvider', { name: 'taken' })).toMatchObject({ ...common, path: ['name'], key: 'taken', existing });
    expect(await refusal('createResourceProvider', { uuid: uuidOf('taken'), name: 'other' })).toMatchObject({
      ...common,
      path: ['uuid'],
      key: uuidOf('taken'),
      existing,
    });
  });

  test('is refused under a parent that does not exist', async () => {
    expect(await refusal('createResourceProvider', { name: 'orphan', parent: uuidOf('nobody') })).toMatchObject({
      ...{ __typename: 'NotFound', code: 'NOT_FOUND', path: ['parent'], retryable: false, noun: 'parent', missing: uuidOf('nobody') },
    });
  });

  test('is ensured once, and refused when it exists otherwise', async () => {
    const input = { uuid: uuidOf('ensured'), name: 'ensured' };
    const fields = 'created resourceProvider { name generation }';
    const resourceProvider = { name: 'ensured', generation: 0 };
    expect(await write('ensureResourceProvider', input, fields)).toEqual({ created: true, resourceProvider, userErrors: [] });
    expect(await write('ensureResourceProvider', input, fields)).toEqual({ created: false, resourceProvider, userErrors: [] });
    expect(await refusal('ensureResourceProvider', { ...input, name: 'renamed' })).toMatchObject({ code: 'DUPLICATE', path: ['uuid'] });
  });

  test('is renamed and moved with what is below it', async () => {
    await seed.provider('old-top');
    await seed.provider('new-top');
    await seed.provider('middle', { parent: 'old-top' });
    await seed.provider('leaf', { parent: 'middle' });
    const payload = await write(
      'updateResourceProvider',
      { provider: uuidOf('middle'), expect: { generation: 0 }, name: 'centre', parent: { provider: uuidOf('new-top') } },
      'resourceProvider { name generation root { name } descendants { name root { name } } }',
    );
    expect(payload).toEqual({
      resourceProvider: {
        ...{ name: 'centre', generation: expect.any(Number), root: { name: 'new-top' } },
        descendants: [{ name: 'leaf', root: { name: 'new-top' } }],
      },
      userErrors: [],
    });
  });

  test('is not moved below itself', async () => {
    await seed.provider('upper');
    await seed.provider('lower', { parent: 'upper' });
    const input = { provider: uuidOf('upper'), expect: unchecked, parent: { provider: uuidOf('lower') } };
    expect(await refusal('updateResourceProvider', input)).toMatchObject({
      ...{ __typename: 'ParentLoop', code: 'PARENT_LOOP', path: ['parent'], retryable: false },
      ...{ provider: uuidOf('upper'), parent: uuidOf('lower') },
    });
  });

  test('that has changed meanwhile is refused with the generation it has', async () => {
    await seed.provider('changed', { traits: ['COMPUTE_NODE'] });
    expect(await refusal('updateResourceProvider', { provider: uuidOf('changed'), expect: { generation: 0 }, name: 'x' })).toMatchObject({
      ...{ __typename: 'ProviderConflict', code: 'PROVIDER_CONFLICT', path: ['expect'], retryable: true },
      ...{ resourceProvider: { name: 'changed' }, expected: 0, actual: 1 },
    });
  });

  test('is deleted, but not while it has children or consumers', async () => {
    await seed.provider('doomed', { inventories: { VCPU: 4 } });
    await seed.provider('child-b', { parent: 'doomed' });
    await seed.provider('child-a', { parent: 'doomed' });
    const input = { provider: uuidOf('doomed'), expect: unchecked };
    expect(await refusal('deleteResourceProvider', input)).toMatchObject({
      ...{ __typename: 'HasChildren', code: 'HAS_CHILDREN', path: ['provider'], retryable: false },
      ...{ children: [{ name: 'child-a' }, { name: 'child-b' }], childCount: 2 },
    });
    for (const child of ['child-a', 'child-b']) await write('deleteResourceProvider', { provider: uuidOf(child), expect: unchecked });
    await seed.claim('tenant', { doomed: { VCPU: 1 } });
    expect(await refusal('deleteResourceProvider', input)).toMatchObject({
      ...{ __typename: 'InUse', code: 'IN_USE', path: ['provider'], retryable: false, noun: 'resourceProvider', key: uuidOf('doomed') },
      ...{ byCount: 1, by: [{ __typename: 'Consumer', uuid: uuidOf('tenant') }] },
    });
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('tenant'), expect: unchecked }] });
    expect(await write('deleteResourceProvider', input, 'deletedProvider')).toEqual({ deletedProvider: uuidOf('doomed'), userErrors: [] });
    expect(await refusal('deleteResourceProvider', input)).toMatchObject({ code: 'NOT_FOUND', path: ['provider'] });
  });
});

describe('inventories', () => {
  const inventory = (resourceClass: string, total: number, more = {}) => ({ resourceClass, total, ...more });

  test('are replaced as a whole; what is omitted takes its default', async () => {
    await seed.provider('stock', { inventories: { VCPU: { total: 8, allocationRatio: 4, reserved: 1 }, DISK_GB: 10 } });
    const payload = await write(
      'replaceInventories',
      { provider: uuidOf('stock'), expect: { generation: 1 }, inventories: [inventory('VCPU', 16)] },
      'warnings { code } resourceProvider { generation inventories { total reserved minUnit maxUnit stepSize allocationRatio capacity resourceClass { name } } }',
    );
    expect(payload).toEqual({
      resourceProvider: {
        generation: 2,
        inventories: [
          {
            ...{ total: 16, reserved: 0, minUnit: 1, maxUnit: 2147483647, stepSize: 1, allocationRatio: 1, capacity: 16 },
            resourceClass: { name: 'VCPU' },
          },
        ],
      },
      warnings: [],
      userErrors: [],
    });
  });

  test('that are shrunk below their use are written, with a warning that shows the inventory', async () => {
    await seed.provider('shrunk', { inventories: { VCPU: 8 } });
    await seed.claim('heavy', { shrunk: { VCPU: 6 } });
    const warnings = 'warnings { __typename code message ... on ShrunkBelowUse { inventory { capacity used free overCapacity resourceProvider { name } } } }';
    const payload = await write(
      'setInventory',
      { provider: uuidOf('shrunk'), expect: unchecked, inventory: inventory('VCPU', 4) },
      `inventory { id total used } resourceProvider { generation } ${warnings}`,
    );
    expect(payload).toEqual({
      inventory: { id: expect.any(String), total: 4, used: 6 },
      resourceProvider: { generation: expect.any(Number) },
      warnings: [
        {
          ...{ __typename: 'ShrunkBelowUse', code: 'SHRUNK_BELOW_USE', message: expect.stringContaining('capacity 4') },
          inventory: { capacity: 4, used: 6, free: -2, overCapacity: true, resourceProvider: { name: 'shrunk' } },
        },
      ],
      userErrors: [],
    });
  });

  test('of unknown classes are refused where they stand', async () => {
    await seed.provider('strange');
    const input = { provider: uuidOf('strange'), expect: unchecked, inventories: [inventory('VCPU', 1), inventory('CUSTOM_NOWHERE', 1)] };
    expect(await refusal('replaceInventories', input)).toMatchObject({
      ...{ __typename: 'NotFound', path: ['inventories', '1', 'resourceClass'], noun: 'resourceClass', missing: 'CUSTOM_NOWHERE' },
    });
    expect(
      await refusal('setInventory', { provider: uuidOf('strange'), expect: unchecked, inventory: inventory('CUSTOM_NOWHERE', 1) }),
    ).toMatchObject({ code: 'NOT_FOUND', path: ['inventory', 'resourceClass'] });
  });

  test('that are out of range are refused with everything that is wrong', async () => {
    const bad = { total: 0, reserved: -1, minUnit: 0, maxUnit: 2 ** 31, stepSize: 0, allocationRatio: 1e300 };
    const { userErrors } = await write('setInventory', {
      ...{ provider: uuidOf('strange'), expect: { unchecked: false }, inventory: { resourceClass: 'vcpu', ...bad } },
    });
    const fields = ['resourceClass', ...Object.keys(bad)];
    expect(userErrors.map(({ code, path }) => [code, path])).toEqual([
      ['INVALID_INPUT', ['expect', 'unchecked']],
      ...fields.map((field) => ['INVALID_INPUT', ['inventory', field]]),
    ]);
  });

  test('in use are kept', async () => {
    await seed.provider('busy', { inventories: { VCPU: 8, DISK_GB: 8 } });
    await seed.claim('user-of-busy', { busy: { VCPU: 1 } });
    const inUse = { __typename: 'InUse', code: 'IN_USE', retryable: false, noun: 'inventory', key: 'VCPU', byCount: 1 };
    const by = [{ __typename: 'Consumer', uuid: uuidOf('user-of-busy') }];
    const target = { provider: uuidOf('busy'), expect: unchecked };
    expect(await refusal('deleteInventory', { ...target, resourceClass: 'VCPU' })).toMatchObject({ ...inUse, by, path: ['resourceClass'] });
    expect(await refusal('replaceInventories', { ...target, inventories: [] })).toMatchObject({ ...inUse, by, path: ['inventories'] });
    expect(await refusal('deleteInventory', { ...target, resourceClass: 'PCPU' })).toMatchObject({
      ...{ code: 'NOT_FOUND', noun: 'inventory', missing: 'PCPU', path: ['resourceClass'] },
    });
    expect(await write('deleteInventory', { ...target, resourceClass: 'DISK_GB' }, 'resourceProvider { inventories { total } }')).toEqual({
      resourceProvider: { inventories: [{ total: 8 }] },
      userErrors: [],
    });
  });
});

describe('traits, classes and aggregates', () => {
  test('are created once', async () => {
    for (const created of [true, false]) {
      expect(await write('createTrait', { name: 'CUSTOM_T' }, 'created trait { name isStandard }')).toEqual({
        ...{ created, trait: { name: 'CUSTOM_T', isStandard: false }, userErrors: [] },
      });
      expect(await write('createResourceClass', { name: 'CUSTOM_C' }, 'created resourceClass { name isStandard unit total { used } }')).toEqual({
        ...{ created, resourceClass: { name: 'CUSTOM_C', isStandard: false, unit: null, total: null }, userErrors: [] },
      });
    }
  });

  test('are neither created nor deleted when they are standard', async () => {
    for (const [field, name] of [
      ['createTrait', 'COMPUTE_NODE'],
      ['deleteTrait', 'COMPUTE_NODE'],
      ['createResourceClass', 'VCPU'],
      ['deleteResourceClass', 'VCPU'],
    ] as const) {
      expect(await refusal(field, { name })).toMatchObject({
        ...{ __typename: 'StandardName', code: 'STANDARD_NAME', path: ['name'], retryable: false, key: name },
      });
    }
  });

  test('are not deleted while a provider has them, and the refusal shows which', async () => {
    await seed.provider('holder', { traits: ['CUSTOM_HELD'], inventories: { CUSTOM_KEPT: 1 } });
    const by = [{ __typename: 'ResourceProvider', name: 'holder' }];
    expect(await refusal('deleteTrait', { name: 'CUSTOM_HELD' })).toMatchObject({
      ...{ __typename: 'InUse', noun: 'trait', key: 'CUSTOM_HELD', byCount: 1, by, path: ['name'] },
    });
    expect(await refusal('deleteResourceClass', { name: 'CUSTOM_KEPT' })).toMatchObject({ noun: 'resourceClass', key: 'CUSTOM_KEPT', by });
  });

  test('are deleted, and then there is nothing to delete', async () => {
    await write('createTrait', { name: 'CUSTOM_GOING' });
    await write('createResourceClass', { name: 'CUSTOM_GOING' });
    expect(await write('deleteTrait', { name: 'CUSTOM_GOING' }, 'deletedTrait')).toEqual({ deletedTrait: 'CUSTOM_GOING', userErrors: [] });
    expect(await write('deleteResourceClass', { name: 'CUSTOM_GOING' }, 'deletedResourceClass')).toMatchObject({ deletedResourceClass: 'CUSTOM_GOING' });
    for (const field of ['deleteTrait', 'deleteResourceClass']) {
      expect(await refusal(field, { name: 'CUSTOM_GOING' })).toMatchObject({ code: 'NOT_FOUND', path: ['name'], missing: 'CUSTOM_GOING' });
    }
  });

  test('of a provider are replaced as a whole', async () => {
    await seed.provider('labelled', { traits: ['CUSTOM_OLD'], aggregates: ['zone1'] });
    const target = { provider: uuidOf('labelled'), expect: unchecked };
    expect(
      await write('replaceTraits', { ...target, traits: ['COMPUTE_NODE', 'CUSTOM_OLD', 'COMPUTE_NODE'] }, 'resourceProvider { traitNames traits { name } }'),
    ).toEqual({ resourceProvider: { traitNames: ['COMPUTE_NODE', 'CUSTOM_OLD'], traits: [{ name: 'COMPUTE_NODE' }, { name: 'CUSTOM_OLD' }] }, userErrors: [] });
    expect(await refusal('replaceTraits', { ...target, traits: ['COMPUTE_NODE', 'CUSTOM_NEVER'] })).toMatchObject({
      ...{ code: 'NOT_FOUND', noun: 'trait', missing: 'CUSTOM_NEVER', path: ['traits', '1'] },
    });
    expect(await write('replaceAggregates', { ...target, aggregates: [uuidOf('zone2')] }, 'resourceProvider { aggregates { uuid name } }')).toEqual({
      resourceProvider: { aggregates: [{ uuid: uuidOf('zone2'), name: null }] },
      userErrors: [],
    });
  });

  test('get names that people know, each only one', async () => {
    const name = { aggregate: uuidOf('zone3'), name: 'Zone drei 🦆' };
    expect(await write('nameAggregate', name, 'aggregate { uuid name resourceProviders { totalCount } }')).toEqual({
      aggregate: { uuid: uuidOf('zone3'), name: name.name, resourceProviders: { totalCount: 0 } },
      userErrors: [],
    });
    expect(await refusal('nameAggregate', { ...name, aggregate: uuidOf('zone4') })).toMatchObject({
      ...{ __typename: 'Duplicate', path: ['name'], noun: 'aggregate', existing: { __typename: 'Aggregate', name: name.name } },
    });
    expect(await write('nameAggregate', { aggregate: uuidOf('zone3'), name: null }, 'aggregate { name }')).toMatchObject({ aggregate: { name: null } });
  });
});

describe('allocations', () => {
  const fields = 'consumers { uuid generation type project { externalId } allocations { amount resourceProvider { name generation } } } resourceProviders { name generation } eventId replayed';

  test('are claimed, and the payload holds what the next write expects', async () => {
    await seed.provider('roomy', { inventories: { VCPU: 8 } });
    const payload = await write('replaceAllocations', { consumers: [claim('first', 'roomy', 2)] }, fields);
    expect(payload).toEqual({
      consumers: [
        {
          ...{ uuid: uuidOf('first'), generation: 1, type: 'INSTANCE', project: { externalId: 'p1' } },
          allocations: [{ amount: 2, resourceProvider: { name: 'roomy', generation: 2 } }],
        },
      ],
      ...{ resourceProviders: [{ name: 'roomy', generation: 2 }], eventId: expect.any(String), replayed: false, userErrors: [] },
    });
    expect(await eventOf(payload.eventId)).toEqual({
      ...{ __typename: 'Event', kind: 'REPLACE_ALLOCATIONS', consumers: [uuidOf('first')], providers: [uuidOf('roomy')] },
    });
    const grown = { consumer: uuidOf('first'), expect: { generation: 1 }, hold: hold('roomy', 'VCPU', 3) };
    expect(await write('replaceAllocations', { consumers: [grown] }, 'consumers { generation }')).toMatchObject({ consumers: [{ generation: 2 }] });
    const emptied = { consumer: uuidOf('first'), expect: { generation: 2 }, hold: { allocations: [] } };
    expect(await write('replaceAllocations', { consumers: [emptied] }, 'consumers { generation }')).toEqual({ consumers: [null], userErrors: [] });
  });

  test('are refused with numbers to act on', async () => {
    await seed.provider('small', { inventories: { VCPU: 4, DISK_GB: { total: 100, minUnit: 10, maxUnit: 50, stepSize: 10 } } });
    await seed.claim('resident', { small: { VCPU: 3 } });
    const provider = { resourceProvider: { name: 'small' }, consumer: uuidOf('guest') };
    const path = ['consumers', '0', 'hold', 'allocations', '0', 'resources', '0', 'amount'];
    const ask = (amount: number, resourceClass?: string) => refusal('replaceAllocations', { consumers: [claim('guest', 'small', amount, resourceClass)] });
    expect(await ask(2)).toMatchObject({
      ...{ __typename: 'CapacityExceeded', code: 'CAPACITY_EXCEEDED', path, retryable: true },
      ...{ ...provider, resourceClass: 'VCPU', requested: 2, available: 1 },
    });
    expect(await ask(15, 'DISK_GB')).toMatchObject({
      ...{ __typename: 'UnitViolation', code: 'UNIT_VIOLATION', path, retryable: false },
      ...{ ...provider, resourceClass: 'DISK_GB', requested: 15, minUnit: 10, maxUnit: 50, stepSize: 10 },
    });
    // Not rounded on its way to the database and back.
    expect(await ask(Number.MAX_SAFE_INTEGER, 'DISK_GB')).toMatchObject({ code: 'UNIT_VIOLATION', requested: Number.MAX_SAFE_INTEGER });
    expect(await ask(1, 'PCPU')).toMatchObject({ __typename: 'NoInventory', retryable: false, ...provider, resourceClass: 'PCPU' });
    expect(await ask(1, 'CUSTOM_NOBODY')).toMatchObject({
      ...{ code: 'NOT_FOUND', noun: 'resourceClass', missing: 'CUSTOM_NOBODY', path: [...path.slice(0, -1), 'resourceClass'] },
    });
    expect(await refusal('replaceAllocations', { consumers: [claim('resident', 'small', 1)] })).toMatchObject({
      ...{ __typename: 'ConsumerConflict', code: 'CONSUMER_CONFLICT', path: ['consumers', '0', 'expect'], retryable: true },
      ...{ consumer: uuidOf('resident'), expectedGeneration: null, actualGeneration: 1 },
    });
    expect(
      await refusal('replaceAllocations', { consumers: [{ ...claim('guest', 'small', 1), expect: { generation: 3 } }] }),
    ).toMatchObject({ consumer: uuidOf('guest'), expectedGeneration: 3, actualGeneration: null });
  });

  test('of a new consumer without a project are refused', async () => {
    const { project: _, ...nobodys } = claim('nobodys', 'small', 1);
    expect(await refusal('replaceAllocations', { consumers: [nobodys] })).toMatchObject({
      ...{ __typename: 'InvalidInput', path: ['consumers', '0', 'project'] },
    });
  });

  test('move to another consumer without a gap', async () => {
    await seed.provider('station', { inventories: { VCPU: 1 } });
    await seed.claim('instance', { station: { VCPU: 1 } });
    const input = { from: uuidOf('instance'), expectFrom: { generation: 1 }, to: uuidOf('migration'), expectTo: isNew, toType: 'MIGRATION' };
    const payload = await write('moveAllocations', input, `consumer { uuid generation type roots { name } allocations { amount } } resourceProviders { name generation } eventId replayed`);
    expect(payload).toEqual({
      consumer: { uuid: uuidOf('migration'), generation: 1, type: 'MIGRATION', roots: [{ name: 'station' }], allocations: [{ amount: 1 }] },
      ...{ resourceProviders: [{ name: 'station', generation: 3 }], eventId: expect.any(String), replayed: false, userErrors: [] },
    });
    expect(await eventOf(payload.eventId)).toMatchObject({ kind: 'MOVE_ALLOCATIONS' });
    expect(await refusal('moveAllocations', { ...input, expectFrom: { generation: 9 }, to: uuidOf('elsewhere') })).toMatchObject({
      ...{ code: 'CONSUMER_CONFLICT', path: ['expectFrom'], consumer: uuidOf('instance'), expectedGeneration: 9, actualGeneration: null },
    });
    expect(await refusal('moveAllocations', { ...input, from: uuidOf('migration'), to: uuidOf('migration') })).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['to'] },
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
    expect(await write('releaseAllocations', { consumers: [ghost, leave(1)] }, 'released eventId resourceProviders { name generation }')).toEqual({
      ...{ released: [uuidOf('leaver')], eventId: expect.any(String), resourceProviders: [{ name: 'emptied', generation: 3 }], userErrors: [] },
    });
    expect(await write('releaseAllocations', { consumers: [ghost] }, 'released eventId')).toEqual({ released: [], eventId: null, userErrors: [] });
  });

  test('that are sent again with their key give the first answer, and other input is refused', async () => {
    await seed.provider('keyed', { inventories: { VCPU: 4 } });
    const input = { consumers: [claim('keyed-server', 'keyed', 1)], idempotencyKey: 'once' };
    const first = await write('replaceAllocations', input, fields);
    expect(await write('replaceAllocations', input, fields)).toEqual({ ...first, replayed: true });
    expect(await refusal('replaceAllocations', { ...input, consumers: [claim('keyed-server', 'keyed', 2)] })).toMatchObject({
      ...{ __typename: 'IdempotencyKeyReused', code: 'IDEMPOTENCY_KEY_REUSED', path: ['idempotencyKey'], retryable: false, key: 'once' },
    });
  });
});

describe('whole trees', () => {
  test('are reshaped with what is held on them', async () => {
    await seed.provider('whole', { inventories: { VCPU: 8 } });
    await seed.provider('part', { parent: 'whole' });
    await seed.claim('moved', { whole: { VCPU: 2 } });
    const shape = (provider: string, inventories: object[]) => ({ provider: uuidOf(provider), expect: unchecked, inventories });
    const providers = [shape('whole', []), shape('part', [{ resourceClass: 'VCPU', total: 1 }])];
    expect(await refusal('reshape', { providers })).toMatchObject({ code: 'IN_USE', noun: 'inventory', key: 'VCPU' });
    const allocations = [{ consumer: uuidOf('moved'), expect: { generation: 1 }, hold: hold('part', 'VCPU', 2) }];
    expect(await refusal('reshape', { providers, allocations })).toMatchObject({
      ...{ code: 'CAPACITY_EXCEEDED', resourceProvider: { name: 'part' }, requested: 2, available: 1 },
      path: ['allocations', '0', 'hold', 'allocations', '0', 'resources', '0', 'amount'],
    });
    providers[1] = shape('part', [{ resourceClass: 'VCPU', total: 8 }]);
    const payload = await write(
      'reshape',
      { providers, allocations },
      'resourceProviders { name inventories { used } } consumers { generation allocations { resourceProvider { name } } } eventId warnings { code }',
    );
    expect(payload).toMatchObject({
      consumers: [{ generation: 2, allocations: [{ resourceProvider: { name: 'part' } }] }],
      ...{ eventId: expect.any(String), warnings: [], userErrors: [] },
    });
    expect(payload.resourceProviders).toEqual(expect.arrayContaining([{ name: 'whole', inventories: [] }, { name: 'part', inventories: [{ used: 2 }] }]));
    expect(await eventOf(payload.eventId)).toMatchObject({ kind: 'RESHAPE' });
  });

  const tree = {
    root: uuidOf('desired'),
    providers: [
      { name: 'desired', inventories: [{ resourceClass: 'VCPU', total: 4 }], traits: ['CUSTOM_WANTED'] },
      { name: 'desired_gpu', parent: 'desired', inventories: [{ resourceClass: 'VGPU', total: 2 }] },
    ],
  };
  const treeFields = 'applied eventId root { name generation descendants { name } } changes { kind name resourceClass before after } warnings { code }';

  test('are previewed, applied, and left alone once they are as desired', async () => {
    const before = await dumpTables(database.db);
    const preview = await write('applyProviderTree', { ...tree, dryRun: true }, treeFields);
    expect(preview).toMatchObject({ applied: false, eventId: null, root: null, userErrors: [] });
    expect(await dumpTables(database.db)).toEqual(before);
    const applied = await write('applyProviderTree', tree, treeFields);
    expect(applied).toMatchObject({ applied: true, root: { name: 'desired', descendants: [{ name: 'desired_gpu' }] }, userErrors: [] });
    expect(await eventOf(applied.eventId)).toMatchObject({ kind: 'APPLY_PROVIDER_TREE' });
    const kinds = (payload: Payload) => (payload.changes as { kind: string; name: string }[]).map(({ kind, name }) => `${kind} ${name}`).toSorted();
    expect(kinds(applied)).toEqual([
      ...['ADD_TRAIT desired', 'CREATE desired', 'CREATE desired_gpu', 'SET_INVENTORY desired', 'SET_INVENTORY desired_gpu'],
    ]);
    expect(kinds(preview)).toEqual(kinds(applied));
    const again = await write('applyProviderTree', tree, treeFields);
    expect(again).toMatchObject({ changes: [], eventId: null, root: { generation: (applied.root as { generation: number }).generation } });
  });

  test('are refused for what one provider of them is', async () => {
    const [root, gpu] = tree.providers;
    expect(await refusal('applyProviderTree', { ...tree, providers: [{ ...root, expect: { generation: 99 } }, gpu] })).toMatchObject({
      ...{ code: 'PROVIDER_CONFLICT', path: ['providers', '0', 'expect'], resourceProvider: { name: 'desired' }, expected: 99 },
    });
    expect(await refusal('applyProviderTree', { ...tree, providers: [root, { ...gpu, parent: 'nobody' }] })).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['providers', '1', 'parent'] },
    });
    expect(await refusal('applyProviderTree', { ...tree, providers: [root, { ...gpu, traits: ['COMPUTE_NOPE'] }] })).toMatchObject({
      ...{ code: 'NOT_FOUND', noun: 'trait', path: ['providers', '1', 'traits', '0'] },
    });
  });
});

describe('the fields of one document', () => {
  test.each([1, 2, 3, 4])('are written one after the other, each seeing what the one before wrote (time %i)', async (time) => {
    const [host, other] = [`serial-${time}`, `serial-other-${time}`];
    await seed.provider(host, { inventories: { VCPU: 4 } });
    const answer = await gateway.data(
      `mutation ($host: UUID!, $a: UUID!, $b: UUID!, $name: String!) {
        first: setInventory(input: { provider: $host, expect: { generation: 1 }, inventory: { resourceClass: "VCPU", total: 6 } }) { ...Seen }
        refused: setInventory(input: { provider: $host, expect: { generation: 1 }, inventory: { resourceClass: "VCPU", total: 7 } }) { ...Seen }
        second: setInventory(input: { provider: $host, expect: { generation: 2 }, inventory: { resourceClass: "VCPU", total: 8 } }) { ...Seen }
        claimed: replaceAllocations(input: { consumers: [
          { consumer: $a, expect: { isNew: true }, project: "p1", user: "u1", hold: { allocations: { provider: $host, resources: { resourceClass: "VCPU", amount: 8 } } } }
        ] }) { resourceProviders { generation inventory(resourceClass: "VCPU") { free } } userErrors { code } }
        full: replaceAllocations(input: { consumers: [
          { consumer: $b, expect: { isNew: true }, project: "p1", user: "u1", hold: { allocations: { provider: $host, resources: { resourceClass: "VCPU", amount: 1 } } } }
        ] }) { resourceProviders { generation } userErrors { code ... on CapacityExceeded { available resourceProvider { generation } } } }
        created: createResourceProvider(input: { name: $name, parent: $host }) { resourceProvider { parent { generation children { name } } } }
      }
      fragment Seen on SetInventoryPayload { resourceProvider { generation inventory(resourceClass: "VCPU") { total } } inventory { total } userErrors { code } }`,
      { host: uuidOf(host), a: uuidOf(`a-${time}`), b: uuidOf(`b-${time}`), name: other },
    );
    const seen = (generation: number, total: number) => ({
      ...{ resourceProvider: { generation, inventory: { total } }, inventory: { total }, userErrors: [] },
    });
    expect(answer).toEqual({
      first: seen(2, 6),
      refused: { resourceProvider: null, inventory: null, userErrors: [{ code: 'PROVIDER_CONFLICT' }] },
      second: seen(3, 8),
      claimed: { resourceProviders: [{ generation: 4, inventory: { free: 0 } }], userErrors: [] },
      full: { resourceProviders: [], userErrors: [{ code: 'CAPACITY_EXCEEDED', available: 0, resourceProvider: { generation: 4 } }] },
      created: { resourceProvider: { parent: { generation: 4, children: [{ name: other }] } } },
    });
  });
});

test('generations in a payload are those of its own write, however fast others are', async () => {
  const hosts = ['race-1', 'race-2'];
  for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 1000 } });
  let generations: number[] = [];
  const worker = async (name: string) => {
    for (let round = 0; round < 15; round += 1) {
      const consumer = { ...claim(`${name}-${round}`, 'race-1', 1), hold: { allocations: hosts.flatMap((host) => hold(host, 'VCPU', 1).allocations) } };
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
      for (const { resourceProvider } of consumers[0]?.allocations ?? []) expect(resourceProvider.generation).toBe(own[resourceProvider.name]);
      generations = [...generations, own['race-1'] ?? 0];
    }
  };
  await Promise.all(['w1', 'w2', 'w3', 'w4'].map(worker));
  // Every write has one of its own, so none is missing and none is there twice.
  expect(generations.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 2));
});

test('what was written agrees with itself', () => expectSoundLedger(database.db));
