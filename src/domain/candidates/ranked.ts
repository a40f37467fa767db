// Compares all roots that can serve a request by their weights. They are searched for once; after one was taken, only what that changed is searched again.
// The forest may change only by what is taken between the calls.
import { inOrder } from './anchors.ts';
import type { Forest, Tree } from './forest.ts';
import { type CandidateRequest, obeys, type RootRule } from './request.ts';
import { type Candidate, searchCandidates } from './search.ts';

/** Weights of trees, one each; the highest is taken, among equal ones the oldest. `present`: how many of the group are on each root, by its uuid. */
export type Weigh = (trees: readonly Tree[], present: ReadonlyMap<string, number>) => Float64Array;

/** More trees than this may not all be compared within the budget: those that are compared are then a random choice. */
const maxTreesInOrder = 10_000;
const budgetOfOne = 50_000;

interface Entry {
  readonly tree: Tree;
  candidate: Candidate;
  /** Whether it must be searched again before it is taken. */
  isStale: boolean;
}

export class RankedCandidates {
  private readonly forest: Forest;
  private readonly request: CandidateRequest;
  private readonly weigh: Weigh;
  private entries: Entry[];

  /** `seed`: for the random choice. */
  constructor(forest: Forest, request: CandidateRequest, weigh: Weigh, seed: number) {
    this.forest = forest;
    this.request = { ...request, order: forest.all.length > maxTreesInOrder ? [{ by: 'RANDOM', seed }] : [], perRootLimit: 1 };
    this.weigh = weigh;
    const { candidates } = searchCandidates(forest, { ...this.request, limit: null });
    this.entries = candidates.map((candidate) => ({ tree: candidate.root.tree, candidate, isStale: false }));
    if (forest.all.length > maxTreesInOrder) this.entries.sort((a, b) => a.tree.rootId - b.tree.rootId);
  }

  /** The candidate of the root with the highest weight; null when no root is left that obeys the rules. */
  best(rules: readonly RootRule[], present: ReadonlyMap<string, number>): Candidate | null {
    for (;;) {
      const open = this.openTo(rules);
      const weights = this.weigh(
        open.map(({ tree }) => tree),
        present,
      );
      let best = 0;
      for (let place = 1; place < open.length; place++) if ((weights[place] as number) > (weights[best] as number)) best = place;
      const entry = open[best];
      if (!entry) return null;
      if (this.isFresh(entry)) return entry.candidate;
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
    const weights = this.weigh(
      open.map(({ tree }) => tree),
      present,
    );
    const found: Candidate[] = [];
    for (const place of inOrder([...open.keys()], [(each) => -(weights[each] as number)])) {
      if (found.length === limit) break;
      const entry = open[place] as Entry;
      if (admits(entry.tree) && this.isFresh(entry)) found.push(entry.candidate);
    }
    return found;
  }

  /** After a candidate was taken: whatever takes from the same trees is searched again, at once if it is the root itself, which may have no room left. */
  noteTaken({ root, trees, chosen }: Candidate): void {
    const touched = new Set(trees);
    const isShared = chosen.some(({ isSharing }) => isSharing);
    for (const entry of this.entries) {
      if (isShared || touched.has(entry.tree)) entry.isStale = true;
    }
    const own = this.entries.find(({ tree }) => tree === root.tree);
    if (own) this.isFresh(own);
  }

  private openTo(rules: readonly RootRule[]): readonly Entry[] {
    if (rules.length === 0) return this.entries;
    return this.entries.filter(({ tree }) => rules.every((rule) => obeys(rule, tree.root.state.provider.uuid)));
  }

  /** Searches a stale entry again; one that no longer serves is dropped. */
  private isFresh(entry: Entry): boolean {
    if (!entry.isStale) return true;
    const { uuid } = entry.tree.root.state.provider;
    const rootRules = [...(this.request.rootRules ?? []), { words: '', only: new Set([uuid]) }];
    const [candidate] = searchCandidates(this.forest, { ...this.request, rootRules, limit: 1 }, budgetOfOne).candidates;
    if (candidate) {
      entry.candidate = candidate;
      entry.isStale = false;
      return true;
    }
    this.entries = this.entries.filter((other) => other !== entry);
    return false;
  }
}
