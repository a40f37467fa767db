import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyAllocation, compareHoldings, type KnownInstance } from '../../../src/nova/instances/audit.ts';

const uuid = '11111111-1111-4111-8111-111111111111';
const known = (facts: Partial<KnownInstance>) => new Map([[uuid, { instance: uuid, ...facts }]]);
const nobody = new Map<string, KnownInstance>();
const node = (...tracked: string[]) => ({ host: 'cn1', tracked: new Set(tracked) });

const runningOf = (uuids: readonly string[]) => new Map(uuids.map((each) => [each, 'RUNNING' as const]));

describe('an allocation on a compute node', () => {
  test.each([
    ['of an instance that the host has is right', node(uuid), nobody, [], 'KEEP', 'TRACKED', 'RIGHT'],
    ['of an active migration is right', node(), nobody, [uuid], 'KEEP', 'MIGRATING', 'RIGHT'],
    ['of an unknown consumer is kept: it may still be building', node(), nobody, [], 'KEEP', 'UNKNOWN', 'SUSPECT'],
    ['of a deleted instance is stale', node(), known({ deleted: true, host: 'cn1' }), [], 'REMOVE', 'DELETED', 'STALE'],
    ['of a deleted but hidden instance is kept', node(), known({ deleted: true, hidden: true }), [], 'KEEP', 'HIDDEN', 'RIGHT'],
    ['of an instance without a host is kept', node(), known({ host: null }), [], 'KEEP', 'NOT_PLACED', 'RIGHT'],
    [
      'of an instance of this host with a task in progress is kept',
      node(),
      known({ host: 'cn1', taskState: 'spawning' }),
      [],
      'KEEP',
      'HERE_IN_TRANSITION',
      'RIGHT',
    ],
    [
      'of an idle instance of this host that the host lacks is suspect',
      node(),
      known({ host: 'cn1' }),
      [],
      'KEEP',
      'HERE_UNTRACKED',
      'SUSPECT',
    ],
    ['of an instance on another host is suspect', node(), known({ host: 'cn2' }), [], 'KEEP', 'ELSEWHERE', 'SUSPECT'],
    ['of a deleted instance that the host still has is kept', node(uuid), known({ deleted: true }), [], 'KEEP', 'TRACKED', 'RIGHT'],
  ] as const)('%s', (_what, where, instances, migrations, action, reason, verdict) => {
    expect(classifyAllocation(uuid, instances, runningOf(migrations), where)).toEqual({ action, reason, verdict });
  });

  test('is removed only if its instance is known to be deleted, not hidden, not here and not moving', () => {
    const instance = fc.option(
      fc.record({
        instance: fc.constant(uuid),
        host: fc.constantFrom('cn1', 'cn2', null),
        taskState: fc.constantFrom('spawning', null),
        deleted: fc.boolean(),
        hidden: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(instance, fc.boolean(), fc.boolean(), (record, isTracked, isMigrating) => {
        const instances = record ? new Map([[uuid, record]]) : nobody;
        const { action } = classifyAllocation(uuid, instances, runningOf(isMigrating ? [uuid] : []), node(...(isTracked ? [uuid] : [])));
        expect(action === 'REMOVE').toBe(record?.deleted === true && !record.hidden && !isTracked && !isMigrating);
      }),
    );
  });
});

describe('what an instance holds, compared with what it should', () => {
  const vcpus = (amount: number) => ({ resourceClass: 'VCPU', amount });
  const memory = { resourceClass: 'MEMORY_MB', amount: 512 };
  const expected = [
    { resourceProvider: 'cn1', resources: [vcpus(2), memory] },
    { resourceProvider: 'ss1', resources: [{ resourceClass: 'DISK_GB', amount: 10 }] },
  ];

  test.each([
    ['is right in any order of rows', [expected[1], { resourceProvider: 'cn1', resources: [memory, vcpus(2)] }], 'RIGHT'],
    ['is missing if there is nothing', [], 'MISSING'],
    ['is wrong by amount', [{ resourceProvider: 'cn1', resources: [vcpus(3), memory] }, expected[1]], 'WRONG'],
    ['is wrong by provider', [expected[0], { resourceProvider: 'cn1', resources: expected[1]?.resources ?? [] }], 'WRONG'],
    ['is wrong if a part is missing', [expected[0]], 'WRONG'],
    ['is wrong if there is more', [...expected, { resourceProvider: 'cn2', resources: [vcpus(2)] }], 'WRONG'],
  ])('%s', (_what, held, verdict) => {
    expect(
      compareHoldings(
        expected,
        held.flatMap((row) => row ?? []),
      ),
    ).toBe(verdict);
  });

  test('is right if it is nothing and should be nothing', () => {
    expect(compareHoldings([], [])).toBe('RIGHT');
  });
});
