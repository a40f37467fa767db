// Compiles a request against the forest: names become ids, groups become slots. Finds the providers that may serve a slot under an anchor.
// The rules within one group are here, those between groups in combine.ts.
//
// A slot is what must come from a single provider: a suffixed group, or one class of the unsuffixed group.
import { fits } from '../inventory.ts';
import type { MembershipClause } from '../provider.ts';
import type { Forest, ForestProvider, Tree } from './forest.ts';
import type { IdSet } from './id-set.ts';
import { type CandidateRequest, flattenClauses, obeys, type RequestGroup, type RootRule } from './request.ts';
import type { Steps } from './steps.ts';

/** An amount of a class, in its units. */
export interface Take {
  readonly classId: number;
  readonly amount: number;
}

export interface Slot {
  readonly group: Group;
  readonly takes: readonly Take[];
  /** Sharing providers that can serve this slot in other trees. */
  readonly sharing: readonly ForestProvider[];
  /** The same providers, by the ids of their aggregates. */
  readonly sharingIn: ReadonlyMap<number, readonly ForestProvider[]>;
  /** Slots of the same run have identical requests: a provider that can serve one can serve the others. */
  readonly run: number;
  /** Indexes of the same-subtree conditions that name its group. */
  readonly subtrees: readonly number[];
}

/** A group with its names resolved. */
export interface Group {
  readonly suffix: string;
  readonly traits: Membership;
  readonly aggregates: Membership;
  /** The trees to allocate from; null for any. */
  readonly inTrees: ReadonlySet<Tree> | null;
}

export interface Query {
  readonly slots: readonly Slot[];
  /** The first slot of each run, by run number. */
  readonly runs: readonly Slot[];
  /** Classes that several slots request. */
  readonly contested: ReadonlySet<number>;
  readonly rootTraits: Membership;
  readonly rootAggregates: Membership;
  readonly rootRules: readonly RootRule[];
  /** Traits required by the unsuffixed group that no sharing provider can contribute, so that the anchor's tree must. */
  readonly spreadTraits: Membership;
  readonly isolate: boolean;
  readonly withoutNested: boolean;
}

/** An id that nothing has; stands for unknown names. */
const nowhere = -1;

/** Required and forbidden ids. Caches results by set, because many providers have the same one. */
export class Membership {
  /** At least one id of each list is required. */
  readonly required: readonly (readonly number[])[];
  readonly forbidden: readonly number[];
  private readonly met = new Map<IdSet, boolean>();
  private readonly broken = new Map<IdSet, boolean>();

  constructor(required: readonly (readonly number[])[], forbidden: readonly number[]) {
    this.required = required;
    this.forbidden = forbidden;
  }

  static of(clauses: readonly MembershipClause[], idOf: (name: string) => number | undefined): Membership {
    const { required, forbidden } = flattenClauses(clauses);
    const resolve = (name: string) => idOf(name) ?? nowhere;
    return new Membership(
      required.map((set) => set.map(resolve)),
      forbidden.map(resolve),
    );
  }

  /** Whether the set has at least one id of each required list. */
  isMetBy(set: IdSet): boolean {
    if (this.required.length === 0) return true;
    let answer = this.met.get(set);
    if (answer === undefined) {
      answer = this.required.every((ids) => hasAny(set, ids));
      this.met.set(set, answer);
    }
    return answer;
  }

  /** Whether the set has a forbidden id. */
  isBrokenBy(set: IdSet): boolean {
    if (this.forbidden.length === 0) return false;
    let answer = this.broken.get(set);
    if (answer === undefined) {
      answer = hasAny(set, this.forbidden);
      this.broken.set(set, answer);
    }
    return answer;
  }

  allows(set: IdSet): boolean {
    return this.isMetBy(set) && !this.isBrokenBy(set);
  }
}

export function hasAny(set: IdSet, ids: readonly number[]): boolean {
  return ids.some((id) => set.has(id));
}

/** Resolves the names of a request. An unknown name is not an error here: no provider matches it. */
export function compileQuery(forest: Forest, request: CandidateRequest): Query {
  const slots: Slot[] = [];
  const runs = new Map<string, number>();
  for (const group of request.groups) {
    const resolved = resolveGroup(forest, group);
    const takes = group.resources.map(({ resourceClass, amount }) => ({ classId: forest.classes.idOf(resourceClass) ?? nowhere, amount }));
    const subtrees = [...request.sameSubtree.keys()].filter((place) => request.sameSubtree[place]?.includes(group.suffix));
    for (const own of group.suffix === '' ? takes.map((take) => [take]) : [takes]) {
      // Each class of the unsuffixed group is a run of its own; identical suffixed groups share a run.
      const likeness = group.suffix === '' ? `${own[0]?.classId}` : likenessOf(group, subtrees);
      const run = runs.get(likeness) ?? runs.size;
      runs.set(likeness, run);
      const sharing = [...forest.sharing].filter((provider) => canServeElsewhere({ group: resolved, takes: own }, provider)).sort(byId);
      // One shape: see "Shapes of objects" in ARCHITECTURE.md.
      slots.push({ group: resolved, takes: own, run, subtrees, sharing, sharingIn: byAggregate(sharing) });
    }
  }
  return {
    slots,
    runs: [...runs.values()].map((run) => slots.find((slot) => slot.run === run) as Slot),
    contested: contestedClasses(slots),
    rootTraits: Membership.of(request.rootTraits, (name) => forest.traits.idOf(name)),
    rootAggregates: Membership.of(request.rootAggregates ?? [], (uuid) => forest.aggregates.idOf(uuid)),
    rootRules: request.rootRules ?? [],
    spreadTraits: spreadTraitsOf(slots),
    isolate: request.groupPolicy === 'ISOLATE',
    withoutNested: request.withoutNested === true,
  };
}

function resolveGroup(forest: Forest, { suffix, traits, aggregates, inTrees }: RequestGroup): Group {
  return {
    suffix,
    traits: Membership.of(traits, (name) => forest.traits.idOf(name)),
    aggregates: Membership.of(aggregates, (uuid) => forest.aggregates.idOf(uuid)),
    inTrees: inTrees && new Set(inTrees.flatMap((uuid) => forest.findByUuid(uuid)?.tree ?? [])),
  };
}

function contestedClasses(slots: readonly Slot[]): ReadonlySet<number> {
  const classIds = slots.flatMap(({ takes }) => takes.map(({ classId }) => classId));
  return new Set(classIds.filter((classId, place) => classIds.indexOf(classId) !== place));
}

function spreadTraitsOf(slots: readonly Slot[]): Membership {
  const spread = slots.filter(({ group }) => group.suffix === '');
  const required = spread[0]?.group.traits.required ?? [];
  const isShared = (ids: readonly number[]) => spread.some(({ sharing }) => sharing.some(({ traits }) => hasAny(traits, ids)));
  return new Membership(
    required.filter((ids) => !isShared(ids)),
    [],
  );
}

/** A key that is equal for groups with the same content, regardless of order. */
function likenessOf({ resources, traits, aggregates, inTrees }: RequestGroup, subtrees: readonly number[]): string {
  const amounts = resources.map(({ resourceClass, amount }) => `${resourceClass}:${amount}`).sort();
  const clauses = [traits, aggregates].map((list) => {
    const { required, forbidden } = flattenClauses(list);
    return [required.map((set) => set.toSorted().join()).sort(), forbidden.toSorted()];
  });
  return JSON.stringify([amounts, clauses, inTrees?.toSorted(), subtrees]);
}

function byAggregate(providers: readonly ForestProvider[]): ReadonlyMap<number, readonly ForestProvider[]> {
  const lists = new Map<number, ForestProvider[]>();
  for (const provider of providers) {
    for (const id of provider.aggregates.ids) {
      const list = lists.get(id) ?? [];
      lists.set(id, list);
      list.push(provider);
    }
  }
  return lists;
}

const byId = (a: ForestProvider, b: ForestProvider) => a.id - b.id;

/** A quick test whether a tree can have candidates, using only facts about the tree as a whole. */
export function mayAnchor({ runs, rootTraits, rootAggregates, rootRules, spreadTraits }: Query, tree: Tree): boolean {
  if (!rootTraits.allows(tree.root.traits) || !rootAggregates.allows(tree.root.aggregates)) return false;
  for (const rule of rootRules) if (!obeys(rule, tree.root.state.provider.uuid)) return false;
  if (!spreadTraits.isMetBy(tree.traits)) return false;
  for (const { group, takes, sharing } of runs) {
    if (sharing.length > 0) continue;
    for (const { classId, amount } of takes) if (tree.largestFree(classId) < amount) return false;
    if (!group.aggregates.isMetBy(tree.aggregates) || (group.suffix !== '' && !group.traits.isMetBy(tree.traits))) return false;
  }
  return true;
}

/** The cost of examining a provider for a slot, in steps. */
const memberCost = 5;

/** The providers that may serve a slot under an anchor, regardless of what other slots take. */
export function choicesUnder(slot: Slot, tree: Tree, steps: Steps): ForestProvider[] {
  const choices: ForestProvider[] = [];
  const { group } = slot;
  if (group.inTrees?.has(tree) ?? true) {
    steps.spend(memberCost * tree.members.length);
    for (const member of tree.members) if (canServeHere(slot, member, tree.root)) choices.push(member);
  }
  for (const provider of sharingWith(tree, slot, steps)) if (isServedBy(slot, provider, tree)) choices.push(provider);
  return choices;
}

/** The sharing providers of a slot that share with this tree. Looked up by aggregate, because thousands of others may not share with it. */
function sharingWith({ aggregates }: Tree, { sharing, sharingIn }: Slot, steps: Steps): readonly ForestProvider[] {
  if (sharing.length === 0) return [];
  const found = new Set<ForestProvider>();
  for (const id of aggregates.ids) for (const provider of sharingIn.get(id) ?? []) found.add(provider);
  steps.spend(memberCost * (aggregates.ids.length + found.size));
  return [...found].sort(byId);
}

/** Whether a member of the anchor's tree can serve a slot. */
function canServeHere({ group, takes }: Slot, member: ForestProvider, root: ForestProvider): boolean {
  if (!hasRoomFor(member, takes)) return false;
  if (group.suffix !== '') return group.traits.allows(member.traits) && group.aggregates.allows(member.aggregates);
  // Unsuffixed group: its providers must have the required traits between them (combine.ts), and the root's aggregates span the tree.
  const { traits, aggregates } = group;
  return (
    !traits.isBrokenBy(member.traits) &&
    (aggregates.isMetBy(member.aggregates) || aggregates.isMetBy(root.aggregates)) &&
    !aggregates.isBrokenBy(member.aggregates) &&
    !aggregates.isBrokenBy(root.aggregates)
  );
}

/** Whether a sharing provider can serve a slot in trees other than its own, regardless of the tree. */
function canServeElsewhere({ group, takes }: Pick<Slot, 'group' | 'takes'>, provider: ForestProvider): boolean {
  const { traits, aggregates, inTrees, suffix } = group;
  if (inTrees && (suffix === '' || !inTrees.has(provider.tree))) return false;
  const hasTraits = suffix === '' ? !traits.isBrokenBy(provider.traits) : traits.allows(provider.traits);
  // The aggregates of the anchor's root do not count for sharing providers, with or without a suffix.
  return hasTraits && aggregates.allows(provider.aggregates) && hasRoomFor(provider, takes);
}

function isServedBy({ group }: Slot, provider: ForestProvider, tree: Tree): boolean {
  return provider.tree !== tree && (group.suffix !== '' || !group.aggregates.isBrokenBy(tree.root.aggregates));
}

/** Whether a provider has room for all these amounts beside its current usage. */
export function hasRoomFor(provider: ForestProvider, takes: readonly Take[]): boolean {
  for (const { classId, amount } of takes) {
    const inventory = provider.inventoryOf(classId);
    if (!inventory || !fits(inventory, amount)) return false;
  }
  return true;
}
