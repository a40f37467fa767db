// Events through GraphQL: changes as typed values, limited to the subject whose events they are, and in pages.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventKinds } from '../../../src/domain/event.ts';
import { limits } from '../../../src/domain/limits.ts';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const ask = <Data>(source: string, variables: Record<string, unknown> = {}) => query<Data>(database.db, source, variables);
const seed = () => createSeed(database.db);
const names = Array.from({ length: 1000 }, (_, index) => `server ${index}`);

beforeAll(async () => {
  await seed().provider('big', { inventories: { VCPU: 100_000, MEMORY_MB: 100_000 } });
  const held = ['MEMORY_MB', 'VCPU'].map((resourceClass) => ({ provider: uuidOf('big'), resourceClass, amount: 2 }));
  await seed().write('replace_allocations', {
    consumers: names.map((name) => ({
      ...{ uuid: uuidOf(name), expect: { isNew: true }, project: `p${name.at(-1)}`, user: 'u', type: 'INSTANCE', keepType: false },
      allocations: held,
    })),
  });
});

const consumerChange = `... on ConsumerChange { action consumerUuid consumer { uuid } generation { before after } project { before after }
  user { after } consumerType { after } allocations { resourceProviderUuid resourceProvider { name } resourceClassName before after } }`;
const providerChange = `... on ResourceProviderChange { action resourceProviderUuid resourceProvider { uuid } name { before after }
  parent { before after } generation { before after } traitNamesAdded traitNamesRemoved aggregateUuidsAdded aggregateUuidsRemoved
  inventories { resourceClassName before { total capacity } after { total reserved minUnit maxUnit stepSize allocationRatio capacity } } }`;

interface Changes {
  readonly nodes: readonly Record<string, unknown>[];
  readonly totalCount: number;
}

describe('of a write that touched a thousand consumers', () => {
  test('one of them shows only its own change', async () => {
    const { consumer } = await ask<{ consumer: { events: { nodes: { changes: Changes }[] } } }>(
      `query ($uuid: UUID!) { consumer(uuid: $uuid) { events { nodes { kind changes { nodes { ${consumerChange} } totalCount } } } } }`,
      { uuid: uuidOf('server 7') },
    );
    const [{ changes } = { changes: { nodes: [], totalCount: 0 } }] = consumer.events.nodes;
    const allocation = { resourceProviderUuid: uuidOf('big'), resourceProvider: { name: 'big' }, before: null, after: 2 };
    expect(changes).toEqual({
      totalCount: 1,
      nodes: [
        {
          action: 'CREATED',
          consumerUuid: uuidOf('server 7'),
          consumer: { uuid: uuidOf('server 7') },
          generation: { before: null, after: 1 },
          project: { before: null, after: 'p7' },
          user: { after: 'u' },
          consumerType: { after: 'INSTANCE' },
          allocations: [
            { ...allocation, resourceClassName: 'MEMORY_MB' },
            { ...allocation, resourceClassName: 'VCPU' },
          ],
        },
      ],
    });
  });

  test('a project shows those of its consumers, or all on request', async () => {
    const { project } = await ask<{ project: { events: { nodes: { own: Changes; all: Changes }[] } } }>(
      `{ project(externalId: "p3") { events { nodes {
        own: changes(first: 1000) { totalCount nodes { ... on ConsumerChange { project { after } } } }
        all: changes(everything: true) { totalCount nodes { action } } } } } }`,
    );
    const [event] = project.events.nodes;
    expect(event?.own.nodes).toEqual(Array.from({ length: 100 }, () => ({ project: { after: 'p3' } })));
    expect([event?.own.totalCount, event?.all.totalCount, event?.all.nodes.length]).toEqual([100, 1001, 50]);
  });

  test('the events of the provider show page by page which consumer allocated what', async () => {
    interface Answer {
      readonly resourceProvider: { readonly events: { readonly nodes: readonly { readonly changes: ChangePage }[] } };
    }
    type ChangePage = Changes & { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string } };
    const seen: unknown[] = [];
    let after: string | null = null;
    do {
      const answer: Answer = await ask<Answer>(
        `query ($uuid: UUID!, $after: String) { resourceProvider(uuid: $uuid) { events(first: 1) { nodes {
          changes(first: 400, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { ${consumerChange} } } } } } }`,
        { uuid: uuidOf('big'), after },
      );
      const page: ChangePage | undefined = answer.resourceProvider.events.nodes[0]?.changes;
      seen.push(...(page?.nodes ?? []).map(({ consumerUuid }) => consumerUuid ?? 'the provider'));
      after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(['the provider', ...names.map(uuidOf).toSorted()]);
  });

  test('uuids come in pages, and an answer of a thousand events stays small', async () => {
    const byUuid = (one: { consumerUuid: string }, other: { consumerUuid: string }) => (one.consumerUuid < other.consumerUuid ? -1 : 1);
    const { events } = await ask<{ events: { nodes: Record<string, { nodes: string[]; totalCount: number }>[] } }>(
      `{ events(first: 1) { nodes { consumerUuids(first: 3) { nodes totalCount } last: consumerUuids(last: 2) { nodes totalCount }
        resourceProviderUuids { nodes totalCount } changes(last: 2) { nodes { ... on ConsumerChange { consumerUuid } } totalCount } } } }`,
    );
    expect(events.nodes[0]).toEqual({
      consumerUuids: { nodes: names.slice(0, 3).map(uuidOf), totalCount: 1000 },
      last: { nodes: names.slice(-2).map(uuidOf), totalCount: 1000 },
      resourceProviderUuids: { nodes: [uuidOf('big')], totalCount: 1 },
      changes: {
        nodes: names
          .map((name) => ({ consumerUuid: uuidOf(name) }))
          .toSorted(byUuid)
          .slice(-2),
        totalCount: 1001,
      },
    });
    const all = await ask('{ events(first: 1000) { nodes { kind consumerUuids { nodes } changes { nodes { action } } } } }');
    expect(JSON.stringify(all).length).toBeLessThan(10_000);
  });

  test('a page of events, with their changes and subjects, costs a few statements', async () => {
    database.statements.length = 0;
    await ask(
      `{ events(first: 1000) { nodes { kind consumerUuids { nodes } resourceProviderUuids { nodes } changes { nodes { ${consumerChange} } } } } }`,
    );
    expect(database.statements.length).toBeLessThanOrEqual(6);
  });

  describe('a list shows the changes of the subjects that its filter names', () => {
    const shown =
      '{ nodes { changes(first: 3) { totalCount nodes { ... on ResourceProviderChange { resourceProviderUuid } ... on ConsumerChange { consumerUuid allocations { resourceClassName } } } } } }';
    const lists: Record<string, (filter: object) => Promise<{ changes: Changes }[]>> = {
      events: async (filter) => {
        const source = `query ($filter: EventFilterInput) { events(filter: $filter, direction: DESC) ${shown} }`;
        return (await ask<{ events: { nodes: { changes: Changes }[] } }>(source, { filter })).events.nodes;
      },
      'the feed': async (filter) => {
        const source = `query ($filter: EventFilterInput) { feed: eventFeed(filter: $filter) ${shown} }`;
        return (await ask<{ feed: { nodes: { changes: Changes }[] } }>(source, { filter })).feed.nodes;
      },
    };
    const some = names.slice(0, 2).map(uuidOf);
    test.each<[what: string, filter: object, consumers: number, providers: number]>([
      ['consumers', { consumers: some }, 2, 0],
      ['a consumer and its provider', { consumers: some, resourceProviders: [uuidOf('big')] }, 1000, 1],
      ['a provider', { resourceProviders: [uuidOf('big')] }, 1000, 1],
      ['a tree', { inTrees: [uuidOf('big')] }, 1000, 1],
      ['a project', { projects: ['p1', 'p2'] }, 200, 0],
      ['a class', { resourceClasses: ['VCPU'] }, 1000, 0],
      ['consumers, among other conditions', { consumers: some, kinds: ['REPLACE_ALLOCATIONS'] }, 2, 0],
      ['nothing', { kinds: ['REPLACE_ALLOCATIONS'] }, 1000, 1],
    ])('%s', async (_, filter, consumers, providers) => {
      for (const [name, read] of Object.entries(lists)) {
        const claim = (await read({ ...filter, kinds: ['REPLACE_ALLOCATIONS'] }))[0]?.changes;
        expect([name, claim?.totalCount]).toEqual([name, consumers + providers]);
        if (consumers === 2) expect(claim?.nodes.map(({ consumerUuid }) => consumerUuid)).toEqual(some.toSorted());
      }
    });

    test('an aggregate: only trees that are in it', async () => {
      await seed().provider('in zone', { inventories: { DISK_GB: 10 }, aggregates: ['zone'] });
      await seed().provider('elsewhere', { inventories: { DISK_GB: 10 } });
      const allocations = ['in zone', 'elsewhere'].map((name) => ({ provider: uuidOf(name), resourceClass: 'DISK_GB', amount: 1 }));
      const known = { expect: { isNew: true }, project: 'p', user: 'u', type: 'INSTANCE', keepType: false };
      await seed().write('replace_allocations', {
        consumers: allocations.map((allocation, index) => ({ ...known, uuid: uuidOf(`spread ${index}`), allocations: [allocation] })),
      });
      const [claim] = (await lists.events?.({ aggregates: [uuidOf('zone')], kinds: ['REPLACE_ALLOCATIONS'] })) ?? [];
      expect(claim?.changes.nodes).toEqual([
        { resourceProviderUuid: uuidOf('in zone') },
        { consumerUuid: uuidOf('spread 0'), allocations: [{ resourceClassName: 'DISK_GB' }] },
      ]);
    });

    test('a trait: only the providers that got or lost it', async () => {
      await seed().provider('tuned', { traits: ['HW_CPU_X86_AVX', 'HW_CPU_X86_SSE'] });
      await seed().provider('tuned_gpu', { parent: 'tuned', traits: ['HW_CPU_X86_SSE'] });
      const provider = (name: string, parent: string | null, traits: string[]) => ({
        ...{ uuid: uuidOf(name), name, parent, traits, inventories: [], aggregates: [], expect: {} },
      });
      const providers = [
        provider('tuned', null, ['HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2']),
        provider('tuned_gpu', 'tuned', ['HW_CPU_X86_MMX']),
      ];
      await seed().write('apply_provider_tree', { root: uuidOf('tuned'), providers, consumers: [], dryRun: false });
      const changed = async (trait: string) => {
        const [write] = (await lists.events?.({ traits: [trait], kinds: ['APPLY_PROVIDER_TREE'] })) ?? [];
        return write?.changes.nodes.map(({ resourceProviderUuid }) => resourceProviderUuid);
      };
      expect(await changed('HW_CPU_X86_AVX2')).toEqual([uuidOf('tuned')]);
      expect(await changed('HW_CPU_X86_MMX')).toEqual([uuidOf('tuned_gpu')]);
      expect(await changed('HW_CPU_X86_SSE')).toEqual([uuidOf('tuned'), uuidOf('tuned_gpu')].toSorted());
    });

    test('within the events of one subject, at most its own changes; or all on request', async () => {
      const { resourceProvider } = await ask<{ resourceProvider: { events: { nodes: { own: Changes; all: Changes }[] } } }>(
        `query ($uuid: UUID!, $filter: EventFilterInput) { resourceProvider(uuid: $uuid) { events(filter: $filter) {
          nodes { own: changes { totalCount } all: changes(everything: true) { totalCount } } } } }`,
        { uuid: uuidOf('big'), filter: { consumers: some } },
      );
      expect(resourceProvider.events.nodes).toEqual([{ own: { totalCount: 2 }, all: { totalCount: 1001 } }]);
    });
  });
});

test('inventories, traits, aggregates and names are given before and after', async () => {
  const { provider, inventories, traits, aggregates, write } = seed();
  await provider('cn1', { inventories: { VCPU: 8, DISK_GB: 10 }, traits: ['HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2'], aggregates: ['rack 1'] });
  await provider('cell', {});
  await inventories('cn1', { VCPU: { total: 16, allocationRatio: 4, reserved: 2 } });
  await traits('cn1', ['HW_CPU_X86_AVX2', 'HW_CPU_X86_SSE']);
  await aggregates('cn1', ['rack 2']);
  await write('update_resource_provider', { provider: uuidOf('cn1'), expect: {}, name: 'host1', parent: uuidOf('cell') });
  const { resourceProvider } = await ask<{ resourceProvider: { events: { nodes: { changes: Changes }[] } } }>(
    `query ($uuid: UUID!) { resourceProvider(uuid: $uuid) { events(first: 4) { nodes { changes { nodes { ${providerChange} } } } } } }`,
    { uuid: uuidOf('cn1') },
  );
  const same = { action: 'CHANGED', resourceProviderUuid: uuidOf('cn1'), resourceProvider: { uuid: uuidOf('cn1') } };
  const nothing = {
    ...same,
    name: null,
    parent: null,
    traitNamesAdded: [],
    traitNamesRemoved: [],
    aggregateUuidsAdded: [],
    aggregateUuidsRemoved: [],
    inventories: [],
  };
  const plain = { total: 16, reserved: 2, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 4, capacity: 56 };
  expect(resourceProvider.events.nodes.map(({ changes }) => changes.nodes[0])).toEqual([
    {
      ...nothing,
      generation: { before: 6, after: 7 },
      name: { before: 'cn1', after: 'host1' },
      parent: { before: null, after: uuidOf('cell') },
    },
    { ...nothing, generation: { before: 5, after: 6 }, aggregateUuidsAdded: [uuidOf('rack 2')], aggregateUuidsRemoved: [uuidOf('rack 1')] },
    { ...nothing, generation: { before: 4, after: 5 }, traitNamesAdded: ['HW_CPU_X86_SSE'], traitNamesRemoved: ['HW_CPU_X86_AVX'] },
    {
      ...nothing,
      generation: { before: 3, after: 4 },
      inventories: [
        { resourceClassName: 'DISK_GB', before: { total: 10, capacity: 10 }, after: null },
        { resourceClassName: 'VCPU', before: { total: 8, capacity: 8 }, after: plain },
      ],
    },
  ]);
});

test('names, services, devices and facts are added, changed and removed', async () => {
  const { provider, write } = seed();
  await provider('host', {});
  await write('create_trait', { name: 'CUSTOM_A' });
  await write('delete_trait', { name: 'CUSTOM_A' });
  await write('create_resource_class', { name: 'CUSTOM_B' });
  await write('rename_resource_class', { from: 'CUSTOM_B', name: 'CUSTOM_C' });
  await write('name_aggregate', { aggregate: uuidOf('rack'), name: 'rack 1' });
  await write('report_service', { host: 'host 1', program: 'nova-compute', version: 72 });
  const record = { kind: 'compute_node', name: 'host', uuid: uuidOf('host'), body: { cpuInfo: { model: 'x' }, traits: ['A'] } };
  await write('apply_report', { root: uuidOf('host'), devices: [{ address: '0000:81:00.0', status: 'available' }], record });
  await write('apply_report', { root: uuidOf('host'), devices: [], record });
  const { events } = await ask<{
    events: { nodes: { kind: string; changes: { nodes: unknown[] } }[] };
  }>(`{ events(first: 8) { nodes { kind changes { nodes {
    action
    ... on AggregateChange { aggregateUuid name { before after } }
    ... on TraitChange { traitName }
    ... on ResourceClassChange { resourceClassName }
    ... on ServiceChange { host binary version { before after } }
    ... on DeviceChange { resourceProviderUuid resourceProvider { name } address facts { name before after } }
    ... on RecordChange { recordKind recordUuid facts { name before after } }
  } } } } }`);
  const device = { resourceProviderUuid: uuidOf('host'), resourceProvider: { name: 'host' }, address: '0000:81:00.0' };
  expect(events.nodes.map(({ kind, changes }) => [kind, ...changes.nodes]).toReversed()).toEqual([
    ['CREATE_TRAIT', { action: 'CREATED', traitName: 'CUSTOM_A' }],
    ['DELETE_TRAIT', { action: 'DELETED', traitName: 'CUSTOM_A' }],
    ['CREATE_RESOURCE_CLASS', { action: 'CREATED', resourceClassName: 'CUSTOM_B' }],
    ['RENAME_RESOURCE_CLASS', { action: 'DELETED', resourceClassName: 'CUSTOM_B' }, { action: 'CREATED', resourceClassName: 'CUSTOM_C' }],
    ['NAME_AGGREGATE', { action: 'CHANGED', aggregateUuid: uuidOf('rack'), name: { before: null, after: 'rack 1' } }],
    ['REPORT_SERVICE', { action: 'CREATED', host: 'host 1', binary: 'nova-compute', version: { before: null, after: 72 } }],
    [
      'APPLY_REPORT',
      { action: 'CREATED', ...device, facts: [{ name: 'status', before: null, after: 'available' }] },
      {
        ...{ action: 'CREATED', recordKind: 'compute_node', recordUuid: uuidOf('host') },
        facts: [
          { name: 'cpuInfo.model', before: null, after: 'x' },
          { name: 'name', before: null, after: 'host' },
          { name: 'traits.0', before: null, after: 'A' },
        ],
      },
    ],
    ['APPLY_REPORT', { action: 'DELETED', ...device, facts: [{ name: 'status', before: 'available', after: null }] }],
  ]);
});

test('what a reservation keeps of a renamed class has its old name in the events until then, and its new one from then on', async () => {
  const { provider, reservation, write } = seed();
  await provider('keeper', { inventories: { CUSTOM_OLD: 10, VCPU: 10 } });
  await reservation('kept', { keeper: { CUSTOM_OLD: 4, VCPU: 1 } }, { project: 'keeping' });
  await reservation('other', { keeper: { VCPU: 1 } }, { project: 'other' });
  await write('rename_resource_class', { from: 'CUSTOM_OLD', name: 'CUSTOM_NEW' });
  await write('release_reservation', { reservation: uuidOf('kept'), expect: {} });
  const listed = async (projects: string[]) =>
    (
      await ask<{
        events: { nodes: { kind: string; changes: { nodes: { facts?: { name: string; before: string; after: string }[] }[] } }[] };
      }>(
        `query ($projects: [String!]) { events(filter: { projects: $projects }, direction: ASC) { nodes { kind changes(everything: true) {
          nodes { ... on RecordChange { facts { name before after } } } } } } }`,
        { projects },
      )
    ).events.nodes.map(({ kind, changes }) => [
      kind,
      ...changes.nodes.flatMap(({ facts = [] }) => facts.filter(({ name }) => name.startsWith('amounts'))),
    ]);
  const fact = (name: string, before: string | null, after: string | null) => ({
    name: `amounts.${uuidOf('keeper')}.${name}`,
    before,
    after,
  });
  expect(await listed(['keeping'])).toEqual([
    ['REPLACE_RESERVATION', fact('CUSTOM_OLD', null, '4'), fact('VCPU', null, '1')],
    ['RENAME_RESOURCE_CLASS', fact('CUSTOM_NEW', null, '4'), fact('CUSTOM_OLD', '4', null)],
    ['RELEASE_RESERVATION', fact('CUSTOM_NEW', '4', null), fact('VCPU', '1', null)],
  ]);
  expect((await listed(['other'])).map(([kind]) => kind)).toEqual(['REPLACE_RESERVATION']);
});

test('the lists of a project and of a provider have what a reservation changed for it', async () => {
  const { provider, reservation, write } = seed();
  await provider('lecture hall', { inventories: { VCPU: 10 } });
  await provider('classroom', { inventories: { VCPU: 10 } });
  await reservation('lecture', { 'lecture hall': { VCPU: 1 } }, { project: 'lecturing' });
  await write('replace_reservation', {
    reservation: { uuid: uuidOf('lecture'), endsAt: '2099-01-01T00:00:00Z' },
    ...{ expect: {}, most: limits.reservationAmounts },
  });
  await reservation('talk', { classroom: { VCPU: 1 } }, { project: 'talking' });
  await write('end_reservations', { until: '2099-01-01T00:00:00Z', most: 10 });
  const changes = 'direction: ASC) { nodes { kind changes { nodes { action ... on RecordChange { recordUuid facts { name } } } } } }';
  interface Found {
    readonly nodes: readonly {
      readonly kind: string;
      readonly changes: {
        readonly nodes: readonly { readonly action: string; readonly recordUuid?: string; readonly facts?: { name: string }[] }[];
      };
    }[];
  }
  const { project, resourceProvider, ...filtered } = await ask<
    Record<'byProject' | 'byProvider' | 'byTree', Found> & Record<'project' | 'resourceProvider', { events: Found }>
  >(
    `query ($hall: UUID!) {
      project(externalId: "lecturing") { events(${changes} }
      resourceProvider(uuid: $hall) { events(filter: { kinds: [REPLACE_RESERVATION, END_RESERVATIONS] }, ${changes} }
      byProject: events(filter: { projects: ["lecturing"] }, ${changes}
      byProvider: events(filter: { resourceProviders: [$hall], kinds: [REPLACE_RESERVATION, END_RESERVATIONS] }, ${changes}
      byTree: events(filter: { inTrees: [$hall], kinds: [REPLACE_RESERVATION, END_RESERVATIONS] }, ${changes} }`,
    { hall: uuidOf('lecture hall') },
  );
  const lecture = { recordUuid: uuidOf('lecture') };
  const all = [`amounts.${uuidOf('lecture hall')}.VCPU`, 'endsAt', 'generation', 'project', 'startsAt'].map((name) => ({ name }));
  for (const { nodes } of [project.events, resourceProvider.events, ...Object.values(filtered)]) {
    expect(nodes.map(({ kind, changes: { nodes: changed } }) => [kind, ...changed])).toEqual([
      ['REPLACE_RESERVATION', { action: 'CREATED', ...lecture, facts: all }],
      ['REPLACE_RESERVATION', { action: 'CHANGED', ...lecture, facts: [{ name: 'endsAt' }, { name: 'generation' }] }],
      ['END_RESERVATIONS', { action: 'DELETED', ...lecture, facts: all }],
    ]);
  }
});

test('a kind of a newer version is OTHER, and every kind of this version is in the contract', async () => {
  await database.db.writes`update events set kind = 'TELEPORT' where id = (select max(id) from events)`;
  expect(await ask('{ events(first: 1) { nodes { kind } } }')).toEqual({ events: { nodes: [{ kind: 'OTHER' }] } });
  const contract = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
  const [, values = ''] = /^enum EventKind @open \{\n([^}]*)\}/m.exec(contract) ?? [];
  const described = [...values.matchAll(/"\n {2}([A-Z_]+)\n/g)].map(([, name]) => name);
  expect(described).toEqual([...eventKinds, 'OTHER']);
});
