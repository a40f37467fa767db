// Finds the candidates of a request by brute force: the rules of Placement written out, all combinations, no indexes, no pruning. Works on
// plain descriptions of providers (tree.ts) and shares no code with the search that it checks.
import type { CandidateRequest, RequestGroup } from '../../src/domain/candidates/request.ts';
import type { Candidate } from '../../src/domain/candidates/search.ts';
import type { MembershipClause } from '../../src/domain/provider.ts';
import { uuidOf } from './seed.ts';
import type { DrawnProvider } from './tree.ts';

interface Taking {
  readonly provider: string;
  readonly resourceClass: string;
  readonly amount: number;
}

/** One way to satisfy one group under one anchor. */
interface Row {
  readonly anchor: string;
  readonly suffix: string;
  readonly providers: readonly string[];
  readonly takings: readonly Taking[];
}

export interface OracleAnswer {
  /** Each candidate once, as formatted by `describeCandidate`, sorted. */
  readonly candidates: readonly string[];
  /** Names of all providers of all trees that candidates use, sorted. */
  readonly summaries: readonly string[];
}

/** All candidates, ignoring limits and order. */
export function askOracle(providers: readonly DrawnProvider[], request: CandidateRequest): OracleAnswer {
  return new Oracle(providers).answer(request);
}

/** The number of combinations that the oracle would try, to bound the cost of random requests. */
export function countCombinations(providers: readonly DrawnProvider[], request: CandidateRequest): number {
  return new Oracle(providers).countCombinations(request);
}

/** A candidate of the search in the oracle's format. */
export function describeCandidate({ allocations, mappings }: Candidate): string {
  const takings = allocations.map(({ provider, classId, amount }) => ({
    provider: provider.state.provider.name,
    resourceClass: provider.inventoryOf(classId)?.className ?? `class ${classId}`,
    amount,
  }));
  const served = mappings.map(({ suffix, providers }) => ({ suffix, providers: providers.map(({ state }) => state.provider.name) }));
  return wordsOf(takings, served);
}

/** A candidate as text: its amounts, and the providers of each group (`*` is the unsuffixed one). Equal candidates have equal texts. */
export function wordsOf(takings: readonly Taking[], served: readonly Pick<Row, 'suffix' | 'providers'>[]): string {
  const taken = takings.map(({ provider, resourceClass, amount }) => `${provider}:${resourceClass}=${amount}`).sort();
  const by = served.map(({ suffix, providers }) => `${suffix || '*'}=${[...providers].sort().join('+')}`).sort();
  return `${taken.join(' ')} | ${by.join(' ')}`;
}

class Oracle {
  private readonly byName: ReadonlyMap<string, DrawnProvider>;
  private readonly providers: readonly DrawnProvider[];

  constructor(providers: readonly DrawnProvider[]) {
    this.providers = providers;
    this.byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  answer(request: CandidateRequest): OracleAnswer {
    const found = new Set<string>();
    const roots = new Set<string>();
    for (const combination of this.combinations(request)) {
      const takings = sum(combination.flatMap((row) => row.takings));
      if (!this.isAllowed(request, combination, takings)) continue;
      found.add(wordsOf(takings, combination));
      for (const { provider } of takings) roots.add(this.rootOf(provider));
    }
    const summaries = this.providers.filter(({ name }) => roots.has(this.rootOf(name))).map(({ name }) => name);
    return { candidates: [...found].sort(), summaries: summaries.sort() };
  }

  countCombinations(request: CandidateRequest): number {
    const rows = request.groups.map((group) => this.rowsOf(group, request));
    const counts = this.providers.map(({ name }) =>
      rows.reduce((product, ofGroup) => product * ofGroup.filter(({ anchor }) => anchor === name).length, 1),
    );
    return counts.reduce((total, count) => total + count, 0);
  }

  /** For each anchor, all combinations of one option per group. */
  private combinations(request: CandidateRequest): Row[][] {
    const rows = request.groups.map((group) => this.rowsOf(group, request));
    return this.providers.flatMap(({ name }) => product(rows.map((ofGroup) => ofGroup.filter(({ anchor }) => anchor === name))));
  }

  private rowsOf(group: RequestGroup, request: CandidateRequest): Row[] {
    return group.suffix === '' ? this.spreadRows(group, request) : this.singleRows(group, request);
  }

  /** A suffixed group is served completely by one provider, which alone must meet its conditions. */
  private singleRows({ suffix, resources, traits, aggregates, inTrees }: RequestGroup, request: CandidateRequest): Row[] {
    const servers = this.providers.filter(
      (provider) =>
        resources.every(({ resourceClass, amount }) => fits(provider, resourceClass, amount)) &&
        this.isIn(provider, inTrees) &&
        meets(provider.traits, traits) &&
        meets(provider.aggregates.map(uuidOf), aggregates),
    );
    return servers.flatMap((provider) => {
      const takings = resources.map((resource) => ({ ...resource, provider: provider.name }));
      return this.anchorsOf(provider)
        .filter((anchor) => this.isRootAllowed(anchor, request))
        .map((anchor) => ({ anchor, suffix, providers: [provider.name], takings }));
    });
  }

  /** Each class of the unsuffixed group is served by one provider of the tree, or by one that shares with it. */
  private spreadRows(group: RequestGroup, request: CandidateRequest): Row[] {
    const wanted = group.traits.map(({ allOf = [], anyOf }) => ({ allOf, ...(anyOf && { anyOf }) }));
    const forbidden = group.traits.map(({ noneOf = [] }) => ({ noneOf }));
    const byClass = group.resources.map(({ resourceClass, amount }) =>
      this.providers
        .filter((provider) => fits(provider, resourceClass, amount))
        .flatMap((provider) => this.spreadAnchors(provider, group).map((anchor) => ({ anchor, provider: provider.name })))
        .filter(({ anchor }) => this.isRootAllowed(anchor, request))
        .map(({ anchor, provider }) => ({ anchor, taking: { provider, resourceClass, amount } })),
    );
    return this.providers.flatMap(({ name: anchor }) =>
      product(byClass.map((choices) => choices.filter((choice) => choice.anchor === anchor)))
        .map((choices) => choices.map(({ taking }) => taking))
        .filter((takings) => {
          const servers = takings.map(({ provider }) => this.get(provider));
          const together = servers.flatMap(({ traits }) => traits);
          return servers.every(({ traits }) => meets(traits, forbidden)) && meets(together, wanted);
        })
        .map((takings) => ({ anchor, suffix: '', providers: [...new Set(takings.map(({ provider }) => provider))], takings })),
    );
  }

  /** The anchors under which a provider may serve the unsuffixed group, according to trees and aggregates. */
  private spreadAnchors(provider: DrawnProvider, { aggregates, inTrees }: RequestGroup): string[] {
    const wanted = aggregates.map(({ allOf = [], anyOf }) => ({ allOf, ...(anyOf && { anyOf }) }));
    const forbidden = aggregates.map(({ noneOf = [] }) => ({ noneOf }));
    const own = this.rootOf(provider.name);
    const uuidsOf = ({ aggregates: names }: DrawnProvider) => names.map(uuidOf);
    if (!this.isIn(provider, inTrees)) return [];
    const others = inTrees === null && meets(uuidsOf(provider), wanted) ? this.anchorsOf(provider).filter((anchor) => anchor !== own) : [];
    return [own, ...others].filter((anchor) => {
      const both = [provider, this.get(anchor)];
      return both.some((one) => meets(uuidsOf(one), wanted)) && both.every((one) => meets(uuidsOf(one), forbidden));
    });
  }

  /** The conditions on the whole combination. */
  private isAllowed(request: CandidateRequest, combination: readonly Row[], takings: readonly Taking[]): boolean {
    const suffixed = combination.filter(({ suffix }) => suffix !== '').flatMap(({ providers }) => providers);
    if (request.groupPolicy === 'ISOLATE' && new Set(suffixed).size < suffixed.length) return false;
    for (const suffixes of request.sameSubtree) {
      const related = combination.filter(({ suffix }) => suffixes.includes(suffix)).flatMap(({ providers }) => providers);
      if (!related.some((top) => related.every((below) => this.lineOf(below).includes(top)))) return false;
    }
    if (request.withoutNested) {
      const givers = [...new Set(takings.map(({ provider }) => provider))];
      if (new Set(givers.map((giver) => this.rootOf(giver))).size < givers.length) return false;
    }
    return takings.every(({ provider, resourceClass, amount }) => {
      const inventory = this.get(provider).inventories.find((one) => one.resourceClass === resourceClass);
      return inventory !== undefined && inventory.used + amount <= capacity(inventory) && amount <= inventory.maxUnit;
    });
  }

  /** The roots to which a provider can contribute: its own and, if it shares, those of all members of its aggregates. */
  private anchorsOf(provider: DrawnProvider): string[] {
    const shares = provider.traits.includes('MISC_SHARES_VIA_AGGREGATE');
    const served = this.providers.filter(
      (other) => other === provider || (shares && other.aggregates.some((aggregate) => provider.aggregates.includes(aggregate))),
    );
    return [...new Set(served.map(({ name }) => this.rootOf(name)))];
  }

  private isRootAllowed(root: string, { rootTraits, rootAggregates = [] }: CandidateRequest): boolean {
    const { traits, aggregates } = this.get(root);
    return meets(traits, rootTraits) && meets(aggregates.map(uuidOf), rootAggregates);
  }

  private isIn({ name }: DrawnProvider, trees: readonly string[] | null): boolean {
    if (trees === null) return true;
    return this.providers.some((other) => trees.includes(uuidOf(other.name)) && this.rootOf(other.name) === this.rootOf(name));
  }

  private rootOf(name: string): string {
    return this.lineOf(name).at(-1) ?? name;
  }

  /** A provider and its ancestors. */
  private lineOf(name: string): string[] {
    const { parent } = this.get(name);
    return parent === null ? [name] : [name, ...this.lineOf(parent)];
  }

  private get(name: string): DrawnProvider {
    const provider = this.byName.get(name);
    if (!provider) throw new Error(`${name} does not exist`);
    return provider;
  }
}

function capacity({ total, reserved, allocationRatio }: DrawnProvider['inventories'][number]): number {
  return Math.trunc((total - reserved) * allocationRatio);
}

function fits({ inventories }: DrawnProvider, resourceClass: string, amount: number): boolean {
  return inventories.some(
    (inventory) =>
      inventory.resourceClass === resourceClass &&
      inventory.used + amount <= capacity(inventory) &&
      amount >= inventory.minUnit &&
      amount <= inventory.maxUnit &&
      amount % inventory.stepSize === 0,
  );
}

/** Whether a set of names meets all clauses. */
function meets(names: readonly string[], clauses: readonly MembershipClause[]): boolean {
  return clauses.every(
    ({ allOf = [], anyOf, noneOf = [] }) =>
      allOf.every((name) => names.includes(name)) &&
      (anyOf === undefined || anyOf.some((name) => names.includes(name))) &&
      !noneOf.some((name) => names.includes(name)),
  );
}

/** The Cartesian product of lists. */
function product<Item>(lists: readonly (readonly Item[])[]): Item[][] {
  return lists.reduce<Item[][]>((begun, list) => begun.flatMap((items) => list.map((item) => [...items, item])), [[]]);
}

/** Amounts summed by provider and class. */
function sum(takings: readonly Taking[]): Taking[] {
  const sums = new Map<string, Taking>();
  for (const taking of takings) {
    const key = `${taking.provider} ${taking.resourceClass}`;
    sums.set(key, { ...taking, amount: taking.amount + (sums.get(key)?.amount ?? 0) });
  }
  return [...sums.values()];
}
