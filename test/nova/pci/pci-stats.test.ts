// Nova's own tests of its PCI statistics, run as data, and the same through GraphQL.
import { describe, expect, test } from 'vitest';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { type PciDevice, poolsOf } from '../../../src/nova/pci/pci-pools.ts';
import { devicePools, devicesFor } from '../../../src/nova/pci/pci-stats.ts';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { scopeOf } from '../../support/ledger.ts';
import { uuidOf } from '../../support/seed.ts';
import { leftOut, poolingVectors, statsVectors } from './nova-pci-stats.ts';

const database = useDatabase();

/** `vendor:product@cell type slot.number`, then tags. A function belongs to the card of its slot, `slot.0`. */
function readDevice(line: string): PciDevice {
  const [kind = '', type = '', place = '', ...tags] = line.split(' ');
  const [, vendorId = '', productId = '', cell] = /^(.*):(.*)@(.*)$/.exec(kind) ?? [];
  const [slot] = place.split('.');
  const isFunction = type === 'VF' || type === 'vdpa';
  return {
    ...{ vendorId, productId, status: 'available', address: `0000:${slot}:00.${place.split('.')[1]}` },
    ...{ devType: type === 'vdpa' ? 'vdpa' : (`type-${type}` as PciDevice['devType']), numaNode: cell === '-' ? null : Number(cell) },
    ...{ parentAddress: isFunction ? `0000:${slot}:00.0` : null, tags: Object.fromEntries(tags.map((tag) => tag.split('='))) },
  };
}

const slotOf = (address: string) => address.split(':')[1] ?? '';
const pools = (lines: readonly string[]) => poolsOf(lines.map(readDevice), { byCard: true });

describe('requests are served', () => {
  test.each(statsVectors.map((vector, index) => ({ ...vector, index })))('$index: $origin', (vector) => {
    const { devices, asks, cells = [], sockets = {}, takes, byCard } = vector;
    const requests = asks.map(({ count = 1, like, policy, cards }) => ({ count, alternatives: [like], numaPolicy: policy, cards }));
    const known = devicePools(pools(devices), ({ tags }) => slotOf(tags.address ?? ''));
    const around = { guest: cells, sockets: new Map(Object.entries(sockets).map(([cell, socket]) => [Number(cell), socket])) };
    const taken = devicesFor(known, requests, around);
    const named = taken?.map(({ address, productId }) => (byCard ? slotOf(address) : productId));
    expect(named?.toSorted() ?? null).toEqual(takes?.toSorted() ?? null);
    expect(new Set(taken).size).toBe(taken?.length ?? 0);
  });
});

describe('devices form pools', () => {
  test.each(poolingVectors)('$origin', ({ devices, counts }) => {
    const found = pools(devices).map(({ count }) => count);
    expect(found.toSorted()).toEqual(counts.toSorted());
  });

  test('that name their manager, if they can have one', () => {
    const managed = (line: string) => pools([line]).map(({ tags }) => tags.remote_managed);
    expect(managed('1:2@0 VF 01.1')).toEqual(['false']);
    expect(managed('1:2@0 VF 01.1 remote_managed=true')).toEqual(['true']);
    expect(managed('1:2@0 PCI 01.1')).toEqual([undefined]);
  });
});

test('every test of Nova is run or left out for a reason', () => {
  const played = new Set([...statsVectors, ...poolingVectors].map(({ origin }) => origin));
  const unplayed = Object.values(leftOut).flat();
  expect([...played].filter((origin) => unplayed.includes(origin))).toEqual([]);
  expect({ tests: played.size, cases: statsVectors.length + poolingVectors.length, unplayed: unplayed.length }).toEqual({
    ...{ tests: 60, cases: 64, unplayed: 11 },
  });
});

test('in GraphQL a node reports whether its devices can serve requests, near the given cells', async () => {
  const fields = { uuid: uuidOf('cn1'), serviceHost: 'cn1', hypervisorHostname: 'cn1', vcpus: 8, memoryMb: 4096, localGb: 100 };
  const vf = (number: number, numaNode: number) => ({
    device: {
      fields: {
        ...{ address: `0000:8${numaNode}:00.${number}`, vendorId: '8086', productId: '10ed', devType: 'type-VF', numaNode },
        parentAddress: `0000:8${numaNode}:00.0`,
      },
    },
  });
  await reportComputeNode(scopeOf(database.db), {
    computeNodeRecord: { fields },
    numaCells: [0, 1].map((id) => ({ id, cores: 4, threads: 8, memoryMb: 1024, socket: 0 })),
    pciDevices: [vf(1, 0), vf(2, 0), vf(1, 1)],
    pciInPlacement: true,
  });
  const asking = `query ($requests: [PciRequestInput!]!, $cells: [Int!], $name: String = "cn1") {
    computeNode(name: $name) { supportsPciRequests(requests: $requests, numaCells: $cells) } }`;
  const supports = async (requests: object[], cells: number[] | null = null) => {
    const { computeNode } = await query<{ computeNode: { supportsPciRequests: boolean } }>(database.db, asking, { requests, cells });
    return computeNode.supportsPciRequests;
  };
  const spec = { vendorId: '8086', productId: '10ed', deviceType: 'type-VF' };
  const request = (count: number, numaPolicy?: string, resourceProviders?: string[]) => ({
    ...{ count, alternatives: [spec], ...(numaPolicy ? { numaPolicy } : {}), ...(resourceProviders ? { resourceProviders } : {}) },
  });
  expect([await supports([request(3)]), await supports([request(4)])]).toEqual([true, false]);
  expect([await supports([request(2), request(1)]), await supports([request(2), request(2)])]).toEqual([true, false]);
  expect(await supports([request(2, 'REQUIRED')], [0])).toBe(true);
  expect(await supports([request(3, 'REQUIRED')], [0])).toBe(false);
  expect(await supports([request(3, 'SOCKET')], [0])).toBe(true);
  expect(await supports([request(3, 'PREFERRED')], [1])).toBe(true);
  const cards = await database.db.sql<{ uuid: string }[]>`
    select uuid from resource_providers where name like 'cn1\\_0000:%' order by name`;
  expect(await supports([request(2, 'LEGACY', [cards[0]?.uuid ?? '', cards[0]?.uuid ?? ''])])).toBe(true);
  expect(await supports([request(2, 'LEGACY', [cards[1]?.uuid ?? '', cards[1]?.uuid ?? ''])])).toBe(false);
  expect(await supports([{ count: 1, alternatives: [{ ...spec, tags: [{ key: 'physical_network', value: 'a' }] }] }])).toBe(false);
});
