// Small random clouds and requests for candidates, so that answers are often neither empty nor complete: few classes, traits and
// aggregates, so that they coincide; sharing providers, usage, odd units; equal groups. For property tests and differential runs.
import fc from 'fast-check';
import { type CandidateRequest, type RequestGroup, requestFaults } from '../../src/domain/candidates/request.ts';
import { sharingTrait } from '../../src/domain/provider.ts';
import { uuidOf } from './seed.ts';
import { classNamed, type DrawnInventory, type DrawnProvider, drawnInventory, traitNamed } from './tree.ts';

export const cloudClasses = ['VCPU', 'DISK_GB', 'VF', 'BW'].map(classNamed);
export const cloudTraits = ['HW_NUMA_ROOT', 'FOO', 'BAR'].map(traitNamed);
export const cloudAggregates = ['A', 'B', 'C'];

/** The first value this many times as often as the second. */
function mostly<Value>(value: Value, other: fc.Arbitrary<Value>, times = 4): fc.Arbitrary<Value> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });
}

const total = fc.oneof({ weight: 1, arbitrary: fc.constant(1) }, { weight: 3, arbitrary: fc.integer({ min: 2, max: 8 }) });

function inventory(resourceClass: string): fc.Arbitrary<DrawnInventory> {
  return fc
    .record({
      total,
      reserved: mostly(0, fc.integer({ min: 1, max: 3 })),
      used: mostly(0, fc.integer({ min: 1, max: 6 })),
      allocationRatio: mostly(1, fc.constantFrom(0.5, 1.5, 16, 16)),
      minUnit: mostly(1, fc.constant(2), 8),
      maxUnit: mostly(2 ** 31 - 1, fc.integer({ min: 1, max: 4 })),
      stepSize: mostly(1, fc.constant(2), 8),
    })
    .map(({ reserved, ...rest }) => drawnInventory(resourceClass, rest.total, { ...rest, reserved: Math.min(reserved, rest.total) }));
}

const inventories = fc
  .oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 5, arbitrary: fc.subarray(cloudClasses, { minLength: 3 }) })
  .chain((classes) => fc.tuple(...classes.map(inventory)))
  .map((list): readonly DrawnInventory[] => list);

/** A provider without its position in a tree. */
const content = fc
  .record({
    inventories,
    traits: fc.subarray(cloudTraits),
    aggregates: mostly<string[]>([], fc.subarray(cloudAggregates, { minLength: 1 }), 1),
    shares: mostly(false, fc.constant(true), 5),
    // A sharing provider has an aggregate more often than others, but not always: without one it shares nothing.
    sharedWith: fc.constantFrom([], ...cloudAggregates.map((aggregate) => [aggregate])),
  })
  .map(({ shares, sharedWith, traits, aggregates, ...rest }) =>
    shares
      ? { ...rest, traits: [...traits, sharingTrait], aggregates: aggregates.length > 0 ? aggregates : sharedWith }
      : { ...rest, traits, aggregates },
  );

const maxMembers = 4;
const deepest = 3;

/** A tree: for each member the index of its parent among the previous members, within the maximum depth. */
const tree = fc.array(fc.tuple(content, fc.nat({ max: maxMembers - 1 })), { minLength: 1, maxLength: maxMembers });

/** A cloud of 2 to 5 trees, at most 3 deep. Providers are called p0, p1, ... and come in any order, even before their parents. */
export const randomCloud: fc.Arbitrary<readonly DrawnProvider[]> = fc
  .array(tree, { minLength: 2, maxLength: 5 })
  .map((trees) => {
    const providers: DrawnProvider[] = [];
    for (const members of trees) {
      const first = providers.length;
      const depths: number[] = [];
      for (const [place, [rest, wanted]] of members.entries()) {
        const parent = place === 0 ? null : wanted % place;
        const above = parent === null || (depths[parent] ?? 0) + 1 < deepest ? parent : 0;
        depths.push(above === null ? 0 : (depths[above] ?? 0) + 1);
        providers.push({ ...rest, name: `p${first + place}`, parent: above === null ? null : `p${first + above}` });
      }
    }
    return providers;
  })
  .chain((providers) => fc.shuffledSubarray(providers, { minLength: providers.length }));

const amounts = (most: number) =>
  fc
    .subarray(cloudClasses, { minLength: 1, maxLength: most })
    .chain((classes) => fc.tuple(...classes.map((resourceClass) => fc.record({ resourceClass: fc.constant(resourceClass), amount }))));
const amount = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 4 }) });

function clauses(names: readonly string[]) {
  const one = fc.subarray([...names], { minLength: 1, maxLength: 1 });
  const some = fc.subarray([...names], { minLength: 1, maxLength: 2 });
  const clause = fc.oneof(
    one.map((allOf) => ({ allOf })),
    some.map((anyOf) => ({ anyOf })),
    one.map((noneOf) => ({ noneOf })),
  );
  return mostly<RequestGroup['traits']>([], fc.array(clause, { minLength: 1, maxLength: 2 }), 3);
}

const someTree = fc.nat({ max: 5 }).map((index) => uuidOf(`p${index}`));
const conditions = {
  traits: clauses(cloudTraits),
  aggregates: clauses(cloudAggregates.map(uuidOf)),
  inTrees: mostly<readonly string[] | null>(null, fc.uniqueArray(someTree, { minLength: 1, maxLength: 3 }), 8),
};
const spreadGroup = fc.record({ suffix: fc.constant(''), resources: amounts(3), ...conditions });
const singleGroup = fc.record({ suffix: fc.constant('1'), resources: amounts(2), ...conditions });
const resourcelessGroup = singleGroup.map((group) => ({ ...group, resources: [] }));

/** Up to four suffixed groups, many of them equal or different only in the tree. */
const singleGroups = fc
  .record({
    kinds: fc.array(
      mostly<RequestGroup | null>(null, fc.oneof({ weight: 3, arbitrary: singleGroup }, { weight: 1, arbitrary: resourcelessGroup }), 2),
      { minLength: 2, maxLength: 2 },
    ),
    plain: amounts(1),
    which: fc.array(fc.tuple(fc.nat({ max: 1 }), mostly<string | null>(null, someTree, 8)), { maxLength: 4 }),
  })
  .map(({ kinds, plain, which }): RequestGroup[] =>
    which.map(([number, tree], index) => {
      const kind = kinds[number] ?? { resources: plain, traits: [], aggregates: [], inTrees: null };
      return { ...kind, suffix: String(index + 1), inTrees: tree ? [tree] : kind.inTrees };
    }),
  );

/** A request without contradictions, limits or preferences. */
export const randomRequest: fc.Arbitrary<CandidateRequest> = fc
  .record({
    spread: fc.option(spreadGroup),
    singles: singleGroups,
    groupPolicy: fc.constantFrom('NONE', 'ISOLATE'),
    rootTraits: clauses(cloudTraits),
    rootAggregates: mostly([], clauses(cloudAggregates.map(uuidOf)), 2),
    related: mostly<number[][]>([], fc.array(fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1 }), { minLength: 1, maxLength: 2 }), 2),
    withoutNested: mostly(false, fc.constant(true), 8),
  })
  .map(({ spread, singles, related, ...rest }): CandidateRequest => {
    const suffixes = singles.map(({ suffix }) => suffix);
    const lonely = singles.filter(({ resources }) => resources.length === 0).map(({ suffix }) => suffix);
    const sameSubtree = related.map((places) => suffixes.filter((_, place) => places.includes(place)));
    // A group without resources must be part of some condition.
    if (lonely.length > 0) sameSubtree.push([...new Set([...lonely, ...suffixes.slice(0, 2)])]);
    return {
      ...rest,
      groups: [...(spread ? [spread] : []), ...singles],
      sameSubtree: sameSubtree.filter((list) => list.length > 0),
      limit: null,
      perRootLimit: null,
      order: [],
    };
  })
  .filter((request) => requestFaults(request).length === 0);
