// Compares all roots that can serve a request by their weights. A first pass checks for each root only whether its providers can serve every group. Whether
// the groups can be combined is searched only where a candidate is taken, because that takes ten times as long; a root where they cannot is then dropped.
// Between calls, the forest may change only by what is taken.
import { anchorsOf, inOrder } from './anchors.ts';
import type { Forest, Tree } from './forest.ts';
import { choicesUnder, compileQuery, mayAnchor } from './groups.ts';
import { type CandidateRequest, obeys, type RootRule } from './request.ts';
import { type Candidate, defaultBudget, searchCandidates } from './search.ts';
import { Steps } from './steps.ts';

/** Weighs trees against each other. `present`: the number of group members on each root, by its uuid. */
export type Weigh = (trees: readonly Tree[], present: ReadonlyMap<string, number>) => TreeWeights;

/** Weights by the indexes (places) of the trees. */
export interface TreeWeights {
  /** Weighs these trees again after something was taken from them. */
  update(places: readonly number[], present: ReadonlyMap<string, number>): void;
  /** The weights of the included trees (1) against each other. The caller takes the highest, and among equal ones the oldest. */
  sums(included: Uint8Array): Float64Array;
}

/** If there are more trees than this, the budget may not cover all of them: a random sample is compared. */
const maxTreesInOrder = 50_000;
const budgetOfOne = 50_000;
/** The budget with rules that exclude single candidates: enough for some hundreds of them. */
const budgetOfStruck = 250_000;
const treeCost = 10;
/** The number of roots, highest weights first, whose candidates a rule for one turn may refuse: each takes a search. */
const mostRefused = 1000;

interface Entry {
  readonly tree: Tree;
  /** Null until searched. */
  candidate: Candidate | null;
}

export class RankedCandidates {
  private readonly forest: Forest;
  private request: CandidateRequest;
  private readonly weigh: Weigh;
  private readonly budget: number;
  private readonly entries: readonly Entry[];
  private readonly places = new Map<Tree, number>();
  /** By place: 0 if the groups cannot be combined there, otherwise 1. */
  private readonly left: Uint8Array;
  private weights: TreeWeights | null = null;
  /** Places of trees from which something was taken since they were weighed. */
  private touched: number[] = [];

  private constructor(forest: Forest, request: CandidateRequest, weigh: Weigh, entries: readonly Entry[]) {
    this.forest = forest;
    this.request = request;
    this.weigh = weigh;
    this.budget = request.rootRules?.some(({ admit }) => admit) ? budgetOfStruck : budgetOfOne;
    this.entries = entries;
    for (const [place, { tree }] of entries.entries()) this.places.set(tree, place);
    this.left = new Uint8Array(entries.length).fill(1);
  }

  /** Examines the roots, with pauses. `seed`: for the random sample. */
  static *rank(forest: Forest, asked: CandidateRequest, weigh: Weigh, seed: number): Generator<void, RankedCandidates> {
    const isSample = forest.all.length > maxTreesInOrder;
    const request: CandidateRequest = { ...asked, order: isSample ? [{ by: 'RANDOM', seed }] : [], perRootLimit: 1 };
    const query = compileQuery(forest, request);
    const steps = new Steps(defaultBudget);
    const entries: Entry[] = [];
    for (const tree of anchorsOf(forest, query, request.order, steps)) {
      if (steps.areSpent) break;
      if (tree) steps.spend(treeCost);
      if (!tree || steps.takesPause()) yield;
      if (tree && mayAnchor(query, tree) && query.runs.every((slot) => choicesUnder(slot, tree, steps).length > 0)) {
        entries.push({ tree, candidate: null });
      }
    }
    if (isSample) entries.sort((a, b) => a.tree.rootId - b.tree.rootId);
    return new RankedCandidates(forest, request, weigh, entries);
  }

  /** Weighs all roots, which takes as long as examining them. Without this call, the first call of `best` does so. */
  weighAll(present: ReadonlyMap<string, number>): void {
    this.weightsNow(present);
  }

  /** The number of roots compared. */
  get size(): number {
    return this.entries.length;
  }

  /** The candidate of the root with the highest weight; null if no root is left that obeys the rules. */
  best(rules: readonly RootRule[], present: ReadonlyMap<string, number>): Candidate | null {
    const weights = this.weightsNow(present);
    const open = this.openTo(rules);
    let sums = weights.sums(open);
    for (let refused = 0; refused < mostRefused; ) {
      let best = open.indexOf(1);
      for (let place = best + 1; place < open.length; place++) {
        if (open[place] === 1 && (sums[place] as number) > (sums[best] as number)) best = place;
      }
      if (best < 0) return null;
      const candidate = this.candidateAt(best);
      const admitted = candidate && this.admitted(candidate, rules);
      if (admitted) return admitted;
      open[best] = 0;
      if (candidate) refused++;
      else sums = weights.sums(open);
    }
    return null;
  }

  /** The candidate of a root, or another one there if the rules do not admit it. */
  private admitted(candidate: Candidate, rules: readonly RootRule[]): Candidate | null {
    if (rules.every(({ admit }) => admit?.(candidate.root, candidate.mappings) !== null)) return candidate;
    return this.searchUnder(candidate.root.tree, rules);
  }

  private searchUnder({ root }: Tree, rules: readonly RootRule[]): Candidate | null {
    const rootRules = [...(this.request.rootRules ?? []), ...rules, { words: '', only: new Set([root.state.provider.uuid]) }];
    const [candidate] = searchCandidates(
      this.forest,
      { ...this.request, rootRules, limit: 1 },
      rules.some(({ admit }) => admit) ? budgetOfStruck : this.budget,
    ).candidates;
    return candidate ?? null;
  }

  /** Candidates of the roots that obey the rules and that `admits` accepts, highest weights first. */
  inOrder(
    rules: readonly RootRule[],
    present: ReadonlyMap<string, number>,
    admits: (tree: Tree) => boolean,
    limit: number,
  ): readonly Candidate[] {
    const open = this.openTo(rules);
    const sums = this.weightsNow(present).sums(open);
    const places = [...open.keys()].filter((place) => open[place] === 1);
    const found: Candidate[] = [];
    for (const place of inOrder(places, [(each) => -(sums[each] as number)])) {
      if (found.length === limit) break;
      const candidate = admits((this.entries[place] as Entry).tree) ? this.candidateAt(place) : null;
      if (candidate) found.push(candidate);
    }
    return found;
  }

  /**
   * Must be called after a candidate was taken, with the rules of the request that now apply. Candidates of the same trees, or all if it uses a sharing
   * provider, are searched again: that of the root at once, because it may have no room left, others when needed. `joined`: roots with one more member.
   */
  noteTaken({ root, trees, chosen }: Candidate, rootRules: readonly RootRule[], joined: readonly string[] = []): void {
    this.request = { ...this.request, rootRules };
    const others = joined.flatMap((uuid) => this.forest.findByUuid(uuid)?.tree ?? []);
    const touched = [...new Set([...trees, root.tree, ...others])].flatMap((tree) => this.places.get(tree) ?? []);
    this.touched.push(...touched);
    const isShared = chosen.some(({ isSharing }) => isSharing);
    for (const place of isShared ? this.entries.keys() : touched) (this.entries[place] as Entry).candidate = null;
    const own = this.places.get(root.tree);
    if (own !== undefined) this.candidateAt(own);
  }

  private weightsNow(present: ReadonlyMap<string, number>): TreeWeights {
    if (this.weights) this.weights.update(this.touched, present);
    else {
      const trees = this.entries.map(({ tree }) => tree);
      this.weights = this.weigh(trees, present);
    }
    this.touched = [];
    return this.weights;
  }

  /** By place: 1 for the roots that are left and obey the rules. */
  private openTo(rules: readonly RootRule[]): Uint8Array {
    if (rules.length === 0) return this.left;
    return this.left.map((isLeft, place) => {
      const { uuid } = (this.entries[place] as Entry).tree.root.state.provider;
      return rules.every((rule) => obeys(rule, uuid)) ? isLeft : 0;
    });
  }

  /** The candidate of a root. A root without one is left out from then on. */
  private candidateAt(place: number): Candidate | null {
    const entry = this.entries[place] as Entry;
    if (entry.candidate) return entry.candidate;
    entry.candidate = this.searchUnder(entry.tree, []);
    if (!entry.candidate) this.left[place] = 0;
    return entry.candidate;
  }
}
