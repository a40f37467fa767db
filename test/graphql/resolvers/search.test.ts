// Search boxes: what is found for a text or a uuid, in which order, and for which callers.
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { execute, query } from '../../support/graphql.ts';
import { useCallers } from '../../support/personas.ts';
import { createSeed } from '../../support/seed.ts';
import { fillTwoProjects, otherConsumers, ownConsumers } from '../../support/two-projects.ts';

interface Found {
  readonly search: { readonly matches: readonly Readonly<Record<string, string>>[]; readonly truncated: boolean };
}

const everything = `query ($text: String!, $first: Int) { search(text: $text, first: $first) { truncated matches {
  __typename
  ... on ResourceProvider { name root { name } } ... on Consumer { uuid } ... on Aggregate { name } ... on Project { externalId }
  ... on ResourceClass { name } ... on Trait { name }
} } }`;

describe('an operator', () => {
  const database = useDatabase();
  const uuids: Record<string, string> = {};
  beforeAll(async () => {
    const seed = createSeed(database.db);
    for (const name of ['az1-node10', 'az1-node1', 'my-az1', 'AZ1', '100%_sure']) await seed.provider(name, { inventories: { VCPU: 8 } });
    await seed.provider('az1-node1_cell', { parent: 'az1-node1', traits: ['CUSTOM_AZ1_FAST'], aggregates: ['az1'] });
    await seed.claim('vm', { 'az1-node1': { VCPU: 1 } }, { project: 'team-az1' });
    await database.db.writes`update placement_aggregates set name = 'all of az1'`;
    await database.db.writes`insert into resource_classes (id, name) values (10000, 'CUSTOM_AZ1_GOLD')`;
    const rows = await database.own<{ name: string; uuid: string }[]>`
      select name, uuid from resource_providers where name = 'AZ1' union all select 'vm', uuid from consumers union all select 'az1', uuid from placement_aggregates`;
    for (const { name, uuid } of rows) uuids[name] = uuid;
  });

  const found = async (text: string, first?: number) => {
    const { matches, truncated } = (await query<Found>(database.db, everything, { text, first })).search;
    return [matches.map(({ __typename, name, externalId, uuid }) => `${__typename} ${name ?? externalId ?? uuid}`), truncated];
  };

  test('finds names of every kind, whatever their case: those that begin with the text first, short ones before long ones', async () => {
    expect(await found(' az1 ')).toEqual([
      [
        ...['AZ1', 'az1-node1', 'az1-node10', 'az1-node1_cell', 'my-az1'].map((name) => `ResourceProvider ${name}`),
        ...['Aggregate all of az1', 'Project team-az1', 'ResourceClass CUSTOM_AZ1_GOLD', 'Trait CUSTOM_AZ1_FAST'],
      ],
      false,
    ]);
  });

  test('returns the requested number of each kind, and says if there are more', async () => {
    expect(await found('az1', 2)).toEqual([
      [
        ...['ResourceProvider AZ1', 'ResourceProvider az1-node1'],
        ...['Aggregate all of az1', 'Project team-az1', 'ResourceClass CUSTOM_AZ1_GOLD', 'Trait CUSTOM_AZ1_FAST'],
      ],
      true,
    ]);
    expect(await found('az1', 5)).toMatchObject([{ length: 9 }, false]);
    expect(await found('az1', 0)).toEqual([[], true]);
    expect(await found('nowhere', 0)).toEqual([[], false]);
  });

  test.each([
    ['AZ1', (uuid: string) => uuid, 'ResourceProvider AZ1'],
    ['vm', (uuid: string) => uuid.toUpperCase(), null],
    ['az1', (uuid: string) => uuid.replaceAll('-', ''), 'Aggregate all of az1'],
  ])('finds %s by its uuid, however it is written', async (name, written, expected) => {
    const uuid = uuids[name] ?? '';
    expect(await found(written(uuid))).toEqual([[expected ?? `Consumer ${uuid}`], false]);
  });

  test('finds wildcards only as plain characters of names, and nothing by a part of a uuid', async () => {
    expect(await found('%_')).toEqual([['ResourceProvider 100%_sure'], false]);
    expect(await found('.*')).toEqual([[], false]);
    expect(await found((uuids.vm ?? '').slice(0, 13))).toEqual([[], false]);
  });

  test.each([
    ['', undefined, 'text'],
    [' \t', undefined, 'text'],
    ['x'.repeat(256), undefined, 'text'],
    ['x\0', undefined, 'text'],
    ['x', 101, 'first'],
    ['x', -1, 'first'],
  ])('is refused %j with first %j', async (text, first, field) => {
    const { errors } = await execute(database.db, everything, { text, first });
    expect(errors?.[0]?.message).toContain(field);
  });

  test('costs one statement for the search, and one for each kind that was found', async () => {
    database.statements.length = 0;
    await query(database.db, '{ search(text: "az1") { matches { __typename } } }');
    expect(database.statements).toHaveLength(1 + 5);
    database.statements.length = 0;
    await query(database.db, '{ search(text: "nowhere") { matches { __typename } } }');
    expect(database.statements).toHaveLength(1);
  });
});

describe('a reader of a project', () => {
  const database = useDatabase();
  const ask = useCallers(() => database);
  beforeAll(() => fillTwoProjects(ask, database, { others: true }));

  const own = `query ($text: String!) { search(text: $text, first: 1) { truncated matches {
    __typename ... on Consumer { uuid } ... on Project { externalId } ... on ResourceClass { name } } } }`;
  const asReader = async (text: string, document = own) => ask('reader', document, { text });

  test('finds its project, its consumers and classes, and learns of nothing else', async () => {
    const { data } = await asReader('blue');
    expect(data?.search).toEqual({ truncated: false, matches: [{ __typename: 'Project', externalId: 'blue' }] });
    expect((await asReader(ownConsumers[0])).data?.search).toEqual({
      truncated: false,
      matches: [{ __typename: 'Consumer', uuid: ownConsumers[0] }],
    });
    expect((await asReader('VCPU')).data?.search).toMatchObject({ matches: [{ __typename: 'ResourceClass', name: 'VCPU' }] });
    for (const hidden of ['red', otherConsumers[0], 'COMPUTE_', 'host', 'e']) {
      const answer = await asReader(hidden);
      const kinds = (answer.data as unknown as Found).search.matches.map(({ __typename }) => __typename);
      expect(kinds.filter((kind) => !['ResourceClass', 'Project'].includes(kind ?? ''))).toEqual([]);
      expect(answer.text).not.toContain('red');
    }
    const { data: unseen } = await asReader(otherConsumers[0]);
    expect(unseen?.search).toEqual({ truncated: false, matches: [] });
  });

  test('may not select fields of objects that it may not read', async () => {
    const { status, errors } = await asReader('blue', everything.replace(', $first: Int', '').replace(', first: $first', ''));
    expect([status, errors?.[0]?.extensions.code]).toEqual([403, 'FORBIDDEN']);
  });
});
