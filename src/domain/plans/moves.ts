// Planned moves, in a copy of the forest. A move is made as a caller would make it: the destination is claimed while the source is still held, and then the
// source is released. So every claim fits beside all current usage, even on pools, where both sides count for a while.
import type { Forest, Tree } from '../candidates/forest.ts';
import { type Candidate, defaultBudget, searchCandidates } from '../candidates/search.ts';
import { supposeUse, type UsedAmount } from '../candidates/supposed-use.ts';
import type { Occupant } from './consumers.ts';

export interface Move {
  readonly occupant: Occupant;
  readonly from: Tree;
  readonly to: Tree;
  readonly candidate: Candidate;
}

/** The number of ways to serve a consumer under one root that are compared with what it holds. */
const waysCompared = 8;

/**
 * A move to the first of these trees that can take the consumer; null if none can, 'UNDECIDED' if the budget of the search was too small to decide. The
 * consumer keeps what it holds on a pool on the same pool where possible.
 */
export function findMove(forest: Forest, occupant: Occupant, trees: Iterable<Tree>): Move | 'UNDECIDED' | null {
  const { request, home, held } = occupant;
  if (!home) return null;
  const { candidates, truncated } = searchCandidates(forest, { ...request, limit: 1, perRootLimit: 1 }, defaultBudget, trees);
  const [found] = candidates;
  if (!found) return truncated ? 'UNDECIDED' : null;
  const to = found.root.tree;
  const more = searchCandidates(forest, { ...request, limit: waysCompared, perRootLimit: null }, defaultBudget, [to]).candidates;
  const [best = found] = more.toSorted((a, b) => keeps(b, held) - keeps(a, held));
  return { occupant, from: home, to, candidate: best };
}

/** The number of amounts that stay where they are. */
function keeps({ allocations }: Candidate, held: readonly UsedAmount[]): number {
  return allocations.filter(({ provider, classId }) => held.some((one) => one.provider === provider && one.classId === classId)).length;
}

/** The trees whose usage a move changes: both sides, and the trees of pools. */
export function treesOf({ occupant, candidate }: Move): ReadonlySet<Tree> {
  return new Set([...occupant.held, ...candidate.allocations].map(({ provider }) => provider.tree));
}

export function makeMove(forest: Forest, { occupant, candidate }: Move): void {
  supposeUse(forest, candidate.allocations, 1);
  supposeUse(forest, occupant.held, -1);
}

export function undoMove(forest: Forest, { occupant, candidate }: Move): void {
  supposeUse(forest, occupant.held, 1);
  supposeUse(forest, candidate.allocations, -1);
}
