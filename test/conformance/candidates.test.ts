// Candidates through REST, from the search to the claim.
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useRest, uuid } from '../support/rest.ts';

const rest = useRest(useDatabase());
const [host, nic, pool, aggregate] = [uuid(1), uuid(2), uuid(3), uuid(70)];
const owner = { project_id: 'p', user_id: 'u' };

// host   VCPU 8, MEMORY_MB 1024     @aggregate
//   nic  SRIOV_NET_VF 2
// pool   DISK_GB 100                MISC_SHARES_VIA_AGGREGATE   @aggregate
beforeAll(async () => {
  const create = async (name: string, provider: string, inventories: object, traits: readonly string[], parent: string | null = null) => {
    await rest.succeed('POST /resource_providers', { body: { name, uuid: provider, parent_provider_uuid: parent } });
    const path = `/resource_providers/${provider}`;
    await rest.succeed(`PUT ${path}/inventories`, { body: { inventories, resource_provider_generation: 0 } });
    await rest.succeed(`PUT ${path}/traits`, { body: { traits, resource_provider_generation: 1 } });
  };
  await create('host', host, { VCPU: { total: 8 }, MEMORY_MB: { total: 1024 } }, ['COMPUTE_NODE']);
  await create('nic', nic, { SRIOV_NET_VF: { total: 2 } }, ['HW_NIC_SRIOV'], host);
  await create('pool', pool, { DISK_GB: { total: 100 } }, ['MISC_SHARES_VIA_AGGREGATE']);
  for (const provider of [host, pool]) {
    await rest.succeed(`PUT /resource_providers/${provider}/aggregates`, { version: '1.18', body: [aggregate] });
  }
});

interface Found {
  readonly allocation_requests: readonly { readonly allocations: object; readonly mappings?: object }[];
  readonly provider_summaries: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

async function find(query: string, version = '1.39'): Promise<Found> {
  return (await rest.succeed(`GET /allocation_candidates?${query}`, { version })).json as Found;
}

test('resources of a tree are combined from 1.29 on, those of sharing providers always', async () => {
  const nested = 'resources=VCPU:1,SRIOV_NET_VF:1';
  expect((await find(nested, '1.28')).allocation_requests).toEqual([]);
  expect((await find(nested, '1.29')).allocation_requests).toEqual([
    { allocations: { [host]: { resources: { VCPU: 1 } }, [nic]: { resources: { SRIOV_NET_VF: 1 } } } },
  ]);
  expect((await find('resources=VCPU:1,DISK_GB:1', '1.12')).allocation_requests).toEqual([
    { allocations: { [host]: { resources: { VCPU: 1 } }, [pool]: { resources: { DISK_GB: 1 } } } },
  ]);
});

test('all trees that give something are summarized from 1.29 on', async () => {
  const query = 'resources=VCPU:1,DISK_GB:1';
  expect(Object.keys((await find(query, '1.28')).provider_summaries).toSorted()).toEqual([host, pool]);
  const { provider_summaries: summaries } = await find(query, '1.29');
  expect(Object.keys(summaries).toSorted()).toEqual([host, nic, pool]);
  expect(summaries[nic]).toEqual({
    resources: { SRIOV_NET_VF: { capacity: 2, used: 0 } },
    traits: ['HW_NIC_SRIOV'],
    parent_provider_uuid: host,
    root_provider_uuid: host,
  });
});

describe('what was found can be claimed as it is', () => {
  test.each<[version: string, more: object]>([
    ['1.11', owner],
    ['1.12', owner],
    ['1.28', { ...owner, consumer_generation: null }],
    ['1.34', { ...owner, consumer_generation: null }],
    ['1.39', { ...owner, consumer_generation: null, consumer_type: 'INSTANCE' }],
  ])('at %s, and the next search sees it', async (version, more) => {
    const query = 'resources=VCPU:8,DISK_GB:10';
    const [request] = (await find(query, version)).allocation_requests;
    await rest.succeed(`PUT /allocations/${uuid(50)}`, { version, body: { ...request, ...more } });
    expect(await find(query, version)).toEqual({ allocation_requests: [], provider_summaries: {} });
    await rest.succeed(`DELETE /allocations/${uuid(50)}`);
    expect((await find(query, version)).allocation_requests).toHaveLength(1);
  });
});

test('groups are mapped to who serves them, also those that take nothing', async () => {
  const query = 'resources_C=VCPU:1&resources_N=SRIOV_NET_VF:1&required_R=COMPUTE_NODE&same_subtree=_C,_N,_R&group_policy=none';
  expect((await find(query)).allocation_requests[0]?.mappings).toEqual({ _C: [host], _N: [nic], _R: [host] });
  expect((await find(query.replace('none', 'isolate'))).allocation_requests).toEqual([]);
});

test('names that do not exist are refused', async () => {
  expect(await rest.ask('GET /allocation_candidates?resources=NOPE:1')).toMatchObject({
    status: 400,
    message: 'Invalid resource class in resources parameter: No such resource class NOPE.',
  });
  expect(await rest.ask('GET /allocation_candidates?resources=VCPU:1&required=NOPE')).toMatchObject({
    status: 400,
    message: 'No such trait(s): NOPE.',
  });
});
