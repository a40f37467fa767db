// Compares all roots that can serve a request by their weights. They are looked through once, each for itself: whether its providers can serve every group.
// Whether the groups can be combined there is searched for only where a candidate is taken, as that takes ten times as long; a root where they cannot is
// dropped then. The forest may change only by what is taken between the calls.
import { anchorsOf, inOrder } from './anchors.ts';
import type { Forest, Tree } from './forest.ts';
import { choicesUnder, compileQuery, mayAnchor } from './groups.ts';
import { type CandidateRequest, obeys, type RootRule } from './request.ts';
import { type Candidate, defaultBudget, searchCandidates } from './search.ts';
import { Steps } from './steps.ts';

/** Weights of trees, one each; the highest is taken, among equal ones the oldest. `present`: how many of the group are on each root, by its uuid. */
export type Weigh = (trees: readonly Tree[], present: ReadonlyMap<string, number>) => Float64Array;

/** More trees than this may not all be compared within the budget: those that are compared are then a random choice. */
const maxTreesInOrder = 50_000;
const budgetOfOne = 50_000;
const treeCost = 10;

interface Entry {
  readonly tree: Tree;
  /** Null: to be searched. */
  candidate: Candidate | null;
}

export class RankedCandidates {
  private readonly forest: Forest;
  private readonly request: CandidateRequest;
  private readonly weigh: Weigh;
  private entries: Entry[];
  private trees: readonly Tree[] = [];
  private lastOpen: readonly Entry[] = [];

  /** `seed`: for the random choice. */
  constructor(forest: Forest, request: CandidateRequest, weigh: Weigh, seed: number) {
    this.forest = forest;
    this.request = { ...request, order: forest.all.length > maxTreesInOrder ? [{ by: 'RANDOM', seed }] : [], perRootLimit: 1 };
    this.weigh = weigh;
    this.entries = [];
    const query = compileQuery(forest, this.request);
    const steps = new Steps(defaultBudget);
    for (const tree of anchorsOf(forest, query, this.request.order, steps)) {
      if (steps.areSpent) break;
      steps.spend(treeCost);
      if (mayAnchor(query, tree) && query.runs.every((slot) => choicesUnder(slot, tree, steps).length > 0)) {
        this.entries.push({ tree, candidate: null });
      }
    }
    if (forest.all.length > maxTreesInOrder) this.entries.sort((a, b) => a.tree.rootId - b.tree.rootId);
  }

  /** The candidate of the root with the highest weight; null when no root is left that obeys the rules. */
  best(rules: readonly RootRule[], present: ReadonlyMap<string, number>): Candidate | null {
    for (;;) {
      const open = this.openTo(rules);
      const weights = this.weigh(this.treesOf(open), present);
      let best = 0;
      for (let place = 1; place < open.length; place++) if ((weights[place] as number) > (weights[best] as number)) best = place;
      const entry = open[best];
      if (!entry) return null;
      const candidate = this.candidateOf(entry);
      if (candidate) return candidate;
    }
  }

  /** Candidates of the roots that obey the rules and are admitted, highest weights first. */
  inOrder(
    rules: readonly RootRule[],
    present: ReadonlyMap<string, number>,
    admits: (tree: Tree) => boolean,
    limit: number,
  ): readonly Candidate[] {
    const open = this.openTo(rules);
    const weights = this.weigh(this.treesOf(open), present);
    const found: Candidate[] = [];
    for (const place of inOrder([...open.keys()], [(each) => -(weights[each] as number)])) {
      if (found.length === limit) break;
      const entry = open[place] as Entry;
      const candidate = admits(entry.tree) ? this.candidateOf(entry) : null;
      if (candidate) found.push(candidate);
    }
    return found;
  }

  /** After a candidate was taken: whatever takes from the same trees is searched again, at once if it is the root itself, which may have no room left. */
  noteTaken({ root, trees, chosen }: Candidate): void {
    const touched = new Set(trees);
    const isShared = chosen.some(({ isSharing }) => isSharing);
    for (const entry of this.entries) {
      if (isShared || touched.has(entry.tree)) entry.candidate = null;
    }
    const own = this.entries.find(({ tree }) => tree === root.tree);
    if (own) this.candidateOf(own);
  }

  /** The same list for the same entries, of which what was read before may still be known. */
  private treesOf(open: readonly Entry[]): readonly Tree[] {
    if (open !== this.lastOpen) [this.lastOpen, this.trees] = [open, open.map(({ tree }) => tree)];
    return this.trees;
  }

  private openTo(rules: readonly RootRule[]): readonly Entry[] {
    if (rules.length === 0) return this.entries;
    return this.entries.filter(({ tree }) => rules.every((rule) => obeys(rule, tree.root.state.provider.uuid)));
  }

  /** The candidate of a root; one that has none is dropped. */
  private candidateOf(entry: Entry): Candidate | null {
    if (entry.candidate) return entry.candidate;
    const { uuid } = entry.tree.root.state.provider;
    const rootRules = [...(this.request.rootRules ?? []), { words: '', only: new Set([uuid]) }];
    const [candidate] = searchCandidates(this.forest, { ...this.request, rootRules, limit: 1 }, budgetOfOne).candidates;
    if (!candidate) this.entries = this.entries.filter((other) => other !== entry);
    entry.candidate = candidate ?? null;
    return entry.candidate;
  }
}
