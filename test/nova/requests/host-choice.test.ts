// The choice of hosts for an instance: forced, ignored, tried before or preferred, by service host and by node; in fields and in a RequestSpec. As a client
// sends it, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { createWriter } from '../../support/mutations.ts';
import { uuidOf } from '../../support/seed.ts';
import { type Data, smallRequestSpec, wireOf } from '../../support/versioned-objects.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];

const flavor = { flavorToRequest: { flavor: { fields: { vcpus: 1, memoryMb: 512 } } } };
const instance = { instance: uuidOf('vm'), project: 'p1', user: 'u1' };
/** By node: its service host and its memory. More memory weighs more. */
const nodes: Readonly<Record<string, readonly [host: string, memoryMb: number]>> = {
  'cmp1.example.org': ['cmp1', 4096],
  'cmp2.example.org': ['cmp2', 8192],
  'blade-a': ['iron', 1024],
  'blade-b': ['iron', 2048],
};

const addresses: Readonly<Record<string, string>> = {
  'cmp1.example.org': '192.0.2.7',
  'cmp2.example.org': '192.0.3.7',
  'blade-a': 'fd00::7',
};

interface Selected {
  readonly destinations: readonly {
    readonly selected: { readonly object: string; readonly candidate: { readonly root: { readonly name: string } } };
  }[];
  readonly warnings: readonly { readonly code: string; readonly subject: string | null }[];
}

async function select(rest: object): Promise<{ readonly node: string | undefined } & Selected> {
  const fields = 'destinations { selected { object candidate { root { name } } } } warnings { code subject }';
  const { userErrors, ...answer } = await write(
    'selectDestinations',
    { instances: instance, requestFrom: flavor, alternates: 0, ...rest },
    fields,
  );
  expect(userErrors).toEqual([]);
  const selected = answer as unknown as Selected;
  return { ...selected, node: selected.destinations[0]?.selected.candidate.root.name };
}

const specOf = (data: Data) => {
  const { 'nova_object.data': own } = smallRequestSpec;
  const whole = { ...(own as Data), instance_uuid: uuidOf('vm'), project_id: 'p1', user_id: 'u1', ...data };
  return { requestSpecToRequest: { requestSpec: JSON.stringify(wireOf('RequestSpec', '1.15', whole)) } };
};
const destination = (data: Data) => ({ requested_destination: wireOf('Destination', '1.4', data) });
const cell = (name: string) => wireOf('CellMapping', '1.1', { uuid: uuidOf(name), name });

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  for (const [node, [host, memoryMb]] of Object.entries(nodes)) {
    const hostIp = addresses[node] ?? null;
    const fields = { serviceHost: host, hypervisorHostname: node, uuid: uuidOf(node), vcpus: 8, memoryMb, localGb: 10, hostIp };
    expect((await write('reportComputeNode', { computeNodeRecord: { fields } })).userErrors).toEqual([]);
  }
  for (const [provider, aggregate] of [
    ['cmp1.example.org', 'cell1'],
    ['cmp2.example.org', 'cell2'],
    ['blade-a', 'cell1'],
    ['blade-b', 'cell2'],
  ]) {
    await write('replaceAggregates', {
      resourceProvider: uuidOf(provider as string),
      expect: { unchecked: true },
      aggregates: [uuidOf(aggregate as string)],
    });
  }
});
afterEach(async () => {
  await expectSoundLedger(database.db);
  await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
});
afterAll(() => gateway.close());

describe('the host of an instance', () => {
  test.each<[string, object, string]>([
    ['is the one with most room', {}, 'cmp2.example.org'],
    ['is a required one, by its service host ignoring case', { onHosts: { only: { host: 'CMP1' } } }, 'cmp1.example.org'],
    ['is a required one, by its node', { onHosts: { only: { node: 'blade-a' } } }, 'blade-a'],
    ['is the better node of a service host with several', { onHosts: { only: { host: 'iron' } } }, 'blade-b'],
    ['is the named node of the service host', { onHosts: { only: { host: 'iron', node: 'blade-a' } } }, 'blade-a'],
    ['is not an excluded one', { onHosts: { except: [{ host: 'cmp2' }, { host: 'nowhere' }] } }, 'cmp1.example.org'],
    [
      'is not one where it was tried before',
      { onHosts: { tried: [{ host: 'cmp2', node: 'cmp2.example.org' }, { host: 'cmp1' }] } },
      'blade-b',
    ],
    ['is a preferred one, if that can serve', { onHosts: { prefer: [{ host: 'iron', node: 'blade-a' }] } }, 'blade-a'],
    ['is in a required cell', { requiredCells: uuidOf('cell1') }, 'cmp1.example.org'],
    ['is not in an excluded cell', { excludedCells: uuidOf('cell2') }, 'cmp1.example.org'],
    ['is in a preferred cell', { preferredCells: uuidOf('cell1') }, 'cmp1.example.org'],
    ['is the fullest with room, if multipliers are negative', { weightMultipliers: { ram: -1, cpu: 0, disk: 0 } }, 'blade-a'],
  ])('%s', async (_, rest, node) => {
    expect((await select(rest)).node).toBe(node);
  });

  test('is distinguished from its node in the selection', async () => {
    const { destinations } = await select({ onHosts: { only: { node: 'blade-b' } } });
    const { 'nova_object.data': data } = JSON.parse(destinations[0]?.selected.object ?? '') as { 'nova_object.data': object };
    expect(data).toMatchObject({ service_host: 'iron', nodename: 'blade-b', compute_node_uuid: uuidOf('blade-b') });
  });
});

describe('failed builds', () => {
  const report = (node: string, rest: object, stats?: Data) => {
    const [host, memoryMb] = nodes[node] as readonly [string, number];
    const fields = {
      host,
      hypervisor_hostname: node,
      uuid: uuidOf(node),
      vcpus: 8,
      memory_mb: memoryMb,
      local_gb: 10,
      host_ip: addresses[node] ?? null,
    };
    const object = JSON.stringify(wireOf('ComputeNode', '1.19', { ...fields, ...(stats && { stats }) }));
    return write('reportComputeNode', { computeNodeRecord: { object }, ...rest });
  };
  const chosen = async (rest: object = {}) => {
    const { node } = await select(rest);
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
    return node;
  };

  test('that a host reports count until it reports none, in the stats of its object or separately', async () => {
    await report('cmp2.example.org', {}, { failed_builds: '1', num_instances: '0' });
    expect(await chosen()).toBe('cmp1.example.org');
    // A report without stats does not mention them.
    await report('cmp2.example.org', {});
    expect(await chosen()).toBe('cmp1.example.org');
    await report('cmp1.example.org', { failedBuildCount: 2 });
    expect(await chosen()).toBe('blade-b');
    // A caller can ignore failed builds.
    expect(await chosen({ weightMultipliers: { buildFailure: 0 } })).toBe('cmp2.example.org');
    await report('cmp1.example.org', { failedBuildCount: 0 });
    await report('cmp2.example.org', {}, { failed_builds: '0' });
    expect(await chosen()).toBe('cmp2.example.org');
  });
});

describe('a RequestSpec', () => {
  const cells = [uuidOf('cell1'), uuidOf('cell2')];
  const tried = wireOf('ComputeNodeList', '1.17', {
    objects: [wireOf('ComputeNode', '1.19', { host: 'cmp2', hypervisor_hostname: 'cmp2.example.org' })],
  });
  test.each<[string, Data, string]>([
    ['goes to the host with most room', {}, 'cmp2.example.org'],
    ['goes to forced hosts', { force_hosts: ['cmp1', 'iron'] }, 'cmp1.example.org'],
    ['goes to forced nodes', { force_nodes: ['blade-a'] }, 'blade-a'],
    ['goes to its destination', destination({ host: 'iron', node: 'blade-a' }), 'blade-a'],
    ['goes to the host of its destination', destination({ host: 'iron' }), 'blade-b'],
    ['ignores hosts', { ignore_hosts: ['cmp2', 'gone'] }, 'cmp1.example.org'],
    ['is not tried again', { retry: wireOf('SchedulerRetries', '1.1', { num_attempts: 1, hosts: tried }) }, 'cmp1.example.org'],
    ['stays in its cell', destination({ cell: cell('cell1') }), 'cmp1.example.org'],
    ['stays in its cell if it can', destination({ cell: cell('cell1'), allow_cross_cell_move: true }), 'cmp1.example.org'],
    [
      'leaves its cell if necessary and allowed',
      { ...destination({ cell: cell('cell1'), allow_cross_cell_move: true }), ignore_hosts: ['cmp1', 'iron'] },
      'cmp2.example.org',
    ],
    ['goes to a host aggregate', destination({ aggregates: [cells.join(','), uuidOf('cell1')] }), 'cmp1.example.org'],
    ['avoids a host aggregate', destination({ forbidden_aggregates: [uuidOf('cell2')] }), 'cmp1.example.org'],
  ])('%s', async (_, data, node) => {
    const selected = await select({ instances: null, requestFrom: specOf(data), cells });
    expect(selected.node).toBe(node);
    expect(selected.warnings).toEqual([{ code: 'OWNERS_NOT_CHECKED', subject: null }]);
    expect(Object.keys(await heldBy(database.db, 'vm'))).toEqual([node]);
  });

  describe('with hints', () => {
    const hinted = (scheduler_hints: Data) => ({ instances: null, requestFrom: specOf({ scheduler_hints }), alternates: 0 });
    const other = { instance: uuidOf('other'), project: 'p1', user: 'u1' };
    beforeAll(async () => {
      const { userErrors } = await write('selectDestinations', {
        ...{ instances: other, requestFrom: flavor, alternates: 0, onHosts: { only: { node: 'cmp2.example.org' } } },
      });
      expect(userErrors).toEqual([]);
    });
    afterAll(() => write('releaseAllocations', { consumers: [{ consumer: uuidOf('other'), expect: { unchecked: true } }] }));

    test.each<[string, Data, string]>([
      ['stays away from other instances', { different_host: [uuidOf('other'), uuidOf('gone')] }, 'cmp1.example.org'],
      ['joins another instance', { same_host: [uuidOf('gone'), uuidOf('other')] }, 'cmp2.example.org'],
      ['stays away from unknown instances', { different_host: ['no uuid'] }, 'cmp2.example.org'],
      ['goes near an address', { build_near_host_ip: ['192.0.2.200'] }, 'cmp1.example.org'],
      ['goes into a network', { build_near_host_ip: ['192.0.2.200'], cidr: ['/16'] }, 'cmp2.example.org'],
      ['goes near an address of IPv6', { build_near_host_ip: ['fd00::1'], cidr: ['/64'] }, 'blade-a'],
      ['goes into the network of all addresses of IPv6', { build_near_host_ip: ['fd00::1'], cidr: ['/0'] }, 'blade-a'],
    ])('%s', async (_, hints, node) => {
      const { node: chosen, warnings } = await select({ ...hinted(hints), cells });
      expect({ chosen, warnings }).toEqual({ chosen: node, warnings: [{ code: 'OWNERS_NOT_CHECKED', subject: null }] });
    });

    test.each<[string, Data, string]>([
      ['of no known instance', { same_host: ['no uuid', uuidOf('gone')] }, 'a host of the instances of the hint same_host'],
      ['of a network without hosts', { build_near_host_ip: ['198.51.100.1'] }, 'in the network of the hint build_near_host_ip'],
    ])('%s goes nowhere', async (_, hints, words) => {
      expect(await refusal('selectDestinations', hinted(hints))).toMatchObject({
        code: 'NO_CANDIDATES',
        message: expect.stringContaining(words),
      });
    });

    test.each<[string, Data, string]>([
      ['with a malformed address', { build_near_host_ip: ['host'] }, 'build_near_host_ip'],
      ['with an invalid prefix', { build_near_host_ip: ['192.0.2.1'], cidr: ['/33'] }, 'cidr'],
      ['that is a rebuild', { _nova_check_type: ['rebuild'] }, '_nova_check_type'],
    ])('%s is refused', async (_, hints, field) => {
      const path = ['requestFrom', 'requestSpecToRequest', 'requestSpec', 'nova_object.data', 'scheduler_hints', field];
      expect(await refusal('selectDestinations', hinted(hints))).toMatchObject({ code: 'INVALID_INPUT', path });
    });

    test('for other filters causes a warning', async () => {
      const { warnings } = await select(hinted({ query: ['[">=","$free_ram_mb",1024]'] }));
      expect(warnings).toContainEqual({ code: 'REQUEST_SPEC_NOT_CHECKED', subject: 'scheduler_hints' });
    });
  });

  test('of an unknown cell goes anywhere, with a warning', async () => {
    const found = await select({ instances: null, requestFrom: specOf(destination({ cell: cell('cell3') })) });
    const object = JSON.parse(found.destinations[0]?.selected.object ?? '');
    expect({ ...found, destinations: object['nova_object.data'].cell_uuid }).toEqual({
      node: 'cmp2.example.org',
      destinations: uuidOf('cell3'),
      warnings: [
        { code: 'OWNERS_NOT_CHECKED', subject: null },
        { code: 'REQUEST_SPEC_NOT_CHECKED', subject: 'requested_destination' },
        { code: 'CELL_UNKNOWN', subject: null },
      ],
    });
  });

  test.each<[string, object, readonly string[]]>([
    ['for several instances that are not named', { requestFrom: specOf({ num_instances: 2 }) }, ['instances']],
    ['without a project', { requestFrom: specOf({ project_id: null }) }, ['instances']],
    [
      'that requires an unknown host',
      { requestFrom: specOf({ force_hosts: ['gone'] }) },
      ['requestFrom', 'requestSpecToRequest', 'requestSpec', 'nova_object.data', 'force_hosts'],
    ],
    [
      'with a flavor without sizes',
      { requestFrom: specOf({ flavor: wireOf('Flavor', '1.2', { vcpus: -1, memory_mb: 1, root_gb: 0, ephemeral_gb: 0, swap: 0 }) }) },
      ['requestFrom', 'requestSpecToRequest', 'requestSpec', 'nova_object.data', 'flavor', 'nova_object.data', 'vcpus'],
    ],
  ])('%s is refused', async (_, input, path) => {
    expect(await refusal('selectDestinations', { instances: null, ...input })).toMatchObject({ code: 'INVALID_INPUT', path });
  });
});

describe('a choice is refused', () => {
  test.each<[string, object, readonly string[]]>([
    ['of nothing', { onHosts: { except: {} } }, ['onHosts', 'except', '0']],
    ['of only unknown hosts', { onHosts: { only: { host: 'nowhere' } } }, ['onHosts', 'only']],
    ['with an order and weights', { orderBy: { field: 'CREATED_AT' }, weightMultipliers: { ram: 2 } }, ['orderBy']],
  ])('%s', async (_, rest, path) => {
    expect(await refusal('selectDestinations', { instances: instance, requestFrom: flavor, ...rest })).toMatchObject({
      code: 'INVALID_INPUT',
      path,
    });
  });

  test('and if no host is left, the refusal names the rule', async () => {
    const input = { instances: instance, requestFrom: flavor, onHosts: { only: { host: 'cmp1' }, tried: { host: 'cmp1' } } };
    const { message } = (await refusal('selectDestinations', input)) ?? {};
    expect(message).toContain('none of these is outside the hosts that were tried before');
  });
});

describe('an instance whose processors are dedicated', () => {
  const asking = (node: string, vcpus: number) => {
    const extraSpecs = [{ key: 'hw:cpu_policy', value: 'dedicated' }];
    return {
      requestFrom: { flavorToRequest: { flavor: { fields: { vcpus, memoryMb: 512, extraSpecs } } } },
      onHosts: { only: [{ node: 'blade-a' }, { node }] },
    };
  };
  const report = async (name: string, dedicatedCpus: number) => {
    const fields = { serviceHost: name, hypervisorHostname: name, uuid: uuidOf(name), vcpus: 8, memoryMb: 512, localGb: 10 };
    expect((await write('reportComputeNode', { computeNodeRecord: { fields }, dedicatedCpus, reservedMemoryMb: 0 })).userErrors).toEqual(
      [],
    );
  };

  test('goes to a host that does not report any yet, if no other has room', async () => {
    await report('pinning', 2);
    expect((await select(asking('pinning', 2))).node).toBe('pinning');
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
    expect((await select(asking('pinning', 4))).node).toBe('blade-a');
    expect(await heldBy(database.db, 'vm')).toEqual({ 'blade-a': { VCPU: 4, MEMORY_MB: 512 } });
  });

  test('gets no shared ones of a host that reports dedicated ones, and is refused for its own request', async () => {
    const input = { instances: instance, ...asking('pinning', 4), onHosts: { only: { node: 'pinning' } } };
    const { code, message } = (await refusal('selectDestinations', input)) ?? {};
    expect([code, message]).toEqual(['NO_CANDIDATES', expect.stringContaining('PCPU')]);
  });

  test('is claimed with a warning if its host does not report any, also when the call is repeated', async () => {
    const codes = ({ warnings }: Selected) => warnings.flatMap(({ code }) => (code.startsWith('DEDICATED') ? code : []));
    const repeated = { ...asking('pinning', 4), idempotencyKey: 'shared' };
    for (const _ of [1, 2]) expect(codes(await select(repeated))).toEqual(['DEDICATED_CPUS_NOT_CHECKED']);
    await write('releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] });
    expect(codes(await select(asking('pinning', 2)))).toEqual([]);
  });

  test('goes to such a host, too, if the zone of the dedicated ones has no quota left', async () => {
    await write('replaceAggregates', { resourceProvider: uuidOf('pinning'), expect: { unchecked: true }, aggregates: [uuidOf('zone')] });
    const set = (quotas: object[]) => write('replaceQuotas', { expect: { unchecked: true }, project: 'p1', quotas });
    expect((await set([{ aggregate: uuidOf('zone'), amount: 0 }])).userErrors).toEqual([]);
    expect((await select(asking('pinning', 2))).node).toBe('blade-a');
    await set([]);
  });

  test('is searched for again with the fallback if the best effort found nothing', async () => {
    expect((await select({ ...asking('pinning', 4), mode: 'BEST_EFFORT' })).node).toBe('blade-a');
  });
});
