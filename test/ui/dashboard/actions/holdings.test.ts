// What a leftover keeps and drops, and the writes that say so.
import { describe, expect, test } from 'vitest';
import { type Held, heldBefore, heldSince, heldWords, holdingOf, hostsOf, keptOn } from '../../../../src/ui/dashboard/actions/holdings.ts';

const held = (name: string, resourceClass: string, amount: number, root = name, isSharing = false): Held => ({
  amount,
  resourceClass: { name: resourceClass },
  resourceProvider: { uuid: `${name}-uuid`, name, isSharing, root: { uuid: `${root}-uuid`, name: root } },
});
const leftover = {
  uuid: 'consumer',
  generation: 7,
  consumerType: 'INSTANCE',
  project: { externalId: 'shop' },
  user: { externalId: 'ann' },
  allocations: [
    held('a_numa0', 'VCPU', 2, 'a'),
    held('a', 'DISK_GB', 20),
    held('b', 'VCPU', 2),
    held('b', 'DISK_GB', 20),
    held('pool', 'DISK_GB', 40, 'pool', true),
  ],
};

test('a consumer holds on hosts, whichever providers of their trees it uses; a shared pool is no host', () => {
  expect(hostsOf(leftover).map(({ name, allocations }) => [name, heldWords(allocations)])).toEqual([
    ['a', '2 VCPU, 20 GiB DISK_GB'],
    ['b', '2 VCPU, 20 GiB DISK_GB'],
  ]);
});

test('what is kept is that of the tree of the host, and that of shared pools, in the generation that was read', () => {
  expect(holdingOf(leftover.uuid, { generation: 7 }, keptOn(leftover, 'a-uuid'))).toEqual({
    consumer: 'consumer',
    expect: { generation: 7 },
    hold: {
      allocations: [
        { resourceProvider: 'a_numa0-uuid', resources: [{ resourceClass: 'VCPU', amount: 2 }] },
        { resourceProvider: 'a-uuid', resources: [{ resourceClass: 'DISK_GB', amount: 20 }] },
        { resourceProvider: 'pool-uuid', resources: [{ resourceClass: 'DISK_GB', amount: 40 }] },
      ],
    },
  });
});

test('an undo gives everything back, only in the generation that the write created, or to a consumer that is still gone', () => {
  const owner = { project: 'shop', user: 'ann', consumerType: 'INSTANCE' };
  const { hold } = holdingOf('consumer', { isNew: true }, leftover.allocations);
  expect(heldBefore(leftover, 8)).toEqual({ consumer: 'consumer', expect: { generation: 8 }, hold, ...owner });
  expect(heldBefore(leftover, null)).toEqual({ consumer: 'consumer', expect: { isNew: true }, hold, ...owner });
});

describe('a host is held', () => {
  const [host] = hostsOf(leftover);
  const write = (at: string, ...allocations: readonly (readonly [provider: string, resourceClass: string, before: number | null])[]) => ({
    at,
    changes: {
      nodes: [
        {
          allocations: allocations.map(([name, resourceClassName, before]) => ({
            ...{ resourceClassName, before, resourceProvider: { uuid: `${name}-uuid`, root: { uuid: `${name.split('_')[0]}-uuid` } } },
          })),
        },
      ],
    },
  });
  const since = (...writes: ReturnType<typeof write>[]) => host && heldSince(host, writes);

  test('since the write that took the first of it, whatever was resized, added or moved within the host later', () => {
    const took = write('monday', ['a_numa1', 'VCPU', null]);
    expect(
      since(write('friday', ['b', 'VCPU', null]), write('thursday', ['a', 'DISK_GB', 10]), write('wednesday', ['a', 'DISK_GB', null])),
    ).toBeNull();
    expect(
      since(write('wednesday', ['a', 'DISK_GB', null]), write('tuesday', ['a_numa0', 'VCPU', null], ['a_numa1', 'VCPU', 2]), took),
    ).toBe('monday');
  });

  test('since the last return, if it was left meanwhile', () => {
    expect(since(write('friday', ['a', 'DISK_GB', null], ['a_numa0', 'VCPU', null]), write('monday', ['a', 'DISK_GB', 20]))).toBe('friday');
  });
});
