// Examination. Writes of callers who may write to some trees only: what counts is whose tree it is when the write is made, under locks, not when it was
// asked for.
import { beforeEach, describe, expect, test } from 'vitest';
import { submitWrite } from '../../../src/db/writes/submit-write.ts';
import type { RootCondition } from '../../../src/domain/root-condition.ts';
import { type AnyAnswer, writeAny } from '../../support/any-write.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let seed: ReturnType<typeof createSeed>;
beforeEach(async () => {
  database = await createTestDatabase();
  seed = createSeed(database.db);
  await seed.provider('host', { inventories: { VCPU: 8 }, traits: ['CUSTOM_DPU'] });
  await seed.provider('host gpu', { parent: 'host', inventories: { VGPU: 8 } });
  await seed.provider('other', { inventories: { VCPU: 8 } });
  await seed.names({ projects: ['p1'], users: ['u1'], types: ['INSTANCE'] });
  return async () => {
    await expectSoundLedger(database.db);
    await database.drop();
  };
});

const ofHost: RootCondition = { name: 'host' };
const ofDpus: RootCondition = { trait: 'CUSTOM_DPU' };
const forbidden = { refusal: { code: 'FORBIDDEN', details: {} } };
const by = { user: 'host', project: 'service', roles: ['service'], requestId: 'req-own' };
const plain = { reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 };
const inventoriesOf = (provider: string, total: number) => ({
  ...{ provider: uuidOf(provider), expect: {} },
  inventories: [{ resourceClass: 'VCPU', total, ...plain }],
});
const taking = (consumer: string, ...held: readonly (readonly [provider: string, resourceClass: string, amount: number])[]) => ({
  ...{ uuid: uuidOf(consumer), expect: {}, project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false },
  allocations: held.map(([provider, resourceClass, amount]) => ({ provider: uuidOf(provider), resourceClass, amount })),
});
const write = (operation: Parameters<typeof writeAny>[1], request: object, owned: RootCondition = ofHost) =>
  writeAny(database.db, operation, request, { owned });

describe('a host may', () => {
  test('write to all of its tree, claim and release there', async () => {
    for (const [operation, request] of [
      ['replace_inventories', inventoriesOf('host', 4)],
      ['replace_traits', { provider: uuidOf('host gpu'), expect: {}, traits: ['HW_CPU_X86_VMX'] }],
      ['replace_aggregates', { provider: uuidOf('host'), expect: {}, aggregates: [uuidOf('rack')] }],
      ['create_resource_provider', { uuid: uuidOf('nic'), name: 'nic', parent: uuidOf('host'), ensure: false }],
      ['update_resource_provider', { provider: uuidOf('nic'), expect: {}, parent: uuidOf('host gpu') }],
      ['delete_resource_provider', { provider: uuidOf('nic'), expect: {} }],
      ['replace_allocations', { consumers: [taking('vm', ['host', 'VCPU', 1], ['host gpu', 'VGPU', 1])] }],
      ['release_allocations', { consumers: [taking('vm')] }],
      ['create_trait', { name: 'CUSTOM_NEW' }],
      ['report_service', { host: 'host', program: 'nova-compute', version: 70, minimumOf: 'nova-compute' }],
    ] as const) {
      expect({ operation, ...(await write(operation, request)) }).toMatchObject({ operation, eventId: expect.any(Number) });
    }
  });

  test('create its own root, but none with another name', async () => {
    const root = (name: string) => ({ uuid: uuidOf(name), name, parent: null, ensure: false });
    expect(await write('create_resource_provider', root('host 2'), { name: 'host 2' })).toMatchObject({ created: true });
    expect(await write('create_resource_provider', root('host 3'), { name: 'host 2' })).toEqual(forbidden);
  });
});

describe('where something is reserved', () => {
  const stay = (consumer: string) =>
    write('set_expiry', { consumers: [{ uuid: uuidOf(consumer), expect: {}, allocations: [], expiresAt: null }] });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const ending = (consumer: string, ...held: Parameters<typeof taking>[1][]) => ({
    consumers: [{ ...taking(consumer, ...held), expiresIn: 60 }],
  });

  test('a host may let a consumer of its tree last, but not into a reservation', async () => {
    await writeAny(database.db, 'replace_allocations', ending('short', ['host', 'VCPU', 3]));
    await seed.reservation('day', { host: { VCPU: 5 }, other: { VCPU: 8 } }, { startsAt: later });
    expect(await stay('short')).toMatchObject({ eventId: expect.any(Number) });
    await writeAny(database.db, 'replace_allocations', ending('long', ['host', 'VCPU', 5]));
    expect(await stay('long')).toMatchObject({
      refusal: { code: 'CAPACITY_EXCEEDED', details: { provider: uuidOf('host'), requested: 5, available: 0 } },
    });
  });

  test('it learns nothing of reservations in another tree, from which one of its consumers takes something, too', async () => {
    await writeAny(database.db, 'replace_allocations', ending('both', ['host', 'VCPU', 1], ['other', 'VCPU', 8]));
    expect(await stay('both')).toEqual(forbidden);
    await seed.reservation('day', { other: { VCPU: 8 } }, { startsAt: later });
    expect(await stay('both')).toEqual(forbidden);
  });
});

describe('a host may not', () => {
  test.each<[what: string, operation: Parameters<typeof writeAny>[1], request: () => object]>([
    ['write to another tree', 'replace_inventories', () => inventoriesOf('other', 4)],
    ['give its tree another name', 'update_resource_provider', () => ({ provider: uuidOf('host'), expect: {}, name: 'host 2' })],
    [
      'move a provider to another tree',
      'update_resource_provider',
      () => ({ provider: uuidOf('host gpu'), expect: {}, parent: uuidOf('other') }),
    ],
    ['make a tree of a part of its own', 'update_resource_provider', () => ({ provider: uuidOf('host gpu'), expect: {}, parent: null })],
    [
      'move another tree under its own',
      'update_resource_provider',
      () => ({ provider: uuidOf('other'), expect: {}, parent: uuidOf('host') }),
    ],
    [
      'take the name of another tree, nor learn whose it is',
      'update_resource_provider',
      () => ({ provider: uuidOf('host'), expect: {}, name: 'other' }),
    ],
    [
      'add to another tree',
      'create_resource_provider',
      () => ({ uuid: uuidOf('nic'), name: 'nic', parent: uuidOf('other'), ensure: false }),
    ],
    [
      'learn that another tree is there',
      'create_resource_provider',
      () => ({ uuid: uuidOf('other'), name: 'other', parent: null, ensure: true }),
    ],
    ['claim there, even in part', 'replace_allocations', () => ({ consumers: [taking('vm', ['host', 'VCPU', 1], ['other', 'VCPU', 1])] })],
    [
      'claim for several consumers, one of them there',
      'replace_allocations',
      () => ({ consumers: [taking('vm', ['host', 'VCPU', 1]), taking('vm 2', ['other', 'VCPU', 1])] }),
    ],
    ['learn how much is left there', 'replace_allocations', () => ({ checkFirst: true, consumers: [taking('vm', ['other', 'VCPU', 99])] })],
    ['let it expire', 'set_expiry', () => ({ consumers: [{ uuid: uuidOf('theirs'), expect: {}, allocations: [], expiresIn: 60 }] })],
    ['release what has expired there', 'release_expired', () => ({ most: 10, skip: 0 })],
    ['release what is held there', 'release_allocations', () => ({ consumers: [taking('theirs')] })],
    ['move what is held there to itself', 'replace_allocations', () => ({ consumers: [taking('theirs', ['host', 'VCPU', 1])] })],
    [
      'learn the generation of a consumer there',
      'replace_allocations',
      () => ({ consumers: [{ ...taking('theirs', ['host', 'VCPU', 1]), expect: { generation: 9 } }] }),
    ],
    [
      'patch it among its own',
      'patch_inventories',
      () => ({ providers: [uuidOf('host'), uuidOf('other')], resourceClass: 'VCPU', patch: { total: 9 }, dryRun: false }),
    ],
    ['try that', 'patch_inventories', () => ({ providers: [uuidOf('other')], resourceClass: 'VCPU', patch: { total: 9 }, dryRun: true })],
    [
      'set a trait among its own',
      'patch_traits',
      () => ({ providers: [uuidOf('host'), uuidOf('other')], added: ['HW_NUMA_ROOT'], removed: [], dryRun: false }),
    ],
    [
      'report for another host',
      'report_service',
      () => ({ host: 'other', program: 'nova-compute', version: 70, minimumOf: 'nova-compute' }),
    ],
    [
      'report for a host that is not there',
      'report_service',
      () => ({ host: 'nowhere', program: 'nova-compute', version: 70, minimumOf: 'nova-compute' }),
    ],
    [
      'import records of another host',
      'import_records',
      () => ({ records: [{ kind: 'compute_node', name: 'nowhere', uuid: null, body: {} }] }),
    ],
    ['rename a class', 'rename_resource_class', () => ({ from: 'CUSTOM_A', name: 'CUSTOM_B' })],
    [
      'replace settings',
      'replace_settings',
      () => ({ record: { kind: 'settings', name: 'settings', uuid: uuidOf('settings'), body: {} }, expect: {} }),
    ],
    [
      'replace quotas',
      'replace_quotas',
      () => ({
        record: { kind: 'project_quotas', name: 'p1', uuid: uuidOf('quotas of p1'), body: { parent: null, quotas: [] } },
        expect: {},
      }),
    ],
    ['name an aggregate', 'name_aggregate', () => ({ aggregate: uuidOf('rack'), name: 'rack' })],
  ])('%s', async (_what, operation, request) => {
    await seed.claim('theirs', { other: { VCPU: 2 } });
    expect(await write(operation, request())).toEqual(forbidden);
  });

  test.each([true, false])('create a tree of another name by describing it, even as a rehearsal: dry run %s', async (dryRun) => {
    const tree = (root: string, name: string) => ({
      ...{ root: uuidOf(root), consumers: [], dryRun },
      providers: [{ uuid: uuidOf(root), name, parent: null, expect: {}, inventories: [], traits: ['CUSTOM_DPU'], aggregates: [] }],
    });
    expect(await write('apply_provider_tree', tree('host', 'host 2'))).toEqual(forbidden);
    expect(await write('apply_provider_tree', tree('host 2', 'host 2'))).toEqual(forbidden);
    expect(await write('apply_provider_tree', tree('other', 'other'))).toEqual(forbidden);
    expect(await write('apply_provider_tree', tree('host 2', 'host 2'), ofDpus)).toEqual(forbidden);
  });

  test('get the answer under its key once the tree is no longer its own', async () => {
    const idempotency = { principal: 'host', operation: 'replaceInventories', key: 'once', hash: 'a' };
    const send = () => writeAny(database.db, 'replace_inventories', inventoriesOf('host', 4), { owned: ofHost, idempotency });
    expect(await send()).toMatchObject({ eventId: expect.any(Number) });
    expect(await send()).toMatchObject({ replayed: true });
    await seed.write('update_resource_provider', { provider: uuidOf('host'), expect: {}, name: 'host 2' });
    expect(await send()).toEqual(forbidden);
  });
});

describe('while another write changes the owner of the tree', () => {
  const toUpdate = (provider: string, change: object) => ({
    operation: 'update_resource_provider',
    provider: uuidOf(provider),
    expect: {},
    ...change,
  });
  const inventories = () => write('replace_inventories', inventoriesOf('host', 4));
  const claim = () => write('replace_allocations', { consumers: [taking('vm', ['host gpu', 'VGPU', 1])] });
  const dpuClaim = () => write('replace_allocations', { consumers: [taking('vm', ['host gpu', 'VGPU', 1])] }, ofDpus);
  const child = () => write('create_resource_provider', { uuid: uuidOf('nic'), name: 'nic', parent: uuidOf('host'), ensure: false });

  test.each<[what: string, change: Readonly<Record<string, unknown>>, meanwhile: () => Promise<AnyAnswer>]>([
    ['the root is renamed: inventories', toUpdate('host', { name: 'host 2' }), inventories],
    ['the root is renamed: a claim below it', toUpdate('host', { name: 'host 2' }), claim],
    ['the root is renamed: a new child', toUpdate('host', { name: 'host 2' }), child],
    ['a child is moved: a claim of it', toUpdate('host gpu', { parent: uuidOf('other') }), claim],
    ['the root is moved: inventories', toUpdate('host', { parent: uuidOf('other') }), inventories],
    [
      'the root loses its trait: a claim below it',
      { operation: 'replace_traits', provider: uuidOf('host'), expect: {}, traits: [] },
      dpuClaim,
    ],
  ])('%s: it waits, and is refused', async (_what, { operation, ...request }, meanwhile) => {
    const { own } = database;
    const waiting = await own.begin(async (sql) => {
      await sql`select apply_write(${String(operation)}, ${sql.json({ kind: String(operation).toUpperCase(), by, ...request } as never)})`;
      const started = meanwhile();
      const waits = () => own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(waits).toHaveLength(1);
      return [started];
    });
    expect(await waiting[0]).toEqual(forbidden);
  });
});

test('claims of other callers share calls beside a restricted one, and only that one is refused', async () => {
  const claimOf = (consumer: string, provider: string, owned?: RootCondition) =>
    submitWrite(
      database.db,
      'replace_allocations',
      { consumers: [{ ...taking(consumer, [provider, 'VCPU', 1]), expect: { isNew: true } }] },
      { by, owned },
    );
  await claimOf('first', 'other');
  database.statements.length = 0;
  const answers = await Promise.all([
    ...['a', 'b', 'c', 'd'].map((consumer) => claimOf(consumer, 'other')),
    claimOf('theirs', 'other', ofHost),
    claimOf('own', 'host', ofHost),
    ...['e', 'f'].map((consumer) => claimOf(consumer, 'other')),
  ]);
  expect(answers.map((answer) => ('refusal' in answer ? answer.refusal.code : 'written'))).toEqual([
    ...['written', 'written', 'written', 'written', 'FORBIDDEN', 'written', 'written', 'written'],
  ]);
  // Each alone would be eight. How many it are depends on who finds the provider locked: a call takes half of the claims that are under way.
  expect(database.statements.filter((statement) => statement.includes('apply_write')).length).toBeLessThan(8);
});

test('a caller who may write to all trees is not checked', async () => {
  await writeAny(database.db, 'replace_inventories', inventoriesOf('other', 4));
  await write('replace_inventories', inventoriesOf('host', 4));
  expect(await writeAny(database.db, 'replace_inventories', inventoriesOf('other', 5))).toMatchObject({ eventId: expect.any(Number) });
});
