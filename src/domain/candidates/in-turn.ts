// Searches for the same request several times in sequence: what one takes is no longer free for the next.
import type { Forest, ProviderState } from './forest.ts';
import type { CandidateRequest } from './request.ts';
import { type Candidate, defaultBudget, searchCandidates } from './search.ts';

/** The minimum budget of each search, in steps, however many there are. */
const minBudget = 50_000;

/**
 * The first candidate of each of `count` identical requests, as if each were claimed before the next is searched; fewer when room runs
 * out. Calls `then` while everything chosen still counts as used, and returns its result. Restores the forest afterwards.
 */
export function searchInTurn<Result>(
  forest: Forest,
  request: CandidateRequest,
  count: number,
  then: (candidates: readonly Candidate[]) => Result,
): Result {
  const before = new Map<number, ProviderState>();
  const budget = Math.max(minBudget, Math.floor(defaultBudget / count));
  try {
    const candidates: Candidate[] = [];
    for (let turn = 0; turn < count; turn++) {
      const { order } = request;
      const own = order.map((key) => (key.by === 'RANDOM' ? { ...key, seed: key.seed + turn } : key));
      const [candidate] = searchCandidates(forest, { ...request, limit: 1, order: own }, budget).candidates;
      if (!candidate) break;
      candidates.push(candidate);
      take(forest, candidate, before);
    }
    return then(candidates);
  } finally {
    forest.apply({ changed: [...before.values()], removed: [] });
  }
}

/** Counts what a candidate takes as used, and saves the previous states of its providers. */
function take(forest: Forest, { allocations }: Candidate, before: Map<number, ProviderState>): void {
  for (const { provider, classId, amount } of allocations) {
    const { state } = provider;
    if (!before.has(provider.id)) before.set(provider.id, state);
    const inventories = state.inventories.map((inventory) =>
      inventory.classId === classId ? { ...inventory, used: inventory.used + amount } : inventory,
    );
    forest.apply({ changed: [{ ...state, inventories }], removed: [] });
  }
}
