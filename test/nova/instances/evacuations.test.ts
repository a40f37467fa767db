// Evacuations, for which Nova has no migration: the instance holds its dead source and its destination, until the source is back. As clients of two gateways
// send it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/sql/client.ts';
import { socketOf, useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { clearSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { laySlowWire } from '../../support/slow-wire.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
const gateways: Gateway[] = [];
let writers: readonly ReturnType<typeof createWriter>['write'][];
let refusal: ReturnType<typeof createWriter>['refusal'];
let seed: ReturnType<typeof createSeed>;

const flavor = { fields: { vcpus: 2, memoryMb: 512, rootGb: 10 } };
const compute = { VCPU: 2, MEMORY_MB: 512 };
const own = { ...compute, DISK_GB: 10 };
const evacuationOf = (name: string, rest: object = {}, ofInstance: object = {}) => ({
  ...{ instances: { instance: uuidOf(name), project: 'p1', user: 'u1', evacuates: true, ...ofInstance }, alternates: 0 },
  ...{ requestFrom: { flavorToRequest: { flavor } }, ...rest },
});
const to = (node: string) => ({ onHosts: { only: { node } } });
const group = (policy: string, ...members: readonly string[]) => ({
  serverGroup: { fields: { uuid: uuidOf('group'), policy, members: members.map(uuidOf) } },
});
const held = (consumer: string) => heldBy(database.db, consumer);
const hostsHolding = async (consumer: string) =>
  Object.keys(await held(consumer))
    .filter((name) => name !== 'pool')
    .toSorted();

async function evacuate(input: object, gateway = 0) {
  const fields = 'destinations { migration { uuid } selected { candidate { root { name } } } alternates { object } } replayed';
  const { destinations, userErrors, replayed } = await (writers[gateway] as (typeof writers)[number])('selectDestinations', input, fields);
  const found = destinations as {
    readonly selected: { readonly candidate: { readonly root: { readonly name: string } } };
    readonly alternates: readonly object[];
  }[];
  return {
    hosts: found.map(({ selected }) => selected.candidate.root.name),
    alternates: found.map(({ alternates }) => alternates.length),
    ...{ codes: userErrors.map(({ code }) => code), replayed },
  };
}

beforeAll(async () => {
  seed = createSeed(database.db);
  for (let place = 0; place < 2; place++) gateways.push(await startGateway(database, 'jit'));
  const all = gateways.map((gateway) => createWriter(gateway, database));
  writers = all.map(({ write }) => write);
  ({ refusal } = all[0] as ReturnType<typeof createWriter>);
  await plantTrees(
    database.db,
    `
    cn1   VCPU 4, MEMORY_MB 8192, DISK_GB 100  COMPUTE_NODE
    cn2   VCPU 4, MEMORY_MB 8192, DISK_GB 100  COMPUTE_NODE
    cn3   VCPU 4, MEMORY_MB 8192, DISK_GB 100  COMPUTE_NODE
    nfs1  VCPU 4, MEMORY_MB 8192               COMPUTE_NODE  @storage
    nfs2  VCPU 4, MEMORY_MB 8192               COMPUTE_NODE  @storage
    pool  DISK_GB 1000                         SHARING       @storage
    `,
  );
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

describe('an evacuated instance', () => {
  test('holds its destination and keeps its source, which its new host releases when the source is back', async () => {
    await seed.claim('vm', { cn1: own });
    expect(await evacuate(evacuationOf('vm', to('cn2')))).toMatchObject({ hosts: ['cn2'], codes: [] });
    expect(await held('vm')).toEqual({ cn1: own, cn2: own });
    const instances = { instanceRecord: { fields: { uuid: uuidOf('vm'), project: 'p1', user: 'u1', flavor } } };
    const audit = async (state: string) => {
      const knownMigrations = { migration: uuidOf('evacuation'), instance: uuidOf('vm'), state };
      await writers[1]?.('auditComputeNode', { computeNode: uuidOf('cn2'), host: 'cn2', instances, knownMigrations, repair: true });
      return held('vm');
    };
    expect(await audit('RUNNING')).toEqual({ cn1: own, cn2: own });
    expect(await audit('DONE')).toEqual({ cn2: own });
  });

  test('is not refused for a quota, but counts against it, and against the others of its call', async () => {
    await seed.claim('vm', { cn1: own });
    const setQuotas = (quotas: readonly object[]) => writers[0]?.('replaceQuotas', { expect: { unchecked: true }, project: 'p1', quotas });
    const uses = async () =>
      (await gateways[0]?.data('{ project(externalId: "p1") { quotaUses { quota { resourceClassName amount } used } } }'))?.project;
    await setQuotas([{ resourceClass: 'VCPU', amount: 3 }]);
    const instances = [{ instance: uuidOf('vm'), evacuates: true }, { instance: uuidOf('new') }].map((one) => ({
      ...{ project: 'p1', user: 'u1' },
      ...one,
    }));
    expect((await evacuate(evacuationOf('vm', { instances }))).codes).toEqual(expect.arrayContaining(['QUOTA_EXCEEDED']));
    expect((await evacuate(evacuationOf('vm', to('cn2')))).codes).toEqual([]);
    expect(await uses()).toEqual({ quotaUses: [{ quota: { resourceClassName: 'VCPU', amount: 3 }, used: 4 }] });
    expect((await evacuate(evacuationOf('new', to('cn3'), { evacuates: false }))).codes).toEqual(['QUOTA_EXCEEDED']);
    await setQuotas([]);
  });

  test('does not go to its source, even if it may stay', async () => {
    await seed.claim('vm', { cn1: own });
    const refused = await refusal('selectDestinations', evacuationOf('vm', { ...to('cn1'), allowSource: true }));
    expect(refused).toMatchObject({ code: 'NO_CANDIDATES', message: expect.stringContaining('other than the hosts to leave') });
    expect(await held('vm')).toEqual({ cn1: own });
  });

  test('holds its disk on a shared pool once, as in Nova', async () => {
    await seed.claim('vm', { nfs1: compute, pool: { DISK_GB: 10 } });
    expect((await evacuate(evacuationOf('vm', to('nfs2')))).hosts).toEqual(['nfs2']);
    expect(await held('vm')).toEqual({ nfs1: compute, nfs2: compute, pool: { DISK_GB: 10 } });
  });

  test('gets no alternates, for which it would give up its source, but an instance in the same call does', async () => {
    await seed.claim('vm', { cn1: own });
    const instances = [uuidOf('new'), uuidOf('vm')].map((instance, index) => ({
      instance,
      project: 'p1',
      user: 'u1',
      evacuates: index === 1,
    }));
    expect(await evacuate(evacuationOf('vm', { instances, alternates: 1 }))).toMatchObject({ alternates: [1, 0], codes: [] });
  });

  test('gets one destination if the call is repeated: with its key the same, without it none', async () => {
    await seed.claim('vm', { cn1: own });
    const keyed = { ...evacuationOf('vm', to('cn2')), idempotencyKey: 'evacuation' };
    expect(await evacuate(keyed)).toMatchObject({ hosts: ['cn2'], replayed: false });
    expect(await evacuate(keyed, 1)).toMatchObject({ hosts: ['cn2'], replayed: true });
    const refused = await refusal('selectDestinations', evacuationOf('vm', to('cn3')));
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', path: ['instances', '0', 'evacuates'] });
    expect(await held('vm')).toEqual({ cn1: own, cn2: own });
  });

  test('gets the destination of the same keyed call that overtook this one, although it holds two hosts by now', async () => {
    await seed.claim('vm', { cn1: own });
    const wire = await laySlowWire(socketOf(database.target));
    const db = openDatabase(wire.target, { readConnections: 1 });
    const late = await startGateway({ db }, 'jit');
    const { write } = createWriter(late, database);
    // The look for a first answer is one exchange once it is prepared.
    await write('selectDestinations', { ...evacuationOf('vm', to('cn1')), idempotencyKey: 'before' });
    const keyed = { ...evacuationOf('vm', to('cn2')), idempotencyKey: 'overtaken' };
    const arrived = wire.hold();
    const overtaken = write('selectDestinations', keyed, 'destinations { selected { candidate { root { name } } } } replayed');
    await arrived;
    expect(await evacuate(keyed)).toMatchObject({ hosts: ['cn2'], replayed: false });
    wire.release();
    expect(await overtaken).toMatchObject({
      destinations: [{ selected: { candidate: { root: { name: 'cn2' } } } }],
      replayed: true,
      userErrors: [],
    });
    await late.close();
    await db.close();
    await wire.close();
  });

  test('costs no further read of the hosts in a call with others', async () => {
    const readsFor = async (...names: readonly string[]) => {
      for (const name of names) await seed.claim(name, { cn1: { VCPU: 1 } });
      const instances = names.map((name) => ({ instance: uuidOf(name), project: 'p1', user: 'u1', evacuates: true }));
      database.statements.length = 0;
      expect(await evacuate(evacuationOf('', { instances }))).toMatchObject({ codes: [] });
      return database.statements.filter((statement) => statement.includes('provider_changes')).length;
    };
    const forOne = await readsFor('vm1');
    expect(forOne).toBeGreaterThan(0);
    expect(await readsFor('vm2', 'vm3', 'vm4')).toBe(forOne);
  });

  test('is one of many calls at once that gets a destination', async () => {
    await seed.claim('vm', { cn1: own });
    const outcomes = await Promise.all([0, 1, 0, 1].map((gateway) => evacuate(evacuationOf('vm'), gateway)));
    expect(outcomes.flatMap(({ hosts }) => hosts)).toHaveLength(1);
    expect(await hostsHolding('vm')).toHaveLength(2);
  });

  test.each([
    ['holds nothing', {}, 'NOT_FOUND', 'instance'],
    ['has a migration, too', { migration: uuidOf('move') }, 'INVALID_INPUT', 'evacuates'],
  ])('that %s is refused', async (_, ofInstance, code, field) => {
    expect(await refusal('selectDestinations', evacuationOf('vm', {}, ofInstance))).toMatchObject({
      code,
      path: ['instances', '0', field],
    });
  });
});

describe('evacuated members of a group', () => {
  test('with AFFINITY go together, although they still hold what they left', async () => {
    await seed.claim('vm1', { cn1: compute });
    await seed.claim('vm2', { cn1: compute });
    const instances = ['vm1', 'vm2'].map((name) => ({ instance: uuidOf(name), project: 'p1', user: 'u1', evacuates: true }));
    const { hosts, codes } = await evacuate({ ...evacuationOf('vm1', group('AFFINITY', 'vm1', 'vm2')), instances });
    expect([new Set(hosts).size, codes]).toEqual([1, []]);
    for (const name of ['vm1', 'vm2']) expect(await hostsHolding(name)).toEqual(['cn1', hosts[0]].toSorted());
  });

  test('with ANTI_AFFINITY go apart, whichever gateways are asked at once', async () => {
    await seed.claim('vm1', { cn1: own });
    await seed.claim('vm2', { cn2: own });
    const apart = group('ANTI_AFFINITY', 'vm1', 'vm2');
    const found = await Promise.all([evacuate(evacuationOf('vm1', apart)), evacuate(evacuationOf('vm2', apart), 1)]);
    const hosts = found.flatMap((one) => one.hosts);
    expect(new Set([...hosts, 'cn1', 'cn2']).size).toBe(2 + hosts.length);
    expect(hosts.length).toBeGreaterThan(0);
  });
});
