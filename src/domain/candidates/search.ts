// The search for allocation candidates: which ways there are to serve a request now. Reads as its steps: resolve the request, go through
// the anchors, find the choices of each group under an anchor, combine them, take what is asked for. Pure; the forest must not change
// meanwhile. A candidate reserves nothing: whoever claims it is checked again.
//
// Breadth first: every root gives one candidate before any gives its second.

import { roomIn } from '../inventory.ts';
import { limits } from '../limits.ts';
import { anchorsOf, inOrder, randomOf, shuffled } from './anchors.ts';
import { Combinations } from './combine.ts';
import type { Forest, ForestProvider, Tree } from './forest.ts';
import { choicesUnder, compileQuery, mayAnchor, type Query, type Slot } from './groups.ts';
import { type CandidateRequest, partsOfOrder } from './request.ts';
import { Steps } from './steps.ts';

/** An amount of a class, in its units, taken from a provider. */
export interface CandidateAllocation {
  readonly provider: ForestProvider;
  readonly classId: number;
  readonly amount: number;
}

/** Who serves a group: one provider, or several for the group without suffix. */
export interface GroupMapping {
  readonly suffix: string;
  readonly providers: readonly ForestProvider[];
}

/** One way to serve a request. Keeps only who serves which slot, because most candidates of a large answer are never looked at again. */
export class Candidate {
  /** The anchor: the root of the tree under which the candidate stands. */
  readonly root: ForestProvider;
  private readonly slots: readonly Slot[];
  /** The provider of each slot. */
  readonly chosen: readonly ForestProvider[];

  constructor(root: ForestProvider, slots: readonly Slot[], chosen: readonly ForestProvider[]) {
    this.root = root;
    this.slots = slots;
    this.chosen = chosen;
  }

  /** Everything taken, each pair of provider and class once. */
  get allocations(): readonly CandidateAllocation[] {
    const allocations: { provider: ForestProvider; classId: number; amount: number }[] = [];
    for (const [number, { takes }] of this.slots.entries()) {
      const provider = this.chosen[number] as ForestProvider;
      for (const { classId, amount } of takes) {
        const same = allocations.find((other) => other.provider === provider && other.classId === classId);
        if (same) same.amount += amount;
        else allocations.push({ provider, classId, amount });
      }
    }
    return allocations;
  }

  /** Who serves each group, in the order of the request's groups. */
  get mappings(): readonly GroupMapping[] {
    const mappings: { suffix: string; providers: ForestProvider[] }[] = [];
    for (const [number, { group }] of this.slots.entries()) {
      const provider = this.chosen[number] as ForestProvider;
      const mapping = mappings.at(-1);
      if (mapping?.suffix !== group.suffix) mappings.push({ suffix: group.suffix, providers: [provider] });
      else if (!mapping.providers.includes(provider)) mapping.providers.push(provider);
    }
    return mappings;
  }

  /** The trees from which something is taken. */
  get trees(): readonly Tree[] {
    return [...new Set(this.chosen.filter((_, number) => (this.slots[number]?.takes.length ?? 0) > 0).map(({ tree }) => tree))];
  }
}

export interface CandidateSearch {
  readonly candidates: readonly Candidate[];
  /** The budget ended the search, so there may be more; not said when the limit did. */
  readonly truncated: boolean;
}

/** Steps after which a search stops: well below 50 ms of work, at some 10 ns each. */
export const defaultBudget = limits.searchSteps;
/** What a tree costs, in steps, and a candidate: itself, and for each slot. */
const treeCost = 10;
const candidateCost = 60;
const slotCost = 15;

/** Searches the forest. Names that do not exist are served by nobody. */
export function searchCandidates(forest: Forest, request: CandidateRequest, budget: number = defaultBudget): CandidateSearch {
  const query = compileQuery(forest, request);
  const steps = new Steps(budget);
  const limit = request.limit ?? Number.POSITIVE_INFINITY;
  const perRoot = request.perRootLimit ?? Number.POSITIVE_INFINITY;
  const arrange = arrangementOf(forest, request);
  const candidates: Candidate[] = [];
  const seen = new Set<string>();

  /** Takes the next candidate under an anchor; false when it has none left. */
  const takeFrom = ({ root, combinations }: Anchor): boolean => {
    while (combinations.next()) {
      if (isRepeated(combinations.chosen, seen)) continue;
      steps.spend(candidateCost + slotCost * query.slots.length);
      candidates.push(new Candidate(root, query.slots, [...combinations.chosen]));
      return true;
    }
    return false;
  };

  let open: Anchor[] = [];
  for (const tree of anchorsOf(forest, query, request.order, steps)) {
    if (candidates.length >= limit || steps.areSpent) break;
    steps.spend(treeCost);
    const anchor = openAnchor(query, tree, arrange, steps);
    if (anchor && takeFrom(anchor) && !anchor.combinations.isOnly) open.push(anchor);
  }
  for (let round = 1; round < perRoot && open.length > 0 && candidates.length < limit; round++) {
    open = open.filter((anchor) => candidates.length < limit && takeFrom(anchor));
  }
  return { candidates, truncated: steps.areSpent && candidates.length < limit };
}

/** An anchor with the ways to serve the request under it that were not taken yet. */
interface Anchor {
  readonly root: ForestProvider;
  readonly combinations: Combinations;
}

type Arrange = (choices: ForestProvider[]) => ForestProvider[];

function openAnchor(query: Query, tree: Tree, arrange: Arrange, steps: Steps): Anchor | null {
  if (!mayAnchor(query, tree)) return null;
  const choices: ForestProvider[][] = [];
  for (const slot of query.runs) {
    const own = choicesUnder(slot, tree, steps);
    if (own.length === 0) return null;
    choices.push(arrange(own));
  }
  return { root: tree.root, combinations: new Combinations(query, choices, steps) };
}

/** The order of the choices of a slot under one anchor, after that of the anchors. */
function arrangementOf(forest: Forest, { order }: CandidateRequest): Arrange {
  const { free, last } = partsOfOrder(order);
  const random = last.by === 'RANDOM' ? randomOf(last.seed ^ 0x5bd1e995) : null;
  const tied: Arrange = (choices) => {
    if (random) return [...shuffled(choices, random)];
    return last.by === 'CREATED_AT' && last.descending ? choices.toReversed() : choices;
  };
  if (free.length === 0) return tied;
  const keys = free.map(({ resourceClass, descending }) => {
    const classId = forest.classes.idOf(resourceClass) ?? -1;
    return (provider: ForestProvider) => {
      const inventory = provider.inventoryOf(classId);
      if (!inventory) return Number.POSITIVE_INFINITY;
      return descending ? -roomIn(inventory) : roomIn(inventory);
    };
  });
  return (choices) => (choices.length === 1 ? choices : [...inOrder(tied(choices), keys)]);
}

/** Only what sharing providers serve alone can be found under several anchors; the first stands. */
function isRepeated(chosen: readonly ForestProvider[], seen: Set<string>): boolean {
  if (!chosen.every(({ isSharing }) => isSharing)) return false;
  const key = chosen.map(({ id }) => id).join();
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

/** Every provider of every tree from which something is taken, each once, trees in the order of the candidates. */
export function summarize(candidates: readonly Candidate[]): readonly ForestProvider[] {
  const trees = new Set<Tree>();
  for (const candidate of candidates) for (const tree of candidate.trees) trees.add(tree);
  return [...trees].flatMap(({ members }) => members);
}
