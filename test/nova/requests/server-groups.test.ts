// Server groups: members on one host or on different ones, required or if possible, even if they are placed concurrently. As clients of two gateways send it,
// on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { clearSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { historiesOf } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';
import { smallRequestSpec, wireOf } from '../../support/versioned-objects.ts';

const database = useDatabase();
const gateways: Gateway[] = [];
let writers: readonly ReturnType<typeof createWriter>['write'][];
let refusal: ReturnType<typeof createWriter>['refusal'];
let seed: ReturnType<typeof createSeed>;

const members = Array.from({ length: 12 }, (_, index) => `vm${index}`);
const vm = (name: string) => ({ instance: uuidOf(name), project: 'p1', user: 'u1' });
const requestFrom = { flavorToRequest: { flavor: { fields: { vcpus: 1, memoryMb: 1024, rootGb: 1 } } } };
const group = (policy: string, rest: object = {}) => ({
  serverGroup: { fields: { uuid: uuidOf('group'), policy, members: members.map(uuidOf), ...rest } },
});

interface Host {
  readonly candidate: { readonly claimToken: string; readonly root: { readonly name: string } };
}
const nameOf = ({ candidate }: Host) => candidate.root.name;

/** The hosts of the group's instances, by name. */
async function select(names: readonly string[], rest: object, gateway = 0) {
  const write = writers[gateway] as (typeof writers)[number];
  const host = '{ candidate { claimToken root { name } } }';
  const fields = `destinations { selected ${host} alternates ${host} }`;
  const { destinations, userErrors } = await write(
    'selectDestinations',
    { instances: names.map(vm), requestFrom, alternates: 0, ...rest },
    fields,
  );
  const found = destinations as { readonly selected: Host; readonly alternates: readonly Host[] }[];
  return {
    hosts: found.map(({ selected }) => nameOf(selected)),
    alternates: found.map(({ alternates }) => alternates.map(nameOf).toSorted()),
    selections: found.flatMap(({ alternates }) => alternates.map(({ candidate }) => ({ claimToken: candidate.claimToken }))),
    codes: userErrors.map(({ code }) => code as string),
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
    cn1    VCPU 8, MEMORY_MB 16384, DISK_GB 100  COMPUTE_NODE
      gpu  VGPU 4
    cn2    VCPU 8, MEMORY_MB 16384               COMPUTE_NODE  @storage
    cn3    VCPU 8, MEMORY_MB 16384               COMPUTE_NODE  @storage
    pool   DISK_GB 1000                          SHARING       @storage
    `,
  );
});
afterEach(() => clearSoundLedger(database.db));
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

describe('members placed one after another', () => {
  test('are on different hosts with ANTI_AFFINITY, and a fourth finds none on three hosts', async () => {
    const hosts = [];
    for (const name of members.slice(0, 3)) hosts.push(...(await select([name], group('ANTI_AFFINITY'))).hosts);
    expect(hosts.toSorted()).toEqual(['cn1', 'cn2', 'cn3']);
    const refused = await refusal('selectDestinations', { instances: vm('vm3'), requestFrom, ...group('ANTI_AFFINITY') });
    expect(refused).toMatchObject({ code: 'NO_CANDIDATES', message: expect.stringContaining('without others of the group') });
  });

  test('are on different hosts although they share a pool', async () => {
    expect((await select(['vm0', 'vm1', 'vm2'], group('ANTI_AFFINITY'))).hosts.toSorted()).toEqual(['cn1', 'cn2', 'cn3']);
    expect(Object.keys(await heldBy(database.db, 'vm0'))).toHaveLength(await countOf('vm0'));
  });

  test('are at most as many on one host as the group allows', async () => {
    const { hosts } = await select(members.slice(0, 6), group('ANTI_AFFINITY', { maxServersPerHost: 2 }));
    expect(hosts.toSorted()).toEqual(['cn1', 'cn1', 'cn2', 'cn2', 'cn3', 'cn3']);
    expect((await select(['vm6'], group('ANTI_AFFINITY', { maxServersPerHost: 2 }))).codes).toEqual(['NO_CANDIDATES']);
  });

  test('are on one host with AFFINITY, even if others have more room', async () => {
    const [first] = (await select(['vm0'], group('AFFINITY'))).hosts;
    expect((await select(['vm1', 'vm2'], group('AFFINITY'))).hosts).toEqual([first, first]);
    expect((await select(['vm3'], { ...group('AFFINITY'), onHosts: { except: { node: first } } })).codes).toEqual(['NO_CANDIDATES']);
  });

  test('are together or apart if possible, and elsewhere if not', async () => {
    await seed.claim('vm0', { cn2: { VCPU: 1 } });
    const heavy = { weightMultipliers: { softAffinity: 10, softAntiAffinity: 10 } };
    expect((await select(['vm1'], { ...group('SOFT_AFFINITY'), ...heavy })).hosts).toEqual(['cn2']);
    expect((await select(['vm2'], { ...group('SOFT_ANTI_AFFINITY'), ...heavy })).hosts).not.toEqual(['cn2']);
    const elsewhere = { ...group('SOFT_AFFINITY'), ...heavy, onHosts: { except: { node: 'cn2' } } };
    expect((await select(['vm3'], elsewhere)).hosts).not.toEqual(['cn2']);
  });

  test('are counted by their allocations, on any provider of a host', async () => {
    await seed.claim('vm0', { gpu: { VGPU: 1 } });
    const only = { onHosts: { only: { node: 'cn1' } } };
    expect((await select(['vm1'], { ...group('ANTI_AFFINITY'), ...only })).codes).toEqual(['NO_CANDIDATES']);
    expect((await select(['vm2'], only)).hosts).toEqual(['cn1']);
  });
});

describe('alternates in a group with AFFINITY', () => {
  const withAlternates = { ...group('AFFINITY'), alternates: 5 };

  test('are any other hosts for its first member, and none for those after it', async () => {
    const { hosts, alternates } = await select(['vm0'], withAlternates);
    expect([...hosts, ...(alternates[0] ?? [])].toSorted()).toEqual(['cn1', 'cn2', 'cn3']);
    expect(await select(['vm1'], withAlternates)).toMatchObject({ hosts, alternates: [[]] });
  });

  test('are none for several at once, which must stay together', async () => {
    expect((await select(['vm0', 'vm1'], withAlternates)).alternates).toEqual([[], []]);
  });

  test('are claimed for its first member only as long as no other one is where it was', async () => {
    const claim = (selections: readonly object[], generation: number) => ({
      ...{ instance: uuidOf('vm0'), expect: { generation }, selections, ...group('AFFINITY') },
    });
    const { selections } = await select(['vm0'], withAlternates);
    expect((await writers[1]?.('claimAlternate', claim(selections.slice(0, 1), 1), 'place'))?.userErrors).toEqual([]);
    await select(['vm1'], withAlternates);
    expect(await refusal('claimAlternate', claim(selections.slice(1), 2))).toMatchObject({ code: 'AFFINITY_VIOLATION' });
  });
});

async function countOf(name: string): Promise<number> {
  const [row] = await database.db.sql<{ count: number }[]>`
    select count(distinct a.resource_provider_id)::int as count from allocations a join consumers c on c.id = a.consumer_id where c.uuid = ${uuidOf(name)}`;
  return row?.count ?? 0;
}

describe('members placed at the same time through two gateways', () => {
  test.each(historiesOf(5))('are never on one host with ANTI_AFFINITY (round %i)', async () => {
    const only = { onHosts: { only: [{ node: 'cn1' }, { node: 'cn2' }] } };
    const outcomes = await Promise.all(members.map((name, index) => select([name], { ...group('ANTI_AFFINITY'), ...only }, index % 2)));
    expect(outcomes.flatMap(({ hosts }) => hosts).toSorted()).toEqual(['cn1', 'cn2']);
    expect(new Set(outcomes.flatMap(({ codes }) => codes))).toEqual(new Set(['NO_CANDIDATES']));
  });

  test.each(historiesOf(5))('are all on one host with AFFINITY (round %i)', async () => {
    const outcomes = await Promise.all(members.slice(0, 6).map((name, index) => select([name], group('AFFINITY'), index % 2)));
    expect(outcomes.flatMap(({ codes }) => codes)).toEqual([]);
    expect(new Set(outcomes.flatMap(({ hosts }) => hosts)).size).toBe(1);
  });

  test('are never more on a host than the group allows', async () => {
    const limited = group('ANTI_AFFINITY', { maxServersPerHost: 2 });
    const outcomes = await Promise.all(members.map((name, index) => select([name], limited, index % 2)));
    expect(outcomes.flatMap(({ hosts }) => hosts).toSorted()).toEqual(['cn1', 'cn1', 'cn2', 'cn2', 'cn3', 'cn3']);
  });

  test('keep the policy even if their requests do not list each other, because each is a member of the group that it names', async () => {
    const alone = (name: string) => group('ANTI_AFFINITY', { members: [uuidOf(name), uuidOf('vm0'), uuidOf('vm1')] });
    const only = { onHosts: { only: { node: 'cn1' } } };
    const outcomes = await Promise.all(['vm0', 'vm1'].map((name, index) => select([name], { ...alone(name), ...only }, index)));
    expect(outcomes.flatMap(({ hosts }) => hosts)).toEqual(['cn1']);
  });
});

describe('Nova’s object of a group', () => {
  const wire = (data: object, version = '1.11') =>
    JSON.stringify(wireOf('InstanceGroup', version, { uuid: uuidOf('group'), members: members.map(uuidOf), ...data }));

  test.each<[string, string]>([
    ['of today', wire({ policy: 'anti-affinity', _rules: { max_server_per_host: '2' } })],
    ['from before 1.11, without a limit', wire({ policies: ['anti-affinity'] }, '1.10')],
  ])('%s counts', async (when, object) => {
    const only = { onHosts: { only: { node: 'cn1' } } };
    await select(['vm0'], { serverGroup: { object }, ...only });
    expect((await select(['vm1'], { serverGroup: { object }, ...only })).hosts).toEqual(when === 'of today' ? ['cn1'] : []);
    expect((await select(['vm2'], { serverGroup: { object }, ...only })).codes).toEqual(['NO_CANDIDATES']);
  });

  test('counts in a RequestSpec', async () => {
    const { 'nova_object.data': own } = smallRequestSpec;
    const instance_group = JSON.parse(wire({ policy: 'anti-affinity' })) as never;
    const spec = JSON.stringify(wireOf('RequestSpec', '1.15', { ...(own as object), instance_group }));
    const bySpec = { requestFrom: { requestSpecToRequest: { requestSpec: spec } } };
    const { hosts } = await select(['vm0', 'vm1', 'vm2'], bySpec);
    expect(hosts.toSorted()).toEqual(['cn1', 'cn2', 'cn3']);
    expect((await select(['vm3'], bySpec)).codes).toEqual(['NO_CANDIDATES']);
  });

  test.each([
    ['with an unknown policy', wire({ policy: 'close' }), ['serverGroup', 'object', 'nova_object.data', 'policy']],
    [
      'with a limit of 0',
      wire({ policy: 'anti-affinity', _rules: { max_server_per_host: '0' } }),
      ['serverGroup', 'object', 'nova_object.data', '_rules', 'max_server_per_host'],
    ],
    ['with a malformed member', wire({ policy: 'affinity', members: ['vm'] }), undefined],
  ])('%s is refused', async (_, object, path) => {
    const refused = await refusal('selectDestinations', { instances: vm('vm0'), requestFrom, serverGroup: { object } });
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', ...(path ? { path } : {}) });
  });
});

describe('nodes of one service host, as of Ironic', () => {
  const nodes = ['metal1', 'metal2', 'metal3'];
  const on = (...names: readonly string[]) => ({ onHosts: { only: names.map((node) => ({ node })) } });
  beforeAll(async () => {
    for (const node of nodes) {
      const fields = { uuid: uuidOf(node), serviceHost: node === 'metal3' ? 'other' : 'ironic', hypervisorHostname: node };
      const sizes = { vcpus: 1, memoryMb: 4096, localGb: 100, ratios: { cpu: 1 } };
      expect((await writers[0]?.('reportComputeNode', { computeNodeRecord: { fields: { ...fields, ...sizes } } }))?.userErrors).toEqual([]);
    }
  });

  test('count as one with ANTI_AFFINITY', async () => {
    const { hosts } = await select(['vm0', 'vm1'], { ...group('ANTI_AFFINITY'), ...on(...nodes) });
    expect([...hosts].toSorted()).toEqual(['metal1', 'metal3']);
    expect((await select(['vm2'], { ...group('ANTI_AFFINITY'), ...on(...nodes) })).codes).toEqual(['NO_CANDIDATES']);
  });

  test('all serve the members of a group with AFFINITY', async () => {
    const { hosts } = await select(['vm0', 'vm1'], { ...group('AFFINITY'), ...on(...nodes) });
    expect([...hosts].toSorted()).toEqual(['metal1', 'metal2']);
    expect((await select(['vm2'], { ...group('AFFINITY'), ...on(...nodes) })).codes).toEqual(['NO_CANDIDATES']);
  });

  test('count as one for soft policies and for hints', async () => {
    await seed.claim('vm0', { metal1: { VCPU: 1 } });
    const heavy = { weightMultipliers: { softAffinity: 10, softAntiAffinity: 10 } };
    expect((await select(['vm1'], { ...group('SOFT_ANTI_AFFINITY'), ...heavy, ...on('metal2', 'metal3') })).hosts).toEqual(['metal3']);
    expect((await select(['vm2'], { ...group('SOFT_AFFINITY'), ...heavy, ...on('metal2', 'cn1') })).hosts).toEqual(['metal2']);
    const { 'nova_object.data': own } = smallRequestSpec;
    const spec = wireOf('RequestSpec', '1.15', { ...(own as object), scheduler_hints: { different_host: [uuidOf('vm2')] } });
    const hinted = { requestFrom: { requestSpecToRequest: { requestSpec: JSON.stringify(spec) } }, ...on('metal1') };
    const refused = await refusal('selectDestinations', { instances: vm('vm3'), ...hinted });
    expect(refused).toMatchObject({ code: 'NO_CANDIDATES', message: expect.stringContaining('different_host') });
  });

  test('are guarded by the write, whatever the search found', async () => {
    const { selections } = await select(['vm0'], {
      ...on('metal2', 'metal3'),
      alternates: 1,
      orderBy: { field: 'CREATED_AT', direction: 'DESC' },
    });
    await seed.claim('vm1', { metal1: { VCPU: 1 } });
    const claim = (policy: string) => ({ instance: uuidOf('vm0'), expect: { generation: 1 }, selections, ...group(policy) });
    expect(await refusal('claimAlternate', claim('ANTI_AFFINITY'))).toMatchObject({ code: 'AFFINITY_VIOLATION' });
    expect((await writers[0]?.('claimAlternate', claim('AFFINITY'), 'place'))?.userErrors).toEqual([]);
  });
});
