// Examination. An idempotency key identifies one answer to one input of one completed write, even if it is sent concurrently.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { countEvents, dumpTables, expectSoundLedger } from '../../support/ledger.ts';
import { claim, createWriter, isNew } from '../../support/mutations.ts';
import { overtaken } from '../../support/overtaken.ts';
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
afterEach(() => expectSoundLedger(database.db));
afterAll(() => gateway.close());

const search = (consumer: string, trait: string, amount: number) => ({
  consumers: [{ consumer: uuidOf(consumer), expect: isNew, project: 'p1', user: 'u1' }],
  request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount }], traits: [{ allOf: [trait] }] }] },
});
const claimed =
  'claims { consumer { generation allocations { amount resourceProvider { name } } } alternateCandidates { root { name } } } replayed event { id }';

test('of many concurrent claims with one key one is made, and all get its answer', async () => {
  for (const name of ['busy', 'idle']) await seed.provider(name, { inventories: { VCPU: 64 }, traits: ['CUSTOM_STORM'] });
  const input = { ...search('wanted', 'CUSTOM_STORM', 1), alternates: 2, idempotencyKey: 'storm' };
  const answers = await Promise.all(Array.from({ length: 8 }, () => write('claim', input, claimed)));
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(answers[0]).toMatchObject({ claims: [{ consumer: { generation: 1 }, alternateCandidates: [{ root: { name: 'idle' } }] }] });
  for (const answer of answers) expect({ ...answer, replayed: true }).toEqual({ ...answers[0], replayed: true });
});

test('a claim that arrives just after the same claim gets its answer, although there is no capacity for a second', async () => {
  await seed.provider('narrow', { inventories: { VCPU: 2 }, traits: ['CUSTOM_NARROW'] });
  const input = { ...search('only one', 'CUSTOM_NARROW', 2), idempotencyKey: 'overtaken' };
  let faster: unknown;
  const late = await startGateway(
    {
      db: overtaken(database.db, async () => {
        faster = await write('claim', input, claimed);
      }),
    },
    'jit',
  );
  const overtakenAnswer = await createWriter(late, database).write('claim', input, claimed);
  await late.close();
  expect(faster).toMatchObject({ replayed: false, userErrors: [] });
  expect(overtakenAnswer).toEqual({ ...(faster as object), replayed: true });
  // Another search finds nothing now.
  expect(await write('claim', input, claimed)).toEqual(overtakenAnswer);
  expect(await write('claim', { ...input, mode: 'BEST_EFFORT' }, claimed)).toMatchObject({
    userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
  });
  expect(await heldBy(database.db, 'only one')).toEqual({ narrow: { VCPU: 2 } });
});

test('an audit that is sent twice is done once, and both answers report what was done', async () => {
  await seed.provider('cn', { inventories: { VCPU: 4, MEMORY_MB: 4096, DISK_GB: 100 }, traits: ['COMPUTE_NODE'] });
  const flavor = { fields: { vcpus: 2, memoryMb: 512, rootGb: 0 } };
  const instances = ['moved on', 'still there', 'too much'].map((vm) => ({
    instanceRecord: { fields: { uuid: uuidOf(vm), project: 'p1', user: 'u1', flavor } },
  }));
  const input = { computeNode: uuidOf('cn'), host: 'cn', instances, repair: true, idempotencyKey: 'audit' };
  const audit = () =>
    write('auditComputeNode', input, 'auditedInstances { instanceUuid state repaired } events { id } event { id } replayed');
  // The call that is about to store the answer to the whole audit waits, for as long as a busy machine takes to send the second one.
  await database.own.unsafe(`
    create function wait_for_the_test() returns trigger language plpgsql set lock_timeout = '25s' as $$
      begin perform pg_advisory_xact_lock(27); return new; end $$;
    create trigger wait_for_the_test before insert on idempotency_keys for each row
      when (new.operation = 'auditComputeNode') execute function wait_for_the_test()`);
  const waiting = (count: number) =>
    expect
      .poll(async () => (await database.own`select from pg_locks where locktype = 'advisory' and objid = 27 and not granted`).length)
      .toBe(count);
  const started = await countEvents(database.db);
  const holder = await database.own.reserve();
  await holder`select pg_advisory_lock(27)`;
  const early = audit();
  await waiting(1);
  await write('releaseAllocations', { consumers: [{ consumer: uuidOf('moved on'), expect: { unchecked: true } }] });
  const late = audit();
  await waiting(2);
  await holder`select pg_advisory_unlock(27)`;
  holder.release();
  const [one, other] = await Promise.all([early, late]);
  expect({ ...other, replayed: one.replayed }).toEqual(one);
  expect(one).toMatchObject({
    auditedInstances: [
      { instanceUuid: uuidOf('moved on'), state: 'MISSING', repaired: true },
      { instanceUuid: uuidOf('still there'), state: 'MISSING', repaired: true },
      { instanceUuid: uuidOf('too much'), state: 'MISSING', repaired: false },
    ],
    events: [{ id: expect.any(String) }, { id: expect.any(String) }],
    userErrors: [{ code: 'CAPACITY_EXCEEDED' }],
  });
  expect([await heldBy(database.db, 'moved on'), await heldBy(database.db, 'too much')]).toEqual([{}, {}]);
  // Two repairs, and the release.
  expect(await countEvents(database.db)).toBe(started + 3);
});

test('the same input in another order of its fields is the same; another input is refused', async () => {
  await seed.provider('ordered', { inventories: { VCPU: 16 } });
  const { consumers } = { consumers: [claim('ordered vm', 'ordered', 1)] };
  await write('replaceAllocations', { consumers, idempotencyKey: 'order' });
  const turned = consumers.map((consumer) => Object.fromEntries(Object.entries(consumer).reverse()));
  const absent = turned.map((consumer) => ({ ...consumer, hold: { ...(consumer.hold as object), takeFrom: undefined } }));
  expect(await write('replaceAllocations', { idempotencyKey: 'order', consumers: absent }, 'replayed')).toMatchObject({ replayed: true });
  const events = await countEvents(database.db);
  expect(await write('replaceAllocations', { consumers: [claim('ordered vm', 'ordered', 2)], idempotencyKey: 'order' })).toMatchObject({
    userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED', path: ['idempotencyKey'] }],
  });
  expect(await countEvents(database.db)).toBe(events);
});

test('the same key of another mutation is another key', async () => {
  const trait = await write('createTrait', { name: 'CUSTOM_BOTH', idempotencyKey: 'both' }, 'created replayed');
  const resourceClass = await write('createResourceClass', { name: 'CUSTOM_BOTH', idempotencyKey: 'both' }, 'created replayed');
  expect([trait, resourceClass]).toMatchObject(Array(2).fill({ created: true, replayed: false }));
});

test('a refused call does not use up its key: once there is capacity it is done, even with other input', async () => {
  await seed.provider('small', { inventories: { VCPU: 2 } });
  const input = (amount: number) => ({ consumers: [claim('patient', 'small', amount)], idempotencyKey: 'patient' });
  const before = await dumpTables(database.db);
  expect((await write('replaceAllocations', input(4))).userErrors).toMatchObject([{ code: 'CAPACITY_EXCEEDED', retry: 'LATER' }]);
  expect(await dumpTables(database.db)).toEqual(before);
  await seed.inventories('small', { VCPU: 4 });
  expect(await write('replaceAllocations', input(4), 'replayed')).toMatchObject({ replayed: false, userErrors: [] });
});

test('a dry run stores no key: it reports each time what would change now', async () => {
  await seed.provider('tried', { inventories: { VCPU: 2 } });
  const tree = (dryRun: boolean) => ({
    root: uuidOf('tried'),
    resourceProviders: [{ uuid: uuidOf('tried'), name: 'tried', inventories: [{ resourceClass: 'VCPU', total: 8 }] }],
    ...{ dryRun, idempotencyKey: 'tried' },
  });
  const apply = (dryRun: boolean) =>
    write(
      'applyProviderTree',
      tree(dryRun),
      'applied changes { ... on ResourceProviderChange { inventories { before { total } } } } replayed',
    );
  const patch = (dryRun: boolean) => {
    const select = { filter: { uuids: [uuidOf('tried')] } };
    return write(
      'patchInventories',
      { select, resourceClass: 'VCPU', patch: { total: 9 }, dryRun, idempotencyKey: 'tried' },
      'applied changes { inventories { before { total } } } replayed',
    );
  };
  for (const total of [2, 3]) {
    await seed.inventories('tried', { VCPU: total });
    expect(await apply(true)).toMatchObject({
      applied: false,
      replayed: false,
      changes: [{ inventories: [{ before: { total } }] }],
    });
    expect(await patch(true)).toMatchObject({ applied: false, replayed: false, changes: [{ inventories: [{ before: { total } }] }] });
  }
  expect(await apply(false)).toMatchObject({ applied: true, replayed: false });
  expect(await patch(false)).toMatchObject({ applied: true, replayed: false, changes: [{ inventories: [{ before: { total: 8 } }] }] });
  expect(await apply(false)).toMatchObject({ applied: true, replayed: true, changes: [{ inventories: [{ before: { total: 3 } }] }] });
});
