// What the history asks for, and how a change reads.
import { describe, expect, test } from 'vitest';
import { readQuery } from '../../../../../src/ui/dashboard/formats/query-state.ts';
import { traitWords, wordsOf } from '../../../../../src/ui/dashboard/pages/events/change-words.ts';
import type { EventSubjectFragment } from '../../../../../src/ui/dashboard/pages/events/events.generated.ts';
import { eventFilter, eventKeys, eventKinds, momentInField } from '../../../../../src/ui/dashboard/pages/events/filter.ts';
import { kindsOf, subjectsOf } from '../../../../../src/ui/dashboard/pages/events/subjects.ts';

const asked = (query: string) => eventFilter(readQuery(eventKeys, query));
const uuid = '8ae37ae6-4ffa-89ff-a6d4-96285b6bd37a';

test('the filter contains only what is chosen, with moments in UTC', () => {
  expect(asked('')).toEqual({ filter: {}, name: null, problem: null });
  expect(
    asked(`kind=RESHAPE&provider=${uuid}&project=p&request=req-1&since=2026-11-20T12:00:00%2B02:00&until=2026-11-21T12:00:00`).filter,
  ).toEqual({
    kinds: ['RESHAPE'],
    resourceProviders: [uuid],
    projects: ['p'],
    requestIds: ['req-1'],
    since: '2026-11-20T10:00:00.000Z',
    until: '2026-11-21T12:00:00.000Z',
  });
  expect(eventKinds).toContain('REPLACE_ALLOCATIONS');
});

test('typing errors are reported before anything is sent', () => {
  expect(asked('kind=CLAIM').problem).toContain('CLAIM');
  expect(asked('consumer=web').problem).toContain('uuid');
  expect(asked('since=soon').problem).toContain('moment');
  expect(asked('until=yesterday').problem).toContain('moment');
});

test('a host may be named, and fields show moments in UTC', () => {
  expect(asked('provider=az1-rack01-node01&kind=RESHAPE')).toEqual({
    filter: { kinds: ['RESHAPE'] },
    name: 'az1-rack01-node01',
    problem: null,
  });
  expect(momentInField('2026-11-20T12:00:00+02:00')).toBe('2026-11-20T10:00:00');
  expect(momentInField('2026-11-20T12:00')).toBe('2026-11-20T12:00:00');
  expect(momentInField('soon')).toBe('');
});

describe('the subjects of a row', () => {
  const provider = (name: string) => ({
    __typename: 'ResourceProviderChange' as const,
    resourceProviderUuid: `uuid of ${name}`,
    resourceProvider: { uuid: `uuid of ${name}`, name },
    name: null,
  });
  const consumer = (consumerUuid: string, ...names: string[]) => ({
    __typename: 'ConsumerChange' as const,
    consumerUuid,
    allocations: names.map((name) => ({ resourceProvider: { uuid: `uuid of ${name}`, name } })),
  });
  const write = (totalCount: number, ...nodes: EventSubjectFragment[]) => ({ changes: { totalCount, nodes } });

  test('are hosts and servers, each once, and the number of changes that are not named', () => {
    expect(subjectsOf([write(2, provider('a'), consumer('c1', 'a'))])).toEqual({
      providers: [{ uuid: 'uuid of a', name: 'a', isGone: false }],
      consumers: ['c1'],
      others: [],
      more: 0,
    });
    expect(subjectsOf([write(200, provider('a'), provider('b'))])).toMatchObject({ more: 198 });
  });

  test('of many writes of a request are those of the first ones', () => {
    const run = Array.from({ length: 100 }, (_, index) => write(2, provider(`n${index}`), consumer(`c${index}`, `n${index}`)));
    expect(subjectsOf(run)).toMatchObject({ providers: [{ name: 'n0' }, { name: 'n1' }], consumers: ['c0', 'c1'], more: 196 });
  });

  test('are named although they are gone, or are no hosts', () => {
    const deleted = { ...provider('a'), resourceProvider: null, name: { before: 'a' } };
    expect(subjectsOf([write(2, deleted, { __typename: 'TraitChange', traitName: 'CUSTOM_X' })])).toMatchObject({
      providers: [{ name: 'a', isGone: true }],
      others: ['CUSTOM_X'],
    });
  });

  test('come with the number of events of each kind', () => {
    expect(kindsOf([{ kind: 'A' }, { kind: 'B' }, { kind: 'A' }])).toEqual([
      ['A', 2],
      ['B', 1],
    ]);
  });
});

test('a row of trait changes names the traits, each once, and says how many more there are', () => {
  const change = (traitNamesAdded: string[], traitNamesRemoved: string[] = []) => ({
    ...{ __typename: 'ResourceProviderChange', traitNamesAdded, traitNamesRemoved },
  });
  const write = (totalCount: number, ...nodes: Parameters<typeof traitWords>[0][number]['changes']['nodes']) => ({
    changes: { totalCount, nodes },
  });
  expect(traitWords([write(1, change(['COMPUTE_STATUS_DISABLED'])), write(1, change(['COMPUTE_STATUS_DISABLED'], ['CUSTOM_OLD']))])).toBe(
    'added COMPUTE_STATUS_DISABLED, removed CUSTOM_OLD',
  );
  expect(traitWords([write(1, change(['E', 'D', 'C', 'B', 'A']))])).toBe('added A, B, C and 2 more');
  expect(traitWords([write(2, change([]), { __typename: 'ConsumerChange' })])).toBe('');
  expect(traitWords([write(1, change(['A'])), write(5, change(['B']))])).toBe('added A, B …');
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
    expiresAt: null,
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

test('a change of the expiry of a consumer names both moments', () => {
  const unchanged = { project: null, user: null, consumerType: null, allocations: [] };
  const consumer = {
    __typename: 'ConsumerChange' as const,
    action: 'CHANGED' as const,
    consumerUuid: uuid,
    generation: null,
    ...unchanged,
  };
  const linesOf = (before: string | null, after: string | null) => wordsOf({ ...consumer, expiresAt: { before, after } }).lines;
  expect([linesOf(null, '2026-03-02T09:00:00.000000Z'), linesOf('2026-03-02T09:00:00.000000Z', null)]).toEqual([
    ['expires: nothing → 2026-03-02 09:00:00 UTC'],
    ['expires: 2026-03-02 09:00:00 UTC → nothing'],
  ]);
});
