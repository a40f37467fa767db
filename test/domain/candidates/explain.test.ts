// Explanations: their numbers are confirmed by the search itself, tree by tree, and operators can act on their messages.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainSearch } from '../../../src/domain/candidates/explain.ts';
import type { CandidateRequest } from '../../../src/domain/candidates/request.ts';
import { searchCandidates } from '../../../src/domain/candidates/search.ts';
import type { Explanation, ExplanationStep, FilterKind, FilterSubject } from '../../../src/domain/explanation.ts';
import { countCombinations } from '../../support/candidate-oracle.ts';
import { readRequest } from '../../support/candidate-request.ts';
import { least, sampled } from '../../support/profile.ts';
import { randomCloud, randomRequest } from '../../support/random-clouds.ts';
import { uuidOf } from '../../support/seed.ts';
import { type DrawnProvider, drawnInventory, forestOf, traitNamed } from '../../support/tree.ts';

const question = fc.tuple(randomCloud, randomRequest).filter(([cloud, request]) => countCombinations(cloud, request) <= 1000);

/** Gives every root a trait of its own. */
function withOwnTraits(cloud: readonly DrawnProvider[]): DrawnProvider[] {
  return cloud.map((provider) =>
    provider.parent === null ? { ...provider, traits: [...provider.traits, ownTrait(provider.name)] } : provider,
  );
}

const ownTrait = (root: string) => traitNamed(`ROOT_${root.toUpperCase()}`);

/** The roots under which the engine finds a candidate, searched one by one. */
function rootsServing(cloud: readonly DrawnProvider[], request: CandidateRequest): string[] {
  const forest = forestOf(cloud);
  return cloud
    .filter(({ parent }) => parent === null)
    .map(({ name }) => name)
    .filter((name) => {
      const only = { ...request, limit: 1, rootTraits: [...request.rootTraits, { allOf: [ownTrait(name)] }] };
      return searchCandidates(forest, only).candidates.length > 0;
    });
}

test('the steps narrow all trees to those with a candidate, and never widen', () => {
  fc.assert(
    fc.property(question, ([plain, request]) => {
      const cloud = withOwnTraits(plain);
      const { steps, nearestMisses, truncated } = explainSearch(forestOf(cloud), request);
      const serving = rootsServing(cloud, request);
      let left = cloud.filter(({ parent }) => parent === null).length;
      for (const { rootsBefore, rootsAfter } of steps) {
        expect(rootsBefore).toBe(left);
        expect(rootsAfter).toBeLessThanOrEqual(rootsBefore);
        left = rootsAfter;
      }
      expect(left).toBe(serving.length);
      expect(truncated).toBe(false);
      if (serving.length > 0) expect(nearestMisses).toEqual([]);
    }),
    { numRuns: sampled(600) },
  );
});

/** Requests with one requirement dropped that cannot be confused with another, and its name in the message. */
function* relaxations(
  cloud: readonly DrawnProvider[],
  request: CandidateRequest,
): Generator<readonly [name: string, relaxed: CandidateRequest]> {
  const suffixed = request.groups.filter(({ suffix }) => suffix !== '');
  if (request.groupPolicy === 'ISOLATE' && suffixed.length > 1) yield ['group policy ISOLATE', { ...request, groupPolicy: 'NONE' }];
  for (const [place, suffixes] of request.sameSubtree.entries()) {
    const isOnly = request.sameSubtree.filter((other) => other.join() === suffixes.join()).length === 1;
    if (suffixes.length < 2 || !isOnly) continue;
    const name = `the same subtree of groups ${suffixes.slice(0, -1).join(', ')} and ${suffixes.at(-1)}`;
    yield [name, { ...request, sameSubtree: request.sameSubtree.filter((_, other) => other !== place) }];
  }
  const rootNames = request.rootTraits.flatMap(({ allOf = [], anyOf = [], noneOf = [] }) => [...allOf, ...anyOf, ...noneOf]);
  for (const [place, { allOf, noneOf }] of request.rootTraits.entries()) {
    const [name] = [...(allOf ?? []), ...(noneOf ?? [])];
    if (!name || rootNames.filter((other) => other === name).length > 1) continue;
    const words = allOf ? `root trait ${name}` : `forbidding root trait ${name}`;
    yield [words, { ...request, rootTraits: request.rootTraits.filter((_, other) => other !== place) }];
  }
  const places = request.rootAggregates ?? [];
  for (const [place, { allOf, noneOf }] of places.entries()) {
    const [uuid] = [...(allOf ?? []), ...(noneOf ?? [])];
    if (!uuid || JSON.stringify(places).split(uuid).length > 2) continue;
    const rootAggregates = places.filter((_, other) => other !== place);
    const name = cloud.flatMap(({ aggregates }) => aggregates).find((aggregate) => uuidOf(aggregate) === uuid) ?? uuid;
    yield [`the root ${allOf ? 'in' : 'outside'} aggregate ${name}`, { ...request, rootAggregates }];
  }
  if (request.groups.length > 1) return;
  for (const [index, group] of request.groups.entries()) {
    for (const [place, { allOf }] of group.traits.entries()) {
      const name = allOf?.[0];
      if (!name || JSON.stringify(group.traits).split(name).length > 2) continue;
      const traits = group.traits.filter((_, other) => other !== place);
      yield [`required trait ${name}`, { ...request, groups: request.groups.with(index, { ...group, traits }) }];
    }
  }
}

test('dropping a single requirement gives what the explanation predicts', () => {
  let confirmed = 0;
  fc.assert(
    fc.property(question, ([plain, request]) => {
      const cloud = withOwnTraits(plain);
      const { nearestMisses, steps } = explainSearch(forestOf(cloud), request);
      if ((steps.at(-1)?.rootsAfter ?? 0) > 0) return;
      for (const [name, relaxed] of relaxations(cloud, request)) {
        const count = rootsServing(cloud, relaxed).length;
        const told = nearestMisses.find(({ message }) => message.startsWith(`Without ${name}, `));
        if (told || nearestMisses.length < 5) expect([name, told?.rootCount ?? 0]).toEqual([name, count]);
        if (told) confirmed++;
      }
    }),
    { numRuns: sampled(700) },
  );
  expect(confirmed).toBeGreaterThanOrEqual(least(10));
});

test('a tree is said to lack only a class exactly if the request is served once there is enough of it', () => {
  let confirmed = 0;
  const plain = { groupPolicy: 'NONE', sameSubtree: [], withoutNested: false } as const;
  const ofOneGroup = question
    .map(([cloud, request]) => [cloud, { ...request, ...plain, groups: request.groups.slice(0, 1) }] as const)
    .filter(([, { groups }]) => (groups[0]?.resources.length ?? 0) > 1);
  fc.assert(
    fc.property(ofOneGroup, ([bare, request]) => {
      const cloud = withOwnTraits(bare);
      const { nearestMisses, steps } = explainSearch(forestOf(cloud), request);
      if ((steps.at(-1)?.rootsAfter ?? 0) > 0) return;
      const [{ resources, suffix, traits }] = request.groups as [CandidateRequest['groups'][number]];
      for (const { resourceClass } of resources) {
        const about = nearestMisses.filter(({ message }) => message.includes(resourceClass) && !message.startsWith('Without'));
        const rich = cloud.map((provider) => ({
          ...provider,
          inventories: [
            ...provider.inventories.filter((inventory) => inventory.resourceClass !== resourceClass),
            drawnInventory(resourceClass, 100),
          ],
        }));
        const told = about.reduce((sum, { rootCount }) => sum + rootCount, 0);
        const serving = rootsServing(rich, request).length;
        expect(told).toBeLessThanOrEqual(serving);
        // The messages do not mention providers that are needed only for their traits.
        const mayHide = nearestMisses.length === 5 || (suffix === '' && traits.length > 0);
        if (!mayHide) expect(told).toBe(serving);
        confirmed += about.length;
      }
    }),
    { numRuns: sampled(700) },
  );
  expect(confirmed).toBeGreaterThanOrEqual(least(10));
});

const hosts = `
  small1  VCPU 8, MEMORY_MB 8192                    AVX          @rack1
  small2  VCPU 8 used 6, MEMORY_MB 8192             AVX DISABLED @rack1
  large1  VCPU 64, MEMORY_MB 65536 used 4096                     @rack2
  large2  VCPU 64, MEMORY_MB 65536 used 8192                     @rack2
  large3  VCPU 64, MEMORY_MB 65536 used 60000                    @rack2
  odd     VCPU 64 max 4 used 2, MEMORY_MB 65536                  @rack3
  disk    DISK_GB 1000                              SHARING      @rack1`;

const lines = ({ steps }: Explanation) => steps.map(({ group, filter, rootsAfter }) => `${group ?? '-'}: ${filter}: ${rootsAfter}`);
const messages = ({ nearestMisses }: Explanation) => nearestMisses.map(({ message }) => message);
const explain = (drawing: string, request: string) => explainSearch(forestOf(drawing), readRequest(request));

describe('an explanation', () => {
  test('counts the trees left after each filter, and sums up the filters that mattered in a sentence', () => {
    const explanation = explain(hosts, 'VCPU:16,MEMORY_MB:1024 +AVX');
    expect(lines(explanation)).toEqual([
      ': inventory of VCPU: 6',
      ': 16 VCPU in one allocation: 5',
      ': room for 16 VCPU: 3',
      ': inventory of MEMORY_MB: 3',
      ': room for 1,024 MEMORY_MB: 3',
      ': required trait CUSTOM_AVX: 0',
    ]);
    expect(explanation.summary).toBe(
      'No candidates: of 7 trees, 6 have an inventory of VCPU, 5 of these can give 16 VCPU in one allocation, 3 of these have room for 16 VCPU, none of these has trait CUSTOM_AVX.',
    );
    expect(messages(explanation)).toEqual([
      'Without required trait CUSTOM_AVX, 3 trees would serve.',
      '2 trees lack only VCPU: 8 at least, typically 14.',
    ]);
    expect(explanation.nearestMisses[0]).toMatchObject({ rootCount: 3, lacks: [], lacksTraits: ['CUSTOM_AVX'] });
    expect(explanation.nearestMisses[1]?.lacks).toMatchObject([{ resourceClass: { name: 'VCPU' }, amount: 8 }]);
    expect(explanation.nearestMisses[1]?.sample.map(({ name }) => name)).toEqual(['small1', 'small2']);
  });

  test('says how little is missing, with the trees that lack least first', () => {
    const explanation = explain(hosts, 'VCPU:1,MEMORY_MB:65536 @rack2');
    expect(messages(explanation)[0]).toBe('3 trees lack only MEMORY_MB: 4,096 at least, typically 8,192.');
    expect(explanation.nearestMisses[0]?.sample.map(({ name }) => name)).toEqual(['large1', 'large2', 'large3']);
    expect(messages(explain(hosts, 'VCPU:65 @rack2'))).toEqual(['3 trees lack only 1 VCPU.']);
  });

  test('distinguishes the units of an inventory from its room', () => {
    expect(messages(explain(hosts, 'VCPU:16 @rack3'))).toEqual([
      'Without membership of aggregate rack3, 3 trees would serve.',
      '1 tree fails only to give 16 VCPU in one allocation: max_unit of odd is 4.',
    ]);
  });

  test('says that no provider has a trait', () => {
    expect(explain(hosts, 'VCPU:1 +DISABLED @rack2').summary).toMatch(
      /none of these has trait CUSTOM_DISABLED\. No provider in aggregate rack2 has trait CUSTOM_DISABLED\.$/,
    );
    expect(explain(hosts, 'VCPU:1 +HW_CPU_X86_AVX2').summary).toMatch(/ No provider has trait HW_CPU_X86_AVX2\.$/);
  });

  test('names two requirements if dropping one would not help', () => {
    const explanation = explain(hosts, 'VCPU:70 +HW_CPU_X86_AVX2 @rack2');
    expect(explanation.summary).toMatch(/ Dropping a single requirement would not help\.$/);
    expect(messages(explanation)).toEqual([
      'Without both 70 VCPU and required trait HW_CPU_X86_AVX2, 3 trees would serve. No provider has trait HW_CPU_X86_AVX2.',
    ]);
    expect(explanation.nearestMisses[0]).toMatchObject({ lacks: [{ amount: 6 }], lacksTraits: ['HW_CPU_X86_AVX2'] });
  });

  test('distinguishes groups and the conditions between them', () => {
    const explanation = explain(hosts, 'a=VCPU:40 b=VCPU:40 none');
    expect(lines(explanation).at(-1)).toBe('-: room for the 80 VCPU of all groups together: 0');
    expect(explanation.steps[0]).toMatchObject({ group: 'a', rootsBefore: 7, rootsAfter: 6 });
    expect(messages(explanation)).toContain('Without needing room for the 80 VCPU of all groups together, 3 trees would serve.');
    expect(messages(explain(hosts, 'a=VCPU:1 b=MEMORY_MB:1024 iso'))).toEqual(['Without group policy ISOLATE, 6 trees would serve.']);
  });

  test('counts pools for every tree that they serve', () => {
    const explanation = explain(hosts, 'VCPU:1,DISK_GB:1100');
    expect(messages(explanation)).toContain('2 trees lack only 100 DISK_GB.');
  });

  test('of a request that can be served contains only the steps', () => {
    const explanation = explain(hosts, 'VCPU:8');
    expect(explanation.summary).toMatch(/^Candidates under 4 trees: of 7 trees, 6 have an inventory of VCPU, /);
    expect(explanation.nearestMisses).toEqual([]);
  });

  test('of an empty cloud says so', () => {
    expect(explain('', 'VCPU:1').summary).toBe('No candidates: there are no providers.');
  });
});

const plain: Omit<FilterSubject, 'kind'> = {
  resourceClassName: null,
  amount: null,
  traitNames: [],
  aggregateUuids: [],
  resourceProviderUuids: [],
  suffixes: [],
};

/** For each kind, a request with such a step, and the step in words and as data. */
const kinds: Record<FilterKind, [request: string, words: string, data: Partial<FilterSubject>, rest?: Partial<CandidateRequest>]> = {
  ROOT_TRAITS: ['VCPU:1 root(AVX)', 'root trait CUSTOM_AVX', { traitNames: ['CUSTOM_AVX'] }],
  ROOT_FORBIDDEN_TRAIT: ['VCPU:1 root(!DISABLED)', 'forbidden root trait CUSTOM_DISABLED', { traitNames: ['CUSTOM_DISABLED'] }],
  ROOT_AGGREGATES: ['VCPU:1 root(@rack1)', 'root in aggregate rack1', { aggregateUuids: [uuidOf('rack1')] }],
  ROOT_FORBIDDEN_AGGREGATE: ['VCPU:1 root(!@rack1)', 'root outside aggregate rack1', { aggregateUuids: [uuidOf('rack1')] }],
  ROOT_RULE: ['VCPU:1', 'root outside the small', {}, { rootRules: [{ words: 'outside the small', except: new Set([uuidOf('small1')]) }] }],
  TREE: [
    'VCPU:1 in_tree=large1,small1',
    'in one of the trees of large1, small1',
    { resourceProviderUuids: ['large1', 'small1'].map(uuidOf) },
  ],
  INVENTORY: ['VCPU:16', 'inventory of VCPU', { resourceClassName: 'VCPU', amount: 16 }],
  UNITS: ['VCPU:16', '16 VCPU in one allocation', { resourceClassName: 'VCPU', amount: 16 }],
  ROOM: ['MEMORY_MB:4096', 'room for 4,096 MEMORY_MB', { resourceClassName: 'MEMORY_MB', amount: 4096 }],
  TRAITS: ['VCPU:1 +AVX', 'required trait CUSTOM_AVX', { traitNames: ['CUSTOM_AVX'] }],
  FORBIDDEN_TRAIT: ['VCPU:1 -DISABLED', 'forbidden trait CUSTOM_DISABLED', { traitNames: ['CUSTOM_DISABLED'] }],
  AGGREGATES: [
    'VCPU:1 @in(rack1,rack2) @rack3',
    'member of one of the aggregates rack1, rack2 and of aggregate rack3',
    { aggregateUuids: ['rack1', 'rack2', 'rack3'].map(uuidOf) },
  ],
  FORBIDDEN_AGGREGATE: ['VCPU:1 !@rack1', 'not a member of aggregate rack1', { aggregateUuids: [uuidOf('rack1')] }],
  ISOLATION: ['a=VCPU:1 b=VCPU:1 iso', 'group policy ISOLATE', { suffixes: ['a', 'b'] }],
  SAME_SUBTREE: ['a=VCPU:1 b=VCPU:1 sub(a,b)', 'same subtree of groups a and b', { suffixes: ['a', 'b'] }],
  ROOM_TOGETHER: ['a=VCPU:40 b=VCPU:40 none', 'room for the 80 VCPU of all groups together', { resourceClassName: 'VCPU', amount: 80 }],
  ONE_PROVIDER: ['a=VCPU:1 b=MEMORY_MB:1', 'one provider only of each tree', {}, { withoutNested: true }],
};

test.each(Object.entries(kinds))('a step of the kind %s says the same as data and in words', (kind, [request, words, data, rest]) => {
  const { steps } = explainSearch(forestOf(hosts), readRequest(request, rest));
  const { group: _, rootsBefore: __, rootsAfter: ___, ...said } = steps.find(({ filter }) => filter === words) ?? ({} as ExplanationStep);
  expect(said).toEqual({ ...plain, kind, filter: words, ...data });
});

test('everything that a step names as data also occurs in its words', () => {
  const told = new Set<string>();
  fc.assert(
    fc.property(question, ([cloud, request]) => {
      for (const step of explainSearch(forestOf(cloud), request).steps) {
        const { kind, filter, resourceClassName, amount, traitNames, aggregateUuids, resourceProviderUuids, suffixes } = step;
        told.add(kind);
        const aggregates = [...new Set(cloud.flatMap((provider) => provider.aggregates))];
        const named = aggregateUuids.map((uuid) => aggregates.find((name) => uuidOf(name) === uuid) ?? uuid);
        const providers = resourceProviderUuids.map((uuid) => cloud.find(({ name }) => uuidOf(name) === uuid)?.name ?? uuid);
        const words = [
          resourceClassName,
          kind === 'INVENTORY' ? null : amount,
          ...traitNames,
          ...named,
          ...providers,
          ...(kind === 'SAME_SUBTREE' ? suffixes : []),
        ];
        for (const word of words) if (word !== null) expect(filter).toContain(String(word));
        expect(amount === null).toBe(resourceClassName === null);
      }
    }),
    { numRuns: sampled(600) },
  );
  expect(told.size).toBeGreaterThanOrEqual(least(13));
});

test('a small budget ends an explanation early, and the explanation says so', () => {
  const cloud = Array.from({ length: 1000 }, (_, index) => `h${index} VCPU 4`).join('\n');
  const explanation = explainSearch(forestOf(cloud), readRequest('VCPU:8'), 2000);
  expect(explanation.truncated).toBe(true);
  expect(explanation.summary).toMatch(/^No candidates: of the first \d+ of 1,000 trees, none has room for 8 VCPU\.$/);
  expect(explanation.steps[0]?.rootsBefore).toBeLessThan(1000);
});

test('a hundredth of the default budget is enough to explain a thousand hosts', () => {
  const cloud = Array.from({ length: 1000 }, (_, index) => `h${index} VCPU 4, MEMORY_MB 4096, DISK_GB 10 AVX`).join('\n');
  const explanation = explainSearch(forestOf(cloud), readRequest('VCPU:4,MEMORY_MB:4096,DISK_GB:11 +AVX -SSE'), 30_000);
  expect(explanation.truncated).toBe(false);
  expect(messages(explanation)).toEqual(['1,000 trees lack only 1 DISK_GB.']);
});
