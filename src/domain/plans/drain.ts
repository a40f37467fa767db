// Empties trees: plans where every consumer would go and in which order, and explains which cannot go. Greedy: the largest consumer first, each to the least
// loaded tree that can take it (SPREAD) or the most loaded (PACK). Consumers without a destination are tried again once others have released room, for
// example on a pool. If spreading leaves consumers out, packing is tried too, because it may leave more room in one place.
import { explainSearch } from '../candidates/explain.ts';
import type { Forest, Tree } from '../candidates/forest.ts';
import type { CandidateRequest } from '../candidates/request.ts';
import type { Explanation } from '../explanation.ts';
import type { Obstacle, Occupant } from './consumers.ts';
import { TreesByLoad } from './load.ts';
import { findMove, type Move, makeMove, treesOf, undoMove } from './moves.ts';

export type Goal = 'SPREAD' | 'PACK';

export interface DrainOptions {
  readonly goal: Goal;
  /** The classes that count in the load of a tree. */
  readonly classIds: readonly number[];
  readonly maxMoves: number;
  /** How many different requests without a destination are explained. */
  readonly maxExplained: number;
  /** Whether groups of consumers allow a consumer to go to a tree. */
  readonly mayShare: (occupant: Occupant, tree: Tree) => boolean;
  /** Called after each move is made (1) or undone (-1). */
  readonly moved: (move: Move, sign: 1 | -1) => void;
  /** The request of a consumer with further conditions that apply now, for its explanation; by default its own. */
  readonly requestNow?: (occupant: Occupant) => CandidateRequest;
}

/** A consumer that stays. */
export interface Stuck {
  readonly occupant: Occupant;
  /** UNDECIDED: the budget of the search was too small. */
  readonly reason: Obstacle | 'NO_DESTINATION' | 'UNDECIDED';
  /** Only for NO_DESTINATION, after all moves of the plan; null for those beyond the limit. */
  readonly explanation: Explanation | null;
}

export interface Drain {
  /** Moves to make in this order, completing each before the next. */
  readonly moves: readonly Move[];
  readonly stuck: readonly Stuck[];
  /** Whether there were more consumers than moves. */
  readonly truncated: boolean;
}

/** Plans in a copy of the forest, without the drained trees. Pauses after each consumer. */
export function* planDrain(forest: Forest, occupants: readonly Occupant[], options: DrainOptions): Generator<void, Drain> {
  const movable = yield* inOrderOfSize(
    forest,
    occupants.filter(({ obstacle }) => obstacle === null),
  );
  const wanted = movable.slice(0, options.maxMoves);
  let { moves, left } = yield* tryGoal(forest, wanted, options, options.goal);
  if (left.length > 0 && options.goal === 'SPREAD') {
    yield* undoAll(forest, moves, options);
    const packed = yield* tryGoal(forest, wanted, options, 'PACK');
    if (packed.left.length < left.length) ({ moves, left } = packed);
    else {
      yield* undoAll(forest, packed.moves, options);
      ({ moves, left } = yield* tryGoal(forest, wanted, options, 'SPREAD'));
    }
  }
  const withObstacle = occupants.flatMap((occupant): Stuck[] =>
    occupant.obstacle === null ? [] : [{ occupant, reason: occupant.obstacle, explanation: null }],
  );
  const without = yield* explainAll(forest, left, options);
  return { moves, stuck: [...without, ...withObstacle], truncated: movable.length > wanted.length };
}

/** Largest first, by their share of the largest capacity of a class in the forest; ties by uuid. */
function* inOrderOfSize(forest: Forest, occupants: readonly Occupant[]): Generator<void, Occupant[]> {
  const largest = new Map<number, number>();
  for (const [index, tree] of forest.all.trees.entries()) {
    if (index % 200 === 199) yield;
    for (const { state } of tree.members) {
      for (const { classId, capacity } of state.inventories) largest.set(classId, Math.max(largest.get(classId) ?? 0, capacity));
    }
  }
  yield;
  const sized = occupants.map((occupant) => ({
    occupant,
    size: occupant.held.reduce((size, { classId, amount }) => Math.max(size, amount / (largest.get(classId) || 1)), 0),
  }));
  yield;
  sized.sort((a, b) => b.size - a.size || (a.occupant.uuid < b.occupant.uuid ? -1 : 1));
  return sized.map(({ occupant }) => occupant);
}

function* tryGoal(
  forest: Forest,
  occupants: readonly Occupant[],
  { classIds, mayShare, moved }: DrainOptions,
  goal: Goal,
): Generator<void, { readonly moves: Move[]; readonly left: Left[] }> {
  const byLoad = yield* treesByLoad(forest.all.trees, classIds);
  const moves: Move[] = [];
  for (let waiting = occupants; ; ) {
    const left: Left[] = [];
    let hasLeftRoom = false;
    for (const occupant of waiting) {
      yield;
      const move = findMove(
        forest,
        occupant,
        candidatesOf(byLoad.trees, goal, (tree) => mayShare(occupant, tree)),
      );
      if (!move || move === 'UNDECIDED') {
        left.push({ occupant, isUndecided: move !== null });
        continue;
      }
      makeMove(forest, move);
      moved(move, 1);
      byLoad.update(treesOf(move));
      moves.push(move);
      hasLeftRoom ||= occupant.held.some(({ provider }) => forest.findByUuid(provider.state.provider.uuid) !== undefined);
    }
    if (left.length === 0 || !hasLeftRoom) return { moves, left };
    waiting = left.map(({ occupant }) => occupant);
  }
}

/** Computes the loads of trees. Pauses now and then. */
export function* treesByLoad(trees: readonly Tree[], classIds: readonly number[]): Generator<void, TreesByLoad> {
  const byLoad = new TreesByLoad(classIds);
  for (const [index, tree] of trees.entries()) {
    if (index % 200 === 199) yield;
    byLoad.count(tree);
  }
  yield;
  byLoad.sort();
  return byLoad;
}

/** Least loaded first, or most loaded first, without those that a condition excludes. */
export function* candidatesOf(trees: readonly Tree[], goal: Goal, allows: (tree: Tree) => boolean): Generator<Tree> {
  for (let place = 0; place < trees.length; place++) {
    const tree = trees[goal === 'SPREAD' ? place : trees.length - 1 - place] as Tree;
    if (allows(tree)) yield tree;
  }
}

function* undoAll(forest: Forest, moves: readonly Move[], { moved }: DrainOptions): Generator<void, void> {
  for (const [index, move] of moves.toReversed().entries()) {
    if (index % 20 === 19) yield;
    undoMove(forest, move);
    moved(move, -1);
  }
}

interface Left {
  readonly occupant: Occupant;
  readonly isUndecided: boolean;
}

/** Equal requests have the same explanation. */
function* explainAll(
  forest: Forest,
  left: readonly Left[],
  { maxExplained, requestNow = ({ request }) => request }: DrainOptions,
): Generator<void, Stuck[]> {
  const known = new Map<string, Explanation>();
  const stuck: Stuck[] = [];
  for (const { occupant, isUndecided } of left) {
    const request = requestNow(occupant);
    const key = keyOf(request);
    let explanation = known.get(key) ?? null;
    if (!explanation && known.size < maxExplained) {
      yield;
      explanation = explainSearch(forest, request);
      known.set(key, explanation);
    }
    stuck.push({ occupant, reason: isUndecided ? 'UNDECIDED' : 'NO_DESTINATION', explanation });
  }
  return stuck;
}

function keyOf({ groups, groupPolicy, rootTraits, rootAggregates, rootRules = [], sameSubtree }: CandidateRequest): string {
  const rules = rootRules.map(({ words, only, except }) => [words, [...(only ?? [])], [...(except ?? [])]]);
  return JSON.stringify([groups, groupPolicy, rootTraits, rootAggregates, rules, sameSubtree]);
}
