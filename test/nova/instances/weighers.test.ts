// Weighs hosts, and runs Nova's own tests of its weighers.
import { describe, expect, test } from 'vitest';
import { defaultMultipliers, type HostState, multipliersIn, type Weighing, weighHosts } from '../../../src/nova/instances/weighers.ts';
import { multiplierVectors, type WeigherVector, weighersLeftOut, weigherVectors } from './nova-weighers.ts';

const host = (number: number, state: Partial<HostState> = {}): HostState => ({
  ...{ uuid: `host${number}`, freeRamMb: 0, freeVcpus: 0, freeDiskMb: 0, freePciDevices: 0 },
  ...state,
});

const fields = { ram: 'freeRamMb', cpu: 'freeVcpus', disk: 'freeDiskMb', pci: 'freePciDevices' } as const;

/** The hosts of a vector, weighed. */
function play({ weigher, hosts, multiplier, metadata, policy, isOff }: WeigherVector): Float64Array {
  const field = Object.hasOwn(fields, weigher) ? fields[weigher as keyof typeof fields] : null;
  const counts = new Map(hosts.map((count, index): [string, number] => [`host${index + 1}`, count]));
  const weighing: Weighing = {
    multipliers: multiplier === undefined ? defaultMultipliers : { ...defaultMultipliers, [weigher]: multiplier },
    membersOn: (uuid) => (policy ? (counts.get(uuid) ?? 0) : 0),
    failedBuilds: weigher === 'buildFailure' ? counts : new Map(),
    policy: policy ?? null,
    isInCell: weigher === 'crossCellMove' && !isOff ? (uuid) => counts.get(uuid) === 1 : null,
    ...(metadata ? { multipliersOf: () => multipliersIn(metadata) } : {}),
  };
  return weighHosts(
    hosts.map((value, index) => host(index + 1, field ? { [field]: value } : {})),
    weighing,
  ).sums();
}

describe('as in Nova’s test', () => {
  test.each(weigherVectors)('$origin', (vector) => {
    const weights = [...play(vector)];
    const { first, last, highest, lowest, sorted } = vector;
    if (first !== undefined) expect(weights.indexOf(Math.max(...weights)) + 1).toBe(first);
    // Nova’s sort is stable, so equal hosts keep their order.
    if (last !== undefined) expect(weights.lastIndexOf(Math.min(...weights)) + 1).toBe(last);
    if (highest !== undefined) expect(Math.max(...weights)).toBeCloseTo(highest);
    if (lowest !== undefined) expect(Math.min(...weights)).toBeCloseTo(lowest);
    if (sorted) expect(weights.toSorted((a, b) => b - a).map((weight) => weight + 0)).toEqual(sorted);
  });

  test.each(multiplierVectors)('$origin', ({ weigher, key, cases }) => {
    for (const [values, counts] of cases) {
      const metadata = values.map((value) => ({ [`${key}_weight_multiplier`]: value }));
      expect(multipliersIn(metadata)[weigher]).toBe(counts);
    }
  });

  test('all run, or are left out for a reason', () => {
    const left = Object.values(weighersLeftOut).reduce((sum, [tests]) => sum + tests, 0);
    expect({ played: weigherVectors.length + multiplierVectors.length, left }).toEqual({ played: 46, left: 33 });
  });
});

const hosts = [
  host(1, { freeRamMb: 1000, freeVcpus: 4, freeDiskMb: 100 }),
  host(2, { freeRamMb: 3000, freeVcpus: 2, freeDiskMb: 100, freePciDevices: 2 }),
  host(3, { freeRamMb: 2000, freeVcpus: 8, freeDiskMb: 100 }),
];
const plain: Weighing = { multipliers: defaultMultipliers, membersOn: () => 0, failedBuilds: new Map() };

describe('several weights', () => {
  test('are each scaled between zero and the maximum of all hosts, and added up', () => {
    expect([...weighHosts(hosts, { ...plain, multipliers: { ...defaultMultipliers, pci: 0 } }).sums()]).toEqual([
      1000 / 3000 + 0.5 + 1,
      1 + 0.25 + 1,
      2000 / 3000 + 1 + 1,
    ]);
  });

  test('are 0 for a single host', () => {
    expect([...weighHosts(hosts.slice(0, 1), { ...plain, failedBuilds: new Map([['host1', 3]]) }).sums()]).toEqual([0]);
  });

  test('do not outweigh a preferred host', () => {
    const weights = weighHosts(hosts, { ...plain, failedBuilds: new Map([['host2', 9]]), isPreferred: (uuid) => uuid === 'host2' }).sums();
    expect(weights.indexOf(Math.max(...weights))).toBe(1);
  });
});

test('a multiplier that is not a number is ignored', () => {
  expect(multipliersIn([{ ram_weight_multiplier: 'much', cpu_weight_multiplier: '' }, { ram_weight_multiplier: '2' }])).toEqual({});
});
