// Examination. The checker finds every anomaly in a history made by hand, and none in a good one: each case is the smallest history with its anomaly.
import { describe, expect, test } from 'vitest';
import { checkLedger } from './check-ledger.ts';
import { checkOrder } from './check-order.ts';
import { checkOutcomes } from './check-outcomes.ts';
import { checkQuotas } from './check-quotas.ts';
import { checkTime } from './check-time.ts';
import type { Change, LedgerEvent, Operation, Reading, State } from './history.ts';
import { emptyStates, replay } from './replay.ts';

const inventory = { total: 10, reserved: 0, minUnit: 1, maxUnit: 8, stepSize: 1, allocationRatio: 1 };
const provider: State = { generation: 0, inventories: { VCPU: inventory } };
const holds = (generation: number, amount: number): State => ({
  generation,
  allocations: [{ provider: 'p', resourceClass: 'VCPU', amount }],
});
const consumer = (generation: number | null, uuid = 'c'): Reading => ({ subject: 'consumer', uuid, generation });

let id = 0;
const event = (tag: string | null, consumers: Record<string, Change>, providers: Record<string, Change> = {}): LedgerEvent => ({
  id: ++id,
  transaction: String(id),
  tag,
  kind: 'REPLACE_ALLOCATIONS',
  at: minute(0),
  changes: { consumers, providers },
});
const minute = (past: number) => `2026-01-01T00:${String(past).padStart(2, '0')}:00+00:00`;
const created = event('seed', {}, { p: { before: null, after: provider } });

function write(name: string, [invoked, returned]: readonly [number, number], more: Partial<Operation> = {}): Operation {
  const answers = [{ outcome: more.outcome ?? 'ok', code: '' }] as const;
  return {
    id: name,
    client: 'a',
    name: 'write',
    kind: 'write',
    input: null,
    isKeyed: false,
    invoked,
    returned,
    outcome: 'ok',
    answers,
    readings: [],
    ...more,
  };
}
const read = (name: string, times: readonly [number, number], ...readings: Reading[]): Operation => ({
  ...write(name, times),
  kind: 'read',
  readings,
});

const seed = write('seed', [0, 1]);
const first: Change = { before: null, after: holds(1, 2) };
const reported: Change = { before: null, after: { version: 66 } };
const second: Change = { before: holds(1, 2), after: holds(2, 3) };

interface Case {
  readonly history: readonly Operation[];
  readonly events: readonly LedgerEvent[];
  /** What the tables say of consumer c, if not what the events do. */
  readonly row?: State | null;
}

/** The anomalies that the checker finds in a history and its events. */
function anomaliesIn({ history, events, row }: Case): string[] {
  const all = [created, ...events];
  const states = emptyStates();
  for (const _ of replay(all, states));
  if (row === null) states.consumers.delete('c');
  else if (row) states.consumers.set('c', row);
  const operations = [seed, ...history];
  const violations = [
    ...[...checkOutcomes(operations, all), ...checkLedger(all, states), ...checkOrder(operations, all)],
    ...[...checkTime(all), ...checkQuotas(operations, all)],
  ];
  return [...new Set(violations.map(({ anomaly }) => anomaly))];
}

const twoWrites = [event('w1', { c: first }), event('w2', { c: second })];

test('a correct history has no anomalies', () => {
  const history = [
    write('w1', [1, 2], { expected: [consumer(null)], wanted: { c: { 'p/VCPU': 2 } }, alwaysWrites: true }),
    read('r0', [1, 3], consumer(null)),
    read('r1', [3, 5], { ...consumer(1), held: { 'p/VCPU': 3 } }),
    write('w2', [4, 6], { expected: [consumer(1)], readings: [consumer(2)] }),
    write('w3', [5, 7], { outcome: 'fail', expected: [consumer(1)], readings: [consumer(2)] }),
    write('w4', [5, Number.POSITIVE_INFINITY], { outcome: 'unknown' }),
    read('r2', [8, 9], consumer(2), { subject: 'provider', uuid: 'p', generation: 4 }),
  ];
  expect(anomaliesIn({ history, events: twoWrites })).toEqual([]);
});

const okAndConflict = [
  { outcome: 'ok', code: '' },
  { outcome: 'fail', code: 'CONSUMER_CONFLICT' },
] as const;

test('a claim for a new consumer is refused while it exists, and done once it has gone', () => {
  const history = [
    write('w1', [1, 2]),
    write('w2', [3, 6], { isKeyed: true, expected: [consumer(null)], answers: okAndConflict }),
    write('w3', [4, 5]),
  ];
  const events = [event('w1', { c: first }), event('w3', { c: { before: holds(1, 2), after: null } }), event('w2', { c: first })];
  expect(anomaliesIn({ history, events })).toEqual([]);
});

test('a claim for an existing consumer is refused while it does not exist, and done once it does', () => {
  const history = [write('w1', [3, 5]), write('w2', [2, 6], { isKeyed: true, expected: [consumer(1)], answers: okAndConflict })];
  expect(anomaliesIn({ history, events: twoWrites })).toEqual([]);
});

test('a release without a key that is sent again takes effect again only if its consumer has come back meanwhile', () => {
  const released: Change = { before: holds(1, 2), after: null };
  const release = (isKeyed: boolean) => write('w2', [3, 9], { isKeyed, expected: [consumer(1)], outcome: 'unknown' });
  const events = [event('w1', { c: first }), event('w2', { c: released }), event('w3', { c: first }), event('w2', { c: released })];
  const others = [write('w1', [1, 2]), write('w3', [4, 5])];
  expect(anomaliesIn({ history: [...others, release(false)], events })).toEqual([]);
  expect(anomaliesIn({ history: [...others, release(true)], events })).toContain('done twice');
});

test('a consumer that lasts, or leaves its reservation, says so with null in its event, and has nothing in its row', () => {
  const left: Change = { before: holds(1, 2), after: { ...holds(2, 3), expiresAt: null, reservation: null } };
  const history = [write('w1', [1, 2]), write('w2', [3, 4])];
  expect(anomaliesIn({ history, events: [event('w1', { c: first }), event('w2', { c: left })], row: holds(2, 3) })).toEqual([]);
});

test('the generations of a provider that was deleted and created again start over', () => {
  const reading = (generation: number): Reading => ({ subject: 'provider', uuid: 'q', generation });
  const q: State = { generation: 0, inventories: {} };
  const history = ['w1', 'w2', 'w3', 'w4'].map((name, index) => write(name, [3 * index, 3 * index + 1]));
  const events = [
    event('w1', {}, { q: { before: null, after: q } }),
    event('w2', {}, { q: { before: { generation: 0 }, after: { generation: 4 } } }),
    event('w3', {}, { q: { before: { ...q, generation: 4 }, after: null } }),
    event('w4', {}, { q: { before: null, after: q } }),
  ];
  expect(anomaliesIn({ history: [...history, read('r1', [4, 5], reading(4)), read('r2', [11, 12], reading(0))], events })).toEqual([]);
});

/** By a gateway, so many minutes later. */
const ended = (past: number, kind: string, changes: LedgerEvent['changes']): LedgerEvent => ({
  ...event(null, {}),
  kind,
  at: minute(past),
  changes,
});
const expiring = (generation: number, amount: number, expiresAt: string | null, more: State = {}): State => ({
  ...{ ...holds(generation, amount), project: 'a', expiresAt },
  ...more,
});
const kept = (from: number, until: number, amount: number): State => ({
  ...{ project: 'a', generation: 1, startsAt: minute(from), endsAt: minute(until), amounts: { p: { VCPU: amount } } },
});
const reserves = (tag: string, reservation: State, past = 0): LedgerEvent => ({
  ...{ ...event(tag, {}), kind: 'REPLACE_RESERVATION', at: minute(past) },
  changes: { reservations: { r: { before: null, after: reservation } } },
});
const claims = (tag: string, past: number, state: State, uuid = 'c'): LedgerEvent => ({
  ...{ ...event(tag, { [uuid]: { before: null, after: state } }), at: minute(past) },
});
const releases = (past: number, before: State) => ended(past, 'RELEASE_EXPIRED', { consumers: { c: { before, after: null } } });
const ofR: State = { reservation: 'r' };
const limits = (quotas: readonly object[], parent: string | null = null): LedgerEvent => ({
  ...{
    ...event('w0', {}),
    changes: { quotas: { 'project_quotas q': { before: null, after: { name: 'a', parent, generation: 1, quotas } } } },
  },
});
const vcpuQuota = (amount: number | null, aggregate: string | null = null) => ({
  ...{ user: null, consumerType: null, resourceClass: 'VCPU', aggregate, amount },
});

test('consumers that expire, reservations one after the other, and quotas that are just reached have no anomalies', () => {
  const soon = expiring(1, 8, minute(5));
  const [first, later] = [expiring(1, 4, minute(9), ofR), expiring(1, 2, null)];
  const events = [
    limits([vcpuQuota(8), vcpuQuota(0, 'elsewhere')]),
    claims('w1', 0, soon),
    reserves('w2', kept(5, 9, 8)),
    releases(5, soon),
    claims('w3', 6, first, 'd'),
    claims('w4', 6, later, 'e'),
    ended(9, 'RELEASE_EXPIRED', { consumers: { d: { before: first, after: null } } }),
    ended(9, 'END_RESERVATIONS', { reservations: { r: { before: kept(5, 9, 8), after: null } } }),
  ];
  const history = ['w0', 'w1', 'w2', 'w3', 'w4'].map((name, index) => write(name, [3 * index, 3 * index + 1], { name: 'claim' }));
  const reads = [read('r1', [5, 6], consumer(1)), read('r2', [20, 21], consumer(null), consumer(1, 'e'))];
  expect(anomaliesIn({ history: [...history, ...reads], events })).toEqual([]);
});

const [w1, w2] = [write('w1', [1, 2]), write('w2', [3, 4])];
const cases: [anomaly: string, history: Case][] = [
  ['acknowledged but lost', { history: [write('w1', [1, 2], { alwaysWrites: true })], events: [] }],
  [
    'acknowledged but hidden',
    { history: [write('w1', [1, 2], { answers: [{ outcome: 'ok', code: '', event: null }] })], events: [event('w1', { c: first })] },
  ],
  ['refused but done', { history: [write('w1', [1, 2], { outcome: 'fail' })], events: [event('w1', { c: first })] }],
  [
    'done twice',
    { history: [write('w1', [1, 2], { outcome: 'unknown' })], events: [event('w1', { c: first }), event('w1', { d: first })] },
  ],
  ['event of nobody', { history: [], events: [event('w1', { c: first })] }],
  [
    'answers differ',
    {
      history: [write('w1', [1, 2]), write('w2', [3, 4], { isKeyed: true, expected: [consumer(1)], answers: okAndConflict })],
      events: [event('w1', { c: first }), event('w2', { c: second })],
    },
  ],
  ['bug told', { history: [write('w1', [1, 2], { outcome: 'unknown', answers: [{ outcome: 'unknown', code: 'BUG' }] })], events: [] }],
  ['expectation ignored', { history: [w1, write('w2', [3, 4], { expected: [consumer(7)] })], events: twoWrites }],
  [
    'partial effect',
    { history: [write('w1', [1, 2], { wanted: { c: { 'p/VCPU': 2, 'q/VCPU': 1 } } })], events: [event('w1', { c: first })] },
  ],
  ['told otherwise', { history: [write('w1', [1, 2], { readings: [consumer(5)] })], events: [event('w1', { c: first })] }],
  ['partial read', { history: [w1, w2, read('r', [5, 6], { ...consumer(2), held: { 'p/VCPU': 2 } })], events: twoWrites }],
  ['read of what nobody wrote', { history: [w1, read('r', [3, 4], consumer(2))], events: [event('w1', { c: first })] }],
  ['lost update', { history: [w1, w2], events: [event('w1', { c: first }), event('w2', { c: { before: null, after: holds(1, 3) } })] }],
  ['generation gap', { history: [w1], events: [event('w1', { c: { before: null, after: holds(2, 2) } })] }],
  [
    'broken chain',
    { history: [w1, w2], events: [event('w1', { c: first }), event('w2', { c: { before: holds(1, 9), after: holds(2, 3) } })] },
  ],
  // Two reports of a service, each of which has read that there is no record.
  [
    'broken chain',
    { history: [w1, w2], events: ['w1', 'w2'].map((tag) => ({ ...event(tag, {}), changes: { services: { s: reported } } })) },
  ],
  [
    'capacity exceeded',
    {
      history: [w1, w2],
      events: [event('w1', { c: { before: null, after: holds(1, 8) } }), event('w2', { d: { before: null, after: holds(1, 3) } })],
    },
  ],
  ['released too early', { history: [w1], events: [claims('w1', 0, expiring(1, 2, minute(5))), releases(4, expiring(1, 2, minute(5)))] }],
  ['released though it lasts', { history: [w1], events: [claims('w1', 0, expiring(1, 2, null)), releases(4, expiring(1, 2, null))] }],
  // Released twice.
  [
    'broken chain',
    {
      history: [w1],
      events: [claims('w1', 0, expiring(1, 2, minute(1))), ...[2, 2].map((past) => releases(past, expiring(1, 2, minute(1))))],
    },
  ],
  [
    'partial effect',
    {
      history: [write('w1', [1, 2], { lasting: ['c'] })],
      events: [event('w1', { c: { before: null, after: expiring(1, 2, minute(5)) } })],
    },
  ],
  // Both will be there at the fifth minute.
  ['promise broken', { history: [w1, w2], events: [claims('w1', 0, expiring(1, 3, minute(6))), reserves('w2', kept(5, 9, 8))] }],
  ['promise broken', { history: [w1, w2], events: [reserves('w1', kept(5, 9, 8)), claims('w2', 0, expiring(1, 3, null))] }],
  [
    'claimed beyond a reservation',
    { history: [w1, w2], events: [reserves('w1', kept(0, 9, 4)), claims('w2', 1, expiring(1, 5, minute(9), ofR))] },
  ],
  ['claimed out of time', { history: [w1, w2], events: [reserves('w1', kept(5, 9, 4)), claims('w2', 1, expiring(1, 4, minute(9), ofR))] }],
  [
    'claimed by others',
    { history: [w1, w2], events: [reserves('w1', kept(0, 9, 4)), claims('w2', 1, expiring(1, 4, minute(9), { ...ofR, project: 'b' }))] },
  ],
  ['outlives its reservation', { history: [w1, w2], events: [reserves('w1', kept(0, 9, 4)), claims('w2', 1, expiring(1, 4, null, ofR))] }],
  [
    'ended too early',
    {
      history: [w1],
      events: [
        reserves('w1', kept(0, 9, 4)),
        ended(8, 'END_RESERVATIONS', { reservations: { r: { before: kept(0, 9, 4), after: null } } }),
      ],
    },
  ],
  [
    'gone while in use',
    {
      history: [w1, w2],
      events: [
        ...[reserves('w1', kept(0, 9, 4)), claims('w2', 1, expiring(1, 4, minute(9), ofR))],
        ended(9, 'END_RESERVATIONS', { reservations: { r: { before: kept(0, 9, 4), after: null } } }),
      ],
    },
  ],
  [
    'quota exceeded',
    {
      history: [write('w1', [1, 2], { name: 'claim' })],
      events: [limits([vcpuQuota(3)]), event('w1', { c: { before: null, after: expiring(1, 4, null) } })],
    },
  ],
  // Of the project above, in the aggregate of the root.
  [
    'quota exceeded',
    {
      history: [write('w1', [1, 2], { name: 'claim' })],
      events: [
        event(
          'seed',
          {},
          { p: { before: provider, after: { ...provider, parent: 'root' } }, root: { before: null, after: { aggregates: ['zone'] } } },
        ),
        limits([vcpuQuota(null), vcpuQuota(3, 'zone')]),
        {
          ...event('seed', {}),
          changes: { quotas: { 'project_quotas b': { before: null, after: { name: 'b', parent: 'a', generation: 1, quotas: [] } } } },
        },
        event('w1', { c: { before: null, after: expiring(1, 4, null, { project: 'b' }) } }),
      ],
    },
  ],
  ['unit violated', { history: [w1], events: [event('w1', { c: { before: null, after: holds(1, 9) } })] }],
  [
    'no inventory',
    {
      history: [w1],
      events: [
        event('w1', { c: { before: null, after: { generation: 1, allocations: [{ provider: 'q', resourceClass: 'VCPU', amount: 1 }] } } }),
      ],
    },
  ],
  ['tables differ from events', { history: [w1], events: [event('w1', { c: first })], row: null }],
  ['cycle of rt, ww', { history: [write('w1', [3, 4]), write('w2', [1, 2])], events: twoWrites }],
  // Read committed, then gone: a reader that saw generation 2 comes before one that sees 1.
  ['cycle of rt, rw', { history: [w1, w2, read('r', [5, 6], consumer(1))], events: twoWrites }],
  ['cycle of rt, wr', { history: [write('w1', [3, 4]), read('r', [1, 2], consumer(1))], events: [event('w1', { c: first })] }],
  // Write skew: each of two writes has refused on what the other wrote, without any order of time between them.
  [
    'cycle of rw, wr',
    {
      history: [
        write('w1', [1, 9]),
        write('w2', [1, 9]),
        read('r1', [1, 9], consumer(null), consumer(1, 'd')),
        read('r2', [1, 9], consumer(1), consumer(null, 'd')),
      ],
      events: [event('w1', { c: first }), event('w2', { d: first })],
    },
  ],
  [
    'stale read',
    {
      history: [
        read('r1', [1, 2], { subject: 'provider', uuid: 'p', generation: 5 }),
        read('r2', [3, 4], { subject: 'provider', uuid: 'p', generation: 4 }),
      ],
      events: [],
    },
  ],
  [
    'two winners',
    {
      history: [w1, w2].map((operation) => ({ ...operation, expected: [{ subject: 'provider', uuid: 'p', generation: 0 }] as const })),
      events: twoWrites,
    },
  ],
];

describe('is found in the smallest history with it:', () => {
  test.each(cases)('%s', (anomaly, history) => {
    expect(anomaliesIn(history)).toContain(anomaly);
  });
});

test('a history longer than the call stack is checked in one pass', () => {
  const length = 30_000;
  const history = Array.from({ length }, (_, index) => write(`l${index}`, [index, index + 0.5]));
  const events = history.map(({ id: tag }, index) =>
    event(tag, { long: { before: index === 0 ? null : holds(index, 1), after: holds(index + 1, 1) } }),
  );
  expect(checkOrder(history, events)).toEqual([]);
});
