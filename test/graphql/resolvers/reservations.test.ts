// Reservations as clients read them, who may, and what each question costs in statements.
import { beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { useDatabase } from '../../support/database.ts';
import { refusalOf, useCallers } from '../../support/personas.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const ask = useCallers(() => database);

const past = '2026-01-01T00:00:00Z';
const morning = '2099-01-05T09:00:00Z';
const noon = '2099-01-05T12:00:00Z';
const evening = '2099-01-05T17:00:00Z';

beforeAll(async () => {
  const seed = createSeed(database.db);
  for (const host of ['host 1', 'host 2']) await seed.provider(host, { inventories: { VCPU: 100, MEMORY_MB: 1000 } });
  await seed.reservation('evening', { 'host 2': { VCPU: 30 } }, { project: 'green', startsAt: noon, endsAt: evening });
  await seed.reservation(
    'day',
    { 'host 1': { VCPU: 10 }, 'host 2': { VCPU: 20, MEMORY_MB: 100 } },
    { project: 'blue', startsAt: morning, endsAt: evening },
  );
  await seed.reservation('running', { 'host 1': { VCPU: 40 } }, { project: 'blue', startsAt: past, endsAt: noon });
  for (const consumer of ['vm 1', 'vm 2'])
    await seed.claim(consumer, { 'host 1': { VCPU: 3 } }, { project: 'blue', reservation: 'running' });
});

const uuidsOf = (names: readonly string[]) => names.map((uuid) => ({ uuid: uuidOf(uuid) }));
const list = (args: string) => `{ reservations${args && `(${args})`} { nodes { uuid } totalCount } }`;

describe('a reservation', () => {
  const fields = `uuid project { externalId } generation startsAt endsAt hasBegun consumerCount
    amounts { resourceProvider { name } resourceClassName amount claimed }`;

  test('is read with what it keeps and what is claimed of it', async () => {
    const { data } = await ask('admin', `{ reservation(uuid: "${uuidOf('running')}") { ${fields} } }`);
    expect(data?.reservation).toEqual({
      ...{ uuid: uuidOf('running'), project: { externalId: 'blue' }, generation: 1, startsAt: expect.any(String), endsAt: noon },
      ...{ hasBegun: true, consumerCount: 2 },
      amounts: [{ resourceProvider: { name: 'host 1' }, resourceClassName: 'VCPU', amount: 40, claimed: 6 }],
    });
  });

  test('that has not begun is read as that', async () => {
    const { data } = await ask('admin', `{ reservation(uuid: "${uuidOf('day')}") { ${fields} createdAt updatedAt } }`);
    const kept = (name: string, resourceClassName: string, amount: number) => ({
      ...{ resourceProvider: { name }, resourceClassName, amount, claimed: 0 },
    });
    expect(data?.reservation).toMatchObject({
      ...{ startsAt: morning, endsAt: evening, hasBegun: false, consumerCount: 0 },
      amounts: [kept('host 1', 'VCPU', 10), kept('host 2', 'VCPU', 20), kept('host 2', 'MEMORY_MB', 100)],
    });
  });

  test('that was never made is null', async () => {
    expect((await ask('admin', `{ reservation(uuid: "${uuidOf('none')}") { uuid } }`)).data).toEqual({ reservation: null });
  });

  test('is that of the consumers that claim from it', async () => {
    const { data } = await ask('admin', '{ consumers { nodes { expiresAt reservation { uuid consumerCount } } } }');
    expect(data?.consumers).toEqual({
      nodes: ['vm 1', 'vm 2'].map(() => ({ expiresAt: noon, reservation: { uuid: uuidOf('running'), consumerCount: 2 } })),
    });
  });
});

test('the past shows what was held, and nothing of reservations, which events tell of', async () => {
  const seed = createSeed(database.db);
  await seed.provider('host 3', { inventories: { VCPU: 10 } });
  await seed.reservation('gone', { 'host 3': { VCPU: 8 } }, { project: 'blue' });
  await seed.claim('vm 3', { 'host 3': { VCPU: 3 } }, { project: 'blue', reservation: 'gone' });
  const [row] = await database.own<{ moment: Date }[]>`select clock_timestamp() as moment`;
  const moment = new Date(row?.moment ?? 0).toISOString();
  await seed.write('release_allocations', { consumers: [{ uuid: uuidOf('vm 3'), expect: {}, allocations: [] }] });
  await seed.write('release_reservation', { reservation: uuidOf('gone'), expect: {} });
  const { data } = await ask(
    'admin',
    `{ asOf(moment: "${moment}") {
        pastResourceProvider(name: "host 3") { inventories { resourceClassName used capacity } }
        pastConsumer(uuid: "${uuidOf('vm 3')}") { consumer { uuid } expiresAt allocations { amount } }
      }
      events(filter: { kinds: [REPLACE_RESERVATION, RELEASE_RESERVATION] }, first: 2) { nodes { kind } } }`,
  );
  expect(data).toEqual({
    asOf: {
      pastResourceProvider: { inventories: [{ resourceClassName: 'VCPU', used: 3, capacity: 10 }] },
      pastConsumer: { consumer: null, expiresAt: expect.any(String), allocations: [{ amount: 3 }] },
    },
    events: { nodes: [{ kind: 'RELEASE_RESERVATION' }, { kind: 'REPLACE_RESERVATION' }] },
  });
  await seed.write('delete_resource_provider', { provider: uuidOf('host 3'), expect: {} });
});

test('an inventory shows what a claim without a reservation does not find', async () => {
  const { data } = await ask(
    'admin',
    '{ resourceProviders(orderBy: { field: NAME }) { nodes { name inventory(resourceClass: "VCPU") { used free promised } } } }',
  );
  expect(data?.resourceProviders).toEqual({
    nodes: [
      // The most at once: 40 until noon with the 10 of the morning, of which 6 are used.
      { name: 'host 1', inventory: { used: 6, free: 94, promised: 44 } },
      { name: 'host 2', inventory: { used: 0, free: 100, promised: 50 } },
    ],
  });
});

test('totals have the sum of it, over the cloud and over chosen trees', async () => {
  const { data } = await ask(
    'admin',
    `{ totals(filter: { names: "host 2" }) { own { resourceClass { name } promised } } resourceClass(name: "VCPU") { cloudTotal { promised } }
      all: totals { own { resourceClass { name } promised } } resourceProvider(name: "host 1") { treeInventories { promised } } }`,
  );
  const sums = (vcpu: number) => ({
    own: [
      { resourceClass: { name: 'VCPU' }, promised: vcpu },
      { resourceClass: { name: 'MEMORY_MB' }, promised: 100 },
    ],
  });
  expect(data).toEqual({
    ...{ totals: sums(50), all: sums(94), resourceClass: { cloudTotal: { promised: 94 } } },
    resourceProvider: { treeInventories: [{ promised: 44 }, { promised: 0 }] },
  });
});

describe('an explanation', () => {
  const explained = (input: string) => `{ allocationCandidates(input: ${input}) {
    explanation { nearestMisses { sample { name } lacks { amount } lacksTraitNames reservations { uuid startsAt endsAt project { externalId } } } } } }`;
  const vcpu = (amount: number, more = '') => `{ groups: { resources: { resourceClass: "VCPU", amount: ${amount} } } ${more} }`;
  const missesFor = async (input: string) => {
    const { data } = await ask('admin', explained(input));
    const found = data?.allocationCandidates as { explanation: { nearestMisses: { reservations: { uuid: string }[] }[] } } | undefined;
    return found?.explanation.nearestMisses ?? [];
  };

  test('names the reservations that keep what is lacking, from when until when, and for whom', async () => {
    const [miss] = await missesFor(vcpu(60));
    expect(miss).toMatchObject({ sample: [{ name: 'host 1' }, { name: 'host 2' }], lacks: [{ amount: 10 }] });
    expect(miss?.reservations).toEqual([
      { uuid: uuidOf('running'), startsAt: expect.any(String), endsAt: noon, project: { externalId: 'blue' } },
      { uuid: uuidOf('day'), startsAt: morning, endsAt: evening, project: { externalId: 'blue' } },
      { uuid: uuidOf('evening'), startsAt: noon, endsAt: evening, project: { externalId: 'green' } },
    ]);
  });

  test('for a period names them, too', async () => {
    const during = `during: { from: "${noon}", until: "${evening}" }`;
    const [miss] = await missesFor(vcpu(95, during));
    expect(miss).toMatchObject({ sample: [{ name: 'host 1' }, { name: 'host 2' }] });
    expect(miss?.reservations.map(({ uuid }) => uuid)).toContain(uuidOf('evening'));
  });

  test('names none where nothing is reserved of what is lacking', async () => {
    const [miss] = await missesFor('{ groups: { resources: { resourceClass: "VCPU", amount: 1 }, traits: { allOf: "COMPUTE_NODE" } } }');
    expect(miss).toMatchObject({ lacksTraitNames: ['COMPUTE_NODE'], reservations: [] });
  });
});

describe('the list', () => {
  test.each<[words: string, args: string, names: readonly string[]]>([
    ['has all, by their beginning', '', ['running', 'day', 'evening']],
    ['of projects', 'filter: { projects: ["green", "none"] }', ['evening']],
    ['of providers', `filter: { resourceProviders: ["${uuidOf('host 2')}"] }`, ['day', 'evening']],
    ['of a period that has its end, but not its beginning', `filter: { during: { from: "${past}", until: "${morning}" } }`, ['running']],
    ['of a period up to which one lasts', `filter: { during: { from: "${noon}", until: "${evening}" } }`, ['day', 'evening']],
    ['of all conditions together', `filter: { projects: "blue", resourceProviders: ["${uuidOf('host 2')}"] }`, ['day']],
    ['of none of no projects', 'filter: { projects: [] }', []],
  ])('%s', async (_words, args, names) => {
    expect((await ask('admin', list(args))).data).toEqual({ reservations: { nodes: uuidsOf(names), totalCount: names.length } });
  });

  test('is read in pages, forward and backward', async () => {
    const page = async (args: string) => {
      const { data } = await ask('admin', `{ reservations(${args}) { nodes { uuid } pageInfo { startCursor endCursor hasNextPage } } }`);
      return data?.reservations as { nodes: object[]; pageInfo: Record<string, string> };
    };
    const first = await page('first: 2');
    expect(first.nodes).toEqual(uuidsOf(['running', 'day']));
    const rest = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(rest).toMatchObject({ nodes: uuidsOf(['evening']), pageInfo: { hasNextPage: false } });
    expect((await page(`last: 1, before: "${rest.pageInfo.startCursor}"`)).nodes).toEqual(uuidsOf(['day']));
    const latest = await page('first: 2, direction: DESC');
    expect(latest.nodes).toEqual(uuidsOf(['evening', 'day']));
    expect((await page(`direction: DESC, after: "${latest.pageInfo.endCursor}"`)).nodes).toEqual(uuidsOf(['running']));
  });

  test.each<[words: string, args: string, path: readonly string[]]>([
    ['an empty period', `filter: { during: { from: "${noon}", until: "${noon}" } }`, ['filter', 'during', 'until']],
    ['a project without an id', 'filter: { projects: "" }', ['filter', 'projects', '0']],
    ['too many projects', `filter: { projects: [${Array.from({ length: limits.filterKeys + 1 }, () => '"p"')}] }`, ['filter', 'projects']],
    ['a page of a negative size', 'first: -1', ['first']],
  ])('refuses %s', async (_words, args, path) => {
    const { errors } = await ask('admin', list(args));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', path });
  });
});

describe('a reader of a project', () => {
  test('reads those of its project, without their providers', async () => {
    const amounts = 'amounts { resourceClassName amount claimed }';
    const { data } = await ask('reader', `{ reservations { nodes { uuid consumerCount ${amounts} } totalCount } }`);
    expect(data?.reservations).toEqual({
      nodes: [
        { uuid: uuidOf('running'), consumerCount: 2, amounts: [{ resourceClassName: 'VCPU', amount: 40, claimed: 6 }] },
        {
          ...{ uuid: uuidOf('day'), consumerCount: 0 },
          amounts: ['VCPU', 'VCPU', 'MEMORY_MB'].map((resourceClassName, n) => ({
            ...{ resourceClassName, amount: [10, 20, 100][n], claimed: 0 },
          })),
        },
      ],
      totalCount: 2,
    });
    expect((await ask('reader', `{ reservation(uuid: "${uuidOf('evening')}") { uuid } }`)).data).toEqual({ reservation: null });
    expect((await ask('reader', list('filter: { projects: "green" }'))).data).toEqual({ reservations: { nodes: [], totalCount: 0 } });
  });

  test('may neither ask on which providers they are nor write any', async () => {
    const where = `filter: { resourceProviders: ["${uuidOf('host 1')}"] }`;
    expect(refusalOf(await ask('reader', list(where)))).toContain('FORBIDDEN');
    expect(refusalOf(await ask('reader', '{ reservations { nodes { amounts { resourceProvider { name } } } } }'))).toContain('FORBIDDEN');
    const release = `releaseReservation(input: { reservation: "${uuidOf('day')}", expect: { unchecked: true } }) { releasedUuid }`;
    for (const who of ['reader', 'member', 'auditor'] as const)
      expect(refusalOf(await ask(who, `mutation { ${release} }`))).toContain('FORBIDDEN');
  });
});

describe('statements', () => {
  test.each<[words: string, question: string, statements: number]>([
    ['a page', '{ reservations { nodes { uuid hasBegun project { externalId } } } }', 1],
    [
      'a page, its count, and everything of each',
      '{ reservations { totalCount nodes { consumerCount amounts { claimed resourceProvider { name } } } } }',
      5,
    ],
    [
      'a search that finds nothing, and the reservations in its way',
      `{ allocationCandidates(input: { groups: { resources: { resourceClass: "VCPU", amount: 60 } } }) {
        explanation { nearestMisses { reservations { uuid } } } } }`,
      2,
    ],
    ['consumers, their reservations, and what these keep', '{ consumers { nodes { reservation { endsAt amounts { claimed } } } } }', 3],
  ])('%s', async (_words, question, statements) => {
    database.statements.length = 0;
    expect((await ask('admin', question)).errors).toBeUndefined();
    expect(database.statements.length).toBe(statements);
  });
});
