// Calls that are sent again under their idempotency key: they get exactly the first answer, whatever happened since, and have no effect of
// their own; concurrent ones have one effect. A bulk that is refused tells of everybody who was.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { countEvents, dumpTables, expectSoundLedger } from '../../support/ledger.ts';
import { claim, createWriter, hold, isNew, unchecked } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
let gateway: Gateway;
let seed: ReturnType<typeof createSeed>;
let write: ReturnType<typeof createWriter>['write'];

beforeAll(async () => {
  seed = createSeed(database.db);
  gateway = await startGateway(database, 'jit');
  ({ write } = createWriter(gateway, database));
});
afterAll(async () => {
  await expectSoundLedger(database.db);
  await gateway.close();
});

const held =
  'consumers { uuid generation consumerType project { externalId } allocations { amount resourceProvider { name generation } resourceClass { name } } }';
const event = 'event { id kind } replayed';

describe('the first answer is given again', () => {
  test('after a resize and after a release, to the allocations of the consumers', async () => {
    await seed.provider('cn1', { inventories: { VCPU: 16 } });
    const input = { consumers: [claim('vm', 'cn1', 2)], idempotencyKey: 'first' };
    const send = () => write('replaceAllocations', input, `${held} resourceProviders { name generation } ${event}`);
    const first = await send();
    expect(first).toMatchObject({ replayed: false, consumers: [{ generation: 1, allocations: [{ amount: 2 }] }] });
    const grown = { consumer: uuidOf('vm'), expect: { generation: 1 }, hold: hold('cn1', 'VCPU', 5) };
    await write('replaceAllocations', { consumers: [grown] });
    const events = await countEvents(database.db);
    expect(await send()).toEqual({ ...first, replayed: true });
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: unchecked }] });
    expect(await send()).toEqual({ ...first, replayed: true });
    expect(await countEvents(database.db)).toBe(events + 1);
  });

  const mutations: readonly [field: string, input: (key: string) => object, fields: string][] = [
    ['createResourceProvider', () => ({ name: 'made once' }), 'resourceProvider { uuid name generation }'],
    [
      'updateResourceProvider',
      () => ({ resourceProvider: uuidOf('cn'), expect: unchecked, name: 'cn renamed' }),
      'resourceProvider { name generation }',
    ],
    [
      'replaceTraits',
      () => ({ resourceProvider: uuidOf('cn'), expect: unchecked, traits: ['HW_NUMA_ROOT'] }),
      'resourceProvider { generation traitNames }',
    ],
    [
      'replaceAggregates',
      () => ({ resourceProvider: uuidOf('cn'), expect: unchecked, aggregates: [uuidOf('rack')] }),
      'resourceProvider { generation aggregates { uuid } }',
    ],
    [
      'setInventory',
      () => ({ resourceProvider: uuidOf('cn'), expect: unchecked, inventory: { resourceClass: 'DISK_GB', total: 7 } }),
      'inventory { total used } resourceProvider { generation }',
    ],
    ['createTrait', () => ({ name: 'CUSTOM_ONCE' }), 'created trait { name }'],
    ['createResourceClass', () => ({ name: 'CUSTOM_CLASS_ONCE' }), 'created resourceClass { name }'],
    ['nameAggregate', () => ({ aggregate: uuidOf('rack'), name: 'rack 1' }), 'aggregate { name }'],
    ['reportService', () => ({ host: 'h1', binary: 'nova-compute', version: 70 }), 'changed'],
    ['releaseInstance', () => ({ instance: uuidOf('nothing here') }), 'released'],
    [
      'claim',
      () => ({
        consumers: [{ consumer: uuidOf('claimed'), expect: isNew, project: 'p1', user: 'u1' }],
        request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
        alternates: 1,
      }),
      'claims { consumer { generation allocations { amount } } candidate { root { name generation } } alternates { root { name } claimToken } }',
    ],
  ];

  test('by every kind of mutation, also when what it wrote is gone', async () => {
    await seed.provider('cn', { inventories: { VCPU: 4 } });
    await seed.provider('spare', { inventories: { VCPU: 4 } });
    const answers: [string, object, string, object][] = [];
    for (const [field, inputOf, fields] of mutations) {
      const input = { ...inputOf(field), idempotencyKey: `of ${field}` };
      const answer = await write(field, input, `${fields} ${event}`);
      expect({ field, answer }).toMatchObject({ field, answer: { replayed: false, userErrors: [] } });
      answers.push([field, input, `${fields} ${event}`, answer]);
    }
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('claimed'), expect: unchecked }] });
    await write('replaceInventories', { resourceProvider: uuidOf('cn'), expect: unchecked, inventories: [] });
    await write('replaceTraits', { resourceProvider: uuidOf('cn'), expect: unchecked, traits: [] });
    await write('nameAggregate', { aggregate: uuidOf('rack'), name: 'another' });
    await write('deleteTrait', { name: 'CUSTOM_ONCE' });
    await write('deleteResourceClass', { name: 'CUSTOM_CLASS_ONCE' });
    await write('deleteResourceProvider', { resourceProvider: uuidOf('cn'), expect: unchecked });
    const before = await dumpTables(database.db);
    for (const [field, input, fields, answer] of answers) {
      expect({ field, answer: await write(field, input, fields) }).toEqual({ field, answer: { ...answer, replayed: true } });
    }
    expect(await dumpTables(database.db)).toEqual(before);
  });
});

test('of many claims with one key at once one is made, and all get its answer', async () => {
  await seed.provider('busy', { inventories: { VCPU: 64 } });
  const input = {
    consumers: [{ consumer: uuidOf('wanted'), expect: isNew, project: 'p1', user: 'u1' }],
    request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }], rootTraits: [] },
    alternates: 2,
    idempotencyKey: 'storm',
  };
  const fields = `claims { consumer { generation allocations { amount resourceProvider { name } } } alternates { root { name } } } ${event}`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => write('claim', input, fields)));
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const answer of answers) expect({ ...answer, replayed: true }).toEqual({ ...answers[0], replayed: true });
});

test('another input under the same key is refused, the same in another order of its fields is not', async () => {
  await seed.provider('ordered', { inventories: { VCPU: 16 } });
  const { consumers } = { consumers: [claim('ordered vm', 'ordered', 1)] };
  await write('replaceAllocations', { consumers, idempotencyKey: 'order' });
  const turned = consumers.map((consumer) => Object.fromEntries(Object.entries(consumer).reverse()));
  expect(await write('replaceAllocations', { idempotencyKey: 'order', consumers: turned }, 'replayed')).toMatchObject({ replayed: true });
  expect(await write('replaceAllocations', { consumers: [claim('ordered vm', 'ordered', 2)], idempotencyKey: 'order' })).toMatchObject({
    userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED', path: ['idempotencyKey'] }],
  });
});
