// The search for allocation candidates: the ways to serve a request now. Compiles the request, walks the anchors, finds the choices of each
// group under an anchor and combines them. Pure; the forest must not change meanwhile. A candidate reserves nothing: a claim checks it
// again.
//
// Breadth first: every root yields one candidate before any yields its second.

import { roomIn } from '../inventory.ts';
import { limits } from '../limits.ts';
import { anchorsOf, inOrder, randomOf, shuffled } from './anchors.ts';
import { Combinations } from './combine.ts';
import type { Forest, ForestProvider, Tree } from './forest.ts';
import { choicesUnder, compileQuery, hasRoomFor, mayAnchor, type Query, type Slot } from './groups.ts';
import { type CandidateRequest, type GroupMapping, partsOfOrder, type RootRule } from './request.ts';
import { inOneGo, Steps } from './steps.ts';
import type { UsedAmount } from './supposed-use.ts';

/** One way to serve a request. Stores only the provider of each slot, because most candidates of a large result are never read. */
export class Candidate {
  /** The anchor: the root of the tree for which the candidate was found. */
  readonly root: ForestProvider;
  private readonly slots: readonly Slot[];
  /** The provider of each slot. */
  readonly chosen: readonly ForestProvider[];
  /** What rules of the root add to the groups. */
  private readonly added: readonly UsedAmount[];

  constructor(root: ForestProvider, slots: readonly Slot[], chosen: readonly ForestProvider[], added: readonly UsedAmount[] = []) {
    this.root = root;
    this.slots = slots;
    this.chosen = chosen;
    this.added = added;
  }

  /** The allocations, one for each pair of provider and class. */
  get allocations(): readonly UsedAmount[] {
    const allocations: { provider: ForestProvider; classId: number; amount: number }[] = [];
    const add = (provider: ForestProvider, classId: number, amount: number) => {
      const same = allocations.find((other) => other.provider === provider && other.classId === classId);
      if (same) same.amount += amount;
      else allocations.push({ provider, classId, amount });
    };
    for (const [number, { takes }] of this.slots.entries())
      for (const { classId, amount } of takes) add(this.chosen[number] as ForestProvider, classId, amount);
    for (const { provider, classId, amount } of this.added) add(provider, classId, amount);
    return allocations;
  }

  /** The providers of each group, in the order of the request. */
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

  /** The trees that it allocates from. */
  get trees(): readonly Tree[] {
    return [...new Set(this.chosen.filter((_, number) => (this.slots[number]?.takes.length ?? 0) > 0).map(({ tree }) => tree))];
  }
}

export interface CandidateSearch {
  readonly candidates: readonly Candidate[];
  /** True if the budget ran out, so that there may be more; false if the request's limit was reached. */
  readonly truncated: boolean;
}

/** The default budget in steps: well below 50 ms of work, at some 10 ns each. */
export const defaultBudget = limits.searchSteps;
/** Costs in steps: a tree, a candidate, and each slot of a candidate. */
const treeCost = 10;
const candidateCost = 60;
const slotCost = 15;
/** The cost of asking a rule whether it admits a candidate. */
const admissionCost = 300;

/** Searches the forest, or only under the roots of `trees`, in their order. Unknown names match no provider. */
export function searchCandidates(
  forest: Forest,
  request: CandidateRequest,
  budget: number = defaultBudget,
  trees?: Iterable<Tree>,
): CandidateSearch {
  return inOneGo(searchInParts(forest, request, new Steps(budget), trees));
}

/** The same with pauses, during which the forest must not change. `query`: the compiled request, if the caller has it. */
export function* searchInParts(
  forest: Forest,
  request: CandidateRequest,
  steps: Steps = new Steps(defaultBudget),
  trees?: Iterable<Tree>,
  query: Query = compileQuery(forest, request),
): Generator<void, CandidateSearch> {
  const limit = request.limit ?? Number.POSITIVE_INFINITY;
  const perRoot = request.perRootLimit ?? Number.POSITIVE_INFINITY;
  const arrange = arrangementOf(forest, request);
  const candidates: Candidate[] = [];
  const seen = new Set<string>();
  const admissions = query.rootRules.flatMap(({ admit }) => admit ?? []);

  /** Takes the next candidate of an anchor; false if it has none left. */
  const takeFrom = ({ root, combinations }: Anchor): boolean => {
    while (combinations.next()) {
      const found = new Candidate(root, query.slots, [...combinations.chosen]);
      steps.spend(admissionCost * admissions.length);
      const whole = withAdded(found, query.slots, admissions);
      if (!whole || isRepeated(found.chosen, seen)) continue;
      steps.spend(candidateCost + slotCost * query.slots.length);
      candidates.push(whole);
      return true;
    }
    return false;
  };

  let open: Anchor[] = [];
  for (const tree of trees ?? anchorsOf(forest, query, request.order, steps)) {
    if (candidates.length >= limit || steps.areSpent) break;
    if (tree) steps.spend(treeCost);
    if (!tree || steps.takesPause()) yield;
    const anchor = tree && openAnchor(query, tree, arrange, steps);
    if (anchor && takeFrom(anchor) && !anchor.combinations.isOnly) open.push(anchor);
  }
  for (let round = 1; round < perRoot && open.length > 0 && candidates.length < limit; round++) {
    const further: Anchor[] = [];
    for (const anchor of open) {
      if (candidates.length >= limit) break;
      if (steps.takesPause()) yield;
      if (takeFrom(anchor)) further.push(anchor);
    }
    open = further;
  }
  return { candidates, truncated: steps.areSpent && candidates.length < limit };
}

/** An anchor and its remaining combinations. */
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

/** Orders the choices of a slot under one anchor, consistent with the order of the anchors. */
function arrangementOf(forest: Forest, { order }: CandidateRequest): Arrange {
  const { free, last } = partsOfOrder(order);
  const random = last.by === 'RANDOM' ? randomOf(last.seed ^ 0x5bd1e995) : null;
  const tied: Arrange = (choices) => {
    if (random) return [...shuffled(choices, random)];
    return last.by === 'CREATED_AT' && last.descending ? choices.toReversed() : choices;
  };
  if (free.length === 0) return tied;
  const keys = free.map(({ weights, descending }) => {
    const classes = weights.map(({ resourceClass, weight }) => ({ classId: forest.classes.idOf(resourceClass) ?? -1, weight }));
    return (provider: ForestProvider) => {
      let sum: number | undefined;
      for (const { classId, weight } of classes) {
        const inventory = provider.inventoryOf(classId);
        if (inventory) sum = (sum ?? 0) + weight * roomIn(inventory);
      }
      if (sum === undefined) return Number.POSITIVE_INFINITY;
      return descending ? -sum : sum;
    };
  });
  return (choices) => (choices.length === 1 ? choices : [...inOrder(tied(choices), keys)]);
}

/** A candidate with what the rules add; null if one does not admit it, or if there is no room for both. */
function withAdded(found: Candidate, slots: readonly Slot[], admissions: readonly NonNullable<RootRule['admit']>[]): Candidate | null {
  if (admissions.length === 0) return found;
  const { root, chosen, mappings } = found;
  const added: UsedAmount[] = [];
  for (const admit of admissions) {
    const amounts = admit(root, mappings);
    if (!amounts) return null;
    added.push(...amounts);
  }
  const whole = new Candidate(root, slots, chosen, added);
  return added.every(({ provider }) =>
    hasRoomFor(
      provider,
      whole.allocations.filter((taken) => taken.provider === provider),
    ),
  )
    ? whole
    : null;
}

/** A candidate that uses only sharing providers can be found under several anchors; the first one is kept. */
function isRepeated(chosen: readonly ForestProvider[], seen: Set<string>): boolean {
  if (!chosen.every(({ isSharing }) => isSharing)) return false;
  const key = chosen.map(({ id }) => id).join();
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

/** The number of candidates between two pauses. */
const candidatesAtOnce = 500;

/** All providers of all trees that the candidates allocate from, without duplicates, trees in the order of the candidates. */
export function summarize(candidates: readonly Candidate[]): readonly ForestProvider[] {
  return inOneGo(summarizeInParts(candidates));
}

/** The same with pauses. */
export function* summarizeInParts(candidates: readonly Candidate[]): Generator<void, readonly ForestProvider[]> {
  const trees = new Set<Tree>();
  for (const [index, candidate] of candidates.entries()) {
    if (index % candidatesAtOnce === candidatesAtOnce - 1) yield;
    for (const tree of candidate.trees) trees.add(tree);
  }
  return [...trees].flatMap(({ members }) => members);
}
