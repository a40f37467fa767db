// The ledger as it is asked: conditions, order, pages, and what each event changed.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { type EventArguments, listChanges, listEvents, listEventsOfSubject } from '../../../src/operations/ledger/events.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const list = (args: EventArguments) => listEvents(scopeOf(database.db), args);
const idsOf = async (args: EventArguments) => (await list(args)).rows.map(({ id }) => id);

/** Ids in the order of the writes below, which are years apart. */
let ids: number[];

beforeAll(async () => {
  const seed = createSeed(database.db);
  await seed.provider('cn1', { inventories: { VCPU: 10 } });
  await seed.provider('cn2', { inventories: { VCPU: 10 } });
  await seed.claim('a', { cn1: { VCPU: 1 } });
  await seed.claim('b', { cn1: { VCPU: 2 }, cn2: { VCPU: 2 } }, { project: 'p2' });
  await seed.write('replace_allocations', { kind: 'RELEASE_ALLOCATIONS', consumers: [{ uuid: uuidOf('a'), expect: {}, allocations: [] }] });
  const rows = await database.db.sql<{ id: number }[]>`select id::int as id from events order by id`;
  ids = rows.map(({ id }) => id);
  await database.db.writes`update events set at = make_timestamptz(2000 + id::int, 1, 1, 0, 0, 0, 'UTC')`;
});

/** The writes above by their place: 0 and 2 create the providers, 1 and 3 give them inventories, 4 to 6 are about consumers. */
const questions: [words: string, args: EventArguments, places: number[]][] = [
  ['nothing', {}, [6, 5, 4, 3, 2, 1, 0]],
  ['a provider', { providers: [uuidOf('cn2')] }, [5, 3, 2]],
  ['several providers, each event once', { providers: [uuidOf('cn1'), uuidOf('cn2'), uuidOf('cn1')] }, [6, 5, 4, 3, 2, 1, 0]],
  ['a consumer that is gone', { consumers: [uuidOf('a')] }, [6, 4]],
  ['a project', { projects: ['p1'] }, [6, 4]],
  ['several projects', { projects: ['p1', 'p2', 'unknown'] }, [6, 5, 4]],
  ['a kind', { kinds: ['REPLACE_ALLOCATIONS'] }, [5, 4]],
  ['several kinds', { kinds: ['REPLACE_ALLOCATIONS', 'CREATE_RESOURCE_PROVIDER', 'NONE', 'REPLACE_ALLOCATIONS'] }, [5, 4, 2, 0]],
  ['a provider and a project', { providers: [uuidOf('cn1')], projects: ['p2'] }, [5]],
  ['a consumer and a provider that never met', { consumers: [uuidOf('a')], providers: [uuidOf('cn2')] }, []],
  ['a provider and a kind', { providers: [uuidOf('cn1')], kinds: ['REPLACE_INVENTORIES'] }, [1]],
  ['empty lists', { providers: [], kinds: ['REPLACE_INVENTORIES'] }, []],
  ['no kind at all', { kinds: [] }, []],
];

test.each(questions)('events are found by %s, newest first', async (_words, args, places) => {
  expect(await idsOf(args)).toEqual(places.map((place) => ids[place]));
});

test('since a moment, that moment included, with or without other conditions', async () => {
  for (const [place, id] of ids.entries()) {
    const since = `${2000 + id}-01-01T00:00:00Z`;
    expect(await idsOf({ since })).toEqual(ids.slice(place).toReversed());
    expect(await idsOf({ since, providers: [uuidOf('cn1')] })).toEqual(
      ids
        .slice(place)
        .filter((_, index) => ![2, 3].includes(index + place))
        .toReversed(),
    );
    expect(await idsOf({ since, kinds: ['RELEASE_ALLOCATIONS'] })).toEqual([ids[6]]);
  }
  expect(await idsOf({ since: '2099-01-01T00:00:00Z' })).toEqual([]);
});

test('pages follow each other without gap or overlap, for a list and for one subject', async () => {
  for (const page of [
    (after: string | undefined) => list({ first: 2, after, providers: [uuidOf('cn1'), uuidOf('cn2')] }),
    (after: string | undefined) => list({ first: 2, after, since: '2000-01-01T00:00:00Z' }),
  ]) {
    const seen: number[] = [];
    let after: string | undefined;
    for (let more = true; more; ) {
      const { rows, cursors, hasNextPage } = await page(after);
      seen.push(...rows.map(({ id }) => id));
      after = cursors.at(-1);
      more = hasNextPage;
    }
    expect(seen).toEqual(ids.toReversed());
  }
  const first = await listEventsOfSubject(scopeOf(database.db), uuidOf('cn2'), { first: 1 });
  const rest = await listEventsOfSubject(scopeOf(database.db), uuidOf('cn2'), { after: first.cursors[0] });
  expect([...first.rows, ...rest.rows].map(({ id }) => id)).toEqual([5, 3, 2].map((place) => ids[place]));
});

test.each<[string, EventArguments, string[]]>([
  ['more providers than 100', { providers: Array.from({ length: 101 }, () => uuidOf('cn1')) }, ['providers']],
  ['a kind with a NUL', { kinds: ['A\0'] }, ['kinds', '0']],
  ['a cursor without an id', { after: Buffer.from('[1,"events","x"]').toString('base64url') }, ['after']],
])('refused with the path of the fault: %s', async (_words, args, path) => {
  const refusal = await list(args).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).problems).toMatchObject([{ code: 'INVALID_INPUT', path }]);
});

describe('what an event changed', () => {
  const changesAt = async (place: number) => {
    const event = (await list({})).rows.find(({ id }) => id === ids[place]);
    return event ? listChanges(event) : [];
  };

  test('a creation lists every part, with nothing before', async () => {
    const changes = await changesAt(0);
    expect(changes).toContainEqual({ provider: uuidOf('cn1'), consumer: null, field: 'name', before: null, after: '"cn1"' });
    expect(changes).toContainEqual({ provider: uuidOf('cn1'), consumer: null, field: 'traits', before: null, after: '[]' });
    expect(changes.every(({ before }) => before === null)).toBe(true);
    // A root has no parent, before or after.
    expect(changes.map(({ field }) => field)).not.toContain('parent');
  });

  test('inventories are told class by class', async () => {
    const changes = await changesAt(1);
    expect(changes.map(({ field }) => field).toSorted()).toEqual(['generation', 'inventories.VCPU']);
    const inventory = changes.find(({ field }) => field === 'inventories.VCPU');
    expect(inventory?.before).toBeNull();
    expect(JSON.parse(inventory?.after ?? '')).toMatchObject({ total: 10 });
  });

  test('a release lists what the consumer was, with nothing after, and the new generation of the provider', async () => {
    const changes = await changesAt(6);
    const ofConsumer = changes.filter(({ consumer }) => consumer === uuidOf('a'));
    expect(ofConsumer.every(({ after }) => after === null)).toBe(true);
    expect(ofConsumer).toContainEqual({ provider: null, consumer: uuidOf('a'), field: 'project', before: '"p1"', after: null });
    expect(changes.filter(({ provider }) => provider !== null)).toEqual([
      { provider: uuidOf('cn1'), consumer: null, field: 'generation', before: '3', after: '4' },
    ]);
  });

  test('names come and go; an aggregate is named', async () => {
    const seed = createSeed(database.db);
    await seed.write('create_trait', { name: 'CUSTOM_A' });
    await seed.write('delete_trait', { name: 'CUSTOM_A' });
    await seed.write('create_resource_class', { name: 'CUSTOM_B' });
    await seed.write('name_aggregate', { aggregate: uuidOf('rack'), name: 'rack 1' });
    const nobody = { provider: null, consumer: null };
    const { rows } = await list({ first: 4 });
    expect(rows.flatMap(listChanges)).toEqual([
      { ...nobody, field: 'aggregate.name', before: null, after: '"rack 1"' },
      { ...nobody, field: 'resourceClass', before: null, after: '"CUSTOM_B"' },
      { ...nobody, field: 'trait', before: '"CUSTOM_A"', after: null },
      { ...nobody, field: 'trait', before: null, after: '"CUSTOM_A"' },
    ]);
  });
});
