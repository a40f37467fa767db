// Consumers that may be moved: what they hold, where they are, and what they would need elsewhere. A consumer has allocations, but no request: unless the
// caller gives one, the request is reconstructed from the allocations.
//
//   held on the root and on pools     -> the group without suffix: from anywhere in the tree of the destination, or from pools that serve it
//   held on a provider below the root -> a group of its own, served by one provider again; what came from different providers comes from different ones
//
// The traits that were required are unknown. So a plan is a proposal: the service that moves the consumer knows its needs, and may give the request.
import type { Forest, ForestProvider, Tree } from '../candidates/forest.ts';
import type { CandidateRequest, RequestGroup } from '../candidates/request.ts';
import type { UsedAmount } from '../candidates/supposed-use.ts';
import type { MembershipClause, ResourceAmount } from '../provider.ts';

/** The known facts about a consumer. Amounts are in units of the class. */
export interface Holding {
  readonly uuid: string;
  readonly generation: number;
  /** Why it cannot be moved, if its allocations do not show it. */
  readonly obstacle: 'STAYING' | 'MOVING' | 'UNTRACKED' | null;
  readonly allocations: readonly { readonly resourceProvider: string; readonly resources: readonly ResourceAmount[] }[];
}

/** GIVEN: by the caller. HELD: reconstructed. */
export type RequestBasis = 'GIVEN' | 'HELD';

/**
 * STAYING: the caller wants it to stay. MOVING: it is one side of a move in progress. UNTRACKED: it stands for consumers that are not tracked one by one.
 * SEVERAL_HOSTS: it holds resources of several trees, as in the middle of a move. ELSEWHERE: it runs on another host, and only uses what this one shares.
 */
export type Obstacle = 'STAYING' | 'MOVING' | 'UNTRACKED' | 'SEVERAL_HOSTS' | 'ELSEWHERE';

/** A consumer in a forest. */
export interface Occupant {
  readonly uuid: string;
  readonly generation: number;
  readonly held: readonly UsedAmount[];
  /** The tree that it is in, apart from pools; null if it is not in exactly one. */
  readonly home: Tree | null;
  readonly obstacle: Obstacle | null;
  readonly request: CandidateRequest;
  readonly basis: RequestBasis;
}

/** Conditions on destinations, in addition to the requests of the consumers. */
export interface Conditions {
  readonly rootTraits: readonly MembershipClause[];
  readonly rootAggregates: readonly MembershipClause[];
  /** Uuids of aggregates: of these, a destination must be in the same ones as the source, and in no others. */
  readonly sameAggregates: readonly string[];
}

/** Places a consumer in a forest. `trees`: the trees of the plan. */
export function occupantOf(
  forest: Forest,
  { uuid, generation, obstacle, allocations }: Holding,
  trees: ReadonlySet<Tree>,
  given: CandidateRequest | undefined,
  conditions: Conditions,
): Occupant {
  const held = allocations.flatMap(({ resourceProvider, resources }) => {
    const provider = forest.findByUuid(resourceProvider);
    return provider ? resources.flatMap(({ resourceClass, amount }) => amountIn(forest, provider, resourceClass, amount)) : [];
  });
  const homes = new Set(held.filter(({ provider }) => !provider.isSharing).map(({ provider }) => provider.tree));
  const [first] = homes;
  const home = homes.size === 1 && first ? first : null;
  const request = given ?? requestOf(forest, held, home);
  return {
    ...{ uuid, generation, held, home, request: withConditions(forest, request, home, conditions) },
    obstacle: obstacle ?? obstacleOf(homes, trees),
    basis: given ? 'GIVEN' : 'HELD',
  };
}

function amountIn(forest: Forest, provider: ForestProvider, resourceClass: string, amount: number): UsedAmount[] {
  const classId = forest.classes.idOf(resourceClass);
  return classId === undefined ? [] : [{ provider, classId, amount }];
}

function obstacleOf(homes: ReadonlySet<Tree>, trees: ReadonlySet<Tree>): Obstacle | null {
  if (homes.size > 1) return 'SEVERAL_HOSTS';
  const [home] = homes;
  return home && trees.has(home) ? null : 'ELSEWHERE';
}

/** The request that a consumer would need in another tree, as far as its allocations show it. */
function requestOf(forest: Forest, held: readonly UsedAmount[], home: Tree | null): CandidateRequest {
  const byProvider = new Map<ForestProvider, ResourceAmount[]>();
  const plain: ResourceAmount[] = [];
  for (const { provider, classId, amount } of held) {
    const resource = { resourceClass: forest.classes.get(classId)?.name ?? '', amount };
    const isPlain = provider === home?.root || provider.tree !== home;
    if (isPlain && !plain.some(({ resourceClass }) => resourceClass === resource.resourceClass)) plain.push(resource);
    else byProvider.set(provider, [...(byProvider.get(provider) ?? []), resource]);
  }
  const own = [...byProvider].sort(([a], [b]) => a.id - b.id).map(([, resources], index) => group(`held${index + 1}`, resources));
  const groups = [...(plain.length > 0 ? [group('', plain)] : []), ...own];
  return {
    groups,
    groupPolicy: own.length > 1 ? 'ISOLATE' : 'NONE',
    ...{ rootTraits: [], rootAggregates: [], sameSubtree: [], limit: null, perRootLimit: null, order: [] },
  };
}

function group(suffix: string, resources: readonly ResourceAmount[]): RequestGroup {
  return { suffix, resources, traits: [], aggregates: [], inTrees: null };
}

function withConditions(
  forest: Forest,
  request: CandidateRequest,
  home: Tree | null,
  { rootTraits, rootAggregates, sameAggregates }: Conditions,
): CandidateRequest {
  const isIn = (uuid: string) => home?.root.aggregates.has(forest.aggregates.idOf(uuid) ?? -1) ?? false;
  const [allOf, noneOf] = [sameAggregates.filter(isIn), sameAggregates.filter((uuid) => !isIn(uuid))];
  return {
    ...request,
    rootTraits: [...request.rootTraits, ...rootTraits],
    rootAggregates: [...(request.rootAggregates ?? []), ...rootAggregates, ...(sameAggregates.length > 0 ? [{ allOf, noneOf }] : [])],
    order: [],
  };
}
