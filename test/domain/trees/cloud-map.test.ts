// The columns of the map of the cloud, from drawings, and their size.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  type ClassColumns,
  describeHosts,
  disabledTraitOf,
  type HostColumns,
  hostsOf,
  sumClass,
} from '../../../src/domain/trees/cloud-map.ts';
import { type DrawnProvider, drawnInventory, forestOf } from '../../support/tree.ts';

function run<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

function mapOf(drawing: string | readonly DrawnProvider[], ...classes: string[]): HostColumns & { readonly sums: ClassColumns[] } {
  const forest = forestOf(drawing);
  const hosts = hostsOf(forest);
  const sums = classes.map((name) => run(sumClass(hosts, forest.classes.idOf(name) ?? -1)));
  return { ...run(describeHosts(hosts, disabledTraitOf(forest))), sums };
}

test('a host is its whole tree: the amounts of its cells and devices are summed, and a class without inventory is null', () => {
  const { names, memberCounts, sums } = mapOf(
    `
    cn1      MEMORY_MB 1000 used 10
      numa0  VCPU 8 reserved 1 ratio 2 used 3
      numa1  VCPU 8 used 5
    cn2      MEMORY_MB 500`,
    'VCPU',
    'MEMORY_MB',
  );
  expect(names).toEqual(['cn1', 'cn2']);
  expect(memberCounts).toEqual([3, 1]);
  expect(sums).toEqual([
    { total: [16, null], reserved: [1, null], capacity: [22, null], used: [8, null] },
    { total: [1000, 500], reserved: [0, 0], capacity: [1000, 500], used: [10, 0] },
  ]);
});

test('pools are not hosts, and their inventories are in no sum', () => {
  const { names, sums } = mapOf(
    `
    cn1   DISK_GB 10         @rack
    pool  DISK_GB 1000       SHARING  @rack`,
    'DISK_GB',
  );
  expect(names).toEqual(['cn1']);
  expect(sums[0]?.capacity).toEqual([10]);
});

test('flags mark hosts that are disabled, and hosts with an inventory over capacity', () => {
  const { flags } = mapOf(`
    fine      VCPU 4
    disabled  VCPU 4            COMPUTE_STATUS_DISABLED
    over      MEMORY_MB 4
      cell    VCPU 4 used 5
    both      VCPU 4 used 5     COMPUTE_STATUS_DISABLED`);
  expect(flags).toEqual([0, 1, 2, 3]);
});

test('equal sets of aggregates and of traits are listed once', () => {
  const { aggregateSet, aggregateSets, traitSet, traitSets } = mapOf(`
    a  VCPU 4  X  @rack1
    b  VCPU 4  X  @rack1
    c  VCPU 4     @rack2
      d  VGPU 1  X  @rack1`);
  expect(aggregateSet).toEqual([0, 0, 1]);
  expect(aggregateSets.map(({ ids }) => ids.length)).toEqual([1, 2]);
  expect(traitSet).toEqual([0, 0, 0]);
  expect(traitSets).toHaveLength(1);
});

test('sums stay exact numbers', () => {
  const largest = Number.MAX_SAFE_INTEGER;
  const [root, child] = ['root', 'child'].map((name) => ({
    ...{ name, parent: name === 'child' ? 'root' : null, traits: [], aggregates: [] },
    inventories: [drawnInventory('VCPU', largest, { used: largest })],
  }));
  expect(mapOf([root, child] as DrawnProvider[], 'VCPU').sums[0]?.used).toEqual([largest]);
});

test('10,000 hosts in 80 racks take at most 12 bytes a host for one class, compressed', () => {
  const drawn = Array.from({ length: 10_000 }, (_, index): DrawnProvider => {
    const rack = `az${1 + (index % 4)}-rack${String(index % 80).padStart(2, '0')}`;
    // Distributed like usage after many claims.
    const used = (index * 7919) % 257;
    const inventories = [drawnInventory('VCPU', 64, { allocationRatio: 4, used })];
    return {
      name: `${rack}-node${String(Math.floor(index / 80)).padStart(3, '0')}`,
      parent: null,
      inventories,
      traits: [],
      aggregates: [rack],
    };
  });
  const { names, flags, aggregateSet, memberCounts, sums } = mapOf(drawn, 'VCPU');
  const [vcpu] = sums;
  const answer = { names, flags, aggregateSet, memberCounts, capacity: vcpu?.capacity, reserved: vcpu?.reserved, used: vcpu?.used };
  expect(gzipSync(JSON.stringify(answer), { level: 1 }).length / drawn.length).toBeLessThan(12);
});
