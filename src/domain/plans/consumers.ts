// Consumers that may be moved: what they hold, where they are, and what they would need elsewhere. Consumers carry allocations, not requests: unless its
// request is given, it is reconstructed from what the consumer holds.
//
//   held on the root and on pools     -> the group without suffix: from anywhere in the tree of the destination, or from pools that serve it
//   held on a provider below the root -> a group of its own, served by one provider again; what came from different providers comes from different ones
//
// Traits that were required are not known. So a plan is a proposal: whoever moves the consumer knows what it needs, and may say so.
import type { Forest, ForestProvider, Tree } from '../candidates/forest.ts';
import type { CandidateRequest, RequestGroup } from '../candidates/request.ts';
import type { UsedAmount } from '../candidates/supposed-use.ts';
import type { MembershipClause, ResourceAmount } from '../provider.ts';

/** What is known of a consumer. Amounts are in units of the class. */
export interface Holding {
  readonly uuid: string;
  readonly generation: number;
  /** Why it cannot be moved, as far as that does not show in its allocations. */
  readonly obstacle: 'STAYING' | 'MOVING' | 'UNTRACKED' | null;
  readonly allocations: readonly { readonly resourceProvider: string; readonly resources: readonly ResourceAmount[] }[];
}

/** GIVEN: by the caller. HELD: reconstructed. */
export type RequestBasis = 'GIVEN' | 'HELD';

/**
 * STAYING: it is not to be moved. MOVING: it is one side of a move that is under way. UNTRACKED: it stands for others that are not known one by one. SEVERAL_HOSTS: it holds resources of several trees, as in the middle
 * of a move. ELSEWHERE: it runs on another host, and only uses what this one shares.
 */
export type Obstacle = 'STAYING' | 'MOVING' | 'UNTRACKED' | 'SEVERAL_HOSTS' | 'ELSEWHERE';

/** A consumer in a forest. */
export interface Occupant {
  readonly uuid: string;
  readonly generation: number;
  readonly held: readonly UsedAmount[];
  /** The tree that it is in, apart from pools; null when that is not one tree. */
  readonly home: Tree | null;
  readonly obstacle: Obstacle | null;
  readonly request: CandidateRequest;
  readonly basis: RequestBasis;
}

/** What destinations must meet beside the requests of the consumers. */
export interface Conditions {
  readonly rootTraits: readonly MembershipClause[];
  readonly rootAggregates: readonly MembershipClause[];
  /** Uuids of aggregates: a destination is in those of them that the source is in, and in no others. */
  readonly sameAggregates: readonly string[];
}

/** Places a consumer in a forest. `trees`: those that are asked about. */
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

/** What a consumer would need in another tree, as far as that shows in what it holds. */
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
  return { suffix, resources, traits: [], aggregates: [], inTree: null };
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
