// Claims: search and allocate in one call, with real races. The search is tested in test/domain/candidates.
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/sql/client.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import { limits } from '../../../src/domain/limits.ts';
import { releaseAllocations, replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { renderClaimToken } from '../../../src/operations/allocations/claim-token.ts';
import { allocationsOf, findCandidates } from '../../../src/operations/candidates/candidates.ts';
import type { ClaimConsumer, ClaimInput } from '../../../src/operations/candidates/claim-units.ts';
import { claim, tryClaim } from '../../../src/operations/candidates/claims.ts';
import type { CandidatesInput } from '../../../src/operations/candidates/requests.ts';
import { forestOf } from '../../../src/operations/forest/forest.ts';
import { useDatabase } from '../../support/database.ts';
import { scopeOf } from '../../support/graphql.ts';
import { uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let made = 0;

/** A consumer that does not exist yet. */
function newcomer(rest: Partial<ClaimConsumer> = {}): ClaimConsumer {
  made++;
  const consumer = `c0000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  return { consumer, expect: { isNew: true }, project: 'p', user: 'u', consumerType: 'INSTANCE', ...rest };
}

const vcpus = (amount: number, rest: Partial<CandidatesInput> = {}): CandidatesInput => ({
  groups: [{ resources: [{ resourceClass: 'VCPU', amount }] }],
  ...rest,
});

const take = (input: ClaimInput) => claim(scopeOf(database.db), input);

async function problemsOf(input: ClaimInput) {
  const error = await take(input).catch((thrown: unknown) => thrown);
  if (!(error instanceof Refusal)) throw error;
  return error.problems;
}

/** Who holds how much of which provider, by name. */
async function holdings(): Promise<Record<string, number>> {
  const rows = await database.db.sql<{ name: string; used: number }[]>`
    select p.name, sum(a.used)::int as used from allocations a join resource_providers p on p.id = a.resource_provider_id group by p.name order by p.name`;
  return Object.fromEntries(rows.map(({ name, used }) => [name, used]));
}

async function releaseAll() {
  const held = await database.db.sql<{ uuid: string }[]>`select uuid from consumers`;
  if (held.length === 0) return;
  await releaseAllocations(scopeOf(database.db), {
    consumers: held.map(({ uuid }) => ({ consumer: uuid, expect: { unchecked: true } })),
  });
}

afterEach(releaseAll);

test('the cloud of these tests', async () => {
  await plantTrees(
    database.db,
    `
    cn1  VCPU 8
    cn2  VCPU 8
    cn3  VCPU 4
    `,
  );
  expect(await holdings()).toEqual({});
});

describe('one consumer', () => {
  test("lands on the first candidate, and the answer has its generation and the provider's new state", async () => {
    const consumer = newcomer();
    const { claims, providers, problems } = await take({ consumers: [consumer], request: vcpus(2) });
    expect(problems).toEqual([]);
    expect(claims).toMatchObject([
      { consumer: { uuid: consumer.consumer, generation: 1 }, candidate: { root: { name: 'cn1' } }, alternates: [] },
    ]);
    const [provider] = providers;
    expect(claims[0]?.candidate?.allocations[0]?.resourceProvider.generation).toBe(provider?.generation);
    expect(await holdings()).toEqual({ cn1: 2 });
  });

  test('spreads or packs as requested', async () => {
    await take({ consumers: [newcomer()], request: vcpus(2, { orderBy: [{ field: 'FREE', resourceClass: 'VCPU', direction: 'DESC' }] }) });
    await take({ consumers: [newcomer()], request: vcpus(2, { orderBy: [{ field: 'FREE', resourceClass: 'VCPU', direction: 'DESC' }] }) });
    await take({ consumers: [newcomer()], request: vcpus(1, { orderBy: [{ field: 'FREE', resourceClass: 'VCPU' }] }) });
    expect(await holdings()).toEqual({ cn1: 2, cn2: 2, cn3: 1 });
  });

  test('gets alternates on other roots, each of which can be claimed by its token', async () => {
    const { claims } = await take({ consumers: [newcomer()], request: vcpus(2), alternates: 2 });
    expect(claims[0]?.alternates.map(({ root }) => root.name)).toEqual(['cn2', 'cn3']);
    const [alternate] = claims[0]?.alternates ?? [];
    if (!alternate) throw new Error('no alternate');
    const claimToken = renderClaimToken(allocationsOf(alternate));
    const { consumer, expect: expected, ...rest } = newcomer();
    await replaceAllocations(scopeOf(database.db), { consumers: [{ consumer, expect: expected, hold: { claimToken }, ...rest }] });
    expect(await holdings()).toEqual({ cn1: 2, cn2: 2 });
  });

  test('gets alternates only in the same one of some aggregates, even if it is in none of them', async () => {
    const aggregates = { east: uuidOf('east'), west: uuidOf('west') };
    await plantTrees(
      database.db,
      `
      e1  CELL 1  @east
      e2  CELL 1  @east
      w1  CELL 1  @west
      b1  CELL 1  @east @west
      n1  CELL 1
      n2  CELL 1
      `,
    );
    const request = (root: string): CandidatesInput => ({
      groups: [{ resources: [{ resourceClass: 'CUSTOM_CELL', amount: 1 }] }],
      ...(root === 'n1' ? { rootAggregates: [{ noneOf: Object.values(aggregates) }] } : {}),
    });
    const alternatesOf = async (root: string, alternatesIn: readonly string[]) => {
      const { claims } = await take({ consumers: [newcomer()], request: request(root), alternates: 9, alternatesIn });
      expect(claims[0]?.candidate?.root.name).toBe(root);
      return claims[0]?.alternates.map(({ root: other }) => other.name);
    };
    expect(await alternatesOf('e1', Object.values(aggregates))).toEqual(['e2']);
    expect(await alternatesOf('e2', [aggregates.east])).toEqual(['b1']);
    expect(await alternatesOf('n1', Object.values(aggregates))).toEqual(['n2']);
  });

  test('that exists already is refused as in replaceAllocations, with its path in the claim', async () => {
    const consumer = newcomer();
    await take({ consumers: [consumer], request: vcpus(1) });
    expect(await problemsOf({ consumers: [newcomer(), consumer], request: vcpus(1) })).toMatchObject([
      { code: 'CONSUMER_CONFLICT', path: ['consumers', '1', 'expect'] },
    ]);
    expect(await holdings()).toEqual({ cn1: 1 });
  });

  test('without a candidate is told why, and nothing is written', async () => {
    const consumer = newcomer();
    expect(await problemsOf({ consumers: [consumer], request: vcpus(9) })).toMatchObject([
      {
        code: 'NO_CANDIDATES',
        path: ['consumers', '0'],
        consumer: consumer.consumer,
        explanation: { summary: expect.stringContaining('VCPU') },
      },
    ]);
    expect(await holdings()).toEqual({});
  });
});

describe('many consumers', () => {
  test('do not count on the same room: each gets what the previous ones have left', async () => {
    const consumers = Array.from({ length: 5 }, () => newcomer());
    const { claims } = await take({ consumers, request: vcpus(4) });
    expect(claims.map(({ consumer }) => consumer.uuid)).toEqual(consumers.map(({ consumer }) => consumer));
    expect(await holdings()).toEqual({ cn1: 8, cn2: 8, cn3: 4 });
  });

  test('are served in one call, as many as it may have, each once', async () => {
    await plantTrees(database.db, `large  MEMORY_MB ${limits.claimConsumers}`);
    const consumers = Array.from({ length: limits.claimConsumers }, () => newcomer());
    const request = { groups: [{ resources: [{ resourceClass: 'MEMORY_MB', amount: 1 }] }] };
    const { claims } = await take({ consumers, request });
    expect(claims.map(({ consumer }) => consumer.uuid)).toEqual(consumers.map(({ consumer }) => consumer));
    expect(await holdings()).toEqual({ large: limits.claimConsumers });
  });

  test('are refused where their number is bounded more narrowly', async () => {
    const input = { consumers: [newcomer(), newcomer()], request: vcpus(1) };
    await expect(tryClaim(scopeOf(database.db), input, { mostConsumers: 1 })).rejects.toMatchObject({
      problems: [{ path: ['consumers'] }],
    });
  });

  test('are all refused if one has no candidate', async () => {
    const consumers = Array.from({ length: 6 }, () => newcomer());
    expect(await problemsOf({ consumers, request: vcpus(4) })).toMatchObject([{ code: 'NO_CANDIDATES', path: ['consumers', '5'] }]);
    expect(await holdings()).toEqual({});
  });

  test('are served as far as possible with BEST_EFFORT, and the others are named', async () => {
    const consumers = Array.from({ length: 6 }, () => newcomer());
    const { claims, problems } = await take({ consumers, request: vcpus(4), mode: 'BEST_EFFORT' });
    expect(claims).toHaveLength(5);
    expect(problems).toMatchObject([{ code: 'NO_CANDIDATES', path: ['consumers', '5'] }]);
    expect(await holdings()).toEqual({ cn1: 8, cn2: 8, cn3: 4 });
  });

  test('are served with BEST_EFFORT even if one does not match expectations', async () => {
    const known = newcomer();
    await take({ consumers: [known], request: vcpus(1) });
    const { claims, problems } = await take({ consumers: [known, newcomer()], request: vcpus(1), mode: 'BEST_EFFORT' });
    expect(claims).toHaveLength(1);
    expect(problems).toMatchObject([{ code: 'CONSUMER_CONFLICT', path: ['consumers', '0', 'expect'] }]);
  });
});

describe('a consumer that takes over', () => {
  test('gets what the other held, while the other gets a candidate: the start of a migration in one call', async () => {
    const server = newcomer();
    await take({ consumers: [server], request: vcpus(8) });
    const migration = newcomer({ takeFrom: server.consumer, consumerType: 'MIGRATION' });
    const { claims } = await take({
      consumers: [migration, { consumer: server.consumer, expect: { generation: 1 } }],
      request: vcpus(8),
    });
    expect(claims).toMatchObject([
      { consumer: { uuid: migration.consumer, generation: 1, type: 'MIGRATION' }, candidate: null },
      { consumer: { uuid: server.consumer, generation: 2 }, candidate: { root: { name: 'cn2' } } },
    ]);
    expect(await holdings()).toEqual({ cn1: 8, cn2: 8 });
  });

  test('must name a consumer of the claim that gets a candidate', async () => {
    expect(await problemsOf({ consumers: [newcomer(), newcomer({ takeFrom: newcomer().consumer })], request: vcpus(1) })).toMatchObject([
      { code: 'INVALID_INPUT', path: ['consumers', '1', 'takeFrom'] },
    ]);
  });
});

describe('races', () => {
  const mostFree = [{ field: 'FREE', resourceClass: 'VCPU', direction: 'DESC' } as const];

  test('of many claims for the last room: as many as fit land, and all others are told that nothing is left', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 14 }, async () => take({ consumers: [newcomer()], request: vcpus(2) }).catch((error: unknown) => error)),
    );
    const refused = outcomes.filter((outcome) => outcome instanceof Refusal);
    expect(outcomes.length - refused.length).toBe(10);
    for (const refusal of refused) expect((refusal as Refusal).problems).toMatchObject([{ code: 'NO_CANDIDATES' }]);
    expect(await holdings()).toEqual({ cn1: 8, cn2: 8, cn3: 4 });
  });

  test('of spreading claims choose different hosts: what others are about to take counts as taken', async () => {
    await Promise.all(Array.from({ length: 16 }, () => take({ consumers: [newcomer()], request: vcpus(1, { orderBy: mostFree }) })));
    const { cn1 = 0, cn2 = 0, cn3 = 0 } = await holdings();
    const free = [8 - cn1, 8 - cn2, 4 - cn3];
    // Level is 1, 1 and 2. A claim that was read before its answer came counts twice for a moment.
    expect(Math.max(...free) - Math.min(...free)).toBeLessThanOrEqual(2);
  });

  test('of claims that arrive together take few calls: while one call is written the others search, and share the next', async () => {
    const callsOfSixteen = async () => {
      await releaseAll();
      database.statements.length = 0;
      await Promise.all(Array.from({ length: 16 }, () => take({ consumers: [newcomer()], request: vcpus(1, { orderBy: mostFree }) })));
      return database.statements.filter((statement) => statement.includes('apply_write')).length;
    };
    // On a machine that does much else, they do not always arrive together.
    await expect.poll(callsOfSixteen, { timeout: 20_000 }).toBeLessThan(8);
  });

  test('leave nothing reserved by claims that are refused, and nobody is refused because of what is only reserved', async () => {
    const { reservations } = forestOf(database.db);
    await take({ consumers: [newcomer()], request: vcpus(1) });
    const existing = (await database.db.sql<{ uuid: string }[]>`select uuid from consumers`)[0]?.uuid ?? '';
    expect(await problemsOf({ consumers: [newcomer({ consumer: existing })], request: vcpus(1) })).toMatchObject([
      { code: 'CONSUMER_CONFLICT' },
    ]);
    const forest = await forestOf(database.db).current();
    expect(reservations.amountsIn(forest)).toEqual([]);
    const all = [...forest.everyProvider()].flatMap((provider) => ({ provider, classId: 0, amount: 8 }));
    const reservation = reservations.hold(all);
    expect((await take({ consumers: [newcomer()], request: vcpus(1, { orderBy: mostFree }) })).claims).toHaveLength(1);
    reservations.giveBack(reservation);
  });

  test('through two gateways never over-commit, and each sees what the other wrote', async () => {
    const other = openDatabase(database.target);
    try {
      const outcomes = await Promise.all(
        Array.from({ length: 14 }, async (_, turn) =>
          claim(scopeOf(turn % 2 === 0 ? database.db : other), { consumers: [newcomer()], request: vcpus(2) }).catch(
            (error: unknown) => error,
          ),
        ),
      );
      expect(outcomes.filter((outcome) => !(outcome instanceof Refusal))).toHaveLength(10);
      expect((await findCandidates(scopeOf(other), vcpus(1))).candidates).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe('a contradictory claim', () => {
  const cases: [string, Partial<ClaimInput>, readonly string[]][] = [
    ['no consumer', { consumers: [] }, ['consumers']],
    ['too many alternates', { alternates: 21 }, ['alternates']],
    ['too many alternates in all', { alternates: 20, consumers: Array.from({ length: 101 }, () => newcomer()) }, ['alternates']],
    [
      'an unknown class',
      { request: { groups: [{ resources: [{ resourceClass: 'CUSTOM_NONE', amount: 1 }] }] } },
      ['request', 'groups', '0', 'resources', '0', 'resourceClass'],
    ],
    ['a group that asks for nothing', { request: { groups: [{}] } }, ['request', 'groups']],
  ];
  test.each(cases)('is refused with its path: %s', async (_, wrong, path) => {
    const [problem] = await problemsOf({ consumers: [newcomer()], request: vcpus(1), ...wrong });
    expect(problem?.path).toEqual(path);
  });
});
