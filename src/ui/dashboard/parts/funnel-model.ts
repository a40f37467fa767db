// Why nothing fits, as a funnel: each condition of a search with the number of trees before and after it.

export interface SearchStep {
  readonly suffix: string | null;
  readonly filter: string;
  readonly rootsBefore: number;
  readonly rootsAfter: number;
}

export interface FunnelRow {
  readonly words: string;
  readonly left: number;
  readonly lost: number;
  /** Shares of the trees that the search began with. */
  readonly before: number;
  readonly after: number;
  /** Whether this condition ruled out the last trees. */
  readonly empties: boolean;
}

/** Shows only conditions that ruled out trees. The others are many and say little, so they are only counted. */
export function funnelOf(steps: readonly SearchStep[]): { readonly rows: readonly FunnelRow[]; readonly harmless: number } {
  const most = Math.max(1, ...steps.map(({ rootsBefore }) => rootsBefore));
  const rows = steps.map(({ suffix, filter, rootsBefore, rootsAfter }) => ({
    words: suffix === null || suffix === '' ? filter : `${filter} (group ${suffix})`,
    left: rootsAfter,
    lost: rootsBefore - rootsAfter,
    before: rootsBefore / most,
    after: rootsAfter / most,
    empties: rootsBefore > 0 && rootsAfter === 0,
  }));
  const telling = rows.filter(({ lost }) => lost > 0);
  return { rows: telling, harmless: rows.length - telling.length };
}
