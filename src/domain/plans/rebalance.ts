// Evens out a set of trees with few moves (SPREAD), or empties as many of them as possible (PACK). Every move gains something: with SPREAD, each lowers the
// deviation of the loads, and no tree becomes as loaded as the source was; with PACK, consumers leave a tree only if all of them can.
import type { Forest, Tree } from '../candidates/forest.ts';
import type { UsedAmount } from '../candidates/supposed-use.ts';
import type { Occupant } from './consumers.ts';
import { candidatesOf, type Goal, treesByLoad } from './drain.ts';
import { type Balance, balanceOf, loadOf, type TreesByLoad } from './load.ts';
import { findMove, type Move, makeMove, treesOf, undoMove } from './moves.ts';

export interface RebalanceOptions {
  readonly goal: Goal;
  readonly classIds: readonly number[];
  readonly maxMoves: number;
  /** With SPREAD: each move must lower the deviation by more than this. */
  readonly minGain: number;
  readonly mayShare: (occupant: Occupant, tree: Tree) => boolean;
  readonly moved: (move: Move, sign: 1 | -1) => void;
}

export interface GainfulMove extends Move {
  /** SPREAD: how much the move lowers the deviation. PACK: the part of a tree that it empties, which is 1 divided by the number of its consumers. */
  readonly gain: number;
}

export interface Rebalancing {
  readonly moves: readonly GainfulMove[];
  readonly before: Balance;
  readonly after: Balance;
  /** With PACK: the trees that the moves empty, in the order of the moves. */
  readonly emptied: readonly Tree[];
  /** Whether the limit on moves ended the plan, although more could be gained. */
  readonly truncated: boolean;
}

/** How many of the least loaded trees are considered as destinations of a consumer. */
const nearest = 32;
/** How many of the most gainful moves of a tree are tried until one is possible. */
const movesTried = 64;

/** Plans in a copy of the forest. `trees`: the trees among which consumers move. */
export function* planRebalance(
  forest: Forest,
  trees: readonly Tree[],
  occupants: readonly Occupant[],
  options: RebalanceOptions,
): Generator<void, Rebalancing> {
  const byLoad = yield* treesByLoad(trees, options.classIds);
  const before = balanceOf(trees.map((tree) => byLoad.load(tree)));
  const plan = new Map<Tree, Occupant[]>(trees.map((tree) => [tree, []]));
  for (const occupant of occupants) if (occupant.home) plan.get(occupant.home)?.push(occupant);
  const found = yield* options.goal === 'SPREAD' ? spread(forest, byLoad, plan, options) : pack(forest, byLoad, plan, options);
  yield;
  const after = balanceOf(trees.map((tree) => loadOf(tree, options.classIds)));
  return { ...found, before, after };
}

type Found = Omit<Rebalancing, 'before' | 'after'>;

function* spread(
  forest: Forest,
  byLoad: TreesByLoad,
  occupantsOf: ReadonlyMap<Tree, readonly Occupant[]>,
  { classIds, maxMoves, minGain, mayShare, moved }: RebalanceOptions,
): Generator<void, Found> {
  const moves: GainfulMove[] = [];
  const gone = new Set<Occupant>();
  const sums = new Sums(byLoad);
  /** Source trees with no gainful move left. */
  const done = new Set<Tree>();
  for (;;) {
    yield;
    const source = byLoad.trees.findLast((tree) => !done.has(tree));
    if (!source) return { moves, emptied: [], truncated: false };
    const chances: { readonly occupant: Occupant; readonly to: Tree; readonly gain: number }[] = [];
    const movable = (occupantsOf.get(source) ?? []).filter((occupant) => occupant.obstacle === null && !gone.has(occupant));
    for (const occupant of movable) {
      const amounts = amountsByClass(occupant.held, source);
      const without = loadOf(source, classIds, negated(amounts));
      for (const to of byLoad.trees.slice(0, nearest)) {
        if (to === source || !mayShare(occupant, to)) continue;
        const loads = [without, loadOf(to, classIds, amounts)] as const;
        if (Math.max(...loads) >= byLoad.load(source)) continue;
        const gain = sums.gainOf([byLoad.load(source), byLoad.load(to)], loads);
        if (gain > minGain) chances.push({ occupant, to, gain });
      }
      yield;
    }
    const best = chances.sort((a, b) => b.gain - a.gain || (a.occupant.uuid < b.occupant.uuid ? -1 : 1)).slice(0, movesTried);
    let hasMoved = false;
    for (const { occupant, to } of best) {
      yield;
      const move = findMove(forest, occupant, [to]);
      if (!move || move === 'UNDECIDED') continue;
      if (moves.length === maxMoves) return { moves, emptied: [], truncated: true };
      makeMove(forest, move);
      // The destination may use pools or other classes. Then the gain differs from the estimate, and other trees fill up.
      const touched = [...treesOf(move)].filter((tree) => byLoad.has(tree));
      const [before, after] = [touched.map((tree) => byLoad.load(tree)), touched.map((tree) => loadOf(tree, classIds))];
      const gain = sums.gainOf(before, after);
      const limit = byLoad.load(source);
      if (gain <= minGain || after.some((load, index) => load > (before[index] ?? 0) && load >= limit)) {
        undoMove(forest, move);
        continue;
      }
      sums.change(before, after);
      moved(move, 1);
      byLoad.update(touched);
      gone.add(occupant);
      moves.push({ ...move, gain });
      hasMoved = true;
      break;
    }
    if (!hasMoved) done.add(source);
  }
}

/** The number of trees and the sums of their loads, from which the deviation follows. */
class Sums {
  private readonly count: number;
  private sum = 0;
  private squares = 0;

  constructor(byLoad: TreesByLoad) {
    this.count = byLoad.trees.length;
    for (const tree of byLoad.trees) {
      this.sum += byLoad.load(tree);
      this.squares += byLoad.load(tree) ** 2;
    }
  }

  gainOf(before: readonly number[], after: readonly number[]): number {
    return this.deviation(0, 0) - this.deviation(total(after) - total(before), total(after.map(square)) - total(before.map(square)));
  }

  change(before: readonly number[], after: readonly number[]): void {
    this.sum += total(after) - total(before);
    this.squares += total(after.map(square)) - total(before.map(square));
  }

  private deviation(moreSum: number, moreSquares: number): number {
    const mean = (this.sum + moreSum) / this.count;
    return Math.sqrt(Math.max(0, (this.squares + moreSquares) / this.count - mean ** 2));
  }
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const square = (number: number) => number ** 2;

/** What a consumer holds in a tree, by class. */
function amountsByClass(held: readonly UsedAmount[], tree: Tree): Map<number, number> {
  const amounts = new Map<number, number>();
  for (const { provider, classId, amount } of held) {
    if (provider.tree === tree) amounts.set(classId, (amounts.get(classId) ?? 0) + amount);
  }
  return amounts;
}

function negated(amounts: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...amounts].map(([classId, amount]) => [classId, -amount]));
}

function* pack(
  forest: Forest,
  byLoad: TreesByLoad,
  occupantsOf: ReadonlyMap<Tree, readonly Occupant[]>,
  { maxMoves, mayShare, moved }: RebalanceOptions,
): Generator<void, Found> {
  const moves: GainfulMove[] = [];
  const emptied: Tree[] = [];
  let truncated = false;
  const inhabited = byLoad.trees.filter((tree) => (occupantsOf.get(tree) ?? []).length > 0);
  const open = new Set(inhabited);
  /** Trees that received consumers. To empty them too would move these consumers twice. */
  const hosts = new Set<Tree>();
  for (const source of inhabited) {
    const leaving = occupantsOf.get(source) ?? [];
    if (hosts.has(source) || leaving.some(({ obstacle }) => obstacle !== null)) continue;
    if (moves.length + leaving.length > maxMoves) {
      truncated = true;
      continue;
    }
    const tried: Move[] = [];
    for (const occupant of largestFirst(leaving)) {
      yield;
      const allows = (tree: Tree) => tree !== source && open.has(tree) && mayShare(occupant, tree);
      const move = findMove(forest, occupant, candidatesOf(byLoad.trees, 'PACK', allows));
      if (!move || move === 'UNDECIDED') break;
      makeMove(forest, move);
      moved(move, 1);
      byLoad.update(othersOf(move));
      tried.push(move);
    }
    if (tried.length === leaving.length) {
      for (const move of tried) {
        moves.push({ ...move, gain: 1 / leaving.length });
        hosts.add(move.to);
      }
      byLoad.remove(source);
      open.delete(source);
      emptied.push(source);
      continue;
    }
    for (const move of tried.toReversed()) {
      undoMove(forest, move);
      moved(move, -1);
      byLoad.update(othersOf(move));
    }
  }
  return { moves, emptied, truncated };
}

/** The trees of a move except its source, which keeps its place in the order because it is considered only once. */
function othersOf(move: Move): Tree[] {
  return [...treesOf(move)].filter((tree) => tree !== move.from);
}

function largestFirst(occupants: readonly Occupant[]): Occupant[] {
  const size = ({ held }: Occupant) =>
    total(held.map(({ provider, classId, amount }) => amount / (provider.inventoryOf(classId)?.capacity || 1)));
  return occupants.toSorted((a, b) => size(b) - size(a) || (a.uuid < b.uuid ? -1 : 1));
}
