// Queries of the ledger: filters, orders, pages.
import { beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { limits } from '../../../src/domain/limits.ts';
import type { Page } from '../../../src/domain/page.ts';
import { findGivers, listEvents, listEventsOfSubject } from '../../../src/operations/ledger/events.ts';
import type { EventArguments, EventFilterInput } from '../../../src/operations/loaders/event-arguments.ts';
import { createTestDatabase, useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const list = (args: EventArguments) => listEvents(scopeOf(database.db), args);
const idsOf = async (filter: EventFilterInput) => (await list({ filter })).rows.map(({ id }) => id);

/** Ids in the order of the writes below, which are years apart. */
let ids: number[];

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 10, VGPU: 4 } });
  await seed.provider('cn2', { inventories: { VCPU: 10 } });
  await seed.claim('a', { cn1: { VCPU: 1 } });
  await seed.claim('b', { cn1: { VCPU: 2, VGPU: 1 }, cn2: { VCPU: 2 } }, { project: 'p2' });
  const by = { user: 'nova', project: 'service', roles: [], requestId: 'req-own', globalRequestId: 'req-global' };
  await seed.write('replace_allocations', {
    kind: 'RELEASE_ALLOCATIONS',
    by,
    consumers: [{ uuid: uuidOf('a'), expect: {}, allocations: [] }],
  });
  const rows = await database.db.sql<{ id: number }[]>`select id::int as id from events order by id`;
  ids = rows.map(({ id }) => id);
  await database.db.writes`update events set at = make_timestamptz(2000 + id::int, 1, 1, 0, 0, 0, 'UTC')`;
});

/** The writes above by their place: 0 and 2 create the providers, 1 and 3 give them inventories, 4 to 6 are about consumers. */
const questions: [words: string, filter: EventFilterInput, places: number[]][] = [
  ['nothing', {}, [6, 5, 4, 3, 2, 1, 0]],
  ['a provider', { resourceProviders: [uuidOf('cn2')] }, [5, 3, 2]],
  ['several providers, each event once', { resourceProviders: [uuidOf('cn1'), uuidOf('cn2'), uuidOf('cn1')] }, [6, 5, 4, 3, 2, 1, 0]],
  ['a tree', { inTrees: [uuidOf('cn2')] }, [5, 3, 2]],
  ['a consumer that is gone', { consumers: [uuidOf('a')] }, [6, 4]],
  ['a project', { projects: ['p1'] }, [6, 4]],
  ['several projects', { projects: ['p1', 'p2', 'unknown'] }, [6, 5, 4]],
  ['a user', { users: ['nova'] }, [6]],
  ['a kind', { kinds: ['REPLACE_ALLOCATIONS'] }, [5, 4]],
  ['several kinds', { kinds: ['REPLACE_ALLOCATIONS', 'CREATE_RESOURCE_PROVIDER', 'OTHER', 'REPLACE_ALLOCATIONS'] }, [5, 4, 2, 0]],
  ['the request that wrote it', { requestIds: ['req-own'] }, [6]],
  ['the request of its caller', { requestIds: ['req-global'] }, [6]],
  ['several requests', { requestIds: ['req-global', 'req-own', 'req-seed'] }, [6, 5, 4, 3, 2, 1, 0]],
  ['a class', { resourceClasses: ['VGPU'] }, [5, 1]],
  ['a class that every host has', { resourceClasses: ['VCPU'] }, [6, 5, 4, 3, 1]],
  ['one class of several', { resourceClasses: ['VGPU', 'VCPU'] }, [6, 5, 4, 3, 1]],
  ['a class and a provider', { resourceClasses: ['VGPU'], resourceProviders: [uuidOf('cn2')] }, [5]],
  ['a class that nothing has', { resourceClasses: ['CUSTOM_NONE'] }, []],
  ['a provider and a project', { resourceProviders: [uuidOf('cn1')], projects: ['p2'] }, [5]],
  ['a consumer and a provider that never met', { consumers: [uuidOf('a')], resourceProviders: [uuidOf('cn2')] }, []],
  ['a provider and a kind', { resourceProviders: [uuidOf('cn1')], kinds: ['REPLACE_INVENTORIES'] }, [1]],
  ['a user and a tree', { users: ['admin'], inTrees: [uuidOf('cn1')] }, [5, 4, 1, 0]],
  ['a request and a kind', { requestIds: ['req-seed'], kinds: ['CREATE_RESOURCE_PROVIDER'] }, [2, 0]],
  ['empty lists', { resourceProviders: [], kinds: ['REPLACE_INVENTORIES'] }, []],
  ['no kind at all', { kinds: [] }, []],
];

test.each(questions)('events are found by %s, newest or oldest first', async (_words, filter, places) => {
  expect(await idsOf(filter)).toEqual(places.map((place) => ids[place]));
  const oldestFirst = await list({ filter, direction: 'ASC' });
  expect(oldestFirst.rows.map(({ id }) => id)).toEqual(places.map((place) => ids[place]).toReversed());
});

test('the events in which a provider got or lost a trait, and no others', async () => {
  const own = await createTestDatabase();
  try {
    const seed = createSeed(own.db);
    await seed.provider('cn1', { traits: ['CUSTOM_X'] });
    await seed.traits('cn1', ['CUSTOM_X', 'CUSTOM_Y']);
    await seed.traits('cn1', ['CUSTOM_Y']);
    await seed.write('delete_resource_provider', { provider: uuidOf('cn1'), expect: {} });
    const kinds = async (traits: string[], filter: EventFilterInput = {}) =>
      (await listEvents(scopeOf(own.db), { filter: { ...filter, traits } })).rows.map(({ kind }) => kind);
    expect(await kinds(['CUSTOM_X'])).toEqual(['REPLACE_TRAITS', 'REPLACE_TRAITS']);
    expect(await kinds(['CUSTOM_Y'], { resourceProviders: [uuidOf('cn1')] })).toEqual(['DELETE_RESOURCE_PROVIDER', 'REPLACE_TRAITS']);
    expect(await kinds(['CUSTOM_X', 'CUSTOM_Y'], { kinds: ['REPLACE_TRAITS'] })).toHaveLength(3);
    expect(await kinds(['CUSTOM_Z'])).toEqual([]);
  } finally {
    await own.drop();
  }
});

test('since a moment, that moment included, and until one, that moment not included, with or without other conditions', async () => {
  for (const [place, id] of ids.entries()) {
    const moment = `${2000 + id}-01-01T00:00:00Z`;
    expect(await idsOf({ since: moment })).toEqual(ids.slice(place).toReversed());
    expect(await idsOf({ until: moment })).toEqual(ids.slice(0, place).toReversed());
    expect(await idsOf({ since: '2000-01-01T00:00:00Z', until: moment, requestIds: ['req-seed'] })).toEqual(
      ids.slice(0, place).toReversed(),
    );
    expect(await idsOf({ since: moment, resourceProviders: [uuidOf('cn1')] })).toEqual(
      ids
        .slice(place)
        .filter((_, index) => ![2, 3].includes(index + place))
        .toReversed(),
    );
    expect(await idsOf({ since: moment, kinds: ['RELEASE_ALLOCATIONS'] })).toEqual([ids[6]]);
    const ofProject = await listEventsOfSubject(scopeOf(database.db), { noun: 'project', key: 'p1' }, { filter: { until: moment } });
    expect(ofProject.rows.map(({ id: found }) => found)).toEqual([6, 4].filter((other) => other < place).map((other) => ids[other]));
  }
  expect(await idsOf({ since: '2099-01-01T00:00:00Z' })).toEqual([]);
});

test('pages follow each other without gap or overlap, both ways and in both orders, for a list and for one subject', async () => {
  const both = [uuidOf('cn1'), uuidOf('cn2')];
  const cn1 = { noun: 'resourceProvider', key: uuidOf('cn1') } as const;
  for (const direction of [undefined, 'ASC'] as const) {
    const pages: [expected: number[], page: (args: EventArguments) => Promise<Page<{ id: number }>>][] = [
      [ids, (args) => list({ ...args, direction, filter: { resourceProviders: both } })],
      [ids, (args) => list({ ...args, direction, filter: { since: '2000-01-01T00:00:00Z' } })],
      [[0, 1, 4, 5, 6].map((place) => ids[place] ?? 0), (args) => listEventsOfSubject(scopeOf(database.db), cn1, { ...args, direction })],
    ];
    for (const [expected, page] of pages) {
      const inOrder = direction ? expected : expected.toReversed();
      const forward: number[] = [];
      let after: string | undefined;
      for (let more = true; more; ) {
        const { rows, cursors, hasNextPage } = await page({ first: 2, after });
        forward.push(...rows.map(({ id }) => id));
        after = cursors.at(-1);
        more = hasNextPage;
      }
      expect(forward).toEqual(inOrder);
      const backward: number[] = [];
      let before: string | undefined;
      for (let more = true; more; ) {
        const { rows, cursors, hasPreviousPage } = await page({ last: 2, before });
        backward.unshift(...rows.map(({ id }) => id));
        before = cursors[0];
        more = hasPreviousPage;
      }
      expect(backward).toEqual(inOrder);
    }
  }
});

test.each<[string, EventArguments, string[]]>([
  [
    'more providers than 100',
    { filter: { resourceProviders: Array.from({ length: 101 }, () => uuidOf('cn1')) } },
    ['filter', 'resourceProviders'],
  ],
  ['a request id with a NUL', { filter: { requestIds: ['A\0'] } }, ['filter', 'requestIds', '0']],
  ['what cannot be a class', { filter: { resourceClasses: ['vcpu'] } }, ['filter', 'resourceClasses', '0']],
  ['a cursor without an id', { after: Buffer.from('[1,"events","x"]').toString('base64url') }, ['after']],
])('refused with the path of the fault: %s', async (_words, args, path) => {
  const refusal = await list(args).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).problems).toMatchObject([{ code: 'INVALID_INPUT', path }]);
});

test('a cursor of one order is refused in the other', async () => {
  const { cursors } = await list({ first: 1 });
  await expect(list({ after: cursors[0], direction: 'ASC' })).rejects.toBeInstanceOf(Refusal);
});

test('those from whom a consumer took over are known, whatever has moved its expiry since', async () => {
  const other = await createTestDatabase();
  const seed = createSeed(other.db);
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await seed.reservation('course', { cn1: { VCPU: 4 } });
  await seed.claim('vm', { cn1: { VCPU: 2 } }, { reservation: 'course' });
  const owner = { expect: {}, project: 'p1', user: 'u1' };
  const migration = { uuid: uuidOf('migration'), ...owner, type: 'MIGRATION', keepType: false, takeFrom: uuidOf('vm'), allocations: [] };
  await seed.write('move_allocations', { consumers: [migration, { uuid: uuidOf('vm'), ...owner, allocations: [] }] });
  const givers = async () => (await findGivers(scopeOf(other.db), [uuidOf('migration')], 'INSTANCE')).get(uuidOf('migration'));
  expect(await givers()).toEqual([uuidOf('vm')]);
  await seed.write('set_expiry', { consumers: [{ uuid: uuidOf('migration'), expect: {}, allocations: [], expiresIn: 3600 }] });
  expect(await givers()).toEqual([uuidOf('vm')]);
  await seed.write('replace_reservation', {
    reservation: { uuid: uuidOf('course'), endsAt: new Date(Date.now() + 600_000).toISOString() },
    ...{ expect: {}, most: limits.reservationAmounts },
  });
  expect(await givers()).toEqual([uuidOf('vm')]);
  await other.drop();
});

test('pages of a project follow each other if one write has left two events about the same consumer', async () => {
  const other = await createTestDatabase();
  const seed = createSeed(other.db);
  const host = { uuid: uuidOf('host'), name: 'host' };
  await seed.provider('host', { inventories: { VCPU: 10, DISK_GB: 100 } });
  await seed.write('import_records', { records: [{ kind: 'compute_node', ...host, body: { host: 'host', hasSharedStorage: true } }] });
  await seed.provider('pool', { inventories: { DISK_GB: 1000 }, traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['disks'] });
  await seed.claim('vm', { host: { VCPU: 2, DISK_GB: 30 } });
  // The host gives way to the pool in the write that lets it join.
  const allocations = Object.entries({ VCPU: 3, DISK_GB: 30 }).map(([resourceClass, amount]) => ({
    provider: host.uuid,
    resourceClass,
    amount,
  }));
  await seed.write('apply_provider_tree', {
    root: host.uuid,
    providers: [{ ...host, parent: null, expect: {}, aggregates: [uuidOf('disks')] }],
    consumers: [{ uuid: uuidOf('vm'), expect: {}, keepType: true, allocations }],
    dryRun: false,
  });
  await seed.claim('other vm', { host: { VCPU: 2 } });
  const scope = () => Object.assign(scopeOf(other.db), { ownProject: 'p1' });
  const kinds = ['REPLACE_ALLOCATIONS', 'APPLY_PROVIDER_TREE', 'RESHAPE', 'REPLACE_ALLOCATIONS'];
  for (const direction of ['ASC', 'DESC'] as const) {
    const found: string[] = [];
    let after: string | undefined;
    for (let more = true; more && found.length < 10; ) {
      const { rows, cursors, hasNextPage } = await listEvents(scope(), { first: 1, after, direction });
      found.push(...rows.map(({ kind }) => kind));
      after = cursors.at(-1);
      more = hasNextPage;
    }
    expect(found).toEqual(direction === 'ASC' ? kinds : kinds.toReversed());
  }
  await other.drop();
});
