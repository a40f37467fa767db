// What the history asks for, and how a change reads.
import { expect, test } from 'vitest';
import { readQuery } from '../../../../../src/ui/dashboard/formats/query-state.ts';
import { wordsOf } from '../../../../../src/ui/dashboard/pages/events/change-words.ts';
import { eventFilter, eventKeys, eventKinds } from '../../../../../src/ui/dashboard/pages/events/filter.ts';

const asked = (query: string) => eventFilter(readQuery(eventKeys, query));
const uuid = '8ae37ae6-4ffa-89ff-a6d4-96285b6bd37a';

test('the filter contains only what is chosen, with moments in UTC', () => {
  expect(asked('')).toEqual({ filter: {}, problem: null });
  expect(asked(`kind=RESHAPE&provider=${uuid}&project=p&request=req-1&until=2026-11-21T12:00:00`).filter).toEqual({
    kinds: ['RESHAPE'],
    resourceProviders: [uuid],
    projects: ['p'],
    requestIds: ['req-1'],
    until: '2026-11-21T12:00:00.000Z',
  });
  expect(eventKinds).toContain('REPLACE_ALLOCATIONS');
});

test('typing errors are reported before anything is sent', () => {
  expect(asked('kind=CLAIM').problem).toContain('CLAIM');
  expect(asked('consumer=web').problem).toContain('uuids');
  expect(asked('until=yesterday').problem).toContain('moment');
});

test('a change of an inventory names the fields that changed', () => {
  const record = { total: 1000, reserved: 50, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 };
  const words = wordsOf({
    __typename: 'ResourceProviderChange',
    action: 'CHANGED',
    resourceProviderUuid: uuid,
    resourceProvider: { uuid, name: 'az1-rack01-node01' },
    name: null,
    generation: { before: 1, after: 2 },
    parent: null,
    inventories: [
      { resourceClassName: 'DISK_GB', before: record, after: { ...record, reserved: 100 } },
      { resourceClassName: 'VCPU', before: null, after: record },
    ],
    traitNamesAdded: ['COMPUTE_STATUS_DISABLED'],
    traitNamesRemoved: [],
    aggregateUuidsAdded: [],
    aggregateUuidsRemoved: [],
  });
  expect(words).toEqual({
    subject: 'changed provider az1-rack01-node01',
    address: `/providers/${uuid}`,
    lines: [
      'generation: 1 → 2',
      'DISK_GB reserved: 50 → 100',
      'VCPU new: total 1,000, reserved 50, ratio 1',
      'traits added: COMPUTE_STATUS_DISABLED',
    ],
  });
});

test('a deleted consumer still leads to its last events, a deleted provider does not', () => {
  const consumer = {
    __typename: 'ConsumerChange' as const,
    action: 'DELETED' as const,
    consumerUuid: uuid,
    generation: null,
    project: null,
    user: null,
    consumerType: null,
    allocations: [{ resourceProviderUuid: uuid, resourceProvider: null, resourceClassName: 'VCPU', before: 4, after: null }],
  };
  expect(wordsOf(consumer)).toEqual({
    subject: `deleted consumer ${uuid}`,
    address: `/consumers/${uuid}`,
    lines: [`VCPU on ${uuid}: 4 → nothing`],
  });
  expect(
    wordsOf({ __typename: 'DeviceChange', action: 'DELETED', resourceProviderUuid: uuid, address: '0000:5e:00.0', facts: [] }).address,
  ).toBeNull();
});
