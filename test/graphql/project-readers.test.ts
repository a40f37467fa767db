// What a reader of a project gets, and that it learns nothing about others on any path.
import { beforeAll, describe, expect, test } from 'vitest';
import { plainIdentity } from '../../src/domain/identity.ts';
import { useDatabase } from '../support/database.ts';
import { type Answered, refusalOf, useCallers } from '../support/personas.ts';
import { fillTwoProjects, givenConsumer, hosts, otherConsumers, ownConsumers } from '../support/two-projects.ts';

const database = useDatabase();
const ask = useCallers(() => database);
const federated = useCallers(() => database, { federation: true });

beforeAll(() => fillTwoProjects(ask, database, { others: true }));

function data<Data = unknown>({ data: found, errors }: Answered): Data {
  expect(errors).toBeUndefined();
  const taken: unknown = found;
  return taken as Data;
}
const nodeId = (text: string) => Buffer.from(text).toString('base64url');
const [theirs] = otherConsumers;

describe('a reader of a project reads', () => {
  test('its consumers, with their allocations', async () => {
    const answer = await ask(
      'reader',
      `{ consumers { totalCount nodes { uuid consumerType project { externalId } user { externalId } allocations { amount resourceClass { name unit } consumer { uuid } } } } }`,
    );
    const { consumers } = data(answer) as { consumers: { totalCount: number; nodes: { uuid: string; allocations: unknown[] }[] } };
    expect(consumers.nodes.map(({ uuid }) => uuid)).toEqual([ownConsumers[0], ownConsumers[1], givenConsumer]);
    expect(consumers.totalCount).toBe(3);
    expect(consumers.nodes[0]).toMatchObject({
      project: { externalId: 'blue' },
      user: { externalId: 'ann' },
      allocations: [
        { amount: 1, resourceClass: { name: 'VCPU', unit: null } },
        { amount: 512, resourceClass: { name: 'MEMORY_MB' } },
      ],
    });
  });

  test('one of them, by its uuid, its global id and its key in a federation', async () => {
    const uuid = ownConsumers[0];
    const found = { __typename: 'Consumer', uuid };
    const one = await ask(
      'reader',
      'query ($u: UUID!, $i: ID!) { consumer(uuid: $u) { __typename uuid } node(id: $i) { __typename ... on Consumer { uuid } } }',
      {
        u: uuid,
        i: nodeId(`Consumer:${uuid}`),
      },
    );
    expect(data(one)).toEqual({ consumer: found, node: found });
    const entities = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename ... on Consumer { uuid } } }';
    expect(data(await federated('reader', entities, { r: [{ __typename: 'Consumer', uuid }] }))).toEqual({ _entities: [found] });
  });

  test('their total usage', async () => {
    const sums = 'usages(groupBy: [USER]) { totalCount nodes { user { externalId } consumerCount amount(resourceClass: "VCPU") } }';
    const expected = {
      totalCount: 2,
      nodes: [
        { user: { externalId: 'ann' }, consumerCount: 2, amount: 3 },
        { user: { externalId: 'bob' }, consumerCount: 1, amount: 2 },
      ],
    };
    expect(data(await ask('reader', `{ ${sums} project(externalId: "blue") { ${sums} } }`))).toEqual({
      usages: expected,
      project: { usages: expected },
    });
  });

  test('its events, with the changes of its own consumers', async () => {
    const changes =
      'changes { totalCount nodes { action ... on ConsumerChange { consumerUuid project { before after } allocations { resourceClassName before after } } } }';
    const { events } = data(await ask('reader', `{ events(direction: ASC) { nodes { kind ${changes} } } }`)) as {
      events: { nodes: { kind: string; changes: { totalCount: number; nodes: { action: string; consumerUuid: string }[] } }[] };
    };
    expect(
      events.nodes.map(({ kind, changes: { nodes } }) => [kind, ...nodes.map(({ action, consumerUuid }) => `${action} ${consumerUuid}`)]),
    ).toEqual([
      ['REPLACE_ALLOCATIONS', `CREATED ${ownConsumers[0]}`],
      ['REPLACE_ALLOCATIONS', `CREATED ${ownConsumers[1]}`],
      ['REPLACE_ALLOCATIONS', `CREATED ${givenConsumer}`],
      ['REPLACE_ALLOCATIONS', `CREATED ${ownConsumers[2]}`],
      ['RELEASE_ALLOCATIONS', `DELETED ${ownConsumers[2]}`],
    ]);
    expect(events.nodes.every(({ changes: { totalCount } }) => totalCount === 1)).toBe(true);
  });

  test('the same events page by page, forward and backward, and below each of its consumers', async () => {
    const page = async (args: string) => {
      const { events } = data(
        await ask('reader', `{ events(${args}) { nodes { at } pageInfo { startCursor endCursor hasNextPage } } }`),
      ) as {
        events: { nodes: { at: string }[]; pageInfo: { startCursor: string; endCursor: string; hasNextPage: boolean } };
      };
      return { ...events.pageInfo, at: events.nodes.map(({ at }) => at) };
    };
    const whole = (await page('first: 10')).at;
    expect(whole).toHaveLength(5);
    const first = await page('first: 2');
    const second = await page(`first: 2, after: "${first.endCursor}"`);
    const third = await page(`first: 2, after: "${second.endCursor}"`);
    expect([...first.at, ...second.at, ...third.at]).toEqual(whole);
    expect([second.hasNextPage, third.hasNextPage]).toEqual([true, false]);
    expect((await page(`last: 2, before: "${third.startCursor}"`)).at).toEqual(second.at);
    const ofOne = await ask('reader', 'query ($u: UUID!) { consumer(uuid: $u) { events { nodes { at changes { nodes { action } } } } } }', {
      u: givenConsumer,
    });
    expect(data(ofOne)).toEqual({ consumer: { events: { nodes: [{ at: whole[2], changes: { nodes: [{ action: 'CREATED' }] } }] } } });
  });

  test('the request of a flavor', async () => {
    const asked =
      '{ flavorToRequest(input: {flavor: {fields: {vcpus: 1, memoryMb: 512}}}) { request { groups { resources { resourceClass amount } } } } }';
    expect(data(await ask('reader', asked))).toHaveProperty('flavorToRequest.request.groups');
  });
});

describe('to a reader of a project, objects of other projects do not exist', () => {
  const unknown = '99999999-0000-4000-8000-000000000009';
  /** The answers to a question about a consumer of another project, and about none. */
  const both = async (query: string, variables: (uuid: string) => Record<string, unknown> = (uuid) => ({ u: uuid })) => {
    const [asked, absent] = [await ask('reader', query, variables(theirs)), await ask('reader', query, variables(unknown))];
    return [asked.text, absent.text.replaceAll(unknown, theirs)];
  };

  test.each([
    ['by uuid', 'query ($u: UUID!) { consumer(uuid: $u) { uuid } }'],
    [
      'in a list',
      'query ($u: UUID!) { consumers(filter: {uuids: [$u]}) { totalCount nodes { uuid } pageInfo { hasNextPage endCursor } } }',
    ],
    ['in a list that denies it', 'query ($u: UUID!) { consumers(filter: {not: {uuids: [$u]}}) { totalCount nodes { uuid } } }'],
    ['in a list with alternatives', 'query ($u: UUID!) { consumers(filter: {or: [{uuids: [$u]}, {projects: ["red"]}]}) { totalCount } }'],
    ['in a list of its project', 'query ($u: UUID!) { consumers(filter: {uuids: [$u], projects: ["red"]}) { totalCount } }'],
    ['in sums', 'query ($u: UUID!) { usages(filter: {uuids: [$u]}) { totalCount nodes { consumerCount resources { amount } } } }'],
    [
      'in groups',
      'query ($u: UUID!) { usages(filter: {uuids: [$u]}, groupBy: [PROJECT, CONSUMER]) { totalCount nodes { consumer { uuid } } } }',
    ],
    [
      'below its project',
      'query ($u: UUID!) { project(externalId: "blue") { consumers(filter: {uuids: [$u]}) { totalCount nodes { uuid } } } }',
    ],
  ])('%s', async (_, query) => {
    const [asked, absent] = await both(query);
    expect(asked).toBe(absent);
    expect(asked).not.toContain('errors');
  });

  test('by its global id, and in a federation', async () => {
    const [asked, absent] = await both('query ($i: [ID!]!) { nodes(ids: $i) { __typename id } }', (uuid) => ({
      i: [nodeId(`Consumer:${uuid}`)],
    }));
    expect(asked).toBe(absent);
    const entities = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }';
    const others = [
      { __typename: 'Consumer', uuid: theirs },
      { __typename: 'Project', externalId: 'red' },
      { __typename: 'User', externalId: 'eve' },
      { __typename: 'ResourceProvider', uuid: hosts[0] },
    ];
    expect(data(await federated('reader', entities, { r: others }))).toEqual({ _entities: [null, null, null, null] });
  });

  test('its project, its users, and every object without a project', async () => {
    const ids = [
      'Project:red',
      'User:eve',
      `ResourceProvider:${hosts[0]}`,
      `Inventory:${hosts[0]}/VCPU`,
      'Trait:HW_CPU_X86_AVX2',
      'Event:1',
      'Event:3',
      'Event:999',
      `ComputeNode:${hosts[0]}`,
    ];
    database.statements.length = 0;
    const { nodes } = data(await ask('reader', 'query ($i: [ID!]!) { nodes(ids: $i) { __typename id } }', { i: ids.map(nodeId) })) as {
      nodes: unknown[];
    };
    expect(nodes).toEqual(ids.map(() => null));
    // Projects and users take statements of their own, the rest takes none.
    expect(database.statements).toHaveLength(2);
    const { project } = data<{ project: unknown }>(await ask('reader', '{ project(externalId: "red") { externalId } }'));
    expect(project).toBeNull();
  });

  test('with the same statements', async () => {
    const statementsOf = async (uuid: string) => {
      database.statements.length = 0;
      await ask(
        'reader',
        'query ($u: UUID!) { consumer(uuid: $u) { uuid allocations { amount } } usages(filter: {uuids: [$u]}) { totalCount } }',
        { u: uuid },
      );
      return [...database.statements];
    };
    await statementsOf(unknown);
    expect(await statementsOf(theirs)).toEqual(await statementsOf(unknown));
  });

  test('in the past of a consumer that was transferred to it', async () => {
    const { consumer } = data(
      await ask('reader', 'query ($u: UUID!) { consumer(uuid: $u) { events { nodes { kind } } } }', { u: givenConsumer }),
    ) as {
      consumer: { events: { nodes: unknown[] } };
    };
    expect(consumer.events.nodes).toHaveLength(1);
    const all = data(await ask('nova', 'query ($u: UUID!) { consumer(uuid: $u) { events { nodes { kind } } } }', { u: givenConsumer })) as {
      consumer: { events: { nodes: unknown[] } };
    };
    expect(all.consumer.events.nodes).toHaveLength(3);
  });
});

describe('a cursor (B3 25)', () => {
  const list = 'query ($a: String) { consumers(first: 1, after: $a) { edges { cursor } } }';
  const cursorOf = async (caller: Parameters<typeof ask>[0]) =>
    (data(await ask(caller, list)) as { consumers: { edges: { cursor: string }[] } }).consumers.edges[0]?.cursor ?? '';
  const red = plainIdentity('keystone', 'eve', 'red', ['reader']);

  test.each([
    ['of random bytes', async () => 'AAAA_-zz'],
    [
      'of another list',
      async () =>
        (data(await ask('reader', '{ events(first: 1) { edges { cursor } } }')) as { events: { edges: { cursor: string }[] } }).events
          .edges[0]?.cursor,
    ],
    ['of another project', () => cursorOf(red)],
    ['of the administrator', () => cursorOf('admin')],
  ])('%s is refused', async (_, cursor) => {
    expect(refusalOf(await ask('reader', list, { a: await cursor() }))).toEqual([400, 'BAD_USER_INPUT']);
  });

  test('reveals nothing about others', async () => {
    const text = Buffer.from(await cursorOf('reader'), 'base64url').toString();
    expect(JSON.parse(text)).toEqual([1, 'consumers, CREATED_AT ASC of project blue', expect.any(Number), ownConsumers[0]]);
  });

  test('that names an event of another project comes before all of its own', async () => {
    const forged = Buffer.from(JSON.stringify([1, 'events ASC of project blue', `req-3 1767225600000000 ${theirs}`])).toString('base64url');
    const query = 'query ($a: String) { events(first: 10, after: $a, direction: ASC) { nodes { at } } }';
    const { events } = data(await ask('reader', query, { a: forged })) as { events: { nodes: unknown[] } };
    expect(events.nodes).toHaveLength(5);
  });
});

describe('paths to hosts or to other projects are refused before anything is read', () => {
  const providers = 'placement:graphql:resource_providers:read';
  const ledger = 'placement:graphql:ledger:read';

  test.each([
    [
      'the provider of an allocation',
      '{ consumers { nodes { allocations { resourceProvider { __typename } } } } }',
      'Allocation.resourceProvider',
      providers,
    ],
    ['the roots of a consumer', '{ consumers { nodes { roots { name } } } }', 'Consumer.roots', providers],
    ['an alias', '{ a: resourceProviders { totalCount } }', 'Query.resourceProviders', providers],
    [
      'a fragment',
      '{ consumers { ...A } } fragment A on ConsumerConnection { nodes { ...B } } fragment B on Consumer { roots { uuid } }',
      'Consumer.roots',
      providers,
    ],
    [
      'what is skipped',
      '{ consumers { totalCount } totals @skip(if: true) { own { total } } }',
      'Query.totals',
      'placement:graphql:inventories:read',
    ],
    [
      'a type behind an interface',
      '{ events { nodes { changes { nodes { ... on ResourceProviderChange { name { after } } } } } } }',
      'ResourceProviderChange.name',
      ledger,
    ],
    [
      'the host of a change',
      '{ events { nodes { changes { nodes { ... on ConsumerChange { allocations { resourceProviderUuid } } } } } } }',
      'AllocationChange.resourceProviderUuid',
      providers,
    ],
    ['all changes of an event', '{ events { nodes { changes(everything: true) { totalCount } } } }', 'Event.changes(everything:)', ledger],
    ['the consumers of an event', '{ events { nodes { consumerUuids { totalCount } } } }', 'Event.consumerUuids', ledger],
    ['who wrote', '{ events { nodes { requestedBy { externalId } } } }', 'Event.requestedBy', ledger],
    ['the id of an event, which counts all events', '{ events { nodes { id } } }', 'Event.id', ledger],
    [
      'events with another consumer',
      `{ events(filter: {consumers: ["${theirs}"]}) { nodes { at } } }`,
      'EventFilterInput.consumers',
      ledger,
    ],
    ['events with another project', '{ events(filter: {projects: ["red"]}) { nodes { at } } }', 'EventFilterInput.projects', ledger],
    ['the feed', '{ eventFeed { nodes { at } } }', 'Query.eventFeed', ledger],
    ['the past', '{ asOf(moment: "2026-01-01T00:00:00Z") { projectUsage(externalId: "blue") { at } } }', 'Query.asOf', ledger],
    [
      'consumers on a host',
      `{ consumers(filter: {resourceProviders: ["${hosts[0]}"]}) { totalCount } }`,
      'ConsumerFilterInput.resourceProviders',
      providers,
    ],
    ['sums by host', '{ usages(groupBy: [ROOT]) { totalCount } }', 'UsageKey.ROOT', providers],
    [
      'candidates',
      '{ allocationCandidates(input: {groups: []}) { truncated } }',
      'Query.allocationCandidates',
      'placement:graphql:candidates:read',
    ],
    ['where a flavor fits', '{ fit(input: {groups: []}) { byRoot { totalCount } } }', 'Fit.byRoot', 'placement:graphql:candidates:read'],
    ['the fit on a host', `{ fit(input: {groups: [{inTrees: "${hosts[0]}"}]}) { total } }`, 'RequestGroupInput.inTrees', providers],
    ['the list of projects', '{ projects { totalCount } }', 'Query.projects', 'placement:graphql:projects:read'],
    ['the schema', '{ __schema { types { name } } }', 'Query.__schema', 'placement:graphql:schema:read'],
    [
      'a write',
      `mutation { releaseAllocations(input: {consumers: []}) { replayed } }`,
      'Mutation.releaseAllocations',
      'placement:allocations:delete',
    ],
  ])('%s', async (_, query, element, rule) => {
    database.statements.length = 0;
    expect(refusalOf(await ask('reader', query))).toEqual([403, 'FORBIDDEN', element, rule]);
    expect(database.statements).toEqual([]);
  });

  test.each([
    [
      'a filter',
      'query ($f: ConsumerFilterInput) { consumers(filter: $f) { totalCount } }',
      { f: { and: [{ not: { inTrees: [hosts[0]] } }] } },
      'ConsumerFilterInput.inTrees',
    ],
    [
      'a field of a filter',
      'query ($t: [UUID!]) { consumers(filter: {inTrees: $t}) { totalCount } }',
      { t: [hosts[0]] },
      'ConsumerFilterInput.inTrees',
    ],
    [
      'a key',
      'query ($k: [UsageKey!]!) { usages(groupBy: $k) { totalCount } }',
      { k: ['PROJECT', 'RESOURCE_PROVIDER'] },
      'UsageKey.RESOURCE_PROVIDER',
    ],
    ['a single key', 'query ($k: [UsageKey!]!) { usages(groupBy: $k) { totalCount } }', { k: 'ROOT' }, 'UsageKey.ROOT'],
    ['a default', 'query ($k: [UsageKey!]! = [ROOT]) { usages(groupBy: $k) { totalCount } }', {}, 'UsageKey.ROOT'],
    [
      'a request',
      'query ($i: CandidatesInput!) { fit(input: $i) { total } }',
      { i: { groups: { inTrees: hosts[0], resources: { resourceClass: 'VCPU', amount: 1 } } } },
      'RequestGroupInput.inTrees',
    ],
  ])('in variables: %s', async (_, query, variables, element) => {
    expect(refusalOf(await ask('reader', query, variables))).toEqual([403, 'FORBIDDEN', element, providers]);
    expect((await ask('nova', query, variables)).errors).toBeUndefined();
  });

  test.each(['trees', 'constructor', '__proto__'])('but not for a variable with the name %s that is not given', async (name) => {
    const query = `query ($${name}: [UUID!]) { consumers(filter: {inTrees: $${name}}) { totalCount } }`;
    expect(data(await ask('reader', query))).toEqual({ consumers: { totalCount: 3 } });
  });
});

test('the history of a consumer that was transferred begins with the transfer, and does not show its former project', async () => {
  const handed = '55555555-0000-4000-8000-000000000001';
  const hold = (project: string, user: string, expected: object) =>
    ask('nova', `mutation ($c: [ConsumerAllocationsInput!]!) { replaceAllocations(input: {consumers: $c}) { userErrors { message } } }`, {
      c: [
        {
          consumer: handed,
          expect: expected,
          hold: { allocations: [{ resourceProvider: hosts[0], resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
          project,
          user,
        },
      ],
    });
  await hold('red', 'eve', { isNew: true });
  await hold('blue', 'ann', { generation: 1 });
  const changes = `changes { totalCount nodes { action ... on ConsumerChange {
    project { before after } user { before after } allocations { before after } } } }`;
  const { consumer } = data<{ consumer: unknown }>(
    await ask('reader', `query ($u: UUID!) { consumer(uuid: $u) { events { nodes { ${changes} } } } }`, { u: handed }),
  );
  const change = {
    action: 'CREATED',
    project: { before: null, after: 'blue' },
    user: { before: null, after: 'ann' },
    allocations: [{ before: null, after: 1 }],
  };
  expect(consumer).toEqual({ events: { nodes: [{ changes: { totalCount: 1, nodes: [change] } }] } });
});
