// Runs every tree through the filters of a request and counts where trees drop out. For a tree that does, it finds the smallest sets of
// requirements whose removal would let the tree serve. Knows the rules only through the filters and combine.ts.
import { roomIn } from '../inventory.ts';
import { Combinations } from './combine.ts';
import type { Filter } from './explain-filters.ts';
import { type Check, passes, type Requirements } from './explain-requirements.ts';
import type { Forest, ForestProvider, Tree } from './forest.ts';
import { hasAny, type Query } from './groups.ts';
import type { IdSet } from './id-set.ts';
import type { Steps } from './steps.ts';

/** A provider and a filter that it fails. */
export interface Failure {
  readonly filter: number;
  readonly provider: ForestProvider;
}

/** A provider for a run and the filters that it fails; collection stops at one more than the number of interest. */
interface Server {
  readonly provider: ForestProvider;
  readonly fails: readonly number[];
}

const nothing: readonly number[] = [];
const noProviders: readonly ForestProvider[] = [];
/** Costs in steps: a tree, a provider for a run, a check of it, an attempt to combine. */
const treeCost = 10;
const serverCost = 10;
const checkCost = 3;
const combineCost = 300;

/** Runs trees through the filters. */
export class Survey {
  readonly exits: number[];
  looked = 0;
  served = 0;
  private readonly trees: readonly Tree[];
  private readonly requirements: Requirements;
  private readonly steps: Steps;
  private readonly poolsOfAggregate = new Map<number, readonly ForestProvider[]>();
  private readonly pools = new Map<IdSet, readonly ForestProvider[]>();

  constructor(forest: Forest, requirements: Requirements, steps: Steps, trees: readonly Tree[]) {
    this.trees = trees;
    this.requirements = requirements;
    this.steps = steps;
    this.exits = requirements.filters.map(() => 0);
    for (const pool of forest.sharing) {
      for (const id of pool.aggregates.ids) this.poolsOfAggregate.set(id, [...(this.poolsOfAggregate.get(id) ?? noProviders), pool]);
    }
  }

  /**
   * Counts the trees that drop out at each filter. For each tree that would serve if at most `maxFailures` requirements were dropped, calls `tell`
   * with the smallest sets of filters that it fails. Stops before a tree that the budget cannot cover. Pauses now and then.
   */
  *judgeAll(tell: (tree: Tree, failures: readonly Failure[]) => void, maxFailures: number): Generator<void, void> {
    this.exits.fill(0);
    this.looked = 0;
    this.served = 0;
    for (const tree of this.trees) {
      this.steps.spend(treeCost);
      if (this.steps.takesPause()) yield;
      const exit = this.judge(tree, maxFailures, tell);
      if (this.steps.areSpent) return;
      this.looked++;
      if (exit === passes) this.served++;
      else this.exits[exit] = (this.exits[exit] as number) + 1;
    }
  }

  /** The filter at which a tree drops out, or `passes`. */
  private judge(tree: Tree, maxFailures: number, tell: (tree: Tree, failures: readonly Failure[]) => void): number {
    const { ofLoneProvider, ofRoot, ofRun } = this.requirements;
    const pools = this.poolsOf(tree);
    if (ofLoneProvider && tree.members.length === 1 && pools.length === 0) {
      const fails = this.failuresOf(ofLoneProvider, tree.root, tree, maxFailures);
      if (fails.length > 0 && fails.length <= maxFailures)
        tell(
          tree,
          fails.map((filter) => ({ filter, provider: tree.root })),
        );
      return fails[0] ?? passes;
    }
    const ofTree = this.failuresOf(ofRoot, tree.root, tree, maxFailures);
    const servers = ofRun.map((checks) => this.serversOf(checks, tree, pools, maxFailures));
    const exit = this.exitOf(ofTree, servers);
    if (exit === passes) return passes;
    const seen = new Set<string>();
    for (const dropped of this.waysOut(servers, 0, this.requirementsOf(ofTree), maxFailures)) {
      const key = [...dropped].sort((a, b) => a - b).join();
      if (seen.has(key)) continue;
      seen.add(key);
      tell(tree, this.leastFailures(dropped, tree, servers));
    }
    return exit;
  }

  /** The sharing providers outside a tree that may serve it. */
  private poolsOf(tree: Tree): readonly ForestProvider[] {
    if (this.poolsOfAggregate.size === 0) return noProviders;
    let pools = this.pools.get(tree.aggregates);
    if (!pools) {
      const all = new Set(tree.aggregates.ids.flatMap((id) => this.poolsOfAggregate.get(id) ?? noProviders));
      this.steps.spend(checkCost * all.size);
      pools = [...all].sort((a, b) => a.id - b.id);
      this.pools.set(tree.aggregates, pools);
    }
    return pools.some((pool) => pool.tree === tree) ? pools.filter((pool) => pool.tree !== tree) : pools;
  }

  private failuresOf(checks: readonly Check[], provider: ForestProvider, tree: Tree, maxFailures: number): readonly number[] {
    let fails: number[] | undefined;
    for (const { judge } of checks) {
      this.steps.spend(checkCost);
      const filter = judge(provider, tree);
      if (filter === passes) continue;
      if (!fails) fails = [filter];
      else fails.push(filter);
      if (fails.length > maxFailures) break;
    }
    return fails ?? nothing;
  }

  private serversOf(checks: readonly Check[], tree: Tree, pools: readonly ForestProvider[], maxFailures: number): Server[] {
    const servers: Server[] = [];
    this.steps.spend(serverCost * (tree.members.length + pools.length));
    for (const provider of tree.members) servers.push({ provider, fails: this.failuresOf(checks, provider, tree, maxFailures) });
    for (const provider of pools) servers.push({ provider, fails: this.failuresOf(checks, provider, tree, maxFailures) });
    return servers;
  }

  /** The first filter that leaves nothing; within a run, the filter reached by the provider that gets furthest. */
  private exitOf(ofTree: readonly number[], servers: readonly (readonly Server[])[]): number {
    let exit = ofTree[0] ?? Number.POSITIVE_INFINITY;
    for (const ofRun of servers) {
      exit = Math.min(
        exit,
        ofRun.reduce((furthest, { fails }) => Math.max(furthest, fails[0] ?? Number.POSITIVE_INFINITY), passes),
      );
    }
    if (exit !== Number.POSITIVE_INFINITY) return exit;
    if (this.canCombine([], servers)) return passes;
    const { joints, filters } = this.requirements;
    const numbers = joints.map((filter) => filters[filter]?.requirement as number);
    // Drop the last joint, the last two, and so on: once the tree passes, the joint dropped last is the one that it fails.
    for (let kept = joints.length - 1; kept > 0; kept--) {
      if (this.canCombine(numbers.slice(kept), servers)) return joints[kept] as number;
    }
    return joints[0] as number;
  }

  private requirementsOf(filters: readonly number[]): readonly number[] {
    return filters.map((filter) => this.requirements.filters[filter]?.requirement as number);
  }

  /** Sets of at most `maxFailures` requirements without which the tree would serve; may contain duplicates. */
  private *waysOut(
    servers: readonly (readonly Server[])[],
    run: number,
    dropped: readonly number[],
    maxFailures: number,
  ): Generator<readonly number[]> {
    if (dropped.length > maxFailures) return;
    const ofRun = servers[run];
    if (ofRun) {
      const more = this.stillToDrop(ofRun, dropped);
      if (more.length === 0) yield* this.waysOut(servers, run + 1, dropped, maxFailures);
      else for (const requirements of more) yield* this.waysOut(servers, run + 1, [...dropped, ...requirements], maxFailures);
      return;
    }
    if (this.canCombine(dropped, servers)) {
      yield dropped;
      return;
    }
    // The groups cannot be combined: relax the joints, or admit other providers that at least have inventories of the classes.
    const { joints, filters } = this.requirements;
    for (const joint of this.requirementsOf(joints)) {
      if (!dropped.includes(joint)) yield* this.waysOut(servers, run, [...dropped, joint], maxFailures);
    }
    const others = servers
      .flat()
      .filter(({ fails }) => !this.isPassedBy(fails, dropped) && fails.every((one) => filters[one]?.kind !== 'INVENTORY'));
    for (const requirements of this.stillToDrop(others, dropped))
      yield* this.waysOut(servers, run, [...dropped, ...requirements], maxFailures);
  }

  /** Which further requirements would have to be dropped for one of these to serve, without duplicates; empty if one already can. */
  private stillToDrop(servers: readonly Server[], dropped: readonly number[]): readonly (readonly number[])[] {
    const sets = new Map<string, readonly number[]>();
    for (const { fails } of servers) {
      const set = this.requirementsOf(fails).filter((requirement) => !dropped.includes(requirement));
      if (set.length === 0) return [];
      sets.set(set.join(), set);
    }
    return [...sets.values()];
  }

  /** Whether the providers that pass without the dropped requirements can serve all groups together. */
  private canCombine(dropped: readonly number[], servers: readonly (readonly Server[])[]): boolean {
    if (this.requirements.joints.length === 0) return true;
    const choices = servers.map((ofRun) => ofRun.filter(({ fails }) => this.isPassedBy(fails, dropped)).map(({ provider }) => provider));
    for (const { length } of choices) {
      if (length === 0) return false;
      this.steps.spend(serverCost * length);
    }
    const query = this.requirements.queryWithout(dropped);
    const answer = canHaveTraits(query, choices);
    if (answer !== undefined) return answer;
    this.steps.spend(combineCost);
    return new Combinations(query, choices, this.steps).next();
  }

  private isPassedBy(fails: readonly number[], dropped: readonly number[]): boolean {
    return fails.every((filter) => dropped.includes(this.requirements.filters[filter]?.requirement as number));
  }

  /** For each dropped requirement, the failure of the provider that comes closest. */
  private leastFailures(dropped: readonly number[], tree: Tree, servers: readonly (readonly Server[])[]): Failure[] {
    return dropped.map((requirement) => {
      let least: Failure | null = null;
      for (const { provider, fails } of servers.flat()) {
        const filter = fails.find((one) => this.requirements.filters[one]?.requirement === requirement);
        if (filter === undefined || !this.isPassedBy(fails, dropped)) continue;
        const isCloser =
          !least ||
          filter > least.filter ||
          (filter === least.filter && this.lackOf(filter, provider) < this.lackOf(filter, least.provider));
        if (isCloser) least = { filter, provider };
      }
      const first = this.requirements.filters.findIndex((filter) => filter.requirement === requirement);
      return least ?? { filter: first, provider: tree.root };
    });
  }

  private lackOf(filter: number, provider: ForestProvider): number {
    return lackOf(this.requirements, { filter, provider });
  }
}

/** The additional room, in units of the class, that a provider needs to pass a filter; 0 where room is not the problem. */
export function lackOf({ all, filters }: Requirements, { filter, provider }: Failure): number {
  const { kind, requirement } = filters[filter] as Filter;
  const take = all[requirement]?.take;
  if (!take || kind === 'UNITS') return 0;
  const inventory = provider.inventoryOf(take.classId);
  return take.amount - (inventory ? roomIn(inventory) : 0);
}

/** Whether choices can be combined, if the traits required by the unsuffixed group alone decide it; otherwise undefined. */
function canHaveTraits(query: Query, choices: readonly (readonly ForestProvider[])[]): boolean | undefined {
  const required = query.slots.find(({ group }) => group.suffix === '')?.group.traits;
  const givers = choices.flatMap((list, run) => (query.runs[run]?.group.suffix === '' ? list : noProviders));
  if (required?.required.some((ids) => !givers.some(({ traits }) => hasAny(traits, ids)))) return false;
  const areGroupsAlone =
    query.contested.size === 0 && !query.isolate && !query.withoutNested && query.slots.every(({ subtrees }) => subtrees.length === 0);
  if (areGroupsAlone && (!required || givers.some(({ traits }) => required.isMetBy(traits)))) return true;
  return undefined;
}
