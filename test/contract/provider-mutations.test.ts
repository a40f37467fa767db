// The mutations of providers and their parts, as clients use them: the results, and the contents of each refusal. The
// rules of the refusals are tested with the operations.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderNodeId } from '../../src/graphql/node-id.ts';
import { useDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { createWriter, unchecked } from '../support/mutations.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
let seed: ReturnType<typeof createSeed>;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
});
afterAll(() => gateway.close());

describe('a provider', () => {
  test('is created below another, and its payload can be queried like any provider', async () => {
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

  test('is refused when its name or uuid is taken, and the refusal shows the provider that has it', async () => {
    await seed.provider('taken');
    const common = { __typename: 'Duplicate', code: 'DUPLICATE', retry: 'NEVER', noun: 'RESOURCE_PROVIDER' };
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
      ...{ __typename: 'NotFound', code: 'NOT_FOUND', path: ['parent'], retry: 'NEVER', noun: 'PARENT', missing: uuidOf('nobody') },
    });
  });

  test('is created once with ifExists RETURN, and refused if it exists with other values', async () => {
    const input = { uuid: uuidOf('ensured'), name: 'ensured', ifExists: 'RETURN' };
    const fields = 'created resourceProvider { name generation }';
    const resourceProvider = { name: 'ensured', generation: 0 };
    expect(await write('createResourceProvider', input, fields)).toEqual({ created: true, resourceProvider, userErrors: [] });
    expect(await write('createResourceProvider', input, fields)).toEqual({ created: false, resourceProvider, userErrors: [] });
    expect(await refusal('createResourceProvider', { ...input, name: 'renamed' })).toMatchObject({ code: 'DUPLICATE', path: ['uuid'] });
  });

  test('is renamed and moved with its descendants', async () => {
    await seed.provider('old-top');
    await seed.provider('new-top');
    await seed.provider('middle', { parent: 'old-top' });
    await seed.provider('leaf', { parent: 'middle' });
    const payload = await write(
      'updateResourceProvider',
      { resourceProvider: uuidOf('middle'), expect: { generation: 0 }, name: 'centre', newParent: { resourceProvider: uuidOf('new-top') } },
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
    const input = { resourceProvider: uuidOf('upper'), expect: unchecked, newParent: { resourceProvider: uuidOf('lower') } };
    expect(await refusal('updateResourceProvider', input)).toMatchObject({
      ...{ __typename: 'ParentLoop', code: 'PARENT_LOOP', path: ['newParent'], retry: 'NEVER' },
      ...{ resourceProviderUuid: uuidOf('upper'), parentUuid: uuidOf('lower') },
    });
  });

  test('that has changed meanwhile is refused with its current generation', async () => {
    await seed.provider('changed', { traits: ['COMPUTE_NODE'] });
    expect(
      await refusal('updateResourceProvider', { resourceProvider: uuidOf('changed'), expect: { generation: 0 }, name: 'x' }),
    ).toMatchObject({
      ...{ __typename: 'ProviderConflict', code: 'PROVIDER_CONFLICT', path: ['expect'], retry: 'AFTER_READ' },
      ...{ resourceProvider: { name: 'changed' }, expected: 0, actual: 1 },
    });
  });

  test('is deleted, but not while it has children or consumers', async () => {
    await seed.provider('doomed', { inventories: { VCPU: 4 } });
    await seed.provider('child-b', { parent: 'doomed' });
    await seed.provider('child-a', { parent: 'doomed' });
    const input = { resourceProvider: uuidOf('doomed'), expect: unchecked };
    expect(await refusal('deleteResourceProvider', input)).toMatchObject({
      ...{ __typename: 'HasChildren', code: 'HAS_CHILDREN', path: ['resourceProvider'], retry: 'NEVER' },
      ...{ children: [{ name: 'child-a' }, { name: 'child-b' }], childCount: 2 },
    });
    for (const child of ['child-a', 'child-b'])
      await write('deleteResourceProvider', { resourceProvider: uuidOf(child), expect: unchecked });
    await seed.claim('tenant', { doomed: { VCPU: 1 } });
    expect(await refusal('deleteResourceProvider', input)).toMatchObject({
      ...{
        __typename: 'InUse',
        code: 'IN_USE',
        path: ['resourceProvider'],
        retry: 'NEVER',
        noun: 'RESOURCE_PROVIDER',
        key: uuidOf('doomed'),
      },
      ...{ byCount: 1, by: [{ __typename: 'Consumer', uuid: uuidOf('tenant') }] },
    });
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('tenant'), expect: unchecked }] });
    expect(await write('deleteResourceProvider', input, 'deletedId')).toEqual({
      deletedId: renderNodeId('ResourceProvider', uuidOf('doomed')),
      userErrors: [],
    });
    expect(await refusal('deleteResourceProvider', input)).toMatchObject({ code: 'NOT_FOUND', path: ['resourceProvider'] });
  });
});

describe('inventories', () => {
  const inventory = (resourceClass: string, total: number, more = {}) => ({ resourceClass, total, ...more });

  test('are replaced as a whole; omitted fields take their defaults', async () => {
    await seed.provider('stock', { inventories: { VCPU: { total: 8, allocationRatio: 4, reserved: 1 }, DISK_GB: 10 } });
    const payload = await write(
      'replaceInventories',
      { resourceProvider: uuidOf('stock'), expect: { generation: 1 }, inventories: [inventory('VCPU', 16)] },
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

  test('that shrink below their usage are written, with a warning that shows the inventory', async () => {
    await seed.provider('shrunk', { inventories: { VCPU: 8 } });
    await seed.claim('heavy', { shrunk: { VCPU: 6 } });
    const warnings = 'warnings { code message subject inventory { capacity used free overCapacity resourceProvider { name } } }';
    const payload = await write(
      'setInventory',
      { resourceProvider: uuidOf('shrunk'), expect: unchecked, inventory: inventory('VCPU', 4) },
      `resourceProvider { generation inventory(resourceClass: "VCPU") { total used } } changed ${warnings}`,
    );
    expect(payload).toEqual({
      resourceProvider: { generation: expect.any(Number), inventory: { total: 4, used: 6 } },
      changed: true,
      warnings: [
        {
          ...{ code: 'SHRUNK_BELOW_USE', message: expect.stringContaining('a capacity of 4') },
          subject: `${uuidOf('shrunk')}/VCPU`,
          inventory: { capacity: 4, used: 6, free: -2, overCapacity: true, resourceProvider: { name: 'shrunk' } },
        },
      ],
      userErrors: [],
    });
  });

  test('of unknown classes are refused with their paths', async () => {
    await seed.provider('strange');
    const input = {
      resourceProvider: uuidOf('strange'),
      expect: unchecked,
      inventories: [inventory('VCPU', 1), inventory('CUSTOM_NOWHERE', 1)],
    };
    expect(await refusal('replaceInventories', input)).toMatchObject({
      ...{ __typename: 'NotFound', path: ['inventories', '1', 'resourceClass'], noun: 'RESOURCE_CLASS', missing: 'CUSTOM_NOWHERE' },
    });
    expect(
      await refusal('setInventory', { resourceProvider: uuidOf('strange'), expect: unchecked, inventory: inventory('CUSTOM_NOWHERE', 1) }),
    ).toMatchObject({ code: 'NOT_FOUND', path: ['inventory', 'resourceClass'] });
  });

  test('that are out of range are refused with all errors', async () => {
    const bad = { total: 0, reserved: -1, minUnit: 0, maxUnit: 2 ** 31, stepSize: 0, allocationRatio: 1e300 };
    const { userErrors } = await write('setInventory', {
      ...{ resourceProvider: uuidOf('strange'), expect: { generation: -1 }, inventory: { resourceClass: 'vcpu', ...bad } },
    });
    const fields = ['resourceClass', ...Object.keys(bad)];
    expect(userErrors.map(({ code, path }) => [code, path])).toEqual([
      ['INVALID_INPUT', ['expect', 'generation']],
      ...fields.map((field) => ['INVALID_INPUT', ['inventory', field]]),
    ]);
  });

  test('in use are kept', async () => {
    await seed.provider('busy', { inventories: { VCPU: 8, DISK_GB: 8 } });
    await seed.claim('user-of-busy', { busy: { VCPU: 1 } });
    const inUse = { __typename: 'InUse', code: 'IN_USE', retry: 'NEVER', noun: 'INVENTORY', key: 'VCPU', byCount: 1 };
    const by = [{ __typename: 'Consumer', uuid: uuidOf('user-of-busy') }];
    const target = { resourceProvider: uuidOf('busy'), expect: unchecked };
    expect(await refusal('deleteInventory', { ...target, resourceClass: 'VCPU' })).toMatchObject({ ...inUse, by, path: ['resourceClass'] });
    expect(await refusal('replaceInventories', { ...target, inventories: [] })).toMatchObject({ ...inUse, by, path: ['inventories'] });
    expect(await refusal('deleteInventory', { ...target, resourceClass: 'PCPU' })).toMatchObject({
      ...{ code: 'NOT_FOUND', noun: 'INVENTORY', missing: 'PCPU', path: ['resourceClass'] },
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
      expect(await write('createTrait', { name: 'CUSTOM_T', ifExists: 'RETURN' }, 'created trait { name isStandard }')).toEqual({
        ...{ created, trait: { name: 'CUSTOM_T', isStandard: false }, userErrors: [] },
      });
      expect(
        await write(
          'createResourceClass',
          { name: 'CUSTOM_C', ifExists: 'RETURN' },
          'created resourceClass { name isStandard unit cloudTotal { used } }',
        ),
      ).toEqual({
        ...{ created, resourceClass: { name: 'CUSTOM_C', isStandard: false, unit: null, cloudTotal: null }, userErrors: [] },
      });
    }
  });

  test('cannot be created or deleted when they are standard', async () => {
    for (const [field, name] of [
      ['createTrait', 'COMPUTE_NODE'],
      ['deleteTrait', 'COMPUTE_NODE'],
      ['createResourceClass', 'VCPU'],
      ['deleteResourceClass', 'VCPU'],
    ] as const) {
      expect(await refusal(field, { name })).toMatchObject({
        ...{ __typename: 'StandardName', code: 'STANDARD_NAME', path: ['name'], retry: 'NEVER', key: name },
      });
    }
  });

  test('are not deleted while a provider has them, and the refusal shows the provider', async () => {
    await seed.provider('holder', { traits: ['CUSTOM_HELD'], inventories: { CUSTOM_KEPT: 1 } });
    const by = [{ __typename: 'ResourceProvider', name: 'holder' }];
    expect(await refusal('deleteTrait', { name: 'CUSTOM_HELD' })).toMatchObject({
      ...{ __typename: 'InUse', noun: 'TRAIT', key: 'CUSTOM_HELD', byCount: 1, by, path: ['name'] },
    });
    expect(await refusal('deleteResourceClass', { name: 'CUSTOM_KEPT' })).toMatchObject({ noun: 'RESOURCE_CLASS', key: 'CUSTOM_KEPT', by });
  });

  test('are deleted, and a second deletion is refused', async () => {
    await write('createTrait', { name: 'CUSTOM_GOING' });
    await write('createResourceClass', { name: 'CUSTOM_GOING' });
    expect(await write('deleteTrait', { name: 'CUSTOM_GOING' }, 'deletedId')).toEqual({
      deletedId: renderNodeId('Trait', 'CUSTOM_GOING'),
      userErrors: [],
    });
    expect(await write('deleteResourceClass', { name: 'CUSTOM_GOING' }, 'deletedId')).toMatchObject({
      deletedId: renderNodeId('ResourceClass', 'CUSTOM_GOING'),
    });
    for (const field of ['deleteTrait', 'deleteResourceClass']) {
      expect(await refusal(field, { name: 'CUSTOM_GOING' })).toMatchObject({ code: 'NOT_FOUND', path: ['name'], missing: 'CUSTOM_GOING' });
    }
  });

  test('of a provider are replaced as a whole', async () => {
    await seed.provider('labelled', { traits: ['CUSTOM_OLD'], aggregates: ['zone1'] });
    const target = { resourceProvider: uuidOf('labelled'), expect: unchecked };
    expect(
      await write(
        'replaceTraits',
        { ...target, traits: ['COMPUTE_NODE', 'CUSTOM_OLD', 'COMPUTE_NODE'] },
        'resourceProvider { traitNames traits { name } }',
      ),
    ).toEqual({
      resourceProvider: { traitNames: ['COMPUTE_NODE', 'CUSTOM_OLD'], traits: [{ name: 'COMPUTE_NODE' }, { name: 'CUSTOM_OLD' }] },
      userErrors: [],
    });
    expect(await refusal('replaceTraits', { ...target, traits: ['COMPUTE_NODE', 'CUSTOM_NEVER'] })).toMatchObject({
      ...{ code: 'NOT_FOUND', noun: 'TRAIT', missing: 'CUSTOM_NEVER', path: ['traits', '1'] },
    });
    expect(
      await write('replaceAggregates', { ...target, aggregates: [uuidOf('zone2')] }, 'resourceProvider { aggregates { uuid name } }'),
    ).toEqual({
      resourceProvider: { aggregates: [{ uuid: uuidOf('zone2'), name: uuidOf('zone2') }] },
      userErrors: [],
    });
  });

  test('get a name, which no other aggregate may have', async () => {
    const name = { aggregate: uuidOf('zone3'), name: 'Zone drei 🦆' };
    expect(await write('nameAggregate', name, 'aggregate { uuid name resourceProviders { totalCount } }')).toEqual({
      aggregate: { uuid: uuidOf('zone3'), name: name.name, resourceProviders: { totalCount: 0 } },
      userErrors: [],
    });
    expect(await refusal('nameAggregate', { ...name, aggregate: uuidOf('zone4') })).toMatchObject({
      ...{ __typename: 'Duplicate', path: ['name'], noun: 'AGGREGATE', existing: { __typename: 'Aggregate', name: name.name } },
    });
    expect(await write('nameAggregate', { aggregate: uuidOf('zone3'), name: null }, 'aggregate { name isNamed }')).toMatchObject({
      aggregate: { name: uuidOf('zone3'), isNamed: false },
    });
  });
});

test('the ledger is consistent', () => expectSoundLedger(database.db));
